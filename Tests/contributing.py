"""The recipes of CONTRIBUTING.md, followed: each names the files that an example has which exists already, no more and no
less, and its heading counts them.

python3 Tests/contributing.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import List, NamedTuple, Set, Tuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bindings"))

from generate.__main__ import COMMITTED  # noqa: E402

PAGE = "CONTRIBUTING.md"
SERVICES = ("include", "Sources", "bindings/python/src", "bindings/generate")


class Example(NamedTuple):
    """A thing of the recipe's kind. Each file under `places` that has one of its spellings is to be edited for another."""

    recipe: str
    spellings: str
    places: Tuple[str, ...]
    only_here: Tuple[str, ...] = ()
    """Files that need the example itself, and would not need another one."""


EXAMPLES = [
    Example(
        "An error code",
        r"MTOKEN_ERROR_DECRYPTION|\bDecryptionError\b|case decryption = |^## DECRYPTION",
        ("include", "Sources", "bindings/python/src", "docs", "tools"),
    ),
    Example("A member of an operation", "status_reason|statusReason", SERVICES),
    Example(
        "A type of an operation's attribute",
        r'ATTRIBUTE_PARTY_INFO|PARTY_INFO"|\bpartyInfo\(|case [^:]*\.partyInfo|\bPartyInfoAttribute\b',
        ("include", "Sources", "bindings/python/src", "tools"),
        ("tools/devserver/mtoken_devserver/templates_builtin.py",),
    ),
    Example(
        "A call to the server", r"mtoken_operations_history|operationHistory|start_history\b|func history\(", SERVICES
    ),
    Example(
        "An option of the client",
        "user_agent|userAgent",
        SERVICES,
        ("Sources/MobileToken/Engine/ActivationRequests.swift", "Sources/MobileToken/Engine/CallOptions.swift"),
    ),
    Example(
        "A language",
        r'csharp|"C#"|\| C# \|',
        (".", ":!bindings/csharp", ":!Tests", f":!{PAGE}"),
    ),
    Example(
        "A release",
        r'^RELEASED :=|define MTOKEN_VERSION "|^## \[Unreleased\]',
        ("include", "packaging", "CHANGELOG.md"),
    ),
    Example("A bug in a parser", "", ()),
]


def touched(example: Example) -> Set[str]:
    """The files that the example is in, without what is generated and the tests beside their program."""
    command = ["git", "grep", "--untracked", "-lE", example.spellings, "--", *example.places, ":!*/tests/*"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return set(found) - set(COMMITTED) - set(example.only_here)


def matching(name: str) -> Set[str]:
    """The files of a row: `<…>` in a name is any word."""
    if "<" not in name:
        return {name}
    return {str(path.relative_to(ROOT)) for path in ROOT.glob(re.sub("<.*?>", "*", name))}


def problems(example: Example, page: str) -> List[str]:
    part = re.search(rf"^### {re.escape(example.recipe)}: (\d+) files.*?$(.*?)(?=^##|\Z)", page, re.M | re.S)
    if part is None:
        return ["there is no such recipe"]
    rows = re.findall(r"^\| `([^`]+)` \|", part[2], re.M)
    found = [f"{part[1]} files, but {len(rows)} rows"] if int(part[1]) != len(rows) else []
    files = [matching(row) for row in rows]
    found += [
        f"{row}: no such file" for row, names in zip(rows, files) if not any((ROOT / name).exists() for name in names)
    ]
    if example.places:
        there = touched(example)
        found += [f"{name}: the example is there, but the recipe leaves it out" for name in there - set().union(*files)]
        found += [f"{row}: the example is not there" for row, names in zip(rows, files) if not names & there]
    return found


def main() -> int:
    page = (ROOT / PAGE).read_text("utf-8")
    failed = [f"{PAGE}: {one.recipe}: {problem}" for one in EXAMPLES for problem in sorted(problems(one, page))]
    named = set(re.findall(r"^### ([^:\n]+): \d+ files", page, re.M))
    failed += [
        f"{PAGE}: {name}: Tests/contributing.py has no example" for name in named - {one.recipe for one in EXAMPLES}
    ]
    print(
        "\n".join(failed) or f"recipes: {len(EXAMPLES)}, each with the files that its example has",
        file=sys.stderr if failed else sys.stdout,
    )
    return 1 if failed else 0


sys.exit(main())
