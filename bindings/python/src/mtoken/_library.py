# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the shared library."""

from __future__ import annotations

import ctypes
import importlib
import os
import platform
import sys
from pathlib import Path
from typing import Iterator, List

from . import abi as _c

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
    _refuse_other_interpreters()
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
    raise ImportError(
        f"libmtoken was not found for {_machine()} (set MTOKEN_LIBRARY to its path); tried " + "; ".join(problems)
    )


def _machine() -> str:
    """What a library must be made for to be loaded here: "aarch64-linux-musl"."""
    return getattr(sys.implementation, "_multiarch", "") or f"{platform.machine()}-{sys.platform}"


def _refuse_other_interpreters() -> None:
    """A store in Python is called on the library's thread, which only the main interpreter serves."""
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        raise ImportError("the package mtoken needs the global interpreter lock: start Python with PYTHON_GIL=1")
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        if interpreters.get_current() != interpreters.get_main():
            raise ImportError(
                "the package mtoken works in the main interpreter only, not in a sub-interpreter (with mod_wsgi: "
                "WSGIApplicationGroup %{GLOBAL})"
            )
        return


def _checked(library: ctypes.CDLL, path: str) -> ctypes.CDLL:
    wanted = f"this package needs {_c.MTOKEN_VERSION} or a newer one of ABI version {_c.MTOKEN_ABI_VERSION}"
    install = "install a newer libmtoken1, or this package's wheel, which has the library inside"
    try:
        _c.declare(library)
    except AttributeError as problem:
        raise ImportError(f"{path} lacks a function ({problem}); {wanted}: {install}") from None
    version = library.mtoken_abi_version()
    if version != _c.MTOKEN_ABI_VERSION or library.mtoken_version_number() < _c.MTOKEN_VERSION_NUMBER:
        found = (library.mtoken_version() or b"of an unknown version").decode("ascii")
        raise ImportError(f"{path} is libmtoken {found} of ABI version {version}; {wanted}: {install}")
    return library


lib = load()
