#!/usr/bin/env python3
"""Runs the benchmarks, prints the table of figures and writes bench.json. See README.md beside this file."""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
from typing import Any

# name: (benchmark of the library, benchmark of the limit, highest ratio or None)
SIGNATURE = "signature, possession"
CLIENT = "mtoken_client_sign, possession, memory store"
PIN = "mtoken_client_sign, possession and knowledge, memory store"
TOKEN = "mtoken_token_get_header"
FIGURES = [
    (SIGNATURE, SIGNATURE, SIGNATURE + ", with nonce and counter", 1.25),
    (SIGNATURE + "; limit: the least", SIGNATURE, SIGNATURE + ", least", None),
    (CLIENT,) * 3 + (1.35,),
    ("mtoken_client_sign, possession, directory store",) * 3 + (None,),
    (PIN,) * 3 + (0.5,),
    (PIN + "; limit: blocks of SHA-1", PIN, "PBKDF2, blocks of SHA-1", None),
    ("HMAC of 300 bytes",) * 3 + (1.2,),
    ("HMAC of 300 bytes; limit: OpenSSL's own", "HMAC of 300 bytes", "HMAC of 300 bytes, OpenSSL's own", None),
    ("token header",) * 3 + (1.3,),
    (TOKEN,) * 3 + (1.3,),
    ("ECIES encryption of 1 KiB",) * 3 + (1.3,),
    ("mtoken_client_verify, master key",) * 3 + (1.1,),
    ("mtoken_client_verify, personalised key",) * 3 + (1.1,),
    ("list of 100 operations, all members",) * 3 + (0.6,),
    ("list of 100 operations, typical",) * 3 + (0.6,),
]

# Benchmarks of the library, and how often a call may ask for memory.
ALLOCATIONS = [(CLIENT, 20), (PIN, None), (TOKEN, None)]

# Benchmarks of the library that another implementation does too, and the highest ratio beside it or None.
PEERS = [(CLIENT, None), (PIN, None), (TOKEN, 0.65)]

SYSTEM_LIBRARIES = ["libm.so.6", "libcrypto.so.3", "libssl.so.3", "libjansson.so.4", "libcurl.so.4"]
KIBIBYTE = 1024


def benchmarks(build: pathlib.Path, repetitions: int) -> tuple[dict[str, float], dict[str, float]]:
    """The shortest time of each benchmark in nanoseconds, since other work on the machine only ever makes it longer; and how
    often each asks for memory."""
    store = build / "store"
    shutil.rmtree(store, ignore_errors=True)
    output = build / "benchmarks.json"
    subprocess.run(
        [
            build / "bench",
            f"--benchmark_repetitions={repetitions}",
            "--benchmark_enable_random_interleaving=true",
            "--benchmark_min_time=0.01",
            f"--benchmark_out={output}",
            "--benchmark_out_format=json",
            store,
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL if not os.environ.get("VERBOSE") else None,
    )
    times: dict[str, float] = {}
    allocations: dict[str, float] = {}
    for run in json.loads(output.read_text())["benchmarks"]:
        if run.get("run_type") != "iteration":
            continue
        name = run["run_name"]
        wall_clock = name.endswith("/real_time")
        time = run["real_time" if wall_clock else "cpu_time"]
        assert run["time_unit"] == "ns"
        name = name.removesuffix("/real_time")
        times[name] = min(time, times.get(name, time))
        made = run["allocations"]
        allocations[name] = min(made, allocations.get(name, made))
    return times, allocations


def peers(folder: pathlib.Path) -> dict[str, float]:
    """Nanoseconds of another implementation by the name of the benchmark: what "figures" in the folder prints."""
    run = subprocess.run([folder / "figures"], check=True, capture_output=True, text=True)
    return {str(name): float(time) for name, time in json.loads(run.stdout).items()}


def load_times(build: pathlib.Path, library: pathlib.Path, repetitions: int) -> tuple[float, float]:
    """Median nanoseconds of loading the library, and of loading its system libraries alone; a process for each."""

    def load(names: list[str]) -> int:
        return int(subprocess.run([build / "load", *names], check=True, capture_output=True, text=True).stdout)

    pairs = [(load([str(library)]), load(SYSTEM_LIBRARIES)) for _ in range(repetitions)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def idle(build: pathlib.Path) -> dict[str, int]:
    environment = dict(os.environ, GLIBC_TUNABLES="glibc.malloc.tcache_count=0")
    run = subprocess.run([build / "idle"], check=True, capture_output=True, text=True, env=environment)
    return json.loads(run.stdout)


def offline(build: pathlib.Path) -> list[dict[str, Any]]:
    """Rates of the readers of offline texts, and how often each asks for memory."""
    run = subprocess.run([build / "offline"], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def stores(build: pathlib.Path) -> list[dict[str, Any]]:
    """What the directory store takes beside the disk under it."""
    folder = build / "stores-data"
    shutil.rmtree(folder, ignore_errors=True)
    run = subprocess.run([build / "stores", folder], check=True, capture_output=True, text=True)
    shutil.rmtree(folder)
    return json.loads(run.stdout)


def write_page(page: pathlib.Path, rows: list[tuple[Any, ...]], load: float) -> None:
    """Puts what was measured into the page, between two comments."""
    model = next(
        (
            line.split(":")[1].strip()
            for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        "?",
    )
    lines = [
        f"On {os.cpu_count()} processors ({model}), with a load of {load:.1f} in the minute before:",
        "",
        "| Figure | Library | Limit | Ratio | Target |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, _, _, ours, bare, ratio, target, reached in rows:
        aim = "" if reached is None else f"{target} {'reached' if reached else 'missed'}"
        lines.append(f"| {name} | {ours} | {bare} | {ratio:.2f} | {aim} |")
    before, rest = page.read_text().split("<!-- measured -->\n")
    after = rest.split("<!-- end -->\n")[1]
    page.write_text(before + "<!-- measured -->\n" + "\n".join(lines) + "\n<!-- end -->\n" + after)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default="build/bench", help="where the programs are")
    parser.add_argument("--library", type=pathlib.Path, default="build/lib/libmtoken.so.1")
    parser.add_argument("--output", type=pathlib.Path, default="build/bench.json")
    load = os.getloadavg()[0]
    parser.add_argument("--page", type=pathlib.Path, help="page that gets the table")
    parser.add_argument("--peers", type=pathlib.Path, help="folder with the program figures of another implementation")
    parser.add_argument("--repetitions", type=int, default=100)
    arguments = parser.parse_args()

    times, allocations = benchmarks(arguments.build, arguments.repetitions)
    # name, of the library and of the limit: what is written and what is shown; ratio, target, whether it is reached
    rows = []
    for name, library, limit, target in FIGURES:
        ours, bare = times[library + " | library"], times[limit + " | limit"]
        ratio = ours / bare
        rows.append(
            (
                name,
                1e9 / ours,
                1e9 / bare,
                f"{1e9 / ours:,.0f}",
                f"{1e9 / bare:,.0f}",
                ratio,
                f"{target:.2f}" if target else "",
                None if target is None else ratio <= target,
            )
        )

    for figure in stores(arguments.build):
        ours, bare, target = figure["ops_per_s"], figure["limit_ops_per_s"], figure["target"]
        ratio = bare / ours
        rows.append(
            (figure["name"], ours, bare, f"{ours:,.0f}", f"{bare:,.0f}", ratio, f"{target:.2f}", ratio <= target)
        )

    beside = peers(arguments.peers) if arguments.peers else {}
    for name, target in PEERS:
        if name not in beside:
            continue
        ours, bare = times[name + " | library"], beside[name]
        aim, reached = (f"{target:.2f}", ours / bare <= target) if target else ("", None)
        speeds = (1e9 / ours, 1e9 / bare, f"{1e9 / ours:,.0f}", f"{1e9 / bare:,.0f}")
        rows.append((name + "; limit: the peer", *speeds, ours / bare, aim, reached))

    for name, most in ALLOCATIONS:
        made, bound = allocations[name + " | library"], most or allocations[name + " | limit"]
        counts = (made, bound, f"{made:.0f}", f"{bound:.0f}")
        aim, reached = ("1.00", made <= most) if most else ("", None)
        rows.append((name + "; allocations", *counts, made / bound, aim, reached))

    # No raw work to compare with: the limit is the rate asked for, and one allocation, which is the result.
    for figure in offline(arguments.build):
        ours, bound = figure["ops_per_s"], figure["target"] or figure["ops_per_s"]
        rows.append(
            (
                f"{figure['name']}, {figure['allocations']} allocation",
                ours,
                bound,
                f"{ours:,.0f}",
                f"{bound:,.0f}",
                bound / ours,
                "1.00",
                ours >= bound and figure["allocations"] == 1,
            )
        )

    memory = idle(arguments.build)
    for name, key in [("idle client with an activation, bytes", "after_signature")]:
        size, bound = memory[key], 3 * KIBIBYTE
        rows.append((name, size, bound, f"{size:,}", f"{bound:,}", size / bound, "1.00", size < bound))
    size, bound = os.stat(arguments.library).st_size, 1_000_000
    rows.append(("stripped library, bytes", size, bound, f"{size:,}", f"{bound:,}", size / bound, "1.00", size < bound))
    ours, bare = load_times(arguments.build, arguments.library.resolve(), 2 * arguments.repetitions)
    rows.append(
        (
            "loading; limit: its system libraries",
            1e9 / ours,
            1e9 / bare,
            f"{ours / 1e6:.3f} ms",
            f"{bare / 1e6:.3f} ms",
            ours / bare,
            "+1 ms",
            ours - bare <= 1e6,
        )
    )

    width = max(len(row[0]) for row in rows)
    print(f"{'':{width}}  {'ops/s':>12}  {'limit ops/s':>12}  {'ratio':>6}  {'target':>6}")
    for row in rows:
        name, _, _, per_second, limit_per_second, ratio, aim, reached = row
        verdict = "" if reached is None else "ok" if reached else "missed"
        print(f"{name:{width}}  {per_second:>12}  {limit_per_second:>12}  {ratio:6.2f}  {aim:>6}  {verdict}")
    if not arguments.peers:
        print("not run: peers")
    if arguments.page:
        write_page(arguments.page, rows, load)
    arguments.output.write_text(
        json.dumps(
            [
                {
                    "name": row[0],
                    "ops_per_s": round(row[1], 3),
                    "limit_ops_per_s": round(row[2], 3),
                    "ratio": round(row[5], 4),
                }
                for row in rows
            ],
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
