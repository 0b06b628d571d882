"""A client of a profile, and the user's PIN."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import Iterator, Optional, Sequence

import typer

import mtoken

from . import keepers, kept, servers
from .output import Exit, Stop
from .profiles import Profile

PROTOCOLS = {"3.1": mtoken.Protocol.V3_1, "3.2": mtoken.Protocol.V3_2, "3.3": mtoken.Protocol.V3_3}
_PIN_LIMIT = 1024


def store(profile: Profile) -> mtoken.Store:
    """Where the profile's state lives."""
    if profile.store == "keyring":
        try:
            return mtoken.Store.keyring(profile.keyring_service)
        except ImportError as problem:
            raise Stop(str(problem), Exit.STORAGE) from None
    profile.state_folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return mtoken.Store.directory(profile.state_folder)


@contextmanager
def connected(profile: Profile, *, events: mtoken.Events = mtoken.Events.NONE) -> Iterator[mtoken.Client]:
    """The profile's client, for as long as the block runs."""
    servers.check(profile)
    with mtoken.Runtime(events=events) as runtime, store(profile) as place:
        with _client(profile, runtime, place, keepers.sealers_of(profile)) as client:
            yield client


def _client(
    profile: Profile, runtime: mtoken.Runtime, place: mtoken.Store, sealers: Sequence[Optional[str]]
) -> mtoken.Client:
    try:
        with keepers.opened(sealers[0]) as sealer:
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
                protocol=PROTOCOLS.get(profile.protocol or ""),
            )
    except mtoken.SealedError as refused:
        if len(sealers) > 1 and refused.reason in ("sealerMissing", "notSealed"):
            return _client(profile, runtime, place, sealers[1:])
        raise


@contextmanager
def activated(profile: Profile, *, events: mtoken.Events = mtoken.Events.NONE) -> Iterator[mtoken.Client]:
    """As `connected`, if there is an activation."""
    with connected(profile, events=events) as client:
        if client.state is not mtoken.ClientState.ACTIVE:
            raise Stop(f"{profile.name} is not activated: mtoken activate", Exit.NOT_ACTIVATED)
        yield client


# How the user proves who they are


def authentication(profile: Profile, descriptor: Optional[int], biometry: bool) -> mtoken.Auth:
    """The key of biometry if it is wanted, else the PIN."""
    if not biometry:
        return ask_pin(profile, descriptor)
    if descriptor is not None:
        raise Stop("use either --biometry or --pin-fd", Exit.USAGE)
    key = kept.biometry_key(profile)
    try:
        return mtoken.Auth.biometry(key)
    finally:
        key[:] = bytes(len(key))


def ask_pin(profile: Profile, descriptor: Optional[int]) -> mtoken.Auth:
    """The user's authentication with the PIN."""
    pin = given_pin(profile, descriptor)
    try:
        return mtoken.Auth.pin(pin)
    finally:
        pin[:] = bytes(len(pin))


def given_pin(profile: Profile, descriptor: Optional[int]) -> bytearray:
    """The PIN from a descriptor, from the keyring, or from the user at a terminal."""
    if descriptor is not None:
        return read_pin(descriptor)
    pin = kept.remembered(profile, kept.PIN) if profile.remember_pin else None
    return bytearray(prompt_pin() if pin is None else pin, "utf-8")


def ask_new_pin(descriptor: Optional[int]) -> bytearray:
    """A PIN that is being chosen: typed twice, or from a descriptor."""
    if descriptor is not None:
        pin = read_pin(descriptor)
    else:
        pin = bytearray(ask("New PIN", hidden=True, again=True, otherwise="pass it with --pin-fd"), "utf-8")
    if len(pin) < 4:
        raise Stop("the PIN must have at least 4 characters", Exit.USAGE)
    return pin


def read_pin(descriptor: int) -> bytearray:
    """The first line of what a descriptor holds."""
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
