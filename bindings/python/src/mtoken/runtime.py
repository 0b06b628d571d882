# SPDX-License-Identifier: Apache-2.0
"""The runtime: one thread that serves the network, timers and events of many clients."""

from __future__ import annotations

from collections import deque
from ctypes import POINTER, byref
from dataclasses import dataclass, fields
from types import TracebackType
from typing import TYPE_CHECKING, Any, Deque, Iterator, NamedTuple, Optional, Type, cast

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import create, from_milliseconds, optional, read_error, take_error, text
from ._handle import Handle, address
from ._library import lib
from ._registry import Registry
from ._wait import Waits, wait
from .challenge import Challenge
from .enums import EventKind, Events, LogLevel, Protocol, Suite
from .errors import HandleError
from .event import Event
from .models import PushMessage
from .task import Task
from .transport import read_request

if TYPE_CHECKING:
    from .client import Client
    from .watcher import Watcher


@dataclass(frozen=True)
class RuntimeInfo:
    """Counters of a runtime, for health checks. Each is correct by itself, but they are not read at the same
    instant."""

    requests_under_way: int
    requests_waiting: int
    """Queued because of `max_transfers`."""
    events_waiting: int
    """Not yet read."""
    tasks_running: int
    clients: int
    pollers: int
    """Clients that poll their operations, including paused ones."""
    dropped_log_events: int
    """Since the runtime was created: see `Event.dropped`."""
    dropped_trace_events: int


class RoutedPush(NamedTuple):
    """A push message and whom it is for."""

    message: PushMessage
    client: Optional[Client]
    """The client whose activation the message names; None: none that the program holds."""


@checked
class Runtime:
    """Create one per process; thousands of clients can share it.

    After fork() it belongs to the parent: in the child, calls and waits on it and on its objects raise a StateError
    (reason "forked") at once, and closing does nothing. The child may create its own runtime, store and clients.

    events         which events to queue; read the events that you ask for
    log_level      the least severe level of LOG events
    max_transfers  maximum number of concurrent HTTP requests, 1 to 4096; 0: 256
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
        self.waits = Waits(self._handle.pointer)
        self._unread: Deque[Handle] = deque()
        """Events that came while an exception ended the wait for them."""

    @property
    def pointer(self) -> Any:
        """The C handle."""
        return self._handle.pointer

    @property
    def is_forked(self) -> bool:
        """Whether the runtime belongs to a parent process."""
        return self._handle.is_forked

    def fileno(self) -> int:
        """A descriptor that is readable while an event is queued, for `selectors` or `loop.add_reader(runtime, …)`.

        Only watch it. Take events with `next_event(0)` until it returns None.
        """
        descriptor = int(lib.mtoken_runtime_fd(self._handle.pointer))
        if descriptor < 0:
            raise HandleError("the runtime was closed", code=_c.MTOKEN_ERROR_HANDLE)
        return descriptor

    def next_event(self, timeout: Optional[float] = None) -> Optional[Event]:
        """Takes the next event; None: none arrived within `timeout` seconds (default: waits forever).

        Events arrive in the order in which they happened, each exactly once. Ctrl-C ends the wait, and `interrupt` with
        a CancelledError.
        """
        if self._unread:
            return self._read_event(self._unread.popleft())
        runtime = self._handle.pointer
        event = POINTER(_c.mtoken_event)()
        error = POINTER(_c.mtoken_error)()

        def step(milliseconds: int) -> int:
            lib.mtoken_error_free(error)
            return int(lib.mtoken_runtime_next_event(runtime, milliseconds, byref(event), byref(error)))

        try:
            status = wait(step, timeout, self.waits, lambda status: status == _c.MTOKEN_ERROR_CANCELLED)
        except BaseException:
            lib.mtoken_error_free(error)
            if event:
                self._unread.append(Handle(event, lib.mtoken_event_free))
            raise
        if status == _c.MTOKEN_ERROR_TIMEOUT:
            lib.mtoken_error_free(error)
            return None
        if status != _c.MTOKEN_OK:
            raise take_error(status, error)
        return self._read_event(Handle(event, lib.mtoken_event_free))

    def interrupt(self) -> None:
        """Ends all waits in progress, for events and for tasks of this runtime. They raise a CancelledError. Waits that
        begin later are not affected: to stop a thread that may be about to wait, set a flag that it checks before each
        wait, and interrupt repeatedly until it has left.
        """
        self.waits.interrupt()

    def route_push(self, payload: str) -> Optional[RoutedPush]:
        """Parses the payload of a push message as `parse_push` does, and finds the client of this runtime that it is
        for, by the activation that it names; None: not of this system. Raises ParseError for text that is not JSON."""
        found = create(lib.mtoken_runtime_route_push, _c.mtoken_push_message, self._handle.pointer, *text(payload))
        if not found:
            return None
        try:
            client = cast("Optional[Client]", self.registry.find(address(found.contents.client)))
            return RoutedPush(_read.push_message(found.contents), client)
        finally:
            lib.mtoken_push_message_free(found)

    def info(self) -> RuntimeInfo:
        """The current counters. Cheap."""
        found = create(lib.mtoken_runtime_get_info, _c.mtoken_runtime_info, self._handle.pointer)
        try:
            return RuntimeInfo(**{item.name: getattr(found.contents, item.name) for item in fields(RuntimeInfo)})
        finally:
            lib.mtoken_runtime_info_free(found)

    def events(self, timeout: Optional[float] = None) -> Iterator[Event]:
        """Iterates over events until none arrives for `timeout` seconds (0: those queued now; None: forever)."""
        while True:
            event = self.next_event(timeout)
            if event is None:
                return
            yield event

    def _read_event(self, handle: Handle) -> Event:
        event = handle.pointer.contents
        kind = EventKind(event.kind)
        challenge = lib.mtoken_event_take_challenge(handle.pointer)
        return Event(
            kind=kind,
            time=from_milliseconds(event.time),
            client=cast("Optional[Client]", self.registry.find(address(event.client))),
            task=cast("Optional[Task[Any]]", self.registry.find(address(event.task))),
            log_level=LogLevel(event.log_level) if kind is EventKind.LOG else None,
            message=optional(event.message),
            change=_read.operations_change(event.change.contents, handle) if event.change else None,
            error=read_error(event.error.contents) if event.error else None,
            loading=event.is_loading == 1 if kind is EventKind.OPERATIONS_LOADING else None,
            expired=_read.watched_list(event.expired.contents) if event.expired else (),
            trace=_read.trace(event.trace.contents) if event.trace else None,
            watcher=cast("Optional[Watcher]", self.registry.find(address(event.watcher))),
            tag=event.tag,
            dropped=event.dropped,
            steps=event.steps,
            protocol=Protocol(event.protocol_version) if event.protocol_version else None,
            suite=Suite(event.suite) if event.suite else None,
            request=read_request(event.request.contents, self._handle) if event.request else None,
            challenge=Challenge(Handle(challenge, lib.mtoken_challenge_free)) if challenge else None,
        )

    def close(self) -> None:
        """Stops the runtime: running tasks complete as cancelled, the thread ends. Clients must still be closed."""
        self._handle.close()

    def __enter__(self) -> Runtime:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
