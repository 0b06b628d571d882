# SPDX-License-Identifier: Apache-2.0
"""Desktop notifications of operations. Their buttons open the detail in a terminal; a click approves nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from datetime import datetime, timezone
from html import escape
from pathlib import Path
from typing import Dict, List, Optional, Sequence

import mtoken

from . import profiles as files
from . import show
from .output import Exit, Stop, clean
from .profiles import Profile

TERMINAL = "MTOKEN_TERMINAL"
_BUTTONS = ("approve", "reject", "default")
TELLS = "MTOKEN_TELLS_DESKTOP"
"""Set for a command that a button runs: its result is a notification too."""


STAYING = ("sh", "-c", """trap : INT; "$@"; printf '\\nEnter closes this window. '; read -r _""", "sh")
"""Runs the words after these, and keeps the window open until the result is read."""


NOTIFY = ("notify-send", "--app-name=mtoken", "--icon=dialog-password", "--urgency=normal")
MOST = 10
"""The most notifications at a time: a bank can neither cover the desktop nor start a process for each operation."""


class Notifier:
    """Shows operations with notify-send."""

    def __init__(self, profile: Profile):
        self._profile = profile
        if shutil.which("notify-send") is None:
            raise Stop("notifications need notify-send: install the package libnotify-bin", Exit.USAGE)
        self._begun = False
        self._now = datetime.now(timezone.utc)
        self._shown: Dict[str, subprocess.Popen[bytes]] = {}
        self._waiting: Dict[str, mtoken.Operation] = {}

    def show(self, operations: Sequence[mtoken.Operation], now: datetime) -> None:
        """Shows each operation as soon as there is room, and several that waited before as one."""
        self._now = now
        if not self._begun and len(operations) > 1:
            self._shown[""] = self._asked(f"{len(operations)} operations wait", "", ["default=Show"], None)
        else:
            self._waiting.update((operation.id, operation) for operation in operations)
        self._begun = True
        self.look()

    def forget(self, ids: List[str]) -> None:
        """These operations no longer wait."""
        for id in ids:
            self._waiting.pop(id, None)
            process = self._shown.pop(id, None)
            if process is not None:
                process.terminate()
                process.communicate()

    def close(self) -> None:
        self.forget([*self._waiting, *self._shown])

    def look(self) -> None:
        """Acts on pressed buttons, and shows operations that waited for room. Call it every second or so."""
        for id, process in list(self._shown.items()):
            if process.poll() is not None:
                del self._shown[id]
                answer, _ = process.communicate()
                self._answered(id, answer.decode("utf-8", "replace").strip())
        for id in list(self._waiting)[: MOST - len(self._shown)]:
            self._shown[id] = self._started(self._waiting.pop(id))

    def _started(self, operation: mtoken.Operation) -> subprocess.Popen[bytes]:
        title = clean(operation.title or operation.name)
        amounts = [one.amount for one in operation.attributes if isinstance(one, mtoken.AmountAttribute)]
        if amounts:
            title = f"{title} {show.amount_text(amounts[0]).plain}"
        actions = ["approve=Approve …", "reject=Reject …", "default=Show"]
        left = max(1.0, (operation.expires - self._now).total_seconds())
        return self._asked(title, operation.message or "", actions, left)

    def _asked(self, title: str, message: str, actions: List[str], seconds: Optional[float]) -> subprocess.Popen[bytes]:
        command = [*NOTIFY, "--wait", *(f"--action={action}" for action in actions)]
        if seconds is not None:
            command.append(f"--expire-time={round(1000 * seconds)}")
        # A text of the bank is never an option, however it begins.
        command += ["--", f"{self._profile.name}: {title}", escape(clean(message), quote=False)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def _answered(self, id: str, answer: str) -> None:
        if answer not in _BUTTONS:
            return
        detail = _program()
        if answer == "default":  # the full-screen view, at the operation
            detail += ["--profile", self._profile.name, *([f"--operation={id}"] if id else [])]
        else:
            detail += [answer, "--profile", self._profile.name, "--", id]
        subprocess.Popen([*_terminal(), *STAYING, "env", f"{TELLS}=1", *detail], start_new_session=True)


def _program() -> List[str]:
    """The words that start this command again: its own file if it has one, which knows where its packages are."""
    program = os.path.abspath(sys.argv[0])
    return [program] if os.access(program, os.X_OK) else [sys.executable, "-m", "mtoken_command"]


def tell_result(words: str) -> None:
    """The result of a command that a button runs, as a notification: its terminal may be behind other windows."""
    if os.environ.get(TELLS) and shutil.which("notify-send") is not None:
        subprocess.Popen([*NOTIFY, "--", "mtoken", escape(clean(words), quote=False)], stdin=subprocess.DEVNULL)


def install(profile: Optional[str]) -> Path:
    """Writes the unit of a user service that shows operations."""
    name = f"mtoken-watch-{profile}" if profile else "mtoken-watch"
    command = [*_program(), *(["-p", profile] if profile else []), "watch", "--notify"]
    path = files.config_file().parents[1] / "systemd" / "user" / f"{name}.service"
    files.write(path, UNIT.replace("COMMAND", " ".join(f'"{word}"' for word in command)))
    return path


UNIT = """[Unit]
Description=Notifications of operations that wait for approval
PartOf=graphical-session.target
After=graphical-session.target

[Service]
ExecStart=COMMAND
Restart=on-failure
RestartSec=30
# There is no activation yet.
RestartPreventExitStatus=3
NoNewPrivileges=yes
UMask=0077

[Install]
WantedBy=graphical-session.target
"""


def _terminal() -> List[str]:
    """A terminal that runs the words after these."""
    return shlex.split(os.environ.get(TERMINAL) or "x-terminal-emulator -e")


class Pace:
    """How often to ask the bank: often after news or after the machine slept, seldom while nothing happens."""

    SLOWEST = 60.0
    CALM = 120.0
    """Seconds without news after which the interval doubles."""

    def __init__(self, interval: float):
        self._interval = interval
        self.current = interval
        self._since = time.monotonic()
        self._slept = _slept()

    def look(self, news: bool) -> Optional[float]:
        """A new interval, if it changes."""
        slept = _slept()
        woken, self._slept = slept - self._slept > 1, slept
        now = time.monotonic()
        wanted = self.current
        if news or woken:
            self._since, wanted = now, self._interval
        elif now - self._since > self.CALM:
            self._since, wanted = now, min(2 * self.current, max(self.SLOWEST, self._interval))
        changed = wanted != self.current or woken
        self.current = wanted
        return wanted if changed else None


def _slept() -> float:
    """Seconds that the machine has slept since it booted."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
