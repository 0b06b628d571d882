# SPDX-License-Identifier: Apache-2.0
"""The command that prints the completion script of a shell."""

from __future__ import annotations

import enum

import typer
from typer._completion_shared import get_completion_script  # the same in all versions

from .app import app
from .output import out, reporting


class Shell(str, enum.Enum):
    """The shells with completion."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


@app.command("completion")
@reporting
def completion(shell: Shell = typer.Argument(help="bash, zsh or fish.")) -> None:
    """Print the script that completes commands, options, ids, profiles and reasons at Tab."""
    out.file.write(get_completion_script(prog_name="mtoken", complete_var="_MTOKEN_COMPLETE", shell=shell.value) + "\n")
