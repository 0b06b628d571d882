# SPDX-License-Identifier: Apache-2.0
"""Which errors a function can give, as its comment says."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, List, Tuple

from . import docs
from .model import Function, Header, Page, Prose

NETWORK_ERRORS = ("NETWORK", "TIMEOUT", "TLS", "PIN_MISMATCH", "HTTP")
"""What "network errors" stands for."""

_SHARED = re.compile(r"Errors (?:that every call of this header can return|of all): (.*?)\.(?: |$)")
_OTHER_HEADER = re.compile(r"those of the calls of (\w+\.h)")


@dataclass
class Errors:
    """Names of codes, in the order of the comment."""

    at_once: List[str] = field(default_factory=list)
    of_task: List[str] = field(default_factory=list)
    text: str = ""


def codes(header: Header, text: str) -> List[str]:
    """The codes that a text names: what stands in quotation marks or brackets is a reason or a remark."""
    text = re.sub(r'"[^"]*"', "", text)
    while re.search(r"\([^()]*\)", text):
        text = re.sub(r"\([^()]*\)", "", text)
    prefix = "MTOKEN_ERROR_"
    statuses = [value.name for value in header.enums["mtoken_status"].values]
    known = {name.removeprefix(prefix) for name in statuses if name.startswith(prefix)}
    found: List[str] = []
    for word in re.findall(r"network errors|\b(?:MTOKEN_ERROR_)?[A-Z][A-Z_]+\b", text):
        names = NETWORK_ERRORS if word == "network errors" else (word.removeprefix(prefix),)
        found += [name for name in names if name in known and name not in found]
    return [prefix + name for name in found]


def split(header: Header, text: str) -> Errors:
    """Takes "at once: A, B; of the task: C, D" apart. Without these words all are given at once."""
    at_once, separator, of_task = text.partition("of the task")
    return Errors(codes(header, at_once), codes(header, of_task) if separator else [], text)


def shared(header: Header, page: Page) -> List[Tuple[int, Errors]]:
    """What a header says of all its functions, or of those below a line."""
    texts = [(item.line, _SHARED.search(docs.one_line(item.doc))) for item in page.items if isinstance(item, Prose)]
    found = [(line, match[1]) for line, match in texts if match]
    own = docs.read(page.doc).said("Errors")
    return [(line, split(header, follow(header, text))) for line, text in [*([(0, own)] if own else []), *found]]


def follow(header: Header, text: str) -> str:
    """The text, with what it says of the calls of another header put in."""
    other = _OTHER_HEADER.search(text)
    for page in header.pages:
        if other and page.path == f"mtoken/{other[1]}":
            for item in page.items:
                match = _SHARED.search(docs.one_line(item.doc)) if isinstance(item, Prose) else None
                if match:
                    return text.replace(other[0], match[1].partition("of the task: ")[2])
    return text


def of(header: Header, function: Function, common: Common) -> Errors:
    """The errors of a function: its own, those of the one that it says it is like, and those of all in its header."""
    doc = docs.read(function.doc)
    text = doc.said("Errors")
    of_task_only = doc.said("Errors of the task")
    found = split(header, text) if text and not of_task_only else Errors([], codes(header, of_task_only), of_task_only)
    if str(function.result) != "mtoken_status":
        return found
    like = re.match(r"as (mtoken_\w+)", text)
    if like and like[1] in header.functions and like[1] != function.name:
        same = of(header, header.functions[like[1]], common)
        found.at_once = same.at_once + [code for code in found.at_once if code not in same.at_once]
        found.of_task = same.of_task + [code for code in found.of_task if code not in same.of_task]
    if not text and not of_task_only:
        listed = [doc.said("Returns"), *re.findall(r"Errors: ((?:[^.(]|\([^)]*\))*)", doc.flat)]
        found.at_once = codes(header, "; ".join(listed))
    for more in concerning(function, text, common):
        found.at_once += [code for code in more.at_once if code not in found.at_once]
        found.of_task += [code for code in more.of_task if code not in found.of_task]
    if not any(str(parameter.type) == "mtoken_task **" for parameter in function.parameters):
        found.of_task = []
    return found


def concerning(function: Function, text: str, common: Common) -> List[Errors]:
    """What is said of all that concerns a function: what a header begins with only if nothing else is said of it, or
    that it is "as above"."""
    refers = not text or text.startswith("as above")
    return [more for line, more in common.get(function.header, []) if (line or refers) and line < function.line]


def common(header: Header) -> Common:
    return {page.path: shared(header, page) for page in header.pages}


Common = Dict[str, List[Tuple[int, Errors]]]
"""Of each header: what it says of all functions below a line."""
