"""Push messages: where they go, and what they say."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Optional, Union

from . import _c, _read
from ._arguments import checked
from ._call import create, set_bytes, set_text, text
from ._connection import Connection, nothing
from ._library import lib
from .enums import PushEnvironment, PushService
from .models import PushMessage
from .task import Task


@checked
def parse_push(payload: str) -> Optional[PushMessage]:
    """Reads the payload of a push message; None: not of this system. Raises ParseError for a text that is no JSON.

    payload  JSON in the shape of APNs, the data map of FCM or HMS, or a whole message of these
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
    """Where push messages for this device go."""

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
        """Tells the server where push messages go: at each start, after activation, and when the token changes.

        One at a time: a second call meanwhile raises BusyError.

        token          what the service calls this device; of APNs also as bytes
        environment    of APNs only
        legacy_server  the server is known to be older than 1.10; otherwise it is asked for its version
        """
        task = self.start_register(service, token, environment=environment, legacy_server=legacy_server)
        task.result_or_cancel(timeout)

    @property
    def registered(self) -> bool:
        """Whether the server has accepted a registration since the client was made."""
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
