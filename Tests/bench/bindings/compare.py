"""Runs the programs of all languages in turns and prints how fast each is beside C. README.md says what they do.

python3 compare.py --library build/lib/libmtoken.so.1 [--output FILE] [--rounds 5] [--lists 1000] [LANGUAGE…]
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Tests" / "conformance"), str(ROOT / "Tests" / "python")]

from devserver import DevServer  # noqa: E402
from languages import languages  # noqa: E402

FIGURES = ["call", "qr_text", "qr_struct", "verify", "sign", "lists"]
SIGNED = "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world"
Figures = Dict[str, float]


def settings(server: DevServer) -> Dict[str, str]:
    operation = server.new_operation(userId="offline")
    payload = server.admin("POST", f"/operations/{operation['operationId']}/offline", {})["offlineData"]
    signed = server.admin("POST", "/sign", {"data": base64.b64encode(SIGNED.encode()).decode()})
    return {
        "MTOKEN_BENCH_URL": server.url,
        "MTOKEN_BENCH_CA": server.ca_file,
        "MTOKEN_BENCH_CONFIGURATION": server.configuration,
        "MTOKEN_BENCH_PAYLOAD": payload,
        "MTOKEN_BENCH_SIGNED": SIGNED,
        "MTOKEN_BENCH_SIGNATURE": signed["signature"],
    }


def measured(command: List[str], environment: Dict[str, str]) -> Tuple[Figures, int]:
    """What a program prints, and the most threads that it was seen to have."""
    threads = 0
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        with subprocess.Popen(command, env=environment, stdout=out, stderr=err) as running:
            while True:
                try:
                    running.wait(0.01)
                    break
                except subprocess.TimeoutExpired:
                    with contextlib.suppress(OSError):
                        threads = max(threads, len(os.listdir(f"/proc/{running.pid}/task")))
        out.seek(0)
        err.seek(0)
        if running.returncode:
            raise ValueError(f"{' '.join(command)} ended with {running.returncode}:\n{err.read()}")
        lines = [json.loads(line) for line in out if line.startswith("{")]
    return {line["name"]: float(line["ns"]) for line in lines}, threads


def row(name: str, figures: Figures, reference: Optional[Figures], threads: int) -> str:
    if reference is None:
        cells = [f"{figures[figure]:,.0f} ns" for figure in FIGURES]
    else:
        shares = {figure: reference[figure] / figures[figure] for figure in FIGURES if figure in figures}
        cells = [f"{shares[figure]:.0%}" if figure in shares else "" for figure in FIGURES]
    return "| " + " | ".join([name, *cells, str(threads)]) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=ROOT / "build" / "lib" / "libmtoken.so.1")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench-bindings.json")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lists", type=int, default=1000)
    parser.add_argument("only", nargs="*", metavar="LANGUAGE")
    options = parser.parse_args()
    table = [item for item in languages() if item.key == "c" or not options.only or item.key in options.only]
    best: Dict[str, Figures] = {}
    threads: Dict[str, int] = {}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        server = DevServer(Path(folder) / "server")
        try:
            given = {**os.environ, **settings(server), "MTOKEN_LIBRARY": str(options.library.resolve())}
            given["MTOKEN_BENCH_LISTS"] = str(options.lists)
            programs: Dict[str, Any] = {}
            for language in table:
                if language.version() is None:
                    print(f"not run: {language.name} is not installed")
                    continue
                command = language.command("bench")
                if command:
                    programs[language.name] = (command, language.environment())
                build = language.command("build_bench") or language.command("build")
                if build:
                    subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            for _ in range(options.rounds):
                for name, (command, environment) in programs.items():
                    code = server.new_activation("bench", commitPhase="ON_KEY_EXCHANGE")["activationQr"]
                    try:
                        found, seen = measured(command, {**given, **environment, "MTOKEN_BENCH_CODE": code})
                    except ValueError as problem:
                        print(f"not run: {name}: {problem}")
                        failed = True
                        continue
                    threads[name] = max(seen, threads.get(name, 0))
                    kept = best.setdefault(name, found)
                    kept.update({key: min(ns, kept.get(key, ns)) for key, ns in found.items()})
        finally:
            server.stop()
    print("| | " + " | ".join([*FIGURES, "threads"]) + " |\n|---|" + "---|" * (len(FIGURES) + 1))
    for name, figures in best.items():
        print(row(name, figures, None if name == "C" else best["C"], threads[name]))
    options.output.write_text(json.dumps(best, indent=1), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
