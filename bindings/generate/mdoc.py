# SPDX-License-Identifier: Apache-2.0
"""The language of the man pages, mdoc(7)."""

from __future__ import annotations

import re
from typing import Iterable, List, Sequence, Tuple

from . import docs


def escape(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(character if ord(character) < 128 else f"\\[u{ord(character):04X}]" for character in text)
    return "\\&" + text if text[:1] in (".", "'") else text


def argument(text: str) -> str:
    """A text as one argument of a macro."""
    return '"' + escape(text).replace('"', "\\(dq") + '"'


def sentences(text: str) -> List[str]:
    """The lines of a text: each sentence begins one, as mdoc wants it."""
    split = re.sub(r"(?<=\S)(?<!e\.g)(?<!i\.e)([.!?][\")]?) +(?=[A-Z0-9\"(])", r"\1\n", text)
    return [escape(line) for line in split.split("\n") if line]


def prose(lines: Sequence[str]) -> List[str]:
    """Paragraphs, lists where the lines have a first column, and code where they are indented."""
    output: List[str] = []
    for block in docs.blocks(lines):
        if isinstance(block, docs.Code):
            output += literal(block.lines)
        elif isinstance(block, docs.Columns):
            output.append(".Bl -tag -width Ds")
            for label, text in block.items:
                output += [f".It {argument(label)}", *(sentence for line in text for sentence in sentences(line))]
            output.append(".El")
        else:
            if output and output[-1] != ".Pp":
                output.append(".Pp")
            output += [sentence for line in block.lines for sentence in sentences(line)]
    return output


def tagged(items: Iterable[Tuple[str, Sequence[str]]]) -> List[str]:
    output = [".Bl -tag -width Ds"]
    for tag, lines in items:
        output += [f".It {argument(tag)}", *(sentence for line in lines for sentence in sentences(line.strip()))]
    return [*output, ".El"]


def literal(lines: Iterable[str]) -> List[str]:
    return [".Bd -literal", *map(escape, lines), ".Ed"]


def references(pages: Sequence[str]) -> List[str]:
    return [f".Xr {page} 3" + (" ," if page != pages[-1] else "") for page in pages]


def tidy(lines: Sequence[str]) -> str:
    """The text of a page. A paragraph begins by itself beside a heading, a list or another paragraph."""
    kept: List[str] = []
    for index, line in enumerate(lines):
        after = lines[index + 1] if index + 1 < len(lines) else ".Sh"
        before = kept[-1] if kept else ".Sh"
        if line == ".Pp" and (after[:3] in (".Ss", ".Sh", ".Pp", ".Bl", ".Bd") or before[:3] in (".Ss", ".Sh", ".Pp")):
            continue
        kept.append(line)
    return "\n".join(kept) + "\n"
