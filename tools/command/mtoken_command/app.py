# SPDX-License-Identifier: Apache-2.0
"""The command itself, with the options before its subcommands. Those have modules of their own."""

from __future__ import annotations

import os
from typing import Optional

import mtoken
import typer

from .options import ProfileName
from .output import out, reporting
from .tasks import Whole

app = typer.Typer(
    name="mtoken",
    cls=Whole,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"mtoken {mtoken.version()}")
        raise typer.Exit


@app.callback()
@reporting
def main(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
    profile: ProfileName = None,
    operation: Optional[str] = typer.Option(None, "--operation", hidden=True),
) -> None:
    """A mobile token in a terminal: activate this device at a bank, see what waits for approval, approve or reject it.

    Without a command: a full-screen view.
    """
    if context.invoked_subcommand is None:
        from . import view

        view.run(profile, opens=operation)
    elif profile is not None:
        os.environ["MTOKEN_PROFILE"] = profile  # where the command's own option looks
