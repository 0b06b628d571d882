#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make demo`: the main job of the library, end to end, against the development server.

Starts the server, then runs examples/c/approve and examples/python/approve.py against it. Each activates a device in
two steps (it shows a fingerprint, the bank compares and confirms), lists operations, approves one with a PIN, rejects
another and claims a third. At the end the server is asked what became of them.

    demo.py C-PROGRAM
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any, Union

EXAMPLES = Path(__file__).resolve().parent


class Bank:
    """The bank's side: the development server's admin API."""

    def __init__(self, admin_url: Any) -> None:
        self.url = admin_url

    def call(self, method: Any, path: Any, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def activation_code(self, user: Any) -> Any:
        """A signed code, as the bank shows it as a QR code."""
        return self.call("POST", "/activations", {"userId": user})["activationQr"]

    def confirm(self, user: Any, fingerprint: Any) -> None:
        """The second step: the user compares the device's fingerprint with the bank's."""
        (activation,) = self.call("GET", f"/activations?userId={user}&state=PENDING_COMMIT")["activations"]
        if activation["fingerprint"] != fingerprint:
            sys.exit("the fingerprints differ: somebody is in between")
        self.call("POST", f"/activations/{activation['activationId']}/commit")
        print(f"  (the bank: {fingerprint} is right, {user}'s activation is confirmed)", flush=True)

    def operation(self, user: Any, template: Any, **parameters: Any) -> Any:
        body = {"template": template, "parameters": parameters}
        return self.call("POST", "/operations", body | ({"userId": user} if user else {}))["operationId"]

    def status(self, operation: Any) -> Any:
        answer = self.call("GET", f"/operations/{operation}")
        return answer["status"], answer["userId"]


def main() -> Any:
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="mtoken-demo-") as folder:
        ready = Path(folder, "ready.json")
        command = [
            sys.executable,
            "-m",
            "mtoken_devserver",
            "--ready-file",
            str(ready),
            "--state-dir",
            str(Path(folder, "server")),
        ]
        command += ["--http-port", "0", "--exit-with-parent", "--json"]
        bank = EXAMPLES.parent / "tools" / "devserver"
        server = subprocess.Popen(command, cwd=bank, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            if not (server.stdout and server.stdout.readline()):
                return "the development server did not start"
            return run(program, folder, json.loads(ready.read_text()), ready)
        finally:
            if server.stdin:
                server.stdin.close()
            server.wait(timeout=30)


def watch(command: Any, folder: Any, confirm: Any) -> Any:
    """Runs a program, shows what it prints, and confirms the fingerprint that it showed when it waits. Returns its
    exit code."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as child:
        try:
            printed = ""
            for line in child.stdout or ():
                print(line, end="", flush=True)
                printed += line
                if line.startswith("waiting"):
                    confirm(re.findall(r"fingerprint (\d{8})", printed)[0])
        except BaseException:
            child.kill()  # otherwise it would wait forever
            raise
    return child.returncode


def run(program: Any, folder: Any, server: Any, ready: Any) -> Union[str, int]:
    bank = Bank(server["httpUrl"] + "/admin")
    print(f"development server at {server['url']}\n\n--- the C program ---", flush=True)
    rejected = bank.operation(
        "carol",
        "authorize_payment",
        amount="9999",
        currency="EUR",
        iban="CZ5508000000001234567899",
        note="You have won a prize",
    )
    approved = bank.operation(
        "carol",
        "authorize_payment",
        amount="1250.50",
        currency="EUR",
        iban="CZ5508000000001234567899",
        note="Rent for May",
    )
    claimed = bank.operation(None, "login")
    command = [
        program,
        server["url"],
        server["caFile"],
        server["application"]["sdkConfig"],
        bank.activation_code("carol"),
        "2468",
    ]
    if watch([*command, claimed], folder, lambda fingerprint: bank.confirm("carol", fingerprint)) != 0:
        return "the C program failed"
    expected = {approved: ("APPROVED", "carol"), rejected: ("REJECTED", "carol"), claimed: ("PENDING", "carol")}
    print("\n--- what the server says ---")
    for operation, state in expected.items():
        print(f"{operation}  {' of '.join(bank.status(operation))}")
        if bank.status(operation) != state:
            return f"the server disagrees: {operation} should be {state}"
    print("\n--- the Python program ---", flush=True)
    python = [sys.executable, EXAMPLES / "python" / "approve.py", "--ready-file", ready]
    subprocess.run(python, check=True, env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent / "bindings/python/src")})
    print("\nBoth programs and the server agree.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
