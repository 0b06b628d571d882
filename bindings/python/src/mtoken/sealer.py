# SPDX-License-Identifier: Apache-2.0
"""Sealers: they protect the device secret of a client."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref
from typing import Any, Callable, Optional, Protocol

from . import abi as _c
from ._arguments import checked, not_made_so
from ._call import Bytes, create, set_bytes, set_text, take_bytes, text
from ._handle import Handle
from ._host import RELEASE, Host, Keeper, run
from ._library import lib
from .auth import Secret, as_bytearray, lent
from .enums import SealFault
from .errors import MTokenError, SealedError


class SealFailure(Exception):
    """An exception for a program's own sealer: the client's call then fails with the reason of the fault."""

    def __init__(self, fault: SealFault, message: str = ""):
        super().__init__(message or fault.name)
        self.fault = int(fault)


class SealerBackend(Protocol):
    """A program's own sealer.

    Its methods are called on the thread of the call that needs them, never two at once. They must not call back into
    the library. An exception becomes a SealedError of the call, with the exception as its cause; a SealFailure also
    chooses its reason.

    A method `forget(label, sealed)` is optional: a sealed form is no longer needed.
    """

    def seal(self, label: str, data: bytes) -> bytes:
        """The sealed form of 1 to 64 bytes: at most 4,096 bytes. The label is the client's id."""
        ...

    def unseal(self, label: str, sealed: bytes) -> bytes:
        """The sealed bytes."""
        ...


@checked
class Sealer(Keeper):
    """Keeps device secrets: create one with `open` or `host`. Clients that use it keep it alive."""

    _blamed = SealedError

    def __init__(self, pointer: Any, host: Optional[_Host] = None):
        if not isinstance(pointer, POINTER(_c.mtoken_sealer)):
            raise not_made_so(Sealer, "use Sealer.open or Sealer.host")
        super().__init__(Handle(pointer, lib.mtoken_sealer_free), host)

    @classmethod
    def open(
        cls,
        name: str,
        *,
        device: Optional[str] = None,
        module: Optional[str] = None,
        password: Optional[Secret] = None,
        pcrs: Optional[str] = None,
    ) -> Sealer:
        """A sealer that comes with the library; UnsupportedError: it is not installed.

        name      "systemd", "tpm2", "secret-service", "pkcs11" or "fido2"
        device    systemd: name of the credential, default "mtoken"; tpm2: a TCTI, default "device:/dev/tpmrm0"; pkcs11:
                  label of the token, default the only one; fido2: path of the key, default the first one
        module    pkcs11: path of the module of the token
        password  tpm2: at most 32 bytes; pkcs11: the user's PIN; fido2: the PIN of the key
        pcrs      tpm2: registers that must not change, e.g. "7"
        """
        options = _c.new_options(_c.mtoken_sealer_options)
        set_text(options.device, device)
        set_text(options.module_path, module)
        set_text(options.pcrs, pcrs)
        secret = None if password is None else as_bytearray(password)
        try:
            set_bytes(options.password, secret)
            return cls(create(lib.mtoken_sealer_open, _c.mtoken_sealer, *text(name), byref(options)))
        finally:
            if secret is not None:
                secret[:] = bytes(len(secret))

    @classmethod
    def host(cls, backend: SealerBackend, *, release: Optional[Callable[[], None]] = None) -> Sealer:
        """A sealer with the methods of a Python object.

        release  called once when neither the sealer nor a client needs the object any more
        """
        host = _Host(backend, release)
        try:
            return cls(create(lib.mtoken_sealer_host_new, _c.mtoken_sealer, byref(host.native)), host)
        except BaseException:
            host.drop()
            raise

    def seal(self, label: str, content: Bytes) -> bytes:
        """Seals 1 to 64 bytes of the program's own, e.g. the key of the biometry factor. Clients do not need it.

        label  the same for `unseal`, at most 255 bytes
        """
        return self._transform(lib.mtoken_sealer_seal, label, content)

    def unseal(self, label: str, sealed: Bytes) -> bytes:
        """Unseals what `seal` sealed."""
        return self._transform(lib.mtoken_sealer_unseal, label, sealed)

    def _transform(self, function: Any, label: str, content: Bytes) -> bytes:
        with lent(content) as given:
            try:
                return take_bytes(create(function, _c.mtoken_bytes, self.pointer, *text(label), *given))
            except MTokenError as error:
                raise self.explain(error)  # noqa: B904  (the sealer's exception is the cause)


class _Host(Host):
    """A host's sealer."""

    def __init__(self, backend: SealerBackend, release: Optional[Callable[[], None]] = None):
        super().__init__(backend, _c.MTOKEN_SEAL_FAULT_FAILED, release)
        self.native = _c.new_options(_c.mtoken_host_sealer)
        self.native.context = self.key
        self.native.seal = _SEAL
        self.native.unseal = _UNSEAL
        self.native.release = RELEASE
        if callable(getattr(backend, "forget", None)):
            self.native.forget = _FORGET

    def status(self, failure: BaseException) -> int:
        return failure.fault if isinstance(failure, SealFailure) else self.failed


def _label(label: Optional[bytes]) -> str:
    return (label or b"").decode("utf-8")


def _transform(
    context: Optional[int], content: Any, length: int, out: Any, out_length: Any, action: Callable[[Any, bytes], Bytes]
) -> int:
    def write(backend: Any) -> int:
        result = bytes(action(backend, ctypes.string_at(content, length)))
        if len(result) > out_length[0]:
            raise ValueError("the sealer returned too many bytes")
        ctypes.memmove(out, result, len(result))
        out_length[0] = len(result)
        return _c.MTOKEN_SEAL_FAULT_NONE

    return run(context, write, _c.MTOKEN_SEAL_FAULT_FAILED)


def _seal(context: Optional[int], label: Optional[bytes], content: Any, length: int, out: Any, out_length: Any) -> int:
    def action(backend: SealerBackend, data: bytes) -> Bytes:
        return backend.seal(_label(label), data)

    return _transform(context, content, length, out, out_length, action)


def _unseal(
    context: Optional[int], label: Optional[bytes], content: Any, length: int, out: Any, out_length: Any
) -> int:
    def action(backend: SealerBackend, sealed: bytes) -> Bytes:
        return backend.unseal(_label(label), sealed)

    return _transform(context, content, length, out, out_length, action)


def _forget(context: Optional[int], label: Optional[bytes], content: Any, length: int) -> None:
    def action(backend: Any) -> int:
        backend.forget(_label(label), ctypes.string_at(content, length))
        return _c.MTOKEN_SEAL_FAULT_NONE

    run(context, action, _c.MTOKEN_SEAL_FAULT_FAILED)


# Module members, because the library may call them as long as it is loaded.
_SEAL = _c.seal_function(_seal)
_UNSEAL = _c.unseal_function(_unseal)
_FORGET = _c.forget_function(_forget)
