"""Completion in each shell, as a user gets it at Tab."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict

import pexpect
import pytest
from commands import Command
from mtoken_command import contents, register, tasks
from mtoken_command.app import app


@pytest.fixture
def environment(command: Command, tmp_path: Path) -> Dict[str, str]:
    """With `mtoken` on the path."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "mtoken"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m mtoken_command "$@"\n')
    program.chmod(0o755)
    path = f"{tmp_path / 'bin'}:{command.environment['PATH']}"
    return {**command.environment, "PATH": path, "TERM": "xterm", "LANG": "C.UTF-8"}


SETUPS = {
    "bash": "source <(mtoken completion bash)",
    "zsh": "autoload -Uz compinit && compinit -u -D && source <(mtoken completion zsh)",
    "fish": "mtoken completion fish | source",
}
STARTS = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"]}


class Shell:
    """An interactive shell with completion set up."""

    def __init__(self, name: str, environment: Dict[str, str], folder: Path):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed: make deps")
        self._name, self._environment, self._folder = name, environment, folder

    def complete(self, line: str) -> str:
        """The line after Tab; of fish, what it offers."""
        if self._name == "fish":
            script = f"{SETUPS['fish']}; complete --do-complete {line!r}"
            command = ["fish", "--no-config", "--private", "-c", script]
            return subprocess.run(
                command, env=self._environment, cwd=self._folder, capture_output=True, text=True, timeout=60, check=True
            ).stdout
        shell = pexpect.spawn(
            self._name, STARTS[self._name], env=self._environment, cwd=str(self._folder), encoding="utf-8", timeout=60,
            dimensions=(60, 200),
        )  # fmt: skip
        try:
            shell.sendline(f"{SETUPS[self._name]}; echo set''up")
            shell.expect("setup\r\n")
            # Ctrl-A: to the beginning, where the line becomes one that prints itself.
            shell.send(f"{line}\t\x01echo line''is \r")
            shell.expect(r"lineis (.*)\r\n")
            found: str = shell.match.group(1)
            return found
        finally:
            shell.close(force=True)


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request: pytest.FixtureRequest, environment: Dict[str, str], tmp_path: Path) -> Shell:
    return Shell(request.param, environment, tmp_path)


def test_commands_and_options(shell: Shell) -> None:
    assert "approve" in shell.complete("mtoken app")
    assert "--despite-contradiction" in shell.complete("mtoken approve --desp")


def test_ids(shell: Shell, command: Command) -> None:
    id = command.operation()
    assert id in shell.complete(f"mtoken approve {id[:4]}")
    assert id in shell.complete(f"mtoken show {id[:6]}")


def test_profiles_and_reasons(shell: Shell, command: Command) -> None:
    command.add("savings")
    assert "savings" in shell.complete("mtoken list --profile sav")
    assert "savings" in shell.complete("mtoken profile use sav")
    assert "UNEXPECTED_OPERATION" in shell.complete("mtoken reject --reason UNEX")


def test_the_texts_of_a_bank_do_nothing_in_the_shell(shell: Shell, command: Command, tmp_path: Path) -> None:
    """A title that a shell would take for a command is words."""
    evil = "$(touch owned) `touch owned` \"'; touch owned; echo '"
    command.operation(template="login")
    form = {"title": evil, "message": evil, "attributes": []}
    id = command.operation(name="login", data="A2", formData=form)
    assert id in shell.complete(f"mtoken approve {id[:8]}")
    assert not list(tmp_path.rglob("owned"))


def test_nothing_is_offered_and_nothing_is_said_when_the_bank_is_away(command: Command) -> None:
    command.server.fault("/", "close_after_read")
    words = {"_MTOKEN_COMPLETE": "complete_bash", "COMP_WORDS": "mtoken approve ", "COMP_CWORD": "2"}
    child = command.process(**words)
    assert (child.stdout.strip(), child.stderr) == ("", "")


def test_every_command_has_a_task_and_an_example() -> None:
    register()
    known = dict(tasks.everything(app))
    assert {name for name in known if " " not in name} <= {name for names in contents.TASKS.values() for name in names}
    assert set(tasks.EXAMPLES) <= set(known), "an example of a command that is not there"
    assert list(contents.SUMMARIES) == [name for names in contents.TASKS.values() for name in names], (
        "the order of the manual"
    )
    for name, examples in tasks.EXAMPLES.items():
        assert all(f"mtoken {name}" in typed for typed, _ in examples), name
