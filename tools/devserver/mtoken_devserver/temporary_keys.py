# SPDX-License-Identifier: Apache-2.0
"""Short-lived recipient keys of end-to-end encryption (powerauth.md §6)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Dict

from . import crypto, errors, jwt, model
from .call import Answer, Call, ok, optional_text, to_json
from .model import TemporaryKey

if TYPE_CHECKING:
    from .server import Server

_PURGE_INTERVAL_MS = 5000


def create(server: Server, call: Call) -> Answer:
    """`POST /pa/v3/keystore/create`: an authenticated request token in, a signed token with the public key out."""
    error = errors.temporary_key_failed
    token = optional_text(call.request_object(error), "jwt")
    call.need_back_end(error)

    def request_key(claims: Dict[str, Any]) -> bytes:
        return _Scope(server, claims).request_key

    try:
        claims = jwt.verify_hs256(token, request_key, strict=server.settings.strict)
    except jwt.JwtError as problem:
        raise error(str(problem)) from problem
    scope = _Scope(server, claims)
    call.note("key request", version="3.3", text=to_json(claims).decode())
    challenge = claims.get("challenge")
    if challenge is not None and not isinstance(challenge, str):
        raise error("challenge is not text")
    if server.settings.strict and not challenge:
        raise error("challenge is missing")
    purge(server)
    key = crypto.generate_key()
    now = server.clock.now()
    expires = now + server.settings.temporaryKeyValidityMs
    record = server.temporary_keys.save(
        TemporaryKey(
            str(uuid.uuid4()), crypto.export_private_key(key), scope.application_key, scope.activation_id, expires
        )
    )
    if call.faults.get("expired_temp_key") is not None:
        record.expires = now
    if call.faults.get("wrong_key") is not None:
        key = crypto.generate_key()
    answer = {
        "sub": record.id,
        "applicationKey": scope.application_key,
        **({"challenge": challenge} if challenge is not None else {}),
        "publicKey": crypto.b64(crypto.export_public_key(key.public_key())),
        "iat": now // 1000,
        "exp": expires // 1000,
        "iat_ms": now,
        "exp_ms": expires,
    }
    if scope.activation_id is not None:
        answer["activationId"] = scope.activation_id
    call.note("key answer", text=to_json(answer).decode())
    wrong = call.faults.get("wrong_signature_jwt") is not None
    signer = crypto.generate_key() if wrong else scope.response_key
    return ok({"jwt": jwt.sign_es256(call.faults.patched("jwt", answer), signer)})


def purge(server: Server) -> None:
    """Forgets expired keys, every few seconds (powerauth.md §6.4)."""
    now = server.clock.now()
    if abs(now - server.temporary_keys_purged) < _PURGE_INTERVAL_MS:
        return
    server.temporary_keys_purged = now
    for key in server.temporary_keys:
        if key.expires <= now:
            server.temporary_keys.delete(key)


class _Scope:
    """The application, and in activation scope the activation, that a request token names."""

    def __init__(self, server: Server, claims: Dict[str, Any]):
        error = errors.temporary_key_failed
        version = server.application_versions.get(_text(claims.get("applicationKey")))
        if version is None or not version.supported:
            raise error("application version is unknown or unsupported")
        application = server.applications.get(version.application_id)
        if application is None:
            raise error("application is unknown")
        secret = crypto.unb64(version.secret)
        self.application_key = version.key
        self.activation_id = None
        self.request_key, self.response_key = secret, application.master_key
        if claims.get("activationId") is not None:
            activation = server.lifecycle.get(_text(claims["activationId"]))
            if activation is None or activation.application_id != application.id:
                raise error("activation is unknown")
            if activation.state not in (model.ACTIVE, model.BLOCKED) or activation.is_v4:
                raise error(f"activation is {activation.state}")
            self.activation_id = activation.id
            self.request_key = crypto.kdf_internal(activation.keys.transport, secret)
            self.response_key = activation.server_key


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
