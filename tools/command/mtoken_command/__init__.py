# SPDX-License-Identifier: Apache-2.0
"""The `mtoken` command: a mobile token in a terminal."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Iterable, List

PARTS = {
    "activation": "activate status remove recovery user",
    "protocol4": "upgrade rename config",
    "operations": "list history show approve reject claim",
    "watch": "watch",
    "mobile_auth": "mobile-auth",
    "codes": "qr pac",
    "messages": "inbox push",
    "biometry": "biometry",
    "profile": "profile pin export import",
    "sealing": "seal",
    "accounts": "accounts",
    "oidc": "oidc",
    "sign": "sign",
    "csr": "csr",
    "completion": "completion",
    "demo": "demo",
}
"""The modules with commands, and the commands of each."""


def register(parts: Iterable[str] = PARTS) -> None:
    """Loads modules with commands, by default all, and so adds their commands to the application."""
    for part in parts:
        importlib.import_module(f".{part}", __name__)
    from . import tasks
    from .app import app

    tasks.arrange(app)


def _parts(words: List[str]) -> Iterable[str]:
    """The module with the command that was typed, so that no other is loaded; all modules if that is unclear."""
    if "_MTOKEN_COMPLETE" in os.environ:
        return PARTS
    rest = iter(words)
    for word in rest:
        if word in ("-p", "--profile"):
            next(rest, None)
        elif not word.startswith("-"):
            return [part for part, names in PARTS.items() if word in names.split()] or PARTS
    return []


def main() -> None:
    """The entry point. If a package that the command needs is missing, names it."""
    words = sys.argv[1:]
    if words in (["--help"], ["-h"]):
        from . import contents

        contents.show_help()
        return
    try:
        register(_parts(words))
        from .app import app
    except ImportError as problem:
        if problem.name not in ("typer", "rich", "click"):
            raise
        print(f"The command needs the package {problem.name}: pip install typer rich", file=sys.stderr)
        sys.exit(2)
    app(prog_name="mtoken")
