# SPDX-License-Identifier: Apache-2.0
"""What a run has shown: a table for the terminal, JSON for a CI, and a page with a plot of each step."""

from __future__ import annotations

import csv
import html
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

STEPS = ("activate", "confirm", "list", "approve")
WAITS = "own wait"
"""What Locust calls the client's own waiting: how much later than wanted a greenlet runs."""
Result = Dict[str, Any]


def collect(folder: Path) -> Dict[str, Any]:
    """Of each step: counts, times in milliseconds, and how they went on, from the files that Locust wrote."""
    rows = {row["Name"]: row for row in _rows(folder / "load_stats.csv")}
    history: Dict[str, List[Tuple[int, float, float]]] = {}
    for row in _rows(folder / "load_stats_history.csv"):
        if row["95%"] not in ("N/A", "0"):  # of seconds in which the step ran
            point = (int(row["Timestamp"]), float(row["50%"]), float(row["95%"]))
            history.setdefault(row["Name"], []).append(point)
    return {name: _step(rows.get(name), history.get(name, [])) for name in (*STEPS, WAITS)}


def _rows(path: Path) -> List[Dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def _step(row: Optional[Dict[str, str]], points: List[Tuple[int, float, float]]) -> Dict[str, Any]:
    if row is None:
        return {"count": 0, "failed": 0, "history": []}
    start = points[0][0] if points else 0
    return {
        "count": int(row["Request Count"]),
        "failed": int(row["Failure Count"]),
        "per_second": round(float(row["Requests/s"]), 1),
        "median_ms": float(row["50%"]),
        "p95_ms": float(row["95%"]),
        "p99_ms": float(row["99%"]),
        "worst_ms": round(float(row["Max Response Time"]), 1),
        "history": [{"second": at - start, "median_ms": half, "p95_ms": most} for at, half, most in points],
    }


def judge(result: Result) -> None:
    """Adds whether the run has passed, and the verdict in a sentence or two."""
    steps, devices = result["steps"], result["run"]["devices"]
    failed = sum(steps[name]["failed"] for name in STEPS)
    activated, approved = steps["activate"]["count"], steps["approve"]["count"]
    result["passed"] = failed == 0 and approved > 0 and activated >= devices and not result["run"]["ended_early"]
    if not activated:
        result["verdict"] = "Nothing was measured."
        return
    said = f"{activated:,} of {devices:,} devices looked {steps['list']['count']:,} times and approved {approved:,}"
    said += f" times; {failed:,} steps failed." if failed else " times; no step failed."
    if steps["list"]["count"]:
        said += f" 95 % of the lists took at most {steps['list']['p95_ms']:,.0f} ms."
    waits = result["own_wait"]
    if waits["count"] and steps["list"]["count"] and waits["p95_ms"] > max(5, steps["list"]["p95_ms"] / 4):
        said += " Much of that is the client's own waiting for a processor: add a worker or a machine."
    result["verdict"] = ("Ended early. " if result["run"]["ended_early"] else "") + said


def table(result: Result) -> str:
    """What a terminal shows."""
    run = result["run"]
    workers = f", {run['workers']} workers" if run["workers"] else ""
    lines = ["Ended early:"] if run["ended_early"] else []
    lines += [f"{run['devices']} devices, {run['seconds']} s, each looks every {run['poll_seconds']:g} s{workers}", ""]
    lines.append(
        f"{'':10}{'count':>8}{'failed':>8}{'per s':>9}{'median ms':>11}{'95 % ms':>9}{'99 % ms':>9}{'worst ms':>10}"
    )
    for name, step in [*result["steps"].items(), (WAITS, result["own_wait"])]:
        if not step["count"]:
            lines.append(f"{name:10}{0:>8}")
            continue
        lines.append(
            f"{name:10}{step['count']:>8}{step['failed']:>8}{step['per_second']:>9.1f}{step['median_ms']:>11.0f}"
            f"{step['p95_ms']:>9.0f}{step['p99_ms']:>9.0f}{step['worst_ms']:>10.0f}"
        )
    lines.append("")
    lines += [
        f"{name + ':':27}{cost['processor_seconds']:4.0f} s of processor time, {cost['memory_mib']} MiB at most"
        for name, cost in result["processes"].items()
    ]
    return "\n".join(["", *lines, "", result["verdict"]])


_STYLE = """
:root { color-scheme: light dark; --back: light-dark(#f4f5f7, #15171b); --card: light-dark(#fff, #1e2127);
  --text: light-dark(#1c2430, #e4e7ec); --faint: light-dark(#586174, #a3adbd); --line: light-dark(#dde1e8, #383d47);
  --half: light-dark(#1a54c0, #8fb5ff); --most: light-dark(#a3510a, #f0b55a); --good: light-dark(#0f6b39, #5bd39a);
  --bad: light-dark(#a8201a, #ff9a8f); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 1.2rem; display: grid; gap: 1rem; }
main { grid-template-columns: minmax(0, 1fr); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; min-width: 0; }
h1, h2 { margin: 0 0 .5rem; } h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; }
p { margin: .3rem 0; } a { color: var(--half); } .faint { color: var(--faint); }
.verdict { border-left: 5px solid var(--good); font-size: 1.1rem; } .verdict.failed { border-color: var(--bad); }
.plots { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 500; } th:first-child, td:first-child { text-align: left; padding-left: 0; }
svg { width: 100%; height: auto; display: block; } svg text { font-size: 14px; fill: var(--faint); }
.grid { stroke: var(--line); } .half, .most { fill: none; stroke-width: 2; }
.half { stroke: var(--half); } .most { stroke: var(--most); }
b.half { color: var(--half); } b.most { color: var(--most); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: 0; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
"""


def page(result: Result, more: str) -> str:
    """The report as a page of its own; `more` is the address of Locust's."""
    run, steps, waits = result["run"], result["steps"], result["own_wait"]
    facts = {
        "Against": run["server"],
        "Began": run["began"],
        "Devices": f"{run['devices']:,}, {run['spawn_rate']:g} more each second",
        "Seconds": f"{run['seconds']:,}",
        "Each device": f"looks every {run['poll_seconds']:g} s, and approves after each {run['approve_every']} looks",
        "Processes": f"{run['workers']} workers and a master" if run["workers"] else "one",
    }
    ran = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(str(value))}</dd>" for name, value in facts.items())
    plots = "".join(_plot(name, steps[name]) for name in STEPS)
    rows = "".join(_row([name, *_figures(step)]) for name, step in steps.items())
    costs = "".join(
        _row([name, f"{cost['processor_seconds']:.0f} s", f"{cost['memory_mib']} MiB"])
        for name, cost in result["processes"].items()
    )
    heads = ["Count", "Failed", "Per second", "Median", "95 %", "99 %", "Worst"]
    passed = "passed" if result["passed"] else "failed"
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Load test: {passed}</title><style>{_STYLE}</style></head>
<body><main>
<section class="verdict {passed}"><h1>Load test: {passed}</h1><p>{html.escape(result["verdict"])}</p></section>
<section><h2>What ran</h2><dl>{ran}</dl></section>
<div class="plots">{plots}</div>
<section><h2>Steps</h2>{_table(["Step", *heads], rows)}
<p class="faint">Times in milliseconds, as the devices saw them.</p></section>
<section><h2>The client's own waiting</h2>
{_table(["Process", *heads], _row(["of the devices", *_figures(waits)]))}
<p class="faint">How many milliseconds later than wanted the devices' own process ran. Each latency above has such a
wait in it, which is not the bank's.</p></section>
<section><h2>Processor and memory of both sides</h2>
{_table(["Process", "Processor time", "Memory at most"], costs)}</section>
<p><a href="{html.escape(more)}">Locust's own report</a></p>
</main></body></html>
"""


def _figures(step: Dict[str, Any]) -> List[str]:
    if not step["count"]:
        return ["0"] + [""] * 6
    times = (step[name] for name in ("median_ms", "p95_ms", "p99_ms", "worst_ms"))
    return [f"{step['count']:,}", f"{step['failed']:,}", f"{step['per_second']:,.1f}", *(f"{ms:,.0f}" for ms in times)]


def _row(cells: List[str]) -> str:
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"


def _table(names: List[str], rows: str) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    label = html.escape(", ".join(names))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def _plot(name: str, step: Dict[str, Any]) -> str:
    """Median and 95 % over time."""
    points = step["history"]
    if not points:
        return f"<section><h2>{name}</h2><p>Nothing to plot.</p></section>"
    width, height, left, bottom = 480, 220, 76, 26
    last, top = max(1, points[-1]["second"]), max(1.0, *(point["p95_ms"] for point in points))

    def line(member: str) -> str:
        places = (
            (left + point["second"] / last * (width - left - 8), 8 + (1 - point[member] / top) * (height - bottom - 8))
            for point in points
        )
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)

    marks = ""
    for part in (0, 0.5, 1):
        y = 8 + (1 - part) * (height - bottom - 8)
        marks += f'<line class="grid" x1="{left}" x2="{width - 8}" y1="{y:.1f}" y2="{y:.1f}"/>'
        marks += f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{top * part:,.0f} ms</text>'
    half, most = f"{step['median_ms']:,.0f} ms", f"{step['p95_ms']:,.0f} ms"
    said = f"{name}: median {half}, 95 % within {most}"
    return f"""<section><h2>{name}</h2><svg viewBox="0 0 {width} {height}" role="img" aria-label="{said}">{marks}
<text x="{left}" y="{height - 6}">0 s</text><text x="{width - 8}" y="{height - 6}" text-anchor="end">{last} s</text>
<polyline class="most" points="{line("p95_ms")}"/><polyline class="half" points="{line("median_ms")}"/></svg>
<p class="faint"><b class="half">Median {half}</b> · <b class="most">95 % {most}</b></p></section>"""
