"""Every command of COMMAND.md is run, and prints what the page says.

    python Tests/python/test_command_page.py      rewrites the page with what the commands print now
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Tuple

import pytest
from devserver import SHOWCASE, DevServer

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "bindings" / "python" / "COMMAND.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHORT_ID = re.compile(r"\b[0-9a-f]{8}\b")
VARYING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (SHORT_ID, "<short>"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"), "<time>"),
    (re.compile(r"\(?\b\d+ (?:min|s)\b\)?"), "<left>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<address>"),
    (re.compile(r"[+-]\d\.\d s"), "<seconds>"),
    (re.compile(r"[ ─]+"), " "),
)

if "static" in os.environ.get("MTOKEN_LIBRARY", ""):
    pytest.skip("the command is tested with the default product", allow_module_level=True)

Step = Tuple[str, str]
"""A command and what it prints."""


def steps(block: str) -> List[Step]:
    parts = re.split(r"^\$ (.*)$", block, flags=re.MULTILINE)
    return [(command, output.strip("\n")) for command, output in zip(parts[1::2], parts[2::2])]


def invariant(text: str) -> List[str]:
    for pattern, name in VARYING:
        text = pattern.sub(name, text)
    return [line.strip() for line in text.splitlines() if line.strip()]


class Shell:
    """A user's shell, in a home of its own, with a development server as the bank."""

    def __init__(self, folder: Path, variables: Dict[str, str]):
        (folder / "bin").mkdir()
        program = folder / "bin" / "mtoken"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mtoken "$@"\n')
        program.chmod(0o755)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MTOKEN_PROFILE"))}
        self.folder = folder
        self.environment = {
            **clean, **variables, "HOME": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100",
            "TERM": "dumb", "PYTHONPATH": str(ROOT / "bindings" / "python" / "src"),
        }  # fmt: skip
        self.ids: Dict[str, str] = {}

    def run(self, command: str) -> str:
        for written, real in self.ids.items():
            command = command.replace(written, real)
        child = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60,
            stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert child.returncode == 0, f"{command}: {child.stderr}"
        return "\n".join(line.rstrip() for line in child.stdout.splitlines()).strip("\n")


def prepared(server: DevServer, user: str, folder: Path) -> Shell:
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    offline = server.new_operation(userId=user, template="login")["operationId"]
    payload = server.admin("POST", f"/operations/{offline}/offline", {})["offlineData"]
    server.new_operation(userId=user)
    server.new_operation(userId=user, template="showcase", parameters=SHOWCASE)
    place = {"SERVER": server.url, "CONFIG": server.configuration, "CA": server.ca_file}
    return Shell(folder, {**place, "CODE": code, "QR": payload})


def test_the_page(server: DevServer, user: str, tmp_path: Path) -> None:
    shell = prepared(server, user, tmp_path)
    commands = 0
    for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for command, expected in steps(block):
            printed = shell.run(command)
            assert invariant(printed) == invariant(expected), command
            shell.ids.update(zip(SHORT_ID.findall(expected), SHORT_ID.findall(printed)))
            commands += 1
    assert commands >= 12


def test_the_exit_codes_are_those_of_the_command() -> None:
    from mtoken.command.output import Exit

    codes = re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(code) for code in codes] == [int(code) for code in Exit]


PICTURE = """
import os, sys
from rich.console import Console
from mtoken.command import main, output
output.out = Console(record=True, width=100, force_terminal=True, color_system="truecolor", file=open(os.devnull, "w"))
sys.argv = ["mtoken", "show", sys.argv[1]]
try:
    main()
finally:
    output.out.save_svg(os.environ["PICTURE"], title="mtoken show")
"""


def picture(shell: Shell, id: str) -> None:
    """Makes the page's picture of an operation."""
    path = PAGE.parent / "screens" / "show.svg"
    path.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-c", PICTURE, shell.ids.get(id, id)]
    environment = {**shell.environment, "PICTURE": str(path), "TERM": "xterm-256color"}
    subprocess.run(command, env=environment, check=True, stdin=subprocess.DEVNULL)


def rewrite() -> None:
    """Puts what the commands print now into the page."""
    with tempfile.TemporaryDirectory() as folder:
        server = DevServer(Path(folder, "server"))
        Path(folder, "home").mkdir()
        shell = prepared(server, "alice", Path(folder, "home"))

        def run(block: re.Match[str]) -> str:
            lines: List[str] = []
            for command, expected in steps(block.group(1)):
                printed = shell.run(command)
                shell.ids.update(zip(SHORT_ID.findall(expected), SHORT_ID.findall(printed)))
                if command.startswith("mtoken show"):
                    picture(shell, command.split()[-1])
                for written, real in shell.ids.items():
                    command = command.replace(written, real)
                lines += [f"$ {command}", *([printed] if printed else [])]
            return "```console\n" + "\n".join(lines) + "\n```"

        new = BLOCK.sub(run, PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(new, encoding="utf-8")
        server.stop()


if __name__ == "__main__":
    rewrite()
