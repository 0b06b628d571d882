# SPDX-License-Identifier: Apache-2.0
"""Polls the operations that wait for approval. Between two requests other commands can use the account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Dict, Optional, Tuple

import mtoken

from . import states
from .session import Account


@dataclass(frozen=True)
class Look:
    """The result of one request, and its news."""

    time: datetime
    operations: Tuple[mtoken.Operation, ...] = ()
    """The list; if the request failed, the last one received."""
    added: Tuple[mtoken.Operation, ...] = ()
    removed: Tuple[mtoken.Operation, ...] = ()
    updated: Tuple[mtoken.Operation, ...] = ()
    error: Optional[mtoken.MTokenError] = None
    seen: Optional[datetime] = None
    """When `operations` were last seen; None: never."""

    @property
    def news(self) -> bool:
        """Whether anything has changed."""
        return bool(self.added or self.removed or self.updated)

    @property
    def waits(self) -> bool:
        """Whether the activation or the bank is not as usual. Polling continues until it is."""
        return states.trouble(self.error) is not None


class Looker:
    """Compares each list with the one before."""

    def __init__(self, account: Account):
        self._account = account
        self._known: Dict[str, mtoken.Operation] = {}
        self._ahead = timedelta(0)
        self.last: Optional[Look] = None

    def now(self) -> datetime:
        """The bank's time."""
        return datetime.now(timezone.utc) + self._ahead

    def look(self) -> Look:
        """Asks the bank."""
        before = self._known
        try:
            with self._account.open() as client:
                listed = client.operations.list()
                self._ahead = client.info().time - datetime.now(timezone.utc)
        except mtoken.MTokenError as error:
            seen = self.last.seen if self.last else None
            self.last = Look(self.now(), tuple(before.values()), error=error, seen=seen)
            return self.last
        self._known = {operation.id: operation for operation in listed}
        self.last = Look(
            self.now(),
            listed.operations,
            added=tuple(one for id, one in self._known.items() if id not in before),
            removed=tuple(one for id, one in before.items() if id not in self._known),
            updated=tuple(one for id, one in self._known.items() if id in before and one.json != before[id].json),
            seen=self.now(),
        )
        return self.last
