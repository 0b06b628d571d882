#!/usr/bin/env python3
"""Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.

    python3 qr_cffi.py [SDK-CONFIGURATION] < payload.txt

With the application's SDK configuration it also verifies the server's signature. This is what cffi makes of
mtoken.cdef.h, for PyPy or a binding of one's own; the package `mtoken` does more in one line:
`mtoken.parse_qr(payload)`. MTOKEN_CDEF names mtoken.cdef.h if it is not where pkg-config says, MTOKEN_LIBRARY the
library.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

from cffi import FFI


def header() -> str:
    path = os.environ.get("MTOKEN_CDEF")
    if path is None:
        path = subprocess.check_output(["pkg-config", "--variable=cdef", "mtoken"], text=True).strip()
    return Path(path).read_text(encoding="utf-8")


ffi = FFI()
ffi.cdef(header())
library: Any = ffi.dlopen(os.environ.get("MTOKEN_LIBRARY", "libmtoken.so.1"))


def text(pointer: Any) -> str:
    data = ffi.string(pointer)
    assert isinstance(data, bytes)
    return data.decode()


class TokenError(Exception):
    """A call has failed."""

    def __init__(self, error: Any):
        place = "" if error.byte_offset < 0 else f", line {error.line}, byte {error.byte_offset}"
        super().__init__(
            f"{text(library.mtoken_error_name(error.code))} ({text(error.reason)}){place}: {text(error.message)}"
        )


def parse(payload: bytes, configuration: Optional[str]) -> Any:
    """The operation, freed when nothing refers to it."""
    options = ffi.new("mtoken_qr_options *", {"struct_size": ffi.sizeof("mtoken_qr_options")})
    if configuration is not None:
        given = ffi.from_buffer(configuration.encode())  # must live until the end of this function, like the pointer
        options.configuration.data, options.configuration.length = ffi.cast("const char *", given), len(given)
    operation, error = ffi.new("mtoken_qr_operation **"), ffi.new("mtoken_error **")
    if library.mtoken_qr_operation_parse(payload, len(payload), options, operation, error) != library.MTOKEN_OK:
        raise TokenError(ffi.gc(error[0], library.mtoken_error_free))
    return ffi.gc(operation[0], library.mtoken_qr_operation_free)


def show(operation: Any) -> None:
    print(f"id: {text(operation.id)}\ntitle: {text(operation.title)}\nmessage: {text(operation.message)}")
    for index in range(operation.signed_fields.field_count):
        show_field(operation.signed_fields.fields[index])
    print("signature:", "valid" if operation.verification == library.MTOKEN_VERIFIED_VALID else "not checked")


def show_field(field: Any) -> None:
    if field.kind == library.MTOKEN_FIELD_AMOUNT:
        print("amount:", text(field.value), text(field.currency))
    elif field.kind == library.MTOKEN_FIELD_ACCOUNT:
        print("account:", ", ".join(text(part) for part in (field.iban, field.bic) if part))
    elif field.kind == library.MTOKEN_FIELD_DATE:
        print(f"date: {field.year:04}-{field.month:02}-{field.day:02}")
    elif field.kind != library.MTOKEN_FIELD_EMPTY:
        print("text:", text(field.text))


if __name__ == "__main__":
    try:
        show(parse(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else None))
    except TokenError as error:
        sys.exit(str(error))
