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
from languages import Language, languages  # noqa: E402

FIGURES = ["call", "qr_text", "qr_struct", "verify", "sign", "lists"]
# The least share of C's speed, by the key of the language. Where no call that waits has a thread also the most threads that a
# program may have, its runtime's own with them.
AIM = {"sign": 0.85, "qr_text": 0.6, "lists": 1 / 1.5}
AIMS = {
    "go": {**AIM, "threads": 24},
    "rust": {**AIM, "qr_struct": 0.5, "threads": 8},
    "csharp": AIM,
    "java": AIM,
    "node": {**AIM, "qr_struct": 0.5},
}
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


def commands(language: Language) -> Dict[str, List[str]]:
    """The programs of a language by the name that they have in the table; there may be another one to compare with."""
    found = {language.name: language.command("bench")} if language.command("bench") else {}
    for name, command in language.facts.get("bench_beside", {}).items():
        found[name] = [part.format(root=ROOT, python=sys.executable) for part in command]
    return found


def row(name: str, figures: Figures, reference: Optional[Figures], threads: int, aims: Figures) -> str:
    if reference is None:
        cells = [f"{figures[figure]:,.0f} ns" for figure in FIGURES]
    else:
        shares = {figure: reference[figure] / figures[figure] for figure in FIGURES if figure in figures}
        cells = [
            f"{shares[figure]:.1%}"
            + (f", aim {aims[figure]:.0%} missed" if shares[figure] < aims.get(figure, 0) else "")
            if figure in shares
            else ""
            for figure in FIGURES
        ]
    most = aims.get("threads")
    cells.append(f"{threads}" + (f", aim {most:.0f} missed" if most and threads > most else ""))
    return "| " + " | ".join([name, *cells]) + " |"


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
    aims: Dict[str, Figures] = {}
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
                for name, command in commands(language).items():
                    programs[name] = (command, language.environment())
                    aims[name] = AIMS.get(language.key, {})
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
        print(row(name, figures, None if name == "C" else best["C"], threads[name], aims[name]))
    options.output.write_text(json.dumps(best, indent=1), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
