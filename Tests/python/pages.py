"""The documentation's pages, and the blocks of code in them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

ROOT = Path(__file__).resolve().parents[2]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")
INDENTED = re.compile(r"(?:\A|\n\n)((?:    .*\n)+)")


class Block(NamedTuple):
    """A block of a page; without a language it is data, and indented."""

    language: str
    text: str


def blocks(page: str) -> List[Block]:
    """The blocks of a page, named by its path: first those between fences, then those that are indented."""
    text = (ROOT / page).read_text(encoding="utf-8")
    fenced = [Block(*found) for found in FENCED.findall(text)]
    return fenced + [Block("", found) for found in INDENTED.findall(FENCED.sub("", text))]


def prose(page: str) -> str:
    """A page without its blocks."""
    return FENCED.sub("", (ROOT / page).read_text(encoding="utf-8"))


def links(page: str) -> List[Tuple[str, str]]:
    """The links of a page within the repository: path and anchor."""
    found = []
    for target in LINK.findall(re.sub(r"`[^`]*`", "", prose(page))):
        if not re.match(r"\w+:", target):
            path, _, anchor = target.partition("#")
            place = (ROOT / page).parent.joinpath(path).resolve() if path else ROOT / page
            found.append((str(place.relative_to(ROOT)), anchor))
    return found


def anchor_of(heading: str) -> str:
    """The anchor that GitHub gives to a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def anchors(page: str) -> Set[str]:
    """The anchors of the headings of a page."""
    return {anchor_of(heading) for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)}


def commands(page: str) -> List[str]:
    """The shell commands of a page, line by line, without their comments."""
    lines = [line for block in blocks(page) if block.language == "sh" for line in block.text.splitlines()]
    return [line.split("  #")[0].strip() for line in lines]


def shell(command: str, folder: Path, **environment: Optional[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command as a reader would; it must end well."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "MTOKEN_"))}
    variables: Dict[str, str] = {**kept, **{name: value for name, value in environment.items() if value is not None}}
    child = subprocess.run(
        ["bash", "-ec", command], cwd=folder, env=variables, capture_output=True, text=True, timeout=110, check=False
    )
    assert child.returncode == 0, f"{command}: {child.stdout}{child.stderr}"
    return child


# The table of languages and their page

SECTION = re.compile(
    r"^## ([^\n]+)\n\nNeeds ([^\n]+)\n\n(?:```sh\n(.*?)^```\n\n)?Save this as `([^`]+)`:\n\n"
    r"```\w+\n(.*?)^```\n\n```sh\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Section(NamedTuple):
    """A language: its tools, the line that installs the package, the file and its program, and the command that runs it."""

    needs: str
    install: str
    file: str
    program: str
    run: str


def language_sections() -> Dict[str, Section]:
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    return {name: Section(*rest) for name, *rest in SECTION.findall(page)}


def language_table() -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.partition("\n## Languages\n")[2].partition("\n## ")[0]


def language_rows() -> Dict[str, str]:
    """The install line of each language."""
    return dict(re.findall(r"^\| ([^|`]+?) \| `([^`]+)` \|", language_table(), re.MULTILINE))
