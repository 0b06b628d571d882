"""The oldest Python that the package is for: the wheel is installed there, and a token is used from Python and by the command.

The interpreter is the one that MTOKEN_OLDEST_PYTHON names, or `python3.9` of the path or of pyenv. `make test-package` does the
same in a new Debian system.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Iterator, List

import pytest
from conftest import ROOT
from devserver import DevServer
from pages import commands, shell
from test_wheel import APPROVE, run, wheel

__all__ = ["wheel"]
OLDEST = "3.9"


def candidates() -> Iterator[str]:
    yield os.environ.get("MTOKEN_OLDEST_PYTHON", "")
    yield shutil.which(f"python{OLDEST}") or ""
    yield from map(str, Path.home().glob(f".pyenv/versions/{OLDEST}.*/bin/python{OLDEST}"))


def interpreter() -> str:
    """A Python of the oldest version that works."""
    asked: List[str] = [path for path in candidates() if path]
    for path in asked:
        question = [path, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"]
        answer = subprocess.run(question, capture_output=True, text=True, check=False)
        if answer.stdout.strip() == OLDEST:
            return path
    pytest.skip(f"there is no Python {OLDEST} here: MTOKEN_OLDEST_PYTHON may name one")


@pytest.fixture(scope="module")
def oldest(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment of the oldest Python with the wheel, installed as the command's page says."""
    folder = tmp_path_factory.mktemp("oldest")
    subprocess.run([interpreter(), "-m", "venv", str(folder)], check=True, timeout=600)
    (install,) = commands("docs/guides/command.md")
    assert wheel.match("build/dist/libmtoken-*.whl") and "build/dist/libmtoken-*.whl" in install
    shell(install, ROOT, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
    shell(f"pip install --quiet '{wheel}[view]'", ROOT, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
    return folder / "bin"


def test_the_package(oldest: Path, server: DevServer, user: str, tmp_path: Path) -> None:
    operation = server.new_operation(userId=user)["operationId"]
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    child = run(
        oldest / "python", APPROVE, server.url, server.ca_file, server.configuration, code, str(tmp_path / "state")
    )
    assert child.returncode == 0, child.stderr
    assert server.operation(operation)["status"] == "APPROVED"


def test_the_command(oldest: Path, server: DevServer, user: str, tmp_path: Path) -> None:
    operation = server.new_operation(userId=user)["operationId"]
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    environment = {"PATH": f"{oldest}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    steps = (
        f'mtoken profile add bank --server {server.url} --ca "{server.ca_file}" --config "{server.configuration}"',
        f"mtoken activate {code} --pin-fd 3 3<<<2468",
        "mtoken list",
        f"mtoken approve {operation} --yes --pin-fd 3 3<<<2468",
        "mtoken approve --help",
    )
    for step in steps:
        shell(step, tmp_path, **environment)
    assert server.operation(operation)["status"] == "APPROVED"


def test_every_module(oldest: Path) -> None:
    """Every module of the wheel can be loaded, those that nothing loads by itself too."""
    script = """
import importlib, pkgutil, mtoken, mtoken_command
for package in (mtoken, mtoken_command):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
            print(module.name)
"""
    child = run(oldest / "python", script)
    assert child.returncode == 0, child.stderr
    assert {"mtoken.aio", "mtoken.oidc", "mtoken_command.mobile_auth"} <= set(child.stdout.split())
