"""Every flow of protocol 4.0, with every kind of trouble at each of its requests: afterwards the user's PIN works.

What the network answers is the test's, so a power cut is one: what was sent has no answer, and what was not stored is lost. Runs in a
process with libmtoken-testing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional

import pytest
import virtual_environment

if not virtual_environment.IS_TESTING:

    def test_schedules_of_protocol_4() -> None:
        """Runs this file with libmtoken-testing."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
        run = subprocess.run(command, env=virtual_environment.environment(), capture_output=True, text=True)
        print(run.stdout[-200:])
        assert run.returncode == 0, run.stdout + run.stderr

else:
    import mtoken
    from devserver import DevServer
    from virtual import CONNECTION_LOST, CONNECTION_REFUSED, TIMEOUT, Answer, Request, World, online

    PIN, NEW, KEY = "1234", "5678", bytes(range(1, 17))

    @pytest.fixture(scope="module")
    def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
        server = DevServer(tmp_path_factory.mktemp("devserver"))
        yield server
        server.stop()

    class Disk:
        """Keeps items until the power is cut, before or after one of its saves."""

        def __init__(self, items: Optional[Dict[str, bytes]] = None):
            self.items = dict(items or {})
            self.left: Optional[int] = None
            """How many saves are left; None: the power is on."""
            self.keeps = False
            """The save at which the power is cut is kept."""

        @property
        def is_dead(self) -> bool:
            return self.left is not None and self.left <= 0

        def load(self, name: str) -> Optional[bytes]:
            return self.items.get(name)

        def save(self, name: str, data: bytes) -> None:
            if self.is_dead:
                raise OSError("no power")
            if self.left is not None:
                self.left -= 1
                if self.left == 0:
                    if self.keeps:
                        self.items[name] = data
                    raise OSError("no power")
            self.items[name] = data

        def remove(self, name: str) -> None:
            self.items.pop(name, None)

    class Life:
        """A device of 4.0, and the PINs that its user may have."""

        def __init__(self, server: DevServer, *, legacy: bool = False):
            """legacy  of protocol 3, with keys for the upgrade"""
            self.server = server
            self.user = f"four-{os.getpid()}-{os.urandom(4).hex()}"
            self.disk = Disk()
            protocol = mtoken.Protocol.V3_3 if legacy else mtoken.Protocol.V4_0
            store = mtoken.Store.host(self.disk)
            self.world = World(server, protocol=protocol, keys=mtoken.Protocol.V4_0, store=store)
            self.pins = [PIN]

        def restart(self) -> None:
            """The power was cut: the program starts again with what the disk has."""
            self.world.close()
            self.disk = Disk(self.disk.items)
            self.world.store = mtoken.Store.host(self.disk)
            self.world.network = online
            self.world.open()

        @property
        def client(self) -> mtoken.Client:
            return self.world.client

        def activate(self) -> None:
            made = self.server.new_activation(self.user, applicationId=self.world.application)
            self.id = made["activationId"]
            self.world.run(self.client.start_activate(made["activationCode"]))
            self.client.persist(PIN)
            self.server.admin("POST", f"/activations/{self.id}/commit")
            self.world.pump()

        def confirm(self) -> mtoken.Task[Any]:
            return self.client.start_wait_active(limit=60)

        def ready(self) -> None:
            self.activate()
            self.world.run(self.confirm())

        def view(self) -> Dict[str, Any]:
            return self.server.activation(self.id)

        def takes_token(self) -> bool:
            header = self.client.tokens.header("mine")
            return self.server.send("POST", "/api/test/token", b"{}", dict([header])).status == 200

        def works(self) -> str:
            """The PIN that works; wrong ones are tried as a user tries them."""
            info = self.client.info()
            if info.awaits_confirmation:
                self.world.run(self.client.start_wait_active(limit=60, pin=PIN))
            # After a change that was not finished the new PIN comes first.
            for pin in reversed(self.pins):
                try:
                    self.world.run(self.client.factors.start_validate_pin(pin))
                    return pin
                except mtoken.AuthenticationError:
                    continue
            raise AssertionError("no PIN works")

        def close(self) -> None:
            self.world.close()

    # Flows: each begins with a ready device and returns the task that is troubled.

    def change_pin(life: Life) -> mtoken.Task[Any]:
        life.pins = [PIN, NEW]
        return life.client.factors.start_change_pin(PIN, NEW)

    def add_biometry(life: Life) -> mtoken.Task[Any]:
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.factors.start_add_biometry(KEY, auth)

    def remove_biometry(life: Life) -> mtoken.Task[Any]:
        life.world.run(add_biometry(life))
        return life.client.factors.start_remove_biometry()

    def fetch_key(life: Life) -> mtoken.Task[Any]:
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.vault.start_encryption_key(1, auth)

    def rename(life: Life) -> mtoken.Task[Any]:
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.start_rename("desk", auth)

    def list_operations(life: Life) -> mtoken.Task[Any]:
        return life.client.operations.start_list()

    def approve(life: Life) -> mtoken.Task[Any]:
        made = life.server.new_operation(userId=life.user, applicationId=life.world.application)
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.operations.start_authorize_data(made["operationId"], made["data"], auth)

    def create_token(life: Life) -> mtoken.Task[Any]:
        return life.client.tokens.start_create("mine")

    def remove_token(life: Life) -> mtoken.Task[Any]:
        life.world.run(create_token(life))
        return life.client.tokens.start_remove("mine")

    def status(life: Life) -> mtoken.Task[Any]:
        return life.client.start_status()

    def upgrade(life: Life) -> mtoken.Task[Any]:
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.start_upgrade(auth)

    FLOWS: List[Callable[[Life], mtoken.Task[Any]]] = [
        change_pin,
        add_biometry,
        remove_biometry,
        fetch_key,
        rename,
        list_operations,
        approve,
        create_token,
        remove_token,
        status,
        upgrade,
    ]
    TROUBLES = ["refused", "lost", "answer lost", "gateway", "killed before", "killed after"]

    class Trouble:
        """Does it to one request, and counts them."""

        def __init__(self, kind: str, at: int):
            self.kind, self.at, self.seen, self.happened = kind, at, 0, False

        def __call__(self, world: World, request: Request) -> Answer:
            self.seen += 1
            if self.seen != self.at:
                return (
                    Answer(failure=-1) if self.happened and self.kind.startswith("killed") else online(world, request)
                )
            self.happened = True
            if self.kind in ("answer lost", "killed after", "gateway"):
                online(world, request)
            if self.kind == "refused":
                return Answer(failure=CONNECTION_REFUSED)
            if self.kind == "lost":
                return Answer(failure=TIMEOUT, sent=True)
            if self.kind == "answer lost":
                return Answer(failure=CONNECTION_LOST, sent=True)
            if self.kind == "gateway":
                return Answer(502, b"<html>", "Content-Type: text/html\n")
            return Answer(failure=-1)

    def troubled(life: Life, task: mtoken.Task[Any], trouble: Trouble) -> None:
        """Runs the task through the trouble; after a power cut the program starts again."""
        life.world.network = trouble
        if trouble.kind.startswith("killed"):
            life.world.pump()
            life.world.network = online
            if trouble.happened:
                life.restart()
                return
        try:
            life.world.run(task)
        except mtoken.MTokenError:
            pass
        finally:
            life.world.network = online

    def cut(life: Life, begin: Callable[[Life], mtoken.Task[Any]], at: int, keeps: bool) -> bool:
        """Cuts the power at a save; whether the flow has so many."""
        life.disk.left, life.disk.keeps = at, keeps
        try:
            task = begin(life)
        except mtoken.StorageError:
            pass
        else:
            life.world.network = lambda world, request: (
                Answer(failure=-1) if life.disk.is_dead else online(world, request)
            )
            life.world.pump()
            if not life.disk.is_dead:
                life.world.run(task)
        happened = life.disk.is_dead
        life.restart()
        return happened

    def goes_on(life: Life, where: str) -> None:
        """The user's PIN works, no attempt was lost by the device, and nothing stays unfinished."""
        life.world.advance(1)
        pin = life.works()
        assert life.view()["failedAttempts"] == 0, where
        life.world.run(life.client.start_status())
        if life.client.info().protocol is not mtoken.Protocol.V4_0:
            with mtoken.Auth.pin(pin) as auth:
                life.world.run(life.client.start_upgrade(auth))
        life.world.run(life.client.factors.start_validate_pin(pin))
        if "_token" in where:
            # One that was saved is the server's; of one that was to be removed nobody knows.
            if "mine" in life.client.tokens:
                assert life.takes_token() or where.startswith("remove_token"), where
                life.client.tokens.forget("mine")
            life.world.run(create_token(life))
            assert life.takes_token(), where
        bank = life.view()["protocol4"]
        assert not bank["confirmPending"] and not bank["upgradePending"] and not bank["knowledgeWaits"], where
        assert bank["biometryEnabled"] == life.client.info().has_biometry, where

    def survives(server: DevServer, begin: Callable[[Life], mtoken.Task[Any]], kind: str, *, ready: bool = True) -> int:
        """How often the trouble came: once for each request of the flow."""
        at = 0
        while True:
            at += 1
            life = Life(server, legacy=begin is upgrade)
            try:
                life.ready() if ready else life.activate()
                trouble = Trouble(kind, at)
                troubled(life, begin(life), trouble)
                if not trouble.happened:
                    return at - 1
                goes_on(life, f"{begin.__name__}, {kind} at request {at}")
            finally:
                life.close()

    def survives_cuts(server: DevServer, begin: Callable[[Life], mtoken.Task[Any]], keeps: bool) -> int:
        """How often the power was cut: once for each save of the flow."""
        at = 0
        while True:
            at += 1
            life = Life(server, legacy=begin is upgrade)
            try:
                life.ready()
                if not cut(life, begin, at, keeps):
                    return at - 1
                goes_on(life, f"{begin.__name__}, cut {'after' if keeps else 'before'} save {at}")
            finally:
                life.close()

    @pytest.mark.parametrize("kind", TROUBLES)
    @pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.__name__)
    def test_every_request(server: DevServer, flow: Callable[[Life], mtoken.Task[Any]], kind: str) -> None:
        assert survives(server, flow, kind) > 0

    @pytest.mark.parametrize("keeps", [False, True], ids=["before", "after"])
    @pytest.mark.parametrize("flow", [flow for flow in FLOWS if flow is not status], ids=lambda flow: flow.__name__)
    def test_every_save(server: DevServer, flow: Callable[[Life], mtoken.Task[Any]], keeps: bool) -> None:
        assert survives_cuts(server, flow, keeps) > 0

    @pytest.mark.parametrize("kind", TROUBLES)
    def test_every_request_of_the_confirmation(server: DevServer, kind: str) -> None:
        assert survives(server, Life.confirm, kind, ready=False) > 0

    # Temporary keys

    def created_keys(life: Life) -> int:
        return sum(request.path == "/pa/v4/keystore/create" for request in life.world.requests)

    def test_the_end_of_the_application_key_is_that_of_the_activation_key(server: DevServer) -> None:
        life = Life(server)
        try:
            life.ready()
            life.world.advance(200)
            server.admin("DELETE", f"/temporary-keys?activationId={life.id}")
            life.world.run(life.client.start_user_info())  # which brings another key of the activation only
            before = created_keys(life)
            life.world.advance(50)
            life.world.run(life.client.start_user_info())
            assert created_keys(life) == before
            life.world.advance(50)
            life.world.run(life.client.start_user_info())
            assert created_keys(life) == before + 1
            life.world.advance(50)
            life.world.run(life.client.start_user_info())
            assert created_keys(life) == before + 1, "the application's key that is gone is none that expires"
        finally:
            life.close()

    # Blocks

    def block(life: Life) -> None:
        """Uses up the attempts."""
        for _ in range(5):
            with pytest.raises((mtoken.AuthenticationError, mtoken.BlockedError)):
                life.world.run(life.client.factors.start_validate_pin("9999"))

    def test_a_block_that_is_over_is_found_out_by_the_next_signature(server: DevServer) -> None:
        server.admin("PATCH", "/config", {"temporaryBlockMs": 60_000})
        life = Life(server)
        try:
            life.ready()
            block(life)
            life.world.advance(30)
            sent = len(life.world.requests)
            with pytest.raises(mtoken.BlockedError) as refused:
                life.world.run(life.client.factors.start_validate_pin(PIN))
            left = [int(word) for word in str(refused.value).split() if word.isdigit()]
            assert len(left) == 1 and 20 < left[0] <= 31 and "ask the bank" not in str(refused.value).lower()
            with pytest.raises(mtoken.BlockedError), mtoken.Auth.pin(PIN) as auth:
                life.client.sign_offline("/operation/authorize/offline", b"id&data", bytes(range(16)), auth)
            assert len(life.world.requests) == sent, "nothing is asked for or signed before its end"
            life.world.advance(35)
            life.world.run(life.client.factors.start_validate_pin(PIN))
            paths = [request.path for request in life.world.requests[sent:]]
            assert paths == ["/pa/v4/activation/status", "/pa/v4/auth/validate"]
            assert life.view()["failedAttempts"] == 0
        finally:
            server.admin("PATCH", "/config", {"temporaryBlockMs": 0})
            life.close()

    def test_an_offline_code_after_a_block_needs_no_network(server: DevServer) -> None:
        server.admin("PATCH", "/config", {"temporaryBlockMs": 60_000})
        life = Life(server)
        try:
            life.ready()
            block(life)
            life.world.advance(65)
            with mtoken.Auth.pin(PIN) as auth:
                assert life.client.sign_offline("/operation/authorize/offline", b"id&data", bytes(range(16)), auth)
        finally:
            server.admin("PATCH", "/config", {"temporaryBlockMs": 0})
            life.close()

    def test_only_the_bank_ends_a_block_without_end(server: DevServer) -> None:
        life = Life(server)
        try:
            life.ready()
            block(life)
            life.world.advance(3600)
            sent = len(life.world.requests)
            with pytest.raises(mtoken.BlockedError) as refused:
                life.world.run(life.client.factors.start_validate_pin(PIN))
            assert "Ask the bank" in str(refused.value) and len(life.world.requests) == sent
        finally:
            life.close()

    # The confirmation

    END = {"block": mtoken.BlockedError, "remove": mtoken.RemovedError}

    @pytest.mark.parametrize("ended", list(END))
    def test_no_pin_is_asked_for_where_none_helps(server: DevServer, ended: str) -> None:
        """The activation ended before it was confirmed: calls say so instead of STATE, reason `confirm`."""
        life = Life(server)
        try:
            life.world.network = lambda world, request: (
                Answer(503) if request.path == "/pa/v4/activation/status" else online(world, request)
            )
            life.activate()
            life.restart()
            server.admin("POST", f"/activations/{life.id}/{ended}")
            with mtoken.Auth.pin(PIN) as auth:
                for start in (
                    life.client.operations.start_list,
                    lambda: life.client.factors.start_validate_pin(PIN),
                    lambda: life.client.vault.start_encryption_key(1, auth),
                    lambda: life.client.start_wait_active(limit=60, pin=PIN),
                ):
                    with pytest.raises(END[ended]):
                        life.world.run(start())
                with pytest.raises(END[ended]):
                    life.client.sign("POST", "/x", b"", auth)
            assert not any(request.is_signed for request in life.world.requests)
            if ended == "block":
                life.restart()
                server.admin("POST", f"/activations/{life.id}/unblock")
                with pytest.raises(mtoken.StateError) as refused:
                    life.world.run(life.client.operations.start_list())
                assert refused.value.reason == "confirm"
                life.world.run(life.client.start_wait_active(limit=60, pin=PIN))
                assert life.works() == PIN
        finally:
            life.close()

    @pytest.mark.parametrize("ended", list(END))
    def test_a_confirmation_that_comes_too_late_does_not_hide_the_status(server: DevServer, ended: str) -> None:
        life = Life(server)
        try:
            life.world.network = lambda world, request: (
                Answer(503) if request.path == "/pa/v4/activation/status" else online(world, request)
            )
            life.activate()

            def too_late(world: World, request: Request) -> Answer:
                if request.path == "/pa/v4/activation/confirm":
                    server.admin("POST", f"/activations/{life.id}/{ended}")
                return online(world, request)

            life.world.network = too_late
            status = life.world.run(life.client.start_status())
            assert life.world.requests[-2].path == "/pa/v4/activation/confirm"
            assert status.state.name == ended.upper().rstrip("E") + "ED"
            with pytest.raises(END[ended]):
                life.world.run(life.client.operations.start_list())
        finally:
            life.close()
