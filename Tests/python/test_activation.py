"""Activation: from a code to a stored state."""

from __future__ import annotations

import json
import os
import platform
from typing import Any, Dict, Optional, Type

import mtoken
import pytest
from conftest import PROTOCOLS_3, ClientFactory, Device, DeviceFactory
from devserver import DevServer


def test_typed_code(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    assert client.state is mtoken.ClientState.EMPTY
    code = server.new_activation(user)["activationCode"]
    activation = client.activate(code)
    view = server.activation(activation.activation_id)
    assert view["state"] == "PENDING_COMMIT"
    assert (activation.fingerprint, view["userId"]) == (view["fingerprint"], user)
    assert len(activation.fingerprint) == 8 and activation.fingerprint.isdigit()
    assert client.state is mtoken.ClientState.PENDING
    client.persist("1234")
    info = client.info()
    assert info.state is mtoken.ClientState.ACTIVE
    assert (info.activation_id, info.fingerprint) == (activation.activation_id, activation.fingerprint)
    assert not info.has_biometry and not info.has_recovery_data


@pytest.mark.parametrize("protocol", PROTOCOLS_3)
def test_every_protocol_version(server: DevServer, make_device: DeviceFactory, protocol: mtoken.Protocol) -> None:
    device = make_device(protocol=protocol)
    expected = {31: "3.1", 32: "3.2", 33: "3.3"}[int(protocol)]
    assert device.view()["protocolVersion"] == expected
    assert device.client.info().protocol is protocol
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    operation = device.new_operation()
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_code_of_a_qr_with_signature(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    activation = client.activate(server.new_activation(user)["activationQr"])
    assert server.activation(activation.activation_id)["userId"] == user


def test_code_with_a_signature_of_another_application(server: DevServer, make_client: ClientFactory, user: str) -> None:
    other = f"other-{user}"
    server.admin("POST", "/applications", {"applicationId": other})
    qr = server.new_activation(user, applicationId=other)["activationQr"]
    client = make_client()
    before = server.mark()
    with pytest.raises(mtoken.SignatureError) as failure:
        client.activate(qr)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert server.requests(after=before) == []
    assert client.state is mtoken.ClientState.EMPTY


@pytest.mark.parametrize("position", [0, 5, 22])
def test_code_with_a_wrong_character(server: DevServer, make_client: ClientFactory, user: str, position: int) -> None:
    code = server.new_activation(user)["activationCode"]
    wrong = code[:position] + ("A" if code[position] != "A" else "B") + code[position + 1 :]
    client = make_client()
    before = server.mark()
    with pytest.raises(mtoken.ParseError) as failure:
        client.activate(wrong)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert server.requests(after=before) == []
    assert client.state is mtoken.ClientState.EMPTY


def test_used_code(server: DevServer, make_client: ClientFactory, user: str) -> None:
    code = server.new_activation(user)["activationCode"]
    make_client("first").activate(code)
    second = make_client("second")
    with pytest.raises(mtoken.ServerError) as failure:
        second.activate(code)
    assert (failure.value.server_code, failure.value.http_status) == ("ERR_ACTIVATION", 400)
    assert failure.value.outcome is mtoken.Outcome.ANSWERED
    assert second.state is mtoken.ClientState.EMPTY


def test_unknown_code(make_client: ClientFactory) -> None:
    with pytest.raises(mtoken.ServerError) as failure:
        make_client().activate("AAAAA-AAAAA-AAAAA-AAAAA")
    assert failure.value.server_code == "ERR_ACTIVATION"


def test_expired_code(server: DevServer, make_client: ClientFactory, user: str) -> None:
    activation = server.new_activation(user)
    server.admin("PATCH", f"/activations/{activation['activationId']}", {"expires": 1})
    with pytest.raises(mtoken.ServerError) as failure:
        make_client().activate(activation["activationCode"])
    assert failure.value.server_code == "ERR_ACTIVATION"


def test_otp(server: DevServer, make_client: ClientFactory, user: str) -> None:
    created = server.new_activation(user, otp="1234-56", otpValidation="ON_KEY_EXCHANGE")
    client = make_client()
    with pytest.raises(mtoken.ServerError) as failure:
        client.activate(created["activationCode"], otp="wrong")
    assert failure.value.server_code == "ERR_ACTIVATION"
    assert server.activation(created["activationId"])["failedAttempts"] == 1
    client.activate(created["activationCode"], otp="1234-56")
    assert server.activation(created["activationId"])["state"] == "ACTIVE"


def test_everything_that_the_device_tells(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    activation = client.activate(
        server.new_activation(user)["activationCode"],
        name="Ján's kiosk 🏦",
        extras='{"any": "text"}',
        custom_attributes={"branch": "Žižkov", "floor": 3},
        platform="kiosk",
        device_info="Model T",
    )
    view = server.activation(activation.activation_id)
    assert (view["name"], view["extras"]) == ("Ján's kiosk 🏦", '{"any": "text"}')
    assert (view["platform"], view["deviceInfo"]) == ("kiosk", "Model T")
    assert activation.custom_attributes is not None
    assert {"branch": "Žižkov", "floor": 3}.items() <= dict(activation.custom_attributes).items()


def test_the_kind_of_device_is_told_by_default(server: DevServer, make_client: ClientFactory, user: str) -> None:
    """Operating system and processor, and nothing of the machine's or the user's name; empty: nothing at all."""
    activation = make_client("a").activate(server.new_activation(user)["activationCode"])
    told = server.activation(activation.activation_id)["deviceInfo"]
    assert told.endswith(f", {platform.machine()}") and len(told.encode()) <= 255
    release = platform.freedesktop_os_release()["PRETTY_NAME"] if hasattr(platform, "freedesktop_os_release") else ""
    assert told.startswith(release)
    for name in (platform.node(), os.environ.get("USER", "")):
        assert not name or name not in told
    activation = make_client("b").activate(server.new_activation(user)["activationCode"], device_info="")
    assert server.activation(activation.activation_id)["deviceInfo"] is None


@pytest.mark.parametrize(
    ("member", "limit"), [("name", 255), ("platform", 255), ("device_info", 255), ("extras", 4000)]
)
def test_a_text_that_is_longer_than_servers_take(
    server: DevServer, make_client: ClientFactory, user: str, member: str, limit: int
) -> None:
    """It is refused here, and the code is good for the next try. Characters count, not bytes."""
    client = make_client()
    code = server.new_activation(user)["activationCode"]
    mark = server.mark()
    for length in (limit + 1, limit * 2):
        with pytest.raises(mtoken.ArgumentError) as error:
            client.activate(code, **{member: "Ž" * length})
        assert (error.value.code, error.value.outcome) == (mtoken.ErrorCode.ARGUMENT, mtoken.Outcome.NOT_SENT)
        assert str(error.value) == f"{member} has {length} characters; the server accepts at most {limit}."
    assert server.requests(after=mark) == [] and client.state is mtoken.ClientState.EMPTY
    activation = client.activate(code, **{member: "Ž🏦" * (limit // 2)})
    kept = {"device_info": "deviceInfo"}.get(member, member)
    assert server.activation(activation.activation_id)[kept].lower() == ("Ž🏦" * (limit // 2)).lower()


# The name that the bank shows

DETAIL = "/pa/v3/activation/detail"


@pytest.mark.parametrize("protocol", [mtoken.Protocol.V3_1, mtoken.Protocol.V3_2, mtoken.Protocol.V3_3])
def test_the_name_that_the_bank_shows(make_device: DeviceFactory, protocol: mtoken.Protocol) -> None:
    device = make_device(protocol=protocol, biometry=True)
    mark = device.server.mark()
    detail = device.client.detail(device.auth)
    assert (detail.activation_id, detail.activation_name) == (device.activation_id, f"Device of {device.user}")
    assert "activation_detail" in device.client.tokens
    device.server.admin("PATCH", f"/activations/{device.activation_id}", {"name": "Renamed by the bank"})
    assert device.client.detail(device.auth).activation_name == "Renamed by the bank"
    assert device.client.detail(mtoken.Auth.biometry(device.biometry_key)).activation_name == "Renamed by the bank"
    assert len(device.server.requests("/pa/v3/token/create", after=mark)) == 1
    for request in device.server.requests(DETAIL, after=mark):
        names = {name.lower() for name in request["headers"]}
        assert {"x-powerauth-token", "x-powerauth-encryption"} <= names
        assert "encryptedData" in json.loads(request["body"])


def test_the_name_that_the_bank_shows_needs_two_factors(device: Device, make_client: ClientFactory) -> None:
    mark = device.server.mark()
    with pytest.raises(mtoken.FactorError):
        device.client.detail(mtoken.Auth.possession())
    assert device.server.requests(after=mark) == []
    with pytest.raises(mtoken.NotActivatedError):
        make_client("other").detail(device.auth)
    with pytest.raises(mtoken.AuthenticationError):
        device.client.detail(device.wrong_auth)
    assert device.client.detail(device.auth).activation_id == device.activation_id


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"kind": "empty"}, mtoken.ProtocolError),
        ({"kind": "status", "status": 200, "body": "{}"}, mtoken.DecryptionError),
        ({"kind": "wrong_mac"}, mtoken.DecryptionError),
        ({"kind": "patch", "layer": "outer", "remove": ["responseObject"]}, mtoken.ProtocolError),
        ({"kind": "patch", "layer": "outer", "set": {"responseObject.activationId": "another"}}, mtoken.ProtocolError),
        ({"kind": "status", "status": 400, "code": "ERR_ACTIVATION"}, mtoken.ServerError),
    ],
    ids=str,
)
def test_a_detail_that_cannot_be_read(device: Device, fault: Dict[str, Any], kind: Type[mtoken.MTokenError]) -> None:
    """Released servers answer a request that is not encrypted with nothing and status 200: here nothing is an error."""
    device.client.detail(device.auth)
    device.server.fault(DETAIL, **fault)
    with pytest.raises(kind):
        device.client.detail(device.auth)
    device.server.admin("DELETE", "/faults")
    assert device.client.detail(device.auth).activation_name


@pytest.mark.parametrize("name", [None, ""])
def test_a_device_without_a_name(server: DevServer, make_client: ClientFactory, user: str, name: Optional[str]) -> None:
    client = make_client()
    activation = client.activate(server.new_activation(user)["activationCode"], name=name)
    client.persist("1234")
    server.admin("POST", f"/activations/{activation.activation_id}/commit")
    assert client.detail(mtoken.Auth.pin("1234")).activation_name is None


def test_platform_is_linux_by_default(server: DevServer, make_client: ClientFactory, user: str) -> None:
    activation = make_client().activate(server.new_activation(user)["activationCode"])
    assert server.activation(activation.activation_id)["platform"] == "linux"


def test_recovery_data(server: DevServer, make_client: ClientFactory, user: str) -> None:
    server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    client = make_client()
    activation = client.activate(server.new_activation(user)["activationCode"])
    known = server.admin("GET", "/recovery-codes", userId=user)["recoveryCodes"][0]
    assert activation.recovery_code == known["recoveryCode"]
    assert activation.recovery_puk == known["puks"][0]["puk"]
    assert known["recoveryCode"] not in repr(activation)
    client.persist("1234")
    assert client.info().has_recovery_data


def test_user_info(server: DevServer, make_client: ClientFactory, user: str) -> None:
    server.admin("PUT", f"/users/{user}", {"claims": {"sub": user, "name": "Jana Nováková", "email_verified": True}})
    activation = make_client().activate(server.new_activation(user)["activationCode"])
    assert activation.user_info is not None
    assert (activation.user_info.name, activation.user_info.email_verified) == ("Jana Nováková", True)
    assert make_client().activate(server.new_activation(f"{user}-2")["activationCode"]).user_info is None


@pytest.mark.parametrize("pin", ["", "123", b"\x00\x01\x02"])
def test_persist_needs_four_bytes(server: DevServer, make_client: ClientFactory, user: str, pin: str | bytes) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    with pytest.raises(mtoken.ArgumentError):
        client.persist(pin)
    assert client.state is mtoken.ClientState.PENDING
    client.persist("1234")
    assert client.state is mtoken.ClientState.ACTIVE


@pytest.mark.parametrize("length", [1, 15, 17, 32])
def test_persist_needs_a_biometry_key_of_16_bytes(
    server: DevServer, make_client: ClientFactory, user: str, length: int
) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    with pytest.raises(mtoken.ArgumentError):
        client.persist("1234", biometry_key=b"k" * length)
    assert client.state is mtoken.ClientState.PENDING


@pytest.mark.parametrize("pin", ["1234", "tajné heslo 🔑", b"\xff\xfe\x00\x01", bytearray(b"4321")])
def test_any_pin(server: DevServer, make_client: ClientFactory, user: str, pin: str | bytes | bytearray) -> None:
    client = make_client()
    client.activate(server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    given = bytes(pin) if not isinstance(pin, str) else pin
    client.persist(pin)
    assert pin == given, "the caller's PIN was changed"
    header = client.sign("POST", "/pa/signature/validate", b"{}", mtoken.Auth.pin(pin))
    assert server.send("POST", "/pa/v3/signature/validate", b"{}", dict([header])).status == 200


def test_biometry(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    client.persist("1234", biometry_key=bytes(range(16)))
    assert client.info().has_biometry


def test_calls_in_the_wrong_state(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    auth = mtoken.Auth.pin("1234")
    with pytest.raises(mtoken.StateError):
        client.persist("1234")
    with pytest.raises(mtoken.StateError):
        client.cancel_activation()
    for call in needing_an_activation(client, auth):
        with pytest.raises(mtoken.NotActivatedError) as missing:
            call()
        assert missing.value.reason == "missingActivation"
        assert missing.value.outcome is mtoken.Outcome.NOT_SENT

    client.activate(server.new_activation(user)["activationCode"])
    with pytest.raises(mtoken.MTokenError) as pending:
        client.start_activate(server.new_activation(user)["activationCode"])
    assert pending.value.code in (mtoken.ErrorCode.PENDING, mtoken.ErrorCode.STATE)
    for call in needing_an_activation(client, auth):
        with pytest.raises(mtoken.PendingError):
            call()

    client.persist("1234")
    with pytest.raises(mtoken.StateError):
        client.persist("1234")
    with pytest.raises(mtoken.StateError):
        client.start_activate(server.new_activation(user)["activationCode"])
    assert client.status().state is mtoken.ActivationState.PENDING_COMMIT


def needing_an_activation(client: mtoken.Client, auth: mtoken.Auth) -> list:  # type: ignore[type-arg]
    """Every call that a client without an activation must refuse."""
    return [
        client.status,
        lambda: client.remove(auth),
        lambda: client.sign("POST", "/x", b"", auth),
        lambda: client.sign_offline("/x", b"", bytes(16), auth),
        lambda: client.verify(b"data", b"signature", key=mtoken.Key.PERSONALIZED),
        lambda: client.tokens.create("token"),
        lambda: client.tokens.header("token"),
        lambda: client.tokens.remove("token"),
        client.operations.list,
        lambda: client.operations.history(auth),
        lambda: client.operations.detail("id"),
        lambda: client.operations.claim("id"),
        lambda: client.operations.authorize_data("id", "data", auth),
        lambda: client.operations.reject("id"),
    ]


def test_cancel_a_pending_activation(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    client.cancel_activation()
    assert client.state is mtoken.ClientState.EMPTY
    assert client.info().activation_id is None
    client.activate(server.new_activation(user)["activationCode"])
    assert client.state is mtoken.ClientState.PENDING


def test_cancel_an_activation_under_way(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    server.fault("/pa/v3/activation/create", "hang")
    task = client.start_activate(server.new_activation(user)["activationCode"])
    client.cancel_activation()
    with pytest.raises(mtoken.CancelledError):
        task.result(10)
    assert task.state is mtoken.TaskState.CANCELLED
    assert client.state is mtoken.ClientState.EMPTY
    server.reset()
    client.activate(server.new_activation(user)["activationCode"])


def test_a_pending_activation_is_not_stored(server: DevServer, make_client: ClientFactory, user: str) -> None:
    store = mtoken.Store.memory()
    client = make_client(store=store)
    client.activate(server.new_activation(user)["activationCode"])
    client.close()
    assert make_client(store=store).state is mtoken.ClientState.EMPTY


def test_two_activations_at_once(server: DevServer, make_client: ClientFactory, user: str) -> None:
    first, second = make_client("first"), make_client("second")
    tasks = [client.start_activate(server.new_activation(user)["activationCode"]) for client in (first, second)]
    ids = {task.result(30).activation_id for task in tasks}
    assert len(ids) == 2
    third = make_client("third")
    code = server.new_activation(user)["activationCode"]
    task = third.start_activate(code)
    with pytest.raises(mtoken.MTokenError) as running:
        third.start_activate(code)
    assert running.value.code in (mtoken.ErrorCode.PENDING, mtoken.ErrorCode.STATE, mtoken.ErrorCode.BUSY)
    assert task.result(30).activation_id == third.info().activation_id
