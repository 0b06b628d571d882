# SPDX-License-Identifier: Apache-2.0
"""The form of an operation: texts, attributes and UI made from a template (operations.md §5, §6, §15)."""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any, Dict, Iterable, List, Optional

from .model import Operation, Template

_PLACEHOLDER = re.compile(r"\$\{([^}]+)\}")
_SEPARATORS = {"en": (",", "."), "cs": ("\u00a0", ","), "de": (".", ",")}
_DEFAULT_LANGUAGE = "en"

# Signs of currencies by language; a known currency without a sign is shown by its code.
_SIGNS = {
    "en": {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥"},
    "cs": {"CZK": "Kč", "EUR": "€", "USD": "US$", "GBP": "£", "JPY": "JP¥"},
    "de": {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥"},
}
_CURRENCIES = {"CZK", "EUR", "USD", "GBP", "JPY", "CHF", "PLN", "HUF", "SEK", "NOK", "DKK", "CAD", "AUD", "CNY"}
_WITHOUT_FRACTION = {"JPY"}

Parameters = Dict[str, str]
Attribute = Dict[str, Any]


def substitute(value: Any, parameters: Parameters) -> Any:
    """Replaces `${name}` in all texts inside of `value`; unknown names stay as they are."""
    if isinstance(value, str):
        return _PLACEHOLDER.sub(lambda found: parameters.get(found.group(1), found.group(0)), value)
    if isinstance(value, dict):
        return {key: substitute(member, parameters) for key, member in value.items()}
    if isinstance(value, list):
        return [substitute(member, parameters) for member in value]
    return value


def escaped(parameters: Parameters) -> Parameters:
    """The values as texts inside of JSON: the released server puts them so into title and message too
    (operations.md §5.1).
    """
    return {name: json.dumps(value, ensure_ascii=False)[1:-1] for name, value in parameters.items()}


def has_all(text: str, parameters: Parameters) -> bool:
    """Whether every `${name}` of the text has a value."""
    return all(name in parameters for name in _PLACEHOLDER.findall(text))


def form_of(template: Optional[Template], languages: Iterable[str]) -> Dict[str, Any]:
    """The template's form in the first language that it has, else in its default one."""
    if template is None or not template.forms:
        return {}
    for language in [*languages, _DEFAULT_LANGUAGE]:
        if language in template.forms:
            return template.forms[language]
    return next(iter(template.forms.values()))


def language_of(languages: Iterable[str]) -> str:
    return next((language for language in languages if language in _SEPARATORS), _DEFAULT_LANGUAGE)


def form_data(operation: Operation, form: Dict[str, Any], language: str) -> Dict[str, Any]:
    """`formData` of an operation: its own where it was created with one, else built from the form."""
    if operation.form_data is not None:
        return operation.form_data
    parameters = operation.parameters
    data: Dict[str, Any] = {
        "title": substitute(form.get("title", operation.name), escaped(parameters)),
        "message": substitute(form.get("message", ""), escaped(parameters)),
        "attributes": attributes(form.get("attributes", []), parameters, language),
    }
    if form.get("resultTexts"):
        data["resultTexts"] = substitute(form["resultTexts"], parameters)
    return data


def attributes(definitions: List[Dict[str, Any]], parameters: Parameters, language: str) -> List[Attribute]:
    """Attributes of `[{id, type, text, params}]`; one whose parameters are missing is left out."""
    built = (_attribute(definition, parameters, language) for definition in definitions)
    return [attribute for attribute in built if attribute is not None]


_SAMPLES = {
    "amount": "100.00",
    "currency": "EUR",
    "iban": "DE89370400440532013000",
    "note": "Rent for May",
    "level": "1",
    "dynamic": "true",
    "targetAmount": "2510.00",
    "targetCurrency": "CZK",
    "partyName": "Town Hall",
    "name": "Town Hall",
    "logoUrl": "https://example.com/logo.png",
    "about": "City of Brno",
    "description": "City of Brno",
    "websiteUrl": "https://example.com",
    "thumbnailUrl": "https://example.com/small.png",
    "originalUrl": "https://example.com/large.png",
    "alertType": "WARNING",
    "type": "WARNING",
    "alertTitle": "Unusual",
    "title": "Unusual",
    "alertMessage": "You have never paid to this account",
    "message": "You have never paid to this account",
}
"""A value for a parameter of this name, or for one that an attribute uses in this role."""


def fields_of(template: Template) -> List[Dict[str, str]]:
    """The parameters of a template in the order in which it uses them, each with a sample value."""
    roles: Dict[str, str] = dict.fromkeys(_PLACEHOLDER.findall(template.data_template), "")
    for form in template.forms.values():
        for attribute in form.get("attributes", []):
            roles.update((name, role) for role, name in attribute.get("params", {}).items())
        roles.update((name, "") for name in _PLACEHOLDER.findall(json.dumps(form)) if name not in roles)
    return [
        {"name": name, "label": _label(name), "value": _SAMPLES.get(name) or _SAMPLES.get(role) or "Sample"}
        for name, role in roles.items()
    ]


def _label(name: str) -> str:
    """A name of a parameter as people write it: "targetAmount" is "Target amount"."""
    words = re.sub(r"[_.-]|(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return re.sub(r"\b(iban|url)\b", lambda found: found[0].upper(), words[:1].upper() + words[1:], flags=re.I)


def _attribute(definition: Dict[str, Any], parameters: Parameters, language: str) -> Optional[Attribute]:
    kind = definition.get("type", "KEY_VALUE")
    names = definition.get("params", {})
    values = {role: parameters[name] for role, name in names.items() if name in parameters}
    head = {"type": kind, "id": definition["id"], "label": substitute(definition.get("text", ""), parameters)}
    build = _BUILDERS.get(kind)
    if build is None:
        head["type"], build = "KEY_VALUE", _key_value
    members = build(values, language)
    return None if members is None else {**head, **members}


def _amount_members(amount: str, currency: str, language: str, prefix: str = "") -> Attribute:
    """Number, with the digits that it was given in, and formatted texts; a text that is not a number stays as it is."""

    def name(member: str) -> str:
        return prefix + member[0].upper() + member[1:] if prefix else member

    members: Attribute = {}
    try:
        number = Decimal(amount)
    except InvalidOperation:
        number = Decimal("NaN")
    sign = _SIGNS[language].get(currency, currency)
    if number.is_finite():
        members[name("amount")] = number
        formatted = format_amount(number, language, currency)
        value = _with_sign(formatted, sign, language) if currency in _CURRENCIES else f"{formatted} {currency}"
    else:
        formatted, value = amount, f"{amount} {currency}"
    members[name("currency")] = currency
    members[name("amountFormatted")] = formatted
    members[name("currencyFormatted")] = sign
    members[name("valueFormatted")] = value
    return members


def _with_sign(formatted: str, sign: str, language: str) -> str:
    if language != "en":
        return f"{formatted}\u00a0{sign}"
    return f"-{sign}{formatted[1:]}" if formatted.startswith("-") else f"{sign}{formatted}"


def format_amount(number: Decimal, language: str, currency: str) -> str:
    """Grouped digits: all that were given, and at least those that the currency has."""
    thousands, point = _SEPARATORS[language]
    places = max(0 if currency in _WITHOUT_FRACTION else 2, -int(number.as_tuple().exponent))
    whole, _, fraction = f"{number:,.{places}f}".partition(".")
    return whole.replace(",", thousands) + (point + fraction if fraction else "")


def _amount(values: Parameters, language: str) -> Optional[Attribute]:
    if "amount" not in values or "currency" not in values:
        return None
    return _amount_members(values["amount"], values["currency"], language)


def _amount_conversion(values: Parameters, language: str) -> Optional[Attribute]:
    if not {"sourceAmount", "sourceCurrency", "targetAmount", "targetCurrency"} <= values.keys():
        return None
    return {
        "dynamic": values.get("dynamic", "false").lower() == "true",
        **_amount_members(values["sourceAmount"], values["sourceCurrency"], language, "source"),
        **_amount_members(values["targetAmount"], values["targetCurrency"], language, "target"),
    }


def _key_value(values: Parameters, language: str) -> Optional[Attribute]:
    return {"value": values["value"]} if "value" in values else None


def _note(values: Parameters, language: str) -> Optional[Attribute]:
    return {"note": values["note"]} if "note" in values else None


def _heading(values: Parameters, language: str) -> Optional[Attribute]:
    level = values.get("level", "0")
    return {"level": int(level) if level.isdigit() else 0}


def _party_info(values: Parameters, language: str) -> Optional[Attribute]:
    known = ("logoUrl", "name", "description", "websiteUrl")
    return {"partyInfo": {name: values[name] for name in known if name in values}}


def _image(values: Parameters, language: str) -> Optional[Attribute]:
    if "thumbnailUrl" not in values:
        return None
    return {name: values[name] for name in ("thumbnailUrl", "originalUrl") if name in values}


_ALERTS = ("SUCCESS", "WARNING", "INFO", "ERROR")


def _alert(values: Parameters, language: str) -> Optional[Attribute]:
    kind = values.get("type", "INFO")
    members: Attribute = {"alertType": kind if kind in _ALERTS else "INFO"}
    members.update((name, values[name]) for name in ("title", "message") if name in values)
    return members


_BUILDERS = {
    "AMOUNT": _amount,
    "AMOUNT_CONVERSION": _amount_conversion,
    "KEY_VALUE": _key_value,
    "NOTE": _note,
    "HEADING": _heading,
    "PARTY_INFO": _party_info,
    "IMAGE": _image,
    "ALERT": _alert,
}


def ui_of(operation: Operation, form: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """`ui` of an operation: its own, the template's, or one derived from the risk flags (operations.md §6)."""
    ui = operation.ui if operation.ui is not None else form.get("ui")
    if ui is None:
        return _ui_of_flags(operation.risk_flags)
    ui = substitute(ui, operation.parameters)
    screen = ui.get("preApprovalScreen")
    if operation.proximity_seed is None and isinstance(screen, dict) and screen.get("type") == "QR_SCAN":
        ui.pop("preApprovalScreen")
    return ui


def _ui_of_flags(flags: str) -> Optional[Dict[str, Any]]:
    if not flags:
        return None
    ui: Dict[str, Any] = {"flipButtons": "X" in flags, "blockApprovalOnCall": "C" in flags}
    if "F" in flags:
        ui["preApprovalScreen"] = {"type": "WARNING", "approvalType": "SLIDER"}
    return ui


def without_nulls(value: Any) -> Any:
    """The server omits null members everywhere (operations.md §3)."""
    if isinstance(value, dict):
        return {key: without_nulls(member) for key, member in value.items() if member is not None}
    if isinstance(value, list):
        return [without_nulls(member) for member in value]
    return value
