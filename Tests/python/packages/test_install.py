"""An installed tree works wherever it lies: pkg-config and CMake find it by their own place."""

from __future__ import annotations

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

import mtoken
import pytest
from installed import ROOT, Installed, install, tool

LIBRARY = Path(os.environ["MTOKEN_LIBRARY"])
BUILT = ROOT / "build" / "embedded" / f"libmtoken.so.{mtoken.version()}"
PROGRAM = """
#include <mtoken.h>
#include <stdio.h>
int main(void) { printf("%s %d", mtoken_version(), (int)(mtoken_version_number() == MTOKEN_VERSION_NUMBER)); return 0; }
"""
PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(host C)
find_package(mtoken {version} REQUIRED)
add_executable(host host.c)
target_link_libraries(host PRIVATE mtoken::mtoken)
file(WRITE "${{CMAKE_BINARY_DIR}}/found" "${{mtoken_VERSION}}\\n${{mtoken_DESCRIPTION}}\\n${{mtoken_CDEF}}\\n")
"""


AS_SOMEBODY = "import os, sys; sys.path.insert(0, 'packaging/ship'); import install; {}; install.main(sys.argv[1:])"


def copied(what: str, destdir: Path, *options: object, become: str = "pass") -> subprocess.CompletedProcess[str]:
    """What `make install` and `make uninstall` end with."""
    place = ["--manifest", "/usr/share/mtoken/manifest", "--destdir", destdir]
    words = [sys.executable, "-B", "-c", AS_SOMEBODY.format(become), what, *place, *options]
    return subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True, check=False)


def test_what_was_installed_is_removed_and_nothing_else(installed: Installed, tmp_path: Path) -> None:
    stage, root = tmp_path / "stage", tmp_path / "root"
    shutil.copytree(installed.prefix, stage / "usr", symlinks=True)
    (root / "usr" / "share").mkdir(parents=True)
    (root / "usr" / "share" / "theirs").write_text("")
    former = sorted(root.rglob("*"))
    done = copied("install", root, "--stage", stage)
    assert done.returncode == 0, done.stderr
    there = [path.relative_to(stage) for path in stage.rglob("*") if path.is_symlink() or path.is_file()]
    assert len(there) > 100 and all((root / path).exists() for path in there)
    # A version without a page removes that page; twice is as once.
    page = stage / "usr" / "share" / "doc" / "mtoken" / "SECURITY.md"
    page.unlink()
    assert copied("install", root, "--stage", stage).returncode == 0
    assert not (root / page.relative_to(stage)).exists()
    assert copied("uninstall", root).returncode == 0
    assert sorted(root.rglob("*")) == former
    again = copied("uninstall", root)
    assert again.returncode == 1 and "nothing is installed with this PREFIX" in again.stderr


@pytest.mark.parametrize(
    "given, reason",
    [("PREFIX=here", "absolute path"), ("PREFIX=/opt/my libraries", "no space"), ("PYTHON=python9", "is missing")],
)
def test_what_an_installation_lacks_is_named(given: str, reason: str) -> None:
    command = ["make", "-s", "-o", "build", "-o", "man", "install", given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    value = given.partition("=")[2]
    assert done.returncode == 2 and not Path(value).exists()
    assert reason in done.stderr and value in done.stderr, done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_folder_of_somebody_else_is_named_once() -> None:
    with tempfile.TemporaryDirectory() as stage:  # which they can read, wherever the sources are
        os.chmod(stage, 0o755)
        Path(stage, "file").touch()
        done = copied("install", Path("/"), "--stage", stage, become="os.setuid(65534)")
    assert done.returncode == 1 and done.stdout == ""
    assert re.fullmatch(r"make install: / is not yours to write in\. Type: sudo make install or, .*\n", done.stderr)


@pytest.mark.skipif(
    not filecmp.cmp(LIBRARY, BUILT, shallow=False) if BUILT.exists() else True, reason="this is another product"
)
def test_what_is_built_is_not_built_again() -> None:
    """Neither compiled nor linked, so that root, who may have no toolchain, installs it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    make = ["make", "-q", str(BUILT.relative_to(ROOT))]
    assert subprocess.run(make, cwd=ROOT, env=environment, check=False).returncode == 0
    without = {**environment, "SWIFT": "swift-that-is-nowhere"}
    assert subprocess.run(make, cwd=ROOT, env=without, check=False).returncode == 0
    newer = subprocess.run(
        ["make", *make[2:], "-W", "include/mtoken.h"],
        cwd=ROOT,
        env=without,
        capture_output=True,
        text=True,
        check=False,
    )
    assert newer.returncode == 2 and "no swift-that-is-nowhere on the path" in newer.stderr


def version(installed: Installed) -> str:
    return installed.run(tool("pkg-config"), "--modversion", "mtoken").strip()


def test_nothing_names_a_place(installed: Installed) -> None:
    """Neither the folder that it was installed to, nor the one that it was built in."""
    texts = [
        path for path in installed.prefix.rglob("*") if path.suffix in (".pc", ".cmake", ".json", ".h", ".modulemap")
    ]
    assert {path.name for path in texts} >= {"mtoken.pc", "mtokenConfig.cmake", "mtokenConfigVersion.cmake", "mtoken.h"}
    for path in texts:
        text = path.read_text(encoding="utf-8")
        assert not [place for place in installed.former if place in text], path
        assert not re.search(r"@[A-Z_]+@", text), path


def test_pkg_config(installed: Installed, tmp_path: Path) -> None:
    source = tmp_path / "host.c"
    source.write_text(PROGRAM, encoding="utf-8")
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    installed.run(
        tool("cc"), *strict, source, *installed.flags("--cflags", "--libs", "mtoken"), "-o", tmp_path / "host"
    )
    assert installed.run(tmp_path / "host") == f"{version(installed)} 1"


def test_pkg_config_asks_for_no_other_package(installed: Installed, tmp_path: Path) -> None:
    """A machine without the headers of curl, OpenSSL and Jansson compiles and links all the same."""
    alone = {"PKG_CONFIG_LIBDIR": str(tmp_path), "PKG_CONFIG_PATH": str(installed.prefix / "lib" / "pkgconfig")}
    for options in (["--exists"], ["--cflags"], ["--libs"], ["--cflags", "--libs", "--static"]):
        installed.run(tool("pkg-config"), *options, "mtoken", more=alone)
    with pytest.raises(AssertionError):
        installed.run(tool("pkg-config"), "--exists", "libcurl", more=alone)
    assert installed.flags("--libs-only-l", "mtoken") == ["-lmtoken"]
    assert {"-lmtoken", "-lssl", "-lcrypto", "-ljansson", "-lcurl"} <= set(
        installed.flags("--libs-only-l", "--static", "mtoken")
    )


def test_pkg_config_in_usr(installed: Installed, tmp_path: Path) -> None:
    """A distribution's package adds no folder of the system to a command line; in a system root it adds those within."""
    install(tmp_path, PREFIX="/usr", LIBRARY=installed.library)
    place = {"PKG_CONFIG_LIBDIR": str(tmp_path / "usr" / "lib" / "pkgconfig"), "PKG_CONFIG_PATH": ""}
    options = [tool("pkg-config"), "--cflags", "--libs", "mtoken"]
    assert installed.run(*options, more=place).split() == ["-lmtoken"]
    within = installed.run(*options, more={**place, "PKG_CONFIG_SYSROOT_DIR": str(tmp_path)}).split()
    assert within == [f"-I{tmp_path}/usr/include", f"-L{tmp_path}/usr/lib", "-lmtoken"]


def test_pkg_config_names_the_descriptions(installed: Installed) -> None:
    description = json.loads(installed.variable("description").read_text(encoding="utf-8"))
    assert "mtoken_version" in {function["name"] for function in description["functions"]}
    assert "mtoken_version(" in installed.variable("cdef").read_text(encoding="utf-8")
    for name in ("description", "cdef"):
        assert installed.variable(name).resolve().is_relative_to(installed.prefix.resolve())


CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
PAGE = re.compile(r"[\w./-]*\w\.md\b")


def links(page: Path) -> List[str]:
    """The files that a page links to, by paths from where it lies."""
    return LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))


def test_what_is_installed_points_to_what_is_installed(installed: Installed) -> None:
    """The links of pages, and the pages that headers and man pages name."""
    folder = installed.prefix / "share" / "doc" / "mtoken"
    pages = list(folder.rglob("*.md"))
    names = {str(page.relative_to(folder)) for page in pages}
    wanted = {"CHANGELOG.md", "SECURITY.md", "docs/README.md", "docs/errors.md", "docs/guarantees.md"}
    assert names >= wanted and (folder / "LICENSE").exists() and (folder / "examples/c/approve.c").exists()
    dead = [
        f"{page.relative_to(folder)} -> {link}"
        for page in pages
        for link in links(page)
        if not (target := (page.parent / link).resolve()).is_relative_to(folder.resolve()) or not target.exists()
    ]
    assert not dead
    texts = [*(installed.prefix / "include").rglob("*.h"), *(installed.prefix / "share" / "man").rglob("*.3")]
    named = {name for text in texts for name in PAGE.findall(text.read_text(encoding="utf-8"))}
    assert "docs/guarantees.md" in named and named <= names


def test_the_pages_of_the_repository_link_to_files() -> None:
    folders = ("Tests", "bindings", "docs", "examples", "tools")
    pages = [*ROOT.glob("*.md"), *(page for name in folders for page in (ROOT / name).rglob("*.md"))]
    dead = [
        f"{page.relative_to(ROOT)} -> {link}"
        for page in pages
        for link in links(page)
        if not (page.resolve().parent / link).exists() and page.parent.name != "site"  # its pictures are built
    ]
    assert len(pages) > 15 and not dead
    assert not links(ROOT / "bindings" / "python" / "README.md"), "the wheel has this page and no other"


def configure(installed: Installed, folder: Path, wanted: str) -> subprocess.CompletedProcess[str]:
    folder.mkdir(exist_ok=True)
    (folder / "CMakeLists.txt").write_text(PROJECT.format(version=wanted), encoding="utf-8")
    (folder / "host.c").write_text(PROGRAM, encoding="utf-8")
    command = [tool("cmake"), "-S", str(folder), "-B", str(folder / "build"), f"-DCMAKE_PREFIX_PATH={installed.prefix}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_cmake(installed: Installed, tmp_path: Path) -> None:
    done = configure(installed, tmp_path, "1.0")
    assert done.returncode == 0, done.stderr
    installed.run(tool("cmake"), "--build", tmp_path / "build")
    # CMake writes the library's folder into a program that is not installed: no path is set.
    alone = subprocess.run([tmp_path / "build" / "host"], capture_output=True, text=True, check=True)
    assert alone.stdout == f"{version(installed)} 1"
    found = (tmp_path / "build" / "found").read_text(encoding="utf-8").splitlines()
    assert found[0] == version(installed)
    for path, name in zip(found[1:], ("description", "cdef")):
        assert Path(path).samefile(installed.variable(name))


HERE = mtoken.version()
MAJOR, MINOR, PATCH = map(int, HERE.split("."))


@pytest.mark.parametrize(
    "wanted, is_found",
    [
        ("", True),
        (f"{MAJOR}", True),
        (f"{HERE} EXACT", True),
        (f"{MAJOR}.{MINOR}...<{MAJOR + 1}", True),
        (f"{MAJOR}.{MINOR}...{HERE}", True),
        (f"{MAJOR}.{MINOR + 1}", False),
        (f"{MAJOR + 1}", False),
        (f"{MAJOR - 1}.9", False),
        (f"{MAJOR}.{MINOR}.{PATCH + 1}...<{MAJOR + 1}", False),
        (f"{MAJOR - 1}.1...<{MAJOR}", False),
    ],
)
def test_versions_of_cmake(installed: Installed, tmp_path: Path, wanted: str, is_found: bool) -> None:
    """The same major version, and not an older one than was asked for."""
    done = configure(installed, tmp_path, wanted)
    assert (done.returncode == 0) == is_found, done.stderr
    assert is_found or "mtoken" in done.stderr


def test_cmake_says_what_is_missing(installed: Installed, tmp_path: Path) -> None:
    """A tree that was taken apart is not found, and the message names what is missing."""
    library = installed.library.resolve()
    aside = library.with_name("aside")
    library.rename(aside)
    try:
        done = configure(installed, tmp_path, "1.0")
    finally:
        aside.rename(library)
    assert done.returncode != 0 and library.name in done.stderr
