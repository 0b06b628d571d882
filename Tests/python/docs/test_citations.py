"""Comments cite the pages of docs/protocol by name and section, `powerauth.md §9.2`: what they cite is there.

Needs no library: `python -m pytest --noconftest Tests/python/docs/test_citations.py`.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Iterator, List, Optional

import pytest
from pages import ROOT

PROTOCOL = ROOT / "docs" / "protocol"
FOLDERS = ("Sources", "Tests", "bindings", "docs", "examples", "include", "packaging", "tools")
SUFFIXES = {".swift", ".h", ".hpp", ".c", ".cpp", ".py", ".md", ".mk", ".sh", ".toml"}
SECTION = r"§\d+(?:\.\d+)*"
# What is no program that puts the names of files together.
PROSE = {".swift", ".h", ".hpp", ".c", ".cpp", ".md"}
# A page here or a standard, and one section or several.
CITATION = re.compile(
    r"(?P<source>(?P<page>[\w-]+\.md)|RFC \d+|SEC 1|OIDC Core|OpenID Connect (?:Core|Discovery) 1\.0) "
    rf"(?P<sections>{SECTION}(?:(?:, | and | to ){SECTION})*)"
)
PAGE_NAME = re.compile(r"[\w./-]*\w\.md\b")
LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*(?:(?://+|\*+(?!/)|#)[ \t]*)?")
LINK = re.compile(r"\[([\w-]+\.md)\]\(\1\)")


@cache
def sections(page: Path) -> List[str]:
    return re.findall(r"^##+ (\d+(?:\.\d+)*) ", page.read_text(encoding="utf-8"), re.MULTILINE)


def faults(text: str, own: Optional[Path] = None) -> List[str]:
    """What is wrong with the citations of a text; `own` is the page of the protocol that it is, if it is one."""
    found = []
    text = LINK.sub(r"\1", LINE_BREAK.sub(" ", text))
    for citation in CITATION.finditer(text):
        if not citation["page"]:
            continue
        page = PROTOCOL / citation["page"]
        for number in re.findall(r"[\d.]+", citation["sections"]):
            if not page.is_file() or number not in sections(page):
                found.append(f"{citation['page']} §{number} is not there")
    for bare in re.finditer(r".{0,20}§(\d+(?:\.\d+)*)?", CITATION.sub("", text)):
        if own is None or bare[1] not in sections(own):
            found.append(f"no such section of a page: {bare[0]}")
    return found


def sources() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.suffix in SUFFIXES or path.name == "Makefile")
    for name in FOLDERS:
        for folder, inner, files in os.walk(ROOT / name):
            inner[:] = [each for each in inner if not each.startswith(".") and each not in ("build", "node_modules")]
            yield from (Path(folder) / each for each in files if Path(each).suffix in SUFFIXES)


def test_what_is_cited_is_there() -> None:
    wrong, cited = [], 0
    for path in sources():
        if path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8")
        if "§" in text:
            own = path if path.parent == PROTOCOL else None
            wrong += [f"{path.relative_to(ROOT)}: {fault}" for fault in faults(text, own)]
            cited += len(CITATION.findall(text))
    assert not wrong, "\n".join(wrong)
    assert cited > 250


def test_pages_that_are_named_are_there() -> None:
    wrong = []
    for path in sources():
        if path.suffix not in PROSE:
            continue
        for name in set(PAGE_NAME.findall(path.read_text(encoding="utf-8"))):
            if not any((folder / name).is_file() for folder in (path.parent, ROOT, PROTOCOL)):
                wrong.append(f"{path.relative_to(ROOT)}: {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "/// The list (operations.md §99).",
        "/// The list (operations.md §2, §99).",
        "// KDF (powerauth.md §1.99)",
        "/* absent.md §1 */",
        '"""The list (operations §2)."""',
        "/// The list (§2).",
        " * The list (absent.md\n * §2).",
    ],
)
def test_a_wrong_citation_is_found(text: str) -> None:
    assert len(faults(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "/// The list (operations.md §2).",
        "/// Two (powerauth.md §5.3 to §5.5, rest.md §6.5, §6.6).",
        " * The list (operations.md\n * §2).",
        "// RFC 3986 §2.1, SEC 1 §3.6.1",
    ],
)
def test_a_right_citation_is_not(text: str) -> None:
    assert faults(text) == []
