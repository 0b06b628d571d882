"""MAC tokens."""

from __future__ import annotations

import mtoken
import pytest
from conftest import Device
from devserver import DevServer


def use(server: DevServer, device: Device, name: str) -> int:
    header = device.client.tokens.header(name)
    assert header.name == "X-PowerAuth-Token"
    return server.send("POST", "/api/test/token", b"{}", dict([header])).status


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
