# SPDX-License-Identifier: Apache-2.0
"""Sizes and offsets by the C ABI's rules for LP64 machines. Tests/contract.py compares them with the compiler's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, List, Tuple

from .model import AnyType, FunctionType, Header, Struct

POINTER = 8
SCALAR_SIZES = {
    "char": 1,
    "uint8_t": 1,
    "int32_t": 4,
    "uint32_t": 4,
    "int64_t": 8,
    "uint64_t": 8,
    "size_t": 8,
    "double": 8,
}


@dataclass
class Layout:
    """Where the members of a struct lie."""

    size: int = 0
    alignment: int = 1
    members: Dict[str, Tuple[int, int]] = field(default_factory=dict)
    """Offset and size."""
    holes: List[Tuple[int, int, str]] = field(default_factory=list)
    """Offset and size of what no member covers, and the member before it."""


def layouts(header: Header) -> Dict[str, Layout]:
    found: Dict[str, Layout] = {}
    for struct in header.structs.values():
        found[struct.name] = of_struct(struct, header, found)
    return found


SINCE = re.compile(r"\bSince (\d+\.\d+)\b\.?")


def since(doc: Tuple[str, ...], otherwise: str = "1.0") -> str:
    """The version that a declaration came with: "Since 1.1." in its comment if it is not as old as the rest."""
    match = SINCE.search(" ".join(doc))
    return match[1] if match else otherwise


def version_number(text: str) -> Tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _measure(kind: AnyType, header: Header, known: Dict[str, Layout]) -> Tuple[int, int]:
    """Size and alignment of a type."""
    if isinstance(kind, FunctionType) or kind.pointers:
        return POINTER, POINTER
    if kind.base in known:
        return known[kind.base].size, known[kind.base].alignment
    size = SCALAR_SIZES[header.resolve(kind.base)]
    return size, size


def of_struct(struct: Struct, header: Header, known: Dict[str, Layout]) -> Layout:
    layout = Layout()
    end, previous = 0, ""
    for member in struct.members:
        size, alignment = _measure(member.type, header, known)
        offset = -(-end // alignment) * alignment
        if offset > end:
            layout.holes.append((end, offset - end, previous))
        layout.alignment = max(layout.alignment, alignment)
        layout.members[member.name] = (offset, size)
        end, previous = offset + size, member.name
    layout.size = -(-end // layout.alignment) * layout.alignment
    if layout.size > end:
        layout.holes.append((end, layout.size - end, previous))
    return layout
