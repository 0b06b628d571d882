"""The table of languages: each has a language.json. README.md tells what stands in it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional

ROOT = Path(__file__).resolve().parents[2]


class Language(NamedTuple):
    key: str
    facts: Dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.facts["name"])

    def command(self, key: str) -> List[str]:
        # Of another system: what was built for it, and its Python.
        build = os.environ.get("MTOKEN_BUILD", "build")
        python = os.environ.get("MTOKEN_PLAYER_PYTHON", sys.executable)
        return [part.format(root=ROOT, build=build, python=python) for part in self.facts.get(key, [])]

    def packages(self) -> List[str]:
        """Of each: its name, or its name and the file that it would bring, which may have come from elsewhere."""
        split = [entry.partition(" ") for entry in self.facts.get("packages", [])]
        return [name for name, _, file in split if not file or not Path(file).exists()]

    def environment(self) -> Dict[str, str]:
        return {key: value.format(root=ROOT) for key, value in self.facts.get("environment", {}).items()}

    def version(self) -> Optional[str]:
        """None: it is not installed."""
        command = self.command("version")
        if shutil.which(command[0]) is None:
            return None
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode:
            return None
        found = re.search(r"\d+(\.\d+)+", ended.stdout + ended.stderr)
        return found[0] if found else ""


def language(key: str, path: Path) -> Language:
    return Language(key, json.loads(path.read_text(encoding="utf-8")))


def languages() -> List[Language]:
    """All of the table, in its order."""
    found = [language("c", ROOT / "Tests" / "conformance" / "c" / "language.json")]
    for path in [*ROOT.glob("bindings/*/language.json"), *ROOT.glob("bindings/*/*/language.json")]:
        # A second runtime of a language has a folder in its folder: csharp-core.
        found.append(language("-".join(path.parent.relative_to(ROOT / "bindings").parts), path))
    return sorted(found, key=lambda one: (one.facts.get("order", 99), one.name))
