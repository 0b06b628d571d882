# SPDX-License-Identifier: Apache-2.0
"""The keys of a screen, at its bottom, in two lines if one is too short."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.style import Style
from rich.text import Text
from textual.widgets import Static

Key = Tuple[str, str, str]
"""A key, its effect, and the action of a click; empty: no action."""


class _Keys:
    def __init__(self, keys: Sequence[Key]):
        self._keys = keys

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines: List[Text] = []
        for key, words, action in self._keys:
            piece = Text.assemble((key, "bold"), " ", words, no_wrap=True)
            if action:
                piece.stylize(Style(meta={"@click": action}))
            if lines and lines[-1].cell_len + 2 + piece.cell_len <= options.max_width:
                lines[-1].append("  ").append_text(piece)
            else:
                lines.append(piece)
        yield from lines


class KeyBar(Static):
    """The keys that work now."""

    def __init__(self, keys: Sequence[Key]):
        super().__init__(_Keys(keys), classes="keys")
