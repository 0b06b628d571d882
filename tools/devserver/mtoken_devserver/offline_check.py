# SPDX-License-Identifier: Apache-2.0
"""Verification of the codes that users type back (powerauth.md §10.3, rest.md §6.8)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Dict, List, Optional

from . import crypto, signature
from .errors import ApiError
from .model import Activation

if TYPE_CHECKING:
    from .server import Server

_CODE = re.compile(r"([0-9]{4,8})-([0-9]{4,8})")


def ungrouped(code: str) -> str:
    """A code as devices show it to people, in groups of digits, in the form that is computed."""
    digits = code.replace(" ", "")
    half, odd = divmod(len(digits), 2)
    return code if odd or digits == code or not digits.isdigit() else f"{digits[:half]}-{digits[half:]}"


def verify(
    server: Server,
    activation: Activation,
    *,
    operation_id: str,
    data: str,
    nonce: str,
    code: str,
    biometry_allowed: bool,
    totps: List[str],
    uri_id: str,
) -> Dict[str, Any]:
    """Tries both factor pairs and, with a proximity check, every accepted TOTP. Counts like an online signature."""
    code = ungrouped(code.strip())
    body = f"{operation_id}&{data}"
    bodies = [f"{body}&{totp}" for totp in totps] or [body]
    signed = [
        signature.base_string("POST", uri_id, nonce, text.encode()) + b"&" + signature.OFFLINE_SECRET.encode()
        for text in bodies
    ]
    types = [signature.POSSESSION_KNOWLEDGE]
    if biometry_allowed:
        types.append(signature.POSSESSION_BIOMETRY)
    match = _CODE.fullmatch(code)
    digits = len(match.group(1)) if match else 0
    well_formed = match is not None and len(match.group(2)) == digits == server.settings.offlineComponentLength
    used: List[str] = []

    def matches(ctr_data: bytes) -> bool:
        for kind in types if well_formed else ():
            factors = signature.factor_keys(activation.keys, kind)
            for text in signed:
                expected = signature.decimal_signature(factors, ctr_data, text, digits)
                if crypto.equal(expected.encode(), code.encode()):
                    used.append(kind)
                    return True
        return False

    reason: Optional[str] = None
    try:
        if activation.is_v4:
            digits = digits if well_formed else 0
            used.append(server.authenticator4.offline_code(activation, types, signed, code, digits))
        else:
            server.authenticator.verify_with_counter(activation, signature.POSSESSION_KNOWLEDGE, matches)
    except ApiError as error:
        reason = error.reason
    server.audit.add(
        "signature",
        server.clock.now(),
        accepted=reason is None,
        reason=reason,
        activationId=activation.id,
        signatureType=used[0] if used else None,
        version="offline",
        uriId=uri_id,
        counter=activation.hash_counter.counter,
        failedAttempts=activation.failed_attempts,
    )
    return {
        "valid": reason is None,
        "reason": reason,
        "signatureType": used[0] if used else None,
        "activationState": activation.state,
        "remainingAttempts": activation.remaining_attempts,
        "counter": activation.hash_counter.counter,
    }
