# SPDX-License-Identifier: Apache-2.0
"""Keeps foreign web pages away from the admin API and the console, which have no authentication of their own.

A page in the developer's browser could reach them under a name of its own that resolves to this machine, or by a form
that it sends across origins. So the host must be one of this server's, and an origin, where the browser names one, the
same.
"""

from __future__ import annotations

import ipaddress
from typing import Collection, Dict, Optional
from urllib.parse import urlsplit

from .asgi import Asgi, Message, Receive, Scope, Send, is_internal
from .call import json_response
from .errors import ApiError

_CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = [
    (b"content-security-policy", _CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


def is_own_host(host: str, names: Collection[str]) -> bool:
    """An address cannot be made to point here by a foreign name server; a name must be one of ours."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_own_origin(origin: str, host: str) -> bool:
    """Same host and port; the scheme is that of one of our ports either way."""
    scheme, separator, place = origin.partition("://")
    return separator != "" and scheme in ("http", "https") and place.lower() == host.lower()


class GuardMiddleware:
    """Refuses with 403, and gives what it lets pass a content security policy."""

    def __init__(self, app: Asgi, names: Collection[str]):
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_internal(scope["path"]):
            await self._app(scope, receive, send)
            return
        reason = self._refusal({name: value.decode("latin-1") for name, value in scope["headers"]})
        if reason is not None:
            answer = json_response(ApiError(403, "FORBIDDEN", reason, reason).envelope(), 403)
            await answer(scope, receive, send)
            return

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            await send(message)

        await self._app(scope, receive, guarded_send)

    def _refusal(self, headers: Dict[bytes, str]) -> Optional[str]:
        host = headers.get(b"host", "")
        if not is_own_host(host, self._names):
            return f"host {host!r} is not this server's; --allow-host names more"
        origin = headers.get(b"origin")
        if origin is not None and not is_own_origin(origin, host):
            return f"origin {origin!r} is not this server's"
        return None
