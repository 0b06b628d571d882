# SPDX-License-Identifier: Apache-2.0
"""Each source that is shipped names its licence, in one of its first two lines. Tests are in no package.

python3 Tests/lint/licence.py [--write]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINE = "SPDX-License-Identifier: Apache-2.0"
COMMENTS = {
    **dict.fromkeys((".c", ".cpp", ".h", ".hpp"), f"/* {LINE} */"),
    **dict.fromkeys((".cs", ".go", ".java", ".js", ".rs", ".swift", ".ts"), f"// {LINE}"),
    **dict.fromkeys((".py", ".rb", ".sh"), f"# {LINE}"),
    ".lua": f"-- {LINE}",
}
# What the generator writes, and the examples that it puts into pages.
GENERATED = ("enerated by bindings/generate", "bindings/generate/examples/")


def is_shipped(name: str, text: str) -> bool:
    path = Path(name)
    shipped = path.suffix in COMMENTS and not {"Tests", "tests"} & set(path.parts)
    return shipped and not any(words in name or words in text[:200] for words in GENERATED)


def main() -> int:
    names = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    lacking = []
    for name in names:
        text = (ROOT / name).read_text("utf-8") if Path(name).suffix in COMMENTS else ""
        if is_shipped(name, text) and LINE not in "".join(text.splitlines()[:2]):
            lacking.append(name)
            if "--write" in sys.argv:
                first, rest = text.split("\n", 1) if text.startswith(("#!", "// swift-tools")) else ("", text)
                gap = "\n" if name.endswith(".go") else ""
                (ROOT / name).write_text(
                    f"{first}{first and chr(10)}{COMMENTS[Path(name).suffix]}\n{gap}{rest}", "utf-8"
                )
            else:
                print(f"{name}: its licence is missing (Tests/lint/licence.py --write)")
    return bool(lacking)


sys.exit(main())
