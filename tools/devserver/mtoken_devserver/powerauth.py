# SPDX-License-Identifier: Apache-2.0
"""The PowerAuth Standard RESTful API, version 3 (rest.md §2, §3)."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Any, Dict, Sequence

from fastapi import FastAPI

from . import crypto, ecies, errors, keytree, model, signature, temporary_keys
from .authentication import SIGNATURE_HEADER, Caller
from .call import NOTHING, Answer, Call, ErrorFactory, mount, ok, only_members, optional_text, text_member
from .model import Token

if TYPE_CHECKING:
    from .server import Server

_REASON = re.compile(r"[A-Za-z0-9_\-.]{3,255}")


def routes(app: FastAPI, server: Server) -> None:
    mount(app, server, "/pa/v3/status", server_status)
    mount(app, server, "/pa/v3/keystore/create", temporary_keys.create)
    mount(app, server, "/pa/v3/activation/status", activation_status)
    mount(app, server, "/pa/v3/activation/remove", activation_remove)
    mount(app, server, "/pa/v3/activation/detail", activation_detail)
    mount(app, server, "/pa/v3/activation/rename", activation_rename)
    mount(app, server, "/pa/v3/token/create", token_create)
    mount(app, server, "/pa/v3/token/remove", token_remove)
    mount(app, server, "/pa/v3/signature/validate", signature_validate, ("GET", "POST", "PUT", "DELETE"))
    mount(app, server, "/pa/v3/vault/unlock", vault_unlock)
    mount(app, server, "/pa/v3/upgrade/start", upgrade_start)
    mount(app, server, "/pa/v3/upgrade/commit", upgrade_commit)
    mount(app, server, "/pa/v3/user/info", user_info)


def server_status(server: Server, call: Call) -> Answer:
    """The server's time and name; needs no authentication."""
    application = {"name": "enrollment-server", "version": server.settings.serverVersion}
    return ok({"serverTime": server.clock.now(), "application": application})


def activation_status(server: Server, call: Call) -> Answer:
    """The encrypted status blob (powerauth.md §12). It never reveals whether an activation exists."""
    error = errors.activation_invalid
    request = call.request_object(error)
    activation_id = text_member(request, "activationId", error)
    challenge_text = optional_text(request, "challenge")
    try:
        challenge = crypto.unb64(challenge_text, 16) if challenge_text is not None else None
    except crypto.CryptoError as problem:
        raise error(f"challenge: {problem}") from problem
    call.need_back_end(error)
    activation = server.lifecycle.get(activation_id)
    answer: Dict[str, Any] = {"activationId": activation_id, "encryptedStatusBlob": crypto.b64(crypto.random_bytes(32))}
    if activation is None or not activation.has_keys3 or activation.is_v4:
        if activation is None or activation.state == model.CREATED or activation.is_v4:
            answer["nonce"] = crypto.b64(crypto.random_bytes(16))
        return ok(answer)
    blob = keytree.StatusBlob(
        status=model.STATUS_NUMBERS[activation.state],
        ctr_byte=activation.counter % 256,
        failed_attempts=activation.failed_attempts,
        max_failed_attempts=activation.max_failed_attempts,
        look_ahead=server.settings.lookAhead,
        ctr_data=activation.ctr_data,
        current_version=server.settings.activationVersion,
        upgrade_version=4 if server.offers_upgrade(activation) else 3,
    )
    transport = activation.keys.transport
    if challenge is None:
        iv, plain = crypto.ZERO16, blob.encode_without_counter()
    else:
        nonce = crypto.random_bytes(16)
        answer["nonce"] = crypto.b64(nonce)
        iv, plain = keytree.status_iv(transport, challenge, nonce), blob.encode(transport)
    if call.faults.get("wrong_key") is not None:
        transport = crypto.random_bytes(16)
    answer["encryptedStatusBlob"] = crypto.b64(crypto.aes_cbc_encrypt(transport, iv, plain, pad=False))
    if activation.custom_object:
        answer["customObject"] = activation.custom_object
    return ok(answer)


def activation_remove(server: Server, call: Call) -> Answer:
    """Without a header a 500, which no other endpoint has (rest.md §3.5)."""
    if SIGNATURE_HEADER not in call.headers:
        raise errors.generic("signature header is missing")
    caller = server.authenticator.signature(call, "/pa/activation/remove", signature.TWO_OR_MORE_FACTORS)
    server.lifecycle.remove(caller.activation, "REMOVED_BY_CLIENT")
    return ok({"activationId": caller.activation.id})


def activation_detail(server: Server, call: Call) -> Answer:
    return detail_of(server, call, signature.TWO_FACTORS)


def detail_of(server: Server, call: Call, allowed: Sequence[str]) -> Answer:
    """Token and encryption together; each has its own header. Where nothing was opened, the answer is a 200 without a
    body: the released front end has then nothing to encrypt it with.
    """
    caller = server.authenticator.token(call, allowed)
    try:
        opened = server.authenticator.open_with_token(call, caller, errors.encryption_failed)
    except errors.ApiError:
        return NOTHING
    return opened.answer(ok(name_of(caller.activation)))


def activation_rename(server: Server, call: Call) -> Answer:
    """Signed, then encrypted: the signature covers the plaintext (powerauth.md §5.8). Server 1.9 refuses it
    when all is right.
    """
    error = errors.activation_invalid
    caller, opened = server.authenticator.sign_then_encrypt(
        call, ecies.ACTIVATION_GENERIC, "/pa/activation/rename", signature.TWO_FACTORS, error
    )
    name = text_member(opened.object(error), "activationName", error, None)
    if not server.settings.is_at_least(1, 10):
        raise error("server 1.9 cannot rename")
    if len(name) > model.TEXT_LIMITS["activationName"]:
        raise error("activationName is too long")
    caller.activation.name = name
    server.activations.save(caller.activation)
    return opened.answer(ok(name_of(caller.activation)))


def name_of(activation: model.Activation) -> Dict[str, Any]:
    return {"activationId": activation.id, "activationName": activation.name or ""}


def token_create(server: Server, call: Call) -> Answer:
    """Encrypted, then signed: the signature over the encrypted body is verified, and moves the counter,
    before that is opened.
    """
    caller = server.authenticator.signature(call, "/pa/token/create", signature.ANY_WITH_POSSESSION)
    opened = server.authenticator.open_signed(call, ecies.CREATE_TOKEN, caller, errors.signature_invalid)
    return opened.answer(new_token(server, caller, 16))


def new_token(server: Server, caller: Caller, length: int) -> Dict[str, str]:
    """A token of these factors with a secret of so many bytes, as the device gets it."""
    token = server.tokens.save(
        Token(
            id=str(uuid.uuid4()),
            secret=crypto.random_bytes(length),
            activation_id=caller.activation.id,
            signature_type=caller.signature_type,
            created=server.clock.now(),
        )
    )
    return {"tokenId": token.id, "tokenSecret": crypto.b64(token.secret)}


def token_remove(server: Server, call: Call) -> Answer:
    """An unknown or foreign token is answered as success and nothing happens (rest.md §3.9)."""
    caller = server.authenticator.signature(call, "/pa/token/remove", signature.ANY_WITH_POSSESSION)
    return drop_token(server, call, caller, errors.signature_invalid)


def drop_token(server: Server, call: Call, caller: Caller, error: ErrorFactory) -> Answer:
    """Removes the caller's own token that the request names."""
    token_id = text_member(call.request_object(error), "tokenId", error)
    token = server.tokens.get(token_id)
    if token is not None and token.activation_id == caller.activation.id:
        server.tokens.delete(token)
    return ok({"tokenId": token_id})


def signature_validate(server: Server, call: Call) -> Answer:
    """Nothing but the check of a signature; a GET signs its canonical query."""
    server.authenticator.signature(call, "/pa/signature/validate", signature.ANY_WITH_POSSESSION)
    return ok()


def vault_unlock(server: Server, call: Call) -> Answer:
    """The body is opened before the signature is verified: what is refused with 400 costs nothing (rest.md §3.11)."""
    error = errors.vault_invalid
    authenticator = server.authenticator
    header = authenticator.signature_header(call)
    body = authenticator.cryptogram_of(header.version, call, errors.signature_invalid)
    allowed = [signature.POSSESSION_KNOWLEDGE]
    if server.settings.vaultUnlockByBiometry:
        allowed.append(signature.POSSESSION_BIOMETRY)
    if header.signature_type not in allowed:
        raise error(f"factors {header.signature_type} do not unlock the vault")
    authenticator.check_members(header.version, body, error)
    call.need_back_end(error)
    activation = server.lifecycle.get(header.activation_id)
    if activation is None or activation.state != model.ACTIVE:
        raise errors.signature_invalid("activation is not active")
    if not server.knows_version(header.application_key, activation.application_id):
        raise errors.signature_invalid("application version is unknown or unsupported")
    opened = authenticator.open(call, ecies.VAULT_UNLOCK, authenticator.scope_of_signature(call), body, error)
    reason = optional_text(opened.object(errors.signature_invalid), "reason", errors.signature_invalid)
    if (server.settings.strict and reason is None) or (reason is not None and not _REASON.fullmatch(reason)):
        raise error("reason is missing or has a wrong form")
    caller = authenticator.signature(call, "/pa/vault/unlock", allowed)
    server.audit.add(
        "vault",
        server.clock.now(),
        accepted=True,
        reason=reason or "NOT_SPECIFIED",
        activationId=caller.activation.id,
    )
    return opened.answer({"encryptedVaultEncryptionKey": crypto.b64(caller.activation.keys.encrypted_vault_key)})


def upgrade_start(server: Server, call: Call) -> Answer:
    """Every activation of this server has version 3 already, so there is nothing to upgrade (rest.md §5)."""
    server.authenticator.open_by_header(call, ecies.UPGRADE, errors.upgrade_failed, errors.signature_invalid)
    raise errors.upgrade_failed("activation has version 3 already")


def upgrade_commit(server: Server, call: Call) -> Answer:
    server.authenticator.signature(call, "/pa/upgrade/commit", (signature.POSSESSION,))
    raise errors.upgrade_failed("no upgrade was started")


def user_info(server: Server, call: Call) -> Answer:
    """Claims of the user; an empty map where none are known. The plaintext is empty or an empty object."""
    error = errors.encryption_failed
    opened = server.authenticator.open_by_header(call, ecies.ACTIVATION_GENERIC, error)
    if opened.plaintext.strip():
        only_members(opened.object(error), (), error)
    claims = server.claims_of(opened.activation.user_id) if opened.activation else None
    return opened.answer(claims or {})
