"""From 3.x to 4.0: with answers that are lost at every step, and never back (powerauth4.md §15)."""

from __future__ import annotations

import json
from typing import Any, Dict

import httpx
import pytest
from client import Device, dec
from client4 import SUITES, Device4, Exchange
from test_protocol4 import BASE, BIO, PIN, code_refused, refused

START = "/pa/v4/upgrade/start"
CONFIRM = "/pa/v4/upgrade/confirm"
FAILED = (400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED")


class Upgrade:
    """A device of 3.3, and what it becomes."""

    def __init__(self, http: Any, admin: Any, user: str, suite: str = "EC_P384") -> None:
        self.admin, self.name = admin, f"upgrade-{user}-{suite}"
        application = admin.post("/applications", {"applicationId": self.name})
        record = admin.post("/activations", {"userId": user, "applicationId": self.name, "maxFailedAttempts": 100})
        self.old = Device(http, application["sdkConfig"])
        self.old.activate("CODE", {"code": record["activationCode"]})
        admin.post(f"/activations/{self.old.activation_id}/commit")
        assert self.status()["upgrade"] == 3
        application = admin.patch(f"/applications/{self.name}", {"suite": suite})
        self.new = Device4(http, application["sdkConfig"], suite)
        self.new.activation_id = self.old.activation_id

    def status(self) -> Any:
        return self.old.status()

    def start(self, suite: str = "", **members: Any) -> None:
        exchange = Exchange(suite or self.new.suite)
        body: Dict[str, Any] = {
            "sharedSecretRequest": exchange.request,
            "devicePublicKeys": self.new.device_keys(),
            "enableBiometry": True,
            **members,
        }
        envelope = self.new.encrypt(json.dumps(body).encode(), "/pa/upgrade/start", False)
        header = self.new.encryption_header(False)
        answer = self.old.call_signed(START, "/pa/upgrade/start", PIN, envelope.body, headers=header)
        self.new.take(envelope.open_json(answer), exchange)
        self.new.temporary.pop(True, None)

    def confirm(self) -> Any:
        return self.new.call_signed(CONFIRM, "/pa/upgrade/confirm", "possession", {"requestObject": {}})

    @property
    def seen(self) -> Any:
        return self.admin.activation(self.old)


@pytest.fixture
def upgrade(http: Any, admin: Any, user: Any) -> Upgrade:
    return Upgrade(http, admin, user)


@pytest.mark.parametrize("name", list(SUITES))
def test_upgrade(http: Any, admin: Any, user: Any, name: Any) -> None:
    upgrade = Upgrade(http, admin, user, name)
    old, new = upgrade.old, upgrade.new
    token = old.create_token()
    status = upgrade.status()
    assert (status["current"], status["upgrade"]) == (3, 4)
    upgrade.start()
    status = new.status()
    assert (status["current"], status["upgrade"], status["flags"], status["distance"]) == (3, 4, 10, 0)
    assert upgrade.status()["current"] == 3
    old.validate()
    code_refused(new.validate)
    upgrade.confirm()
    assert upgrade.seen["maxFailedAttempts"] == 64, "4.0 has no more"
    status = new.status()
    assert (status["current"], status["flags"], status["status"]) == (4, 8, 3)
    assert (upgrade.seen["suite"], upgrade.seen["protocolVersion"]) == (name, "4.0")
    for factors in ("possession", PIN, BIO):
        new.validate(factors)
    assert len(dec(token["tokenSecret"])) == 16
    new.call_token(f"{BASE}/list", token)
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", old.validate)
    assert old.status() is None
    refused(*FAILED, upgrade.confirm)
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", upgrade.start)


def test_lost_answers(upgrade: Upgrade, admin: Any) -> None:
    for process in (False, True):
        admin.fault(START, "close_after_read", process=process)
        with pytest.raises(httpx.RemoteProtocolError):
            upgrade.start()
        assert bool(upgrade.seen["protocol4"]) is process and upgrade.status()["current"] == 3
        upgrade.old.validate()
    upgrade.start()
    upgrade.start()
    for process in (False, True):
        admin.fault(CONFIRM, "close_after_read", process=process)
        with pytest.raises(httpx.RemoteProtocolError):
            upgrade.confirm()
        status = upgrade.new.status()
        assert (status["current"], status["flags"] & 2) == ((4, 0) if process else (3, 2))
    assert status["distance"] == 0 or status["distance"] == -1
    upgrade.new.validate()


def test_start_and_confirm_want_each_other(upgrade: Upgrade, admin: Any) -> None:
    upgrade.new.secret, upgrade.new.counter = bytes(32), bytes(32)
    upgrade.new.keys = {"possession": bytes(32)}
    counter = upgrade.seen["counter"]
    refused(*FAILED, upgrade.confirm)
    assert (upgrade.seen["counter"], upgrade.seen["failedAttempts"]) == (counter, 0)
    upgrade.old.validate()
    upgrade.new.activation_id = "b4a2f3d1-0000-4000-8000-000000000000"
    code_refused(upgrade.confirm)
    upgrade.new.activation_id = upgrade.old.activation_id
    admin.post(f"/activations/{upgrade.old.activation_id}/block")
    code_refused(upgrade.confirm)
    admin.post(f"/activations/{upgrade.old.activation_id}/unblock")
    upgrade.start()
    right = dict(upgrade.new.keys)
    upgrade.new.keys["possession"] = bytes(32)
    code_refused(upgrade.confirm)
    upgrade.new.keys = right
    upgrade.confirm()


def test_refusals(upgrade: Upgrade, admin: Any, http: Any, user: Any) -> None:
    refused(*FAILED, upgrade.start, "EC_P384_ML_L3")
    refused(*FAILED, lambda: upgrade.start(devicePublicKeys={"ecdsa": "AA=="}))
    refused(*FAILED, lambda: upgrade.start(enableBiometry="yes"))
    refused(*FAILED, upgrade.old.call_signed, START, "/pa/upgrade/start", PIN, {})
    wrong = (401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID")
    refused(*wrong, upgrade.old.call_signed, START, "/pa/upgrade/start", "possession", {})
    assert upgrade.seen["protocol4"] is None
    admin.patch("/config", {"offerUpgrade": False})
    assert upgrade.status()["upgrade"] == 3
    upgrade.new.fetch_temporary_key(False)
    admin.patch(f"/applications/{upgrade.name}", {"withdrawnSuites": ["EC_P384"]})
    admin.patch("/config", {"offerUpgrade": True})
    assert upgrade.status()["upgrade"] == 3
    refused(*FAILED, upgrade.start)


def test_wrong_pin_costs_an_attempt(upgrade: Upgrade) -> None:
    upgrade.new.fetch_temporary_key(False)
    wrong = (401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID")
    refused(*wrong, upgrade.old.call_signed, START, "/pa/upgrade/start", PIN, {}, wrong_pin=True)
    assert upgrade.seen["failedAttempts"] == 1
