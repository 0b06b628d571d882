"""Activation status, removal, time."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import mtoken
import pytest
from conftest import ClientFactory, DeviceFactory
from devserver import DevServer


@pytest.mark.parametrize("others", ["PIN", "possession", "codes"])
def test_a_copy_of_the_state_is_noticed(make_device: DeviceFactory, make_client: ClientFactory, others: str) -> None:
    """A backup is put back after signatures of the original."""
    with mtoken.Runtime(events=mtoken.Events.COUNTER) as runtime:
        device = make_device(runtime=runtime)
        device.client.status()
        backup = mtoken.Store.memory()
        device.client.close()
        device.store.copy("device", backup)

        def opened(store: mtoken.Store) -> mtoken.Client:
            device.client.close()
            device.client = make_client("device", store=store, runtime=runtime)
            return device.client

        client = opened(device.store)
        for _ in range(3):
            client.operations.history(device.auth) if others == "possession" else client.factors.validate_pin("1234")
        assert list(runtime.events(0)) == []
        client = opened(backup)
        if others == "codes":
            client.sign_offline("/operation/authorize/offline", b"id&data", bytes(16), device.auth)
        attempt = client.operations.list if others == "possession" else lambda: client.factors.validate_pin("1234")
        with pytest.raises(mtoken.StateError, match="another copy") as failure:
            attempt()
        assert failure.value.reason == "counterBehind" and failure.value.retriable
        assert [event.kind for event in runtime.events(0)] == [mtoken.EventKind.COUNTER_BEHIND]
        assert client.info().times_behind == 1
        attempt()
        client.factors.validate_pin("1234")
        assert device.view()["failedAttempts"] == 0
        client.close()


def test_time_of_the_server(server: DevServer, make_client: ClientFactory) -> None:
    server.admin("PUT", "/clock", {"offsetMs": 3_600_000})
    client = make_client()
    info = client.info()
    assert not info.time_synchronized and info.time_adjustment == timedelta(0) and info.time_precision is None
    client.synchronize_time()
    info = client.info()
    assert info.time_synchronized
    assert abs(info.time_adjustment - timedelta(hours=1)) < timedelta(seconds=10)
    assert info.time_precision is not None and timedelta(0) <= info.time_precision < timedelta(seconds=10)
    assert abs(info.time - datetime.now(timezone.utc) - timedelta(hours=1)) < timedelta(seconds=10)
    client.reset_time()
    info = client.info()
    assert not info.time_synchronized and info.time_adjustment == timedelta(0)
