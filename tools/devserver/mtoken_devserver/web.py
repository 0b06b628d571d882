# SPDX-License-Identifier: Apache-2.0
"""The front page and the console: views of the records with forms and buttons that call the admin API."""

from __future__ import annotations

import io
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Optional
from urllib.parse import urlencode

import segno
from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from jinja2 import Environment, FileSystemLoader, select_autoescape

from . import errors, forms, timeline
from .changes import is_look
from .faults import KINDS
from .protocol4.suites import SUITES
from .settings import Settings
from .views import activation_view, application_view, message_view, operation_view, template_view

if TYPE_CHECKING:
    from .model import Operation
    from .server import Server

_FOLDER = Path(__file__).parent / "console"
_PAGE = 20
_ASSETS = {"console.css": "text/css", "console.js": "text/javascript", "icon.svg": "image/svg+xml"}

View = Dict[str, Any]
Query = Dict[str, str]


def _time(milliseconds: Optional[int]) -> str:
    if not milliseconds:
        return "–"
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def qr_svg(text: str) -> bytes:
    """An SVG image of a QR code, byte mode, UTF-8."""
    image = io.BytesIO()
    segno.make(text, micro=False, mode="byte", encoding="utf-8", error="l").save(
        image, kind="svg", scale=4, border=3, light="#fff", xmldecl=False
    )
    return image.getvalue()


_AUTHORIZE = "/api/auth/token/app/operation/authorize"
_READY = (
    ("The back end is down for five requests.", {"match": "/", "kind": "backend-down", "count": 5}),
    ("Lose the answer to the next approval.", {"match": _AUTHORIZE, "kind": "close_after_read", "count": 1}),
    (
        "A gateway gives up on the next approval.",
        {"match": _AUTHORIZE, "kind": "html", "count": 1, "parameters": {"status": 504, "process": True}},
    ),
    (
        "The next approval takes six seconds.",
        {"match": _AUTHORIZE, "kind": "latency", "count": 1, "parameters": {"ms": 6000}},
    ),
    ("Five slow answers.", {"match": "/pa/", "kind": "latency", "count": 5, "parameters": {"ms": 3000}}),
    (
        "A wrong ML-DSA signature beside a right ECDSA one.",
        {"match": "/pa/v4/keystore", "kind": "wrong_mldsa", "count": 1},
    ),
)
"""Faults that the lab has ready: what happens, and the rule."""


def _matches(row: View, words: List[str], names: Iterable[str]) -> bool:
    text = " ".join(str(row.get(name) or "") for name in names).lower()
    return all(word in text for word in words)


class Pages:
    """The contents of each page; every function takes the query of its address."""

    def __init__(self, server: Server, openapi: Callable[[], View]):
        self._server = server
        self._openapi = openapi

    def _found(self, rows: List[View], query: Query, names: Iterable[str], state: str) -> View:
        """The rows that the words and the state of the query leave, a page of them."""
        words = query.get("q", "").lower().split()
        wanted = {state: query.get("state", ""), **{name: query.get(name, "") for name in ("user", "device")}}
        found = [
            row
            for row in rows
            if _matches(row, words, names) and all(value in ("", row.get(member)) for member, value in wanted.items())
        ]
        number = query.get("page", "1")
        pages = max(1, -(-len(found) // _PAGE))
        page = min(pages, max(1, int(number) if number.isascii() and number.isdigit() else 1))
        shown = {name: value for name, value in query.items() if name != "page" and value}
        return {
            "rows": found[(page - 1) * _PAGE : page * _PAGE],
            "count": len(found),
            "page": page,
            "pages": pages,
            "query": query,
            "states": sorted({str(row.get(state)) for row in rows}),
            "link": lambda to: "?" + urlencode({**shown, "page": to}),
        }

    def _activations(self) -> List[View]:
        server = self._server
        return [activation_view(server, server.lifecycle.get(row.id) or row) for row in server.activations][::-1]

    def _operations(self) -> List[View]:
        server = self._server
        found = [server.operation_service.get(row.id) or row for row in server.operations]
        return [{**operation_view(row), "about": self._about(row)} for row in found[::-1]]

    def _about(self, operation: Operation) -> str:
        """The subject of an operation, as its user reads it."""
        template = self._server.operation_service.template_of(operation)
        form = forms.form_data(operation, forms.form_of(template, ["en"]), "en")
        return str(form.get("message") or form.get("title") or operation.data)

    @property
    def _user(self) -> str:
        """Whom a form is about unless somebody else is named: the user of the phone beside the bank."""
        return self._server.phone.user or "alice"

    def _applications(self) -> List[View]:
        return [application_view(self._server, row) for row in self._server.applications]

    def front(self, query: Query) -> View:
        return {"applications": self._applications(), "version": self._server.version}

    def bank(self, query: Query) -> View:
        activations, operations = self._activations(), self._operations()
        return {
            "applications": self._applications(),
            "user": self._user,
            "templates": [{**template_view(row), "fields": forms.fields_of(row)} for row in self._server.templates],
            "activations": activations[:8],
            "operations": operations[:8],
            "activation_count": len(activations),
            "operation_count": len(operations),
        }

    def operations(self, query: Query) -> View:
        names = ("operationId", "name", "userId", "data", "externalId")
        return self._found(self._operations(), query, names, "status")

    def activations(self, query: Query) -> View:
        names = ("activationId", "userId", "name", "platform", "activationCode", "suite", "applicationId")
        return self._found(self._activations(), query, names, "state")

    def applications(self, query: Query) -> View:
        return {"applications": self._applications(), "suites": list(SUITES)}

    def messages(self, query: Query) -> View:
        pushes = [{**push, "state": "silent" if push["silent"] else "shown"} for push in self._server.pushes.find()]
        inbox = [message_view(row) for row in self._server.inbox_messages][::-1]
        return {
            "user": self._user,
            "applications": self._applications(),
            "inbox": inbox[:_PAGE],
            "message_count": len(inbox),
            **self._found(pushes[::-1], query, ("activationId", "platform", "payload"), "state"),
        }

    def templates(self, query: Query) -> View:
        return {"templates": [template_view(row) for row in self._server.templates]}

    def lab(self, query: Query) -> View:
        values = self._server.settings.model_dump()
        return {
            "faults": [rule.model_dump() for rule in self._server.faults.rules],
            "kinds": sorted(KINDS),
            "ready": _READY,
            "paths": ["/", *sorted(set(self._server.faults.paths))],
            "now": self._server.clock.now(),
            "offset": self._server.clock.offset_ms,
            "settings": [
                {
                    "name": name,
                    "value": values[name],
                    "default": field.default,
                    "changed": values[name] != getattr(self._server.defaults, name),
                    "description": field.description or "",
                }
                for name, field in Settings.model_fields.items()
            ],
        }

    def audit(self, query: Query) -> View:
        rows = [
            {**row, "became": row.get("state"), "state": "accepted" if row["accepted"] else "refused"}
            for row in self._server.audit.find()
        ]
        names = ("kind", "reason", "activationId", "path", "uriId", "signatureType", "encryptor")
        return self._found(rows[::-1], query, names, "state")

    def requests(self, query: Query) -> View:
        log = self._server.requests
        rows = [row for row in (log.get(row["seq"]) for row in log.find()) if row is not None]
        shown = [self._sent(row) for row in rows if query.get("looks") or not _is_look(row)]
        devices = {row["device"]: f"{row['device_name']} · {row['device'][:8]}" for row in shown if row["device"]}
        return {
            **self._found(shown[::-1], query, ("path", "method", "body"), "state"),
            "users": sorted({row["user"] for row in shown if row["user"]}),
            "devices": list(devices.items()),
            "purpose": timeline.purpose,
        }

    def _sent(self, request: View) -> View:
        """A request with what its row shows: whose device it came from, and what protects it."""
        device = timeline.device(request)
        activation = self._server.activations.get(device)
        return {
            **request,
            "state": str(request["status"]),
            "badges": timeline.badges(request),
            "device": activation.id if activation else "",
            "device_name": (activation.name if activation else "") or "device",
            "user": activation.user_id if activation else "",
        }

    def api(self, query: Query) -> View:
        schema = self._openapi()
        groups: Dict[str, List[View]] = {}
        for path, methods in schema["paths"].items():
            for method, call in methods.items():
                area = path.split("/")[2] if path.count("/") > 1 else path
                body = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
                parameters, members = call.get("parameters", []), _members(schema, body)
                groups.setdefault(area, []).append(
                    {
                        "method": method.upper(),
                        "path": path,
                        "summary": call.get("description") or call.get("summary", "").capitalize(),
                        "parameters": parameters,
                        "members": members,
                        "explained": any(member.get("description") for member in [*parameters, *members]),
                    }
                )
        return {"groups": groups}

    # One record ----------------------------------------------------------------------------------------------------

    def activation(self, record_id: str) -> View:
        activation = self._server.lifecycle.get(record_id)
        if activation is None:
            raise errors.not_found("activation does not exist")
        application = self._server.applications[activation.application_id]
        return {
            "activation": activation_view(self._server, activation),
            "application": application_view(self._server, application),
            "audit": self._server.audit.find(activation_id=record_id, limit=30)[::-1],
        }

    def operation(self, record_id: str) -> View:
        service = self._server.operation_service
        operation = service.get(record_id)
        if operation is None:
            raise errors.not_found("operation does not exist")
        devices = self._server.activations.find("user", operation.user_id or "")
        totp = service.totp(operation)
        query = urlencode({"oid": operation.id, **({"potp": totp} if totp else {})})
        return {
            "operation": {**operation_view(operation), "about": self._about(operation)},
            "totp": totp,
            "deeplink": f"mtoken://operation?{query}",
            "devices": [activation_view(self._server, row) for row in devices if row.has_keys],
        }

    def request(self, record_id: str) -> View:
        record = self._server.requests.get(int(record_id)) if record_id.isascii() and record_id.isdigit() else None
        if record is None:
            raise errors.not_found("request is not in the log any more")
        sent = self._sent(record)
        return {
            "request": record,
            **{name: sent[name] for name in ("user", "device", "device_name")},
            "purpose": timeline.purpose(record["path"]),
            "steps": timeline.steps(record),
            "body": timeline.readable(record["body"]),
            "answer": timeline.readable(record["answer"]),
        }


def _is_look(request: View) -> bool:
    return is_look(request["path"], request["headers"].get("user-agent", ""))


def _members(schema: View, body: Optional[View]) -> List[View]:
    """The members of a request body, whatever wraps its schema."""
    if body is None:
        return []
    for choice in (body, *body.get("anyOf", ())):
        name = choice.get("$ref", "").rpartition("/")[2]
        if name:
            model = schema["components"]["schemas"][name]
            required = model.get("required", [])
            return [
                {
                    "name": member,
                    "type": _type(value),
                    "required": member in required,
                    "description": value.get("description", ""),
                }
                for member, value in model.get("properties", {}).items()
            ]
    return []


def _type(value: View) -> str:
    kinds = [_type(part) for part in value.get("anyOf", ()) if part.get("type") != "null"]
    if kinds:
        return " or ".join(kinds)
    if "enum" in value:
        return " | ".join(map(str, value["enum"]))
    return str(value.get("const") or value.get("type") or "object")


class Console:
    """Renders the pages of one server."""

    def __init__(self, server: Server):
        self._server = server
        self._environment = Environment(
            loader=FileSystemLoader(_FOLDER),
            autoescape=select_autoescape(["html"]),
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["time"] = _time
        self._environment.filters["pretty"] = _json

    def part(self, name: str, values: View) -> Response:
        """A piece of a page that needs nothing of the records."""
        return Response(self._environment.get_template(name).render(**values), media_type="text/html")

    def error(self, problem: errors.ApiError) -> Response:
        """A page for people instead of a refusal for programs."""
        what = "There is no such page" if problem.status == 404 else "That did not work"
        values = {"status": problem.status, "title": what, "text": errors.sentence(problem.reason)}
        text = self._environment.get_template("error.html").render(**values)
        return Response(text, problem.status, media_type="text/html")

    def page(self, name: str, address: str, values: Callable[[], View]) -> Response:
        with self._server.transaction():
            text = self._environment.get_template(name).render(address=address, server=self._server, **values())
        return Response(text, media_type="text/html")


_LISTS = (
    "bank",
    "operations",
    "activations",
    "applications",
    "messages",
    "templates",
    "lab",
    "audit",
    "requests",
    "api",
)
_RECORDS = ("activation", "operation", "request")


def is_for_people(request: Request) -> bool:
    """Whether a browser shows the answer, rather than a program reading it."""
    page = request.url.path.startswith("/console/") or "text/html" in request.headers.get("accept", "")
    return request.method == "GET" and page


def routes(app: FastAPI, server: Server) -> None:
    console, pages = Console(server), Pages(server, app.openapi)
    app.state.console = console

    @app.get("/", include_in_schema=False)
    async def front(request: Request) -> Response:
        return console.page("front.html", str(request.base_url).rstrip("/"), lambda: pages.front({}))

    @app.get("/console/qr.svg", include_in_schema=False)
    async def qr(text: str) -> Response:
        return Response(qr_svg(text), media_type="image/svg+xml")

    @app.get("/console/changes", include_in_schema=False)
    async def changes(seen: int = 0) -> Response:
        return Response(str(await server.changes.after(seen)), media_type="application/json")

    # The phone waits for this server's own answers, so it must not block them.
    @app.get("/console/phone", include_in_schema=False)
    async def phone() -> Response:
        return console.part("phone.html", await run_in_threadpool(server.phone.show))

    @app.post("/console/phone/{action}", include_in_schema=False)
    async def touch(action: str, form: Dict[str, str]) -> Response:
        return console.part("phone.html", await run_in_threadpool(server.phone.act, action, form))

    for name in _LISTS:
        _list_page(app, console, name, getattr(pages, name))
    for name in _RECORDS:
        _record_page(app, console, name, getattr(pages, name))

    @app.get("/console/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        if name not in _ASSETS:
            raise errors.not_found(f"this server has nothing at /console/{name}")
        return Response((_FOLDER / name).read_bytes(), media_type=_ASSETS[name])


def _list_page(app: FastAPI, console: Console, name: str, values: Callable[[Query], View]) -> None:
    """A page, and the part of it that the page keeps fetching."""

    def make(path: str, template: str) -> None:
        @app.get(path, include_in_schema=False)
        async def show(request: Request) -> Response:
            query = dict(request.query_params)
            address = str(request.base_url).rstrip("/")
            return console.page(template, address, lambda: {"page_name": name, **values(query)})

    for path in (f"/console/{name}", "/console") if name == _LISTS[0] else (f"/console/{name}",):
        make(path, f"{name}.html")
    _live(make, f"/console/live/{name}", name)


def _record_page(app: FastAPI, console: Console, name: str, values: Callable[[str], View]) -> None:
    def make(path: str, template: str) -> None:
        @app.get(path, include_in_schema=False)
        async def show(request: Request, record_id: str) -> Response:
            address = str(request.base_url).rstrip("/")
            return console.page(template, address, lambda: {"page_name": f"{name}s", **values(record_id)})

    make(f"/console/{name}s/{{record_id}}", f"{name}.html")
    _live(make, f"/console/live/{name}s/{{record_id}}", name)


def _live(make: Callable[[str, str], None], path: str, name: str) -> None:
    """Not every page changes by itself."""
    template = f"{name}_live.html"
    if (_FOLDER / template).exists():
        make(path, template)
