"""Lives of sealed clients: each step is a process of its own, on one machine or another, and may be killed at a file change.

python sealing.py STEP < what it needs, as JSON
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

import mtoken

ROOT = Path(__file__).resolve().parents[3]
KILLED = -9
PIN = "1234"


@dataclass(frozen=True)
class Machine:
    """Where a sealer is opened: its options, and the environment in which it finds its hardware."""

    sealer: Optional[str]
    options: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)

    def sealed_as(self) -> Optional[Dict[str, Any]]:
        return None if self.sealer is None else {"name": self.sealer, **self.options}


@dataclass(frozen=True)
class Ended:
    """How a step ended."""

    status: int
    answer: Dict[str, Any]

    @property
    def reason(self) -> Optional[str]:
        return self.answer.get("reason")


@dataclass
class Life:
    """A client in a folder. The caller chooses the machine of each step."""

    server: Any
    folder: Path
    user: str
    killer: Optional[Path] = None

    def step(
        self, step: str, machine: Machine, *, kill: Optional[str] = None, folder: Optional[Path] = None, **more: Any
    ) -> Ended:
        """Runs a step.

        kill  "before 3": the process dies before its third change of a file; "count": prints how many there are
        """
        given = {
            "configuration": self.server.configuration, "url": self.server.url, "ca": self.server.ca_file,
            "folder": str(folder or self.folder), "sealer": machine.sealed_as(), **more,
        }  # fmt: skip
        environment = {**os.environ, **machine.environment, "TSS2_LOG": "all+none"}
        environment["PYTHONPATH"] = str(ROOT / "bindings" / "python" / "src")
        if kill is not None:
            environment.update(LD_PRELOAD=str(self.killer), MTOKEN_TEST_KILL=kill)
        done = subprocess.run(
            [sys.executable, __file__, step], input=json.dumps(given), env=environment, capture_output=True, text=True,
            timeout=600,
        )  # fmt: skip
        if kill is None or done.returncode != KILLED:
            assert done.returncode == 0, done.stderr
        return Ended(done.returncode, json.loads(done.stdout) if done.stdout else {})

    def activate(self, machine: Machine, **how: Any) -> Ended:
        return self.step("activate", machine, code=self.server.new_activation(self.user)["activationCode"], **how)

    def approve(self, machine: Machine, **how: Any) -> Ended:
        """Approves a new operation."""
        operation = self.server.new_operation(userId=self.user)["operationId"]
        return self.step("approve", machine, operation=operation, **how)

    def copied(self, name: str) -> Path:
        """A copy of the folder, as after a theft, or to try one step again."""
        target = self.folder.parent / name
        shutil.copytree(self.folder, target)
        target.chmod(0o700)
        return target

    def changes(self, step: str, machine: Machine, **how: Any) -> int:
        """How often a step changes files."""
        ended = self.step(step, machine, kill="count", **how)
        assert ended.status == 0 and ended.reason is None, ended
        return int(Path(str(self.killer) + ".count").read_text(encoding="ascii"))


def build_killer(folder: Path) -> Path:
    """The library that kills a process before or after one of its file changes."""
    target = folder / "killer.so"
    source = Path(__file__).with_name("killer.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", target, source], check=True)
    return target


# The steps


def main(step: str) -> None:
    given = json.load(sys.stdin)
    answer: Dict[str, Any] = {}
    try:
        sealer = opened(given["sealer"])
        with mtoken.Runtime() as runtime, mtoken.Store.directory(given["folder"]) as store:
            with mtoken.Client(
                runtime, "alice", configuration=given["configuration"], base_url=given["url"], ca_file=given["ca"],
                store=store, sealer=sealer,
            ) as client:  # fmt: skip
                answer["protection"] = client.info().protection.name
                answer["state"] = client.state.name
                STEPS[step](client, given, answer)
    except mtoken.MTokenError as error:
        answer.update(error=type(error).__name__, reason=error.reason, message=str(error), cause=error.cause)
    print(json.dumps(answer))


def opened(sealer: Optional[Dict[str, str]]) -> Optional[mtoken.Sealer]:
    return None if sealer is None else mtoken.Sealer.open(**sealer)  # type: ignore[arg-type]


def look(client: mtoken.Client, given: Dict[str, Any], answer: Dict[str, Any]) -> None:
    """Only opens the client."""


def activate(client: mtoken.Client, given: Dict[str, Any], answer: Dict[str, Any]) -> None:
    client.activate(given["code"])
    client.persist(PIN)
    answer["activation"] = client.info().activation_id
    answer["state"] = client.state.name


def approve(client: mtoken.Client, given: Dict[str, Any], answer: Dict[str, Any]) -> None:
    operation = next(item for item in client.operations.list() if item.id == given["operation"])
    client.operations.authorize(operation, mtoken.Auth.pin(PIN))
    answer["approved"] = True


def reseal(client: mtoken.Client, given: Dict[str, Any], answer: Dict[str, Any]) -> None:
    client.reseal(opened(given["to"]))
    answer["protection"] = client.info().protection.name


def remove(client: mtoken.Client, given: Dict[str, Any], answer: Dict[str, Any]) -> None:
    client.remove_local()
    answer["state"] = client.state.name


STEPS = {"look": look, "activate": activate, "approve": approve, "reseal": reseal, "remove": remove}


# The lives that every sealer must pass


def lives(life: Life, here: Machine, there: Machine, protection: str, foreign: List[str]) -> None:
    """Activate, sign, start again, be copied to another machine and refused there, sign again; unseal and remove."""
    made = life.activate(here)
    assert (made.answer.get("state"), made.answer["protection"]) == ("ACTIVE", protection), made
    life.server.admin("POST", f"/activations/{made.answer['activation']}/commit")
    assert life.approve(here).answer.get("approved")
    before = {path.name: path.read_bytes() for path in life.folder.iterdir()}
    refused = life.step("look", there, folder=life.copied("stolen"))
    assert refused.answer.get("error") == "SealedError" and refused.reason in foreign, refused
    plain = life.step("look", Machine(None), folder=life.folder)
    assert plain.reason == "sealerMissing" and f'"{here.sealer}"' in plain.answer["message"], plain
    assert before == {path.name: path.read_bytes() for path in life.folder.iterdir()}, "a refusal changes nothing"
    assert life.approve(here).answer.get("approved")
    opened = life.step("reseal", here, to=None)
    assert opened.answer["protection"] == "FILE", opened
    assert life.approve(Machine(None)).answer.get("approved")
    assert life.step("look", here).reason == "notSealed"
    assert life.step("reseal", Machine(None, environment=here.environment), to=here.sealed_as()).reason is None
    assert life.approve(here).answer.get("approved")
    assert life.step("remove", here).answer["state"] == "EMPTY"
    assert life.step("look", here).answer["state"] == "EMPTY"


def moments(count: int) -> List[Tuple[str, int]]:
    """Before and after each change of a file; without MTOKEN_FULL=1 the first, a middle and the last one."""
    numbers = range(1, count + 1) if os.environ.get("MTOKEN_FULL") == "1" else sorted({1, (count + 1) // 2, count})
    return [(when, number) for number in numbers for when in ("before", "after")]


def is_killed_activating(life: Life, here: Machine) -> None:
    """Killed before and after each file change of an activation, the client opens, either activated or not at all."""
    code = life.server.new_activation(life.user)["activationCode"]
    count = life.changes("activate", here, code=code, folder=life.folder.parent / "counted")
    assert count > 3
    states = set()
    for when, number in moments(count):
        folder = life.folder.parent / f"{when}-{number}"
        assert life.activate(here, kill=f"{when} {number}", folder=folder).status == KILLED
        found = life.step("look", here, folder=folder)
        assert found.reason is None, (when, number, found)
        states.add(found.answer["state"])
        if found.answer["state"] == "EMPTY":
            assert life.activate(here, folder=folder).answer.get("state") == "ACTIVE"
    assert states == {"EMPTY", "ACTIVE"}


def is_killed_resealing(life: Life, here: Machine, to: Machine) -> None:
    """Killed before and after each file change of a reseal, the client opens with the old sealer or with the new one.

    Each trial has an activation of its own: what one forgets would be gone for all copies.
    """
    everything = {**here.environment, **to.environment}
    here, to = Machine(here.sealer, here.options, everything), Machine(to.sealer, to.options, everything)

    def activated(name: str) -> Path:
        folder = life.folder.parent / f"reseal-{name}"
        assert life.activate(here, folder=folder).answer.get("state") == "ACTIVE"
        return folder

    count = life.changes("reseal", here, to=to.sealed_as(), folder=activated("counted"))
    assert count > 1
    ways = set()
    for when, number in moments(count):
        folder = activated(f"{when}-{number}")
        assert life.step("reseal", here, to=to.sealed_as(), kill=f"{when} {number}", folder=folder).status == KILLED
        old, new = (life.step("look", machine, folder=folder) for machine in (here, to))
        opens = [ended for ended in (old, new) if ended.answer.get("state") == "ACTIVE"]
        assert len(opens) == 1, (when, number, old, new)
        ways.add(opens[0] is new)
    assert ways == {False, True}


if __name__ == "__main__":
    main(sys.argv[1])
