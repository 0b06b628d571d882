# SPDX-License-Identifier: Apache-2.0
"""The SDK configuration string of an application (powerauth.md §2, powerauth4.md §6)."""

from __future__ import annotations

from typing import Mapping

from . import crypto

_VERSION = 1
P256 = 1
P384 = 2
MLDSA65 = 3
MLDSA87 = 4
"""Ids of master keys: points, and for ML-DSA SubjectPublicKeyInfo (powerauth4.md §6)."""


def encode_count(number: int) -> bytes:
    """Variable-length unsigned integer of one, two or four bytes."""
    if number < 0 or number > 0x3FFFFFFF:
        raise ValueError("count is out of range")
    if number <= 0x7F:
        return bytes((number,))
    if number <= 0x3FFF:
        return (0x8000 | number).to_bytes(2, "big")
    return (0xC0000000 | number).to_bytes(4, "big")


def encode(application_key: str, application_secret: str, master_public_keys: Mapping[int, bytes]) -> str:
    """Base64 configuration of one application with its master keys by their ids."""
    parts = [bytes((_VERSION,))]
    for item in (crypto.unb64(application_key, 16), crypto.unb64(application_secret, 16)):
        parts.append(encode_count(len(item)) + item)
    parts.append(encode_count(len(master_public_keys)))
    for key_id, key in master_public_keys.items():
        parts.append(bytes((key_id,)) + encode_count(len(key)) + key)
    return crypto.b64(b"".join(parts))
