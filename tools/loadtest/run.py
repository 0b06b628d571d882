#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A load test on one machine: starts the dev server and Locust, tells how it goes, and prints what Locust measured and
what both cost.

run.py --devices 2000 --spawn-rate 25 --time 300
run.py --devices 2000 --workers 2       with a master and two workers, each a process, as on several machines
run.py --report report.html             and a page with plots, with Locust's beside it
run.py --json result.json               and the same as JSON, for a CI; the exit status is 1 if the run has failed
run.py --metrics 127.0.0.1:9646         and figures for Prometheus while it runs
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any, Dict, Tuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import results  # noqa: E402

ROOT = HERE.parents[1]
SERVER = ROOT / "tools" / "devserver"
"""Of the source tree; where the packages are installed, it is on Python's path."""
PROGRESS = 5.0
"""Seconds between two lines that tell how it goes."""


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="mtoken-load-") as folder:
        command = [sys.executable, "-m", "mtoken_devserver", "--json", "--http-port", "0", "--state-dir", folder]
        server = subprocess.Popen(
            [*command, "--exit-with-parent"], cwd=SERVER if SERVER.exists() else None, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=(Path(folder) / "server.log").open("wb"), text=True, preexec_fn=os.setpgrp,
        )  # fmt: skip
        assert server.stdin and server.stdout
        try:
            ready = json.loads(server.stdout.readline())
            began = time.strftime("%Y-%m-%d %H:%M:%S %Z")
            costs = locust(options, ready, Path(folder))
            costs["the development server"] = cost(server.pid)
            steps = results.collect(Path(folder))
            result: results.Result = {
                "run": {
                    "server": ready["url"], "began": began, "devices": options.devices, "seconds": options.time,
                    "spawn_rate": options.spawn_rate, "poll_seconds": options.poll, "workers": options.workers,
                    "approve_every": options.approve_every, "ended_early": options.interrupted,
                },
                "own_wait": steps.pop(results.WAITS),
                "steps": steps,
                "processes": {
                    name: {"processor_seconds": round(seconds, 2), "memory_mib": peak}
                    for name, (seconds, peak) in costs.items()
                },
            }  # fmt: skip
            results.judge(result)
        finally:
            server.stdin.close()
            server.wait(timeout=60)
    print(results.table(result))
    if options.report:
        options.report.write_text(results.page(result, locusts(options.report).name), encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 130 if options.interrupted else 0 if result["passed"] else 1


def locusts(report: Path) -> Path:
    """Where Locust's own report lies: beside ours."""
    return report.with_name(f"{report.stem}.locust.html")


def locust(options: argparse.Namespace, ready: Dict[str, Any], folder: Path) -> Dict[str, Tuple[float, int]]:
    """Runs Locust; of each of its processes the processor time in seconds and the memory in MiB."""
    environment = {
        **os.environ,
        "MTOKEN_SERVER": ready["url"], "MTOKEN_CONFIG": ready["application"]["sdkConfig"], "MTOKEN_CA": ready["caFile"],
        "MTOKEN_ADMIN": f"{ready['httpUrl']}/admin", "MTOKEN_POLL_SECONDS": str(options.poll),
        "MTOKEN_APPROVE_EVERY": str(options.approve_every),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "bindings" / "python" / "src"), os.environ.get("PYTHONPATH", "")]),
    }  # fmt: skip
    program = [sys.executable, "-m", "locust", "-f", str(HERE / "locustfile.py")]
    command = [*program, "--headless", "--only-summary"]
    command += ["--users", str(options.devices), "--spawn-rate", str(options.spawn_rate), "--stop-timeout", "30"]
    command += ["--run-time", f"{options.time}s", "--csv", str(folder / "load"), "--exit-code-on-error", "0"]
    command += ["--csv-full-history"]
    command += ["--html", str(locusts(options.report))] if options.report else []
    metrics = options.metrics or f"127.0.0.1:{free_port()}"
    commands = {"Locust": command}
    if options.workers:
        port = str(free_port())
        master = ["--master", "--master-bind-host", "127.0.0.1", "--master-bind-port", port]
        commands = {"Locust's master": [*command, *master, "--expect-workers", str(options.workers)]}
        worker = [*program, "--worker", "--master-host", "127.0.0.1", "--master-port", port]
        commands.update({f"worker {number}": worker for number in range(1, options.workers + 1)})
    costs = {}
    with (folder / "locust.log").open("wb") as log:
        processes = {
            name: subprocess.Popen(
                line,
                env={**environment, "MTOKEN_METRICS": metrics},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=os.setpgrp,
            )
            for name, line in commands.items()
        }
        early = EndingEarly(next(iter(processes.values())).pid)
        told = threading.Event()
        progress = threading.Thread(target=tell, args=(f"http://{metrics}/metrics", options.devices, told), daemon=True)
        progress.start()
        try:
            for name, process in processes.items():
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                if process.returncode != 0 and not early.wanted:
                    raise SystemExit(f"{name}:\n{(folder / 'locust.log').read_text()}")
                carried = devices_of(process.pid, environment["MTOKEN_ADMIN"])
                costs[name + (f" with {carried} devices" if carried else "")] = (
                    usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024,
                )  # fmt: skip
        finally:
            early.close()
            told.set()
            progress.join()
            for process in processes.values():
                if process.returncode is None:
                    process.kill()
                    process.wait()
    options.interrupted = early.wanted
    return costs


class EndingEarly:
    """Ctrl-C ends the run, not the report: Locust, or its master, is asked to end, and writes what it has measured. The
    server and the workers, which a terminal would interrupt too, are in process groups of their own."""

    def __init__(self, process: int):
        self._process = process
        self.wanted = False
        signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        self._before = {one: signal.signal(one, self._end) for one in signals}

    def _end(self, number: int, _: object) -> None:
        if self.wanted or number != signal.SIGINT:
            raise SystemExit(128 + number)
        self.wanted = True
        print("ending early: the table follows within 30 s; Ctrl-C again ends at once", file=sys.stderr, flush=True)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGINT)

    def close(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)


def tell(url: str, devices: int, over: threading.Event) -> None:
    """Prints every few seconds how it goes, to standard error."""
    started = time.monotonic()
    while not over.wait(PROGRESS):
        try:
            with urllib.request.urlopen(url, timeout=PROGRESS) as answer:
                figures = dict(re.findall(r"^(mtoken_\S+) (\S+)$", answer.read().decode(), re.MULTILINE))
        except OSError:
            continue  # not there yet, or no more
        counts = {
            step: figures.get(f'mtoken_load_step_seconds_count{{step="{step}"}}', "0")
            for step in ("activate", "list", "approve")
        }
        failed = sum(int(value) for name, value in figures.items() if name.startswith("mtoken_load_failures_total"))
        slow = figures.get('mtoken_load_step_seconds{step="list",quantile="0.95"}', "0")
        print(
            f"{time.monotonic() - started:5.0f} s  {figures['mtoken_load_devices']} of {devices} devices,"
            f" {counts['list']} lists (95 % within {float(slow) * 1000:.0f} ms), {counts['approve']} approvals,"
            f" {failed} failed",
            file=sys.stderr,
            flush=True,
        )


def devices_of(process: int, admin: str) -> int:
    """How many devices a process of Locust has activated."""
    with urllib.request.urlopen(f"{admin}/activations") as answer:
        users = [activation["userId"] for activation in json.load(answer)["activations"]]
    return sum(user.startswith(f"load-{process}-") for user in users)


def free_port() -> int:
    """An unused port."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def cost(process: int) -> Tuple[float, int]:
    """Processor time in seconds and memory in MiB of a running process."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    (peak,) = [
        line.split()[1] for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM")
    ]
    return seconds, int(peak) // 1024


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=2000)
    parser.add_argument("--spawn-rate", type=float, default=25, help="devices activated per second")
    parser.add_argument("--time", type=int, default=300, help="seconds")
    parser.add_argument("--poll", type=float, default=30, help="seconds between two looks of a device")
    parser.add_argument("--approve-every", type=int, default=10, help="looks between two approvals of a device")
    parser.add_argument(
        "--workers", type=int, default=0, help="processes that carry the devices, beside a master; 0: one for all"
    )
    parser.add_argument("--report", type=Path, help="HTML page with plots, written at the end")
    parser.add_argument("--json", type=Path, help="the same as JSON, written at the end")
    parser.add_argument("--metrics", metavar="HOST:PORT", help="where Prometheus finds the figures while it runs")
    options = parser.parse_args()
    options.interrupted = False
    for path in filter(None, (options.report, options.json)):
        there = path.exists()
        try:
            path.open("ab").close()
        except OSError as problem:
            parser.error(f"the report cannot be written: {problem}")
        if not there:
            path.unlink()
    return options


def locust_command() -> None:
    """`mtoken-locust`: Locust with these devices, as one of several machines runs it."""
    os.execv(sys.executable, [sys.executable, "-m", "locust", "-f", str(HERE / "locustfile.py"), *sys.argv[1:]])


def command() -> None:
    """`mtoken-loadtest`."""
    sys.exit(main())


if __name__ == "__main__":
    sys.exit(main())
