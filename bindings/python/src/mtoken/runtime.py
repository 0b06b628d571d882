"""The runtime: one thread that runs the network, timers and events of many clients."""

from __future__ import annotations

from ctypes import POINTER, byref
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Optional, Type, cast

from . import _c, _read
from ._arguments import checked
from ._call import create, from_milliseconds, optional, read_error, take_error
from ._handle import Handle, address
from ._library import lib
from ._registry import Registry
from ._wait import wait
from .challenge import Challenge
from .enums import EventKind, Events, LogLevel
from .errors import HandleError
from .event import Event
from .task import Task

if TYPE_CHECKING:
    from .client import Client
    from .watcher import Watcher


@checked
class Runtime:
    """Make one per process; thousands of clients share it.

    After fork() it belongs to the parent: in the child, calls and waits on it and on all that came of it raise a StateError
    (reason "forked") at once, and closing does nothing. The child may make a runtime, store and clients of its own.

    events         which events are queued; a program that asks for events must read them
    log_level      how much is told by LOG events
    max_transfers  HTTP requests under way at once, 1 to 4096; 0: 256
    """

    def __init__(self, *, events: Events = Events.NONE, log_level: LogLevel = LogLevel.OFF, max_transfers: int = 0):
        options = _c.new_options(_c.mtoken_runtime_options)
        options.events = int(events)
        options.log_level = int(log_level)
        options.max_transfers = max_transfers
        self._handle = Handle(
            create(lib.mtoken_runtime_new, _c.mtoken_runtime, byref(options)), lib.mtoken_runtime_free
        )
        self.registry = Registry()

    @property
    def pointer(self) -> Any:
        """The C handle."""
        return self._handle.pointer

    @property
    def is_forked(self) -> bool:
        """Whether the runtime belongs to the process that this one was forked from."""
        return self._handle.is_forked

    def fileno(self) -> int:
        """A descriptor that is readable while an event waits, for `selectors` or `loop.add_reader(runtime, …)`.

        Only watch it. Take events with `next_event(0)` until it answers None.
        """
        descriptor = int(lib.mtoken_runtime_fd(self._handle.pointer))
        if descriptor < 0:
            raise HandleError("the runtime was closed", code=_c.MTOKEN_ERROR_HANDLE)
        return descriptor

    def next_event(self, timeout: Optional[float] = None) -> Optional[Event]:
        """Takes the next event; None: there was none within `timeout` seconds (without: waits for ever).

        Events come in the order in which they happened, each exactly once.
        """
        event = _c.event_handle()
        error = POINTER(_c.mtoken_error)()

        def step(milliseconds: int) -> int:
            lib.mtoken_error_free(error)
            return int(lib.mtoken_runtime_next_event(self._handle.pointer, milliseconds, byref(event), byref(error)))

        status = wait(step, timeout)
        if status == _c.MTOKEN_ERROR_TIMEOUT:
            lib.mtoken_error_free(error)
            return None
        if status != _c.MTOKEN_OK:
            raise take_error(status, error)
        return self._read_event(Handle(event, lib.mtoken_event_free))

    def events(self, timeout: Optional[float] = None) -> Iterator[Event]:
        """Iterates over events, until none comes for `timeout` seconds (0: those that wait now; None: for ever)."""
        while True:
            event = self.next_event(timeout)
            if event is None:
                return
            yield event

    def _read_event(self, handle: Handle) -> Event:
        event = handle.pointer
        kind = EventKind(lib.mtoken_event_get_kind(event))
        change = lib.mtoken_event_operations(event)
        error = lib.mtoken_event_error(event)
        expired = lib.mtoken_event_expired(event)
        trace = lib.mtoken_event_trace(event)
        return Event(
            kind=kind,
            time=from_milliseconds(lib.mtoken_event_time(event)),
            client=cast("Optional[Client]", self.registry.find(address(lib.mtoken_event_client(event)))),
            task=cast("Optional[Task[Any]]", self.registry.find(address(lib.mtoken_event_task(event)))),
            log_level=LogLevel(lib.mtoken_event_log_level(event)) if kind is EventKind.LOG else None,
            message=optional(lib.mtoken_event_message(event)),
            change=_read.operations_change(change.contents, handle) if change else None,
            error=read_error(error.contents) if error else None,
            loading=lib.mtoken_event_loading(event) == _c.MTOKEN_YES if kind is EventKind.OPERATIONS_LOADING else None,
            expired=_read.watched_list(expired.contents) if expired else (),
            trace=_read.trace(trace.contents) if trace else None,
            watcher=cast("Optional[Watcher]", self.registry.find(address(lib.mtoken_event_watcher(event)))),
            challenge=_challenge(event),
        )

    def close(self) -> None:
        """Stops the runtime: running tasks complete as cancelled, the thread ends. Clients still have to be closed."""
        self._handle.close()

    def __enter__(self) -> Runtime:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def _challenge(event: Any) -> Optional[Challenge]:
    pointer = lib.mtoken_event_challenge(event)
    return Challenge(Handle(pointer, lib.mtoken_challenge_free)) if pointer else None
