# SPDX-License-Identifier: Apache-2.0
"""The row of an operation: title and amount, the message, and a bar that shrinks until it expires."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Iterator, Optional

import mtoken
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from .. import show

_INDENT = 2
_HURRY = timedelta(minutes=1)


def bar(operation: mtoken.Operation, now: datetime, width: int) -> Text:
    """The bar of the time left: full when the operation was created, empty when it expires."""
    whole = (operation.expires - operation.created).total_seconds()
    left = (operation.expires - now).total_seconds()
    part = 0.0 if whole <= 0 else min(1.0, max(0.0, left / whole))
    filled = round(part * width)
    if left > 0:
        filled = max(1, filled)
    style = "red" if left <= _HURRY.total_seconds() else "green"
    return Text.assemble(("━" * filled, style), ("╌" * (width - filled), "dim"))


def _second(words: str, width: int, chosen: bool) -> Text:
    """A second line, cut to the width, and dim unless its row is selected."""
    line = show.text(words.replace("\n", " "), "" if chosen else "dim")
    line.truncate(max(1, width - _INDENT), overflow="ellipsis")
    return Text.assemble(" " * _INDENT, line, no_wrap=True)


def _headline(operation: mtoken.Operation, width: int, chosen: bool) -> Iterator[Text]:
    """Title and amount, beside each other or, if there is no room, below."""
    # Not by colour alone: the mark shows the selected row.
    mark = Text("▸ " if chosen else "  ", "bold")
    title = show.text(operation.title or operation.name, "bold")
    amounts = [attribute for attribute in operation.attributes if isinstance(attribute, mtoken.AmountAttribute)]
    amount = show.amount_text(amounts[0].amount) if amounts else Text()
    room = width - _INDENT - (cell_len(amount.plain) + 1 if amount.plain else 0)
    if room >= min(cell_len(title.plain), 12):
        title.truncate(max(1, room), overflow="ellipsis", pad=True)
        yield Text.assemble(mark, title, " " if amount.plain else "", amount, no_wrap=True)
    else:
        title.truncate(max(1, width - _INDENT), overflow="ellipsis")
        yield Text.assemble(mark, title, no_wrap=True)
        yield Text.assemble(" " * _INDENT, amount)


class PastRow:
    """One operation of the history, with its status and date."""

    def __init__(self, operation: mtoken.Operation, chosen: bool):
        self._operation, self._chosen = operation, chosen

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        operation, width = self._operation, options.max_width
        yield from _headline(operation, width, self._chosen)
        yield Text.assemble(
            " " * _INDENT, show.status_text(operation), f" · {show.when(operation.created)}", no_wrap=True
        )
        if operation.message:
            yield _second(operation.message, width, self._chosen)
        yield Text()


class Row:
    """One operation, as wide as the list."""

    def __init__(self, operation: mtoken.Operation, now: datetime, chosen: bool, sent: Optional[Text] = None):
        self._operation, self._now, self._chosen, self._sent = operation, now, chosen, sent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        operation, width = self._operation, options.max_width
        yield from _headline(operation, width, self._chosen)
        if self._sent is not None:
            yield Text.assemble(" " * _INDENT, self._sent, no_wrap=True)
        elif operation.contradictions:
            yield Text("  does not show what it signs", "bold red")
        elif operation.message:
            yield _second(operation.message, width, self._chosen)
        left = show.remaining(operation.expires, self._now)
        room = max(4, width - _INDENT - 9)
        yield Text.assemble(" " * _INDENT, bar(operation, self._now, room), f" {left:>8}", no_wrap=True)
        yield Text()


class MessageRow:
    """A message of the bank: its subject, when it was sent, and its summary."""

    def __init__(self, message: mtoken.InboxMessage, chosen: bool, read: bool):
        self._message, self._chosen, self._read = message, chosen, read

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        message, width = self._message, options.max_width
        mark = ("▸" if self._chosen else " ") + (" " if self._read else "●") + " "
        subject = show.text(message.subject.replace("\n", " "), "" if self._read else "bold")
        subject.truncate(max(1, width - len(mark)), overflow="ellipsis")
        yield Text.assemble((mark, "bold"), subject, no_wrap=True)
        for words in (show.when(message.created), message.summary):
            if words:
                line = _second(words, width - 1, self._chosen)
                yield Text.assemble(" ", line, no_wrap=True)
        yield Text()
