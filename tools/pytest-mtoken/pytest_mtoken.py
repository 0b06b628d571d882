# SPDX-License-Identifier: Apache-2.0
"""pytest fixtures for programs that talk to a mobile token's bank: a server, an activated device, an operation, faults.

The server is the development server (`mtoken-devserver`), one for each test process; README.md has the whole.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Generator, Iterator, List, Mapping, Optional

import pytest

try:
    import mtoken
except ImportError:
    raise ImportError(
        "pytest-mtoken is installed with two more wheels: libmtoken-*.whl mtoken_devserver-*.whl"
    ) from None

PIN = "2468"
PAYMENT = {"amount": "1250.50", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": "Rent"}

EVERYTHING = "/"
OPERATIONS = "/api/auth/token/app/operation"

FAULTS: Dict[str, Dict[str, Any]] = {
    # A gateway in front of the bank.
    "gateway_502": {"kind": "html", "parameters": {"status": 502}},
    "gateway_503": {"kind": "html", "parameters": {"status": 503, "retryAfter": "1"}},
    "gateway_504": {"kind": "html", "parameters": {"status": 504}},
    "gateway_504_after": {"kind": "html", "parameters": {"status": 504, "process": True}},
    "redirect": {
        "kind": "status",
        "parameters": {"status": 302, "headers": {"Location": "https://elsewhere.invalid/"}},
    },
    "empty_answer": {"kind": "empty"},
    # The bank.
    "server_error": {
        "kind": "status",
        "parameters": {"status": 500, "code": "ERROR_GENERIC", "message": "out of order"},
    },
    "bank_down": {"kind": "backend-down"},
    "push_down": {"kind": "push-down"},
    "slow": {"kind": "latency", "parameters": {"ms": 1500}},
    "slow_answer": {"kind": "latency", "parameters": {"ms": 1500, "after": True}},
    # The line. `lost_…`: the bank has acted, and the device does not learn it.
    "refused_connection": {"kind": "close_before_read", "parameters": {"reset": True}},
    "lost_request": {"kind": "close_after_read", "parameters": {"process": False}},
    "lost_answer": {"kind": "close_after_read", "parameters": {"process": True}},
    "no_answer": {"kind": "hang"},
    "truncated_answer": {"kind": "truncate"},
    # What a device must not believe.
    "broken_json": {"kind": "garbage_json"},
    "huge_answer": {"kind": "huge_body", "parameters": {"chunked": True}},
}
"""What a mark can name: rules of the server's faults (its README has all kinds), without the paths they apply to."""


class MTokenServer:
    """A running development server: where it is, and what a bank's back office does."""

    def __init__(self, folder: Path):
        command = [sys.executable, "-m", "mtoken_devserver", "--json", "--exit-with-parent"]
        command += ["--http-port", "0", "--state-dir", str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self._process.stdout.readline() if self._process.stdout else b""
        if not line:
            raise RuntimeError(f"mtoken-devserver did not start: status {self._process.wait()}")
        self.facts: Dict[str, Any] = json.loads(line)
        self.url: str = self.facts["url"]
        self.ca_file: str = self.facts["caFile"]
        self.console_url: str = self.facts["consoleUrl"]
        self.configuration: str = self.facts["application"]["sdkConfig"]
        self._lock = threading.Lock()

    def admin(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        """A call of the admin API, e.g. `admin("GET", f"/operations/{id}")`. RuntimeError: the server refused."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.facts['httpUrl']}/admin{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with self._lock, urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            raise RuntimeError(f"{method} {path}: {error.code} {text}") from None

    def create_operation(self, user: str, template: str = "authorize_payment", **parameters: str) -> str:
        """An operation that waits for the user's approval; its id."""
        given = {"userId": user, "template": template, "parameters": {**PAYMENT, **parameters}}
        identifier: str = self.admin("POST", "/operations", given)["operationId"]
        return identifier

    def operation_status(self, operation_id: str) -> str:
        """PENDING, APPROVED, REJECTED, EXPIRED, CANCELED or FAILED, as the bank has it."""
        status: str = self.admin("GET", f"/operations/{operation_id}")["status"]
        return status

    def set_fault(self, name: str, match: Optional[str] = None, count: Optional[int] = None) -> None:
        """Misbehaves as `FAULTS` says from now on: at paths that begin with `match`, `count` times (None: always)."""
        rule: Dict[str, Any] = {"match": OPERATIONS, **FAULTS[name]}
        if rule["kind"] in ("backend-down", "push-down"):
            rule["match"] = EVERYTHING
        if match is not None:
            rule["match"] = match
        if count is not None:
            rule["count"] = count
        self.admin("POST", "/faults", rule)

    def clear_faults(self) -> None:
        """Behaves again."""
        self.admin("DELETE", "/faults")

    def stop(self) -> None:
        """Ends the server, which does so when its standard input is closed."""
        self._process.communicate(timeout=30)


@dataclass
class MTokenDevice:
    """An activated device of a user whom no other test has."""

    client: mtoken.Client
    user: str
    activation_id: str
    server: MTokenServer
    pin: str = PIN

    @property
    def auth(self) -> mtoken.Auth:
        """The user types the PIN."""
        return mtoken.Auth.pin(self.pin)

    def create_operation(self, template: str = "authorize_payment", **parameters: str) -> mtoken.Operation:
        """The bank asks this user; the operation as the device sees it."""
        identifier = self.server.create_operation(self.user, template, **parameters)
        return next(operation for operation in self.client.operations.list() if operation.id == identifier)


_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def mtoken_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MTokenServer]:
    """A development server, the same for all tests of a process."""
    server = MTokenServer(tmp_path_factory.mktemp("mtoken-devserver"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def mtoken_runtime() -> Iterator[mtoken.Runtime]:
    """The library's runtime, the same for all tests of a process."""
    with mtoken.Runtime() as runtime:
        yield runtime


@pytest.fixture
def mtoken_device(mtoken_server: MTokenServer, mtoken_runtime: mtoken.Runtime) -> Iterator[MTokenDevice]:
    """A new device, activated and confirmed, with the PIN 2468; its state is in memory."""
    user = f"user-{os.getpid()}-{next(_numbers)}"
    with mtoken.Store.memory() as store:
        with mtoken.Client(
            mtoken_runtime,
            user,
            configuration=mtoken_server.configuration,
            base_url=mtoken_server.url,
            ca_file=mtoken_server.ca_file,
            store=store,
        ) as client:
            code = mtoken_server.admin("POST", "/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})
            activated = client.activate(code["activationQr"], name="pytest")
            client.persist(PIN)
            client.wait_active()
            yield MTokenDevice(client, user, activated.activation_id, mtoken_server)


@pytest.fixture
def mtoken_operation(mtoken_device: MTokenDevice) -> mtoken.Operation:
    """A payment that waits for the approval of the device's user."""
    return mtoken_device.create_operation()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "mtoken_fault(name, match=None, count=None): the server misbehaves while the test itself runs",
    )


def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    """A mistyped name is found before anything runs."""
    for item in items:
        for mark in item.iter_markers("mtoken_fault"):
            if not mark.args or mark.args[0] not in FAULTS:
                raise pytest.UsageError(
                    f"{item.nodeid}: mtoken_fault names one of {', '.join(FAULTS)}, not {mark.args}"
                )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Faults are there for the test's own calls only: not while its device is activated, and not after it."""
    marks = list(item.iter_markers("mtoken_fault"))
    fixtures = getattr(item, "funcargs", {})
    device: Optional[MTokenDevice] = fixtures.get("mtoken_device")
    server: Optional[MTokenServer] = fixtures.get("mtoken_server") or (device.server if device else None)
    if server is None:
        if marks:
            raise pytest.UsageError(f"{item.nodeid}: mtoken_fault needs the fixture mtoken_server or mtoken_device")
        yield
        return
    for mark in reversed(marks):
        server.set_fault(*mark.args, **mark.kwargs)
    yield
    server.clear_faults()
