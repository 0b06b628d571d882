#!/usr/bin/env python3
"""Runs the benchmarks, prints the table of figures and writes bench.json. See README.md beside this file."""

import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time
from typing import Any

# name: (benchmark of the library, benchmark of the limit, highest ratio or None)
SIGNATURE = "signature, possession"
CLIENT = "mtoken_client_sign, possession, memory store"
PIN = "mtoken_client_sign, possession and knowledge, memory store"
TOKEN = "mtoken_token_get_header"
PIN4 = "mtoken_client_sign in 4.0, possession and knowledge, memory store"
TOKEN4 = "mtoken_token_get_header in 4.0"
LISTS = ["list of 100 operations, all members", "list of 100 operations, typical"]
SUITES = ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5"]
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
    ("KMAC of 300 bytes",) * 3 + (1.2,),
    ("code with device and PIN, 4.0",) * 3 + (1.5,),
    (PIN4,) * 3 + (1.5,),
    (TOKEN4,) * 3 + (1.3,),
    *((f"{what}, {suite}",) * 3 + (1.2,) for what in ("temporary key", "keys of an activation") for suite in SUITES),
    (LISTS[0],) * 3 + (0.6,),
    (LISTS[1],) * 3 + (0.6,),
    *((name + ", all fields read", name + ", all fields read", name, 0.7) for name in LISTS),
]

# Benchmarks of the library, and how often a call may ask for memory.
ALLOCATIONS = [(CLIENT, 20), (PIN, None), (TOKEN, None)]

# Clients that poll: how many, of how many runtimes, how often (seconds), and how long (seconds): long enough that each has
# fetched, since the first fetch comes after one and a half intervals at most, and again.
POLLERS = [(30_000, 1, 7, 25), (100_000, 4, 25, 70)]
# Bytes of heap, and microseconds of a fetch, library and the program that reads its events: 70 % of what it took once.
POLLER_HEAP = 6 * 1024
POLLER_TIME = 192.5
FETCH = "fetch of a polling client, processor"
# How many times longer a fetch takes than libcurl alone, at most, and what polls for that: clients, interval and seconds.
FETCH_RATIOS = {"http": 2.5, "https": 1.5}
FETCHERS = (10_000, 7, 35)

# What the design allows, with PowerAuth 4 inside.
LIBRARY_SIZE = 1_150_000

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


def polling(
    build: pathlib.Path, clients: int, runtimes: int, interval: int, seconds: int, scheme: str = "http"
) -> dict[str, Any]:
    """What clients take that poll a list of two operations, and whether each was told of each fetch, in order."""
    arguments = [str(number) for number in (clients, seconds, 2, runtimes, interval)]
    run = subprocess.run([build / "polling", *arguments, scheme, "json"], check=True, capture_output=True, text=True)
    result = json.loads(run.stdout)
    assert isinstance(result, dict)
    return result


def stores(build: pathlib.Path) -> list[dict[str, Any]]:
    """What the directory store takes beside the disk under it."""
    folder = build / "stores-data"
    shutil.rmtree(folder, ignore_errors=True)
    run = subprocess.run([build / "stores", folder], check=True, capture_output=True, text=True)
    shutil.rmtree(folder)
    return json.loads(run.stdout)


@dataclasses.dataclass
class Row:
    """A line of the table."""

    name: str
    ours: float = 0
    limit: float = 0
    # What is shown of both.
    shown: tuple[str, str] = ("", "")
    # How many times more the library takes.
    ratio: float = 0
    target: str = ""
    # None: there is no target.
    reached: bool | None = None
    # Why there are no figures.
    absent: str = ""

    @property
    def verdict(self) -> str:
        if self.absent:
            return "not run: " + self.absent
        return "" if self.reached is None else "reached" if self.reached else "missed"


def rates(name: str, ours: float, limit: float, target: float | None, holds: bool = True) -> Row:
    """Operations a second of the library and of its limit."""
    ratio = limit / ours
    reached = None if target is None else ratio <= target and holds
    shown = (f"{ours:,.0f}", f"{limit:,.0f}")
    return Row(name, ours, limit, shown, ratio, "" if target is None else f"{target:.2f}", reached)


def sizes(name: str, ours: float, limit: float, holds: bool = True, *, aims: bool = True, unit: str = "") -> Row:
    """An amount that shall not be above its limit."""
    shown = (f"{ours:,.0f}{unit}", f"{limit:,.0f}{unit}")
    reached = ours <= limit and holds if aims else None
    return Row(name, ours, limit, shown, ours / limit, "1.00" if aims else "", reached)


def measured(build: pathlib.Path, library: pathlib.Path, repetitions: int) -> list[Row]:
    times, allocations = benchmarks(build, repetitions)
    rows = [
        rates(name, 1e9 / times[ours + " | library"], 1e9 / times[limit + " | limit"], target)
        if ours + " | library" in times
        else Row(name, target=f"{target:.2f}" if target else "", absent="OpenSSL 3.5")
        for name, ours, limit, target in FIGURES
    ]
    for name, most in ALLOCATIONS:
        made, bound = allocations[name + " | library"], most or allocations[name + " | limit"]
        rows.append(sizes(name + "; allocations", made, bound, aims=bool(most)))
    rows += [
        rates(figure["name"], figure["ops_per_s"], figure["limit_ops_per_s"], figure["target"])
        for figure in stores(build)
    ]
    rows += pollers(build)
    # No raw work to compare with: the limit is the rate asked for, and one allocation, which is the result.
    for figure in offline(build):
        rate, count = figure["ops_per_s"], figure["allocations"]
        rows.append(rates(f"{figure['name']}, {count} allocation", rate, figure["target"] or rate, 1, count == 1))
    rows.append(sizes("idle client with an activation, bytes", idle(build)["after_signature"], 3 * KIBIBYTE))
    rows.append(sizes("stripped library, bytes", os.stat(library).st_size, LIBRARY_SIZE))
    ours, bare = load_times(build, library.resolve(), 2 * repetitions)
    shown = (f"{ours / 1e6:.3f} ms", f"{bare / 1e6:.3f} ms")
    name = "loading; limit: its system libraries"
    rows.append(Row(name, 1e9 / ours, 1e9 / bare, shown, ours / bare, "+1 ms", ours - bare <= 1e6))
    return rows


def pollers(build: pathlib.Path) -> list[Row]:
    rows: list[Row] = []
    for clients, runtimes, interval, seconds in POLLERS:
        seen = polling(build, clients, runtimes, interval, seconds)
        title = f"{clients:,} clients of {runtimes} runtime{'s' if runtimes > 1 else ''} poll every {interval} s"
        # Each fetch succeeds and is told in order, each client has had one, a runtime has one thread.
        holds = not seen["failures"] and not seen["disorder"] and not seen["without"] and seen["threads"] == runtimes
        # And nineteen of twenty take less than a tenth of the interval: a fetch does not wait for those before it.
        holds = holds and seen["p95_ms"] <= interval * 100
        if not rows:
            rows = [
                sizes("polling client, bytes of heap", seen["heap"], POLLER_HEAP),
                sizes(FETCH, seen["us"], POLLER_TIME, unit=" µs"),
            ]
        latency = f"latency {seen['median_ms']:.1f} ms, 95 % {seen['p95_ms']:.0f} ms ({seen['starting_p95_ms']:.0f} ms at the start)"
        rows.append(sizes(f"{title}, share of a core; {latency}", 100 * seen["core"], 100, holds, unit=" %"))
    for scheme, target in FETCH_RATIOS.items():
        clients, interval, seconds = FETCHERS
        seen = polling(build, clients, 1, interval, seconds, scheme)
        ours, bare = seen["us"], seen["bare_us"]
        shown = (f"{ours:,.0f} µs", f"{bare:,.0f} µs")
        name = f"{FETCH}, {scheme}; limit: libcurl alone"
        rows.append(Row(name, ours, bare, shown, ours / bare, f"{target:.2f}", ours <= target * bare))
    return rows


def write_page(page: pathlib.Path, rows: list[Row], load: float) -> None:
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
    for row in rows:
        ratio = "" if row.absent else f"{row.ratio:.2f}"
        lines.append(f"| {row.name} | {row.shown[0]} | {row.shown[1]} | {ratio} | {row.target} {row.verdict} |")
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
    parser.add_argument("--repetitions", type=int, default=100)
    arguments = parser.parse_args()
    start = time.monotonic()
    rows = measured(arguments.build, arguments.library, arguments.repetitions)

    width = max(len(row.name) for row in rows)
    print(f"{'':{width}}  {'ops/s':>12}  {'limit ops/s':>12}  {'ratio':>6}  {'target':>6}")
    for row in rows:
        ratio = "" if row.absent else f"{row.ratio:.2f}"
        print(
            f"{row.name:{width}}  {row.shown[0]:>12}  {row.shown[1]:>12}  {ratio:>6}  {row.target:>6}  {row.verdict}".rstrip()
        )
    print(f"measured in {time.monotonic() - start:.0f} s")
    if arguments.page:
        write_page(arguments.page, rows, load)
    arguments.output.write_text(
        json.dumps(
            [
                {
                    "name": row.name,
                    "ops_per_s": round(row.ours, 3),
                    "limit_ops_per_s": round(row.limit, 3),
                    "ratio": round(row.ratio, 4),
                }
                for row in rows
                if not row.absent
            ],
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
