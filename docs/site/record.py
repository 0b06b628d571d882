# SPDX-License-Identifier: Apache-2.0
"""Records the terminal of the home page: a real run of the command against the development server, as a moving picture.

python docs/site/record.py FILE        needs tmux, the built library, and the packages of build/venv

What is typed and when is written below; everything else is what the terminal shows. The times are those of a person at
a keyboard, not those of the machine: the picture takes 20 seconds whatever the machine does.
"""

from __future__ import annotations

import html
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Tuple
from xml.sax.saxutils import quoteattr

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("Tests/python", "tools/command/tests", "bindings/python/src")]

from devserver import PAYMENT, DevServer  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.style import Style  # noqa: E402
from rich.terminal_theme import SVG_EXPORT_THEME as THEME  # noqa: E402
from rich.text import Text  # noqa: E402
from screens import Terminal, strokes, without_lines  # noqa: E402

COLUMNS, LINES = 84, 24
KEY, PAUSE = 0.045, 1.0
"""Seconds from key to key, and to read what came."""
WIDTH, HEIGHT = 8.4, 18
SECONDS = 20.0
FRONT, BACK = THEME.foreground_color.hex, THEME.background_color.hex
TITLE = "A terminal in which the command activates a device, lists what waits and approves it"

Frame = Tuple[float, List[str]]
"""A screen, and how long it stays."""


class Recorder:
    """Types like a person, and takes a picture after every few keys."""

    def __init__(self, terminal: Terminal):
        self._terminal = terminal
        self.frames: List[Frame] = []

    def shot(self, seconds: float) -> None:
        self.frames.append((seconds, self._terminal.colours()))

    def write(self, words: str, *, hidden: bool = False) -> None:
        if hidden:
            self._terminal.wait_for_secret()
        for start in range(0, len(words), 3):
            part = words[start : start + 3]
            self._terminal.keys(part)
            if not hidden:
                self._terminal.wait(rf"{re.escape(words[: start + 3])}\Z")
                self.shot(KEY * len(part))

    def run(self, line: str, wait: str, pause: float = PAUSE) -> None:
        """A command, until the screen shows what it waits for."""
        self.write(line)
        self._terminal.press("Enter")
        self._terminal.wait(wait)
        self.shot(pause)

    def answer(self, words: str, wait: str, pause: float = PAUSE, *, hidden: bool = False) -> None:
        self.write(words, hidden=hidden)
        self._terminal.press("Enter")
        self._terminal.wait(wait)
        self.shot(pause)

    def clear(self) -> None:
        self._terminal.clear()
        self.shot(0.3)


def record(folder: Path) -> List[Frame]:
    server = DevServer(folder / "server")
    try:
        home = folder / "home"
        (home / "bin").mkdir(parents=True)
        program = home / "bin" / "mtoken"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mtoken_command "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        server.new_operation(userId="alice", template="login")
        server.new_operation(userId="alice", template="authorize_payment", parameters=PAYMENT)
        code = server.new_activation("alice", commitPhase="ON_KEY_EXCHANGE")["activationCode"]
        place = {"SERVER": server.url, "CONFIG": server.configuration, "CA": server.ca_file}
        environment = {**kept(), **place, "HOME": str(home), "PATH": f"{home / 'bin'}:{os.environ['PATH']}"}
        environment["PYTHONPATH"] = f"{ROOT}/bindings/python/src:{ROOT}/tools/command"
        with Terminal(home, environment, COLUMNS, LINES) as terminal:
            recorder = Recorder(terminal)
            recorder.shot(0.5)
            recorder.run('mtoken profile add bank --server "$SERVER" --config "$CONFIG" --ca "$CA"', r"\n\$ \Z", 0.8)
            recorder.run(f"mtoken activate {code}", "PIN: $", 0.6)
            recorder.answer("2468", "(?i)again|repeat", 0.4, hidden=True)
            recorder.answer("2468", r"\n\$ \Z", 1.6, hidden=True)
            recorder.clear()
            recorder.run("mtoken list", r"\n\$ \Z", 2.2)
            payment = server.admin("GET", "/operations", userId="alice")["operations"][-1]["operationId"]
            recorder.run(f"mtoken approve {payment[:4]}", r"\[y/N\]: $", 2.5)
            recorder.answer("y", "PIN: $", 0.7)
            recorder.answer("2468", r"\n\$ \Z", 2.5, hidden=True)
            return recorder.frames
    finally:
        server.stop()


def kept() -> Dict[str, str]:
    left_out = ("XDG_", "MTOKEN_PROFILE")
    return {name: value for name, value in os.environ.items() if not name.startswith(left_out)}


# The picture


def parts(line: str) -> Iterator[Tuple[int, str, Style]]:
    """What looks alike in a line: column, words, style."""
    column = 0
    for segment in Text.from_ansi(line).render(Console(color_system="truecolor")):
        if segment.text.strip("\n"):
            yield column, segment.text, segment.style or Style()
        column += len(segment.text)


def drawn(line: str) -> str:
    """A line of the terminal at the origin."""
    made = []
    for column, words, style in parts(line):
        x, width = column * WIDTH, len(words) * WIDTH
        front = style.color.get_truecolor(THEME).hex if style.color else FRONT
        back = style.bgcolor.get_truecolor(THEME, foreground=False).hex if style.bgcolor else BACK
        if style.reverse:
            front, back = back, front
        if back != BACK:
            made.append(f'<rect x="{x:.1f}" width="{width:.1f}" height="{HEIGHT}" fill="{back}"/>')
        lines = strokes(words, x, 0, front, WIDTH, HEIGHT, 1.1)
        made += (line.replace("/>", ' opacity=".7"/>') if style.dim else line for line in lines)
        words = without_lines(words)
        if words.strip():
            looks = f' fill="{front}"' if front != FRONT else ""
            looks += ' font-weight="bold"' if style.bold else ""
            looks += ' opacity=".7"' if style.dim else ""
            shown = html.escape(words.rstrip()).replace(" ", "\N{NO-BREAK SPACE}")
            length = len(words.rstrip()) * WIDTH
            made.append(f'<text x="{x:.1f}" y="13.5" textLength="{length:.1f}"{looks}>{shown}</text>')
    return "".join(made)


def picture(frames: List[Frame]) -> str:
    """All screens below each other, of which the window shows one at a time. Equal lines are drawn once."""
    scale = SECONDS / sum(seconds for seconds, _ in frames)
    lines: Dict[str, str] = {}
    screens: List[str] = []
    keys: List[str] = []
    past = 0.0
    tall = LINES * HEIGHT
    for number, (seconds, screen) in enumerate(frames):
        keys.append(f"{past / SECONDS * 100:.2f}%{{transform:translateY(-{number * tall}px)}}")
        past += seconds * scale
        for row, line in enumerate(screen[:LINES]):
            if Text.from_ansi(line).plain.strip() or "\x1b[7m" in line:
                name = lines.setdefault(line, f"l{len(lines)}")
                screens.append(f'<use href="#{name}" y="{number * tall + row * HEIGHT}"/>')
    keys.append(f"100%{{transform:translateY(-{(len(frames) - 1) * tall}px)}}")
    wide = COLUMNS * WIDTH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + 32:.0f} {tall + 60}" role="img" '
        f'aria-label="{TITLE}">'
        f"<style>text{{font:14px Consolas,Menlo,'DejaVu Sans Mono','Liberation Mono',monospace}}"
        f".film{{animation:film {SECONDS:g}s steps(1,end) infinite}}"
        f"@keyframes film{{{''.join(keys)}}}"
        "@media(prefers-reduced-motion:reduce){.film{animation:none;"
        f"transform:translateY(-{(len(frames) - 1) * tall}px)}}}}"
        f'</style><rect width="100%" height="100%" rx="8" fill="{BACK}"/>'
        '<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/>'
        '<circle cx="60" cy="18" r="6" fill="#28c840"/>'
        f"<defs>{''.join(f'<g id={quoteattr(name)}>{drawn(line)}</g>' for line, name in lines.items())}</defs>"
        f'<svg x="16" y="40" width="{wide:.0f}" height="{tall}" viewBox="0 0 {wide:.0f} {tall}">'
        f'<g class="film" fill="{FRONT}">'
        f"{''.join(screens)}</g></svg></svg>\n"
    )


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        frames = record(Path(folder))
    made = picture(frames)
    Path(sys.argv[1]).write_text(made, encoding="utf-8")
    print(f"recording: {len(frames)} screens, {len(made.encode()) // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
