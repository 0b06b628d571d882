#!/usr/bin/env python3
"""Runs fuzz targets for a time each: first the seeds and past findings, then what grows out of them in build/fuzz/corpus.

An input that fails is kept in build/fuzz/failures; the fixed fault's input belongs in findings/<target>.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# The targets and their dictionaries: those of the model's texts, in a program of their own, and all others. A target of the
# C interface, `c-x`, takes the seeds and findings of `x`.
MODEL = {
    "json": "json",
    "operations": "operations",
    "ui": "operations",
    "visual": "operations",
    "inbox": "operations",
    "details": "operations",
    "push": "push",
    "qr": "offline",
    "data": "offline",
    "pac": "offline",
    "jwt": "json",
    "uri": "oidc",
}
WHOLE = {
    "token-data": "json",
    "configuration": None,
    "code": "code",
    "query": None,
    "reply": "operations",
    "ecies": "protocol",
    "temporary-key": "protocol",
    "activation": "protocol",
    "status": "protocol",
    "token": "protocol",
    "vault": "protocol",
    "jws": "protocol",
    "spki": None,
    "aead": "protocol",
    "status4": None,
    "state": "state",
    "oidc": "oidc",
    "c-operations": "operations",
    "c-inbox": "operations",
    "c-visual": "operations",
    "c-push": "push",
    "c-qr": "offline",
    "c-data": "offline",
    "c-pac": "offline",
}
TARGETS = {**MODEL, **WHOLE}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--build", type=pathlib.Path, default="build/fuzz", help="where the programs `fuzz-model` and `fuzz` are"
    )
    parser.add_argument("--time", type=int, default=60, help="seconds for each target")
    parser.add_argument("targets", nargs="*", metavar="target", help=f"all, or some of {', '.join(TARGETS)}")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    failures = build / "failures"
    failures.mkdir(exist_ok=True)
    failed = []
    for name in arguments.targets or TARGETS:
        program = build / name
        program.unlink(missing_ok=True)
        program.symlink_to("fuzz-model" if name in MODEL else "fuzz")
        corpus = build / "corpus" / name
        corpus.mkdir(parents=True, exist_ok=True)
        command = [
            program,
            f"-max_total_time={arguments.time}",
            "-timeout=10",
            "-rss_limit_mb=4096",
            "-max_len=16384",
            "-print_final_stats=1",
            f"-artifact_prefix={failures}/{name}-",
        ]
        if TARGETS[name]:
            command.append(f"-dict={HERE}/dictionaries/{TARGETS[name]}.dict")
        command += [corpus] + [
            folder
            for kind in (build / "seeds", HERE / "findings")
            if (folder := kind / name.removeprefix("c-")).is_dir()
        ]
        with open(build / f"{name}.log", "w") as log:
            code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
        text = (build / f"{name}.log").read_text(errors="replace")
        runs = re.search(r"stat::number_of_executed_units: +(\d+)", text)
        edges = re.findall(r"cov: (\d+)", text)
        print(
            f"{name:14} {int(runs[1]) if runs else 0:>12,} executions  {edges[-1] if edges else '?':>6} edges  "
            + ("ok" if code == 0 else f"FAILED, see {build / name}.log"),
            flush=True,
        )
        if code:
            failed.append(name)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
