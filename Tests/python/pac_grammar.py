"""A second reading of proximity codes, with the standard library's parts, for comparison with the library."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any, Dict, List, Optional, Tuple

SPACES = {0xAD, 0x1680, 0x3000, 0xFEFF, *range(0x80, 0xA1), *range(0x2000, 0x2010), *range(0x2028, 0x2030)}
SPACES |= set(range(0x205F, 0x2070))


class Refused(Exception):
    """The reason."""


def printable(text: str) -> bool:
    return all(ord(c) > 0x20 and ord(c) != 0x7F and ord(c) not in SPACES for c in text)


def percent(text: str) -> str:
    if re.search("%(?![0-9A-Fa-f]{2})", text):
        raise Refused("invalidEncoding")
    raw = re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), text.encode())
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("invalidEncoding") from None


def depth(value: Any) -> int:
    if isinstance(value, (dict, list)):
        members = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth, members), default=0)
    return 0


def unique(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError
    return dict(pairs)


def constant(_: str) -> Any:
    raise ValueError


def token_part(part: str) -> Optional[Dict[str, Any]]:
    """The object in a part of a token; None: there is none."""
    body = part.rstrip("=")
    padding = len(part) - len(body)
    alphabets = (r"[A-Za-z0-9+/]*", r"[A-Za-z0-9_-]*")
    if not any(re.fullmatch(alphabet, body) for alphabet in alphabets) or len(body) % 4 == 1:
        return None
    if padding and (padding > 2 or len(part) % 4):
        return None
    try:
        standard = body.replace("-", "+").replace("_", "/")
        raw = base64.b64decode(standard + "=" * (-len(body) % 4), validate=True)
        if base64.b64encode(raw).decode().rstrip("=") != standard:
            return None
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=unique, parse_constant=constant)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a surrogate pair is no text
    except (binascii.Error, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and depth(value) <= 8 else None


def take(oid: Any, totp: Any, potp: Any) -> Dict[str, Any]:
    if not isinstance(oid, str) or not oid:
        raise Refused("missingOperationId")
    if len(oid) > 255 or not printable(oid):
        raise Refused("invalidOperationId")
    for code in (totp, potp):
        if code is not None and not (isinstance(code, str) and re.fullmatch("[0-9]{4,10}", code)):
            raise Refused("invalidTotp")
    if totp is not None and potp is not None and totp != potp:
        raise Refused("ambiguous")
    return {"operation_id": oid, "totp": totp if totp is not None else potp}


def token(text: str, form: str) -> Dict[str, Any]:
    parts = text.split(".")
    claims = token_part(parts[1]) if len(parts) in (2, 3) and parts[1] else None
    if claims is None:
        raise Refused("invalidJwt")
    header = token_part(parts[0]) if parts[0] else None
    algorithm = header.get("alg") if header else None
    return {
        **take(claims.get("oid"), claims.get("totp"), claims.get("potp")),
        "form": form,
        "header_valid": header is not None,
        "has_signature": len(parts) == 3 and parts[2] != "",
        "algorithm": algorithm if isinstance(algorithm, str) and "\0" not in algorithm else None,
    }


def link(rest: str) -> Dict[str, Any]:
    before, mark, query = rest.split("#")[0].partition("?")
    if not mark:
        if not before.startswith("//code="):
            raise Refused("invalidFormat")
        return token(percent(before[len("//code=") :]), "DEEPLINK_JWT")
    found: List[Tuple[str, str]] = []
    for piece in query.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            name, value = percent(name), percent(value)
            known = {"oid", "totp", "potp"} | ({"code"} if "oid" not in dict(found) else set())
            if name in known and name in dict(found):
                raise Refused("ambiguous")
            found.append((name, value))
    values = dict(reversed(found))
    if "oid" in values:
        plain = {"form": "DEEPLINK", "header_valid": False, "has_signature": False, "algorithm": None}
        return {**take(values["oid"], values.get("totp"), values.get("potp")), **plain}
    if "code" in values:
        return token(values["code"], "DEEPLINK_JWT")
    if len(found) == 1:
        return token(found[0][1], "DEEPLINK_JWT")
    raise Refused("invalidFormat")


def read(code: str, *, only_links: bool = False) -> Dict[str, Any]:
    if not code:
        raise Refused("empty")
    if len(code.encode()) > 2048:
        raise Refused("tooLong")
    if not printable(code):
        raise Refused("invalidFormat")
    match = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", code)
    if match:
        return link(code[match.end() :])
    if only_links or "." not in code:
        raise Refused("invalidFormat")
    return token(code, "JWT")
