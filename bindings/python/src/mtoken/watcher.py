# SPDX-License-Identifier: Apache-2.0
"""Watchers: events when operations expire."""

from __future__ import annotations

from ctypes import POINTER, cast
from datetime import timedelta
from types import TracebackType
from typing import Any, Optional, Tuple, Type, Union

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import call, create, text, to_milliseconds
from ._handle import Handle
from ._library import lib
from .client import Client
from .models import Operation, Watched


@checked
class Watcher:
    """Reports expired operations with OPERATIONS_EXPIRED events, by the server's time if known. It checks when the
    first of its operations expires, but not within five seconds after its last change.
    """

    def __init__(self, client: Client):
        runtime = client.runtime
        with runtime.registry.adding() as add:
            pointer = create(lib.mtoken_watcher_new, _c.mtoken_watcher, client.pointer)
            self._handle = Handle(pointer, lib.mtoken_watcher_free)
            add(self._handle.address, self)

    def add(self, *operations: Union[Operation, Watched]) -> Tuple[Watched, ...]:
        """Adds items; those already watched (same id, data and expiry) are ignored. Returns what is watched now."""
        call(lib.mtoken_watcher_add, self._handle.pointer, *_items(operations))
        return self.watched

    def remove(self, *operations: Union[Operation, Watched]) -> Tuple[Watched, ...]:
        """Removes the items with the same id, data and expiry. Returns what is watched now."""
        call(lib.mtoken_watcher_remove, self._handle.pointer, *_items(operations))
        return self.watched

    def remove_all(self) -> None:
        """Removes all items."""
        call(lib.mtoken_watcher_remove_all, self._handle.pointer)

    @property
    def watched(self) -> Tuple[Watched, ...]:
        """The items that are watched now."""
        pointer = create(lib.mtoken_watcher_list, _c.mtoken_watched_list, self._handle.pointer)
        try:
            return _read.watched_list(pointer.contents)
        finally:
            lib.mtoken_watched_list_free(pointer)

    def set_clock(self, offset: Optional[timedelta]) -> None:
        """Replaces the clock: the device's plus this offset; None: the client's, which is the default."""
        milliseconds = 0 if offset is None else offset // timedelta(milliseconds=1)
        call(lib.mtoken_watcher_set_clock, self._handle.pointer, int(offset is not None), milliseconds)

    def close(self) -> None:
        """Stops watching."""
        self._handle.close()

    def __enter__(self) -> Watcher:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def _items(operations: Tuple[Union[Operation, Watched], ...]) -> Tuple[Any, int]:
    array = (_c.mtoken_watched * len(operations))()
    for native, operation in zip(array, operations):
        native.id, native.operation_data = text(operation.id)[0], text(operation.data)[0]
        native.expires = to_milliseconds(operation.expires)
    return cast(array, POINTER(_c.mtoken_watched)), len(operations)
