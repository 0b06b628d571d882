# SPDX-License-Identifier: Apache-2.0
"""docs/guides/from-the-mobile-sdks.md: the names of the mobile SDKs beside those of the header.

The table is docs/guides/from-the-mobile-sdks.tsv: a heading after "# ", or names there, names here (functions, structs,
`struct.member`, constants) and what differs, separated by tabs. A name here that the header does not have is an error.
"""

from __future__ import annotations

from pathlib import Path
from typing import List, Set

from .model import Header, HeaderError

TABLE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "from-the-mobile-sdks.tsv"
_BEGIN = """# From the mobile SDKs

The names of the Mobile Token SDK, the PowerAuth SDK and the Onegini SDK, on iOS or Android, and their counterparts
here. Search for the name that you know. Each language spells the names of libmtoken in its own way:
`mtoken_operations_list` is `client.operations.list()` in Python. You can move the state of an activation: see [Moving
from the SDK](migration.md).

Three differences apply everywhere. Calls return a task at once; wait for it or read its event. The library never calls
the program. An error reports whether the bank has acted (`mtoken_error.outcome`).
"""


def text(header: Header, table: str = "") -> str:
    known = _names(header)
    lines: List[str] = [_BEGIN.rstrip()]
    for line in (table or TABLE.read_text(encoding="utf-8")).splitlines():
        if line.startswith("# "):
            lines += ["", f"## {line[2:]}", "", "| There | Here | What differs |", "|---|---|---|"]
            continue
        there, here, differs = line.split("\t")
        for name in here.split(", "):
            if name not in known:
                raise HeaderError(f"{TABLE.name}: the header has no {name}")
        lines.append(f"| {_code(there)} | {_code(here)} | {differs} |")
    return "\n".join(lines) + "\n"


def _names(header: Header) -> Set[str]:
    members = {f"{struct.name}.{member.name}" for struct in header.structs.values() for member in struct.members}
    return members | {*header.functions, *header.structs, *header.handles, *header.integers}


def _code(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))
