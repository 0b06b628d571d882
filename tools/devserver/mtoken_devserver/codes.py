# SPDX-License-Identifier: Apache-2.0
"""Activation codes, recovery codes and PUKs (powerauth.md §4)."""

from __future__ import annotations

import base64
import re
import secrets
from typing import Tuple

from . import crypto

_CODE = re.compile(r"[A-Z2-7]{5}(-[A-Z2-7]{5}){3}")
_PUK = re.compile(r"[0-9]{10}")


def encode_code(ten_bytes: bytes) -> str:
    """Ten bytes and their CRC as four dashed groups of Base32 (powerauth.md §4.1)."""
    text = base64.b32encode(ten_bytes + crypto.crc16(ten_bytes).to_bytes(2, "big")).decode("ascii").rstrip("=")
    return "-".join(text[start : start + 5] for start in range(0, 20, 5))


def generate_code() -> str:
    return encode_code(crypto.random_bytes(10))


def is_code(text: object) -> bool:
    """Exact pattern and matching CRC; lower case is invalid."""
    if not isinstance(text, str) or not _CODE.fullmatch(text):
        return False
    data = base64.b32decode(text.replace("-", "") + "====")
    return int.from_bytes(data[10:12], "big") == crypto.crc16(data[:10])


def is_puk(text: object) -> bool:
    return isinstance(text, str) and _PUK.fullmatch(text) is not None


def generate_puk() -> str:
    return str(secrets.randbelow(10**10)).zfill(10)


def derive_recovery(secret: bytes, nonce: bytes, puk_index: int) -> Tuple[str, str]:
    """Recovery code and one PUK of a printed list, from a seed (powerauth.md §4.3)."""
    derived = crypto.x963(secret, nonce, 26)
    block = crypto.aes_cbc_encrypt(derived[10:], crypto.ZERO16, crypto.be64(puk_index))[:16]
    puk = (int.from_bytes(block[8:], "big") & 0xFF_FFFF_FFFF) % 10**10
    return encode_code(derived[:10]), str(puk).zfill(10)
