# SPDX-License-Identifier: Apache-2.0
"""The ASGI application: all endpoints around one server, under the middlewares for faults and the request log."""

from __future__ import annotations

from typing import Any, Collection

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.requests import ClientDisconnect

from . import activation_create, admin, errors, inbox, oidc, operations, powerauth, push, recovery, testapi, web
from .asgi import Asgi, is_device_request, is_internal
from .call import json_response, mount_async
from .changes import ChangesMiddleware
from .errors import ApiError
from .faults import FaultMiddleware
from .guard import GuardMiddleware
from .headers import AnswerHeadersMiddleware, DateMiddleware, FramingMiddleware
from .protocol4 import endpoints
from .requestlog import RequestLogMiddleware
from .server import Server


def _path_of(route: Any) -> str:
    return str(getattr(route, "path", "/"))


def create_app(server: Server, hosts: Collection[str] = ()) -> Asgi:
    """`hosts` are names that admin API and console answer to, beside localhost and any address.

    Without documentation pages, since those load scripts from elsewhere.
    """
    app = FastAPI(title="mtoken-devserver", docs_url=None, redoc_url=None, openapi_url="/admin/openapi.json")
    for version in ("v3", "v4"):
        mount_async(app, server, f"/pa/{version}/activation/create", activation_create.create)
    for module in (powerauth, endpoints, recovery, operations, push, inbox, oidc, testapi, admin, web):
        module.routes(app, server)

    server.faults.paths = [path for path in map(_path_of, app.routes) if not is_internal(path)]

    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, ApiError)
        if is_device_request(request.scope):
            server.audit.add(
                "request",
                server.clock.now(),
                accepted=False,
                reason=error.reason,
                path=request.url.path,
                status=error.status,
                code=error.code,
            )
        return answer(request, error)

    def answer(request: Request, error: ApiError) -> Response:
        if web.is_for_people(request):
            page: Response = app.state.console.error(error)
            return page
        return json_response(error.envelope(), error.status)

    async def no_such_path(request: Request, error: Exception) -> Response:
        return answer(request, errors.no_such_path(f"this server has nothing at {request.url.path}"))

    async def wrong_method(request: Request, error: Exception) -> Response:
        """The released front end answers a device's wrong method as its own failure (rest.md §1)."""
        status = 500 if is_device_request(request.scope) else 405
        return json_response(errors.generic("wrong method").envelope(), status)

    async def unacceptable(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        reason = errors.explained(error)
        return json_response(ApiError(422, "BAD_INPUT", reason, reason).envelope(), 422)

    async def broken(request: Request, error: Exception) -> Response:
        return json_response(errors.generic(repr(error)).envelope(), 500)

    async def gone(request: Request, error: Exception) -> Response:
        """The client has left: no one reads this."""
        return Response(status_code=400)

    app.add_exception_handler(ApiError, refuse)
    app.add_exception_handler(ClientDisconnect, gone)
    app.add_exception_handler(RequestValidationError, unacceptable)
    app.add_exception_handler(404, no_such_path)
    app.add_exception_handler(405, wrong_method)
    app.add_exception_handler(Exception, broken)
    served = endpoints.GateMiddleware(app, server)
    faulty = FaultMiddleware(AnswerHeadersMiddleware(served), server.faults, server.connections)
    dated = DateMiddleware(GuardMiddleware(faulty, hosts), server.clock.now)
    logged = RequestLogMiddleware(dated, server.requests, server.clock.now)
    return FramingMiddleware(ChangesMiddleware(logged, server.changes))
