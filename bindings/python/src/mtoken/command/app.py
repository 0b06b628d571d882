"""The command itself: what stands before its subcommands, which are in modules of their own."""

from __future__ import annotations

import typer

import mtoken

from .output import out

app = typer.Typer(
    name="mtoken",
    help="A mobile token in a terminal: activate this device, list pending operations, and approve them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"mtoken {mtoken.version()}")
        raise typer.Exit


@app.callback()
def main(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """A mobile token in a terminal: activate this device at a bank, see what waits for approval, approve or reject it.

    Exit codes: 0 done, 1 failed, 2 wrong use, 3 not activated, 4 refused (PIN, factors), 5 network, or the bank cannot
    answer, 6 sent but the answer is unknown, 7 the server said no, 8 storage or in use elsewhere, 9 you said no,
    130 interrupted.
    """
