"""Pages to read: the history, the inbox, a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, List

from rich.console import Group
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

import mtoken

from .. import show
from ..layout import Card
from ..messages import body
from .keys import KeyBar
from .rows import MessageRow

if TYPE_CHECKING:
    from .app import View

BACK = ("esc", "back", "screen.dismiss(None)")


class Page(Screen[None]):
    """A page that is scrolled."""

    app: View
    BINDINGS: ClassVar[List[BindingType]] = [("escape,q", "dismiss(None)", "back")]


class History(Page):
    """What became of operations, with the dates."""

    def __init__(self, listed: mtoken.OperationList):
        super().__init__()
        self._listed = listed

    def compose(self) -> ComposeResult:
        yield Static("history", id="state")
        with VerticalScroll(classes="page"):
            yield Static(show.operations_table(self._listed.operations, self._listed.server_time, past=True))
        yield KeyBar([("↑↓", "scroll", ""), BACK])


class Inbox(Page):
    """The messages, of which one is opened."""

    def __init__(self, messages: mtoken.InboxList):
        super().__init__()
        self._messages = list(messages)
        self._read = {message.id for message in self._messages if message.read}

    def compose(self) -> ComposeResult:
        yield Static(id="state")
        yield OptionList(*(Option("") for _ in self._messages), id="list")
        yield KeyBar([("↑↓", "choose", ""), ("enter", "open", ""), BACK])

    def on_mount(self) -> None:
        self._show()

    def on_option_list_option_highlighted(self) -> None:
        self._show()

    def _show(self) -> None:
        unread = len(self._messages) - len(self._read)
        state = f"inbox · {unread} unread" if self._messages else "inbox · no messages"
        self.query_one("#state", Static).update(state)
        there = self.query_one("#list", OptionList)
        for index, message in enumerate(self._messages):
            row = MessageRow(message, index == there.highlighted, message.id in self._read)
            there.replace_option_prompt_at_index(index, row)

    @work
    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Reads the message, which the bank is told."""
        id = self._messages[event.option_index].id

        def read(client: mtoken.Client) -> mtoken.InboxMessage:
            message = client.inbox.detail(id)
            if not message.read:
                client.inbox.read(id)
            return message

        message = await self.app.tried(read, "Read the message")
        if message is not None:
            self._read.add(id)
            self._show()
            await self.app.push_screen_wait(Message(message))


class Message(Page):
    """A message, as text."""

    def __init__(self, message: mtoken.InboxMessage):
        super().__init__()
        self._message = message

    def compose(self) -> ComposeResult:
        sent = Text(show.when(self._message.created), style="dim")
        words = Group(show.text(body(self._message)), Text(), sent)
        with VerticalScroll(classes="page"):
            yield Static(Card(words, show.text(self._message.subject, "bold")))
        yield KeyBar([("↑↓", "scroll", ""), BACK])
