#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles one module of an embedded build to bitcode, with the package manager's own command.

The module has the code of all modules that it is made of, so the linker sees the whole library and leaves out what
nothing calls. The package manager's own mode for this (--experimental-lto-mode) loses the files that it makes. What did
not change is not compiled again.

    bitcode.py FOLDER MODULE OUTPUT        FOLDER: that of the build, in which all modules below this one are built
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import List

# With their values, what the package manager asks for beside the object.
_OTHER_OUTPUTS = {"-emit-module-path", "-emit-objc-header-path", "-output-file-map"}
_DROPPED = {
    "-v",
    "-parseable-output",
    "-emit-dependencies",
    "-emit-module",
    "-emit-objc-header",
    "-serialize-diagnostics",
    "-g",
}


def command(folder: Path, module: str) -> List[str]:
    """What the package manager runs for a module: from its build plan."""
    plan = (folder / "release.yaml").read_text()
    entry = rf'"C\.{module}-[^"]*-release\.module":\n'
    found = re.search(entry + r"(?:    .*\n)*?    inputs: (\[.*\])\n(?:    .*\n)*?    args: (\[.*\])\n", plan)
    if not found:
        raise SystemExit(f"{folder}/release.yaml has no command for {module}")
    words: List[str] = []
    former = ""
    for word in json.loads(found.group(2)):
        if word.startswith("@"):
            # The list of the sources, which is made only when the package manager builds the module itself.
            words += [path for path in json.loads(found.group(1)) if path.endswith(".swift")]
        elif former == "-Xcc" and word == "-g":
            words.pop()
        elif former in _OTHER_OUTPUTS or word in _OTHER_OUTPUTS or word in _DROPPED:
            pass
        else:
            words.append(word)
        former = word
    return words


def state(folder: Path, words: List[str], module: str) -> str:
    """What the result depends on: the command, the sources and the modules below, the headers, the compiler."""
    files = [Path(words[0]), Path(__file__), *Path("include").rglob("*.[hm]*"), *Path("Sources").rglob("*.h")]
    files += [Path(word) for word in words if word.endswith(".swift")]
    files += [path for path in folder.glob("*/release/Modules/*.swiftmodule") if path.stem != module]
    return json.dumps([words, sorted((str(path), path.stat().st_mtime_ns) for path in files)])


def main() -> None:
    folder, module, output = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    words = command(folder, module)
    stamp, now = output.with_suffix(".stamp"), state(folder, words, module)
    if output.exists() and stamp.exists() and stamp.read_text() == now:
        return
    output.parent.mkdir(parents=True, exist_ok=True)
    outputs = output.with_suffix(".json")
    outputs.write_text(json.dumps({"": {"llvm-bc": str(output.absolute())}}))
    subprocess.run([*words, "-lto=llvm-full", "-output-file-map", str(outputs)], check=True)
    stamp.write_text(now)


if __name__ == "__main__":
    main()
