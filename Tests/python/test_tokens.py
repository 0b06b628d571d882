"""MAC tokens."""

from __future__ import annotations

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer

CREATE = "/pa/v3/token/create"


def use(server: DevServer, device: Device, name: str) -> int:
    header = device.client.tokens.header(name)
    assert header.name == "X-PowerAuth-Token"
    return server.send("POST", "/api/test/token", b"{}", dict([header])).status


def test_life_of_a_token(server: DevServer, device: Device) -> None:
    tokens = device.client.tokens
    assert "mine" not in tokens
    tokens.create("mine")
    assert "mine" in tokens
    assert [token["signatureType"] for token in device.view()["tokens"]] == ["possession"]
    headers = {tokens.header("mine").value for _ in range(5)}
    assert len(headers) == 5, "a nonce was used twice"
    assert use(server, device, "mine") == 200
    assert use(server, device, "mine") == 200
    tokens.remove("mine")
    assert "mine" not in tokens
    assert device.view()["tokens"] == []
    with pytest.raises(mtoken.NotFoundError):
        tokens.header("mine")
    with pytest.raises(mtoken.NotFoundError):
        tokens.remove("mine")


def test_a_header_is_good_for_one_request(server: DevServer, device: Device) -> None:
    device.client.tokens.create("mine")
    header = device.client.tokens.header("mine")
    assert server.send("POST", "/api/test/token", b"{}", dict([header])).status == 200
    assert server.send("POST", "/api/test/token", b"{}", dict([header])).status == 401


def test_a_second_create_asks_nobody(server: DevServer, device: Device) -> None:
    device.client.tokens.create("mine")
    before = server.mark()
    device.client.tokens.create("mine")
    assert server.requests(after=before) == []


def test_factors_of_a_token(server: DevServer, biometric_device: Device) -> None:
    tokens = biometric_device.client.tokens
    tokens.create("possession")
    tokens.create("pin", biometric_device.auth)
    tokens.create("biometry", mtoken.Auth.biometry(biometric_device.biometry_key))
    kinds = {token["signatureType"] for token in biometric_device.view()["tokens"]}
    assert kinds == {"possession", "possession_knowledge", "possession_biometry"}
    for name in ("possession", "pin", "biometry"):
        assert use(server, biometric_device, name) == 200
    with pytest.raises(mtoken.MTokenError) as failure:
        tokens.create("pin")
    assert failure.value.code in (mtoken.ErrorCode.ARGUMENT, mtoken.ErrorCode.FACTOR)


def test_a_wrong_pin(device: Device) -> None:
    with pytest.raises(mtoken.AuthenticationError) as failure:
        device.client.tokens.create("mine", device.wrong_auth)
    assert failure.value.http_status == 401
    assert "mine" not in device.client.tokens
    assert device.client.status().failed_attempts == 1


def test_forget(server: DevServer, device: Device) -> None:
    tokens = device.client.tokens
    for name in ("a", "b", "c"):
        tokens.create(name)
    before = server.mark()
    tokens.forget("a")
    assert "a" not in tokens and "b" in tokens
    with pytest.raises(mtoken.NotFoundError):
        tokens.forget("a")
    tokens.forget_all()
    assert "b" not in tokens and "c" not in tokens
    tokens.forget_all()
    assert server.requests(after=before) == []
    assert len(device.view()["tokens"]) == 3


def test_a_token_needs_the_servers_time(device: Device) -> None:
    device.client.tokens.create("mine")
    device.client.reset_time()
    with pytest.raises(mtoken.StateError):
        device.client.tokens.header("mine")
    device.client.synchronize_time()
    assert device.client.tokens.header("mine").value


# Headers with all that they need


def refused_once(server: DevServer, device: Device, name: str) -> mtoken.Header:
    """A header that the server has refused, because it no longer knows the token."""
    header = device.client.tokens.fetch_header(name)
    server.admin("DELETE", f"/activations/{device.activation_id}/tokens")
    assert server.send("POST", "/api/test/token", b"{}", dict([header])).status == 401
    return header


def test_a_header_with_all_that_it_needs(server: DevServer, device: Device, make_client: ClientFactory) -> None:
    device.client.reset_time()
    before = server.mark()
    header = device.client.tokens.fetch_header("mine")
    assert server.send("POST", "/api/test/token", b"{}", dict([header])).status == 200
    assert len(server.requests(CREATE, before)) == 1
    before = server.mark()
    again = device.client.tokens.fetch_header("mine")
    assert again != header and server.requests(after=before) == [], "nothing is missing"
    device.client.close()
    device.client = make_client("device", store=device.store)
    header = device.client.tokens.fetch_header("mine")
    assert server.send("POST", "/api/test/token", b"{}", dict([header])).status == 200
    assert [request["path"] for request in server.requests("/pa", before)] == ["/pa/v3/status"]


def use_header(server: DevServer, header: mtoken.Header) -> int:
    return server.send("POST", "/api/test/token", b"{}", dict([header])).status


def test_many_requests_that_were_refused_at_once_share_one_new_token(server: DevServer, device: Device) -> None:
    tokens = device.client.tokens
    headers = [tokens.fetch_header("mine") for _ in range(8)]
    server.admin("DELETE", f"/activations/{device.activation_id}/tokens")
    assert {use_header(server, header) for header in headers} == {401}
    before = server.mark()
    tasks = [tokens.start_fetch_header("mine", refused=header) for header in headers]
    assert {use_header(server, task.result(30)) for task in tasks} == {200}
    assert len(server.requests(CREATE, before)) == 1


def test_a_header_with_factors(server: DevServer, device: Device) -> None:
    tokens = device.client.tokens
    header = tokens.fetch_header("pin", device.auth)
    assert [token["signatureType"] for token in device.view()["tokens"]] == ["possession_knowledge"]
    with pytest.raises(mtoken.ArgumentError):
        tokens.fetch_header("pin")
    with pytest.raises(mtoken.ArgumentError):
        tokens.fetch_header("pin", refused=header)
    assert "pin" in tokens, "nothing was forgotten"
    with pytest.raises(mtoken.AuthenticationError):
        tokens.fetch_header("other", device.wrong_auth)
    assert "other" not in tokens


@pytest.mark.parametrize("value", ["", "PowerAuth", 'token_id=""', 'PowerAuth token_id="', "x" * 300])
def test_what_is_no_header(device: Device, value: str) -> None:
    device.client.tokens.create("mine")
    with pytest.raises(mtoken.ArgumentError):
        device.client.tokens.fetch_header("mine", refused=mtoken.Header("X-PowerAuth-Token", value))
    assert "mine" in device.client.tokens


def test_tokens_survive_a_restart(server: DevServer, device: Device, make_client: ClientFactory) -> None:
    device.client.tokens.create("mine")
    device.client.close()
    device.client = make_client("device", store=device.store)
    assert "mine" in device.client.tokens
    device.client.synchronize_time()
    assert use(server, device, "mine") == 200


def test_tokens_go_with_the_activation(server: DevServer, device: Device) -> None:
    device.client.tokens.create("mine")
    device.client.remove_local()
    assert "mine" not in device.client.tokens
    device.client.activate(server.new_activation(device.user)["activationCode"])
    device.client.persist("1234")
    assert "mine" not in device.client.tokens


def test_the_list_of_operations_makes_one_token(server: DevServer, device: Device) -> None:
    before = server.mark()
    tasks = [device.client.operations.start_list() for _ in range(10)]
    for task in tasks:
        task.result(30)
    assert len(server.requests(CREATE, before)) == 1
    assert "possession_universal" in device.client.tokens


@pytest.mark.parametrize("name", ["x", "n" * 64, "with space", "Žižkov"])
def test_names(device: Device, name: str) -> None:
    device.client.tokens.create(name)
    assert name in device.client.tokens


@pytest.mark.parametrize("name", ["", "n" * 65, "nul\0inside"])
def test_impossible_names(device: Device, name: str) -> None:
    for call in (device.client.tokens.create, device.client.tokens.header, device.client.tokens.remove):
        with pytest.raises(mtoken.ArgumentError):
            call(name)
    assert name not in device.client.tokens


def test_devices_do_not_share_tokens(server: DevServer, make_device: DeviceFactory) -> None:
    first, second = make_device("first"), make_device("second")
    first.client.tokens.create("mine")
    assert "mine" not in second.client.tokens
