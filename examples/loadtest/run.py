#!/usr/bin/env python3
"""A load test on one machine: starts the dev server and Locust, and prints what Locust measured and what both cost.

    run.py --devices 2000 --spawn-rate 25 --time 300
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Tuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="mtoken-load-") as folder:
        command = [sys.executable, "-m", "mtoken_devserver", "--json", "--http-port", "0", "--state-dir", folder]
        server = subprocess.Popen(
            [*command, "--exit-with-parent"], cwd=ROOT / "examples" / "devserver", stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=(Path(folder) / "server.log").open("wb"), text=True,
        )  # fmt: skip
        assert server.stdin and server.stdout
        try:
            ready = json.loads(server.stdout.readline())
            seconds, peak = locust(options, ready, Path(folder))
            answer = report(options, Path(folder))
            print(f"\nLocust with the devices: {seconds:.0f} s of processor time, {peak} MiB at most")
            print("the development server:  {:.0f} s of processor time, {} MiB at most".format(*cost(server.pid)))
        finally:
            server.stdin.close()
            server.wait(timeout=60)
    return answer


def locust(options: argparse.Namespace, ready: Dict[str, Any], folder: Path) -> Tuple[float, int]:
    """Runs Locust; its processor time in seconds, and its memory in MiB."""
    environment = {
        **os.environ,
        "MTOKEN_SERVER": ready["url"], "MTOKEN_CONFIG": ready["application"]["sdkConfig"], "MTOKEN_CA": ready["caFile"],
        "MTOKEN_ADMIN": f"{ready['httpUrl']}/admin", "MTOKEN_POLL_SECONDS": str(options.poll),
        "MTOKEN_APPROVE_EVERY": str(options.approve_every),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "bindings" / "python" / "src"), os.environ.get("PYTHONPATH", "")]),
    }  # fmt: skip
    command = [sys.executable, "-m", "locust", "-f", str(HERE / "locustfile.py"), "--headless", "--only-summary"]
    command += ["--users", str(options.devices), "--spawn-rate", str(options.spawn_rate), "--stop-timeout", "30"]
    command += ["--run-time", f"{options.time}s", "--csv", str(folder / "load"), "--exit-code-on-error", "0"]
    with (folder / "locust.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        _, process.returncode, usage = os.wait4(process.pid, 0)
    if process.returncode != 0:
        raise SystemExit((folder / "locust.log").read_text())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def report(options: argparse.Namespace, folder: Path) -> int:
    """Prints a line for each step; 1 if anything failed or nothing was approved."""
    with (folder / "load_stats.csv").open(newline="") as file:
        rows = {row["Name"]: row for row in csv.DictReader(file)}
    print(f"{options.devices} devices, {options.time} s, each looks every {options.poll:g} s\n")
    print(f"{'':10}{'count':>8}{'failed':>8}{'per s':>9}{'median ms':>11}{'95 % ms':>9}{'99 % ms':>9}{'worst ms':>10}")
    for name in ("activate", "list", "approve"):
        row = rows.get(name)
        if row is None:
            print(f"{name:10}{0:>8}")
            continue
        figures: List[str] = [row["Request Count"], row["Failure Count"], f"{float(row['Requests/s']):.1f}"]
        figures += [f"{float(row[key]):.0f}" for key in ("50%", "95%", "99%", "Max Response Time")]
        widths = (8, 8, 9, 11, 9, 9, 10)
        print(f"{name:10}" + "".join(f"{figure:>{width}}" for figure, width in zip(figures, widths)))
    done = rows.get("approve") is not None and int(rows["activate"]["Request Count"]) >= options.devices
    return 0 if done and int(rows["Aggregated"]["Failure Count"]) == 0 else 1


def cost(process: int) -> Tuple[float, int]:
    """Processor time in seconds and memory in MiB of a process that runs."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    (peak,) = [line.split()[1] for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM")]
    return seconds, int(peak) // 1024


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--devices", type=int, default=2000)
    parser.add_argument("--spawn-rate", type=float, default=25, help="devices activated per second")
    parser.add_argument("--time", type=int, default=300, help="seconds")
    parser.add_argument("--poll", type=float, default=30, help="seconds between two looks of a device")
    parser.add_argument("--approve-every", type=int, default=10, help="looks between two approvals of a device")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
