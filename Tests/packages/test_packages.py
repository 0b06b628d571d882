"""The packages as their users get them: in a Debian system that has nothing else. Needs root and Debian's archive.

make test-package
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Iterator

import pytest
from debian import BUILD, ROOT, System, approve, archive, debian, new_operation
from devserver import DevServer
from pages import blocks


@pytest.fixture(scope="module")
def system() -> Iterator[System]:
    with debian("bookworm") as system:
        yield system


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    server = DevServer(tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


def wheel() -> Path:
    (found,) = (BUILD / "dist").glob("libmtoken-*.whl")
    return found


def package(name: str) -> Path:
    found = list(BUILD.glob(f"{name}_*.deb"))
    assert len(found) == 1, f"make package first: {found}"
    return found[0]


def holds_neither(system: System) -> bool:
    """Whether the system has no library of ours, and none of libcurl."""
    return not [*(system.root / "usr" / "lib").rglob("libmtoken*"), *(system.root / "usr" / "lib").rglob("libcurl.so*")]


def approve_by_python(system: System, server: DevServer, user: str, *python: str) -> None:
    """Activates a device, approves an operation and rejects another with the example program."""
    rejected, approved = new_operation(server, user), new_operation(server, user)
    code = server.admin("POST", "/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})["activationQr"]
    system.bring(ROOT / "examples" / "python" / "bank.py")
    program = system.bring(ROOT / "examples" / "python" / "approve.py")
    place = ["--server", server.url, "--ca", system.bring(Path(server.ca_file)), "--config", server.configuration]
    system.run(*python, program, *place, "--code", code, "--pin", "2468")
    states = [server.admin("GET", f"/operations/{operation}")["status"] for operation in (approved, rejected)]
    assert states == ["APPROVED", "REJECTED"]


def test_the_wheel_alone(system: System, server: DevServer) -> None:
    """With Python and the wheel, and no library of ours or of libcurl in the system, a device activates and approves."""
    system.install("python3", "python3-venv")
    system.run("python3", "-m", "venv", "/srv/venv")
    system.run("/srv/venv/bin/pip", "install", "--quiet", "--no-index", system.bring(wheel()))
    assert holds_neither(system)
    approve_by_python(system, server, "wheel-user", "/srv/venv/bin/python")


def test_the_readmes_program(system: System, server: DevServer) -> None:
    """The program that the README shows, as it is printed: installed from the wheel, with no libcurl in the system."""
    assert holds_neither(system)
    (shown,) = (block.text for block in blocks("README.md") if block.language == "python")
    operation = new_operation(server, "reader")
    code = server.admin("POST", "/activations", {"userId": "reader", "commitPhase": "ON_KEY_EXCHANGE"})["activationQr"]
    (system.root / "srv" / "first.py").write_text(shown, encoding="utf-8")
    (line,) = (block.text for block in blocks("README.md") if "first.py" in block.text)
    given = {"URL": server.url, "CA": system.bring(Path(server.ca_file)), "CONFIGURATION": server.configuration}
    said = system.run("sh", "-c", f"cd /srv && {line}", CODE=code, **given)
    assert "fingerprint" in said and server.admin("GET", f"/operations/{operation}")["status"] == "APPROVED"


def test_the_wheel_with_the_oldest_python(system: System, server: DevServer) -> None:
    """The same with Python 3.9, of the Debian before, which brings no pip to this one: a wheel is an archive."""
    sources = system.root / "etc" / "apt" / "sources.list.d" / "oldest.list"
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    sources.write_text(f"deb [signed-by={key}] {archive()} bullseye main\n", encoding="utf-8")
    system.run("apt-get", "update")
    system.install("python3.9")
    sources.unlink()
    system.run("apt-get", "update")
    assert system.run("python3.9", "--version").startswith("Python 3.9.")
    system.run("python3.9", "-m", "zipfile", "-e", system.bring(wheel()), "/srv/oldest")
    assert holds_neither(system)
    approve_by_python(system, server, "oldest-user", "env", "PYTHONPATH=/srv/oldest", "python3.9")


def test_the_library_package_alone(system: System, server: DevServer) -> None:
    """With libmtoken1 and what it depends on, a program built elsewhere activates and approves."""
    system.install(system.bring(package("libmtoken1")))
    program = BUILD / "package-approve"
    command = [os.environ.get("CC", "cc"), "-std=c99", str(ROOT / "examples/c/approve.c"), f"-I{ROOT / 'include'}"]
    subprocess.run([*command, f"-L{BUILD / 'lib'}", "-lmtoken", "-o", str(program)], check=True)
    assert "not found" not in system.run("ldd", system.bring(program))
    approve(system, server, "/srv/package-approve", "package-user")


def test_the_development_package(system: System, server: DevServer) -> None:
    """With libmtoken-dev the README's way works: pkg-config, the header, and the pages of section 3."""
    system.install(
        system.bring(package("libmtoken1")), system.bring(package("libmtoken-dev")), "gcc", "libc6-dev", "pkg-config"
    )
    source = "/usr/share/doc/mtoken/examples/c/approve.c"
    system.run("sh", "-c", f"cc -std=c99 {source} $(pkg-config --cflags --libs mtoken) -o /srv/approve")
    approve(system, server, "/srv/approve", "developer")
    assert package("libmtoken-dev").name.startswith(
        f"libmtoken-dev_{system.run('pkg-config', '--modversion', 'mtoken').strip()}"
    )
    listed = system.run("dpkg", "-L", "libmtoken-dev")
    assert "/usr/share/man/man3/mtoken.3.gz" in listed and "/usr/share/man/man3/mtoken_client_new.3.gz" in listed


def test_the_archive(system: System, server: DevServer) -> None:
    """Unpacked anywhere it is found by pkg-config and by CMake."""
    (packed,) = BUILD.glob("libmtoken-*-linux-*.tar.gz")
    system.install("cmake", "make", "gcc", "libc6-dev", "pkg-config", "libssl3", "libjansson4", "libcurl4")
    system.run("mkdir", "-p", "/srv/unpacked")
    system.run("tar", "-xzf", system.bring(packed), "-C", "/srv/unpacked", "--strip-components=1")
    for link in re.findall(r"\]\((.*?)\)", (system.root / "srv/unpacked/README.md").read_text(encoding="utf-8")):
        assert (system.root / "srv" / "unpacked" / link).exists()
    source = system.bring(ROOT / "examples" / "c" / "approve.c")
    flags = "$(PKG_CONFIG_PATH=/srv/unpacked/lib/pkgconfig pkg-config --cflags --libs mtoken)"
    system.run("sh", "-c", f"cc -std=c99 {source} {flags} -Wl,-rpath,/srv/unpacked/lib -o /srv/approve-unpacked")
    approve(system, server, "/srv/approve-unpacked", "unpacker")
    project = "project(approve C)\nfind_package(mtoken 1.0 REQUIRED)\nadd_executable(approve approve.c)\n"
    project = f"cmake_minimum_required(VERSION 3.16)\n{project}target_link_libraries(approve PRIVATE mtoken::mtoken)\n"
    (system.root / "srv" / "CMakeLists.txt").write_text(project, encoding="utf-8")
    system.run("cmake", "-S", "/srv", "-B", "/srv/built", "-DCMAKE_PREFIX_PATH=/srv/unpacked")
    system.run("cmake", "--build", "/srv/built")
    approve(system, server, "/srv/built/approve", "cmake-user")


def test_lintian() -> None:
    """The packages follow Debian's rules without a word."""
    packages = sorted(str(path) for path in BUILD.glob("*.deb"))
    done = subprocess.run(
        ["lintian", "--no-cfg", "--allow-root", *packages], capture_output=True, text=True, check=False
    )
    assert len(packages) >= 2 and (done.returncode, done.stdout) == (0, ""), done.stdout


def test_removal_leaves_nothing(system: System) -> None:
    system.run("apt-get", "purge", "--yes", "libmtoken1")
    assert list((system.root / "usr").rglob("*mtoken*")) == []


def test_two_builds_are_the_same(tmp_path: Path) -> None:
    """The same commit, built in another folder, gives the same bytes."""
    clone = tmp_path / "elsewhere"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    for folder in (ROOT, clone):
        subprocess.run(["make", "-s", "dist"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    sums = (BUILD / "release" / "SHA256SUMS").read_text(encoding="utf-8")
    assert len(sums.splitlines()) > 20
    assert (clone / "build" / "release" / "SHA256SUMS").read_text(encoding="utf-8") == sums
