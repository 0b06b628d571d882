# SPDX-License-Identifier: Apache-2.0
"""What protocol 4.0 brings: a choice of algorithms, the upgrade of an activation, its name, the bank's settings."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Optional

import mtoken
import typer
from mtoken._model import plain
from rich.text import Text

from . import kept, naming, session, show
from . import profiles as files
from .app import app
from .layout import Facts
from .options import JSON, Biometry, PinDescriptor, ProfileName, Yes
from .output import out, print_json, progress, reporting, sending
from .parts import confirm, say
from .profiles import Profile


def chosen(profile: Profile, protocol: Optional[str], suite: Optional[str]) -> Profile:
    """The profile with what was chosen for a new activation."""
    return files.checked(replace(profile, protocol=protocol or profile.protocol, suite=suite or profile.suite))


def confirming_pin(client: mtoken.Client, profile: Profile, descriptor: Optional[int]) -> Optional[bytearray]:
    """The PIN, if an earlier process ended before the server had the device's confirmation."""
    return session.given_pin(profile, descriptor) if client.info().awaits_confirmation else None


def add_rows(table: Facts, info: mtoken.ClientInfo, status: mtoken.ActivationStatus) -> None:
    """What the status tells of an activation of 4.0, or of one that may become one."""
    if info.suite is not None:
        withdrawn = ", which the bank has withdrawn for new activations" if status.suite_withdrawn else ""
        table.add_row("Protocol", show.text(f"4.0 with {info.suite.name}{withdrawn}"))
    if info.awaits_confirmation:
        table.add_row("Confirmed", Text(naming.steps("not by this device: mtoken activate --wait"), style="yellow"))
    if status.upgrade_available:
        table.add_row("Upgrade", Text(naming.steps("to protocol 4.0 is offered: mtoken upgrade"), style="yellow"))


@app.command()
@reporting
def upgrade(yes: Yes = False, pin_fd: PinDescriptor = None, profile: ProfileName = None, as_json: JSON = False) -> None:
    """Upgrade the activation from protocol 3 to 4.0, if the bank offers it. This cannot be undone."""
    profiled = files.load().find(profile)
    with session.activated(profiled) as client:
        if not as_json:
            out.print("Recovery codes end, and the fingerprint changes. Earlier versions cannot use the activation.")
        confirm(f"Upgrade the activation of {profiled.name}?", yes)
        session.announce_last_attempt(client, profiled, pin_fd)
        pin = session.given_pin(profiled, pin_fd)
        key = kept.biometry_key(profiled) if profiled.biometry and client.info().has_biometry else None
        try:
            with mtoken.Auth(pin=pin, biometry_key=key) as auth, sending("Upgrading …"):
                client.upgrade(auth)
        finally:
            for secret in (pin, key):
                if secret:
                    secret[:] = bytes(len(secret))
        info = client.info()
    suite = info.suite.name if info.suite else None
    words = f"The activation has protocol 4.0 with {suite}. Fingerprint: {info.fingerprint}"
    say(as_json, {"protocol": "4.0", "suite": suite, "fingerprint": info.fingerprint}, words)


@app.command()
@reporting
def rename(
    name: str = typer.Argument(help="The name under which the bank shows this device."),
    encrypted: bool = typer.Option(
        False, "--sign-encrypted", help="Sign the encrypted request, for servers that want it so."
    ),
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Change the name under which the bank shows this device."""
    profiled = files.load().find(profile)
    order = mtoken.Order.ENCRYPT_THEN_SIGN if encrypted else mtoken.Order.SIGN_THEN_ENCRYPT
    with session.activated(profiled) as client:

        def ask(auth: mtoken.Auth) -> mtoken.ActivationDetail:
            with sending("Renaming …"):
                return client.rename(name, auth, order=order)

        detail = session.prove(profiled, pin_fd, biometry, ask, client)
    say(as_json, plain(detail), f"The bank shows this device as {detail.activation_name}.")


@app.command()
@reporting
def config(
    application: bool = typer.Option(False, "--application", help="Only what holds for all users."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Show the settings that the bank keeps for its application. Protocol 4.0 only."""
    profiled = files.load().find(profile)
    if application:
        with session.connected(profiled) as client, progress("Asking the server …"):
            entries = client.config(mtoken.Scope.APPLICATION)
    else:
        with session.activated(profiled) as client, progress("Asking the server …"):
            entries = client.config()
    if as_json:
        print_json({entry.key: {"value": entry.value, "scope": entry.scope.name} for entry in entries})
        return
    table = Facts(0)
    for entry in entries:
        value = entry.value if isinstance(entry.value, str) else json.dumps(entry.value, ensure_ascii=False)
        table.add_row(entry.key, show.text(value))
    out.print(table if table.row_count else "The bank has no settings.")
