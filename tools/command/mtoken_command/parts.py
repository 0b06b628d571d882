# SPDX-License-Identifier: Apache-2.0
"""Shared by several commands: answer in words or JSON, ask at the terminal, find an operation."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Mapping, Optional, Sequence, Tuple

import mtoken
import typer
from rich.text import Text

from . import naming, show
from .output import Exit, Stop, clean, err, out, print_json, progress


def say(as_json: bool, document: object, words: str) -> None:
    """Prints the result of a command, as JSON or in words."""
    if as_json:
        print_json(document)
    else:
        out.print(Text(naming.named(words)), soft_wrap=True)


def confirm(question: str, yes: bool, *, may_decline: bool = False) -> bool:
    """Asks at the terminal, unless --yes was given. "No" ends the command, unless the caller handles it."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise Stop("there is no terminal to ask for confirmation: check the details, then use --yes", Exit.USAGE)
    agreed = typer.confirm(question, err=True)
    if not agreed and not may_decline:
        raise Stop("nothing was done", Exit.DECLINED)
    return agreed


def begins_with(ids: Sequence[str], id: str) -> Sequence[str]:
    """The ids that equal the text or, if it has four characters or more, begin with it."""
    return [id] if id in ids else [other for other in ids if len(id) >= 4 and other.startswith(id)]


def choice(waiting: Mapping[str, str]) -> str:
    """The only id; if there are several, the one that the user chooses at the terminal."""
    ids = list(waiting)
    if len(ids) == 1:
        return ids[0]
    short = show.short_ids(ids)
    lines = [f"{short[id]}  {clean(waiting[id])}" for id in ids]
    if not sys.stdin.isatty():
        raise Stop("choose one of:\n  " + "\n  ".join(lines), Exit.USAGE)
    for number, line in enumerate(lines, 1):
        err.print(show.text(f"{number:>3}  {line}"), soft_wrap=True)
    while True:
        typed = typer.prompt("Which one", err=True).strip()
        if typed.isdecimal() and 1 <= int(typed) <= len(ids):
            return ids[int(typed) - 1]
        err.print(f"A number from 1 to {len(ids)}; Ctrl-C: none of them")


def find_operation(
    client: mtoken.Client, id: Optional[str], *, whole: bool = False
) -> Tuple[mtoken.Operation, Optional[datetime]]:
    """The pending operation whose id is, or begins with, the text; without one, if only one waits.

    whole  no user will look at it, so a beginning is not enough: the bank chooses the ids
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
    operation = waiting[choice({one: show.about(waiting[one]) for one in found})]
    if whole and operation.id != id:
        raise Stop(f"with --yes the id must be whole: {clean(operation.id)}", Exit.USAGE)
    return operation, listed.server_time
