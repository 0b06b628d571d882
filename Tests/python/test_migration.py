"""States that earlier versions wrote load for ever: one folder for each format, each made by the version that brought it."""

from __future__ import annotations

import base64
import json
import shutil
import sys
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest
from conftest import ClientFactory
from devserver import FOLDER

import mtoken

sys.path.append(str(FOLDER))
from mtoken_devserver import keytree, signature  # noqa: E402

STATES = Path(__file__).resolve().parent / "states"
FORMATS = sorted(path.name for path in STATES.iterdir() if path.is_dir())
NONCE = bytes(range(16))


def test_every_format_is_kept() -> None:
    assert FORMATS[:2] == ["format-1", "format-2"]


class Kept:
    """A copy of a kept state, and what the server knew when it was written."""

    def __init__(self, folder: Path, copy: Path):
        self.facts: Dict[str, Any] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
        copy.mkdir(mode=0o700)
        for path in folder.glob("device.*"):
            shutil.copy(path, copy / path.name)
            (copy / path.name).chmod(0o600)
        self.folder = copy
        keys = self.facts["keys"]
        self.factors = {name: base64.b64decode(keys[name]) for name in ("possession", "knowledge", "biometry")}
        self.counter = base64.b64decode(self.facts["counter"])

    def expected(self, kind: str) -> str:
        """The offline signature that is due, computed from the server's keys."""
        data = signature.base_string("POST", "/x", base64.b64encode(NONCE).decode(), b"body") + b"&offline"
        factors = [self.factors[name] for name in kind.split("_")]
        code = signature.decimal_signature(factors, self.counter, data)
        self.counter = keytree.next_counter(self.counter)
        return code


@pytest.fixture(params=FORMATS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    yield Kept(STATES / request.param, tmp_path / "state")


def test_a_kept_state_loads_and_signs(kept: Kept, make_client: ClientFactory) -> None:
    facts = kept.facts

    def opened() -> mtoken.Client:
        return make_client("device", configuration=facts["configuration"], store=mtoken.Store.directory(kept.folder))

    client = opened()
    info = client.info()
    assert (info.state, info.activation_id) == (mtoken.ClientState.ACTIVE, facts["activationId"])
    assert info.fingerprint == facts["fingerprint"]
    assert info.has_biometry and info.has_recovery_data == facts["recovery"] and not info.uses_external_key
    assert set(info.authenticators) == set(facts["authenticators"])
    assert all(name in client.tokens for name in facts["tokens"])

    biometry = base64.b64decode(facts["biometryKey"])
    auths = [
        ("possession", mtoken.Auth.possession()),
        ("possession_knowledge", mtoken.Auth.pin(facts["pin"])),
        ("possession_biometry", mtoken.Auth.biometry(biometry)),
        ("possession_knowledge_biometry", mtoken.Auth(pin=facts["pin"], biometry_key=biometry)),
    ]
    for name, key in facts["authenticators"].items():
        auths.append(("possession_biometry", mtoken.Auth.biometry(base64.b64decode(key), authenticator=name)))
    for kind, auth in auths:
        assert client.sign_offline("/x", b"body", NONCE, auth) == kept.expected(kind), kind

    # Written again by this version, it is still the same.
    client.factors.change_pin_unsafe(facts["pin"], "5678")
    client.close()
    client = opened()
    assert client.sign_offline("/x", b"body", NONCE, mtoken.Auth.pin("5678")) == kept.expected("possession_knowledge")
    assert set(client.info().authenticators) == set(facts["authenticators"])
    assert all(name in client.tokens for name in facts["tokens"])


def test_an_activation_without_authenticators_stays_in_the_first_format(
    kept: Kept, make_client: ClientFactory, tmp_path: Path
) -> None:
    """So that an earlier version can be put back."""
    client = make_client("device", configuration=kept.facts["configuration"], store=mtoken.Store.directory(kept.folder))
    for name in kept.facts["authenticators"]:
        client.factors.remove_biometry(name)
    client.sign("POST", "/x", b"", mtoken.Auth.possession())
    client.close()
    first = (STATES / "format-1" / "device.state").stat().st_size
    assert (kept.folder / "device.state").stat().st_size == first
