"""The load test runs: a few devices, a few seconds."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Dict, Tuple

import pytest
from conftest import ROOT
from devserver import DevServer
from pages import commands, shell
from test_stores import CHILD_PATH

if "static" in Path(os.environ["MTOKEN_LIBRARY"]).parts:
    pytest.skip(
        "the load test is the same with each product; it is tested with the default one", allow_module_level=True
    )


FOLDER = ROOT / "examples" / "loadtest"
PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
INSTALL, ALONE, WITH_WORKERS, PLACE, LOCUST, MASTER, WORKER = commands("examples/loadtest/README.md")


def smaller(command: str, *sizes: Tuple[str, str]) -> str:
    """A command of the page with other numbers."""
    for printed, small in sizes:
        assert printed in command
        command = command.replace(printed, small)
    return command


@pytest.mark.parametrize("workers", [0, 2], ids=["alone", "distributed"])
def test_a_small_one(workers: int) -> None:
    """By one process, and by two workers of a master: each carries its share of the devices."""
    shell(INSTALL, FOLDER, PATH=PATH)
    command = smaller(
        WITH_WORKERS if workers else ALONE, ("--devices 2000", "--devices 6"), ("--spawn-rate 25", "--spawn-rate 6"),
        ("--time 300", "--time 8"),
    )  # fmt: skip
    child = shell(f"{command} --poll 1 --approve-every 2", FOLDER, PATH=PATH)
    for step in ("activate", "confirm", "list", "approve"):
        found = re.search(rf"^{step} +(\d+) +0 ", child.stdout, re.MULTILINE)
        assert found and int(found.group(1)) >= 6, child.stdout
    carried = re.findall(r"^(?:Locust|worker \d) with (\d+) devices:", child.stdout, re.MULTILINE)
    assert [int(count) for count in carried] == ([3, 3] if workers else [6]), child.stdout


@pytest.fixture
def bank(server: DevServer) -> Dict[str, str]:
    """The variables of the page, which name a bank."""
    assert set(re.findall(r"MTOKEN_\w+", PLACE)) == {"MTOKEN_SERVER", "MTOKEN_CONFIG", "MTOKEN_ADMIN"}
    return {
        "PATH": PATH, "PYTHONPATH": CHILD_PATH, "MTOKEN_LIBRARY": os.environ["MTOKEN_LIBRARY"],
        "MTOKEN_SERVER": server.url, "MTOKEN_CONFIG": server.configuration, "MTOKEN_CA": server.ca_file,
        "MTOKEN_ADMIN": f"{server.http_url}/admin", "MTOKEN_POLL_SECONDS": "1", "MTOKEN_APPROVE_EVERY": "1",
    }  # fmt: skip


def approvals(server: DevServer) -> int:
    operations = server.admin("GET", "/operations", status="APPROVED")["operations"]
    return sum(operation["userId"].startswith("load-") for operation in operations)


def test_at_a_bank(server: DevServer, bank: Dict[str, str]) -> None:
    """Without its web page, which waits for somebody to press the button."""
    before = approvals(server)
    shell(f"{LOCUST} --headless --users 2 --spawn-rate 2 --run-time 3s --exit-code-on-error 7", FOLDER, **bank)
    assert approvals(server) > before


def test_on_several_machines(server: DevServer, bank: Dict[str, str]) -> None:
    """The machines are processes here."""
    before = approvals(server)
    size = (("--users 2000", "--users 4"), ("--spawn-rate 30", "--spawn-rate 4"), ("5m", "6s"))
    worker = smaller(WORKER, ("master.example", "127.0.0.1"))
    master = smaller(MASTER, *size)
    shell(f"{worker} & {worker} & {master} --exit-code-on-error 7; wait", FOLDER, **bank)
    assert approvals(server) >= before + 4
