"""The view itself: what waits, live, and the ways from there."""

from __future__ import annotations

import asyncio
from typing import Callable, ClassVar, List, Optional, TypeVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

import mtoken

from .. import kept, show, states
from .. import profiles as files
from ..looking import Looker
from ..output import Stop, clean
from ..profiles import Profile, ProfileError
from ..session import Account
from .detail import Detail
from .dialogs import Asking, Choosing, Telling
from .keys import KeyBar
from .offline import offline
from .pages import History, Inbox
from .rows import Row
from .shades import SHADES

R = TypeVar("R")
INTERVAL = 7.0
"""Seconds between two looks."""
_EXPECTED = (mtoken.MTokenError, Stop, ProfileError, OSError, ValueError)


class View(App[None]):
    """A mobile token over the whole terminal."""

    TITLE = "mtoken"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    .keys { dock: bottom; height: auto; padding: 0 1; background: $panel; link-style: none; link-color: $text; }
    Input { border: round $primary; background: $surface; }
    #state { height: auto; padding: 0 1; background: $panel; text-style: bold; }
    #said { height: auto; }
    #note, .hint { height: auto; padding: 0 1; }
    .box .hint { padding: 0; }
    #list { height: 1fr; border: none; background: $background; padding: 0; }
    #list:focus { border: none; }
    OptionList > .option-list--option { padding: 0 1; }
    OptionList > .option-list--option-highlighted, OptionList:focus > .option-list--option-highlighted {
        background: $primary-darken-3; color: $text; text-style: bold; }
    .page { height: 1fr; padding: 0 1; }
    ModalScreen { align: center middle; }
    .box { width: 90%; max-width: 84; height: auto; max-height: 90%; border: round $primary; padding: 0 1;
        background: $surface; }
    .box .keys { dock: none; background: $surface; padding: 0; margin-top: 1; }
    .box OptionList { height: auto; max-height: 16; border: none; }
    Digits { width: auto; }
    """
    BINDINGS: ClassVar[List[BindingType]] = [("ctrl+c", "interrupt", "quit"), ("ctrl+q", "quit", "quit")]

    def __init__(self, profile: Optional[Profile], hint: str = "", pin_hint: str = ""):
        super().__init__()
        self.hint, self._pin_hint = hint, pin_hint
        self.ansi_theme_dark = SHADES
        self.profile = profile
        self.account: Optional[Account] = None
        self.looker: Optional[Looker] = None
        self.interrupted = False
        if profile is not None:
            self.use(profile)

    def use(self, profile: Profile) -> None:
        """Goes over to the account of a profile."""
        if self.account is not None:
            self.account.close()
        self.profile = profile
        self.account = Account(profile)
        self.looker = Looker(self.account)

    def on_mount(self) -> None:
        self.push_screen(Pending())

    def on_unmount(self) -> None:
        if self.account is not None:
            self.account.close()

    async def action_quit(self) -> None:
        # What is asked at the moment ends with the connections: nobody waits for it.
        self.on_unmount()
        self.exit()

    async def action_interrupt(self) -> None:
        self.interrupted = True
        await self.action_quit()

    # What the screens do

    async def ask(self, call: Callable[[mtoken.Client], R]) -> R:
        """What the bank answers. The view goes on meanwhile."""

        def run() -> R:
            if self.account is None:
                raise Stop("there is no account")
            with self.account.open() as client:
                return call(client)

        return await asyncio.to_thread(run)

    async def tell(self, content: RenderableType, *, digits: str = "", seconds: int = 0, decide: bool = False) -> bool:
        """Shows something in a box until the user goes on; False: the user goes back."""
        screen = Telling(content, digits=digits, seconds=seconds, decide=decide)
        answer: Optional[bool] = await self.push_screen_wait(screen)
        return bool(answer)

    async def prove(
        self, call: Callable[[mtoken.Client, mtoken.Auth], R], what: str, signed: Optional[str] = None
    ) -> Optional[R]:
        """Calls with the PIN, asked for below what is signed. A wrong one is asked for again; None: the user gave up,
        or was told why it failed."""
        said = ""
        while True:
            pin = await self._pin(what, said, signed)
            if pin is None:
                return None
            try:
                with mtoken.Auth.pin(pin) as auth:
                    return await self.ask(lambda client: call(client, auth))
            except mtoken.AuthenticationError as error:
                said = str(states.explained(error))
                if self.profile is not None:
                    self.profile = self.profile.without_pin()
                if not error.remaining_attempts:
                    await self.tell(failure(error))
                    return None
            except _EXPECTED as problem:
                await self.tell(failure(problem))
                return None
            finally:
                pin[:] = bytes(len(pin))

    async def _pin(self, what: str, said: str, signed: Optional[str]) -> Optional[bytearray]:
        if self.profile is not None and self.profile.remember_pin:
            found = await asyncio.to_thread(kept.remembered, self.profile, kept.PIN)
            if found is not None:
                return bytearray(found, "utf-8")
        asking = Asking(f"PIN to {what}", hidden=True, said=said, hint=self._pin_hint, signed=signed)
        typed = await self.push_screen_wait(asking)
        return None if typed is None else bytearray(typed, "utf-8")

    async def tried(self, call: Callable[[mtoken.Client], R]) -> Optional[R]:
        """As `ask`; None: it failed, and that was told."""
        try:
            return await self.ask(call)
        except _EXPECTED as problem:
            await self.tell(failure(problem))
            return None


def failure(problem: BaseException) -> RenderableType:
    """What went wrong, and what to do."""
    trouble = states.trouble(problem) if isinstance(problem, mtoken.MTokenError) else None
    text = Text(clean(trouble.what if trouble else str(problem)), style="bold red")
    parts: List[RenderableType] = [text]
    if trouble:
        parts.append(Text(f"Next: {trouble.next}"))
    if isinstance(problem, mtoken.MTokenError) and problem.outcome is mtoken.Outcome.UNKNOWN:
        parts.append(Text("The server may have acted. Look at the list and the history before you repeat it."))
    return Group(*parts)


NOBODY = """No bank yet. In a shell:

  mtoken profile add NAME --server URL --config CONFIG
  mtoken activate

To try it out without a bank: mtoken demo"""


class Pending(Screen[None]):
    """What waits for approval, with the time that is left."""

    app: View
    BINDINGS: ClassVar[List[BindingType]] = [
        ("a", "decide('approve')", "approve"),
        ("r", "decide('reject')", "reject"),
        ("o", "offline", "offline QR"),
        ("h", "history", "history"),
        ("i", "inbox", "inbox"),
        ("s", "switch", "accounts"),
        ("u", "look", "update"),
        ("q", "app.quit", "quit"),
    ]
    KEYS: ClassVar = [
        ("↑↓", "choose", ""),
        ("enter", "open", ""),
        ("a", "approve", "screen.decide('approve')"),
        ("r", "reject", "screen.decide('reject')"),
        ("o", "offline QR", "screen.offline"),
        ("h", "history", "screen.history"),
        ("i", "inbox", "screen.inbox"),
        ("s", "accounts", "screen.switch"),
        ("q", "quit", "app.quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._problem: Optional[BaseException] = None
        self._shown: List[mtoken.Operation] = []

    def compose(self) -> ComposeResult:
        yield Static(id="state")
        yield Static(id="note")
        yield OptionList(id="list")
        if self.app.hint:
            yield Static(show.text(self.app.hint), classes="hint")
        yield KeyBar(self.KEYS)

    def on_mount(self) -> None:
        self.set_interval(1, self.show_time)
        self.set_interval(INTERVAL, self.action_look)
        self.action_look()

    @property
    def _list(self) -> OptionList:
        return self.query_one("#list", OptionList)

    @work(exclusive=True, group="look")
    async def action_look(self) -> None:
        """Asks the bank now. Only another look ends this one, and it ends nothing that the user has begun."""
        looker = self.app.looker
        self._show()
        if looker is None:
            return
        try:
            await asyncio.to_thread(looker.look)
            self._problem = None
        except _EXPECTED as problem:
            self._problem = problem
        if looker is self.app.looker:
            self._show()

    def show_time(self) -> None:
        """The bars, a second later."""
        if self.is_current:
            self._show()

    def _show(self) -> None:
        if not self.query("#state"):
            return  # an answer that came when the user had left
        looker, profile = self.app.looker, self.app.profile
        look = looker.last if looker else None
        name = profile.name if profile else "mtoken"
        if profile is None:
            self._tell(name, Text(NOBODY))
            return
        if self._problem is not None:
            self._tell(name, failure(self._problem))
        elif look is None:
            self._tell(name, Text("Asking the bank …"))
        elif look.error is not None:
            self._tell(f"{name} · as of {look.seen:%H:%M:%S}" if look.seen else name, failure(look.error))
        else:
            waiting = f"{len(look.operations)} waiting" if look.operations else "nothing waits"
            self._tell(f"{name} · {waiting} · {look.time:%H:%M:%S} UTC", Text())
        self._rows(look.operations if look else ())

    def _tell(self, state: str, note: RenderableType) -> None:
        self.query_one("#state", Static).update(Text(state, no_wrap=True, overflow="ellipsis"))
        self.query_one("#note", Static).update(note)
        self.query_one("#note").display = note != Text()

    def _rows(self, operations: tuple[mtoken.Operation, ...]) -> None:
        assert self.app.looker is not None
        now = self.app.looker.now()
        there, chosen = self._list, self.chosen
        ids = [operation.id for operation in operations]
        if ids != [operation.id for operation in self._shown]:
            place = ids.index(chosen.id) if chosen and chosen.id in ids else min(there.highlighted or 0, len(ids) - 1)
            self._shown = list(operations)
            there.clear_options()
            there.add_options([Option(Row(one, now, index == place)) for index, one in enumerate(operations)])
            there.highlighted = place if ids else None
        self._shown = list(operations)
        for index, operation in enumerate(operations):
            there.replace_option_prompt_at_index(index, Row(operation, now, index == there.highlighted))

    def on_option_list_option_highlighted(self) -> None:
        if self.app.looker is not None:
            self._rows(tuple(self._shown))

    @property
    def chosen(self) -> Optional[mtoken.Operation]:
        """The operation that the mark stands at."""
        place = self._list.highlighted
        return self._shown[place] if place is not None and place < len(self._shown) else None

    @work
    async def on_option_list_option_selected(self) -> None:
        if self.chosen is not None:
            await self._open(Detail(self.chosen, self.app.looker))

    @work
    async def action_decide(self, what: str) -> None:
        """Opens the chosen operation and begins to approve or reject it: nobody approves what is not shown."""
        if self.chosen is not None:
            await self._open(Detail(self.chosen, self.app.looker, begin=what))

    async def _open(self, screen: Screen[None]) -> None:
        await self.app.push_screen_wait(screen)
        self.action_look()

    @work
    async def action_offline(self) -> None:
        """An operation that the bank shows as a QR code."""
        await offline(self.app)

    @work
    async def action_history(self) -> None:
        """What was decided before. The bank wants the PIN."""
        listed = await self.app.prove(lambda client, auth: client.operations.history(auth), "see the history")
        if listed is not None:
            await self._open(History(listed))

    @work
    async def action_inbox(self) -> None:
        """Messages of the bank."""
        messages = await self.app.tried(lambda client: client.inbox.all(100, 100))
        if messages is not None:
            await self._open(Inbox(messages))

    @work
    async def action_switch(self) -> None:
        """Another account."""
        known = files.load().profiles
        answers = [(name, f"{name}  {profile.server}") for name, profile in known.items()]
        if not answers:
            await self.app.tell(Text(NOBODY))
            return
        name = await self.app.push_screen_wait(Choosing("Account", answers))
        if name is not None:
            self.app.use(known[name])
            self._problem = None
            self.action_look()
