"""Who keeps the device secret of a profile."""

from __future__ import annotations

import functools
import os
import shlex
from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterator, List, Optional

import mtoken

from .output import Exit, Stop
from .profiles import Profile

NOBODY = "none"
HOST = "host"
"""The sealer of another program."""
PASSWORD_FILE = "MTOKEN_SEALER_PASSWORD_FILE"
_OPTIONS = ("device", "module", "pcrs", "password")


@contextmanager
def opened(text: Optional[str]) -> Iterator[Optional[mtoken.Sealer]]:
    """The sealer that a profile names, as long as the block runs; None: it names none."""
    if text is None or text == NOBODY:
        yield None
        return
    words = shlex.split(text)
    options: Dict[str, str] = {name: value for name, _, value in (word.partition("=") for word in words[1:])}
    if not words or set(options) - set(_OPTIONS):
        raise Stop("the profile's sealer is malformed: mtoken seal", Exit.USAGE)
    if "password" in options:
        options["password"] = password()
    with mtoken.Sealer.open(words[0], **options) as sealer:  # type: ignore[arg-type]
        yield sealer


def text(sealer: Optional[str], **options: Optional[str]) -> Optional[str]:
    """As a profile names a sealer with the options that are given; None: it is to name none."""
    given = {name: value for name, value in options.items() if value is not None}
    if sealer in (None, NOBODY):
        if given:
            raise Stop("without a sealer there are no options for it", Exit.USAGE)
        return sealer
    return shlex.join([str(sealer), *(f"{name}={value}" for name, value in given.items())])


def sealers_of(profile: Profile) -> List[Optional[str]]:
    """The sealers that may have the profile's device secret, the likely one first."""
    both: List[Optional[str]] = [profile.sealer]
    return both if profile.next_sealer is None else [*both, profile.next_sealer]


@functools.lru_cache(maxsize=1)
def password() -> str:
    """The sealer's password: asked for once, however often a program opens the account."""
    path = os.environ.get(PASSWORD_FILE)
    if path:
        return Path(path).read_text(encoding="utf-8").rstrip("\n")
    from .session import ask

    return ask("Password of the sealer", hidden=True, otherwise=f"name a file that has it with {PASSWORD_FILE}")
