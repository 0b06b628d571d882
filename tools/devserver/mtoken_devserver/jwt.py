# SPDX-License-Identifier: Apache-2.0
"""Compact JSON web tokens as this protocol uses them: HS256 requests, ES256 responses, RS256/ES256 ID tokens."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from . import crypto


class JwtError(ValueError):
    """A token that must be refused."""


def _part(text: str) -> Dict[str, Any]:
    try:
        value = json.loads(crypto.unb64url(text))
    except (ValueError, RecursionError) as error:
        raise JwtError(f"token is not readable: {error}") from error
    if not isinstance(value, dict):
        raise JwtError("token part is not an object")
    return value


def split(token: object) -> Tuple[Dict[str, Any], Dict[str, Any], bytes, bytes]:
    """Header, claims, signed bytes and signature of a token with three parts; nothing is verified."""
    parts = token.split(".") if isinstance(token, str) else []
    if len(parts) != 3 or not all(parts):
        raise JwtError("token does not have three parts")
    try:
        signature = crypto.unb64url(parts[2])
    except crypto.CryptoError as error:
        raise JwtError(str(error)) from error
    header = _part(parts[0])
    if "crit" in header:
        raise JwtError("token demands extensions, of which none is known (RFC 7515 §4.1.11)")
    return header, _part(parts[1]), f"{parts[0]}.{parts[1]}".encode(), signature


def sign_es256(claims: Dict[str, Any], key: crypto.PrivateKey) -> str:
    """A token signed with P-256 in JOSE form (powerauth.md §6.2)."""
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    text = ".".join(crypto.b64url(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    signature = crypto.der_to_jose(crypto.ecdsa_sign(key, text.encode()))
    return f"{text}.{crypto.b64url(signature)}"


def verify_hs256(token: object, key_of: Callable[[Dict[str, Any]], bytes], *, strict: bool = False) -> Dict[str, Any]:
    """Claims of an HS256 token; `key_of` finds the 16-byte key from the unverified claims (powerauth.md §6.1).

    The header's `typ` and the times of the claims do not matter, the code over all of them does.
    """
    header, claims, data, signature = split(token)
    if header.get("alg") != "HS256":
        raise JwtError("token is not an HS256 JWT")
    if strict and header.get("typ") != "JWT":
        raise JwtError("token does not say that it is a JWT")
    if not crypto.equal(crypto.hmac_sha256(key_of(claims), data), signature):
        raise JwtError("signature of the token is wrong")
    return claims


def verify_es256(data: bytes, signature: bytes, key: crypto.PublicKey) -> bool:
    try:
        return crypto.ecdsa_verify(key, data, crypto.jose_to_der(signature))
    except crypto.CryptoError:
        return False


def verify_rs256(data: bytes, signature: bytes, key: rsa.RSAPublicKey) -> bool:
    try:
        key.verify(signature, data, padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return True
