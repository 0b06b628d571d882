"""States that were written once load for ever: one folder for each format.

`format-3` is that of protocol 3. `format-4` is that of protocol 4.0, with the records of the server it was made with, and `format-4-hybrid` has keys of ML-DSA.
"""

from __future__ import annotations

import base64
import json
import shutil
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Dict, Iterator

import mtoken
import pytest
from conftest import ClientFactory, Device
from devices4 import NAMES, SUITES, need
from devserver import FOLDER, DevServer

sys.path.append(str(FOLDER))
from mtoken_devserver import crypto, keytree, signature

STATES = Path(__file__).resolve().parent / "states"
FORMATS_4 = ["format-4", "format-4-hybrid"]
NONCE = bytes(range(16))


def copied(folder: Path, copy: Path) -> Dict[str, Any]:
    """Copies a kept state; what is known of it."""
    copy.mkdir(mode=0o700)
    for path in folder.glob("device.*"):
        shutil.copy(path, copy / path.name)
        (copy / path.name).chmod(0o600)
    facts: Dict[str, Any] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    return facts


class Kept:
    """A copy of a kept state of protocol 3, and what the server knew when it was written."""

    def __init__(self, folder: Path, copy: Path):
        self.facts = copied(folder, copy)
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


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(STATES / "format-3", tmp_path / "state")


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


def imported(kept: Kept, server: DevServer, suite: str) -> Dict[str, Any]:
    """The kept activation at a server whose application has keys of a suite of 4.0 since. Gives the application.

    The private keys of both sides are not known, only what they agreed on: with a server's key of 1, a device's point with
    that coordinate agrees on the same. What the former keys have signed is not asked for on the way to 4.0.
    """
    facts, one = kept.facts, crypto.b64(b"\x01")
    configuration = base64.b64decode(facts["configuration"])  # each member with its length before it
    key, secret = crypto.b64(configuration[2:18]), crypto.b64(configuration[19:35])
    name = f"kept-{configuration[2:18].hex()}"
    version = {"appKey": key, "appSecret": secret}
    server.admin("PUT", "/import/applications", {"applicationId": name, "masterPrivateKey": one, "versions": [version]})
    application = server.admin("PATCH", f"/applications/{name}", {"suite": suite})
    point = b"\x02" + base64.b64decode(facts["keys"]["sharedSecret"])
    activation = {
        "activationId": facts["activationId"],
        "userId": name,
        "applicationId": name,
        "serverPrivateKey": one,
        "devicePublicKey": crypto.b64(point),
        "ctrData": facts["counter"],
        "counter": kept.steps,
        "version": "3.3",
    }
    server.admin("PUT", "/import/activations", activation)
    return dict(application)


@pytest.mark.parametrize("suite", list(SUITES))
def test_a_kept_state_is_upgraded(kept: Kept, server: DevServer, make_client: ClientFactory, suite: str) -> None:
    need(suite)
    facts = kept.facts
    application = imported(kept, server, NAMES[suite])

    def opened() -> mtoken.Client:
        store = mtoken.Store.directory(kept.folder)
        return make_client("device", configuration=application["sdkConfig"], store=store)

    client = opened()
    assert client.info().protocol is not mtoken.Protocol.V4_0 and client.status().upgrade_available
    biometry = base64.b64decode(facts["biometryKey"])
    with mtoken.Auth(pin=facts["pin"], biometry_key=biometry) as both:
        client.upgrade(both)
    info = client.info()
    found = (info.protocol, info.suite, info.activation_id)
    assert found == (mtoken.Protocol.V4_0, SUITES[suite], facts["activationId"])
    assert info.fingerprint == server.activation(facts["activationId"])["fingerprint"] != facts["fingerprint"]
    assert info.has_biometry and not info.authenticators and not info.has_recovery_data
    assert all(name in client.tokens for name in facts["tokens"])
    client.close()
    device = Device(opened(), server, application["applicationId"], facts["activationId"], mtoken.Store.memory())
    operation = device.new_operation(applicationId=application["applicationId"])
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"
    assert device.can_sign(mtoken.Auth.biometry(biometry))
    device.client.factors.change_pin(facts["pin"], "5678")
    device.client.factors.validate_pin("5678")


@pytest.mark.parametrize("name", FORMATS_4)
def test_a_kept_state_of_protocol_4(name: str, tmp_path: Path, make_client: ClientFactory) -> None:
    facts = copied(STATES / name, tmp_path / "state")
    need(next(short for short, long in NAMES.items() if long == facts["suite"]))
    with sqlite3.connect(tmp_path / "database") as database:
        database.execute(
            "CREATE TABLE record(kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, UNIQUE(kind, id))"
        )
        rows = [(kind, id, json.dumps(body)) for kind, id, body in facts["records"]]
        database.executemany("INSERT INTO record VALUES(?, ?, ?)", rows)
    database.close()
    server = DevServer(tmp_path / "server", tmp_path / "database")

    def opened() -> mtoken.Client:
        return make_client(
            "device",
            configuration=facts["configuration"],
            base_url=server.url,
            ca_file=server.ca_file,
            store=mtoken.Store.directory(tmp_path / "state"),
        )

    try:
        client = opened()
        info = client.info()
        assert (info.protocol, info.suite) == (mtoken.Protocol.V4_0, mtoken.Suite[facts["suite"]])
        assert (info.activation_id, info.fingerprint) == (facts["activationId"], facts["fingerprint"])
        assert info.unacknowledged_signatures == facts["unacknowledged"]
        assert info.has_biometry and set(info.authenticators) == set(facts["authenticators"])
        assert all(token in client.tokens for token in facts["tokens"])
        assert client.status().state is mtoken.ActivationState.ACTIVE
        device = Device(client, server, "kept", facts["activationId"], mtoken.Store.memory())
        assert device.can_sign(mtoken.Auth.pin(facts["pin"]))
        assert device.can_sign(mtoken.Auth.biometry(base64.b64decode(facts["biometryKey"])))
        for authenticator, key in facts["authenticators"].items():
            assert device.can_sign(mtoken.Auth.biometry(base64.b64decode(key), authenticator=authenticator))
        header = client.tokens.header(facts["tokens"][0])
        assert server.send("POST", "/api/test/token", b"{}", dict([header])).status == 200
        # Written again by this version, it is still the same.
        client.factors.change_pin(facts["pin"], "5678")
        client.close()
        device.client = opened()
        operation = device.new_operation(applicationId="kept")
        device.client.operations.authorize(operation, mtoken.Auth.pin("5678"))
        assert server.operation(operation.id)["status"] == "APPROVED"
        assert len(device.client.vault.encryption_key(1, mtoken.Auth.pin("5678"))) == 16
        assert all(token in device.client.tokens for token in facts["tokens"])
        device.client.close()
    finally:
        server.stop()
