"""What starting costs in Python: processor time as a multiple of `python -c pass`, the least of several runs.

    make bench-start

Processor time leaves out the bank's answer, and what else the machine does.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "python"))
RUNS = 15
COMMANDS: Dict[str, List[str]] = {
    "python -c pass": ["-c", "pass"],
    "import mtoken": ["-c", "import mtoken"],
    "mtoken --help": ["-m", "mtoken_command", "--help"],
    "typer, rich": ["-c", "import typer, rich.console, rich.table"],
    "mtoken.Client": ["-c", "import mtoken; mtoken.Client"],
    "mtoken list": ["-m", "mtoken_command", "list"],
}


def cost(arguments: List[str], environment: Dict[str, str]) -> float:
    """Seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    from devserver import DevServer

    with tempfile.TemporaryDirectory() as folder:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MTOKEN_PROFILE"))}
        clean.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed is compiled
        environment = {**clean, "HOME": folder, "PYTHONPATH": f"{ROOT}/bindings/python/src:{ROOT}/tools/command"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder, "compiled"))
        environment.setdefault("MTOKEN_LIBRARY", str(ROOT / "build" / "lib" / "libmtoken.so.1"))
        server = DevServer(Path(folder, "bank"))
        try:
            code = server.new_activation("alice", commitPhase="ON_KEY_EXCHANGE")["activationCode"]
            add = ["profile", "add", "bank", "--server", server.url, "--ca", server.ca_file]
            for words in ([*add, "--config", server.configuration], ["activate", code, "--pin-fd", "0"]):
                run = [sys.executable, "-m", "mtoken_command", *words]
                subprocess.run(run, env=environment, check=True, input=b"2468\n", capture_output=True)
            server.new_operation(userId="alice")
            least = {name: min(cost(words, environment) for _ in range(RUNS)) for name, words in COMMANDS.items()}
        finally:
            server.stop()
    base = least["python -c pass"]
    print("| What | Processor time | Times `python -c pass` |\n|---|---|---|")
    for name, seconds in least.items():
        print(f"| `{name}` | {seconds * 1000:.0f} ms | {seconds / base:.1f} |")


if __name__ == "__main__":
    main()
