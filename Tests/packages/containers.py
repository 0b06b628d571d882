"""Follows a Containerfile in a folder, step by step: there is no container engine here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from debian import CHROOT, ROOT, System, debian

SUITES = {"debian:12-slim": "bookworm"}
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


class Container:
    """What a Containerfile has made, and how it is started."""

    def __init__(self, system: System):
        self.system = system
        self.environment: Dict[str, str] = {}
        self.user = 0
        self.ports: List[int] = []
        self.entry: List[str] = []

    def start(self, *arguments: str, entry: str = "") -> subprocess.Popen[str]:
        """The program of the image, as its user, with the machine's network."""
        user = ["--userspec", f"{self.user}:{self.user}"] if self.user else []
        root = str(self.system.root)
        # As an engine does: processes see /proc, in a place of mounts that ends with them.
        enter = ["/usr/bin/unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec "$@"', root]
        command = [*enter, CHROOT, *user, root, *([entry] if entry else self.entry), *arguments]
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", **self.environment}
        return subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def instructions(path: Path) -> Iterator[Tuple[str, str]]:
    """The instructions of a Containerfile and what stands behind them."""
    for line in path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


@contextmanager
def built(path: Path, context: Path = ROOT) -> Iterator[Container]:
    """Follows the instructions; one that is not known here is an error."""
    (word, image), *steps = instructions(path)
    assert word == "FROM"
    with debian(SUITES[image]) as system:
        container = Container(system)
        given: Dict[str, str] = {}
        for word, rest in steps:
            for name, value in given.items():
                rest = rest.replace(f"${{{name}}}", value)
            if word == "RUN":
                _run(container, rest)
            elif word == "COPY":
                *sources, target = rest.split()
                for source in sources:
                    _copy(context / source, system.root / target.lstrip("/"), target.endswith("/"))
            elif word == "ARG":
                name, _, value = rest.partition("=")
                given[name] = value
            elif word == "ENV":
                name, _, value = rest.partition("=")
                container.environment[name] = value
            elif word == "EXPOSE":
                container.ports.append(int(rest))
            elif word == "USER":
                container.user = int(rest)
            elif word == "ENTRYPOINT":
                container.entry = json.loads(rest)
            else:
                raise AssertionError(f"{path.name}: {word} is not known here")
        yield container


def _run(container: Container, command: str) -> None:
    # A package index behind a proxy of this machine is trusted by this machine's certificates.
    given = {name: value for name, value in os.environ.items() if name.startswith("PIP_INDEX")}
    if CERTIFICATES.exists():
        shutil.copy(CERTIFICATES, container.system.root / "srv" / "ca.pem")
        given["PIP_CERT"] = "/srv/ca.pem"
    container.system.run("sh", "-c", command, **{**given, **container.environment})


def _copy(source: Path, target: Path, into: bool) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "tests"))
        return
    if into:
        target.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
