# SPDX-License-Identifier: Apache-2.0
"""Metadata hook of hatch: a package depends on what its requirements.txt lists.

Its page on an index is its README.md.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):  # type: ignore[misc,unused-ignore]
    def update(self, metadata: Dict[str, Any]) -> None:
        lines = (Path(self.root) / "requirements.txt").read_text(encoding="utf-8").splitlines()
        listed = [line for line in map(str.strip, lines) if line and not line.startswith("#")]
        metadata["dependencies"] = listed
        # What lies beside a page in the source tree does not lie on an index: those links become words.
        page = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        words = re.sub(r"\[([^\]]*)\]\((?!\w+:|#)[^)\s]*\)", r"\1", page)
        metadata["readme"] = {"content-type": "text/markdown", "text": words}
