"""Push registration and the messages of pushes, end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict

import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer

import mtoken
from mtoken import PushEnvironment, PushKind, PushResult, PushService

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
PATH = "/api/push/device/register"
TOKEN = "5FBC85D026945C48A17FE1327C68C77F7793FEBFE23FF5850224BEE4215C5525"


def cases(name: str) -> Any:
    vectors = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))["cases"]
    return pytest.mark.parametrize("vector", vectors, ids=[vector["id"] for vector in vectors])


@cases("push-messages")
def test_push_parser_created_finished_inbox(vector: Dict[str, Any]) -> None:
    message = mtoken.parse_push(json.dumps(vector["input"]))
    expect = vector["expect"]
    assert (message is not None) == expect["recognized"]
    if message is None:
        return
    kinds = {PushKind.OPERATION_CREATED: "operationCreated", PushKind.OPERATION_FINISHED: "operationFinished"}
    assert kinds.get(message.kind, "inboxMessage") == expect["kind"]
    assert message.operation_id == expect.get("operationId")
    assert message.operation_name == expect.get("operationName")
    assert message.inbox_id == expect.get("inboxId")
    assert message.activation_id == expect.get("activationId")
    assert message.title == expect.get("title")
    assert message.body == expect.get("message")
    if "result" in expect:
        assert message.result is not None
        assert message.result.name.lower().replace("_", "") == expect["result"].lower()
        assert message.result_text == vector["input"]["mtokenOperationResult"]
    else:
        assert message.result is None
    if "silent" in expect:
        assert message.silent == expect["silent"]
    assert json.loads(message.json) == vector["input"]


@pytest.mark.parametrize(("text", "offset"), [("", 0), ("{", 1), ('{"a":x}', 6), ("{}{}", 3)])
def test_a_payload_that_is_no_json(text: str, offset: int) -> None:
    with pytest.raises(mtoken.ParseError) as error:
        mtoken.parse_push(text)
    assert error.value.byte_offset == offset


@cases("push-registration")
def test_register_token_apns_hex_fcm_hms(device: Device, vector: Dict[str, Any]) -> None:
    given, expect = vector["input"], vector["expect"]
    token = bytes.fromhex(given["tokenBytesHex"]) if "tokenBytesHex" in given else given["token"]
    arguments: Dict[str, Any] = {"legacy_server": given.get("legacyServer", False)}
    if "environment" in given:
        arguments["environment"] = PushEnvironment[given["environment"].upper()]
    service = PushService[given["service"].upper()]
    if "error" in expect:
        with pytest.raises(mtoken.ArgumentError) as error:
            device.client.push.register(service, token, **arguments)
        assert error.value.reason == expect["error"]
        return
    mark = device.server.mark()
    device.client.push.register(service, token, **arguments)
    (request,) = device.server.requests(PATH, after=mark)
    assert request["path"] == f"{PATH}/token"
    assert json.loads(request["body"]) == expect
    sent = expect["requestObject"]
    kept = device.view()["push"]
    assert (kept["token"], kept["environment"]) == (sent["token"], sent.get("environment"))


def test_apns_environment_is_explicit_only(device: Device) -> None:
    device.client.push.register(PushService.APNS, TOKEN)
    assert device.view()["push"]["environment"] is None
    device.client.push.register(PushService.APNS, TOKEN, environment=PushEnvironment.DEVELOPMENT)
    assert device.view()["push"]["environment"] == "development"


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


def test_registration_without_an_activation(make_client: ClientFactory) -> None:
    with pytest.raises(mtoken.NotActivatedError) as error:
        make_client().push.register(PushService.FCM, "a")
    assert error.value.reason == "missingActivation"


@pytest.mark.parametrize("platform", [PushService.APNS, PushService.FCM, PushService.HMS])
def test_what_the_server_sends_is_understood(device: Device, platform: PushService) -> None:
    """From the creation of an operation to its end, and a message, as a phone would get them."""
    device.client.push.register(platform, "AB12")
    operation = device.new_operation()
    device.client.operations.authorize(operation, device.auth)
    device.server.admin("POST", "/inbox", {"userId": device.user, "subject": "Hello", "summary": "World"})
    pushes = [push for push in device.server.admin("GET", "/pushes")["pushes"] if push["activationId"] == device.activation_id]
    created, finished, inbox = (mtoken.parse_push(json.dumps(push["payload"])) for push in pushes)
    assert created is not None and finished is not None and inbox is not None
    assert (created.kind, created.operation_id) == (PushKind.OPERATION_CREATED, operation.id)
    assert (created.operation_name, created.title, created.silent) == (operation.name, operation.title, False)
    assert (finished.kind, finished.result, finished.silent) == (PushKind.OPERATION_FINISHED, PushResult.SUCCESS, True)
    assert (inbox.kind, inbox.title, inbox.body) == (PushKind.INBOX_MESSAGE, "Hello", "World")
    assert inbox.inbox_id is not None
    assert device.client.inbox.detail(inbox.inbox_id).subject == "Hello"
    assert {created.activation_id, finished.activation_id, inbox.activation_id} == {device.activation_id}


def test_language_header(make_device: DeviceFactory, server: DevServer) -> None:
    device = make_device(language="cs")
    mark = server.mark()
    device.client.push.register(PushService.FCM, "a")
    device.client.inbox.count()
    for request in server.requests("/api", after=mark):
        assert {key.lower(): value for key, value in request["headers"].items()}["accept-language"] == "cs"
