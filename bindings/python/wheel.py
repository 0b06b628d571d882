# SPDX-License-Identifier: Apache-2.0
"""Build hooks: what every package says of the project, from bindings/facts.json; and the shared library that
MTOKEN_WHEEL_LIBRARY names, which makes the wheel one for this platform.

With a portable library go the licences and the list of what is inside it, which lie in its folder. Without that
variable the wheel is pure Python and looks for an installed library.
"""

import json
import os
import platform
from pathlib import Path
from typing import Any, Dict

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class FactsHook(MetadataHookInterface):  # type: ignore[misc,unused-ignore]
    def update(self, metadata: Dict[str, Any]) -> None:
        facts = json.loads((Path(self.root).parent / "facts.json").read_text(encoding="utf-8"))
        metadata["description"] = facts["description"]
        metadata["license"] = facts["license"]
        metadata["authors"] = [{"name": facts["authors"]}]
        metadata["urls"] = {"Homepage": facts["homepage"], "Repository": facts["repository"]}


class LibraryHook(BuildHookInterface):  # type: ignore[type-arg,misc,unused-ignore]
    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        for name in ("CHANGELOG.md", "SECURITY.md"):
            build_data["force_include"][str(Path(self.root).parents[1] / name)] = f"mtoken/{name}"
        library = os.environ.get("MTOKEN_WHEEL_LIBRARY")
        if not library:
            return
        build_data["force_include"][library] = "mtoken/libmtoken.so.1"
        for name in ("THIRD-PARTY.txt", "libmtoken.cdx.json"):
            beside = os.path.join(os.path.dirname(library), name)
            if os.path.exists(beside):
                build_data["force_include"][beside] = f"mtoken/{name}"
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ.get("MTOKEN_WHEEL_TAG", f"linux_{platform.machine()}")
