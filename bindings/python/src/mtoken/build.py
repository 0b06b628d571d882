# SPDX-License-Identifier: Apache-2.0
"""Builds offline operations as a server does, for servers and tests."""

from __future__ import annotations

from ctypes import POINTER, byref, cast
from datetime import date
from decimal import Decimal
from typing import Any, Optional, Sequence, Union

from . import abi as _c
from ._arguments import checked
from ._call import create, set_bytes, set_text, take_text
from ._library import lib
from .data import OperationData, OperationDataField
from .enums import FieldType, Key

Field = Optional[OperationDataField]
"""A field to build; None leaves its place empty. Only the members of its type are used."""


@checked
def amount_field(amount: Union[Decimal, int, str], currency: str) -> OperationDataField:
    """A positive amount with at most two decimal places, and a currency of three letters."""
    written = f"{amount:f}" if isinstance(amount, Decimal) else str(amount)
    return _field(FieldType.AMOUNT, "A", amount_text=written, currency=currency)


@checked
def account_field(iban: str, bic: Optional[str] = None) -> OperationDataField:
    """A field with an account."""
    return _field(FieldType.ACCOUNT, "I", iban=iban, bic=bic)


@checked
def date_field(day: date) -> OperationDataField:
    """A field with a date."""
    return _field(FieldType.DATE, "D", date=day)


@checked
def text_field(text: str, type: FieldType = FieldType.TEXT) -> OperationDataField:
    """A text: FieldType.TEXT, NOTE, REFERENCE or ANY_ACCOUNT."""
    return _field(type, "", text=text)


def _field(type: FieldType, letter: str, **members: Any) -> OperationDataField:
    return OperationDataField(type=type, letter=letter, raw="", offset=0, **members)


@checked
def build_operation_data(template: int, fields: Sequence[Field], *, version: str = "A") -> str:
    """Builds operation data from at most five fields. Separators in texts are escaped, trailing empty fields omitted.

    template  an OperationTemplate, or its number
    """
    inputs = (_c.mtoken_field_input * len(fields))()
    for native, field in zip(inputs, fields):
        if field is None:
            continue
        native.kind = int(field.type)
        set_text(native.text, field.text)
        set_text(native.amount, field.amount_text)
        set_text(native.currency, field.currency)
        set_text(native.iban, field.iban)
        set_text(native.bic, field.bic)
        if field.date is not None:
            native.year, native.month, native.day = field.date.year, field.date.month, field.date.day
    letter = ord(version) if len(version) == 1 else 0
    pointer = cast(inputs, POINTER(_c.mtoken_field_input)) if fields else None
    return take_text(create(lib.mtoken_operation_fields_build, _c.mtoken_text, letter, template, pointer, len(fields)))


@checked
def build_qr(
    *,
    id: str,
    data: Union[str, OperationData],
    private_key: Union[bytes, bytearray],
    key: Key = Key.PERSONALIZED,
    title: str = "",
    message: str = "",
    flags: str = "",
    totp: Optional[str] = None,
    nonce: Optional[bytes] = None,
) -> str:
    """Builds and signs the payload of an offline QR code. Parsing it returns the original content.

    private_key  32 bytes, big endian: the server's private key on P-256
    key          which key private_key is: MASTER or PERSONALIZED
    flags        e.g. "B"
    nonce        16 bytes; default: random. Keep it to check the code
    """
    options = _c.new_options(_c.mtoken_qr_build_options)
    set_text(options.id, id)
    set_text(options.title, title)
    set_text(options.message, message)
    set_text(options.operation_data, data.text if isinstance(data, OperationData) else data)
    set_text(options.flags, flags)
    set_text(options.totp, totp)
    options.server_key = int(key)
    kept_nonce = None if nonce is None else bytearray(nonce)
    secret = bytearray(private_key)
    set_bytes(options.nonce, kept_nonce)
    set_bytes(options.private_key, secret)
    try:
        return take_text(create(lib.mtoken_qr_operation_build, _c.mtoken_text, byref(options)))
    finally:
        secret[:] = bytes(len(secret))
