"""Desktop notifications of operations. Their buttons open the detail in a terminal: nothing is approved by a click."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from html import escape
from typing import Dict, List, Optional

import mtoken

from .output import Exit, Stop, clean
from .profiles import Profile

TERMINAL = "MTOKEN_TERMINAL"
_COMMANDS = {"approve": "approve", "reject": "reject", "default": "show"}
"""What a button runs in the terminal. Each shows the operation and asks before it does anything."""


class Notifier:
    """Tells of operations with notify-send."""

    def __init__(self, profile: Profile):
        self._profile = profile
        if shutil.which("notify-send") is None:
            raise Stop("notifications need notify-send: install the package libnotify-bin", Exit.USAGE)
        self._shown: Dict[str, subprocess.Popen[str]] = {}

    def show(self, operation: mtoken.Operation) -> None:
        """Tells of one operation, and waits for its buttons on a thread of its own."""
        title = clean(operation.title or operation.name)
        command = ["notify-send", "--app-name=mtoken", "--icon=dialog-password", "--urgency=critical", "--wait"]
        command += ["--action=approve=Approve …", "--action=reject=Reject …", "--action=default=Show"]
        command += ["--", f"{self._profile.name}: {title}", escape(clean(operation.message or ""), quote=False)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self._shown[operation.id] = process
        threading.Thread(target=self._answered, args=(process, operation.id), name="notification", daemon=True).start()

    def forget(self, ids: List[str]) -> None:
        """These operations no longer wait."""
        for id in ids:
            process = self._shown.pop(id, None)
            if process is not None and process.poll() is None:
                process.terminate()

    def close(self) -> None:
        self.forget(list(self._shown))

    def _answered(self, process: subprocess.Popen[str], id: str) -> None:
        answer, _ = process.communicate()
        command = _COMMANDS.get(answer.strip())
        if command is not None:
            detail = [sys.executable, "-m", "mtoken", command, id, "--profile", self._profile.name]
            subprocess.Popen([*_terminal(), *detail], start_new_session=True)


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
