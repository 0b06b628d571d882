# SPDX-License-Identifier: Apache-2.0
"""C's headers and the libraries of another system: Debian's packages for it, pinned, verified, unpacked, not installed.

    packaging/link/portable/sysroot.py make aarch64-linux-gnu FOLDER         or aarch64-linux-musl, x86_64-linux-musl
    packaging/link/portable/sysroot.py pin

`make` fetches as `sources.py` does. `pin` writes the newest versions of the suite into sysroots.json.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from sources import BUILD, Package, fetch, newest

PINS = Path(__file__).with_name("sysroots.json")
ARCHITECTURES = {"aarch64": "arm64", "x86_64": "amd64"}
OF_BOTH = ("asm", "asm-generic", "linux", "curl", "jansson.h", "jansson_config.h", "openssl")
"""Headers that do not depend on the C library."""
FOR_MUSL = (
    "libgcc-12-dev",
    "libcurl4-openssl-dev",
    "libjansson-dev",
    "libssl-dev",
    "linux-libc-dev",
    "musl",
    "musl-dev",
)


def pins(machine: str) -> dict[str, Package]:
    document = json.loads(PINS.read_text(encoding="utf-8"))
    return {name: Package(**pin) for name, pin in document["packages"][ARCHITECTURES[machine]].items()}


def with_musl_alone(triple: str, unpacked: Path, target: Path) -> None:
    """A system of musl, as Alpine has it, from Debian's, where musl stands beside glibc."""
    machine = triple.split("-")[0]
    glibc = f"{machine}-linux-gnu"
    headers, libraries = target / "usr/include", target / "usr/lib"
    shutil.copytree(unpacked / "usr/include" / triple, headers)
    for name in OF_BOTH:
        for source in (unpacked / "usr/include" / glibc / name, unpacked / "usr/include" / name):
            if source.is_dir():
                shutil.copytree(source, headers / name, dirs_exist_ok=True)
            elif source.exists():
                shutil.copy(source, headers / name)
    shutil.copytree(unpacked / "usr/lib" / triple, libraries, ignore=shutil.ignore_patterns("libc.so"))
    shutil.copy(unpacked / "lib" / triple / "libc.so", libraries / "libc.so")
    (target / "lib").mkdir()
    (target / "lib" / f"ld-musl-{machine}.so.1").symlink_to("../usr/lib/libc.so")
    shutil.copytree(unpacked / "usr/lib/gcc" / glibc, libraries / "gcc" / triple, ignore_dangling_symlinks=True)


def make(triple: str, target: Path) -> None:
    unpacked = target.with_name(target.name + ".new")
    for folder in (target, unpacked):
        shutil.rmtree(folder, ignore_errors=True)
    unpacked.mkdir(parents=True)
    is_musl = triple.endswith("-musl")
    for name, package in pins(triple.split("-")[0]).items():
        if is_musl and name not in FOR_MUSL:
            continue
        fetch(name, package, "sysroot-pin")
        for file in package.files:
            subprocess.run(["dpkg-deb", "-x", str(BUILD / "download" / file), str(unpacked)], check=True)
    if is_musl:
        with_musl_alone(triple, unpacked, target)
        shutil.rmtree(unpacked)
    else:
        unpacked.rename(target)


def pin() -> None:
    document = json.loads(PINS.read_text(encoding="utf-8"))
    for architecture, packages in document["packages"].items():
        known = {name: Package(**pin) if pin else None for name, pin in packages.items()}
        document["packages"][architecture] = newest(document["suite"], known, architecture)
    PINS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("triple")
    making.add_argument("target", type=Path)
    commands.add_parser("pin")
    options = parser.parse_args()
    if options.command == "pin":
        pin()
    else:
        make(options.triple, options.target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
