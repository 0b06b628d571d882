"""Protocol 4.0 where servers differ (powerauth4.md §20), and what a server does to an activation: each both ways."""

from __future__ import annotations

from typing import Any

import mtoken
import pytest
from conftest import ClientFactory, DeviceFactory
from devices4 import application
from devserver import DevServer
from test_protocol4 import ready, reopened

SIGNED = {"plaintext": mtoken.Order.SIGN_THEN_ENCRYPT, "encrypted": mtoken.Order.ENCRYPT_THEN_SIGN}


def settings(server: DevServer, **values: Any) -> None:
    """Until the end of the test."""
    server.admin("PATCH", "/config", values)


def calls(server: DevServer, path: str) -> int:
    return len(server.requests(path))


# Rename


@pytest.mark.parametrize("order", list(SIGNED))
def test_the_order_of_rename(server: DevServer, make_device: DeviceFactory, order: str) -> None:
    """The other order costs an attempt: it is never tried by itself."""
    device = ready(make_device, server)
    settings(server, renameOrder=order)
    other = next(value for name, value in SIGNED.items() if name != order)
    assert device.client.rename("desk", device.auth, order=SIGNED[order]).activation_name == "desk"
    before = calls(server, "/pa/v4/activation/rename")
    with pytest.raises(mtoken.AuthenticationError) as refused:
        device.client.rename("other", device.auth, order=other)
    assert refused.value.remaining_attempts == 4
    assert calls(server, "/pa/v4/activation/rename") == before + 1
    assert device.view()["name"] == "desk" and device.can_sign(device.auth)


@pytest.mark.parametrize("wrapped", [True, False], ids=["wrapped", "plain"])
@pytest.mark.parametrize("path", ["rename", "detail"])
def test_both_forms_of_the_answer(server: DevServer, make_device: DeviceFactory, path: str, wrapped: bool) -> None:
    device = ready(make_device, server)
    if not wrapped:
        change = {
            "layer": "outer",
            "set": {"activationId": device.activation_id, "activationName": "desk"},
            "remove": ["status", "responseObject"],
        }
        fault = server.fault(f"/pa/v4/activation/{path}", "patch", **change)
    client = device.client
    detail = client.rename("desk", device.auth) if path == "rename" else client.detail(device.auth)
    assert detail.activation_name == ("desk" if path == "rename" or not wrapped else device.view()["name"])
    assert wrapped or server.times_applied(fault) == 1


# Temporary keys


@pytest.mark.parametrize("known", [True, False], ids=["removed", "unknown"])
def test_the_key_of_a_removed_activation(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, known: bool
) -> None:
    """Where the server gives one, the status says REMOVED; where it does not, nobody knows, and nothing is forgotten."""
    device = ready(make_device, server)
    server.admin("POST", f"/activations/{device.activation_id}/remove")
    reopened(device, make_client)
    if known:
        assert device.client.status().state is mtoken.ActivationState.REMOVED
        with pytest.raises(mtoken.RemovedError):
            device.client.operations.list()
    else:
        server.fault("/pa/v4/keystore/create", "status", status=400, code="ERR_TEMPORARY_KEY")
        for call in (device.client.status, device.client.operations.list, device.client.user_info):
            with pytest.raises(mtoken.ServerError) as refused:
                call()
            assert (refused.value.reason, refused.value.server_code) == ("notTheFactor", "ERR_TEMPORARY_KEY")
            assert refused.value.retriable, "it may have been the matter of a moment"
    assert device.client.state is mtoken.ClientState.ACTIVE


# Blocks, and suites that are withdrawn


def test_a_temporary_block_ends(server: DevServer, make_device: DeviceFactory) -> None:
    settings(server, temporaryBlockMs=60_000)
    device = ready(make_device, server)
    factors, wrong = device.client.factors, "9999"
    for length, attempts in ((60, 5), (120, 1)):
        for _ in range(attempts - 1):
            with pytest.raises(mtoken.AuthenticationError):
                factors.validate_pin(wrong)
        with pytest.raises(mtoken.BlockedError):
            factors.validate_pin(wrong)
        status = device.client.status()
        assert status.state is mtoken.ActivationState.BLOCKED and status.block_expires is not None
        now = server.admin("GET", "/clock")["now"] / 1000
        assert length - 30 < status.block_expires.timestamp() - now <= length
        with pytest.raises(mtoken.BlockedError):
            factors.validate_pin("1234")
        offset = server.admin("GET", "/clock")["offsetMs"]
        server.admin("PUT", "/clock", {"offsetMs": offset + length * 1000 + 1000})
        status = device.client.status()
        assert (status.state, status.remaining_attempts) == (mtoken.ActivationState.ACTIVE, 1)
        assert status.block_expires is None
    factors.validate_pin("1234")
    assert device.client.status().remaining_attempts == 5


def test_a_withdrawn_suite_is_for_new_activations(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, user: str
) -> None:
    device = ready(make_device, server)
    name, configuration = application(server, "EC_P384")
    assert not device.client.status().suite_withdrawn
    server.admin("PATCH", f"/applications/{name}", {"withdrawnSuites": ["EC_P384"]})
    try:
        assert device.client.status().suite_withdrawn
        device.client.operations.authorize(device.new_operation(applicationId=name), device.auth)
        device.client.factors.change_pin("1234", "5678")
        code = server.new_activation(user, applicationId=name)["activationCode"]
        client = make_client("new", configuration=configuration)
        with pytest.raises(mtoken.UnsupportedError) as refused:
            client.activate(code)
        assert refused.value.reason == "unsupportedSuite" and client.state is mtoken.ClientState.EMPTY
    finally:
        server.admin("PATCH", f"/applications/{name}", {"withdrawnSuites": []})
    client.activate(code)
    assert not device.client.status().suite_withdrawn
