"""A device's life by chance: spells of every kind of trouble, the program doing nothing but calling. After each spell the bank's
next PIN signature must be accepted, and the activation must never be out of the server's reach.

    python soak.py PROTOCOL WINDOW STEPS SEED…      (prints a line for each seed, ends with 1 at the first failure)
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List

import mtoken
from devserver import DevServer
from virtual import CONNECTION_LOST, CONNECTION_REFUSED, NOT_CONNECTED, TIMEOUT, Answer, Network, Request, World, online

PIN = "1234"
PAGE = b"<html><body><h1>Bad Gateway</h1></body></html>"


def refused(world: World, request: Request) -> Answer:
    return Answer(failure=CONNECTION_REFUSED)


def unconnected(world: World, request: Request) -> Answer:
    return Answer(failure=NOT_CONNECTED)


def request_lost(world: World, request: Request) -> Answer:
    return Answer(failure=TIMEOUT, sent=True)


def answer_lost(world: World, request: Request) -> Answer:
    world.forward(request)
    return Answer(failure=CONNECTION_LOST, sent=True)


def gateway(status: int, body: bytes, *, after: bool) -> Network:
    def network(world: World, request: Request) -> Answer:
        if after:
            world.forward(request)
        return Answer(status, body, "Content-Type: text/html\n" if body else "")

    return network


class Soak:
    def __init__(self, server: DevServer, protocol: mtoken.Protocol, window: int, seed: int):
        self.chance = random.Random(f"{protocol} {window} {seed}")
        self.server = server
        self.window = window
        # The bank may take its time to confirm.
        server.admin("PATCH", "/config", {"lookAhead": window, "activationValidityMs": 86_400_000})
        self.world = World(server, protocol=protocol, events=mtoken.Events.OPERATIONS)
        self.steps = 0
        self.spells: Dict[str, int] = {}
        self.log: List[str] = []
        self.current = ""
        self.user = f"soak-{protocol}-{window}-{seed}"
        self.activate()

    @property
    def client(self) -> mtoken.Client:
        return self.world.client

    def activate(self) -> None:
        made = self.server.new_activation(self.user, applicationId=self.world.application)
        world = self.world
        world.run(self.client.start_activate(made["activationCode"], name="soak"))
        self.client.persist(PIN)
        self.id = made["activationId"]
        # The bank takes its time to confirm; the program lists meanwhile.
        self.client.operations.start_polling(5)
        for _ in range(self.chance.randrange(30)):
            self.act()
        self.server.admin("POST", f"/activations/{self.id}/commit")
        status = world.run(self.client.start_wait_active(limit=600), seconds=900)
        assert status.state is mtoken.ActivationState.ACTIVE
        self.check("pending")

    # What the program does

    def act(self) -> None:
        self.steps += 1
        name = self.chance.choice(ACTIONS)
        try:
            getattr(self, "do_" + name)()
        except mtoken.MTokenError as error:
            self.log.append(f"{name}: {error.code.name} {error.reason}")
            assert error.reason != "counterDeadlock", error
            # A withdrawn version counts failed attempts as a wrong PIN does; nothing tells them apart.
            assert "the PIN is wrong" not in str(error) or self.current == "withdrawn", error
        status = self.client.info().activation_state
        assert status is not mtoken.ActivationState.DEADLOCK, "the activation is out of the server's reach"

    def do_list(self) -> None:
        self.world.run(self.client.operations.start_list())

    def do_lists(self) -> None:
        for _ in range(self.chance.randrange(1, 6)):
            try:
                self.do_list()
            except mtoken.MTokenError:
                pass

    def do_approve(self) -> None:
        made = self.server.new_operation(userId=self.user, applicationId=self.world.application)
        with mtoken.Auth.pin(PIN) as auth:
            self.world.run(self.client.operations.start_authorize_data(made["operationId"], made["data"], auth))

    def do_reject(self) -> None:
        made = self.server.new_operation(userId=self.user, applicationId=self.world.application)
        self.world.run(self.client.operations.start_reject(made["operationId"]))

    def do_history(self) -> None:
        with mtoken.Auth.pin(PIN) as auth:
            self.world.run(self.client.operations.start_history(auth))

    def do_validate(self) -> None:
        self.world.run(self.client.factors.start_validate_pin(PIN))

    def do_status(self) -> None:
        self.world.run(self.client.start_status())

    def do_inbox(self) -> None:
        self.world.run(self.client.inbox.start_count())

    def do_sign(self) -> None:
        """A request that the program signs and never sends."""
        with mtoken.Auth.pin(PIN) as auth:
            self.client.sign("POST", "/own", b"{}", auth)
        self.world.pump()

    def do_offline(self) -> None:
        """Codes that nobody types."""
        with mtoken.Auth.pin(PIN) as auth:
            for _ in range(self.chance.randrange(1, 12)):
                self.client.sign_offline("/operation/authorize/offline", b"id&data", bytes(range(16)), auth)

    def do_time(self) -> None:
        self.world.advance(self.chance.choice([1, 7, 30, 140]))

    def do_user(self) -> None:
        self.world.run(self.client.start_user_info())

    def do_vault(self) -> None:
        with mtoken.Auth.pin(PIN) as auth:
            self.world.run(self.client.vault.start_encryption_key(1, auth))

    # Spells

    def spell(self, name: str) -> None:
        self.spells[name] = self.spells.get(name, 0) + 1
        self.current = name
        self.log.append(f"--- {name}")
        end: Callable[[], Any] = int  # nothing
        world = self.world
        if name in NETWORKS:
            world.network = NETWORKS[name]
        elif name == "down":
            fault = self.server.fault("/", "backend-down")
            end = lambda: self.server.admin("DELETE", f"/faults/{fault}")  # noqa: E731
        elif name == "blocked":
            self.server.admin("POST", f"/activations/{self.id}/block")
            end = lambda: self.server.admin("POST", f"/activations/{self.id}/unblock")  # noqa: E731
        elif name == "withdrawn":
            path = world.version_path()
            self.server.admin("PATCH", path, {"supported": False})
            end = lambda: self.server.admin("PATCH", path, {"supported": True})  # noqa: E731
        elif name == "clock":
            world.set_clock(self.chance.choice([-3600, -90, 90, 3600]))
        elif name == "forgotten":
            self.server.admin("DELETE", f"/temporary-keys?activationId={self.id}")
            self.server.admin("DELETE", f"/activations/{self.id}/tokens")
        elif name == "restarted":
            self.reopen(world.restart)
        elif name == "killed":
            made = self.server.new_operation(userId=self.user, applicationId=self.world.application)
            with mtoken.Auth.pin(PIN) as auth:
                try:
                    task = self.client.operations.start_authorize_data(made["operationId"], made["data"], auth)
                except mtoken.MTokenError as error:
                    self.log.append(f"killed: {error.reason}")
                    self.reopen(world.restart)
                else:
                    self.reopen(lambda: world.kill(task))
        for _ in range(self.chance.choice([1, 3, 8, 25])):
            self.act()
        end()
        if name == "withdrawn":  # a PIN signature of a withdrawn version counts as a failed attempt at the server
            self.server.admin("PATCH", f"/activations/{self.id}", {"failedAttempts": 0})
            if self.server.activation(self.id)["state"] == "BLOCKED":
                self.server.admin("POST", f"/activations/{self.id}/unblock")
                name = "blocked"
        world.network = online
        if name == "blocked":
            # Nobody calls: polling looks at the status now and then, and goes on by itself.
            world.advance(700)
            assert self.client.operations.polling is mtoken.Polling.ON, self.client.operations.polling
        self.check(name)

    def reopen(self, how: Callable[[], None]) -> None:
        how()
        self.client.operations.start_polling(5)

    def check(self, name: str) -> None:
        """The bank accepts the next PIN signature."""
        try:
            self.do_validate()
        except mtoken.MTokenError as error:
            raise AssertionError(f"after {name}: {type(error).__name__} {error.reason}: {error}") from error
        view = self.server.activation(self.id)
        assert view["state"] == "ACTIVE" and view["failedAttempts"] == 0, view
        self.log.append(f"ok after {name}")

    def run(self, steps: int) -> None:
        while self.steps < steps:
            self.spell(self.chance.choice(SPELLS))
        while self.world.runtime.next_event(0) is not None:
            pass
        self.world.close()


NETWORKS: Dict[str, Network] = {
    "refused": refused,
    "offline": unconnected,
    "request lost": request_lost,
    "answer lost": answer_lost,
    "502 before": gateway(502, PAGE, after=False),
    "504 after": gateway(504, PAGE, after=True),
    "503 empty": gateway(503, b"", after=False),
    "500 after": gateway(500, b"", after=True),
    "429": gateway(429, PAGE, after=False),
    "gateway 401": gateway(401, PAGE, after=False),
}
SPELLS = [*NETWORKS, "down", "blocked", "withdrawn", "clock", "forgotten", "restarted", "killed", "none"]
ACTIONS = ["list", "lists", "approve", "reject", "history", "validate", "status", "inbox", "sign", "offline"] + [
    "time",
    "user",
    "vault",
    "list",
    "approve",
]


def main() -> int:
    protocol = mtoken.Protocol[sys.argv[1]]
    window, steps = int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        server = DevServer(Path(folder))
        try:
            for seed in map(int, sys.argv[4:]):
                soak = Soak(server, protocol, window, seed)
                try:
                    soak.run(steps)
                except BaseException:
                    print("\n".join(soak.log[-60:]), file=sys.stderr)
                    print(f"FAILED {protocol.name} window {window} seed {seed} after {soak.steps} steps", flush=True)
                    raise
                spells = ", ".join(f"{name} {count}" for name, count in sorted(soak.spells.items()))
                print(f"{protocol.name} window {window} seed {seed}: {soak.steps} steps ({spells})", flush=True)
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
