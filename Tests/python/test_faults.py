"""A server that misbehaves: the error that the caller sees, how often the request was sent, and that life goes on.

In 3.3 and in 4.0, where the long table of answers is sampled; MTOKEN_FULL=1 takes all of it.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Type

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import JSON, OPERATIONS, DevServer
from four import application

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


def rows(both: Sequence[Any] = (), three: Sequence[Any] = (), four: Sequence[Any] = ()) -> List[Any]:
    """Rows of a table, with the protocol in front: what each of them has in its own form."""
    return [(V3_3, *row) for row in (*both, *three)] + [(V4_0, *row) for row in (*both, *four)]


def new_code(server: DevServer, protocol: mtoken.Protocol, user: str) -> str:
    members = {"applicationId": application(server, "EC_P384")[0]} if protocol is V4_0 else {}
    code: str = server.new_activation(user, **members)["activationCode"]
    return code


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
    """A fault around the application, and what the caller sees."""

    name: str
    kind: str
    parameters: Dict[str, Any]
    error: Type[mtoken.MTokenError]
    outcome: mtoken.Outcome = ANSWERED
    http_status: Optional[int] = None
    server_code: Optional[str] = None
    timeout: Optional[float] = None

    @property
    def is_refusal(self) -> bool:
        """Whether the bank itself says no, in words that can be read; all else may come after it has acted."""
        return self.server_code is not None and self.http_status is not None and self.http_status < 500

    @property
    def is_passing(self) -> bool:
        """Whether what only asks may succeed when it is asked again."""
        return self.http_status is not None and (self.http_status == 429 or self.http_status >= 500)


def status(code: int, error: Type[mtoken.MTokenError], server_code: Optional[str] = None, **parameters: Any) -> Wire:
    name = f"{code}-{server_code or 'body' if parameters.get('body') else server_code or 'empty'}"
    parameters["status"] = code
    if server_code is not None:
        parameters["code"] = server_code
    return Wire(name, "status", parameters, error, http_status=code, server_code=server_code)


WIRE = [
    status(500, mtoken.ServerError, "ERROR_GENERIC"),
    status(500, mtoken.HTTPError, body=""),
    status(503, mtoken.HTTPError, body="try later", contentType="text/plain"),
    status(400, mtoken.ServerError, "INVALID_REQUEST"),
    status(400, mtoken.HTTPError, body=""),
    status(401, mtoken.ServerError, "POWERAUTH_AUTH_FAIL"),
    status(403, mtoken.HTTPError, body="no", contentType="text/plain"),
    status(404, mtoken.ServerError, "ERROR_NOT_FOUND"),
    status(429, mtoken.HTTPError, body=""),
    status(302, mtoken.HTTPError, body="", headers={"Location": "/pa/v3/status"}),
    status(201, mtoken.HTTPError, body='{"status":"OK","responseObject":{}}', contentType="application/json"),
    Wire(
        "error-in-200", "status", {"status": 200, "code": "ODD"}, mtoken.ServerError, http_status=200, server_code="ODD"
    ),
    Wire("html-502", "html", {"status": 502}, mtoken.HTTPError, http_status=502),
    Wire("html-200", "html", {"status": 200}, mtoken.ProtocolError, http_status=200),
    Wire("empty-200", "empty", {"status": 200}, mtoken.ProtocolError, http_status=200),
    Wire("empty-500", "empty", {"status": 500}, mtoken.HTTPError, http_status=500),
    Wire("broken-json", "garbage_json", {}, mtoken.ProtocolError, http_status=200),
    Wire("nul-json", "garbage_json", {"body": "\0\0"}, mtoken.ProtocolError, http_status=200),
    Wire("array", "garbage_json", {"body": "[]"}, mtoken.ProtocolError, http_status=200),
    Wire("deep-json", "garbage_json", {"body": "[" * 5000 + "]" * 5000}, mtoken.ProtocolError, http_status=200),
    Wire(
        "duplicate-keys",
        "garbage_json",
        {"body": '{"status":"ERROR","status":"OK","responseObject":[]}'},
        mtoken.ProtocolError,
        http_status=200,
    ),
    Wire("no-status", "garbage_json", {"body": '{"responseObject":[]}'}, mtoken.ProtocolError, http_status=200),
    Wire("huge", "huge_body", {}, mtoken.ProtocolError, UNKNOWN),
    Wire("huge-chunked", "huge_body", {"chunked": True}, mtoken.ProtocolError, UNKNOWN),
    Wire("cut-off", "truncate", {}, mtoken.NetworkError, UNKNOWN),
    Wire("cut-off-at-once", "truncate", {"bytes": 0}, mtoken.NetworkError, UNKNOWN),
    Wire("closed-before-reading", "close_before_read", {}, mtoken.NetworkError, UNKNOWN),
    Wire("closed-after-reading", "close_after_read", {}, mtoken.NetworkError, UNKNOWN),
    Wire("reset-after-reading", "close_after_read", {"reset": True}, mtoken.NetworkError, UNKNOWN),
    Wire("silence", "hang", {}, mtoken.TimeoutExpiredError, UNKNOWN, timeout=SHORT),
    Wire("drops", "slow_drip", {"intervalMs": 200}, mtoken.TimeoutExpiredError, UNKNOWN, timeout=SHORT),
]


@dataclass(frozen=True)
class Call:
    """A call to the server, and the path of its request."""

    name: str
    path: str
    run: Callable[[Device], Any]


def authorize(device: Device) -> None:
    created = device.created_operation()
    device.client.operations.authorize_data(created["operationId"], created["data"], device.auth)


def reject(device: Device) -> None:
    device.client.operations.reject(device.created_operation()["operationId"])


CALLS = [
    Call("status", "/pa/v3/activation/status", lambda device: device.client.status()),
    Call("time", "/pa/v3/status", lambda device: device.client.synchronize_time()),
    Call("token", "/pa/v3/token/create", lambda device: device.client.tokens.create("mine")),
    Call("list", f"{OPERATIONS}/list", lambda device: device.client.operations.list()),
    Call("history", f"{OPERATIONS}/history", lambda device: device.client.operations.history(device.auth)),
    Call("authorize", f"{OPERATIONS}/authorize", authorize),
    Call("reject", f"{OPERATIONS}/cancel", reject),
]


SIGNED = ("token", "history", "authorize", "reject")


def assert_sent_once(requests: List[JSON], call: Call, error: mtoken.MTokenError, protocol: mtoken.Protocol) -> None:
    """No signature, token or cryptogram goes out twice.

    What holds none of them may be repeated once on a connection that broke off. A token that the server refuses is
    replaced once; so is the temporary key of a request that the device signs alone, which in 4.0 is there from the status.
    """
    if call.name in ("status", "time") and error.outcome is UNKNOWN:
        assert len(requests) <= 2
        return
    proofs = [
        {name: value for name, value in request["headers"].items() if "powerauth" in name} for request in requests
    ]
    assert len({str(proof) for proof in proofs}) == len(proofs), "the same request was sent again"
    renewed = ("list", "token") if protocol is V4_0 else ("list",)
    assert len(requests) == (2 if call.name in renewed and error.http_status == 401 else 1)


def sampled(*tables: Sequence[Any]) -> List[Any]:
    """What the tables hold in all combinations, for 3.3; of 4.0 each seventh, with MTOKEN_FULL=1 all."""
    rows = list(itertools.product(*tables))
    few = rows if os.environ.get("MTOKEN_FULL") == "1" else rows[::7]
    made = [(V3_3, *row) for row in rows] + [(V4_0, *row) for row in few]
    return [
        pytest.param(*row, id="-".join(part if isinstance(part, str) else part.name for part in row)) for row in made
    ]


@pytest.mark.parametrize(("protocol", "wire", "call"), sampled(WIRE, CALLS), indirect=["protocol"])
def test_wire(server: DevServer, make_device: DeviceFactory, protocol: mtoken.Protocol, call: Call, wire: Wire) -> None:
    device = make_device(timeout=wire.timeout)
    path = at(protocol, call.path)
    fault = server.fault(path, wire.kind, **wire.parameters)
    before = server.mark()
    with pytest.raises(wire.error) as failure:
        call.run(device)
    error = failure.value
    if wire.error is mtoken.ServerError and call.name != "authorize":
        assert not isinstance(error, mtoken.AuthenticationError)
    if call.name in SIGNED and not wire.is_refusal:
        assert (error.outcome, error.may_have_happened, error.retriable) == (UNKNOWN, True, False)
    else:
        assert error.outcome is wire.outcome
        assert error.retriable or not wire.is_passing
    assert error.message and error.reason
    if wire.http_status is not None:
        assert error.http_status == wire.http_status
    assert error.server_code == wire.server_code
    assert_sent_once(server.requests(path, before), call, error, protocol)
    assert server.times_applied(fault) == len(server.requests(path, before))
    assert device.client.info().state is mtoken.ClientState.ACTIVE
    server.admin("DELETE", "/faults")
    device.client.status()
    call.run(device)
    assert device.can_sign()


@pytest.mark.parametrize(
    ("protocol", "path", "wire"),
    sampled(["/pa/v3/keystore/create", "/pa/v3/activation/create"], WIRE),
    indirect=["protocol"],
)
def test_wire_during_activation(
    server: DevServer, make_client: ClientFactory, protocol: mtoken.Protocol, user: str, path: str, wire: Wire
) -> None:
    client = make_client(timeout=wire.timeout)
    code = new_code(server, protocol, user)
    fault = server.fault(at(protocol, path), wire.kind, **wire.parameters)
    with pytest.raises(wire.error) as failure:
        client.activate(code)
    assert failure.value.server_code == wire.server_code
    if path == "/pa/v3/activation/create":
        assert server.times_applied(fault) == 1, "an activation was sent again"
    assert client.state is mtoken.ClientState.EMPTY
    server.admin("DELETE", "/faults")
    client.activate(new_code(server, protocol, user))
    assert client.state is mtoken.ClientState.PENDING


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


def test_an_idle_connection_that_the_server_closed(server: DevServer, device: Device) -> None:
    """A dead kept-alive connection must not make a signed request be repeated either."""
    operation = device.new_operation()
    path = f"{OPERATIONS}/authorize"
    server.fault(path, "close_before_read", nth=1, count=1)
    before = server.mark()
    with pytest.raises(mtoken.NetworkError) as failure:
        device.client.operations.authorize(operation, device.auth)
    assert failure.value.outcome is UNKNOWN
    assert len(server.requests(path, before)) == 1
    assert server.operation(operation.id)["status"] == "PENDING"


@pytest.mark.parametrize("kind", ["truncate", "hang"])
def test_an_approval_whose_answer_is_lost(server: DevServer, make_device: DeviceFactory, kind: str) -> None:
    device = make_device(timeout=SHORT)
    operation = device.new_operation()
    server.fault(f"{OPERATIONS}/authorize", kind, **({"process": True} if kind == "hang" else {}))
    with pytest.raises(mtoken.MTokenError) as failure:
        device.client.operations.authorize(operation, device.auth)
    assert failure.value.outcome is UNKNOWN
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_a_late_answer_does_no_harm(server: DevServer, make_device: DeviceFactory) -> None:
    device = make_device(timeout=SHORT)
    operation = device.new_operation()
    server.fault(f"{OPERATIONS}/authorize", "latency", ms=1500, after=True)
    with pytest.raises(mtoken.TimeoutExpiredError) as failure:
        device.client.operations.authorize(operation, device.auth)
    assert failure.value.outcome is UNKNOWN and failure.value.reason == "network_timeOut"
    assert list(device.client.operations.list()) == []
    assert device.can_sign()


def test_a_cancelled_approval(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    before = server.mark()
    server.fault(f"{OPERATIONS}/authorize", "hang", process=True)
    task = device.client.operations.start_authorize(operation, device.auth)
    while not server.requests(f"{OPERATIONS}/authorize", before):
        assert not task.wait(0.05)
    task.cancel()
    with pytest.raises(mtoken.CancelledError) as failure:
        task.result(10)
    assert failure.value.outcome is UNKNOWN
    assert device.can_sign()


def test_the_next_call_waits_for_a_signed_one(server: DevServer, device: Device) -> None:
    """Signed requests of one client go out one after another."""
    first, second = device.new_operation(), device.new_operation()
    path = f"{OPERATIONS}/authorize"
    before = server.mark()
    server.fault(path, "latency", nth=1, count=1, ms=700)
    slow = device.client.operations.start_authorize(first, device.auth)
    fast = device.client.operations.start_authorize(second, device.auth)
    fast.result(30)
    assert slow.done(), "the second signed request overtook the first"
    slow.result(30)
    bodies = [request["body"] for request in server.requests(path, before)]
    assert [first.id in bodies[0], second.id in bodies[1]] == [True, True]


# Encryption


@pytest.mark.parametrize("layer", ["outer", "inner"])
@pytest.mark.parametrize("kind", ["wrong_mac", "wrong_key"])
def test_activation_that_cannot_be_decrypted(
    server: DevServer, protocol: mtoken.Protocol, make_client: ClientFactory, user: str, kind: str, layer: str
) -> None:
    client = make_client()
    server.fault(at(protocol, "/pa/v3/activation/create"), kind, layer=layer)
    with pytest.raises(mtoken.DecryptionError) as failure:
        client.activate(new_code(server, protocol, user))
    assert failure.value.outcome is ANSWERED
    assert client.state is mtoken.ClientState.EMPTY
    server.admin("DELETE", "/faults")
    client.activate(new_code(server, protocol, user))


@pytest.mark.parametrize(
    ("protocol", "layer", "patch"),
    rows(
        both=[
            ("inner", {"remove": ["activationId"]}),
            ("inner", {"remove": ["ctrData"]}),
            ("inner", {"set": {"activationId": 7}}),
            ("inner", {"set": {"activationId": "no UUID"}}),
            ("inner", {"set": {"ctrData": "AAAA"}}),
            ("outer", {"remove": ["activationData"]}),
            ("outer", {"set": {"activationData": []}}),
            ("wire", {"set": {"encryptedData": "%%%"}}),
            ("wire", {"set": {"timestamp": "now"}}),
        ],
        three=[
            ("inner", {"remove": ["serverPublicKey"]}),
            ("inner", {"set": {"serverPublicKey": "AAAA"}}),
            ("wire", {"remove": ["mac"]}),
            ("wire", {"remove": ["nonce"]}),
        ],
        four=[
            ("inner", {"remove": ["serverPublicKeys"]}),
            ("inner", {"set": {"serverPublicKeys.ecdsa": "AAAA"}}),
            ("inner", {"remove": ["sharedSecretResponse"]}),
            ("inner", {"set": {"sharedSecretResponse.salt": "AAAA"}}),
            ("wire", {"remove": ["timestamp"]}),
        ],
    ),
    indirect=["protocol"],
    ids=str,
)
def test_activation_with_a_malformed_answer(
    server: DevServer,
    protocol: mtoken.Protocol,
    make_client: ClientFactory,
    user: str,
    layer: str,
    patch: Dict[str, Any],
) -> None:
    client = make_client()
    server.fault(at(protocol, "/pa/v3/activation/create"), "patch", layer=layer, **patch)
    with pytest.raises(mtoken.ProtocolError) as failure:  # or a DecryptionError, which is one
        client.activate(new_code(server, protocol, user))
    assert failure.value.outcome is ANSWERED
    assert client.state is mtoken.ClientState.EMPTY


@pytest.mark.parametrize(
    ("protocol", "patch"),
    rows(
        both=[
            ({"remove": ["sub"]},),
            ({"remove": ["exp_ms"]},),
            ({"set": {"challenge": "AAAAAAAAAAAAAAAAAAAAAAAA"}},),
            ({"set": {"applicationKey": "AAAAAAAAAAAAAAAAAAAAAA=="}},),
        ],
        three=[({"remove": ["publicKey"]},), ({"set": {"publicKey": "AAAA"}},)],
        four=[({"remove": ["sharedSecretResponse"]},), ({"set": {"sharedSecretResponse.encapsulatedKeys": []}},)],
    ),
    indirect=["protocol"],
    ids=str,
)
def test_temporary_key_with_wrong_claims(
    server: DevServer, protocol: mtoken.Protocol, make_client: ClientFactory, user: str, patch: Dict[str, Any]
) -> None:
    client = make_client()
    server.fault(at(protocol, "/pa/v3/keystore/create"), "patch", layer="jwt", **patch)
    before = server.mark()
    with pytest.raises(mtoken.MTokenError) as failure:
        client.activate(new_code(server, protocol, user))
    assert failure.value.code in (
        mtoken.ErrorCode.PROTOCOL,
        mtoken.ErrorCode.DECRYPTION,
        mtoken.ErrorCode.SIGNATURE,
    )
    assert server.requests(at(protocol, "/pa/v3/activation/create"), before) == []


def test_another_temporary_key_than_the_servers(
    server: DevServer, protocol: mtoken.Protocol, make_client: ClientFactory, user: str
) -> None:
    client = make_client()
    server.fault(at(protocol, "/pa/v3/keystore/create"), "wrong_key")
    code = new_code(server, protocol, user)
    with pytest.raises(mtoken.ServerError) as failure:
        client.activate(code)
    assert failure.value.server_code == "ERR_ACTIVATION"
    server.admin("DELETE", "/faults")
    client.activate(code)


def test_temporary_keys_expire(server: DevServer, protocol: mtoken.Protocol, make_device: DeviceFactory) -> None:
    """A key near its end is renewed before it is used, without an error."""
    server.admin("PATCH", "/config", {"temporaryKeyValidityMs": 11_000})
    device = make_device()
    device.client.tokens.create("first")
    server.admin("PUT", "/clock", {"offsetMs": 60_000})
    device.client.reset_time()
    device.client.synchronize_time()
    before = server.mark()
    device.client.tokens.create("second")
    assert len(server.requests(at(protocol, "/pa/v3/keystore/create"), before)) == 1
    assert len(server.requests(at(protocol, "/pa/v3/token/create"), before)) == 1


@pytest.mark.parametrize(
    "patch",
    [
        {"remove": ["tokenId"]},
        {"remove": ["tokenSecret"]},
        {"set": {"tokenSecret": "AAAA"}},
        {"set": {"tokenSecret": "not Base64 at all!!!!!!!"}},
        {"set": {"tokenId": ""}},
        {"set": {"tokenId": 'x", evil="y'}},
    ],
    ids=str,
)
def test_a_malformed_token(server: DevServer, protocol: mtoken.Protocol, device: Device, patch: Dict[str, Any]) -> None:
    server.fault(at(protocol, "/pa/v3/token/create"), "patch", layer="outer", **patch)
    with pytest.raises(mtoken.ProtocolError):
        device.client.tokens.create("mine")
    assert "mine" not in device.client.tokens


def test_a_list_without_the_servers_time(server: DevServer, device: Device) -> None:
    for patch in ({"remove": ["currentTimestamp"]}, {"set": {"currentTimestamp": "soon"}}):
        server.admin("DELETE", "/faults")
        server.fault(f"{OPERATIONS}/list", "patch", **patch)
        assert device.client.operations.list().server_time is None


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


def test_a_text_of_the_server_that_fits_is_left_alone(server: DevServer, device: Device) -> None:
    text = "Účet č. 1 není aktivní: 他の口座を選んでください ✅ " + "z" * 400
    server.fault("/api/auth/token/app/operation/history", "status", status=400, code="FINE", message=text)
    with pytest.raises(mtoken.MTokenError) as caught:
        device.client.operations.history(device.auth)
    assert (caught.value.server_code, caught.value.server_message) == ("FINE", text)
