# SPDX-License-Identifier: Apache-2.0
"""The full-screen view: `mtoken` alone."""

from __future__ import annotations

import sys
from typing import Callable, Optional

from .. import profiles as files
from .. import show
from ..output import Exit, Stop, err


def run(
    profile: Optional[str],
    hint: str = "",
    pin_hint: str = "",
    opens: Optional[str] = None,
    another: Optional[Callable[[], object]] = None,
) -> None:
    """Opens the view until the user leaves it. The hints are shown below the list and with the question for the PIN.

    opens    id of an operation to show at once
    another  creates one more operation; None: this is not a demo
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Stop("the full-screen view needs a terminal: mtoken --help lists the commands", Exit.USAGE)
    try:
        from .app import View
    except ImportError as problem:
        if (problem.name or "").partition(".")[0] != "textual":
            raise
        raise Stop(
            "the full-screen view needs a package: pip install textual; `mtoken --help` lists the commands",
            Exit.USAGE,
        ) from None
    known = files.load()
    view = View(known.find(profile) if profile or known.profiles or known.damaged else None, hint, pin_hint, opens)
    view.another = another
    view.run()
    untold = view.untold
    for deed in untold:
        left = show.text(f"On its way when you left: {deed.what}", "bold")
        err.print(left if deed.may_have_happened else deed.words())
    if any(deed.may_have_happened for deed in untold):
        raise Stop("you left before the bank answered", Exit.UNKNOWN)
    if view.interrupted:
        raise KeyboardInterrupt
