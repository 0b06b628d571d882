# SPDX-License-Identifier: Apache-2.0
"""Debian packages of the command and of the development server: mtoken-tools and mtoken-devserver.

    packaging/ship/tools.py --manual build/man/man1 --version VERSION --output build

What Python packages they need lies with them, in a folder of their own: Debian 12 has older ones. So they are for the
Python that made them.
"""

from __future__ import annotations

import argparse
import email
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Tuple

from package import depends, package, write

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.version_info[:2]


class Kind(NamedTuple):
    """A package: what pip installs, what starts it, and what Debian says of it."""

    source: str
    module: str
    command: str
    summary: str
    text: str
    also: str
    suggests: str


KINDS = {
    "mtoken-tools": Kind(
        "bindings/python[view]",
        "mtoken_command",
        "mtoken",
        "mobile token in a terminal",
        """ The command mtoken: activates this machine as a device of a user at a
 PowerAuth server, shows what waits for approval in a full-screen view, and
 approves or rejects it.""",
        "libmtoken1 (>= {version}~)",
        "mtoken-devserver, libnotify-bin",
    ),
    "mtoken-devserver": Kind(
        "tools/devserver",
        "mtoken_devserver.command",
        "mtoken-devserver",
        "PowerAuth server for development and tests",
        """ A PowerAuth server with the Mobile Token API, push, inbox and a console that
 plays the bank, for one machine. It misbehaves on request. Not for
 production: its administration asks for no password.""",
        "",
        "mtoken-tools",
    ),
}
START = """#!/usr/bin/python3
import sys

sys.path.insert(0, "{place}")

from {module} import main

main()
"""
# Compiled when it is installed; what was compiled goes with it.
SCRIPTS = {
    "postinst": """#!/bin/sh
set -e
if [ "$1" = configure ]; then py3compile -p {name} {place}; fi
""",
    "prerm": """#!/bin/sh
set -e
py3clean -p {name}
""",
}
PAGE = """.TH "MTOKEN\\-DEVSERVER" "1" "" "libmtoken {version}"
.SH NAME
mtoken\\-devserver \\- PowerAuth server for development and tests
.SH SYNOPSIS
\\fBmtoken\\-devserver\\fR [\\fIoption\\fR ...]
.SH DESCRIPTION
.nf
{text}
.fi
"""


def install(source: str, place: Path) -> None:
    """The Python packages of `source` with all they need, without what differs from machine to machine."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(place)]
    subprocess.run([*command, str(ROOT / source)], check=True)
    shutil.rmtree(place / "bin", ignore_errors=True)
    for path in sorted(place.rglob("*")):
        if not path.exists():
            continue  # went with its folder
        if path.name in ("RECORD", "direct_url.json", "INSTALLER", "REQUESTED"):
            path.unlink()
        elif path.name in ("__pycache__", "tests", "SelfTest") and path.is_dir():
            shutil.rmtree(path)
        elif path.suffix == ".py" and path.read_bytes().startswith(b"#!"):
            # No program, wherever its first line says it could be one.
            path.write_bytes(path.read_bytes().partition(b"\n")[2])
        elif path.suffix == ".so":
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)


def licences(place: Path, installed: str) -> Iterator[str]:
    """A paragraph of the copyright file for each Python package that is not ours."""
    for folder in sorted(place.glob("*.dist-info")):
        fields = email.message_from_string((folder / "METADATA").read_text(encoding="utf-8"))
        name = fields["Name"]
        if name in ("libmtoken", "mtoken-devserver"):
            continue
        texts = [path for path in sorted(folder.rglob("*")) if re.match("licen|copying|notice", path.name, re.I)]
        words = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in texts if path.is_file())
        said = re.findall(r"^\W*(Copyright (?:\(c\)|\N{COPYRIGHT SIGN}|\d).*)$", words, re.MULTILINE | re.IGNORECASE)
        holders = [re.sub(r"(?i)^copyright\s*(\(c\))?\s*", "", line).strip() for line in said]
        holder = "\n ".join(dict.fromkeys(filter(None, holders))) or f"the authors of {name}"
        top = folder / "top_level.txt"
        modules = top.read_text().split() if top.exists() else []
        modules += [name.lower().replace("-", "_"), name, folder.name.partition("-")[0]]
        there = sorted({module for module in modules if (place / module).exists() or (place / f"{module}.py").exists()})
        paths = [f"{installed}/{folder.name}/*", *(f"{installed}/{module}*" for module in there)]
        if "Apache License" in words and "Version 2.0, January 2004" in words:
            words = f"{APACHE}\n{fields.get('License', '')}"
        short = f"{name}-licence"
        text = "".join(f"\n {line.rstrip() or '.'}" for line in words.splitlines()) or f"\n {fields['License']}"
        yield f"\nFiles: {' '.join(paths)}\nCopyright: {holder}\nLicense: {short}{text}\n"


def make(name: str, kind: Kind, manual: Path, version: str, output: Path, folder: Path) -> Path:
    tree = folder / name
    installed = f"usr/lib/{name}"
    place = tree / installed
    install(kind.source, place)
    libraries = sorted(place.rglob("*.so"))
    write(tree / "usr" / "bin" / kind.command, START.format(place=f"/{installed}", module=kind.module))
    pages = tree / "usr" / "share" / "man" / "man1"
    pages.mkdir(parents=True)
    if name == "mtoken-devserver":
        command = [sys.executable, "-m", "mtoken_devserver", "--help"]
        said = subprocess.run(command, cwd=ROOT / kind.source, check=True, capture_output=True, text=True).stdout
        said = said.replace("python -m mtoken_devserver", kind.command).replace("\\", "\\e").replace("-", "\\-")
        write(pages / "mtoken-devserver.1.gz", PAGE.format(version=version, text=said), pack=True)
    else:
        for page in manual.glob("*.1"):
            (pages / f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
        for shell, path in COMPLETIONS.items():
            script = subprocess.run(
                [sys.executable, "-m", "mtoken_command", "completion", shell],
                check=True,
                capture_output=True,
                text=True,
                env={**os.environ, "PYTHONPATH": f"{ROOT}/bindings/python/src:{ROOT}/tools/command"},
            ).stdout
            write(tree / "usr" / "share" / path, script)
    needed = [f"python3 (>= {PYTHON[0]}.{PYTHON[1]}), python3 (<< {PYTHON[0]}.{PYTHON[1] + 1})"]
    needed += [kind.also.format(version=version)] if kind.also else []
    fields = {
        "Section": "utils", "Depends": ", ".join([*needed, depends(*libraries)]), "Suggests": kind.suggests,
        "Multi-Arch": "no", "Description": f"{kind.summary}\n{kind.text}",
    }  # fmt: skip
    accepted = "".join(f"{name}: {tag} *\n" for tag in ACCEPTED[name])
    words = "".join(licences(place, installed))
    scripts = {script: text.format(name=name, place=f"/{installed}") for script, text in SCRIPTS.items()}
    return package(tree, name, version, fields, scripts, output, copyright=words, accepted=accepted)


COMPLETIONS = {
    "bash": "bash-completion/completions/mtoken",
    "zsh": "zsh/vendor-completions/_mtoken",
    "fish": "fish/vendor_completions.d/mtoken.fish",
}
APACHE = "On Debian systems the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0."
ACCEPTED: Dict[str, Tuple[str, ...]] = {"mtoken-tools": (), "mtoken-devserver": ("embedded-library",)}
"""What lintian says of the Python packages that lie within, as their authors built them."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manual", type=Path, required=True, help="folder of the pages of the command")
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    os.umask(0o022)
    made: List[Path] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, kind in KINDS.items():
            made.append(make(name, kind, options.manual, options.version, options.output, Path(folder)))
    print("\n".join(f"packed {path}" for path in made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
