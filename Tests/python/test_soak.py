"""Lives by chance (soak.py): short ones always, long ones in test-full; both are enforced by windows of 20 and of 5."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import virtual_environment

FULL = os.environ.get("MTOKEN_FULL") == "1"
STEPS = 300 if FULL else 60
SEEDS = list(range(1, 11)) if FULL else random.sample(range(1_000_000), 2)


@pytest.mark.skipif(virtual_environment.IS_TESTING, reason="it starts processes of its own")
@pytest.mark.parametrize("window", [20, 5])
@pytest.mark.parametrize("protocol", ["V4_0", "V3_3", "V3_2", "V3_1"])
def test_life(protocol: str, window: int, capsys: pytest.CaptureFixture[str]) -> None:
    seeds = SEEDS if FULL or window == 20 else SEEDS[:1]
    command = [sys.executable, str(Path(__file__).with_name("soak.py")), protocol, str(window), str(STEPS)]
    command += [str(seed) for seed in seeds]
    run = subprocess.run(command, env=virtual_environment.environment(), capture_output=True, text=True)
    with capsys.disabled():
        print(f"\nsoak: {protocol}, window {window}, {STEPS} steps, seeds {seeds}", end="")
    assert run.returncode == 0, f"seeds {seeds}:\n{run.stdout}\n{run.stderr}"
