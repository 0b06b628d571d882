"""The SDK configuration string of an application (powerauth.md §2)."""

from __future__ import annotations

from . import crypto

_VERSION = 1
_P256_MASTER_KEY = 1


def encode_count(number: int) -> bytes:
    """Variable-length unsigned integer of one, two or four bytes."""
    if number < 0 or number > 0x3FFFFFFF:
        raise ValueError("count is out of range")
    if number <= 0x7F:
        return bytes((number,))
    if number <= 0x3FFF:
        return (0x8000 | number).to_bytes(2, "big")
    return (0xC0000000 | number).to_bytes(4, "big")


def encode(application_key: str, application_secret: str, master_public_key: bytes) -> str:
    """Base64 configuration of one application with its P-256 master key."""
    parts = [bytes((_VERSION,))]
    for item in (crypto.unb64(application_key, 16), crypto.unb64(application_secret, 16)):
        parts.append(encode_count(len(item)) + item)
    parts.append(encode_count(1) + bytes((_P256_MASTER_KEY,)))
    parts.append(encode_count(len(master_public_key)) + master_public_key)
    return crypto.b64(b"".join(parts))
