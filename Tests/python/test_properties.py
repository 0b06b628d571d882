"""Random lives of a device: whatever happens in whatever order, device and server never disagree."""

from __future__ import annotations

import itertools
import os
from typing import Any, List, Optional, Set, Tuple

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
from suites import application

VALIDATE = {3: "/pa/v3/signature/validate", 4: "/pa/v4/auth/validate"}
LOOK_AHEAD = 20
MAX_FAILED = 5
REFUSED = (mtoken.AuthenticationError, mtoken.BlockedError)
PINS = st.sampled_from(["1234", "5678", "tajné", "0000 0000"])
_users = itertools.count(1)


class Life(RuleBasedStateMachine):
    """A device, its store, and what the server must say of it."""

    server: DevServer
    runtime: mtoken.Runtime
    happened: Set[str]

    protocols: List[mtoken.Protocol]

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        protocol = data.draw(st.sampled_from(self.protocols))
        self.user = f"life-{os.getpid()}-{next(_users)}"
        self.protocol = protocol
        self.is_four = protocol is mtoken.Protocol.V4_0
        facts = self.server.facts["application"]["applicationId"], self.server.configuration
        self.application, self.configuration = application(self.server, "EC_P384") if self.is_four else facts
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
            configuration=self.configuration,
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

    def can_remove_biometry(self) -> bool:
        """In 4.0 the server takes part in it."""
        return not self.is_four or (self.in_step() and not self.blocked)

    def accepted(self) -> None:
        self.ahead = 0

    def refused(self, counts: bool) -> None:
        self.ahead += 1
        if counts and not self.blocked:
            self.failed += 1
            self.blocked = self.failed >= MAX_FAILED

    def signed(self, auth: mtoken.Auth) -> Optional[Tuple[str, str]]:
        """None: the client has learned that the activation is blocked, and refuses by itself."""
        try:
            return self.client.sign("POST", "/test/signed", b"x", auth)
        except mtoken.BlockedError:
            assert self.blocked
            return None

    def send(self, auth: mtoken.Auth) -> Optional[int]:
        header = self.signed(auth)
        return header and self.server.send("POST", "/api/test/signed", b"x", dict([header])).status

    # What happens

    @precondition(lambda self: not self.active())
    @rule(pin=PINS, biometry=st.booleans(), cancelled=st.booleans())
    def activate(self, pin: str, biometry: bool, cancelled: bool) -> None:
        self.happened.add("activate")
        if cancelled:
            code = self.server.new_activation(self.user, applicationId=self.application)["activationCode"]
            self.client.activate(code)
            self.client.cancel_activation()
        code = self.server.new_activation(self.user, applicationId=self.application, commitPhase="ON_KEY_EXCHANGE")[
            "activationCode"
        ]
        self.activation = self.client.activate(code).activation_id
        self.biometry = os.urandom(16) if biometry else None
        self.client.persist(pin, biometry_key=self.biometry)
        if self.is_four:
            self.client.status()  # the server has the confirmation now
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
        if status is None:
            return
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
        status = self.send(mtoken.Auth.pin("wrong"))
        assert status in (None, 401)
        if status:
            self.refused(counts=True)

    @precondition(lambda self: self.in_step())
    @rule()
    def never_sent(self) -> None:
        if self.signed(mtoken.Auth.possession()):
            self.ahead += 1

    @precondition(lambda self: self.in_step())
    @rule(processed=st.booleans(), right=st.booleans())
    def lost_answer(self, processed: bool, right: bool) -> None:
        self.happened.add("lost answer")
        fault = self.server.fault(VALIDATE[3 + self.is_four], "close_after_read", process=processed, count=1)
        with pytest.raises(mtoken.MTokenError) as failure:
            self.client.factors.validate_pin(self.pin if right else "wrong")
        self.server.admin("DELETE", f"/faults/{fault}")
        if self.blocked and failure.value.outcome is mtoken.Outcome.NOT_SENT:
            return
        assert failure.value.outcome is mtoken.Outcome.UNKNOWN
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
        fault = (
            self.server.fault(VALIDATE[3 + self.is_four], "close_after_read", process=True, count=1) if lost else None
        )
        self.happened.add("change PIN")
        works, sent = right and not self.blocked, True
        try:
            self.client.factors.change_pin(self.pin if right else "wrong", new)
            assert works and (not lost or self.is_four)  # where the status tells that the new PIN was taken
            self.pin = new
        except REFUSED as error:
            sent = error.outcome is not mtoken.Outcome.NOT_SENT
            # A blocked client does not ask; 4.0 proves the new PIN with a request of its own.
            assert not works and (not lost or self.is_four or not sent)
        except mtoken.MTokenError as error:
            assert lost and not self.is_four and error.outcome is mtoken.Outcome.UNKNOWN
        if works:
            self.accepted()
            self.failed = 0
        elif sent:
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

    @precondition(lambda self: self.active() and self.biometry is not None and self.can_remove_biometry())
    @rule()
    def no_biometry(self) -> None:
        self.client.factors.remove_biometry()
        self.biometry = None
        if self.is_four:  # the server is told
            self.accepted()

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
            with pytest.raises(REFUSED) as refused:
                self.client.remove(mtoken.Auth.pin(self.pin))
            if refused.value.outcome is not mtoken.Outcome.NOT_SENT:
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


@pytest.mark.parametrize("protocols, examples", [(PROTOCOLS_3, 30), ([mtoken.Protocol.V4_0], 12)], ids=["3", "4"])
def test_device_and_server_never_disagree(server: DevServer, protocols: List[mtoken.Protocol], examples: int) -> None:
    with mtoken.Runtime() as runtime:

        class Here(Life):
            pass

        Here.server, Here.runtime, Here.happened, Here.protocols = server, runtime, set(), protocols
        run_state_machine_as_test(
            Here,
            settings=settings(
                max_examples=int(os.environ.get("MTOKEN_EXAMPLES", examples)),
                stateful_step_count=25,
                deadline=None,
                derandomize="MTOKEN_EXAMPLES" not in os.environ,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert Here.happened == {
            *(protocol.name for protocol in protocols),
            *("activate", "sign", "wrong PIN", "lost answer", "status", "change PIN", "remove"),
        }
