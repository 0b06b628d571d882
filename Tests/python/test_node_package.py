"""The npm package as a user has it: installed from its archive into an empty folder, without network or scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from devserver import DevServer

ROOT = Path(__file__).resolve().parents[2]
ARCHIVES = sorted((ROOT / "build" / "node").glob("libmtoken-*.tgz"))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("npm") is None or not ARCHIVES:
        pytest.skip("npm or the package is not here: make node-package")
    folder = tmp_path_factory.mktemp("empty")
    command = ["npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", str(ARCHIVES[-1])]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def test_example_approves_from_the_installed_package(package: Path, server: DevServer) -> None:
    shutil.copy(ROOT / "examples" / "node" / "first-approval.js", package)
    ready = {
        "url": server.url,
        "httpUrl": server.http_url,
        "caFile": server.ca_file,
        "application": {"sdkConfig": server.configuration},
    }
    (package / "server.json").write_text(json.dumps(ready), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MTOKEN_")}
    ended = subprocess.run(
        ["node", "first-approval.js", "server.json"],
        cwd=package,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("approved: ")


def test_package_runs_nothing_when_it_is_installed(package: Path) -> None:
    described = json.loads((package / "node_modules" / "libmtoken" / "package.json").read_text(encoding="utf-8"))
    assert "scripts" not in described
    assert not list((package / "node_modules" / "libmtoken").rglob("binding.gyp"))
    assert list((package / "node_modules" / "libmtoken" / "prebuilds").rglob("mtoken.node"))
