"""The `mtoken` command and protocol 4.0: the choice of algorithms, the device's confirmation, the upgrade, names, settings."""

from __future__ import annotations

from pathlib import Path

import mtoken
import pexpect
import pytest
from commands import PIN, Command
from devserver import DevServer
from suites import NAMES, application, has_post_quantum

APPLICATION = "four-EC_P384"


@pytest.fixture
def four(empty: Command) -> Command:
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
def test_each_suite(empty: Command, suite: str) -> None:
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
    from mtoken_command import states

    error = mtoken.StateError("x")
    for reason, advice in (("confirmPIN", "mtoken pin check"), ("confirmUpgrade", "mtoken status")):
        error.reason = reason
        error.code = mtoken.ErrorCode.STATE
        trouble = states.trouble(error)
        assert trouble is not None and advice in trouble.next


@pytest.mark.parametrize(
    "path, applies, other", [("password/change", PIN, "1357"), ("auth/validate", "1357", PIN)], ids=["old", "new"]
)
def test_a_change_of_the_pin_whose_answer_is_lost(
    four: Command, tmp_path: Path, path: str, applies: str, other: str
) -> None:
    """The command says which PIN to try, and the keyring tries none that is not that one."""
    keyring = tmp_path / "keyring.json"
    four.environment |= {"PYTHON_KEYRING_BACKEND": "filekeyring.FileKeyring", "MTOKEN_TEST_KEYRING": str(keyring)}
    four.run("activate", four.code(applicationId=APPLICATION), pin=PIN)
    four.run("pin", "remember", pin=PIN)
    four.server.fault(f"/pa/v4/{path}", "close_after_read", count=1, process=False)
    terminal = four.terminal("pin", "change")
    for prompt, typed in (("PIN: ", PIN), ("New PIN: ", "1357"), ("confirmation: ", "1357")):
        terminal.expect(prompt)
        terminal.sendline(typed)
    which = "old" if applies == PIN else "new"
    terminal.expect(f"the {which} PIN applies")
    terminal.expect(f"Next: mtoken pin check, with the {which} PIN")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 6
    id = four.operation(applicationId=APPLICATION)
    if which == "new":
        assert "the new PIN applies" in four.run("approve", id, "--yes", pin=PIN, code=4)
        assert "--pin-fd" in four.run("approve", id, "--yes", code=2), "the old one was still in the keyring"
        view = four.terminal()
        view.expect("1 waiting")
        view.send("a")
        view.expect("PIN to approve")
        view.send(f"{applies}\r")
        view.expect("the new PIN applies")
        view.expect("mtoken pin check, with the new PIN")
        view.sendcontrol("c")
        view.expect(pexpect.EOF)
        terminal = four.terminal("pin", "check")
        terminal.expect("the new PIN applies. 5 attempts left.")
        terminal.expect("PIN: ")
        terminal.sendline(applies)
        terminal.expect("the PIN is right")
        terminal.expect(pexpect.EOF)
    else:
        four.run("approve", id, "--yes")
        assert four.status(id) == "APPROVED"
    four.run("pin", "check", pin=applies)
    assert four.json("status")["remaining_attempts"] == 5
    four.run("pin", "check", pin=other, code=4)


def test_a_biometry_key_whose_answer_is_lost(four: Command, tmp_path: Path) -> None:
    """The command says that the new key is the one to try; the only copy of it is not lost."""
    (tmp_path / "mtoken").write_bytes(b"k" * 32)
    four.environment |= {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    four.run("activate", four.code(applicationId=APPLICATION), pin=PIN)
    four.server.fault("/pa/v4/auth/validate", "close_after_read", count=1, process=False)
    said = four.run("biometry", "add", "--sealer", "systemd", pin=PIN, code=6)
    assert "this device uses the new key" in said and "Next: mtoken approve --biometry" in said
    kinds = ["possession_biometry"]
    id = four.operation(applicationId=APPLICATION, allowedSignatureTypes=kinds)
    four.run("approve", id, "--yes", "--biometry")
    assert four.status(id) == "APPROVED"


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


def test_what_3_does_not_have(empty: Command) -> None:
    empty.add()
    empty.run("activate", empty.code(), pin=PIN)
    assert "4.0" in empty.run("config", code=1)
    empty.run("rename", "x", pin=PIN)
    empty.run("upgrade", "--yes", pin=PIN, code=2)
