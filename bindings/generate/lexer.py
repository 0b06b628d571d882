# SPDX-License-Identifier: Apache-2.0
"""Splits a header into words, comments and directives, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List, Tuple

from .model import HeaderError

_SPACE = re.compile(r"[ \t]+")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"#(?:\\\n|[^\n])*")
_DIRECTIVE_BEFORE_COMMENT = re.compile(r"#(?:\\\n|[^\n])*?(?=\s*/\*)")
_WORD = re.compile(r"[A-Za-z_]\w*|-?(?:0x[0-9A-Fa-f]+|\d+)|[{}();,*=\[\]]")


@dataclass(frozen=True)
class Token:
    kind: str
    """word, comment or directive"""
    text: str
    line: int
    last_line: int
    column: int
    begins_line: bool
    """Nothing but space stands before it."""

    def __str__(self) -> str:
        return self.text


def tokens(text: str, path: str) -> List[Token]:
    found: List[Token] = []
    position, line, line_start = 0, 1, 0
    begins = True
    while position < len(text):
        if text[position] == "\n":
            position, line, begins = position + 1, line + 1, True
            line_start = position
            continue
        space = _SPACE.match(text, position)
        if space:
            position = space.end()
            continue
        for kind, pattern in (("comment", _COMMENT), ("directive", _DIRECTIVE), ("word", _WORD)):
            match = pattern.match(text, position)
            if match and kind == "directive" and "/*" in match[0]:
                # The comment beside a directive is a token of its own; it may go on in the next lines.
                match = _DIRECTIVE_BEFORE_COMMENT.match(text, position)
            if match:
                break
        else:
            raise HeaderError(f"{path}:{line}: unreadable: {text[position : position + 60]!r}")
        lines = match[0].count("\n")
        found.append(Token(kind, match[0], line, line + lines, position - line_start, begins))
        begins = False
        line += lines
        if lines:
            line_start = position + match[0].rfind("\n") + 1
        position = match.end()
    return found


def comment_lines(comment: str) -> Tuple[str, ...]:
    """A comment without its stars, and without empty lines at its ends."""
    bare = []
    for line in comment.splitlines():
        line = re.sub(r"^\s*/\*\s?", "", line)
        line = re.sub(r"\s*\*/\s*$", "", line)
        bare.append(re.sub(r"^\s*\*(\s|$)", "", line).rstrip())
    while bare and not bare[0]:
        bare.pop(0)
    while bare and not bare[-1]:
        bare.pop()
    return tuple(bare)
