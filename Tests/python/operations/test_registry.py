"""The list that a client keeps, its events, polling and the expiration watcher, against the dev server."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Iterator, List

import mtoken
import pytest
from conftest import Device
from devserver import DevServer
from mtoken import EventKind


@pytest.fixture
def runtime() -> Iterator[mtoken.Runtime]:
    with mtoken.Runtime(events=mtoken.Events.OPERATIONS | mtoken.Events.TASKS) as runtime:
        yield runtime


def drain(runtime: mtoken.Runtime) -> List[mtoken.Event]:
    return list(runtime.events(0))


def operation_events(events: List[mtoken.Event]) -> List[EventKind]:
    return [event.kind for event in events if event.kind >= EventKind.OPERATIONS_CHANGED]


def until(runtime: mtoken.Runtime, kind: EventKind) -> mtoken.Event:
    for event in runtime.events(30):
        if event.kind is kind:
            return event
    raise AssertionError(f"no {kind.name} event")


def ids(operations: object) -> List[str]:
    return [operation.id for operation in operations]  # type: ignore[attr-defined]


def test_a_fetch_is_told_and_kept(runtime: mtoken.Runtime, device: Device) -> None:
    known = device.client.operations.known()
    assert known.operations == () and known.last_fetch is None and known.polling is mtoken.Polling.OFF
    first = device.new_operation()
    events = drain(runtime)
    assert operation_events(events) == [
        EventKind.OPERATIONS_LOADING,
        EventKind.OPERATIONS_CHANGED,
        EventKind.OPERATIONS_LOADING,
    ]
    loading = [event.loading for event in events if event.kind is EventKind.OPERATIONS_LOADING]
    assert loading == [True, False]
    change = next(event.change for event in events if event.change)
    assert ids(change.operations) == ids(change.added) == [first.id]
    assert change.removed == change.updated == ()
    known = device.client.operations.known()
    assert ids(known.operations) == [first.id]
    assert known.last_fetch is not None and known.last_error is None and known.server_time is not None
    assert not known.loading and not device.client.operations.is_loading


def test_polling(runtime: mtoken.Runtime, server: DevServer, device: Device) -> None:
    operations = device.client.operations
    created = server.new_operation(userId=device.user)
    drain(runtime)
    operations.start_polling(0.01)
    operations.start_polling(60)  # ignored
    change = until(runtime, EventKind.OPERATIONS_CHANGED).change
    assert change is not None and ids(change.added) == [created["operationId"]]
    known = operations.known()
    assert known.polling is mtoken.Polling.ON and known.polling_interval == timedelta(seconds=5)
    operations.pause_polling()
    assert operations.polling is mtoken.Polling.PAUSED
    drain(runtime)
    operations.resume_polling()  # fetches at once
    until(runtime, EventKind.OPERATIONS_CHANGED)
    operations.pause_polling()
    operations.stop_polling()
    operations.resume_polling()
    assert operations.polling is mtoken.Polling.OFF and operations.known().polling_interval is None
    operations.start_polling(has_push=True, delay_start=True, back_off=True, jitter_percent=10)
    assert operations.known().polling_interval == timedelta(seconds=14)
    operations.refresh()
    until(runtime, EventKind.OPERATIONS_CHANGED)
    with pytest.raises(mtoken.ArgumentError):
        operations.start_polling(jitter_percent=99)


def test_the_watcher_reports_what_expired(runtime: mtoken.Runtime, device: Device) -> None:
    later, now = device.new_operation(), datetime.now(timezone.utc)
    earlier = mtoken.Watched("gone", "A1", now - timedelta(seconds=1))
    with mtoken.Watcher(device.client) as watcher:
        assert [item.id for item in watcher.add(later, earlier)] == [later.id, "gone"]
        assert len(watcher.add(later)) == 2
        assert [item.id for item in watcher.remove(later)] == ["gone"]
        watcher.add(later)
        event = until(runtime, EventKind.OPERATIONS_EXPIRED)
        assert [item.id for item in event.expired] == ["gone"]
        assert event.watcher is watcher and event.client is device.client
        assert [item.id for item in watcher.watched] == [later.id]
        watcher.set_clock(timedelta(days=1))
        watcher.set_clock(None)
        watcher.remove_all()
        assert watcher.watched == ()
