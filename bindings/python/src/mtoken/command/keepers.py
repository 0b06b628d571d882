"""Who keeps the device secret of a profile."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterator, List, Optional

import mtoken

from .output import Exit, Stop
from .profiles import Profile

NOBODY = "none"
PASSWORD_FILE = "MTOKEN_SEALER_PASSWORD_FILE"
_OPTIONS = ("device", "module", "pcrs", "password")


@contextmanager
def opened(text: Optional[str]) -> Iterator[Optional[mtoken.Sealer]]:
    """The sealer that a profile names, as long as the block runs; None: it names none."""
    if text is None or text == NOBODY:
        yield None
        return
    words = shlex.split(text)
    options: Dict[str, str] = dict(word.partition("=")[::2] for word in words[1:])
    if not words or set(options) - set(_OPTIONS):
        raise Stop("the profile's sealer is malformed: mtoken seal", Exit.USAGE)
    if "password" in options:
        options["password"] = _password()
    with mtoken.Sealer.open(words[0], **options) as sealer:  # type: ignore[arg-type]
        yield sealer


def sealers_of(profile: Profile) -> List[Optional[str]]:
    """The sealers that may have the profile's device secret, the likely one first."""
    both: List[Optional[str]] = [profile.sealer]
    return both if profile.next_sealer is None else [*both, profile.next_sealer]


def _password() -> str:
    path = os.environ.get(PASSWORD_FILE)
    if path:
        return Path(path).read_text(encoding="utf-8").rstrip("\n")
    from .session import ask

    return ask("Password of the sealer", hidden=True, otherwise=f"name a file that has it with {PASSWORD_FILE}")
