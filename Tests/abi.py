#!/usr/bin/env python3
"""The ABI test: compares the interface with that of the last release by abidiff.

    Tests/abi.py LIBRARY

The library is Swift, whose debug information does not describe the C types. So the header's declarations are compiled to a
C library with empty bodies, which abidiff understands in full; the exported symbols of LIBRARY must be exactly those of it.
The same is done with the header of the last tag. Exit status 0: programs that were built for it run.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Set

ROOT = Path(__file__).resolve().parent.parent

sys.path.insert(0, str(ROOT / "bindings"))
from generate import cdef  # noqa: E402
from generate.reader import read  # noqa: E402


def main(library: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        now = compile_header(ROOT, Path(folder, "now"))
        if symbols(now) != symbols(Path(library)):
            sys.exit(f"abi: the library's symbols differ: {symbols(now) ^ symbols(Path(library))}")
        command = ["git", "-C", str(ROOT), "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD"]
        tag = subprocess.run(command, capture_output=True, text=True).stdout.strip()
        if not tag:
            print("abi: the library exports what the header declares; not compared: there is no release")
            return 0
        before = Path(folder, "before")
        before.mkdir()
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", tag, "include"], check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", str(before)], check=True, input=archive.stdout)
        difference = subprocess.run(["abidiff", compile_header(before, before / "built"), now])
    print(f"abi: unchanged since {tag}" if difference.returncode == 0 else f"abi: CHANGED since {tag} (see above)")
    return difference.returncode


def compile_header(root: Path, folder: Path) -> Path:
    """A C library with the functions of the header."""
    header = read(root / "include")
    source = ["#include <mtoken.h>", *(f'#include "{page.path}"' for page in header.pages)]
    for function in sorted(header.functions.values(), key=lambda function: (function.header, function.line)):
        source.append(cdef.prototype(function) + (" {}" if str(function.result) == "void" else " { return 0; }"))
    folder.mkdir()
    Path(folder, "stand-in.c").write_text("\n".join(source) + "\n")
    library = folder / "libmtoken.so.1"
    linked = f"-Wl,-soname,libmtoken.so.1,--version-script={ROOT / 'packaging' / 'link' / 'libmtoken.map'}"
    command = ["cc", "-g", "-shared", "-fPIC", "-w", "-I", str(root / "include"), str(folder / "stand-in.c")]
    subprocess.run([*command, "-o", str(library), linked], check=True)
    return library


def symbols(library: Path) -> Set[str]:
    listing = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in listing.splitlines() if " A " not in line}  # A: the version node


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
