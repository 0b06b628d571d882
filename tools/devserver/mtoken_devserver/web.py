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

from . import errors, timeline
from .faults import KINDS
from .protocol4.suites import SUITES
from .settings import Settings
from .views import activation_view, application_view, message_view, operation_view, template_view

if TYPE_CHECKING:
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


def _matches(row: View, words: List[str], names: Iterable[str]) -> bool:
    text = " ".join(str(row.get(name) or "") for name in names).lower()
    return all(word in text for word in words)


class Pages:
    """What each page shows; every function takes the query of its address."""

    def __init__(self, server: Server, openapi: Callable[[], View]):
        self._server = server
        self._openapi = openapi

    def _found(self, rows: List[View], query: Query, names: Iterable[str], state: str) -> View:
        """The rows that the words and the state of the query leave, a page of them."""
        words, wanted = query.get("q", "").lower().split(), query.get("state", "")
        found = [row for row in rows if _matches(row, words, names) and wanted in ("", row.get(state))]
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
        return [operation_view(server.operation_service.get(row.id) or row) for row in server.operations][::-1]

    def _applications(self) -> List[View]:
        return [application_view(self._server, row) for row in self._server.applications]

    def front(self, query: Query) -> View:
        return {"applications": self._applications(), "version": self._server.version}

    def bank(self, query: Query) -> View:
        activations, operations = self._activations(), self._operations()
        return {
            "applications": self._applications(),
            "templates": [template_view(row) for row in self._server.templates],
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
        rows = [self._server.requests.get(row["seq"]) or row for row in self._server.requests.find()]
        shown = [{**row, "state": str(row["status"]), "badges": timeline.badges(row)} for row in rows if "trace" in row]
        return {**self._found(shown[::-1], query, ("path", "method", "body"), "state"), "purpose": timeline.purpose}

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
            "operation": operation_view(operation),
            "totp": totp,
            "deeplink": f"mtoken://operation?{query}",
            "devices": [activation_view(self._server, row) for row in devices if row.has_keys],
        }

    def request(self, record_id: str) -> View:
        record = self._server.requests.get(int(record_id)) if record_id.isascii() and record_id.isdigit() else None
        if record is None:
            raise errors.not_found("request is not in the log any more")
        return {
            "request": record,
            "purpose": timeline.purpose(record["path"]),
            "steps": timeline.steps(record),
            "body": timeline.readable(record["body"]),
            "answer": timeline.readable(record["answer"]),
        }


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


def routes(app: FastAPI, server: Server) -> None:
    console, pages = Console(server), Pages(server, app.openapi)

    @app.get("/", include_in_schema=False)
    async def front(request: Request) -> Response:
        return console.page("front.html", str(request.base_url).rstrip("/"), lambda: pages.front({}))

    @app.get("/console/qr.svg", include_in_schema=False)
    async def qr(text: str) -> Response:
        return Response(qr_svg(text), media_type="image/svg+xml")

    # The phone waits for this server's own answers, so it must not stand in their way.
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
            raise errors.not_found("page does not exist")
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
