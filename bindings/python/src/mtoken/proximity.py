# SPDX-License-Identifier: Apache-2.0
"""The proof for the approval of an operation that requires a proximity check."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone

from ._arguments import checked
from .enums import ProximityType


@checked
@dataclass(frozen=True)
class Proximity:
    """The one-time password of a proximity check. Create it when the code is scanned or opened."""

    otp: str = field(repr=False)
    type: ProximityType
    received: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    """The device's time."""
