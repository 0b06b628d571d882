"""The files of `make install`, moved to another folder, as programs find them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List, Mapping, Optional

import pytest

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "/opt/mtoken"


def tool(name: str) -> str:
    """A program of a package that `make deps-full deps-bindings` installs; without it the test is skipped."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed: make deps-full deps-bindings")
    return path


def install(folder: Path, **variables: object) -> None:
    """`make install` of what was built before."""
    command = [
        "make",
        "-s",
        "install-files",
        f"DESTDIR={folder}",
        *(f"{name}={value}" for name, value in variables.items()),
    ]
    # A make that runs these tests passes its options on to this one.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class Installed:
    """The tree, which was moved to `prefix` after it was installed."""

    def __init__(self, folder: Path, library: Path):
        first = folder / "first"
        install(first, PREFIX=PREFIX, LIBRARY=library)
        self.former = [str(first), PREFIX, str(ROOT)]
        self.prefix = folder / "moved" / "elsewhere"
        self.prefix.parent.mkdir()
        (first / PREFIX.lstrip("/")).rename(self.prefix)
        shutil.rmtree(first)

    @property
    def library(self) -> Path:
        return self.prefix / "lib" / "libmtoken.so.1"

    @property
    def environment(self) -> Dict[str, str]:
        """As a user sets it whose libraries are in a folder of their own."""
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("MTOKEN_")},
            "PKG_CONFIG_PATH": str(self.prefix / "lib" / "pkgconfig"),
            "LD_LIBRARY_PATH": str(self.library.parent),
        }

    def run(
        self,
        *command: object,
        folder: Optional[Path] = None,
        more: Optional[Mapping[str, str]] = None,
        seconds: int = 110,
    ) -> str:
        """The output of a command that must succeed."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            env={**self.environment, **(more or {})},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}"
        return done.stdout

    def flags(self, *options: str) -> List[str]:
        """The words that pkg-config prints."""
        return shlex.split(self.run(tool("pkg-config"), *options))

    def variable(self, name: str) -> Path:
        return Path(self.run(tool("pkg-config"), f"--variable={name}", "mtoken").strip())
