# SPDX-License-Identifier: Apache-2.0
"""Requests that the program sends itself: encryption, authentication, and their order among the library's own."""

from __future__ import annotations

from contextlib import contextmanager
from ctypes import byref, pointer, string_at
from typing import Iterator, Optional

from . import abi as _c
from ._arguments import checked
from ._call import Bytes, create, data, required, set_text, take_bytes
from ._connection import Connection, nothing
from ._handle import Handle
from ._library import lib
from .auth import Auth
from .enums import Order, Scope
from .errors import StateError
from .models import Header
from .task import Task


@checked
class EncryptedRequest:
    """An encrypted request. Send it once, as POST, with the header; then `decrypt` the response."""

    def __init__(self, handle: Handle):
        request = lib.mtoken_task_encrypted_request(handle.pointer).contents
        self._handle = handle
        self.body: bytes = string_at(request.body, request.body_length)
        self.header = Header(required(request.header_name), required(request.header_value))

    def decrypt(self, answer: Bytes) -> bytes:
        """Decrypts the body of the response, once. Error responses are not encrypted: read them as they are."""
        plain = create(lib.mtoken_task_decrypt, _c.mtoken_bytes, self._handle.pointer, *data(answer))
        return take_bytes(plain)


@checked
class Requests:
    """Encryption and authentication of the program's own requests."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def start_encrypt(
        self,
        body: Bytes,
        *,
        scope: Scope = Scope.ACTIVATION,
        auth: Optional[Auth] = None,
        uri_id: Optional[str] = None,
        order: Order = Order.ENCRYPT_THEN_SIGN,
    ) -> Task[EncryptedRequest]:
        """See `encrypt`."""
        options = _c.new_options(_c.mtoken_encrypt_options)
        options.scope = int(scope)
        options.order = int(order)
        set_text(options.uri_id, uri_id)
        native = auth.native() if auth else None
        if native is not None:
            options.auth = pointer(native)
        return self._connection.start(lib.mtoken_client_encrypt, EncryptedRequest, *data(body), byref(options))

    def encrypt(
        self,
        body: Bytes,
        *,
        scope: Scope = Scope.ACTIVATION,
        auth: Optional[Auth] = None,
        uri_id: Optional[str] = None,
        order: Order = Order.ENCRYPT_THEN_SIGN,
        timeout: Optional[float] = None,
    ) -> EncryptedRequest:
        """Encrypts the body of a POST request, and signs it if `auth` and `uri_id` are set.

        order  what the signature covers: the encrypted body or the plaintext
        """
        task = self.start_encrypt(body, scope=scope, auth=auth, uri_id=uri_id, order=order)
        return task.result_or_cancel(timeout)

    def hmac(self, content: Bytes, *, scope: Scope = Scope.ACTIVATION) -> bytes:
        """HMAC-SHA-256 with the key that the device shares with the server's key store. No network."""
        return take_bytes(self._connection.create(lib.mtoken_client_hmac, _c.mtoken_bytes, int(scope), *data(content)))

    @contextmanager
    def turn(self, timeout: Optional[float] = None) -> Iterator[None]:
        """Holds back the library's signed calls while the program signs and sends a request.

        with client.requests.turn():
            header = client.sign(…)
            …send, and read the answer
        """
        task = self.take_turn()
        task.result_or_cancel(timeout)
        try:
            yield
        finally:
            self.give_turn(task)

    def take_turn(self) -> Task[None]:
        """For ways of waiting other than `turn`: the turn begins when the task has completed. End it with
        `give_turn`."""
        return self._connection.start(lib.mtoken_client_take_turn, nothing)

    def give_turn(self, task: Task[None]) -> None:
        """Ends a turn."""
        if lib.mtoken_task_give_turn(task.pointer) not in (_c.MTOKEN_OK, _c.MTOKEN_ERROR_STATE):
            raise StateError("the turn could not be released", code=_c.MTOKEN_ERROR_STATE)
