# SPDX-License-Identifier: Apache-2.0
"""Commands for messages of the bank: the inbox, and push messages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Optional

import mtoken
import typer
from rich.console import Group
from rich.text import Text

from . import complete, session, show
from . import profiles as files
from .app import app
from .layout import Card, Facts, Listing
from .markup import plain_text
from .options import JSON, ProfileName
from .output import Exit, Stop, clean, err, out, print_json, progress, reporting, sending
from .parts import begins_with, choice, say

inbox_app = typer.Typer(no_args_is_help=True, help="Messages from the bank.")
push_app = typer.Typer(no_args_is_help=True, help="Register for push messages and read them.")
app.add_typer(inbox_app, name="inbox")
app.add_typer(push_app, name="push")


@inbox_app.command("list")
@reporting
def inbox_list(
    unread: bool = typer.Option(False, "--unread", help="Only unread messages."),
    limit: int = typer.Option(100, min=1, help="Show at most this many."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """List the messages in the server's order."""
    with session.activated(files.load().find(profile)) as client, progress("Asking the server …"):
        messages = client.inbox.all(min(limit, 100), limit, only_unread=unread)
    if as_json:
        print_json(messages)
        return
    if not messages:
        out.print("No messages.")
        return
    table = Listing(("Id", "Message", "Sent"), 1)
    for message in messages:
        about = show.text(message.subject, "" if message.read else "bold")
        if message.summary:
            about.append("\n").append_text(show.text(message.summary, "not bold dim"))
        table.add_row(show.text(message.id, "cyan"), about, Text(show.when(message.created)))
    out.print(table)
    if messages.skipped:
        err.print(Text(f"left out: {messages.skipped} invalid messages", style="yellow"))


@inbox_app.command("show")
@reporting
def inbox_show(
    id: str = typer.Argument(
        help="Id of the message, or its first characters (four or more).", autocompletion=complete.messages
    ),
    unread: bool = typer.Option(False, "--keep-unread", help="Do not mark it as read."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Show a message and mark it as read."""
    with session.activated(files.load().find(profile)) as client:
        whole = whole_id(client, id)
        with progress("Asking the server …"):
            message = client.inbox.detail(whole)
            if not unread and not message.read:
                client.inbox.read(message.id)
    if as_json:
        print_json(message)
        return
    sent = Text(show.when(message.created), style="dim")
    words = Group(show.text(body(message)), Text(), sent)
    out.print(Card(words, show.text(message.subject, "bold"), roomy=True))


def whole_id(client: mtoken.Client, id: str) -> str:
    """The id of the message whose id is, or begins with, the text."""
    with progress("Asking the server …"):
        there = {message.id: message.subject for message in client.inbox.all()}
    found = begins_with(tuple(there), id)
    return choice({one: there[one] for one in found}) if found else id


def body(message: mtoken.InboxMessage) -> str:
    """The text of a message, without markup."""
    if message.body is None:
        return message.summary
    return plain_text(message.body) if message.type is mtoken.InboxType.HTML else message.body


@inbox_app.command("read-all")
@reporting
def inbox_read_all(profile: ProfileName = None, as_json: JSON = False) -> None:
    """Mark all messages as read."""
    with session.activated(files.load().find(profile)) as client, sending("Marking …"):
        client.inbox.read_all()
    say(as_json, {"unread": 0}, "all messages are read")


@push_app.command("register")
@reporting
def push_register(
    service: str = typer.Argument(help="fcm, hms or apns."),
    token: str = typer.Argument(help="The push service's token of this device."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Tell the server where push messages for this device go."""
    services = {kind.name.lower(): kind for kind in mtoken.PushService}
    if service.lower() not in services:
        raise Stop(f"the service must be one of: {', '.join(services)}", Exit.USAGE)
    with session.activated(files.load().find(profile)) as client, sending("Registering …"):
        client.push.register(services[service.lower()], token)
    say(as_json, {"registered": service.lower()}, "push messages are registered")


@push_app.command("parse")
@reporting
def push_parse(
    file: Path = typer.Argument(Path("-"), help="The payload's JSON; - is standard input."), as_json: JSON = False
) -> None:
    """Read the payload of a push message. Anyone can send one, so it is only a hint to ask the server."""
    message = mtoken.parse_push(sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8"))
    if message is None:
        raise Stop("the payload is not a message of this system")
    if as_json:
        print_json(message)
        return
    table = Facts(0)
    rows: list[tuple[str, Optional[str]]] = [
        ("Kind", message.kind.name.lower().replace("_", " ")), ("Title", message.title), ("Text", message.body),
        ("Operation", message.operation_id), ("Type", message.operation_name),
        ("Result", message.result.name.lower() if message.result else None), ("Message", message.inbox_id),
        ("Activation", message.activation_id),
    ]  # fmt: skip
    for label, value in rows:
        if value is not None:
            table.add_row(label, show.text(clean(value)))
    out.print(table)
