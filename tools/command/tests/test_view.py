"""The full-screen view, with the keys that a user presses, against the development server.

As a program it takes the pictures of the view anew: see README.md.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, Optional

import mtoken
import pexpect
import pytest
import segno
from commands import PIN, Command
from devserver import OPERATIONS, SHOWCASE, DevServer
from fixtures import CHILD_PATH
from screens import ARMS, finished, text_of
from test_command_contradictions import LIE
from test_command_page import PAGE, SCREENS, invariant

pytest.importorskip("textual")

from mtoken_command import profiles, session
from mtoken_command.view import app as view_app
from mtoken_command.view.app import Pending, View
from mtoken_command.view.deeds import Sending
from mtoken_command.view.detail import Detail
from mtoken_command.view.dialogs import Asking, Choosing, Telling
from mtoken_command.view.pages import History, Inbox, Message, Past
from mtoken_command.view.rows import bar
from textual.pilot import Pilot
from textual.widgets import Digits, Input

Use = Callable[["User"], Awaitable[None]]


class User:
    """Somebody at the keys, who reads what the screen shows."""

    def __init__(self, app: View, pilot: Pilot[None]):
        self.app, self._pilot = app, pilot

    def screen(self) -> str:
        """The text on the screen, line by line."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)

    async def sees(self, *words: str) -> str:
        """Waits until the screen shows it."""
        for _ in range(300):
            await self._pilot.pause(0.05)
            shown = self.screen()
            if all(word in shown for word in words):
                return shown
        raise AssertionError(f"{words} do not come:\n{self.screen()}")

    async def at(self, kind: type) -> None:
        """Waits until a screen of this kind is the one."""
        for _ in range(300):
            await self._pilot.pause(0.05)
            if isinstance(self.app.screen, kind):
                return
        raise AssertionError(f"{kind} does not come:\n{self.screen()}")

    async def over(self) -> None:
        """Waits until nothing is on its way."""
        for deed in self.app.deeds:
            await deed.over.wait()

    async def press(self, *keys: str) -> None:
        await self._pilot.press(*keys)

    async def types(self, text: str) -> None:
        """Into the question that is open."""
        await self.at(Asking)
        self.app.screen.query_one(Input).value = text
        await self._pilot.press("enter")


def used(use: Use, size: Any = (80, 30), profile: bool = True, opens: Optional[str] = None) -> View:
    """The view, used by somebody."""

    async def run() -> View:
        app = View(profiles.load().find(None) if profile else None, opens=opens)
        async with app.run_test(size=size) as pilot:
            await use(User(app, pilot))
        return app

    return asyncio.run(run())


@pytest.fixture
def home(command: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command's home is that of this process."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "MTOKEN_PROFILE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(command.home))
    return command


def wide(shown: str) -> int:
    return max(len(line) for line in shown.splitlines())


@pytest.mark.parametrize("columns", [40, 80])
def test_the_list(home: Command, columns: int) -> None:
    """Titles, amounts and bars, with the keys at the bottom; each key is there, however narrow it is."""
    home.operation()
    home.operation(template="login")

    async def use(user: User) -> None:
        shown = await user.sees("Payment", "Login", "1,250.50", "━")
        assert wide(shown) <= columns
        assert shown.count("▸") == 1 and "2 waiting" in shown
        bottom = "".join(shown.splitlines()[-4:]).replace("\N{NO-BREAK SPACE}", " ")
        for words in (
            "enter open",
            "a approve",
            "r reject",
            "o offline QR",
            "h history",
            "d done",
            "i inbox",
            "s accounts",
            "? help",
            "q quit",
        ):
            assert words in bottom, bottom
        first = next(line for line in shown.splitlines() if "▸" in line)
        await user.press("down")
        await user.sees("▸")
        assert first not in user.screen().splitlines()

    used(use, (columns, 24))


@pytest.mark.parametrize("columns", [40, 80])
def test_approval(home: Command, columns: int) -> None:
    """A wrong PIN is asked for again, with the number of attempts; then the bank has the approval."""
    id = home.operation()

    async def use(user: User) -> None:
        await user.sees("Payment")
        await user.press("enter")
        shown = await user.sees("1,250.50", "CZ5508000000001234567899") if columns > 40 else await user.sees("1,250.50")
        assert wide(shown) <= columns
        await user.press("a")
        await user.at(Asking)
        await user.sees("YOU SIGN", "Amount: 1250.50 EUR", "PIN to approve")
        await user.types("1111")
        await user.sees("Wrong PIN. 4 attempts left.", "YOU SIGN")
        await user.types(PIN)
        await user.at(Telling)
        await user.sees("1250.50 EUR was")
        await user.press("enter")
        await user.at(Pending)
        await user.sees("nothing waits")

    used(use, (columns, 24))
    assert home.status(id) == "APPROVED"


def test_rejection_with_a_reason(home: Command) -> None:
    id = home.operation()

    async def use(user: User) -> None:
        await user.sees("Payment")
        await user.press("r")
        await user.at(Choosing)
        await user.press("escape")
        await user.at(Detail)
        assert home.status(id) == "PENDING"
        await user.press("r")
        await user.at(Choosing)
        await user.press("down", "down", "enter")
        await user.at(Telling)
        await user.press("enter")
        await user.sees("nothing waits")

    used(use)
    assert home.server.operation(id)["rejectReason"] == "UNEXPECTED_OPERATION"


def test_the_screens_of_the_bank(home: Command) -> None:
    """Each is passed before the PIN; going back at one approves nothing."""
    id = home.operation(template="showcase", parameters=SHOWCASE)

    async def use(user: User) -> None:
        await user.sees("Everything at once")
        await user.press("a")
        await user.at(Telling)
        await user.press("escape")
        await user.at(Detail)
        assert home.status(id) == "PENDING"
        await user.press("a")
        await user.sees("victim of an attack")
        await user.press("enter")
        await user.types(PIN)
        await user.sees("Thank you for your order")
        await user.press("enter")
        await user.sees("nothing waits")

    used(use, (80, 50))
    assert home.status(id) == "APPROVED"


def test_a_proximity_check(home: Command) -> None:
    id = home.operation(template="login_qr")
    totp = home.server.admin("GET", f"/operations/{id}/totp")["totp"]

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        await user.press("a")
        await user.at(Telling)
        await user.press("enter")
        await user.types(totp)
        await user.types(PIN)
        await user.at(Telling)

    used(use)
    assert home.status(id) == "APPROVED"


def test_what_does_not_show_what_it_signs(home: Command) -> None:
    id = home.operation(**LIE)

    async def use(user: User) -> None:
        await user.sees("does not show what it signs")
        await user.press("a")
        await user.at(Telling)
        await user.press("enter")
        await user.at(Detail)

    used(use)
    assert home.status(id) == "PENDING"


def test_troubles_say_what_is_next(home: Command) -> None:
    """A blocked activation is told as such, and the list is back when it is unblocked."""
    home.operation()
    id = home.json("status")["activation_id"]
    home.server.admin("POST", f"/activations/{id}/block")

    async def use(user: User) -> None:
        await user.sees("the activation is blocked", "Next: ask the bank to unblock it")
        home.server.admin("POST", f"/activations/{id}/unblock")
        await user.press("u")
        await user.sees("Payment", "1 waiting")
        home.server.fault(f"{OPERATIONS}/authorize", "close_after_read", process=True)
        await user.press("a")
        await user.types(PIN)
        await user.sees("The server may have acted")

    used(use)


LATE = 6000
"""Milliseconds after which a slow bank answers."""


async def sends(user: User) -> None:
    """Approves what is chosen, and sees that it is on its way."""
    await user.sees("1 waiting")
    await user.press("a")
    await user.types(PIN)
    await user.at(Sending)
    await user.sees("Approve Payment confirmation", "On its way since", "esc continue")


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_an_answer_that_comes_late(home: Command, columns: int) -> None:
    """It is seen to be on its way, is not sent twice, and its result is told wherever the user is by then."""
    id = home.operation()
    before = home.server.mark()

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        fault = home.server.fault(f"{OPERATIONS}/authorize", "latency", ms=600_000, after=True)
        await sends(user)
        assert wide(user.screen()) <= columns
        await user.press("escape")
        await user.at(Detail)
        await user.sees("confirmation: on")
        for key in ("a", "r"):
            await user.press(key)
            await user.at(Sending)
            await user.press("escape")
        await user.at(Detail)
        await user.press("escape")
        await user.at(Pending)
        shown = await user.sees("1 on its way", "on its way, ")
        assert wide(shown) <= columns
        await user.press("a")
        await user.at(Sending)
        await user.press("escape", "escape")
        await user.press("s")
        await user.at(Choosing)  # no answer comes between the user and a question
        home.server.admin("DELETE", f"/faults/{fault}")
        await user.over()
        assert isinstance(user.app.screen, Choosing)
        await user.press("escape")
        await user.at(Telling)
        await user.sees("Approve Payment confirmation", "1250.50 EUR was")
        await user.press("enter")
        await user.sees("nothing waits")
        await user.press("d")
        assert re.search(r"\d\d:\d\d:\d\d  bank  Approve Payment", await user.sees("Approve Payment", "  done"))

    app = used(use, (columns, 24))
    sent = home.server.requests(f"{OPERATIONS}/authorize", after=before)
    assert home.status(id) == "APPROVED" and len(sent) == 1 and not app.untold


@pytest.mark.parametrize("acts", [True, False])
def test_an_answer_that_is_lost_later(home: Command, acts: bool) -> None:
    """Whether the bank has acted or not: the user, who went on, is told that nobody knows."""
    id = home.operation()

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        home.server.fault(f"{OPERATIONS}/authorize", "latency", ms=LATE // 3)
        home.server.fault(f"{OPERATIONS}/authorize", "close_after_read", process=acts)
        await sends(user)
        await user.press("escape", "escape")
        await user.at(Pending)
        await user.at(Telling)
        await user.sees("Approve Payment confirmation", "The server may have acted")
        await user.press("enter")
        await user.at(Pending)
        await user.press("d")
        await user.sees("no answer: it may have happened")

    used(use, (40, 24))
    assert home.status(id) == ("APPROVED" if acts else "PENDING")


def test_a_wrong_pin_that_is_told_later(home: Command) -> None:
    id = home.operation()

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        home.server.fault(f"{OPERATIONS}/authorize", "latency", ms=LATE // 3, after=True)
        await user.press("a")
        await user.types("1111")
        await user.at(Sending)
        await user.press("escape", "escape")
        await user.sees("Approve Payment confirmation", "Wrong PIN. 4 attempts left.")

    used(use)
    assert home.status(id) == "PENDING"


def test_leaving_asks_for_what_is_on_its_way(home: Command) -> None:
    """Who waits is told the result, and the view goes on."""
    id = home.operation()

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        home.server.fault(f"{OPERATIONS}/authorize", "latency", ms=LATE, after=True)
        await sends(user)
        await user.press("ctrl+q")
        await user.at(Choosing)
        await user.sees("On its way, without an answer yet: Approve Payment", "Wait for", "Leave, and look")
        await user.press("enter")
        await user.at(Sending)
        await user.press("escape", "escape", "q")
        await user.at(Choosing)
        await user.press("enter")
        await user.at(Sending)
        await user.sees("1250.50 EUR was")
        await user.press("enter")
        await user.at(Pending)

    assert not used(use).untold
    assert home.status(id) == "APPROVED"


@pytest.mark.parametrize("asked", [True, False])
def test_leaving_at_a_terminal(home: Command, asked: bool) -> None:
    """What was left behind is said below, with an exit code of its own; Ctrl-C at the question leaves too."""
    home.operation()
    home.run("list")
    home.server.fault(f"{OPERATIONS}/authorize", "latency", ms=10 * LATE, after=True)
    terminal = home.terminal()
    terminal.expect("1 waiting")
    terminal.send("a")
    terminal.expect("PIN to approve")
    terminal.send(PIN + "\r")
    terminal.expect("On its way since")
    terminal.send("\x03")
    terminal.expect("Leave, and look")
    terminal.send("\x1b[B\r" if asked else "\x03")
    terminal.expect("On its way when you left: Approve Payment confirmation")
    terminal.expect("The server may have acted. Check before you repeat: mtoken list, mtoken history")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 6


def test_cancelled_meanwhile(home: Command) -> None:
    id = home.operation()

    async def use(user: User) -> None:
        await user.sees("Payment")
        home.server.admin("POST", f"/operations/{id}/cancel")
        await user.press("a")
        await user.types(PIN)
        await user.sees("the bank has cancelled the operation", "Next: ")

    used(use)


@pytest.mark.parametrize("source", ["file", "screen", "text"])
def test_offline(home: Command, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code for the bank is right; nothing was sent but by the list."""
    activation = home.json("status")["activation_id"]
    id = home.operation(template="login")
    made = home.server.admin("POST", f"/operations/{id}/offline", {})
    picture = tmp_path / "code.png"
    segno.make(made["offlineData"]).save(str(picture), scale=4)
    from mtoken_command.view import offline

    monkeypatch.setattr(offline.scan, "scan_screen", lambda: [made["offlineData"]])
    shown = []

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        await user.press("o")
        await user.at(Choosing)
        await user.press(*["down"] * ["file", "screen", "text"].index(source), "enter")
        if source == "file":
            await user.types(str(picture))
        elif source == "text":
            await user.types(made["offlineData"])
        await user.sees("Login", "Signed data")
        await user.press("enter")
        await user.types(PIN)
        await user.sees("Type this code at the bank")
        shown.extend(digits.value for digits in user.app.screen.query(Digits))
        assert wide(user.screen()) <= 40
        await user.press("enter")

    used(use, (40, 30))
    code = "".join(shown).replace(" ", "")
    assert len(code) == 16 and code.isdigit()
    words = {"activationId": activation, "operationId": id, "code": f"{code[:8]}-{code[8:]}"}
    checked = home.server.admin("POST", "/offline/verify", words)
    assert checked["valid"]


def test_offline_without_a_code(home: Command, tmp_path: Path) -> None:
    async def use(user: User) -> None:
        await user.sees("nothing waits")
        await user.press("o")
        await user.at(Choosing)
        await user.press("enter")
        await user.types(str(tmp_path / "none.png"))
        await user.sees("could not read")
        await user.press("enter")
        await user.at(Pending)

    used(use)


def test_history_and_inbox(home: Command) -> None:
    id = home.operation()
    home.run("reject", id, "--yes")
    home.run("approve", home.operation(template="login"), "--yes", pin=PIN)
    home.server.admin(
        "POST",
        "/inbox",
        {
            "userId": home.user,
            "subject": "Welcome",
            "summary": "Short",
            "body": "<p>The <b>whole</b> text</p>",
            "type": "html",
        },
    )

    async def use(user: User) -> None:
        await user.sees("nothing waits")
        await user.press("h")
        await user.types(PIN)
        await user.at(History)
        shown = await user.sees("history · 2 operations", "rejected", "approved", "Payment", "20")
        assert wide(shown) <= 40
        await user.press("f")
        await user.sees("history · 1 approved", "Login")
        await user.press("f")
        await user.sees("history · 1 rejected")
        await user.press("enter")
        await user.at(Past)
        await user.sees("Payment confirmation", "CZ5508000000001234567899")
        await user.press("escape")
        await user.at(History)
        await user.press("escape")
        await user.at(Pending)
        await user.press("i")
        await user.at(Inbox)
        await user.sees("1 unread", "Welcome")
        await user.press("enter")
        await user.at(Message)
        await user.sees("The whole text")
        await user.press("escape", "escape")
        await user.at(Pending)

    used(use, (40, 24))
    assert home.json("inbox", "list")["messages"][0]["read"]


def test_accounts(home: Command) -> None:
    home.add("other")
    home.operation()

    async def use(user: User) -> None:
        await user.sees("bank · 1 waiting")
        await user.press("s")
        await user.at(Choosing)
        await user.sees("bank", "other")
        await user.press("down", "enter")
        await user.sees("other is not activated: mtoken -p other activate")
        await user.press("s")
        await user.at(Choosing)
        await user.press("enter")
        await user.sees("bank · 1 waiting")

    used(use)


class Guard(Dict[str, bytes]):
    """Seals for who knows the password."""

    def __init__(self, password: Any):
        self.password = bytes(password or b"", "ascii") if isinstance(password, str) else bytes(password or b"")

    def seal(self, label: str, data: bytes) -> bytes:
        return b"%s|%s" % (self.password, data)

    def unseal(self, label: str, sealed: bytes) -> bytes:
        password, _, data = sealed.partition(b"|")
        if password != self.password:
            raise mtoken.sealer.SealFailure(mtoken.SealFault.DENIED)
        return data


def test_the_password_of_a_sealer(home: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for in the view's own box, by the sealer's name. Nobody is asked again unasked: a card counts."""
    tried = []

    def opened(name: str, *, password: Any = None, **options: Any) -> mtoken.Sealer:
        tried.append(password)
        return mtoken.Sealer.host(Guard(password))

    monkeypatch.setattr(mtoken.Sealer, "open", opened)
    monkeypatch.setattr(view_app, "INTERVAL", 0.3)
    known = profiles.load()
    chosen = replace(known.find(None), sealer="pkcs11 device=Card password=asked")
    with session.connected(chosen.__class__(**{**chosen.__dict__, "sealer": None})) as client:
        client.reseal(mtoken.Sealer.host(Guard("right")))
    profiles.save(known.with_profile(chosen))
    home.operation()
    tried.clear()

    async def use(user: User) -> None:
        await user.at(Asking)
        await user.sees("Password of the sealer pkcs11 (Card)")
        await user.types("wrong")
        await user.sees("press u to type it")
        assert tried == ["wrong"]
        await user.press("u")
        await user.types("right")
        await user.sees("bank · 1 waiting")
        await user.press("a")
        await user.types(PIN)
        await user.sees("was confirmed")
        assert set(tried) == {"wrong", "right"} and tried.count("wrong") == 1

    used(use)


def test_the_last_attempt_and_an_expired_operation(home: Command) -> None:
    """What may block the activation is said before it is done; for what has expired nobody is asked for the PIN."""
    id = home.operation()
    for _ in range(4):
        home.run("pin", "check", pin="1111", code=4)

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        await user.press("a")
        await user.at(Asking)
        shown = await user.sees("This is the last attempt", "YOU SIGN")
        assert shown.index("Please confirm the payment") < shown.index("This is the last attempt"), "it covers it"
        await user.press("escape")
        await user.at(Detail)
        assert isinstance(user.app.screen, Detail) and user.app.looker is not None
        user.app.looker._ahead += timedelta(hours=1)
        await user.press("a")
        await user.at(Telling)
        await user.sees("has expired: nothing was approved")

    used(use, (80, 24))
    assert home.status(id) == "PENDING"


def test_help_palette_and_two_columns(home: Command) -> None:
    home.operation(template="login")
    home.operation()

    async def use(user: User) -> None:
        await user.sees("2 waiting", "Account: CZ55", "YOU SIGN")
        await user.press("down")
        await user.sees("│ Login")
        await user.press("question_mark")
        await user.at(Telling)
        await user.sees("Nothing is approved by a single key")
        await user.press("enter")
        await user.at(Pending)
        await user.press("ctrl+p")
        await user.sees("offline QR")
        await user.press(*"done", "enter")
        await user.sees("done in this session")

    used(use, (100, 40))


def test_opened_at_an_operation(home: Command) -> None:
    """As a notification does it. Back from there is the list."""
    home.operation(template="login")
    id = home.operation()
    home.operation(template="login")

    async def use(user: User) -> None:
        await user.at(Detail)
        await user.sees("CZ5508000000001234567899")
        await user.press("escape")
        await user.sees("3 waiting", "▸ Payment")

    used(use, opens=id)


def test_without_a_profile(home: Command) -> None:
    async def use(user: User) -> None:
        await user.sees("mtoken profile add", "To try it out")
        await user.press("a", "o", "escape", "q")

    used(use, (40, 24), profile=False)


def test_other_commands_use_the_account(home: Command) -> None:
    """While the view is open they list and approve, and the view shows it."""
    id = home.operation()

    async def use(user: User) -> None:
        await user.sees("Payment")
        await asyncio.to_thread(home.run, "approve", id, "--yes", pin=PIN)
        await user.press("u")
        await user.sees("nothing waits")

    used(use)
    assert home.status(id) == "APPROVED"


def test_while_another_program_has_the_account(home: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is waited for; after that the view says so and goes on."""
    home.operation()
    with ExitStack() as other:
        other.enter_context(session.activated(profiles.load().find(None)))
        monkeypatch.setattr(session, "PATIENCE", 0.2)

        async def use(user: User) -> None:
            await user.sees("another program uses the account")
            other.close()
            await user.press("u")
            await user.sees("1 waiting")

        used(use)


def test_without_colour(home: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is drawn is a shade of grey, and what is chosen has a mark."""
    home.operation()
    monkeypatch.setenv("NO_COLOR", "1")

    async def use(user: User) -> None:
        await user.sees("▸", "━")
        colours = set()
        for strip in user.app.screen._compositor.render_strips():
            for filter in user.app._filters:
                strip = strip.apply_filter(filter, user.app.screen.background_colors[1])
            colours |= {
                c.triplet
                for segment in strip
                if segment.style
                for c in (segment.style.color, segment.style.bgcolor)
                if c
            }
        assert len(colours) > 1
        assert all(colour and colour.red == colour.green == colour.blue for colour in colours), colours

    used(use)


def faint(user: User) -> Dict[str, float]:
    """Words of the screen that hardly stand out from their ground: their contrast, as WCAG counts it."""

    def light(colour: Any) -> float:
        parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    app, found = user.app, {}
    boxes = app.screen.query(".box")
    area = boxes.first().region if boxes else app.screen.region  # what lies under a box is dark on purpose
    for number, strip in enumerate(app.screen._compositor.render_strips()):
        if not area.y <= number < area.bottom:
            continue
        for filter in app._filters:
            strip = strip.apply_filter(filter, app.screen.background_colors[1])
        for segment in strip.crop(area.x, area.right):
            words, style = segment.text.strip(" " + "".join(ARMS)), segment.style
            if words and style and style.color and style.bgcolor:
                colours = [
                    (one.triplet.red, one.triplet.green, one.triplet.blue) for one in (style.color, style.bgcolor)
                ]
                dark, bright = sorted(map(light, colours))
                if (bright + 0.05) / (dark + 0.05) < 4.5:
                    found[words] = round((bright + 0.05) / (dark + 0.05), 1)
    return found


@pytest.mark.parametrize("plain", [False, True], ids=["colour", "no colour"])
def test_everything_can_be_read(home: Command, monkeypatch: pytest.MonkeyPatch, plain: bool) -> None:
    """Whatever matters stands out, in colour and without: warnings, refusals, what is chosen, what is wrong."""
    if plain:
        monkeypatch.setenv("NO_COLOR", "1")
    home.run("reject", home.operation(), "--yes")
    home.operation(**LIE)
    home.operation(template="showcase", parameters=SHOWCASE)
    home.server.admin("POST", "/inbox", {"userId": home.user, "subject": "Welcome", "summary": "Short", "body": "Text"})

    async def use(user: User) -> None:
        await user.sees("does not show what it signs", "Everything at once")
        assert not faint(user)
        await user.press("h")
        await user.types("1111")
        await user.sees("Wrong PIN. 4 attempts left.")
        assert not faint(user)
        await user.types(PIN)
        await user.sees("rejected")
        assert not faint(user)
        await user.press("escape")
        await user.at(Pending)
        await user.press("i")
        await user.sees("1 unread", "▸● Welcome")
        assert not faint(user)
        await user.press("escape")
        await user.at(Pending)
        for where in ("home", "end"):
            await user.press(where, "enter")
            await user.at(Detail)
            await user.sees("pending")
            assert not faint(user)
            await user.press("r")
            await user.at(Choosing)
            assert not faint(user)
            await user.press("escape", "escape")
            await user.at(Pending)

    used(use, (80, 40))


def test_a_look_ends_nothing_that_the_user_has_begun(home: Command) -> None:
    """The view looks by itself, while a PIN is typed and just after a key."""
    home.operation()
    home.server.admin("POST", "/inbox", {"userId": home.user, "subject": "Welcome", "summary": "Short", "body": "Text"})

    async def use(user: User) -> None:
        await user.sees("1 waiting")
        pending = user.app.screen
        assert isinstance(pending, Pending)
        await user.press("h")
        await user.at(Asking)
        pending.action_look()
        await user.types(PIN)
        await user.at(History)
        await user.press("escape")
        await user.at(Pending)
        pending.action_inbox()
        pending.action_look()
        await user.at(Inbox)

    used(use)


def test_the_bar(home: Command) -> None:
    from datetime import timedelta

    home.operation()
    (operation,) = home_operations(home)
    whole = operation.expires - operation.created
    for part, filled in ((0.0, 20), (0.5, 10), (0.99, 1), (1.0, 0), (2.0, 0)):
        assert bar(operation, operation.created + whole * part, 20).plain.count("━") == filled
    assert len(bar(operation, operation.created - timedelta(1), 20).plain) == 20


def home_operations(home: Command) -> Any:
    with session.activated(profiles.load().find(None)) as client:
        return client.operations.list()


# The command


def test_at_a_terminal(home: Command) -> None:
    """`mtoken` alone opens it; q leaves it, and Ctrl-C does with its own code."""
    home.operation()
    for key, code in (("q", 0), ("\x03", 130)):
        terminal = home.terminal()
        terminal.expect("1 waiting")
        terminal.send(key)
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == code


def test_without_a_terminal_or_textual(home: Command, tmp_path: Path) -> None:
    assert "needs a terminal" in home.run(code=2)
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "textual.py").write_text("raise ModuleNotFoundError('no', name='textual')")
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "mtoken_command"],
        env={**home.environment, "PYTHONPATH": f"{tmp_path / 'none'}:{CHILD_PATH}"},
        encoding="utf-8",
        timeout=30,
        dimensions=(24, 200),
    )
    terminal.expect(r"pip install textual")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 2


def test_the_profile_before_the_command(home: Command) -> None:
    home.add("other")
    assert "other is not activated" in home.run("--profile", "other", "list", code=3)
    home.run("--profile", "bank", "list")


# Pictures


def pictures(home: Command) -> Dict[str, str]:
    """The pictures of the page on the command."""
    asked = ({"template": "showcase", "parameters": SHOWCASE}, {}, {"template": "login"})
    for seconds, members in zip((0, 120, 200), asked):
        home.server.admin("PUT", "/clock", {"offsetMs": -1000 * seconds})  # these were made some time ago
        home.operation(**members)
    home.server.admin("PUT", "/clock", {"offsetMs": 0})
    home.run("reject", home.operation(), "--yes")
    id = home.operation(template="login")
    payload = home.server.admin("POST", f"/operations/{id}/offline", {})["offlineData"]
    home.server.admin("POST", f"/operations/{id}/cancel")
    for subject, summary in (("October", "Your statement is ready"), ("Your card", "It is on its way")):
        message = {"userId": home.user, "subject": subject, "summary": summary, "body": summary}
        home.server.admin("POST", "/inbox", message)
    taken = {}

    def picture(user: User, name: str) -> None:
        drawn = user.app.export_screenshot(title="mtoken", simplify=True)
        taken[f"view-{name}"] = finished(re.sub(r"terminal-\d+-", f"view-{name}-", drawn))

    async def use(user: User) -> None:
        await user.sees("Everything", "UTC\n ▸ Login")
        picture(user, "list")
        await user.press("down", "enter")
        await user.sees("CZ5508000000001234567899")
        picture(user, "detail")
        await user.press("a")
        await user.types("1111")
        await user.sees("Wrong PIN. 4 attempts left.")
        picture(user, "pin")
        await user.press("escape", "escape")
        await user.at(Pending)
        await user.press("i")
        await user.sees("2 unread", "▸● Your card")
        picture(user, "inbox")
        await user.press("escape")
        await user.at(Pending)
        await user.press("h")
        await user.types(PIN)
        await user.sees("rejected")
        picture(user, "history")
        await user.press("escape")
        await user.at(Pending)
        await user.press("o")
        await user.at(Choosing)
        await user.press("down", "down", "enter")
        await user.types(payload)
        await user.sees("Signed data")
        await user.press("enter")
        await user.types(PIN)
        await user.sees("Type this code at the bank")
        picture(user, "offline")

    def narrow(name: str) -> Callable[[User], Awaitable[None]]:
        async def use(user: User) -> None:
            await user.sees("Everything", "▸ Login")
            picture(user, name)

        return use

    used(use, (80, 24))
    used(narrow("wide"), (110, 30))
    used(narrow("narrow"), (40, 20))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_COLOR", "1")
        used(narrow("plain"), (40, 20))
    return taken


def test_the_pictures(home: Command) -> None:
    """They show what the view shows."""
    for name, taken in pictures(home).items():
        file = SCREENS / f"{name}.svg"
        assert f"screens/{file.name}" in PAGE.read_text(encoding="utf-8"), "a picture that no page shows"
        assert file.stat().st_size < 200_000
        assert invariant(drawn(file.read_text(encoding="utf-8"))) == invariant(drawn(taken)), name


def drawn(picture: str) -> str:
    """The words of a picture, without the date, the clock and the bars, which are never the same twice."""
    return re.sub(r"\d{4}-\d\d-\d\d|\d\d:\d\d(?::\d\d)?|[━╌]+", "…", text_of(picture))


def rewrite() -> None:
    """Takes the pictures anew."""
    with tempfile.TemporaryDirectory() as folder:
        server = DevServer(Path(folder, "server"))
        made = Command(Path(folder), server, "alice")
        os.environ["HOME"] = folder
        made.add()
        made.run("activate", made.code(), pin=PIN)
        for name, taken in pictures(made).items():
            (SCREENS / f"{name}.svg").write_text(taken, encoding="utf-8")
        server.stop()


if __name__ == "__main__":
    rewrite()
