# SPDX-License-Identifier: Apache-2.0
"""The command that makes a certificate request for the device's key."""

from __future__ import annotations

import base64
import textwrap
from typing import List, Optional, Tuple

import mtoken
import typer

from . import profiles as files
from . import session
from .app import app
from .options import JSON, Biometry, PinDescriptor, ProfileName
from .output import Exit, Stop, out, print_json, reporting


@app.command()
@reporting
def csr(
    subject: Optional[List[str]] = typer.Argument(None, help="Attributes of the subject in their order: C=CZ CN=Jana."),
    extension: Optional[List[str]] = typer.Option(
        None, help="As in OpenSSL's x509v3_config(5): keyUsage=critical,digitalSignature. Can be repeated."
    ),
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Make a certificate request (PKCS #10) for the device's key, signed with it, and print it as PEM."""
    fields, extensions = _pairs(subject or []), _pairs(extension or [])
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:

        def sign(auth: mtoken.Auth) -> bytes:
            return client.vault.sign_csr(auth, subject=fields, extensions=extensions)

        der = session.prove(chosen, pin_fd, biometry, sign, client)
    lines = textwrap.wrap(base64.b64encode(der).decode("ascii"), 64)
    pem = "\n".join(["-----BEGIN CERTIFICATE REQUEST-----", *lines, "-----END CERTIFICATE REQUEST-----", ""])
    if as_json:
        print_json({"csr": pem})
    else:
        out.file.write(pem)


def _pairs(given: List[str]) -> List[Tuple[str, str]]:
    found = []
    for text in given:
        name, sign, value = text.partition("=")
        if not sign:
            raise Stop(f"{text} is not of the form NAME=VALUE", Exit.USAGE)
        found.append((name, value))
    return found
