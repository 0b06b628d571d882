"""What the work of README.md costs in Python, with the package as programs use it."""

from __future__ import annotations

import base64
import json
import os
import time
from typing import Any, Callable, Dict

BATCHES = 30
BATCH_NS = 10_000_000


def figure(name: str, ns: float) -> None:
    print(json.dumps({"name": name, "ns": round(ns, 1)}), flush=True)


def measure(name: str, operation: Callable[[], object]) -> None:
    count, best, batches = 1, 0.0, 0
    while batches < BATCHES:
        start = time.process_time_ns()
        for _ in range(count):
            operation()
        taken = time.process_time_ns() - start
        if batches == 0 and taken < BATCH_NS:
            count *= 2
            continue
        batches += 1
        best = min(best or taken / count, taken / count)
    figure(name, best)


def settings() -> Dict[str, str]:
    return {name: os.environ[f"MTOKEN_BENCH_{name}"] for name in ("URL", "CA", "CONFIGURATION", "CODE", "PAYLOAD")}


def main() -> None:
    import mtoken

    given = settings()
    payload, body = given["PAYLOAD"], b"a" * 300
    message = os.environ["MTOKEN_BENCH_SIGNED"].encode("utf-8")
    signature = base64.b64decode(os.environ["MTOKEN_BENCH_SIGNATURE"])
    with mtoken.Runtime() as runtime:
        client = mtoken.Client(
            runtime,
            id="bench",
            base_url=given["URL"],
            configuration=given["CONFIGURATION"],
            store=mtoken.Store.memory(),
            ca_file=given["CA"],
        )
        client.activate(given["CODE"])
        client.persist("1234")
        client.status()
        possession = mtoken.Auth.possession()

        def sign() -> None:
            client.sign("POST", "/test/signed", body, possession)
            client.signature_accepted()

        def verify() -> None:
            assert client.verify(message, signature)

        lists(client)
        measure("call", mtoken.version)
        measure("qr_text", lambda: mtoken.parse_qr(payload).title)
        measure("qr_struct", lambda: mtoken.parse_qr(payload))
        measure("verify", verify)
        measure("sign", sign)
        client.close()


def lists(client: Any) -> None:
    count = int(os.environ.get("MTOKEN_BENCH_LISTS", "1000"))
    best = 0.0
    with client.with_options(timeout=30.0) as apart:
        for _ in range(3):
            start = time.process_time_ns()
            tasks = [apart.operations.start_list() for _ in range(count)]
            for task in tasks:
                assert len(task.result()) == 0
            taken = (time.process_time_ns() - start) / count
            best = min(best or taken, taken)
    figure("lists", best)


if __name__ == "__main__":
    main()
