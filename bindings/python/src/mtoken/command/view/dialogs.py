"""What the view asks and tells in a box: PIN, reason, text, choice, notice."""

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


class Asking(ModalScreen[Optional[str]]):
    """A question that is answered by typing."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[List[BindingType]] = [("escape", "dismiss(None)", "cancel")]

    def __init__(
        self,
        question: str,
        *,
        hidden: bool = False,
        said: str = "",
        hint: str = "",
        least: int = 1,
        signed: Optional[str] = None,
    ):
        super().__init__()
        self._question, self._hidden, self._said, self._hint, self._least = question, hidden, said, hint, least
        self._signed = signed

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            if self._said:
                # In a group, its colour is the view's, not that of style sheets.
                yield Static(Group(show.text(self._said, "bold red")), id="said")
            if self._signed is not None:
                yield Static(show.signed(self._signed), id="signed")
            yield Static(show.text(self._question, "bold"))
            yield Input(password=self._hidden, id="answer")
            if self._hint:
                yield Static(show.text(self._hint), classes="hint")
            yield KeyBar([("enter", "go on", ""), ("esc", "cancel", "screen.dismiss(None)")])

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
            yield KeyBar([("↑↓", "choose", ""), ("enter", "go on", ""), ("esc", "cancel", "screen.dismiss(None)")])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


class Telling(ModalScreen[Optional[bool]]):
    """Something to read. True: the user goes on."""

    BINDINGS: ClassVar[List[BindingType]] = [("enter", "go_on", "go on"), ("escape", "dismiss(False)", "back")]

    def __init__(self, content: RenderableType, *, digits: str = "", seconds: int = 0, decide: bool = False):
        super().__init__()
        self._content, self._digits, self._left, self._decide = content, digits, seconds, decide

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(Group(self._content), id="told")
            for line in self._digits.split("\n") if self._digits else ():
                yield Digits(line)
            yield Static(id="count")
            keys = [("enter", "go on" if self._decide else "close", "screen.go_on")]
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
