"""One call under way, and its result."""

from __future__ import annotations

from typing import Any, Callable, Generic, Optional, TypeVar

from . import _c
from ._arguments import checked
from ._call import read_error, status_error
from ._handle import Handle
from ._library import lib
from ._wait import wait
from .enums import TaskState
from .errors import CancelledError, MTokenError, TimeoutExpiredError
from .store import Store

T = TypeVar("T")


@checked
class Task(Generic[T]):
    """A call to the server that runs in the background. Dropping the task does not cancel it."""

    def __init__(self, handle: Handle, read: Callable[[Handle], T], store: Optional[Store]):
        self._handle = handle
        self._read = read
        self._store = store

    @property
    def handle(self) -> Handle:
        """What owns the C handle."""
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
        """Whether the task has completed, in whatever way."""
        return self.wait(0)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until the task has completed, in whatever way. False: `timeout` seconds have passed before."""
        status = wait(lambda ms: int(lib.mtoken_task_wait(self._handle.pointer, ms)), timeout)
        if status not in (_c.MTOKEN_OK, _c.MTOKEN_ERROR_TIMEOUT):
            raise status_error(status)
        return status == _c.MTOKEN_OK

    def result(self, timeout: Optional[float] = None) -> T:
        """Waits for the result. Raises what went wrong, or TimeoutError; the task goes on after a TimeoutError."""
        error = self.error(timeout)
        if error is not None:
            raise error
        return self._read(self._handle)

    def error(self, timeout: Optional[float] = None) -> Optional[MTokenError]:
        """Waits, and returns what went wrong; None: nothing. Raises TimeoutError."""
        if not self.wait(timeout):
            raise TimeoutExpiredError(
                "the task is still running", code=_c.MTOKEN_ERROR_TIMEOUT, reason="network_timeOut"
            )
        error: Any = lib.mtoken_task_error(self._handle.pointer)
        if not error:
            return None
        failure = read_error(error.contents)
        return failure if self._store is None else self._store.explain(failure)

    def cancel(self) -> None:
        """Stops the network transfer; the task completes once, as cancelled. Does nothing to a completed task.

        A request that was already on its way may still reach the server: the error's outcome tells.
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
