"""The doors of the README: each from nothing to an approved operation, by the commands that are printed there, timed.

Needs root, Debian's archive and a package index; what `make package package-tools packages-python` has made lies in build/.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import ssl
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import pytest
from containers import Container, built, instructions
from ctrl_c import listen_to_ctrl_c
from debian import BUILD, CHROOT, ROOT, debian
from pages import blocks

CONTAINERS = ROOT / "packaging" / "ship" / "containers"
DEBIAN, VENV = [
    block.text.split("\n")[:-1]
    for block in blocks("README.md")
    if block.language == "sh" and "mtoken demo" in block.text
]
"""The commands of the two doors; the last of each is the demo."""


def approve(demo: List[str], run: Callable[..., str], **where: Any) -> Tuple[str, float]:
    """What became of an operation of the demo, which runs there, and how long that took."""
    began = time.monotonic()
    with subprocess.Popen(
        demo,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=listen_to_ctrl_c,
        **where,
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            while "mtoken approve" not in said:
                line = process.stdout.readline()
                assert line, said
                said += line
            operation = json.loads(run("list", "-p", "demo", "--json"))["operations"][0]
            answer = json.loads(run("approve", operation["id"], "--yes", "--json", "-p", "demo", "--pin-fd", "0"))
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=120)
        finally:
            process.terminate()  # whatever went wrong, nothing waits for it
    return answer["result"], time.monotonic() - began


def test_debian() -> None:
    """A new Debian 12, and the three packages."""
    *before, demo = DEBIAN
    with debian("bookworm") as system:
        place = system.root / "srv" / "build"
        place.mkdir()
        for package in BUILD.glob("*.deb"):
            shutil.copy(package, place)
        began = time.monotonic()
        for command in before:
            system.run("sh", "-c", f"cd /srv && {command.replace('apt install', 'apt install --yes')}")
        installed = time.monotonic() - began
        root = [CHROOT, str(system.root)]
        clean = {"PATH": "/usr/bin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}

        result, seconds = approve([*root, *demo.split()], command_in([*root, "mtoken"], clean), env=clean)
        assert result == "APPROVED"
        print(f"\nDebian 12: packages {installed:.0f} s, approved after {seconds:.0f} s more")
        pages = system.run("dpkg", "-L", "mtoken-tools").split()
        assert "/usr/share/man/man1/mtoken-approve.1.gz" in pages
        assert "/usr/share/bash-completion/completions/mtoken" in pages


def command_in(command: List[str], environment: Dict[str, str]) -> Callable[..., str]:
    """Runs the command with arguments, and the demo's PIN to read."""

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [*command, *arguments], env=environment, input="1234\n", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_virtual_environment(tmp_path: Path) -> None:
    """A new virtual environment, and the wheels."""
    *before, demo = VENV
    shutil.copytree(BUILD / "dist", tmp_path / "build" / "dist")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MTOKEN_", "PYTHON", "XDG_"))}
    clean["HOME"] = str(tmp_path)
    began = time.monotonic()
    for command in before:
        subprocess.run(["sh", "-c", command], cwd=tmp_path, env=clean, check=True, stdout=subprocess.DEVNULL)
    installed = time.monotonic() - began
    program = str(tmp_path / demo.split()[0])

    result, seconds = approve(demo.split(), command_in([program], clean), env=clean, cwd=tmp_path)
    assert result == "APPROVED"
    print(f"\nvirtual environment: wheels {installed:.0f} s, approved after {seconds:.0f} s more")


# Containers


def admin(url: str, path: str, body: Any) -> Any:
    request = urllib.request.Request(
        f"{url}/admin{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60, context=ssl._create_unverified_context()) as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def server() -> Iterator[Container]:
    with built(CONTAINERS / "devserver.Containerfile") as container:
        yield container


def test_the_server_in_a_container(server: Container) -> None:
    """By the steps of the Containerfile: it listens at the port that is exposed, as a user without rights."""
    assert server.ports == [8443] and server.user != 0
    with server.start() as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("Server:") and ":8443" in said, said + process.stdout.read()
            created = admin("https://127.0.0.1:8443", "/activations", {"userId": "somebody"})
            assert created["state"] == "CREATED"
        finally:
            process.terminate()


def test_the_load_test_in_a_container() -> None:
    """It activates devices, which look and approve."""
    with built(CONTAINERS / "loadtest.Containerfile") as container:
        arguments = ["--devices", "4", "--spawn-rate", "4", "--time", "10", "--poll", "1", "--approve-every", "2"]
        with container.start(*arguments) as process:
            said, _ = process.communicate(timeout=300)
        assert process.returncode == 0 and "4 of 4 devices" in said, said
        locust = container.start("--version", entry="/opt/mtoken/bin/mtoken-locust")
        said, _ = locust.communicate(timeout=120)
        assert locust.returncode == 0 and said.startswith("locust"), said


def test_every_containerfile_is_followed() -> None:
    names = {path.name for path in CONTAINERS.iterdir()}
    assert names == {"devserver.Containerfile", "loadtest.Containerfile"}
    for name in names:
        assert next(instructions(CONTAINERS / name)) == ("FROM", "debian:12-slim")
