"""The code of the operations page runs as it is printed."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Any, Dict, List

import mtoken
from activations import Activations
from conftest import ROOT, DeviceFactory
from devserver import DevServer
from pages import commands, shell

PAGE = (ROOT / "docs" / "guides" / "operations.md").read_text(encoding="utf-8")
LIBRARY = Path(os.environ["MTOKEN_LIBRARY"])


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def new_operations(server: DevServer, user: str, *spans: int) -> None:
    """One to approve, one to reject, and two to let expire: a fetch at just the wrong moment may take away one of them."""
    for seconds in spans:
        server.new_operation(userId=user, expirationSeconds=seconds)


def test_the_loop_in_python(server: DevServer, make_device: DeviceFactory) -> None:
    with mtoken.Runtime(events=mtoken.Events.OPERATIONS) as runtime:
        device = make_device(runtime=runtime)
        new_operations(server, device.user, 120, 120, 15, 18)
        names: Dict[str, Any] = {}
        exec(block("python"), names)
        chosen: Dict[str, List[str]] = {}

        def choose(operation: mtoken.Operation, lines: Any) -> str:
            assert list(lines)
            choice = decide(operation)
            chosen.setdefault(choice, []).append(operation.id)
            return choice

        def decide(operation: mtoken.Operation) -> str:
            seconds = (operation.expires - operation.created).total_seconds()
            if seconds < 60:
                return "wait"
            return "approve" if "approve" not in chosen else "reject"

        expired = names["run"](runtime, device.client, device.pin, choose)
        device.client.close()
    assert {choice: len(ids) for choice, ids in chosen.items()} == {"approve": 1, "reject": 1, "wait": 2}
    assert expired and set(expired) <= set(chosen["wait"])
    assert server.operation(chosen["approve"][0])["status"] == "APPROVED"
    assert server.operation(chosen["reject"][0])["status"] == "REJECTED"


def test_the_loop_in_c(server: DevServer, activations: Activations, user: str, tmp_path: Path) -> None:
    new_operations(server, user, 18, 20, 22, 24)
    code = activations.new(user)["activationCode"]
    (tmp_path / "operations.c").write_text(block("c"), encoding="utf-8")
    (tmp_path / "libmtoken.so.1").symlink_to(LIBRARY.resolve())
    compile_it, run_it = commands("docs/guides/operations.md")
    (tmp_path / "sources").symlink_to(ROOT)  # in a path without a space, which would need quotes
    found = str(tmp_path / "sources" / "build" / "lib")
    shell(f"{compile_it} -Wextra -pedantic -Werror", tmp_path, PKG_CONFIG_PATH=found)
    program, *names = run_it.split()
    assert names == ["URL", "CA-FILE", "SDK-CONFIGURATION", "ACTIVATION-CODE", "PIN"]
    values = [server.url, server.ca_file, server.configuration, code, "2468"]
    child = shell(f"{program} {shlex.join(values)}", tmp_path, LD_LIBRARY_PATH=str(tmp_path))
    lines = child.stdout.splitlines()
    assert [line for line in lines if line in ("approved", "rejected")] == ["approved", "rejected"]
    assert len([line for line in lines if line.startswith("new: ")]) == 4
    assert [line for line in lines if line.startswith("expired: ")]
