"""The `mtoken` command where an activation is not simply active: the bank's confirmation, and each trouble with its next step."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from typing import Any, Dict, List, Tuple

import pexpect
from activations import Activations
from commands import PIN, Command
from ctrl_c import listen_to_ctrl_c
from mtoken_command import output, states

WAIT = "mtoken activate --wait"


def commit(command: Command, id: str) -> None:
    command.server.admin("POST", f"/activations/{id}/commit")


def pending(command: Command) -> str:
    """Activates up to the point where the bank has to confirm."""
    command.add()
    answer = command.json("activate", command.code(commitPhase="ON_COMMIT"), "--no-wait", pin=PIN)
    assert answer["state"] == "PENDING_COMMIT" and re.fullmatch(r"\d{8}", answer["fingerprint"])
    return str(answer["activation_id"])


# The bank's confirmation


def becomes_active(command: Command, terminal: pexpect.spawn) -> None:
    """What follows when the bank has confirmed: the command ends, and the activation approves."""
    terminal.expect("The activation is active.")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    command.run("approve", command.operation(), "--yes", pin=PIN)


def test_activation_at_a_terminal_in_two_steps(empty: Command) -> None:
    empty.add()
    terminal = empty.terminal("activate", empty.code(commitPhase="ON_COMMIT"))
    for prompt in ("New PIN: ", "Repeat for confirmation: "):
        terminal.expect(prompt)
        terminal.sendline(PIN)
    terminal.expect(r"Compare with what the bank shows: \S*?(\d{8})")
    fingerprint = terminal.match.group(1)
    terminal.expect("bank has to confirm the activation")
    terminal.expect("Waiting until the bank has confirmed")
    (view,) = empty.server.admin("GET", "/activations", userId=empty.user)["activations"]
    assert (view["state"], view["fingerprint"]) == ("PENDING_COMMIT", fingerprint)
    assert terminal.isalive(), "it does not wait"
    commit(empty, view["activationId"])
    becomes_active(empty, terminal)


def test_ctrl_c_ends_the_waiting_only(empty: Command) -> None:
    empty.add()
    terminal = empty.terminal("activate", empty.code(commitPhase="ON_COMMIT"))
    for prompt in ("New PIN: ", "Repeat for confirmation: "):
        terminal.expect(prompt)
        terminal.sendline(PIN)
    terminal.expect("Waiting until the bank has confirmed")
    terminal.sendcontrol("c")
    terminal.expect(f"has not confirmed the activation yet: {WAIT}")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    status = empty.json("status")
    assert status["activation_state"] == "PENDING_COMMIT"
    terminal = empty.terminal("activate", "--wait")
    terminal.expect(rf"Compare with what the bank shows: \S*?{status['fingerprint']}")
    terminal.expect("Waiting until the bank has confirmed")
    commit(empty, status["activation_id"])
    becomes_active(empty, terminal)


def test_activation_without_waiting(empty: Command) -> None:
    empty.add()
    said = empty.run("activate", empty.code(commitPhase="ON_COMMIT"), "--no-wait", pin=PIN)
    assert re.search(r"Compare .*\d{8}", said) and f"has not confirmed the activation yet: {WAIT}" in said
    said = empty.run("status")
    assert "pending_commit" in said and WAIT in said
    commit(empty, empty.json("status")["activation_id"])
    assert "Next" not in empty.run("status")
    assert "is active" in empty.run("activate", "--wait")
    assert "already activated" in empty.run("activate", "--wait", empty.code(), pin=PIN, code=2)
    assert "already activated" in empty.run("activate", "--no-wait", code=2)


def documents(text: str) -> List[Dict[str, Any]]:
    """The JSON documents of a text, one after the other."""
    found, decoder = [], json.JSONDecoder()
    while text := text.strip():
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:]
    return found


def test_a_script_reads_the_fingerprint_before_the_bank_confirms(empty: Command, activations: Activations) -> None:
    """And the recovery code, which is told only once. When the bank has confirmed, a second document says so."""
    empty.add()
    empty.server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    child = empty.process("activate", activations.new(empty.user)["activationCode"], "--json", pin=PIN)
    assert child.returncode == 0, child.stderr
    first, *more = documents(child.stdout)
    assert re.fullmatch(r"\d{8}", first["fingerprint"]) and first["recovery_puk"]
    if activations.two_steps:
        same = {name: first[name] for name in ("activation_id", "fingerprint")}
        assert (first["state"], more) == ("PENDING_COMMIT", [{**same, "state": "ACTIVE"}])
    else:
        assert (first["state"], more) == ("ACTIVE", [])
    empty.run("approve", empty.operation(), "--yes", pin=PIN)


def test_waiting_not_for_ever(empty: Command) -> None:
    empty.add()
    child = empty.process("activate", empty.code(commitPhase="ON_COMMIT"), "--for", "0.5", "--json", pin=PIN)
    first, error = documents(child.stdout)
    assert (child.returncode, first["state"], error["error"]["exit_code"]) == (3, "PENDING_COMMIT", 3)
    assert WAIT in empty.run("activate", "--wait", "--for", "0.5", code=3)
    empty.server.admin("POST", f"/activations/{first['activation_id']}/remove")
    assert "removed the activation" in empty.run("activate", "--wait", code=3)


def test_the_bank_is_out_of_reach_when_its_confirmation_is_waited_for(empty: Command) -> None:
    """The activation is there, whatever the status calls meet."""
    empty.add()
    fault = empty.server.fault("/pa/v3/activation/status", "status", count=2, status=503)
    said = empty.run("activate", empty.code(), pin=PIN)
    assert "is active" in said and empty.server.times_applied(fault) == 2
    empty.run("approve", empty.operation(), "--yes", pin=PIN)


# Troubles

COMMANDS: Tuple[Tuple[str, ...], ...] = (
    ("list",), ("history", "PIN"), ("show", "ID"), ("approve", "ID", "--yes", "PIN"), ("reject", "ID", "--yes"), ("claim", "ID"),
    ("user",), ("inbox", "list"), ("push", "register", "fcm", "token"), ("pin", "check", "PIN"), ("mobile-auth", "list"),
    ("mobile-auth", "answer", "ID", "--yes", "PIN"), ("remove", "--yes", "PIN"),
)  # fmt: skip


def all_fail(command: Command, trouble: states.Trouble, code: int, *, but: Tuple[str, ...] = ()) -> None:
    """Every command that asks the server says what is the matter, in one plain sentence, and what to do."""
    operation = command.operation()
    for words in COMMANDS:
        if words[0] in but:
            continue
        arguments = [operation if word == "ID" else word for word in words if word != "PIN"]
        pin = PIN if "PIN" in words else None
        said = command.process(*arguments, pin=pin)
        expected = f"mtoken: {trouble.what}\n  Next: {trouble.next}\n"
        assert (said.returncode, said.stderr.endswith(expected)) == (code, True), (words, said)
    error = command.json("list", code=code)["error"]
    assert (error["next"], error["exit_code"]) == (trouble.next, code)
    assert command.status(operation) == "PENDING"


def trouble(name: str) -> states.Trouble:
    return states._TROUBLES[name]


def test_not_confirmed(empty: Command) -> None:
    id = pending(empty)
    all_fail(empty, trouble("PENDING_COMMIT"), 3)
    commit(empty, id)
    empty.run("activate", "--wait")
    empty.run("approve", empty.operation(), "--yes", pin=PIN)


def test_blocked(command: Command) -> None:
    id = command.json("status")["activation_id"]
    command.server.admin("POST", f"/activations/{id}/block")
    all_fail(command, trouble("BLOCKED"), 4)
    command.server.admin("POST", f"/activations/{id}/unblock")
    command.run("approve", command.operation(), "--yes", pin=PIN)


def test_removed(command: Command) -> None:
    id = command.json("status")["activation_id"]
    command.server.admin("POST", f"/activations/{id}/remove")
    all_fail(command, trouble("REMOVED"), 3, but=("mobile-auth",))
    command.run("remove", "--local", "--yes")
    command.run("activate", command.code(), pin=PIN)


def test_removed_found_by_mobile_authentication(command: Command) -> None:
    """Which removes it here, too."""
    id = command.json("status")["activation_id"]
    command.server.admin("POST", f"/activations/{id}/remove")
    said = command.run("mobile-auth", "list", code=3)
    assert trouble("removedHere").what in said and trouble("removedHere").next in said
    command.run("activate", command.code(), pin=PIN)


def test_out_of_step(command: Command) -> None:
    """The bank can help, by a wider window."""
    id = command.json("status")["activation_id"]
    command.server.admin("POST", f"/activations/{id}/counter", {"steps": 30})
    all_fail(command, trouble("DEADLOCK"), 4, but=("user",))
    command.server.admin("PATCH", "/config", {"lookAhead": 64})
    assert "active" in command.run("status")
    command.run("approve", command.operation(), "--yes", pin=PIN)


def test_the_bank_cannot_check(command: Command) -> None:
    """A right PIN is not called wrong, and nothing is lost."""
    command.server.fault("/", "backend-down")
    all_fail(command, trouble("serverUnavailable"), 5)
    command.server.admin("DELETE", "/faults")
    command.run("approve", command.operation(), "--yes", pin=PIN)


def test_signatures_that_nobody_answers(command: Command) -> None:
    for _ in range(30):
        child = command.process("sign", "POST", "/never/sent", pin=PIN, text="{}")
        if child.returncode:
            break
    else:
        raise AssertionError("it signs without end")
    risk = trouble("counterAtRisk")
    assert (child.returncode, child.stderr) == (5, f"mtoken: {risk.what}\n  Next: {risk.next}\n")
    command.run("status")
    command.run("sign", "POST", "/never/sent", pin=PIN, text="{}")
    command.run("approve", command.operation(), "--yes", pin=PIN)


def test_codes_that_nobody_types(command: Command) -> None:
    payload = offline(command)
    for _ in range(30):
        child = command.process("qr", "--text", payload, "--yes", pin=PIN)
        if child.returncode:
            break
    else:
        raise AssertionError("it makes codes without end")
    window = trouble("counterWindow")
    assert child.returncode == 5 and child.stderr.endswith(f"mtoken: {window.what}\n  Next: {window.next}\n")
    command.run("status")
    command.run("qr", "--text", payload, "--yes", pin=PIN)
    command.run("approve", command.operation(), "--yes", pin=PIN)


def offline(command: Command) -> str:
    id = command.operation(template="login")
    payload: str = command.server.admin("POST", f"/operations/{id}/offline", {})["offlineData"]
    return payload


def test_every_trouble_has_an_exit_code() -> None:
    named = set(states._TROUBLES) - {"CREATED"}
    assert named == set(output.TROUBLES)


# Watching


def lines_of(command: Command) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "mtoken_command", "watch", "--json", "--interval", "5"],
        env=command.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c,
    )  # fmt: skip


def test_watch_waits_and_goes_on(command: Command) -> None:
    id = command.json("status")["activation_id"]
    command.server.admin("POST", f"/activations/{id}/block")
    with lines_of(command) as child:
        assert child.stdout is not None
        lines = (json.loads(line) for line in child.stdout)
        waits = next(line for line in lines if "waits" in line)
        assert (waits["reason"], waits["next"]) == ("activationBlocked", trouble("BLOCKED").next)
        command.server.admin("POST", f"/activations/{id}/unblock")
        assert next(line for line in lines if "goes_on" in line)["time"] > waits["time"]
        operation = command.operation()
        added = (item["id"] for line in lines if "added" in line for item in line["added"])
        assert next(added) == operation
        child.send_signal(signal.SIGINT)


def test_watch_at_a_terminal_waits_and_goes_on(command: Command) -> None:
    id = command.json("status")["activation_id"]
    operation = command.operation()
    terminal = command.terminal("watch", "--interval", "5")
    terminal.expect(operation[:8])
    command.server.admin("POST", f"/activations/{id}/block")
    terminal.expect("the activation is blocked")
    terminal.expect("Polling continues")
    command.server.admin("POST", f"/activations/{id}/unblock")
    terminal.expect("as of ")
    terminal.sendcontrol("c")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
