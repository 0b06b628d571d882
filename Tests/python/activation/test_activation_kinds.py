"""The other ways to activate: recovery code and PUK, identity attributes, OpenID Connect."""

from __future__ import annotations

import sys
from typing import Any, Dict, List

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import FOLDER, DevServer

sys.path.append(str(FOLDER / "tests"))

CODE = "55555-55555-55555-55YMA"


def works(client: mtoken.Client, server: DevServer, activation: mtoken.Activation) -> None:
    """The activation can be persisted and its signatures are accepted."""
    assert client.state is mtoken.ClientState.PENDING
    view = server.activation(activation.activation_id)
    assert view["fingerprint"] == activation.fingerprint
    client.persist("1234")
    header = client.sign("POST", "/pa/signature/validate", b"{}", mtoken.Auth.pin("1234"))
    assert server.send("POST", "/pa/v3/signature/validate", b"{}", dict([header])).status == 200


# Recovery


@pytest.fixture
def recoverable(server: DevServer, make_device: DeviceFactory) -> Device:
    """A device whose activation came with a recovery code."""
    server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    return make_device("lost")


def recovery_of(device: Device) -> mtoken.Recovery:
    return device.client.vault.recovery(device.auth)


@pytest.mark.parametrize("prefix", ["", "R:"])
def test_recovery(server: DevServer, make_client: ClientFactory, recoverable: Device, prefix: str) -> None:
    """The new activation replaces the old one and brings a new recovery code."""
    old = recovery_of(recoverable)
    client = make_client()
    activation = client.activate(recovery=mtoken.Recovery(prefix + old.code, old.puk), name="new phone")
    assert server.activation(activation.activation_id)["state"] == "ACTIVE"
    assert server.activation(activation.activation_id)["userId"] == recoverable.user
    assert recoverable.view()["state"] == "REMOVED"
    assert activation.recovery_code not in (None, old.code)
    works(client, server, activation)
    with pytest.raises(mtoken.ServerError) as used:
        make_client("again").activate(recovery=old)
    assert used.value.server_code == "ERR_ACTIVATION"


def test_recovery_with_a_wrong_puk(server: DevServer, device: Device, make_client: ClientFactory) -> None:
    """The server says which PUK of the printed list is due; the client stays empty and can be used again."""
    card = server.admin("POST", "/recovery-codes", {"userId": device.user, "pukCount": 2})
    assert device.client.vault.confirm_recovery(card["recoveryCode"], device.auth) is False
    first, second = (puk["puk"] for puk in card["puks"])
    client = make_client()
    with pytest.raises(mtoken.ServerError) as wrong:
        client.activate(recovery=mtoken.Recovery(card["recoveryCode"], second))
    assert (wrong.value.server_code, wrong.value.http_status) == ("INVALID_RECOVERY_CODE", 400)
    assert wrong.value.recovery_puk_index == 1
    assert client.state is mtoken.ClientState.EMPTY
    works(client, server, client.activate(recovery=mtoken.Recovery(card["recoveryCode"], first)))
    third = make_client("third")
    with pytest.raises(mtoken.ServerError) as wrong:
        third.activate(recovery=mtoken.Recovery(card["recoveryCode"], first))
    assert wrong.value.recovery_puk_index == 2


def test_recovery_codes_and_puks_as_texts() -> None:
    assert mtoken.is_recovery_code(CODE) and mtoken.is_recovery_code("R:" + CODE)
    for wrong in ("", CODE[:-1], CODE[:-1] + "B", CODE.lower(), "R:R:" + CODE, CODE + "#AAAA", "X:" + CODE):
        assert not mtoken.is_recovery_code(wrong), wrong
    assert mtoken.is_recovery_puk("0123456789")
    for wrong in ("", "012345678", "01234567890", "012345678a", "٠١٢٣٤٥٦٧٨٩"):
        assert not mtoken.is_recovery_puk(wrong), wrong


# Identity attributes


def test_identity_attributes(server: DevServer, make_client: ClientFactory, user: str) -> None:
    server.admin("PUT", f"/users/{user}", {"password": 'se"cret Ž', "claims": {"name": "Eve"}})
    client = make_client()
    with pytest.raises(mtoken.ServerError) as wrong:
        client.activate(identity={"username": user, "password": "other"})
    assert wrong.value.server_code == "ERR_ACTIVATION" and client.state is mtoken.ClientState.EMPTY
    activation = client.activate(identity={"username": user, "password": 'se"cret Ž'})
    assert activation.user_info is not None
    assert (activation.user_info.name, activation.user_info.claims) == ("Eve", {"name": "Eve"})
    assert client.info().user_info == {"name": "Eve"}
    view = server.activation(activation.activation_id)
    assert (view["userId"], view["state"], view["activationCode"]) == (user, "ACTIVE", None)
    works(client, server, activation)


def test_identity_attributes_with_a_commit(server: DevServer, make_client: ClientFactory, user: str) -> None:
    server.admin("PATCH", "/config", {"customAutoCommit": False})
    client = make_client()
    activation = client.activate(identity={"userId": user}, custom_attributes={"branch": 7})
    assert dict(activation.custom_attributes or {}) == {"branch": 7}
    client.persist("1234")
    assert client.status().state is mtoken.ActivationState.PENDING_COMMIT
    server.admin("POST", f"/activations/{activation.activation_id}/commit")
    assert client.status().state is mtoken.ActivationState.ACTIVE


# What cannot be


IMPOSSIBLE: List[Dict[str, Any]] = [
    {},
    {"identity": {}},
    {"code": CODE, "identity": {"a": "b"}},
    {"code": CODE, "recovery": mtoken.Recovery(CODE, "0123456789")},
    {"identity": {"a": "b"}, "oidc": mtoken.OIDCCode("p", "c", "n")},
    {"identity": {"": "b"}},
    {"identity": {f"name {number}": "b" for number in range(65)}},
    {"identity": {"a": "b"}, "otp": "1234"},
    {"recovery": mtoken.Recovery(CODE, "0123456789"), "otp": "1234"},
    {"oidc": mtoken.OIDCCode("p", "c", "n"), "otp": "1234"},
    {"code": CODE, "otp": ""},
    {"oidc": mtoken.OIDCCode("", "c", "n")},
    {"oidc": mtoken.OIDCCode("p", "", "n")},
    {"oidc": mtoken.OIDCCode("p", "c", "")},
    {"oidc": mtoken.OIDCCode("p", "c", "n", "")},
    {"code": CODE, "custom_attributes": "[]"},
]


@pytest.mark.parametrize("arguments", IMPOSSIBLE, ids=str)
def test_impossible_activations(server: DevServer, make_client: ClientFactory, arguments: Dict[str, Any]) -> None:
    client = make_client()
    before = server.mark()
    with pytest.raises(mtoken.ArgumentError) as failure:
        client.activate(**arguments)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert server.requests(after=before) == [] and client.state is mtoken.ClientState.EMPTY
