# SPDX-License-Identifier: Apache-2.0
"""Operation data and offline QR payloads, as a server makes them (offline-qr.md §4, §6)."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Callable, Dict, Optional, Sequence

from . import crypto, forms
from .model import Activation, Application
from .protocol4 import keytree, primitives, suites

MASTER_KEY = "0"
PERSONALISED_KEY = "1"
PERSONALISED_MAC = "2"
MAX_FIELDS = 5

_AMOUNT = re.compile(r"[0-9]+(\.[0-9]{1,2})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_ACCOUNT_PART = re.compile(r"[0-9A-Z]+")


class OfflineDataError(ValueError):
    """Input from which no valid payload can be made."""


def normalise_text(text: str) -> str:
    """Escapes backslashes and line breaks, and folds other white space (offline-qr.md §6.1)."""
    escaped = text.replace("\\", "\\\\").replace("\r\n", "\n").replace("\n", "\\n")
    folded = re.sub(r"\s+", " ", escaped)
    if any(ord(character) < 0x20 for character in folded):
        raise OfflineDataError("control characters are forbidden")
    return folded


def _field_text(text: str) -> str:
    return normalise_text(text).replace("*", "\\*")


def _amount(field: Dict[str, Any]) -> str:
    amount, currency = str(field.get("amount", "")), str(field.get("currency", "")).upper()
    if not _AMOUNT.fullmatch(amount) or float(amount) <= 0 or not _CURRENCY.fullmatch(currency):
        raise OfflineDataError("an amount is positive, with at most two decimal places and a currency")
    return amount + currency


def _account(field: Dict[str, Any]) -> str:
    parts = [str(field.get("iban", ""))]
    if field.get("bic"):
        parts.append(str(field["bic"]))
    if not all(_ACCOUNT_PART.fullmatch(part) for part in parts):
        raise OfflineDataError("an IBAN and a BIC consist of digits and capital letters")
    return ",".join(parts)


def _date(field: Dict[str, Any]) -> str:
    try:
        return date.fromisoformat(str(field.get("date", ""))).strftime("%Y%m%d")
    except ValueError as error:
        raise OfflineDataError("a date has the form yyyy-MM-dd") from error


_FIELDS = {"A": _amount, "I": _account, "D": _date}


def build_data(version: Optional[str], template: Optional[int], fields: Sequence[Optional[Dict[str, Any]]]) -> str:
    """The string that is approved: version, template and up to five typed fields (offline-qr.md §4).

    A field is None (a gap) or an object with `t` (type letter) and `amount`+`currency`, `iban`[+`bic`], `date` or `v`.
    """
    if not version or not re.fullmatch("[A-Z]", version) or template is None or not 0 <= template <= 99:
        raise OfflineDataError("operation data need a version letter and a template from 0 to 99")
    used = list(fields)
    while used and used[-1] is None:
        used.pop()
    if len(used) > MAX_FIELDS:
        raise OfflineDataError("operation data have at most five fields")
    parts = [f"{version}{template}"]
    for field in used:
        if field is None:
            parts.append("")
            continue
        letter = str(field.get("t", ""))
        if letter not in "AIQDRNT" or len(letter) != 1:
            raise OfflineDataError(f"unknown field type {letter!r}")
        encode = _FIELDS.get(letter)
        parts.append(letter + (encode(field) if encode else _field_text(str(field.get("v", "")))))
    return "*".join(parts)


def fill_data(template: str, parameters: Dict[str, str]) -> str:
    """Operation data of a template's `A1*A${amount}${currency}*N${note}`; texts are escaped.

    A parameter without a value stays as `${name}`, as on the released server (operations.md §5.1).
    """
    values = {name: _field_text(value) for name, value in parameters.items()}
    return "*".join(forms.substitute(field, values) for field in template.split("*"))


def payload(operation_id: str, title: str, message: str, data: str, flags: str, totp: Optional[str], nonce: str) -> str:
    """All lines of a payload but the last one; the signature line follows (offline-qr.md §1)."""
    lines = [operation_id, normalise_text(title), normalise_text(message), data, flags]
    if totp is not None:
        lines.append(totp)
    lines.append(nonce)
    return "\n".join(lines)


def personalise(text: str, activation: Activation) -> str:
    """Appends key type and signature of the activation (offline-qr.md §1.1), or in 4.0 its MAC (powerauth4.md §17)."""
    if activation.v4 is not None and activation.is_v4:
        keys = activation.v4.keys
        return _signed(text, PERSONALISED_MAC, lambda data: keytree.sign_offline(keys, data))
    return _signed(text, PERSONALISED_KEY, lambda data: crypto.ecdsa_sign(activation.server_key, data))


def sign_by_master(text: str, application: Application, curve: Optional[str] = None) -> str:
    """Appends key type and signature of the application; in P-384 where it has a suite and nothing else is wanted."""
    if application.suite is not None and curve != "P-256":
        key = application.master_signer(suites.EC_P384).ecdsa
        return _signed(text, MASTER_KEY, lambda data: primitives.ecdsa_sign(key, data))
    return _signed(text, MASTER_KEY, lambda data: crypto.ecdsa_sign(application.master_key, data))


def _signed(text: str, key_type: str, sign: Callable[[bytes], bytes]) -> str:
    """The signature is over everything up to and including the key type."""
    signed = f"{text}\n{key_type}"
    return signed + crypto.b64(sign(signed.encode()))
