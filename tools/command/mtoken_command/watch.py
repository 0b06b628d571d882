# SPDX-License-Identifier: Apache-2.0
"""The command that shows pending operations, live."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Optional

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from . import naming, session, show, states
from . import notify as notifications
from . import profiles as files
from .app import app
from .looking import Look, Looker
from .notify import Notifier, Pace
from .options import JSON, ProfileName
from .output import clean, err, out, print_line, reporting
from .parts import say


@app.command()
@reporting
def watch(
    interval: float = typer.Option(7, min=5, help="Seconds between requests to the server."),
    notify: bool = typer.Option(
        False, "--notify", help="Desktop notifications instead of a screen. Asks less when idle."
    ),
    install: bool = typer.Option(
        False, "--install", help="Write the unit of a user service that runs it with --notify."
    ),
    seconds: Optional[float] = typer.Option(None, "--for", help="Stop after this many seconds; default: at Ctrl-C."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Watch pending operations, live. Other commands work meanwhile. With --json, print a line for each change."""
    end = None if seconds is None else time.monotonic() + seconds
    chosen = files.load().find(profile)
    if install:
        unit = notifications.install(naming.needed(chosen.name))
        say(as_json, {"unit": str(unit)}, f"{unit} is written. Next: systemctl --user enable --now {unit.stem}")
        return
    with session.Account(chosen) as account:
        with account.open():
            pass  # nothing to watch without an activation
        looker = Looker(account)
        if notify:
            _watch_notifications(looker, Notifier(chosen), Pace(interval), end)
        elif as_json:
            _watch_lines(looker, interval, end)
        else:
            _watch_screen(looker, interval, end)


def _wait(end: Optional[float], seconds: float) -> bool:
    """Waits, and returns whether to continue."""
    time.sleep(seconds if end is None else max(0.0, min(seconds, end - time.monotonic())))
    return end is None or time.monotonic() < end


def _watch_notifications(looker: Looker, notifier: Notifier, pace: Pace, end: Optional[float]) -> None:
    due = time.monotonic()
    before: Optional[Look] = None
    try:
        while True:
            news = False
            if time.monotonic() >= due:
                look = looker.look()
                news = look.news
                _tell_failure(look, before)
                before = look
                if look.error is None:
                    notifier.show(look.added, look.time)
                notifier.forget([operation.id for operation in look.removed])
                due = time.monotonic() + pace.current
            if pace.look(news) is not None:
                due = time.monotonic()
            notifier.look()
            # In short steps: a button may be pressed, and the clock stops while the machine sleeps.
            if not _wait(end, max(0.1, min(0.5, due - time.monotonic()))):
                return
    finally:
        notifier.close()


def _tell_failure(look: Look, before: Optional[Look]) -> None:
    """For the journal of the service, once for each reason."""
    if look.error is None or (before and before.error and before.error.reason == look.error.reason):
        return
    trouble = states.explanation(look.error)
    said = f"mtoken: {trouble.what}\n  Next: {naming.steps(trouble.next)}" if trouble else f"mtoken: {look.error}"
    err.print(Text(clean(said), style="red"), soft_wrap=True)


def _watch_lines(looker: Looker, interval: float, end: Optional[float]) -> None:
    before: Optional[Look] = None
    while True:
        look = looker.look()
        _print_look(look, before)
        before = look
        if not _wait(end, interval):
            return


def _print_look(look: Look, before: Optional[Look]) -> None:
    trouble = states.trouble(look.error)
    if look.error is not None:
        said = {"error": str(look.error), "reason": look.error.reason, "time": look.time}
        if trouble is None:
            print_line(said)
        elif before is None or before.error is None or before.error.reason != look.error.reason:
            print_line({"waits": said.pop("error"), **said, "next": naming.steps(trouble.next)})
        return
    if before is not None and before.waits:
        print_line({"goes_on": True, "time": look.time})
    if look.news or before is None or before.seen is None:
        print_line({"time": look.time, "added": look.added, "removed": look.removed, "updated": look.updated})


def _watch_screen(looker: Looker, interval: float, end: Optional[float]) -> None:
    with Live(Text("Asking the server …", style="dim"), console=out, auto_refresh=False) as live:
        live.refresh()
        look, due = looker.look(), time.monotonic() + interval
        while True:
            live.update(_watched(look, looker.now()), refresh=True)
            if not _wait(end, 1):
                return
            if time.monotonic() >= due:
                look, due = looker.look(), time.monotonic() + interval


def _watched(look: Look, now: datetime) -> RenderableType:
    """The pending operations, and their age or the reason why a newer list is not available."""
    trouble = states.trouble(look.error)
    if trouble is not None:
        state = Text(f"Waiting: {trouble.what}. Next: {naming.steps(trouble.next)}. Polling continues.", style="yellow")
    elif look.error is not None:
        state = Text(f"The last request failed: {clean(str(look.error))}", style="red")
    else:
        time = f"{look.time.astimezone():%H:%M:%S %Z}"
        state = Text(f"as of {time} · Ctrl-C ends · {naming.steps('mtoken approve ID')}", style="dim")
    return Group(show.operations_table(look.operations, now), state)
