# SPDX-License-Identifier: Apache-2.0
"""Helpers that the parts of the admin API share."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Optional, TypeVar

from pydantic import BaseModel, ConfigDict

from .. import crypto, errors
from ..model import Activation, Application, Operation, Protocol4
from ..protocol4 import primitives, suites

if TYPE_CHECKING:
    from ..server import Server

Endpoint = TypeVar("Endpoint", bound=Callable[..., Awaitable[Any]])


class Body(BaseModel):
    """A request body; unknown members are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid")


def transactional(server: Server) -> Callable[[Endpoint], Endpoint]:
    """Makes an endpoint run alone and its changes durable together."""

    def decorate(endpoint: Endpoint) -> Endpoint:
        @functools.wraps(endpoint)
        async def run(*arguments: Any, **named: Any) -> Any:
            with server.transaction():
                return await endpoint(*arguments, **named)

        return run  # type: ignore[return-value]

    return decorate


def application(server: Server, application_id: Optional[str]) -> Application:
    """The named application, or the first one where none is named."""
    found = next(iter(server.applications), None) if application_id is None else server.applications.get(application_id)
    if found is None:
        raise errors.not_found(f"application {application_id or ''} does not exist")
    return found


def activation(server: Server, activation_id: Optional[str]) -> Activation:
    found = server.lifecycle.get(activation_id)
    if found is None:
        raise errors.not_found(f"activation {activation_id} does not exist")
    return found


def activation_with_keys(server: Server, activation_id: Optional[str]) -> Activation:
    """An activation that has finished its key exchange."""
    found = activation(server, activation_id)
    if not found.has_keys:
        raise errors.wrong_state("activation has no keys yet")
    return found


def protocol4(found: Activation) -> Protocol4:
    """The members of an activation in 4.0."""
    if found.v4 is None:
        raise errors.wrong_state("activation has nothing of protocol 4.0")
    return found.v4


def sign_p384(found: Application, data: bytes) -> bytes:
    """ECDSA by the P-384 master key, DER form."""
    if found.suite is None:
        raise errors.wrong_state("application has no suite of protocol 4.0, so no P-384 master key")
    return primitives.ecdsa_sign(found.master_signer(suites.EC_P384).ecdsa, data)


def operation(server: Server, operation_id: str) -> Operation:
    found = server.operation_service.get(operation_id)
    if found is None:
        raise errors.not_found(f"operation {operation_id} does not exist")
    return found


def from_base64(text: str, length: Optional[int] = None) -> bytes:
    try:
        return crypto.unb64(text, length)
    except crypto.CryptoError as error:
        raise errors.bad_input(str(error)) from error
