# SPDX-License-Identifier: Apache-2.0
"""The PowerAuth Standard RESTful API, version 4 (powerauth4.md §10 to §16)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Dict, List

from fastapi import FastAPI

from .. import crypto, ecies, errors, model, signature
from ..asgi import Asgi, Receive, Scope, Send
from ..authentication import ENCRYPTION_HEADER, SIGNATURE_HEADER, Caller, Opened
from ..call import Answer, Call, ErrorFactory, json_response, mount, ok, optional_text, text_member
from ..model import Activation, Protocol4
from ..powerauth import detail_of, drop_token, name_of, new_token
from ..signature import EncryptionHeader
from . import exchange, keytree, suites, temporary_keys
from .authentication import BIOMETRY_ADD, PASSWORD_CHANGE, UPGRADE_START

if TYPE_CHECKING:
    from ..server import Server

_REASON = re.compile(r"[A-Za-z0-9_.\-]{3,255}")
_WITH_KEYS = (model.PENDING_COMMIT, model.ACTIVE, model.BLOCKED, model.REMOVED)
_KNOWLEDGE = (signature.POSSESSION_KNOWLEDGE,)
_POSSESSION = (signature.POSSESSION,)


def routes(app: FastAPI, server: Server) -> None:
    for path, handler in {
        "status": server_status,
        "keystore/create": temporary_keys.create,
        "activation/status": activation_status,
        "activation/confirm": activation_confirm,
        "activation/remove": activation_remove,
        "activation/detail": activation_detail,
        "activation/rename": activation_rename,
        "token/create": token_create,
        "token/remove": token_remove,
        "vault/unlock": vault_unlock,
        "password/change": password_change,
        "biometry/add": biometry_add,
        "biometry/remove": biometry_remove,
        "upgrade/start": upgrade_start,
        "upgrade/confirm": upgrade_confirm,
        "user/info": user_info,
        "config/application": config_of_application,
        "config/activation": config_of_activation,
    }.items():
        mount(app, server, f"/pa/v4/{path}", handler)
    mount(app, server, "/pa/v4/auth/validate", auth_validate, ("GET", "POST", "PUT", "DELETE"))


class GateMiddleware:
    """Without the setting `protocol4` there is nothing below `/pa/v4`."""

    def __init__(self, app: Asgi, server: Server):
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/pa/v4/") and not self._server.settings.protocol4:
            await json_response(errors.no_such_path("no such path").envelope(), 404)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def server_status(server: Server, call: Call) -> Answer:
    """Time, and the suites that the application may use; of an unknown one, all."""
    request = call.request_object(errors.status_failed)
    key = optional_text(request, "applicationKey")
    version = server.application_versions.get(key)
    if key is not None and version is None:
        raise errors.status_failed("application is unknown")
    names: List[str] = list(suites.SUITES)
    if key is not None:
        call.need_back_end(errors.status_failed)
    if version is not None:
        names = server.applications[version.application_id].usable_suites or [suites.LEGACY]
    application = {"name": "enrollment-server", "version": server.settings.serverVersion}
    return ok({"serverTime": server.clock.now(), "supportedAlgorithms": names, "application": application})


def _state(activation: Activation) -> Protocol4:
    assert activation.v4 is not None
    return activation.v4


def activation_status(server: Server, call: Call) -> Answer:
    """The status blob, in every state since the key exchange; one answer for all that does not open
    (powerauth4.md §11).
    """
    error = errors.activation_invalid
    opened = _open(server, call, ecies.ACTIVATION_GENERIC, error, _WITH_KEYS)
    opened.object(error)
    activation = opened.activation
    assert activation is not None
    state, application = _state(activation), server.applications[activation.application_id]
    flags = (
        keytree.FLAG_CONFIRM * state.confirm_pending
        | keytree.FLAG_UPGRADE * state.upgrade_pending
        | keytree.FLAG_SUITE_WITHDRAWN * (state.suite_name not in application.usable_suites)
        | keytree.FLAG_BIOMETRY * state.biometry_enabled
    )
    blob = keytree.StatusBlob(
        status=model.STATUS_NUMBERS[activation.state],
        current_version=3 if state.upgrade_pending else 4,
        upgrade_version=4,
        flags=flags,
        ctr_byte=state.counter % 256,
        failed_attempts=activation.failed_attempts,
        max_failed_attempts=activation.max_failed_attempts,
        look_ahead=server.settings.lookAhead,
        ctr_data=state.ctr_data,
    )
    encoded = bytearray(blob.encode(state.keys, crypto.random_bytes(4)))
    if call.faults.get("wrong_status_mac") is not None:
        encoded[-1] ^= 1
    return opened.answer(
        {
            "activationStatus": crypto.b64(bytes(encoded)),
            "timestampBlockExpire": state.blocked_until if activation.state == model.BLOCKED else None,
            "customObject": activation.custom_object,
        }
    )


def _open(
    server: Server, call: Call, encryptor: ecies.Encryptor, error: ErrorFactory, states: tuple[str, ...]
) -> Opened:
    """As `Authenticator.open_by_header`, in more states than ACTIVE."""
    header = server.authenticator.encryption_header(call, error)
    if header.activation_id is None:
        raise error("encryption header is of the wrong scope")
    try:
        opened = server.authenticator4.open(call, encryptor, header, call.json(error), states)
        opened.note(header.version)
        return opened
    except ecies.EciesError as problem:
        raise error(str(problem)) from problem


def activation_confirm(server: Server, call: Call) -> Answer:
    """The device has kept its keys; before or after the commit, and only once (powerauth4.md §10)."""
    error = errors.activation_invalid
    caller = server.authenticator4.code(call, "/pa/activation/confirm", _KNOWLEDGE, confirms_activation=True)
    state = _state(caller.activation)
    biometry = call.request_object(error).get("enableBiometry", False)
    if not isinstance(biometry, bool):
        raise error("enableBiometry is neither true nor false")
    if not state.confirm_pending:
        raise error("activation is confirmed already")
    state.confirm_pending = False
    _set_biometry(state, biometry)
    server.activations.save(caller.activation)
    return ok()


def _set_biometry(state: Protocol4, enabled: bool) -> None:
    """As a device asks while its keys are new: the derived key, or none."""
    state.biometry_enabled = enabled
    state.biometry_next = None
    state.biometry = state.keys.initial_biometry if enabled else None


def activation_remove(server: Server, call: Call) -> Answer:
    """Without a header a 500, as in 3.x."""
    if SIGNATURE_HEADER not in call.headers:
        raise errors.generic("authorization header is missing")
    one_factor = server.settings.removeWithOneFactor
    allowed = signature.ANY_WITH_POSSESSION if one_factor else signature.TWO_OR_MORE_FACTORS
    caller = server.authenticator.signature(call, "/pa/activation/remove", allowed)
    server.lifecycle.remove(caller.activation, "REMOVED_BY_CLIENT")
    return ok({"activationId": caller.activation.id})


def activation_detail(server: Server, call: Call) -> Answer:
    """The answer is wrapped inside of the encryption."""
    return detail_of(server, call, signature.TWO_OR_MORE_FACTORS)


def activation_rename(server: Server, call: Call) -> Answer:
    """Opened before the code is checked, which covers the plaintext, or what is sent (powerauth4.md §20)."""
    error, order = errors.activation_invalid, server.settings.renameOrder
    header = server.authenticator.signature_header(call)
    scope = EncryptionHeader(header.version, header.application_key, header.activation_id)
    failed = errors.encryption_failed
    opened = server.authenticator.open(call, ecies.ACTIVATION_GENERIC, scope, call.json(failed), failed)
    bodies = {"plaintext": opened.plaintext, "encrypted": call.body}
    signed = tuple(body for name, body in bodies.items() if order in ("both", name))
    caller = server.authenticator4.code(call, "/pa/activation/rename", signature.TWO_OR_MORE_FACTORS, signed)
    name = text_member(opened.object(error), "activationName", error, None)
    if not name.strip() or len(name) > model.TEXT_LIMITS["activationName"]:
        raise error("activationName is blank or too long")
    caller.activation.name = name
    server.activations.save(caller.activation)
    return opened.answer(ok(name_of(caller.activation), activationName=name))


def token_create(server: Server, call: Call) -> Answer:
    """As in 3.x, a right code over a body that does not open is a 401, and is used up."""
    caller = server.authenticator.signature(call, "/pa/token/create", signature.ANY_WITH_POSSESSION)
    error = errors.code_invalid
    opened = server.authenticator4.open_authenticated(call, ecies.CREATE_TOKEN, caller, error)
    opened.object(error)
    return opened.answer(new_token(server, caller, 32))


def token_remove(server: Server, call: Call) -> Answer:
    """An unknown or foreign token is answered as success, as in 3.x."""
    caller = server.authenticator.signature(call, "/pa/token/remove", signature.ANY_WITH_POSSESSION)
    return drop_token(server, call, caller, errors.validation_failed)


def auth_validate(server: Server, call: Call) -> Answer:
    """Nothing but the check of a code; a GET authenticates its canonical query."""
    server.authenticator.signature(call, "/pa/auth/validate", signature.ANY_WITH_POSSESSION)
    return ok()


def vault_unlock(server: Server, call: Call) -> Answer:
    """One key of the vault, by the rights of the factors (powerauth4.md §16).

    The body is opened before the code is verified, as in 3.x: what is refused with 400 costs nothing.
    """
    error, authenticator = errors.vault_invalid, server.authenticator
    header = authenticator.signature_header(call)
    body = authenticator.cryptogram_of(header.version, call, errors.code_invalid)
    scope = EncryptionHeader(header.version, header.application_key, header.activation_id)
    opened = authenticator.open(call, ecies.VAULT_UNLOCK, scope, body, error)
    request, factors, allowed = opened.object(error), header.signature_type, signature.TWO_OR_MORE_FACTORS
    identifier = text_member(request, "keyIdentifier", error, None)
    reason = optional_text(request, "reason", error)
    if reason is not None and not _REASON.fullmatch(reason):
        raise error("reason has a wrong form")
    if identifier not in keytree.VAULT_LABELS:
        raise error(f"there is no vault key {identifier}")
    assert opened.activation is not None
    application = server.applications[opened.activation.application_id]
    closed = identifier == keytree.KDK_APP_VAULT_KNOWLEDGE or (
        identifier == keytree.KEK_DEVICE_PRIVATE and application.private_key_without_biometry
    )
    if factors not in (_KNOWLEDGE if closed else allowed):
        raise error(f"factors {factors} do not unlock {identifier}")
    caller = authenticator.signature(call, "/pa/vault/unlock", allowed)
    server.audit.add(
        "vault",
        server.clock.now(),
        accepted=True,
        reason=reason or "NOT_SPECIFIED",
        activationId=caller.activation.id,
        keyIdentifier=identifier,
    )
    return opened.answer({"vaultEncryptionKey": crypto.b64(_state(caller.activation).keys.vault_key(identifier))})


def _new_factor_key(
    server: Server, call: Call, caller: Caller, encryptor: ecies.Encryptor, error: ErrorFactory
) -> tuple[bytes, Opened, Dict[str, Any]]:
    """The exchange of a new key, in the suite of the activation (powerauth4.md §13)."""
    opened = server.authenticator4.open_authenticated(call, encryptor, caller, error)
    try:
        secret, response = exchange.encapsulate(call, _state(caller.activation).suite, opened.object(error))
    except crypto.CryptoError as problem:
        raise error(str(problem)) from problem
    return secret, opened, response


def password_change(server: Server, call: Call) -> Answer:
    """The new knowledge key waits beside the old one until a code decides (powerauth4.md §13)."""
    caller = server.authenticator.signature(call, "/pa/password/change", _KNOWLEDGE)
    secret, opened, response = _new_factor_key(server, call, caller, PASSWORD_CHANGE, errors.password_change_failed)
    _state(caller.activation).knowledge_next = secret
    server.activations.save(caller.activation)
    return opened.answer(response)


def biometry_add(server: Server, call: Call) -> Answer:
    caller = server.authenticator.signature(call, "/pa/biometry/add", _KNOWLEDGE)
    secret, opened, response = _new_factor_key(server, call, caller, BIOMETRY_ADD, errors.biometry_failed)
    state = _state(caller.activation)
    if state.biometry_enabled and state.biometry is not None:
        state.biometry_next = secret
    else:
        state.biometry, state.biometry_next = secret, None
    state.biometry_enabled = True
    server.activations.save(caller.activation)
    return opened.answer(response)


def biometry_remove(server: Server, call: Call) -> Answer:
    caller = server.authenticator.signature(call, "/pa/biometry/remove", _POSSESSION)
    _set_biometry(_state(caller.activation), False)
    server.activations.save(caller.activation)
    return ok()


def upgrade_start(server: Server, call: Call) -> Answer:
    """From 3.x to 4.0: a signature of 3.x over a request that is encrypted in 4.0 (powerauth4.md §15).

    A client may repeat it until it confirms; each time replaces the last result, and 3.x stays in force.
    """
    error = errors.upgrade_failed
    caller = server.authenticator.signature_of_version_3(call, "/pa/upgrade/start", _KNOWLEDGE)
    if ENCRYPTION_HEADER not in call.headers:
        raise error("encryption header is missing")
    opened = server.authenticator.open_by_header(call, UPGRADE_START, error)
    request, activation = opened.object(error), caller.activation
    application = server.applications[activation.application_id]
    if opened.suite is None or opened.suite.name not in application.usable_suites:
        raise error("application does not use this suite, or not any more")
    biometry = request.get("enableBiometry", False)
    if not isinstance(biometry, bool):
        raise error("enableBiometry is neither true nor false")
    try:
        state, answer = exchange.agree(call, opened.suite, request)
    except crypto.CryptoError as problem:
        raise error(f"key exchange: {problem}") from problem
    state.upgrade_pending = True
    _set_biometry(state, biometry)
    activation.v4 = state
    server.activations.save(activation)
    return opened.answer(answer)


def upgrade_confirm(server: Server, call: Call) -> Answer:
    """After this the activation speaks 4.0 only; its tokens stay.

    Before a start there is no key to check a code with: the answer says so without a check.
    """
    named = server.lifecycle.get(server.authenticator.signature_header(call).activation_id)
    if named is not None and named.state == model.ACTIVE and named.v4 is None:
        raise errors.upgrade_failed("no upgrade was started")
    waits = named is not None and named.v4 is not None and named.v4.upgrade_pending
    caller = server.authenticator4.code(call, "/pa/upgrade/confirm", _POSSESSION, confirms_upgrade=waits)
    activation = caller.activation
    state = _state(activation)
    if not state.upgrade_pending:
        raise errors.upgrade_failed("the activation has version 4 already")
    state.upgrade_pending = False
    activation.max_failed_attempts = min(activation.max_failed_attempts, model.MAX_FAILED_ATTEMPTS_4)
    activation.server_private = activation.device_public = None
    activation.ctr_data, activation.counter, activation.version = b"", 0, caller.version
    server.activations.save(activation)
    return ok()


def user_info(server: Server, call: Call) -> Answer:
    """Claims of the user; an empty map where none are known."""
    error = errors.user_info_failed
    opened = server.authenticator.open_by_header(call, ecies.ACTIVATION_GENERIC, errors.encryption_failed)
    opened.object(error)
    assert opened.activation is not None
    return opened.answer(server.claims_of(opened.activation.user_id) or {})


def _entries(config: Dict[str, Any], scope: str) -> List[Dict[str, Any]]:
    return [{"key": key, "value": value, "scope": scope} for key, value in config.items()]


def config_of_application(server: Server, call: Call) -> Answer:
    error = errors.config_failed
    header = server.authenticator.encryption_header(call, errors.encryption_failed)
    opened = server.authenticator.open_by_header(call, ecies.APPLICATION_GENERIC, errors.encryption_failed)
    opened.object(error)
    application = server.application_of_key(header.application_key, error)
    return opened.answer({"config": _entries(application.config, "APPLICATION")})


def config_of_activation(server: Server, call: Call) -> Answer:
    """The settings of the application and of this activation."""
    opened = server.authenticator.open_by_header(call, ecies.ACTIVATION_GENERIC, errors.encryption_failed)
    opened.object(errors.config_failed)
    activation = opened.activation
    assert activation is not None
    application = server.applications[activation.application_id]
    entries = _entries(application.config, "APPLICATION") + _entries(_state(activation).config, "ACTIVATION")
    return opened.answer({"config": entries})
