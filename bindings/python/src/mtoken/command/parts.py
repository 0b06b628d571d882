"""What several commands do: answer in words or JSON, ask at the terminal, find an operation."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Optional, Sequence, Tuple

import typer
from rich.text import Text

import mtoken

from . import show
from .output import Exit, Stop, clean, out, print_json, progress


def say(as_json: bool, document: object, words: str) -> None:
    """The answer of a command that did something."""
    if as_json:
        print_json(document)
    else:
        out.print(Text(words))


def confirm(question: str, yes: bool, *, may_decline: bool = False) -> bool:
    """Asks at the terminal; --yes has answered already. No ends the command, unless the caller goes on with it."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise Stop("there is no terminal to ask for confirmation: check the details, then use --yes", Exit.USAGE)
    agreed = typer.confirm(question, err=True)
    if not agreed and not may_decline:
        raise Stop("nothing was done", Exit.DECLINED)
    return agreed


def begins_with(ids: Sequence[str], id: str) -> Sequence[str]:
    """Those that are, or begin with, a text of four characters or more."""
    return [id] if id in ids else [other for other in ids if len(id) >= 4 and other.startswith(id)]


def choice(ids: Sequence[str]) -> str:
    """The only one; of several the user has to name one."""
    if len(ids) > 1:
        raise Stop("choose one of: " + ", ".join(show.short_ids(ids).values()), Exit.USAGE)
    return ids[0]


def find_operation(
    client: mtoken.Client, id: Optional[str], *, whole: bool = False
) -> Tuple[mtoken.Operation, Optional[datetime]]:
    """The pending operation whose id is, or begins with, the text; without one, the only one that waits.

    whole  nobody will look at it: a beginning is not enough, since the bank chooses what begins with it
    """
    with progress("Asking the server …"):
        listed = client.operations.list()
    waiting = {operation.id: operation for operation in listed}
    found = tuple(waiting) if id is None else begins_with(tuple(waiting), id)
    if not found and id is not None:
        with progress("Asking the server …"):
            return client.operations.detail(id), listed.server_time
    if not found:
        raise Stop("no operation is waiting for approval")
    operation = waiting[choice(found)]
    if whole and operation.id != id:
        raise Stop(f"with --yes the id must be whole: {clean(operation.id)}", Exit.USAGE)
    return operation, listed.server_time
