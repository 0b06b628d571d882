"""The bank moves: what of a client's options may change for an activation that is stored."""

from __future__ import annotations

import base64
from typing import Any, Dict
from urllib.parse import urlsplit

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer


def approve(device: Device, client: mtoken.Client) -> None:
    """Everything that an activation is for, through another client on the same state."""
    moved = Device(client, device.server, device.user, device.activation_id, device.store)
    operation = moved.new_operation()
    client.operations.authorize(operation, device.auth)
    assert device.server.operation(operation.id)["status"] == "APPROVED"
    assert client.status().state is mtoken.ActivationState.ACTIVE
    assert moved.can_sign()


def address(server: DevServer, host: str) -> str:
    """The server under another of its names."""
    parts = urlsplit(server.url)
    return f"{parts.scheme}://{host}:{parts.port}{parts.path}"


@pytest.mark.parametrize(
    "change", ["host", "http", "operations", "trust", "pins", "pins taken back", "rest"],
)  # fmt: skip
def test_the_bank_moves(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, change: str, tmp_path: Any
) -> None:
    before: Dict[str, Any] = {}
    after: Dict[str, Any]
    if change == "host":
        names = {"localhost", "127.0.0.1"}
        after = {"base_url": address(server, (names - {str(urlsplit(server.url).hostname)}).pop())}
    elif change == "http":
        after = {"base_url": server.http_url, "allow_http": True, "ca_file": None}
    elif change == "operations":
        after = {"operations_url": server.url + "/"}
        before = {"base_url": address(server, "localhost")}
    elif change == "trust":
        copy = tmp_path / "other-name.pem"
        with open(server.ca_file, "rb") as source:
            copy.write_bytes(source.read())
        after = {"ca_file": str(copy)}
    elif change == "pins":
        after = {"pins": [mtoken.TLSPin(server.spki_sha256)]}
    elif change == "pins taken back":
        before = {"pins": [mtoken.TLSPin(server.spki_sha256)]}
        after = {"pins": [mtoken.TLSPin(base64.b64encode(bytes(32)).decode()), mtoken.TLSPin(server.spki_sha256)]}
    else:
        after = {
            "timeout": 30,
            "language": "cs",
            "application": "moved/2",
            "label": "moved",
            "headers": {"X-Moved": "1"},
            "strict": True,
        }
    device = make_device(**before)
    approve(device, device.client)
    device.client.close()
    moved = make_client("device", store=device.store, **{**after})
    assert moved.info().activation_id == device.activation_id
    approve(device, moved)
    moved.close()
    # And back: nothing of it was kept.
    approve(device, make_client("device", store=device.store, **before))


def test_a_new_version_of_the_application(server: DevServer, device: Device, make_client: ClientFactory) -> None:
    """Other key and secret, the same master key: an update of the bank's application. The old version may end after it."""
    name = f"2.0-{device.user}"
    version = server.admin("POST", "/applications/demo/versions", {"name": name})
    assert version["sdkConfig"] != server.configuration
    approve(device, device.client)
    device.client.tokens.create("mine")
    device.client.close()
    moved = make_client("device", store=device.store, configuration=version["sdkConfig"])
    assert "mine" in moved.tokens
    approve(device, moved)
    moved.close()
    approve(device, make_client("device", store=device.store))


def test_another_application(server: DevServer, device: Device, make_client: ClientFactory) -> None:
    """It is refused by the server, whose activation it is not; nothing is lost by the mistake."""
    other = server.admin("POST", "/applications", {"applicationId": f"other-{device.user}"})
    device.client.close()
    wrong = make_client("device", store=device.store, configuration=other["sdkConfig"])
    assert wrong.info().activation_id == device.activation_id, "the state does not tell applications apart"
    with pytest.raises(mtoken.MTokenError):
        wrong.operations.list()
    with pytest.raises(mtoken.MTokenError):
        wrong.factors.validate_pin(device.pin)
    wrong.close()
    assert device.view()["state"] == "ACTIVE"
    back = make_client("device", store=device.store)
    back.status()
    approve(device, back)


def test_what_must_stay(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    """The name and the device secret: without them the state is somebody else's."""
    device = make_device(device_secret=b"0123456789abcdef")
    device.client.close()
    with pytest.raises(mtoken.TamperedError):
        make_client("device", store=device.store, device_secret=b"0123456789abcdeX")
    with pytest.raises(mtoken.TamperedError):
        make_client("device", store=device.store)
    assert (
        make_client("another", store=device.store, device_secret=b"0123456789abcdef").state is mtoken.ClientState.EMPTY
    )
    approve(device, make_client("device", store=device.store, device_secret=b"0123456789abcdef"))


def test_pins_of_the_old_place_stop_every_call(server: DevServer, device: Device, make_client: ClientFactory) -> None:
    """Before anything is sent: a bank that moves to another key tells its application first."""
    device.client.close()
    counter = device.view()["counter"]
    stale = make_client("device", store=device.store, pins=[mtoken.TLSPin(base64.b64encode(bytes(32)).decode())])
    with pytest.raises(mtoken.PinMismatchError) as caught:
        stale.factors.validate_pin(device.pin)
    assert caught.value.outcome is mtoken.Outcome.NOT_SENT
    stale.close()
    assert device.view()["counter"] == counter
    approve(device, make_client("device", store=device.store))
