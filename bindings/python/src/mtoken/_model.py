# SPDX-License-Identifier: Apache-2.0
"""Models as plain values, for JSON, logs and templates."""

from __future__ import annotations

import base64
import dataclasses
import enum
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Dict, Mapping


class Model:
    """The base of all results."""

    def to_dict(self) -> Dict[str, Any]:
        """All members as values that JSON has: enumerations by name, flags as lists of names, times as ISO 8601 in UTC,
        spans in seconds, amounts as texts (they are exact), bytes in Base64. It leaves out members that the repr hides:
        secrets, e.g. a PUK, and texts of whole JSON documents (`json`).
        """
        found: Dict[str, Any] = plain(self)
        return found


def plain(value: Any, hidden: bool = False) -> Any:
    """A value as JSON has it; see `Model.to_dict`. `hidden`: with the secrets."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field for field in dataclasses.fields(value) if field.name != "json" and (field.repr or hidden)]
        return {field.name: plain(getattr(value, field.name), hidden) for field in fields}
    if isinstance(value, BaseException):
        return {name: plain(item) for name, item in vars(value).items() if not name.startswith("_")}
    if isinstance(value, enum.Flag):
        return [member.name for member in type(value) if member.value and member in value]
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, timedelta):
        return value.total_seconds()
    named = getattr(value, "_asdict", None)
    if isinstance(value, tuple) and named is not None:
        return plain(named(), hidden)
    if isinstance(value, Mapping):
        return {str(key): plain(item, hidden) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, hidden) for item in value]
    return value
