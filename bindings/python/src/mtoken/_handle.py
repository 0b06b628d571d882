# SPDX-License-Identifier: Apache-2.0
"""Ownership of the library's handles."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import Any, Callable, NoReturn, SupportsIndex

from .enums import ErrorCode
from .errors import StateError


class _Inside(threading.local):
    host_function = False


inside = _Inside()
"""Whether this thread runs a function of a host's store or sealer, from which nothing may be freed."""


class Handle:
    """Owns one handle: frees it once, at `close`, with the last reference, or at the end of the program."""

    def __init__(self, pointer: Any, free: Callable[[Any], None]):
        self._pointer = pointer
        self.address = address(pointer)
        self._process = os.getpid()
        self._finalizer = weakref.finalize(self, _release, free, pointer, self._process)

    @property
    def pointer(self) -> Any:
        """The C handle. Raises in a child of the process that it belongs to, before anything is done with it."""
        if self.is_forked:
            raise StateError(
                "the object was created before fork() and belongs to the parent process",
                code=ErrorCode.STATE,
                reason="forked",
            )
        return self._pointer

    @property
    def is_forked(self) -> bool:
        """Whether the handle belongs to a parent process."""
        return os.getpid() != self._process

    def close(self) -> None:
        self._finalizer()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("what lives in the library can be neither copied nor pickled; results can")


def address(pointer: Any) -> int:
    """The number behind a handle; 0 for NULL. No two handles of a process have the same one."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _release(free: Callable[[Any], None], pointer: Any, process: int) -> None:
    if os.getpid() != process:
        return  # after fork() the handle belongs to the parent, and its thread is not here
    if inside.host_function:
        # The garbage collector may run anywhere, even in such a function, where freeing could wait for itself.
        threading.Thread(target=free, args=(pointer,), name="mtoken-free").start()
    else:
        free(pointer)
