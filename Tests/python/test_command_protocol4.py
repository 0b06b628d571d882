"""The `mtoken` command and protocol 4.0: the choice of algorithms, the device's confirmation, the upgrade, names, settings."""

from __future__ import annotations

import mtoken
import pytest
from devserver import DevServer
from suites import NAMES, application, has_post_quantum
from test_command import PIN, Command, empty  # noqa: F401

APPLICATION = "four-EC_P384"


@pytest.fixture
def four(empty: Command) -> Command:  # noqa: F811
    """With one profile, of a bank that has protocol 4.0."""
    return added(empty, "EC_P384")


def added(command: Command, suite: str, *more: str) -> Command:
    _, configuration = application(command.server, suite)
    place = ["--server", command.server.url, "--config", configuration, "--ca", command.server.ca_file]
    command.run("profile", "add", "bank", *place, *more)
    return command


def activation(command: Command) -> str:
    identifier: str = command.json("status")["activation_id"]
    return identifier


def test_a_life(four: Command) -> None:
    assert "Activated. Compare" in four.run("activate", four.code(applicationId=APPLICATION), pin=PIN)
    assert "4.0 with EC_P384" in four.run("status")
    assert "Upgrade" not in four.run("status")
    operation = four.operation(applicationId=APPLICATION)
    four.run("approve", operation, "--yes", pin=PIN)
    assert four.status(operation) == "APPROVED"
    four.run("remove", "--yes", pin=PIN)


@pytest.mark.parametrize("suite", ["L3", "L5"])
def test_each_suite(empty: Command, suite: str) -> None:  # noqa: F811
    added(empty, suite, "--suite", NAMES[suite])
    code = empty.code(applicationId=f"four-{suite}")
    if not has_post_quantum():
        assert "OpenSSL 3.5" in empty.run("activate", code, pin=PIN, code=1)
        return
    empty.run("activate", code, pin=PIN)
    assert f"4.0 with {NAMES[suite]}" in empty.run("status")


def test_the_protocol_is_chosen_at_the_activation(four: Command) -> None:
    four.run("activate", four.code(applicationId=APPLICATION), "--protocol", "3.3", pin=PIN)
    assert four.json("status")["protocol"] == "V3_3"
    assert "the protocol must be one of" in four.run("activate", "--protocol", "5.0", code=2)
    assert "the suite must be one of" in four.run("activate", "--suite", "EC_P521", code=2)


def test_a_suite_without_its_keys(four: Command) -> None:
    words = four.run("activate", "--suite", "EC_P384_ML_L3", "AAAAA-AAAAA-AAAAA-AAAAA", pin=PIN, code=2)
    assert "no keys of the suite EC_P384_ML_L3" in words


def unconfirmed(command: Command) -> None:
    """The process ends before the server has the device's confirmation."""
    command.server.fault("/pa/v4/activation/status", "status", status=503)
    command.run("activate", "--no-wait", command.code(applicationId=APPLICATION), pin=PIN)
    command.server.admin("DELETE", "/faults")


def test_confirmation_after_a_restart(four: Command) -> None:
    unconfirmed(four)
    assert "mtoken activate --wait" in four.run("list", code=3)
    assert "mtoken activate --wait" in four.run("status")
    four.run("activate", "--wait", pin="9999", code=4)
    assert "The activation is active" in four.run("activate", "--wait", pin=PIN)
    assert "not by this device" not in four.run("status")
    four.run("list")


def test_the_new_pin_after_an_interruption(four: Command) -> None:
    """What to do stands in the error."""
    from mtoken.command import states

    error = mtoken.StateError("x")
    for reason, advice in (("confirmPIN", "mtoken pin check"), ("confirmUpgrade", "mtoken status")):
        error.reason = reason
        error.code = mtoken.ErrorCode.STATE
        trouble = states.trouble(error)
        assert trouble is not None and advice in trouble.next


def test_upgrade(four: Command) -> None:
    four.run("activate", four.code(applicationId=APPLICATION), "--protocol", "3.3", pin=PIN)
    before = four.json("status")
    assert before["upgrade_available"] is True
    assert "mtoken upgrade" in four.run("status")
    assert "use --yes" in four.run("upgrade", pin=PIN, code=2)
    four.run("upgrade", "--yes", pin="9999", code=4)
    after = four.json("upgrade", "--yes", pin=PIN)
    assert (after["protocol"], after["suite"]) == ("4.0", "EC_P384")
    assert after["fingerprint"] != before["fingerprint"]
    four.run("pin", "check", pin=PIN)
    four.run("upgrade", "--yes", pin=PIN, code=1)


def test_names_and_settings(four: Command, server: DevServer) -> None:
    server.admin("PATCH", f"/applications/{APPLICATION}", {"config": {"limit": 7, "note": "\u202ex"}})
    assert "limit" in four.run("config", "--application")
    four.run("activate", four.code(applicationId=APPLICATION), pin=PIN)
    identifier = activation(four)
    server.admin("PATCH", f"/activations/{identifier}", {"config": {"mine": {"a": 1}}})
    assert four.json("config") == {
        "limit": {"value": 7, "scope": "APPLICATION"},
        "note": {"value": "\u202ex", "scope": "APPLICATION"},
        "mine": {"value": {"a": 1}, "scope": "ACTIVATION"},
    }
    words = four.run("config")
    assert '{"a": 1}' in words and "\u202e" not in words
    assert "my desk" in four.run("rename", "my desk", pin=PIN)
    assert server.activation(identifier)["name"] == "my desk"
    assert four.json("rename", "other", "--sign-encrypted", pin=PIN)["activation_name"] == "other"
    four.run("rename", " ", pin=PIN, code=2)


def test_what_3_does_not_have(empty: Command) -> None:  # noqa: F811
    empty.add()
    empty.run("activate", empty.code(), pin=PIN)
    assert "4.0" in empty.run("config", code=1)
    empty.run("rename", "x", pin=PIN)
    empty.run("upgrade", "--yes", pin=PIN, code=2)
