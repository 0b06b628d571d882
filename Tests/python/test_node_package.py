"""The npm package as a user has it: installed from its archive into an empty folder, without network or scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import mtoken
import pytest
from devserver import DevServer
from pages import blocks

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


def test_program_of_the_readme_approves(package: Path, server: DevServer) -> None:
    """The device is activated before, by the Python package: the state is the library's."""
    program = next(block.text for block in blocks("bindings/node/README.md") if block.language == "js")
    options = {
        "configuration": server.configuration,
        "baseUrl": server.url,
        "tlsTrust": int(mtoken.enums.TLS.CA),
        "caFile": server.ca_file,
    }
    runtime, store = mtoken.Runtime(), mtoken.Store.directory(package / "token")
    with mtoken.Client(
        runtime, "alice", configuration=server.configuration, base_url=server.url, ca_file=server.ca_file, store=store
    ) as client:
        activation = server.admin("POST", "/activations", {"userId": "readme"})
        client.activate(activation["activationQr"])
        client.persist("1234")
        server.admin("POST", f"/activations/{activation['activationId']}/commit")
    runtime.close()
    server.new_operation(userId="readme")
    call = f"\napproveAll({json.dumps(options)}, '1234').then(() => process.exit())\n"
    (package / "readme.js").write_text(program + call, encoding="utf-8")
    ended = subprocess.run(["node", "readme.js"], cwd=package, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("approved: ")


def test_package_runs_nothing_when_it_is_installed(package: Path) -> None:
    described = json.loads((package / "node_modules" / "libmtoken" / "package.json").read_text(encoding="utf-8"))
    assert "scripts" not in described
    assert not list((package / "node_modules" / "libmtoken").rglob("binding.gyp"))
    assert list((package / "node_modules" / "libmtoken" / "prebuilds").rglob("mtoken.node"))
