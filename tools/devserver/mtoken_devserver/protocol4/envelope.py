# SPDX-License-Identifier: Apache-2.0
"""End-to-end encryption of protocol 4.0 (powerauth4.md §8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from .. import crypto
from ..ecies import EciesError
from . import primitives

VERSION = "4.0"
_MEMBERS = ("temporaryKeyId", "encryptedData", "nonce", "timestamp")


@dataclass(frozen=True)
class Request:
    """An encrypted request."""

    temporary_key_id: str
    encrypted_data: bytes
    nonce: bytes
    timestamp: int

    @classmethod
    def from_json(cls, value: Any) -> Request:
        if not isinstance(value, dict):
            raise EciesError("an encrypted request is a JSON object")
        unknown = value.keys() - set(_MEMBERS)
        if unknown:
            raise EciesError(f"an encrypted request of 4.0 has no {sorted(unknown)[0]}")
        key_id, timestamp = value.get("temporaryKeyId"), value.get("timestamp")
        if not isinstance(key_id, str):
            raise EciesError("temporaryKeyId is missing")
        if type(timestamp) is not int or not 0 <= timestamp < 2**63:
            raise EciesError("timestamp is missing or no number of milliseconds")
        try:
            encrypted, nonce = crypto.unb64(value.get("encryptedData")), crypto.unb64(value.get("nonce"), 24)
        except crypto.CryptoError as problem:
            raise EciesError(str(problem)) from problem
        if nonce[:12] == nonce[12:]:
            raise EciesError("both halves of the nonce are equal")
        return cls(key_id, encrypted, nonce, timestamp)


@dataclass(frozen=True)
class Envelope:
    """The secret of a temporary key with all that binds one request and its one answer."""

    secret: bytes
    context: bytes
    nonce: bytes
    associated_data: bytes
    shared_info2: bytes

    @classmethod
    def make(
        cls,
        secret: bytes,
        shared_info1: bytes,
        nonce: bytes,
        application_key: str,
        activation_id: Optional[str],
        temporary_key_id: str,
        shared_info2: bytes,
    ) -> Envelope:
        """`activation_id` is given in activation scope only."""
        items = [VERSION, application_key, activation_id, temporary_key_id]
        associated = crypto.length_prefixed(item.encode() for item in items if item is not None)
        return cls(secret, VERSION.encode() + shared_info1 + nonce, nonce, associated, shared_info2)

    def _bound(self, timestamp: int) -> bytes:
        return self.associated_data + crypto.length_prefixed((crypto.be64(timestamp), self.nonce, self.shared_info2))

    def open(self, request: Request) -> bytes:
        if request.encrypted_data[:12] != self.nonce[:12]:
            raise EciesError("encrypted data do not begin with the nonce of the request")
        try:
            return primitives.unseal(self.secret, self.context, self._bound(request.timestamp), request.encrypted_data)
        except crypto.CryptoError as problem:
            raise EciesError(str(problem)) from problem

    def seal(self, plaintext: bytes, timestamp: int, *, nonce: Optional[bytes] = None) -> bytes:
        """The encrypted answer; another nonce than that of the request is a fault."""
        return primitives.seal(self.secret, self.context, nonce or self.nonce[12:], self._bound(timestamp), plaintext)


def shared_info2(application_secret: bytes, activation_key: Optional[bytes]) -> bytes:
    """SH2 of the scope: with KEY_E2EE_SHARED_INFO2 the activation's, else the application's."""
    if activation_key is None:
        return primitives.sha3(application_secret)
    return primitives.kmac(activation_key, application_secret, b"PA4SH2")
