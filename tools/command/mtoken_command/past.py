# SPDX-License-Identifier: Apache-2.0
"""Operations of the past: which of them are wanted."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Optional

import mtoken

from .output import Exit, Stop

STATUSES = ("pending", "approved", "rejected", "expired", "failed", "canceled")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_OVER = ("INVALID_OPERATION", "OPERATION_NOT_FOUND")


def moment(words: str) -> datetime:
    """A date, a date with a time, or how long ago: "7d". Without a zone it is local time."""
    ago = re.fullmatch(r"(\d{1,6})([mhdw])", words)
    try:
        if ago:
            return datetime.now().astimezone() - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        return datetime.fromisoformat(words.replace("Z", "+00:00")).astimezone()
    except (ValueError, OverflowError):
        raise Stop(f"--since is a date such as 2026-11-30, or 90m, 12h, 7d: not {words}", Exit.USAGE) from None


def status(words: str) -> str:
    """One of `STATUSES`."""
    if words.lower() not in STATUSES:
        raise Stop(f"--status is one of {', '.join(STATUSES)}: not {words}", Exit.USAGE)
    return words.lower()


def status_of(operation: mtoken.Operation) -> str:
    """What became of an operation, as the bank calls it."""
    known = operation.status is not mtoken.OperationStatus.UNKNOWN
    return (operation.status.name if known else operation.status_text or "").lower()


def selected(
    listed: mtoken.OperationList, status: Optional[str], since: Optional[datetime], limit: Optional[int]
) -> mtoken.OperationList:
    """Those of a status, asked since then, the newest: in the bank's order."""
    found = [one for one in listed if status in (None, status_of(one)) and (since is None or one.created >= since)]
    if limit is not None:
        newest = {one.id for one in sorted(found, key=lambda one: one.created, reverse=True)[:limit]}
        found = [one for one in found if one.id in newest]
    return replace(listed, operations=tuple(found))


def is_over(error: mtoken.MTokenError) -> bool:
    """Whether an operation that was asked for may be in the history."""
    return (error.reason or "").startswith("operations_") or error.server_code in _OVER
