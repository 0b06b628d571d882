"""MAC tokens."""

from __future__ import annotations

import mtoken
import pytest
from conftest import Device
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


# Headers with all that they need


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


def test_names(device: Device) -> None:
    tokens = device.client.tokens
    for name in ("n" * 64, "with space", "Žižkov"):
        tokens.create(name)
        assert name in tokens
    tokens.forget("with space")
    assert "with space" not in tokens and "Žižkov" in tokens
    tokens.forget_all()
    assert "Žižkov" not in tokens and len(device.view()["tokens"]) == 3
    for name in ("", "n" * 65, "nul\0inside"):
        for call in (tokens.create, tokens.header, tokens.remove):
            with pytest.raises(mtoken.ArgumentError):
                call(name)
