"""Plots of the benchmarks: from the table of Tests/bench/README.md, or of build/bench.json if a run left it."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "Tests" / "bench" / "README.md"
LATEST = ROOT / "build" / "bench.json"
NAMES, BAR, ROW = 470, 380, 22
ROW_OF_TABLE = re.compile(
    r"^\| (?P<name>[^|]+) \| (?P<library>[\d.,]+)[^|]* \| [\d.,]+[^|]* \| (?P<ratio>[\d.]+)"
    r" \| (?P<target>[\d.]+) (?:reached|missed) \|$",
    re.MULTILINE,
)


class Figure(NamedTuple):
    name: str
    library: str
    ratio: float
    target: float


def figures(table: Path = TABLE, latest: Path = LATEST) -> List[Figure]:
    """What was measured and has a target."""
    newer: Dict[str, float] = {}
    if latest.exists():
        newer = {row["name"]: row["ratio"] for row in json.loads(latest.read_text(encoding="utf-8"))}
    found = []
    for row in ROW_OF_TABLE.finditer(table.read_text(encoding="utf-8")):
        name = row["name"].strip()
        found.append(Figure(name, row["library"], newer.get(name, float(row["ratio"])), float(row["target"])))
    return found


def ratios(measured: List[Figure]) -> str:
    """A bar for each ratio, and a tick where its target is."""
    scale = BAR / max(2.0, *(max(one.ratio, one.target) for one in measured))
    body: List[str] = []
    for index, one in enumerate(measured):
        y = index * ROW + 24
        kind = "reached" if one.ratio <= one.target else "missed"
        body.append(label(NAMES - 8, y + 14, re.sub("; latency.*", "", one.name), "end"))
        body.append(
            f'<rect class="{kind}" x="{NAMES}" y="{y + 3}" width="{one.ratio * scale:.1f}" height="{ROW - 7}"/>'
        )
        tick = NAMES + one.target * scale
        body.append(f'<path class="tick" d="M{tick:.1f} {y}v{ROW - 1}"/>')
        body.append(label(max(tick, NAMES + one.ratio * scale) + 6, y + 14, f"{one.ratio:.2f}"))
    grid = [
        f'<path class="grid" d="M{NAMES + step * scale / 2:.1f} 18V{len(measured) * ROW + 24}"/>'
        + label(NAMES + step * scale / 2, 13, f"{step / 2:g}", "middle")
        for step in range(int(BAR / scale * 2) + 1)
    ]
    return picture(
        len(measured) * ROW + 28,
        [*grid, *body],
        "How many times the work that it cannot avoid the library takes; the mark is the target",
    )


def opening(measured: List[Figure]) -> Optional[str]:
    """How many clients a second are opened, while more and more are open."""
    found = []
    for one in measured:
        count = re.fullmatch(r"opening a client, (\d+) open", one.name)
        if count:
            found.append((int(count[1]), float(one.library.replace(",", ""))))
    if len(found) < 2:
        return None
    most = max(rate for _, rate in found)
    body: List[str] = []
    for index, (open_, rate) in enumerate(found):
        y = index * ROW + 4
        body.append(label(NAMES - 8, y + 14, f"{open_:,} open", "end"))
        body.append(
            f'<rect class="reached" x="{NAMES}" y="{y + 3}" width="{rate / most * BAR:.1f}" height="{ROW - 7}"/>'
        )
        body.append(label(NAMES + rate / most * BAR + 6, y + 14, f"{rate:,.0f} a second"))
    return picture(len(found) * ROW + 8, body, "Clients opened in a second, while many are open")


def label(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(words)}</text>'


def picture(height: int, body: List[str], title: str) -> str:
    return (
        '<figure markdown="0"><svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" '
        f'aria-label="{title}" viewBox="0 0 {NAMES + BAR + 110} {height}">{"".join(body)}</svg>'
        f"<figcaption>{title}</figcaption></figure>"
    )


def page() -> str:
    """The plots, for the page of the benchmarks."""
    measured = figures()
    if not measured:
        raise ValueError(f"{TABLE}: no figure with a target")
    drawn = [ratios(measured), opening(measured)]
    return "\n\n".join(one for one in drawn if one)
