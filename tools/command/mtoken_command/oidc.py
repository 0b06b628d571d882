# SPDX-License-Identifier: Apache-2.0
"""The command that shows a provider where the user logs in to activate."""

from __future__ import annotations

import typer

from . import profiles as files
from . import session, show
from .app import app
from .layout import Facts
from .options import JSON, ProfileName
from .output import out, print_json, progress, reporting

oidc_app = typer.Typer(no_args_is_help=True, help="OpenID Connect providers for mtoken activate --oidc.")
app.add_typer(oidc_app, name="oidc")


@oidc_app.command("show")
@reporting
def oidc_show(
    provider: str = typer.Argument(help="Key of the provider at the bank."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Show how to log in at a provider, according to the bank's server. Needs no activation."""
    with session.connected(files.load().find(profile)) as client, progress("Asking the bank …"):
        config = client.oidc.config(provider)
    if as_json:
        print_json(config)
        return
    table = Facts(0)
    table.add_row("Provider", show.text(config.provider_id, "cyan"))
    table.add_row("Login page", show.text(config.authorize_uri))
    table.add_row("Returns to", show.text(config.redirect_uri))
    table.add_row("Client", show.text(config.client_id))
    table.add_row("Scopes", show.text(config.scopes))
    table.add_row("Proof key", "S256" if config.pkce_enabled else "none")
    out.print(table)
