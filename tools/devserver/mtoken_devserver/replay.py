# SPDX-License-Identifier: Apache-2.0
"""Values that may be seen once only: nonces of encrypted requests and of tokens (rest.md §6.5, §6.6)."""

from __future__ import annotations

import heapq
from typing import List, Set, Tuple


class UniqueValues:
    """Remembers values until their time is over. Kept in memory: a restart forgets them."""

    def __init__(self) -> None:
        self._seen: Set[bytes] = set()
        self._expiry: List[Tuple[int, bytes]] = []

    def add(self, value: bytes, now: int, expires: int) -> bool:
        """False where the value was seen before."""
        while self._expiry and self._expiry[0][0] < now:
            self._seen.discard(heapq.heappop(self._expiry)[1])
        if value in self._seen:
            return False
        self._seen.add(value)
        heapq.heappush(self._expiry, (expires, value))
        return True
