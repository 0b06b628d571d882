#!/usr/bin/env python3
"""The link test: what a product needs of the user's machine, and what it shows.

    Tests/linkage.py LIBRARY... [--portable LIBRARY...] [--linkmap MAP...]

Each library needs the shared libraries that are promised and no others, no symbol of a newer glibc than promised, and gives out
nothing but the interface; it does not say where it was built, and is hardened as its processor allows. The portable ones need the C
library only, and bind their own symbols themselves. Exit status 0: all do.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEEDED = {"libc.so.6", "libm.so.6", "libssl.so.3", "libcrypto.so.3", "libjansson.so.4", "libcurl.so.4", "ld-linux"}
"""By the beginnings of their names; the dynamic linker is libc's own."""
PORTABLE_NEEDED = {"libc.so.6", "libm.so.6", "ld-linux"}
MUSL_NEEDED = {"libc.so"}
RELOCATIONS = {"X86-64": "R_X86_64_", "AArch64": "R_AARCH64_"}
"""The processors, as readelf calls them, and how it begins the names of their relocations."""
RELOCATED = ("RELATIVE", "GLOB_DAT", "JUMP_SLOT", "64", "ABS64")
"""Addresses of this library and of others: no code is changed when it is loaded, and none of it chosen."""
SIGNED = b"\x3f\x23\x03\xd5"
"""`paciasp`, by which a function on arm64 begins that signs its return address."""
SIGNED_FUNCTIONS = 1_000
PAGE = {"X86-64": 0x1000, "AArch64": 0x10000}
"""The largest pages that kernels have on the processor: segments begin on them."""
PORTABLE_SIZE = 6_000_000
GLIBC = (2, 34)
WRONG_RUNTIME = (6, 3)
"""The last Swift whose Embedded runtime is known to need packaging/link/embedded.c."""
MARKS = {"GLIBC_ABI_DT_RELR": (2, 36)}
"""Versions without a number that the loader looks for all the same: that of packed relocations."""


def read(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def wrong(library: Path, promised: set[str]) -> list[str]:
    found = []
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", read("readelf", "--dynamic", "--wide", str(library)))
    if "libc.so" in needed:
        promised = MUSL_NEEDED
        found += [f"needs {name}" for name in needed if name not in promised]
    else:
        found += [f"needs {name}" for name in needed if not name.startswith(tuple(promised))]
    if not {"libc.so.6", "libc.so"} & {*needed}:
        found.append("does not say that it needs libc: nothing was read")
    for line in read("readelf", "--dyn-syms", "--wide", str(library)).splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].endswith(":") or fields[0] == "Num:":
            continue
        index, name = fields[6], fields[7]
        version = re.search(r"@GLIBC_(\d+)\.(\d+)", name)
        if index == "UND" and version and (int(version[1]), int(version[2])) > GLIBC:
            found.append(f"needs {name}, which is newer than glibc {GLIBC[0]}.{GLIBC[1]}")
        if index != "UND" and not name.startswith(("mtoken_", "MTOKEN_")):
            found.append(f"gives out {name}")
    for name in re.findall(r"Name: (GLIBC_\w+[\w.]*)", read("readelf", "--version-info", "--wide", str(library))):
        number = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", name)
        if (MARKS.get(name, (99, 0)) if number is None else (int(number[1]), int(number[2]))) > GLIBC:
            found.append(f"needs the version {name}")
    return found


def hardened(library: Path) -> list[str]:
    """What keeps an attacker from what he could do with a mistake in memory. Of landing pads (IBT, BTI) all code of a library must have
    them, or none counts: Swift has none on x86-64, Debian's start files none on arm64, and so a library must not claim them."""
    found = []
    header = read("readelf", "--file-header", "--segments", "--wide", str(library))
    dynamic = read("readelf", "--dynamic", "--wide", str(library))
    machine = next((name for name in RELOCATIONS if name in header), "")
    if not machine:
        return ["is for another processor"]
    for segment, align in re.findall(r"^ +(LOAD) .* (0x[0-9a-f]+)$", header, re.MULTILINE):
        if int(align, 16) < PAGE[machine]:
            found.append(f"has a segment {segment} for pages of {align} bytes")
    if not re.search(r"GNU_RELRO", header) or "BIND_NOW" not in dynamic:
        found.append("leaves its tables of addresses writable")
    if not re.search(r"GNU_STACK .* RW ", header):
        found.append("asks for a stack that can be executed")
    if "TEXTREL" in dynamic:
        found.append("changes its code when it is loaded")
    relocations = re.findall(
        r"^[0-9a-f]+ +[0-9a-f]+ (R_\w+)", read("readelf", "--relocs", "--wide", str(library)), re.MULTILINE
    )
    allowed = {RELOCATIONS[machine] + kind for kind in RELOCATED}
    found += [f"has relocations {kind}" for kind in sorted({*relocations} - allowed)]
    if not relocations:
        found.append("has no relocations: nothing was read")
    if "__stack_chk_fail" not in read("readelf", "--dyn-syms", "--wide", str(library)):
        found.append("has no guard on its stack")
    if re.search(r"\b(IBT|BTI)\b", read("readelf", "--notes", "--wide", str(library))):
        found.append("claims landing pads, which not all of its code has")
    if machine == "AArch64" and library.read_bytes().count(SIGNED) < SIGNED_FUNCTIONS:
        found.append("does not sign return addresses")
    return found


def carried(library: Path) -> list[str]:
    """What only a library that is carried promises: its size, and that nothing in the process comes between it and its parts."""
    found = []
    if library.stat().st_size > PORTABLE_SIZE:
        found.append(f"has {library.stat().st_size} bytes, more than {PORTABLE_SIZE}")
    if "SYMBOLIC" not in read("readelf", "--dynamic", "--wide", str(library)):
        found.append("is not linked with -Bsymbolic")
    return found


def mended(linkmap: Path) -> list[str]:
    """Whether the runtime functions that the toolchain has wrong are those of packaging/link/embedded.c."""
    lines = linkmap.read_text(errors="replace").splitlines()
    names = re.findall(r"^void \*(swift_\w+)\(.*\)$", Path("packaging/link/embedded.c").read_text(), re.MULTILINE)
    linked = {name: [line for line in lines if line.endswith(f":(.text.{name})")] for name in names}
    found = [] if any(linked.values()) else ["packaging/link/embedded.c is not linked"]
    for name, sections in linked.items():
        if not all("/embedded.o:" in line for line in sections):
            found.append(f"{name} is the toolchain's, not that of packaging/link/embedded.c")
    version = re.search(r"Swift version (\d+)\.(\d+)", read("swift", "--version"))
    if version and (int(version[1]), int(version[2])) > WRONG_RUNTIME:
        found.append(f"Swift {version[1]}.{version[2]} may have swift_bridgeObjectRetain right: then embedded.c goes")
    return found


FOR_TESTS = "KnownActivation"
"""What only the library for tests calls."""


def lean(linkmap: Path) -> list[str]:
    return [f"holds {FOR_TESTS}"] if FOR_TESTS in linkmap.read_text(errors="replace") else []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", type=Path)
    parser.add_argument("--portable", nargs="+", default=[], type=Path)
    parser.add_argument("--linkmap", nargs="+", default=[], type=Path)
    arguments = parser.parse_args()
    libraries = [*arguments.libraries, *arguments.portable]
    failures = [f"{library}: {what}" for library in arguments.libraries for what in wrong(library, NEEDED)]
    failures += [f"{library}: {what}" for library in libraries for what in hardened(library)]
    failures += [f"{library}: has the folder {ROOT}" for library in libraries if bytes(ROOT) in library.read_bytes()]
    for library in arguments.portable:
        failures += [f"{library}: {what}" for what in [*wrong(library, PORTABLE_NEEDED), *carried(library)]]
    failures += [f"{linkmap}: {what}" for linkmap in arguments.linkmap for what in [*mended(linkmap), *lean(linkmap)]]
    if not libraries:
        parser.error("no library is given")
    for failure in failures:
        print(f"linkage: {failure}", file=sys.stderr)
    print(f"linkage: {len(libraries)} libraries, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
