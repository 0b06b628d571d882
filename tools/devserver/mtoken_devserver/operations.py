# SPDX-License-Identifier: Apache-2.0
"""Operations and their endpoints of the Mobile Token API (operations.md §2, §3, §8)."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional

from fastapi import FastAPI

from . import crypto, errors, forms, model, offline, push, signature
from .authentication import ENCRYPTION_HEADER, Caller
from .call import Answer, Call, ErrorFactory, mount, ok, optional_text, text_member, to_json
from .clock import is_instant, wire_date
from .errors import ApiError
from .model import Activation, Operation, Template

if TYPE_CHECKING:
    from .server import Server

_PREFIX = "/api/auth/token/app/operation"
_ONBOARDING_FLAGS = {"VERIFICATION_PENDING", "VERIFICATION_IN_PROGRESS"}
_FINISHED_PUSH = {
    model.APPROVED: "authentication.success",
    model.REJECTED: "authentication.fail",
    model.FAILED: "authentication.fail",
    model.EXPIRED: "operation.timeout",
    model.CANCELED: "operation.canceled",
}


def routes(app: FastAPI, server: Server) -> None:
    mount(app, server, f"{_PREFIX}/list", _by_token(list_pending))
    mount(app, server, f"{_PREFIX}/detail", _by_token(detail))
    mount(app, server, f"{_PREFIX}/detail/claim", _by_token(claim))
    mount(app, server, f"{_PREFIX}/history", history)
    mount(app, server, f"{_PREFIX}/authorize", authorize)
    mount(app, server, f"{_PREFIX}/cancel", cancel)


class Operations:
    """Every change of an operation goes through here."""

    def __init__(self, server: Server):
        self._server = server

    def get(self, operation_id: Optional[str]) -> Optional[Operation]:
        """The operation after the lazy expiry check."""
        operation = self._server.operations.get(operation_id)
        if operation is not None:
            self._expire(operation)
        return operation

    def of_user(self, user_id: str, application_id: str) -> List[Operation]:
        """All operations of a user in one application, newest first."""
        found = [row for row in self._server.operations.find("user", user_id) if row.application_id == application_id]
        for operation in found:
            self._expire(operation)
        return found[::-1]

    def _expire(self, operation: Operation) -> None:
        if operation.status == model.PENDING and operation.expires <= self._server.clock.now():
            self.finish(operation, model.EXPIRED)

    def create(self, operation: Operation) -> Operation:
        self.note(operation, "created")
        push.operation_created(self._server, operation)
        return operation

    def note(self, operation: Operation, event: str, **details: Any) -> None:
        """Adds to the operation's history of events and saves it."""
        operation.events.append({"time": self._server.clock.now(), "event": event, **details})
        self._server.operations.save(operation)

    def finish(
        self,
        operation: Operation,
        status: str,
        reason: Optional[str] = None,
        push_result: Optional[str] = None,
        **details: Any,
    ) -> None:
        """Moves a pending operation to its last state and tells the devices."""
        operation.status = status
        operation.finished = self._server.clock.now()
        if reason is not None:
            operation.status_reason = reason
        self.note(operation, status.lower(), **details)
        push.operation_finished(self._server, operation, push_result or _FINISHED_PUSH[status])

    def count_failure(self, operation: Operation, reason: str) -> None:
        """One failure more of the operation itself; the last one fails it."""
        operation.failures += 1
        self.note(operation, "approval failed", reason=reason, failures=operation.failures)
        if operation.failures >= operation.max_failures:
            self.finish(operation, model.FAILED, reason=operation.status_reason)

    def template_of(self, operation: Operation) -> Optional[Template]:
        return self._server.templates.get(operation.template)

    def is_presentable(self, operation: Operation) -> bool:
        """Operations whose type has no texts are left out of lists (operations.md §2)."""
        return operation.form_data is not None or self.template_of(operation) is not None

    def to_wire(self, operation: Operation, call: Call) -> Dict[str, Any]:
        """The operation as the Mobile Token API sends it (operations.md §5)."""
        languages = list(call.languages)
        form = forms.form_of(self.template_of(operation), languages)
        return forms.without_nulls(
            {
                "id": operation.id,
                "name": operation.name,
                "data": operation.data,
                "status": operation.status,
                "statusReason": operation.status_reason,
                "operationCreated": wire_date(operation.created),
                "operationExpires": wire_date(operation.expires),
                "ui": forms.ui_of(operation, form),
                "allowedSignatureType": allowed_signature_type(operation.allowed_signature_types),
                "formData": forms.form_data(operation, form, forms.language_of(languages)),
                **operation.extra_members,
            }
        )

    def totp(self, operation: Operation, steps_back: int = 0) -> Optional[str]:
        """The proximity code that a screen near the user shows (operations.md §7.1)."""
        if operation.proximity_seed is None:
            return None
        settings = self._server.settings
        seconds = self._server.clock.now() // 1000 - steps_back * settings.totpStepSeconds
        return crypto.totp(operation.proximity_seed, seconds, step=settings.totpStepSeconds, digits=settings.totpDigits)

    def accepted_totps(self, operation: Operation) -> List[str]:
        codes = [self.totp(operation, back) for back in range(self._server.settings.totpPreviousSteps + 1)]
        return [code for code in codes if code is not None]

    def check_proximity(self, operation: Operation, check: Any) -> Optional[str]:
        """Stores what the device sent and returns why it must be refused, or None."""
        if operation.proximity_seed is None and check is None:
            return None
        given = check if isinstance(check, dict) else {}
        otp = optional_text(given, "otp")
        result: Dict[str, Any] = {
            name: given.get(name) for name in ("otp", "type", "timestampReceived", "timestampSent")
        }
        refused = None
        if operation.proximity_seed is None:
            result["result"] = "NOT_REQUIRED"
        elif otp is None:
            result["result"], refused = "MISSING", "proximity check is missing"
        elif any(crypto.equal(otp.encode(), code.encode()) for code in self.accepted_totps(operation)):
            result["result"] = "OK"
        else:
            result["result"], refused = "WRONG", "proximity code is wrong"
        operation.proximity_result = result
        return refused


def allowed_signature_type(types: List[str]) -> Dict[str, Any]:
    """`allowedSignatureType` of the wire: possession in the list makes it 1FA, which has no variants
    (operations.md §5.3).
    """
    if signature.POSSESSION in types:
        return {"type": "1FA", "variants": []}
    return {"type": "2FA", "variants": list(types)}


def offline_payload(
    server: Server, operation: Operation, activation: Optional[Activation], curve: Optional[str] = None
) -> str:
    """The QR payload of an operation; personalised where the activation is known (offline-qr.md §6)."""
    form = forms.form_of(server.operation_service.template_of(operation), ["en"])
    data = forms.form_data(operation, form, "en")
    flags = operation.risk_flags
    if signature.POSSESSION_BIOMETRY in operation.allowed_signature_types:
        flags = "B" + flags.replace("B", "")
    operation.offline_nonce = crypto.b64(crypto.random_bytes(16))
    server.operation_service.note(operation, "offline payload created")
    text = offline.payload(
        operation.id,
        data["title"],
        data["message"],
        operation.data,
        flags,
        server.operation_service.totp(operation),
        operation.offline_nonce,
    )
    if activation is not None:
        return offline.personalise(text, activation)
    return offline.sign_by_master(text, server.applications[operation.application_id], curve)


def pac_token(claims: Dict[str, str]) -> str:
    """The unsigned JWT form of a proximity anti-fraud code (pac.md §1)."""
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    return ".".join(crypto.b64url(to_json(part)) for part in parts)


# Endpoints ----------------------------------------------------------------------------------------------------------


def _enrolled(caller: Caller) -> Caller:
    if not caller.activation.mobile_auth_enabled:
        raise errors.activation_not_configured("mobile authentication is disabled for the activation")
    return caller


def _by_token(answer: Callable[[Server, Call, Activation], Answer]) -> Callable[[Server, Call], Answer]:
    """An endpoint for the `possession_universal` token.

    A cryptogram is not opened, as upstream: list answers in plain, and detail finds no `requestObject` in it. With the
    setting `encryptedOperations` request and answer are encrypted.
    """

    def handle(server: Server, call: Call) -> Answer:
        try:
            caller = server.authenticator.token(call, signature.ANY_WITH_POSSESSION)
        except ApiError as error:
            raise errors.authentication_failed(error.reason) from error
        _enrolled(caller)
        if ENCRYPTION_HEADER not in call.headers or not server.settings.encryptedOperations:
            return answer(server, call, caller.activation)
        opened = server.authenticator.open_with_token(call, caller, errors.encryption_failed)
        return opened.answer(answer(server, replace(call, body=opened.plaintext), caller.activation))

    return handle


def _may_see(operation: Operation, activation: Activation) -> bool:
    """The user's own, or one without a user; also one that is bound to another device of the user."""
    return operation.application_id == activation.application_id and operation.user_id in (None, activation.user_id)


def _visible_to(operation: Operation, activation: Activation) -> bool:
    return _may_see(operation, activation) and operation.activation_id in (None, activation.id)


def list_pending(server: Server, call: Call, activation: Activation) -> Answer:
    service = server.operation_service
    found = [
        operation
        for operation in service.of_user(activation.user_id, activation.application_id)
        if operation.status == model.PENDING
        and _visible_to(operation, activation)
        and service.is_presentable(operation)
    ]
    shown = [service.to_wire(operation, call) for operation in found[: server.settings.listLimit]]
    return ok(shown, currentTimestamp=wire_date(server.clock.now()))


def history(server: Server, call: Call) -> Answer:
    """All states; needs two factors."""
    caller = _enrolled(_signed(server, call, "/operation/history", signature.TWO_FACTORS))
    activation, service = caller.activation, server.operation_service
    found = [
        operation
        for operation in service.of_user(activation.user_id, activation.application_id)
        if _visible_to(operation, activation) and service.is_presentable(operation)
    ]
    return ok([service.to_wire(operation, call) for operation in found[: server.settings.listLimit]])


def _signed(server: Server, call: Call, uri_id: str, allowed: tuple[str, ...]) -> Caller:
    try:
        return server.authenticator.signature(call, uri_id, allowed)
    except ApiError as error:
        raise errors.authentication_failed(error.reason) from error


def _named_operation(request: Dict[str, Any]) -> str:
    operation_id = optional_text(request, "id")
    if not operation_id:
        what = "null" if operation_id is None else "empty"
        raise errors.request_validation(f"Operation ID must not be {what} when requesting operation detail")
    return operation_id


def _pending(server: Server, call: Call, activation: Activation, foreign: ErrorFactory) -> Operation:
    """The pending operation that a detail or claim request names."""
    operation_id = _named_operation(call.request_object(errors.generic))
    operation = server.operation_service.get(operation_id)
    if operation is None:
        raise errors.no_such_operation("operation is unknown")
    if not _may_see(operation, activation):
        raise foreign("operation belongs to another user")
    if operation.status != model.PENDING:
        raise errors.operation_state(operation.status)
    if not server.operation_service.is_presentable(operation):
        raise errors.invalid_request("operation type has no template")
    return operation


def detail(server: Server, call: Call, activation: Activation) -> Answer:
    """A pending operation of the user, or an unclaimed one."""
    return _shown(server, call, _pending(server, call, activation, errors.invalid_request))


def claim(server: Server, call: Call, activation: Activation) -> Answer:
    """Assigns a non-personalised operation to the caller's user."""
    operation = _pending(server, call, activation, errors.no_such_operation)
    if operation.user_id is None:
        operation.user_id = activation.user_id
        server.operation_service.note(operation, "claimed", activationId=activation.id)
    return _shown(server, call, operation)


def _shown(server: Server, call: Call, operation: Operation) -> Answer:
    return ok(server.operation_service.to_wire(operation, call), currentTimestamp=wire_date(server.clock.now()))


def authorize(server: Server, call: Call) -> Answer:
    """Approval: the signature is verified first, and only then compared with what the operation allows
    (operations.md §8).
    """
    service = server.operation_service
    caller: Optional[Caller] = None
    refused: Optional[ApiError] = None
    try:
        caller = server.authenticator.signature(call, "/operation/authorize", signature.ONE_OR_TWO_FACTORS)
    except ApiError as error:
        refused = error
    call.need_back_end(errors.remote_communication_failed)
    request = call.request_object(errors.authentication_failed)
    check_approval_form(request)
    operation_id = text_member(request, "id", errors.authentication_failed)
    data = text_member(request, "data", errors.generic)
    operation = service.get(operation_id)
    if caller is None:
        raise _failed_authentication(server, operation, refused.reason if refused else "")
    _enrolled(caller)
    activation = caller.activation
    if _ONBOARDING_FLAGS & set(activation.flags):
        raise errors.authentication_failed("onboarding of the user is not finished")
    if operation is None:
        raise errors.invalid_operation("operation is unknown")
    if operation.status != model.PENDING:
        raise errors.operation_state(operation.status)
    if operation.activation_flag is not None and operation.activation_flag not in activation.flags:
        raise errors.operation_flag_required(operation.activation_flag)
    reason = _mismatch(operation, caller, data) or service.check_proximity(operation, request.get("proximityCheck"))
    if reason is not None:
        service.count_failure(operation, reason)
        if operation.status == model.FAILED:
            raise errors.operation_state(operation.status)
        raise errors.approval_failed(reason)
    if server.settings.is_at_least(1, 10):
        operation.mobile_token_data = request.get("mobileTokenData")
    approve(server, operation, activation, caller.signature_type, call)
    return ok()


_PROXIMITY_TYPES = (None, "QR_CODE", "DEEPLINK")


def check_approval_form(request: Dict[str, Any]) -> None:
    """Members that the released server cannot even read end in a 500 (operations.md §7.1, §8)."""
    for name in ("id", "data"):
        optional_text(request, name)
    check = request.get("proximityCheck")
    if check is None:
        return
    if not isinstance(check, dict) or check.get("type") not in _PROXIMITY_TYPES:
        raise errors.generic("proximity check has an unknown type")
    optional_text(check, "otp")
    for name in ("timestampReceived", "timestampSent"):
        if not is_instant(check.get(name)):
            raise errors.generic(f"{name} is not readable")


def approve(
    server: Server, operation: Operation, activation: Activation, signature_type: str, call: Optional[Call] = None
) -> None:
    """Keeps with the operation who approved it and how; without a call it was approved off line."""
    operation.user_id = activation.user_id
    operation.approved_by = {
        "activationId": activation.id,
        "applicationId": activation.application_id,
        "signatureType": signature_type,
        "ip": call.client if call else None,
        "userAgent": call.headers.get("user-agent") if call else None,
    }
    server.operation_service.finish(operation, model.APPROVED, activationId=activation.id, signatureType=signature_type)


def _failed_authentication(server: Server, operation: Optional[Operation], reason: str) -> ApiError:
    """The answer to an approval with a wrong authentication (operations.md §8)."""
    if operation is None or operation.status != model.PENDING:
        return errors.invalid_operation(reason)
    server.operation_service.count_failure(operation, reason)
    if operation.status == model.FAILED:
        return errors.operation_state(operation.status)
    return errors.authentication_failed(reason)


def _mismatch(operation: Operation, caller: Caller, data: str) -> Optional[str]:
    if caller.signature_type not in operation.allowed_signature_types:
        return f"operation does not allow {caller.signature_type}"
    if not _visible_to(operation, caller.activation):
        return "operation belongs to another user or device"
    if operation.data != data:
        return "approved data differ from the operation's data"
    return None


def cancel(server: Server, call: Call) -> Answer:
    """Rejection by the user, with possession and nothing else; a reason is not needed."""
    caller = _enrolled(_signed(server, call, "/operation/cancel", (signature.POSSESSION,)))
    request = call.request_object(errors.authentication_failed)
    operation_id = _named_operation(request)
    reason = optional_text(request, "reason")
    if server.settings.strict and not reason:
        raise errors.invalid_request("reason is missing")
    operation = server.operation_service.get(operation_id)
    if operation is None:
        raise errors.nothing_to_reject("operation is unknown")
    if operation.status != model.PENDING:
        raise errors.operation_state(operation.status)
    if not _visible_to(operation, caller.activation):
        raise errors.rejection_failed("operation belongs to another user or device")
    operation.reject_reason = reason
    if server.settings.is_at_least(2, 0):
        operation.mobile_token_data = request.get("mobileTokenData")
    server.operation_service.finish(operation, model.REJECTED, activationId=caller.activation.id, rejectReason=reason)
    return ok()


def new_operation(server: Server, application_id: str, template: Optional[Template], **members: Any) -> Operation:
    """An operation with the template's rules where `members` do not override them."""
    now, settings = server.clock.now(), server.settings
    expiration = members.pop("expiration_seconds", None) or (template and template.expiration_seconds)
    if members.get("allowed_signature_types") is None:
        types = template.allowed_signature_types if template else list(signature.TWO_FACTORS)
        members["allowed_signature_types"] = list(types)
    max_failures = members.pop("max_failures", None) or (template and template.max_failures)
    proximity = members.pop("proximity_check", None)
    if proximity is None:
        proximity = template is not None and template.proximity_check
    if members.get("risk_flags") is None:
        members["risk_flags"] = template.risk_flags if template else ""
    return Operation(
        id=str(uuid.uuid4()),
        application_id=application_id,
        status=model.PENDING,
        created=now,
        expires=now + (expiration or settings.operationExpirationSeconds) * 1000,
        max_failures=max_failures or settings.operationMaxFailures,
        template=template.name if template else None,
        proximity_seed=crypto.random_bytes(32) if proximity else None,
        **members,
    )
