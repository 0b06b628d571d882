# SPDX-License-Identifier: Apache-2.0
"""What an operation means, in words, for every screen that shows one: terminal, view or console."""

from __future__ import annotations

from typing import List, Optional

import mtoken

REASONS = (
    (mtoken.RejectReason.UNKNOWN, "No reason given"),
    (mtoken.RejectReason.INCORRECT_DATA, "Something in it is wrong"),
    (mtoken.RejectReason.UNEXPECTED_OPERATION, "I did not ask for it"),
)
"""The reasons to reject an operation."""

CONTRADICTIONS = {
    mtoken.Contradiction.AMOUNT: "The signed amount differs from the amount shown.",
    mtoken.Contradiction.CURRENCY: "The signed currency differs from the currency shown.",
    mtoken.Contradiction.ACCOUNT: "The signed account differs from the accounts shown.",
    mtoken.Contradiction.AMOUNT_HIDDEN: "The signed amount is not shown.",
    mtoken.Contradiction.ACCOUNT_HIDDEN: "The signed account is not shown.",
    mtoken.Contradiction.AMOUNT_TEXT: "The amount is shown in a different form than it is signed.",
    mtoken.Contradiction.UNSIGNED_AMOUNT: "An amount that is not signed is shown.",
    mtoken.Contradiction.LOST_ROW: "Part of what the bank wants to show cannot be read.",
    mtoken.Contradiction.UNREADABLE: "The signed data cannot be read.",
    mtoken.Contradiction.TOO_LONG: "The bank's texts are too long to be compared with what is signed.",
}
"""Each contradiction in words for the user."""


def money(amount: mtoken.Amount) -> str:
    """An amount as its bank formats it."""
    return str(amount.value_formatted or f"{amount.amount_formatted} {amount.currency_formatted}")


def contradictions(found: mtoken.Contradiction) -> List[str]:
    """How the displayed and the signed data of an operation differ."""
    return [meaning for bit, meaning in CONTRADICTIONS.items() if bit in found]


def factors(operation: mtoken.Operation) -> str:
    """The factors that the operation asks for, in words."""
    if _by_device_alone(operation):
        return "this device"
    names = {
        mtoken.Variant.POSSESSION: "this device",
        mtoken.Variant.POSSESSION_KNOWLEDGE: "this device and the PIN",
        mtoken.Variant.POSSESSION_BIOMETRY: "this device and biometry",
    }
    allowed = [name for variant, name in names.items() if variant in operation.variants]
    return " or ".join(allowed) or "factors this token does not support"


def wants_pin(operation: mtoken.Operation) -> Optional[bool]:
    """Whether the operation asks for the PIN (True) or for this device alone (False); None: neither is enough."""
    if mtoken.Variant.POSSESSION_KNOWLEDGE in operation.variants:
        return True
    return False if mtoken.Variant.POSSESSION in operation.variants or _by_device_alone(operation) else None


def _by_device_alone(operation: mtoken.Operation) -> bool:
    """Whether the operation asks for one factor without naming it."""
    return operation.signature_type is mtoken.SignatureType.ONE_FACTOR and not operation.variants
