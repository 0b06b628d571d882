"""A real server on a port for the whole run, and helpers around it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any, Dict, Iterator, List, Union

import httpx
import pytest
from client import Device
from client4 import SUITES, Device4

_FOLDER = Path(__file__).resolve().parent.parent


class Running:
    """A server process; `facts` is what it told when it was ready."""

    def __init__(self, arguments: List[str]) -> None:
        command = [sys.executable, "-m", "mtoken_devserver", "--json", "--exit-with-parent", *arguments]
        # A file, because a pipe that nobody reads fills up and stops the server.
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command, cwd=_FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            raise RuntimeError(f"the server did not start: {self.log.read()}")
        self.facts: Dict[str, Any] = json.loads(line)

    def stop(self) -> int:
        """Closes the server's standard input, which ends it."""
        self.process.communicate(timeout=20)
        self.log.close()
        return self.process.returncode


class Admin:
    """The admin API; a refusal raises `httpx.HTTPStatusError`."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def call(self, method: str, path: str, body: Any = None, /, **query: Any) -> Any:
        response = self.http.request(method, f"/admin{path}", json=body, params=query)
        response.raise_for_status()
        return response.json()

    def get(self, path: str, /, **query: Any) -> Any:
        return self.call("GET", path, None, **query)

    def post(self, path: str, body: Any = None) -> Any:
        return self.call("POST", path, body)

    def patch(self, path: str, body: Any) -> Any:
        return self.call("PATCH", path, body)

    def put(self, path: str, body: Any) -> Any:
        return self.call("PUT", path, body)

    def delete(self, path: str, /, **query: Any) -> Any:
        return self.call("DELETE", path, None, **query)

    def fault(self, match: str, kind: str, *, count: int = 1, **parameters: Any) -> Any:
        return self.post("/faults", {"match": match, "kind": kind, "count": count, "parameters": parameters})

    def activation(self, device: Union[Device, Device4]) -> Dict[str, Any]:
        return self.get(f"/activations/{device.activation_id}")

    def last_refusal(self, kind: str = "signature", **query: Any) -> str:
        records = [record for record in self.get("/audit", kind=kind, **query)["audit"] if not record["accepted"]]
        return records[-1]["reason"]


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    server = Running(["--http-port", "0"])
    yield server
    assert server.stop() == 0


@pytest.fixture(scope="session")
def http(running: Running) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=running.facts["httpUrl"], timeout=20) as client:
        yield client


@pytest.fixture
def admin(http: httpx.Client) -> Iterator[Admin]:
    """Settings, clock and faults are put back after the test."""
    api = Admin(http)
    yield api
    api.delete("/faults")
    api.delete("/config")
    api.put("/clock", {"offsetMs": 0})


@pytest.fixture
def sdk_config(running: Running) -> str:
    return running.facts["application"]["sdkConfig"]


@pytest.fixture
def user() -> str:
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def new_device(http: httpx.Client, admin: Admin, sdk_config: str, user: str) -> Any:
    """Makes committed devices of the test's user."""

    def make(version: str = "3.3", user_id: str = user, **init: Any) -> Device:
        record = admin.post("/activations", {"userId": user_id, **init})
        device = Device(http, sdk_config, version)
        device.activate("CODE", {"code": record["activationCode"]})
        if admin.activation(device)["state"] == "PENDING_COMMIT":
            admin.post(f"/activations/{device.activation_id}/commit")
        return device

    return make


@pytest.fixture(scope="session")
def applications4(http: httpx.Client) -> Dict[str, Dict[str, Any]]:
    """An application of each suite of protocol 4.0."""
    api = Admin(http)
    return {suite: api.post("/applications", {"applicationId": suite, "suite": suite}) for suite in SUITES}


@pytest.fixture(params=list(SUITES))
def suite(request: Any) -> Any:
    return request.param


@pytest.fixture
def new_device4(http: httpx.Client, admin: Admin, applications4: Any, user: str) -> Any:
    """Makes committed and confirmed devices of the test's user."""

    def make(suite: str = "EC_P384", *, commit: bool = True, confirm: bool = True, **init: Any) -> Device4:
        record = admin.post("/activations", {"userId": user, "applicationId": suite, **init})
        device = Device4(http, applications4[suite]["sdkConfig"], suite)
        device.activate("CODE", {"code": record["activationCode"]})
        if commit and admin.activation(device)["state"] == "PENDING_COMMIT":
            admin.post(f"/activations/{device.activation_id}/commit")
        if confirm:
            device.confirm(biometry=True)
        return device

    return make


@pytest.fixture
def device4(new_device4: Any) -> Device4:
    return new_device4()


@pytest.fixture
def device(new_device: Any) -> Device:
    return new_device()
