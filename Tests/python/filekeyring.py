"""A keyring in a file, which the package `keyring` finds by PYTHON_KEYRING_BACKEND: for tests without a desktop."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Dict, Optional

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError


class FileKeyring(KeyringBackend):
    """Keeps passwords as plain JSON in the file named by MTOKEN_TEST_KEYRING."""

    priority = 1  # type: ignore[assignment]

    def _read(self) -> Dict[str, str]:
        path = Path(os.environ["MTOKEN_TEST_KEYRING"])
        passwords: Dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        return passwords

    def _write(self, passwords: Dict[str, str]) -> None:
        Path(os.environ["MTOKEN_TEST_KEYRING"]).write_text(json.dumps(passwords))

    def get_password(self, service: str, username: str) -> Optional[str]:
        return self._read().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._write({**self._read(), f"{service}/{username}": password})

    def delete_password(self, service: str, username: str) -> None:
        passwords = self._read()
        if passwords.pop(f"{service}/{username}", None) is None:
            raise PasswordDeleteError(username)
        self._write(passwords)


class LockedKeyring(KeyringBackend):
    """A keyring whose user does not unlock it."""

    priority = 1  # type: ignore[assignment]

    def get_password(self, service: str, username: str) -> Optional[str]:
        raise KeyringLocked("the collection is locked")

    set_password = delete_password = get_password  # type: ignore[assignment]


class BrokenKeyring(LockedKeyring):
    """A keyring whose service raises an error that the package keyring does not know."""

    def get_password(self, service: str, username: str) -> Optional[str]:
        raise RuntimeError("the bus is gone")

    set_password = delete_password = get_password  # type: ignore[assignment]
