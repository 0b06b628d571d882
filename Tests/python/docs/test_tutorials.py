"""The pages of docs/tutorials, and the programs that they show: kiosk.py, gateway.py, a bank's test suite. What takes long or needs
Qt is in test_tutorials_long.py.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, Iterator, List, Tuple

import mtoken
import pytest
from browser import free_port
from conftest import CHILD_PATH, ROOT, Device, DeviceFactory
from devserver import OPERATIONS, DevServer
from pages import blocks, shell

ANSWER_LOST = {
    "match": f"{OPERATIONS}/authorize",
    "kind": "close_after_read",
    "parameters": {"process": True},
    "count": 1,
}


def load(path: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PYTHON = shlex.quote(sys.executable)


def commands(page: str) -> List[str]:
    """The blocks of a page's shell, with this interpreter."""
    texts = [block.text for block in blocks(f"docs/tutorials/{page}") if block.language == "sh"]
    return [re.sub(r"(?:\.\./)*build/venv/bin/python", PYTHON, text) for text in texts]


@pytest.fixture
def second_terminal(server: DevServer, tmp_path: Path) -> Dict[str, str]:
    """Where a reader types, beside a server that runs: the home, and what the packages are found by."""
    shutil.copyfile(server.ready_file, tmp_path / "server.json")
    return {"HOME": str(tmp_path), "PYTHONPATH": CHILD_PATH, "MTOKEN_LIBRARY": os.environ["MTOKEN_LIBRARY"]}


def setting() -> str:
    """What getting started sets: URL, CA, CONFIGURATION and bank."""
    lines = commands("desktop.md")[1].splitlines()
    return "\n".join(line for line in lines if re.match(r"URL=|CA=|CONFIGURATION=|bank\(\)", line))


# The kiosk


class Customer:
    """Plays a visit at the kiosk."""

    def __init__(self, server: DevServer, make_client: Any, store: mtoken.Store):
        self.shown: List[str] = []
        self._said: Iterator[str] = iter(())
        module = load("examples/python/kiosk.py")

        def hear() -> str:
            line = next(self._said, None)
            if line is None:
                raise module.Leaves
            return line

        self._kiosk = module.Kiosk(lambda card: make_client(card, store=store), self.shown.append, hear)

    def visit(self, card: str, *said: str) -> List[str]:
        self.shown.clear()
        self._said = iter(said)
        self._kiosk.serve(card)
        return list(self.shown)


@pytest.fixture
def customer(server: DevServer, make_client: Any) -> Customer:
    return Customer(server, make_client, mtoken.Store.memory())


def test_lives_at_a_kiosk(customer: Customer, server: DevServer, user: str) -> None:
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    first = server.new_operation(userId=user)["operationId"]
    shown = customer.visit("4711", code, "2468", "approve", "2468")
    assert shown[-2:] == ["Approved.", "Nothing else waits. Take your card."]
    assert "  To account: CZ5508000000001234567899" in shown
    assert server.operation(first)["status"] == "APPROVED"
    second = server.new_operation(userId=user)["operationId"]
    assert customer.visit("4711", "approve", "1111", "1112", "2468")[-2:] == [
        "Wrong PIN. 3 attempts left.",
        "Good bye.",
    ]
    assert server.operation(second)["status"] == "PENDING", "the third PIN was not taken"
    assert customer.visit("4711", "leave")[-1] == "Good bye."
    assert customer.visit("4711")[-1] == "Good bye.", "nobody is there"
    server.admin("POST", "/faults", ANSWER_LOST)
    assert "ask at the desk" in customer.visit("4711", "approve", "2468")[-1]
    assert server.operation(second)["status"] == "APPROVED"
    third = server.new_operation(userId=user)["operationId"]
    assert customer.visit("4711", "reject")[-2] == "Rejected."
    assert server.operation(third)["status"] == "REJECTED"


def test_who_gets_nothing_at_a_kiosk(customer: Customer, server: DevServer, user: str) -> None:
    for card in ("", "abc", "../4711", "4711\n", "1" * 20):
        assert customer.visit(card) == ["This card is not known here."]
    assert customer.visit("4712", "AAAAA-AAAAA-AAAAA-AAAAA")[-1] != "Nothing else waits. Take your card."
    made = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")
    assert customer.visit("4712", made["activationCode"], "2468")[-1] == "Nothing else waits. Take your card."
    server.admin("POST", f"/activations/{made['activationId']}/block")
    server.new_operation(userId=user)
    assert customer.visit("4712", "approve", "2468")[-1] == "Your token is blocked. Ask at the desk."


def test_the_page_of_the_kiosk(server: DevServer, second_terminal: Dict[str, str]) -> None:
    """docs/tutorials/kiosk.md"""
    (block,) = commands("kiosk.md")
    for _ in range(2):
        printed = shell(f"{setting()}\n{block}", ROOT, **second_terminal).stdout.splitlines()
        assert printed[-2:] == ["Approved.", "Nothing else waits. Take your card."]
        assert server.operation(printed[0])["status"] == "APPROVED"
    usage = subprocess.run([sys.executable, ROOT / "examples/python/kiosk.py"], capture_output=True, text=True, check=False,
                           env={**os.environ, "PYTHONPATH": CHILD_PATH})  # fmt: skip
    assert usage.returncode == 2 and usage.stderr.startswith("usage: ")


# Behind FastAPI


class Service:
    """The service as docs/tutorials/fastapi.md starts it, in its first block, on a free port."""

    def __init__(self, device: Device, home: Path, environment: Dict[str, str]):
        port = str(free_port())
        start, self.approval = (text.replace("8001", port) for text in commands("fastapi.md"))
        self.url, self.device = f"http://127.0.0.1:{port}", device
        script = f"{setting()}\n{start}".replace(PYTHON, f"exec {PYTHON}")
        self.process = subprocess.Popen(
            ["bash", "-ec", script], cwd=ROOT, env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        assert any("Uvicorn running" in line for line in self.process.stderr)

    def call(self, method: str, path: str, body: Any = None) -> Tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read() or "null")
        except urllib.error.HTTPError as problem:
            return problem.code, json.loads(problem.read())


@pytest.fixture
def service(make_device: DeviceFactory, second_terminal: Dict[str, str], tmp_path: Path) -> Iterator[Service]:
    device = make_device("alice", store=mtoken.Store.directory(str(tmp_path / "desk")))
    device.client.close()
    device.store.close()
    running = Service(device, tmp_path, second_terminal)
    yield running
    running.process.terminate()
    running.process.communicate(timeout=30)


def test_the_service(service: Service, server: DevServer) -> None:
    user, pin = service.device.user, service.device.pin
    id = server.new_operation(userId=user)["operationId"]
    status, (listed,) = service.call("GET", "/operations")
    assert (status, listed["id"]) == (200, id) and listed["title"]
    approve, body = f"/operations/{id}/approve", {"pin": pin, "data": listed["data"]}
    status, wrong = service.call("POST", approve, {**body, "pin": "9999"})
    assert (status, wrong["remainingAttempts"]) == (403, 4)
    assert service.call("POST", approve, {**body, "data": "A1*A1EUR"})[0] == 409
    assert service.call("POST", approve, {})[0] == 422
    assert server.operation(id)["status"] == "PENDING"
    server.admin("POST", "/faults", ANSWER_LOST)
    status, lost = service.call("POST", approve, body)
    assert (status, lost["outcome"]) == (504, "UNKNOWN")
    assert server.operation(id)["status"] == "APPROVED"
    status, done = service.call("POST", approve, body)
    assert (status, done["reason"]) == (409, "operations_alreadyFinished")
    other = server.new_operation(userId=user)["operationId"]
    assert service.call("POST", f"/operations/{other}/reject")[0] == 204
    assert server.operation(other)["status"] == "REJECTED" and service.call("GET", "/operations") == (200, [])
    server.admin("POST", "/faults", {"match": OPERATIONS, "kind": "html", "parameters": {"status": 503}, "count": 1})
    assert service.call("GET", "/operations")[0] == 503


def test_the_page_of_the_service(
    service: Service, server: DevServer, second_terminal: Dict[str, str], tmp_path: Path
) -> None:
    """docs/tutorials/fastapi.md, its second block, with the device's PIN."""
    id = server.new_operation(userId=service.device.user)["operationId"]
    for _ in range(2):  # the second time nothing waits
        shell(service.approval.replace('"2468"', f'"{service.device.pin}"'), tmp_path, **second_terminal)
        assert server.operation(id)["status"] == "APPROVED"


# A bank's CI


def test_the_page_of_the_bank(tmp_path: Path) -> None:
    """docs/tutorials/bank-ci.md: its suite runs as it is printed; test_distributions.py installs the packages as it says."""
    suite, *services = blocks("docs/tutorials/bank-ci.md")
    (tmp_path / "test_payment.py").write_text(suite.text, encoding="utf-8")
    folders = [
        ROOT / "tools" / "pytest-mtoken",
        ROOT / "tools" / "devserver",
        ROOT / "bindings" / "python" / "src",
    ]
    path = os.pathsep.join([str(folder) for folder in folders])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_mtoken", "-p", "no:cacheprovider", "test_payment.py"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert "3 passed" in done.stdout, done.stdout + done.stderr
    told = [re.findall(r"- (?:run: )?(p\S+ .*)$", block.text, re.MULTILINE) for block in services]
    wheels = " ".join(f"packages/{name}-*.whl" for name in ("libmtoken", "mtoken_devserver", "pytest_mtoken"))
    assert told == 2 * [[f"pip install {wheels}", "pytest test_payment.py"]]
