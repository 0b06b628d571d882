# SPDX-License-Identifier: Apache-2.0
"""What Locust has measured so far, for Prometheus: `/metrics` of the master, or of the only process."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Tuple

import gevent.pywsgi

QUANTILES = (0.5, 0.95, 0.99)


def text(runner: Any) -> str:
    """The figures in Prometheus' text format."""
    stats = runner.stats
    lines = [
        "# HELP mtoken_load_devices Virtual devices that run.",
        "# TYPE mtoken_load_devices gauge",
        f"mtoken_load_devices {runner.user_count}",
        "# HELP mtoken_load_workers Processes that carry the devices, beside a master.",
        "# TYPE mtoken_load_workers gauge",
        f"mtoken_load_workers {getattr(runner, 'worker_count', 0)}",
        "# HELP mtoken_load_failures_total Steps that failed.",
        "# TYPE mtoken_load_failures_total counter",
    ]
    steps = sorted((entry.name, entry) for entry in stats.entries.values())
    lines += [f'mtoken_load_failures_total{{step="{name}"}} {entry.num_failures}' for name, entry in steps]
    lines += [
        "# HELP mtoken_load_step_seconds How long a step of a device took.",
        "# TYPE mtoken_load_step_seconds summary",
    ]
    for name, entry in steps:
        for quantile in QUANTILES:
            seconds = entry.get_response_time_percentile(quantile) / 1000
            lines.append(f'mtoken_load_step_seconds{{step="{name}",quantile="{quantile}"}} {seconds:.3f}')
        lines.append(f'mtoken_load_step_seconds_sum{{step="{name}"}} {entry.total_response_time / 1000:.3f}')
        lines.append(f'mtoken_load_step_seconds_count{{step="{name}"}} {entry.num_requests}')
    return "\n".join(lines) + "\n"


def serve(runner: Any, host: str, port: int) -> gevent.pywsgi.WSGIServer:
    """Listens until the process ends."""

    def answer(environment: Dict[str, Any], start: Callable[[str, List[Tuple[str, str]]], Any]) -> Iterable[bytes]:
        found = environment["PATH_INFO"] == "/metrics"
        kind = "text/plain; version=0.0.4; charset=utf-8"
        start("200 OK" if found else "404 Not Found", [("Content-Type", kind)])
        return [text(runner).encode() if found else b"see /metrics\n"]

    server = gevent.pywsgi.WSGIServer((host, port), answer, log=None)
    server.start()
    return server
