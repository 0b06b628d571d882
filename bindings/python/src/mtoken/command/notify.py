"""Desktop notifications of operations. Their buttons open the detail in a terminal: nothing is approved by a click."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from html import escape
from typing import Dict, List, Optional

import mtoken

from .output import Exit, Stop, clean
from .profiles import Profile

TERMINAL = "MTOKEN_TERMINAL"
_COMMANDS = {"approve": "approve", "reject": "reject", "default": "show"}
"""What a button runs in the terminal. Each shows the operation and asks before it does anything."""


STAYING = ("sh", "-c", """trap : INT; "$@"; printf '\\nEnter closes this window. '; read -r _""", "sh")
"""Runs the words after these, and keeps the window open until the result is read."""


MOST = 10
"""So many notifications stand at a time: a bank cannot cover the desktop, nor start a process for each operation."""


class Notifier:
    """Tells of operations with notify-send."""

    def __init__(self, profile: Profile):
        self._profile = profile
        if shutil.which("notify-send") is None:
            raise Stop("notifications need notify-send: install the package libnotify-bin", Exit.USAGE)
        self._shown: Dict[str, subprocess.Popen[bytes]] = {}
        self._waiting: Dict[str, mtoken.Operation] = {}

    def show(self, operation: mtoken.Operation) -> None:
        """Tells of one operation, as soon as there is room."""
        self._waiting[operation.id] = operation
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
        """Does what the buttons say that were pressed, and shows what waits for room. To be called now and then."""
        for id, process in list(self._shown.items()):
            if process.poll() is not None:
                del self._shown[id]
                answer, _ = process.communicate()
                self._answered(id, answer.decode("utf-8", "replace").strip())
        for id in list(self._waiting)[: MOST - len(self._shown)]:
            self._shown[id] = self._started(self._waiting.pop(id))

    def _started(self, operation: mtoken.Operation) -> subprocess.Popen[bytes]:
        title = clean(operation.title or operation.name)
        command = ["notify-send", "--app-name=mtoken", "--icon=dialog-password", "--urgency=critical", "--wait"]
        command += ["--action=approve=Approve …", "--action=reject=Reject …", "--action=default=Show"]
        # What comes from the bank is not an option, however it begins.
        command += ["--", f"{self._profile.name}: {title}", escape(clean(operation.message or ""), quote=False)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def _answered(self, id: str, answer: str) -> None:
        command = _COMMANDS.get(answer)
        if command is not None:
            detail = [sys.executable, "-m", "mtoken", command, "--profile", self._profile.name, "--", id]
            subprocess.Popen([*_terminal(), *STAYING, *detail], start_new_session=True)


def _terminal() -> List[str]:
    """A terminal that runs the words after these."""
    return shlex.split(os.environ.get(TERMINAL) or "x-terminal-emulator -e")


class Pace:
    """How often to ask: often after something has happened or the machine has slept, seldom when nothing does."""

    SLOWEST = 60.0
    CALM = 120.0
    """Seconds without news after which the next interval is twice as long."""

    def __init__(self, interval: float):
        self._interval = interval
        self.current = interval
        self._since = time.monotonic()
        self._slept = _slept()

    def look(self, news: bool) -> Optional[float]:
        """Another interval, if it is time for one."""
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
    """Seconds that the machine has slept since it was started."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()
