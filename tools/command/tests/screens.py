"""The command in a real terminal, tmux, and pictures of what it shows."""

from __future__ import annotations

import html
import io
import os
import re
import subprocess
import termios
import time
from pathlib import Path
from typing import Dict, Iterator, List

from rich.console import Console
from rich.text import Text

COLUMNS, LINES = 100, 60
PROMPT = "$ "


class Terminal:
    """A shell in a terminal of its own."""

    def __init__(self, folder: Path, environment: Dict[str, str], columns: int = COLUMNS, lines: int = LINES):
        self._tmux = ["tmux", "-u", "-f", "/dev/null", "-S", str(folder / "tmux")]
        variables = {
            name: value for name, value in environment.items() if name not in ("TERM", "TMUX", "COLUMNS", "LINES")
        }
        variables |= {"PS1": PROMPT, "HISTFILE": "/dev/null", "TERM": "xterm", "LANG": "C.UTF-8"}
        size = ["-x", str(columns), "-y", str(lines)]
        command = [*self._tmux, "new-session", "-d", *size, "-c", str(folder), "bash", "--norc", "--noprofile"]
        subprocess.run(command, env=variables, check=True)
        self.wait(rf"^{re.escape(PROMPT)}$")

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=True)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def keys(self, words: str) -> None:
        """What the user types."""
        subprocess.run([*self._tmux, "send-keys", "-l", "--", words], check=True)

    def type(self, line: str) -> None:
        """What the user types, and Enter."""
        self.keys(line)
        self.press("Enter")

    def press(self, key: str) -> None:
        """A key by the name that tmux has for it."""
        subprocess.run([*self._tmux, "send-keys", key], check=True)

    def _ask(self, *command: str) -> str:
        return subprocess.run([*self._tmux, *command], check=True, capture_output=True, text=True).stdout

    def text(self) -> str:
        """What the screen shows, as far as the cursor: the space behind a question tells that it waits."""
        column, row = map(int, self._ask("display-message", "-p", "#{cursor_x} #{cursor_y}").split())
        lines = self._ask("capture-pane", "-p").split("\n")
        lines[row] = lines[row].ljust(column)
        return "\n".join(lines).rstrip("\n")

    def wait(self, pattern: str) -> None:
        """Waits until the screen shows it."""
        deadline = time.monotonic() + 60
        while not re.search(pattern, shown := self.text(), re.MULTILINE):
            assert time.monotonic() < deadline, f"{pattern} does not come:\n{shown}"
            time.sleep(0.05)

    def wait_for_secret(self) -> None:
        """Waits until what is typed is not shown: whatever came before is thrown away."""
        deadline = time.monotonic() + 60
        tty = os.open(self._ask("display-message", "-p", "#{pane_tty}").strip(), os.O_RDWR | os.O_NOCTTY)
        try:
            # A line editor echoes by itself: with it on, the terminal hands over key by key.
            while termios.tcgetattr(tty)[3] & (termios.ECHO | termios.ICANON) != termios.ICANON:
                assert time.monotonic() < deadline, f"no secret is asked for:\n{self.text()}"
                time.sleep(0.02)
        finally:
            os.close(tty)

    def run(self, line: str) -> None:
        """Clears the screen, runs a command to its end, and leaves what it has printed."""
        self.clear()
        self.type(line)
        self.wait(rf"\n{re.escape(PROMPT)}\Z")

    def clear(self) -> None:
        """An empty screen with a prompt."""
        self.type("clear")
        self.wait(rf"\A{re.escape(PROMPT)}\Z")

    def _coloured(self) -> List[str]:
        """The screen's lines with their colours. A colour that goes on in the next line is said there again."""
        lines, going_on = [], ""
        for line in self._ask("capture-pane", "-p", "-e").rstrip("\n").split("\n"):
            lines.append(going_on + line)
            for code in re.findall(r"\x1b\[[\d;]*m", line):
                going_on = "" if code in ("\x1b[m", "\x1b[0m") else going_on + code
        return lines

    def colours(self) -> List[str]:
        """The screen's lines, with the codes of their colours, and the cursor as a reversed space."""
        lines = self._coloured()
        column, row = map(int, self._ask("display-message", "-p", "#{cursor_x} #{cursor_y}").split())
        if row >= len(lines) or len(Text.from_ansi(lines[row]).plain) <= column:
            lines += [""] * (row + 1 - len(lines))
            lines[row] += " " * (column - len(Text.from_ansi(lines[row]).plain)) + "\x1b[7m \x1b[0m"
        return lines

    def picture(self, name: str) -> str:
        """The screen as SVG, with its colours; a prompt at its end is left out."""
        lines = self._coloured()
        if lines and Text.from_ansi(lines[-1]).plain.strip() == PROMPT.strip():
            lines.pop()
        console = Console(record=True, width=COLUMNS, force_terminal=True, color_system="truecolor", file=io.StringIO())
        for line in lines:
            console.print(Text.from_ansi(line), no_wrap=True, crop=False)
        drawn = console.export_svg(title=f"mtoken {name}", unique_id=name)
        return finished(drawn)


CELL, PITCH = 12.2, 24.4
"""How wide a character is in a picture, and how far a line is from the next."""
ARMS = {
    "─": "lr", "│": "ud", "╭": "rd", "╮": "ld", "╰": "ur", "╯": "ul", "┌": "rd", "┐": "ld", "└": "ur", "┘": "ul", "├": "urd",
    "┤": "uld", "┬": "lrd", "┴": "ulr", "┼": "ulrd", "╴": "l", "╵": "u", "╶": "r", "╷": "d", "━": "lr", "╌": "lr",
}  # fmt: skip
"""Where the lines of a character lead: up, left, right, down."""


def finished(picture: str) -> str:
    """Without fonts from elsewhere, and with lines where characters stand for lines: those of most fonts leave gaps."""
    picture = re.sub(r"\s*@font-face \{.*?\}\n", "\n", picture, flags=re.DOTALL)
    colours = dict(re.findall(r"\.([\w-]+) \{ fill: (#\w+)", picture))
    piece = re.compile(
        r'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)" (textLength="[^"]*" clip-path="[^"]*")>(.*?)</text>'
    )

    def drawn(found: re.Match[str]) -> str:
        name, x, y, more, content = found.groups()
        words = html.unescape(content)
        if not set(words) & set(ARMS):
            return found[0]
        lines = "".join(strokes(words, float(x), float(y) - 18.5, colours[name]))
        shown = html.escape(without_lines(words), quote=False).replace("\N{NO-BREAK SPACE}", "&#160;")
        return f'<text class="{name}" x="{x}" y="{y}" {more}>{shown}</text>{lines}'

    return piece.sub(drawn, picture)


def without_lines(words: str) -> str:
    return "".join("\N{NO-BREAK SPACE}" if one in ARMS else one for one in words)


def strokes(
    words: str, x: float, top: float, colour: str, cell: float = CELL, pitch: float = PITCH, thin: float = 1.5
) -> Iterator[str]:
    """The lines that characters stand for, drawn from edge to edge of their cells."""
    middle, bottom = top + pitch / 2, top + pitch
    for kind in ("━", "╌", ""):
        path = ""
        for run in re.finditer(r"([─━╌])\1*|[╭╮╰╯┌┐└┘├┤┬┴┼│╴╵╶╷]", words):
            one = run[0][0]
            if (one if one in "━╌" else "") != kind:
                continue
            left, right = x + run.start() * cell, x + run.end() * cell
            centre = left + cell / 2
            ends = {"u": f"V{top:.5g}", "d": f"V{bottom:.5g}", "l": f"H{left:.5g}", "r": f"H{right:.5g}"}
            if one in "╭╮╰╯":
                upright, level = ("d" if one in "╭╮" else "u"), ("r" if one in "╭╰" else "l")
                curve = middle + (cell / 2 if upright == "d" else -cell / 2)
                side = right if level == "r" else left
                path += f"M{side:.5g} {middle:.5g}Q{centre:.5g} {middle:.5g} {centre:.5g} {curve:.5g}{ends[upright]}"
            elif len(run[0]) > 1:
                path += f"M{left:.5g} {middle:.5g}{ends['r']}"
            else:
                path += "".join(f"M{centre:.5g} {middle:.5g}{ends[arm]}" for arm in ARMS[one])
        if path:
            dashes = f' stroke-dasharray="{cell * 0.4:.3g} {cell * 0.25:.3g}"' if kind == "╌" else ""
            width = thin * 2.3 if kind == "━" else thin
            yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:.3g}"{dashes}/>'


def text_of(picture: str) -> str:
    """What a picture shows."""
    lines: Dict[int, List[str]] = {}
    for number, content in re.findall(r'<text [^>]*-line-(\d+)\)">(.*?)</text>', picture, re.DOTALL):
        lines.setdefault(int(number), []).append(html.unescape(content).replace("\N{NO-BREAK SPACE}", " "))
    return "\n".join("".join(lines[number]).rstrip() for number in sorted(lines))
