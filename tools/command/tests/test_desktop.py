"""Several accounts, notifications with their buttons, the pace of asking, sealing by the command, the webhook's bridge."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Dict, Iterator, List, Optional, Tuple

import pexpect
import pytest
from commands import PIN, Command
from devserver import DevServer
from fixtures import CHILD_PATH, ROOT
from mtoken_command import notify
from mtoken_command.profiles import Profile


@pytest.fixture
def command(server: DevServer, user: str, tmp_path: Path) -> Command:
    home = tmp_path / "home"
    home.mkdir()
    made = Command(home, server, user)
    made.add("bank")
    made.json("activate", made.code(), "--profile", "bank", pin=PIN)
    return made


# Accounts


def test_accounts(command: Command, user: str) -> None:
    command.add("other")
    (command.home / ".local/share/mtoken/third").mkdir(mode=0o700)
    command.add("third")
    (command.home / ".local/share/mtoken/third/third.state").write_bytes(b"x" * 100)
    (command.home / ".local/share/mtoken/third/third.state").chmod(0o600)
    found = {account["name"]: account for account in command.json("accounts")}
    assert found["bank"]["state"] == "ACTIVE" and found["bank"]["key"] == "file" and found["bank"]["activation_id"]
    assert found["other"]["state"] == "EMPTY" and "problem" in found["third"]
    online = {account["name"]: account for account in command.json("accounts", "--online")}
    assert online["bank"]["state"] == "ACTIVE" and "user" in online["bank"]
    shown = command.run("accounts")
    assert "bank" in shown and "EMPTY" in shown and command.server.url in shown


def test_list_of_all(command: Command) -> None:
    command.add("second")
    command.json("activate", command.code(), "--profile", "second", pin=PIN)
    command.add("empty")
    operation = command.operation()
    found = command.json("list", "--all")
    assert set(found) == {"bank", "second"}
    assert all(operation in json.dumps(answer) for answer in found.values())
    assert command.run("list", "--all").count("bank") >= 1
    command.run("list", "--all", "--profile", "bank", code=2)


# Sealing


def test_the_command_seals(command: Command, tmp_path: Path) -> None:
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "mtoken").write_bytes(os.urandom(32))
    for words, said in (
        ("enigma", "there is no sealer enigma: choose one of tpm2"),
        ("none --pcrs 7", "nothing for --pcrs"),
        ("systemd --password", "systemd has no --password: it has --device"),
        ("pkcs11", "pkcs11 needs --module"),
        ("tpm2", "Next: apt install libmtoken1-tpm2"),
    ):
        if words != "tpm2" or "libmtoken1-tpm2" in command.run("seal"):
            assert said in command.run("seal", *words.split(), code=2), words
    command.run("seal", "systemd", code=8)
    command.environment["CREDENTIALS_DIRECTORY"] = str(tmp_path / "credentials")
    assert command.json("seal", "systemd") == {"sealer": "systemd", "protection": "host"}
    assert command.json("accounts")[0]["key"] == "host"
    operation = command.operation()
    command.json("approve", operation, "--yes", pin=PIN)
    assert command.status(operation) == "APPROVED"
    del command.environment["CREDENTIALS_DIRECTORY"]
    assert "CREDENTIALS_DIRECTORY" in command.run("list", code=8) or command.process("list").returncode == 8
    command.environment["CREDENTIALS_DIRECTORY"] = str(tmp_path / "credentials")
    # As if the command had been killed between the two: the profile knows both, and finds the client with either.
    path = command.home / ".config/mtoken/profiles.json"
    for first, then in (("systemd", "none"), (None, "systemd")):
        known = json.loads(path.read_text(encoding="utf-8"))
        known["profiles"][0].pop("sealer", None)
        known["profiles"][0].update({"next_sealer": then, **({"sealer": first} if first else {})})
        path.write_text(json.dumps(known), encoding="utf-8")
        command.json("list")
    assert command.json("seal", "none") == {"sealer": "none", "protection": "file"}
    command.json("list")


GUARD = r"""
#include <plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { char password[33]; } guard;
static int32_t begin(const mtoken_plugin_options *o, void **c, char *why)
{
    guard *mine = calloc(1, sizeof *mine);
    FILE *log = fopen(getenv("TRIED"), "a");
    (void)why;
    memcpy(mine->password, o->password, o->password_length);
    fprintf(log, NAME " %s\n", mine->password);
    fclose(log);
    *c = mine;
    return 0;
}
static int32_t seal(void *c, const char *l, const uint8_t *b, size_t n, uint8_t *o, size_t *r)
{ (void)l, memcpy(o, c, 33), memcpy(o + 33, b, n), *r = 33 + n; return 0; }
static int32_t unseal(void *c, const char *l, const uint8_t *b, size_t n, uint8_t *o, size_t *r)
{ (void)l; if (memcmp(b, c, 33)) return MTOKEN_SEAL_FAULT_DENIED; memcpy(o, b + 33, n - 33), *r = n - 33; return 0; }
const mtoken_plugin mtoken_plugin_descriptor = {
    .magic = MTOKEN_PLUGIN_MAGIC, .interface = MTOKEN_PLUGIN_INTERFACE, .size = sizeof(mtoken_plugin),
    .name = NAME, .protection = 3, .open = begin, .seal = seal, .unseal = unseal, .close = free};
"""


def test_each_sealer_is_asked_for_its_own_password(command: Command, tmp_path: Path) -> None:
    """By name. From one to the other no password goes along: a card counts what it is given."""
    library, tried = tmp_path / "lib" / "libmtoken.so.1", tmp_path / "tried"
    library.parent.mkdir()
    shutil.copy(Path(os.environ["MTOKEN_LIBRARY"]).resolve(), library)
    (tmp_path / "guard.c").write_text('#include "mtoken/sealer.h"\n' + GUARD, encoding="ascii")
    for name in ("tpm2", "pkcs11"):
        build = ["cc", "-shared", "-fPIC", f'-DNAME="{name}"', f"-I{ROOT}/Sources/CSystem", f"-I{ROOT}/include"]
        build += ["-o", str(library.parent / f"libmtoken-{name}.so.1"), str(tmp_path / "guard.c")]
        subprocess.run(build, check=True)
    command.environment.update(MTOKEN_LIBRARY=str(library), TRIED=str(tried))
    card = ["seal", "pkcs11", "--module", "card.so", "--device", "My card", "--password"]
    for words, asked in (
        (["seal", "tpm2", "--password"], [("tpm2", "one")]),
        (["list"], [("tpm2", "one")]),
        (card, [("tpm2", "one"), (r"pkcs11 \(My card\)", "two")]),
        (["list"], [(r"pkcs11 \(My card\)", "two")]),
    ):
        tried.write_text("")
        command.talk([*words], *((f"Password of the sealer {name}: ", password) for name, password in asked))
        assert {(line.split()[0], line.split()[1]) for line in tried.read_text().splitlines()} == {
            (name.split()[0], password) for name, password in asked
        }
    for name, password in (("old", "two"), ("new", "three")):
        (tmp_path / name).write_text(password)
    command.environment["MTOKEN_SEALER_PASSWORD_FILE"] = str(tmp_path / "old")
    # A file for the one is none for the other.
    assert "no terminal to ask" in subprocess_of(command, "seal", "tpm2", "--password")
    command.environment["MTOKEN_NEW_SEALER_PASSWORD_FILE"] = str(tmp_path / "new")
    assert "sealed by tpm2" in subprocess_of(command, "seal", "tpm2", "--password")


def subprocess_of(command: Command, *words: str) -> str:
    """What a process of its own says: it loads the library that the environment names."""
    child = subprocess.run(
        [sys.executable, "-m", "mtoken_command", *words], env=command.environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return child.stdout + child.stderr


# Notifications


@pytest.fixture
def desktop(command: Command, tmp_path: Path) -> Iterator[Dict[str, Path]]:
    """A notify-send that presses the button in a file, and a terminal that notes what it is to run."""
    tools = tmp_path / "tools"
    tools.mkdir()
    files = {"said": tmp_path / "said", "pressed": tmp_path / "pressed", "ran": tmp_path / "ran"}
    (tools / "notify-send").write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" >> {files["said"]}\ncat {files["pressed"]}\n', encoding="ascii"
    )
    (tools / "terminal").write_text(f'#!/bin/sh\necho "$@" >> {files["ran"]}\n', encoding="ascii")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    command.environment["PATH"] = f"{tools}:{os.environ['PATH']}"
    command.environment["MTOKEN_TERMINAL"] = str(tools / "terminal")
    yield files


@pytest.mark.parametrize("button, runs", [("approve", "approve"), ("reject", "reject"), ("default", ""), ("", None)])
def test_notifications(command: Command, desktop: Dict[str, Path], button: str, runs: Any) -> None:
    """A button opens the detail in a terminal. The operation waits as before."""
    desktop["pressed"].write_text(button + "\n", encoding="ascii")
    operation = command.operation()
    command.run("watch", "--notify", "--for", "3")
    said = desktop["said"].read_text(encoding="utf-8")
    assert "bank: " in said and "--action=approve=" in said
    ran = desktop["ran"].read_text(encoding="utf-8") if desktop["ran"].exists() else ""
    if runs is None:
        assert ran == ""
    elif runs:
        assert f"MTOKEN_TELLS_DESKTOP=1 {sys.executable} -m mtoken_command {runs} --profile bank -- {operation}" in ran
    else:
        assert f"-m mtoken_command --profile bank --operation={operation}" in ran, (
            "the full-screen view, at the operation"
        )
    lifetime = re.search(r"--expire-time=(\d+)", said)
    assert lifetime and 200_000 < int(lifetime[1]) <= 300_000 and "--urgency=normal" in said
    assert "bank: Payment confirmation €1,250.50" in said
    # Of several that have waited, one tells.
    desktop["said"].unlink()
    command.operation()
    command.run("watch", "--notify", "--for", "3")
    assert re.findall(r"bank: .*", desktop["said"].read_text(encoding="utf-8")) == ["bank: 2 operations wait"]
    assert command.status(operation) == "PENDING"
    # The result is a notification too.
    command.run("reject", operation, "--yes", MTOKEN_TELLS_DESKTOP="1")
    assert "Payment was rejected" in desktop["said"].read_text(encoding="utf-8")
    unit = Path(command.json("watch", "--install")["unit"])
    assert unit == command.home / ".config/systemd/user/mtoken-watch.service"
    assert f'ExecStart="{sys.executable}" "-m" "mtoken_command" "watch" "--notify"' in unit.read_text(encoding="utf-8")


def test_a_service_of_an_installed_command(command: Command, tmp_path: Path) -> None:
    """A Debian package has its modules in a folder that only its program knows."""
    program = tmp_path / "mtoken"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path[:0] = {CHILD_PATH.split(':')}\nimport mtoken_command\nmtoken_command.main()\n"
    )
    program.chmod(0o755)
    environment = {**command.environment, "PYTHONPATH": ""}
    words = [str(program), "watch", "--install", "--json"]
    unit = json.loads(subprocess.run(words, env=environment, capture_output=True, check=True, timeout=60).stdout)[
        "unit"
    ]
    assert f'ExecStart="{program}" "watch" "--notify"' in Path(unit).read_text(encoding="utf-8")


@pytest.mark.parametrize("interrupted", [False, True])
def test_the_terminal_stays_until_the_result_is_read(interrupted: bool) -> None:
    words = ["sh", "-c", "echo begun; read word; echo approved"]
    terminal = pexpect.spawn(notify.STAYING[0], [*notify.STAYING[1:], *words], encoding="utf-8", timeout=60)
    terminal.expect("begun")
    if interrupted:
        terminal.sendcontrol("c")
    else:
        terminal.sendline("go on")
        terminal.expect("approved")
    terminal.expect("Enter closes this window")
    assert terminal.isalive()
    terminal.sendline()
    terminal.expect(pexpect.EOF)


class Pressed:
    """A notify-send whose button is pressed by the test."""

    made: ClassVar[List[Pressed]] = []

    def __init__(self, command: List[str], **how: Any):
        self.command = command
        self.answer: Optional[bytes] = None
        Pressed.made.append(self)

    def poll(self) -> Optional[int]:
        return None if self.answer is None else 0

    def terminate(self) -> None:
        self.answer = self.answer or b""

    def communicate(self) -> Tuple[bytes, bytes]:
        return self.answer or b"", b""


def test_many_notifications(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten stand at a time, whatever the bank sends; and nothing of it is an option of a command, however it begins."""
    monkeypatch.setattr(notify.subprocess, "Popen", Pressed)
    monkeypatch.setattr(notify.shutil, "which", str)
    Pressed.made = []
    threads = threading.active_count()
    notifier = notify.Notifier(Profile("bank", "https://bank.example", ""))
    now = datetime.now(timezone.utc)
    for number in range(25):
        operation = {"id": f"--despite-contradiction={number}", "title": "--urgency=low", "message": "--x"}
        more = {"attributes": (), "expires": now + timedelta(minutes=1)}
        notifier.show([SimpleNamespace(**operation, **more)], now)  # type: ignore[list-item]
    assert len(Pressed.made) == 10 and threading.active_count() == threads
    for process in Pressed.made:
        place = process.command.index("--")
        assert process.command[place + 1 :] == ["bank: --urgency=low", "--x"]
    Pressed.made[3].answer = b"approve\n"
    notifier.look()
    assert len(Pressed.made) == 12  # the command in the terminal, and the next notification
    command = Pressed.made[10].command
    assert command[-4:] == ["--profile", "bank", "--", "--despite-contradiction=3"] and "approve" in command
    notifier.forget(["--despite-contradiction=0", "--despite-contradiction=24"])
    notifier.look()
    assert len(Pressed.made) == 13
    notifier.close()
    notifier.look()
    assert len(Pressed.made) == 13 and all(process.answer is not None for process in Pressed.made[11:])


@pytest.mark.parametrize("again", ["add", "import"])
def test_a_profile_that_is_replaced_keeps_its_sealer(command: Command, tmp_path: Path, again: str) -> None:
    """The activation cannot be opened without it. And the item that was stored has the last word on who it is."""
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "mtoken").write_bytes(os.urandom(32))
    command.environment["CREDENTIALS_DIRECTORY"] = str(tmp_path / "credentials")
    command.json("seal", "systemd")
    if again == "add":
        command.add("bank", "--language", "cs")
    else:
        exported = tmp_path / "exported.json"
        command.run("export", str(exported))
        command.run("import", str(exported), "--replace")
    command.json("list")
    path = command.home / ".config/mtoken/profiles.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    assert known["profiles"][0]["sealer"] == "systemd"
    for wrong in (None, "tpm2", "none"):
        known["profiles"][0].pop("sealer", None)
        known["profiles"][0].update({"sealer": wrong} if wrong else {})
        path.write_text(json.dumps(known), encoding="utf-8")
        if wrong != "tpm2":  # which is asked first, and may not be here
            command.json("list")
    command.json("seal", "none")
    known["profiles"][0]["sealer"] = "systemd"
    path.write_text(json.dumps(known), encoding="utf-8")
    command.json("list")


def test_no_notify_send(command: Command) -> None:
    assert "libnotify-bin" in command.run("watch", "--notify", "--for", "1", code=2, PATH="/nonexistent")


def test_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slower while nothing happens, quick again with news and after a sleep."""
    clock = {"now": 0.0, "slept": 0.0}
    monkeypatch.setattr(notify.time, "monotonic", lambda: clock["now"])
    monkeypatch.setattr(notify.time, "clock_gettime", lambda which: clock["now"] + clock["slept"])
    pace = notify.Pace(7)

    def after(seconds: float, news: bool = False) -> Any:
        clock["now"] += seconds
        return pace.look(news)

    assert after(100) is None
    assert [after(121) for _ in range(4)] == [14, 28, 56, 60]
    assert after(1000) is None and pace.current == 60
    assert after(1, news=True) == 7
    assert after(1, news=True) is None
    assert after(121) == 14
    clock["slept"] += 3600
    assert after(1) == 7
    clock["slept"] += 3600
    assert after(1) == 7, "asks at once after each sleep"
