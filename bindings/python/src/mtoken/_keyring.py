# SPDX-License-Identifier: Apache-2.0
"""A store in the desktop's keyring, by the `keyring` package."""

from __future__ import annotations

import base64
import fcntl
import hashlib
import os
import tempfile
import time
import weakref
from pathlib import Path
from typing import Any, Optional

from . import abi as _c
from .errors import BusyError, StorageError

_PATIENCE = 1.0
"""Seconds to wait for a store that is being closed: the runtime's thread lets go of it a moment after `close`."""


class Keyring:
    """Items as passwords of a keyring's service, in Base64. Holds the lock of the service until `release`."""

    def __init__(self, service: str):
        try:
            import keyring
        except ImportError:
            raise ImportError("the keyring store needs the package keyring: pip install keyring") from None
        self._keyring: Any = keyring
        self._service = service
        self._lock: Optional[int] = _locked(service)
        _held.add(self)

    def load(self, name: str) -> Optional[bytes]:
        """The bytes of an item; None when there is none."""
        password: Optional[str] = self._keyring.get_password(self._service, name)
        return None if password is None else base64.b64decode(password, validate=True)

    def save(self, name: str, data: bytes) -> None:
        """Replaces an item and reads it back: a keyring that keeps nothing must not let a signature leave."""
        password = base64.b64encode(data).decode("ascii")
        self._keyring.set_password(self._service, name, password)
        if self._keyring.get_password(self._service, name) != password:
            raise OSError(f"the keyring did not save the item {name} of {self._service}")

    def remove(self, name: str) -> None:
        """Removes an item; a missing one is ignored."""
        if self._keyring.get_password(self._service, name) is not None:
            self._keyring.delete_password(self._service, name)

    def release(self) -> None:
        """Lets another process use the service."""
        descriptor, self._lock = self._lock, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        if getattr(self, "_lock", None) is not None:
            self.release()


_held: weakref.WeakSet[Keyring] = weakref.WeakSet()


def _let_go_in_child() -> None:
    """The lock of a file lasts as long as any process has it open: the parent's must end with the parent."""
    for keyring in list(_held):
        keyring.release()


os.register_at_fork(after_in_child=_let_go_in_child)


def _locked(service: str) -> int:
    """A descriptor that holds the lock of a service among the processes of this user on this machine."""
    name = hashlib.sha256(service.encode("utf-8")).hexdigest()[:32]
    path = _lock_folder() / f"keyring-{name}.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            if time.monotonic() < deadline:
                time.sleep(0.01)
                continue
        os.close(descriptor)
        raise BusyError(
            f"another store uses the keyring service {service!r}: close it, or choose another service",
            code=_c.MTOKEN_ERROR_BUSY, reason="storageBusy", retriable=True,
        )  # fmt: skip


def _lock_folder() -> Path:
    """A folder of the user's own that every process of the user finds."""
    parent = os.environ.get("XDG_RUNTIME_DIR")
    folder = Path(parent) / "mtoken" if parent else Path(tempfile.gettempdir()) / f"mtoken-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    facts = folder.lstat()
    if facts.st_uid != os.getuid() or facts.st_mode & 0o022 or folder.is_symlink():
        raise StorageError(
            f"{folder} must be a folder owned by this user", code=_c.MTOKEN_ERROR_STORAGE, reason="storageInsecure"
        )
    return folder
