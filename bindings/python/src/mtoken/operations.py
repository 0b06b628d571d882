# SPDX-License-Identifier: Apache-2.0
"""The operations service: list, display, approve, reject, claim, history."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Optional

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import set_text, text, to_milliseconds
from ._connection import Connection, JSONObject, json_text, nothing
from ._handle import Handle
from ._library import lib
from ._wait import milliseconds
from .auth import Auth
from .enums import Attached, Contradiction, Polling, RejectReason
from .models import KnownOperations, Operation, OperationList
from .proximity import Proximity
from .task import Task


def _read_list(task: Handle) -> OperationList:
    return _read.operation_list(lib.mtoken_task_operations(task.pointer).contents, task)


def _read_one(task: Handle) -> Operation:
    return _read.operation(lib.mtoken_task_operation(task.pointer), task)


@checked
class Operations:
    """The operations that the user is asked to approve."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def start_list(self) -> Task[OperationList]:
        """See `list`."""
        return self._connection.start(lib.mtoken_operations_list, _read_list)

    def list(self, *, timeout: Optional[float] = None) -> OperationList:
        """Fetches the pending operations. An unreadable one is dropped and counted; see also `may_be_cut`."""
        return self.start_list().result_or_cancel(timeout)

    def start_history(self, auth: Auth) -> Task[OperationList]:
        """See `history`."""
        return self._connection.start(lib.mtoken_operations_history, _read_list, byref(auth.native()))

    def history(self, auth: Auth, *, timeout: Optional[float] = None) -> OperationList:
        """Fetches past operations in all states (two factors)."""
        return self.start_history(auth).result_or_cancel(timeout)

    def start_detail(self, id: str) -> Task[Operation]:
        """See `detail`."""
        return self._connection.start(lib.mtoken_operations_detail, _read_one, *text(id))

    def detail(self, id: str, *, timeout: Optional[float] = None) -> Operation:
        """Fetches one pending operation. Another state raises, e.g. with reason "operations_alreadyFinished"."""
        return self.start_detail(id).result_or_cancel(timeout)

    def start_claim(self, id: str) -> Task[Operation]:
        """See `claim`."""
        return self._connection.start(lib.mtoken_operations_claim, _read_one, *text(id))

    def claim(self, id: str, *, timeout: Optional[float] = None) -> Operation:
        """Assigns a non-personalised operation (e.g. a login on a shared screen) to this user and fetches it."""
        return self.start_claim(id).result_or_cancel(timeout)

    def start_authorize(
        self,
        operation: Operation,
        auth: Auth,
        *,
        expected_id: Optional[str] = None,
        strict: bool = False,
        tolerated: Contradiction = Contradiction.NONE,
        allow_unknown_status: bool = False,
        allow_other_factors: bool = False,
        mobile_token_data: Optional[JSONObject] = None,
        proximity: Optional[Proximity] = None,
    ) -> Task[None]:
        """See `authorize`."""
        native = operation.native
        if not isinstance(native, _read.NativeOperation):
            raise ValueError("the operation was not returned by the library: use authorize_data")
        options = _options(mobile_token_data, proximity)
        set_text(options.expected_id, expected_id)
        options.allow_other_factors = int(allow_other_factors)
        options.strict = int(strict)
        options.tolerated = int(tolerated)
        options.allow_unknown_status = int(allow_unknown_status)
        arguments = (native.pointer, byref(auth.native()), byref(options))
        return self._connection.start(lib.mtoken_operations_authorize, nothing, *arguments)

    def authorize(
        self,
        operation: Operation,
        auth: Auth,
        *,
        expected_id: Optional[str] = None,
        strict: bool = False,
        tolerated: Contradiction = Contradiction.NONE,
        allow_unknown_status: bool = False,
        allow_other_factors: bool = False,
        mobile_token_data: Optional[JSONObject] = None,
        proximity: Optional[Proximity] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Approves an operation: signs its id and data exactly as the server sent them. Sent at most once.

        With `error.outcome` UNKNOWN the operation may have been approved: fetch the list or the detail before you
        repeat the call.

        expected_id        id of the operation that the user saw: StateError if the operation is another one
        strict             refuse an operation that displays something other than what it signs
                           (`operation.contradictions`)
        tolerated          contradictions that strict ignores
        allow_unknown_status  also approve an operation whose status this version does not know
        allow_other_factors  leave it to the server to refuse factors that the operation does not allow
        mobile_token_data  JSON object for the bank's fraud detection
        proximity          if the operation requires a proximity check
        """
        task = self.start_authorize(
            operation,
            auth,
            expected_id=expected_id,
            strict=strict,
            tolerated=tolerated,
            allow_unknown_status=allow_unknown_status,
            allow_other_factors=allow_other_factors,
            mobile_token_data=mobile_token_data,
            proximity=proximity,
        )
        task.result_or_cancel(timeout)

    def start_authorize_data(
        self,
        id: str,
        data: str,
        auth: Auth,
        *,
        mobile_token_data: Optional[JSONObject] = None,
        proximity: Optional[Proximity] = None,
    ) -> Task[None]:
        """See `authorize_data`."""
        operation = _c.new_options(_c.mtoken_operation_options)
        set_text(operation.id, id)
        set_text(operation.operation_data, data)
        options = _options(mobile_token_data, proximity)
        arguments = (byref(operation), byref(auth.native()), byref(options))
        return self._connection.start(lib.mtoken_operations_authorize_data, nothing, *arguments)

    def authorize_data(
        self,
        id: str,
        data: str,
        auth: Auth,
        *,
        mobile_token_data: Optional[JSONObject] = None,
        proximity: Optional[Proximity] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """As `authorize`, for an operation received on another channel: its id and data."""
        task = self.start_authorize_data(id, data, auth, mobile_token_data=mobile_token_data, proximity=proximity)
        task.result_or_cancel(timeout)

    def start_reject(
        self, id: str, reason: str = RejectReason.UNKNOWN, *, mobile_token_data: Optional[JSONObject] = None
    ) -> Task[None]:
        """See `reject`."""
        options = _c.new_options(_c.mtoken_reject_options)
        set_text(options.reason, reason)
        set_text(options.mobile_token_data, json_text(mobile_token_data))
        return self._connection.start(lib.mtoken_operations_reject, nothing, *text(id), byref(options))

    def reject(
        self,
        id: str,
        reason: str = RejectReason.UNKNOWN,
        *,
        mobile_token_data: Optional[JSONObject] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Rejects an operation. No PIN is needed. `reason` is one of RejectReason or a text of your own."""
        self.start_reject(id, reason, mobile_token_data=mobile_token_data).result_or_cancel(timeout)

    # What the client keeps

    def known(self) -> KnownOperations:
        """The tracked operations, without asking the server, and how the last fetch ended."""
        pointer = self._connection.create(lib.mtoken_operations_get_info, _c.mtoken_operations_info)
        handle = Handle(pointer, lib.mtoken_operations_info_free)
        return _read.known_operations(pointer.contents, handle)

    def refresh(self) -> None:
        """Fetches the list in the background; events and `known` report the result. Does nothing while a fetch is in
        progress."""
        self._connection.call(lib.mtoken_operations_refresh)

    @property
    def is_loading(self) -> bool:
        """Whether a fetch of the list is in progress."""
        return int(lib.mtoken_operations_is_loading(self._connection.handle.pointer)) == _c.MTOKEN_YES

    def attach(
        self, id: str, *, mobile_token_data: Optional[JSONObject] = None, proximity: Optional[Proximity] = None
    ) -> None:
        """Attaches data to a tracked operation for its approval and, except the proximity check, for its rejection.

        Raises NotFoundError if the operation is not tracked: fetch the list, or claim it. Without arguments removes
        what is attached.
        """
        options = None
        if mobile_token_data is not None or proximity is not None:
            options = byref(_options(mobile_token_data, proximity))
        self._connection.call(lib.mtoken_operations_attach, *text(id), options)

    def attached(self, id: str) -> Attached:
        """The attachments of a tracked operation."""
        return Attached(lib.mtoken_operations_get_attached(self._connection.handle.pointer, *text(id)))

    # Polling

    def start_polling(
        self,
        interval: Optional[float] = None,
        *,
        delay_start: bool = False,
        has_push: bool = False,
        back_off: bool = False,
        jitter_percent: int = 0,
        adaptive: bool = False,
    ) -> None:
        """Fetches the list periodically. Ignored while polling is on or paused.

        interval        seconds between two fetches; default 7, at least 5
        delay_start     the first fetch comes after one interval, not at once
        has_push        pushes also announce new operations: the interval is doubled
        back_off        after consecutive failures the wait grows up to eightfold
        jitter_percent  maximum random deviation of each wait from the interval, in percent
        adaptive        the wait grows up to eightfold while nothing changes, is 5 seconds for a minute after something
                        has happened, and ends when the machine wakes from sleep
        """
        options = _c.new_options(_c.mtoken_polling_options)
        options.interval_ms = 0 if interval is None else max(1, milliseconds(interval))
        options.delay_start = int(delay_start)
        options.has_push = int(has_push)
        options.back_off = int(back_off)
        options.jitter_percent = jitter_percent
        options.is_adaptive = int(adaptive)
        self._connection.call(lib.mtoken_operations_start_polling, byref(options))

    def stop_polling(self) -> None:
        """Stops polling, even if it is paused."""
        self._connection.call(lib.mtoken_operations_stop_polling)

    def pause_polling(self) -> None:
        """Pauses polling, e.g. while the program is in the background."""
        self._connection.call(lib.mtoken_operations_pause_polling)

    def resume_polling(self) -> None:
        """Fetches at once and resumes polling. Does nothing unless polling is paused."""
        self._connection.call(lib.mtoken_operations_resume_polling)

    @property
    def polling(self) -> Polling:
        """Whether operations are polled."""
        return Polling(lib.mtoken_operations_get_polling(self._connection.handle.pointer))


def _options(mobile_token_data: Optional[JSONObject], proximity: Optional[Proximity]) -> Any:
    options = _c.new_options(_c.mtoken_authorize_options)
    set_text(options.mobile_token_data, json_text(mobile_token_data))
    set_proximity(options, proximity)
    return options


def set_proximity(options: Any, proximity: Optional[Proximity]) -> None:
    """Puts a proximity check into the members of an option struct."""
    if proximity is not None:
        set_text(options.proximity_otp, proximity.otp)
        options.proximity_source = int(proximity.type)
        options.proximity_received = to_milliseconds(proximity.received)
