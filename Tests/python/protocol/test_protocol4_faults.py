"""Protocol 4.0 where a server differs from what the device knows, and where a call meets another in the middle.

Trouble of the network is the simulator's, forged answers are V4BadInputTests.swift's.
"""

from __future__ import annotations

from typing import List

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devices4 import application, device4, need
from devserver import DevServer
from test_protocol4 import protocol4, ready, reopened

# Activation


def unconfirmed(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> Device:
    """A device whose process ended before the server had its confirmation."""
    server.fault("/pa/v4/activation/status", "status", status=503)
    device = device4(make_device, server)
    device.client.close()
    server.admin("DELETE", "/faults")
    assert protocol4(device)["confirmPending"] is True
    reopened(device, make_client)
    assert device.client.info().awaits_confirmation
    return device


def test_a_restart_before_the_confirmation(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory
) -> None:
    device = unconfirmed(server, make_device, make_client)
    client = device.client
    for call in (
        lambda: client.sign("POST", "/x", b"", device.auth),
        lambda: client.operations.list(),
        lambda: client.factors.validate_pin("1234"),
        lambda: client.wait_active(timeout=5),
    ):
        with pytest.raises(mtoken.StateError) as refused:
            call()
        assert refused.value.reason == "confirm"
    assert device.view()["failedAttempts"] == 0
    with pytest.raises(mtoken.AuthenticationError):
        client.wait_active(timeout=300, pin="9999")
    assert device.view()["failedAttempts"] == 1
    assert client.wait_active(timeout=300, pin="1234").state is mtoken.ActivationState.ACTIVE
    assert not client.info().awaits_confirmation and device.can_sign(device.auth)


# The exchange


def test_signatures_in_another_order_are_as_good(server: DevServer, make_device: DeviceFactory) -> None:
    server.fault("/pa/v4/keystore/create", "reversed_signatures")
    assert ready(make_device, server, "L3").can_sign(mtoken.Auth.pin("1234"))


@pytest.mark.parametrize("suite, fault", [("EC_P384", "altered_salt"), ("L3", "altered_ciphertext")])
def test_secrets_that_differ_show_before_anything_is_confirmed(
    server: DevServer, make_device: DeviceFactory, suite: str, fault: str
) -> None:
    """The answer gives no error, and the server refuses the activation's keys for ever: the wait ends."""
    need(suite)
    server.fault("/pa/v4/activation/create", fault)
    device = device4(make_device, server, suite)
    with pytest.raises(mtoken.ServerError, match="does not know this activation") as refused:
        device.client.wait_active(timeout=120)
    assert not refused.value.retriable
    assert protocol4(device)["confirmPending"] is True


@pytest.mark.parametrize("offered", [["EC_P384_ML_L3"], ["EC_P384"]], ids="+".join)
def test_a_named_suite_that_the_server_does_not_offer(
    server: DevServer, make_client: ClientFactory, user: str, offered: List[str]
) -> None:
    name, configuration = application(server, "EC_P384")
    server.fault("/pa/v4/keystore/create", "status", status=400, code="ERR_TEMPORARY_KEY")
    server.fault("/pa/v4/status", "patch", layer="wire", set={"responseObject.supportedAlgorithms": offered})
    client = make_client(configuration=configuration, suite=mtoken.Suite.EC_P384)
    with pytest.raises(mtoken.MTokenError) as refused:
        client.activate(server.new_activation(user, applicationId=name)["activationCode"])
    if offered == ["EC_P384"]:
        assert (refused.value.code, refused.value.server_code) == (mtoken.ErrorCode.SERVER, "ERR_TEMPORARY_KEY")
    else:
        assert (refused.value.code, refused.value.reason) == (mtoken.ErrorCode.UNSUPPORTED, "unsupportedSuite")


def test_a_server_that_was_put_back_to_a_backup(server: DevServer, make_device: DeviceFactory) -> None:
    """It has forgotten a confirmation: what its status says counts, not the mark of the device."""
    device = ready(make_device, server)
    server.admin("PATCH", f"/activations/{device.activation_id}", {"confirmPending": True})
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    assert device.client.info().awaits_confirmation
    device.client.wait_active(timeout=60, pin=device.pin)
    assert protocol4(device)["confirmPending"] is False and not device.client.info().awaits_confirmation
    server.admin("PATCH", f"/activations/{device.activation_id}", {"upgradePending": True})
    device.client.status()
    assert protocol4(device)["upgradePending"] is False and not device.client.info().awaits_upgrade_confirmation
    assert device.can_sign(device.auth)


# The PIN


def test_an_altered_secret_takes_the_change_back(server: DevServer, make_device: DeviceFactory) -> None:
    device = ready(make_device, server)
    server.fault("/pa/v4/password/change", "altered_salt")
    with pytest.raises(mtoken.ServerError) as refused:
        device.client.factors.change_pin("1234", "5678")
    assert refused.value.reason == "secretsDiffer" and refused.value.remaining_attempts == 4
    assert "PIN is wrong" not in str(refused.value)
    server.admin("DELETE", "/faults")
    device.client.factors.validate_pin("1234")


# What meets in the middle of another call

KEY, EXTERNAL, OTHER = bytes(range(1, 17)), bytes(range(100, 116)), bytes(range(50, 66))


@pytest.mark.parametrize("adds", [True, False], ids=["add", "remove"])
@pytest.mark.parametrize("change", ["PIN", "biometry"])
def test_an_external_key_does_not_meet_a_change(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, change: str, adds: bool
) -> None:
    """It would be put around the new factor, and the former one be taken back without it."""
    device = ready(make_device, server, biometry=True)
    factors = device.client.factors
    if not adds:
        factors.add_external_key(EXTERNAL)
    fault = server.fault("/pa/v4/auth/validate", "hang")
    with device.auth as auth:
        task = factors.start_change_pin("1234", "5678") if change == "PIN" else factors.start_add_biometry(OTHER, auth)
    while server.times_applied(fault) == 0:
        assert not task.wait(0.01)
    with pytest.raises(mtoken.StateError):
        factors.add_external_key(EXTERNAL) if adds else factors.remove_external_key()
    task.cancel()
    assert isinstance(task.error(30), mtoken.CancelledError)
    server.admin("DELETE", "/faults")
    client = reopened(device, make_client)
    if not adds:
        client.factors.set_external_key(EXTERNAL)
    client.factors.validate_pin("5678" if change == "PIN" else "1234")
    if change == "biometry":
        assert device.can_sign(mtoken.Auth.biometry(OTHER))


def test_a_biometry_that_was_removed_is_not_brought_back(server: DevServer, make_device: DeviceFactory) -> None:
    """The user takes an authenticator's copy away while the server refuses the key that replaces it."""
    device = ready(make_device, server)
    factors = device.client.factors
    factors.add_biometry(KEY, device.auth, authenticator="watch")
    factors.add_biometry(OTHER, mtoken.Auth.biometry(KEY, authenticator="watch"))
    server.fault("/pa/v4/biometry/add", "altered_salt")
    server.fault("/pa/v4/auth/validate", "latency", ms=500)
    before = server.mark()
    task = factors.start_add_biometry(OTHER, device.auth, authenticator="watch")
    while not server.requests("/pa/v4/biometry/add", before):
        assert not task.wait(0.01)
    removal = factors.start_remove_biometry("watch")
    with pytest.raises(mtoken.ServerError, match="different keys"):
        task.result(60)
    removal.result(60)
    with pytest.raises(mtoken.FactorError):
        device.client.vault.encryption_key(1, mtoken.Auth.biometry(KEY, authenticator="watch"))
