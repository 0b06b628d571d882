# SPDX-License-Identifier: Apache-2.0
"""bindings/facts.json: what every package says of the project. Whoever publishes fills in the addresses there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Dict

PATH = Path(__file__).resolve().parents[1] / "facts.json"
FACTS: Dict[str, str] = json.loads(PATH.read_text(encoding="utf-8"))


def filled(text: str) -> str:
    """A template: @NAME@ is the fact `name`; what is not a fact stays."""
    return re.sub(r"@([A-Z]+)@", lambda found: FACTS.get(found[1].lower(), found[0]), text)
