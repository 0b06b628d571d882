"""What a person is told last: each task at a terminal, with a bank that is well, slow, loses its answers, or is down.

The console's tasks of this kind are in test_console.py.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Tuple

import pexpect
import pytest
from commands import PIN, Command
from devserver import OPERATIONS
from test_command_profiles import change

SLOW_MS = 6000
BANKS = ("well", "slow", "losing", "dead")
DOWN = r"https://127\.0\.0\.1:1, the address of bank\s+Next: look at the network and at the address"
LOST = r"was lost: https://\S+ the address of bank\s+Next: run the command again"
CHECK = r"The server may have acted\. Check before you repeat: mtoken list, mtoken history"
YES = (r"\[y/N\]: ", "y")
ASKED = ("PIN: ", PIN)
NEW_PIN = [("New PIN: ", "1357"), ("Repeat for confirmation: ", "1357")]


class Task(NamedTuple):
    """Words of the command, what is asked and answered, the path of the deciding request, and the last words."""

    words: str
    asked: List[Tuple[str, str]]
    path: str
    well: str
    """Also where the bank is slow: the person waits and is told the same."""
    lost: str
    down: str = DOWN


TASKS: Dict[str, Task] = {
    "see what waits": Task("list", [], f"{OPERATIONS}/list", r"Payment confirmation", LOST),
    "see one": Task("show ID", [], f"{OPERATIONS}/list", r"Expires", LOST),
    "approve": Task(
        "approve ID", [YES, ASKED], f"{OPERATIONS}/authorize", r"Payment of 1250.50 EUR was confirmed", CHECK
    ),
    "reject": Task("reject ID", [YES], f"{OPERATIONS}/cancel", r"Payment was rejected", CHECK),
    "look back": Task("history", [ASKED], f"{OPERATIONS}/history", r"Payment confirmation", LOST),
    "check the PIN": Task("pin check", [ASKED], "/pa/v3/signature/validate", r"the PIN is right", CHECK),
    "look at the activation": Task("status", [], "/pa/v3/activation/status", r"active", LOST),
    "read messages": Task("inbox list", [], "/api/inbox", r"No messages", LOST),
    "change the PIN": Task(
        "pin change",
        [ASKED, *NEW_PIN],
        "/pa/v3/signature/validate",
        r"the PIN is changed",
        r"the old PIN applies",
    ),
    "be notified": Task(
        "watch --notify --for 8", [], f"{OPERATIONS}/list", r"bank: Payment confirmation €1,250.50", LOST
    ),
    "seal the device secret": Task(
        "seal systemd", [], "/", r"sealed by systemd", r"sealed by systemd", r"sealed by systemd"
    ),  # without the bank
    "end the activation": Task("remove", [YES, ASKED], "/pa/v3/activation/remove", r"removed", CHECK),
}


ACTIVATE = Task(
    "activate CODE", NEW_PIN, "/pa/v3/activation/create", r"Compare with what the bank shows",
    r"was lost|new code", DOWN,
)  # fmt: skip


def is_like(command: Command, bank: str, path: str) -> None:
    """From now on the bank is so."""
    if bank == "slow":
        command.server.fault(path, "latency", ms=SLOW_MS, after=True)
    elif bank == "losing":
        command.server.fault(path, "close_after_read", process=True)
    elif bank == "dead":
        change(command, server="https://127.0.0.1:1")


def played(command: Command, task: Task, words: str, bank: str) -> None:
    terminal = command.terminal(*words.split())
    for question, answer in task.asked:
        if terminal.expect([question, pexpect.EOF]):
            break  # told before the question
        terminal.sendline(answer)
    else:
        terminal.expect(pexpect.EOF)
    terminal.close()
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", str(terminal.before)).replace("\r", "")
    wanted = {"losing": task.lost, "dead": task.down}.get(bank, task.well)
    assert re.search(wanted, said[-1500:]) and "Traceback" not in said, said


@pytest.fixture
def desktop(tmp_path: Path) -> Dict[str, str]:
    """A service's credential, and a notify-send that writes to the terminal."""
    for name, content in (("mtoken", "x" * 32), ("notify-send", '#!/bin/sh\necho "$@" >&2\n')):
        (tmp_path / name).write_text(content, encoding="ascii")
        (tmp_path / name).chmod(0o700)
    return {"CREDENTIALS_DIRECTORY": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}


@pytest.mark.parametrize("bank", BANKS)
@pytest.mark.parametrize("name", TASKS)
def test_what_a_person_is_told_last(command: Command, desktop: Dict[str, str], name: str, bank: str) -> None:
    task = TASKS[name]
    command.environment.update(desktop)
    words = task.words.replace("ID", command.operation()[:8])
    command.run("list")
    is_like(command, bank, task.path)
    played(command, task, words, bank)


@pytest.mark.parametrize("bank", BANKS)
def test_an_activation(empty: Command, bank: str) -> None:
    empty.add()
    is_like(empty, bank, ACTIVATE.path)
    played(empty, ACTIVATE, ACTIVATE.words.replace("CODE", empty.code()), bank)
