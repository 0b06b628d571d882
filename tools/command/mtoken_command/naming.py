# SPDX-License-Identifier: Apache-2.0
"""The bank that messages are about: next steps name its profile, and with several banks every result does."""

from __future__ import annotations

import re
from typing import Optional

from . import profiles as files
from .profiles import ProfileError

_STEP = re.compile(r"\bmtoken (?=[a-z])(?!(?:profile|demo|accounts|completion)\b|watch and\b)")
"""The beginning of a command that is for one bank."""


class _Bank:
    """The bank that the command is about."""

    name: Optional[str] = None
    chosen = False
    """Its name, if a command without it would use another bank."""
    alone = True


_bank = _Bank()


def needed(name: str) -> Optional[str]:
    """The name of a profile, if without it a command would be for another bank."""
    return None if _default(_known()) == name else name


def among_several(name: str, words: str) -> str:
    """A text about a profile, which it names if there are several."""
    return f"{name}: {words}" if len(_known().profiles) > 1 else words


def about(name: Optional[str]) -> None:
    """From now on messages are about this profile; None: the default."""
    known = _known()
    default = _default(known)
    _bank.name = name or default
    _bank.chosen = name is not None and name != default
    _bank.alone = len(known.profiles) < 2


def _known() -> files.Profiles:
    try:
        return files.load()
    except (ProfileError, OSError, ValueError):
        return files.Profiles({})


def _default(known: files.Profiles) -> Optional[str]:
    return known.default or (next(iter(known.profiles)) if len(known.profiles) == 1 else None)


def nothing_special() -> None:
    """From now on messages are about no bank."""
    _bank.name, _bank.chosen, _bank.alone = None, False, True


def steps(words: str, name: Optional[str] = None) -> str:
    """A text whose commands name this profile; None: the current one."""
    if name is None:
        name = _bank.name if _bank.chosen else None
    return words if name is None else _STEP.sub(f"mtoken -p {name} ", words)


def named(words: str) -> str:
    """A text that names its bank, if there are several."""
    return words if _bank.alone or _bank.name is None else f"{_bank.name}: {words}"
