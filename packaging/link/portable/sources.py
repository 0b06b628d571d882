# SPDX-License-Identifier: Apache-2.0
"""The source packages that the portable library is linked with: pinned in sources.json, verified, unpacked.

    packaging/link/portable/sources.py unpack openssl build/portable/source/openssl
    packaging/link/portable/sources.py pin

`unpack` fetches what is missing into build/portable/download, by apt, from the archives that this machine already uses,
compares each file with its pinned SHA-256, and unpacks it with Debian's patches applied. MTOKEN_ARCHIVE names another
archive. `pin` writes the newest versions of the suite into sources.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cmp_to_key
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

HERE = Path(__file__).resolve().parent
PINS = HERE / "sources.json"
BUILD = HERE.parents[2] / "build" / "portable"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


class Package(NamedTuple):
    """A source package: its version, its folder in the archive, and the SHA-256 of each of its files."""

    version: str
    folder: str
    files: Dict[str, str]


def pins() -> Dict[str, Package]:
    return {name: Package(**pin) for name, pin in json.loads(PINS.read_text(encoding="utf-8"))["packages"].items()}


def archives() -> List[str]:
    """The archives to ask, best first: MTOKEN_ARCHIVE, or those that apt uses here."""
    chosen = os.environ.get("MTOKEN_ARCHIVE")
    if chosen:
        return [chosen]
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    # The security archive is a folder beside the archive, or a host of its own.
    beside = [re.sub(r"/debian/$", "/debian-security/", uri) for uri in found]
    return list(dict.fromkeys(uri.rstrip("/") for uri in [*found, *beside]))


def is_right(file: Path, digest: str) -> bool:
    return file.exists() and hashlib.sha256(file.read_bytes()).hexdigest() == digest


def missing(package: Package) -> str:
    """Brings the files of a package here; the first that is in no archive, or nothing."""
    folder = BUILD / "download"
    folder.mkdir(parents=True, exist_ok=True)
    for file, digest in package.files.items():
        target = folder / file
        if is_right(target, digest):
            continue
        for archive in archives():
            uri = f"{archive}/{package.folder}/{file.replace('~', '%7e').replace('+', '%2b')}"
            command = ["/usr/lib/apt/apt-helper", "download-file", uri, str(target), f"SHA256:{digest}"]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0 and is_right(target, digest):
                break
        else:
            return file
    return ""


def fetch(name: str, package: Package, pinning: str) -> None:
    """Brings the files of a package here, or ends. `pinning`: the target of make that pins newer ones."""
    file = missing(package)
    if file:
        sys.exit(
            f"sources: {file} of {name} {package.version} is in none of the archives that apt uses here. An "
            f"archive drops old versions: `make {pinning}` pins the newest ones, and MTOKEN_ARCHIVE names an "
            "archive that keeps them."
        )


def unpack(name: str, target: Path) -> None:
    package = pins()[name]
    fetch(name, package, "portable-pin")
    description = next(BUILD / "download" / file for file in package.files if file.endswith(".dsc"))
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    command = ["dpkg-source", "--no-check", "--extract", str(description), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"sources: {' '.join(command)}\n{done.stdout}{done.stderr}")


def listed(suite: str, names: List[str], architecture: str = "") -> Iterator[Tuple[str, Package]]:
    """What the archives have of the packages, as apt shows it, with lists of its own: sources, or an architecture's."""
    state = BUILD / "apt" / architecture
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    lines = []
    for archive in archives():
        security = archive.endswith("-security")
        kind = f"deb [arch={architecture} " if architecture else "deb-src ["
        lines.append(f"{kind}signed-by={KEYRING}] {archive} {suite}{'-security' if security else ''} main")
    (state / "sources.list").write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ["-o", f"Dir::Etc::sourcelist={state / 'sources.list'}", "-o", "Dir::Etc::sourceparts=-"]
    options += ["-o", f"Dir::State::lists={state / 'lists'}", "-o", f"Dir::Cache={state / 'cache'}"]
    if architecture:
        options += ["-o", f"APT::Architecture={architecture}", "-o", f"APT::Architectures={architecture}"]
        options += ["-o", "Dir::State::status=/dev/null"]
    # Of an archive without the suite apt complains; the rest is here.
    subprocess.run(["apt-get", *options, "update", "--quiet"], stdout=subprocess.DEVNULL, check=False)
    show = ["show", "--all-versions"] if architecture else ["showsrc", "--only-source"]
    answer = subprocess.run(["apt-cache", *options, *show, *names], capture_output=True, text=True, check=True).stdout
    for paragraph in filter(str.strip, answer.split("\n\n")):
        fields = dict(re.findall(r"^(\S+):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.MULTILINE))
        if architecture:
            path = Path(fields["Filename"])
            yield fields["Package"], Package(fields["Version"], str(path.parent), {path.name: fields["SHA256"]})
        else:
            files = {
                line.split()[2]: line.split()[0] for line in fields["Checksums-Sha256"].splitlines() if line.split()
            }
            files = {file: digest for file, digest in sorted(files.items()) if not file.endswith(".asc")}
            yield fields["Package"], Package(fields["Version"], fields["Directory"], files)


def compared(one: Package, other: Package) -> int:
    """Debian's order of versions, the newest first."""
    if one.version == other.version:
        return 0
    command = ["dpkg", "--compare-versions", one.version, "gt", other.version]
    return -1 if subprocess.run(command, check=False).returncode == 0 else 1


def newest(suite: str, known: Dict[str, Optional[Package]], architecture: str = "") -> Dict[str, Any]:
    """The newest version of each package whose files are in the archives: what is pinned, if nothing newer is."""
    found = {name: [package] if package else [] for name, package in known.items()}
    for name, package in listed(suite, list(found), architecture):
        found[name].append(package)
    pinned: Dict[str, Any] = {}
    for name, packages in found.items():
        for package in sorted(packages, key=cmp_to_key(compared)):
            file = missing(package)
            if not file:
                pinned[name] = package._asdict()
                print(f"{name} {package.version}")
                break
            print(f"not pinned: {name} {package.version} is listed, but the archives do not have {file}")
        else:
            sys.exit(f"sources: the archives have no {name} of {suite}")
    return pinned


def pin() -> None:
    document = json.loads(PINS.read_text(encoding="utf-8"))
    document["packages"] = newest(document["suite"], dict(pins()))
    PINS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    unpacking = commands.add_parser("unpack")
    unpacking.add_argument("name", choices=sorted(pins()))
    unpacking.add_argument("target", type=Path)
    commands.add_parser("pin")
    options = parser.parse_args()
    if options.command == "pin":
        pin()
    else:
        unpack(options.name, options.target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
