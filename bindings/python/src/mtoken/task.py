# SPDX-License-Identifier: Apache-2.0
"""One call in progress, and its result."""

from __future__ import annotations

from ctypes import POINTER, byref
from typing import Any, Callable, Generic, Optional, TypeVar

from . import abi as _c
from ._arguments import checked
from ._call import call, read_error, status_error
from ._handle import Handle
from ._library import lib
from ._wait import Waits, wait
from .enums import TaskState
from .errors import CancelledError, InternalError, MTokenError, TimeoutExpiredError
from .store import Store

T = TypeVar("T")


@checked
class Task(Generic[T]):
    """A call to the server that runs in the background. Dropping the task does not cancel it."""

    def __init__(self, handle: Handle, read: Callable[[Handle], T], store: Optional[Store], waits: Waits):
        self._handle = handle
        self._waits = waits
        self._read = read
        self._store = store

    @property
    def handle(self) -> Handle:
        """The owner of the C handle."""
        return self._handle

    @property
    def address(self) -> int:
        """The number behind the task's handle."""
        return self._handle.address

    @property
    def pointer(self) -> Any:
        """The C handle."""
        return self._handle.pointer

    @property
    def state(self) -> TaskState:
        """Whether the task is running, or how it ended."""
        return TaskState(lib.mtoken_task_get_state(self._handle.pointer))

    def done(self) -> bool:
        """Whether the task has completed, successfully or not."""
        return self.wait(0)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until the task has completed, successfully or not. False: `timeout` seconds have passed before that.

        Ctrl-C ends this and the other waits, `Runtime.interrupt` with a CancelledError (reason "interrupted"); the task
        continues.
        """
        task = self._handle.pointer
        status = wait(
            lambda limit: int(lib.mtoken_task_wait(task, limit)),
            timeout,
            self._waits,
            lambda status: status == _c.MTOKEN_ERROR_CANCELLED,
        )
        if status == _c.MTOKEN_ERROR_CANCELLED:
            raise CancelledError("the program interrupted all waits", code=status, reason="interrupted")
        if status not in (_c.MTOKEN_OK, _c.MTOKEN_ERROR_TIMEOUT):
            raise status_error(status)
        return status == _c.MTOKEN_OK

    def result(self, timeout: Optional[float] = None) -> T:
        """Waits for the result. Raises the task's error, or TimeoutError; the task continues after a TimeoutError."""
        self.join(timeout)
        return self._read(self._handle)

    def error(self, timeout: Optional[float] = None) -> Optional[MTokenError]:
        """Waits, and returns the task's error; None: it succeeded. Raises TimeoutError."""
        task = self._handle.pointer
        error: Any = POINTER(_c.mtoken_error)()

        def step(limit: int) -> int:
            lib.mtoken_error_free(error)
            return int(lib.mtoken_task_join(task, limit, byref(error)))

        def reason() -> Any:
            return error.contents.reason if error else None

        try:
            status = wait(step, timeout, self._waits, lambda _: reason() == b"interrupted")
            if status == _c.MTOKEN_OK:
                return None
            if not error:
                raise InternalError("libmtoken failed without an error object", code=status)
            failure = read_error(error.contents)
            if reason() in (b"waitTimeout", b"interrupted", b"invalidHandle", b"forked"):
                raise failure  # of the wait, not of the task
        finally:
            lib.mtoken_error_free(error)
        return failure if self._store is None else self._store.explain(failure)

    def join(self, timeout: Optional[float] = None) -> None:
        """Waits until the task has succeeded. Raises the task's error, or TimeoutError; the task continues after
        that."""
        error = self.error(timeout)
        if error is not None:
            raise error

    def notify(self, tag: int) -> None:
        """Requests an event of kind TASK with this tag for the completion of the task; queued at once if it has
        completed. It arrives regardless of the runtime's event mask, once for each call.

        tag  0 to 2**64 - 1
        """
        if not 0 <= tag < 2**64:
            raise ValueError(f"tag must be 0 to 2**64 - 1, not {tag}")
        call(lib.mtoken_task_notify, self._handle.pointer, tag)

    def cancel(self) -> None:
        """Stops the network transfer; the task completes once, as cancelled. Has no effect on a completed task. A
        request that was already sent may still reach the server: see the error's outcome.
        """
        status = lib.mtoken_task_cancel(self._handle.pointer)
        if status != _c.MTOKEN_OK:
            raise status_error(status)

    def result_or_cancel(self, timeout: Optional[float] = None) -> T:
        """As `result`, but a task that is not ready in time is cancelled: the TimeoutError's outcome is final."""
        try:
            in_time = self.wait(timeout)
        except BaseException:
            self.cancel()
            raise
        if not in_time:
            self.cancel()
            error = self.error()
            if isinstance(error, CancelledError):
                details = {**error.details, "code": _c.MTOKEN_ERROR_TIMEOUT, "reason": "network_timeOut"}
                raise TimeoutExpiredError(f"no result within {timeout} s; the call was cancelled", **details)
        return self.result()

    def __repr__(self) -> str:
        return f"<mtoken.Task {'of another process' if self._handle.is_forked else self.state.name}>"
