# SPDX-License-Identifier: Apache-2.0
"""HTML of the bank's messages as plain text: words, line breaks, list items, and where links lead."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Dict, List, Optional, Sequence, Tuple

_BLOCKS = {"p", "div", "br", "tr", "table", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "hr"}
_APART = {"p", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"}
_UNSEEN = {"script", "style", "head", "title", "template"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: List[str] = []
        self._unseen = 0
        self._link: Optional[str] = None
        self._said = 0

    def handle_starttag(self, tag: str, attrs: Sequence[Tuple[str, Optional[str]]]) -> None:
        given: Dict[str, Optional[str]] = dict(attrs)
        if tag in _UNSEEN:
            self._unseen += 1
        self._break(tag)
        if tag == "li":
            self.words.append("\N{BULLET} ")
        elif tag == "a":
            self._link, self._said = given.get("href"), len(self.words)
        elif tag == "img" and given.get("alt"):
            self.words.append(f"[{given['alt']}]")
        elif tag in ("td", "th"):
            self.words.append("  ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        if tag == "a" and self._link:
            if "".join(self.words[self._said :]).strip() != self._link:
                self.words.append(f" ({self._link})")
            self._link = None
        if tag != "br":
            self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.words.append(re.sub(r"[ \t\r\n\f]+", " ", data))

    def _break(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.words.append("\n\n" if tag in _APART else "\n")


def plain_text(markup: str) -> str:
    """The text of HTML. Loads nothing and runs nothing."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    text = re.sub(r" *\n *", "\n", "".join(reader.words))
    return re.sub(r"\n{3,}", "\n\n", text).strip()
