"""`mtoken demo`: a bank, a device and three operations in one command, and nothing of it stays."""

from __future__ import annotations

import json
import re
import signal
import ssl
import subprocess
import sys
import urllib.request
from datetime import datetime, timedelta
from typing import Dict, Iterator

import pexpect
import pytest
from commands import Command
from ctrl_c import listen_to_ctrl_c


@pytest.fixture
def demo(empty: Command) -> Iterator[Dict[str, str]]:
    """What the command tells; it runs meanwhile."""
    process = subprocess.Popen(
        [sys.executable, "-m", "mtoken_command", "demo", "--json"],
        env=empty.environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, preexec_fn=listen_to_ctrl_c,
    )  # fmt: skip
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    try:
        yield told
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    left = [path for path in empty.home.rglob("*") if "demo" in path.name]
    assert left == [] and empty.json("profile", "list")["profiles"] == []
    with pytest.raises(OSError):
        urllib.request.urlopen(told["console"], timeout=5, context=ssl._create_unverified_context())


def test_three_operations(empty: Command, demo: Dict[str, str]) -> None:
    listed = empty.json("list")["operations"]
    assert {operation["id"] for operation in listed} == set(demo["operations"]) and len(listed) == 3
    empty.run("-p", "demo", "approve", demo["operations"][0], "--yes", pin=demo["pin"])
    assert len(empty.json("list")["operations"]) == 2
    assert "Welcome" in empty.run("inbox", "list")
    with urllib.request.urlopen(demo["console"], timeout=30) as page:
        assert 'name="userId" value="alice"' in page.read().decode(), "whose operations the device has"
    waits = [datetime.fromisoformat(one["expires"]) - datetime.fromisoformat(one["created"]) for one in listed]
    assert waits == [timedelta(hours=1)] * 3
    assert "there is a profile demo already" in empty.run("demo", "--for", "0", code=2)


def test_it_opens_the_view(empty: Command) -> None:
    pytest.importorskip("textual")
    terminal = empty.terminal("demo")
    terminal.expect(r"PIN 1234 . the bank: http://127\.0\.0\.1:\d+/console")
    terminal.expect("3 waiting")
    terminal.send("a")
    terminal.expect("It is 1234 in the demo")
    terminal.send("1234\r")
    terminal.expect("The operation is approved")
    terminal.send("\r")
    terminal.expect("2 waiting")
    terminal.send("n")
    terminal.expect("3 waiting")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    assert empty.json("profile", "list")["profiles"] == []


def test_other_profiles_stay(empty: Command) -> None:
    empty.add("bank")
    empty.environment["COLUMNS"] = "200"
    said = empty.run("demo", "--for", "0", "--no-view", "--name", "try")
    assert "/console" in said and "PIN 1234" in said and "mtoken list -p try" in said
    assert re.search("mtoken approve [0-9a-f]{8} -p try", said), "three wait: the line names one"
    known = empty.json("profile", "list")
    assert [profile["name"] for profile in known["profiles"]] == ["bank"] and known["default"] == "bank"


def test_without_the_server(empty: Command) -> None:
    """It says what to install, and leaves no profile."""
    program = (
        "import sys, pathlib; from mtoken_command import demo; demo._TREE = pathlib.Path('/nowhere')\n"
        "sys.modules['mtoken_devserver'] = None; demo.importlib.util.find_spec = lambda name: None\n"
        "sys.argv = ['mtoken', 'demo', '--for', '0']; import mtoken_command; mtoken_command.main()"
    )
    environment = {**empty.environment, "PATH": "/nowhere"}
    child = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert child.returncode == 2 and "mtoken_devserver-*.whl" in child.stderr, child.stdout + child.stderr
    assert empty.json("profile", "list")["profiles"] == []
