# SPDX-License-Identifier: Apache-2.0
"""Builds the addon and the npm package: generated tables and classes, hand-written layer, types, addon, and the library
to carry if there is one.

PYTHONPATH=bindings python3 bindings/node/package.py [--library LIBRARY] [--crossed BUILT ...] [--pack]
PYTHONPATH=bindings python3 bindings/node/package.py --addon build/aarch64-linux-gnu/node/mtoken.node

The second form, with CC, compiles the addon alone, for another system. Its folder is then one of --crossed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, Optional

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings"))

from generate import node  # noqa: E402
from generate.facts import filled  # noqa: E402
from generate.model import Header  # noqa: E402
from generate.reader import read  # noqa: E402

HERE = ROOT / "bindings" / "node"
BUILD = ROOT / "build" / "node"
PLATFORMS = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}
# One class for import and require, to the compiler too.
MODULE_TYPES = "export * from './index.js'\nexport { default } from './index.js'\n"
FLAGS = [
    "-std=c11",
    "-O3",
    "-fPIC",
    "-fno-plt",
    "-shared",
    "-fvisibility=hidden",
    "-Wl,-s",
    "-Wall",
    "-Wextra",
    "-Werror",
]


def include_folder() -> Path:
    """The headers of Node.js: NODE_INCLUDE, or beside the executable."""
    if shutil.which("node") is None:
        raise SystemExit("node is not installed (Debian: nodejs npm libnode-dev)")
    if os.environ.get("NODE_INCLUDE"):
        return Path(os.environ["NODE_INCLUDE"])
    executable = subprocess.run(["node", "-p", "process.execPath"], capture_output=True, text=True, check=True)
    found = Path(executable.stdout.strip()).resolve().parents[1] / "include" / "node"
    if not (found / "node_api.h").exists():
        raise SystemExit(f"{found} has no node_api.h: install libnode-dev, or name its folder in NODE_INCLUDE")
    return found


def addon(header: Header, made: Path) -> Path:
    made.parent.mkdir(parents=True, exist_ok=True)
    tables = made.with_name("generated.c")
    tables.write_text(node.native(header), encoding="utf-8")
    folders = [f"-I{path}" for path in (HERE / "native", ROOT / "include", include_folder())]
    sources = [str(tables), str(HERE / "native" / "mtoken.c")]
    subprocess.run(
        [*shlex.split(os.environ.get("CC", "cc")), *FLAGS, *folders, *sources, "-o", str(made), "-ldl", "-lpthread"],
        check=True,
    )
    return made


def package_json(header: Header) -> str:
    text = (HERE / "package.json").read_text(encoding="utf-8")
    return filled(text).replace("@VERSION@", header.version)


def module(header: Header) -> str:
    """For import: the names of the CommonJS module, so that both give one class."""
    names = json.loads(
        subprocess.run(
            ["node", "-p", "JSON.stringify(Object.keys(require('./lib/index.js')))"],
            cwd=BUILD / "package",
            env={**os.environ, "MTOKEN_LIBRARY": str(ROOT / "build" / "lib" / "libmtoken.so.1")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    lines = ["import mtoken from './index.js'", "export default mtoken"]
    lines += [f"export const {name} = mtoken.{name}" for name in sorted(names)]
    return "\n".join(lines) + "\n"


def prebuilds(package: Path, system: str) -> Path:
    """The folder of a system's addon and library: "linux-arm64-musl"."""
    machine, *_, libc = system.split("-")
    return package / "prebuilds" / (PLATFORMS[machine] + ("-musl" if libc == "musl" else ""))


def carry(folder: Path, made: Path, header: Header, library: Optional[Path]) -> None:
    folder.mkdir(parents=True)
    shutil.copy(made, folder / "mtoken.node")
    if library is not None:
        shutil.copy(library.resolve(), folder / header.soname)
        third = library.parent / "THIRD-PARTY.txt"
        if third.exists():
            shutil.copy(third, folder)


def assemble(header: Header, made: Path, library: Optional[Path], crossed: List[Path]) -> Path:
    package = BUILD / "package"
    shutil.rmtree(package, ignore_errors=True)
    (package / "lib").mkdir(parents=True)
    for path in HERE.glob("src/*.js"):
        shutil.copy(path, package / "lib")
    (package / "lib" / "generated.js").write_text(node.script(header), encoding="utf-8")
    minimum = {"version": header.version, "number": header.integers["MTOKEN_VERSION_NUMBER"]}
    (package / "lib" / "minimum.json").write_text(json.dumps(minimum) + "\n", encoding="utf-8")
    (package / "lib" / "index.d.ts").write_text(node.types(header), encoding="utf-8")
    (package / "lib" / "index.d.mts").write_text(MODULE_TYPES, encoding="utf-8")
    carry(prebuilds(package, f"{platform.machine()}-linux-gnu"), made, header, library)
    for system in crossed:
        carry(prebuilds(package, system.name), system / "node/mtoken.node", header, system / "portable" / header.soname)
    shutil.copy(HERE / "README.md", package)
    for page in ("CHANGELOG.md", "LICENSE", "SECURITY.md"):
        shutil.copy(ROOT / page, package)
    (package / "package.json").write_text(package_json(header), encoding="utf-8")
    (package / "lib" / "index.mjs").write_text(module(header), encoding="utf-8")
    (BUILD / "calls.json").write_text(node.names(header), encoding="utf-8")
    return package


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, help="the library that the package carries; none: the system's is used")
    parser.add_argument(
        "--runtime", action="store_true", help="print the version of Node.js, if the addon can be built for it"
    )
    parser.add_argument(
        "--crossed", type=Path, nargs="*", default=[], help="what was built for other systems, and is carried too"
    )
    parser.add_argument("--addon", type=Path, help="compile the addon alone, to this file")
    parser.add_argument("--pack", action="store_true", help="make the archive that npm installs")
    options = parser.parse_args(arguments)
    if options.runtime:
        include_folder()
        return subprocess.run(["node", "--version"], check=False).returncode
    if options.library is not None and not options.library.exists():
        parser.error(f"{options.library} does not exist: make portable")
    header = read(ROOT / "include")
    if options.addon:
        addon(header, options.addon)
        return 0
    package = assemble(header, addon(header, BUILD / "mtoken.node"), options.library, options.crossed)
    if options.pack:
        subprocess.run(["npm", "pack", "--silent", "--pack-destination", str(BUILD), str(package)], check=True)
    print(f"node: {package}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
