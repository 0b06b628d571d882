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


@pytest.mark.parametrize("workers", [0, 2], ids=["alone", "distributed"])
def test_a_small_one(workers: int) -> None:
    """By one process, and by two workers of a master: each carries its share of the devices."""
    size = ["--devices", "6", "--spawn-rate", "6", "--time", "10", "--poll", "1", "--approve-every", "2"]
    size += ["--workers", str(workers)]
    command = [sys.executable, str(ROOT / "examples" / "loadtest" / "run.py"), *size]
    child = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert child.returncode == 0, child.stdout + child.stderr
    for step in ("activate", "list", "approve"):
        found = re.search(rf"^{step} +(\d+) +0 ", child.stdout, re.MULTILINE)
        assert found and int(found.group(1)) >= 6, child.stdout
    carried = re.findall(r"^(?:Locust|worker \d) with (\d+) devices:", child.stdout, re.MULTILINE)
    assert [int(count) for count in carried] == ([3, 3] if workers else [6]), child.stdout
