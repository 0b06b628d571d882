# SPDX-License-Identifier: Apache-2.0
"""The HTTP requests that arrived, for tests that count them or look at headers."""

from __future__ import annotations

from collections import deque
from typing import Any, Callable, Deque, Dict, List, Optional

from .asgi import Asgi, Message, Receive, Scope, Send, is_device_request

_BODY_LIMIT = 16_384


class RequestLog:
    """The last requests of devices, newest at the end; each has a growing `seq`."""

    def __init__(self, limit: int = 2000):
        self._records: Deque[Dict[str, Any]] = deque(maxlen=limit)
        self._next = 1

    def begin(self, scope: Scope, now: int) -> Dict[str, Any]:
        record = {
            "seq": self._next,
            "time": now,
            "scope": scope,
            "body": b"",
            "status": None,
            "answer": b"",
            "trace": [],
        }
        scope["mtoken.trace"] = record["trace"]
        self._next += 1
        self._records.append(record)
        return record

    def find(self, *, after: int = 0, path: str = "", limit: int = 1000) -> List[Dict[str, Any]]:
        """Records behind `after` whose path begins with `path`, oldest first."""
        found = [
            record for record in self._records if record["seq"] > after and record["scope"]["path"].startswith(path)
        ]
        return [_readable(record) for record in found[-limit:]]

    def get(self, seq: int) -> Optional[Dict[str, Any]]:
        """One request with its answer and the layers of both, as the server saw them."""
        for record in self._records:
            if record["seq"] == seq:
                answer = record["answer"].decode("utf-8", "replace")
                return {**_readable(record), "answer": answer, "trace": list(record["trace"])}
        return None


def _readable(record: Dict[str, Any]) -> Dict[str, Any]:
    scope = record["scope"]
    return {
        "seq": record["seq"],
        "time": record["time"],
        "method": scope["method"],
        "path": scope["path"],
        "query": scope.get("query_string", b"").decode("latin-1"),
        "client": list(scope.get("client") or ()),
        "headers": {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]},
        "body": record["body"].decode("utf-8", "replace"),
        "status": record["status"],
    }


class RequestLogMiddleware:
    """Records every request that is not for the admin API or the console; `status` stays null without an answer."""

    def __init__(self, app: Asgi, log: RequestLog, now: Callable[[], int]):
        self._app = app
        self._log = log
        self._now = now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_device_request(scope):
            await self._app(scope, receive, send)
            return
        record = self._log.begin(scope, self._now())

        async def noting_receive() -> Message:
            message = await receive()
            if len(record["body"]) < _BODY_LIMIT:
                record["body"] += message.get("body", b"")
            return message

        async def noting_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                record["status"] = message["status"]
            elif len(record["answer"]) < _BODY_LIMIT:
                record["answer"] += message.get("body", b"")
            await send(message)

        await self._app(scope, noting_receive, noting_send)
