# SPDX-License-Identifier: Apache-2.0
"""Recovery codes (powerauth.md §4.3, rest.md §6.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional

from fastapi import FastAPI

from . import codes, crypto, ecies, errors, signature
from .call import Answer, Call, mount, text_member
from .model import Activation, Application, RecoveryCode

if TYPE_CHECKING:
    from .server import Server

CREATED = "CREATED"
ACTIVE = "ACTIVE"
BLOCKED = "BLOCKED"
REVOKED = "REVOKED"


def routes(app: FastAPI, server: Server) -> None:
    mount(app, server, "/pa/v3/recovery/confirm", confirm)


def _puk(index: int, value: str) -> Dict[str, Any]:
    return {"index": index, "puk": value, "state": "VALID"}


def issue_with_activation(server: Server, activation: Activation) -> Dict[str, str]:
    """A random code with one PUK, bound to the activation; ACTIVE as soon as that is (rest.md §6.9)."""
    record = server.recovery_codes.save(
        RecoveryCode(
            code=codes.generate_code(),
            application_id=activation.application_id,
            user_id=activation.user_id,
            state=ACTIVE if activation.state == "ACTIVE" else CREATED,
            max_failed_attempts=server.settings.recoveryMaxFailedAttempts,
            puks=[_puk(1, codes.generate_puk())],
            activation_id=activation.id,
        )
    )
    return {"recoveryCode": record.code, "puk": record.puks[0]["puk"]}


def issue_postcard(server: Server, application: Application, user_id: str, puk_count: int) -> RecoveryCode:
    """A code with several PUKs, derived from a seed as printing centres do it (powerauth.md §4.3)."""
    secret, nonce = crypto.random_bytes(16), crypto.random_bytes(32)
    code, puks = "", []
    for index in range(1, puk_count + 1):
        code, puk = codes.derive_recovery(secret, nonce, index)
        puks.append(_puk(index, puk))
    return server.recovery_codes.save(
        RecoveryCode(code, application.id, user_id, CREATED, server.settings.recoveryMaxFailedAttempts, puks)
    )


def activate_codes_of(server: Server, activation: Activation) -> None:
    """Codes issued with an activation become ACTIVE with it."""
    for record in server.recovery_codes.find("activation", activation.id):
        if record.state == CREATED:
            record.state = ACTIVE
            server.recovery_codes.save(record)


def revoke(server: Server, record: RecoveryCode) -> None:
    """A revoked code takes its valid PUKs with it."""
    record.state = REVOKED
    for puk in record.puks:
        if puk["state"] == "VALID":
            puk["state"] = "INVALID"
    server.recovery_codes.save(record)


def revoke_codes_of(server: Server, activation: Activation) -> None:
    for record in server.recovery_codes.find("activation", activation.id):
        if record.state != REVOKED:
            revoke(server, record)


def redeem(server: Server, application: Application, identity: Dict[str, str]) -> Activation:
    """Consumes a PUK: the old activation is removed, and a new record inherits its flags."""
    error = errors.activation_invalid
    code, puk = text_member(identity, "recoveryCode", error), text_member(identity, "puk", error)
    record = server.recovery_codes.get(code)
    if not codes.is_code(code) or record is None or record.application_id != application.id or record.state != ACTIVE:
        raise error("recovery code is unknown or not active")
    current = _current_puk(record)
    if current is None:
        raise error("recovery code has no valid PUK left")
    if not codes.is_puk(puk) or not crypto.equal(puk.encode(), current["puk"].encode()):
        raise _wrong_puk(server, record, current)
    record.failed_attempts = 0
    current["state"] = "USED"
    server.recovery_codes.save(record)
    old = server.activations.get(record.activation_id)
    if old is not None:
        server.lifecycle.remove(old, "RECOVERED", revoke_recovery_codes=True)
    if record.activation_id is not None and record.state != REVOKED:
        revoke(server, record)
    return server.lifecycle.new(application, record.user_id, flags=list(old.flags) if old else [])


def _current_puk(record: RecoveryCode) -> Optional[Dict[str, Any]]:
    """Only the first valid PUK is ever compared."""
    valid: List[Dict[str, Any]] = [puk for puk in record.puks if puk["state"] == "VALID"]
    return valid[0] if valid else None


def _wrong_puk(server: Server, record: RecoveryCode, current: Dict[str, Any]) -> errors.ApiError:
    record.failed_attempts += 1
    server.recovery_codes.save(record)
    if record.failed_attempts >= record.max_failed_attempts:
        record.state, current["state"] = BLOCKED, "INVALID"
        return errors.activation_invalid("PUK is wrong and the recovery code is now blocked")
    return errors.recovery_puk_invalid("PUK is wrong", current["index"])


def confirm(server: Server, call: Call) -> Answer:
    """A postcard code that its user has received becomes ACTIVE (rest.md §3.14)."""
    error = errors.signature_invalid
    caller = server.authenticator.signature(call, "/pa/recovery/confirm", (signature.POSSESSION_KNOWLEDGE,))
    opened = server.authenticator.open_signed(call, ecies.CONFIRM_RECOVERY_CODE, caller, error)
    record = server.recovery_codes.get(text_member(opened.object(error), "recoveryCode", error, None))
    activation = caller.activation
    if record is None or (record.application_id, record.user_id) != (activation.application_id, activation.user_id):
        raise error("recovery code is unknown or foreign")
    if record.state not in (CREATED, ACTIVE):
        raise error(f"recovery code is {record.state}")
    already = record.state == ACTIVE
    record.state = ACTIVE
    server.recovery_codes.save(record)
    return opened.answer({"alreadyConfirmed": already})
