# SPDX-License-Identifier: Apache-2.0
"""Headers that the released front end puts on every answer (rest.md §1), and the `Date` of the server's own clock."""

from __future__ import annotations

from typing import Callable, List, Optional, Tuple

from fastapi import Response

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


def accepts_json(accept: str) -> bool:
    """Whether an `Accept` header leaves room for JSON."""
    kinds = [item.partition(";")[0].strip().lower() for item in accept.split(",")]
    return any(kind in ("", "*/*", "application/*", "application/json", "application/*+json") for kind in kinds)


class AnswerHeadersMiddleware:
    """The other headers of answers to devices, which come in chunks, without a length.

    A client that does not accept JSON gets a 406 without a body (released-servers.md §5), after the work is done.
    """

    def __init__(self, app: Asgi):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_device_request(scope):
            await self._app(scope, receive, send)
            return
        given = b",".join(value for name, value in scope["headers"] if name == b"accept")
        refused = not accepts_json(given.decode("latin-1"))

        async def device_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                dropped = {b"content-length"} | ({b"content-type"} if refused else set())
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in dropped]
                message = {**message, "headers": [*_DEVICE_HEADERS, *kept]}
                if refused:
                    message["status"] = 406
            elif refused and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app(scope, receive, device_send)


_HEAD_LIMIT = 8192


def _refusal_of_head(scope: Scope) -> Optional[str]:
    """Why the released front end would not read on after this head."""
    headers = scope["headers"]
    hosts = sum(name == b"host" for name, _ in headers)
    if hosts > 1 or (hosts == 0 and scope["http_version"] != "1.0"):
        return "one Host header is wanted"
    size = (
        len(scope["raw_path"]) + len(scope["query_string"]) + sum(len(name) + len(value) + 4 for name, value in headers)
    )
    return "the headers are too long" if size > _HEAD_LIMIT else None


class FramingMiddleware:
    """Refuses such heads with a 400, and answers HTTP/1.0, which knows no chunks, with a length."""

    def __init__(self, app: Asgi):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = _refusal_of_head(scope) if scope["type"] == "http" else None
        if refusal is not None:
            await Response(refusal, 400, {"connection": "close"}, "text/plain")(scope, receive, send)
        elif scope["type"] == "http" and scope["http_version"] == "1.0":
            await self._answer_whole(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer_whole(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}
        body = b""

        async def keep(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if not message.get("more_body"):
                kept = [pair for pair in start.get("headers", []) if pair[0].lower() != b"content-length"]
                length = (b"content-length", str(len(body)).encode())
                await send({**start, "headers": [*kept, length]})
                await send({"type": "http.response.body", "body": body})

        await self._app(scope, receive, keep)
