# SPDX-License-Identifier: Apache-2.0
"""Tells pages that wait that something has changed, so that none of them asks again and again."""

from __future__ import annotations

import asyncio
import threading
from typing import Dict

from .asgi import Asgi, Receive, Scope, Send, is_device_request

WAIT_SECONDS = 25
"""How long a page waits for a change; after that it asks again, and sees what has expired meanwhile."""

AGENT = "console-phone/1"
"""The name of the phone beside the bank."""
LOOKS = {
    "/api/auth/token/app/operation/list",
    *(
        f"/pa/{version}/{path}"
        for version in ("v3", "v4")
        for path in ("status", "activation/status", "keystore/create")
    ),
}
"""Where it looks for what is new."""


class Changes:
    """A number that grows with each change. Marked from any thread."""

    def __init__(self) -> None:
        self.number = 1
        self._lock = threading.Lock()
        self._waiting: Dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    def mark(self) -> None:
        with self._lock:
            self.number += 1
            waiting, self._waiting = self._waiting, {}
        for event, loop in waiting.items():
            loop.call_soon_threadsafe(event.set)

    async def after(self, seen: int, seconds: float = WAIT_SECONDS) -> int:
        """The number as soon as it is another one than `seen`, or when the time is over."""
        event = asyncio.Event()
        with self._lock:
            if self.number != seen:
                return self.number
            self._waiting[event] = asyncio.get_running_loop()
        try:
            await asyncio.wait_for(event.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        finally:
            self._waiting.pop(event, None)
        return self.number


class ChangesMiddleware:
    """Takes each request for a change that may have made one: all but reading by console, admin API and the phone."""

    def __init__(self, app: Asgi, changes: Changes):
        self._app = app
        self._changes = changes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        finally:
            if scope["type"] == "http" and not _only_reads(scope):
                self._changes.mark()


def is_look(path: str, agent: str) -> bool:
    """Whether a request is the console's own phone, which only looks."""
    return AGENT in agent and path in LOOKS


def _only_reads(scope: Scope) -> bool:
    if not is_device_request(scope):
        return scope["method"] == "GET"
    agents = [value for name, value in scope["headers"] if name == b"user-agent"]
    return is_look(scope["path"], b" ".join(agents).decode("latin-1"))
