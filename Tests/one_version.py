"""The header has the version number, and no other file that is written by hand.

PYTHONPATH=bindings python3 Tests/one_version.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from generate.__main__ import COMMITTED, PLACED
from generate.reader import read

ROOT = Path(__file__).resolve().parents[1]
HEADER = "include/mtoken/base.h"
# A changelog tells of versions; recorded answers are not written by hand; Maven's dependencies
# name a version.
OTHERS = {HEADER, "CHANGELOG.md", "bindings/java/README.md", *COMMITTED, *PLACED}
FOLDERS = {"build", "vectors", "findings", "seeds", "node_modules", "target", "__pycache__"}


def main() -> int:
    header = read(ROOT / "include")
    failures = []
    told = re.compile(rf"(?<![\d.]){re.escape(header.version)}(?![\d.]\d|\d)".encode())
    count = 0
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT)
        if FOLDERS & set(name.parts) or any(part.startswith(".") for part in name.parts) or not path.is_file():
            continue
        if path.name == "Cargo.lock" or path.is_symlink():
            continue
        count += 1
        if str(name) not in OTHERS and told.search(path.read_bytes()):
            failures.append(f"{name} has the version number: read it from the header")
    for failure in failures:
        print(failure, file=sys.stderr)
    if not failures:
        print(f"version: {header.version}, in the header only, of {count} files")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
