"""The five lines of each language on docs/languages.md, from what is installed, in an empty folder."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple

import pytest
from conftest import ROOT, Device
from installed import Installed, tool
from test_language_packages import go_environment
from test_stores import CHILD_PATH

PAGE = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")


class Section(NamedTuple):
    """A language: the line that makes or runs the program, and the program."""

    line: str
    program: str


def sections() -> Dict[str, Section]:
    found = re.findall(r"^## ([^\n]+)\n\n```sh\n([^\n]+)\n```\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return {name: Section(line, program) for name, line, program in found}


def compiled(source: str) -> Callable[[Installed, Path, Section], List[str]]:
    """The line of the page, as a shell runs it."""

    def make(installed: Installed, folder: Path, section: Section) -> List[str]:
        (folder / source).write_text(section.program, encoding="utf-8")
        installed.run(tool("sh"), "-c", section.line, folder=folder)
        return [str(folder / "lines")]

    return make


def python(installed: Installed, folder: Path, section: Section) -> List[str]:
    (folder / "lines.py").write_text(section.program, encoding="utf-8")
    return [sys.executable, "lines.py"]


def go(installed: Installed, folder: Path, section: Section) -> List[str]:
    (folder / "lines.go").write_text(section.program, encoding="utf-8")
    tool("go")
    installed.run(tool("sh"), "-c", section.line, folder=folder, more=go_environment(folder), seconds=200)
    return [str(folder / "lines")]


def rust(installed: Installed, folder: Path, section: Section) -> List[str]:
    """The crates of this repository, as if they came from their registry."""
    tool("cargo")
    (folder / "src").mkdir()
    (folder / "src" / "main.rs").write_text(section.program, encoding="utf-8")
    crate = ROOT / "bindings" / "rust" / "mtoken"
    package = '[package]\nname = "lines"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n'
    (folder / "Cargo.toml").write_text(f'{package}mtoken = {{ path = "{crate}" }}\n', encoding="utf-8")
    installed.run(tool("sh"), "-c", section.line, folder=folder, seconds=200)
    return [str(folder / "target" / "debug" / "lines")]


def csharp(installed: Installed, folder: Path, section: Section) -> List[str]:
    (folder / "lines.cs").write_text(section.program, encoding="utf-8")
    sources = sorted((ROOT / "bindings" / "csharp" / "src").glob("*.cs"))
    options = ["-langversion:7", "-unsafe", "-nowarn:0649", "-target:library", "-out:Mtoken.dll"]
    installed.run(tool("mcs"), *options, *sources, folder=folder)
    installed.run(tool("sh"), "-c", section.line, folder=folder)
    return [tool("mono"), str(folder / "lines.exe")]


MAKERS: Dict[str, Callable[[Installed, Path, Section], List[str]]] = {
    "C": compiled("lines.c"),
    "C++17": compiled("lines.cpp"),
    "Python 3.9": python,
    "Go 1.19": go,
    "Rust 1.63": rust,
    "C#": csharp,
}
"""How the program of a section comes to run; a language adds a line."""


@pytest.mark.parametrize("name", sections())
def test_five_lines(installed: Installed, device: Device, tmp_path: Path, name: str) -> None:
    created = device.server.new_operation(userId=device.user)
    given = device.server.admin("POST", f"/operations/{created['operationId']}/offline", {})
    command = MAKERS[name](installed, tmp_path, sections()[name])
    more = {"PYTHONPATH": CHILD_PATH, "MTOKEN_LIBRARY": str(installed.library)}
    printed = installed.run(*command, given["offlineData"], folder=tmp_path, more=more)
    assert printed.startswith(f"{created['operationId']}: ")


def test_every_language_has_a_row_and_lines() -> None:
    rows = re.findall(r"^\| ([^|]+?) \| (?:`|the same)", PAGE, re.MULTILINE)
    assert sorted(rows) == sorted(sections()) == sorted(MAKERS)
    for name, section in sections().items():
        assert sum(bool(line.strip()) for line in section.program.splitlines()) <= 7, name
