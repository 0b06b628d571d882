#!/usr/bin/env python3
"""Runs the C tests: every program over every library it was linked with, in parallel, natively or under valgrind.

    run.py --build DIRECTORY --vectors DIRECTORY [--server DIRECTORY] [--valgrind]
        [--only PROGRAM]... [--test NAME]... NAME=LIBRARIES...

NAME is a folder of programs in the build directory, LIBRARIES the directory of the library that they are to load. The
programs `network` and `tape` talk to the development server, which is started when `--server` names its folder; the Python
that runs this must have its packages. Exit status 0: all passed.
"""

import argparse
import concurrent.futures
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Optional

NETWORKED = {"network", "tape"}
# What is run over protocol 4.0 too, with the suites that OpenSSL has.
SUITED = {
    "answers",
    "bounds",
    "clock",
    "durable",
    "fork",
    "killed",
    "life",
    "torture",
    "vectors",
}
# Programs that are linked with an OpenSSL of their own say so by MTOKEN_HYBRID.
HYBRID = ssl.OPENSSL_VERSION_INFO >= (3, 5) or "MTOKEN_HYBRID" in os.environ
SUITES = ["EC_P384"] + (["EC_P384_ML_L3", "EC_P384_ML_L5"] if HYBRID else [])
# Finds errors, and leaks whatever the reason; what is still reachable at the end belongs to the C libraries.
VALGRIND = [
    "valgrind",
    "-q",
    "--error-exitcode=99",
    "--leak-check=full",
    "--show-leak-kinds=definite,indirect",
    "--errors-for-leak-kinds=definite,indirect",
    "--num-callers=20",
    "--fair-sched=try",
]
# Its processes end, or fork, while threads of the library run: what these have in their registers then counts as lost.
LEAVING = {"leaving", "fork"}


class Server:
    """The development server, and the bank's side of each program's tests."""

    def __init__(self, folder: Any, state: Any) -> None:
        command = [sys.executable, "-m", "mtoken_devserver", "--json", "--exit-with-parent", "--state-dir", state]
        command += ["--http-port", "0", "--bad-tls-port", "0", "--log-level", "error"]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.process.stdout.readline() if self.process.stdout else b""
        if not line:
            raise RuntimeError("the development server did not start")
        self.facts = json.loads(line)

    def close(self) -> None:
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait(timeout=30)

    def call(self, method: Any, path: Any, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.facts["httpUrl"] + "/admin" + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def prepare(self, user: Any) -> Any:
        """What one program needs: codes, operations, and where to find the server. Also what is to be checked after it."""

        def code() -> Any:
            return self.call("POST", "/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})["activationQr"]

        def operation(template: Any, owner: Any = user, **parameters: Any) -> Any:
            body = {"template": template, "parameters": parameters} | ({"userId": owner} if owner else {})
            return self.call("POST", "/operations", body)["operationId"]

        payment = {"amount": "10", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": "x"}
        operations = [
            operation("authorize_payment", **payment),
            operation("authorize_payment", **payment),
            operation("login", None),
            operation("showcase", **payment),
        ]
        bad = self.facts["badTls"]
        return operations, {
            "MTOKEN_SERVER_URL": self.facts["url"],
            "MTOKEN_SERVER_CA": self.facts["caFile"],
            "MTOKEN_SERVER_CONFIGURATION": self.facts["application"]["sdkConfig"],
            "MTOKEN_SERVER_SPKI": self.facts["serverSpkiSha256"],
            "MTOKEN_SERVER_OTHER_CA": bad["otherCa"],
            "MTOKEN_SERVER_EXPIRED": bad["expired"],
            "MTOKEN_SERVER_WRONG_NAME": bad["wrongName"],
            "MTOKEN_SERVER_SELF_SIGNED": bad["selfSigned"],
            "MTOKEN_SERVER_CODES": " ".join(code() for _ in range(21)),
            "MTOKEN_SERVER_OPERATIONS": " ".join(operations),
        }

    def disagrees(self, operations: Any, user: Any) -> Optional[str]:
        """What the server says of the operations when the program says that all is well; None: the same."""
        expected = [("APPROVED", user), ("REJECTED", user), ("PENDING", user), ("PENDING", user)]
        for identifier, state in zip(operations, expected):
            answer = self.call("GET", f"/operations/{identifier}")
            if (answer["status"], answer["userId"]) != state:
                return f"the server says {answer['status']} of {answer['userId']} instead of {state}"
        return None


def run(program: Any, libraries: Any, suite: Any, arguments: Any, server: Any) -> Any:
    """One program over one library: its name, the number of tests, seconds, what went wrong (None: nothing)."""
    label = f"{program.parent.name}/{program.name}" + (f" {suite}" if suite else "")
    path = ":".join(filter(None, [str(libraries), os.environ.get("LD_LIBRARY_PATH")]))
    environment = os.environ | {"LD_LIBRARY_PATH": path, "MTOKEN_VECTORS": str(arguments.vectors)}
    if suite:
        environment["MTOKEN_SUITE"] = suite
    if "portable" in libraries.parts:
        environment["MTOKEN_CARRIED"] = "1"  # its libcrypto and Jansson are its own: nothing outside makes them fail
    elif (libraries / "libmtoken.so.1").stat().st_size > 4_000_000:
        environment["MTOKEN_SWIFT_RUNTIME"] = "1"  # it is in the library: the product without it is smaller
    operations = None
    if program.name in NETWORKED:
        operations, more = server.prepare(label.replace("/", "-"))
        environment |= more
    command = [*VALGRIND, *(["--leak-check=no"] if program.name in LEAVING else [])] if arguments.valgrind else []
    command += [str(program), *arguments.test]
    start = time.monotonic()
    try:
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=arguments.timeout
        )
        output, problem = done.stdout.decode(errors="replace"), None
        if done.returncode != 0:
            problem = f"ended with status {done.returncode}"
    except subprocess.TimeoutExpired as expired:
        output, problem = (expired.stdout or b"").decode(errors="replace"), f"not done after {arguments.timeout} s"
    planned = re.search(r"^1\.\.(\d+)$", output, re.M)
    passed = len(re.findall(r"^ok \d+", output, re.M))
    if not problem and (not planned or int(planned[1]) != passed):
        problem = f"{passed} tests passed instead of {planned[1] if planned else 'any'}"
    if not problem and program.name == "network":
        problem = server.disagrees(operations, label.replace("/", "-"))
    return label, passed, time.monotonic() - start, output, problem


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--server", type=Path)
    parser.add_argument("--valgrind", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--test", action="append", default=[], help="only this test of each program")
    parser.add_argument("--timeout", type=float)
    parser.add_argument("sets", nargs="+")
    arguments = parser.parse_args()
    arguments.timeout = arguments.timeout or (3600 if arguments.valgrind else 300)

    jobs = []
    for entry in arguments.sets:
        name, libraries = entry.split("=", 1)
        for program in sorted((arguments.build / name).iterdir()):
            wanted = not arguments.only or program.name in arguments.only
            if wanted and program.is_file() and os.access(program, os.X_OK) and program.suffix == "":
                if program.name in NETWORKED and not arguments.server:
                    print(f"not run: {name}/{program.name} (no development server)")
                    continue
                suites = [None, *SUITES] if program.name in SUITED else [None]
                jobs += [(program.resolve(), Path(libraries).resolve(), suite) for suite in suites]
    failed = 0
    vectors = set()
    times = []
    with tempfile.TemporaryDirectory(prefix="mtoken-c-server-") as state:
        server = Server(arguments.server, state) if any(program.name in NETWORKED for program, *_ in jobs) else None
        try:
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                futures = [pool.submit(run, *job, arguments, server) for job in jobs]
                for (_, libraries, _), future in zip(jobs, futures):
                    label, passed, seconds, output, problem = future.result()
                    vectors.update(re.findall(r"^(?:vectors|# not run): .*$", output, re.M))
                    print(
                        f"{'FAILED' if problem else 'ok':6} {label} ({libraries.name}): {passed} tests, {seconds:.1f} s",
                        flush=True,
                    )
                    times.append((seconds, f"{label} ({libraries.name})"))
                    if problem:
                        failed += 1
                        print("".join(f"    {line}\n" for line in output.splitlines()) + f"    {problem}")
        finally:
            if server:
                server.close()
    print("\n".join(sorted(vectors)))
    print("slowest C programs:")
    for seconds, label in sorted(times, reverse=True)[:10]:
        print(f"{seconds:.1f} s  {label}")
    print(f"C tests: {len(jobs)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
