# SPDX-License-Identifier: Apache-2.0
"""Virtual devices for gevent: they share one runtime of the library, and greenlets wait on its descriptor."""

from __future__ import annotations

from typing import Any, Dict, TypeVar

import gevent
import mtoken
from gevent.event import Event
from gevent.socket import wait_read

T = TypeVar("T")


class Devices:
    """All devices of a process: as many clients as wanted, one thread of the library, one greenlet that reads its
    events."""

    def __init__(self) -> None:
        self.runtime = mtoken.Runtime(events=mtoken.Events.TASKS, max_transfers=1024)
        self.store = mtoken.Store.memory()
        self._running: Dict[mtoken.Task[Any], Event] = {}
        gevent.spawn(self._read)

    def result(self, task: mtoken.Task[T]) -> T:
        """The result of a task. Other greenlets run meanwhile: blocking calls of the package would stop them all."""
        completed = Event()
        self._running[task] = completed
        try:
            if not task.done():
                completed.wait()
        finally:
            del self._running[task]
        return task.result(0)

    def _read(self) -> None:
        while True:
            wait_read(self.runtime.fileno())
            for event in self.runtime.events(0):
                completed = self._running.get(event.task) if event.task is not None else None
                if completed is not None:
                    completed.set()
