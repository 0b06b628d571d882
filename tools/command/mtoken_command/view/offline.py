# SPDX-License-Identifier: Apache-2.0
"""An offline operation: from its QR code in a picture, on the screen or from a scanner to the code to type."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional

import mtoken
from rich.text import Text

from .. import scan
from ..codes import qr_operation
from .dialogs import Asking, Choosing

if TYPE_CHECKING:
    from .app import View

SOURCES = (("file", "A picture of it, in a file"), ("screen", "It is on the screen"), ("text", "Text from a scanner"))


async def offline(app: View) -> None:
    """From the QR code to the code for the bank. Uses no network."""
    payload = await _payload(app)
    if payload is None:
        return
    operation = await app.tried(lambda client: client.parse_qr(payload), "Read the code")
    if operation is None or not await app.tell(qr_operation(operation), decide=True):
        return
    code = await app.prove(
        lambda client, auth: client.authorize_qr(operation, auth),
        f"make the code for {operation.title}",
        operation.summary,
        online=False,
    )
    if code is not None:
        digits = mtoken.group_code(code)
        half = len(digits) // 2
        words = "Type this code at the bank. If the bank refuses it, the PIN was wrong: that costs an attempt."
        await app.tell(Text(words), digits=f"{digits[:half].strip()}\n{digits[half:].strip()}")


async def _payload(app: View) -> Optional[str]:
    source = await app.push_screen_wait(Choosing("Where is the QR code?", SOURCES))
    if source is None:
        return None
    typed: Optional[str] = None
    if source != "screen":
        typed = await app.push_screen_wait(Asking("Name of the file" if source == "file" else "Text of the code"))
        if typed is None:
            return None
    if source == "text":
        return typed
    return await app.tried(
        lambda _: scan.read_screen() if typed is None else scan.read_picture(Path(typed)), "Look for the code"
    )
