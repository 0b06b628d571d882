# SPDX-License-Identifier: Apache-2.0
"""The command that signs a request of the host."""

from __future__ import annotations

import sys
from pathlib import Path

import mtoken
import typer

from . import profiles as files
from . import session
from .app import app
from .options import JSON, Biometry, PinDescriptor, ProfileName
from .output import out, print_json, reporting


@app.command()
@reporting
def sign(
    method: str = typer.Argument(help="The HTTP method: POST, GET, …"),
    uri_id: str = typer.Argument(
        help="The constant that the server expects for the endpoint, e.g. /operation/authorize."
    ),
    file: Path = typer.Argument(Path("-"), help="The exact request body; for GET the query. - is standard input."),
    one_factor: bool = typer.Option(False, "--one-factor", help="Sign with the device key only, without the PIN."),
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Sign an HTTP request that you send yourself: prints the header. Send it once, in the order of signing."""
    chosen = files.load().find(profile)
    body = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    if method.upper() == "GET":
        body = mtoken.canonical_query(body.decode("utf-8").strip().lstrip("?"))
    with session.activated(chosen) as client:
        # No server answers here: the program that sends the request learns that the PIN was wrong.
        with mtoken.Auth.possession() if one_factor else session.authentication(chosen, pin_fd, biometry) as auth:
            header = client.sign(method.upper(), uri_id, body, auth)
    if as_json:
        print_json(header)
    else:
        out.file.write(f"{header.name}: {header.value}\n")
