# SPDX-License-Identifier: Apache-2.0
"""The admin API: plain JSON under `/admin`, for tests and for the console. It has no authentication of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import FastAPI

from . import activations, applications, imports, messages, operations, system

if TYPE_CHECKING:
    from ..server import Server


def routes(app: FastAPI, server: Server) -> None:
    for module in (applications, activations, operations, messages, imports, system):
        app.include_router(module.router(server), prefix="/admin")
