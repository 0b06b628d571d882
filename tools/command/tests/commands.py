"""The `mtoken` command as a user has it: a home of its own, arguments, a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import mtoken
import pexpect
import ready_command
from ctrl_c import listen_to_ctrl_c
from devserver import DevServer
from fixtures import CHILD_PATH

PIN = "2468"


@dataclass
class Command:
    """A home of its own for the command, and a user at the bank."""

    home: Path
    server: DevServer
    user: str
    environment: Dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MTOKEN_PROFILE"))}
        self.environment = {
            **clean, "HOME": str(self.home), "PYTHONPATH": CHILD_PATH, "COLUMNS": "100", "TERM": "xterm", "NO_COLOR": "1",
        }  # fmt: skip

    def run(self, *arguments: str, pin: Optional[str] = None, text: str = "", code: int = 0, **more: str) -> str:
        """What the command prints; fails unless it ends with `code`. A PIN is handed over by a descriptor."""
        child = self.process(*arguments, pin=pin, text=text, **more)
        assert child.returncode == code, f"{child.returncode}: {child.stdout}{child.stderr}"
        assert "Traceback" not in child.stderr
        return child.stdout + child.stderr

    def process(
        self, *arguments: str, pin: Optional[str] = None, text: str = "", **more: str
    ) -> subprocess.CompletedProcess[str]:
        words = list(arguments)
        descriptors: List[int] = []
        if pin is not None:
            reading, writing = os.pipe()
            os.write(writing, pin.encode() + b"\n")
            os.close(writing)
            words += ["--pin-fd", str(reading)]
            descriptors.append(reading)
        try:
            return ready_command.run(words, {**self.environment, **more}, text, descriptors, timeout=300)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def json(self, *arguments: str, pin: Optional[str] = None, code: int = 0, text: str = "") -> Any:
        child = self.process(*arguments, "--json", pin=pin, text=text)
        assert child.returncode == code, child.stdout + child.stderr
        return json.loads(child.stdout)

    def terminal(self, *arguments: str) -> pexpect.spawn[str]:
        """The command at a terminal of its own."""
        command = ["-m", "mtoken_command", *arguments]
        environment = {**self.environment, "COLUMNS": "110", "LINES": "60"}
        return pexpect.spawn(
            sys.executable, command, env=environment, encoding="utf-8", timeout=300, dimensions=(60, 110),
            preexec_fn=listen_to_ctrl_c,
        )  # fmt: skip

    def talk(self, words: Sequence[str], *dialogue: Union[str, Tuple[str, str]], code: int = 0) -> None:
        """At a terminal: waits for each text of the dialogue in turn, and answers where there is an answer, to the end."""
        terminal = self.terminal(*words)
        for part in dialogue:
            shown, answer = (part, None) if isinstance(part, str) else part
            terminal.expect(shown)
            if answer is not None:
                terminal.sendline(answer)
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == code, terminal.before

    def add(self, name: str = "bank", *more: str) -> None:
        place = ["--server", self.server.url, "--config", self.server.configuration, "--ca", self.server.ca_file]
        self.run("profile", "add", name, *place, *more)

    def code(self, **members: Any) -> str:
        created = self.server.new_activation(self.user, **{"commitPhase": "ON_KEY_EXCHANGE", **members})
        code: str = created["activationCode"]
        return code

    def operation(self, **members: Any) -> str:
        created: str = self.server.new_operation(userId=self.user, **members)["operationId"]
        return created

    def status(self, operation: str) -> str:
        answer: str = self.server.operation(operation)["status"]
        return answer


def kept(command: Command) -> Dict[str, str]:
    path = Path(command.environment["MTOKEN_TEST_KEYRING"])
    content: Dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    return content


@contextmanager
def taken(command: Command, name: str = "bank") -> Iterator[None]:
    """Another program has the account open all the time."""
    folder = command.home / ".local" / "share" / "mtoken" / name
    place = {"configuration": command.server.configuration, "base_url": command.server.url}
    with mtoken.Runtime() as runtime, mtoken.Store.directory(folder) as store:
        with mtoken.Client(runtime, name, store=store, ca_file=command.server.ca_file, **place):
            yield
