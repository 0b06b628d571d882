# SPDX-License-Identifier: Apache-2.0
"""Layouts that lose no character in a narrow terminal: a value that does not fit beside its name goes below it."""

from __future__ import annotations

from typing import Iterable, List, Sequence, Tuple, Union

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from .output import Exit, Stop, err

NARROWEST = 20
"""The narrowest terminal in which an operation can be shown, and therefore approved."""
_GAP = 3
_LEAST_VALUE = 24


def require_width() -> None:
    """Refuses an approval in a terminal too narrow to show the operation."""
    if err.width < NARROWEST:
        raise Stop(f"the terminal is too narrow to show the operation: it needs {NARROWEST} columns", Exit.USAGE)


class Verbatim:
    """A text broken at the edge, not at words, so that it keeps every character, spaces too."""

    def __init__(self, text: Text):
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.text.plain.expandtabs(8).split("\n"):
            for piece in chop_cells(line, max(2, options.max_width)) or [""]:
                yield Text(piece, style=self.text.style, no_wrap=True, overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widest = max(cell_len(line) for line in self.text.plain.expandtabs(8).split("\n"))
        return Measurement(min(2, options.max_width), max(1, min(widest, options.max_width)))


class Facts:
    """Names and values: side by side if there is room for both, otherwise each value below its name."""

    def __init__(self, min_width: int = 18):
        self._min_width = min_width
        self._rows: List[Tuple[Text, RenderableType]] = []

    def add_row(self, name: Union[str, Text], value: RenderableType) -> None:
        """Texts are taken as they are, without markup."""
        words = name if isinstance(name, Text) else Text(name)
        self._rows.append((words, Text(value) if isinstance(value, str) else value))

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        names = max((_width(name) for name, _ in self._rows), default=0)
        names = max(self._min_width, names)
        if options.max_width >= names + _GAP + _LEAST_VALUE:
            table = Table.grid(padding=(0, _GAP))
            # Names are not broken, and the values form one column.
            table.add_column(style="dim", width=names, overflow="fold")
            table.add_column(width=options.max_width - names - _GAP, overflow="fold")
            for name, value in self._rows:
                table.add_row(name, value)
            yield table
            return
        for name, value in self._rows:
            label = folded(name)
            label.stylize("dim")
            yield label
            yield Padding(
                folded(value) if isinstance(value, Text) else value, (0, 0, 0, 2 if options.max_width > 10 else 0)
            )


def folded(text: Text) -> Text:
    """A text whose long words are broken, not cut."""
    text = text.copy()
    text.overflow = "fold"
    text.no_wrap = False
    return text


def _width(text: Text) -> int:
    return max((cell_len(line) for line in text.plain.split("\n")), default=0)


class Card:
    """A box with a title: in its frame if it fits, otherwise in its first lines."""

    def __init__(self, content: RenderableType, title: Text, *, style: str = "none", roomy: bool = False):
        self._content, self._title, self._style, self._roomy = content, title, style, roomy

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        fits = "\n" not in self._title.plain and "\t" not in self._title.plain
        fits = fits and cell_len(self._title.plain) <= options.max_width - 6
        content = self._content
        if not fits:
            content = Group(folded(self._title), content)
        padding = (1, 2) if self._roomy and options.max_width >= 48 else (0, 1)
        yield Panel(
            content, title=self._title if fits and self._title.plain else None, title_align="left", padding=padding,
            border_style=self._style, expand=True,
        )  # fmt: skip


class Heading:
    """A line with a title in it; a title that is too long has lines of its own."""

    def __init__(self, title: Text):
        self._title = title

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if "\n" in self._title.plain or cell_len(self._title.plain.expandtabs(8)) > options.max_width - 6:
            yield folded(self._title)
        else:
            yield Rule(self._title, align="left", style="dim")


class Listing:
    """Rows of a list: a table if it fits, otherwise the cells of each row below each other."""

    def __init__(self, headers: Sequence[str], flexible: int, *, right: Iterable[int] = ()):
        self._headers, self._flexible, self._right = headers, flexible, set(right)
        self._rows: List[Sequence[Text]] = []

    def add_row(self, *cells: Text) -> None:
        self._rows.append(cells)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < self._needed():
            for number, row in enumerate(self._rows):
                if number:
                    yield Text()
                for cell in row:
                    if cell.plain:
                        yield folded(cell)
            return
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for place, header in enumerate(self._headers):
            if place == self._flexible:
                table.add_column(header, ratio=3, overflow="fold")
            else:
                style = "cyan" if place == 0 else None
                if place in self._right:
                    table.add_column(header, style=style, justify="right", no_wrap=True, overflow="fold")
                else:
                    table.add_column(header, style=style, no_wrap=True, overflow="fold")
        for row in self._rows:
            table.add_row(*row)
        yield table

    def _needed(self) -> int:
        total = 2
        for place, header in enumerate(self._headers):
            least = (
                24 if place == self._flexible else max([cell_len(header), *(_width(row[place]) for row in self._rows)])
            )
            total += least + 2
        return total
