"""One operation: all that is shown before a decision, and the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, List, Optional

from rich.console import Group, RenderableType
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

import mtoken

from .. import show
from ..looking import Looker
from ..operations import needs_pin, refuse_contradiction, screens
from ..output import Stop
from ..reasons import REASONS
from .dialogs import Asking, Choosing
from .keys import KeyBar

if TYPE_CHECKING:
    from .app import View


class Detail(Screen[None]):
    """An operation with everything that it signs."""

    app: View
    BINDINGS: ClassVar[List[BindingType]] = [
        ("a", "approve", "approve"),
        ("r", "reject", "reject"),
        ("escape,q", "dismiss(None)", "back"),
    ]

    def __init__(self, operation: mtoken.Operation, looker: Optional[Looker], begin: str = ""):
        super().__init__()
        self.operation, self._looker, self._begin = operation, looker, begin

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page"):
            yield Static(id="detail")
        keys = [("a", "approve", "screen.approve"), ("r", "reject", "screen.reject")]
        yield KeyBar([("↑↓", "scroll", ""), *keys, ("esc", "back", "screen.dismiss(None)")])

    def on_mount(self) -> None:
        self._show()
        self.set_interval(1, self._show)
        if self._begin == "approve":
            self.action_approve()
        elif self._begin == "reject":
            self.action_reject()

    def _show(self) -> None:
        now = self._looker.now() if self._looker else None
        self.query_one("#detail", Static).update(show.operation_detail(self.operation, now))

    @work(exclusive=True)
    async def action_approve(self) -> None:
        """The screens of the bank, the PIN, the signature."""
        operation = self.operation
        try:
            refuse_contradiction(operation, False)
            with_pin = needs_pin(operation)
        except Stop as stop:
            await self.app.tell(Text(str(stop), style="bold red"))
            return
        proximity: Optional[mtoken.Proximity] = None
        for screen in screens(operation):
            content = show.pre_approval_screen(screen)
            if screen.type is mtoken.ScreenType.QR_SCAN:
                await self.app.tell(content)
                code = await self.app.push_screen_wait(Asking("One-time password on the other screen"))
                if code is None:
                    return
                proximity = mtoken.Proximity(code, mtoken.ProximityType.QR_CODE)
                continue
            seconds = (screen.controls.approve_counter if screen.controls else None) or 0
            if not await self.app.tell(content, seconds=min(seconds, 60), decide=True):
                return

        def authorize(client: mtoken.Client, auth: mtoken.Auth) -> bool:
            client.operations.authorize(operation, auth, strict=True, proximity=proximity)
            return True

        if with_pin:
            done = await self.app.prove(authorize, f"approve {operation.title or operation.name}", operation.summary)
        else:
            question = show.text(f"Approve {operation.title or operation.name} with this device?", "bold")
            if not await self.app.tell(Group(show.signed(operation.summary), question), decide=True):
                return
            done = await self.app.tried(lambda client: authorize(client, mtoken.Auth.possession()))
        if done:
            await self._told(operation.result_texts.success or "The operation is approved.", "bold green", True)

    @work(exclusive=True)
    async def action_reject(self) -> None:
        """The reason, and the bank is told."""
        operation = self.operation
        reason = await self.app.push_screen_wait(Choosing(f"Reject {operation.title or operation.name}?", REASONS))
        if reason is None:
            return

        def refuse(client: mtoken.Client) -> bool:
            client.operations.reject(operation.id, reason)
            return True

        if await self.app.tried(refuse):
            await self._told(operation.result_texts.reject or "The operation is rejected.", "bold yellow", False)

    async def _told(self, words: str, style: str, approved: bool) -> None:
        parts: List[RenderableType] = [show.text(words, style)]
        after = self.operation.ui.post_approval_screen if self.operation.ui else None
        if approved and after:
            parts.append(show.post_approval_screen(after))
        await self.app.tell(Group(*parts))
        self.dismiss(None)
