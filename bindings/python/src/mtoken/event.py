# SPDX-License-Identifier: Apache-2.0
"""Events: queued until the program reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Optional, Tuple

from .enums import EventKind, LogLevel, Protocol, Suite
from .errors import MTokenError
from .models import OperationsChange, Trace, Watched
from .task import Task
from .transport import HTTPRequest

if TYPE_CHECKING:
    from .challenge import Challenge
    from .client import Client
    from .watcher import Watcher


@dataclass(frozen=True)
class Event:
    """Ignore events of unknown kinds."""

    kind: EventKind
    time: datetime
    """When the event was queued."""
    client: Optional[Client]
    """The client concerned; None: none, or the program has dropped it."""
    task: Optional[Task[Any]]
    """The completed task of a TASK event; None: the program has dropped it."""
    log_level: Optional[LogLevel]
    message: Optional[str]
    """The text of a LOG event."""
    change: Optional[OperationsChange] = None
    """Of an OPERATIONS_CHANGED event."""
    error: Optional[MTokenError] = None
    """Of an OPERATIONS_FAILED or POLLING_WAITS event."""
    loading: Optional[bool] = None
    """Of an OPERATIONS_LOADING event: whether a fetch has begun or ended."""
    expired: Tuple[Watched, ...] = ()
    """Of an OPERATIONS_EXPIRED event."""
    watcher: Optional[Watcher] = None
    """Of an OPERATIONS_EXPIRED event; None: the program has dropped it."""
    trace: Optional[Trace] = None
    """Of a TRACE event."""
    tag: int = 0
    """Of a TASK event that `Task.notify` asked for: its tag."""
    dropped: int = 0
    """LOG and TRACE events dropped since the previous event, because the program did not read them."""
    request: Optional[HTTPRequest] = None
    """For the program to send, of a REQUEST event; no longer of use, of a REQUEST_ENDED event."""
    steps: int = 0
    """Of a COUNTER_BEHIND event: how far the server's counter was ahead, at least. Another copy of the client's state
    has signed, or an older state was restored."""
    protocol: Optional[Protocol] = None
    """Of a STATE_STORED event: the activation's."""
    suite: Optional[Suite] = None
    """Of a STATE_STORED event: the activation's; None: protocol 3."""
    challenge: Optional[Challenge] = None
    """The question to the user, of a CHALLENGE event. If the program drops it unanswered, it counts as cancelled."""
