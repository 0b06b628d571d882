"""In a terminal of any width from 20 columns on the command shows every character of every fact."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import mtoken
import pytest
from devserver import PAYMENT, DevServer
from mtoken_command import app, layout, output, profiles, register, session
from mtoken_command.output import clean
from typer.testing import CliRunner

register()
PIN = "2468"
WIDTHS = [*range(20, 131), 160, 200]
"""Every width at which a layout can change, and wide ones: no name, column or box asks for more than 130."""
BORDERS = re.compile(r"[\s─│╭╮╰╯━]")

IBAN = "CZ2730300000001165254011"
NOTE = "Nájem za květen 2026, byt č. 12,  日本語のメモ, averyveryveryveryverylongwordwithoutanyspaces-0123456789"
DATA = f"A1*A1234567890.50CZK*I{IBAN}*D20260501*N{NOTE}*T{'0123456789' * 6}"
ATTRIBUTES = [
    {"type": "HEADING", "id": "h", "label": "A heading that is longer than twenty columns of a terminal"},
    {
        "type": "AMOUNT", "id": "amount", "label": "Amount that leaves the account", "amount": 1234567890.5, "currency": "CZK",
        "amountFormatted": "1\u00a0234\u00a0567\u00a0890,50", "currencyFormatted": "Kč",
        "valueFormatted": "1\u00a0234\u00a0567\u00a0890,50\u00a0Kč",
    },
    {"type": "KEY_VALUE", "id": "account", "label": "To account", "value": IBAN},
    {"type": "KEY_VALUE", "id": "url", "label": "Web", "value": "https://example.com/" + "x" * 120},
    {"type": "NOTE", "id": "note", "label": "Note", "note": NOTE + "\nsecond line"},
    {
        "type": "AMOUNT_CONVERSION", "id": "c", "label": "Conversion", "dynamic": True, "sourceAmount": 1234567890.5,
        "sourceCurrency": "CZK", "targetAmount": 49382715.62, "targetCurrency": "EUR",
    },
    {"type": "PARTY_INFO", "id": "p", "label": "To", "partyInfo": {"name": "A party with a long name", "description": "About it"}},
    {
        "type": "ALERT", "id": "w", "label": "!", "alertType": "WARNING", "title": "A title of a warning, longer than a line",
        "message": "You have never paid to this account",
    },
]  # fmt: skip
FORM = {
    "title": "Confirm the payment of 1234567890.50 CZK to a friend",
    "message": "Please confirm the payment.",
    "attributes": ATTRIBUTES,
}
UI = {
    "preApprovalScreens": [
        {
            "type": "WARNING", "id": "s", "heading": "A heading of the screen before the approval",
            "message": "Beware of all of them.",
            "elements": [{"type": "LIST_ITEM", "id": "1", "text": "You know 0123456789012345678901234567890123456789"}],
        }
    ]
}  # fmt: skip
LIE: Dict[str, Any] = {
    "name": "authorize_payment", "data": DATA,
    "formData": {"title": "Lie", "message": "", "attributes": [{**ATTRIBUTES[1], "valueFormatted": "1,00 Kč"}]},
}  # fmt: skip

Facts = List[str]
Run = Callable[..., str]


def bare(text: str) -> str:
    """What is seen of a text: without spaces and the lines of boxes."""
    return BORDERS.sub("", unicodedata.normalize("NFC", clean(text)))


def lost(facts: Facts, shown: str) -> Facts:
    """The facts of which a character is missing."""
    seen = bare(shown)
    return [fact for fact in facts if bare(fact) not in seen]


def facts_of(operation: mtoken.Operation) -> Facts:
    """Every fact of an operation of this test."""
    form = [FORM["title"], FORM["message"], "WARNING: A title of a warning, longer than a line"]
    for attribute in ATTRIBUTES:
        form += [str(attribute["label"])] if attribute["type"] != "ALERT" else []
        for name in ("value", "message", "valueFormatted"):
            form += [str(attribute[name])] if name in attribute else []
    form += [*NOTE.split("\n"), "second line", "1234567890.5 CZK → 49382715.62 EUR", "the rate may still change"]
    form += ["A party with a long name", "About it", operation.id, operation.data, operation.name]
    return [str(fact) for fact in form]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, server: DevServer, user: str) -> Run:
    """Runs the command in a terminal of some width; what it prints, on both outputs."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("COLUMNS", raising=False)
    runner = CliRunner()

    def run(*arguments: str, width: int = 100, code: int = 0) -> str:
        for console in (output.out, output.err):
            monkeypatch.setattr(console, "_width", width)
        pin = tmp_path / "pin"
        pin.write_text(PIN + "\n")
        with pin.open() as file:
            given = ["--pin-fd", str(file.fileno())] if arguments[0] in ("history", "activate") else []
            result = runner.invoke(app.app, [*arguments, *given])
        assert result.exit_code == code, f"{result.output}{result.exception!r}"
        return result.output

    place = ["--server", server.url, "--config", server.configuration, "--ca", server.ca_file]
    run("profile", "add", "bank", *place)
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    run("activate", code)
    return run


def cells(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def body(shown: str, width: int) -> str:
    """What was laid out, without the questions and errors that come after; no line of it is wider than the terminal."""
    for line in shown.split("\n"):
        if line.startswith(("│", "╭", "╰")):
            assert cells(line) <= width, line
    return shown


@pytest.fixture
def operation(run: Run, server: DevServer, user: str) -> mtoken.Operation:
    id = server.new_operation(userId=user, name="authorize_payment", data=DATA, formData=FORM, ui=UI)["operationId"]
    with session.activated(profiles.load().find(None)) as client:
        found = client.operations.detail(id)
    assert found.contradictions is mtoken.Contradiction.NONE
    return found


def missing(facts: Facts, show: Callable[[int], str]) -> Iterator[Tuple[int, Facts]]:
    """The widths in which a fact is not shown in full."""
    for width in WIDTHS:
        gone = lost(facts, body(show(width), width))
        if gone:
            yield width, gone


def test_show(run: Run, operation: mtoken.Operation) -> None:
    screen = [UI["preApprovalScreens"][0]["heading"], UI["preApprovalScreens"][0]["elements"][0]["text"]]
    assert list(missing(facts_of(operation) + screen, lambda width: run("show", operation.id, width=width))) == []


def test_approve(run: Run, operation: mtoken.Operation) -> None:
    # Without a terminal to ask, the command shows everything, asks nobody and ends.
    facts = facts_of(operation)
    assert list(missing(facts, lambda width: run("approve", operation.id, width=width, code=2))) == []


def test_approve_refuses_where_it_cannot_show(run: Run, operation: mtoken.Operation, server: DevServer) -> None:
    for width in (1, 5, 19):
        shown = run("approve", operation.id, "--yes", width=width, code=2)
        assert "too narrow" in " ".join(shown.split())
    assert server.operation(operation.id)["status"] == "PENDING"


def test_approve_shows_a_contradiction(run: Run, server: DevServer, user: str) -> None:
    id = server.new_operation(userId=user, **LIE)["operationId"]
    facts = ["The signed account is not shown.", "The amount is shown in a different form than it is signed."]
    facts += ["1234567890.50 CZK", IBAN, DATA, "--despite-contradiction", "NOT WHAT IS SIGNED"]
    assert list(missing(facts, lambda width: run("approve", id, "--yes", width=width, code=4))) == []
    assert server.operation(id)["status"] == "PENDING"


def test_history(run: Run, operation: mtoken.Operation, server: DevServer, user: str) -> None:
    for _ in range(2):
        server.new_operation(userId=user, template="authorize_payment", parameters=PAYMENT)
    # In a table a title may go on below, beside the other columns' lines: each word is there, and the amounts in one piece.
    facts = [operation.id[:8], str(ATTRIBUTES[1]["valueFormatted"]), "€1,250.50"]
    facts += [*str(FORM["title"]).split(), *str(FORM["message"]).split()]
    assert list(missing([*facts, "pending"], lambda width: run("history", width=width))) == []
    assert list(missing(facts, lambda width: run("list", width=width))) == []


def test_qr(run: Run, operation: mtoken.Operation, server: DevServer) -> None:
    activation = json.loads(run("status", "--json"))["activation_id"]
    offline = server.admin("POST", f"/operations/{operation.id}/offline", {"activationId": activation})
    text = offline["offlineData"]
    facts = [str(FORM["title"]), str(FORM["message"]), "1234567890.50 CZK", IBAN, "2026-05-01", NOTE, "0123456789" * 6]
    facts += [operation.id, operation.data]
    assert list(missing(facts, lambda width: run("qr", "--text", text, "--show", width=width))) == []
    assert list(missing(facts, lambda width: run("qr", "--text", text, width=width, code=2))) == []
    assert "too narrow" in " ".join(run("qr", "--text", text, "--yes", width=layout.NARROWEST - 1, code=2).split())
