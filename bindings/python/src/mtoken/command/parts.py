"""What several commands do: answer in words or JSON, ask at the terminal, find an operation."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Optional, Sequence, Tuple

import typer
from rich.text import Text

import mtoken

from . import show
from .output import Exit, Stop, out, print_json, progress


def say(as_json: bool, document: object, words: str) -> None:
    """The answer of a command that did something."""
    if as_json:
        print_json(document)
    else:
        out.print(Text(words))


def confirm(question: str, yes: bool) -> None:
    """Asks at the terminal; --yes has answered already."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Stop("there is no terminal to ask: look first, then use --yes", Exit.USAGE)
    if not typer.confirm(question, err=True):
        raise Stop("nothing was done", Exit.DECLINED)


def find_operation(client: mtoken.Client, id: Optional[str]) -> Tuple[mtoken.Operation, Optional[datetime]]:
    """The pending operation whose id is, or begins with, the text; without one, the only one that waits."""
    with progress("Asking the server …"):
        listed = client.operations.list()
    found: Sequence[mtoken.Operation] = listed.operations
    if id is not None:
        exact = [operation for operation in found if operation.id == id]
        found = exact or [operation for operation in found if len(id) >= 4 and operation.id.startswith(id)]
        if not found:
            with progress("Asking the server …"):
                return client.operations.detail(id), listed.server_time
    if not found:
        raise Stop("nothing waits for approval")
    if len(found) > 1:
        short = show.short_ids(found)
        raise Stop("which one? " + ", ".join(short[operation.id] for operation in found), Exit.USAGE)
    return found[0], listed.server_time
