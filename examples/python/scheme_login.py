#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A login at the bank's OpenID Connect provider, finished by the program that the browser starts for a scheme.

    scheme-login --server https://bank.example --config CONFIG --provider ID    begins: opens the browser, and ends
    scheme-login mtoken://oidc?code=…                                          the desktop starts this: activates

Install it as `scheme-login` in the PATH, and mtoken-login.desktop with it (see there). Between the two, nothing runs:
the login is one text in the user's state folder, which is of no use without the client's own store. In a desktop
session the PIN is asked for by the program that SSH_ASKPASS names.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import webbrowser
from pathlib import Path
from typing import Any, Dict

import mtoken
from mtoken import oidc

FOLDER = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "scheme-login"
PENDING = FOLDER / "pending.json"


def opened(runtime: mtoken.Runtime, place: Dict[str, Any]) -> mtoken.Client:
    trust = {"ca_file": place["ca"]} if place["ca"] else {}
    store = mtoken.Store.directory(FOLDER / "store")
    return mtoken.Client(runtime, "bank", configuration=place["config"], base_url=place["server"], store=store, **trust)


def begin(arguments: argparse.Namespace) -> None:
    place = {"server": arguments.server, "config": arguments.config, "ca": arguments.ca}
    with mtoken.Runtime() as runtime, opened(runtime, place) as client:
        config = client.oidc.config(arguments.provider, timeout=60)
        with oidc.prepare(config, callback_uri=arguments.callback, allow_http=arguments.testing) as request:
            text = json.dumps({**place, "login": client.oidc.store(request)})
            descriptor = os.open(PENDING, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            url = request.authorize_url
    webbrowser.open(url)


def finish(callback: str) -> None:
    place = json.loads(PENDING.read_text(encoding="utf-8"))
    with mtoken.Runtime() as runtime, opened(runtime, place) as client:
        with client.oidc.restore(place["login"]) as request:
            client.activate(oidc=request.process(callback), name="Desktop", timeout=60)
        PENDING.unlink()
        client.persist(asked("Choose a PIN for the bank"))
        client.wait_active(timeout=60)
        print(f"activated: {client.info().activation_id}")


def asked(question: str) -> str:
    program = os.environ.get("SSH_ASKPASS", "ssh-askpass")
    answer = subprocess.run([program, question], stdout=subprocess.PIPE, text=True, check=True)
    return answer.stdout.rstrip("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Login at the bank's OpenID Connect provider.")
    parser.add_argument("url", nargs="?", help="what the browser was sent to")
    parser.add_argument("--server")
    parser.add_argument("--config")
    parser.add_argument("--provider")
    parser.add_argument("--ca", help="CA file of the bank's server")
    parser.add_argument("--callback", help="where the page at the redirect URI hands the answer on to")
    parser.add_argument("--testing", action="store_true", help="a provider with plain http on a loopback address")
    arguments = parser.parse_args()
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        if arguments.url is not None:
            finish(arguments.url)
        elif arguments.server and arguments.config and arguments.provider:
            begin(arguments)
        else:
            parser.error("a login begins with --server, --config and --provider")
    except FileNotFoundError:
        sys.exit("no login is under way")
    except mtoken.MTokenError as error:
        sys.exit(f"{error.reason}: {error}")


if __name__ == "__main__":
    main()
