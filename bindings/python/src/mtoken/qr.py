# SPDX-License-Identifier: Apache-2.0
"""Operations that are approved offline: the user scans a payload from a QR code and types back a code."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from ctypes import byref
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional, Tuple

from . import abi as _c
from ._arguments import checked
from ._call import create, optional, required, set_text, sized, take_text, text
from ._library import lib
from ._model import Model
from .data import OperationData, read_data
from .enums import Contradiction, Key, Verified


@dataclass(frozen=True)
class QROperation(Model):
    """An offline operation. Trust its content only if it is verified."""

    verified: Verified
    key: Key
    """The key that signed."""
    payload: str = field(repr=False)
    """As passed in."""
    signed_length: int
    """The number of UTF-8 bytes of the payload that the signature covers."""
    id: str
    title: str
    message: str
    raw_title: str
    """With escapes, as `raw_message`."""
    raw_message: str
    data: OperationData
    """The content to approve."""
    flags: str
    biometry_allowed: bool
    flip_buttons: bool
    """Swap the approve and reject buttons."""
    fraud_warning: bool
    """Show a fraud warning."""
    block_when_on_call: bool
    """Do not let the user approve during a phone call."""
    unknown_flags: str
    totp: Optional[str] = field(repr=False)
    """One-time password of a proximity check."""
    newer_format: bool
    """The payload has lines that this library does not know."""
    extras: Tuple[str, ...]
    """Those lines, with escapes."""
    nonce: bytes
    signature: bytes = field(repr=False)
    signature_text: str = field(repr=False)
    """Base64, as in the payload."""
    summary: str
    """The content to approve, in lines: show it above the question for the PIN."""
    contradictions: Contradiction
    """Title or message state something other than what is approved."""


@checked
def parse_qr(
    payload: str, *, client: Any = None, configuration: Optional[str] = None, keep_unverified: bool = False
) -> QROperation:
    """Parses the payload of an offline QR code. With a configuration, also verifies it; with a client:
    `Client.parse_qr`.

    configuration    the application's SDK configuration: verifies payloads signed with the master key
    keep_unverified  return the operation even if its signature is not valid: check `verified`
    """
    with _parsed(payload, client, configuration, keep_unverified) as native:
        return _read(native.contents)


@contextmanager
def reparsed(operation: QROperation, client: Any) -> Iterator[Any]:
    """The library's operation, verified again by the client if it was verified before."""
    verifier = client if operation.verified is Verified.VALID else None
    with _parsed(operation.payload, verifier, None, False) as native:
        yield native


@contextmanager
def _parsed(payload: str, client: Any, configuration: Optional[str], keep_unverified: bool) -> Iterator[Any]:
    options = _c.new_options(_c.mtoken_qr_options)
    if client is not None:
        options.client = client
    set_text(options.configuration, configuration)
    options.keep_unverified = int(keep_unverified)
    arguments = (*text(payload), byref(options))
    operation = create(lib.mtoken_qr_operation_parse, _c.mtoken_qr_operation, *arguments)
    try:
        yield operation
    finally:
        lib.mtoken_qr_operation_free(operation)


def _read(c: Any) -> QROperation:
    return QROperation(
        verified=Verified(c.verification),
        key=Key(c.server_key),
        payload=sized(c.payload, c.payload_length),
        signed_length=c.signed_length,
        id=required(c.id),
        title=required(c.title),
        message=required(c.message),
        raw_title=required(c.raw_title),
        raw_message=required(c.raw_message),
        data=read_data(c.signed_fields.contents),
        flags=required(c.flags),
        biometry_allowed=c.allows_biometry == 1,
        flip_buttons=c.flip_buttons == 1,
        fraud_warning=c.warns_of_fraud == 1,
        block_when_on_call=c.block_approval_on_call == 1,
        unknown_flags=required(c.unknown_flags),
        totp=optional(c.totp),
        newer_format=c.is_newer_format == 1,
        extras=tuple(required(c.extras[index]) for index in range(c.extra_count)),
        nonce=ctypes.string_at(c.nonce_bytes, 16),
        signature=ctypes.string_at(c.signature_bytes, c.signature_bytes_length),
        signature_text=required(c.signature),
        summary=required(c.summary),
        contradictions=Contradiction(c.contradictions),
    )


@checked
def group_code(code: str) -> str:
    """Groups the digits of an offline code for display: "12345678-12345678" becomes "1234 5678 1234 5678"."""
    return take_text(create(lib.mtoken_qr_code_group, _c.mtoken_text, *text(code)))
