# SPDX-License-Identifier: Apache-2.0
"""How the user authenticates."""

from __future__ import annotations

from contextlib import contextmanager
from types import TracebackType
from typing import Any, Iterator, NoReturn, Optional, SupportsIndex, Tuple, Type, Union

from . import abi as _c
from ._arguments import checked
from ._call import Bytes, set_bytes, set_text
from .enums import Factor

Secret = Union[str, Bytes]
"""A PIN or key. A bytearray of the caller can be wiped by the caller; the library copies it and never changes it."""


@checked
class Auth:
    """Factors of one authentication. By default the arguments determine the factors: possession, plus knowledge if
    there is a PIN, plus biometry if there is a biometry key; with neither, calls raise ArgumentError. `factors` sets
    exactly these instead: `Auth.possession()` is this device alone. `authenticator` names the one that keeps the key.

    The secrets are copied once into memory that `clear` (or the end of a with block, or of the object) wipes. There is
    no other copy: an Auth can be neither pickled nor copied.
    """

    _pin: Optional[bytearray] = None
    _biometry_key: Optional[bytearray] = None

    def __init__(
        self,
        *,
        pin: Optional[Secret] = None,
        biometry_key: Optional[Bytes] = None,
        factors: Optional[Factor] = None,
        authenticator: Optional[str] = None,
    ):
        self._pin = _copy(pin)
        self._biometry_key = _copy(biometry_key)
        self._factors = factors
        self._authenticator = authenticator
        self._cleared = False

    @classmethod
    def possession(cls) -> Auth:
        """This device alone (one factor)."""
        return cls(factors=Factor.POSSESSION)

    @classmethod
    def pin(cls, pin: Secret) -> Auth:
        """This device and the PIN or password."""
        return cls(pin=pin)

    @classmethod
    def biometry(cls, key: Bytes, *, authenticator: Optional[str] = None) -> Auth:
        """This device and the 16 bytes that the host keeps under its biometric protection.

        authenticator  the name of the authenticator that keeps them, e.g. a smart card; None: the unnamed one
        """
        return cls(biometry_key=key, authenticator=authenticator)

    def clear(self) -> None:
        """Wipes the secrets; the object can no longer be used."""
        for secret in (self._pin, self._biometry_key):
            if secret is not None:
                secret[:] = bytes(len(secret))
        self._cleared = True

    def native(self) -> _c.mtoken_auth:
        """The C struct, which points into this object's memory."""
        if self._cleared:
            raise ValueError("the Auth was cleared; create a new one")
        auth = _c.new_options(_c.mtoken_auth)
        set_bytes(auth.pin, self._pin)
        set_bytes(auth.biometry_key, self._biometry_key)
        auth.factors = int(self._factors or 0)
        set_text(auth.authenticator, self._authenticator)
        return auth

    def __enter__(self) -> Auth:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.clear()

    def __del__(self) -> None:
        self.clear()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("an Auth holds secrets and cannot be copied or pickled; create another one")

    def __repr__(self) -> str:
        parts = [
            name for name, given in (("pin", self._pin), ("biometry_key", self._biometry_key)) if given is not None
        ]
        return f"Auth({', '.join(f'{part}=…' for part in parts)})"


def _copy(secret: Optional[Secret]) -> Optional[bytearray]:
    return None if secret is None else as_bytearray(secret)


def as_bytearray(secret: Secret) -> bytearray:
    return bytearray(secret, "utf-8") if isinstance(secret, str) else bytearray(secret)


@contextmanager
def lent(secret: Secret) -> Iterator[Tuple[Any, int]]:
    """A secret as the two arguments pointer and length, in memory that is wiped afterwards."""
    copy = as_bytearray(secret)
    place = _c.mtoken_bytes()
    set_bytes(place, copy)
    try:
        yield place.data or None, place.length
    finally:
        copy[:] = bytes(len(copy))
