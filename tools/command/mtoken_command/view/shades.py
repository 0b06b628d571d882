# SPDX-License-Identifier: Apache-2.0
"""The named colours of the view, all readable on a dark ground, also as shades of grey."""

from __future__ import annotations

from rich.terminal_theme import TerminalTheme

_COLOURS = [
    (0, 0, 0),
    (255, 115, 115),  # red
    (125, 210, 90),  # green
    (240, 190, 80),  # yellow
    (125, 180, 255),  # blue
    (220, 150, 255),  # magenta
    (90, 205, 225),  # cyan
    (224, 224, 224),
]
SHADES = TerminalTheme((18, 18, 18), (224, 224, 224), _COLOURS, _COLOURS)
