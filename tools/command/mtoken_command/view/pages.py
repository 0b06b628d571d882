# SPDX-License-Identifier: Apache-2.0
"""Pages to read: the history, the inbox, a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, List

import mtoken
from rich.console import Group
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from .. import past, show
from ..layout import Card
from ..messages import body
from .keys import KeyBar
from .rows import MessageRow, PastRow

if TYPE_CHECKING:
    from .app import View

BACK = ("esc", "back", "screen.dismiss(None)")


class Page(Screen[None]):
    """A page that is scrolled."""

    app: View
    BINDINGS: ClassVar[List[BindingType]] = [("escape,q", "dismiss(None)", "back")]


class History(Page):
    """The history of operations. The user opens one, or shows only those of one status."""

    BINDINGS: ClassVar[List[BindingType]] = [("f", "filter", "filter")]

    def __init__(self, listed: mtoken.OperationList):
        super().__init__()
        self._listed = listed
        self._filters = [None, *dict.fromkeys(past.status_of(operation) for operation in listed)]
        self._shown: List[mtoken.Operation] = []

    def compose(self) -> ComposeResult:
        yield Static(id="state")
        yield OptionList(id="list")
        yield KeyBar([("↑↓", "choose", ""), ("enter", "open", ""), ("f", "filter", "screen.filter"), BACK])

    def on_mount(self) -> None:
        self._fill()

    def action_filter(self) -> None:
        """Shows only the next status; after the last one, all."""
        self._filters.append(self._filters.pop(0))
        self._fill()

    def _fill(self) -> None:
        status, there = self._filters[0], self.query_one("#list", OptionList)
        self._shown = list(past.selected(self._listed, status, None, None))
        there.clear_options()
        there.add_options([Option("") for _ in self._shown])
        there.highlighted = 0 if self._shown else None
        count = f"{len(self._shown)} {status}" if status else f"{len(self._shown)} operations"
        more = ", there may be more" if self._listed.may_be_cut else ""
        self.query_one("#state", Static).update(f"history · {count if self._shown else 'no operations'}{more}")
        self.on_option_list_option_highlighted()

    def on_option_list_option_highlighted(self) -> None:
        there = self.query_one("#list", OptionList)
        for index, operation in enumerate(self._shown):
            there.replace_option_prompt_at_index(index, PastRow(operation, index == there.highlighted))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.app.push_screen(Past(self._shown[event.option_index]))


class Past(Page):
    """An operation of the history."""

    def __init__(self, operation: mtoken.Operation):
        super().__init__()
        self._operation = operation

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page"):
            yield Static(show.operation_detail(self._operation))
        yield KeyBar([("↑↓", "scroll", ""), BACK])


class Inbox(Page):
    """The messages. The user opens one."""

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
        """Opens the message and marks it as read at the bank."""
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
