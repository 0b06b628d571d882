"""The load test runs: a few devices, a few seconds."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Dict, Tuple

import pexpect
import pytest
from conftest import CHILD_PATH, ROOT
from ctrl_c import listen_to_ctrl_c
from devserver import DevServer
from pages import commands, shell
from test_console import Visitor, missing

FOLDER = ROOT / "tools" / "loadtest"
sys.path.insert(0, str(FOLDER))

import results  # noqa: E402

PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
INSTALL, ALONE, WITH_WORKERS, WITH_REPORT, PLACE, LOCUST, MASTER, WORKER = commands("tools/loadtest/README.md")


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


@pytest.mark.parametrize("workers", [0, 2], ids=["alone", "distributed"])
def test_ctrl_c_ends_it_with_its_report(workers: int, tmp_path: Path) -> None:
    """At a terminal, which interrupts all processes that it knows."""
    report = tmp_path / "report.html"
    words = f"run.py --devices 4 --spawn-rate 4 --time 3000 --poll 1 --workers {workers} --report {report}".split()
    environment = {**os.environ, "PATH": PATH, "PYTHONPATH": CHILD_PATH}
    run = pexpect.spawn(
        sys.executable,
        words,
        cwd=str(FOLDER),
        env=environment,
        encoding="utf-8",
        timeout=100,
        preexec_fn=listen_to_ctrl_c,
    )
    run.expect("4 of 4 devices, [1-9]")
    run.sendcontrol("c")
    run.expect("ending early")
    run.expect(r"Ended early:\s+4 devices")
    run.expect(r"list +[1-9]\d* +0 ")
    run.expect(pexpect.EOF)
    run.close()
    assert run.exitstatus == 130 and "<html" in report.read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    """It is found before the start."""
    words = [sys.executable, "run.py", "--report", str(tmp_path / "nowhere" / "report.html")]
    done = subprocess.run(words, cwd=FOLDER, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "the report cannot be written" in done.stderr


def test_progress_report_and_metrics(tmp_path: Path) -> None:
    """It tells how it goes, Prometheus finds the figures meanwhile, and the page with plots is there at the end."""
    command = smaller(
        WITH_REPORT, ("--devices 2000", "--devices 4"), ("report.html", str(tmp_path / "report.html")),
        ("result.json", str(tmp_path / "result.json")), ("127.0.0.1:9646", "PLACE"),
    )  # fmt: skip
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    command = command.replace("PLACE", place) + " --spawn-rate 4 --time 20 --poll 1 --approve-every 2"
    activated = re.compile(r'^mtoken_load_step_seconds_count\{step="activate"\} 4$', re.MULTILINE)
    with subprocess.Popen(
        command.split(), cwd=FOLDER, env={**os.environ, "PATH": PATH, "PYTHONPATH": CHILD_PATH}, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        assert program.stderr is not None
        line = figures = ""
        for line in program.stderr:
            if "4 of 4 devices" not in line:
                continue
            with urllib.request.urlopen(f"http://{place}/metrics", timeout=30) as answer:
                figures = answer.read().decode()
                assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            if activated.search(figures):  # workers report what they have counted later than how many devices they have
                break
        errors = program.stderr.read()
    assert program.returncode == 0, errors
    assert re.search(r"\d+ s  4 of 4 devices, \d+ lists \(95 % within \d+ ms\), \d+ approvals, 0 failed", line), line
    assert "mtoken_load_devices 4\n" in figures and "mtoken_load_workers 2\n" in figures
    assert activated.search(figures), figures
    samples = [text for text in figures.splitlines() if not text.startswith("#")]
    assert all(re.fullmatch(r"[a-z_]+(\{[a-z]+=\"[^\"]+\"(,[a-z]+=\"[^\"]+\")*\})? [0-9.]+", text) for text in samples)
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert result["passed"] and result["verdict"].startswith("4 of 4 devices looked ") and result["run"]["workers"] == 2
    assert result["own_wait"]["count"] > 0 and all(result["steps"][step]["history"] for step in ("activate", "list"))
    assert {name.partition(" with")[0] for name in result["processes"]} == {
        "Locust's master", "worker 1", "worker 2", "the development server"
    }  # fmt: skip
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for said in (result["verdict"], result["run"]["server"], "The client's own waiting", "report.locust.html"):
        assert said in page
    assert page.count("<svg") == 4 and "<script" not in page
    assert "response_time_percentile" in (tmp_path / "report.locust.html").read_text(encoding="utf-8")
    if missing() is None:
        with Visitor() as visitor:
            for scheme in ("light", "dark"):
                for width in (1200, 390):
                    visitor.appear(scheme, width)
                    visitor.open((tmp_path / "report.html").as_uri())
                    assert visitor.findings() == []


def test_the_verdict() -> None:
    """Of runs in which something failed, nothing was approved, or the client waited for itself."""
    fine = {"count": 10, "failed": 0, "p95_ms": 40.0}
    run = {"devices": 10, "ended_early": False}
    for change, passed, said in (
        ({}, True, "10 of 10 devices looked 10 times and approved 10 times; no step failed. 95 % of the lists took at most 40 ms."),
        ({"list": {**fine, "failed": 3}}, False, "3 steps failed."),
        ({"approve": {"count": 0, "failed": 0}}, False, "approved 0 times"),
        ({"activate": {**fine, "count": 9}}, False, "9 of 10 devices"),
        ({"activate": {"count": 0, "failed": 0}}, False, "Nothing was measured."),
        ({"own_wait": {**fine, "p95_ms": 30.0}}, True, "the client's own waiting for a processor"),
        ({"run": {**run, "ended_early": True}}, False, "Ended early."),
    ):  # fmt: skip
        steps = {name: change.get(name, fine) for name in results.STEPS}
        waits = change.get("own_wait", {**fine, "p95_ms": 1.0})
        result = {"run": change.get("run", run), "steps": steps, "own_wait": waits}
        results.judge(result)
        assert result["passed"] is passed and said in result["verdict"], result


def test_the_units() -> None:
    """What the units start takes these options, and systemd understands them."""
    for unit in sorted((FOLDER / "systemd").iterdir()):
        content = unit.read_text(encoding="utf-8").replace("\\\n", " ")
        (start,) = re.findall(r"^ExecStart=(.*)$", content, re.MULTILINE)
        words = start.split()
        assert Path(words[0]).name == "mtoken-locust"
        options = [word for word in words if word.startswith("--")]
        shown = shell("locust --help", FOLDER, PATH=PATH).stdout
        assert options and [option for option in options if option not in shown] == []
        sections = re.findall(r"^\[(\w+)\]$", content, re.MULTILINE)
        assert sections[:2] == ["Unit", "Service"]


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
