# SPDX-License-Identifier: Apache-2.0
"""Commands that choose where the device secret is kept: a TPM, the keyring, a smart card, a service's credential."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

import typer

from . import complete, keepers, session, show
from . import profiles as files
from .app import app
from .layout import Facts
from .options import JSON, ProfileName
from .output import out, print_json, reporting
from .parts import say


@app.command("seal")
@reporting
def seal(
    sealer: Optional[str] = typer.Argument(
        None,
        help="tpm2, secret-service, pkcs11 or systemd; none: a file. Default: list what this machine has.",
        autocompletion=complete.sealers,
    ),
    device: Optional[str] = typer.Option(None, help="tpm2: a TCTI; pkcs11: label of the token; systemd: a credential."),
    module: Optional[str] = typer.Option(None, help="pkcs11: path of the token's module."),
    pcrs: Optional[str] = typer.Option(None, help="tpm2: registers that must not change, e.g. 7."),
    password: bool = typer.Option(False, "--password", help="Ask for its password or PIN each time."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Keep the device secret in hardware or in the desktop's keyring, so that copied files are useless elsewhere."""
    if sealer is None:
        _tell_what_is_here(as_json)
        return
    chosen = files.load().find(profile)
    text = keepers.text(sealer, device=device, module=module, pcrs=pcrs, password="asked" if password else None)
    with (
        session.connected(chosen) as client,
        keepers.opened(text, variable=keepers.NEW_PASSWORD_FILE, beside=chosen.sealer) as keeper,
    ):
        # The profile names both sealers until the change is complete, to find the client even if this is killed.
        files.save(files.load().with_profile(replace(chosen, next_sealer=text)))
        client.reseal(keeper)
        protection = client.info().protection.name.lower()
    after = replace(chosen, sealer=None if sealer == keepers.NOBODY else text, next_sealer=None)
    files.save(files.load().with_profile(after))
    said = "the device secret is in a file" if sealer == keepers.NOBODY else f"the device secret is sealed by {sealer}"
    say(as_json, {"sealer": sealer, "protection": protection}, said)


def _tell_what_is_here(as_json: bool) -> None:
    lacks = {name: keepers.lacks(name) for name in keepers.KINDS}
    if as_json:
        print_json({name: {"lacks": lacking or None} for name, lacking in lacks.items()})
        return
    table = Facts(0)
    for name, lacking in lacks.items():
        about = keepers.KINDS[name].about
        table.add_row(name, show.text(f"{about}\n{lacking}" if lacking else about, "dim" if lacking else ""))
    table.add_row(keepers.NOBODY, "a file beside the activation, as without a sealer")
    out.print(table)
