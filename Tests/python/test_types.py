"""The binding and the examples are fully typed."""

from __future__ import annotations

import os
import subprocess
import sys

from conftest import ROOT, mypy_cache


def test_mypy_strict() -> None:
    sources = ["bindings/python/src", "examples/python/approve.py", "examples/python/bank.py", "Tests/contract.py"]
    sources.append("examples/python/approve_asyncio.py")
    sources.append("bindings/generate")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", mypy_cache("sources"), *sources]
    path = os.pathsep.join(["bindings/python/src", "bindings", "examples/python", "Tests", "Tests/python"])
    child = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "MYPYPATH": path}, capture_output=True, text=True, check=False
    )
    assert child.returncode == 0, child.stdout + child.stderr
