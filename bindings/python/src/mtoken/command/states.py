"""What the user can do when the activation or the bank is not as usual."""

from __future__ import annotations

from typing import Dict, NamedTuple, Optional

import mtoken


class Trouble(NamedTuple):
    """Why things do not go their usual way, in one sentence, and what to do."""

    what: str
    next: str


_TROUBLES: Dict[str, Trouble] = {
    "CREATED": Trouble("the activation is not complete", "mtoken remove --local, then mtoken activate with a new code"),
    "PENDING_COMMIT": Trouble(
        "the bank has not confirmed the activation yet: it compares the fingerprint", "mtoken activate --wait"
    ),
    "BLOCKED": Trouble("the activation is blocked", "ask the bank to unblock it, then mtoken status"),
    "REMOVED": Trouble(
        "the bank has removed the activation", "mtoken remove --local, then mtoken activate with a new code"
    ),
    "DEADLOCK": Trouble(
        "this device and the bank are out of step: the bank accepts no signature of this device",
        "ask the bank to widen its look-ahead window, then mtoken status; if it cannot: mtoken remove --local",
    ),
    "removedHere": Trouble(
        "the bank has removed the activation; it was removed here too", "mtoken activate with a new code"
    ),
    "counterAtRisk": Trouble(
        "the bank has not confirmed the last signatures and might refuse another one: nothing was signed",
        "mtoken status once the bank is reachable, then run the command again",
    ),
    "counterWindow": Trouble(
        "too many codes are unused: no new code was created",
        "connect to the network and run mtoken status, then run the command again",
    ),
    "serverUnavailable": Trouble(
        "the bank cannot check requests now; the PIN may still be right",
        "mtoken status, then run the command again",
    ),
}
"""By the name of the state, which is also that of an error's code, or by an error's reason."""


def next_step(state: mtoken.ActivationState) -> Optional[str]:
    """What to do; None: nothing, or the state is not known here."""
    return _TROUBLES[state.name].next if state.name in _TROUBLES else None


def name_of(error: mtoken.MTokenError) -> str:
    """The name of what a failed call has to do with the state of the activation or the bank; empty: nothing."""
    if error.reason == "counterDeadlock":
        return "DEADLOCK"
    if error.reason == "server_not_reachable" and error.code is mtoken.ErrorCode.SERVER and error.retriable:
        return "serverUnavailable"
    if error.reason in ("device_deregistered", "user_deregistered") and error.code is mtoken.ErrorCode.REMOVED:
        return "removedHere"
    return next((name for name in (error.code.name, error.reason) if name in _TROUBLES), "")


def trouble(error: Optional[mtoken.MTokenError]) -> Optional[Trouble]:
    """What a failed call has to do with the state of the activation or the bank; None: nothing."""
    return None if error is None else _TROUBLES.get(name_of(error))
