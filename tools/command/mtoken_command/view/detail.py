# SPDX-License-Identifier: Apache-2.0
"""One operation: everything shown before a decision, and the decision."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, List, Optional

import mtoken
from rich.console import Group, RenderableType
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from .. import show
from ..looking import Looker
from ..meaning import REASONS
from ..operations import needs_pin, refuse_contradiction, screens
from ..output import Stop
from .dialogs import Asking, Choosing
from .keys import KeyBar

if TYPE_CHECKING:
    from .app import View


EXPIRED = Group(
    Text("The operation has expired: nothing was approved.", style="bold red"),
    Text("Next: ask the bank for a new one."),
)


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
        parts: List[RenderableType] = [show.operation_detail(self.operation, now)]
        deed = self.app.deed_about(self.operation.id)
        if deed is not None:
            parts.insert(0, Text.assemble(show.text(deed.what, "bold"), ": ", deed.state()))
        self.query_one("#detail", Static).update(Group(*parts))

    @work(exclusive=True)
    async def action_approve(self) -> None:
        """The screens of the bank, the PIN, the signature."""
        operation = self.operation
        if await self._decided():
            return
        if self._expired:
            await self.app.tell(EXPIRED)
            return
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

        def authorize(client: mtoken.Client, auth: mtoken.Auth) -> None:
            client.operations.authorize(operation, auth, strict=True, proximity=proximity)

        if self._expired:  # while the screens were read
            await self.app.tell(EXPIRED)
            return
        title, told = operation.title or operation.name, self._approved
        if with_pin:
            biometry = mtoken.Variant.POSSESSION_BIOMETRY in operation.variants
            what = f"approve {title}"
            await self.app.prove(authorize, what, operation.summary, told=told, about=operation.id, biometry=biometry)
            return
        question = show.text(f"Approve {title} with this device?", "bold")
        if await self.app.tell(Group(show.signed(operation.summary), question), decide=True):
            call = partial(authorize, auth=mtoken.Auth.possession())
            await self.app.tried(call, f"Approve {title}", told=told, about=operation.id)

    @work(exclusive=True)
    async def action_reject(self) -> None:
        """Asks for the reason and rejects the operation."""
        operation = self.operation
        if await self._decided():
            return
        what = f"Reject {operation.title or operation.name}"
        reason = await self.app.push_screen_wait(Choosing(f"{what}?", REASONS))
        if reason is not None:
            await self.app.tried(
                lambda client: client.operations.reject(operation.id, reason),
                what,
                told=lambda: show.text(operation.result_texts.reject or "The operation is rejected.", "bold yellow"),
                about=operation.id,
            )

    @property
    def _expired(self) -> bool:
        """By the bank's clock, once it is known."""
        looker = self._looker
        return looker is not None and looker.last is not None and looker.now() >= self.operation.expires

    async def _decided(self) -> bool:
        """Whether a decision is under way or done. The user then waits for its result instead of deciding twice."""
        deed = self.app.deed_about(self.operation.id)
        if deed is not None:
            await self.app.follow(deed)
        return deed is not None

    def _approved(self) -> RenderableType:
        texts, ui = self.operation.result_texts, self.operation.ui
        parts: List[RenderableType] = [show.text(texts.success or "The operation is approved.", "bold green")]
        if ui and ui.post_approval_screen:
            parts.append(show.post_approval_screen(ui.post_approval_screen))
        return Group(*parts)
