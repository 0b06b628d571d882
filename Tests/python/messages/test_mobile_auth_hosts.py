"""Programs that handle requests: the two of docs/guides/mobile-auth.md as they are printed, and many clients at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List

import mtoken
import pytest
from activations import Activations
from conftest import CHILD_PATH, ROOT, Device, DeviceFactory, valgrind
from devserver import DevServer
from mtoken import ChallengeKind, EventKind, MobileAuthErrorCode
from test_examples import compile_c

PAGE = (ROOT / "docs" / "guides" / "mobile-auth.md").read_text(encoding="utf-8")
PIN = "2468"


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_every_block_is_run() -> None:
    assert re.findall(r"^```(\w+)$", PAGE, re.MULTILINE) == ["c", "python"]


class Portal:
    """What the other side does: asks, and sees what became of it."""

    def __init__(self, server: DevServer, user: str, folder: Path):
        self.server, self.user = server, user
        self.socket = str(folder / "pushes")
        server.admin("PATCH", "/config", {"pushSocket": self.socket})

    def ask(self, *allowed: str) -> str:
        created = self.server.new_operation(userId=self.user, allowedSignatureTypes=list(allowed))
        return str(created["operationId"])

    def ask_all(self) -> List[str]:
        """A confirmation and two PINs, faster than anyone answers; and pushes that are nobody's business."""
        self.server.admin("POST", "/inbox", {"userId": self.user, "subject": "No request"})
        return [self.ask("possession"), self.ask("possession_knowledge"), self.ask("possession_knowledge")]

    def check(self, asked: List[str], output: str) -> None:
        for id in asked:
            assert self.server.operation(id)["status"] == "APPROVED", output
            assert re.search(rf"^{id}:? ok$", output, re.MULTILINE | re.IGNORECASE), output


@pytest.fixture
def portal(server: DevServer, user: str, tmp_path: Path) -> Portal:
    return Portal(server, user, tmp_path)


def talk(portal: Portal, command: List[str], environment: Dict[str, str], folder: Path, ready: str) -> str:
    """Runs a program, asks when it is ready, and gives what it printed."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            assert child.stdout is not None and child.stderr is not None
            line = child.stdout.readline()
            assert line.strip() == ready, line + child.stderr.read()
            asked = portal.ask_all()
            output, errors = child.communicate(timeout=600)
            assert child.returncode == 0, output + errors
            portal.check(asked, output)
            assert "ignored: not_handleable" in output + errors
            return output
        finally:
            child.kill()


def test_a_c_program_in_an_epoll_loop(portal: Portal, activations: Activations, tmp_path: Path) -> None:
    """Receive push, fetch, challenge, answer, done; without a leak or an error that valgrind sees."""
    source = tmp_path / "authenticator.c"
    source.write_text("#define _GNU_SOURCE\n" + block("c"), encoding="utf-8")
    program = compile_c(source, tmp_path)
    code = activations.new(portal.user)["activationQr"]
    place = [portal.server.url, portal.server.ca_file, portal.server.configuration]
    command = [*valgrind(), str(program), *place, code, PIN, portal.socket, "3"]
    output = talk(portal, command, {"LD_LIBRARY_PATH": str(tmp_path)}, tmp_path, "ready")
    assert "authorize_payment: " in output


def test_a_python_program_with_asyncio(portal: Portal, activations: Activations, tmp_path: Path) -> None:
    names = {
        "CONFIG": portal.server.configuration,
        "URL": portal.server.url,
        "CA": portal.server.ca_file,
        "CODE": activations.new(portal.user)["activationQr"],
        "PIN": PIN,
        "SOCKET": portal.socket,
    }
    program = tmp_path / "authenticator.py"
    constants = "".join(f"{name} = {value!r}\n" for name, value in names.items()) + "COUNT = 3\n"
    text = block("python").replace(
        "authenticator.start()\n", 'authenticator.start()\n                print("ready", flush=True)\n', 1
    )
    program.write_text(constants + text, encoding="utf-8")
    output = talk(portal, [sys.executable, str(program)], {"PYTHONPATH": CHILD_PATH}, tmp_path, "ready")
    assert "authorize_payment" in output


@pytest.fixture
def runtime() -> Iterator[mtoken.Runtime]:
    with mtoken.Runtime(events=mtoken.Events.CHALLENGES | mtoken.Events.TASKS) as runtime:
        yield runtime


def test_200_handlings_of_200_clients_at_once(
    server: DevServer, runtime: mtoken.Runtime, make_device: DeviceFactory
) -> None:
    """All are challenged before the first is answered; every tenth is wrong at first, every seventh denies."""
    devices = [make_device(f"client-{number}") for number in range(200)]
    ids = [server.new_operation(userId=device.user)["operationId"] for device in devices]
    by_client: Dict[str, Device] = {device.client.id: device for device in devices}
    tasks = [device.client.mobile_auth.handle(id) for device, id in zip(devices, ids)]
    challenges: List[Any] = []
    for event in runtime.events(60):
        if event.kind is EventKind.CHALLENGE:
            assert event.client is not None and event.challenge is not None
            challenges.append((by_client[event.client.id], event.challenge))
        if len(challenges) == len(devices):
            break
    assert len({device.client.id for device, _ in challenges}) == 200

    def number(device: Device) -> int:
        return int(device.client.id.split("-")[1])

    for device, challenge in challenges:
        assert challenge.kind is ChallengeKind.PIN
        assert challenge.request.transaction_id == ids[number(device)]
        if number(device) % 10 == 0:
            challenge.pin("9999")
        elif number(device) % 7 == 0:
            challenge.deny()
        else:
            challenge.pin(device.pin)
    again = sum(number % 10 == 0 for number in range(200))
    for event in runtime.events(60):
        if event.challenge is not None and event.client is not None:
            assert event.challenge.remaining_attempts == 4
            event.challenge.pin(by_client[event.client.id].pin)
            again -= 1
        if again == 0:
            break
    for device, task, id in zip(devices, tasks, ids):
        assert task.wait(60)
        outcome = device.client.mobile_auth.outcome(task)
        assert outcome is not None and outcome.error is MobileAuthErrorCode.OK, task.error()
        denied = number(device) % 7 == 0 and number(device) % 10 != 0
        assert outcome.denied == denied
        assert server.operation(id)["status"] == ("REJECTED" if denied else "APPROVED")
