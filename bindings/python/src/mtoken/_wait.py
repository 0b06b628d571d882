# SPDX-License-Identifier: Apache-2.0
"""Waiting that Ctrl-C ends at once.

A thread that waits inside the library sees no KeyboardInterrupt. So when the main thread waits, where Python runs
signal handlers, a helper thread waits in its place, and the main thread waits for that one in a way that Python can
interrupt. Other threads wait by themselves. Where gevent or eventlet has replaced threads, the main thread looks again
and again, and sleeps in between, so that other greenlets run.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from queue import SimpleQueue
from typing import Any, Callable, List, Optional

from . import abi as _c
from ._call import call
from ._library import lib

Step = Callable[[int], int]
"""Waits for so many milliseconds at most, and answers a status."""


def milliseconds(seconds: float) -> int:
    return max(0, min(math.ceil(seconds * 1000), 2**62))


def limited(seconds: Optional[float]) -> int:
    """Milliseconds for a member of 32 bits, at least 1; 0: none are given."""
    return 0 if seconds is None else max(1, min(milliseconds(seconds), 2**31 - 1))


class Waits:
    """The waits of one runtime."""

    def __init__(self, runtime: Any):
        self._runtime = runtime
        self.interruptions = 0
        """How often the program has ended all waits."""

    def interrupt(self) -> None:
        """Ends all waits under way, because the program wants it."""
        self.interruptions += 1
        call(lib.mtoken_runtime_interrupt, self._runtime)

    def wake(self) -> None:
        """Ends all waits under way, to fetch one out; the others continue to wait by themselves."""
        lib.mtoken_runtime_interrupt(self._runtime, None)


def wait(step: Step, timeout: Optional[float], waits: Waits, is_interrupted: Callable[[int], bool]) -> int:
    """Calls `step` until its wait ends in another way than by an interruption that was not the program's."""
    deadline = None if timeout is None else time.monotonic() + timeout
    begun = waits.interruptions
    while True:
        left = _c.MTOKEN_FOREVER if deadline is None else milliseconds(deadline - time.monotonic())
        status = _interruptibly(step, left, waits)
        if not is_interrupted(status) or waits.interruptions != begun:
            return status


def _interruptibly(step: Step, limit: int, waits: Waits) -> int:
    # The number of the main thread is that of the process, also in a greenlet.
    if limit == 0 or threading.get_native_id() != os.getpid() or sys.is_finalizing():
        return step(limit)
    status = step(0)
    if status != _c.MTOKEN_ERROR_TIMEOUT:
        return status
    return _in_steps(step, limit) if _threads_are_greenlets() else _in_helper(step, limit, waits)


def _threads_are_greenlets() -> bool:
    gevent, eventlet = sys.modules.get("gevent.monkey"), sys.modules.get("eventlet.patcher")
    if gevent and gevent.is_module_patched("threading"):
        return True
    return bool(eventlet and eventlet.is_monkey_patched("thread"))


def _in_steps(step: Step, limit: int) -> int:
    end = None if limit == _c.MTOKEN_FOREVER else time.monotonic() + limit / 1000
    pause = 0.001
    while True:
        time.sleep(pause if end is None else max(0, min(pause, end - time.monotonic())))
        status = step(0)
        if status != _c.MTOKEN_ERROR_TIMEOUT or (end is not None and time.monotonic() >= end):
            return status
        pause = min(2 * pause, 0.02)


# The helper


class _Job:
    """One wait, which is run once at most."""

    def __init__(self, step: Step, limit: int):
        self.step = step
        self.limit = limit
        self.status = _c.MTOKEN_ERROR_TIMEOUT
        self.failure: Optional[BaseException] = None
        self.is_abandoned = False
        self.is_over = False
        self.is_forked = False
        self.done = threading.Lock()
        self.done.acquire()

    def run(self) -> None:
        if self.is_over:
            return
        try:
            if not self.is_abandoned:
                self.status = self.step(self.limit)
        except BaseException as failure:
            self.failure = failure
        self.is_over = True
        self.done.release()


class _Helper:
    """A thread that waits for the main thread."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        threading.Thread(target=self._serve, name="mtoken-wait", daemon=True).start()

    def _serve(self) -> None:
        # A signal that the kernel gave to this thread would not wake the main one.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            job = self.jobs.get()
            job.run()
            del job  # which holds what was waited for


_idle: List[_Helper] = []
"""One, once there was a wait; more if signal handlers have waited within waits."""
_waiting: List[_Job] = []


def _in_helper(step: Step, limit: int, waits: Waits) -> int:
    try:
        helper = _idle.pop() if _idle else _Helper()
    except RuntimeError:  # Python starts no threads any more: the program ends
        return step(limit)
    job = _Job(step, limit)
    _waiting.append(job)
    try:
        helper.jobs.put(job)
        job.done.acquire()
    except BaseException:
        _fetch_out(job, helper, waits)
        raise
    finally:
        _waiting.remove(job)
        if helper.process == os.getpid():
            _idle.append(helper)
    if job.is_forked:
        return step(0)  # a signal handler has forked, and this is the child: the library says so
    if job.failure is not None:
        raise job.failure
    return job.status


def _fetch_out(job: _Job, helper: _Helper, waits: Waits) -> None:
    """Ends a wait that was broken off, so that nothing of it is left when the exception is raised."""
    job.is_abandoned = True
    while not job.is_over:
        try:
            helper.jobs.put(job)  # it may not have got there
            waits.wake()  # the wait may not have begun: again, until it is over
            job.done.acquire(timeout=0.01)
        except BaseException:
            continue


def _begin_anew_in_child() -> None:
    _idle.clear()
    for job in _waiting:
        job.is_forked = True
        if not job.is_over:
            job.is_over = True
            job.done.release()


os.register_at_fork(after_in_child=_begin_anew_in_child)
