"""A second reading of offline payloads, made of regular expressions over the whole text, for comparison with the library.

It shares nothing with the library but the description of the format, and is written for clearness, not for speed.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import date
from decimal import Decimal
from typing import Any, Dict, List, Optional, Tuple

FLAGS = {"B": "biometry_allowed", "X": "flip_buttons", "F": "fraud_warning", "C": "block_when_on_call"}
TYPES = {"I": "ACCOUNT", "Q": "ANY_ACCOUNT", "R": "REFERENCE", "N": "NOTE", "T": "TEXT"}

_AMOUNT = re.compile(r"(-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))([A-Za-z]{3})")
_ACCOUNT = re.compile(r"([0-9A-Z]+)(?:,([0-9A-Z]+))?,?")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}")
_PIECE = re.compile(r"\\[n\\*]|[^*]", re.DOTALL)


class Refused(Exception):
    """The reason, the offset in bytes, and the line."""


def line_of(data: bytes, offset: int) -> int:
    return data[:offset].count(b"\n") + 1


def unescape(text: str) -> str:
    return re.sub(r"\\([n\\*])", lambda match: "\n" if match[1] == "n" else match[1], text)


def check_bytes(data: bytes, *, lines: bool) -> str:
    """The text, if each byte may stand where it does and there are at most 64 lines. The first fault counts."""
    allowed = b"\t\n" if lines else b"\t"
    control = next((index for index, byte in enumerate(data) if byte < 0x20 and byte not in allowed), len(data))
    breaks = [match.start() for match in re.finditer(b"\n", data)] if lines else []
    sixty_fourth = breaks[63] if len(breaks) > 63 else len(data)
    try:
        text = data[: min(control, sixty_fourth)].decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused("invalidUtf8", error.start, line_of(data, error.start)) from None
    if control < sixty_fourth:
        raise Refused("controlCharacter", control, line_of(data, control))
    if sixty_fourth < len(data):
        raise Refused("tooLong", sixty_fourth + 1, 65)
    return text


def fields_of(data: str) -> List[Tuple[int, str]]:
    """Offsets in characters and texts of what stands between the separators."""
    parts, position = [], 0
    while True:
        start = position
        while match := _PIECE.match(data, position):
            position = match.end()
        parts.append((start, data[start:position]))
        if position == len(data):
            return parts
        position += 1


def iban_is_valid(iban: str) -> bool:
    if not _IBAN.fullmatch(iban):
        return False
    return int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97 == 1


def read_field(raw: str) -> Optional[Dict[str, Any]]:
    """The members of a field that are not None; None: it breaks the rules."""
    if not raw:
        return {"type": "EMPTY", "letter": ""}
    letter, value = raw[0], raw[1:]
    if letter == "\\":
        return None
    if letter == "A":
        match = _AMOUNT.fullmatch(value)
        return match and {
            "type": "AMOUNT",
            "letter": "A",
            "amount": Decimal(match[1]),
            "amount_text": match[1],
            "currency": match[2].upper(),
        }
    if letter == "I":
        match = _ACCOUNT.fullmatch(value)
        if not match:
            return None
        found = {"type": "ACCOUNT", "letter": "I", "iban": match[1], "iban_valid": iban_is_valid(match[1])}
        return {**found, "bic": match[2]} if match[2] else found
    if letter == "D":
        if not re.fullmatch("[0-9]{8}", value):
            return None
        try:
            return {"type": "DATE", "letter": "D", "date": date(int(value[:4]), int(value[4:6]), int(value[6:]))}
        except ValueError:
            return None
    return {"type": TYPES.get(letter, "OTHER"), "letter": letter, "text": unescape(value)}


def read_data(data: str, base: int = 0, line: int = 1) -> Dict[str, Any]:
    """Operation data that stand at an offset of a payload."""

    def at(position: int) -> int:
        return base + len(data[:position].encode())

    if not re.match("[A-Z]", data):
        raise Refused("invalidVersion", base, line)
    (_, header), *parts = fields_of(data)
    if not re.fullmatch("[A-Z][0-9]{1,2}", header):
        raise Refused("invalidTemplateId", base + 1, line)
    fields = []
    for position, raw in parts:
        field = read_field(raw)
        if field is None:
            raise Refused("invalidField", at(position), line)
        fields.append({**field, "raw": raw, "offset": at(position) - base})
    if len(fields) > 6:
        raise Refused("tooManyFields", at(parts[6][0]), line)
    return {
        "text": data,
        "version": header[0],
        "known_version": header[0] == "A",
        "template": int(header[1:]),
        "fields": fields,
    }


def signature_bytes(text: str) -> Optional[bytes]:
    """Padded Base64; bits that belong to no byte may be anything."""
    if not re.fullmatch(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", text):
        return None
    return base64.b64decode(text)


def read_payload(data: bytes) -> Dict[str, Any]:
    """A whole payload. Raises Refused."""
    if len(data) > 4096:
        raise Refused("tooLong", 4096, line_of(data, 4096))
    lines = check_bytes(data, lines=True).split("\n")
    if len(lines) < 7:
        raise Refused("tooFewLines", len(data), len(lines))
    starts = [0]
    for text in lines:
        starts.append(starts[-1] + len(text.encode()) + 1)
    if not lines[0]:
        raise Refused("noOperationId", 0, 1)
    last = lines[-1]
    signature = signature_bytes(last[1:]) if last[:1] in ("0", "1", "2") else None
    if signature is None or not (len(signature) == 32 if last[0] == "2" else 64 <= len(signature) <= 255):
        raise Refused("invalidSignature", starts[len(lines) - 1], len(lines))
    try:
        nonce = base64.b64decode(lines[-2].encode(), validate=True)
        well_formed = len(nonce) == 16 and base64.b64encode(nonce).decode() == lines[-2]
    except (binascii.Error, ValueError):
        well_formed = False
    if not well_formed:
        raise Refused("invalidNonce", starts[len(lines) - 2], len(lines) - 1)
    operation_data = read_data(lines[3], starts[3], 4)
    flags = lines[4]
    result: Dict[str, Any] = {
        "key": int(last[0]),
        "payload": data.decode(),
        "signed_length": starts[len(lines) - 1] + 1,
        "id": lines[0],
        "title": unescape(lines[1]),
        "message": unescape(lines[2]),
        "raw_title": lines[1],
        "raw_message": lines[2],
        "data": operation_data,
        "flags": flags,
        "unknown_flags": "".join(letter for letter in flags if letter not in FLAGS),
        "totp": (lines[5] or None) if len(lines) >= 8 else None,
        "newer_format": len(lines) > 8,
        "extras": tuple(lines[6:-2]) if len(lines) > 8 else (),
        "nonce": nonce,
        "signature": signature,
        "signature_text": last[1:],
        "verified": 0,
    }
    for letter, name in FLAGS.items():
        result[name] = letter in flags
    return result
