"""Each row of the README's table of languages: what is installed by its line runs the five lines of docs/languages.md, in an
empty folder and without an index. Tests/packages/test_bare.py types the same on bare machines."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Callable, Dict

import pytest
from conftest import ROOT, Device
from installed import Installed, tool
from pages import blocks, language_rows, language_sections, language_table
from test_language_packages import go_environment


def headers(folder: Path) -> Dict[str, str]:
    """`make install` into a folder of its own, which takes the place of /usr/local."""
    prefix = folder / "prefix"
    found = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib")}
    return {"PREFIX": str(prefix), **found}


def alone(**more: str) -> Callable[[Path], Dict[str, str]]:
    """The package brings its library, and asks no index."""
    return lambda folder: {"LD_LIBRARY_PATH": "", "PKG_CONFIG_PATH": "", **more}


# The tool without which a row is skipped, and the environment of its lines.
LANGUAGES = {
    "C": ("cc", headers),
    "C++17": ("c++", headers),
    "Python 3.9": ("python3", alone(PIP_NO_INDEX="1")),
    "Node.js 18": ("npm", alone(npm_config_offline="true", npm_config_ignore_scripts="true")),
    "Go 1.19": ("go", go_environment),
    "Rust 1.63": ("cargo", lambda folder: {"CARGO_NET_OFFLINE": "true"}),
    "Java 17": ("javac", alone()),
    "C#": ("mcs", alone()),
    "Swift 6": ("swiftc", headers),
    "PHP 8": ("php", headers),
    "Ruby 3": ("ruby", headers),
    "LuaJIT 2.1": ("luajit", headers),
}


@pytest.mark.timeout(1800)  # some lines build packages
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_row_and_its_five_lines(installed: Installed, device: Device, tmp_path: Path, name: str) -> None:
    created = device.server.new_operation(userId=device.user)
    given = device.server.admin("POST", f"/operations/{created['operationId']}/offline", {})
    (program, environment), section = LANGUAGES[name], language_sections()[name]
    tool(program)
    (tmp_path / "empty").mkdir()
    outer = dict.fromkeys((name for name in os.environ if name.startswith(("MAKE", "MFLAGS"))), "")
    more = {
        **outer,
        "MTOKEN_LIBRARY": "",
        **environment(tmp_path),
        "SOURCES": str(ROOT),
        "PAYLOAD": given["offlineData"],
    }
    installed.run(tool("sh"), "-ec", language_rows()[name], folder=tmp_path / "empty", more=more, seconds=900)
    (tmp_path / "empty" / section.file).write_text(section.program, encoding="utf-8")
    printed = installed.run(tool("sh"), "-ec", section.run, folder=tmp_path / "empty", more=more, seconds=600)
    assert printed.startswith(f"{created['operationId']}: "), printed


def test_every_language_has_a_row_and_lines() -> None:
    assert list(language_rows()) == list(language_sections()) == list(LANGUAGES)
    for name, section in language_sections().items():
        installs = section.install or 'make -C "$SOURCES" install'  # before all sections: into a folder of one's own
        assert language_rows()[name] == " && ".join(installs.splitlines()), name
        assert sum(bool(line.strip()) for line in section.program.splitlines()) <= 5, name
    assert sys.version_info >= (3, 9)


def test_the_package_to_copy() -> None:
    """The guide's Package.swift is that of the example, which is built, but for the folder."""
    (shown,) = (block.text for block in blocks("docs/guides/languages.md"))
    example = (ROOT / "examples" / "swift" / "Package.swift").read_text(encoding="utf-8")
    example = re.sub(r"^ *//(?! swift-tools).*\n", "", example, flags=re.MULTILINE)
    assert shown == example.replace('path: "../.."', 'path: "../libmtoken"')


def test_the_tables_have_every_package() -> None:
    """The README's and the guide's name each language of a language.json, and lead to its package."""
    table = language_table()
    guide = (ROOT / "docs" / "guides" / "languages.md").read_text(encoding="utf-8")
    named = {re.sub(r"[ \d].*$", "", name) for name in language_rows()}
    found = {path: json.loads(path.read_text(encoding="utf-8")) for path in ROOT.glob("bindings/*/language.json")}
    assert len(found) >= 7
    for path, facts in found.items():
        assert facts["name"].partition(" (")[0] in named, facts["name"]
        readme = f"bindings/{path.parent.name}/README.md"
        assert f"({readme})" in table and f"(../../{readme})" in guide, readme
