# SPDX-License-Identifier: Apache-2.0
"""The boxes of the view: PIN, reason, text, choice, notice."""

from __future__ import annotations

from typing import ClassVar, List, Optional, Sequence, Tuple

from rich.console import Group, RenderableType
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Digits, Input, OptionList, Static
from textual.widgets.option_list import Option

from .. import show
from .keys import KeyBar

BIOMETRY = "\0biometry"
"""The answer of a user who uses biometry, which cannot be typed."""


class Asking(ModalScreen[Optional[str]]):
    """A question with a typed answer."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[List[BindingType]] = [
        ("escape", "dismiss(None)", "cancel"),
        ("pageup", "scroll_below(-1)", ""),
        ("pagedown", "scroll_below(1)", ""),
        ("f2", "biometry", "biometry"),
    ]

    def __init__(
        self,
        question: str,
        *,
        hidden: bool = False,
        said: str = "",
        hint: str = "",
        least: int = 1,
        signed: Optional[str] = None,
        biometry: bool = False,
    ):
        super().__init__(classes="low" if signed is not None else None)
        self._biometry = biometry
        self._page: Optional[VerticalScroll] = None
        """The operation to approve, above this box."""
        self._question, self._hidden, self._said, self._hint, self._least = question, hidden, said, hint, least
        self._signed = signed

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(id="said")
            if self._signed is not None:
                yield Static(show.signed(self._signed), id="signed")
            yield Static(show.text(self._question, "bold"))
            yield Input(password=self._hidden, id="answer")
            if self._hint:
                yield Static(show.text(self._hint), classes="hint")
            keys = [("enter", "continue", "")]
            if self._biometry:
                keys.append(("f2", "biometry", "screen.biometry"))
            if self._signed is not None:
                keys.append(("pgup pgdn", "scroll", ""))
            yield KeyBar([*keys, ("esc", "cancel", "screen.dismiss(None)")])

    def on_mount(self) -> None:
        self._show_said()
        stack = self.app.screen_stack
        if self._signed is not None and len(stack) > 1:
            self._page = next(iter(stack[-2].query(".page").results(VerticalScroll)), None)
            self.call_after_refresh(self._make_room)

    def say(self, words: str) -> None:
        """An important note, above the question."""
        self._said = words
        if self.is_mounted:
            self._show_said()

    def _show_said(self) -> None:
        words, said = self._said, self.query_one("#said", Static)
        # In a group, the colour comes from the view, not from style sheets.
        said.update(Group(show.text(words, "bold red")))
        said.display = bool(words)

    def _make_room(self) -> None:
        """Lets all of the page be scrolled above this box."""
        if self._page is not None:
            self._page.styles.padding = (0, 1, self.query_one(".box").outer_size.height, 1)

    def on_unmount(self) -> None:
        if self._page is not None:
            self._page.styles.padding = (0, 1)

    def action_scroll_below(self, way: int) -> None:
        if self._page is not None:
            (self._page.scroll_page_down if way > 0 else self._page.scroll_page_up)(animate=False)

    def action_biometry(self) -> None:
        if self._biometry:
            self.dismiss(BIOMETRY)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if len(event.value) >= self._least:
            self.dismiss(event.value)


class Choosing(ModalScreen[Optional[str]]):
    """A question with a few answers."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[List[BindingType]] = [("escape", "dismiss(None)", "cancel")]

    def __init__(self, question: str, answers: Sequence[Tuple[str, str]]):
        super().__init__()
        self._question, self._answers = question, answers

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(show.text(self._question, "bold"))
            yield OptionList(*(Option(show.text(words), id=id) for id, words in self._answers))
            yield KeyBar([("↑↓", "choose", ""), ("enter", "continue", ""), ("esc", "cancel", "screen.dismiss(None)")])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


class Telling(ModalScreen[Optional[bool]]):
    """A text to read. True: the user continues."""

    BINDINGS: ClassVar[List[BindingType]] = [("enter", "go_on", "continue"), ("escape", "dismiss(False)", "back")]

    def __init__(self, content: RenderableType, *, digits: str = "", seconds: int = 0, decide: bool = False):
        super().__init__()
        self._content, self._digits, self._left, self._decide = content, digits, seconds, decide

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(Group(self._content), id="told")
            for line in self._digits.split("\n") if self._digits else ():
                yield Digits(line)
            yield Static(id="count")
            keys = [("enter", "continue" if self._decide else "close", "screen.go_on")]
            yield KeyBar([*keys, ("esc", "cancel", "screen.dismiss(False)")] if self._decide else keys)

    def on_mount(self) -> None:
        self._count()
        if self._left:
            self.set_interval(1, self._pass_second)

    def _pass_second(self) -> None:
        self._left = max(0, self._left - 1)
        self._count()

    def _count(self) -> None:
        count = self.query_one("#count", Static)
        count.update(f"Please read: {self._left} s")
        count.display = self._left > 0

    def action_go_on(self) -> None:
        if not self._left:
            self.dismiss(True)
