# SPDX-License-Identifier: Apache-2.0
"""Types of the ASGI interface that the middlewares share."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, MutableMapping

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

INTERNAL_PREFIXES = ("/admin", "/console")


def is_internal(path: str) -> bool:
    """The front page, the console and the admin API."""
    return path == "/" or path.startswith(INTERNAL_PREFIXES)


def is_device_request(scope: Scope) -> bool:
    """False for the admin API and the console, which neither faults nor the request log touch."""
    return scope["type"] == "http" and not is_internal(scope["path"])
