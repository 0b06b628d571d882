"""The command approves nothing that does not show what it signs, unless it is told to in so many words."""

from __future__ import annotations

import re
from typing import Any, Dict, List

import pexpect
import pytest
from commands import PIN, Command
from devserver import OPERATIONS

LIE: Dict[str, Any] = {
    "name": "authorize_payment",
    "data": "A1*A999999EUR*ICZ2730300000001165254011",
    "formData": {
        "title": "Payment ${what}",
        "message": "",
        "attributes": [
            {"type": "AMOUNT", "id": "amount", "label": "Amount", "amount": 1, "currency": "EUR"},
            {"type": "KEY_VALUE", "id": "account", "label": "To account", "value": "CZ2730300000001165254011"},
        ],
    },
}


@pytest.mark.parametrize("way", [["approve"], ["mobile-auth", "answer"]], ids=" ".join)
def test_a_contradiction_is_refused_and_approved_with_the_flag(command: Command, way: List[str]) -> None:
    id = command.operation(**LIE)
    mark = command.server.mark()
    shown = command.run(*way, id, "--yes", pin=PIN, code=4)
    assert "NOT WHAT IS SIGNED" in shown and "999999 EUR" in shown and "--despite-contradiction" in shown
    assert "(AMOUNT)" in shown
    sent = [request["path"] for request in command.server.requests(after=mark)]
    assert f"{OPERATIONS}/authorize" not in sent and command.status(id) == "PENDING"
    error = command.json(*way, id, "--yes", pin=PIN, code=4)["error"]
    assert error["exit_code"] == 4 and "AMOUNT" in error["message"]
    command.run(*way, id, "--yes", "--despite-contradiction", pin=PIN)
    assert command.status(id) == "APPROVED"


def test_a_contradiction_can_be_denied(command: Command) -> None:
    ids = [command.operation(**LIE) for _ in range(2)]
    assert "NOT WHAT IS SIGNED" in command.run("mobile-auth", "answer", ids[0], "--deny")
    command.run("reject", ids[1], "--yes")
    assert [command.status(id) for id in ids] == ["REJECTED"] * 2


def test_a_proximity_code_does_not_help_a_contradiction(command: Command) -> None:
    id = command.operation(**LIE, proximityCheck=True)
    link = command.server.admin("GET", f"/operations/{id}/totp")["deeplink"]
    assert "NOT WHAT IS SIGNED" in command.run("pac", "--text", link, "--opened", "--yes", pin=PIN, code=4)
    command.run("pac", "--text", link, "--opened", "--yes", "--despite-contradiction", pin=PIN)
    assert command.status(id) == "APPROVED"


def test_a_contradiction_is_shown_in_red(command: Command) -> None:
    id = command.operation(**LIE)
    for arguments in (["show", id], ["list"]):
        plain = command.run(*arguments)
        assert "\x1b[" not in plain
        red = command.run(*arguments, NO_COLOR="", FORCE_COLOR="1", COLORTERM="")
        words = "NOT WHAT IS SIGNED" if arguments[0] == "show" else "does not show what it signs"
        assert words in plain and re.search(rf"\x1b\[1;31m ?{words}", red), red
    document = command.json("show", id)
    assert document["contradictions"] == ["AMOUNT"] and document["issues"] == ["formData.title: unresolved"]
    assert "formData.title: unresolved" in command.run("show", id)


def test_a_terminal_asks_nothing_before_it_refuses(command: Command) -> None:
    id = command.operation(**LIE)
    terminal = command.terminal("approve", id)
    terminal.expect("NOT WHAT IS SIGNED")
    terminal.expect("--despite-contradiction")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 4 and "y/N" not in (terminal.before or "")


def test_a_list_of_a_hundred_may_be_cut(command: Command) -> None:
    for _ in range(99):
        command.operation(template="login")
    assert "there may be more" not in command.run("list")
    command.operation(template="login")
    assert "there may be more" in command.run("list")
    assert command.json("list")["may_be_cut"] is True
