# SPDX-License-Identifier: Apache-2.0
"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from . import complete

JSON = Annotated[bool, typer.Option("--json", help="Print JSON, also for errors.")]
ProfileName = Annotated[
    Optional[str],
    typer.Option(
        "--profile",
        "-p",
        envvar="MTOKEN_PROFILE",
        help="Profile of the bank; default: the default profile.",
        autocompletion=complete.profiles,
    ),
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
    Optional[str],
    typer.Argument(
        help="Id of the operation, or its first characters (four or more).", autocompletion=complete.operations
    ),
]
Reason = Annotated[
    str,
    typer.Option(
        help="UNKNOWN, INCORRECT_DATA, UNEXPECTED_OPERATION, PREAPPROVAL, or a text of your own.",
        autocompletion=complete.reasons,
    ),
]
ProximityCode = Annotated[
    Optional[str],
    typer.Option("--proximity", help="One-time password of the proximity check, from the other screen."),
]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the profile.")]
KnownName = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of the profile.", autocompletion=complete.profiles)
]
Server = Annotated[str, typer.Option(help="Root URL of the bank's PowerAuth server.")]
Configuration = Annotated[str, typer.Option("--config", help='The application\'s "SDK configuration".')]
Protocol = Annotated[
    Optional[str],
    typer.Option(help="Version of the PowerAuth protocol: 3.1, 3.2, 3.3 or 4.0. Default: what the bank offers."),
]
Suite = Annotated[
    Optional[str],
    typer.Option(help="Algorithms of protocol 4.0: EC_P384, EC_P384_ML_L3 or EC_P384_ML_L5. Default: the bank's."),
]
CACertificate = Annotated[
    Optional[Path],
    typer.Option("--ca", exists=True, dir_okay=False, help="PEM file to trust instead of the system's certificates."),
]
