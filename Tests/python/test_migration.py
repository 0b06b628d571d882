"""States that earlier versions wrote load for ever: one folder for each format, each made by the version that brought it.

`format-3-slots` is the first whose file has slots: the state of format 2 in the older one, that of format 3 in the newer.
"""

from __future__ import annotations

import base64
import json
import shutil
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Dict, Iterator

import mtoken
import pytest
from conftest import ClientFactory
from devserver import FOLDER

sys.path.append(str(FOLDER))
from mtoken_devserver import crypto, keytree, signature

STATES = Path(__file__).resolve().parent / "states"
FORMATS = sorted(path.name for path in STATES.iterdir() if path.is_dir())
NONCE = bytes(range(16))


def test_every_format_is_kept() -> None:
    assert FORMATS == ["format-1", "format-2", "format-3", "format-3-slots"]


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
        self.transport = base64.b64decode(keys["transport"])
        self.counter = base64.b64decode(self.facts["counter"])
        self.steps: int = self.facts["steps"]

    def status(self, challenge: bytes) -> Dict[str, str]:
        """What the server answers when it is asked for the status: it is in step with the state as it was kept."""
        nonce = crypto.random_bytes(16)
        blob = keytree.StatusBlob(3, self.steps % 256, 0, 5, 20, self.counter).encode(self.transport)
        iv = keytree.status_iv(self.transport, challenge, nonce)
        encrypted = crypto.aes_cbc_encrypt(self.transport, iv, blob, pad=False)
        return {
            "activationId": self.facts["activationId"],
            "encryptedStatusBlob": crypto.b64(encrypted),
            "nonce": crypto.b64(nonce),
        }

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


@pytest.fixture
def bank(kept: Kept) -> Iterator[str]:
    """The URL of a server that knows the status of the kept activation, and nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer: Dict[str, Any] = {"status": "OK", "responseObject": {"serverTime": int(time.time() * 1000)}}
            if self.path == "/pa/v3/activation/status":
                answer["responseObject"] = kept.status(base64.b64decode(request["requestObject"]["challenge"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *arguments: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_kept_state_loads_and_signs(kept: Kept, bank: str, make_client: ClientFactory) -> None:
    facts = kept.facts

    def opened() -> mtoken.Client:
        store = mtoken.Store.directory(kept.folder)
        return make_client(
            "device", configuration=facts["configuration"], base_url=bank, allow_http=True, ca_file=None, store=store
        )

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
    # Formats 1 and 2 do not tell how many signatures nobody has answered: the status does, before anything is signed.
    if facts["unacknowledged"] is None:
        with pytest.raises(mtoken.StateError) as early:
            client.sign_offline("/x", b"body", NONCE, auths[0][1])
        assert early.value.reason == "counterWindow"
    else:
        assert info.unacknowledged_signatures == facts["unacknowledged"]
    assert client.status().state is mtoken.ActivationState.ACTIVE
    assert client.info().unacknowledged_signatures == 0
    for kind, auth in auths:
        assert client.sign_offline("/x", b"body", NONCE, auth) == kept.expected(kind), kind

    # Written again by this version, it is still the same.
    client.factors.change_pin_unsafe(facts["pin"], "5678")
    client.close()
    client = opened()
    assert client.sign_offline("/x", b"body", NONCE, mtoken.Auth.pin("5678")) == kept.expected("possession_knowledge")
    assert set(client.info().authenticators) == set(facts["authenticators"])
    assert all(name in client.tokens for name in facts["tokens"])


def test_a_kept_state_is_written_in_the_newest_format(kept: Kept, bank: str, make_client: ClientFactory) -> None:
    """What it brings, the count of signatures and the server's window, is there when it is loaded again."""
    for signatures in (1, 2):
        store = mtoken.Store.directory(kept.folder)
        client = make_client(
            "device",
            configuration=kept.facts["configuration"],
            base_url=bank,
            allow_http=True,
            ca_file=None,
            store=store,
        )
        if signatures == 1:
            client.status()
        client.sign("POST", "/x", b"", mtoken.Auth.possession())
        info = client.info()
        assert (info.unacknowledged_signatures, info.counter_window) == (signatures, 20)
        client.close()
