"""PIN, biometry with several authenticators, and the external encryption key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer

VALIDATE = "/pa/v3/signature/validate"
KEY = bytes(range(1, 17))
CARD = bytes(range(101, 117))
EXTERNAL = bytes(range(201, 217))


def accepted(server: DevServer, client: mtoken.Client, auth: mtoken.Auth) -> bool:
    """Whether the server accepts a signature with these factors."""
    header = client.sign("POST", "/test/signed", b"x", auth)
    return server.send("POST", "/api/test/signed", b"x", dict([header])).status == 200


# PIN


def test_validate_pin(server: DevServer, device: Device) -> None:
    device.client.factors.validate_pin(device.pin)
    assert device.view()["failedAttempts"] == 0
    with pytest.raises(mtoken.AuthenticationError) as failure:
        device.client.factors.validate_pin("9999")
    assert failure.value.http_status == 401 and failure.value.server_code == "ERR_AUTHENTICATION"
    assert device.view()["failedAttempts"] == 1
    sent = server.requests(VALIDATE)[-1]
    assert sent["body"] == '{"requestObject":{"reason":"VALIDATE_PASSWORD"}}'
    device.client.factors.validate_pin(bytearray(b"1234"))
    assert device.view()["failedAttempts"] == 0


def test_change_pin_unsafe(server: DevServer, device: Device) -> None:
    before = server.mark()
    device.client.factors.change_pin_unsafe("1234", "5678")
    assert server.requests(after=before) == []
    device.client.factors.validate_pin("5678")


def test_change_pin_unsafe_with_a_wrong_one_destroys_the_factor(server: DevServer, device: Device) -> None:
    """As documented: nothing on the device can tell, and no PIN works any more."""
    device.client.factors.change_pin_unsafe("9999", "5678")
    for pin in ("1234", "5678", "9999"):
        assert not accepted(server, device.client, mtoken.Auth.pin(pin))
    assert accepted(server, device.client, mtoken.Auth.possession())


def test_two_changes_of_the_pin_at_once(server: DevServer, device: Device) -> None:
    """The second was prepared for the old PIN: it is refused instead of destroying the new one."""
    server.fault("/pa/v3/signature/validate", "latency", ms=300)  # the first is under way when the second begins
    first = device.client.factors.start_change_pin(device.pin, "1111")
    second = device.client.factors.start_change_pin(device.pin, "2222")
    first.result(30)
    with pytest.raises(mtoken.StateError) as stale:
        second.result(30)
    assert stale.value.reason == "staleKnowledgeKey"
    device.client.factors.validate_pin("1111")


W = mtoken.PINWeakness


@pytest.mark.parametrize(
    "pin, weaknesses",
    [
        ("", W.SHORT),
        ("123", W.SHORT),
        ("0000", W.REPEATED),
        ("7337", W.REPEATED),
        ("739739", W.REPEATED),
        ("abcabc", W.REPEATED),
        ("1234", W.SEQUENTIAL | W.COMMON),
        ("4321", W.SEQUENTIAL),
        ("7890", W.SEQUENTIAL),
        ("0987", W.SEQUENTIAL),
        ("123451", W.SEQUENTIAL),
        ("123948", W.NONE),
        ("abcde", W.SEQUENTIAL),
        ("2580", W.COMMON),
        ("0852", W.COMMON),
        ("159753", W.COMMON),
        ("11223344", W.COMMON),
        ("2412", W.DATE),
        ("1224", W.DATE),
        ("1974", W.DATE),
        ("311299", W.DATE),
        ("991231", W.DATE),
        ("24122031", W.DATE),
        ("20311224", W.DATE),
        ("２５８０", W.COMMON),
        ("25\u200b80", W.COMMON),
        ("2\u20605\u00ad8\ufeff0", W.COMMON),
        ("٢٥٨٠", W.COMMON),
        ("𝟚𝟝𝟠𝟘", W.COMMON),
        ("12\u200b3", W.SHORT),
        ("24.12.1999", W.DATE),
        ("3/4/1987", W.DATE),
        ("1999-12-24", W.DATE),
        ("24 12 99", W.DATE),
        ("２４．１２", W.DATE),
        ("password", W.COMMON),
        ("Passw0rd1!", W.COMMON),
        ("Heslo1234", W.COMMON),
        ("ｑｗｅｒｔｚ", W.COMMON),
        ("heslice krásná", W.NONE),
        ("73.92.0684", W.NONE),
        ("3913", W.NONE),
        ("8306", W.NONE),
        ("830694", W.NONE),
        ("73920684", W.NONE),
        ("tajné 🔑", W.NONE),
    ],
)
def test_what_is_weak_about_a_pin(pin: str, weaknesses: mtoken.PINWeakness) -> None:
    assert mtoken.inspect_pin(pin) == weaknesses


def test_a_policy_refuses_weak_pins(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    """Refused PINs change nothing, and a PIN chosen before the policy still signs."""
    store = mtoken.Store.memory()
    make_device(store=store).client.close()
    client = make_client("device", store=store, min_pin_length=6, refused_pins=W.REPEATED | W.SEQUENTIAL | W.COMMON)
    for pin in ("8306", "123456", "111111", "159753"):
        for change in (client.factors.change_pin, client.factors.change_pin_unsafe):
            with pytest.raises(mtoken.ArgumentError) as refused:
                change("1234", pin)
            assert refused.value.reason == "weakPin" and pin not in str(refused.value)
    assert accepted(server, client, mtoken.Auth.pin("1234"))
    client.factors.change_pin("1234", "311299")
    assert accepted(server, client, mtoken.Auth.pin("311299"))


# Authenticators


def test_authenticators(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    """Each protects its own copy of the biometry factor's key; a signature uses one of them."""
    device = make_device(store=mtoken.Store.directory(tmp_path / "state"))
    client, factors = device.client, device.client.factors
    factors.add_biometry(CARD, device.auth, authenticator="smart card 💳")
    assert client.info().authenticators == ("smart card 💳",) and not client.info().has_biometry
    factors.add_biometry(KEY, device.auth)
    factors.add_biometry(EXTERNAL, device.auth, authenticator="watch")
    device.client.close()
    client = make_client("device", store=mtoken.Store.directory(tmp_path / "state"))
    assert client.info().authenticators == ("smart card 💳", "watch") and client.info().has_biometry
    # Tells how wide the server's window is: only a few of the host's own signatures may be open before.
    client.status()

    assert accepted(server, client, mtoken.Auth.biometry(KEY))
    assert accepted(server, client, mtoken.Auth.biometry(CARD, authenticator="smart card 💳"))
    assert accepted(server, client, mtoken.Auth.biometry(EXTERNAL, authenticator="watch"))
    assert not accepted(server, client, mtoken.Auth.biometry(CARD))
    assert not accepted(server, client, mtoken.Auth.biometry(KEY, authenticator="watch"))
    with pytest.raises(mtoken.FactorError) as unknown:
        client.sign("POST", "/x", b"", mtoken.Auth.biometry(KEY, authenticator="ring"))
    assert unknown.value.reason == "factorNotConfigured"

    client.factors.remove_biometry("smart card 💳")
    assert client.info().authenticators == ("watch",)
    with pytest.raises(mtoken.FactorError):
        client.sign("POST", "/x", b"", mtoken.Auth.biometry(CARD, authenticator="smart card 💳"))
    assert accepted(server, client, mtoken.Auth.biometry(EXTERNAL, authenticator="watch"))
    client.factors.remove_biometry()
    assert accepted(server, client, mtoken.Auth.biometry(EXTERNAL, authenticator="watch"))
    client.factors.remove_biometry("watch")
    with pytest.raises(mtoken.NotFoundError):
        client.factors.remove_biometry("watch")
    assert accepted(server, client, device.auth)


def test_too_many_authenticators(server: DevServer, device: Device) -> None:
    factors = device.client.factors
    for number in range(8):
        factors.add_biometry(KEY, device.auth, authenticator=f"number {number}")
    before = server.mark()
    with pytest.raises(mtoken.ArgumentError):
        factors.add_biometry(KEY, device.auth, authenticator="one more")
    assert server.requests(after=before) == []
    factors.add_biometry(CARD, device.auth, authenticator="number 3")
    assert accepted(server, device.client, mtoken.Auth.biometry(CARD, authenticator="number 3"))
    for name in ("", "n" * 65):
        with pytest.raises(mtoken.ArgumentError):
            factors.add_biometry(KEY, device.auth, authenticator=name)


# External encryption key


def test_external_key_among_the_options(
    server: DevServer, make_client: ClientFactory, device: Device, tmp_path: Path, user: str
) -> None:
    """It is set when the client is made, for an activation to come or one that uses it; one that uses none stays so."""
    options: Any = {"store": mtoken.Store.directory(tmp_path / "state"), "external_key": EXTERNAL}
    client = make_client("external", **options)
    assert client.info().has_external_key and not client.info().uses_external_key
    client.activate(server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    client.persist("1234")
    client.close()
    client = make_client("external", **options)
    assert client.info().uses_external_key and accepted(server, client, mtoken.Auth.pin("1234"))
    with pytest.raises(mtoken.ArgumentError):
        client.factors.set_external_key(KEY)

    device.client.close()
    plain = make_client("device", store=device.store, external_key=EXTERNAL)
    assert not plain.info().has_external_key and accepted(server, plain, device.auth)
    plain.factors.add_external_key(EXTERNAL)
    assert plain.info().uses_external_key and accepted(server, plain, device.auth)
    for wrong in (b"x" * 15, b"x" * 17, bytes(16)):
        with pytest.raises(mtoken.ArgumentError):
            make_client("wrong", external_key=wrong)
