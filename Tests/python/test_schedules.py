"""What real life does to a device, played in its order: blocked for minutes, out of reach of network, back end or gateway, a clock that
was set, an activation in two steps. Time and network are the test's (`virtual`), the server is the dev server.

They need libmtoken-testing, so they run in a process of their own.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import pytest
import virtual_environment

if not virtual_environment.IS_TESTING:

    def test_schedules() -> None:
        """Runs this file with libmtoken-testing."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
        run = subprocess.run(command, env=virtual_environment.environment(), capture_output=True, text=True)
        print(run.stdout[-200:])
        assert run.returncode == 0, run.stdout + run.stderr

else:
    import mtoken
    import networks
    from devserver import DevServer
    from virtual import CONNECTION_REFUSED, TIMEOUT, Answer, Network, Request, World, online

    PIN = "1234"
    PROTOCOLS = [mtoken.Protocol.V4_0, mtoken.Protocol.V3_3, mtoken.Protocol.V3_2, mtoken.Protocol.V3_1]
    SIGNED = "X-PowerAuth-Authorization"

    class Life:
        """An activated device and what the bank sees of it."""

        data: str
        """Of the operation that was made last."""

        def __init__(self, server: DevServer, world: World, user: str, id: str):
            self.server, self.world, self.user, self.id = server, world, user, id

        @property
        def client(self) -> mtoken.Client:
            return self.world.client

        def bank(self, action: str, **members: Any) -> None:
            self.server.admin("POST", f"/activations/{self.id}/{action}", members or None)

        def view(self) -> Any:
            return self.server.activation(self.id)

        def signatures(self) -> int:
            """How many signed requests have left the device."""
            return sum(request.is_signed for request in self.world.requests)

        def list(self) -> Any:
            return self.world.run(self.client.operations.start_list())

        def validate(self, pin: str = PIN) -> None:
            self.world.run(self.client.factors.start_validate_pin(pin))

        def status(self) -> mtoken.ActivationStatus:
            status: mtoken.ActivationStatus = self.world.run(self.client.start_status())
            return status

        def approve(self, pin: str = PIN) -> str:
            made = self.server.new_operation(userId=self.user, applicationId=self.world.application)
            self.operation: str = made["operationId"]
            with mtoken.Auth.pin(pin) as auth:
                self.world.run(self.client.operations.start_authorize_data(self.operation, made["data"], auth))
            return self.operation

        def sign(self) -> None:
            with mtoken.Auth.pin(PIN) as auth:
                self.client.sign("POST", "/own", b"{}", auth)

        def code(self) -> str:
            with mtoken.Auth.pin(PIN) as auth:
                return self.client.sign_offline("/operation/authorize/offline", b"id&data", bytes(16), auth)

        def events(self) -> List[mtoken.Event]:
            return list(self.world.runtime.events(0))

        def vault(self) -> bytes:
            with mtoken.Auth.pin(PIN) as auth:
                key: bytes = self.world.run(self.client.vault.start_encryption_key(1, auth))
                return key

    @pytest.fixture(scope="module")
    def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
        server = DevServer(tmp_path_factory.mktemp("devserver"))
        yield server
        server.stop()

    @pytest.fixture
    def begin(module_server: DevServer) -> Iterator[Callable[..., Life]]:
        worlds: List[World] = []

        def make(
            protocol: mtoken.Protocol = mtoken.Protocol.V3_3,
            *,
            commit: bool = True,
            status: bool = True,
            transport: mtoken.Transport = mtoken.Transport.LIBRARY,
        ) -> Life:
            user = f"life-{os.getpid()}-{len(worlds)}-{os.urandom(3).hex()}"
            events = mtoken.Events.OPERATIONS | mtoken.Events.COUNTER
            world = World(module_server, protocol=protocol, events=events, transport=transport)
            worlds.append(world)
            made = module_server.new_activation(user, applicationId=world.application)
            world.run(world.client.start_activate(made["activationCode"], name="life"))
            world.client.persist(PIN)
            life = Life(module_server, world, user, made["activationId"])
            if commit:
                life.bank("commit")
                if status:
                    life.status()
            return life

        yield make
        for world in worlds:
            world.close()
        module_server.reset()
        for world in worlds:
            module_server.admin("PATCH", world.version_path(), {"supported": True})

    newest = pytest.mark.parametrize("protocol", PROTOCOLS[:2], ids=lambda protocol: protocol.name)
    every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)

    # The counter

    @every_protocol
    @pytest.mark.parametrize("state", ["blocked", "pending"])
    def test_twenty_lists_while_the_activation_is_not_active(
        begin: Callable[..., Life], protocol: mtoken.Protocol, state: str
    ) -> None:
        life = begin(protocol, commit=state == "blocked")
        if state == "blocked":
            life.list()
            life.bank("block")
        wanted = mtoken.BlockedError if state == "blocked" else mtoken.PendingCommitError
        before = life.signatures()
        for _ in range(25):
            with pytest.raises(wanted) as caught:
                life.list()
            assert caught.value.retriable is False
        assert life.signatures() - before <= 1
        life.bank("unblock" if state == "blocked" else "commit")
        life.list()  # nobody asked for the status in between
        life.validate()
        assert life.view()["failedAttempts"] == 0

    @every_protocol
    def test_blocked_for_three_minutes_while_polling(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        life.client.operations.start_polling(5)
        life.world.advance(20)
        life.events()
        before, asked = life.signatures(), len(life.world.requests)
        life.bank("block")
        life.world.advance(180)
        assert life.signatures() == before
        told = [event for event in life.events() if event.kind is mtoken.EventKind.POLLING_WAITS]
        assert [type(event.error) for event in told] == [mtoken.BlockedError]
        assert life.client.operations.polling is mtoken.Polling.WAITING
        # Asked at growing pauses: 5, 10, 20, 40, 80 seconds and so on, not every five.
        assert len(life.world.requests) - asked < 12
        life.bank("unblock")
        life.world.advance(300)
        kinds = [event.kind for event in life.events()]
        assert mtoken.EventKind.POLLING_GOES_ON in kinds and mtoken.EventKind.OPERATIONS_CHANGED in kinds
        assert life.client.operations.polling is mtoken.Polling.ON
        assert life.signatures() == before
        life.validate()

    @every_protocol
    @pytest.mark.parametrize("window", [20, 5])
    @pytest.mark.parametrize(
        "trouble", ["request lost", "answer lost", "503 empty", "504 after", "gateway 401", "down"]
    )
    def test_twenty_signed_calls_in_trouble(
        begin: Callable[..., Life], protocol: mtoken.Protocol, window: int, trouble: str
    ) -> None:
        life = begin(protocol, commit=False)
        life.server.admin("PATCH", "/config", {"lookAhead": window})
        life.bank("commit")
        life.status()
        if trouble == "down":
            life.server.fault("/", "backend-down")
        else:
            life.world.network = networks.NETWORKS[trouble]
        reasons = []
        for _ in range(25):
            with pytest.raises(mtoken.MTokenError) as caught:
                life.approve()
            reasons.append(caught.value.reason)
            if caught.value.reason == "counterAtRisk":
                assert caught.value.outcome is mtoken.Outcome.NOT_SENT
        assert life.world.info().unacknowledged_signatures <= window // 2 + 1
        if trouble != "down":  # there the first refusal is enough for the status to come first
            assert reasons[-1] == "counterAtRisk"
        life.server.admin("DELETE", "/faults")
        life.world.network = online
        life.validate()
        assert life.view()["failedAttempts"] == 0

    @every_protocol
    def test_an_application_version_is_withdrawn(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        life.server.admin("PATCH", life.world.version_path(), {"supported": False})
        for _ in range(25):
            with pytest.raises(mtoken.MTokenError):
                life.world.run(life.client.operations.start_reject("none"))
        life.server.admin("PATCH", life.world.version_path(), {"supported": True})
        life.validate()

    @every_protocol
    def test_offline_codes_that_nobody_types(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        for _ in range(19):
            life.code()
        for attempt in (life.code, life.sign):
            with pytest.raises(mtoken.StateError) as caught:
                attempt()
            assert "onnect" in str(caught.value) or "etch the status" in str(caught.value)
        assert life.world.info().unacknowledged_signatures == 19 and life.world.info().counter_window == 20
        with pytest.raises(mtoken.StateError) as caught:
            life.code()
        assert caught.value.reason == "counterWindow" and caught.value.outcome is mtoken.Outcome.NOT_SENT
        life.world.restart()
        with pytest.raises(mtoken.StateError):
            life.code()
        life.validate()
        assert life.world.info().unacknowledged_signatures == 0
        for _ in range(4):  # 10 codes, status: what the server has not seen stays counted
            for _ in range(10):
                try:
                    life.code()
                except mtoken.StateError as error:
                    assert error.reason == "counterWindow"
            assert life.status().state is mtoken.ActivationState.ACTIVE
        life.validate()

    @newest
    def test_the_last_step_of_the_window_is_never_lost(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        """At one step before the end the signature that brings the server up is lost again and again."""
        life = begin(protocol)
        for _ in range(19):
            life.code()
        validations = {"V4_0": "/pa/v4/auth/validate"}.get(protocol.name, "/pa/v3/signature/validate")

        def losing(world: World, request: Request) -> Answer:
            if request.path == validations:
                return Answer(failure=TIMEOUT, sent=True)
            return world.forward(request)

        life.world.network = losing
        for _ in range(10):
            assert life.status().state is mtoken.ActivationState.ACTIVE, "what follows on the status does not hide it"
        with pytest.raises(mtoken.StateError) as refused:
            life.validate()
        assert refused.value.reason == "counterAtRisk" and refused.value.retriable
        assert life.world.info().unacknowledged_signatures == 19

        def deaf(world: World, request: Request) -> Answer:
            answer = world.forward(request)
            return Answer(failure=TIMEOUT, sent=True) if request.path == validations else answer

        life.world.network = deaf  # the server has followed, and the device does not know
        life.status()
        life.world.restart()
        life.world.network = online
        life.validate()
        assert life.world.info().unacknowledged_signatures == 0

    @newest
    def test_an_activation_out_of_reach_is_rescued(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        life.server.admin("PATCH", "/config", {"lookAhead": 64})
        life.status()
        for _ in range(30):
            life.code()
        life.server.admin("PATCH", "/config", {"lookAhead": 20})
        assert life.status().state is mtoken.ActivationState.DEADLOCK
        asked = len(life.world.requests)
        for attempt in (life.validate, life.approve, life.sign, life.code):
            with pytest.raises(mtoken.StateError) as caught:
                attempt()
            assert caught.value.reason == "counterDeadlock" and "64" in str(caught.value)
        assert len(life.world.requests) == asked
        life.world.restart()
        assert life.status().state is mtoken.ActivationState.DEADLOCK
        life.server.admin("PATCH", "/config", {"lookAhead": 64})
        assert life.status().state is mtoken.ActivationState.ACTIVE
        life.server.admin("PATCH", "/config", {"lookAhead": 20})
        assert life.status().state is mtoken.ActivationState.ACTIVE
        life.validate()

    @newest
    def test_at_the_windows_width_it_is_deadlock_at_once(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        life.server.admin("PATCH", "/config", {"lookAhead": 64})
        life.status()
        for _ in range(20):
            life.code()
        life.server.admin("PATCH", "/config", {"lookAhead": 20})
        before = life.signatures()
        assert life.status().state is mtoken.ActivationState.DEADLOCK
        assert life.signatures() == before

    @newest
    def test_a_blocked_client_refuses_signed_calls_at_once(
        begin: Callable[..., Life], protocol: mtoken.Protocol
    ) -> None:
        life = begin(protocol)
        life.bank("block")
        assert life.status().state is mtoken.ActivationState.BLOCKED
        asked = len(life.world.requests)
        for attempt in (life.validate, life.approve, life.sign, life.code, life.vault):
            with pytest.raises(mtoken.BlockedError):
                attempt()
        assert len(life.world.requests) == asked
        life.bank("unblock")
        assert life.status().state is mtoken.ActivationState.ACTIVE
        life.validate()

    LIBRARY, HOST = mtoken.Transport.LIBRARY, mtoken.Transport.HOST
    # How the requests travel, who looks at the status, and how many threads of the host sign meanwhile.
    LOOKS = [(protocol, LIBRARY, "host", 1) for protocol in PROTOCOLS]
    for protocol in PROTOCOLS[:2]:
        LOOKS += [
            (protocol, HOST, "host", 1),
            (protocol, LIBRARY, "polling", 1),
            (protocol, LIBRARY, "host", 4),
            (protocol, HOST, "polling", 4),
        ]

    @pytest.mark.parametrize("protocol, transport, who, threads", LOOKS)
    @pytest.mark.parametrize("look", ["out of reach", "blocked", "pending"])
    def test_an_activation_is_not_judged_by_an_old_look(
        begin: Callable[..., Life],
        protocol: mtoken.Protocol,
        transport: mtoken.Transport,
        who: str,
        threads: int,
        look: str,
    ) -> None:
        """While the answer to the status is on its way, the server accepts signatures of the host's own."""
        life = begin(protocol, commit=look != "pending", transport=transport)
        life.world.pump()  # 4.0 confirms
        one_at_a_time = threading.Lock()
        accepted = threading.Semaphore(0)

        def send() -> None:
            with one_at_a_time, mtoken.Auth.pin(PIN) as auth:
                header = life.client.sign("POST", "/test/signed", b"{}", auth)
                assert life.server.send("POST", "/api/test/signed", b"{}", dict([header])).status == 200
                life.client.signature_accepted()

        def sends() -> None:
            try:
                for _ in range(3):
                    send()
                    accepted.release()
            finally:
                accepted.release(3)

        def slow(world: World, request: Request) -> Answer:
            if not request.path.endswith("/activation/status"):
                return world.forward(request)
            answer = world.forward(request)
            if look != "out of reach":
                life.bank("commit" if look == "pending" else "unblock")
            world.network = later
            busy.extend(pool.submit(sends) for _ in range(threads))
            for _ in range(3):
                accepted.acquire()
            return answer

        def later(world: World, request: Request) -> Answer:
            """The threads have gone on until the library asked again."""
            again.append(request.path.endswith("/activation/status"))
            wait(busy)
            return world.forward(request)

        again: List[bool] = []

        if look == "out of reach":
            for _ in range(17):
                life.code()
        elif look == "blocked":
            life.bank("block")
        life.world.network = slow
        with ThreadPoolExecutor(threads) as pool:
            busy: List[Future[None]] = []
            if who == "polling":
                life.client.operations.start_polling(5)
                life.events()  # what was known before, as of an activation of 4.0 that was pending
                life.world.advance(2)
            elif look == "out of reach":
                life.sign()  # which has the library look by itself
                life.world.pump()
            else:
                assert life.status().state is mtoken.ActivationState.ACTIVE
        for sender in busy:
            sender.result()
        assert life.world.network is not slow and any(again)
        send()
        if who == "polling":
            life.world.advance(10)
            kinds = [event.kind for event in life.world.kept + life.events()]
            assert mtoken.EventKind.POLLING_WAITS not in kinds and mtoken.EventKind.OPERATIONS_CHANGED in kinds
        life.validate()
        assert life.world.info().unacknowledged_signatures == 0

    @newest
    def test_a_host_that_signs_itself_goes_on(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        """Its server accepts each request; the library learns of that from the status, or from the host."""
        life = begin(protocol)

        def send(accepted: bool) -> None:
            with mtoken.Auth.pin(PIN) as auth:
                header = life.client.sign("POST", "/test/signed", b"{}", auth)
            assert life.server.send("POST", "/api/test/signed", b"{}", dict([header])).status == 200
            if accepted:
                life.client.signature_accepted()
            life.world.pump()

        for accepted in (False, True):
            for _ in range(60):
                send(accepted)
        assert life.world.info().unacknowledged_signatures == 0
        life.validate()

    @newest
    def test_a_refused_token_header_is_no_reason_to_sign(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        with mtoken.Auth.possession() as auth:
            start = life.client.tokens.start_fetch_header
            header = life.world.run(start("own", auth))
            life.bank("block")
            before = life.signatures()
            for _ in range(25):
                with pytest.raises(mtoken.BlockedError):
                    life.world.run(start("own", auth, refused=header))
            assert life.signatures() == before
            life.bank("unblock")
            life.server.admin("DELETE", f"/activations/{life.id}/tokens")
            assert life.world.run(start("own", auth, refused=header)) != header

    # The clock

    @every_protocol
    @pytest.mark.parametrize("step", [3600, -3600])
    def test_the_device_clock_is_set(begin: Callable[..., Life], protocol: mtoken.Protocol, step: int) -> None:
        life = begin(protocol)
        for call in (life.list, life.vault):
            call()
        tokens = len(life.view()["tokens"])
        life.world.set_clock(step)
        life.list()
        life.world.run(life.client.inbox.start_count())
        life.vault()
        life.world.run(life.client.start_user_info())
        life.world.set_clock(0)
        life.vault()
        life.list()
        assert len(life.view()["tokens"]) == tokens

    @every_protocol
    def test_a_clock_that_both_clocks_missed(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        """A virtual machine that stood still: its clocks agree and are hours late. The server's date tells."""
        life = begin(protocol)
        life.list()
        life.vault()
        life.world.stand_still(3 * 3600)
        for _ in range(2):
            try:
                life.list()
                life.vault()
            except mtoken.MTokenError:  # the first call learns of it
                pass
        life.list()
        life.vault()
        assert len(life.view()["tokens"]) == 1

    # The outcome

    CUT = "cut"
    TROUBLES: List[Any] = [502, 504, 500, 408, 429, 200, CUT]

    def trouble(kind: Any, after: bool) -> Network:
        def network(world: World, request: Request) -> Answer:
            if "authorize" not in request.path and "/list" not in request.path:
                return world.forward(request)
            answer = world.forward(request) if after else Answer(200, b"{}")
            if kind == CUT:
                return Answer(200, answer.body[: len(answer.body) // 2])
            body = b"" if kind == 200 else networks.PAGE
            return Answer(int(kind), body, "Retry-After: 42\n" if kind in (429, 503, 502) else "")

        return network

    @newest
    @pytest.mark.parametrize("after", [False, True], ids=["not-processed", "processed"])
    @pytest.mark.parametrize("kind", TROUBLES)
    def test_an_approval_without_a_readable_answer(
        begin: Callable[..., Life], protocol: mtoken.Protocol, kind: Any, after: bool
    ) -> None:
        life = begin(protocol)
        life.list()
        life.world.network = trouble(kind, after)
        with pytest.raises(mtoken.MTokenError) as caught:
            life.approve()
        error = caught.value
        assert error.outcome is mtoken.Outcome.UNKNOWN and error.may_have_happened and not error.retriable
        assert error.http_status == (200 if kind == CUT else kind)
        assert life.server.operation(life.operation)["status"] == ("APPROVED" if after else "PENDING")
        with pytest.raises(mtoken.MTokenError) as caught:
            life.list()
        assert caught.value.outcome is not mtoken.Outcome.NOT_SENT
        assert caught.value.retriable is (kind in (502, 504, 500, 408, 429))
        assert caught.value.retry_after == (42 if kind in (429, 502) else None)
        life.world.network = online
        life.validate()

    def test_polling_leaves_the_server_alone_when_asked_to(begin: Callable[..., Life]) -> None:
        life = begin()
        life.list()
        life.client.operations.start_polling(5)
        life.world.advance(11)
        life.world.network = lambda world, request: Answer(503, b"", "Retry-After: 60\n")
        life.world.advance(6)
        asked = len(life.world.requests)
        life.world.advance(55)
        assert len(life.world.requests) == asked
        life.world.advance(10)
        assert len(life.world.requests) > asked

    # What is the matter

    @every_protocol
    @pytest.mark.parametrize("before", ["new", "warm", "reopened"])
    @pytest.mark.parametrize("call", ["list", "validate", "approve", "vault", "reject"])
    def test_a_back_end_that_is_down_says_nothing_about_the_pin(
        begin: Callable[..., Life], protocol: mtoken.Protocol, call: str, before: str
    ) -> None:
        """Each call says so, whether a status was fetched before or not."""
        life = begin(protocol, status=before != "new" or protocol is mtoken.Protocol.V4_0)  # which confirms
        if before == "warm":
            life.list()
        elif before == "reopened":
            life.world.restart()  # in 4.0 the status needs another key
        life.server.fault("/", "backend-down")
        attempt = {
            "list": life.list,
            "validate": life.validate,
            "approve": life.approve,
            "vault": life.vault,
            "reject": lambda: life.world.run(life.client.operations.start_reject("none")),
        }[call]

        def slow(world: World, request: Request) -> Answer:
            left = max(20 - 9 * len(asked), 5)
            if refused:
                assert request.timeout <= left, "the status, and its key, take what is left of the call's time"
            asked.append(request)
            world.takes(9)
            answer = world.forward(request)
            if answer.status >= 400:
                refused.append(request)
            return answer

        asked: List[Request] = []
        refused: List[Request] = []
        for life.world.network in (slow, online, online):
            with pytest.raises(mtoken.ServerError) as caught:
                attempt()
            assert len(refused) > 1
            error = caught.value
            assert not isinstance(error, mtoken.AuthenticationError)
            assert error.reason == "serverUnavailable" and error.retriable
            assert "PIN is wrong" not in str(error) and error.remaining_attempts is None
        life.server.admin("DELETE", "/faults")
        life.list()
        life.validate()

    ENCRYPTED: Dict[str, Callable[[Life, mtoken.Auth], Any]] = {
        "status": lambda life, auth: life.client.start_status(),
        "list": lambda life, auth: life.client.operations.start_list(),
        "user info": lambda life, auth: life.client.start_user_info(),
        "detail": lambda life, auth: life.client.start_detail(auth),
        "rename": lambda life, auth: life.client.start_rename("desk", auth),
        "token": lambda life, auth: life.client.tokens.start_create(os.urandom(4).hex()),
        "vault": lambda life, auth: life.client.vault.start_encryption_key(1, auth),
        "device signature": lambda life, auth: life.client.vault.start_sign(b"text", auth),
        "recovery code": lambda life, auth: life.client.vault.start_confirm_recovery(paper_code(life), auth),
        "biometry": lambda life, auth: life.client.factors.start_add_biometry(KEY, auth),
        "PIN change": lambda life, auth: life.client.factors.start_change_pin(PIN, PIN),
    }

    def paper_code(life: Life) -> str:
        made: str = life.server.admin("POST", "/recovery-codes", {"userId": life.user})["recoveryCode"]
        return made

    @every_protocol
    def test_forgotten_keys_and_tokens(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        for name, call in ENCRYPTED.items():
            if name == "recovery code" and protocol is mtoken.Protocol.V4_0:
                continue  # which has none
            for forgotten in ("keys and tokens", "keys", "keys, and the PIN is wrong"):
                life.vault()
                life.server.admin("DELETE", f"/temporary-keys?activationId={life.id}")
                if forgotten == "keys and tokens":
                    life.server.admin("DELETE", f"/activations/{life.id}/tokens")
                if "wrong" in forgotten:
                    with pytest.raises(mtoken.AuthenticationError, match="PIN is wrong"):
                        life.approve("9999")
                    life.validate()
                else:
                    with mtoken.Auth.pin(PIN) as auth:
                        life.world.run(call(life, auth))
                assert life.view()["failedAttempts"] == 0, (name, forgotten)

    @every_protocol
    def test_an_activation_in_two_steps(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol, commit=False)
        for attempt in (life.list, life.validate, life.approve, life.vault):
            with pytest.raises(mtoken.PendingCommitError) as caught:
                attempt()
            assert "wait_active" in str(caught.value)
        task = life.client.start_wait_active(limit=300)
        life.world.advance(60)
        assert not task.done()
        asked = len(life.world.requests)
        life.world.advance(60)
        assert len(life.world.requests) - asked <= 6
        life.bank("commit")
        assert life.world.run(task).state is mtoken.ActivationState.ACTIVE
        life.list()
        life.approve()

    @newest
    def test_waiting_for_the_bank_ends_in_every_way(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol, commit=False)
        with pytest.raises(mtoken.TimeoutExpiredError) as caught:
            life.world.run(life.client.start_wait_active(limit=30))
        assert caught.value.retriable
        life.world.network = networks.refused
        with pytest.raises(mtoken.TimeoutExpiredError):
            life.world.run(life.client.start_wait_active(limit=30))
        life.world.network = online
        task = life.client.start_wait_active()
        life.world.pump()
        task.cancel()
        with pytest.raises(mtoken.CancelledError):
            life.world.run(task)
        task = life.client.start_wait_active()
        life.world.pump()
        life.bank("remove")
        with pytest.raises(mtoken.RemovedError):
            life.world.run(task)
        life.world.network = lambda world, request: Answer(503)
        task = life.client.start_wait_active()
        life.world.pump()
        life.client.remove_local()
        with pytest.raises(mtoken.CancelledError):
            life.world.run(task)

    @every_protocol
    def test_a_removed_activation_is_told_as_such(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        life.list()
        life.bank("remove")
        for attempt in (life.list, life.validate, life.approve, life.vault):
            with pytest.raises(mtoken.RemovedError):
                attempt()
        assert life.client.state is mtoken.ClientState.ACTIVE  # it is the host that removes it here

    @newest
    def test_a_list_that_was_answered_was_sent(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        life = begin(protocol)
        life.server.fault(f"/pa/v{protocol // 10}/token/create", "status", status=401, code="ERR_AUTHENTICATION")
        with pytest.raises(mtoken.ServerError) as caught:
            life.list()
        assert caught.value.outcome is mtoken.Outcome.ANSWERED and caught.value.reason == "notTheFactor"

    def test_refused_connections_are_told_in_time(begin: Callable[..., Life]) -> None:
        life = begin()
        life.world.network = lambda world, request: Answer(failure=CONNECTION_REFUSED)
        with pytest.raises(mtoken.NetworkError) as caught:
            life.list()
        assert caught.value.network is mtoken.NetworkFault.CONNECTION_REFUSED and caught.value.retriable

    # What a refusal means

    def refusing(life: Life, kind: str) -> Callable[[], Any]:
        """Makes the server refuse a call of this kind, signed with the right PIN, and returns that call."""
        own = {"userId": life.user, "applicationId": life.world.application}
        if kind == "flag":
            life.server.admin("PATCH", f"/activations/{life.id}", {"flags": ["VERIFICATION_PENDING"]})
            return life.approve
        if kind == "recovery code":
            code = "R:" + life.server.new_activation(life.user, applicationId=life.world.application)["activationCode"]
            return lambda: life.world.run(life.client.vault.start_confirm_recovery(code, mtoken.Auth.pin(PIN)))
        if kind == "front end":

            def unread(world: World, request: Request) -> Answer:
                if not request.is_signed:
                    return world.forward(request)
                error = b'{"code":"POWERAUTH_AUTH_FAIL","message":"Unable to verify device registration"}'
                return Answer(401, b'{"status":"ERROR","responseObject":' + error + b"}")

            life.world.network = unread
            return life.approve
        made = life.server.new_operation(**own)

        def three_factors() -> None:
            with mtoken.Auth(pin=PIN, biometry_key=KEY, factors=mtoken.Factor(7)) as auth:
                life.world.run(life.client.operations.start_authorize_data(made["operationId"], made["data"], auth))

        return three_factors

    KEY = bytes(range(16))

    @every_protocol
    @pytest.mark.parametrize("earlier", [0, 1])
    @pytest.mark.parametrize(
        "kind, reason",
        [
            ("flag", "acceptedThenRefused"),
            ("recovery code", "acceptedThenRefused"),
            ("front end", "notTheFactor"),
            ("three factors", "notTheFactor"),
        ],
    )
    def test_a_right_pin_is_never_called_wrong(
        begin: Callable[..., Life], protocol: mtoken.Protocol, kind: str, reason: str, earlier: int
    ) -> None:
        if kind == "recovery code" and protocol is mtoken.Protocol.V4_0:
            pytest.skip("not run: protocol 4.0 has no recovery codes")
        life = begin(protocol)
        if kind == "three factors":
            with mtoken.Auth.pin(PIN) as auth:
                life.world.run(life.client.factors.start_add_biometry(KEY, auth))
        for _ in range(earlier):
            with pytest.raises(mtoken.AuthenticationError, match="PIN is wrong"):
                life.validate("9999")
        refused = refusing(life, kind)
        for _ in range(2):
            with pytest.raises(mtoken.ServerError) as caught:
                refused()
            error = caught.value
            assert not isinstance(error, mtoken.AuthenticationError) and "is wrong" not in str(error)
            assert (error.reason, error.http_status) == (reason, 401) and error.server_code
        life.world.network = online
        assert life.view()["failedAttempts"] == (0 if reason == "acceptedThenRefused" else earlier)
        life.validate()

    # Two copies of one state

    @every_protocol
    @pytest.mark.parametrize("others", ["one", "three", "twelve", "possession", "codes"])
    def test_a_copy_of_the_state_is_noticed(begin: Callable[..., Life], protocol: mtoken.Protocol, others: str) -> None:
        life = begin(protocol)
        files = {name: life.world.stored(name) for name in ("device.state", "device.key")}

        def put_back() -> None:
            """The state of before is restored."""
            life.world.close()
            life.world.store = mtoken.Store.memory()
            for name, content in files.items():
                life.world.put(name, content)
            life.world.open()

        def noticed() -> List[int]:
            found = [event.steps for event in life.events() if event.kind is mtoken.EventKind.COUNTER_BEHIND]
            assert life.world.info().times_behind == len(found)
            return found

        count = {"one": 1, "three": 3, "twelve": 12}.get(others, 2)
        for _ in range(count):
            if others == "possession":
                life.world.run(life.client.operations.start_history(mtoken.Auth.pin(PIN)))
            else:
                life.validate()
        assert noticed() == []
        put_back()
        attempt: Callable[[], Any] = life.list if others == "possession" else life.validate
        if others == "codes":
            life.code()
        failed = life.view()["failedAttempts"]
        with pytest.raises(mtoken.StateError) as caught:
            attempt()
        error = caught.value
        assert error.reason == "counterBehind" and error.retriable and "PIN" not in str(error)
        assert len(noticed()) == 1
        attempt()
        life.validate()
        assert life.view()["failedAttempts"] == 0 and failed == 0
        # With a status before each call nothing fails, and it is told nevertheless.
        put_back()
        assert life.status().state is mtoken.ActivationState.ACTIVE
        assert noticed() == [count + 2]
        life.validate()

    # What each call asks for

    CALLS: Dict[str, Callable[[Life, mtoken.Auth], Any]] = {
        "synchronize_time": lambda life, auth: life.client.start_synchronize_time(),
        "status": lambda life, auth: life.client.start_status(),
        "list": lambda life, auth: life.client.operations.start_list(),
        "detail": lambda life, auth: life.client.operations.start_detail(waiting(life)),
        "claim": lambda life, auth: life.client.operations.start_claim(waiting(life)),
        "history": lambda life, auth: life.client.operations.start_history(auth),
        "pending": lambda life, auth: life.client.mobile_auth.start_pending(),
        "authorize": lambda life, auth: life.client.operations.start_authorize_data(waiting(life), life.data, auth),
        "reject": lambda life, auth: life.client.operations.start_reject(waiting(life)),
        "validate_pin": lambda life, auth: life.client.factors.start_validate_pin(PIN),
        "change_pin": lambda life, auth: life.client.factors.start_change_pin(PIN, PIN),
        "add_biometry": lambda life, auth: life.client.factors.start_add_biometry(bytes(range(1, 17)), auth),
        "vault": lambda life, auth: life.client.vault.start_encryption_key(1, auth),
        "sign": lambda life, auth: life.client.vault.start_sign(b"text", auth),
        "sign_jwt": lambda life, auth: life.client.vault.start_sign_jwt({"a": 1}, auth),
        "confirm_recovery": lambda life, auth: life.client.vault.start_confirm_recovery(paper_code(life), auth),
        "rename": lambda life, auth: life.client.start_rename("desk", auth),
        "wait_active": lambda life, auth: life.client.start_wait_active(limit=60),
        "token": lambda life, auth: life.client.tokens.start_fetch_header("own", auth),
        "user_info": lambda life, auth: life.client.start_user_info(),
        "push": lambda life, auth: life.client.push.start_register(mtoken.PushService.FCM, "x"),
        "inbox": lambda life, auth: life.client.inbox.start_page(),
        "inbox, count": lambda life, auth: life.client.inbox.start_count(),
        "inbox, all": lambda life, auth: life.client.inbox.start_all(),
        "inbox, read all": lambda life, auth: life.client.inbox.start_read_all(),
        "encrypt": lambda life, auth: life.client.requests.start_encrypt(b"{}"),
        "activation detail": lambda life, auth: life.client.start_detail(auth),
        "list, blocked": lambda life, auth: life.client.operations.start_list(),
        "authorize, blocked": lambda life, auth: life.client.operations.start_authorize_data(
            waiting(life), life.data, auth
        ),
        "remove": lambda life, auth: life.client.start_remove(auth),
    }

    def waiting(life: Life) -> str:
        made = life.server.new_operation(userId=life.user, applicationId=life.world.application)
        life.data, operation = made["data"], made["operationId"]
        return str(operation)

    def asked(life: Life, name: str) -> str:
        """The paths that a call sends, without what all of a protocol have in common."""
        before = len(life.world.requests)
        with mtoken.Auth.pin(PIN) as auth, contextlib.suppress(mtoken.BlockedError):
            life.world.run(CALLS[name](life, auth))
        prefixes = ("/pa/v3/", "/pa/v4/", "/api/auth/token/app/", "/api/")
        short = [request.path for request in life.world.requests[before:]]
        for prefix in prefixes:
            short = [path.removeprefix(prefix) for path in short]
        return " ".join(short) or "-"

    @every_protocol
    def test_no_call_asks_for_more_than_it_needs(begin: Callable[..., Life], protocol: mtoken.Protocol) -> None:
        """requests.tsv: cold (the first call after the activation), reopened (the first of a new process), warm (again)."""
        table = Path(__file__).with_name("requests.tsv")
        found = {}
        for name in CALLS:
            if name == "confirm_recovery" and protocol is mtoken.Protocol.V4_0:
                continue  # which has no recovery codes
            life = begin(protocol, status=protocol is mtoken.Protocol.V4_0)  # which confirms
            if "blocked" in name:
                life.list()
                life.bank("block")
            row = [asked(life, name)]
            if name != "remove":
                life.world.restart()
                row += [asked(life, name), asked(life, name)]
            found[name] = row
        if os.environ.get("MTOKEN_WRITE_REQUESTS"):
            with table.open("a", encoding="utf-8") as file:
                for name, row in found.items():
                    file.write("\t".join([protocol.name, name, *row]) + "\n")
        lines = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
        assert found == {name: row for version, name, *row in lines if version == protocol.name}
