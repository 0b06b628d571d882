"""The serialized state of the upstream SDK, written from the description of its format; and a device that has one.

The device is the reference client of Tests/reference, which shares nothing with the library.
"""

from __future__ import annotations

import hashlib
import os
import ssl
import sys
from typing import Any, Dict, Optional

import httpx
from conftest import ROOT
from cryptography.hazmat.primitives.padding import PKCS7
from devserver import DevServer

sys.path.insert(0, str(ROOT / "Tests" / "reference"))
import client as reference

FORMATS = ("4", "5", "6")


def count(value: int) -> bytes:
    if value < 0x80:
        return bytes([value])
    return (0x8000 | value).to_bytes(2, "big") if value < 0x4000 else (0xC0000000 | value).to_bytes(4, "big")


def data(content: bytes) -> bytes:
    return count(len(content)) + content


def locked(key: bytes, plain: bytes, outer: Optional[bytes] = None) -> bytes:
    """A key under the key that unlocks it, and the external key around both."""
    inner: bytes = reference.cbc(key, bytes(16)).encryptor().update(plain)
    return locked(outer, inner) if outer else inner


def padded(key: bytes, plain: bytes) -> bytes:
    padder = PKCS7(128).padder()
    return locked(key, padder.update(plain) + padder.finalize())


class Phone(reference.Device):
    """A device with the upstream SDK: an activation, and the keys that unlock it."""

    PIN = "2468"

    def __init__(self, server: DevServer, user: str, **activation: Any):
        trust = ssl.create_default_context(cafile=server.ca_file)
        super().__init__(httpx.Client(base_url=server.url, verify=trust), server.configuration)
        code = server.new_activation(user, **activation)["activationCode"]
        self.activate("CODE", {"code": code})
        server.admin("POST", f"/activations/{self.activation_id}/commit")
        self.possession_key = hashlib.sha256(f"device of {user}".encode()).digest()[:16]
        self.biometry_key = os.urandom(16)
        self.salt = os.urandom(16)

    @property
    def vault_key(self) -> bytes:
        return reference.derive(self.master_secret, 2000)

    def state(
        self,
        format: str = "6",
        *,
        biometry: bool = True,
        external_key: Optional[bytes] = None,
        flags: int = 1 << 10,
    ) -> bytes:
        """The SDK's stored state of the activation."""
        assert self.server_key is not None
        pin_key = hashlib.pbkdf2_hmac("sha1", self.PIN.encode(), self.salt, 10_000, 16)
        factors = {
            "possession": locked(self.possession_key, self.factor("possession")),
            "knowledge": locked(pin_key, self.factor("knowledge"), external_key),
            "biometry": locked(self.biometry_key, self.factor("biometry"), external_key) if biometry else b"",
            "transport": locked(self.possession_key, self.transport_key),
        }
        private = self.device_key.private_numbers().private_value.to_bytes(32, "big")
        parts = [b"PA\x02P", format.encode(), data(self.counter), data(self.activation_id.encode())]
        parts += [(10_000).to_bytes(4, "big"), data(self.salt), *map(data, factors.values())]
        parts += [data(self.encoded(self.server_key)), data(self.encoded(self.device_key.public_key()))]
        parts += [data(padded(self.vault_key, private)), (flags | bool(external_key) << 1).to_bytes(4, "big")]
        if format >= "5":
            parts.append(data(self.recovery()))
        if format >= "6":
            parts.append(bytes([self.counter_byte]))
        return b"".join(parts)

    def recovery(self) -> bytes:
        given: Dict[str, str] = self.activation_answer.get("activationRecovery") or {}
        if not given:
            return b""
        content = b"R1" + data(given["recoveryCode"].encode()) + data(given["puk"].encode())
        return padded(self.vault_key, content)
