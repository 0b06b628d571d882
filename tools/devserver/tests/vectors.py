"""Where the shared test vectors are, and how to read them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Optional

import pytest

_REPOSITORY = Path(__file__).resolve().parents[3]


def directory() -> Optional[Path]:
    """`MTOKEN_VECTORS`, else `Tests/vectors` of the repository, else `shared/vectors` beside it."""
    named = os.environ.get("MTOKEN_VECTORS")
    candidates = [Path(named)] if named else [_REPOSITORY / "Tests/vectors", _REPOSITORY.parent / "shared/vectors"]
    return next((candidate for candidate in candidates if candidate.is_dir()), None)


def load(name: str) -> Any:
    """The parsed vector file, or a skip that says why."""
    found = directory()
    if found is None:
        pytest.skip("no folder of test vectors: set MTOKEN_VECTORS")
    path = found / f"{name}.json"
    if not path.exists():
        pytest.skip(f"the folder of test vectors has no {name}.json")
    return json.loads(path.read_text(encoding="utf-8"))
