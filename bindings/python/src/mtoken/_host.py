"""Objects of the program that the library calls: stores and sealers."""

from __future__ import annotations

import itertools
import threading
from typing import Any, Callable, Dict, Optional

from . import _c
from ._handle import inside


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
        """What the library is told of an exception."""
        return self.failed

    def take_failure(self) -> Optional[BaseException]:
        with self._lock:
            failure, self._failure = self._failure, None
        return failure

    def drop(self) -> None:
        """The library never knew it."""
        _hosts.pop(self.key, None)


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
