# SPDX-License-Identifier: Apache-2.0
"""Which Python object a handle of an event belongs to."""

from __future__ import annotations

import os
import threading
import weakref
from contextlib import contextmanager
from typing import Callable, Iterator, Optional, Set

Add = Callable[[int, object], None]


class Registry:
    """Knows objects by the address of their handle, as long as the program holds them.

    The event of a task may be read before the call that started the task has returned in its own thread. Such calls run
    within `adding`, and `find` waits for those that began before it.
    """

    def __init__(self) -> None:
        self._known: weakref.WeakValueDictionary[int, object] = weakref.WeakValueDictionary()
        self._adding: Set[object] = set()
        self._changed = threading.Condition()
        self._process = os.getpid()

    @contextmanager
    def adding(self) -> Iterator[Add]:
        if os.getpid() != self._process:
            # The parent's, whose lock another thread may have had at fork(): the library refuses the call anyway.
            yield lambda address, known: None
            return
        call = object()
        with self._changed:
            self._adding.add(call)
        try:
            yield self._add
        finally:
            with self._changed:
                self._adding.discard(call)
                self._changed.notify_all()

    def _add(self, address: int, known: object) -> None:
        with self._changed:
            self._known[address] = known
            self._changed.notify_all()

    def find(self, address: int) -> Optional[object]:
        """The object of a handle; None for NULL and for an object that the program has dropped."""
        if not address or os.getpid() != self._process:
            return None
        with self._changed:
            earlier = set(self._adding)
            while address not in self._known and earlier & self._adding:
                self._changed.wait()
            return self._known.get(address)
