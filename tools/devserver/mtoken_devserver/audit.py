# SPDX-License-Identifier: Apache-2.0
"""The calls that the server accepted and refused, with the true reason, which its answers hide."""

from __future__ import annotations

import logging
from collections import deque
from typing import Any, Deque, Dict, List, Optional

logger = logging.getLogger("mtoken_devserver")


class Audit:
    """The last records, newest at the end; each has a growing `seq`. Kept in memory."""

    def __init__(self, limit: int = 10_000):
        self._records: Deque[Dict[str, Any]] = deque(maxlen=limit)
        self._next = 1

    def add(self, kind: str, now: int, *, accepted: bool, reason: Optional[str] = None, **details: Any) -> None:
        """`kind` says what was judged: signature, token, encryption, activation, operation, request …"""
        record = {"seq": self._next, "time": now, "kind": kind, "accepted": accepted, "reason": reason, **details}
        self._next += 1
        self._records.append(record)
        if not accepted:
            shown = " ".join(f"{name}={value}" for name, value in details.items() if value is not None)
            logger.warning("refused %s: %s %s", kind, reason, shown)

    def find(
        self, *, after: int = 0, limit: int = 1000, kind: Optional[str] = None, activation_id: Optional[str] = None
    ) -> List[Dict[str, Any]]:
        """The newest `limit` records behind `after` that match, oldest first."""
        found = [
            record
            for record in self._records
            if record["seq"] > after
            and (kind is None or record["kind"] == kind)
            and (activation_id is None or record.get("activationId") == activation_id)
        ]
        return found[-limit:]
