# SPDX-License-Identifier: Apache-2.0
"""Messages and next steps for when the activation or the bank is not as usual."""

from __future__ import annotations

from typing import Dict, NamedTuple, Optional

import mtoken


class Trouble(NamedTuple):
    """What is wrong, in one sentence, and what to do."""

    what: str
    next: str


NEW_PIN = "mtoken pin check, with the new PIN"
NEW_KEY = "mtoken approve --biometry; if the bank refuses it, mtoken biometry remove, then add"
_ANEW = "ask the bank for a new one, then mtoken list"
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
    "confirm": Trouble("this device has not confirmed the activation yet", "mtoken activate --wait"),
    "confirmPIN": Trouble("a change of the PIN was interrupted: the new PIN applies", NEW_PIN),
    "newPINMayApply": Trouble(
        "the bank agreed on the new PIN, but its last answer is lost: the new PIN applies",
        NEW_PIN,
    ),
    "newBiometryMayApply": Trouble(
        "the bank agreed on the new key, but its last answer is lost: this device uses the new key",
        NEW_KEY,
    ),
    "confirmUpgrade": Trouble(
        "the bank has not confirmed the upgrade yet",
        "mtoken status once the bank is reachable, then run the command again",
    ),
    "storageBusy": Trouble(
        "another program uses the account",
        "close what uses it, then run the command again (mtoken watch and the full-screen view let others in)",
    ),
    "operations_authExpired": Trouble("the operation has expired: nothing was approved", _ANEW),
    "operations_rejectExpired": Trouble("the operation has expired: there is nothing to reject", "mtoken list"),
    "operations_expired": Trouble("the operation has expired", _ANEW),
    "operations_alreadyFinished": Trouble("the operation was approved or rejected before", "mtoken history"),
    "operations_alreadyFailed": Trouble("the operation has failed before", _ANEW),
    "operations_alreadyCanceled": Trouble("the bank has cancelled the operation", _ANEW),
    "INVALID_OPERATION": Trouble("the bank does not know such an operation", "mtoken list, or mtoken history"),
    "serverUnavailable": Trouble(
        "the bank cannot check requests now; the PIN may still be right",
        "mtoken status, then run the command again",
    ),
}
"""By the name of the state, which is also that of an error's code, by an error's reason, or by the server's code."""


def next_step(state: mtoken.ActivationState) -> Optional[str]:
    """The next step; None: there is none, or the state is unknown."""
    return _TROUBLES[state.name].next if state.name in _TROUBLES else None


def name_of(error: mtoken.MTokenError) -> str:
    """The name of the trouble behind a failed call; empty: none is known."""
    if error.reason == "counterDeadlock":
        return "DEADLOCK"
    if error.reason == "server_not_reachable" and error.code is mtoken.ErrorCode.SERVER and error.retriable:
        return "serverUnavailable"
    if error.reason in ("device_deregistered", "user_deregistered") and error.code is mtoken.ErrorCode.REMOVED:
        return "removedHere"
    return next((name for name in (error.code.name, error.reason, error.server_code or "") if name in _TROUBLES), "")


def trouble(error: Optional[mtoken.MTokenError]) -> Optional[Trouble]:
    """The trouble behind a failed call; None: none is known."""
    return None if error is None else _TROUBLES.get(name_of(error))


LAST_ATTEMPT = "This is the last attempt: another wrong PIN blocks the activation."


_AGAIN = "run the command again later; if this stays, tell the bank"
_BANKS = {
    "ERR_ACTIVATION": Trouble("the bank did not accept the activation", _AGAIN),
    "INBOX_FAILED": Trouble("the bank has no such message, or its inbox is out of order", "mtoken inbox list"),
    "PUSH_REGISTRATION_FAILED": Trouble("the bank did not register this device for push messages", _AGAIN),
    "APPLICATION_CONFIGURATION_ERROR": Trouble(
        "the bank's application knows no login provider of this name", "ask the bank for the name"
    ),
    "OPERATION_FAILED": Trouble("the bank could not do this with the operation", "mtoken list, or mtoken history"),
    "POWERAUTH_AUTH_FAIL": Trouble("the bank did not accept this device's request", "mtoken status"),
    "REMOTE_COMMUNICATION_ERROR": Trouble("a part of the bank does not answer", _AGAIN),
    "ERROR_GENERIC": Trouble("something failed at the bank", _AGAIN),
}
"""What a server's own code means to the user, who does not know the code."""


def says(error: mtoken.MTokenError, what: str, next: str) -> None:
    """Gives the error these words for the user: the caller knows what was tried."""
    error.__dict__["said"] = Trouble(what, next)


def explanation(error: Optional[BaseException]) -> Optional[Trouble]:
    """The words and the next step for a failed call; None: the error's own message."""
    if not isinstance(error, mtoken.MTokenError):
        return None
    said: Optional[Trouble] = error.__dict__.get("said") or trouble(error)
    if said is not None:
        return said
    if not str(error).startswith("The server returned "):
        return None  # the library knows more than the bank's code
    if isinstance(error, mtoken.ServerError) and error.server_code:
        known = _BANKS.get(error.server_code)
        if known is not None:
            return Trouble(f"{known.what} (it says {error.server_code})", known.next)
        return Trouble(f"the bank refused this, and says why only in its own words: {error.server_code}", _AGAIN)
    if isinstance(error, mtoken.HTTPError):
        return Trouble(f"the bank's server is out of order (HTTP status {error.http_status})", _AGAIN)
    return None


def explained(error: mtoken.AuthenticationError, what: str = "Wrong PIN.") -> mtoken.AuthenticationError:
    """The error, with the number of attempts left in its message."""
    left = error.remaining_attempts
    if left is not None:
        last = f" {LAST_ATTEMPT}" if left == 1 else ""
        error.args = (f"{what} {attempts(left)} left.{last}",)
    return error


def attempts(count: int) -> str:
    return f"{count} {'attempt' if count == 1 else 'attempts'}"
