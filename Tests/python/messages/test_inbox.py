"""The inbox, end to end."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List

import mtoken
import pytest
from conftest import Device
from mtoken import InboxType

LIST = "/api/inbox/message/list"


def create(device: Device, count: int = 1, **members: Any) -> List[Dict[str, Any]]:
    """Messages of the user, oldest first."""
    return [
        device.server.admin("POST", "/inbox", {"userId": device.user, "subject": f"Message {number}", **members})
        for number in range(count)
    ]


def pages_asked_for(device: Device, mark: int) -> List[Any]:
    return [json.loads(request["body"])["requestObject"] for request in device.server.requests(LIST, after=mark)]


def test_list_page(device: Device) -> None:
    created = create(device, 5)
    newest_first = [message["id"] for message in reversed(created)]
    first = device.client.inbox.page(0, 2)
    second = device.client.inbox.page(1, 2)
    last = device.client.inbox.page(2, 2)
    assert [message.id for page in (first, second, last) for message in page] == newest_first
    assert [len(first), len(second), len(last), len(device.client.inbox.page(3, 2))] == [2, 2, 1, 0]
    assert all(message.body is None for message in first)
    device.client.inbox.read(newest_first[0])
    assert [message.id for message in device.client.inbox.page(0, 2, only_unread=True)] == newest_first[1:3]


def test_detail(device: Device) -> None:
    before = datetime.now(timezone.utc) - timedelta(seconds=2)
    (text,) = create(device, type="text", summary="Short", body="Long")
    (html,) = create(device, type="html", body="<html></html>")
    detail = device.client.inbox.detail(text["id"])
    assert (detail.subject, detail.summary, detail.body) == ("Message 0", "Short", "Long")
    assert (detail.type, detail.type_text, detail.read) == (InboxType.TEXT, "text", False)
    assert detail.created >= before
    detail = device.client.inbox.detail(html["id"])
    assert (detail.type, detail.body) == (InboxType.HTML, "<html></html>")
    assert not device.client.inbox.detail(html["id"]).read


def test_read_one_and_read_all(device: Device) -> None:
    created = create(device, 4)
    device.client.inbox.read(created[0]["id"])
    device.client.inbox.read(created[0]["id"])  # again: nothing happens
    assert device.client.inbox.detail(created[0]["id"]).read
    assert device.client.inbox.count() == 3
    device.client.inbox.read_all()
    assert device.client.inbox.count() == 0
    assert len(device.client.inbox.page(only_unread=True)) == 0
    assert len(device.client.inbox.page()) == 4


def test_get_all_messages(device: Device) -> None:
    created = create(device, 7)
    newest_first = [message["id"] for message in reversed(created)]
    mark = device.server.mark()
    assert [message.id for message in device.client.inbox.all(3)] == newest_first
    expected = [{"page": page, "size": 3, "onlyUnread": False} for page in (0, 1, 2)]
    assert pages_asked_for(device, mark) == expected
    assert [message.id for message in device.client.inbox.all()] == newest_first


@pytest.mark.parametrize(("limit", "found", "pages"), [(1, 1, 1), (2, 2, 1), (3, 3, 2), (5, 5, 3), (0, 5, 3)])
def test_the_limit_cuts(device: Device, limit: int, found: int, pages: int) -> None:
    create(device, 5)
    mark = device.server.mark()
    assert len(device.client.inbox.all(2, limit)) == found
    assert len(pages_asked_for(device, mark)) == pages


def wire(message: mtoken.InboxMessage) -> Dict[str, Any]:
    """A message as a server writes it."""
    created = message.created.strftime("%Y-%m-%dT%H:%M:%S+0000")
    return {"id": message.id, "type": "text", "subject": "s", "summary": "", "read": False, "timestampCreated": created}


def test_a_server_that_gives_smaller_pages(device: Device) -> None:
    """It says so in the envelope: such a page is not the last one."""
    create(device, 1)
    message = wire(device.client.inbox.page()[0])
    first = [{**message, "id": "a"}, {**message, "id": "b"}]
    device.server.fault(LIST, "patch", nth=1, set={"responseObject": first, "size": 2})
    device.server.fault(LIST, "patch", nth=2, set={"responseObject": [{**message, "id": "c"}], "size": 2})
    assert [message.id for message in device.client.inbox.all(100)] == ["a", "b", "c"]


def test_a_server_that_ignores_the_page(device: Device) -> None:
    create(device, 1)
    message = wire(device.client.inbox.page()[0])
    device.server.fault(LIST, "patch", set={"responseObject": [message]})
    assert len(device.client.inbox.all(1, 0)) == 1


def test_members_of_other_servers(device: Device) -> None:
    (created,) = create(device)
    message = {"id": created["id"], "subject": "S", "timestampCreated": "2022-08-25T22:34:58.702+00:00", "type": "pdf"}
    device.server.fault("/api/inbox/message/detail", "patch", set={"responseObject": [message]})
    detail = device.client.inbox.detail(created["id"])
    assert (detail.type, detail.type_text, detail.summary, detail.read) == (InboxType.UNKNOWN, "pdf", "", False)
    assert detail.created == datetime(2022, 8, 25, 22, 34, 58, 702000, timezone.utc)
    device.server.fault(LIST, "patch", set={"responseObject": [message, {"id": 1}, None]})
    page = device.client.inbox.page()
    assert (len(page), page.skipped) == (1, 2)


@pytest.mark.parametrize("answer", [{}, {"countUnread": -1}, {"countUnread": "3"}])
def test_a_malformed_count(device: Device, answer: Any) -> None:
    device.server.fault("/api/inbox/count", "patch", set={"responseObject": answer})
    with pytest.raises(mtoken.ProtocolError):
        device.client.inbox.count()
