# SPDX-License-Identifier: Apache-2.0
"""MAC tokens: cheap authentication of frequent requests."""

from __future__ import annotations

from ctypes import byref
from typing import Optional

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import set_text, text
from ._connection import Connection, nothing
from ._handle import Handle
from ._library import lib
from .auth import Auth
from .models import Header
from .task import Task


@checked
class Tokens:
    """The tokens of a client, by name (1 to 64 bytes). The library itself uses "possession_universal"."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def start_create(self, name: str, auth: Optional[Auth] = None) -> Task[None]:
        """See `create`."""
        auth = auth or Auth.possession()
        return self._connection.start(lib.mtoken_token_create, nothing, *text(name), byref(auth.native()))

    def create(self, name: str, auth: Optional[Auth] = None, *, timeout: Optional[float] = None) -> None:
        """Ensures that a token of this name is stored. Asks the server only if there is none.

        auth  factors of the token (default: possession); fails if a token of this name exists with other factors
        """
        self.start_create(name, auth).result_or_cancel(timeout)

    def header(self, name: str) -> Header:
        """The X-PowerAuth-Token header of a stored token, for one request. Requires the server's time to be known."""
        header = self._connection.create(lib.mtoken_token_get_header, _c.mtoken_header, *text(name))
        try:
            return _read.header(header.contents)
        finally:
            lib.mtoken_header_free(header)

    def start_fetch_header(
        self, name: str, auth: Optional[Auth] = None, *, refused: Optional[Header] = None
    ) -> Task[Header]:
        """See `fetch_header`."""
        auth = auth or Auth.possession()
        options = _c.new_options(_c.mtoken_token_options)
        set_text(options.name, name)
        set_text(options.refused_header, refused.value if refused else None)
        return self._connection.start(lib.mtoken_token_fetch_header, _header, byref(options), byref(auth.native()))

    def fetch_header(
        self,
        name: str,
        auth: Optional[Auth] = None,
        *,
        refused: Optional[Header] = None,
        timeout: Optional[float] = None,
    ) -> Header:
        """Returns the header, and first obtains what is missing: creates a token, and fetches the server's time.

        auth     factors of the token (default: possession)
        refused  the header that the server answered with 401: the new header is that of a new token

            header = client.tokens.fetch_header("mine")
            if send(header) == 401:
                send(client.tokens.fetch_header("mine", refused=header))
        """
        return self.start_fetch_header(name, auth, refused=refused).result_or_cancel(timeout)

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        return int(lib.mtoken_token_is_stored(self._connection.handle.pointer, *text(name))) == 1

    def start_remove(self, name: str) -> Task[None]:
        """See `remove`."""
        return self._connection.start(lib.mtoken_token_remove, nothing, *text(name))

    def remove(self, name: str, *, timeout: Optional[float] = None) -> None:
        """Removes a token at the server and then on this device."""
        self.start_remove(name).result_or_cancel(timeout)

    def forget(self, name: str) -> None:
        """Removes a token on this device only."""
        self._connection.call(lib.mtoken_token_forget, *text(name))

    def forget_all(self) -> None:
        """Removes all tokens on this device only."""
        self._connection.call(lib.mtoken_token_forget, None, 0)


def _header(task: Handle) -> Header:
    return _read.header(lib.mtoken_task_header(task.pointer).contents)
