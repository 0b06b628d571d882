"""The load test runs: a few devices, a few seconds."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

if "static" in Path(os.environ["MTOKEN_LIBRARY"]).parts:
    pytest.skip("the load test is the same with each product; it is tested with the default one", allow_module_level=True)


def test_a_small_one() -> None:
    size = ["--devices", "5", "--spawn-rate", "5", "--time", "15", "--poll", "1", "--approve-every", "2"]
    command = [sys.executable, str(ROOT / "examples" / "loadtest" / "run.py"), *size]
    child = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert child.returncode == 0, child.stdout + child.stderr
    for step in ("activate", "list", "approve"):
        found = re.search(rf"^{step} +(\d+) +0 ", child.stdout, re.MULTILINE)
        assert found and int(found.group(1)) >= 5, child.stdout
