# SPDX-License-Identifier: Apache-2.0
"""The examples of the man pages: functions of the files in examples/, which Tests/contract.py compiles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Set, Tuple

from .model import Enum, Field, Function, FunctionType, Header, HeaderError, Struct

FOLDER = Path(__file__).resolve().parent / "examples"

_FUNCTION = re.compile(
    r"^(?P<head>[a-z][^\n;{}]*\([^;{}]*\))(?:\n\{\n.*?^\}| \{ [^\n]* \})\n", re.MULTILINE | re.DOTALL
)
_COMMENT_ABOVE = re.compile(r"/\*(?:[^*]|\*(?!/))*\*/\n$")


@dataclass(frozen=True)
class Example:
    """One function, with the comment above it."""

    file: str
    """The header that it is an example of: "task" for examples/task.c."""
    lines: Tuple[str, ...]
    names: frozenset[str]
    """Every word of it."""


def read(folder: Path = FOLDER) -> Dict[str, List[Example]]:
    found: Dict[str, List[Example]] = {}
    for path in sorted(folder.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        examples = []
        for match in _FUNCTION.finditer(text):
            comment = _COMMENT_ABOVE.search(text, 0, match.start())
            lines = ((comment[0] if comment else "") + match[0]).rstrip().splitlines()
            examples.append(Example(path.stem, tuple(lines), frozenset(re.findall(r"\w+", match[0]))))
        if not examples:
            raise HeaderError(f"{path.name}: no function")
        found[path.stem] = examples
    return found


class Finder:
    """Finds an example for each thing of the header."""

    def __init__(self, header: Header, folder: Path = FOLDER):
        self.header = header
        self.of_page = read(folder)
        self.all = [example for examples in self.of_page.values() for example in examples]

    def mentioning(self, names: Set[str], page: str = "") -> Optional[Example]:
        """The shortest example with one of the names, of this page if there is one."""
        found = [example for example in self.all if names & example.names]
        return min(found, key=lambda example: (example.file != page, len(example.lines)), default=None)

    def of_type(self, name: str, page: str) -> Optional[Example]:
        """An example with a struct or an enumeration, else one with what it is reached by."""
        seen: Set[str] = set()
        wanted = {name}
        while wanted:
            seen |= wanted
            for one in sorted(wanted):
                found = self.mentioning(self._names(one), page)
                if found:
                    return found
            wanted = {user for one in wanted for user in self._users(one)} - seen
        return None

    def _names(self, name: str) -> Set[str]:
        names = {name, f"{name.upper()}_INIT"}
        if name in self.header.enums:
            names |= {value.name for value in self.header.enums[name].values}
        return names

    def _users(self, name: str) -> Iterator[str]:
        """Functions and structs that have something of this type."""
        for item, field in self.header.fields():
            if _base(field) == name:
                yield item.name
        for function in self.header.functions.values():
            if function.result.base == name:
                yield function.name

    def uncovered(self) -> List[str]:
        """Functions that no example of their page calls, and pages of types without an example."""
        missing = []
        for page in self.header.pages:
            words: Set[str] = set()
            for example in self.of_page.get(page.name, []):
                words |= example.names
            missing += [item.name for item in page.items if isinstance(item, Function) and item.name not in words]
        for item in self.header.items:
            if isinstance(item, (Struct, Enum)) and self.of_type(item.name, item.header) is None:
                missing.append(item.name)
        return missing


def _base(field: Field) -> str:
    return field.type.result.base if isinstance(field.type, FunctionType) else field.type.base
