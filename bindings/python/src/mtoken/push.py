# SPDX-License-Identifier: Apache-2.0
"""Push messages: registration and parsing."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Optional, Union

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import create, set_bytes, set_text, text
from ._connection import Connection, nothing
from ._library import lib
from .enums import PushEnvironment, PushService
from .models import PushMessage
from .task import Task


@checked
def parse_push(payload: str) -> Optional[PushMessage]:
    """Parses the payload of a push message; None: not of this system. Raises ParseError for text that is not JSON.

    payload  JSON in the format of APNs, the data map of FCM or HMS, or a complete FCM or HMS message
    """
    message = create(lib.mtoken_push_parse, _c.mtoken_push_message, *text(payload))
    if not message:
        return None
    try:
        return _read.push_message(message.contents)
    finally:
        lib.mtoken_push_message_free(message)


@checked
class Push:
    """Registration for push messages."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def start_register(
        self,
        service: PushService,
        token: Union[str, bytes],
        *,
        environment: PushEnvironment = PushEnvironment.DEFAULT,
        legacy_server: bool = False,
    ) -> Task[None]:
        """See `register`."""
        options = push_options(service, token, environment, legacy_server)
        return self._connection.start(lib.mtoken_push_register, nothing, byref(options))

    def register(
        self,
        service: PushService,
        token: Union[str, bytes],
        *,
        environment: PushEnvironment = PushEnvironment.DEFAULT,
        legacy_server: bool = False,
        timeout: Optional[float] = None,
    ) -> None:
        """Registers this device for push messages. Call it at each start, after activation, and when the token changes.
        One at a time: a second concurrent call raises BusyError.

        token          the device's token at the service; for APNs also as bytes
        environment    of APNs only
        legacy_server  the server is older than 1.10; otherwise the library asks it for its version
        """
        task = self.start_register(service, token, environment=environment, legacy_server=legacy_server)
        task.result_or_cancel(timeout)

    @property
    def registered(self) -> bool:
        """Whether the server has accepted a registration of this activation, also before a restart."""
        return int(lib.mtoken_push_is_registered(self._connection.handle.pointer)) == 1


def push_options(
    service: PushService, token: Union[str, bytes], environment: PushEnvironment, legacy_server: bool
) -> Any:
    options = _c.new_options(_c.mtoken_push_options)
    options.platform = int(service)
    options.environment = int(environment)
    if isinstance(token, str):
        set_text(options.token, token)
    else:
        set_bytes(options.token_bytes, bytearray(token))
    options.is_legacy_server = int(legacy_server)
    return options
