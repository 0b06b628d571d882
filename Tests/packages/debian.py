"""Debian systems in folders, and the dev server's programs in them. Needs root and Debian's archive."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
CHROOT = "/usr/sbin/chroot"
sys.path.insert(0, str(ROOT / "Tests" / "python"))

from devserver import DevServer  # noqa: E402


class NotHere(Exception):
    """This machine cannot make such a system; the text says why."""


class System:
    """A Debian system in a folder."""

    def __init__(self, root: Path):
        self.root = root

    def run(self, *command: str, **environment: str) -> str:
        """Runs a command in the system. AssertionError: it failed."""
        clean = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
        done = subprocess.run(
            [CHROOT, str(self.root), *command],
            env={**clean, **environment},
            text=True,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, f"{' '.join(command)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def bring(self, source: Path) -> str:
        shutil.copy(source, self.root / "srv")
        return f"/srv/{source.name}"

    def install(self, *packages: str) -> None:
        self.run("apt-get", "install", "--yes", "--no-install-recommends", *packages)


def archive() -> str:
    """Debian's archive that apt uses here."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    found = subprocess.run(command, check=False, capture_output=True, text=True).stdout.split()
    for uri in found:
        if re.search(r"/debian/?$", uri):
            return uri
    raise NotHere("apt knows no archive of Debian")


@contextmanager
def debian(suite: str, variant: str = "apt") -> Iterator[System]:
    """A new system with nothing but apt and what it needs, or another variant of mmdebstrap's."""
    if os.geteuid() != 0:
        raise NotHere("only root makes a Debian system")
    if shutil.which("mmdebstrap") is None:
        raise NotHere("mmdebstrap is not installed")
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    with tempfile.TemporaryDirectory(prefix="mtoken-package-", dir="/var/tmp") as folder:
        root = Path(folder) / "root"
        line = f"deb [signed-by={key}] {archive()} {suite} main"
        command = [
            "mmdebstrap",
            "--quiet",
            f"--variant={variant}",
            "--mode=root",
            "--skip=cleanup/apt",
            "--dpkgopt=force-unsafe-io",
            suite,
            str(root),
            line,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise NotHere(f"the archive gave no Debian {suite}: {done.stderr.strip()[-300:]}")
        shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
        yield System(root)


def new_operation(server: DevServer, user: str) -> str:
    parameters = {"amount": "125.50", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": "Rent"}
    body = {"template": "authorize_payment", "parameters": parameters, "userId": user}
    answer: str = server.admin("POST", "/operations", body)["operationId"]
    return answer


def approve(system: System, server: DevServer, program: str, user: str) -> None:
    """Activates a device, approves an operation and rejects another with a program within the system."""
    rejected, approved = new_operation(server, user), new_operation(server, user)
    code = server.admin("POST", "/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})["activationQr"]
    authority = system.bring(Path(server.ca_file))
    shutil.rmtree(system.root / "approve-state", ignore_errors=True)
    system.run(program, server.url, authority, server.configuration, code, "2468")
    states: List[str] = [
        server.admin("GET", f"/operations/{operation}")["status"] for operation in (approved, rejected)
    ]
    assert sorted(states) == ["APPROVED", "REJECTED"]
