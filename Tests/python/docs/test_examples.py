"""The example program runs and agrees with the server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from activations import Activations
from conftest import CHILD_PATH, ROOT, valgrind
from devserver import DevServer

PROGRAM = ROOT / "examples" / "python" / "approve.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH}
    command = [sys.executable, str(PROGRAM), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


def test_without_the_admin_api(server: DevServer, activations: Activations, tmp_path: Path, user: str) -> None:
    created = activations.new(user)
    place = ["--server", server.url, "--ca", server.ca_file, "--config", server.configuration]
    place += ["--store", str(tmp_path / "state")]
    child = run(*place, "--code", created["activationCode"], "--pin", "7391")
    assert child.returncode == 0, child.stderr
    assert "7391" not in child.stdout + child.stderr
    assert re.search(r"fingerprint \d{8}\nwaiting until the bank has confirmed", child.stdout)
    operation = server.new_operation(userId=user)["operationId"]
    child = run(*place, "--pin", "7391")
    assert child.returncode == 0, child.stderr
    assert server.operation(operation)["status"] == "APPROVED"


def test_ctypes_without_the_package(server: DevServer, tmp_path: Path, user: str) -> None:
    """One file of the package and no other; the library is found as the system finds it."""
    source = ROOT / "examples" / "python" / "ctypes_alone.py"
    lines = [line for line in source.read_text().splitlines() if line and not line.startswith(("import", "from"))]
    assert len(lines) <= 40
    shutil.copy(ROOT / "bindings" / "python" / "src" / "mtoken" / "abi.py", tmp_path)
    shutil.copy(source, tmp_path)
    (tmp_path / "libmtoken.so.1").symlink_to(os.environ["MTOKEN_LIBRARY"])
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    operation = server.new_operation(userId=user)["operationId"]
    command = [
        sys.executable,
        str(tmp_path / source.name),
        server.url,
        server.ca_file,
        server.configuration,
        code,
        "7391",
    ]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path), "PYTHONPATH": ""}
    child = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (child.returncode, child.stderr) == (0, "") and child.stdout.startswith("approved: ")
    assert server.operation(operation)["status"] == "APPROVED"


def test_a_wrong_pin(server: DevServer, tmp_path: Path, user: str) -> None:
    created = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")
    place = ["--server", server.url, "--ca", server.ca_file, "--config", server.configuration]
    place += ["--store", str(tmp_path / "state")]
    assert run(*place, "--code", created["activationCode"], "--pin", "7391").returncode == 0
    server.new_operation(userId=user)
    child = run(*place, "--pin", "1111")
    assert child.returncode == 1
    assert "AUTHENTICATION" in child.stderr and "Traceback" not in child.stderr


def compile_c(source: Path, folder: Path) -> Path:
    """The C example, built with nothing but the header and the library under test."""
    library = Path(os.environ["MTOKEN_LIBRARY"])
    program = folder / "program"
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    command = ["cc", *strict, str(source), "-I", str(ROOT / "include"), str(library), f"-Wl,-rpath,{library.parent}"]
    subprocess.run([*command, "-o", str(program)], check=True)
    # The products have one soname, and the static one no link of that name beside it.
    (folder / "libmtoken.so.1").symlink_to(library)
    return program


def test_the_c_program(server: DevServer, activations: Activations, tmp_path: Path, user: str) -> None:
    """It does what it says, without a leak or an error that valgrind sees."""
    program = compile_c(ROOT / "examples" / "c" / "approve.c", tmp_path)
    code = activations.new(user)["activationQr"]
    rejected = server.new_operation(userId=user)["operationId"]
    approved = server.new_operation(userId=user)["operationId"]
    claimed = server.new_operation(template="login")["operationId"]
    command = [*valgrind(), str(program), server.url, server.ca_file, server.configuration, code, "2468", claimed]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    child = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert child.returncode == 0, child.stdout + child.stderr
    assert (server.operation(approved)["status"], server.operation(rejected)["status"]) == ("APPROVED", "REJECTED")
    assert server.operation(claimed)["userId"] == user
    wrong = subprocess.run(
        [str(program), server.url, server.ca_file, server.configuration, code, "2468"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert wrong.returncode == 1 and "MTOKEN_ERROR_STATE" in wrong.stderr
