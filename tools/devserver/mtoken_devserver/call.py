# SPDX-License-Identifier: Apache-2.0
"""One HTTP request as the services see it, and how their answers become HTTP responses."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, Iterable, List, Mapping, Optional

from fastapi import FastAPI, Request, Response

from .errors import ApiError, generic, unsupported_media_type
from .faults import FaultSet

if TYPE_CHECKING:
    from .server import Server

Answer = Dict[str, Any]
NOTHING: Answer = {}
"""Stands for a 200 without a body; compared by identity."""

ErrorFactory = Callable[[str], ApiError]


@dataclass(frozen=True)
class Call:
    """Method, path, raw query, headers and the exact body bytes of a request, with the faults that apply to it."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    faults: FaultSet
    client: str = ""
    trace: List[Dict[str, Any]] = field(default_factory=list)

    @classmethod
    async def read(cls, request: Request) -> Call:
        return cls(
            method=request.method,
            path=request.url.path,
            query=request.url.query,
            headers=request.headers,
            body=await request.body(),
            faults=request.scope.get("mtoken.faults") or FaultSet(),
            client=request.client.host if request.client else "",
            trace=request.scope.get("mtoken.trace", []),
        )

    def note(self, kind: str, **details: Any) -> None:
        """Adds to what the request log tells of this request: a layer, a check."""
        self.trace.append({"kind": kind, **details})

    def need_back_end(self, error: Callable[[str], Exception]) -> None:
        """Where the front end asks the back end: refuses with `error` while a fault says that it is down."""
        if self.faults.get("backend-down") is not None:
            raise error("the back end is down")

    def json(self, error: ErrorFactory) -> Dict[str, Any]:
        """The body as a JSON object; it must not call itself something else."""
        kind = self.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            raise unsupported_media_type(f"body is {kind}")
        return json_object(self.body, error)

    def request_object(self, missing: ErrorFactory) -> Dict[str, Any]:
        """The member `requestObject` of the plain request envelope (rest.md §1); a body that is no JSON is a 500
        (rest.md §1.2).
        """
        value = self.json(generic).get("requestObject")
        if value is None:
            raise missing("requestObject is missing")
        if not isinstance(value, dict):
            raise generic("requestObject is not an object")
        return value

    def text(self, layer: str, value: Dict[str, Any]) -> bytes:
        """The JSON text of an answer or a layer of it, with the faults that change it."""
        return self.faults.edited(layer, to_json(self.faults.patched(layer, value)))

    def response(self, answer: Answer) -> Response:
        return Response(self.text("wire", answer), media_type="application/json")

    @property
    def languages(self) -> Iterable[str]:
        """Language codes of `Accept-Language`, in the order of their weight."""
        weighted = []
        for position, item in enumerate(self.headers.get("accept-language", "en").split(",")):
            tag, _, weight = item.strip().partition(";q=")
            try:
                weighted.append((-float(weight or 1), position, tag.split("-")[0].strip().lower()))
            except ValueError:
                continue
        return [tag for _, _, tag in sorted(weighted)]


class _Number(float):
    """A number with a fraction or an exponent, and how it was written."""

    text: str

    @classmethod
    def read(cls, text: str) -> _Number:
        number = cls(text)
        number.text = text
        return number


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def json_object(data: bytes, error: ErrorFactory) -> Dict[str, Any]:
    """Strict: no NaN, and no escaped half of a surrogate pair, which could not be written again."""
    try:
        value = json.loads(data.decode("utf-8"), parse_constant=_no_constant, parse_float=_Number.read)
        if b"\\u" in data:
            to_json(value)
    except (ValueError, RecursionError) as problem:
        raise error(f"body is not JSON: {problem}") from problem
    if not isinstance(value, dict):
        raise error("body is not a JSON object")
    return value


def only_members(value: Mapping[str, Any], known: Iterable[str], error: ErrorFactory) -> None:
    """For the few objects in which the released servers suffer no member that they do not know (rest.md §1.2)."""
    unknown = value.keys() - set(known)
    if unknown:
        raise error(f"unknown member {sorted(unknown)[0]}")


def optional_text(value: Mapping[str, Any], name: str, unreadable: ErrorFactory = generic) -> Optional[str]:
    """A text member as the released servers read it: a number or a truth value is a text too, and what is neither
    cannot be read.
    """
    member = value.get(name)
    if isinstance(member, (dict, list)):
        raise unreadable(f"{name} is not text")
    if isinstance(member, _Number):
        return member.text
    return member if member is None or isinstance(member, str) else json.dumps(member)


def text_member(
    value: Mapping[str, Any], name: str, missing: ErrorFactory, unreadable: Optional[ErrorFactory] = generic
) -> str:
    """A required, non-empty text member. `unreadable` is that of plain bodies; None: the same as `missing`."""
    member = optional_text(value, name, unreadable or missing)
    if not member:
        raise missing(f"{name} is missing")
    return member


def ok(response_object: Any = None, **extra: Any) -> Answer:
    """The plain success envelope (rest.md §1)."""
    answer: Answer = {"status": "OK"}
    if response_object is not None:
        answer["responseObject"] = response_object
    answer.update(extra)
    return answer


_MARK = secrets.token_hex(16)
_MARKED = re.compile(f'"{_MARK}([^"]*)"')


def _exact(value: Any) -> str:
    """A number whose digits must arrive as they are, which Python's floats do not promise."""
    if isinstance(value, Decimal):
        return f"{_MARK}{value:f}"
    raise TypeError(f"{type(value).__name__} is no JSON")


def to_json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_exact)
    return (_MARKED.sub(r"\1", text) if _MARK in text else text).encode("utf-8")


def json_response(value: Any, status: int = 200) -> Response:
    return Response(to_json(value), status, media_type="application/json")


def mount(
    app: FastAPI,
    server: Server,
    path: str,
    handler: Callable[[Server, Call], Answer],
    methods: Iterable[str] = ("POST",),
) -> None:
    """Serves `path` by `handler`, which runs alone: one request at a time changes records."""

    async def endpoint(request: Request) -> Response:
        call = await Call.read(request)
        with server.transaction():
            answer = handler(server, call)
        if answer is NOTHING:
            return Response()
        return call.response(answer)

    app.router.add_route(path, endpoint, methods=list(methods))


def mount_async(app: FastAPI, server: Server, path: str, handler: Callable[[Server, Call], Awaitable[Answer]]) -> None:
    """As `mount` for a handler that waits for other servers; it opens its own transactions."""

    async def endpoint(request: Request) -> Response:
        call = await Call.read(request)
        return call.response(await handler(server, call))

    app.router.add_route(path, endpoint, methods=["POST"])
