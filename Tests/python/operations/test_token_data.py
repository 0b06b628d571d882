"""Mobile token data, the recorder of screens, layouts and members that a bank added, through the C interface."""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal

import mtoken
import pytest
from conftest import ClientFactory, Device


def test_the_builder() -> None:
    data = mtoken.TokenData({"first": 1})
    data.put("text", 'a "quoted" text \U0001f600')
    data.put("null", None)
    data.put("list", [1, {"a": True}])
    snapshot = data.build()
    data.put("first", 2.5)
    assert json.loads(snapshot) == {
        "first": 1,
        "text": 'a "quoted" text \U0001f600',
        "null": None,
        "list": [1, {"a": True}],
    }
    assert json.loads(data.build())["first"] == 2.5
    assert data.remove("null") and not data.remove("null") and not data.remove("toString")
    data.clear()
    assert data.build() == "{}"


def test_the_recorder(make_client: ClientFactory) -> None:
    recorder = mtoken.Recorder(make_client())
    recorder.begin("")
    recorder.begin("warning")
    recorder.begin("scan")
    recorder.end("warning", mtoken.ScreenAction.BACK)
    recorder.end("other", mtoken.ScreenAction.CLOSE)
    visits = json.loads(recorder.build())
    assert [(visit["screen"], visit.get("action")) for visit in visits] == [("warning", "BACK"), ("scan", None)]
    for visit in visits:
        opened = datetime.strptime(visit["timestampOpened"], "%Y-%m-%dT%H:%M:%S.%fZ")
        assert opened <= datetime.strptime(visit["timestampClosed"], "%Y-%m-%dT%H:%M:%S.%fZ")
    recorder.reset()
    assert recorder.build() == "[]"
    # What the two builders make is of one kind, and goes together.
    data = mtoken.TokenData()
    data.put_recorder(recorder)
    assert data.build() == '{"preApprovalScreens":' + recorder.build() + "}"


def test_layout_and_added_members(device: Device) -> None:
    operation = device.new_operation()
    visual = mtoken.lay_out(operation)
    assert visual.list_title == operation.title and visual.list_message == operation.message
    header, rest = visual.sections
    assert [cell.kind for cell in header.cells] == [mtoken.CellKind.TITLE, mtoken.CellKind.MESSAGE]
    assert [cell.attribute for cell in rest.cells] == list(operation.attributes)
    assert mtoken.find(operation, "/id") == operation.id
    assert mtoken.find(operation, "/formData/title") == operation.title
    assert mtoken.find(operation, "") == operation.document()


def test_finding_values() -> None:
    text = '{"playSound":true,"a/b":{"~":[0,12345678901234567890,"x\\u0041",null,0.10]}}'
    assert mtoken.find(text, "/playSound") is True
    assert mtoken.find(text, "/a~1b/~0") == [0, 12345678901234567890, "xA", None, Decimal("0.10")]
    assert mtoken.find(text, "/a~1b/~0/4") == Decimal("0.10")
    for path in ("/missing", "playSound", "/playSound/x", "/a~1b/~0/5", "/a~1b/~0/-1", "/a~1b/~0/01"):
        with pytest.raises(mtoken.NotFoundError):
            mtoken.find(text, path)
    with pytest.raises(mtoken.ParseError) as caught:
        mtoken.find('{"a":1,"a":2}', "/a")
    assert caught.value.byte_offset is not None
