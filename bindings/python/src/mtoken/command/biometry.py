"""Commands for biometry: a key that the keyring guards, in place of the PIN."""

from __future__ import annotations

from dataclasses import replace

import typer

from . import kept, session
from . import profiles as files
from .app import app
from .options import JSON, PinDescriptor, ProfileName
from .output import Exit, Stop, progress, reporting
from .parts import say

biometry_app = typer.Typer(no_args_is_help=True, help="Approve with a key in the desktop's keyring instead of the PIN.")
app.add_typer(biometry_app, name="biometry")


@biometry_app.command("add")
@reporting
def biometry_add(pin_fd: PinDescriptor = None, profile: ProfileName = None, as_json: JSON = False) -> None:
    """Set up biometry: a new key goes into the keyring, and --biometry uses it. The PIN is needed this once."""
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        if client.info().has_biometry:
            raise Stop("biometry is already set up: mtoken biometry remove", Exit.USAGE)
        with session.ask_pin(chosen, pin_fd) as auth:
            key = kept.new_biometry_key(chosen)
            try:
                with progress("Setting up biometry …"):
                    client.factors.add_biometry(key, auth)
            finally:
                key[:] = bytes(len(key))
                if not client.info().has_biometry:
                    kept.forget(chosen, kept.BIOMETRY)
    files.save(files.load().with_profile(replace(chosen, biometry=True)))
    say(as_json, {"biometry": True}, "biometry is set up: approve with --biometry")


@biometry_app.command("remove")
@reporting
def biometry_remove(profile: ProfileName = None, as_json: JSON = False) -> None:
    """Forget the key, here and in the keyring. No PIN is needed."""
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        if client.info().has_biometry:
            client.factors.remove_biometry()
    kept.forget(chosen, kept.BIOMETRY)
    files.save(files.load().with_profile(replace(chosen, biometry=False)))
    say(as_json, {"biometry": False}, "biometry is removed")
