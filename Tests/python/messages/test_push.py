"""Push registration and the messages of pushes, end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer
from mtoken import ActivationState, EventKind, PushEnvironment, PushKind, PushResult, PushService

PATH = "/api/push/device/register"


NAMES = {PushService.APNS: ("ios", "apns"), PushService.FCM: ("android", "fcm"), PushService.HMS: ("huawei", "hms")}


def registrations(device: Device, mark: int) -> List[Dict[str, Any]]:
    """What was asked of the server since the mark."""
    return [json.loads(request["body"])["requestObject"] for request in device.server.requests(PATH, after=mark)]


@pytest.mark.parametrize("service", list(NAMES))
@pytest.mark.parametrize(
    ("version", "is_new"),
    [("1.9.0", False), ("1.9", False), ("0.24.1", False), ("1.10.0", True), ("1.10.0-SNAPSHOT", True), ("2.0.0", True)],
)
def test_the_name_of_the_service_follows_the_server(
    device: Device, service: PushService, version: str, is_new: bool
) -> None:
    device.server.plays(version)
    mark = device.server.mark()
    for environment in (PushEnvironment.PRODUCTION, PushEnvironment.DEVELOPMENT):
        device.client.push.register(service, "AB", environment=environment)
    sent = registrations(device, mark)
    assert [one["platform"] for one in sent] == [NAMES[service][is_new]] * 2
    named = ["production", "development"] if is_new and service is PushService.APNS else [None, None]
    assert [one.get("environment") for one in sent] == named
    assert device.client.push.registered


def test_push_notifications_registered_on_server(device: Device) -> None:
    assert not device.client.push.registered
    fault = device.server.fault(PATH, "status", status=400, code="PUSH_REGISTRATION_FAILED")
    with pytest.raises(mtoken.ServerError) as error:
        device.client.push.register(PushService.FCM, "a")
    assert error.value.server_code == "PUSH_REGISTRATION_FAILED"
    assert not device.client.push.registered
    device.server.admin("DELETE", f"/faults/{fault}")
    device.client.push.register(PushService.FCM, "a")
    assert device.client.push.registered
    device.client.remove_local()
    assert not device.client.push.registered


def test_a_registration_survives_a_restart(
    make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    """Another token is not registered until the server says so."""
    store = mtoken.Store.directory(tmp_path / "state")
    device = make_device("device", store=store)
    client = device.client

    def restarted(client: mtoken.Client) -> mtoken.Client:
        client.close()
        return make_client("device", store=store)

    assert not client.push.registered
    client.push.register(PushService.FCM, "first")
    client = restarted(client)
    assert client.push.registered
    assert all(b"first" not in file.read_bytes() for file in (tmp_path / "state").iterdir() if file.is_file())
    client.push.register(PushService.FCM, "first")
    assert client.push.registered
    device.server.fault(PATH, "status", status=503)
    with pytest.raises(mtoken.ServerError):
        client.push.register(PushService.FCM, "second")
    device.server.admin("DELETE", "/faults")
    assert not client.push.registered
    client = restarted(client)
    assert not client.push.registered
    client.push.register(PushService.FCM, "second")
    client = restarted(client)
    assert client.push.registered
    client.close()
    copy = mtoken.Store.memory()
    store.copy("device", copy)
    client = make_client("device", store=copy)
    assert client.push.registered
    client = restarted(client)
    client.remove_local()
    assert not client.push.registered
    assert not list((tmp_path / "state").glob("device.push"))


def test_one_registration_at_a_time(device: Device) -> None:
    device.client.operations.list()  # the token is there
    device.server.fault(PATH, "hang")
    first = device.client.push.start_register(PushService.FCM, "first")
    with pytest.raises(mtoken.BusyError) as error:
        device.client.push.register(PushService.FCM, "second")
    assert error.value.reason == "push_alreadyRegistering"
    first.cancel()
    assert isinstance(first.error(), mtoken.CancelledError)
    device.server.admin("DELETE", "/faults")
    device.client.push.register(PushService.FCM, "third")
    assert device.view()["push"]["token"] == "third"


@pytest.mark.parametrize("platform", [PushService.APNS, PushService.FCM, PushService.HMS])
def test_what_the_server_sends_is_understood(device: Device, platform: PushService) -> None:
    """From the creation of an operation to its end, and a message, as a phone would get them."""
    device.client.push.register(platform, "AB12")
    operation = device.new_operation()
    device.client.operations.authorize(operation, device.auth)
    device.server.admin("POST", "/inbox", {"userId": device.user, "subject": "Hello", "summary": "World"})
    pushes = [
        push for push in device.server.admin("GET", "/pushes")["pushes"] if push["activationId"] == device.activation_id
    ]
    created, finished, inbox = (mtoken.parse_push(json.dumps(push["payload"])) for push in pushes)
    assert created is not None and finished is not None and inbox is not None
    assert (created.kind, created.operation_id) == (PushKind.OPERATION_CREATED, operation.id)
    assert (created.operation_name, created.title, created.silent) == (operation.name, operation.title, False)
    assert (finished.kind, finished.result, finished.silent) == (PushKind.OPERATION_FINISHED, PushResult.SUCCESS, True)
    assert (inbox.kind, inbox.title, inbox.body) == (PushKind.INBOX_MESSAGE, "Hello", "World")
    assert inbox.inbox_id is not None
    assert device.client.inbox.detail(inbox.inbox_id).subject == "Hello"
    assert {created.activation_id, finished.activation_id, inbox.activation_id} == {device.activation_id}


def push_for(activation: str) -> str:
    return json.dumps(
        {"messageType": "mtoken.operationInit", "operationId": "1", "operationName": "x", "activationId": activation}
    )


@pytest.mark.parametrize("service", [PushService.APNS, PushService.FCM])
def test_a_status_change_is_looked_at(server: DevServer, make_device: DeviceFactory, service: PushService) -> None:
    """What the server sends reaches the client, which asks for the status: nobody polls for it."""
    with mtoken.Runtime(events=mtoken.Events.OPERATIONS) as runtime:
        device = make_device(runtime=runtime)
        client = device.client
        client.push.register(service, "AB12")
        client.operations.start_polling(3600, delay_start=True)
        for change, told, state in (
            ("block", EventKind.POLLING_WAITS, ActivationState.BLOCKED),
            ("unblock", EventKind.POLLING_GOES_ON, ActivationState.ACTIVE),
            ("remove", EventKind.POLLING_WAITS, ActivationState.REMOVED),
        ):
            number = max(push["seq"] for push in server.admin("GET", "/pushes")["pushes"] or [{"seq": 0}])
            server.admin("POST", f"/activations/{device.activation_id}/{change}")
            (push,) = server.admin("GET", "/pushes", after=number)["pushes"]
            found = runtime.route_push(json.dumps(push["payload"]))
            assert found is not None and found.client is client
            assert (found.message.kind, found.message.silent) == (PushKind.STATUS_CHANGE, True)
            assert any(event.kind is told for event in runtime.events(30))
            assert client.info().activation_state is state
        client.close()


def test_a_status_change_of_nobody(runtime: mtoken.Runtime, device: Device) -> None:
    mark = device.server.mark()
    found = runtime.route_push('{"messageType":"mtoken.statusChange","activationId":"x"}')
    assert found is not None and found.client is None
    mtoken.parse_push(json.dumps({"messageType": "mtoken.statusChange", "activationId": device.activation_id}))
    device.client.operations.list()
    assert all(not request["path"].endswith("/activation/status") for request in device.server.requests(after=mark))


def test_a_push_finds_its_client(
    runtime: mtoken.Runtime, make_device: DeviceFactory, make_client: ClientFactory
) -> None:
    """Each of several accounts gets its own; what names another activation, or none, is nobody's."""
    devices = [make_device(f"account-{number}") for number in range(3)]
    make_client("empty")
    for device in devices:
        found = runtime.route_push(push_for(device.activation_id))
        assert found is not None and found.client is device.client
        assert found.message == mtoken.parse_push(push_for(device.activation_id))
    for payload in (push_for("another"), json.dumps({"messageType": "mtoken.inboxMessage.new", "inboxId": "1"})):
        found = runtime.route_push(payload)
        assert found is not None and found.client is None
    assert runtime.route_push("{}") is None

    devices[0].client.remove_local()
    devices[1].client.close()
    for device in devices[:2]:
        found = runtime.route_push(push_for(device.activation_id))
        assert found is not None and found.client is None
    with mtoken.Runtime() as other:
        found = other.route_push(push_for(devices[2].activation_id))
        assert found is not None and found.client is None
    with pytest.raises(mtoken.HandleError):
        other.route_push("{}")
    with pytest.raises(mtoken.ParseError) as error:
        runtime.route_push("{")
    assert error.value.byte_offset == 1
