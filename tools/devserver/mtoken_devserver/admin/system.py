# SPDX-License-Identifier: Apache-2.0
"""Admin API: configuration, clock, temporary keys, faults, audit and request log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

from fastapi import APIRouter

from .. import errors
from ..faults import FaultRule
from ..settings import Settings
from . import common

if TYPE_CHECKING:
    from ..server import Server


class ClockChange(common.Body):
    offsetMs: int


def router(server: Server) -> APIRouter:
    api = APIRouter()
    _settings(api, server)
    _temporary_keys(api, server)
    _faults(api, server)
    _logs(api, server)
    return api


def _settings(api: APIRouter, server: Server) -> None:
    @api.get("/config")
    async def get_config() -> Dict[str, Any]:
        return server.settings.model_dump()

    @api.patch("/config")
    async def change_config(body: Dict[str, Any]) -> Dict[str, Any]:
        """Changes the named settings; the others stay."""
        try:
            server.settings = Settings(**{**server.settings.model_dump(), **body})
        except ValueError as error:
            raise errors.bad_input(errors.explained(error)) from error
        return server.settings.model_dump()

    @api.delete("/config")
    async def reset_config() -> Dict[str, Any]:
        server.settings = server.defaults.model_copy()
        return server.settings.model_dump()

    @api.get("/clock")
    async def get_clock() -> Dict[str, Any]:
        return {"now": server.clock.now(), "offsetMs": server.clock.offset_ms}

    @api.put("/clock")
    async def set_clock(body: ClockChange) -> Dict[str, Any]:
        server.clock.offset_ms = body.offsetMs
        return {"now": server.clock.now(), "offsetMs": server.clock.offset_ms}


def _temporary_keys(api: APIRouter, server: Server) -> None:
    atomic = common.transactional(server)

    @api.get("/temporary-keys")
    @atomic
    async def list_temporary_keys() -> Dict[str, Any]:
        return {
            "temporaryKeys": [
                {
                    "id": key.id,
                    "applicationKey": key.application_key,
                    "activationId": key.activation_id,
                    "expires": key.expires,
                }
                for key in server.temporary_keys
            ]
        }

    @api.delete("/temporary-keys")
    @atomic
    async def expire_temporary_keys(activationId: Optional[str] = None) -> Dict[str, Any]:
        """Ends the validity of all keys, or of those of one activation; devices notice when they use one."""
        expired = 0
        for key in server.temporary_keys:
            if activationId in (None, key.activation_id):
                server.temporary_keys.delete(key)
                expired += 1
        return {"expired": expired}


def _faults(api: APIRouter, server: Server) -> None:
    @api.post("/faults", status_code=201)
    async def add_fault(body: FaultRule) -> Dict[str, Any]:
        reason = server.faults.reason_against(body)
        if reason is not None:
            raise errors.bad_input(reason)
        return server.faults.add(body).model_dump()

    @api.get("/faults")
    async def list_faults() -> Dict[str, Any]:
        return {"faults": [rule.model_dump() for rule in server.faults.rules]}

    @api.delete("/faults")
    async def clear_faults() -> Dict[str, Any]:
        cleared = len(server.faults.rules)
        server.faults.clear()
        return {"cleared": cleared}

    @api.delete("/faults/{fault_id}")
    async def remove_fault(fault_id: int) -> Dict[str, Any]:
        if not server.faults.remove(fault_id):
            raise errors.not_found(f"fault {fault_id} does not exist")
        return {"cleared": 1}


def _logs(api: APIRouter, server: Server) -> None:
    @api.get("/audit")
    async def get_audit(
        after: int = 0, limit: int = 1000, kind: Optional[str] = None, activationId: Optional[str] = None
    ) -> Dict[str, Any]:
        return {"audit": server.audit.find(after=after, limit=limit, kind=kind, activation_id=activationId)}

    @api.get("/requests")
    async def get_requests(after: int = 0, path: str = "", limit: int = 1000) -> Dict[str, Any]:
        return {"requests": server.requests.find(after=after, path=path, limit=limit)}
