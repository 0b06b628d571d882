"""Whether this process has libmtoken-testing, and how to start one that has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Dict

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "build" / "lib" / "libmtoken-testing.so"
IS_TESTING = Path(os.environ.get("MTOKEN_LIBRARY", "")).name == LIBRARY.name


def environment() -> Dict[str, str]:
    """For a process that uses `virtual`."""
    folders = [str(Path(__file__).resolve().parent), str(ROOT / "bindings" / "python" / "src")]
    return {**os.environ, "MTOKEN_LIBRARY": str(LIBRARY), "PYTHONPATH": ":".join(folders)}
