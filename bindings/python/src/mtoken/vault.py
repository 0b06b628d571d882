# SPDX-License-Identifier: Apache-2.0
"""The server's secure vault, which guards keys for the program's own data, the device's private key and the recovery
data."""

from __future__ import annotations

from ctypes import byref, string_at
from typing import Any, Iterable, Optional, Tuple

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import Bytes, data, set_text, text
from ._connection import Connection, JSONObject, json_text
from ._handle import Handle
from ._library import lib
from .auth import Auth
from .enums import DeviceSignature, VaultKey
from .models import Recovery
from .task import Task


@checked
class Vault:
    """The vault of a client's activation. Each call unlocks it with a signature: possession and PIN by default.

    AuthenticationError: the PIN or the biometry key is wrong, and an attempt was counted. ServerError with the reason
    `notTheFactor`: none was counted; with `acceptedThenRefused`: the factors are right; with the server code
    ERR_SECURE_VAULT: the server does not allow these factors.
    """

    def __init__(self, connection: Connection):
        self._connection = connection

    def start_encryption_key(self, index: int, auth: Auth) -> Task[bytes]:
        """See `encryption_key`."""
        function = lib.mtoken_vault_fetch_key
        return self._connection.start(function, _data, index, byref(auth.native()))

    def encryption_key(self, index: int, auth: Auth, *, timeout: Optional[float] = None) -> bytes:
        """A 16-byte key for the program's own data. An index has the same key as long as the activation lives."""
        return self.start_encryption_key(index, auth).result_or_cancel(timeout)

    def start_key(self, kind: VaultKey, index: int, auth: Auth, *, size: int = 32) -> Task[bytes]:
        """See `key`."""
        arguments = (int(kind), index, size, byref(auth.native()))
        return self._connection.start(lib.mtoken_vault_fetch_key_of, _data, *arguments)

    def key(self, kind: VaultKey, index: int, auth: Auth, *, size: int = 32, timeout: Optional[float] = None) -> bytes:
        """A key of 16 to 64 bytes for the program's own data, of one of the two kinds of protocol 4.0."""
        return self.start_key(kind, index, auth, size=size).result_or_cancel(timeout)

    def start_sign_ml_dsa(self, content: Bytes, auth: Auth) -> Task[bytes]:
        """See `sign_ml_dsa`."""
        return self._connection.start(lib.mtoken_vault_sign_ml_dsa, _data, *data(content), byref(auth.native()))

    def sign_ml_dsa(self, content: Bytes, auth: Auth, *, timeout: Optional[float] = None) -> bytes:
        """Signs with the device's ML-DSA key, which an activation of a hybrid suite has."""
        return self.start_sign_ml_dsa(content, auth).result_or_cancel(timeout)

    def start_sign(self, content: Bytes, auth: Auth, *, form: DeviceSignature = DeviceSignature.DER) -> Task[bytes]:
        """See `sign`."""
        arguments = (*data(content), int(form), byref(auth.native()))
        return self._connection.start(lib.mtoken_vault_sign, _data, *arguments)

    def sign(
        self,
        content: Bytes,
        auth: Auth,
        *,
        form: DeviceSignature = DeviceSignature.DER,
        timeout: Optional[float] = None,
    ) -> bytes:
        """Signs with the device's private key (ECDSA P-256 with SHA-256; protocol 4.0: P-384 with SHA-384)."""
        return self.start_sign(content, auth, form=form).result_or_cancel(timeout)

    def start_sign_jwt(self, claims: JSONObject, auth: Auth) -> Task[str]:
        """See `sign_jwt`."""
        arguments = (*text(json_text(claims)), byref(auth.native()))
        return self._connection.start(lib.mtoken_vault_sign_jwt, lambda task: _data(task).decode("ascii"), *arguments)

    def sign_jwt(self, claims: JSONObject, auth: Auth, *, timeout: Optional[float] = None) -> str:
        """A JSON Web Token (ES256) of the claims, signed with the device's private key.

        With protocol 4.0 it is a JWS in the general JSON form, with a signature for each algorithm of the suite.
        """
        return self.start_sign_jwt(claims, auth).result_or_cancel(timeout)

    def start_sign_csr(
        self, auth: Auth, *, subject: Iterable[Tuple[str, str]] = (), extensions: Iterable[Tuple[str, str]] = ()
    ) -> Task[bytes]:
        """See `sign_csr`."""
        options = _c.new_options(_c.mtoken_csr_options)
        options.subject, options.subject_count = _fields(subject)
        options.extensions, options.extension_count = _fields(extensions)
        return self._connection.start(lib.mtoken_client_sign_csr, _data, byref(options), byref(auth.native()))

    def sign_csr(
        self,
        auth: Auth,
        *,
        subject: Iterable[Tuple[str, str]] = (),
        extensions: Iterable[Tuple[str, str]] = (),
        timeout: Optional[float] = None,
    ) -> bytes:
        """A request for a certificate (PKCS #10) for the device's key, signed with it; DER.

        subject     [("C", "CZ"), ("CN", "Jana")]: attributes by their names or OIDs, in the order of the name
        extensions  [("keyUsage", "critical,digitalSignature")]: as in OpenSSL's x509v3_config(5), without sections
        """
        return self.start_sign_csr(auth, subject=subject, extensions=extensions).result_or_cancel(timeout)

    def start_recovery(self, auth: Auth) -> Task[Recovery]:
        """See `recovery`."""

        def read(task: Handle) -> Recovery:
            return _read.recovery(lib.mtoken_task_recovery(task.pointer).contents)

        return self._connection.start(lib.mtoken_recovery_fetch, read, byref(auth.native()))

    def recovery(self, auth: Auth, *, timeout: Optional[float] = None) -> Recovery:
        """The recovery code and PUK that came with the activation. NotFoundError: it came without them."""
        return self.start_recovery(auth).result_or_cancel(timeout)

    def start_confirm_recovery(self, code: str, auth: Auth) -> Task[bool]:
        """See `confirm_recovery`."""

        def read(task: Handle) -> bool:
            return int(lib.mtoken_task_already_confirmed(task.pointer)) == _c.MTOKEN_YES

        arguments = (*text(code), byref(auth.native()))
        return self._connection.start(lib.mtoken_recovery_confirm, read, *arguments)

    def confirm_recovery(self, code: str, auth: Auth, *, timeout: Optional[float] = None) -> bool:
        """Confirms that the user has received a recovery code on paper. Returns whether it had already been
        confirmed."""
        return self.start_confirm_recovery(code, auth).result_or_cancel(timeout)


def _data(task: Handle) -> bytes:
    found = lib.mtoken_task_bytes(task.pointer).contents
    return string_at(found.data, found.length)


def _fields(fields: Iterable[Tuple[str, str]]) -> Tuple[Any, int]:
    given = list(fields)
    made = (_c.mtoken_csr_field * len(given))()
    for field, (name, value) in zip(made, given):
        set_text(field.name, name)
        set_text(field.value, value)
    return made, len(given)
