# SPDX-License-Identifier: Apache-2.0
"""What a comment says: sentences, and lines of two columns ("name         text")."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Sequence, Tuple, Union

_ITEM = re.compile(r"^ ?(\S(?:[^ ]| (?! ))*?) {2,}(\S.*)$")
_WIDEST_LABEL = 34
_SENTENCE = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?:(?<=[.!?])|(?<=[.!?][\")]))\s+(?=[A-Z0-9\"(`]|[a-z]+_)")
_STANDARD = ("Calls", "Task result", "Errors", "Returns")


@dataclass
class Doc:
    """A comment, taken apart."""

    lines: Tuple[str, ...]
    prose: str = ""
    """What is in no line of two columns; paragraphs are separated by empty lines."""
    items: Dict[str, str] = field(default_factory=dict)
    """Parameters and Calls, Task result, Errors, Returns."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def flat(self) -> str:
        return " ".join(line.strip() for line in self.lines)

    @property
    def summary(self) -> str:
        """The first sentence."""
        paragraph = self.prose.split("\n\n")[0].replace("\n", " ")
        return _SENTENCE.split(paragraph, maxsplit=1)[0] if paragraph else ""

    def said(self, label: str) -> str:
        """What a column, or a sentence that begins with the label and perhaps a colon, says."""
        if label in self.items:
            return self.items[label]
        match = re.search(rf"(?:^|[.)] ){label}:? (.*)$", self.prose.replace("\n\n", " \x00").replace("\n", " "))
        if match is None:
            return ""
        text = match[1].split("\x00")[0]
        for other in _STANDARD:
            if other != label:
                text = re.split(rf"(?<=[.)]) {other}:? ", text)[0]
        return text.strip()


def read(lines: Iterable[str]) -> Doc:
    """Takes a comment apart. Lines that are indented below an item go on from it."""
    doc = Doc(tuple(lines))
    prose: List[str] = []
    label = ""
    for line in doc.lines:
        item = _ITEM.match(line)
        if item and len(item[1]) <= _WIDEST_LABEL and not line.startswith("  "):
            label = item[1]
            doc.items[label] = item[2].strip()
        elif label and line.startswith("  "):
            doc.items[label] += " " + line.strip()
        else:
            label = ""
            prose.append(line.strip())
    doc.prose = "\n".join(prose).strip()
    return doc


def sentences(text: str) -> List[str]:
    return _SENTENCE.split(text) if text else []


def one_line(lines: Iterable[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())


@dataclass
class Paragraph:
    lines: List[str]


@dataclass
class Columns:
    """Lines of two columns: what stands in the first, and the lines of the second."""

    items: List[Tuple[str, List[str]]]


@dataclass
class Code:
    lines: List[str]


Block = Union[Paragraph, Columns, Code]


def blocks(lines: Sequence[str]) -> List[Block]:
    """A comment as it is laid out: paragraphs, lists where lines have a first column, code where they are indented."""
    indentation = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    lines = [lines[0].strip(), *(line[indentation:] for line in lines[1:])] if lines else []
    output: List[Block] = []
    fresh = True
    for line in lines:
        last = output[-1] if output else None
        if line.startswith("    ") and not isinstance(last, Columns) and (fresh or isinstance(last, Code)):
            if not isinstance(last, Code):
                output.append(last := Code([]))
            last.lines.append(line[4:])
            continue
        item = _ITEM.match(line)
        if item and len(item[1]) <= _WIDEST_LABEL:
            if not isinstance(last, Columns):
                output.append(last := Columns([]))
            last.items.append((item[1], [item[2]]))
        elif not line:
            fresh = True
        elif isinstance(last, Columns) and line.startswith(" "):
            last.items[-1][1].append(line.strip())
        else:
            if fresh or not isinstance(last, Paragraph):
                output.append(last := Paragraph([]))
            last.lines.append(line.strip())
            fresh = False
    return output
