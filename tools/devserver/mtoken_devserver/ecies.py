# SPDX-License-Identifier: Apache-2.0
"""End-to-end encryption as the server sees it (powerauth.md §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence

from . import crypto


@dataclass(frozen=True)
class Encryptor:
    """One row of the table of encryptors (powerauth.md §5.1)."""

    name: str
    shared_info1: bytes
    activation_scope: bool


APPLICATION_GENERIC = Encryptor("APPLICATION_SCOPE_GENERIC", b"/pa/generic/application", False)
ACTIVATION_GENERIC = Encryptor("ACTIVATION_SCOPE_GENERIC", b"/pa/generic/activation", True)
ACTIVATION_LAYER_2 = Encryptor("ACTIVATION_LAYER_2", b"/pa/activation", False)
UPGRADE = Encryptor("UPGRADE", b"/pa/upgrade", True)
VAULT_UNLOCK = Encryptor("VAULT_UNLOCK", b"/pa/vault/unlock", True)
CREATE_TOKEN = Encryptor("CREATE_TOKEN", b"/pa/token/create", True)
CONFIRM_RECOVERY_CODE = Encryptor("CONFIRM_RECOVERY_CODE", b"/pa/recovery/confirm", True)

ENCRYPTORS = {
    encryptor.name: encryptor
    for encryptor in (
        APPLICATION_GENERIC,
        ACTIVATION_GENERIC,
        ACTIVATION_LAYER_2,
        UPGRADE,
        VAULT_UNLOCK,
        CREATE_TOKEN,
        CONFIRM_RECOVERY_CODE,
    )
}


class EciesError(ValueError):
    """A cryptogram that must be refused."""


class EciesFieldError(EciesError):
    """A member that the version demands is missing (rest.md §6.3)."""


_PARAMETERS = ("nonce", "timestamp", "temporaryKeyId")


def parameters(version: str) -> Sequence[str]:
    """The members that a version demands beside keys and data; each version has added one."""
    return _PARAMETERS[: {"3.0": 0, "3.1": 1, "3.2": 2}.get(version, len(_PARAMETERS))]


def uses_nonce(version: str) -> bool:
    return "nonce" in parameters(version)


def uses_timestamp(version: str) -> bool:
    return "timestamp" in parameters(version)


def uses_temporary_key(version: str) -> bool:
    return "temporaryKeyId" in parameters(version)


_MEMBERS = frozenset({"ephemeralPublicKey", "encryptedData", "mac", *_PARAMETERS})


@dataclass(frozen=True)
class Cryptogram:
    """An encrypted request (powerauth.md §5.6)."""

    ephemeral_public_key: bytes
    encrypted_data: bytes
    mac: bytes
    nonce: Optional[bytes]
    timestamp: Optional[int]
    temporary_key_id: Optional[str]

    @classmethod
    def from_json(cls, version: str, value: Any) -> Cryptogram:
        """Reads the members of the version and no others; a null counts as absent (powerauth.md §5.6)."""
        if not isinstance(value, dict):
            raise EciesError("an encrypted request is a JSON object")
        unknown = value.keys() - _MEMBERS
        if unknown:
            raise EciesError(f"an encrypted request has no {sorted(unknown)[0]}")
        for name in ("ephemeralPublicKey", "encryptedData", "mac"):
            if value.get(name) is None:
                raise EciesFieldError(f"{name} is missing")
        for name in _PARAMETERS:
            wanted, given = name in parameters(version), value.get(name) is not None
            if wanted and not given:
                raise EciesFieldError(f"{name} is missing in version {version}")
            if given and not wanted:
                raise EciesError(f"{name} is superfluous in version {version}")
        timestamp = value.get("timestamp")
        if timestamp is not None and (type(timestamp) is not int or not 0 <= timestamp < 2**63):
            raise EciesError("timestamp is not a number of milliseconds")
        temporary_key_id = value.get("temporaryKeyId")
        if temporary_key_id is not None and not isinstance(temporary_key_id, str):
            raise EciesError("temporaryKeyId is not text")
        try:
            return cls(
                ephemeral_public_key=crypto.unb64(value.get("ephemeralPublicKey")),
                encrypted_data=crypto.unb64(value.get("encryptedData")),
                mac=crypto.unb64(value.get("mac"), 32),
                nonce=crypto.unb64(value["nonce"], 16) if value.get("nonce") is not None else None,
                timestamp=timestamp,
                temporary_key_id=temporary_key_id,
            )
        except crypto.CryptoError as error:
            raise EciesError(str(error)) from error


def shared_info2_base(application_secret: str, transport_key: Optional[bytes]) -> bytes:
    """`SH2_BASE` of the scope: with a transport key the activation's, else the application's (powerauth.md §5.2)."""
    secret = application_secret.encode()
    return crypto.sha256(secret) if transport_key is None else crypto.hmac_sha256(transport_key, secret)


def associated_data(
    version: str, application_key: str, activation_id: Optional[str], temporary_key_id: Optional[str]
) -> bytes:
    """`AD` (powerauth.md §5.4); empty before 3.2. `activation_id` is given in activation scope only."""
    if not uses_timestamp(version):
        return b""
    items = [version, application_key]
    if activation_id is not None:
        items.append(activation_id)
    if uses_temporary_key(version):
        items.append(temporary_key_id or "")
    return crypto.length_prefixed(item.encode() for item in items)


@dataclass(frozen=True)
class Envelope:
    """The derived keys of one request and its one response, with all that binds them (powerauth.md §5.3 to §5.5)."""

    version: str
    key: bytes
    shared_info2: bytes
    associated_data: bytes

    @classmethod
    def derive(
        cls,
        version: str,
        shared_info1: bytes,
        secret: bytes,
        ephemeral_public_key: bytes,
        shared_info2: bytes,
        associated: bytes,
    ) -> Envelope:
        """`secret` is the unreduced ECDH output; the ephemeral key enters as it was transmitted."""
        prefix = version.encode() if uses_timestamp(version) else b""
        key = crypto.x963(secret, prefix + shared_info1 + ephemeral_public_key, 48)
        return cls(version, key, shared_info2, associated)

    def iv(self, nonce: Optional[bytes]) -> bytes:
        if not uses_nonce(self.version):
            return crypto.ZERO16
        return crypto.kdf_internal(self.key[32:], nonce or b"")

    def mac(
        self, encrypted: bytes, nonce: Optional[bytes], timestamp: Optional[int], ephemeral_public_key: Optional[bytes]
    ) -> bytes:
        """`HMAC(K_MAC, C ‖ SH2)`; a response has no ephemeral key."""
        info = self.shared_info2
        if uses_timestamp(self.version):
            info = crypto.length_prefixed(
                (info, nonce, crypto.be64(timestamp or 0), ephemeral_public_key, self.associated_data)
            )
        return crypto.hmac_sha256(self.key[16:32], encrypted + info)

    def open(self, request: Cryptogram) -> bytes:
        """Checks the MAC, then decrypts."""
        expected = self.mac(request.encrypted_data, request.nonce, request.timestamp, request.ephemeral_public_key)
        if not crypto.equal(expected, request.mac):
            raise EciesError("MAC of the encrypted request is wrong")
        try:
            return crypto.aes_cbc_decrypt(self.key[:16], self.iv(request.nonce), request.encrypted_data)
        except crypto.CryptoError as error:
            raise EciesError(str(error)) from error

    def seal(
        self, plaintext: bytes, request_nonce: Optional[bytes], nonce: Optional[bytes], timestamp: Optional[int]
    ) -> Dict[str, Any]:
        """The encrypted response. 3.1 uses the request's nonce again and sends none."""
        if not uses_timestamp(self.version):
            encrypted = crypto.aes_cbc_encrypt(self.key[:16], self.iv(request_nonce), plaintext)
            return {
                "encryptedData": crypto.b64(encrypted),
                "mac": crypto.b64(self.mac(encrypted, None, None, None)),
            }
        if nonce is None or timestamp is None:
            raise EciesError("a response needs its own nonce and timestamp")
        encrypted = crypto.aes_cbc_encrypt(self.key[:16], self.iv(nonce), plaintext)
        return {
            "encryptedData": crypto.b64(encrypted),
            "mac": crypto.b64(self.mac(encrypted, nonce, timestamp, None)),
            "nonce": crypto.b64(nonce),
            "timestamp": timestamp,
        }


def open_request(
    version: str,
    shared_info1: bytes,
    recipient: crypto.PrivateKey,
    shared_info2: bytes,
    associated: bytes,
    request: Cryptogram,
) -> tuple[Envelope, bytes]:
    """Key agreement with the ephemeral key, MAC check and decryption."""
    try:
        secret = crypto.ecdh(recipient, crypto.import_public_key(request.ephemeral_public_key))
    except crypto.CryptoError as error:
        raise EciesError(f"ephemeral key: {error}") from error
    envelope = Envelope.derive(version, shared_info1, secret, request.ephemeral_public_key, shared_info2, associated)
    return envelope, envelope.open(request)
