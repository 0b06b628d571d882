# SPDX-License-Identifier: Apache-2.0
"""Derived by both sides from KEY_ACTIVATION_SECRET: keys, codes, the status blob, the fingerprint
(powerauth4.md §5, §9, §10, §11).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import List, Mapping, Sequence

from . import primitives
from .primitives import kdf, kmac

STATUS_MAGIC = bytes.fromhex("dec0ded4")
FLAG_CONFIRM, FLAG_UPGRADE, FLAG_SUITE_WITHDRAWN, FLAG_BIOMETRY = 1, 2, 4, 8

KEK_DEVICE_PRIVATE = "KEK_DEVICE_PRIVATE"
KDK_APP_VAULT_KNOWLEDGE = "KDK_APP_VAULT_KNOWLEDGE"
KDK_APP_VAULT_2FA = "KDK_APP_VAULT_2FA"
VAULT_LABELS = {
    KEK_DEVICE_PRIVATE: "vault/kek-device-private",
    KDK_APP_VAULT_KNOWLEDGE: "vault/kdk-app-vault-knowledge",
    KDK_APP_VAULT_2FA: "vault/kdk-app-vault-2fa",
}


@dataclass(frozen=True)
class KeyTree:
    """The symmetric keys of one activation (powerauth4.md §5)."""

    secret: bytes

    @cached_property
    def _utility(self) -> bytes:
        return kdf(self.secret, "util")

    @cached_property
    def _codes(self) -> bytes:
        return kdf(self.secret, "auth")

    @cached_property
    def possession(self) -> bytes:
        return kdf(self._codes, "auth/possession")

    @cached_property
    def initial_knowledge(self) -> bytes:
        return kdf(self._codes, "auth/knowledge")

    @cached_property
    def initial_biometry(self) -> bytes:
        return kdf(self._codes, "auth/biometry")

    @cached_property
    def mac_status(self) -> bytes:
        return kdf(self._utility, "util/mac/status")

    @cached_property
    def mac_counter(self) -> bytes:
        return kdf(self._utility, "util/mac/ctr-data")

    @cached_property
    def mac_temporary_key(self) -> bytes:
        return kdf(self._utility, "util/mac/get-act-temp-key")

    @cached_property
    def mac_personalised_data(self) -> bytes:
        return kdf(self._utility, "util/mac/personalized-data")

    @cached_property
    def shared_info2(self) -> bytes:
        return kdf(self._utility, "util/key-e2ee-sh2")

    def vault_key(self, identifier: str) -> bytes:
        return kdf(kdf(self.secret, "vault"), VAULT_LABELS[identifier])

    def all(self) -> Mapping[str, bytes]:
        """Every key by its name in the table of the protocol."""
        return {
            "KEY_ACTIVATION_SECRET": self.secret,
            "KDK_AUTHENTICATION_CODE": self._codes,
            "KEY_AUTHENTICATION_CODE_POSSESSION": self.possession,
            "KEY_AUTHENTICATION_CODE_KNOWLEDGE": self.initial_knowledge,
            "KEY_AUTHENTICATION_CODE_BIOMETRY": self.initial_biometry,
            "KDK_ENCRYPTION": kdf(self.secret, "enc"),
            "KDK_VAULT": kdf(self.secret, "vault"),
            **{name: self.vault_key(name) for name in VAULT_LABELS},
            "KDK_UTILITY": self._utility,
            "KEY_MAC_CTR_DATA": self.mac_counter,
            "KEY_MAC_STATUS": self.mac_status,
            "KEY_MAC_GET_ACT_TEMP_KEY": self.mac_temporary_key,
            "KEY_MAC_PERSONALIZED_DATA": self.mac_personalised_data,
            "KEY_E2EE_SHARED_INFO2": self.shared_info2,
            "KDK_APP_UTILITY": kdf(self._utility, "util/app"),
        }


def request_key_of_application(secret: bytes) -> bytes:
    """KEY_MAC_GET_APP_TEMP_KEY; `secret` are the decoded bytes."""
    return kdf(secret, "util/mac/get-app-temp-key")


def components(factors: Sequence[bytes], ctr_data: bytes, data: bytes) -> List[bytes]:
    """One 32-byte MAC for each factor (powerauth4.md §9)."""
    key, result = b"", []
    for factor in factors:
        key = kmac(factor, ctr_data + key, b"PA4CODE")
        result.append(kmac(key, data, b"PA4CODE"))
    return result


def decimal_code(factors: Sequence[bytes], ctr_data: bytes, data: bytes, digits: int) -> str:
    """An offline code, 4 to 8 digits for each factor."""
    numbers = (int.from_bytes(mac[28:], "big") & 0x7FFFFFFF for mac in components(factors, ctr_data, data))
    return "-".join(str(number % 10**digits).zfill(digits) for number in numbers)


def sign_offline(keys: KeyTree, text: bytes) -> bytes:
    """The MAC over a personalised payload up to and including its type digit (powerauth4.md §17)."""
    return kmac(keys.mac_personalised_data, text, b"PA4MAC-QR")


def token_digest(secret: bytes, nonce: bytes, timestamp: str) -> bytes:
    """Digest of a token header (powerauth4.md §14)."""
    return kmac(secret, nonce + b"&" + timestamp.encode() + b"&4.0", b"PA4DIGEST")


def fingerprint(algorithm: str, device: Mapping[str, bytes], activation_id: str, server: Mapping[str, bytes]) -> str:
    """Eight digits that the user compares; keys as on the wire (powerauth4.md §10)."""

    def keys(given: Mapping[str, bytes]) -> bytes:
        return given["ecdsa"][1:49].lstrip(b"\0") + given.get("mldsa", b"")

    digest = primitives.sha3(algorithm.encode() + keys(device) + activation_id.encode() + keys(server))
    return str((int.from_bytes(digest[28:], "big") & 0x7FFFFFFF) % 100_000_000).zfill(8)


@dataclass(frozen=True)
class StatusBlob:
    """Content of the activation status (powerauth4.md §11)."""

    status: int
    current_version: int
    upgrade_version: int
    flags: int
    ctr_byte: int
    failed_attempts: int
    max_failed_attempts: int
    look_ahead: int
    ctr_data: bytes

    def encode(self, keys: KeyTree, reserved: bytes) -> bytes:
        """80 bytes with the MACs over the counter and over all."""
        head = bytes((self.status, self.current_version, self.upgrade_version, self.flags))
        tail = bytes((self.ctr_byte, self.failed_attempts, self.max_failed_attempts, self.look_ahead))
        data = STATUS_MAGIC + head + reserved + tail + kmac(keys.mac_counter, self.ctr_data, b"PA4MAC-CTR")
        return data + kmac(keys.mac_status, data, b"PA4MAC-STATUS")
