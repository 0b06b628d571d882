"""The `mtoken` command: a mobile token in a terminal."""

from __future__ import annotations

import importlib
import sys

PARTS = (
    "activation",
    "protocol4",
    "operations",
    "watch",
    "mobile_auth",
    "codes",
    "messages",
    "biometry",
    "profile",
    "sealing",
    "accounts",
    "oidc",
    "sign",
    "csr",
    "completion",
    "demo",
)
"""The modules with commands, in the order of the help."""


def register() -> None:
    """Loads all commands, which makes them known to the application."""
    for part in PARTS:
        importlib.import_module(f".{part}", __name__)
    from . import tasks
    from .app import app

    tasks.arrange(app)


def main() -> None:
    """The entry point. Without the packages of the command's own it says which to install."""
    try:
        register()
        from .app import app
    except ImportError as problem:
        if problem.name not in ("typer", "rich", "click"):
            raise
        print(f"The command needs the package {problem.name}: pip install typer rich", file=sys.stderr)
        sys.exit(2)
    app(prog_name="mtoken")
