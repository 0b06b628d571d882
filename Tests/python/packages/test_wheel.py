"""The wheel: installed into a new virtual environment, without compiler or system libraries, it activates and approves."""

from __future__ import annotations

import email
import json
import os
import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Dict

import mtoken
import pytest
from conftest import ROOT
from devserver import DevServer
from pages import commands, shell


def build(environment: Dict[str, str]) -> Path:
    subprocess.run(["make", "-s", "wheel"], cwd=ROOT, env=environment, check=True, capture_output=True, timeout=600)
    (wheel,) = (ROOT / "build" / "dist").glob("libmtoken-*.whl")
    return wheel


def make_environment() -> Dict[str, str]:
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "MTOKEN_LIBRAR"))
    }


@pytest.fixture(scope="session")
def wheel() -> Path:
    return build(make_environment())


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("venv")
    python = folder / "venv" / "bin" / "python"
    make, *lines = commands("bindings/python/README.md")
    assert make == 'make -C "$SOURCES" wheel', "which has made the wheel"
    shell("\n".join(lines), folder, SOURCES=str(ROOT), PIP_NO_INDEX="1")
    return python


def run(python: Path, script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python text with an empty environment: no path to a compiler, a library or this source tree."""
    command = [str(python), "-c", script, *arguments]
    clean = {"PATH": "/nowhere", "HOME": "/nowhere", "LANG": "C.UTF-8", **environment}
    return subprocess.run(command, env=clean, cwd="/", capture_output=True, text=True, timeout=600, check=False)


APPROVE = """
import sys, mtoken
url, ca, configuration, code, folder = sys.argv[1:]
with mtoken.Runtime() as runtime, mtoken.Store.directory(folder) as store:
    place = {"configuration": configuration, "base_url": url, "store": store, **({"ca_file": ca} if ca else {})}
    with mtoken.Client(runtime, "alice", **place) as client:
        client.activate(code)
        client.persist("1234")
        for operation in client.operations.list():
            client.operations.authorize(operation, mtoken.Auth.pin("1234"))
libraries = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
print(*[path for path in libraries if any(name in path for name in ("mtoken", "curl", "crypto", "jansson"))], sep="\\n")
"""


def test_activate_and_approve(installed: Path, server: DevServer, user: str, tmp_path: Path) -> None:
    operation = server.new_operation(userId=user)["operationId"]
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    arguments = (server.url, server.ca_file, server.configuration, code, str(tmp_path / "state"))
    child = run(installed, APPROVE, *arguments)
    assert child.returncode == 0, child.stderr
    assert server.operation(operation)["status"] == "APPROVED"
    libraries = [Path(path) for path in child.stdout.splitlines()]
    assert [path.name for path in libraries if path.is_relative_to(installed.parents[1])] == ["libmtoken.so.1"]
    assert [path for path in libraries if not path.is_relative_to(installed.parents[1])] == [], "it brings all it needs"


def test_the_trusted_certificates(installed: Path, server: DevServer, user: str, tmp_path: Path) -> None:
    """The system's file of certificates is used, and SSL_CERT_FILE names another."""
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    arguments = (server.url, "", server.configuration, code, str(tmp_path / "state"))
    refused = run(installed, APPROVE, *arguments)
    assert refused.returncode == 1 and "mtoken.errors.TLSError" in refused.stderr
    accepted = run(installed, APPROVE, *arguments, SSL_CERT_FILE=server.ca_file)
    assert accepted.returncode == 0, accepted.stderr


def test_what_is_inside(wheel: Path) -> None:
    version, machine = mtoken.version(), platform.machine()
    assert wheel.name == f"libmtoken-{version}-py3-none-manylinux_2_34_{machine}.whl"
    assert wheel.stat().st_size < 4_000_000
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        texts = {f"mtoken/{name}" for name in ("CHANGELOG.md", "SECURITY.md", "THIRD-PARTY.txt")}
        assert {"mtoken/libmtoken.so.1", "mtoken/py.typed", *texts} < set(names)
        assert any(name.endswith("/licenses/LICENSE") for name in names)
        assert [name for name in names if ".so" in name] == ["mtoken/libmtoken.so.1"]
        parts = json.loads(archive.read("mtoken/libmtoken.cdx.json"))["components"]
        assert {"openssl", "curl", "jansson"} < {part["name"] for part in parts}
        content = b"".join(archive.read(name) for name in names)
        (metadata,) = (archive.read(name).decode() for name in names if name.endswith("/METADATA"))
    fields = email.message_from_string(metadata)
    assert (fields["Name"], fields["Version"], fields["License-Expression"]) == ("libmtoken", version, "Apache-2.0")
    facts = json.loads((ROOT / "bindings" / "facts.json").read_text(encoding="utf-8"))
    assert (fields["Summary"], fields["Author"]) == (facts["description"], facts["authors"])
    assert fields.get_all("Project-URL") == [f"{name.title()}, {facts[name]}" for name in ("homepage", "repository")]
    assert fields["Description-Content-Type"] == "text/markdown" and "# libmtoken for Python" in fields.get_payload()
    # A page of the index has no folder: a link within the source tree would lead nowhere.
    assert re.findall(r"\]\((?!https://|#)", fields.get_payload()) == []
    assert str(ROOT).encode() not in content, "it tells where it was built"


def test_it_is_the_same_again(wheel: Path) -> None:
    """Two builds give the same bytes."""
    before = wheel.read_bytes()
    assert build(make_environment()).read_bytes() == before


def test_it_is_typed(installed: Path, tmp_path: Path) -> None:
    """A type checker sees the types of the installed package."""
    (tmp_path / "program.py").write_text("import mtoken\nreveal_type(mtoken.version())\n")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--python-executable",
        str(installed),
        "--cache-dir",
        str(tmp_path),
    ]
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    child = subprocess.run(
        [*command, "program.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert child.returncode == 0 and 'Revealed type is "str"' in child.stdout.replace("builtins.str", "str"), (
        child.stdout
    )
