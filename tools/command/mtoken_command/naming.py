"""Which bank a command speaks of: the next step that it tells is for that bank, and of several banks it says which."""

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
    """By name: without it, the command would be for another bank."""
    alone = True


_bank = _Bank()


def needed(name: str) -> Optional[str]:
    """The name of a profile, if without it a command would be for another bank."""
    return None if _default(_known()) == name else name


def among_several(name: str, words: str) -> str:
    """A text about the profile of a name, which it says where there are several."""
    return f"{name}: {words}" if len(_known().profiles) > 1 else words


def about(name: Optional[str]) -> None:
    """From now on it is about the profile of a name; None: about the default."""
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
    """From now on it is about no bank."""
    _bank.name, _bank.chosen, _bank.alone = None, False, True


def steps(words: str, name: Optional[str] = None) -> str:
    """The commands in a text, for the profile of a name; None: for the one that it is about."""
    if name is None:
        name = _bank.name if _bank.chosen else None
    return words if name is None else _STEP.sub(f"mtoken -p {name} ", words)


def named(words: str) -> str:
    """A text that says of which bank it is, where there are several."""
    return words if _bank.alone or _bank.name is None else f"{_bank.name}: {words}"
