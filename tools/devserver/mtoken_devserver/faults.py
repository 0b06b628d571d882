# SPDX-License-Identifier: Apache-2.0
"""Misbehaviour on request, for tests of clients.

A rule names a path prefix and a kind. *Wire* faults happen in the middleware of this module, around the application or
instead of it; *answer* faults are handed to the endpoints, which then make a wrong answer on purpose, or the one that
the released front end gives while the servers behind it are down.
"""

from __future__ import annotations

import asyncio
import copy
import json
import socket
import struct
from http import HTTPStatus
from typing import Any, Awaitable, Callable, Dict, List, Optional, Tuple

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from .asgi import Asgi, Message, Receive, Scope, Send, is_device_request

JWS_KINDS = (
    "wrong_ecdsa",
    "wrong_mldsa",
    "missing_signature",
    "extra_signature",
    "duplicate_signature",
    "foreign_algorithm",
    "reversed_signatures",
)
SHARED_SECRET_KINDS = (
    "swapped_ciphertexts",
    "altered_ciphertext",
    "missing_ciphertext",
    "extra_ciphertext",
    "altered_salt",
    "downgraded_suite",
)
"""Faults of protocol 4.0, in the JWS of temporary keys and in shared secret exchanges."""

ANSWER_KINDS = frozenset(
    {
        "wrong_mac",
        "wrong_key",
        "wrong_nonce",
        "wrong_signature_jwt",
        "wrong_timestamp",
        "wrong_status_mac",
        "expired_temp_key",
        "patch",
        "edit",
        *JWS_KINDS,
        *SHARED_SECRET_KINDS,
        "backend-down",
        "push-down",
    }
)


_KEY_STORES = ("/pa/v3/keystore/create", "/pa/v4/keystore/create")
_STATUSES = ("/pa/v3/activation/status", "/pa/v4/activation/status")
_EXCHANGES = tuple(
    f"/pa/v4/{path}"
    for path in ("keystore/create", "activation/create", "password/change", "biometry/add", "upgrade/start")
)
PLACES: Dict[str, Tuple[str, ...]] = {
    **{kind: _KEY_STORES[1:] for kind in JWS_KINDS},
    **{kind: _EXCHANGES for kind in SHARED_SECRET_KINDS},
    "wrong_signature_jwt": _KEY_STORES,
    "wrong_status_mac": _STATUSES[1:],
    "push-down": ("/api/inbox", "/api/push"),
}
"""Where the faults that are not of every endpoint can show."""


class FaultSet:
    """The answer faults that apply to one request: kind → parameters."""

    def __init__(self, faults: Optional[List[Tuple[str, Dict[str, Any]]]] = None):
        self._faults = faults or []

    def get(self, kind: str, layer: Optional[str] = None, default_layer: str = "outer") -> Optional[Dict[str, Any]]:
        """Parameters of the first fault of this kind (and encryption layer), or None."""
        for name, parameters in self._faults:
            if name == kind and (layer is None or parameters.get("layer", default_layer) == layer):
                return parameters
        return None

    def patched(self, layer: str, value: Dict[str, Any]) -> Dict[str, Any]:
        """`value` changed by a `patch` fault of this layer: `set` {dotted path: value} and `remove` [dotted path]."""
        parameters = self.get("patch", layer, default_layer="wire")
        if parameters is None:
            return value
        value = copy.deepcopy(value)
        for path, member in parameters.get("set", {}).items():
            parent, name = _parent(value, path, create=True)
            if parent is not None:
                parent[name] = member
        for path in parameters.get("remove", []):
            parent, name = _parent(value, path, create=False)
            if parent is not None:
                parent.pop(name, None)
        return value

    def edited(self, layer: str, text: bytes) -> bytes:
        """The JSON `text` of this layer changed by an `edit` fault: `replace` [[old, new], …], once each.

        So a member can come twice, or the text be no JSON at all.
        """
        parameters = self.get("edit", layer, default_layer="wire")
        for old, new in parameters["replace"] if parameters else ():
            text = text.replace(old.encode(), new.encode(), 1)
        return text


def _parent(value: Any, path: str, *, create: bool) -> Tuple[Optional[Dict[str, Any]], str]:
    *parents, name = path.split(".")
    for step in parents:
        if isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict):
            value = value.setdefault(step, {}) if create else value.get(step)
        else:
            return None, name
    return (value if isinstance(value, dict) else None), name


class FaultRule(BaseModel):
    """One rule as the admin API takes and lists it."""

    model_config = ConfigDict(extra="forbid")

    match: str = Field(description="path prefix")
    method: Optional[str] = None
    kind: str
    nth: int = Field(default=1, ge=1, description="first matching request that it applies to")
    count: Optional[int] = Field(
        default=None, ge=1, description="how many requests; absent: all, or one where nth is given"
    )
    parameters: Dict[str, Any] = Field(default_factory=dict)
    id: int = 0
    matched: int = Field(default=0, description="matching requests so far")
    applied: int = Field(default=0, description="requests that it was applied to")
    _over: Optional[asyncio.Event] = PrivateAttr(default=None)

    def take(self, method: str, path: str) -> bool:
        """Counts a request; true where the rule applies to it."""
        if not path.startswith(self.match) or (self.method or method).upper() != method:
            return False
        self.matched += 1
        count = self.count
        if count is None and "nth" in self.model_fields_set:
            count = 1
        if self.matched < self.nth or (count is not None and self.matched >= self.nth + count):
            return False
        self.applied += 1
        return True

    async def hold(self) -> None:
        """Waits as long as the rule says, or until it is removed."""
        self._over = self._over or asyncio.Event()
        try:
            await asyncio.wait_for(self._over.wait(), float(self.parameters.get("ms", 1000)) / 1000)
        except asyncio.TimeoutError:
            pass

    def end(self) -> None:
        """Releases all calls that the rule holds."""
        if self._over is not None:
            self._over.set()


class Connections:
    """Transports of open connections by the client's address, so that a fault can break them."""

    def __init__(self) -> None:
        self._transports: Dict[Tuple[str, int], asyncio.Transport] = {}

    def opened(self, transport: asyncio.Transport) -> None:
        address = transport.get_extra_info("peername")
        if address:
            self._transports[tuple(address[:2])] = transport

    def closed(self, transport: asyncio.Transport) -> None:
        for address, known in list(self._transports.items()):
            if known is transport:
                del self._transports[address]

    def of(self, scope: Scope) -> Optional[asyncio.Transport]:
        client = scope.get("client")
        return self._transports.get(tuple(client)) if client else None


class Faults:
    """The rules in force."""

    def __init__(self) -> None:
        self.rules: List[FaultRule] = []
        self.paths: List[str] = []
        self._next = 1

    def reason_against(self, rule: FaultRule) -> Optional[str]:
        """Why this rule could never fire: `paths` are those of the devices' API."""
        if rule.kind not in KINDS:
            return f"fault kind {rule.kind} does not exist; there are {', '.join(sorted(KINDS))}"
        if not any(path.startswith(rule.match) for path in self.paths):
            return f"no path of the devices' API begins with {rule.match or 'nothing'}"
        places = PLACES.get(rule.kind, ("/",))
        if not any(rule.match.startswith(place) or place.startswith(rule.match) for place in places):
            return f"the fault {rule.kind} shows at {', '.join(places)} only"
        return None

    def add(self, rule: FaultRule) -> FaultRule:
        rule.id = self._next
        self._next += 1
        self.rules.append(rule)
        return rule

    def remove(self, rule_id: int) -> bool:
        removed = [rule for rule in self.rules if rule.id == rule_id]
        for rule in removed:
            self.rules.remove(rule)
            rule.end()
        return bool(removed)

    def clear(self) -> None:
        for rule in list(self.rules):
            self.remove(rule.id)

    def take(self, method: str, path: str) -> List[FaultRule]:
        """The rules that apply to this request, in the order they were added."""
        return [rule for rule in self.rules if rule.take(method, path)]


class FaultMiddleware:
    """Applies the rules around an ASGI application."""

    def __init__(self, app: Asgi, faults: Faults, connections: Connections):
        self._app = app
        self._faults = faults
        self._connections = connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        rules = self._faults.take(scope["method"], scope["path"]) if is_device_request(scope) else []
        if not rules:
            await self._app(scope, receive, send)
            return
        scope["mtoken.faults"] = FaultSet([(_answer_kind(rule), rule.parameters) for rule in rules])
        wire = None
        for rule in rules:
            if rule.kind == "latency" and rule.parameters.get("after"):
                send = _late(send, rule)
            elif rule.kind == "latency":
                await rule.hold()
            elif rule.kind in WIRE_KINDS and _answer_kind(rule) not in ANSWER_KINDS:
                wire = wire or rule
        if wire is None:
            await self._app(scope, receive, send)
        else:
            exchange = _Exchange(self._app, scope, receive, send, self._connections.of(scope), wire.parameters)
            await WIRE_KINDS[wire.kind](exchange)


def _answer_kind(rule: FaultRule) -> str:
    """A database that is gone is noticed once as the back end's failure; after that the front end waits for it."""
    return "backend-down" if rule.kind == "database-down" and rule.applied == 1 else rule.kind


def _late(send: Send, rule: FaultRule) -> Send:
    """Holds the answer back although the request was handled at once."""

    async def late_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            await rule.hold()
        await send(message)

    return late_send


class _Exchange:
    """One request under a wire fault."""

    def __init__(
        self,
        app: Asgi,
        scope: Scope,
        receive: Receive,
        send: Send,
        transport: Optional[asyncio.Transport],
        parameters: Dict[str, Any],
    ):
        self._app, self._scope, self._receive, self._send = app, scope, receive, send
        self._transport = transport
        self._parameters = parameters
        self._status = 200
        self._headers: List[Tuple[bytes, bytes]] = []

    async def _read_body(self) -> bytes:
        body = b""
        while True:
            message = await self._receive()
            body += message.get("body", b"")
            if message["type"] != "http.request" or not message.get("more_body"):
                return body

    async def _real_answer(self) -> bytes:
        """Lets the application handle the request, and keeps its answer back."""
        body = await self._read_body()
        request: List[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        answer: List[bytes] = []

        async def receive() -> Message:
            return request.pop() if request else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._status, self._headers = message["status"], list(message["headers"])
            else:
                answer.append(message.get("body", b""))

        await self._app(self._scope, receive, send)
        return b"".join(answer)

    async def _before(self, *, process_by_default: bool) -> None:
        if self._parameters.get("process", process_by_default):
            await self._real_answer()
        else:
            await self._read_body()

    async def _answer(
        self, status: int, content_type: str, body: bytes, headers: Optional[Dict[str, str]] = None
    ) -> None:
        pairs = [(b"content-type", content_type.encode()), (b"content-length", str(len(body)).encode())]
        pairs += [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})
        await self._send({"type": "http.response.body", "body": body})

    def _close(self, *, flush: bool = False) -> None:
        if self._transport is None:
            return
        if self._parameters.get("reset"):
            connection: Optional[socket.socket] = self._transport.get_extra_info("socket")
            if connection is not None:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if flush:
            self._transport.close()
        else:
            self._transport.abort()

    async def status(self) -> None:
        await self._before(process_by_default=False)
        parameters = self._parameters
        status = parameters.get("status", 500)
        if "body" in parameters:
            body, kind = str(parameters["body"]).encode(), parameters.get("contentType", "text/plain")
        else:
            error = {"code": parameters.get("code", "ERROR_GENERIC"), "message": parameters.get("message", "Fault")}
            body, kind = json.dumps({"status": "ERROR", "responseObject": error}).encode(), "application/json"
        await self._answer(status, kind, body, self._extra_headers())

    async def html(self) -> None:
        """A gateway's page, before the request was handled or after it."""
        await self._before(process_by_default=False)
        status = int(self._parameters.get("status", 502))
        title = f"{status} {_phrase(status)}".strip()
        page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
        await self._answer(status, "text/html", page.encode(), self._extra_headers())

    async def empty(self) -> None:
        await self._before(process_by_default=False)
        await self._answer(self._parameters.get("status", 200), "application/json", b"", self._extra_headers())

    def _extra_headers(self) -> Dict[str, str]:
        headers = dict(self._parameters.get("headers") or {})
        if "retryAfter" in self._parameters:
            headers["Retry-After"] = str(self._parameters["retryAfter"])
        return headers

    async def garbage_json(self) -> None:
        await self._before(process_by_default=False)
        body = self._parameters.get("body", '{"status":"OK","responseObject":{"id":[1,2,')
        await self._answer(self._parameters.get("status", 200), "application/json", body.encode())

    async def huge_body(self) -> None:
        """A well-formed but endless-looking JSON text of `bytes` bytes."""
        await self._before(process_by_default=False)
        left = int(self._parameters.get("bytes", 64 * 1024 * 1024))
        headers = [(b"content-type", b"application/json")]
        if not self._parameters.get("chunked"):
            headers.append((b"content-length", str(left).encode()))
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        chunk = b'{"status":"OK","responseObject":"'
        while left > 0:
            chunk = chunk[:left]
            left -= len(chunk)
            await self._send({"type": "http.response.body", "body": chunk, "more_body": left > 0})
            chunk = b"x" * 65536

    async def truncate(self) -> None:
        """The right headers and length, then only a part of the body, then the end of the connection."""
        body = await self._real_answer()
        kept = self._parameters.get("bytes", int(len(body) * self._parameters.get("fraction", 0.5)))
        await self._send({"type": "http.response.start", "status": self._status, "headers": self._headers})
        await self._send({"type": "http.response.body", "body": body[:kept], "more_body": True})
        self._close(flush=True)

    async def slow_drip(self) -> None:
        """The right answer, `bytes` at a time, every `intervalMs`."""
        body = await self._real_answer()
        size = max(1, int(self._parameters.get("bytes", 1)))
        await self._send({"type": "http.response.start", "status": self._status, "headers": self._headers})
        for start in range(0, len(body), size):
            if self._transport is not None and self._transport.is_closing():
                return
            await asyncio.sleep(self._parameters.get("intervalMs", 100) / 1000)
            await self._send({"type": "http.response.body", "body": body[start : start + size], "more_body": True})
        await self._send({"type": "http.response.body", "body": b""})

    async def close_before_read(self) -> None:
        """Ends the connection when the request's head has arrived."""
        self._close()

    async def close_after_read(self) -> None:
        """Reads the whole request, handles it unless `process` is false, and ends the connection without an answer."""
        await self._before(process_by_default=True)
        self._close()

    async def hang(self) -> None:
        """Reads the request and stays silent until the client gives up."""
        await self._before(process_by_default=False)
        while (await self._receive())["type"] != "http.disconnect":
            pass


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


WIRE_KINDS: Dict[str, Callable[[_Exchange], Awaitable[None]]] = {
    "status": _Exchange.status,
    "html": _Exchange.html,
    "empty": _Exchange.empty,
    "garbage_json": _Exchange.garbage_json,
    "huge_body": _Exchange.huge_body,
    "truncate": _Exchange.truncate,
    "slow_drip": _Exchange.slow_drip,
    "close_before_read": _Exchange.close_before_read,
    "close_after_read": _Exchange.close_after_read,
    "hang": _Exchange.hang,
    "database-down": _Exchange.hang,
}

KINDS = frozenset(WIRE_KINDS) | ANSWER_KINDS | {"latency"}
