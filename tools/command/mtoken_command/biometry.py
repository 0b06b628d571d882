# SPDX-License-Identifier: Apache-2.0
"""Commands for biometry: a key in the keyring or on a security key, used instead of the PIN."""

from __future__ import annotations

from typing import Optional

import mtoken
import typer

from . import keepers, kept, naming, session, states
from . import profiles as files
from .app import app
from .options import JSON, PinDescriptor, ProfileName
from .output import Exit, Stop, reporting, sending
from .parts import say

biometry_app = typer.Typer(no_args_is_help=True, help="Approve with a key in the desktop's keyring instead of the PIN.")
app.add_typer(biometry_app, name="biometry")


@biometry_app.command("add")
@reporting
def biometry_add(
    sealer: Optional[str] = typer.Option(
        None, help="Where to keep the key instead of the keyring: fido2 for a security key, which you touch each time."
    ),
    device: Optional[str] = typer.Option(None, help="The sealer's device: see mtoken seal --help."),
    module: Optional[str] = typer.Option(None, help="pkcs11: path of the token's module."),
    password: bool = typer.Option(False, "--password", help="Ask for its password or PIN each time."),
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Set up biometry: create the key for --biometry and store it in the keyring. Needs the PIN once."""
    chosen = files.load().find(profile)
    keeper = keepers.text(sealer, device=device, module=module, password="asked" if password else None)
    with session.activated(chosen) as client:
        if client.info().has_biometry:
            raise Stop("biometry is already set up: mtoken biometry remove", Exit.USAGE)

        def add(auth: mtoken.Auth) -> None:
            current = files.load().find(chosen.name)
            key, after = kept.new_biometry_key(current, keeper)
            files.save(
                files.load().with_profile(after)
            )  # first: if the bank's answer is lost, this is the only copy of the key
            try:
                with sending("Setting up biometry …"):
                    client.factors.add_biometry(key, auth)
            finally:
                key[:] = bytes(len(key))
                if not client.info().has_biometry:
                    if keeper is None:
                        kept.forget(chosen, kept.BIOMETRY)
                    files.save(files.load().with_profile(current))

        try:
            session.prove(chosen, pin_fd, False, add, client)
        except Stop as stop:
            if not client.info().awaits_new_biometry:
                raise
            raise Stop(f"{stop}: this device uses the new key", stop.code, states.NEW_KEY) from None
    say(as_json, {"biometry": True}, naming.steps("biometry is set up: mtoken approve --biometry"))


@biometry_app.command("remove")
@reporting
def biometry_remove(profile: ProfileName = None, as_json: JSON = False) -> None:
    """Delete the key, here and in the keyring. Needs no PIN."""
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        if client.info().has_biometry:
            client.factors.remove_biometry()
    if chosen.biometry_sealer is None:
        kept.forget(chosen, kept.BIOMETRY)
    files.save(files.load().with_profile(kept.without_biometry(chosen)))
    say(as_json, {"biometry": False}, "biometry is removed")
