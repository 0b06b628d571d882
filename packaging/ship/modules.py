# SPDX-License-Identifier: Apache-2.0
r"""Writes the Go module and the Rust crates in the forms that their tools read, of the current folder.

    packaging/ship/modules.py --version VERSION --output build/release [--library build/portable/libmtoken.so.1] \
        [--crossed build/aarch64-linux-gnu ...]

A module is a zip whose names begin with module@version, without the modules within it, and with the project's texts;
a crate is an archive whose names begin with name-version. A crate names the others by the folders beside it, so that
no registry is asked for them; that of the declarations carries the library, for its feature `bundled`, and says what
is inside. So does the module, with the header, for its tag `mtoken_bundled`. Times come from SOURCE_DATE_EPOCH: the
same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import platform
import re
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Dict, Tuple

GO, RUST = "bindings/go", "bindings/rust"
MODULE = f"libmtoken.example/{GO}"
TEXTS = ("CHANGELOG.md", "LICENSE", "SECURITY.md")
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


MADE = "bindings/.gitignore"
"""Names what is made from the header beside what git has."""


def sources(*folders: str) -> Dict[str, bytes]:
    """The files of folders, by their paths: those that are committed, and those that `make build` has made."""
    lines = Path(MADE).read_text(encoding="utf-8").splitlines()
    made = [name for name in (f"bindings{line}" for line in lines if line.startswith("/")) if name.startswith(folders)]
    command = ["git", "archive", "--format=tar", "HEAD", *folders]
    packed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        files = {member.name: archive.extractfile(member) for member in archive if member.isfile() or member.issym()}
    found = {name: file.read() for name, file in files.items() if file is not None}
    return {**found, **{name: Path(name).read_bytes() for name in made}}


def within(files: Dict[str, bytes], folder: str) -> Dict[str, bytes]:
    return {name[len(folder) + 1 :]: content for name, content in files.items() if name.startswith(f"{folder}/")}


def write_module(target: Path, version: str, files: Dict[str, bytes]) -> None:
    found = {**within(files, GO), **{name: files[name] for name in TEXTS}}
    others = tuple(name[: -len("go.mod")] for name in found if name.endswith("/go.mod"))
    day: Tuple[int, ...] = time.gmtime(EPOCH)[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(found.items()):
            if not name.startswith(others):
                info = zipfile.ZipInfo(f"{MODULE}@v{version}/{name}", day)  # type: ignore[arg-type]
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(info, content)


def bundled(system: str, library: Path) -> Dict[str, bytes]:
    """What is carried for a system."""
    names = ("libmtoken.so.1", "THIRD-PARTY.txt", "libmtoken.cdx.json")
    beside = [library, *(library.with_name(name) for name in names[1:])]
    return {f"bundled/{system}/{name}": path.read_bytes() for name, path in zip(names, beside) if path.exists()}


def write_crate(target: Path, crate: str, version: str, files: Dict[str, bytes]) -> None:
    found = within(files, f"{RUST}/{crate}")
    manifest = found["Cargo.toml"].decode().replace('readme = "../', 'readme = "')
    found["Cargo.toml"] = re.sub(r'path = "\.\./([^"]+)"', rf'path = "../\1-{version}"', manifest).encode()
    found["README.md"] = files[f"{RUST}/README.md"]
    with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, EPOCH) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, content in sorted(found.items()):
                info = tarfile.TarInfo(f"{crate}-{version}/{name}")
                info.size, info.mode, info.mtime = len(content), 0o644, EPOCH
                archive.addfile(info, io.BytesIO(content))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--library", type=Path, help="the portable library, which a crate and the module carry")
    parser.add_argument("--crossed", type=Path, nargs="*", default=[], help="what was built for other systems")
    options = parser.parse_args()
    files = sources(*TEXTS, "include", GO, RUST)
    if options.library:
        libraries = {f"{platform.machine()}-linux-gnu": options.library}
        libraries |= {folder.name: folder / "portable/libmtoken.so.1" for folder in options.crossed}
        for system, library in libraries.items():
            for name, content in bundled(system, library).items():
                files[f"{RUST}/mtoken-sys/{name}"] = files[f"{GO}/{name}"] = content
        headers = {name: text for name, text in files.items() if name.startswith("include/") and name.endswith(".h")}
        files |= {f"{GO}/bundled/{name}": text for name, text in headers.items()}
    write_module(options.output / f"libmtoken-go-{options.version}.zip", options.version, files)
    for name in files:
        crate, _, rest = name[len(RUST) + 1 :].partition("/")
        if name.startswith(RUST) and rest == "Cargo.toml":
            write_crate(options.output / f"{crate}-{options.version}.crate", crate, options.version, files)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
