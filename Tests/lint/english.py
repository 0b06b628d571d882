"""Turns of phrase that stop a native reader, in comments and pages: see CONTRIBUTING.md, "Style".

python3 Tests/lint/english.py
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path
from typing import Iterator, Tuple

ROOT = Path(__file__).resolve().parents[2]
PLACES = (
    "include Sources :(glob)*.md :(glob)docs/*.md docs/guides docs/site/*.md docs/tutorials bindings/*.md tools/*.md"
    " tools/devserver/mtoken_devserver Tests/bench/*.md Tests/conformance/*.md Tests/fuzz/*.md :(glob)Tests/python/*.py"
)
PATTERNS = {
    r"\b[Nn]obody\b|\b[Ww]hoever\b": 'write "no thread", "no program", "anyone who"',
    r"\bat hand\b": 'write "current" or "available"',
    r"\b(tak(e|es|en)|took) back\b": 'write "withdraw", "revert" or "restore"',
    r"\btold\b": 'write "informed" or "reported"',
    r"\bgo(es)? on\b": 'write "continues" or "resumes"',
    r"(?<![Tt]here )\b(is|are) none\b": 'write "is not one" or "counts as none"',
    r"(?<![Tt]here )\b(is|are) no (?!longer\b|more\b)[a-z]": 'write "is not a"',
    r"\bstands?\b(?! for\b)": 'write "is in" or "precedes"',
    r"(?:^|[.:;] )(?:What|Who) (?![^.]*\?)": "begin with an actor and a verb",
}
# What may stay: a part of the path, and a part of the line.
ALLOWED = [
    ("CHANGELOG.md", ""),
    ("docs/guarantees.md", "knows where it stands |"),  # promises, which other pages name
    ("docs/guarantees.md", "| A failure is told,"),
    ("docs/guarantees.md", "a damaged one is no answer."),
    ("ModelDecoder.swift", "- told: "),  # a parameter
]
COMMENT = re.compile(r"(?:(?<![:\"'\w])//[/!]?|^\s*/?\*+|/\*+)(.*)")


def lines(path: Path) -> Iterator[Tuple[int, str]]:
    """The comments of a source; the prose of a page, without code and headings."""
    if path.suffix == ".py":
        yield from python_lines(path)
        return
    fenced = False
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if path.suffix in (".h", ".swift"):
            yield from ((number, found[1].strip()) for found in [COMMENT.search(line)] if found)
        elif line.lstrip().startswith("```"):
            fenced = not fenced
        elif path.suffix == ".md" and not fenced and not line.startswith(("#", "    ")):
            yield number, re.sub(r"`[^`]*`", "``", line)


def python_lines(path: Path) -> Iterator[Tuple[int, str]]:
    """The comments, and the strings in three quotes."""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.strip("# ")
        elif token.type == tokenize.STRING and token.string.startswith('"""'):
            for number, line in enumerate(token.string.splitlines(), token.start[0]):
                yield number, line.strip(' "')


found = 0
for name in subprocess.check_output(["git", "ls-files", *PLACES.split()], cwd=ROOT, text=True).splitlines():
    for number, line in lines(ROOT / name) if name.endswith((".h", ".swift", ".md", ".py")) else ():
        if any(path in name and text in line for path, text in ALLOWED):
            continue
        for advice in (advice for pattern, advice in PATTERNS.items() if re.search(pattern, line)):
            print(f"{name}:{number}: {advice}: {line}")
            found += 1
sys.exit(found > 0)
