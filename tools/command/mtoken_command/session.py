# SPDX-License-Identifier: Apache-2.0
"""A client of a profile, and the user's PIN."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Callable, Iterator, Optional, Sequence, Type, TypeVar

import mtoken
import typer
from rich.text import Text

from . import keepers, kept, naming, servers, states
from . import profiles as files
from .output import Exit, Stop, clean, err
from .profiles import Profile

R = TypeVar("R")
_PIN_LIMIT = 1024
PATIENCE = 5.0
"""Seconds to wait for another program that uses the account: one that stays open releases it after each request."""
_PAUSE = 0.05
_STATUS_SECONDS = 2.0


def _protocol(profile: Profile) -> Optional[mtoken.Protocol]:
    return mtoken.Protocol[f"V{profile.protocol.replace('.', '_')}"] if profile.protocol else None


def store(profile: Profile) -> mtoken.Store:
    """The store of the profile's state."""
    if profile.store == "keyring":
        try:
            return mtoken.Store.keyring(profile.keyring_service)
        except ImportError as problem:
            raise Stop(str(problem), Exit.STORAGE) from None
    profile.state_folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return mtoken.Store.directory(profile.state_folder)


@contextmanager
def connected(profile: Profile, *, events: mtoken.Events = mtoken.Events.NONE) -> Iterator[mtoken.Client]:
    """The profile's client, open while the block runs."""
    with mtoken.Runtime(events=events) as runtime, _opened(profile, runtime) as client:
        yield client


@contextmanager
def _opened(profile: Profile, runtime: mtoken.Runtime) -> Iterator[mtoken.Client]:
    """The client, once no other program has it open."""
    servers.check(profile)
    with ExitStack() as stack:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with ExitStack() as opening:
                    place = opening.enter_context(store(profile))
                    client = opening.enter_context(_client(profile, runtime, place, keepers.sealers_of(profile)))
                    stack.push(opening.pop_all())
                break
            except mtoken.BusyError:
                if time.monotonic() >= end:
                    raise
                time.sleep(_PAUSE)
        try:
            yield client
        except mtoken.NetworkError as error:
            _name_the_bank(error, profile)
            raise


def _name_the_bank(error: mtoken.NetworkError, profile: Profile) -> None:
    """Adds to an error which server this device could not reach or does not trust, and what to do."""
    if "said" in error.__dict__ or states.trouble(error):
        return
    message = str(error).rstrip(".")
    what = f"{message[:1].lower()}{message[1:]}: {profile.server}, the address of {profile.name}"
    if isinstance(error, mtoken.PinMismatchError):
        next_step = "ask the bank: somebody may be in between; mtoken profile add replaces a pin"
    elif error.not_trusted:
        next_step = (
            "if the bank has an authority of its own, mtoken profile add once more, with --ca FILE; else ask the bank"
        )
    elif error.outcome is mtoken.Outcome.NOT_SENT:
        next_step = "look at the network and at the address (mtoken profile list), then run the command again"
    else:
        next_step = "run the command again"
    states.says(error, what, next_step)


class Account:
    """The account of a profile for a program that stays open. Each request opens and closes it, so that other commands
    can use it too."""

    def __init__(self, profile: Profile):
        self.profile = profile
        self._runtime = mtoken.Runtime()
        self._lock = threading.Lock()

    @contextmanager
    def open(self) -> Iterator[mtoken.Client]:
        """The client, if there is an activation. Threads take turns."""
        with self._lock, _opened(self.profile, self._runtime) as client:
            yield _active(self.profile, client)

    def close(self) -> None:
        """Ends the connections."""
        self._runtime.close()

    def __enter__(self) -> Account:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def _client(
    profile: Profile,
    runtime: mtoken.Runtime,
    place: mtoken.Store,
    sealers: Sequence[Optional[str]],
    *,
    asks_the_item: bool = True,
    variable: str = keepers.PASSWORD_FILE,
) -> mtoken.Client:
    """The client. The stored state decides which sealer it has, whatever the profile says."""
    try:
        with keepers.opened(sealers[0], variable=variable, beside=profile.sealer) as sealer:
            return mtoken.Client(
                runtime,
                profile.name,
                configuration=profile.configuration,
                base_url=profile.server,
                operations_url=profile.operations_server,
                store=place,
                sealer=sealer,
                ca_file=profile.ca_file(),
                pins=[mtoken.TLSPin(pin) for pin in profile.pins],
                allow_http=servers.has_plain_http(profile),
                language=profile.language,
                protocol=_protocol(profile),
                suite=mtoken.Suite[profile.suite] if profile.suite else None,
            )
    except mtoken.SealedError as refused:
        if refused.reason in ("sealerMissing", "notSealed"):
            if len(sealers) > 1:
                next_one = keepers.NEW_PASSWORD_FILE
                return _client(profile, runtime, place, sealers[1:], asks_the_item=asks_the_item, variable=next_one)
            named = None if refused.reason == "notSealed" else refused.cause
            if asks_the_item and named != keepers.HOST:
                return _client(profile, runtime, place, [named], asks_the_item=False)
        keepers.forget_passwords()
        raise


@contextmanager
def activated(profile: Profile, *, events: mtoken.Events = mtoken.Events.NONE) -> Iterator[mtoken.Client]:
    """As `connected`, if there is an activation."""
    with connected(profile, events=events) as client:
        yield _active(profile, client)


def _active(profile: Profile, client: mtoken.Client) -> mtoken.Client:
    if client.state is not mtoken.ClientState.ACTIVE:
        raise Stop(f"{profile.name} is not activated: mtoken activate", Exit.NOT_ACTIVATED)
    return client


# How the user proves who they are


def authentication(profile: Profile, descriptor: Optional[int], biometry: bool) -> mtoken.Auth:
    """The biometry key if the user chose it, otherwise the PIN, for calls that no server checks at once."""
    if biometry:
        return _biometry(profile, descriptor)
    pin = given_pin(profile, descriptor)
    try:
        return mtoken.Auth.pin(pin)
    finally:
        pin[:] = bytes(len(pin))


def _biometry(profile: Profile, descriptor: Optional[int]) -> mtoken.Auth:
    if descriptor is not None:
        raise Stop("use either --biometry or --pin-fd", Exit.USAGE)
    key = kept.biometry_key(profile)
    try:
        return mtoken.Auth.biometry(key)
    finally:
        key[:] = bytes(len(key))


def prove(
    profile: Profile,
    descriptor: Optional[int],
    biometry: bool,
    call: Callable[[mtoken.Auth], R],
    client: Optional[mtoken.Client] = None,
) -> R:
    """Calls with the biometry key if the user chose it, otherwise with the PIN, as `with_pin` does."""
    if not biometry:

        def by_pin(pin: bytearray) -> R:
            with mtoken.Auth.pin(pin) as auth:
                return call(auth)

        return with_pin(profile, descriptor, by_pin, client)
    with _biometry(profile, descriptor) as auth:
        try:
            return call(auth)
        except mtoken.AuthenticationError as error:
            raise states.explained(error, "The bank refused the biometry key.") from None


def with_pin(
    profile: Profile,
    descriptor: Optional[int],
    call: Callable[[bytearray], R],
    client: Optional[mtoken.Client] = None,
) -> R:
    """Calls with the PIN. At a terminal, asks again after a wrong PIN while attempts are left.

    client  is asked first how many attempts are left, so that the user is warned before the last one
    """
    if client is not None:
        announce_last_attempt(client, profile, descriptor)
    while True:
        pin = given_pin(profile, descriptor)
        try:
            return call(pin)
        except mtoken.AuthenticationError as error:
            states.explained(error)
            if descriptor is None and profile.remember_pin:
                profile = distrusted(profile)
                error.args = (f"{error} {naming.steps(DISTRUSTED)}",)
            if descriptor is not None or not sys.stdin.isatty() or not error.remaining_attempts:
                raise
            err.print(Text(clean(str(error)), style="red"))
        finally:
            pin[:] = bytes(len(pin))


def announce_last_attempt(client: mtoken.Client, profile: Profile, descriptor: Optional[int]) -> None:
    """Warns the user, who is about to type the PIN, of the last attempt. Does not wait for a slow bank."""
    if descriptor is not None or profile.remember_pin or not sys.stdin.isatty():
        return
    try:
        left = client.status(timeout=_STATUS_SECONDS).remaining_attempts
    except mtoken.MTokenError:
        return
    if left == 1:
        err.print(Text(states.LAST_ATTEMPT, style="yellow"))


DISTRUSTED = "It was the saved one, which is no longer in the keyring: mtoken pin remember"


def distrusted(profile: Profile) -> Profile:
    """Forgets the remembered PIN that the bank refused, so that it costs no second attempt."""
    kept.forget(profile, kept.PIN)
    files.save(files.load().with_profile(replace(files.load().find(profile.name), remember_pin=False)))
    return profile.without_pin()


def given_pin(profile: Profile, descriptor: Optional[int]) -> bytearray:
    """The PIN from a descriptor, from the keyring, or from the user at a terminal."""
    if descriptor is not None:
        return read_pin(descriptor)
    pin = kept.remembered(profile, kept.PIN) if profile.remember_pin else None
    return bytearray(prompt_pin() if pin is None else pin, "utf-8")


def ask_new_pin(descriptor: Optional[int]) -> bytearray:
    """A new PIN: typed twice, or from a descriptor."""
    if descriptor is not None:
        pin = read_pin(descriptor)
    else:
        pin = bytearray(ask("New PIN", hidden=True, again=True, otherwise="pass it with --pin-fd"), "utf-8")
    if len(pin) < 4:
        raise Stop("the PIN must have at least 4 characters", Exit.USAGE)
    if mtoken.inspect_pin(pin) & _GUESSED_FIRST:
        err.print(Text("This PIN is among the first that a thief tries.", style="yellow"))
        if descriptor is None and not typer.confirm("Use it nevertheless?", err=True):
            return ask_new_pin(None)
    return pin


_GUESSED_FIRST = mtoken.PINWeakness.REPEATED | mtoken.PINWeakness.SEQUENTIAL | mtoken.PINWeakness.DATE


def read_pin(descriptor: int) -> bytearray:
    """The first line of a descriptor."""
    pin = bytearray()
    try:
        while b"\n" not in pin and len(pin) < _PIN_LIMIT:
            piece = os.read(descriptor, 1)
            if not piece:
                break
            pin += piece
    except OSError as problem:
        raise Stop(f"could not read the PIN from descriptor {descriptor}: {problem.strerror}", Exit.USAGE) from None
    pin = pin.rstrip(b"\r\n")
    if not pin:
        raise Stop(f"there is no PIN at descriptor {descriptor}", Exit.USAGE)
    return pin


def prompt_pin() -> str:
    """The PIN, typed at a terminal."""
    return ask("PIN", hidden=True, otherwise="pass it with --pin-fd")


def ask(what: str, *, hidden: bool = False, again: bool = False, otherwise: str = "pass it as an argument") -> str:
    """What the user types at a terminal."""
    if not sys.stdin.isatty():
        raise Stop(f"there is no terminal to ask for the {what}: {otherwise}", Exit.USAGE)
    answer: str = typer.prompt(what, hide_input=hidden, confirmation_prompt=again, err=True)
    return answer
