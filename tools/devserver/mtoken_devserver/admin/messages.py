# SPDX-License-Identifier: Apache-2.0
"""Admin API: outgoing pushes and inbox messages."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Dict, Literal, Optional

from fastapi import APIRouter
from pydantic import Field

from .. import push
from ..model import InboxMessage
from ..views import message_view
from . import common

if TYPE_CHECKING:
    from ..server import Server


class NewMessage(common.Body):
    userId: str = Field(min_length=1)
    applicationId: Optional[str] = None
    type: Literal["text", "html"] = "text"
    subject: str
    summary: str = ""
    body: str = ""
    silent: bool = Field(default=False, description="no push")


def router(server: Server) -> APIRouter:
    api = APIRouter()
    atomic = common.transactional(server)

    @api.get("/pushes")
    @atomic
    async def list_pushes(after: int = 0) -> Dict[str, Any]:
        return {"pushes": server.pushes.find(after)}

    @api.post("/inbox", status_code=201)
    @atomic
    async def create_message(body: NewMessage) -> Dict[str, Any]:
        message = server.inbox_messages.save(
            InboxMessage(
                id=str(uuid.uuid4()),
                user_id=body.userId,
                application_id=common.application(server, body.applicationId).id,
                type=body.type,
                subject=body.subject,
                summary=body.summary,
                body=body.body,
                created=server.clock.now(),
            )
        )
        if not body.silent:
            push.inbox_message_created(server, message)
        return message_view(message)

    @api.get("/inbox")
    @atomic
    async def list_messages(userId: Optional[str] = None) -> Dict[str, Any]:
        rows = server.inbox_messages.find("user", userId) if userId is not None else server.inbox_messages
        return {"messages": [message_view(message) for message in rows]}

    return api
