#!/usr/bin/env python3
"""The ABI test: compares the interface with the committed description of it (Tests/libmtoken.abi) by abidiff.

    Tests/abi.py [--update] LIBRARY

The library is Swift, whose debug information does not describe the C types. So the header's declarations are compiled to a
C library with empty bodies, which abidw describes in full; and the exported symbols of LIBRARY must be exactly those of it.
--update rewrites the description, after a change that was meant. Exit status 0: nothing changed.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Set

ROOT = Path(__file__).resolve().parent.parent
DESCRIPTION = ROOT / "Tests" / "libmtoken.abi"

sys.path.insert(0, str(ROOT / "bindings"))
from generate import cdef  # noqa: E402
from generate.reader import read  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("library")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stand_in = compile_header(Path(folder))
        if symbols(stand_in) != symbols(arguments.library):
            sys.exit(f"abi: the library's symbols differ: {symbols(stand_in) ^ symbols(arguments.library)}")
        now = Path(folder, "now.abi")
        describe = [
            "abidw",
            "--no-corpus-path",
            "--no-comp-dir-path",
            "--no-show-locs",
            "--out-file",
            str(now),
            str(stand_in),
        ]
        subprocess.run(describe, check=True)
        if arguments.update:
            DESCRIPTION.write_text(now.read_text())
            return 0
        difference = subprocess.run(["abidiff", DESCRIPTION, now])
    print("abi: unchanged" if difference.returncode == 0 else "abi: CHANGED (see above)")
    return difference.returncode


def compile_header(folder: Path) -> Path:
    """A C library with the functions of the header."""
    header = read(ROOT / "include")
    source = ["#include <mtoken.h>", *(f'#include "{page.path}"' for page in header.pages)]
    for function in sorted(header.functions.values(), key=lambda function: (function.header, function.line)):
        source.append(cdef.prototype(function) + (" {}" if str(function.result) == "void" else " { return 0; }"))
    Path(folder, "stand-in.c").write_text("\n".join(source) + "\n")
    library = folder / "libmtoken.so.1"
    script = ROOT / "packaging" / "libmtoken.map"
    command = [
        "cc",
        "-g",
        "-shared",
        "-fPIC",
        "-w",
        f"-ffile-prefix-map={folder}=.",
        "-I",
        str(ROOT / "include"),
        str(folder / "stand-in.c"),
        "-o",
        str(library),
    ]
    subprocess.run(command + [f"-Wl,-soname,libmtoken.so.1,--version-script={script}"], check=True)
    return library


def symbols(library: Path) -> Set[str]:
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in listing.splitlines() if " A " not in line}  # A: the version node


if __name__ == "__main__":
    sys.exit(main())
