"""Finds and loads the shared library."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Iterator, List

from . import _c

SONAME = "libmtoken.so.1"
BUNDLED = Path(__file__).resolve().parent / SONAME
"""The library within the package, if this is a wheel that has one."""


def _candidates() -> Iterator[str]:
    """Where the library may be, best first. MTOKEN_LIBRARY, when set, is the only place."""
    chosen = os.environ.get("MTOKEN_LIBRARY")
    if chosen:
        yield chosen
        return
    yield str(BUNDLED)
    if len(BUNDLED.parents) > 4:
        tree = BUNDLED.parents[4]  # bindings/python/src/mtoken of a source tree
        if (tree / "include" / "mtoken.h").exists():
            yield str(tree / "build" / "lib" / SONAME)
    yield SONAME


def load() -> ctypes.CDLL:
    """Loads the library and checks that it speaks this binding's ABI. ImportError: it cannot be used."""
    problems: List[str] = []
    for candidate in _candidates():
        if os.sep in candidate and not os.path.exists(candidate):
            problems.append(f"{candidate}: no such file")
            continue
        try:
            library = ctypes.CDLL(candidate)
        except OSError as problem:
            problems.append(f"{candidate}: {problem}")
            continue
        return _checked(library, candidate)
    raise ImportError("libmtoken was not found (set MTOKEN_LIBRARY to its path); tried " + "; ".join(problems))


def _checked(library: ctypes.CDLL, path: str) -> ctypes.CDLL:
    try:
        _c.declare(library)
    except AttributeError as problem:
        raise ImportError(f"{path} lacks a function that this version of the mtoken package needs: {problem}") from None
    version = library.mtoken_abi_version()
    if version != _c.MTOKEN_ABI_VERSION:
        raise ImportError(f"{path} has ABI version {version}; this package needs {_c.MTOKEN_ABI_VERSION}")
    return library


lib = load()
