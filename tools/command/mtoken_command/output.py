# SPDX-License-Identifier: Apache-2.0
"""Output: results on standard output, all else on standard error; JSON of any model; exit codes."""

from __future__ import annotations

import enum
import functools
import inspect
import json
import signal
import sys
import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Callable, Iterator, NoReturn, Optional, TypeVar

import mtoken
import typer
from mtoken._model import plain
from rich.console import Console
from rich.text import Text

from . import naming, states
from .profiles import ProfileError

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    P = ParamSpec("P")
R = TypeVar("R")

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class Exit(enum.IntEnum):
    """Exit codes. They are documented and do not change."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_ACTIVATED = 3
    REFUSED = 4
    NETWORK = 5
    UNKNOWN = 6
    SERVER = 7
    STORAGE = 8
    DECLINED = 9
    INTERRUPTED = 130


TROUBLES = {
    "BLOCKED": Exit.REFUSED,
    "REMOVED": Exit.NOT_ACTIVATED,
    "removedHere": Exit.NOT_ACTIVATED,
    "PENDING_COMMIT": Exit.NOT_ACTIVATED,
    "DEADLOCK": Exit.REFUSED,
    "counterAtRisk": Exit.NETWORK,
    "counterWindow": Exit.NETWORK,
    "storageBusy": Exit.STORAGE,
    "serverUnavailable": Exit.NETWORK,
    "confirm": Exit.NOT_ACTIVATED,
    "confirmPIN": Exit.REFUSED,
    "confirmUpgrade": Exit.NETWORK,
    "newPINMayApply": Exit.UNKNOWN,
    "newBiometryMayApply": Exit.UNKNOWN,
    "operations_authExpired": Exit.SERVER,
    "operations_rejectExpired": Exit.SERVER,
    "operations_expired": Exit.SERVER,
    "operations_alreadyFinished": Exit.SERVER,
    "operations_alreadyFailed": Exit.SERVER,
    "operations_alreadyCanceled": Exit.SERVER,
    "INVALID_OPERATION": Exit.SERVER,
}
"""Exit codes for the troubles of `states`, by name."""


class Stop(Exception):
    """Ends the command with a message and an exit code."""

    def __init__(self, message: str, code: Exit = Exit.FAILED, next: Optional[str] = None):
        super().__init__(message)
        self.code = code
        self.next = next
        """What to do next; None: the message says it, or there is nothing to do."""


def exit_code(error: mtoken.MTokenError) -> Exit:
    """The exit code of a failed call: first whether the server may have acted, then what went wrong."""
    if error.outcome is mtoken.Outcome.UNKNOWN:
        return Exit.UNKNOWN
    if states.name_of(error) in TROUBLES:
        return TROUBLES[states.name_of(error)]
    if isinstance(error, (mtoken.NotActivatedError, mtoken.PendingError)):
        return Exit.NOT_ACTIVATED
    if isinstance(error, (mtoken.AuthenticationError, mtoken.FactorError)):
        return Exit.REFUSED
    if isinstance(error, (mtoken.NetworkError, mtoken.TimeoutExpiredError)):
        return Exit.NETWORK
    if isinstance(error, (mtoken.ServerError, mtoken.HTTPError, mtoken.ProtocolError, mtoken.SignatureError)):
        return Exit.SERVER
    if isinstance(error, (mtoken.StorageError, mtoken.BusyError)):
        return Exit.STORAGE
    if isinstance(error, mtoken.NotFoundError):
        return Exit.SERVER if error.outcome is mtoken.Outcome.ANSWERED else Exit.FAILED
    if isinstance(error, (mtoken.ArgumentError, mtoken.ParseError, mtoken.ConfigurationError)):
        return Exit.USAGE
    return Exit.FAILED


def reporting(command: Callable[P, R]) -> Callable[P, R]:
    """Makes a command report errors in words and exit codes, or with --json as a JSON object, never as a traceback."""

    @functools.wraps(command)
    def run(*arguments: P.args, **options: P.kwargs) -> R:
        as_json = bool(options.get("as_json"))
        _told.changes = False
        if "profile" in options:
            naming.about(options["profile"])  # type: ignore[arg-type]
        else:
            naming.nothing_special()
        try:
            return command(*arguments, **options)
        except mtoken.MTokenError as error:
            _fail(str(error), exit_code(error), as_json, error)
        except Stop as stop:
            _fail(str(stop), stop.code, as_json, next=stop.next)
        except ProfileError as problem:
            _fail(str(problem), Exit.USAGE, as_json)
        except KeyboardInterrupt:
            raise typer.Exit(Exit.INTERRUPTED) from None
        except typer.Abort as abort:
            # Ctrl-C at a question; the other way to end there is the end of the input.
            if isinstance(abort.__context__, KeyboardInterrupt):
                raise typer.Exit(Exit.INTERRUPTED) from None
            _fail("not done", Exit.DECLINED, as_json)
        except OSError as problem:
            _fail(str(problem), Exit.FAILED, as_json)
        except UnicodeDecodeError as problem:
            _fail(f"the input is not UTF-8: {problem}", Exit.USAGE, as_json)

    run.__signature__ = _signature(command)  # type: ignore[attr-defined]
    return run


def _signature(command: Callable[..., Any]) -> inspect.Signature:
    """The signature with its annotations as objects: on Python 3.9 typer does not read those that are texts."""
    signature = inspect.signature(command)
    module = sys.modules[command.__module__].__dict__
    parameters = [
        parameter.replace(annotation=eval(parameter.annotation, module))
        if isinstance(parameter.annotation, str)
        else parameter
        for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=parameters)


def _fail(
    message: str,
    code: Exit,
    as_json: bool,
    error: Optional[mtoken.MTokenError] = None,
    next: Optional[str] = None,
) -> NoReturn:
    trouble = states.explanation(error)
    next = trouble.next if trouble else next
    if error is not None and code is Exit.UNKNOWN and _told.changes and states.trouble(error) is None:
        next = None  # the user has to look before repeating it
    next = naming.steps(next) if next else next
    message = message if error else naming.steps(message)
    if as_json:
        details = {name: value for name, value in error.details.items() if value is not None} if error else {}
        hint = {"next": next} if next else {}
        print_json({"error": {"message": message, **details, **hint, "exit_code": int(code)}})
    else:
        said = trouble.what if trouble else in_one_voice(clean(message))
        said = naming.named(said) if error else said
        err.print(Text(f"mtoken: {said}", style="red"), soft_wrap=True)
        from .notify import tell_result

        tell_result(f"{said}. {next or ''}")
        cause = error.__cause__ if error else None
        if cause is not None:
            err.print(Text(f"  because: {clean(str(cause))}"))
        if next:
            err.print(Text(f"  Next: {next}"), soft_wrap=True)
        elif code is Exit.UNKNOWN and (error is None or _told.changes):
            check = naming.steps("Check before you repeat: mtoken list, mtoken history")
            err.print(Text(f"  The server may have acted. {check}"), soft_wrap=True)
    raise typer.Exit(code)


_BEGINNINGS = ("The ", "This ", "A ", "An ", "No ", "Only ", "Another ", "There ", "It ")


def in_one_voice(message: str) -> str:
    """A sentence of the library in the form "mtoken: the activation code is not valid"."""
    if message.startswith(_BEGINNINGS):
        message = message[:1].lower() + message[1:]
    return message[:-1] if message.endswith(".") and ". " not in message else message


class _Told:
    """What was sent to the bank."""

    changes = False
    """It may have changed something there."""


_told = _Told()


@contextmanager
def progress(what: str) -> Iterator[None]:
    """A spinner on a terminal during a long step."""
    if not sys.stderr.isatty():
        yield
        return
    with err.status(what):
        yield


@contextmanager
def sending(what: str) -> Iterator[None]:
    """As `progress`, for calls that may change something at the bank: only a second Ctrl-C ends the wait for the
    answer."""
    pressed = False
    _told.changes = True

    def interrupted(_: int, __: object) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        err.print(Text("It is on its way: waiting for the bank's answer. Ctrl-C again leaves without it."))

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupted)
    try:
        with progress(what):
            yield
    except KeyboardInterrupt:
        raise Stop("you left before the bank answered", Exit.UNKNOWN) from None
    finally:
        signal.signal(signal.SIGINT, before)


def clean(text: str) -> str:
    """Text from outside without control characters and without those that change the direction of text."""
    return "".join(_harmless(character) for character in text)


def _harmless(character: str) -> str:
    return "\N{REPLACEMENT CHARACTER}" if _steers(character) and character not in "\n\t" else character


def _steers(character: str) -> bool:
    """Whether a character controls the terminal, changes the direction of text, or is invisible."""
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    return hidden and character not in "\u200c\u200d\u00ad"


# JSON


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    out.file.write(json_text(plain(value, hidden=True), indent=2 if out.is_terminal else None) + "\n")
    out.file.flush()


def json_text(value: Any, *, indent: Optional[int] = None) -> str:
    """JSON that is safe to print: characters that could control a terminal are escapes, which mean the same."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    # json.dumps leaves these characters as they are, and adds line ends of its own.
    return "".join(json.dumps(one)[1:-1] if _steers(one) and one != "\n" else one for one in text)


def print_line(value: object) -> None:
    """One JSON document in one line."""
    out.file.write(json_text(plain(value, hidden=True)) + "\n")
    out.file.flush()
