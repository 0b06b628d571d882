# SPDX-License-Identifier: Apache-2.0
"""Calling the library: arguments in, exceptions out."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_uint8, c_void_p, cast
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Optional, Type, Union

from . import abi as _c
from ._library import lib
from .enums import ErrorCode
from .errors import CLASSES, InternalError, MTokenError

Bytes = Union[bytes, bytearray, memoryview]
Function = Callable[..., int]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_EARLIEST = datetime.min.replace(tzinfo=timezone.utc)
_LATEST = datetime.max.replace(tzinfo=timezone.utc)


def call(function: Function, *arguments: Any) -> None:
    """Calls a function whose last parameter is an error pointer; raises what it reports."""
    error = POINTER(_c.mtoken_error)()
    status = function(*arguments, byref(error))
    if status != _c.MTOKEN_OK:
        raise take_error(status, error)


def create(function: Function, kind: Type[Any], *arguments: Any) -> Any:
    """Calls a function whose last parameters are a result and an error pointer; returns the pointer to the result."""
    result = POINTER(kind)()
    call(function, *arguments, byref(result))
    return result


def take_error(status: int, error: Any) -> MTokenError:
    """The exception of an error that the library handed out, which is freed."""
    try:
        return read_error(error.contents) if error else status_error(status)
    finally:
        lib.mtoken_error_free(error)


def read_error(error: Any) -> MTokenError:
    """The exception of an mtoken_error."""
    kind = error_class(error.code)
    return kind(
        required(error.message),
        code=error.code,
        reason=required(error.reason),
        outcome=error.outcome,
        http_status=error.http_status or None,
        server_code=optional(error.server_code),
        server_message=optional(error.server_message),
        remaining_attempts=error.remaining_attempts if error.remaining_attempts >= 0 else None,
        retriable=error.is_retriable == 1,
        byte_offset=error.byte_offset if error.byte_offset >= 0 else None,
        server_uri=optional(error.server_uri),
        recovery_puk_index=error.recovery_puk_index or None,
        network=error.network_fault,
        tls=error.tls_fault,
        server_code_number=error.server_code_number,
        cause=optional(error.cause),
        upstream_reason=optional(error.upstream_reason),
        line=error.line or None,
        retry_after=error.retry_after_ms / 1000 if error.retry_after_ms >= 0 else None,
        correlation_id=optional(error.correlation_id),
        custom_info=optional(error.custom_info),
    )


def error_class(code: int) -> Type[MTokenError]:
    return CLASSES.get(ErrorCode(code), InternalError)


def status_error(status: int) -> MTokenError:
    """The exception of a bare status code."""
    description = lib.mtoken_error_description(status)
    kind = error_class(status)
    return kind(required(description) if description else f"unknown status {status}", code=status)


# Texts


def text(value: Optional[str]) -> tuple[Optional[bytes], int]:
    """A text as the two arguments pointer and length."""
    if value is None:
        return None, 0
    if not isinstance(value, str):  # a member of a model that the program has made itself
        raise TypeError(f"text must be str, not {type(value).__name__}")
    try:
        data = value.encode("utf-8")
    except UnicodeEncodeError:  # whose text would be in a traceback
        raise ValueError("a text or path that is not UTF-8 cannot be given to libmtoken") from None
    return data, len(data)


def set_text(target: Any, value: Optional[str]) -> None:
    """Puts a text into an mtoken_text; None leaves it "not given"."""
    target.data, target.length = text(value)


def required(value: Optional[bytes]) -> str:
    """A text that the library never leaves out."""
    if value is None:
        raise InternalError("libmtoken returned no text")
    return value.decode("utf-8")


def optional(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8")


def sized(pointer: Any, length: int) -> str:
    """A text given as pointer and length."""
    return ctypes.string_at(pointer, length).decode("utf-8")


def take_text(found: Any) -> str:
    """The text of an mtoken_text that the library handed out, which is freed."""
    try:
        # Read as a text that ends at its first NUL, `data` would lose what follows one.
        start = c_void_p.from_buffer(found.contents, _c.mtoken_text.data.offset).value
        return sized(start, found.contents.length)
    finally:
        lib.mtoken_text_free(found)


# Bytes


def data(value: Bytes) -> tuple[Any, int]:
    """Bytes as the two arguments pointer and length. The pointer keeps the bytes alive."""
    if not isinstance(value, bytes):
        value = bytes(value)
    if not value:
        return None, 0
    return cast(c_char_p(value), POINTER(c_uint8)), len(value)


def take_bytes(found: Any) -> bytes:
    """The bytes of an mtoken_bytes that the library handed out, which is freed."""
    try:
        return ctypes.string_at(found.contents.data, found.contents.length)
    finally:
        lib.mtoken_bytes_free(found)


def set_data(target: Any, value: Bytes) -> None:
    """Puts bytes into an mtoken_bytes, which keeps them alive."""
    target.data, target.length = data(value)


def set_bytes(target: Any, value: Optional[bytearray]) -> None:
    """Lets an mtoken_bytes point at the memory of `value`, without a copy."""
    if value:
        target.data = cast((c_uint8 * len(value)).from_buffer(value), POINTER(c_uint8))
        target.length = len(value)


# Times


def from_milliseconds(value: int) -> datetime:
    """Milliseconds since the epoch as a UTC time. What no datetime can hold becomes its first or last moment."""
    try:
        return _EPOCH + timedelta(milliseconds=value)
    except OverflowError:
        return _LATEST if value > 0 else _EARLIEST


def to_milliseconds(value: datetime) -> int:
    """Milliseconds since the epoch of a time that knows its zone."""
    if value.tzinfo is None:
        raise ValueError("the time has no time zone: use datetime.now(timezone.utc)")
    return (value - _EPOCH) // timedelta(milliseconds=1)
