"""The packages for Python as their users get them: installed into a new environment, outside of the source tree."""

from __future__ import annotations

import email
import json
import os
import re
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path
from typing import Dict, List

import mtoken
import pytest
from conftest import ROOT
from pages import blocks
from test_wheel import make_environment

sys.path.insert(0, str(ROOT / "tools" / "pytest-mtoken"))
from pytest_mtoken import FAULTS

PAGE = "tools/pytest-mtoken/README.md"
DIST = ROOT / "build" / "dist"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a new environment with all packages."""
    command = ["make", "-s", "packages-python"]
    subprocess.run(command, cwd=ROOT, env=make_environment(), check=True, capture_output=True, timeout=900)
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True)
    wheels = [str(path) for path in DIST.glob("*.whl")]
    # Beside an index where a stranger has put newer packages with our names.
    environment = {**os.environ, "PIP_EXTRA_INDEX_URL": hostile(tmp_path_factory.mktemp("index"))}
    command = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *wheels]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    listed = subprocess.run([*command[:1], "list", "--format=json"], capture_output=True, text=True, check=True).stdout
    found = {package["name"]: package["version"] for package in json.loads(listed)}
    assert {found[name] for name in NAMES} == {mtoken.version()}
    return folder / "bin"


NAMES = ("libmtoken", "mtoken-devserver", "mtoken-loadtest", "pytest-mtoken")


def hostile(folder: Path) -> str:
    """An index that has version 9 of all that is ours."""
    for name in NAMES:
        module = name.replace("-", "_")
        wheel = folder / name / f"{module}-9-py3-none-any.whl"
        wheel.parent.mkdir()
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"{module}-9.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 9\n")
            archive.writestr(
                f"{module}-9.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{module}-9.dist-info/RECORD", "")
        (wheel.parent / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>', encoding="utf-8")
    return folder.as_uri()


def run(programs: Path, folder: Path, command: List[str], **options: str) -> subprocess.CompletedProcess[str]:
    """In a folder and an environment that know nothing of the source tree."""
    clean: Dict[str, str] = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8", **options}
    return subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, timeout=300, check=False)


def test_the_pages_on_an_index(programs: Path) -> None:
    """Their links lead somewhere: none to files of the source tree."""
    wheels = list(DIST.glob("*.whl"))
    assert {wheel.name.partition("-")[0] for wheel in wheels} == {
        "libmtoken",
        "mtoken_devserver",
        "mtoken_loadtest",
        "pytest_mtoken",
    }
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            page = email.message_from_bytes(archive.read(name)).get_payload()
        assert page.startswith("# ") and re.findall(r"\]\((?!https://|#)", page) == [], wheel.name


def test_the_program_of_the_page(programs: Path, tmp_path: Path) -> None:
    (program,) = (block.text for block in blocks(PAGE) if block.language == "python")
    (tmp_path / "test_bank.py").write_text(program, encoding="utf-8")
    done = run(programs, tmp_path, ["pytest", "-q", "--strict-markers"])
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr


WITH_FAULT = """
import mtoken
import pytest

@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.mtoken_fault(name, match="/api/")) for name in {names}])
def test_fault(name, mtoken_device, mtoken_operation):
    try:
        mtoken_device.client.operations.authorize(mtoken_operation, mtoken_device.auth, timeout=3)
        outcome = "accepted"
    except mtoken.MTokenError as error:
        outcome = error.outcome.name
    mtoken_device.server.clear_faults()
    status = mtoken_device.server.operation_status(mtoken_operation.id)
    print(f"RESULT {{name}} {{outcome}} {{status}}")


def test_behaves_again(mtoken_device, mtoken_operation):
    mtoken_device.client.operations.authorize(mtoken_operation, mtoken_device.auth)
"""

ACCEPTED = {"slow", "slow_answer", "push_down"}
"""Faults that an approval survives."""
DONE = {"gateway_504_after", "lost_answer", "truncated_answer"} | ACCEPTED
"""Those after which the bank has acted."""


def test_every_fault(programs: Path, tmp_path: Path) -> None:
    """Each does what its name and the page say: the device learns that it failed, or may have; the bank has acted or not."""
    names = list(FAULTS)
    (tmp_path / "test_faults.py").write_text(WITH_FAULT.format(names=names), encoding="utf-8")
    done = run(programs, tmp_path, ["pytest", "-q", "-s", "test_faults.py"])
    assert done.returncode == 0, done.stdout + done.stderr
    results = {
        name: (outcome, status) for name, outcome, status in re.findall(r"RESULT (\w+) (\w+) (\w+)", done.stdout)
    }
    assert set(results) == set(names)
    assert {name for name, (_, status) in results.items() if status == "APPROVED"} == DONE
    assert {name for name, (outcome, _) in results.items() if outcome == "accepted"} == ACCEPTED
    listed = (ROOT / PAGE).read_text(encoding="utf-8")
    assert set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", listed, re.MULTILINE)))) >= set(FAULTS)


def test_a_mistyped_fault(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "test_typo.py").write_text(
        "import pytest\n@pytest.mark.mtoken_fault('gateway_505')\ndef test_typo(mtoken_server): pass\n",
        encoding="utf-8",
    )
    done = run(programs, tmp_path, ["pytest", "-q", "test_typo.py"])
    assert done.returncode == 4 and "gateway_504" in done.stderr + done.stdout


def test_the_server(programs: Path, tmp_path: Path) -> None:
    """`mtoken-devserver` is on the path, listens on 8443 by default, and has its console's files with it."""
    helped = run(programs, tmp_path, ["mtoken-devserver", "--help"])
    assert helped.returncode == 0 and "8443" in (ROOT / "tools/devserver/README.md").read_text(encoding="utf-8")
    command = [str(programs / "mtoken-devserver"), "--json", "--exit-with-parent", "--http-port", "0"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path)
    assert server.stdin and server.stdout
    try:
        facts = json.loads(server.stdout.readline())
        assert facts["url"] == "https://127.0.0.1:8443"
        for path in ("/console", "/console/console.css"):
            with urllib.request.urlopen(f"{facts['httpUrl']}{path}", timeout=30) as page:
                assert page.read(), path
    finally:
        server.communicate(timeout=300)


def test_the_load_test(programs: Path, tmp_path: Path) -> None:
    sizes = ["--devices", "4", "--spawn-rate", "4", "--time", "8", "--poll", "1", "--approve-every", "2"]
    done = run(programs, tmp_path, ["mtoken-loadtest", *sizes])
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^approve +\d+ +0 ", done.stdout, re.MULTILINE), done.stdout
