# SPDX-License-Identifier: Apache-2.0
"""Writes what is made from the header.

PYTHONPATH=bindings python3 -m generate             the files of the repository that are generated
PYTHONPATH=bindings python3 -m generate --check     compares them with the header; 1: they differ
PYTHONPATH=bindings python3 -m generate --build build/generated
                                                    what is built: the description, the cdef, the layer of C++, and
                                                    the parts of Python's package and of the crates in their places
PYTHONPATH=bindings python3 -m generate --man build/man/man3 --date 2026-01-31
                                                    the man pages of section 3
PYTHONPATH=bindings python3 -m generate --markdown build/docs/source/reference
                                                    the reference of the site
"""

from __future__ import annotations

import argparse
import difflib
import sys
from datetime import date
from pathlib import Path
from typing import Callable, Dict, List, Optional

from . import (
    calls,
    cdef,
    cpp,
    cpp_calls,
    csharp,
    ctypes_layer,
    describe,
    go,
    golden,
    man,
    markdown,
    python_enums,
    rust,
    sdks,
    swift,
    symbols,
)
from .model import Header, HeaderError
from .reader import read

ROOT = Path(__file__).resolve().parents[2]

COMMITTED: Dict[str, Callable[[Header], str]] = {
    **{f"bindings/go/{name}": make for name, make in go.FILES.items()},
    "Sources/MobileToken/Client/LibraryVersion.swift": swift.version,
    "Sources/MobileTokenC/Constants.swift": swift.constants,
    "Sources/MobileTokenC/OptionStruct.swift": swift.options,
    "Tests/contract.golden.txt": golden.text,
    "docs/guides/from-the-mobile-sdks.md": sdks.text,
    "packaging/link/libmtoken.map": symbols.text,
}
"""What tools take from the repository (package managers of Go and Swift), or what must show a change of the header."""

PLACED: Dict[str, Callable[[Header], str]] = {
    "bindings/python/src/mtoken/abi.py": ctypes_layer.text,
    "bindings/python/src/mtoken/enums.py": python_enums.text,
    **{f"bindings/rust/{name}": make for name, make in rust.FILES.items()},
}
"""What is built beside sources that are written by hand. Git ignores it."""

BUILT: Dict[str, Callable[[Header], str]] = {
    "mtoken.abi.json": describe.text,
    "mtoken.cdef.h": cdef.text,
    "csharp/Names.cs": csharp.names,
    **{f"csharp/{name}": make for name, make in csharp.FILES.items()},
    "go/names.go": go.names,
    "rust/dispatch.rs": rust.dispatch,
    "cpp/mtoken/cpp/types.hpp": cpp.types,
    "cpp/mtoken/cpp/objects.hpp": cpp.objects,
    "cpp/mtoken/cpp/calls.hpp": cpp.calls,
    "conformance/calls.c": calls.text,
    "conformance/calls.cpp": cpp_calls.text,
}


def differences(header: Header) -> List[str]:
    """How the committed files differ from what the header says."""
    found: List[str] = []
    for name, make in COMMITTED.items():
        path = ROOT / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        found += difflib.unified_diff(old.splitlines(), make(header).splitlines(), name, "header", lineterm="", n=0)
    return found


def write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=Path, default=ROOT / "include", help="folder of mtoken.h")
    parser.add_argument("--check", action="store_true", help="compare the committed files, write nothing")
    parser.add_argument("--build", type=Path, metavar="FOLDER", help="write the description and the cdef")
    parser.add_argument("--man", type=Path, metavar="FOLDER", help="write the man pages; the folder is made anew")
    parser.add_argument("--markdown", type=Path, metavar="FOLDER", help="write the reference of the site")
    parser.add_argument("--date", type=date.fromisoformat, default=date(1970, 1, 1), help="that the pages bear")
    options = parser.parse_args(arguments)
    try:
        header = read(options.include)
        if options.check:
            found = differences(header)
            print("\n".join(found) if found else f"generate: {len(COMMITTED)} files are as the header says")
            return 1 if found else 0
        if options.build:
            for name, make in BUILT.items():
                write(options.build / name, make(header))
            for name, make in PLACED.items():
                write(ROOT / name, make(header))
        elif options.man:
            count = man.write(header, options.man, header.version, options.date)
            print(f"man pages: {count.pages}, and links for {count.links} names")
        elif options.markdown:
            print(f"reference: {markdown.write(header, options.markdown)} pages")
        else:
            for name, make in COMMITTED.items():
                write(ROOT / name, make(header))
    except HeaderError as problem:
        print(f"generate: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
