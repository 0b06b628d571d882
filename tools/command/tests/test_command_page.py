"""Every command of docs/guides/command.md is run, and prints what the page says.

As a program it rewrites the page with what the commands print now: see README.md.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Tuple

import segno
from activations import Activations
from devserver import PAYMENT, SHOWCASE, DevServer
from fixtures import CHILD_PATH
from screens import Terminal, text_of

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "guides" / "command.md"
SCREENS = PAGE.parent / "screens"
# What the bank does before a block stands in a comment, which the page's readers do not see.
BLOCK = re.compile(r"^(<!-- the bank: (\w+) -->\n)?```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHORT_ID = re.compile(r"\b[0-9a-f]{8}\b")
LONG_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
VARYING = (
    (LONG_ID, "<id>"),
    (SHORT_ID, "<short>"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?"), "<time>"),
    (re.compile(r"as of \d\d:\d\d:\d\d"), "as of <time>"),
    (re.compile(r"\d{4} \d{4} \d{4} \d{4}"), "<code>"),
    (re.compile(r"\(?\b\d+ (?:min|s)\b\)?"), "<left>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<address>"),
    (re.compile(r"[+-]\d\.\d s"), "<seconds>"),
    (re.compile(r"[ ─]+"), " "),
)

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

    def __init__(self, server: DevServer, user: str, folder: Path, variables: Dict[str, str]):
        self.server, self.user = server, user
        (folder / "bin").mkdir()
        program = folder / "bin" / "mtoken"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m mtoken_command "$@"\n')
        program.chmod(0o755)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MTOKEN_PROFILE"))}
        self.folder = folder
        self.environment = {
            **clean, **variables, "HOME": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100",
            "TERM": "dumb", "TZ": "UTC", "PYTHONPATH": CHILD_PATH, "PYTHON_KEYRING_BACKEND": "filekeyring.FileKeyring",
            "MTOKEN_TEST_KEYRING": str(folder / "keyring.json"),
        }  # fmt: skip
        self.ids: Dict[str, str] = {}

    def bank(self, template: str) -> None:
        """The bank asks for something; the push, as a file, is what a push service would bring."""
        if not template:
            return
        parameters = PAYMENT if template == "authorize_payment" else {}
        id = self.server.new_operation(userId=self.user, template=template, parameters=parameters)["operationId"]
        for push in self.server.admin("GET", "/pushes")["pushes"]:
            if id in json.dumps(push["payload"]):
                (self.folder / "push.json").write_text(json.dumps(push["payload"]), encoding="utf-8")

    def learn(self, written: str, printed: str) -> None:
        """Which ids here stand for those that the page has: whole ones, and what they begin with."""
        for pattern in (LONG_ID, SHORT_ID):
            self.ids.update(zip(pattern.findall(written), pattern.findall(printed)))

    def named(self, command: str) -> str:
        for written in sorted(self.ids, key=len, reverse=True):
            command = command.replace(written, self.ids[written])
        return command

    def run(self, command: str) -> str:
        command = self.named(command)
        child = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300,
            stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert child.returncode == 0, f"{command}: {child.stderr}"
        return "\n".join(line.rstrip() for line in child.stdout.splitlines()).strip("\n")


def prepared(server: DevServer, user: str, folder: Path, activations: Activations) -> Shell:
    code = activations.new(user)["activationCode"]
    offline = server.new_operation(userId=user, template="login")["operationId"]
    payload = server.admin("POST", f"/operations/{offline}/offline", {})["offlineData"]
    server.new_operation(userId=user)
    server.new_operation(userId=user, template="showcase", parameters=SHOWCASE)
    place = {"SERVER": server.url, "CONFIG": server.configuration, "CA": server.ca_file}
    return Shell(server, user, folder, {**place, "CODE": code, "QR": payload})


def test_the_page(server: DevServer, activations: Activations, user: str, tmp_path: Path) -> None:
    shell = prepared(server, user, tmp_path, activations)
    commands = 0
    for _, asked, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        shell.bank(asked)
        for command, expected in steps(block):
            printed = shell.run(command)
            assert invariant(printed) == invariant(expected), command
            shell.learn(expected, printed)
            commands += 1
    assert commands >= 20


def test_the_exit_codes_are_those_of_the_command() -> None:
    from mtoken_command.output import Exit

    codes = re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(code) for code in codes] == [int(code) for code in Exit]


# Pictures


def pictures(shell: Shell) -> Dict[str, str]:
    """The pictures of the page, taken of a real terminal."""
    shell.run('mtoken profile add bank --server "$SERVER" --config "$CONFIG" --ca "$CA"')
    shell.run('mtoken activate "$CODE" --name "My desk" --pin-fd 3 3<<<2468')
    listed = json.loads(shell.run("mtoken list --json"))["operations"]
    (showcase,) = (operation["id"] for operation in listed if operation["name"] == "showcase")
    segno.make(shell.environment["QR"]).save(str(shell.folder / "code.png"), scale=4)
    taken = {}
    with Terminal(shell.folder, shell.environment) as terminal:
        terminal.run("mtoken list")
        taken["list"] = terminal.picture("list")
        terminal.run(f"mtoken show {showcase[:8]}")
        taken["show"] = terminal.picture("show")
        terminal.clear()
        terminal.type("mtoken watch")
        terminal.wait("Ctrl-C ends")
        taken["watch"] = terminal.picture("watch")
        terminal.press("C-c")
        terminal.wait(r"\n\$ \Z")
        terminal.clear()
        terminal.type("mtoken qr code.png")
        terminal.wait(r"\[y/N\]: $")
        terminal.type("y")
        terminal.wait("PIN: $")
        terminal.wait_for_secret()
        terminal.type("2468")
        terminal.wait("costs an attempt")
        taken["qr"] = terminal.picture("qr")
    return taken


def test_the_pictures(server: DevServer, user: str, tmp_path: Path) -> None:
    """They show what the command shows in a terminal."""
    for name, taken in pictures(prepared(server, user, tmp_path, Activations(server, "one step"))).items():
        file = SCREENS / f"{name}.svg"
        assert f"screens/{file.name}" in PAGE.read_text(encoding="utf-8"), "a picture that no page shows"
        assert invariant(text_of(file.read_text(encoding="utf-8"))) == invariant(text_of(taken)), name
    stems = {path.stem for path in SCREENS.iterdir() if not path.stem.startswith("view-")}  # those: test_view.py
    assert stems == {"list", "show", "watch", "qr"}


def rewrite() -> None:
    """Puts what the commands print now into the page."""
    with tempfile.TemporaryDirectory() as folder:
        server = DevServer(Path(folder, "server"))
        Path(folder, "home").mkdir()
        activations = Activations(server, "one step")
        shell = prepared(server, "alice", Path(folder, "home"), activations)

        def run(block: re.Match[str]) -> str:
            lines: List[str] = []
            shell.bank(block.group(2))
            for command, expected in steps(block.group(3)):
                printed = shell.run(command)
                shell.learn(expected, printed)
                lines += [f"$ {shell.named(command)}", *([printed] if printed else [])]
            return (block.group(1) or "") + "```console\n" + "\n".join(lines) + "\n```"

        new = BLOCK.sub(run, PAGE.read_text(encoding="utf-8"))
        PAGE.write_text(new, encoding="utf-8")
        Path(folder, "other").mkdir()
        for name, taken in pictures(prepared(server, "bob", Path(folder, "other"), activations)).items():
            (SCREENS / f"{name}.svg").write_text(taken, encoding="utf-8")
        server.stop()


if __name__ == "__main__":
    rewrite()
