"""Protocol 4.0 where something meets it in the middle: blocks, refusals that prove nothing, lost answers, other calls.

Trouble at any request and any save of its flows is the simulator's (`make test-simulator`, EC_P384). What the network
answers is the test's. Runs in a process with libmtoken-testing.
"""

from __future__ import annotations

import json
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
    from virtual import CONNECTION_LOST, CONNECTION_REFUSED, TIMEOUT, Answer, Network, Request, World, online

    PIN, NEW, KEY = "1234", "5678", bytes(range(1, 17))

    @pytest.fixture(scope="module")
    def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
        server = DevServer(tmp_path_factory.mktemp("devserver"))
        yield server
        server.stop()

    class Life:
        """A device of 4.0, and the PINs that its user may have."""

        def __init__(self, server: DevServer, *, legacy: bool = False):
            """legacy  of protocol 3, with keys for the upgrade"""
            self.server = server
            self.user = f"four-{os.getpid()}-{os.urandom(4).hex()}"
            protocol = mtoken.Protocol.V3_3 if legacy else mtoken.Protocol.V4_0
            self.world = World(server, protocol=protocol, keys=mtoken.Protocol.V4_0)
            self.pins = [PIN]

        def restart(self) -> None:
            """The program starts again with what is stored."""
            self.world.network = online
            self.world.restart()

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

        def __enter__(self) -> Life:
            return self

        def __exit__(self, *raised: object) -> None:
            self.world.close()

    # Calls of a ready device.

    def change_pin(life: Life) -> mtoken.Task[Any]:
        life.pins = [PIN, NEW]
        return life.client.factors.start_change_pin(PIN, NEW)

    def add_biometry(life: Life) -> mtoken.Task[Any]:
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.factors.start_add_biometry(KEY, auth)

    def fetch_key(life: Life) -> mtoken.Task[Any]:
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.vault.start_encryption_key(1, auth)

    def list_operations(life: Life) -> mtoken.Task[Any]:
        return life.client.operations.start_list()

    def create_token(life: Life) -> mtoken.Task[Any]:
        return life.client.tokens.start_create("mine")

    def status(life: Life) -> mtoken.Task[Any]:
        return life.client.start_status()

    def upgrade(life: Life) -> mtoken.Task[Any]:
        with mtoken.Auth.pin(PIN) as auth:
            return life.client.start_upgrade(auth)

    # Temporary keys

    def created_keys(life: Life) -> int:
        return sum(request.path == "/pa/v4/keystore/create" for request in life.world.requests)

    def test_the_end_of_the_application_key_is_that_of_the_activation_key(server: DevServer) -> None:
        with Life(server) as life:
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

    # Blocks

    def block(life: Life) -> None:
        """Uses up the attempts."""
        for _ in range(5):
            with pytest.raises((mtoken.AuthenticationError, mtoken.BlockedError)):
                life.world.run(life.client.factors.start_validate_pin("9999"))

    def test_a_block_that_is_over_is_found_out_by_the_next_signature(server: DevServer) -> None:
        server.admin("PATCH", "/config", {"temporaryBlockMs": 60_000})
        with Life(server) as life:
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

    def test_an_offline_code_after_a_block_needs_no_network(server: DevServer) -> None:
        server.admin("PATCH", "/config", {"temporaryBlockMs": 60_000})
        with Life(server) as life:
            try:
                life.ready()
                block(life)
                life.world.advance(65)
                with mtoken.Auth.pin(PIN) as auth:
                    assert life.client.sign_offline("/operation/authorize/offline", b"id&data", bytes(range(16)), auth)
            finally:
                server.admin("PATCH", "/config", {"temporaryBlockMs": 0})

    def test_only_the_bank_ends_a_block_without_end(server: DevServer) -> None:
        with Life(server) as life:
            life.ready()
            block(life)
            life.world.advance(3600)
            sent = len(life.world.requests)
            with pytest.raises(mtoken.BlockedError) as refused:
                life.world.run(life.client.factors.start_validate_pin(PIN))
            assert "Ask the bank" in str(refused.value) and len(life.world.requests) == sent

    # The confirmation

    END = {"block": mtoken.BlockedError, "remove": mtoken.RemovedError}

    @pytest.mark.parametrize("ended", list(END))
    def test_no_pin_is_asked_for_where_none_helps(server: DevServer, ended: str) -> None:
        """The activation ended before it was confirmed: calls say so instead of STATE, reason `confirm`."""
        with Life(server) as life:
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

    @pytest.mark.parametrize("ended", list(END))
    def test_a_confirmation_that_comes_too_late_does_not_hide_the_status(server: DevServer, ended: str) -> None:
        with Life(server) as life:
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

    # Refusals that prove nothing

    def refusal(status: int, code: str, message: str) -> Answer:
        body = {"status": "ERROR", "responseObject": {"code": code, "message": message}}
        return Answer(status, json.dumps(body).encode(), "Content-Type: application/json\n")

    UNPROVEN = {
        "server failed": refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_ERROR"),
        "page": Answer(401, b"<html>", "Content-Type: text/html\n"),
        "wrong request": refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_REQUEST_INVALID"),
        "wrong code": refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID"),
        "wrong factors": refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_TYPE_INVALID"),
    }
    PROCESSED = pytest.mark.parametrize("processed", [True, False], ids=["processed", "not processed"])
    VALIDATE, CONFIRM, STATUS = "/pa/v4/auth/validate", "/pa/v4/activation/confirm", "/pa/v4/activation/status"

    class Answering:
        """The next requests of a path get another answer, whether the server has acted or not."""

        def __init__(self, path: str, answer: Answer, *, processed: bool, times: int = 1):
            self.path, self.answer, self.processed, self.left = path, answer, processed, times

        def __call__(self, world: World, request: Request) -> Answer:
            if request.path != self.path or self.left == 0:
                return online(world, request)
            self.left -= 1
            if self.processed:
                assert online(world, request).status == 200
            return self.answer

    def failure_of(life: Life, task: mtoken.Task[Any], network: Optional[Answering] = None) -> Optional[Exception]:
        """Runs a task, through a network that must be met."""
        if network is not None:
            life.world.network = network
        try:
            life.world.run(task)
        except mtoken.MTokenError as failure:
            return failure
        finally:
            if network is not None:
                life.world.network = online
                assert network.left == 0
        return None

    def uses_biometry(life: Life, key: bytes) -> None:
        """The server accepts a code of it."""
        made = life.server.new_operation(userId=life.user, applicationId=life.world.application)
        with mtoken.Auth.biometry(key) as auth:
            life.world.run(life.client.operations.start_authorize_data(made["operationId"], made["data"], auth))

    @PROCESSED
    @pytest.mark.parametrize("answer", list(UNPROVEN))
    def test_a_refusal_that_proves_nothing_takes_no_pin_back(server: DevServer, answer: str, processed: bool) -> None:
        """The server may have accepted the first code of the new PIN, and then knows no other."""
        with Life(server) as life:
            life.ready()
            failure = failure_of(life, change_pin(life), Answering(VALIDATE, UNPROVEN[answer], processed=processed))
            # A status that follows tells that the server has taken the code; otherwise the program can tell that it has not.
            assert (failure is None) == processed, failure
            assert life.client.info().awaits_new_pin is not processed
            for _ in range(2):
                life.world.run(life.client.factors.start_validate_pin(NEW))
                assert life.view()["failedAttempts"] == 0 and not life.view()["protocol4"]["knowledgeWaits"]
                life.restart()

    @PROCESSED
    @pytest.mark.parametrize("answer", list(UNPROVEN))
    @pytest.mark.parametrize("begin", [status, add_biometry], ids=["first", "another"])
    def test_a_refusal_that_proves_nothing_takes_no_biometry_back(
        server: DevServer, answer: str, processed: bool, begin: Callable[[Life], mtoken.Task[Any]]
    ) -> None:
        key = bytes(range(50, 66))
        with Life(server) as life:
            life.ready()
            life.world.run(begin(life))
            with mtoken.Auth.pin(PIN) as auth:
                task = life.client.factors.start_add_biometry(key, auth)
            failure = failure_of(life, task, Answering(VALIDATE, UNPROVEN[answer], processed=processed))
            assert (failure is None) == processed, failure
            life.restart()
            uses_biometry(life, key)
            assert life.view()["failedAttempts"] == 0

    # Calls of several requests: can the program tell?

    WRONG, OTHER = "9999", bytes(range(50, 66))

    class Composite:
        """A call of several requests, what a program takes from its end, and whether the bank agrees."""

        def __init__(self, name: str, protocol: str, *, wrong: bool = False):
            """wrong  with a PIN that is not the user's"""
            self.name, self.protocol, self.wrong = name, protocol, wrong
            self.pin = WRONG if wrong else PIN

        def __str__(self) -> str:
            return f"{self.name}, {self.protocol}{', wrong PIN' if self.wrong else ''}"

        def begin(self, life: Life) -> mtoken.Task[Any]:
            factors = life.client.factors
            if self.name == "PIN change":
                return factors.start_change_pin(self.pin, NEW)
            if self.name == "first code of a new PIN":
                interrupted(life)
                return life.client.factors.start_validate_pin(WRONG if self.wrong else NEW)
            if self.name == "another biometry key":
                life.world.run(add_biometry(life))
            if self.name == "confirmation":
                unconfirmed(life)
                return life.client.start_wait_active(limit=60, pin=self.pin)
            with mtoken.Auth.pin(self.pin) as auth:
                if self.name == "upgrade":
                    return life.client.start_upgrade(auth)
                return factors.start_add_biometry(OTHER, auth)

        def told(self, life: Life, failure: Optional[mtoken.MTokenError]) -> None:
            """A program does what it was told, and no attempt is lost by that."""
            info, reason = life.client.info(), failure.reason if failure else None
            pin = PIN
            if "PIN" in self.name:
                if failure is None or failure.outcome is not mtoken.Outcome.ANSWERED:
                    assert info.awaits_new_pin is (reason == "newPINMayApply")
                pin = NEW if info.awaits_new_pin or not failure else PIN
            elif "biometry" in self.name:
                assert info.awaits_new_biometry is (reason == "newBiometryMayApply")
                if self.name == "another biometry key":
                    assert info.has_biometry
                else:
                    assert info.has_biometry is (failure is None or info.awaits_new_biometry)
                if info.has_biometry:
                    uses_biometry(life, KEY if failure and not info.awaits_new_biometry else OTHER)
            elif self.name == "confirmation" and info.awaits_confirmation:
                life.world.run(life.client.start_wait_active(limit=60, pin=PIN))
            life.world.run(life.client.factors.start_validate_pin(pin))
            info = life.client.info()
            assert not (info.awaits_new_pin or info.awaits_confirmation or info.awaits_upgrade_confirmation)
            if self.name == "upgrade":
                assert (info.protocol is mtoken.Protocol.V4_0) == str(life.view()["protocolVersion"]).startswith("4")

    COMPOSITES = [
        *(Composite("PIN change", protocol, wrong=wrong) for protocol in ("3.3", "4.0") for wrong in (False, True)),
        *(Composite("biometry", protocol, wrong=wrong) for protocol in ("3.3", "4.0") for wrong in (False, True)),
        *(Composite("another biometry key", protocol) for protocol in ("3.3", "4.0")),
        *(Composite("first code of a new PIN", "4.0", wrong=wrong) for wrong in (False, True)),
        *(Composite("upgrade", "3.3", wrong=wrong) for wrong in (False, True)),
        *(Composite("confirmation", "4.0", wrong=wrong) for wrong in (False, True)),
    ]

    class Cut:
        """The answer to one request is lost; then perhaps the whole network is."""

        def __init__(self, at: int, *, processed: bool, dark: bool):
            self.at, self.processed, self.dark, self.seen, self.path = at, processed, dark, 0, ""

        def __call__(self, world: World, request: Request) -> Answer:
            self.seen += 1
            if self.seen == self.at:
                self.path = request.path
            if self.seen < self.at or (self.seen > self.at and not self.dark):
                return online(world, request)
            if self.processed and self.seen == self.at:
                online(world, request)
            return Answer(failure=TIMEOUT, sent=True)

    @PROCESSED
    @pytest.mark.parametrize("dark", [False, True], ids=["status", "no status"])
    @pytest.mark.parametrize("call", COMPOSITES, ids=str)
    def test_a_program_can_tell_where_it_stands(
        server: DevServer, call: Composite, dark: bool, processed: bool
    ) -> None:
        """The answer to each request of a call of several is lost."""
        at = 0
        while True:
            at += 1
            with Life(server, legacy=call.protocol == "3.3") as life:
                if call.name not in ("confirmation", "first code of a new PIN"):
                    life.ready()
                task = call.begin(life)
                life.world.network = cut = Cut(at, processed=processed, dark=dark)
                failure = None
                try:
                    life.world.run(task)
                except mtoken.MTokenError as error:
                    failure = error
                life.world.network = online
                if cut.seen < at:
                    break
                counted = life.view()["failedAttempts"]
                assert counted <= call.wrong
                if isinstance(failure, mtoken.AuthenticationError):
                    assert call.wrong and counted and failure.remaining_attempts == 4
                elif failure and failure.reason.endswith("MayApply") and not dark:
                    assert failure.remaining_attempts == 5 - counted and str(5 - counted) in str(failure)
                # What the status has told, unless it was that, or its key, which was lost.
                if counted and not dark and not cut.path.endswith(("/activation/status", "/keystore/create")):
                    assert life.client.info().remaining_attempts == 4, f"request {at} of {call}: {failure}"
                    assert isinstance(failure, mtoken.StateError) or (failure and failure.remaining_attempts == 4)
                call.told(life, failure)
                assert life.view()["failedAttempts"] == 0, f"request {at} of {call}: {failure}"
        assert at > 1

    def interrupted(life: Life) -> None:
        """A change of the PIN whose program ended before a code of the new one had left."""
        life.ready()
        unreachable = Answering(VALIDATE, Answer(failure=CONNECTION_REFUSED), processed=False)
        assert failure_of(life, change_pin(life), unreachable) is not None
        life.restart()
        assert life.client.info().awaits_new_pin

    def test_a_block_takes_no_pin_back(server: DevServer) -> None:
        """The bank blocks the activation before an interrupted change goes on."""
        with Life(server) as life:
            interrupted(life)
            server.admin("POST", f"/activations/{life.id}/block")
            with pytest.raises(mtoken.BlockedError):
                life.world.run(life.client.factors.start_validate_pin(NEW))
            server.admin("POST", f"/activations/{life.id}/unblock")
            life.world.run(life.client.start_status())
            life.world.run(life.client.factors.start_validate_pin(NEW))
            assert life.view()["failedAttempts"] == 0 and not life.view()["protocol4"]["knowledgeWaits"]

    def test_a_counted_refusal_takes_the_pin_back(server: DevServer) -> None:
        with Life(server) as life:
            interrupted(life)
            with pytest.raises(mtoken.AuthenticationError) as wrong:
                life.world.run(life.client.factors.start_validate_pin("9999"))
            assert wrong.value.remaining_attempts == 4
            life.restart()
            life.world.run(life.client.factors.start_validate_pin(PIN))
            assert life.view()["failedAttempts"] == 0 and not life.view()["protocol4"]["knowledgeWaits"]

    def test_an_interrupted_change_stays_within_the_window(server: DevServer) -> None:
        """Nobody hears the code that finishes it, at the window's end: the next one is still accepted."""
        with Life(server) as life:
            server.admin("PATCH", "/config", {"lookAhead": 5})
            try:
                interrupted(life)
                life.world.run(life.client.start_status())
                with mtoken.Auth.possession() as auth:
                    for _ in range(4):
                        life.client.sign("POST", "/x", b"", auth)
                        life.world.pump()
                lost = Answering(VALIDATE, Answer(failure=TIMEOUT, sent=True), processed=False, times=-1)
                life.world.network = lost
                for _ in range(3):
                    with pytest.raises(mtoken.MTokenError):
                        life.world.run(life.client.factors.start_validate_pin(NEW))
                life.world.network = online
                life.world.run(life.client.factors.start_validate_pin(NEW))
                assert life.view()["failedAttempts"] == 0
            finally:
                server.admin("PATCH", "/config", {"lookAhead": 20})

    # The confirmation keeps what it needs

    @PROCESSED
    @pytest.mark.parametrize("answer", list(UNPROVEN))
    def test_a_refused_confirmation_is_repeated_without_the_pin(
        server: DevServer, answer: str, processed: bool
    ) -> None:
        with Life(server) as life:
            refusing = Answering(CONFIRM, UNPROVEN[answer], processed=processed)
            life.world.network = refusing
            life.activate()
            assert refusing.left == 0
            assert life.world.run(life.confirm()).state is mtoken.ActivationState.ACTIVE
            assert not life.client.info().awaits_confirmation and not life.view()["protocol4"]["confirmPending"]
            assert life.works() == PIN and life.view()["failedAttempts"] == 0

    def test_a_wrong_pin_does_not_replace_the_right_one(server: DevServer) -> None:
        """The process that has stored the activation knows its PIN."""
        with Life(server) as life:
            life.world.network = Answering(STATUS, Answer(503), processed=False, times=-1)
            life.activate()
            life.world.network = online
            life.world.run(life.client.start_wait_active(limit=60, pin="9999"))
            assert not life.client.info().awaits_confirmation and life.view()["failedAttempts"] == 0

    def unconfirmed(life: Life) -> None:
        """The process ended before the confirmation."""
        life.world.network = Answering(STATUS, Answer(503), processed=False, times=-1)
        life.activate()
        life.restart()

    def test_a_wrong_pin_is_forgotten_when_the_server_has_counted_it(server: DevServer) -> None:
        with Life(server) as life:
            unconfirmed(life)
            with pytest.raises(mtoken.AuthenticationError) as wrong:
                life.world.run(life.client.start_wait_active(limit=60, pin="9999"))
            assert wrong.value.remaining_attempts == 4
            with pytest.raises(mtoken.StateError) as again:
                life.world.run(life.confirm())
            assert again.value.reason == "confirm" and life.view()["failedAttempts"] == 1
            # An attempt that was counted before says nothing of the right one.
            with_pin = life.client.start_wait_active(limit=60, pin=PIN)
            assert failure_of(life, with_pin, Answering(CONFIRM, UNPROVEN["wrong code"], processed=False)) is not None
            assert life.world.run(life.confirm()).state is mtoken.ActivationState.ACTIVE

    def test_the_last_step_of_a_narrow_window_confirms(server: DevServer) -> None:
        with Life(server) as life:
            server.admin("PATCH", "/config", {"lookAhead": 5, "maxFailedAttempts": 10})
            try:
                unconfirmed(life)
                for attempt in range(6):
                    with pytest.raises(mtoken.AuthenticationError):
                        life.world.run(life.client.start_wait_active(limit=60, pin="9999"))
                    assert life.view()["failedAttempts"] == attempt + 1
                lost = Answering(CONFIRM, Answer(failure=TIMEOUT, sent=True), processed=False, times=3)
                failure_of(life, life.client.start_wait_active(limit=60, pin=PIN), lost)
                life.world.run(life.client.start_wait_active(limit=60, pin=PIN))
                assert life.works() == PIN and life.view()["failedAttempts"] == 0
            finally:
                server.admin("PATCH", "/config", {"lookAhead": 20, "maxFailedAttempts": 5})

    # The status is not hidden by what follows on it

    FAILING = {
        "refused": refusal(400, "ERR_BIOMETRY", "POWER_AUTH_BIOMETRY_FAILURE"),
        "not found": Answer(404, b"<html>", "Content-Type: text/html\n"),
        "unavailable": Answer(503),
        "unanswered": Answer(failure=TIMEOUT, sent=True),
        "unauthenticated": UNPROVEN["wrong code"],
    }
    REMOVE = "/pa/v4/biometry/remove"

    def half_added(life: Life) -> None:
        """The server has a biometric factor that the device never heard of."""
        life.ready()
        lost = Answering("/pa/v4/biometry/add", Answer(failure=CONNECTION_LOST, sent=True), processed=True)
        assert failure_of(life, add_biometry(life), lost) is not None
        assert life.view()["protocol4"]["biometryEnabled"] and not life.client.info().has_biometry

    @PROCESSED
    @pytest.mark.parametrize("answer", list(FAILING))
    def test_a_removal_that_fails_does_not_hide_the_status(server: DevServer, answer: str, processed: bool) -> None:
        with Life(server) as life:
            half_added(life)
            life.world.network = Answering(REMOVE, FAILING[answer], processed=processed, times=-1)
            for _ in range(25):
                found = life.world.run(life.client.start_status())
                assert found.state is mtoken.ActivationState.ACTIVE
            assert life.client.info().unacknowledged_signatures <= 1, "the window is not used up for it"
            assert life.world.run(life.confirm()).state is mtoken.ActivationState.ACTIVE
            life.world.run(life.client.factors.start_validate_pin(PIN))
            life.world.network = online
            life.world.run(life.client.start_status())
            assert not life.view()["protocol4"]["biometryEnabled"]

    def test_a_removal_does_not_wait_for_the_status_that_it_follows(server: DevServer) -> None:
        """The host signs much while the removal waits for its turn."""
        with Life(server) as life:
            half_added(life)
            requests = life.client.requests
            turn = requests.take_turn()
            life.world.run(turn)
            found = life.client.start_status()
            life.world.pump()
            with mtoken.Auth.possession() as auth:
                for _ in range(12):
                    life.client.sign("POST", "/x", b"", auth)
            requests.give_turn(turn)
            life.world.run(found)
            life.world.run(life.client.factors.start_validate_pin(PIN))
            assert not life.world.run(life.client.start_status()).biometry_enabled

    # What meets in the middle of another call

    EXTERNAL = bytes(range(100, 116))

    class Meanwhile:
        """Does something while a request of a path is on its way."""

        def __init__(self, path: str, work: Callable[[], None], then: Network = online):
            self.path, self.work, self.then, self.happened = path, work, then, 0

        def __call__(self, world: World, request: Request) -> Answer:
            if request.path == self.path:
                self.happened += 1
                if self.happened == 1:
                    self.work()
            return self.then(world, request)

    def external_key_is_refused(life: Life, change: Callable[[], None]) -> Callable[[], None]:
        def work() -> None:
            with pytest.raises(mtoken.StateError):
                change()

        return work

    def test_an_external_key_does_not_meet_the_check_of_a_pin(server: DevServer) -> None:
        """It would be put around the new PIN, and the former one be taken back without it."""
        with Life(server) as life:
            interrupted(life)
            add = external_key_is_refused(life, lambda: life.client.factors.add_external_key(EXTERNAL))
            life.world.network = meanwhile = Meanwhile(VALIDATE, add)
            with pytest.raises(mtoken.AuthenticationError):
                life.world.run(life.client.factors.start_validate_pin("9999"))
            assert meanwhile.happened == 1
            life.restart()
            life.world.run(life.client.factors.start_validate_pin(PIN))
            life.client.factors.add_external_key(EXTERNAL)
            life.world.run(life.client.factors.start_validate_pin(PIN))

    @pytest.mark.parametrize("adds", [True, False], ids=["add", "remove"])
    def test_an_external_key_does_not_meet_the_check_of_biometry(server: DevServer, adds: bool) -> None:
        with Life(server) as life:
            try:
                life.ready()
                life.world.run(add_biometry(life))
                factors = life.client.factors
                if not adds:
                    factors.add_external_key(EXTERNAL)

                def change() -> None:
                    factors.add_external_key(EXTERNAL) if adds else factors.remove_external_key()

                server.fault("/pa/v4/biometry/add", "altered_salt")
                life.world.network = meanwhile = Meanwhile(VALIDATE, external_key_is_refused(life, change))
                with mtoken.Auth.pin(PIN) as auth, pytest.raises(mtoken.ServerError, match="different keys"):
                    life.world.run(factors.start_add_biometry(bytes(range(50, 66)), auth))
                assert meanwhile.happened == 1
                uses_biometry(life, KEY)
                change()
                uses_biometry(life, KEY)
            finally:
                server.admin("DELETE", "/faults")

    def test_a_biometry_that_was_removed_is_not_brought_back(server: DevServer) -> None:
        """The user takes an authenticator's copy away while the server refuses the key that replaces it."""
        with Life(server) as life:
            other = bytes(range(50, 66))
            try:
                life.ready()
                with mtoken.Auth.pin(PIN) as auth:
                    life.world.run(life.client.factors.start_add_biometry(KEY, auth, authenticator="watch"))
                with mtoken.Auth.biometry(KEY, authenticator="watch") as auth:
                    life.world.run(life.client.factors.start_add_biometry(other, auth))
                removal: List[mtoken.Task[Any]] = []
                life.world.network = meanwhile = Meanwhile(
                    VALIDATE, lambda: removal.append(life.client.factors.start_remove_biometry("watch"))
                )
                server.fault("/pa/v4/biometry/add", "altered_salt")
                with mtoken.Auth.pin(PIN) as auth, pytest.raises(mtoken.ServerError, match="different keys"):
                    life.world.run(life.client.factors.start_add_biometry(other, auth, authenticator="watch"))
                assert meanwhile.happened > 0
                life.world.run(removal[0])
                with pytest.raises(mtoken.FactorError), mtoken.Auth.biometry(KEY, authenticator="watch") as auth:
                    life.world.run(life.client.vault.start_encryption_key(1, auth))
            finally:
                server.admin("DELETE", "/faults")

    @PROCESSED
    def test_an_external_key_does_not_meet_an_unproven_upgrade(server: DevServer, processed: bool) -> None:
        """What is stored then is the activation of 3.x, which would not have it."""
        with Life(server, legacy=True) as life:
            life.ready()
            lost = Answering(STATUS, Answer(failure=TIMEOUT, sent=True), processed=processed)
            add = external_key_is_refused(life, lambda: life.client.factors.add_external_key(EXTERNAL))
            life.world.network = meanwhile = Meanwhile(STATUS, add, lost)
            with pytest.raises(mtoken.MTokenError):
                life.world.run(upgrade(life))
            assert meanwhile.happened == 1 and lost.left == 0
            life.world.network = online
            life.client.factors.add_external_key(EXTERNAL)
            life.restart()
            life.client.factors.set_external_key(EXTERNAL)
            assert life.works() == PIN
            life.world.run(upgrade(life))
            assert life.works() == PIN and life.view()["failedAttempts"] == 0

    def test_an_added_biometry_waits_for_what_became_of_the_one_before(server: DevServer) -> None:
        """Nobody heard the first code of the one before: the server may hold a third key for the present one."""
        other = bytes(range(50, 66))
        with Life(server) as life:
            half_added(life)
            with mtoken.Auth.pin(PIN) as auth:
                one = life.client.factors.start_add_biometry(KEY, auth)
                two = life.client.factors.start_add_biometry(other, auth)
            added = 0

            def losing(world: World, request: Request) -> Answer:
                nonlocal added
                if request.path == VALIDATE:
                    return Answer(failure=TIMEOUT, sent=True)
                answer = online(world, request)
                if request.path == "/pa/v4/biometry/add":
                    added += 1
                    if added == 2:
                        return Answer(failure=TIMEOUT, sent=True)
                return answer

            life.world.network = losing
            assert failure_of(life, one) and failure_of(life, two) and added == 2
            life.world.network = online
            life.world.run(life.client.start_status())
            if life.client.info().has_biometry:
                uses_biometry(life, KEY)
            assert life.view()["failedAttempts"] == 0
            assert life.view()["protocol4"]["biometryEnabled"] == life.client.info().has_biometry

    # The upgrade is finished first

    @PROCESSED
    def test_nothing_goes_out_before_the_upgrade_is_finished(server: DevServer, processed: bool) -> None:
        """The server holds the activation for one of 3.x: it would refuse envelopes and tokens of 4.0."""
        with Life(server, legacy=True) as life:
            confirm = "/pa/v4/upgrade/confirm"

            def half_upgraded() -> None:
                lost = Answering(confirm, Answer(failure=TIMEOUT, sent=True), processed=processed)
                assert failure_of(life, upgrade(life), lost) is not None
                assert life.client.info().awaits_upgrade_confirmation

            life.ready()
            life.world.run(create_token(life))
            half_upgraded()
            with pytest.raises(mtoken.StateError) as refused:
                life.client.tokens.header("mine")
            assert refused.value.reason == "confirmUpgrade"
            sent = len(life.world.requests)
            life.world.network = Answering(STATUS, Answer(503), processed=False, times=-1)
            with pytest.raises(mtoken.MTokenError):
                life.world.run(life.client.start_user_info())
            life.world.network = online
            life.world.run(life.client.start_user_info())
            paths = [request.path for request in life.world.requests[sent:]]
            assert paths[0] == STATUS and paths[-1] == "/pa/v4/user/info"
            assert paths.count("/pa/v4/user/info") == 1 and (confirm in paths) == (not processed)
            assert not life.client.info().awaits_upgrade_confirmation and life.takes_token()

    # What the server says of itself

    def test_a_server_that_failed_has_refused_no_token(server: DevServer) -> None:
        with Life(server) as life:
            life.ready()
            life.world.run(list_operations(life))
            failed = refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_TOKEN_ERROR")
            path = "/api/auth/token/app/operation/list"
            failure = failure_of(life, list_operations(life), Answering(path, failed, processed=False))
            assert isinstance(failure, mtoken.ServerError)
            assert (failure.reason, failure.outcome) == ("serverUnavailable", mtoken.Outcome.ANSWERED)
            assert failure.retriable
            life.world.run(list_operations(life))
            assert len(life.view()["tokens"]) == 1

    @PROCESSED
    def test_a_server_that_failed_may_have_acted(server: DevServer, processed: bool) -> None:
        with Life(server) as life:
            life.ready()
            with pytest.raises(mtoken.AuthenticationError):
                life.world.run(life.client.factors.start_validate_pin("9999"))
            unlock = Answering("/pa/v4/vault/unlock", UNPROVEN["server failed"], processed=processed)
            failure = failure_of(life, fetch_key(life), unlock)
            assert isinstance(failure, mtoken.ServerError)
            assert (failure.reason, failure.outcome) == ("serverUnavailable", mtoken.Outcome.UNKNOWN)
            assert "PIN is wrong" not in str(failure)
            life.world.run(fetch_key(life))

    def test_a_status_that_cannot_be_read_says_nothing_of_the_address(server: DevServer) -> None:
        """Another server would have no temporary key for the activation."""
        with Life(server) as life:
            try:
                life.ready()
                server.fault(STATUS, "wrong_status_mac")
                with pytest.raises(mtoken.ServerError) as refused:
                    life.world.run(life.client.factors.start_validate_pin("9999"))
                assert refused.value.reason == "serverUnavailable" and "base_url" not in str(refused.value)
            finally:
                server.admin("DELETE", "/faults")
