"""Why a user rejects an operation, and what each reason means."""

from __future__ import annotations

import mtoken

REASONS = (
    (mtoken.RejectReason.UNKNOWN, "I do not say why"),
    (mtoken.RejectReason.INCORRECT_DATA, "Something in it is wrong"),
    (mtoken.RejectReason.UNEXPECTED_OPERATION, "I did not ask for it"),
)
