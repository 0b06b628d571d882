"""Random lives of a device: whatever happens in whatever order, device and server never disagree."""

from __future__ import annotations

import itertools
import os
from typing import Any, Optional, Set

import mtoken
import pytest
from conftest import PROTOCOLS_3
from devserver import DevServer
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

VALIDATE = "/pa/v3/signature/validate"
LOOK_AHEAD = 20
MAX_FAILED = 5
PINS = st.sampled_from(["1234", "5678", "tajné", "0000 0000"])
_users = itertools.count(1)


class Life(RuleBasedStateMachine):
    """A device, its store, and what the server must say of it."""

    server: DevServer
    runtime: mtoken.Runtime
    happened: Set[str]

    @initialize(protocol=st.sampled_from(PROTOCOLS_3))
    def begin(self, protocol: mtoken.Protocol) -> None:
        self.user = f"life-{os.getpid()}-{next(_users)}"
        self.protocol = protocol
        self.happened.add(protocol.name)
        self.store = mtoken.Store.memory()
        self.activation: Optional[str] = None
        self.pin = ""
        self.biometry: Optional[bytes] = None
        self.failed = 0
        self.blocked = False
        self.ahead = 0  # signatures that the server has not accepted
        self.behind = 0  # steps that the server's counter was moved
        self.open()

    def open(self) -> None:
        server = self.server
        self.client = mtoken.Client(
            self.runtime,
            "life",
            configuration=server.configuration,
            base_url=server.url,
            ca_file=server.ca_file,
            store=self.store,
            protocol=self.protocol,
        )

    def teardown(self) -> None:
        if hasattr(self, "client"):
            self.client.close()

    # What the model knows

    def active(self) -> bool:
        return self.activation is not None

    def in_step(self) -> bool:
        return self.active() and self.behind == 0 and self.ahead < LOOK_AHEAD - 1

    def accepted(self) -> None:
        self.ahead = 0

    def refused(self, counts: bool) -> None:
        self.ahead += 1
        if counts and not self.blocked:
            self.failed += 1
            self.blocked = self.failed >= MAX_FAILED

    def send(self, auth: mtoken.Auth) -> int:
        header = self.client.sign("POST", "/test/signed", b"x", auth)
        return self.server.send("POST", "/api/test/signed", b"x", dict([header])).status

    # What happens

    @precondition(lambda self: not self.active())
    @rule(pin=PINS, biometry=st.booleans(), cancelled=st.booleans())
    def activate(self, pin: str, biometry: bool, cancelled: bool) -> None:
        self.happened.add("activate")
        if cancelled:
            self.client.activate(self.server.new_activation(self.user)["activationCode"])
            self.client.cancel_activation()
        code = self.server.new_activation(self.user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
        self.activation = self.client.activate(code).activation_id
        self.biometry = os.urandom(16) if biometry else None
        self.client.persist(pin, biometry_key=self.biometry)
        self.pin, self.failed, self.blocked, self.ahead, self.behind = pin, 0, False, 0, 0

    @precondition(lambda self: self.in_step())
    @rule(kind=st.sampled_from(["possession", "pin", "biometry"]))
    def sign(self, kind: str) -> None:
        if kind == "possession":
            auth = mtoken.Auth.possession()
        elif kind == "biometry" and self.biometry:
            auth = mtoken.Auth.biometry(self.biometry)
        else:
            kind, auth = "pin", mtoken.Auth.pin(self.pin)
        self.happened.add("sign")
        status = self.send(auth)
        assert status == (401 if self.blocked else 200)
        if self.blocked:
            self.refused(counts=False)
        else:
            self.accepted()
            self.failed = self.failed if kind == "possession" else 0

    @precondition(lambda self: self.in_step())
    @rule()
    def wrong_pin(self) -> None:
        self.happened.add("wrong PIN")
        assert self.send(mtoken.Auth.pin("wrong")) == 401
        self.refused(counts=True)

    @precondition(lambda self: self.in_step())
    @rule()
    def never_sent(self) -> None:
        self.client.sign("POST", "/test/signed", b"x", mtoken.Auth.possession())
        self.ahead += 1

    @precondition(lambda self: self.in_step())
    @rule(processed=st.booleans(), right=st.booleans())
    def lost_answer(self, processed: bool, right: bool) -> None:
        self.happened.add("lost answer")
        fault = self.server.fault(VALIDATE, "close_after_read", process=processed, count=1)
        with pytest.raises(mtoken.MTokenError) as failure:
            self.client.factors.validate_pin(self.pin if right else "wrong")
        assert failure.value.outcome is mtoken.Outcome.UNKNOWN
        self.server.admin("DELETE", f"/faults/{fault}")
        if not processed:
            self.ahead += 1
        elif right and not self.blocked:
            self.accepted()
            self.failed = 0
        else:
            self.refused(counts=not right)

    @precondition(lambda self: self.in_step())
    @rule(new=PINS, right=st.booleans(), lost=st.booleans())
    def change_pin(self, new: str, right: bool, lost: bool) -> None:
        fault = self.server.fault(VALIDATE, "close_after_read", process=True, count=1) if lost else None
        self.happened.add("change PIN")
        works = right and not self.blocked
        try:
            self.client.factors.change_pin(self.pin if right else "wrong", new)
            assert works and not lost
            self.pin = new
        except mtoken.AuthenticationError:
            assert not works and not lost
        except mtoken.MTokenError as error:
            assert lost and error.outcome is mtoken.Outcome.UNKNOWN
        if works:
            self.accepted()
            self.failed = 0
        else:
            self.refused(counts=not right)
        if fault is not None:
            self.server.admin("DELETE", f"/faults/{fault}")

    @precondition(lambda self: self.in_step() and not self.blocked)
    @rule()
    def new_biometry(self) -> None:
        key = os.urandom(16)
        self.client.factors.add_biometry(key, mtoken.Auth.pin(self.pin))
        self.biometry = key
        self.accepted()
        self.failed = 0

    @precondition(lambda self: self.active() and self.biometry is not None)
    @rule()
    def no_biometry(self) -> None:
        self.client.factors.remove_biometry()
        self.biometry = None

    @precondition(lambda self: self.active())
    @rule()
    def status(self) -> None:
        self.happened.add("status")
        status = self.client.status()
        expected = mtoken.ActivationState.BLOCKED if self.blocked else mtoken.ActivationState.ACTIVE
        assert status.state is expected
        assert status.failed_attempts == self.failed
        assert status.remaining_attempts == (0 if self.blocked else MAX_FAILED - self.failed)
        self.behind = 0
        if self.ahead > LOOK_AHEAD // 2 and not self.blocked:
            self.accepted()  # the server was shown where the device is

    @precondition(lambda self: self.active() and self.ahead == 0 and self.behind == 0)
    @rule(steps=st.integers(1, LOOK_AHEAD - 1))
    def server_ahead(self, steps: int) -> None:
        self.server.admin("POST", f"/activations/{self.activation}/counter", {"steps": steps})
        self.behind = steps

    @precondition(lambda self: self.in_step() and not self.blocked)
    @rule()
    def token(self) -> None:
        if "mine" not in self.client.tokens:
            self.client.tokens.create("mine")
            self.accepted()
        self.client.synchronize_time()
        header = self.client.tokens.header("mine")
        assert self.server.send("POST", "/api/test/token", b"x", dict([header])).status == 200

    @precondition(lambda self: self.active() and self.blocked)
    @rule()
    def unblock(self) -> None:
        self.server.admin("POST", f"/activations/{self.activation}/unblock")
        self.blocked, self.failed = False, 0

    @precondition(lambda self: self.active() and not self.blocked)
    @rule()
    def block(self) -> None:
        self.server.admin("POST", f"/activations/{self.activation}/block")
        self.blocked = True

    @rule()
    def restart(self) -> None:
        self.client.close()
        self.open()

    @precondition(lambda self: self.in_step())
    @rule(local=st.booleans())
    def remove(self, local: bool) -> None:
        self.happened.add("remove")
        if local:
            self.client.remove_local()
        elif self.blocked:
            with pytest.raises(mtoken.AuthenticationError):
                self.client.remove(mtoken.Auth.pin(self.pin))
            self.refused(counts=False)
            return
        else:
            self.client.remove(mtoken.Auth.pin(self.pin))
            assert self.server.activation(str(self.activation))["state"] == "REMOVED"
        self.activation = None
        self.biometry = None

    # What is always true

    @invariant()
    def they_agree(self) -> None:
        if not hasattr(self, "client"):
            return
        info = self.client.info()
        assert info.activation_id == self.activation
        assert info.has_biometry == (self.biometry is not None)
        if self.activation is not None:
            view: Any = self.server.activation(self.activation)
            assert view["state"] == ("BLOCKED" if self.blocked else "ACTIVE")
            assert view["failedAttempts"] == self.failed
            assert view["fingerprint"] == info.fingerprint


def test_device_and_server_never_disagree(server: DevServer) -> None:
    with mtoken.Runtime() as runtime:

        class Here(Life):
            pass

        Here.server, Here.runtime, Here.happened = server, runtime, set()
        run_state_machine_as_test(
            Here,
            settings=settings(
                max_examples=int(os.environ.get("MTOKEN_EXAMPLES", "30")),
                stateful_step_count=25,
                deadline=None,
                derandomize="MTOKEN_EXAMPLES" not in os.environ,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert Here.happened == {
            *(protocol.name for protocol in PROTOCOLS_3),
            *("activate", "sign", "wrong PIN", "lost answer", "status", "change PIN", "remove"),
        }
