"""The server's time, which an administrator may shift."""

from __future__ import annotations

import time
from datetime import datetime, timezone


class Clock:
    """Milliseconds since the Unix epoch, UTC, plus an offset for tests of time jumps."""

    def __init__(self) -> None:
        self.offset_ms = 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.offset_ms


def wire_date(milliseconds: int) -> str:
    """The date form of the Mobile Token API, `yyyy-MM-ddTHH:mm:ss+0000` (operations §3)."""
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+0000")
