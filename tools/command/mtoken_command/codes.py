# SPDX-License-Identifier: Apache-2.0
"""Commands that begin with a code near the user: operations without a network, and proximity codes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, List, Optional

import mtoken
import typer
from mtoken._model import plain
from rich.console import Group, RenderableType
from rich.text import Text

from . import profiles as files
from . import scan, session, show
from .app import app
from .layout import Card, Facts, Verbatim, require_width
from .operations import Proof, decide, tell_approved
from .options import JSON, Biometry, Despite, PinDescriptor, ProfileName, Yes
from .output import Exit, Stop, clean, err, out, print_json, progress, reporting
from .parts import confirm

Picture = Annotated[Optional[Path], typer.Argument(exists=True, dir_okay=False, help="A picture of the QR code.")]
Screen = Annotated[bool, typer.Option("--screen", help="Read the QR code on the screen.")]
Scanned = Annotated[Optional[str], typer.Option("--text", help="Text of the scanned code; - is standard input.")]


@app.command()
@reporting
def qr(
    picture: Picture = None,
    screen: Screen = False,
    text: Scanned = None,
    only_show: bool = typer.Option(False, "--show", help="Show the operation; approve nothing."),
    uri_id: Optional[str] = typer.Option(
        None, help="URI id that the server expects; default: /operation/authorize/offline."
    ),
    digits: int = typer.Option(8, min=4, max=8, help="Digits per factor that the server expects."),
    yes: Yes = False,
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Approve an operation that the bank shows as a QR code: prints the code to type there. Uses no network."""
    chosen = files.load().find(profile)
    payload = _payload(picture, screen, text)
    with session.activated(chosen) as client:
        operation = client.parse_qr(payload)
        if only_show:
            if as_json:
                print_json(operation)
            else:
                out.print(qr_operation(operation))
            return
        require_width()
        err.print(qr_operation(operation))
        confirm(f"Approve {clean(operation.title)}?", yes)
        with session.authentication(chosen, pin_fd, biometry) as auth:
            code = client.authorize_qr(operation, auth, uri_id=uri_id, component_length=digits)
    if as_json:
        print_json({"id": operation.id, "code": code, "operation": plain(operation)})
        return
    out.print(Text.assemble("Type this code at the bank:  ", (mtoken.group_code(code), "bold green")))
    err.print("If the bank refuses it, the PIN was wrong: each refused code costs an attempt.", style="dim")


@app.command()
@reporting
def pac(
    picture: Picture = None,
    screen: Screen = False,
    text: Scanned = None,
    opened: bool = typer.Option(False, "--opened", help="The code is an opened link, not a scanned code."),
    yes: Yes = False,
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    despite: Despite = False,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Approve the operation that a proximity code selects, e.g. a login on the screen that shows the code."""
    chosen = files.load().find(profile)
    payload = _payload(picture, screen, text)
    code = mtoken.parse_pac_deeplink(payload) if opened else mtoken.parse_pac_qr(payload)
    with session.activated(chosen) as client:
        with progress("Asking the server …"):
            listed = client.operations.list()
            operation = code.find(listed) or client.operations.claim(code.operation_id)
        decide(
            client,
            chosen,
            operation,
            listed.server_time,
            code.proximity(operation),
            yes,
            Proof(pin_fd, biometry),
            despite,
        )
    tell_approved(operation, as_json)


def _payload(picture: Optional[Path], screen: bool, text: Optional[str]) -> str:
    """The one source that the user named."""
    if [picture is not None, screen, text is not None].count(True) != 1:
        raise Stop("use one of: a picture, --screen, --text", Exit.USAGE)
    if picture is not None:
        return scan.read_picture(picture)
    if screen:
        return scan.read_screen()
    return typer.get_text_stream("stdin").read().rstrip("\n") if text == "-" else text or ""


def qr_operation(operation: mtoken.QROperation) -> RenderableType:
    """An offline operation, as the user should see it before deciding."""
    parts: List[RenderableType] = []
    if operation.fraud_warning:
        parts += [show.alert(mtoken.AlertType.WARNING, "Beware of fraud", "The bank asks you to be careful with this.")]
    if operation.newer_format:
        parts += [show.alert(mtoken.AlertType.INFO, None, "It has more content than this version can show.")]
    if operation.message:
        parts += [show.text(operation.message), Text()]
    parts.append(show.signed(operation.summary))
    facts = Facts()
    facts.add_row("Id", Verbatim(show.text(operation.id, "cyan")))
    facts.add_row("Signed by", "the bank, for this device" if operation.key is mtoken.Key.PERSONALIZED else "the bank")
    facts.add_row("Signed data", Verbatim(show.text(operation.data.text)))
    parts.append(facts)
    return Card(Group(*parts), show.text(operation.title, "bold"), roomy=True)
