# SPDX-License-Identifier: Apache-2.0
"""Copies what was staged (`make install-files`) to where it belongs, and removes it again by the list that it left.

    packaging/ship/install.py install --destdir '' --manifest /usr/local/share/mtoken/manifest --libdir /usr/local/lib \
        --mandir /usr/local/share/man --stage FOLDER
    packaging/ship/install.py uninstall --destdir '' --manifest /usr/local/share/mtoken/manifest

The list has a path a line, folders that were not there before with a slash at their end.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, Set

SBIN = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def listed(manifest: Path) -> Set[str]:
    return set(manifest.read_text(encoding="utf-8").splitlines()) if manifest.exists() else set()


def check(places: Set[Path], verb: str) -> None:
    """Whether all can be written, before anything is."""
    for place in sorted(places):
        there = next(folder for folder in (place, *place.parents) if folder.exists())
        if not os.access(there, os.W_OK | os.X_OK):
            home = " or, in a folder of yours: make install PREFIX=$HOME/.local" if verb == "install" else ""
            sys.exit(f"make {verb}: {there} is not yours to write in. Type: sudo make {verb}{home}")


def put(source: Path, target: Path) -> None:
    """In one step: a program that has the former file open is not disturbed."""
    new = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.copy2(source, new, follow_symlinks=False)
    os.replace(new, target)


def remove(root: str, paths: Set[str]) -> None:
    """Files, and the folders of the list that are empty then."""
    for path in sorted(paths, reverse=True):
        place = Path(f"{root}{path}")
        if not path.endswith("/"):
            place.unlink(missing_ok=True)
    for path in sorted(paths, reverse=True):
        place = Path(f"{root}{path}")
        if path.endswith("/") and place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def loader_looks_in(libdir: str) -> bool:
    """Whether programs find the library without being told; tells the system's loader of it."""
    ldconfig = shutil.which("ldconfig", path=SBIN)
    if ldconfig is None:
        return False
    if os.geteuid() == 0:
        subprocess.run([ldconfig], check=False)
    known = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
    return f"{libdir}/libmtoken.so." in known


def install(stage: Path, root: str, manifest: str, libdir: str, mandir: str) -> None:
    os.umask(0o022)
    sources = [path for path in stage.rglob("*") if path.is_symlink() or not path.is_dir()]
    files = {f"/{path.relative_to(stage)}" for path in sources}
    folders = {Path(f"{root}{file}").parent for file in {*files, manifest}}
    check(folders, "install")
    before = listed(Path(f"{root}{manifest}"))
    made: Set[str] = {path for path in before if path.endswith("/")}
    for folder in sorted(folders):
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        made |= {f"{str(place).removeprefix(root)}/" for place in missing}
    for file in sorted(files):
        put(stage / file[1:], Path(f"{root}{file}"))
    now = {*files, *made, manifest}
    remove(root, before - now)
    Path(f"{root}{manifest}").write_text("".join(f"{path}\n" for path in sorted(now)), encoding="utf-8")
    print(f"installed {len(files)} files, listed in {root}{manifest}")
    if not root and not loader_looks_in(libdir):
        print("The system does not look there. For the compiler, programs and man:")
        print(f'  export PKG_CONFIG_PATH="{libdir}/pkgconfig" LD_LIBRARY_PATH="{libdir}" MANPATH="{mandir}:"')


def uninstall(root: str, manifest: str) -> None:
    paths = listed(Path(f"{root}{manifest}"))
    if not paths:
        sys.exit(f"make uninstall: there is no {root}{manifest}: nothing is installed with this PREFIX")
    check({Path(f"{root}{path}").parent for path in paths}, "uninstall")
    remove(root, paths)
    if not root and os.geteuid() == 0 and (ldconfig := shutil.which("ldconfig", path=SBIN)):
        subprocess.run([ldconfig], check=False)
    print(f"removed {sum(not path.endswith('/') for path in paths) - 1} files")


def main(arguments: List[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("install", "uninstall"))
    parser.add_argument("--stage", type=Path, help="the folder with the tree to copy")
    parser.add_argument("--destdir", default="", help="stands before every path")
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--libdir", default="", help="where the library lies")
    parser.add_argument("--mandir", default="", help="where the manual pages lie")
    given = parser.parse_args(arguments)
    root = given.destdir.rstrip("/")
    if given.what == "uninstall":
        uninstall(root, given.manifest)
    elif given.stage is None:
        parser.error("which stage?")
    else:
        install(given.stage, root, given.manifest, given.libdir, given.mandir)


if __name__ == "__main__":
    main(sys.argv[1:])
