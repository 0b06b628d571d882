# SPDX-License-Identifier: Apache-2.0
"""QR codes in pictures and on the screen, with messages for what can go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import List

from mtoken.scan import scan, scan_screen

from .output import Exit, Stop


def read_picture(path: Path) -> str:
    """The text of the one QR code in a picture."""
    try:
        found = scan(path)
    except ImportError as problem:
        raise Stop(str(problem), Exit.USAGE) from None
    except OSError as problem:
        raise Stop(f"could not read {path}: {problem}", Exit.USAGE) from None
    return _only(found, str(path))


def read_screen() -> str:
    """The text of the one QR code that the screen shows."""
    try:
        found = scan_screen()
    except ImportError as problem:
        raise Stop(str(problem), Exit.USAGE) from None
    except OSError as problem:
        raise Stop(f"could not read the screen: {problem}") from None
    return _only(found, "the screen")


def _only(found: List[str], where: str) -> str:
    if not found:
        raise Stop(f"there is no QR code in {where}")
    if len(found) > 1:
        raise Stop(f"there are {len(found)} QR codes in {where}: show only one")
    return found[0].strip("\r\n")
