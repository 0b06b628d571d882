"""From protocol 3 to 4.0: offered, made with the PIN, refused."""

from __future__ import annotations

from typing import Any

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devices4 import NAMES, SUITES, device4, need
from devserver import DevServer
from test_protocol4 import protocol4, reopened

ALL = list(SUITES)


def legacy(make_device: DeviceFactory, server: DevServer, suite: str = "EC_P384", **options: Any) -> Device:
    """An activation of protocol 3 of an application that has keys of 4.0 too."""
    return device4(make_device, server, suite, protocol=mtoken.Protocol.V3_3, **options)


@pytest.mark.parametrize("suite", ALL)
def test_upgrade(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, suite: str) -> None:
    device = legacy(make_device, server, suite, biometry=True)
    client = device.client
    client.operations.list()
    before = client.info()
    assert before.protocol is mtoken.Protocol.V3_3 and client.status().upgrade_available
    token = device.view()["tokens"][0]["tokenId"]
    both = mtoken.Auth(pin=device.pin, biometry_key=device.biometry_key)
    status = client.upgrade(both)
    assert status.state is mtoken.ActivationState.ACTIVE and not status.upgrade_available
    info = client.info()
    assert (info.protocol, info.suite, info.activation_id) == (
        mtoken.Protocol.V4_0,
        SUITES[suite],
        before.activation_id,
    )
    assert info.fingerprint == device.view()["fingerprint"] != before.fingerprint
    assert not info.awaits_upgrade_confirmation and not info.has_recovery_data
    assert protocol4(device)["upgradePending"] is False
    client.operations.list()
    assert [made["tokenId"] for made in device.view()["tokens"]] == [token], "tokens stay"
    reopened(device, make_client, suite)
    assert device.can_sign(device.auth) and device.can_sign(mtoken.Auth.biometry(device.biometry_key))
    device.client.factors.change_pin("1234", "5678")
    with pytest.raises(mtoken.StateError):
        device.client.upgrade(mtoken.Auth.pin("5678"))


def test_upgrade_without_the_biometry_key_drops_it(server: DevServer, make_device: DeviceFactory) -> None:
    device = legacy(make_device, server, biometry=True)
    device.client.upgrade(device.auth)
    assert not device.client.info().has_biometry and not device.client.status().biometry_enabled


def test_upgrade_takes_the_suite_that_the_server_offers(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, user: str
) -> None:
    """As a new activation does, where the configuration has the keys of both hybrid suites."""
    need("L5")
    made = server.admin("POST", "/applications", {"applicationId": user, "suite": NAMES["L5"], "allMasterKeys": True})
    server.admin("PATCH", f"/applications/{user}", {"withdrawnSuites": [NAMES["L3"]]})
    options = {"configuration": made["sdkConfig"], "activation": {"applicationId": user}}
    device = make_device(protocol=mtoken.Protocol.V3_3, **options)
    device.client.upgrade(device.auth)
    assert device.client.info().suite is make_device(**options).client.info().suite is SUITES["L5"]


def test_upgrade_with_a_wrong_pin(server: DevServer, make_device: DeviceFactory) -> None:
    device = legacy(make_device, server)
    with pytest.raises(mtoken.AuthenticationError) as wrong:
        device.client.upgrade(device.wrong_auth)
    assert wrong.value.remaining_attempts == 4
    assert device.client.info().protocol is mtoken.Protocol.V3_3 and device.can_sign()


def test_what_upgrade_refuses(server: DevServer, make_device: DeviceFactory, device: Device) -> None:
    with pytest.raises(mtoken.ConfigurationError):
        device.client.upgrade(device.auth)
    with pytest.raises(mtoken.ArgumentError):
        device.client.upgrade(mtoken.Auth.possession())
