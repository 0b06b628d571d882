"""The fixtures of the end-to-end tests, and the command as a user has it."""

import sys
from pathlib import Path
from typing import Iterator

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / folder) for folder in ("Tests/python", "bindings/python/src", "tools/command")]

from commands import PIN, Command  # noqa: E402
from devserver import DevServer  # noqa: E402
from fixtures import *  # noqa: E402, F403


@pytest.fixture
def empty(tmp_path: Path, server: DevServer, user: str) -> Command:
    return Command(tmp_path, server, user)


@pytest.fixture
def command(empty: Command) -> Command:
    """With one profile, activated with the PIN 2468."""
    empty.add()
    empty.run("activate", empty.code(), pin=PIN)
    return empty


@pytest.fixture
def keyring_command(empty: Command, tmp_path: Path) -> Iterator[Command]:
    (tmp_path / "run").mkdir(mode=0o700)
    empty.environment |= {
        "PYTHON_KEYRING_BACKEND": "filekeyring.FileKeyring", "MTOKEN_TEST_KEYRING": str(tmp_path / "keyring.json"),
        "XDG_RUNTIME_DIR": str(tmp_path / "run"),
    }  # fmt: skip
    yield empty
