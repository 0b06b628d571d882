# SPDX-License-Identifier: Apache-2.0
"""The inbox (push-and-inbox.md §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from fastapi import FastAPI

from . import errors
from .authentication import Caller
from .call import Answer, Call, mount, ok, text_member
from .clock import wire_date
from .model import InboxMessage
from .signature import ANY_WITH_POSSESSION

if TYPE_CHECKING:
    from .server import Server


def routes(app: FastAPI, server: Server) -> None:
    mount(app, server, "/api/inbox/count", count)
    mount(app, server, "/api/inbox/message/list", list_messages)
    mount(app, server, "/api/inbox/message/detail", detail)
    mount(app, server, "/api/inbox/message/read", read)
    mount(app, server, "/api/inbox/message/read-all", read_all)


def _caller(server: Server, call: Call) -> Caller:
    caller = server.authenticator.token(call, ANY_WITH_POSSESSION)
    if call.faults.get("push-down") is not None:
        raise errors.inbox_failed("the push server is down")
    return caller


def _messages(server: Server, caller: Caller) -> List[InboxMessage]:
    """The caller's messages, newest first."""
    activation = caller.activation
    found = server.inbox_messages.find("user", activation.user_id)
    return [message for message in found if message.application_id == activation.application_id][::-1]


def _head(message: InboxMessage) -> Dict[str, Any]:
    return {
        "id": message.id,
        "type": message.type,
        "subject": message.subject,
        "summary": message.summary,
        "read": message.read,
        "timestampCreated": wire_date(message.created),
    }


def count(server: Server, call: Call) -> Answer:
    caller = _caller(server, call)
    return ok({"countUnread": sum(not message.read for message in _messages(server, caller))})


def list_messages(server: Server, call: Call) -> Answer:
    """One page; `page` counts from zero. Odd paging gives one page of all, and is echoed (push-and-inbox.md §3)."""
    caller = _caller(server, call)
    request = call.request_object(errors.generic)
    page, size = (_number(request, name) for name in ("page", "size"))
    found = _messages(server, caller)
    if request.get("onlyUnread") is True:
        found = [message for message in found if not message.read]
    odd = page < 0 or size < 1
    if odd and server.settings.strict:
        raise errors.inbox_failed("page or size is not acceptable")
    shown = found if odd else found[page * size : (page + 1) * size]
    return ok([_head(message) for message in shown], page=page, size=size)


def _number(request: Dict[str, Any], name: str) -> int:
    """A number, 0 where it is absent; what the released server cannot read as one is a 500."""
    value = request.get(name, 0) or 0
    if type(value) is not int or abs(value) >= 2**31:
        raise errors.generic(f"{name} is not a number")
    return value


def _named(server: Server, call: Call) -> InboxMessage:
    caller = _caller(server, call)
    message_id = text_member(call.request_object(errors.generic), "id", errors.inbox_failed)
    message = server.inbox_messages.get(message_id)
    if message is None or message not in _messages(server, caller):
        raise errors.inbox_failed("message is unknown or foreign")
    return message


def detail(server: Server, call: Call) -> Answer:
    message = _named(server, call)
    head = _head(message)
    last = {name: head.pop(name) for name in ("read", "timestampCreated")}
    return ok({**head, "body": message.body, **last})


def read(server: Server, call: Call) -> Answer:
    """Marks a message as read; nothing happens where it is read already."""
    message = _named(server, call)
    message.read = True
    server.inbox_messages.save(message)
    return ok()


def read_all(server: Server, call: Call) -> Answer:
    caller = _caller(server, call)
    for message in _messages(server, caller):
        if not message.read:
            message.read = True
            server.inbox_messages.save(message)
    return ok()
