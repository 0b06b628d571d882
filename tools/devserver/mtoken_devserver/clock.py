# SPDX-License-Identifier: Apache-2.0
"""The server's time, which an administrator may shift."""

from __future__ import annotations

import re
import time
from datetime import datetime, timezone
from email.utils import formatdate


class Clock:
    """Milliseconds since the Unix epoch, UTC, plus an offset for tests of time jumps."""

    def __init__(self) -> None:
        self.offset_ms = 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.offset_ms


def wire_date(milliseconds: int) -> str:
    """The date form of the Mobile Token API, `yyyy-MM-ddTHH:mm:ss+0000` (operations.md §3)."""
    return datetime.fromtimestamp(milliseconds / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+0000")


_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)")


def is_instant(value: object) -> bool:
    """Whether the released server reads this as a time: absent, ISO 8601 with a zone, or milliseconds
    (operations.md §7.1).
    """
    if isinstance(value, str):
        return _INSTANT.fullmatch(value) is not None or value.isascii() and value.isdigit()
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def http_date(milliseconds: int) -> str:
    """The form of the `Date` header."""
    return formatdate(milliseconds / 1000, usegmt=True)
