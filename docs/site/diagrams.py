"""Pictures of text: the part of Mermaid that the pages use, drawn as SVG without a browser.

`sequenceDiagram` is laid out here, `flowchart` by Graphviz. Colours are classes: the page's style gives them, in light
and dark.
"""

from __future__ import annotations

import html
import re
import subprocess
from dataclasses import dataclass, field
from typing import Dict, List, Tuple

CHARACTER, LINE, PADDING, ROW = 7.4, 18, 12, 16


class DiagramError(Exception):
    """A line that is not of the part of Mermaid that is drawn."""


@dataclass
class Message:
    begin: int
    end: int
    text: str
    dashed: bool = False


@dataclass
class Note:
    begin: int
    end: int
    lines: List[str]


@dataclass
class Sequence:
    names: List[str] = field(default_factory=list)
    steps: List[object] = field(default_factory=list)


def svg(source: str) -> str:
    """The picture, for a page to carry inside."""
    lines = [line.strip() for line in source.strip().splitlines() if line.strip() and not line.strip().startswith("%%")]
    title = next((line.partition(":")[2].strip() for line in lines if line.startswith("accTitle:")), "")
    if not title:
        raise DiagramError("a picture needs an accTitle: what it shows, for those who do not see it")
    kind, *rest = [line for line in lines if not line.startswith("accTitle:")]
    if kind == "sequenceDiagram":
        drawn = draw(read_sequence(rest))
    elif match := re.fullmatch(r"flowchart (TB|LR)", kind):
        drawn = graph(match[1], rest)
    else:
        raise DiagramError(f"{kind}: neither sequenceDiagram nor flowchart TB or LR")
    label = html.escape(title)
    return drawn.replace("<svg ", f'<svg class="diagram" role="img" aria-label="{label}" ', 1)


# Sequences


def read_sequence(lines: List[str]) -> Sequence:
    found = Sequence()
    places: Dict[str, int] = {}
    for line in lines:
        if match := re.fullmatch(r"participant (\w+) as (.+)", line):
            places[match[1]] = len(found.names)
            found.names.append(match[2])
        elif match := re.fullmatch(r"(\w+)(--?)>>(\w+): (.+)", line):
            found.steps.append(Message(places[match[1]], places[match[3]], match[4], match[2] == "--"))
        elif match := re.fullmatch(r"Note over (\w+)(?:,(\w+))?: (.+)", line):
            begin = places[match[1]]
            found.steps.append(Note(begin, places[match[2]] if match[2] else begin, split(match[3])))
        else:
            raise DiagramError(line)
    return found


def split(text: str) -> List[str]:
    return re.split(r"<br ?/?>", text)


def width(lines: List[str]) -> float:
    return max(len(line) for line in lines) * CHARACTER


def columns(diagram: Sequence) -> Tuple[List[float], float]:
    """Where the lifelines stand, so that every text has room, and how wide the picture is."""
    boxes = [width([name]) + 2 * PADDING for name in diagram.names]
    gaps = [(left + right) / 2 + PADDING for left, right in zip(boxes, boxes[1:])]
    before, after = boxes[0] / 2, boxes[-1] / 2
    wanted: List[Tuple[int, int, float]] = []
    for step in diagram.steps:
        if isinstance(step, Message):
            begin, end = sorted((step.begin, step.end))
            wanted.append((begin, end, width([step.text]) + 2 * PADDING))
        elif isinstance(step, Note):
            room = width(step.lines) + 2 * PADDING
            if step.begin != step.end:
                wanted.append((step.begin, step.end, room))
                continue
            before = max(before, room / 2) if step.begin == 0 else before
            after = max(after, room / 2) if step.begin == len(boxes) - 1 else after
            wanted += [
                (left, left + 1, room / 2 + PADDING) for left in (step.begin - 1, step.begin) if 0 <= left < len(gaps)
            ]
    for begin, end, room in sorted(wanted, key=lambda one: one[1] - one[0]):
        missing = room - sum(gaps[begin:end])
        if missing > 0:
            for index in range(begin, end):
                gaps[index] += missing / (end - begin)
    places = [before + 1]
    for gap in gaps:
        places.append(places[-1] + gap)
    return places, places[-1] + after + 1


def draw(diagram: Sequence) -> str:
    places, whole = columns(diagram)
    body: List[str] = []
    y = 40.0
    for step in diagram.steps:
        if isinstance(step, Note):
            room = max(width(step.lines) + 2 * PADDING, places[step.end] - places[step.begin] + 4 * PADDING)
            middle = (places[step.begin] + places[step.end]) / 2
            tall = len(step.lines) * LINE + 8
            body.append(
                f'<rect class="note" x="{middle - room / 2:.0f}" y="{y:.0f}" '
                f'width="{room:.0f}" height="{tall}" rx="3"/>'
            )
            body += [text(middle, y + (index + 1) * LINE - 2, line) for index, line in enumerate(step.lines)]
            y += tall + ROW
        elif isinstance(step, Message):
            y += LINE
            begin, end = places[step.begin], places[step.end]
            towards = 1 if end > begin else -1
            kind = "message answer" if step.dashed else "message"
            body.append(text((begin + end) / 2, y - 6, step.text))
            body.append(f'<path class="{kind}" d="M{begin:.0f} {y:.0f}H{end - 7 * towards:.0f}"/>')
            body.append(f'<path class="head" d="M{end:.0f} {y:.0f}l{-9 * towards} -5v10z"/>')
            y += ROW
    lanes = [f'<path class="lane" d="M{place:.0f} 28V{y:.0f}"/>' for place in places]
    heads = []
    for name, place in zip(diagram.names, places):
        room = width([name]) + 2 * PADDING
        heads.append(f'<rect class="box" x="{place - room / 2:.0f}" y="1" width="{room:.0f}" height="28" rx="5"/>')
        heads.append(text(place, 20, name))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole:.0f} {y + 2:.0f}" width="{whole:.0f}">'
        + "".join([*lanes, *heads, *body])
        + "</svg>"
    )


def text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle">{html.escape(words)}</text>'


# Graphs

_NODE = r"(\w+)(?:\[\(\"(.+?)\"\)\]|\[\"(.+?)\"\])?"
_EDGE = re.compile(rf"{_NODE} (-->|-\.->)(?:\|\"(.+?)\"\|)? {_NODE}")


def graph(direction: str, lines: List[str]) -> str:
    """Nodes id["text"] or, if stored, id[("text")]; edges -->, -.-> and -->|"text"|; subgraph id ["text"], end."""
    body: List[str] = []
    for line in lines:
        if match := re.fullmatch(r'subgraph (\w+) ?\["(.+)"\]', line):
            body.append(f"subgraph cluster_{match[1]} {{ label={quoted(match[2])};")
        elif line == "end":
            body.append("}")
        elif match := _EDGE.fullmatch(line):
            begin, stored, shown, arrow, label, end, end_stored, end_shown = match.groups()
            body += [*node(begin, stored, shown), *node(end, end_stored, end_shown)]
            style = " style=dashed" if arrow == "-.->" else ""
            body.append(f"{begin} -> {end} [label={quoted(f'  {label}  ' if label else '')}{style}];")
        elif match := re.fullmatch(_NODE, line):
            body += node(*match.groups())
        else:
            raise DiagramError(line)
    settings = (
        f"rankdir={direction}; bgcolor=transparent; nodesep=0.35; ranksep=0.45;"
        'graph [fontname="Arial" fontsize=13]; edge [fontname="Arial" fontsize=12 arrowsize=0.7];'
        'node [fontname="Arial" fontsize=13 shape=box style="rounded,filled" margin="0.18,0.08"];'
    )
    source = f"digraph {{ {settings} {' '.join(body)} }}"
    done = subprocess.run(["dot", "-Tsvg"], input=source, capture_output=True, text=True, check=True)
    drawn = done.stdout[done.stdout.index("<svg ") :]
    drawn = re.sub(r"<!--.*?-->|<title>.*?</title>", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r' (?:id|fill|stroke|font-family)="[^"]*"', "", drawn)  # the page's style has the colours
    return re.sub(r"\s*\n\s*", "", drawn)


def node(name: str, stored: str | None, shown: str | None) -> List[str]:
    label = stored or shown
    return [f"{name} [label={quoted(label)}{' shape=cylinder' if stored else ''}];"] if label else []


def quoted(label: str) -> str:
    return '"' + label.replace("\\", "\\\\").replace('"', '\\"').replace("<br>", "\\n") + '"'
