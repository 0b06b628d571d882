"""Activation: from a code to a stored state."""

from __future__ import annotations

import json
import os
import platform
from typing import Any, Dict

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
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


@pytest.mark.parametrize("pin", ["1234", "tajné heslo 🔑", b"\xff\xfe\x00\x01", bytearray(b"4321")])
def test_any_pin(server: DevServer, make_client: ClientFactory, user: str, pin: str | bytes | bytearray) -> None:
    client = make_client()
    client.activate(server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    given = bytes(pin) if not isinstance(pin, str) else pin
    client.persist(pin)
    assert pin == given, "the caller's PIN was changed"
    header = client.sign("POST", "/pa/signature/validate", b"{}", mtoken.Auth.pin(pin))
    assert server.send("POST", "/pa/v3/signature/validate", b"{}", dict([header])).status == 200


@pytest.mark.parametrize(
    "fault",
    [{"kind": "empty"}, {"kind": "patch", "layer": "outer", "set": {"responseObject.activationId": "another"}}],
    ids=str,
)
def test_a_malformed_detail(device: Device, fault: Dict[str, Any]) -> None:
    """Released servers answer a request that is not encrypted with nothing and status 200: here nothing is an error."""
    device.client.detail(device.auth)
    device.server.fault(DETAIL, **fault)
    with pytest.raises(mtoken.ProtocolError):
        device.client.detail(device.auth)
