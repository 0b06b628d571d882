"""The command that shows what waits, live."""

from __future__ import annotations

import time
from typing import Optional

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

import mtoken

from . import profiles as files
from . import session, show, states
from .app import app
from .notify import Notifier, Pace
from .options import JSON, ProfileName
from .output import clean, out, print_line, reporting


@app.command()
@reporting
def watch(
    interval: float = typer.Option(7, min=5, help="Seconds between requests to the server."),
    notify: bool = typer.Option(
        False, "--notify", help="Desktop notifications instead of a screen. Asks less when idle."
    ),
    seconds: Optional[float] = typer.Option(None, "--for", help="Stop after this many seconds; default: at Ctrl-C."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Watch what waits for approval, live. With --json, a line for each change."""
    end = None if seconds is None else time.monotonic() + seconds
    chosen = files.load().find(profile)
    with session.activated(chosen, events=mtoken.Events.OPERATIONS) as client:
        client.operations.start_polling(interval)
        if notify:
            _watch_notifications(client, Notifier(chosen), Pace(interval), end)
        elif as_json:
            _watch_lines(client, end)
        else:
            _watch_screen(client, end)


def _left(end: Optional[float], at_most: float) -> float:
    return at_most if end is None else max(0.0, min(at_most, end - time.monotonic()))


def _over(end: Optional[float]) -> bool:
    return end is not None and time.monotonic() >= end


def _watch_notifications(client: mtoken.Client, notifier: Notifier, pace: Pace, end: Optional[float]) -> None:
    try:
        while not _over(end):
            event = client.runtime.next_event(_left(end, 5))
            change = event.change if event else None
            for operation in change.added if change else ():
                notifier.show(operation)
            notifier.forget([operation.id for operation in change.removed] if change else [])
            interval = pace.look(bool(change and (change.added or change.removed)))
            if interval is not None:
                client.operations.stop_polling()
                client.operations.start_polling(interval)
    finally:
        notifier.close()


def _watch_lines(client: mtoken.Client, end: Optional[float]) -> None:
    first = True
    while not _over(end):
        event = client.runtime.next_event(_left(end, 60))
        change = event.change if event else None
        if event is not None and event.kind is mtoken.EventKind.POLLING_WAITS:
            trouble = states.trouble(event.error)
            hint = {"next": trouble.next} if trouble else {}
            print_line(
                {"waits": str(event.error), "reason": event.error and event.error.reason, **hint, "time": event.time}
            )
        elif event is not None and event.kind is mtoken.EventKind.POLLING_GOES_ON:
            print_line({"goes_on": True, "time": event.time})
        elif event is not None and event.error is not None:
            print_line({"error": str(event.error), "reason": event.error.reason, "time": event.time})
        if event is None or change is None or not (first or change.added or change.removed or change.updated):
            continue
        first = False
        print_line({"time": event.time, "added": change.added, "removed": change.removed, "updated": change.updated})


def _watch_screen(client: mtoken.Client, end: Optional[float]) -> None:
    waits: Optional[mtoken.MTokenError] = None
    with Live(_watched(client, waits), console=out, auto_refresh=False) as live:
        while not _over(end):
            first = client.runtime.next_event(_left(end, 1))
            for event in (*((first,) if first else ()), *client.runtime.events(0)):
                if event.kind in (mtoken.EventKind.POLLING_WAITS, mtoken.EventKind.POLLING_GOES_ON):
                    waits = event.error
            live.update(_watched(client, waits), refresh=True)


def _watched(client: mtoken.Client, waits: Optional[mtoken.MTokenError]) -> RenderableType:
    """What waits for approval, and how old that is, or why nothing newer can be had."""
    known = client.operations.known()
    now = client.info().time
    if waits is not None:
        trouble = states.trouble(waits)
        why = f"{trouble.what}. Next: {trouble.next}. Polling continues." if trouble else clean(str(waits))
        state = Text(f"Waiting: {why}", style="yellow")
        return Group(show.operations_table(known.operations, now), state)
    if known.last_fetch is None and known.last_error is None:
        return Text("Asking the server …", style="dim")
    if known.last_error is not None:
        state = Text(f"The last request failed: {clean(str(known.last_error))}", style="red")
    else:
        state = Text(f"as of {known.last_fetch:%H:%M:%S} UTC · Ctrl-C ends · mtoken approve ID", style="dim")
    return Group(show.operations_table(known.operations, now), state)
