# SPDX-License-Identifier: Apache-2.0
"""Mobile authentication with push: a portal asks, and the user answers on this device."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Optional, Tuple

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import Bytes, data, set_text, text
from ._connection import Connection, JSONObject, json_text
from ._handle import Handle
from ._library import lib
from .enums import ProximityType
from .models import KnownAuthenticator, MobileAuthOutcome, MobileAuthRequest
from .operations import set_proximity
from .proximity import Proximity
from .task import Task


def _read_list(task: Handle) -> Tuple[MobileAuthRequest, ...]:
    return _read.mobile_auth_list(lib.mtoken_task_mobile_auth_list(task.pointer).contents, task)


def _read_outcome(task: Handle) -> MobileAuthOutcome:
    return _read.mobile_auth_outcome(lib.mtoken_task_mobile_auth(task.pointer).contents, task)


@checked
class MobileAuth:
    """Requests that a portal sends to this device.

    Events of kind CHALLENGE ask the user: create the runtime with Events.CHALLENGES, and read its events while a
    request is handled.
    """

    def __init__(self, connection: Connection):
        self._connection = connection

    def from_push(self, payload: str) -> Optional[MobileAuthRequest]:
        """Extracts the request from the payload of a push; None: it is not for this client. No network."""
        request = self._connection.create(
            lib.mtoken_mobile_auth_from_push, _c.mtoken_mobile_auth_request, *text(payload)
        )
        if not request:
            return None
        try:
            return _read.mobile_auth_request(request.contents, None)
        finally:
            lib.mtoken_mobile_auth_request_free(request)

    def start_pending(self) -> Task[Tuple[MobileAuthRequest, ...]]:
        """See `pending`."""
        return self._connection.start(lib.mtoken_mobile_auth_pending, _read_list)

    def pending(self, *, timeout: Optional[float] = None) -> Tuple[MobileAuthRequest, ...]:
        """Fetches the requests that wait for the user, newest first."""
        return self.start_pending().result_or_cancel(timeout)

    def handle(
        self,
        transaction_id: str,
        *,
        handles_biometry: bool = False,
        authenticator: Optional[str] = None,
        prompt: Optional[str] = None,
        handles_proximity: bool = False,
        proximity: Optional[Proximity] = None,
        mobile_token_data: Optional[JSONObject] = None,
    ) -> Task[MobileAuthOutcome]:
        """Starts to handle a request; one at a time for each client. `error.reason` says how it failed.

        handles_biometry   the program operates the biometric sensor; otherwise the PIN is asked for
        authenticator      name of a registered custom authenticator, which is then preferred
        prompt             text to show with the biometric sensor; default: the request's message
        handles_proximity  the program answers PROXIMITY challenges; otherwise a request that requires a proximity check
                           without a known password fails with "proximity_required"
        proximity          the password, if known in advance
        mobile_token_data  JSON object for the bank's fraud detection
        """
        options = _options(
            handles_biometry, authenticator, prompt, handles_proximity, proximity, json_text(mobile_token_data)
        )
        arguments = (*text(transaction_id), byref(options))
        return self._connection.start(lib.mtoken_mobile_auth_handle, _read_outcome, *arguments)

    def handle_push(
        self,
        payload: str,
        *,
        handles_biometry: bool = False,
        authenticator: Optional[str] = None,
        prompt: Optional[str] = None,
        handles_proximity: bool = False,
        proximity: Optional[Proximity] = None,
        mobile_token_data: Optional[JSONObject] = None,
    ) -> Task[MobileAuthOutcome]:
        """As `handle`, for the payload of a push."""
        options = _options(
            handles_biometry, authenticator, prompt, handles_proximity, proximity, json_text(mobile_token_data)
        )
        arguments = (*text(payload), byref(options))
        return self._connection.start(lib.mtoken_mobile_auth_handle_push, _read_outcome, *arguments)

    def handle_code(
        self,
        code: str,
        source: ProximityType = ProximityType.QR_CODE,
        *,
        handles_biometry: bool = False,
        authenticator: Optional[str] = None,
        prompt: Optional[str] = None,
        handles_proximity: bool = False,
        proximity: Optional[Proximity] = None,
        mobile_token_data: Optional[JSONObject] = None,
    ) -> Task[MobileAuthOutcome]:
        """As `handle`, for the request that a PAC code with a password names. Claims it first; the password is its
        proximity check, so that `proximity` must be None."""
        options = _options(
            handles_biometry, authenticator, prompt, handles_proximity, proximity, json_text(mobile_token_data)
        )
        arguments = (*text(code), int(source), byref(options))
        return self._connection.start(lib.mtoken_mobile_auth_handle_code, _read_outcome, *arguments)

    def outcome(self, task: Task[MobileAuthOutcome]) -> Optional[MobileAuthOutcome]:
        """How the handling ended, whether it succeeded or not; None: it is still running."""
        return _read_outcome(task.handle) if task.done() else None

    def authenticators(
        self, *, handles_biometry: bool = False, authenticator: Optional[str] = None
    ) -> Tuple[KnownAuthenticator, ...]:
        """PIN, biometric sensor, then custom authenticators. No network.

        The parameters are those of `handle`: they decide which one is preferred.
        """
        options = _options(handles_biometry, authenticator, None, False, None, None)
        found = self._connection.create(
            lib.mtoken_mobile_auth_get_authenticators, _c.mtoken_authenticator_list, byref(options)
        )
        try:
            return _read.authenticator_list(found.contents)
        finally:
            lib.mtoken_authenticator_list_free(found)

    def register_authenticator(self, name: str, key: Bytes = b"") -> None:
        """Registers a custom authenticator, which represents the biometry factor.

        key  the factor's 16 bytes (32 in protocol 4.0), which the library keeps in memory; empty: each answer passes
             them in
        """
        self._connection.call(lib.mtoken_mobile_auth_register_authenticator, *text(name), *data(key))

    def unregister_authenticator(self, name: str) -> None:
        """Removes the registration of an authenticator."""
        self._connection.call(lib.mtoken_mobile_auth_unregister_authenticator, *text(name))


def _options(
    handles_biometry: bool,
    authenticator: Optional[str],
    prompt: Optional[str],
    handles_proximity: bool,
    proximity: Optional[Proximity],
    mobile_token_data: Optional[str],
) -> Any:
    options = _c.new_options(_c.mtoken_mobile_auth_options)
    options.handles_biometry = int(handles_biometry)
    options.handles_proximity = int(handles_proximity)
    set_text(options.mobile_token_data, mobile_token_data)
    set_proximity(options, proximity)
    set_text(options.authenticator, authenticator)
    set_text(options.prompt, prompt)
    return options
