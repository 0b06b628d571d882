# SPDX-License-Identifier: Apache-2.0
"""The requests of this session: those under way, and how the others ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Generic, List, Optional, TypeVar

import mtoken
from rich.console import Group, RenderableType
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from .. import naming, show, states
from ..output import clean
from ..session import Account
from .keys import KeyBar
from .pages import BACK, Page

if TYPE_CHECKING:
    from .app import View

R = TypeVar("R")


def now() -> datetime:
    return datetime.now().astimezone()


@dataclass(eq=False)
class Deed(Generic[R]):
    """One call to the bank."""

    what: str
    """E.g. "Approve Payment"."""
    account: Account
    call: Callable[[mtoken.Client], R]
    told: Optional[Callable[[], RenderableType]] = None
    """The message of a success; None: no message, because it changes nothing at the bank."""
    about: str = ""
    """Id of the operation that it decides; empty: it decides none."""
    began: datetime = field(default_factory=now)
    ended: Optional[datetime] = None
    result: Optional[R] = None
    problem: Optional[BaseException] = None
    watched: bool = True
    """A screen waits for the result and shows it."""
    read: bool = False
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def may_have_happened(self) -> bool:
        """Whether the outcome at the bank is unknown."""
        return isinstance(self.problem, mtoken.MTokenError) and self.problem.may_have_happened

    def words(self) -> RenderableType:
        """The result, for a user who may have continued meanwhile."""
        bank = self.account.profile.name
        what = show.text(naming.among_several(bank, self.what), "bold")
        if self.problem is not None:
            return Group(what, failure(self.problem, naming.needed(bank)))
        told = self.told() if self.told else Text("done")
        return told if self.watched else Group(what, told)

    def state(self) -> Text:
        """Its state, in one line."""
        if self.ended is None:
            return Text(f"on its way, {(now() - self.began).seconds} s", style="bold yellow")
        if self.problem is None:
            return Text("done", style="green")
        if self.may_have_happened:
            return Text("no answer: it may have happened", style="bold red")
        return Text(f"failed: {what_failed(self.problem)}", style="red")


def what_failed(problem: BaseException) -> str:
    said = states.explanation(problem)
    return clean(said.what if said else str(problem))


def failure(problem: BaseException, bank: Optional[str] = None) -> RenderableType:
    """What went wrong and what to do, with the bank's name if commands need it."""
    trouble = states.explanation(problem)
    unknown = isinstance(problem, mtoken.MTokenError) and problem.may_have_happened
    if unknown and isinstance(problem, mtoken.MTokenError) and states.trouble(problem) is None:
        trouble = None  # the user has to look before repeating it
    parts: List[RenderableType] = [Text(naming.steps(what_failed(problem), bank), style="bold red")]
    if trouble:
        parts.append(Text(f"Next: {naming.steps(trouble.next, bank)}"))
    if isinstance(problem, mtoken.MTokenError) and problem.may_have_happened:
        parts.append(Text("The server may have acted. Look at the list and the history before you repeat it."))
    return Group(*parts)


class Sending(ModalScreen[bool]):
    """The wait for the bank's answer. True: it arrived; False: the user continues meanwhile."""

    BINDINGS: ClassVar[List[BindingType]] = [("escape", "leave", "continue meanwhile")]

    def __init__(self, deed: Deed[Any]):
        super().__init__()
        self._deed = deed

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(show.text(self._deed.what, "bold"))
            yield Static(id="since")
            yield KeyBar([("esc", "continue; the result follows", "screen.leave")])

    def on_mount(self) -> None:
        self._show()
        self.set_interval(1, self._show)
        self._wait()

    def on_screen_resume(self) -> None:
        self._wait()

    def _show(self) -> None:
        seconds = (now() - self._deed.began).seconds
        self.query_one("#since", Static).update(f"On its way since {self._deed.began:%H:%M:%S}, {seconds} s …")

    @work(exclusive=True)
    async def _wait(self) -> None:
        await self._deed.over.wait()
        if self.is_current:  # otherwise when this screen is on top again: a question may cover it
            self.dismiss(True)

    def action_leave(self) -> None:
        self.dismiss(self._deed.over.is_set())


class Done(Page):
    """The requests of this session, the newest first."""

    app: View

    def compose(self) -> ComposeResult:
        yield Static("done in this session", id="state")
        with VerticalScroll(classes="page"):
            yield Static(id="deeds")
        yield KeyBar([("↑↓", "scroll", ""), BACK])

    def on_mount(self) -> None:
        self._show()
        self.set_interval(1, self._show)

    def _show(self) -> None:
        parts: List[RenderableType] = []
        for deed in reversed(self.app.deeds):
            if deed.told is None and deed.problem is None:
                continue  # reading is not a deed
            what = show.text(f"{deed.began:%H:%M:%S}  {deed.account.profile.name}  {deed.what}", "bold")
            parts += [what, Text.assemble("  ", deed.state()), Text()]
        nothing = Text("Nothing yet. What was decided before is in the history: h")
        self.query_one("#deeds", Static).update(Group(*parts) if parts else nothing)
