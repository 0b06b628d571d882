# SPDX-License-Identifier: Apache-2.0
"""The end of the program.

Python frees the library's handles then, and calls that are under way in daemon threads fail, with nobody left to catch
it. Such a thread goes no further, as none of Python's own does from there on.
"""

from __future__ import annotations

import atexit
import threading
import weakref

_has_begun = threading.Event()


def hold() -> None:
    """Keeps a daemon thread from going on while the program ends."""
    if _has_begun.is_set() and threading.current_thread().daemon:
        threading.Event().wait()


# The exit functions that were registered last run first: before that of weakref, which frees the handles.
weakref.finalize(_has_begun, int)
atexit.register(_has_begun.set)
