"""Moving in from the upstream SDK: its activation goes on here, with its PIN, its keys and its counter."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

import mtoken
import pytest
from conftest import ROOT, ClientFactory, Device
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from devserver import DevServer
from mtoken import ClientState
from pages import blocks
from upstream import FORMATS, Phone

PAGE = "docs/guides/migration.md"


@pytest.fixture
def phone(server: DevServer, user: str) -> Iterator[Phone]:
    """A device with the upstream SDK that has signed three times."""
    server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    phone = Phone(server, user)
    for _ in range(3):
        phone.validate()
    yield phone
    phone.http.close()


def device(client: mtoken.Client, server: DevServer, phone: Phone, user: str) -> Device:
    store = client._connection.store
    return Device(client, server, user, phone.activation_id, store, phone.PIN, phone.biometry_key)


@pytest.mark.parametrize("compressed", [True, False], ids=["short points", "long points"])
@pytest.mark.parametrize("format", FORMATS)
def test_an_activation_goes_on(
    phone: Phone,
    server: DevServer,
    user: str,
    make_client: ClientFactory,
    tmp_path: Path,
    format: str,
    compressed: bool,
) -> None:
    phone.compressed_keys = compressed
    store = mtoken.Store.directory(tmp_path / "state")
    empty = make_client(store=store)
    given = bytearray(phone.state(format))
    before = bytes(given)
    empty.import_upstream(given, possession_key=phone.possession_key)
    assert given == before
    empty.close()  # what is stored is all that is needed

    client = make_client(store=mtoken.Store.directory(tmp_path / "state"))
    info = client.info()
    assert (info.state, info.activation_id) == (ClientState.ACTIVE, phone.activation_id)
    assert info.fingerprint == phone.fingerprint()
    assert (info.has_biometry, info.has_recovery_data) == (True, format >= "5")
    assert client.status().state is mtoken.ActivationState.ACTIVE
    moved = device(client, server, phone, user)
    assert moved.view()["counter"] == 3
    biometry = mtoken.Auth.biometry(phone.biometry_key)
    client.factors.validate_pin(phone.PIN)
    for auth in (moved.auth, biometry):
        operation = moved.new_operation()  # with a token of possession, which is made for the first of them
        client.operations.authorize(operation, auth)
        assert server.operation(operation.id)["status"] == "APPROVED"
    client.tokens.create("mine")
    assert "mine" in client.tokens and moved.can_sign()
    assert moved.view()["counter"] == 3 + 6

    signature = client.vault.sign(b"content", moved.auth)
    phone.device_key.public_key().verify(signature, b"content", ec.ECDSA(hashes.SHA256()))
    if format >= "5":
        recovery = client.vault.recovery(moved.auth)
        assert (recovery.code, recovery.puk) == tuple(phone.activation_answer["activationRecovery"].values())

    with pytest.raises(mtoken.AuthenticationError) as wrong:
        client.factors.validate_pin("9999")
    assert wrong.value.remaining_attempts == 4 and moved.view()["failedAttempts"] == 1
    client.factors.change_pin(phone.PIN, "13579")
    client.factors.validate_pin("13579")
    client.remove(mtoken.Auth.pin("13579"))
    assert moved.view()["state"] == "REMOVED" and client.state is ClientState.EMPTY


def test_a_device_that_is_ahead(phone: Phone, server: DevServer, user: str, make_client: ClientFactory) -> None:
    """Signatures that the server never saw were made before: the status tells, and the counters meet."""
    for _ in range(7):
        phone.compute("possession", b"lost")
    for format in FORMATS:
        client = make_client(format)
        client.import_upstream(phone.state(format), possession_key=phone.possession_key)
        with pytest.raises(mtoken.StateError) as early:
            client.sign("POST", "/x", b"", mtoken.Auth.possession())
        assert early.value.reason == "counterAtRisk"
        client.factors.validate_pin(phone.PIN)  # asks for the status first
        assert client.info().unacknowledged_signatures == 0
        phone.compute("possession", b"the client's, for the next format")
        client.close()
    assert server.activation(phone.activation_id)["counter"] == 3 + 7 + len(FORMATS)


def test_the_page(
    phone: Phone, server: DevServer, user: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = blocks(PAGE)
    state = tmp_path / "state.bin"
    state.write_bytes(phone.state())
    names = {"mtoken": mtoken, "state_file": state, "device_identifier": f"device of {user}", "pin": phone.PIN}
    names |= {"sdk_configuration": server.configuration, "server_url": server.url, "ca_file": server.ca_file}
    exec(block.text, {**names, "state_folder": tmp_path / "token"})
    assert capsys.readouterr().out == f"moved: {phone.activation_id}\n" and not state.exists()
    assert f"({PAGE})" in (ROOT / "README.md").read_text(encoding="utf-8")
