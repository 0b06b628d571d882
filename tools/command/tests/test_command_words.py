"""What the command says to people: a second try, what is next, ids by their beginning, dates, text, Ctrl-C."""

from __future__ import annotations

import re
from typing import Any, Dict, List

import pexpect
import pytest
from commands import PIN, Command
from ctrl_c import ctrl_c_at_a_question
from devserver import OPERATIONS
from mtoken_command.markup import plain_text


@pytest.mark.parametrize(
    "arguments", [["history"], ["pin", "check"], ["remove", "--yes"], ["approve", "ID", "--yes"]], ids=" ".join
)
def test_a_second_try(command: Command, arguments: List[str]) -> None:
    """A wrong PIN is asked for again, once for each attempt that is left."""
    id = command.operation()
    terminal = command.terminal(*(id if word == "ID" else word for word in arguments))
    for left in (4, 3):
        terminal.expect("PIN: ")
        terminal.sendline("1111")
        terminal.expect(f"Wrong PIN. {left} attempts left.")
    terminal.expect("PIN: ")
    terminal.sendline(PIN)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def test_the_last_attempt(command: Command) -> None:
    """One attempt, not attempts; then the activation is blocked, and nothing is asked any more."""
    for left in ("4 attempts", "3 attempts", "2 attempts", "1 attempt"):
        assert f"Wrong PIN. {left} left." in command.run("pin", "check", pin="1111", code=4)
    command.talk(
        ["pin", "check"],
        "This is the last attempt: another wrong PIN blocks the activation.",
        ("PIN: ", "1111"),
        "the activation is blocked",
        "Next: ask the bank to unblock it",
        code=4,
    )


@pytest.mark.parametrize("arguments", [["pin", "check"], ["activate"], ["approve"]], ids=" ".join)
def test_ctrl_c_at_a_question(empty: Command, arguments: List[str]) -> None:
    empty.add()
    if arguments != ["activate"]:
        empty.run("activate", empty.code(), pin=PIN)
        empty.operation()
    terminal = empty.terminal(*arguments)
    terminal.expect(r"(PIN|code|\[y/N\]): $")
    ctrl_c_at_a_question(terminal)
    terminal.close()
    assert (terminal.exitstatus, terminal.signalstatus) == (130, None)
    assert "Traceback" not in str(terminal.before)


@pytest.mark.parametrize("times, code", [(1, 0), (2, 6)])
def test_ctrl_c_while_it_is_on_its_way(command: Command, times: int, code: int) -> None:
    """The result is told. Who does not wait for it is told that nobody knows."""
    id = command.operation()
    command.run("list")
    command.server.fault(f"{OPERATIONS}/authorize", "latency", ms=6000 if times == 1 else 60000, after=True)
    terminal = command.terminal("approve", id, "--yes")
    terminal.expect("PIN: ")
    terminal.sendline(PIN)
    terminal.expect("Approving")
    terminal.sendcontrol("c")
    terminal.expect("waiting for the bank's answer")
    if times == 2:
        terminal.sendcontrol("c")
        terminal.expect("you left before the bank answered")
        terminal.expect("Check before you repeat: mtoken list, mtoken history")
    else:
        terminal.expect("was confirmed")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert (terminal.exitstatus, terminal.signalstatus) == (code, None)


def test_the_end_of_the_input_at_a_question(command: Command) -> None:
    terminal = command.terminal("pin", "check")
    terminal.expect("PIN: ")
    terminal.sendcontrol("d")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 9


@pytest.mark.parametrize(
    "over, words",
    [
        ("cancel", "the bank has cancelled"),
        ("expire", "has expired"),
        ("fail", "has failed"),
        ("approve", "approved or rejected before"),
    ],
)
def test_operations_that_are_over(command: Command, over: str, words: str) -> None:
    id = command.operation()
    if over == "approve":
        command.run("approve", id, "--yes", pin=PIN)
    else:
        command.server.admin("POST", f"/operations/{id}/{over}")
    said = command.run("reject", id, "--yes", code=7)
    assert re.search(r"mtoken: .*\n  Next: .*mtoken (list|history)", said), said


def test_operations_that_the_bank_does_not_know(command: Command) -> None:
    said = command.run("show", "11111111-1111-1111-1111-111111111111", code=7)
    assert "mtoken list" in said


@pytest.mark.parametrize(
    "words, fault, says",
    [
        ("inbox show 11111111-1111", {}, r"no such message.*\n  Next: mtoken inbox list"),
        ("oidc show nowhere", {}, r"no login provider of this name.*\n  Next: ask the bank"),
        ("list", {"kind": "status", "status": 500}, r"something failed at the bank.*\n  Next: run the command again"),
        ("list", {"kind": "html"}, r"out of order \(HTTP status 502\)\n  Next: run the command again"),
        (
            "list",
            {"kind": "status", "status": 400, "code": "NEW_CODE"},
            r"own words: NEW_CODE\n  Next: .*tell the bank",
        ),
        ("list", {"kind": "close_after_read"}, r"was lost: https://.* of bank\n  Next: run the command again"),
    ],
)
def test_codes_of_a_server_do_not_stand_alone(command: Command, words: str, fault: Dict[str, Any], says: str) -> None:
    """What has happened, and what to do. Who has only looked is not told that the bank may have acted."""
    if fault:
        command.server.fault(OPERATIONS, fault.pop("kind"), **fault)
    said = command.process(*words.split()).stderr
    assert re.search(r"mtoken: [^A-Z]*" + says, said), said
    assert "may have acted" not in said


def test_a_used_code(command: Command) -> None:
    code = command.code()
    command.add("second")
    command.run("-p", "second", "activate", code, pin=PIN)
    command.add("third")
    said = command.run("-p", "third", "activate", code, pin=PIN, code=7)
    assert "it may have expired, or was used" in said and "a new one, then mtoken -p third activate" in said


def test_a_pin_that_is_guessed_first(empty: Command) -> None:
    """At a terminal another one can be chosen; a script is warned."""
    empty.add()
    terminal = empty.terminal("activate", empty.code())
    for pin, weak in (("1111", True), ("4321", True), (PIN, False)):
        for _ in range(2):
            terminal.expect(r"(New PIN|confirmation): ")
            terminal.sendline(pin)
        if weak:
            terminal.expect(r"among the first that a thief tries.*\[y/N\]: ")
            terminal.sendline("n")
    terminal.expect("The activation is active")
    terminal.expect(pexpect.EOF)
    empty.add("other")
    assert "thief" in empty.run("-p", "other", "activate", empty.code(), pin="1990")


def test_times_are_local(command: Command) -> None:
    """With their zone."""
    command.environment["TZ"] = "CET-1CEST,M3.5.0,M10.5.0/3"
    terminal = command.terminal("show", command.operation())
    terminal.expect(r"Expires .*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d CES?T \(\d min\)")


def test_nobody_types_a_pin_for_what_has_expired(command: Command) -> None:
    id = command.operation()
    command.server.admin("PUT", "/clock", {"offsetMs": -298_000})
    old = command.operation()
    command.server.admin("PUT", "/clock", {"offsetMs": 0})
    terminal = command.terminal("approve", old)
    terminal.expect(r"Approve .*\[y/N\]: ")
    while command.status(old) != "EXPIRED":
        pass
    terminal.sendline("y")
    terminal.expect("has expired: nothing was approved")
    terminal.expect("Next: ask the bank for a new one")
    terminal.expect(pexpect.EOF)
    assert "PIN" not in str(terminal.before) and command.status(id) == "PENDING"


def test_ids_by_their_beginning(command: Command) -> None:
    id = command.operation()
    assert command.json("show", id[:4])["id"] == id
    message = command.server.admin(
        "POST", "/inbox", {"userId": command.user, "subject": "Hello", "summary": "-", "body": "World", "type": "text"}
    )["id"]
    assert "World" in command.run("inbox", "show", message[:4])
    assert command.json("inbox", "show", message[:6], "--keep-unread")["id"] == message
    command.run("inbox", "show", message[:3], code=7)


def test_the_history_has_dates(command: Command) -> None:
    command.run("reject", command.operation(), "--yes")
    said = command.run("history", pin=PIN)
    assert "Asked at" in said and re.search(r"rejected\s+\d{4}-\d\d-\d\d \d\d:\d\d", said)


def test_export_to_standard_output(command: Command) -> None:
    assert command.run("export", "-") == command.run("export")
    assert not (command.home / "-").exists()


def test_a_message_in_html_is_text(command: Command) -> None:
    body = "<html><head><style>p { color: red }</style></head><body><p>One&nbsp;&amp; <b>two</b></p></body></html>"
    message = {"userId": command.user, "subject": "News", "summary": "-", "body": body, "type": "html"}
    id = command.server.admin("POST", "/inbox", message)["id"]
    said = command.run("inbox", "show", id)
    assert "One\xa0& two" in said and "color" not in said and "<" not in said
    assert command.json("inbox", "show", id)["body"] == body, "JSON has it as it was sent"


@pytest.mark.parametrize(
    "markup, text",
    [
        ("plain", "plain"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<ul><li>x</li><li>y</li></ul>", "• x\n\n• y"),
        ('<a href="https://bank.example">here</a>', "here (https://bank.example)"),
        ('<a href="https://bank.example">https://bank.example</a>', "https://bank.example"),
        ("<script>alert(1)</script>quiet", "quiet"),
        ("<p>unclosed <b>and &lt;odd", "unclosed and <odd"),
        ("</p></b></script>ends first", "ends first"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1  2"),
        ('<img alt="a tree" src="x">', "[a tree]"),
        ("", ""),
    ],
)
def test_markup(markup: str, text: str) -> None:
    assert plain_text(markup) == text
