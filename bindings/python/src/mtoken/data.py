# SPDX-License-Identifier: Apache-2.0
"""Operation data: the string that is approved, parsed."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Optional, Tuple

from . import abi as _c
from ._arguments import checked
from ._call import create, optional, required, sized, take_text, text
from ._library import lib
from ._model import Model
from .enums import FieldType, OperationTemplate


@checked
@dataclass(frozen=True)
class OperationDataField(Model):
    """One field. Members that do not apply to its type are None."""

    type: FieldType
    letter: str
    """The character that identifies the type; empty for an empty field."""
    raw: str
    """The whole field as it is in the data."""
    offset: int
    """Its offset in the data, in UTF-8 bytes."""
    text: Optional[str] = None
    """The value of a text, without escapes."""
    amount: Optional[Decimal] = None
    """Exact."""
    amount_text: Optional[str] = None
    """The number as written."""
    currency: Optional[str] = None
    """Three capital letters."""
    iban: Optional[str] = None
    iban_valid: Optional[bool] = None
    """The IBAN has a valid form and check digits. For information only."""
    bic: Optional[str] = None
    date: Optional[datetime.date] = None


@dataclass(frozen=True)
class OperationData(Model):
    """Operation data, e.g. "A1*A100CZK*ICZ2730300000001165254011*D20180425"."""

    text: str
    version: str
    """A letter from A to Z."""
    known_version: bool
    """This library knows the version; others are parsed in the same way."""
    template: OperationTemplate
    """Treat unknown ones as generic."""
    fields: Tuple[OperationDataField, ...]


@checked
def parse_operation_data(data: str) -> OperationData:
    """Parses operation data. The field order of the template is not enforced."""
    parsed = create(lib.mtoken_operation_fields_parse, _c.mtoken_operation_fields, *text(data))
    try:
        return read_data(parsed.contents)
    finally:
        lib.mtoken_operation_fields_free(parsed)


@checked
def summarize_operation_data(data: str) -> str:
    """The content that a signature of operation data covers, in lines made from the data alone. Show them above the
    question for the PIN: nothing else that the bank sends can change them. Data of an unknown form are the line "Cannot
    be read".
    """
    return take_text(create(lib.mtoken_operation_fields_summary, _c.mtoken_text, *text(data)))


def read_data(c: Any) -> OperationData:
    return OperationData(
        text=sized(c.text, c.text_length),
        version=chr(c.version),
        known_version=c.is_version_known == 1,
        template=OperationTemplate(c.template_id),
        fields=tuple(_field(c.fields[index].contents) for index in range(c.field_count)),
    )


def _field(c: Any) -> OperationDataField:
    kind = FieldType(c.kind)
    return OperationDataField(
        type=kind,
        letter=chr(c.letter) if c.letter else "",
        raw=required(c.raw),
        offset=c.offset,
        text=optional(c.text),
        amount=Decimal(required(c.value)) if c.value is not None else None,
        amount_text=optional(c.amount),
        currency=optional(c.currency),
        iban=optional(c.iban),
        iban_valid=c.is_iban_valid == 1 if kind is FieldType.ACCOUNT else None,
        bic=optional(c.bic),
        date=datetime.date(c.year, c.month, c.day) if kind is FieldType.DATE else None,
    )
