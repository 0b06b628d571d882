# SPDX-License-Identifier: Apache-2.0
"""Endpoints as a bank would write them itself: for clients that sign or encrypt requests of their host.

All answers echo what the server understood. The uriId of a signed call is `/test/…`, its path is `/api/test/…`, and it
takes the factors of the setting `testFactors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Sequence

from fastapi import FastAPI

from . import crypto, ecies, errors, signature
from .authentication import Caller
from .call import Answer, Call, mount, ok

if TYPE_CHECKING:
    from .server import Server


def routes(app: FastAPI, server: Server) -> None:
    mount(app, server, "/api/test/signed", signed, ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"))
    mount(app, server, "/api/test/token", token)
    mount(app, server, "/api/test/encrypted/application", encrypted_in_application_scope)
    mount(app, server, "/api/test/encrypted/activation", encrypted_in_activation_scope)
    mount(app, server, "/api/test/encrypt-then-sign", encrypt_then_sign)
    mount(app, server, "/api/test/sign-then-encrypt", sign_then_encrypt)


def _echo(received: bytes, **members: Any) -> Dict[str, Any]:
    return {"received": crypto.b64(received), **members}


def _who(caller: Caller) -> Dict[str, Any]:
    return {
        "activationId": caller.activation.id,
        "signatureType": caller.signature_type,
        "version": caller.version,
        "counter": caller.activation.hash_counter.counter,
    }


_FACTORS = {
    "any": signature.SIGNATURE_TYPES,
    "1FA": (signature.POSSESSION,),
    "2FA": signature.TWO_FACTORS,
    "2FA+": signature.TWO_OR_MORE_FACTORS,
    "3FA": (signature.POSSESSION_KNOWLEDGE_BIOMETRY,),
}


def _allowed(server: Server) -> Sequence[str]:
    return _FACTORS[server.settings.testFactors]


def signed(server: Server, call: Call) -> Answer:
    """Any method."""
    caller = server.authenticator.signature(call, "/test/signed", _allowed(server))
    return ok(_echo(call.body, method=call.method, query=call.query, **_who(caller)))


def token(server: Server, call: Call) -> Answer:
    caller = server.authenticator.token(call, signature.ANY_WITH_POSSESSION)
    return ok(_echo(call.body, **_who(caller)))


def encrypted_in_application_scope(server: Server, call: Call) -> Answer:
    opened = server.authenticator.open_by_header(call, ecies.APPLICATION_GENERIC, errors.encryption_failed)
    return opened.answer(ok(_echo(opened.plaintext)))


def encrypted_in_activation_scope(server: Server, call: Call) -> Answer:
    opened = server.authenticator.open_by_header(call, ecies.ACTIVATION_GENERIC, errors.encryption_failed)
    return opened.answer(ok(_echo(opened.plaintext)))


def encrypt_then_sign(server: Server, call: Call) -> Answer:
    """The signature covers the encrypted body, as at the standard endpoints."""
    caller = server.authenticator.signature(call, "/test/encrypt-then-sign", _allowed(server))
    opened = server.authenticator.open_signed(call, ecies.ACTIVATION_GENERIC, caller, errors.encryption_failed)
    return opened.answer(ok(_echo(opened.plaintext, **_who(caller))))


def sign_then_encrypt(server: Server, call: Call) -> Answer:
    """The signature covers the plaintext, as at endpoints with declared protection."""
    caller, opened = server.authenticator.sign_then_encrypt(
        call, ecies.ACTIVATION_GENERIC, "/test/sign-then-encrypt", _allowed(server), errors.encryption_failed
    )
    return opened.answer(ok(_echo(opened.plaintext, **_who(caller))))
