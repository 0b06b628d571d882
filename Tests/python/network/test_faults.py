"""A server that misbehaves: the error that the caller sees, how often the request was sent, and that life goes on.

In 3.3 and in 4.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Type

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devices4 import application
from devserver import OPERATIONS, DevServer

ANSWERED, UNKNOWN, NOT_SENT = mtoken.Outcome.ANSWERED, mtoken.Outcome.UNKNOWN, mtoken.Outcome.NOT_SENT
SHORT = 1.0
"""Seconds: the timeout of clients that wait for a server which stays silent."""

V3_3, V4_0 = mtoken.Protocol.V3_3, mtoken.Protocol.V4_0


@pytest.fixture(params=[V3_3, V4_0], ids=lambda protocol: protocol.name)
def protocol(request: pytest.FixtureRequest) -> mtoken.Protocol:
    """What the devices of a test speak: what uses this runs twice."""
    parameter: mtoken.Protocol = request.param
    return parameter


def at(protocol: mtoken.Protocol, path: str) -> str:
    """Where a server of this protocol has what one of 3.3 has at `path`."""
    return path if protocol is V3_3 else path.replace("/pa/v3/", "/pa/v4/")


@pytest.fixture
def make_client(make_client: ClientFactory, server: DevServer, protocol: mtoken.Protocol) -> ClientFactory:
    def make(id: str = "client", **options: Any) -> mtoken.Client:
        if protocol is V4_0:
            options = {"configuration": application(server, "EC_P384")[1], **options}
        return make_client(id, **options)

    return make


@pytest.fixture
def make_device(make_device: DeviceFactory, server: DevServer, protocol: mtoken.Protocol) -> DeviceFactory:
    def make(id: str = "device", **options: Any) -> Device:
        if protocol is V3_3:
            return make_device(id, **options)
        device = make_device(id, activation={"applicationId": application(server, "EC_P384")[0]}, **options)
        device.client.wait_active(timeout=300)
        return device

    return make


@dataclass(frozen=True)
class Wire:
    """A fault of a connection, and what the caller sees."""

    name: str
    kind: str
    parameters: Dict[str, Any]
    error: Type[mtoken.MTokenError]
    timeout: Optional[float] = None


# What servers and gateways answer is played by Tests/c/answers.c.
WIRE = [
    Wire("huge", "huge_body", {}, mtoken.ProtocolError),
    Wire("huge-chunked", "huge_body", {"chunked": True}, mtoken.ProtocolError),
    Wire("cut-off", "truncate", {}, mtoken.NetworkError),
    Wire("cut-off-at-once", "truncate", {"bytes": 0}, mtoken.NetworkError),
    Wire("closed-before-reading", "close_before_read", {}, mtoken.NetworkError),
    Wire("closed-after-reading", "close_after_read", {}, mtoken.NetworkError),
    Wire("reset-after-reading", "close_after_read", {"reset": True}, mtoken.NetworkError),
    Wire("silence", "hang", {}, mtoken.TimeoutExpiredError, timeout=SHORT),
    Wire("drops", "slow_drip", {"intervalMs": 200}, mtoken.TimeoutExpiredError, timeout=SHORT),
]


def authorize(device: Device) -> None:
    created = device.created_operation()
    device.client.operations.authorize_data(created["operationId"], created["data"], device.auth)


CALLS = {
    "/pa/v3/status": lambda device: device.client.synchronize_time(),
    f"{OPERATIONS}/list": lambda device: device.client.operations.list(),
    f"{OPERATIONS}/authorize": authorize,
}


@pytest.mark.parametrize("path", list(CALLS))
@pytest.mark.parametrize("wire", WIRE, ids=lambda wire: wire.name)
def test_wire(server: DevServer, make_device: DeviceFactory, protocol: mtoken.Protocol, path: str, wire: Wire) -> None:
    """No signature and no token goes out twice; what holds none may be repeated once on a connection that broke off."""
    device = make_device(timeout=wire.timeout)
    sent = at(protocol, path)
    fault = server.fault(sent, wire.kind, **wire.parameters)
    before = server.mark()
    with pytest.raises(wire.error) as failure:
        CALLS[path](device)
    error = failure.value
    assert error.outcome is UNKNOWN and error.message and error.reason and error.server_code is None
    assert path != f"{OPERATIONS}/authorize" or (error.may_have_happened and not error.retriable)
    count = len(server.requests(sent, before))
    assert count == server.times_applied(fault) and (count == 1 or (count == 2 and path == "/pa/v3/status"))
    server.admin("DELETE", "/faults")
    device.client.status()
    CALLS[path](device)
    assert device.can_sign()


# Sent at most once


@pytest.mark.parametrize("processed", [True, False])
@pytest.mark.parametrize("reset", [False, True])
def test_an_approval_is_sent_at_most_once_over_a_kept_connection(
    server: DevServer, device: Device, processed: bool, reset: bool
) -> None:
    """The server closes a connection that was in use before, after it has read the request."""
    operation = device.new_operation()
    path = f"{OPERATIONS}/authorize"
    server.fault(path, "close_after_read", process=processed, reset=reset)
    before = server.mark()
    with pytest.raises(mtoken.NetworkError) as failure:
        device.client.operations.authorize(operation, device.auth)
    assert failure.value.outcome is UNKNOWN
    assert not failure.value.retriable, "repeating this could approve twice"
    sent = server.requests(path, before)
    assert len(sent) == 1, "a signed request was sent twice"
    earlier = [request for request in server.requests(OPERATIONS) if request["seq"] <= before]
    assert sent[0]["client"] == earlier[-1]["client"], "the connection was not kept alive: this test proves nothing"
    assert server.operation(operation.id)["status"] == ("APPROVED" if processed else "PENDING")
    server.admin("DELETE", "/faults")
    if processed:
        with pytest.raises(mtoken.ServerError) as again:
            device.client.operations.authorize(operation, device.auth)
        assert again.value.reason == "operations_alreadyFinished"
    else:
        device.client.operations.authorize(operation, device.auth)
        assert server.operation(operation.id)["status"] == "APPROVED"


@pytest.mark.parametrize("kind", ["truncate", "hang"])
def test_an_approval_whose_answer_is_lost(server: DevServer, make_device: DeviceFactory, kind: str) -> None:
    device = make_device(timeout=SHORT)
    operation = device.new_operation()
    server.fault(f"{OPERATIONS}/authorize", kind, **({"process": True} if kind == "hang" else {}))
    with pytest.raises(mtoken.MTokenError) as failure:
        device.client.operations.authorize(operation, device.auth)
    assert failure.value.outcome is UNKNOWN
    assert server.operation(operation.id)["status"] == "APPROVED"


# Texts of the server

BAD_CHARACTERS = (
    [chr(code) for code in (*range(1, 0x20), *range(0x7F, 0xA0))]
    + ["\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\ufeff"]
    + [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]
)


def is_clean(text: str) -> bool:
    return not any(character in BAD_CHARACTERS for character in text)


@pytest.mark.parametrize("status", [400, 401, 500])
def test_a_servers_texts_fit_into_one_line_of_a_log(server: DevServer, make_device: DeviceFactory, status: int) -> None:
    """No line of its own, no escape sequence, nothing turned around, and an end."""
    with mtoken.Runtime(events=mtoken.Events.LOG, log_level=mtoken.LogLevel.DEBUG) as runtime:
        device = make_device(f"texts-{status}", runtime=runtime)
        evil = "Fine.\n2030-01-01 ERROR all is lost\x1b[2J\x9b31m\u202eneddih\u2066\u2028next" + "".join(BAD_CHARACTERS)
        server.fault(
            "/api/auth/token/app/operation/history", "status", status=status, code="EVIL\n\u202eCODE" + "x" * 5000,
            message=evil + "y" * 100_000,
        )  # fmt: skip
        with pytest.raises(mtoken.MTokenError) as caught:
            device.client.operations.history(device.auth)
        error = caught.value
        assert error.server_code is not None and error.server_message is not None
        assert is_clean(error.server_code) and is_clean(error.server_message) and is_clean(str(error))
        assert error.server_code.startswith("EVIL CODE") and error.server_message.startswith("Fine. 2030-01-01 ERROR")
        assert (len(error.server_code), len(error.server_message)) == (128, 512)
        assert error.server_code.endswith("…") and error.server_message.endswith("…")
        assert len(str(error)) < 400
        for event in runtime.events(0):
            assert event.message is None or (is_clean(event.message) and len(event.message) < 1_000)
        device.client.close()
