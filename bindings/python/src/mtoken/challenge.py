# SPDX-License-Identifier: Apache-2.0
"""A question to the user, which takes one answer."""

from __future__ import annotations

from ctypes import c_uint8
from typing import Any, Optional

from . import _read
from ._arguments import checked
from ._call import Bytes, call, optional, read_error, required, text, to_milliseconds
from ._handle import Handle
from ._library import lib
from .auth import Secret
from .enums import ChallengeKind, RejectReason
from .errors import MTokenError
from .models import MobileAuthRequest
from .proximity import Proximity


@checked
class Challenge:
    """A question to the user about a request. It takes exactly one answer; if dropped unanswered, it is cancelled.

    A malformed PIN or key raises and leaves the challenge open. An answer that comes too late (the request was
    cancelled, has expired, or was already answered) raises StateError.
    """

    def __init__(self, handle: Handle):
        self._handle = handle
        info = lib.mtoken_challenge_get_info(handle.pointer).contents
        self.kind = ChallengeKind(info.kind)
        self.attempt: int = info.attempt
        """Counts the challenges of one handling, from 1."""
        self.request: MobileAuthRequest = _read.mobile_auth_request(info.request.contents, handle)
        """As the server holds it: show this, not the push."""
        self.previous_error: Optional[MTokenError] = (
            read_error(info.previous_error.contents) if info.previous_error else None
        )
        """Why the user is asked again."""
        self.remaining_attempts: Optional[int] = info.remaining_attempts if info.remaining_attempts >= 0 else None
        """Before the activation is blocked; None: unknown."""
        self.prompt: str = required(info.prompt)
        """Text to show with the biometric sensor."""
        self.authenticator_name: Optional[str] = optional(info.authenticator_name)
        self.custom_info: Optional[str] = optional(info.custom_info)
        """PIN challenge: information from the custom authenticator."""
        self.server_info: Optional[str] = optional(info.server_info)
        """The server's information about the previous answer: JSON ("customInfo" of its response)."""
        self.summary: Optional[str] = optional(info.summary)
        """The signed content in lines: show it above the question. None: there is no operation."""

    def confirm(self) -> None:
        """Approves the request of a CONFIRMATION challenge."""
        call(lib.mtoken_challenge_confirm, self._handle.pointer)

    def deny(self, reason: str = RejectReason.UNKNOWN) -> None:
        """Rejects the request at the server. Valid for every kind of challenge."""
        call(lib.mtoken_challenge_deny, self._handle.pointer, *text(reason))

    def pin(self, pin: Secret) -> None:
        """Approves the request of a PIN challenge. A wrong PIN results in another challenge."""
        self._with_bytes(lib.mtoken_challenge_pin, pin)

    def biometric(self, key: Bytes) -> None:
        """Approves the request of a BIOMETRIC challenge with the 16 bytes that the sensor releases."""
        self._with_bytes(lib.mtoken_challenge_biometric, key)

    def custom(self, key: Bytes = b"", data: Optional[str] = None) -> None:
        """Approves the request of a CUSTOM challenge.

        key   the 16 bytes that the authenticator keeps; empty: those it was registered with
        data  information for the server: "customAuthenticator" of the mobile token data
        """
        self._with_bytes(lib.mtoken_challenge_custom, key, *text(data))

    def proximity(self, proximity: Proximity) -> None:
        """Answers a PROXIMITY challenge with the password that the other screen shows. Another challenge follows."""
        received = to_milliseconds(proximity.received)
        arguments = (*text(proximity.otp), int(proximity.type), received)
        call(lib.mtoken_challenge_proximity, self._handle.pointer, *arguments)

    def use_pin(self, custom_info: Optional[str] = None) -> None:
        """Asks for the PIN instead: another challenge follows, with the custom authenticator's information."""
        call(lib.mtoken_challenge_use_pin, self._handle.pointer, *text(custom_info))

    def cancel(self) -> None:
        """Ends the handling. The request stays pending, except that of a CUSTOM challenge, which is rejected."""
        call(lib.mtoken_challenge_cancel, self._handle.pointer)

    def close(self) -> None:
        """Frees the challenge. If unanswered, the handling ends without informing the server."""
        self._handle.close()

    def _with_bytes(self, function: Any, secret: Secret, *more: Any) -> None:
        copy = bytearray(secret, "utf-8") if isinstance(secret, str) else bytearray(secret)
        native = None
        try:
            native = (c_uint8 * len(copy)).from_buffer(copy) if copy else None
            call(function, self._handle.pointer, native, len(copy), *more)
        finally:
            del native
            copy[:] = bytes(len(copy))

    def __repr__(self) -> str:
        return f"<mtoken.Challenge {self.kind.name} of {self.request.transaction_id}>"
