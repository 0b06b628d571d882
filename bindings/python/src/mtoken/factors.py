# SPDX-License-Identifier: Apache-2.0
"""The factors of an activation: PIN, biometry, and the external encryption key around both."""

from __future__ import annotations

from ctypes import byref
from typing import Optional

from ._arguments import checked
from ._call import Bytes, text
from ._connection import Connection, nothing
from ._library import lib
from .auth import Auth, Secret, lent
from .enums import PINWeakness
from .task import Task


@checked
def inspect_pin(pin: Secret) -> PINWeakness:
    """The weaknesses of a PIN, for the form in which the user chooses it. NONE: nothing was found.

    The options `min_pin_length` and `refused_pins` of a client refuse such PINs.
    """
    with lent(pin) as given:
        return PINWeakness(lib.mtoken_pin_inspect(*given))


@checked
class Factors:
    """The factors of a client's activation."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def start_validate_pin(self, pin: Secret) -> Task[None]:
        """See `validate_pin`."""
        with lent(pin) as given:
            return self._connection.start(lib.mtoken_client_validate_pin, nothing, *given)

    def validate_pin(self, pin: Secret, *, timeout: Optional[float] = None) -> None:
        """Asks the server whether a PIN is correct. A wrong one raises AuthenticationError and costs an attempt."""
        self.start_validate_pin(pin).result_or_cancel(timeout)

    def start_change_pin(self, old: Secret, new: Secret) -> Task[None]:
        """See `change_pin`."""
        with lent(old) as old_pin, lent(new) as new_pin:
            return self._connection.start(lib.mtoken_client_change_pin, nothing, *old_pin, *new_pin)

    def change_pin(self, old: Secret, new: Secret, *, timeout: Optional[float] = None) -> None:
        """Changes the PIN after the server has validated the old one. On failure the old PIN remains valid, with one
        exception.

        With protocol 4.0 an error with the reason `newPINMayApply` says that the response to the new PIN's first code
        is lost, and that the status does not show that the server took it. Whatever the reason: as long as
        `info().awaits_new_pin` is true the new PIN applies, until `validate_pin` has been called with it.
        """
        self.start_change_pin(old, new).result_or_cancel(timeout)

    def change_pin_unsafe(self, old: Secret, new: Secret) -> None:
        """Changes the PIN without asking the server: a wrong old PIN destroys the knowledge factor permanently. No
        network. Not with protocol 4.0."""
        with lent(old) as old_pin, lent(new) as new_pin:
            self._connection.call(lib.mtoken_client_change_pin_unsafe, *old_pin, *new_pin)

    def start_add_biometry(self, key: Bytes, auth: Auth, *, authenticator: Optional[str] = None) -> Task[None]:
        """See `add_biometry`."""
        with lent(key) as given:
            arguments = (*given, *text(authenticator), byref(auth.native()))
            return self._connection.start(lib.mtoken_client_add_biometry, nothing, *arguments)

    def add_biometry(
        self, key: Bytes, auth: Auth, *, authenticator: Optional[str] = None, timeout: Optional[float] = None
    ) -> None:
        """Adds the biometry factor, or changes its key.

        key            16 bytes (protocol 4.0: or 32) that the host keeps under its biometric protection
        auth           the PIN; protocol 4.0: or the biometry key of an authenticator whose factor is copied
        authenticator  a name: this authenticator gets its own copy

        With protocol 4.0 an error with the reason `newBiometryMayApply` says that the response to the new key's first
        code is lost, and that the status does not show that the server took it. The factor is set up here:
        `info().awaits_new_biometry` is true until the server has accepted a code with it.
        """
        self.start_add_biometry(key, auth, authenticator=authenticator).result_or_cancel(timeout)

    def start_remove_biometry(self, authenticator: Optional[str] = None) -> Task[None]:
        """See `remove_biometry`."""
        return self._connection.start(lib.mtoken_client_remove_biometry, nothing, *text(authenticator))

    def remove_biometry(self, authenticator: Optional[str] = None, *, timeout: Optional[float] = None) -> None:
        """Removes the biometry factor of an authenticator (None: the unnamed one) from this device.

        With protocol 3 the server is not informed, and nothing is sent. With protocol 4.0 it is, when the last one is
        removed.
        """
        self.start_remove_biometry(authenticator).result_or_cancel(timeout)

    def set_external_key(self, key: Bytes) -> None:
        """Sets the external encryption key, which is never stored, for this client object."""
        with lent(key) as given:
            self._connection.call(lib.mtoken_client_set_external_key, *given)

    def add_external_key(self, key: Bytes) -> None:
        """Encrypts the factors of an activation that uses no external key under this one, and sets it."""
        with lent(key) as given:
            self._connection.call(lib.mtoken_client_add_external_key, *given)

    def remove_external_key(self) -> None:
        """Removes the external encryption layer from the factors and discards the key."""
        self._connection.call(lib.mtoken_client_remove_external_key)
