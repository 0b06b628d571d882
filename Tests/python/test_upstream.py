"""Moving in from the upstream SDK: its activation goes on here, with its PIN, its keys and its counter."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Iterator, List

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


def test_without_biometry_and_with_an_external_key(
    phone: Phone, server: DevServer, user: str, make_client: ClientFactory
) -> None:
    key = os.urandom(16)
    client = make_client()
    client.import_upstream(phone.state(biometry=False, external_key=key), possession_key=phone.possession_key)
    assert not client.info().has_biometry and client.info().uses_external_key
    client.status()
    with pytest.raises(mtoken.StateError):
        client.factors.validate_pin(phone.PIN)
    client.factors.set_external_key(key)
    assert device(client, server, phone, user).can_sign()
    client.remove_local()
    # A key that is set beforehand is the one that the imported activation uses, or the import is refused.
    with pytest.raises(mtoken.StateError):
        client.import_upstream(phone.state(), possession_key=phone.possession_key)
    assert client.state is ClientState.EMPTY


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


def test_a_wrong_possession_key_costs_nothing(
    phone: Phone, server: DevServer, user: str, make_client: ClientFactory
) -> None:
    client = make_client()
    client.import_upstream(phone.state(), possession_key=os.urandom(16))
    with pytest.raises(mtoken.ProtocolError):
        client.status()
    client.remove_local()
    client.import_upstream(phone.state(), possession_key=phone.possession_key)
    client.status()
    moved = device(client, server, phone, user)
    assert moved.can_sign() and moved.view()["failedAttempts"] == 0


def refusal(client: mtoken.Client, state: bytes, key: bytes) -> Any:
    """Why a state is refused; None: it is not. The client is empty afterwards in any case."""
    try:
        client.import_upstream(state, possession_key=key)
    except mtoken.MTokenError as error:
        assert client.state is ClientState.EMPTY
        assert error.outcome is mtoken.Outcome.NOT_SENT
        return error.code, error.reason
    client.remove_local()
    return None


def lengths(state: bytes) -> List[int]:
    """Where the lengths stand that come before each part."""
    found, at = [], 5
    for part in range(10):
        at += 4 if part == 2 else 0  # the number of iterations
        found.append(at)
        at += 1 + state[at]
    return [*found, at + 4]


def test_what_is_refused(phone: Phone, server: DevServer, user: str, make_client: ClientFactory) -> None:
    client = make_client()
    state, key = phone.state(), phone.possession_key
    damaged = (mtoken.ErrorCode.PARSE, "invalidUpstreamState")
    for length in range(len(state)):
        assert refusal(client, state[:length], key) == damaged, length
    for more in (b"\0", state, bytes(1 << 20)):
        assert refusal(client, state + more, key) == damaged
    assert refusal(client, bytes(16 << 20), key) == damaged
    # Keys are encrypted without a check, so that they may be anything; what says where they are may not.
    accepted = []
    for at in range(len(state)):
        changed = state[:at] + bytes([state[at] ^ 0x80]) + state[at + 1 :]
        if refusal(client, changed, key) is None:
            accepted.append(at)
    assert accepted and not {0, 1, 3, 4, *lengths(state)} & {*accepted}

    argument = (mtoken.ErrorCode.ARGUMENT, "invalidArgument")
    unsupported = mtoken.ErrorCode.UNSUPPORTED
    assert refusal(client, state, key[:15]) == refusal(client, state, bytes(16)) == argument
    assert refusal(client, state, key * 2) == refusal(client, state, b"") == argument
    assert refusal(client, bytes((16 << 20) + 1), key) == argument
    assert refusal(client, b"PA\0", key) == (mtoken.ErrorCode.NOT_ACTIVATED, "missingActivation")
    assert refusal(client, phone.state("7"), key) == (unsupported, "unsupportedState")
    assert refusal(client, phone.state("3"), key) == (unsupported, "unsupportedProtocol")
    assert refusal(client, b"PAM" + state[3:], key) == (unsupported, "unsupportedProtocol")
    assert refusal(client, phone.state(flags=1 << 10 | 3 << 2), key) == (unsupported, "unsupportedProtocol")

    client.import_upstream(state, possession_key=key)
    with pytest.raises(mtoken.StateError):
        client.import_upstream(state, possession_key=key)
    client.status()
    assert device(client, server, phone, user).can_sign()


def test_a_pending_activation_stays(phone: Phone, server: DevServer, user: str, make_client: ClientFactory) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    with pytest.raises(mtoken.PendingError):
        client.import_upstream(phone.state(), possession_key=phone.possession_key)
    assert client.state is ClientState.PENDING


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
