"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

JSON = Annotated[bool, typer.Option("--json", help="Print JSON, also for errors.")]
ProfileName = Annotated[
    Optional[str],
    typer.Option("--profile", "-p", envvar="MTOKEN_PROFILE", help="Profile of the bank; default: the default profile."),
]
PinDescriptor = Annotated[
    Optional[int],
    typer.Option("--pin-fd", min=0, help="Read the PIN from this descriptor instead of asking: --pin-fd 3 3<file"),
]
Biometry = Annotated[
    bool, typer.Option("--biometry", help="Use the key from `mtoken biometry add` instead of the PIN.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Despite = Annotated[
    bool,
    typer.Option("--despite-contradiction", help="Approve although the operation does not show what it signs."),
]
ID = Annotated[str, typer.Argument(help="Id of the operation.")]
OptionalID = Annotated[
    Optional[str], typer.Argument(help="Id of the operation, or its first characters (four or more).")
]
Reason = Annotated[
    str,
    typer.Option(help="UNKNOWN, INCORRECT_DATA, UNEXPECTED_OPERATION, PREAPPROVAL, or a text of your own."),
]
ProximityCode = Annotated[
    Optional[str],
    typer.Option("--proximity", help="One-time password of the proximity check, from the other screen."),
]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the profile.")]
Server = Annotated[str, typer.Option(help="Root URL of the bank's PowerAuth server.")]
Configuration = Annotated[str, typer.Option("--config", help='The application\'s "SDK configuration".')]
CACertificate = Annotated[
    Optional[Path],
    typer.Option("--ca", exists=True, dir_okay=False, help="PEM file to trust instead of the system's certificates."),
]
