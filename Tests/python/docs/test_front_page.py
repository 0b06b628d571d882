"""Every command and code block of the README runs as it is printed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, List

from activations import Activations
from conftest import ROOT
from devserver import DevServer

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> List[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shell(command: str, folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"
    }
    environment["HOME"] = str(home)
    return subprocess.run(
        ["sh", "-ec", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False
    )


def test_every_block_is_known() -> None:
    assert [len(blocks(language)) for language in ("sh", "c", "python")] == [5, 1, 1]
    commands = [line.split("#")[0].strip() for line in blocks("sh")[2].splitlines()]
    assert commands == ["make demo", "make test"], "the second is what runs this test"
    assert all("mtoken demo" in block for block in blocks("sh")[:2]), "Tests/packages/test_doors.py runs these"


def test_the_demo(tmp_path: Path) -> None:
    child = shell("make demo", ROOT, tmp_path)
    assert child.returncode == 0, child.stdout + child.stderr
    assert "Both programs and the server agree." in child.stdout
    assert "carol's activation is confirmed" in child.stdout, "it activates in two steps"


def test_the_c_example(tmp_path: Path, server: DevServer, monkeypatch: Any) -> None:
    """Installed into a new home, compiled by the printed command."""
    (tmp_path / "ready.c").write_text(blocks("c")[0], encoding="utf-8")
    monkeypatch.setenv("CONFIGURATION", server.configuration)
    install, compile_it, run_it = blocks("sh")[3].strip().splitlines()
    for command, folder in ((install, ROOT), (compile_it, tmp_path), (run_it, tmp_path)):
        child = shell(command, folder, tmp_path)
        assert child.returncode == 0, child.stdout + child.stderr
    assert child.stdout == "ready: mtoken_client_activate comes next\n"
    child = shell("make uninstall PREFIX=$HOME/.local", ROOT, tmp_path)
    assert child.returncode == 0 and not (tmp_path / ".local").exists(), child.stdout + child.stderr


def test_the_python_example(
    tmp_path: Path, server: DevServer, activations: Activations, user: str, monkeypatch: Any
) -> None:
    operation = server.new_operation(userId=user)["operationId"]
    (tmp_path / "first.py").write_text(blocks("python")[0], encoding="utf-8")
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    python = tmp_path / "venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "bindings" / "python" / "src"))
    given = [server.url, server.ca_file, server.configuration, activations.new(user)["activationQr"]]
    for name, value in zip(("URL", "CA", "CONFIGURATION", "CODE"), given):
        monkeypatch.setenv(name, value)
    child = shell(blocks("sh")[4], tmp_path, tmp_path)
    assert child.returncode == 0 and "fingerprint" in child.stdout, child.stdout + child.stderr
    assert server.operation(operation)["status"] == "APPROVED"
    # Once more, with nothing to approve; then without the activation: the code was used.
    again = shell(blocks("sh")[4], tmp_path, tmp_path)
    assert (again.returncode, again.stdout) == (0, ""), again.stdout + again.stderr
    refused = shell("rm -r state\n" + blocks("sh")[4], tmp_path, tmp_path)
    assert refused.returncode == 1 and re.fullmatch(r"activate: [^\n{}]+\n", refused.stderr), refused.stderr
