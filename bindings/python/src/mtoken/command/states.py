"""What the user can do in each state of an activation that is not the usual one."""

from __future__ import annotations

from typing import Optional

import mtoken

_NEXT = {
    "CREATED": "the activation is not complete: mtoken remove --local, then mtoken activate with a new code",
    "PENDING_COMMIT": "the bank has still to confirm the activation: mtoken status tells when it has",
    "BLOCKED": "the bank can unblock the activation: ask there, mtoken status tells when it has",
    "REMOVED": "the bank has removed the activation: mtoken remove --local, then mtoken activate with a new code",
    "DEADLOCK": "this device and the bank have lost step: ask the bank whether it can help before you remove the activation",
}
"""By the name of the state, which is also that of an error's code."""


def next_step(state: mtoken.ActivationState) -> Optional[str]:
    """What to do; None: nothing, or the state is not known here."""
    return _NEXT.get(state.name)


def next_step_after(error: Optional[mtoken.MTokenError]) -> Optional[str]:
    """What to do after a call failed because of the activation's state."""
    return _NEXT.get(error.code.name) if error is not None else None
