# SPDX-License-Identifier: Apache-2.0
"""Online and offline signatures, canonical queries and the PowerAuth HTTP headers (powerauth.md §9 to §11)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple
from urllib.parse import parse_qsl

from . import crypto
from .keytree import KeyTree

VERSION_4 = "4.0"
VERSIONS = ("3.0", "3.1", "3.2", "3.3", VERSION_4)

POSSESSION = "possession"
POSSESSION_KNOWLEDGE = "possession_knowledge"
POSSESSION_BIOMETRY = "possession_biometry"
POSSESSION_KNOWLEDGE_BIOMETRY = "possession_knowledge_biometry"
SIGNATURE_TYPES = (
    POSSESSION,
    "knowledge",
    "biometry",
    POSSESSION_KNOWLEDGE,
    POSSESSION_BIOMETRY,
    POSSESSION_KNOWLEDGE_BIOMETRY,
)
TWO_FACTORS = (POSSESSION_KNOWLEDGE, POSSESSION_BIOMETRY)
ONE_OR_TWO_FACTORS = (POSSESSION,) + TWO_FACTORS
TWO_OR_MORE_FACTORS = TWO_FACTORS + (POSSESSION_KNOWLEDGE_BIOMETRY,)
ANY_WITH_POSSESSION = (POSSESSION,) + TWO_OR_MORE_FACTORS

OFFLINE_SECRET = "offline"

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
_ATTRIBUTE = re.compile(r'([A-Za-z_]+)="([^"]*)"')
_DECIMAL = re.compile(r"[0-9]{8}(-[0-9]{8}){0,2}")
_BASE64 = re.compile(r"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class HeaderError(ValueError):
    """A PowerAuth header that does not keep the rules; the text says which."""


def is_uuid(text: object) -> bool:
    """RFC 4122 text form, versions 1 to 5."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None


def canonical_query(query: str) -> str:
    """Sorted and re-encoded query parameters, the signed bytes of a GET request (powerauth.md §9.2)."""
    pairs = [parse_qsl(part, keep_blank_values=True) for part in query.split("&") if "=" in part]
    flat = sorted((pair[0] for pair in pairs if pair), key=lambda pair: (_utf16(pair[0]), _utf16(pair[1])))
    return "&".join(f"{url_encode(key.encode())}={url_encode(value.encode())}" for key, value in flat)


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def url_encode(data: bytes) -> str:
    """Form encoding: letters, digits and `-_.*` stay, a space becomes `+`, other bytes `%XX`."""
    output = []
    for byte in data:
        character = chr(byte)
        if character.isascii() and (character.isalnum() or character in "-_.*"):
            output.append(character)
        else:
            output.append("+" if character == " " else f"%{byte:02X}")
    return "".join(output)


def base_string(method: str, uri_id: str, nonce: str, body: bytes) -> bytes:
    """`METHOD&B64(uriId)&nonce&B64(body)`, without the secret (powerauth.md §9.1). `nonce` is Base64 text."""
    return f"{method.upper()}&{crypto.b64(uri_id.encode())}&{nonce}&{crypto.b64(body)}".encode()


def factor_keys(keys: KeyTree, signature_type: str) -> List[bytes]:
    """The factor keys of a signature type in their fixed order."""
    return [getattr(keys, factor) for factor in signature_type.split("_")]


def components(factors: List[bytes], ctr_data: bytes, data: bytes) -> List[bytes]:
    """One 32-byte MAC for each factor (powerauth.md §9.3)."""
    derived = [crypto.hmac_sha256(factor, ctr_data) for factor in factors]
    result = []
    for position, key in enumerate(derived):
        for inner in derived[1 : position + 1]:
            key = crypto.hmac_sha256(inner, key)
        result.append(crypto.hmac_sha256(key, data))
    return result


def base64_signature(factors: List[bytes], ctr_data: bytes, data: bytes) -> str:
    """Online format of 3.1 and later."""
    return crypto.b64(b"".join(mac[16:] for mac in components(factors, ctr_data, data)))


def decimal_signature(factors: List[bytes], ctr_data: bytes, data: bytes, digits: int = 8) -> str:
    """Online format of 3.0 (8 digits) and every offline signature (4 to 8 digits)."""
    numbers = (
        (int.from_bytes(mac[28:], "big") & 0x7FFFFFFF) % 10**digits for mac in components(factors, ctr_data, data)
    )
    return "-".join(str(number).zfill(digits) for number in numbers)


def online_signature(version: str, factors: List[bytes], ctr_data: bytes, data: bytes) -> str:
    if version == "3.0":
        return decimal_signature(factors, ctr_data, data)
    return base64_signature(factors, ctr_data, data)


def token_digest(version: str, secret: bytes, nonce: bytes, timestamp: str) -> bytes:
    """Digest of a MAC token header (powerauth.md §11); 3.2 and later bind the version."""
    data = nonce + b"&" + timestamp.encode()
    if version not in ("3.0", "3.1"):
        data += b"&" + version.encode()
    return crypto.hmac_sha256(secret, data)


def _attributes(header: str, strict: bool = False) -> Dict[str, str]:
    """`name="value"` in any order; of one given twice the last counts, and what is not known does not matter.

    Strict: each once, and Base64 with its padding.
    """
    header = header.strip()
    if not header.startswith("PowerAuth "):
        raise HeaderError("header does not begin with PowerAuth")
    pairs: List[Tuple[str, str]] = _ATTRIBUTE.findall(header[len("PowerAuth ") :])
    attributes = dict(pairs)
    if strict:
        if len(attributes) != len(pairs):
            raise HeaderError("header repeats an attribute")
        for name in _BASE64_ATTRIBUTES & attributes.keys():
            if len(attributes[name]) % 4:
                raise HeaderError(f"{name} has no padding")
    return attributes


def names_version_4(header: str) -> bool:
    """Whether an authorization header says 4.0, whatever else is wrong with it."""
    return f'pa_version="{VERSION_4}"' in header


_BASE64_ATTRIBUTES = {"pa_application_key", "pa_nonce", "application_key", "nonce", "token_digest"}


def _require(attributes: Dict[str, str], name: str) -> str:
    value = attributes.get(name)
    if not value:
        raise HeaderError(f"{name} is missing")
    return value


def _require_bytes(attributes: Dict[str, str], name: str, length: int) -> str:
    """The value as Base64 with padding, however it was sent."""
    value = _require(attributes, name)
    try:
        return crypto.b64(crypto.unb64(value, length))
    except crypto.CryptoError as error:
        raise HeaderError(f"{name}: {error}") from error


def _require_uuid(attributes: Dict[str, str], name: str) -> str:
    value = _require(attributes, name)
    if not is_uuid(value):
        raise HeaderError(f"{name} is not a UUID")
    return value


def _require_version(attributes: Dict[str, str], name: str) -> str:
    value = _require(attributes, name)
    if value not in VERSIONS:
        raise HeaderError(f"version {value} is not supported")
    return value


def _has_form(version: str, signature: str, either_form: bool) -> bool:
    """The released validators look at the length of the text, padding included, and not at what it decodes to."""
    base64 = _BASE64.fullmatch(signature) is not None
    if version == VERSION_4:
        return base64 and len(signature) in (44, 88, 128) and len(crypto.unb64(signature)) % 32 < 3
    decimal = _DECIMAL.fullmatch(signature) is not None
    base64 = base64 and len(signature) in (24, 44, 64)
    return decimal or base64 if either_form else decimal if version == "3.0" else base64


@dataclass(frozen=True)
class SignatureHeader:
    """`X-PowerAuth-Authorization` (powerauth.md §9.4); 4.0 calls the signature an authentication code
    (powerauth4.md §9).
    """

    version: str
    activation_id: str
    application_key: str
    nonce: str
    signature_type: str
    signature: str

    @classmethod
    def parse(cls, header: str, strict: bool = False, either_form: bool = False) -> SignatureHeader:
        """`either_form`: servers before 2.0 read decimals as well as Base64 in every version of 3.x."""
        attributes = _attributes(header, strict)
        version = _require_version(attributes, "pa_version")
        name = "pa_auth_code" if version == VERSION_4 else "pa_signature"
        signature_type = _require(attributes, f"{name}_type").lower()
        if signature_type not in SIGNATURE_TYPES:
            raise HeaderError(f"{name}_type {signature_type} does not exist")
        signature = _require(attributes, name)
        if not _has_form(version, signature, either_form):
            raise HeaderError(f"{name} does not have the form of version {version}")
        return cls(
            version=version,
            activation_id=_require_uuid(attributes, "pa_activation_id"),
            application_key=_require_bytes(attributes, "pa_application_key", 16),
            nonce=_require_bytes(attributes, "pa_nonce", 16),
            signature_type=signature_type,
            signature=signature,
        )


@dataclass(frozen=True)
class TokenHeader:
    """`X-PowerAuth-Token` (powerauth.md §11)."""

    version: str
    token_id: str
    digest: bytes
    nonce: bytes
    timestamp: str

    @classmethod
    def parse(cls, header: str, strict: bool = False) -> TokenHeader:
        attributes = _attributes(header, strict)
        timestamp = _require(attributes, "timestamp")
        if not (9 <= len(timestamp) <= 15 and timestamp.isascii() and timestamp.isdigit()):
            raise HeaderError("timestamp is not a number of 9 to 15 digits")
        return cls(
            version=_require_version(attributes, "version"),
            token_id=_require_uuid(attributes, "token_id"),
            digest=crypto.unb64(_require_bytes(attributes, "token_digest", 32)),
            nonce=crypto.unb64(_require_bytes(attributes, "nonce", 16)),
            timestamp=timestamp,
        )


@dataclass(frozen=True)
class EncryptionHeader:
    """`X-PowerAuth-Encryption` (powerauth.md §5.7)."""

    version: str
    application_key: str
    activation_id: Optional[str]

    @classmethod
    def parse(cls, header: str, strict: bool = False) -> EncryptionHeader:
        attributes = _attributes(header, strict)
        activation_id = attributes.get("activation_id")
        if activation_id is not None and not is_uuid(activation_id):
            raise HeaderError("activation_id is not a UUID")
        return cls(
            version=_require_version(attributes, "version"),
            application_key=_require_bytes(attributes, "application_key", 16),
            activation_id=activation_id,
        )
