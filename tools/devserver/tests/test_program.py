"""The program: start, readiness, TLS, persistence, end; and the console."""

from __future__ import annotations

import json
import os
import signal
import ssl
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from client import Device
from client4 import Device4
from conftest import _FOLDER, Admin, Running


def https(facts: Any, url: Any = None) -> Any:
    context = ssl.create_default_context(cafile=facts["caFile"])
    return httpx.Client(base_url=url or facts["url"], verify=context, timeout=20)


def test_tls(tmp_path: Path) -> None:
    server = Running(["--bad-tls-port", "0", "--state-dir", str(tmp_path), "--tls-only"])
    facts = server.facts
    assert facts["httpUrl"] is None and facts["consoleUrl"] == f"{facts['url']}/console"
    with https(facts) as client:
        assert client.post("/pa/v3/status", json={}).json()["status"] == "OK"
    with https(facts) as client:  # under the other name of the certificate, which not every machine looks up
        assert client.get("/admin/config", extensions={"sni_hostname": "localhost"}).status_code == 200
    assert set(facts["badTls"]) == {"otherCa", "expired", "wrongName", "selfSigned"}
    for kind, url in facts["badTls"].items():
        with https(facts, url) as client, pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            client.post("/pa/v3/status", json={})
        with httpx.Client(base_url=url, verify=False) as client:
            assert client.post("/pa/v3/status", json={}).status_code == 200, kind
    assert stat.S_IMODE(os.stat(tmp_path / "ca.key").st_mode) == 0o600
    assert server.stop() == 0
    again = Running(["--state-dir", str(tmp_path)])
    assert again.facts["serverSpkiSha256"] == facts["serverSpkiSha256"]
    with https(again.facts) as client:
        assert client.get("/admin/config").status_code == 200
    again.stop()


def test_ready_file_and_human_text(tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "mtoken_devserver", "--plain", "--ready-file", str(ready), "--app-name", "bank"],
        cwd=_FOLDER,
        stdout=subprocess.PIPE,
        text=True,
    )
    text = process.stdout.readline()
    facts = json.loads(ready.read_text())
    assert facts["url"] in text and facts["caFile"] is None and facts["httpUrl"] == facts["url"]
    assert facts["application"]["applicationId"] == "bank"
    assert httpx.get(f"{facts['adminUrl']}/applications").json()["applications"] == [facts["application"]]
    process.send_signal(signal.SIGTERM)
    assert facts["application"]["sdkConfig"] in process.stdout.read()
    assert process.wait(timeout=20) == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_plain_http_beside_https(host: Any, tmp_path: Path) -> None:
    """On this machine alone a plain address comes first: no browser asks about its certificate."""
    ready = tmp_path / "ready.json"
    command = [sys.executable, "-m", "mtoken_devserver", "--host", host, "--ready-file", str(ready)]
    command += ["--state-dir", str(tmp_path), "--exit-with-parent"]
    process = subprocess.Popen(command, cwd=_FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    first = process.stdout.readline()
    facts = json.loads(ready.read_text())
    process.stdin.close()
    text = process.stdout.read()
    assert process.wait(timeout=20) == 0
    if host == "0.0.0.0":
        assert facts["httpUrl"] is None and first.split() == ["Server:", facts["url"]]
        return
    assert first.split() == ["Server:", facts["httpUrl"]] and facts["httpUrl"].startswith(f"http://{host}:")
    assert f"Server, HTTPS:        {facts['url']}\n" in text and facts["url"].startswith("https://")
    assert facts["consoleUrl"] == f"{facts['httpUrl']}/console" and facts["adminUrl"] == f"{facts['httpUrl']}/admin"


@pytest.mark.parametrize(
    "options,reason",
    [
        (["--set", "lookAhead=0"], "lookAhead: input should be greater than or equal to 1."),
        (["--set", "nonsense=0"], "nonsense does not exist here."),
        (["--set", "lookAhead"], "lookAhead must be NAME=VALUE"),
        (["--tls-only", "--plain"], "--tls-only excludes --plain and --http-port"),
    ],
)
def test_options_that_are_refused(options: Any, reason: Any) -> None:
    command = [sys.executable, "-m", "mtoken_devserver", *options]
    refused = subprocess.run(command, cwd=_FOLDER, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2 and refused.stderr.splitlines()[-1].endswith(f"error: {reason}")


def test_other_defaults() -> None:
    """DELETE restores what the program was started with."""
    server = Running(["--plain", "--set", "serverVersion=2.0.0", "--set", "lookAhead=5"])
    with httpx.Client(base_url=server.facts["url"]) as client:
        admin = Admin(client)
        admin.patch("/config", {"lookAhead": 7, "strict": True})
        assert admin.get("/config")["lookAhead"] == 7
        restored = admin.delete("/config")
        assert (restored["serverVersion"], restored["lookAhead"], restored["strict"]) == ("2.0.0", 5, False)
        assert client.post("/pa/v3/status").json()["responseObject"]["application"]["version"] == "2.0.0"
    assert server.stop() == 0
    for wrong in ("lookAhead=0", "lookAhead", "nothing=1"):
        command = [sys.executable, "-m", "mtoken_devserver", "--set", wrong]
        assert subprocess.run(command, cwd=_FOLDER, capture_output=True).returncode == 2


@pytest.mark.parametrize("suite", [None, "EC_P384_ML_L3"])
def test_everything_survives_a_restart(tmp_path: Path, suite: Any) -> None:
    arguments = ["--plain", "--db", str(tmp_path / "server.db"), *(("--suite", suite) if suite else ())]
    server = Running(arguments)
    with httpx.Client(base_url=server.facts["url"]) as client:
        admin = Admin(client)
        record = admin.post("/activations", {"userId": "u", "commitPhase": "ON_KEY_EXCHANGE"})
        configuration = server.facts["application"]["sdkConfig"]
        device = Device4(client, configuration, suite) if suite else Device(client, configuration)
        device.activate("CODE", {"code": record["activationCode"]})
        if suite:
            device.confirm(biometry=True)
            device.new_factor_key("password/change")
        token = device.create_token()
        operation = admin.post("/operations", {"userId": "u", "template": "login", "proximityCheck": True})
        before = admin.activation(device)
    assert server.stop() == 0
    with pytest.raises(httpx.ConnectError):  # what a client sees of a front end that is down
        httpx.post(server.facts["url"] + "/pa/v3/status", json={})
    server = Running(arguments)
    with httpx.Client(base_url=server.facts["url"]) as client:
        admin = Admin(client)
        device.http = client
        assert admin.activation(device) == before
        assert admin.get(f"/operations/{operation['operationId']}") == operation
        device.validate()
        (listed,) = device.call_token("/api/auth/token/app/operation/list", token)["responseObject"]
        assert listed["id"] == operation["operationId"]
    assert server.stop() == 0


def test_unknown_paths(http: Any) -> None:
    response = http.post("/api/nothing", json={})
    assert response.status_code == 404
    assert response.json()["responseObject"]["code"] == "ERROR_NOT_FOUND"


ENDPOINTS = [
    "/pa/v3/status",
    "/pa/v3/keystore/create",
    "/pa/v3/activation/create",
    "/pa/v3/activation/status",
    "/pa/v3/activation/remove",
    "/pa/v3/activation/detail",
    "/pa/v3/activation/rename",
    "/pa/v3/token/create",
    "/pa/v3/token/remove",
    "/pa/v3/signature/validate",
    "/pa/v3/vault/unlock",
    "/pa/v3/upgrade/start",
    "/pa/v3/upgrade/commit",
    "/pa/v3/user/info",
    "/pa/v3/recovery/confirm",
    "/api/config/oidc",
    "/api/push/device/register",
    "/api/inbox/message/detail",
    *(f"/api/auth/token/app/operation/{name}" for name in ("list", "detail", "history", "authorize", "cancel")),
]
STRANGE = [
    b"",
    b"{",
    b"[]",
    b"1",
    b"\xff",
    b'{"requestObject":[]}',
    b'{"requestObject":{"id":"\\ud800"}}',
    b'{"a":NaN}',
]
STRANGE += [b"[" * 100_000, b'{"requestObject":{"jwt":{}}}', b'{"requestObject":{"activationId":7,"challenge":{}}}']
STRANGE += [b'{"requestObject":{"activationId":"\\udc00"}}', b'{"requestObject":{"jwt":"e30.e30.e30"}}']


@pytest.mark.parametrize("path", ENDPOINTS)
def test_strange_bodies_are_refused_politely(http: Any, device: Any, path: Any) -> None:
    answers = []
    for body in STRANGE:
        header = device.signature_header("possession", "/pa/signature/validate", body)
        encryption = device.encryption_header(path.endswith("info"))
        for headers in ({}, header, encryption, {"X-PowerAuth-Token": "PowerAuth x"}):
            answers.append(http.post(path, content=body, headers=headers))
    if path not in ("/pa/v3/status", "/pa/v3/signature/validate"):
        assert all(answer.json()["status"] == "ERROR" for answer in answers)
    assert {answer.status_code for answer in answers} <= {200, 400, 401, 500}


def test_admin_input(http: Any) -> None:
    assert http.post("/admin/activations", json={"userId": "u", "oops": 1}).status_code == 422
    assert http.post("/admin/activations", json={"userId": "u", "otpValidation": "ON_COMMIT"}).status_code == 400
    operation = {"template": "authorize_payment", "parameters": {"note": "a\x01b"}}
    assert http.post("/admin/operations", json=operation).status_code == 400
    assert http.get("/admin/activations/none").status_code == 404
    assert http.patch("/admin/config", json={"lookAhead": 65}).status_code == 400
    assert http.patch("/admin/config", json={"nothing": 65}).status_code == 400
