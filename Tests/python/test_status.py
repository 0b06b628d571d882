"""Activation status, removal, time."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import mtoken
import pytest
from conftest import PROTOCOLS_3, ClientFactory, Device, DeviceFactory
from devserver import DevServer


def test_every_state_at_the_server(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(commit=False)
    path = f"/activations/{device.activation_id}"
    client = device.client
    assert client.info().activation_state is None
    status = client.status()
    assert (status.state, status.remaining_attempts) == (mtoken.ActivationState.PENDING_COMMIT, 0)
    server.admin("POST", f"{path}/commit")
    status = client.status()
    assert status.state is mtoken.ActivationState.ACTIVE
    assert (status.failed_attempts, status.max_failed_attempts, status.remaining_attempts) == (0, 5, 5)
    server.admin("POST", f"{path}/block", {"reason": "LOST"})
    status = client.status()
    assert (status.state, status.remaining_attempts) == (mtoken.ActivationState.BLOCKED, 0)
    server.admin("POST", f"{path}/unblock")
    assert client.status().state is mtoken.ActivationState.ACTIVE
    server.admin("POST", f"{path}/remove")
    assert client.status().state is mtoken.ActivationState.REMOVED
    info = client.info()
    assert (info.state, info.activation_state) == (mtoken.ClientState.ACTIVE, mtoken.ActivationState.REMOVED)


def test_custom_object(server: DevServer, device: Device) -> None:
    server.admin("PATCH", f"/activations/{device.activation_id}", {"customObject": {"limit": "10.50", "ok": True}})
    assert device.client.status().custom_object == {"limit": "10.50", "ok": True}


def test_the_server_is_ahead(server: DevServer, device: Device) -> None:
    server.admin("POST", f"/activations/{device.activation_id}/counter", {"steps": 10})
    assert not device.can_sign()
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    assert device.can_sign()


def test_the_device_is_ahead(server: DevServer, device: Device) -> None:
    device.client.status()  # tells how far it may go
    for _ in range(15):
        device.client.sign("POST", "/never/sent", b"", device.auth)
    before = server.mark()
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    validated = server.requests("/pa/v3/signature/validate", before)
    assert [request["status"] for request in validated] == [200]
    assert device.can_sign()


def go_ahead(device: Device, steps: int) -> None:
    """Signs what nobody is sent. The server has a wide window meanwhile, as otherwise the device would not go so far."""
    device.server.admin("PATCH", "/config", {"lookAhead": 64})
    device.client.status()
    for _ in range(steps):
        device.client.sign("POST", "/never/sent", b"", mtoken.Auth.possession())
    device.server.admin("PATCH", "/config", {"lookAhead": 20})


@pytest.mark.parametrize("protocol", PROTOCOLS_3)
@pytest.mark.parametrize(
    ("device_steps", "server_steps", "outcome"),
    [
        (0, 0, "agree"),
        (0, 1, "agree"),
        (0, 7, "agree"),
        (0, 19, "agree"),
        (0, 20, "deadlock"),
        (0, 128, "deadlock"),
        (0, 256, "deadlock"),
        (3, 0, "agree"),
        (10, 0, "agree"),
        (11, 0, "signature"),
        (19, 0, "signature"),
        (20, 0, "deadlock"),
        (21, 0, "deadlock"),
        (5, 3, "agree"),
        (5, 5, "agree"),
        (5, 24, "agree"),
        (15, 2, "signature"),
    ],
)
def test_the_table_of_the_counter_synchronisation(
    server: DevServer,
    make_device: DeviceFactory,
    protocol: mtoken.Protocol,
    device_steps: int,
    server_steps: int,
    outcome: str,
) -> None:
    """Steps that the device and the server went ahead, and what a status call makes of them (look-ahead 20)."""
    device = make_device(protocol=protocol)
    go_ahead(device, device_steps)
    if server_steps:
        server.admin("POST", f"/activations/{device.activation_id}/counter", {"steps": server_steps})
    before = server.mark()
    state = device.client.status().state
    assert state is mtoken.ActivationState["DEADLOCK" if outcome == "deadlock" else "ACTIVE"]
    validated = [request["status"] for request in server.requests("/pa/v3/signature/validate", before)]
    assert validated == ([200] if outcome == "signature" else [])
    if outcome in ("agree", "signature"):
        assert device.can_sign()
    if outcome == "signature":
        body = server.requests("/pa/v3/signature/validate", before)[0]["body"]
        assert body == '{"requestObject":{"reason":"COUNTER_SYNCHRONIZATION"}}'


@pytest.mark.parametrize("state", ["BLOCKED", "PENDING_COMMIT", "REMOVED"])
def test_no_signature_for_an_activation_that_cannot_sign(
    server: DevServer, make_device: DeviceFactory, state: str
) -> None:
    device = make_device(commit=state != "PENDING_COMMIT")
    go_ahead(device, 15)
    if state != "PENDING_COMMIT":
        server.admin("POST", f"/activations/{device.activation_id}/{'block' if state == 'BLOCKED' else 'remove'}")
    before = server.mark()
    assert device.client.status().state is mtoken.ActivationState[state]
    assert server.requests("/pa/v3/signature/validate", before) == []


def test_remove(server: DevServer, device: Device) -> None:
    device.client.remove(device.auth)
    assert device.view()["state"] == "REMOVED"
    assert device.client.state is mtoken.ClientState.EMPTY
    assert device.client.info().activation_id is None
    code = server.new_activation(device.user)["activationCode"]
    device.client.activate(code)
    device.client.persist("5678")
    assert device.client.state is mtoken.ClientState.ACTIVE


def test_remove_with_biometry(biometric_device: Device) -> None:
    biometric_device.client.remove(mtoken.Auth.biometry(biometric_device.biometry_key))
    assert biometric_device.view()["state"] == "REMOVED"
    assert biometric_device.client.state is mtoken.ClientState.EMPTY


def test_remove_with_a_wrong_pin(device: Device) -> None:
    with pytest.raises(mtoken.AuthenticationError) as failure:
        device.client.remove(device.wrong_auth)
    assert failure.value.http_status == 401
    assert device.view()["state"] == "ACTIVE"
    assert device.client.state is mtoken.ClientState.ACTIVE
    device.client.remove(device.auth)
    assert device.view()["state"] == "REMOVED"


def test_remove_local(server: DevServer, device: Device, make_client: ClientFactory) -> None:
    before = server.mark()
    device.client.remove_local()
    assert server.requests(after=before) == []
    assert device.view()["state"] == "ACTIVE"
    assert device.client.state is mtoken.ClientState.EMPTY
    device.client.remove_local()
    device.client.close()
    assert make_client("device", store=device.store).state is mtoken.ClientState.EMPTY


def test_remove_local_while_pending(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    client.remove_local()
    assert client.state is mtoken.ClientState.EMPTY


def test_remove_local_cancels_what_is_under_way(server: DevServer, device: Device) -> None:
    device.client.operations.list()
    server.fault("/api/auth/token/app/operation/list", "hang")
    task = device.client.operations.start_list()
    device.client.remove_local()
    with pytest.raises(mtoken.CancelledError):
        task.result(10)
    assert device.client.state is mtoken.ClientState.EMPTY


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


def test_the_precision_of_the_servers_time(server: DevServer, make_client: ClientFactory) -> None:
    """Half of the time that the exchange took."""
    client = make_client()
    server.fault("/pa/v3/status", "latency", ms=600)
    client.synchronize_time()
    precision = client.info().time_precision
    assert precision is not None and timedelta(milliseconds=300) <= precision < timedelta(seconds=5)
    client.reset_time()
    assert client.info().time_precision is None


@pytest.mark.parametrize("hours", [-5, 5])
def test_a_device_with_a_wrong_clock(server: DevServer, make_device: DeviceFactory, hours: int) -> None:
    """Everything with a timestamp works although the clocks differ."""
    server.admin("PUT", "/clock", {"offsetMs": hours * 3_600_000})
    device = make_device()
    operation = device.new_operation()
    device.client.operations.authorize(operation, device.auth)
    device.client.tokens.create("another")
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_a_clock_that_was_set_meanwhile(server: DevServer, device: Device) -> None:
    device.client.operations.list()
    server.admin("PUT", "/clock", {"offsetMs": 10 * 3_600_000})
    device.client.reset_time()
    device.client.tokens.forget_all()
    assert list(device.client.operations.list()) == []
