"""Metadata hook of hatch: a package depends on what its requirements.txt lists, and on what `more` adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):  # type: ignore[misc,unused-ignore]
    def update(self, metadata: Dict[str, Any]) -> None:
        lines = (Path(self.root) / "requirements.txt").read_text(encoding="utf-8").splitlines()
        listed = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
        more: List[str] = self.config.get("more", [])
        metadata["dependencies"] = [*listed, *more]
