"""The web console: a view of the records with forms and buttons that call the admin API."""

from __future__ import annotations

import io
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

import segno
from fastapi import FastAPI, Response
from jinja2 import Environment, FileSystemLoader, select_autoescape

from . import errors
from .views import activation_view, application_view, operation_view, template_view

if TYPE_CHECKING:
    from .server import Server

_FOLDER = Path(__file__).parent / "console"
_LATEST = 50


def _time(milliseconds: Optional[int]) -> str:
    if not milliseconds:
        return "–"
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def qr_svg(text: str) -> bytes:
    """An SVG image of a QR code, byte mode, UTF-8."""
    image = io.BytesIO()
    segno.make(text, micro=False, mode="byte", encoding="utf-8", error="l").save(
        image, kind="svg", scale=4, border=3, light="#fff", xmldecl=False
    )
    return image.getvalue()


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

    def _page(self, name: str, **values: Any) -> Response:
        return Response(self._environment.get_template(name).render(**values), media_type="text/html")

    def _overview(self) -> Dict[str, Any]:
        server = self._server
        activations = [server.lifecycle.get(row.id) or row for row in server.activations][::-1]
        operations = [server.operation_service.get(row.id) or row for row in server.operations][::-1]
        return {
            "applications": [application_view(server, row) for row in server.applications],
            "templates": [template_view(row) for row in server.templates],
            "activations": [activation_view(server, row) for row in activations[:_LATEST]],
            "operations": [operation_view(row) for row in operations[:_LATEST]],
            "activation_count": len(activations),
            "operation_count": len(operations),
        }

    def overview(self, name: str) -> Response:
        with self._server.transaction():
            return self._page(name, **self._overview())

    def activation(self, name: str, activation_id: str) -> Response:
        with self._server.transaction():
            activation = self._server.lifecycle.get(activation_id)
            if activation is None:
                raise errors.not_found("activation does not exist")
            audit = self._server.audit.find(activation_id=activation_id, limit=30)[::-1]
            return self._page(name, activation=activation_view(self._server, activation), audit=audit)

    def operation(self, name: str, operation_id: str) -> Response:
        with self._server.transaction():
            operation = self._server.operation_service.get(operation_id)
            if operation is None:
                raise errors.not_found("operation does not exist")
            devices = self._server.activations.find("user", operation.user_id or "")
            return self._page(
                name,
                operation=operation_view(operation),
                totp=self._server.operation_service.totp(operation),
                devices=[activation_view(self._server, row) for row in devices if row.has_keys],
            )


def routes(app: FastAPI, server: Server) -> None:
    console = Console(server)

    @app.get("/console", include_in_schema=False)
    async def overview() -> Response:
        return console.overview("overview.html")

    @app.get("/console/live/overview", include_in_schema=False)
    async def live_overview() -> Response:
        return console.overview("lists.html")

    _pages_of_records(app, "activation", console.activation)
    _pages_of_records(app, "operation", console.operation)

    @app.get("/console/qr.svg", include_in_schema=False)
    async def qr(text: str) -> Response:
        return Response(qr_svg(text), media_type="image/svg+xml")

    @app.get("/console/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        types = {"console.css": "text/css", "console.js": "text/javascript"}
        if name not in types:
            raise errors.not_found("page does not exist")
        return Response((_FOLDER / name).read_bytes(), media_type=types[name])


def _pages_of_records(app: FastAPI, kind: str, render: Callable[[str, str], Response]) -> None:
    """The page of one record, and the part of it that the page keeps fetching."""

    @app.get(f"/console/{kind}s/{{record_id}}", include_in_schema=False)
    async def page(record_id: str) -> Response:
        return render(f"{kind}.html", record_id)

    @app.get(f"/console/live/{kind}s/{{record_id}}", include_in_schema=False)
    async def live(record_id: str) -> Response:
        return render(f"{kind}_state.html", record_id)
