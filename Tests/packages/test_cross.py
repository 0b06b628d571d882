"""The library for another system, where it runs: a wheel and a program in a Debian for arm64, a program where there is musl alone.

make test-cross, which runs this with programs for arm64 emulated. MTOKEN_CROSS names the system.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Iterator

import pytest
from debian import ROOT, System, approve
from devserver import DevServer
from test_packages import approve_by_python

CROSS = os.environ.get("MTOKEN_CROSS", "")
BUILD = ROOT / "build" / CROSS
LIBRARY = BUILD / "portable" / "libmtoken.so.1"
SYSROOT = BUILD / "sysroot"
IS_MUSL = CROSS.endswith("-musl")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    server = DevServer(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture
def system(tmp_path: Path) -> System:
    """A Debian for arm64; or nothing at all but musl."""
    if not IS_MUSL:
        shutil.rmtree(ROOT / "build/cross/arm64/srv", ignore_errors=True)
        (ROOT / "build/cross/arm64/srv").mkdir()
        return System(ROOT / "build/cross/arm64")
    (tmp_path / "srv").mkdir()
    (tmp_path / "tmp").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "dev").mkdir()
    loader = f"ld-musl-{CROSS.partition('-')[0]}.so.1"
    shutil.copy(SYSROOT / "lib" / loader, tmp_path / "lib" / loader)
    return System(tmp_path)


def test_a_program(system: System, server: DevServer, tmp_path: Path) -> None:
    """The example in C and the library are all that is added: a device activates, approves and rejects."""
    made = tmp_path / "approve"
    command = [
        *os.environ["MTOKEN_CROSS_CC"].split(),
        "-std=c99",
        str(ROOT / "examples/c/approve.c"),
        f"-I{ROOT / 'include'}",
    ]
    command += [f"-L{LIBRARY.parent}", "-l:libmtoken.so.1", "-Wl,-rpath,/srv", "-o", str(made)]
    subprocess.run(command, check=True)
    system.bring(LIBRARY)
    approve(system, server, system.bring(made), f"{CROSS}-program")


@pytest.mark.skipif(
    IS_MUSL, reason="not run: no Python for musl is here; the wheel's library is the one of the program"
)
def test_the_wheel(system: System, server: DevServer) -> None:
    (wheel,) = (BUILD / "dist").glob("libmtoken-*.whl")
    system.run("python3", "-m", "venv", "--clear", "/srv/venv")
    system.run("/srv/venv/bin/pip", "install", "--quiet", "--no-index", system.bring(wheel))
    assert system.run("/srv/venv/bin/python", "-c", "import platform; print(platform.machine())") == "aarch64\n"
    approve_by_python(system, server, f"{CROSS}-wheel", "/srv/venv/bin/python")
