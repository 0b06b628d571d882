"""The `mtoken` command: a mobile token in a terminal."""

from __future__ import annotations

import sys


def main() -> None:
    """The entry point. Without the packages of the command's own it says which to install."""
    try:
        from . import activation, codes, messages, operations, profile, sign, watch  # noqa: F401  (they register themselves)
        from .app import app
    except ImportError as problem:
        if problem.name not in ("typer", "rich", "click"):
            raise
        print(f"The command needs the package {problem.name}: pip install 'mtoken[cli]'", file=sys.stderr)
        sys.exit(2)
    app(prog_name="mtoken")
