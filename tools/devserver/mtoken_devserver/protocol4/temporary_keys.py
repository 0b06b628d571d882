# SPDX-License-Identifier: Apache-2.0
"""Short-lived secrets of end-to-end encryption (powerauth4.md §7)."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, Dict, List

from .. import crypto, errors, jwt, model
from ..call import Answer, Call, ok, optional_text, to_json
from ..temporary_keys import purge
from . import exchange, keytree, primitives, suites

if TYPE_CHECKING:
    from ..faults import FaultSet
    from ..server import Server

_error = errors.temporary_key_failed
_STATES = (model.PENDING_COMMIT, model.ACTIVE, model.BLOCKED, model.REMOVED)


def create(server: Server, call: Call) -> Answer:
    """`POST /pa/v4/keystore/create`: an authenticated request token in, a JWS of all algorithms out."""
    token = optional_text(call.request_object(_error), "jwt")
    if not (token or "").strip():
        raise errors.validation_failed("jwt is blank")
    call.need_back_end(_error)
    try:
        header, claims, data, code = jwt.split(token)
    except jwt.JwtError as problem:
        raise _error(str(problem)) from problem
    request = claims.get("sharedSecretRequest")
    name = request.get("algorithm") if isinstance(request, dict) else None
    suite = suites.SUITES.get(name) if isinstance(name, str) else None
    if suite is None:
        raise _error(f"suite {name} does not exist")
    scope = _Scope(server, claims, suite)
    if header.get("alg") != "HS384" or not crypto.equal(primitives.hmac_sha384(scope.request_key, data), code):
        raise _error("request token is not authenticated by HS384 with the key of its scope")
    call.note("key request", version="4.0", suite=suite.name, text=to_json(claims).decode())
    challenge = claims.get("challenge")
    if not isinstance(challenge, str) or not challenge:
        raise _error("challenge is missing")
    purge(server)
    try:
        secret, response = exchange.encapsulate(call, suite, request)
    except crypto.CryptoError as problem:
        raise _error(str(problem)) from problem
    now = server.clock.now()
    expires = now + server.settings.temporaryKeyValidityMs
    record = server.temporary_keys.save(
        model.TemporaryKey(
            str(uuid.uuid4()), b"", scope.application_key, scope.activation_id, expires, suite.name, secret
        )
    )
    if call.faults.get("expired_temp_key") is not None:
        record.expires = now
    if call.faults.get("wrong_key") is not None:
        record.secret = crypto.random_bytes(32)
    answer = {
        "sub": record.id,
        "applicationKey": scope.application_key,
        **({"activationId": scope.activation_id} if scope.activation_id is not None else {}),
        "challenge": challenge,
        "sharedSecretResponse": response,
        "iat": now // 1000,
        "exp": expires // 1000,
        "iat_ms": now,
        "exp_ms": expires,
    }
    call.note("key answer", text=to_json(answer).decode())
    jws = _signed(call.faults, suite, scope.signer, crypto.b64url(call.text("jwt", answer)))
    return ok({"jwt": call.text("jws", jws).decode()})


def _signed(faults: FaultSet, suite: suites.Suite, signer: suites.Signer, payload: str) -> Dict[str, Any]:
    """The general JSON form of a JWS; a fault spoils its signatures."""
    entries = signer.entries(payload)
    wrong = suite.signer(suite.generate_signing_keys()).entries(payload)
    if faults.get("wrong_signature_jwt") is not None:
        entries = wrong
    if faults.get("wrong_ecdsa") is not None:
        entries[0] = wrong[0]
    if faults.get("wrong_mldsa") is not None:
        entries[1:] = wrong[1:]
    return {"payload": payload, "signatures": _respelt(faults, entries)}


def _respelt(faults: FaultSet, entries: List[Dict[str, str]]) -> List[Dict[str, str]]:
    """Signatures that are right, but not those of the suite once each and in order."""
    missing, duplicate = faults.get("missing_signature"), faults.get("duplicate_signature")
    foreign = {**entries[0], "protected": crypto.b64url(json.dumps({"alg": "ES256"}).encode())}
    if faults.get("downgraded_suite") is not None:
        entries = entries[:1]
    if faults.get("foreign_algorithm") is not None:
        entries[-1] = {**entries[-1], "protected": foreign["protected"]}
    if faults.get("extra_signature") is not None:
        entries.append(foreign)
    if duplicate is not None:
        entries.append(entries[int(duplicate.get("index", 0))])
    if missing is not None:
        entries.pop(int(missing.get("index", len(entries) - 1)))
    if faults.get("reversed_signatures") is not None:
        entries.reverse()
    return entries


class _Scope:
    """The application, and in activation scope the activation, that a request token names."""

    def __init__(self, server: Server, claims: Dict[str, Any], suite: suites.Suite):
        version = server.application_versions.get(_text(claims.get("applicationKey")))
        if version is None or not version.supported:
            raise _error("application version is unknown or unsupported")
        application = server.applications.get(version.application_id)
        if application is None:
            raise _error("application is unknown")
        self.application_key = version.key
        self.activation_id = None
        if claims.get("activationId") is None:
            if suite.name not in application.usable_suites:
                raise _error(f"application does not use {suite.name}, or not any more")
            self.request_key = keytree.request_key_of_application(crypto.unb64(version.secret))
            self.signer = application.master_signer(suite)
            return
        activation = server.lifecycle.get(_text(claims["activationId"]))
        if activation is None or activation.application_id != application.id or activation.v4 is None:
            raise _error("activation is unknown")
        if activation.state not in _STATES:
            raise _error(f"activation is {activation.state}")
        if activation.v4.suite is not suite:
            raise _error(f"activation has the suite {activation.v4.suite_name}")
        self.activation_id = activation.id
        self.request_key = activation.v4.keys.mac_temporary_key
        self.signer = activation.v4.signer


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
