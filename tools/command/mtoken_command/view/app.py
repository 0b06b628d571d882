# SPDX-License-Identifier: Apache-2.0
"""The view itself: the list of operations, live, and the screens that open from it."""

from __future__ import annotations

import asyncio
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, Callable, ClassVar, Iterable, List, Optional, Sequence, Set, TypeVar, Union

import mtoken
from rich.console import Group, RenderableType
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Resize
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from .. import keepers, kept, naming, session, show, states
from .. import profiles as files
from ..layout import Facts
from ..looking import Looker
from ..output import Exit, Stop
from ..profiles import Profile, ProfileError
from ..session import Account
from .deeds import Deed, Done, Sending, failure, now
from .detail import Detail
from .dialogs import BIOMETRY, Asking, Choosing, Telling
from .keys import KeyBar
from .offline import offline
from .pages import History, Inbox
from .rows import Row
from .shades import SHADES

R = TypeVar("R")
INTERVAL = 7.0
"""Seconds between two requests."""
STATUS_SECONDS = 3.0
"""Seconds to wait for the number of attempts left before an approval continues without it."""
_EXPECTED = (mtoken.MTokenError, Stop, ProfileError, OSError, ValueError)


class View(App[None]):
    """A mobile token over the whole terminal."""

    TITLE = "mtoken"
    CSS = """
    .keys { dock: bottom; height: auto; padding: 0 1; background: $panel; link-style: none; link-color: $text; }
    Input { border: round $primary; background: $surface; }
    #state { height: auto; padding: 0 1; background: $panel; text-style: bold; }
    #said { height: auto; }
    #note, .hint { height: auto; padding: 0 1; }
    .box .hint { padding: 0; }
    #list { height: 1fr; border: none; background: $background; padding: 0; }
    #list:focus { border: none; }
    #columns { height: 1fr; }
    #beside { display: none; width: 3fr; padding: 0 1; border-left: solid $primary; }
    .wide #beside { display: block; }
    .wide #list { width: 2fr; }
    OptionList > .option-list--option { padding: 0 1; }
    OptionList > .option-list--option-highlighted, OptionList:focus > .option-list--option-highlighted {
        background: $primary-darken-3; color: $text; text-style: bold; }
    .page { height: 1fr; padding: 0 1; }
    ModalScreen { align: center middle; }
    .low { align: center bottom; }
    .box { width: 90%; max-width: 84; height: auto; max-height: 90%; border: round $primary; padding: 0 1;
        background: $surface; }
    .box .keys { dock: none; background: $surface; padding: 0; margin-top: 1; }
    .box OptionList { height: auto; max-height: 16; border: none; }
    Digits { width: auto; }
    """
    BINDINGS: ClassVar[List[BindingType]] = [
        Binding("ctrl+c", "interrupt", "quit", priority=True),  # also where a box is open
        Binding("ctrl+q", "quit", "quit", priority=True),
        ("question_mark", "help", "help"),
    ]

    def __init__(self, profile: Optional[Profile], hint: str = "", pin_hint: str = "", opens: Optional[str] = None):
        super().__init__()
        self.hint, self._pin_hint = hint, pin_hint
        self.opens = opens
        self.another: Optional[Callable[[], object]] = None
        """Creates one more operation in a demo."""
        self.ansi_theme_dark = SHADES
        self.profile = profile
        self.account: Optional[Account] = None
        self._accounts: List[Account] = []
        self.looker: Optional[Looker] = None
        self.interrupted = False
        self.deeds: List[Deed[Any]] = []
        self._untold: asyncio.Queue[Deed[Any]] = asyncio.Queue()
        self._asks_to_leave = False
        self._passwords: List[Future[Optional[str]]] = []
        self._asked_for: Set[str] = set()
        if profile is not None:
            self.use(profile)

    def use(self, profile: Profile) -> None:
        """Changes to the account of a profile. The former one stays open, because a request of it may be under way."""
        self.profile = profile
        self.account = next((one for one in self._accounts if one.profile == profile), None)
        if self.account is None:
            self.account = Account(profile)
            self._accounts.append(self.account)
        self.looker = Looker(self.account)

    def on_mount(self) -> None:
        keepers.asking = self._ask_password
        self.push_screen(Pending())
        self._tell_what_ended()

    def on_unmount(self) -> None:
        for waiting in self._passwords:
            waiting.cancel()
        for account in self._accounts:
            account.close()

    @work
    async def action_help(self) -> None:
        """The keys and their effects."""
        if not isinstance(self.screen, ModalScreen):
            await self.tell(helping())

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The entries of the palette: the keys of this screen."""
        for key, words, action in getattr(screen, "KEYS", ()):
            if action:
                yield SystemCommand(words, f"the key {key}", partial(self.run_action, action, screen))
        yield SystemCommand("help", "the keys, and what they do", self.action_help)
        yield SystemCommand("quit", "leave the view", self.action_quit)

    async def action_quit(self) -> None:
        self._leave(False)

    async def action_interrupt(self) -> None:
        self._leave(True)

    @work
    async def _leave(self, interrupted: bool) -> None:
        """Ends the view. If a request is under way, asks the user first, but only once."""
        waiting = self.on_its_way
        if waiting and not self._asks_to_leave:
            self._asks_to_leave = True
            answer = await self.push_screen_wait(Choosing(on_its_way(waiting), LEAVING))
            self._asks_to_leave = False
            if answer != "leave":
                if answer == "wait" and not waiting[-1].over.is_set() and not isinstance(self.screen, ModalScreen):
                    await self.follow(waiting[-1])
                return
        self.interrupted = interrupted
        # Requests under way end with the connections.
        self.on_unmount()
        self.exit()

    def _ask_password(self, what: str) -> str:
        """The password of a sealer, in a box above what is shown: the thread that opens the account waits for it. Who
        typed a wrong one, or none, is asked again only when he wants: a card counts."""
        again = Stop(f"{what} is needed: press u to type it", Exit.DECLINED)
        if what in self._asked_for:
            raise again
        self._asked_for.add(what)
        answer: Future[Optional[str]] = Future()
        self._passwords.append(answer)
        try:
            self.call_from_thread(self.push_screen, Asking(what, hidden=True), _answers(answer))
            typed = answer.result()
        except (CancelledError, RuntimeError):  # the view ends
            typed = None
        if typed is None:
            raise again
        return typed

    def ask_again(self) -> None:
        """From now on, passwords are asked for once more."""
        self._asked_for.clear()

    # What the screens do

    @property
    def on_its_way(self) -> List[Deed[Any]]:
        """Requests that may change something at the bank and have no answer yet."""
        return [deed for deed in self.deeds if deed.ended is None and deed.told is not None]

    @property
    def untold(self) -> List[Deed[Any]]:
        """Requests that may have changed something at the bank and whose result the user has not read."""
        return [deed for deed in self.deeds if deed.told is not None and not deed.read]

    def deed_about(self, id: str) -> Optional[Deed[Any]]:
        """The request under way for an operation, or the decision about it."""
        found = (deed for deed in reversed(self.deeds) if deed.about == id)
        return next((deed for deed in found if deed.ended is None or deed.problem is None), None)

    async def send(self, deed: Deed[Any]) -> bool:
        """Sends a request and waits with the user. False: the user continues, and sees the result later."""
        self.deeds.append(deed)
        self.run_worker(self._carry(deed))
        return await self._watch(deed)

    async def follow(self, deed: Deed[Any]) -> None:
        """Waits for a request that is already under way, and shows its result."""
        if deed.over.is_set() or await self._watch(deed):
            await self._read(deed)

    async def _watch(self, deed: Deed[Any]) -> bool:
        deed.watched = True
        if await self.push_screen_wait(Sending(deed)):
            return True
        deed.watched = False
        if deed.over.is_set():
            self._untold.put_nowait(deed)
        return False

    async def _carry(self, deed: Deed[Any]) -> None:
        """Belongs to the view, not to a screen, so it continues when the user leaves the screen."""

        def run() -> None:
            try:
                with deed.account.open() as client:
                    deed.result = deed.call(client)
            except _EXPECTED as problem:
                deed.problem = problem
            deed.ended = now()

        await asyncio.to_thread(run)
        deed.over.set()
        if not deed.watched:
            self._untold.put_nowait(deed)
        for screen in self.screen_stack:
            if isinstance(screen, Pending):
                screen.action_look()

    @work
    async def _tell_what_ended(self) -> None:
        """Shows the results that no screen waits for, as soon as no question is open."""
        while True:
            deed = await self._untold.get()
            while isinstance(self.screen, ModalScreen):
                await asyncio.sleep(0.1)
            if not deed.read and (deed.told is not None or deed.problem is not None):
                await self._read(deed)

    async def _read(self, deed: Deed[Any]) -> None:
        await self.tell(deed.words())
        deed.read = True
        if deed.problem is None and isinstance(self.screen, Detail) and self.screen.operation.id == deed.about:
            self.screen.dismiss(None)

    async def tell(self, content: RenderableType, *, digits: str = "", seconds: int = 0, decide: bool = False) -> bool:
        """Shows a text in a box until the user continues; False: the user goes back."""
        screen = Telling(content, digits=digits, seconds=seconds, decide=decide)
        answer: Optional[bool] = await self.push_screen_wait(screen)
        return bool(answer)

    async def prove(
        self,
        call: Callable[[mtoken.Client, mtoken.Auth], R],
        what: str,
        signed: Optional[str] = None,
        *,
        told: Optional[Callable[[], RenderableType]] = None,
        about: str = "",
        biometry: bool = True,
        online: bool = True,
    ) -> Optional[R]:
        """Calls with the PIN, asked for below the signed data, or with biometry. Asks again after a wrong PIN.

        None: the user gave up, continued meanwhile, or has read why it failed.
        """
        if self.account is None:
            await self.tell(Text(NOBODY))
            return None
        said = ""
        while True:
            proof = await self._proof(what, said, signed, biometry and self._has_biometry, online)
            if proof is None:
                return None
            proved = _with(proof, call, self._refused)
            deed = Deed(what[:1].upper() + what[1:], self.account, proved, told, about)
            if not await self.send(deed):
                return None
            if not isinstance(deed.problem, mtoken.AuthenticationError):
                return await self._settled(deed)
            said = str(deed.problem)
            if not deed.problem.remaining_attempts:
                return await self._settled(deed)
            deed.read = True

    @work
    async def _announce(self, asking: Asking) -> None:
        """Warns above the question that this is the last attempt."""
        account = self.account

        def left() -> Optional[int]:
            if account is None:
                return None
            with account.open() as client:
                return client.status(timeout=STATUS_SECONDS).remaining_attempts

        try:
            count = await asyncio.to_thread(left)
        except _EXPECTED:
            return
        if count == 1:
            asking.say(states.LAST_ATTEMPT)

    def _refused(self, error: mtoken.AuthenticationError) -> None:
        """Says that the PIN was wrong. A saved PIN is not tried again."""
        states.explained(error)
        if self.profile is not None and self.profile.remember_pin:
            self.profile = session.distrusted(self.profile)
            error.args = (f"{error} {naming.steps(session.DISTRUSTED, naming.needed(self.profile.name))}",)

    @property
    def _has_biometry(self) -> bool:
        return self.profile is not None and self.profile.biometry

    async def _settled(self, deed: Deed[R]) -> Optional[R]:
        """The result, once the user has seen it."""
        if deed.told is not None or deed.problem is not None:
            await self._read(deed)
        deed.read = True
        return deed.result

    async def _proof(
        self, what: str, said: str, signed: Optional[str], biometry: bool, online: bool
    ) -> Union[bytearray, mtoken.Auth, None]:
        """The PIN or the biometry key; None: the user gave up."""
        if self.profile is not None and self.profile.remember_pin:
            found = await asyncio.to_thread(kept.remembered, self.profile, kept.PIN)
            if found is not None:
                return bytearray(found, "utf-8")
        asking = Asking(f"PIN to {what}", hidden=True, said=said, hint=self._pin_hint, signed=signed, biometry=biometry)
        if online and not said:
            self._announce(asking)
        typed = await self.push_screen_wait(asking)
        if typed == BIOMETRY and self.profile is not None:
            try:
                return mtoken.Auth.biometry(await asyncio.to_thread(kept.biometry_key, self.profile))
            except _EXPECTED as problem:
                await self.tell(failure(problem))
                return None
        return None if typed is None else bytearray(typed, "utf-8")

    async def tried(
        self,
        call: Callable[[mtoken.Client], R],
        what: str,
        *,
        told: Optional[Callable[[], RenderableType]] = None,
        about: str = "",
    ) -> Optional[R]:
        """As `prove`, without the PIN."""
        if self.account is None:
            await self.tell(Text(NOBODY))
            return None
        deed: Deed[R] = Deed(what, self.account, call, told, about)
        if not await self.send(deed):
            return None
        return await self._settled(deed)


def _answers(answer: Future[Optional[str]]) -> Callable[[Optional[str]], None]:
    def set_result(typed: Optional[str]) -> None:
        if not answer.cancelled():
            answer.set_result(typed)

    return set_result


def _with(
    proof: Union[bytearray, mtoken.Auth],
    call: Callable[[mtoken.Client, mtoken.Auth], R],
    refused: Callable[[mtoken.AuthenticationError], None],
) -> Callable[[mtoken.Client], R]:
    """The call with the PIN or the biometry key, which is wiped afterwards."""

    def run(client: mtoken.Client) -> R:
        try:
            with proof if isinstance(proof, mtoken.Auth) else mtoken.Auth.pin(proof) as auth:
                return call(client, auth)
        except mtoken.AuthenticationError as error:
            if isinstance(proof, mtoken.Auth):
                states.explained(error, "The bank refused the biometry key.")
            else:
                refused(error)
            raise
        finally:
            if isinstance(proof, bytearray):
                proof[:] = bytes(len(proof))

    return run


def on_its_way(deeds: Sequence[Deed[Any]]) -> str:
    """E.g. "Approve Payment is on its way"."""
    if len(deeds) == 1:
        return f"On its way, without an answer yet: {deeds[0].what}"
    return f"{len(deeds)} are on their way, without an answer yet: {', '.join(deed.what for deed in deeds)}"


LEAVING = (("wait", "Wait for the bank's answer"), ("leave", "Leave, and look at the history later"))


NOBODY = """No bank yet. In a shell:

  mtoken profile add NAME --server URL --config CONFIG
  mtoken activate

To try it out without a bank: mtoken demo"""


WIDE = 100
HELP = (
    ("↑ ↓", "select, or scroll"),
    ("enter", "open the selected entry; continue"),
    ("esc", "back, without doing anything"),
    ("a", "approve: shows the operation and the bank's screens, then asks for the PIN"),
    ("f2", "at the question for the PIN: biometry instead, if it is set up"),
    ("pgup pgdn", "at the question for the PIN: scroll the operation"),
    ("r", "reject, with a reason; no PIN is needed"),
    ("o", "a code for an operation that the bank shows as a QR code: without a network"),
    ("h", "history: operations of the past; f there shows those of one status"),
    ("d", "done in this session, and under way"),
    ("i", "messages of the bank"),
    ("s", "another account"),
    ("u", "ask the bank now; the view also asks every few seconds"),
    ("ctrl+p", "all of these in a list to search"),
    ("q", "leave"),
)


def helping() -> RenderableType:
    """The keys, as shown to the user."""
    table = Facts(0)
    for key, words in HELP:
        table.add_row(Text(key, style="bold"), words)
    return Group(Text("Nothing is approved by a single key.", style="bold"), Text(), table)


class Pending(Screen[None]):
    """The operations that wait for approval, with the time left."""

    app: View
    BINDINGS: ClassVar[List[BindingType]] = [
        ("a", "decide('approve')", "approve"),
        ("r", "decide('reject')", "reject"),
        ("o", "offline", "offline QR"),
        ("h", "history", "history"),
        ("d", "done", "done"),
        ("i", "inbox", "inbox"),
        ("s", "switch", "accounts"),
        ("u", "update", "update"),
        ("n", "another", "another"),
        ("q", "app.quit", "quit"),
    ]
    KEYS: ClassVar = [
        ("↑↓", "choose", ""),
        ("enter", "open", ""),
        ("a", "approve", "screen.decide('approve')"),
        ("r", "reject", "screen.decide('reject')"),
        ("o", "offline QR", "screen.offline"),
        ("h", "history", "screen.history"),
        ("d", "done", "screen.done"),
        ("i", "inbox", "screen.inbox"),
        ("s", "accounts", "screen.switch"),
        ("?", "help", "app.help"),
        ("q", "quit", "app.quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._problem: Optional[BaseException] = None
        self._looking: Optional[Looker] = None
        self._shown: List[mtoken.Operation] = []

    def compose(self) -> ComposeResult:
        yield Static(id="state")
        yield Static(id="note")
        with Horizontal(id="columns"):
            yield OptionList(id="list")
            with VerticalScroll(id="beside"):
                yield Static(id="detail")
        if self.app.hint:
            yield Static(show.text(self.app.hint), classes="hint")
        yield KeyBar(self.KEYS)

    def on_resize(self, event: Resize) -> None:
        """The selected operation, beside the list, from 100 columns."""
        self.set_class(event.size.width >= WIDE, "wide")
        self._show()

    def on_mount(self) -> None:
        self.set_interval(1, self.show_time)
        self.set_interval(INTERVAL, self.action_look)
        self.action_look()

    @property
    def _list(self) -> OptionList:
        return self.query_one("#list", OptionList)

    @work
    async def action_look(self) -> None:
        """Asks the bank now, unless a request is under way: requests do not queue up while the bank is slow."""
        looker = self.app.looker
        self._show()
        if looker is None or looker is self._looking:
            return
        self._looking, problem = looker, None
        try:
            await asyncio.to_thread(looker.look)
        except _EXPECTED as caught:
            problem = caught
        if looker is self.app.looker:
            self._looking, self._problem = None, problem
            self._show()
            await self._open_at_once()

    async def _open_at_once(self) -> None:
        """The operation that the view was opened for."""
        places = [place for place, one in enumerate(self._shown) if one.id == self.app.opens]
        if places and self.is_current:
            self.app.opens = None
            self._list.highlighted = places[0]
            self.on_option_list_option_selected()

    def action_update(self) -> None:
        """Asks now, also for a password that was wrong."""
        self.app.ask_again()
        self.action_look()

    @work
    async def action_another(self) -> None:
        """In a demo: one more operation."""
        if self.app.another is not None:
            await asyncio.to_thread(self.app.another)
            self.action_look()

    def show_time(self) -> None:
        """The bars, a second later."""
        if self.is_current:
            self._show()

    def _show(self) -> None:
        if not self.query("#state"):
            return  # the answer came after the user left
        looker, profile = self.app.looker, self.app.profile
        look = looker.last if looker else None
        name = profile.name if profile else "mtoken"
        if profile is None:
            self._tell(name, Text(NOBODY))
            return
        if self._problem is not None:
            self._tell(name, failure(self._problem, naming.needed(name)))
        elif look is None:
            self._tell(name, Text("Asking the bank …"))
        elif look.error is not None:
            self._tell(
                f"{name} · as of {look.seen.astimezone():%H:%M:%S}" if look.seen else name,
                failure(look.error, naming.needed(name)),
            )
        else:
            waiting = f"{len(look.operations)} waiting" if look.operations else "nothing waits"
            sent = f" · {len(self.app.on_its_way)} on its way" if self.app.on_its_way else ""
            self._tell(f"{name} · {waiting}{sent} · {look.time.astimezone():%H:%M:%S %Z}", Text())
        self._rows(look.operations if look else ())

    def _tell(self, state: str, note: RenderableType) -> None:
        self.query_one("#state", Static).update(Text(state, no_wrap=True, overflow="ellipsis"))
        self.query_one("#note", Static).update(note)
        self.query_one("#note").display = note != Text()

    def _rows(self, operations: tuple[mtoken.Operation, ...]) -> None:
        there, chosen = self._list, self.chosen
        ids = [operation.id for operation in operations]
        if ids != [operation.id for operation in self._shown]:
            place = ids.index(chosen.id) if chosen and chosen.id in ids else min(there.highlighted or 0, len(ids) - 1)
            self._shown = list(operations)
            there.clear_options()
            there.add_options([Option(self._row(one, index == place)) for index, one in enumerate(operations)])
            there.highlighted = place if ids else None
        self._shown = list(operations)
        if self.has_class("wide"):
            now = self.app.looker.now() if self.app.looker else None
            detail = show.operation_detail(self.chosen, now) if self.chosen else ""
            self.query_one("#detail", Static).update(detail)
        for index, operation in enumerate(operations):
            there.replace_option_prompt_at_index(index, self._row(operation, index == there.highlighted))

    def _row(self, operation: mtoken.Operation, chosen: bool) -> Row:
        assert self.app.looker is not None
        deed = self.app.deed_about(operation.id)
        return Row(operation, self.app.looker.now(), chosen, deed.state() if deed else None)

    def on_option_list_option_highlighted(self) -> None:
        if self.app.looker is not None:
            self._rows(tuple(self._shown))

    @property
    def chosen(self) -> Optional[mtoken.Operation]:
        """The marked operation."""
        place = self._list.highlighted
        return self._shown[place] if place is not None and place < len(self._shown) else None

    @work
    async def on_option_list_option_selected(self) -> None:
        if self.chosen is not None:
            await self._open(Detail(self.chosen, self.app.looker))

    @work
    async def action_decide(self, what: str) -> None:
        """Opens the selected operation before it begins to approve or reject it, which is so always shown."""
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
        """The history. The bank asks for the PIN."""
        listed = await self.app.prove(lambda client, auth: client.operations.history(auth), "see the history")
        if listed is not None:
            await self._open(History(listed))

    @work
    async def action_done(self) -> None:
        """The requests of this session, done and under way."""
        await self._open(Done())

    @work
    async def action_inbox(self) -> None:
        """Messages of the bank."""
        messages = await self.app.tried(lambda client: client.inbox.all(100, 100), "Read the inbox")
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
