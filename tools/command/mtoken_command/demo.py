# SPDX-License-Identifier: Apache-2.0
"""The demo: a bank of the user's own, an activated device and three operations."""

from __future__ import annotations

import importlib.util
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import typer
from rich.text import Text

from . import profiles as files
from . import removal, session, view
from .app import app
from .options import JSON
from .output import Exit, Stop, err, out, print_line, progress, reporting
from .profiles import Profile

PIN = "1234"
_USER = "alice"
"""The user of the device, whom the console's forms name too."""
_SECONDS = 3600
"""How long an operation is valid."""
_TREE = Path(__file__).resolve().parents[2] / "devserver"
_PAYMENT = {"amount": "1250.50", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": "Rent for May"}
_OPERATIONS: List[Dict[str, Any]] = [
    {"template": "authorize_payment", "parameters": {**_PAYMENT, "amount": "12.90", "note": "Coffee and cake"}},
    {"template": "authorize_payment", "parameters": _PAYMENT},
    {"template": "login", "parameters": {}},
]


@app.command("demo")
@reporting
def demo(
    name: str = typer.Option("demo", help="Name of the profile, which is removed at the end."),
    port: int = typer.Option(0, min=0, help="Port of the bank; 0: any."),
    full_screen: bool = typer.Option(
        True, "--view/--no-view", help="Open the full-screen view, if there is a terminal."
    ),
    seconds: Optional[float] = typer.Option(
        None, "--for", min=0, help="End after this many seconds; default: at Ctrl-C."
    ),
    as_json: JSON = False,
) -> None:
    """Start a bank of your own, activate this device there, and create three operations. Deletes everything at the end.

    In the full-screen view, n creates one more."""
    if files.load().former(name) is not None:
        raise Stop(
            f"there is a profile {name} already: use --name, or mtoken profile remove {name} --force", Exit.USAGE
        )
    with tempfile.TemporaryDirectory(prefix="mtoken-demo-") as folder, _bank(Path(folder), port) as bank:
        profile = _profile(name, bank)
        try:
            ids = _activate(profile, bank)
            opens = full_screen and not as_json and sys.stdin.isatty() and sys.stdout.isatty() and seconds is None
            if as_json:
                print_line(
                    {"profile": name, "pin": PIN, "console": _console(bank), "url": bank["url"], "operations": ids}
                )
            else:
                _tell(name, bank, ids, opens)
            if opens and _has_view():
                more = itertools.cycle(_OPERATIONS)
                view.run(
                    name,
                    f"PIN {PIN} · the bank: {_console(bank)} · n: one more operation",
                    f"It is {PIN} in the demo.",
                    another=lambda: _ask(bank, next(more)),
                )
            else:
                threading.Event().wait(seconds)
        finally:
            removal.discard(profile, None, True)
            files.save(files.load().without(name))


def _console(bank: Dict[str, Any]) -> str:
    """The console, where the user acts as the bank. Without TLS, because no browser trusts the bank's certificate."""
    return f"{bank['httpUrl']}/console"


def _tell(name: str, bank: Dict[str, Any], ids: List[str], opens: bool) -> None:
    out.print(Text.assemble("The bank:    ", (_console(bank), "cyan")))
    out.print(f"             {bank['url']} by HTTPS, with a certificate of its own")
    out.print(Text.assemble("The device:  ", f"profile {name}, PIN ", (PIN, "bold")))
    out.print(f"Try:         mtoken list -p {name}, mtoken approve {ids[0][:8]} -p {name}, mtoken -p {name}")
    if not (opens and _has_view()):
        err.print("Ctrl-C ends it, and leaves nothing behind.", style="dim")


def _has_view() -> bool:
    return importlib.util.find_spec("textual") is not None


def _server() -> List[str]:
    """The command line that starts the development server."""
    if importlib.util.find_spec("mtoken_devserver") is not None:
        return [sys.executable, "-m", "mtoken_devserver"]
    found = shutil.which("mtoken-devserver")
    if found is not None:
        return [found]
    if (_TREE / "mtoken_devserver").is_dir():
        return [sys.executable, "-m", "mtoken_devserver"]
    raise Stop("the demo needs the development server: pip install its wheel, mtoken_devserver-*.whl", Exit.USAGE)


@contextmanager
def _bank(folder: Path, port: int) -> Iterator[Dict[str, Any]]:
    """A development server that ends with the block, and also when this program is killed."""
    command = [*_server(), "--json", "--exit-with-parent", "--port", str(port), "--http-port", "0"]
    log = folder / "bank.log"
    with log.open("wb") as said:
        server = subprocess.Popen(
            [*command, "--state-dir", str(folder)], cwd=_TREE if _TREE.is_dir() else None, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True,
        )  # fmt: skip
    assert server.stdin is not None and server.stdout is not None
    try:
        with progress("Starting the bank …"):
            line = server.stdout.readline()
        if not line:
            raise Stop("the bank did not start: " + (log.read_text(errors="replace").strip().splitlines() or [""])[-1])
        yield json.loads(line)
    finally:
        server.stdin.close()
        server.wait(timeout=30)


def _profile(name: str, bank: Dict[str, Any]) -> Profile:
    certificates = Path(bank["caFile"]).read_text(encoding="utf-8")
    profile = files.checked(Profile(name, bank["url"], bank["application"]["sdkConfig"], ca=certificates))
    files.save(files.load().with_profile(profile))
    return profile


def _activate(profile: Profile, bank: Dict[str, Any]) -> List[str]:
    """Activates this device and creates its user's operations."""
    who = {"userId": _USER}
    code = _admin(bank, "/activations", {**who, "commitPhase": "ON_KEY_EXCHANGE"})["activationCode"]
    with session.connected(profile) as client, progress("Activating this device …"):
        client.activate(code, name="mtoken demo")
        client.persist(PIN)
    _admin(
        bank, "/inbox", {**who, "subject": "Welcome", "summary": "This is your bank.", "body": "Approve what you like."}
    )
    return [_ask(bank, members) for members in _OPERATIONS]


def _ask(bank: Dict[str, Any], members: Dict[str, Any]) -> str:
    """Creates an operation at the bank and returns its id."""
    operation = {"userId": _USER, "expirationSeconds": _SECONDS, **members}
    return str(_admin(bank, "/operations", operation)["operationId"])


def _admin(bank: Dict[str, Any], path: str, body: Dict[str, Any]) -> Dict[str, Any]:
    """A call of the bank's back end."""
    request = urllib.request.Request(
        f"{bank['httpUrl']}/admin{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        found: Dict[str, Any] = json.load(answer)
    return found
