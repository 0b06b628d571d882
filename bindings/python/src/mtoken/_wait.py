"""Waiting that Ctrl-C can end."""

from __future__ import annotations

import math
import time
from typing import Callable, Optional

from . import _c

_SLICE = 0.25
"""Seconds. A thread that waits inside the library sees no KeyboardInterrupt, so it comes out this often."""


def milliseconds(seconds: float) -> int:
    return max(0, min(math.ceil(seconds * 1000), 2**62))


def wait(step: Callable[[int], int], timeout: Optional[float]) -> int:
    """Calls `step(timeout in ms)` until it answers something else than TIMEOUT, or `timeout` seconds have passed."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        left = None if deadline is None else deadline - time.monotonic()
        last = left is not None and left <= _SLICE
        status = step(milliseconds(left if last and left is not None else _SLICE))
        if status != _c.MTOKEN_ERROR_TIMEOUT or last:
            return status
