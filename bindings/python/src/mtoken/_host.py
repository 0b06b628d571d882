# SPDX-License-Identifier: Apache-2.0
"""Objects of the program that the library calls: stores and sealers."""

from __future__ import annotations

import itertools
import threading
from types import TracebackType
from typing import Any, Callable, ClassVar, Dict, Optional, Type, TypeVar

from . import abi as _c
from ._handle import Handle, inside
from .errors import MTokenError


class Host:
    """A backend under the number by which the library knows it, until the library releases it."""

    def __init__(self, backend: Any, failed: int, release: Optional[Callable[[], None]] = None):
        self.backend = backend
        self.failed = failed
        self.release = release
        self.key = next(_keys)
        self._failure: Optional[BaseException] = None
        self._lock = threading.Lock()
        _hosts[self.key] = self

    def run(self, action: Callable[[Any], int]) -> int:
        inside.host_function = True
        try:
            return action(self.backend)
        except BaseException as failure:  # nothing may be raised into the library
            with self._lock:
                self._failure = failure
            return self.status(failure)
        finally:
            inside.host_function = False

    def status(self, failure: BaseException) -> int:
        """The form of an exception for the library."""
        return self.failed

    def take_failure(self) -> Optional[BaseException]:
        with self._lock:
            failure, self._failure = self._failure, None
        return failure

    def drop(self) -> None:
        """The library never knew it."""
        _hosts.pop(self.key, None)


_Kept = TypeVar("_Kept", bound="Keeper")


class Keeper:
    """Stores and sealers: clients keep them alive while they use them, and a host may implement them."""

    _blamed: ClassVar[Type[MTokenError]]
    """The errors that an exception of the host's is the cause of."""

    def __init__(self, handle: Handle, host: Optional[Host]):
        self._handle = handle
        self._host = host

    @property
    def pointer(self) -> Any:
        """The C handle."""
        return self._handle.pointer

    def explain(self, error: MTokenError) -> MTokenError:
        """Sets the exception of the host's method as the cause of an error that came of it."""
        if self._host and isinstance(error, self._blamed):
            error.__cause__ = self._host.take_failure()
        return error

    def close(self) -> None:
        """Frees it. Clients that use it keep it alive."""
        self._handle.close()

    def __enter__(self: _Kept) -> _Kept:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


_keys = itertools.count(1)
_hosts: Dict[int, Host] = {}


def run(context: Optional[int], action: Callable[[Any], int], otherwise: int) -> int:
    """Runs an action with the backend that the library names."""
    host = _hosts.get(context or 0)
    return host.run(action) if host else otherwise


def _release(context: Optional[int]) -> None:
    host = _hosts.pop(context or 0, None)
    if host and host.release:
        host.release()


# A module member, because the library may call it as long as it is loaded.
RELEASE = _c.release_function(_release)
