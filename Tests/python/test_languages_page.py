"""Each row of the README's table of languages: what is installed by its line runs the five lines of docs/languages.md,
in an empty folder. Registries are folders with what their tools would upload."""

from __future__ import annotations

import json
import os
import re
import sys
import venv
from pathlib import Path
from typing import Callable, Dict, NamedTuple

import pytest
from conftest import ROOT, Device
from installed import Installed, tool
from test_language_packages import go_environment, packed_crates

PAGE = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
TABLE = re.search(r"## Languages\n.*?\n\n## ", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


class Section(NamedTuple):
    """A language: the line that makes or runs the program, and the program."""

    line: str
    program: str


def sections() -> Dict[str, Section]:
    found = re.findall(r"^## ([^\n]+)\n\n```sh\n([^\n]+)\n```\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return {name: Section(line, program) for name, line, program in found}


def rows() -> Dict[str, str]:
    """The install line of each language."""
    assert TABLE is not None, "README.md has no table of languages"
    return dict(re.findall(r"^\| ([^|`]+?) \| `([^`]+)` \|", TABLE[0], re.MULTILINE))


class Folder:
    """An empty folder beside what is installed, and what a user's machine has."""

    def __init__(self, installed: Installed, path: Path):
        self.installed, self.path, self.more = installed, path, {"MTOKEN_LIBRARY": ""}

    def write(self, name: str, text: str) -> None:
        (self.path / name).parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).write_text(text, encoding="utf-8")

    def run(self, line: str, *arguments: str) -> str:
        command = line if not arguments else f'{line} "$@"'
        shell = [tool("sh"), "-c", command, "sh", *arguments]
        return self.installed.run(*shell, folder=self.path, more=self.more, seconds=600)

    def make(self, line: str) -> None:
        """A line that begins with `make` runs it in the repository; what it builds is found from the folder."""
        made, _, rest = line.partition(" && ")
        names = [name for name in os.environ if name.startswith(("MAKE", "MFLAGS"))]
        self.installed.run(
            *made.split(), "-s", folder=ROOT, more={**self.more, **dict.fromkeys(names, "")}, seconds=900
        )
        (self.path / "build").symlink_to(ROOT / "build")
        if rest:
            self.run(rest)


def headers(folder: Folder, line: str) -> None:
    """`make install` into a folder of its own, which takes the place of /usr/local."""
    prefix = folder.path / "prefix"
    folder.more["PREFIX"] = str(prefix)
    folder.make(line)
    folder.more["PKG_CONFIG_PATH"] = str(prefix / "lib" / "pkgconfig")
    folder.more["LD_LIBRARY_PATH"] = str(prefix / "lib")


def alone(folder: Folder) -> None:
    """The package brings its library."""
    folder.more.update({"LD_LIBRARY_PATH": "", "PKG_CONFIG_PATH": ""})


def wheel(folder: Folder, line: str) -> None:
    alone(folder)
    venv.create(folder.path / "venv", with_pip=True)
    folder.more.update({"PATH": f"{folder.path}/venv/bin:{os.environ['PATH']}", "PIP_NO_INDEX": "1"})
    folder.make(line)


def npm(folder: Folder, line: str) -> None:
    alone(folder)
    tool("npm")
    folder.more.update({"npm_config_offline": "true", "npm_config_ignore_scripts": "true"})
    folder.make(line)


def module(folder: Folder, line: str) -> None:
    tool("go")
    folder.more.update(go_environment(folder.path))
    folder.run(f"go mod init lines && {line}".replace("SOURCES", str(ROOT)))


def crate(folder: Folder, line: str) -> None:
    source = packed_crates(folder.installed, folder.path)
    folder.write("Cargo.toml", '[package]\nname = "lines"\nversion = "0.0.0"\nedition = "2021"\n')
    settings = f'[source.crates-io]\nreplace-with = "packed"\n[source.packed]\ndirectory = "{source}"\n'
    folder.write(".cargo/config.toml", f"{settings}[net]\noffline = true\n")
    folder.write("src/main.rs", "")
    folder.run(line.replace("SOURCES", str(ROOT)))


def jars(folder: Folder, line: str) -> None:
    alone(folder)
    tool("javac")
    folder.make(line)


def assembly(folder: Folder, line: str) -> None:
    alone(folder)
    tool("mcs")
    folder.make(line)


class Language(NamedTuple):
    """How its install line runs here, the file of its program, and what runs the program; empty: its line."""

    install: Callable[[Folder, str], None]
    file: str
    run: str = ""


LANGUAGES = {
    "C": Language(headers, "lines.c", "./lines"),
    "C++17": Language(headers, "lines.cpp", "./lines"),
    "Python 3.9": Language(wheel, "lines.py"),
    "Node.js 18": Language(npm, "lines.js"),
    "Go 1.19": Language(module, "lines.go", "./lines"),
    "Rust 1.63": Language(crate, "src/main.rs", "target/debug/lines"),
    "Java 17": Language(jars, "Lines.java"),
    "C#": Language(assembly, "lines.cs", "mono lines.exe"),
    "Swift 6": Language(headers, "lines.swift", "./lines"),
    "PHP 8": Language(headers, "lines.php"),
    "Ruby 3": Language(headers, "lines.rb"),
    "LuaJIT 2.1": Language(headers, "lines.lua"),
}


@pytest.mark.timeout(1800)  # some lines build packages
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_row_and_its_five_lines(installed: Installed, device: Device, tmp_path: Path, name: str) -> None:
    created = device.server.new_operation(userId=device.user)
    given = device.server.admin("POST", f"/operations/{created['operationId']}/offline", {})
    language, section = LANGUAGES[name], sections()[name]
    tool((language.run or section.line).split()[0] if "/" not in language.run else "sh")
    folder = Folder(installed, tmp_path)
    language.install(folder, rows()[name])
    folder.write(language.file, section.program)
    if language.run:
        folder.run(section.line)
    printed = folder.run(language.run or section.line, given["offlineData"])
    assert printed.startswith(f"{created['operationId']}: "), printed


def test_every_language_has_a_row_and_lines() -> None:
    assert list(rows()) == list(sections()) == list(LANGUAGES)
    for name, section in sections().items():
        assert sum(bool(line.strip()) for line in section.program.splitlines()) <= 5, name
    assert sys.version_info >= (3, 9)


def test_the_tables_have_every_package() -> None:
    """The README's and the guide's name each language of a language.json, and lead to its package."""
    assert TABLE is not None
    guide = (ROOT / "docs" / "guides" / "languages.md").read_text(encoding="utf-8")
    named = {re.sub(r"[ \d].*$", "", name) for name in rows()}
    found = {path: json.loads(path.read_text(encoding="utf-8")) for path in ROOT.glob("bindings/*/language.json")}
    assert len(found) >= 7
    for path, facts in found.items():
        assert facts["name"].partition(" (")[0] in named, facts["name"]
        readme = f"bindings/{path.parent.name}/README.md"
        assert f"({readme})" in TABLE[0] and f"(../../{readme})" in guide, readme
