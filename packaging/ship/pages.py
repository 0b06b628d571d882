# SPDX-License-Identifier: Apache-2.0
"""Makes plain text of the links, in installed pages, to what is not installed.

python3 packaging/ship/pages.py FOLDER
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)#\s]+)[^)]*\)")


def main(folder: Path) -> None:
    for page in folder.rglob("*.md"):

        def plain(link: re.Match[str], page: Path = page) -> str:
            target = (page.parent / link[2]).resolve()
            return link[0] if target.is_relative_to(folder) and target.exists() else link[1]

        text = page.read_text(encoding="utf-8")
        if (new := LINK.sub(plain, text)) != text:
            page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
