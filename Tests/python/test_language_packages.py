"""The programs of the bindings' READMEs, from installed packages, in empty folders."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Dict, List

import mtoken
import pytest
from conftest import ROOT
from devserver import DevServer
from installed import Installed, tool

VERSION = mtoken.version()


def program(language: str, fence: str) -> str:
    """The first program of a README."""
    text = (ROOT / "bindings" / language / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"## A program\n.*?```{fence}\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def tracked(folder: str) -> List[str]:
    """What a checkout has of a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.split()


def approves(server: DevServer, user: str, printed: str, operation: str) -> None:
    assert re.search(r"fingerprint \d{8}\n", printed) and f"approved {operation}\n" in printed, printed
    assert server.operation(operation)["status"] == "APPROVED"


def arguments(server: DevServer, user: str) -> List[str]:
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationQr"]
    return [server.url, server.ca_file, server.configuration, code]


def go_proxy(folder: Path, version: str) -> str:
    """A file proxy with the module, as a tag of the repository gives it."""
    name = "libmtoken.example/bindings/go"
    place = folder / name / "@v"
    place.mkdir(parents=True)
    (place / "list").write_text(f"{version}\n")
    (place / f"{version}.info").write_text(json.dumps({"Version": version, "Time": "2026-01-01T00:00:00Z"}))
    (place / f"{version}.mod").write_text((ROOT / "bindings/go/go.mod").read_text())
    with zipfile.ZipFile(place / f"{version}.zip", "w") as archive:
        for path in tracked("bindings/go"):
            inner = path.removeprefix("bindings/go/")
            if not inner.startswith("player/"):
                archive.write(ROOT / path, f"{name}@{version}/{inner}")
    return f"file://{folder}"


def go_environment(folder: Path) -> Dict[str, str]:
    """Go's, with nothing but that proxy."""
    return {
        "GOPROXY": go_proxy(folder / "proxy", f"v{VERSION}"),
        "GONOSUMDB": "*",
        "GOSUMDB": "off",
        "GOFLAGS": "-mod=mod -modcacherw",
        "GOMODCACHE": str(folder / "modules"),
        "GOCACHE": str(ROOT / "build" / "go" / "cache"),
    }


@pytest.mark.timeout(300)
def test_go(installed: Installed, server: DevServer, user: str, tmp_path: Path) -> None:
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "main.go").write_text(program("go", "go"))
    more = go_environment(tmp_path)
    installed.run(tool("go"), "mod", "init", "program", folder=folder, more=more)
    installed.run(tool("go"), "get", f"libmtoken.example/bindings/go@v{VERSION}", folder=folder, more=more, seconds=200)
    installed.run(tool("go"), "build", "-o", "program", ".", folder=folder, more=more, seconds=200)
    operation = server.new_operation(userId=user)["operationId"]
    approves(server, user, installed.run("./program", *arguments(server, user), folder=folder), operation)


@pytest.mark.timeout(400)
def test_rust(installed: Installed, server: DevServer, user: str, tmp_path: Path) -> None:
    """Packed by cargo, unpacked as a directory source, and built in an empty folder without a network."""
    packed = {"CARGO_TARGET_DIR": str(ROOT / "build" / "rust-package")}
    command = [tool("cargo"), "package", "--workspace", "--offline", "--allow-dirty", "--no-verify", "--quiet"]
    installed.run(*command, folder=ROOT / "bindings" / "rust", more=packed, seconds=200)
    source = tmp_path / "crates"
    source.mkdir()
    for name in ("mtoken-sys", "mtoken"):
        archive = ROOT / "build" / "rust-package" / "package" / f"{name}-{VERSION}.crate"
        subprocess.run(["tar", "xf", archive, "-C", source], check=True)
        (source / f"{name}-{VERSION}" / ".cargo-checksum.json").write_text('{"files":{}}')
    folder = tmp_path / "program"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.rs").write_text(program("rust", "rust"))
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "program"\nversion = "0.0.0"\nedition = "2021"\n\n{program_of_install("rust", "toml")}'
    )
    options = ["--config", 'source.crates-io.replace-with="packed"', "--config", f'source.packed.directory="{source}"']
    installed.run(
        tool("cargo"), "build", "--offline", "--quiet", "--target-dir", "target", *options, folder=folder, seconds=200
    )
    operation = server.new_operation(userId=user)["operationId"]
    printed = installed.run("target/debug/program", *arguments(server, user), folder=folder)
    approves(server, user, printed, operation)


def program_of_install(language: str, fence: str) -> str:
    """The first block of a README's "Install"."""
    text = (ROOT / "bindings" / language / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"## Install\n.*?```{fence}\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def test_csharp(installed: Installed, server: DevServer, user: str, tmp_path: Path) -> None:
    """The assembly and the library beside it, in an empty folder."""
    sources = sorted((ROOT / "bindings" / "csharp" / "src").glob("*.cs"))
    compiler = [tool("mcs"), "-langversion:7", "-unsafe", "-nowarn:0649"]
    installed.run(*compiler, "-target:library", "-out:Mtoken.dll", *sources, folder=tmp_path)
    (tmp_path / "Program.cs").write_text(program("csharp", "csharp"))
    installed.run(*compiler, "-out:Program.exe", "-r:Mtoken.dll", "Program.cs", folder=tmp_path)
    shutil.copy(installed.library, tmp_path / "libmtoken.so.1")
    operation = server.new_operation(userId=user)["operationId"]
    more = {"LD_LIBRARY_PATH": ""}
    printed = installed.run(tool("mono"), "Program.exe", *arguments(server, user), folder=tmp_path, more=more)
    approves(server, user, printed, operation)
