"""Headers that the released front end puts on every answer (REST §1), and the `Date` of the server's own clock."""

from __future__ import annotations

from typing import Callable, List, Tuple

from .asgi import Asgi, Message, Receive, Scope, Send, is_device_request
from .clock import http_date

_DEVICE_HEADERS: List[Tuple[bytes, bytes]] = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-xss-protection", b"0"),
    (b"cache-control", b"no-cache, no-store, max-age=0, must-revalidate"),
    (b"pragma", b"no-cache"),
    (b"expires", b"0"),
    (b"x-frame-options", b"DENY"),
]


class DateMiddleware:
    """`Date` on everything, faults included; it follows the clock that an administrator may shift."""

    def __init__(self, app: Asgi, now: Callable[[], int]):
        self._app = app
        self._now = now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def dated_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = (b"date", http_date(self._now()).encode())
                message = {**message, "headers": [*message.get("headers", []), date]}
            await send(message)

        await self._app(scope, receive, dated_send if scope["type"] == "http" else send)


class AnswerHeadersMiddleware:
    """The other headers of answers to devices, which come in chunks, without a length."""

    def __init__(self, app: Asgi):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def device_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() != b"content-length"]
                message = {**message, "headers": [*_DEVICE_HEADERS, *kept]}
            await send(message)

        await self._app(scope, receive, device_send if is_device_request(scope) else send)
