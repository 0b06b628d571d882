"""Every page of the documentation has a test that runs its blocks; a block that none knows fails here."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Tuple

import pytest
from conftest import ROOT
from pages import blocks, commands, shell

if "static" in Path(os.environ["MTOKEN_LIBRARY"]).parts:
    pytest.skip("the pages are the same with each product", allow_module_level=True)

# The languages of each page's blocks, those without a language being data, and what runs them.
KNOWN: Dict[str, Tuple[List[str], str]] = {
    "README.md": (["sh", "c", "sh", "python"], "test_front_page.py"),
    "CONTRIBUTING.md": (["sh"], "the commands are targets"),
    "Tests/bench/README.md": (["sh"], "the commands are targets of test-full"),
    "Tests/fuzz/README.md": (["sh"], "the commands are targets of test-full"),
    "Tests/bench/bindings/README.md": ([""], "the commands are targets"),
    "Tests/conformance/README.md": (12 * [""], "targets of make test, and the form of the documents"),
    "bindings/csharp/README.md": (["xml", "csharp"], "test_language_packages.py"),
    "bindings/go/README.md": (["sh", "go"], "test_language_packages.py"),
    "bindings/node/README.md": (["sh", "js"], "test_node_package.py"),
    "bindings/rust/README.md": (["toml", "rust"], "test_language_packages.py"),
    "bindings/cpp/README.md": (["sh", "cpp", "cpp"], "test_cpp.py"),
    # A language adds its lines there, and a maker to the test, which asks for both.
    "docs/languages.md": ([block.language for block in blocks("docs/languages.md")], "test_languages_page.py"),
    "bindings/generate/README.md": (3 * [""], "targets of make test, and the form of the description"),
    "docs/architecture.md": (["text", "arrows", "text"], "Tests/architecture.py"),
    "docs/getting-started.md": (5 * ["sh"] + ["c", "sh", "sh", "python", "sh", "sh"], "test_getting_started.py"),
    "docs/guides/command.md": (["sh"] + 11 * ["console"], "test_command_page.py, test_oldest_python.py"),
    "bindings/python/README.md": (["sh"] + 4 * ["python"], "test_readme.py, test_wheel.py"),
    "examples/devserver/README.md": (["sh", "sh"] + 5 * [""], "here"),
    "examples/pytest-mtoken/README.md": (["sh", "python"], "test_distributions.py"),
    "examples/loadtest/README.md": (["sh", "sh", "sh", "", "", "", ""], "test_loadtest.py"),
    "docs/guides/migration.md": (["python"], "test_upstream.py"),
    "docs/guides/mobile-auth.md": (["c", "python"], "test_mobile_auth_hosts.py"),
    "docs/guides/offline.md": (["c", "python", "python", "python"], "test_offline_page.py"),
    "docs/guides/oidc.md": (["mermaid", "python", "python", "c"], "test_oidc_docs.py"),
    "docs/guides/portable.md": (["sh", "sh"], "targets of test-full"),
    "docs/guides/where-the-key-lives.md": (["python", "ini", "python"], "test_sealers.py"),
    "docs/guides/operations.md": (["python", "sh", "c"], "test_operations_page.py"),
}
# What a target changes, another one compares.
COMPARED = {"make test": "test", "make format": "lint", "make generate": "test-generated"}


def test_no_block_without_a_test() -> None:
    folders = [ROOT / name for name in ("Sources", "Tests", "bindings", "docs", "examples", "include")]
    found = [*ROOT.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))]
    # The pages of docs/protocol tell facts: what they set apart are formulas and bytes.
    pages = [page.relative_to(ROOT) for page in found if page.parent.name != "protocol" and page.parent.name[0] != "."]
    languages = {str(page): [block.language for block in blocks(str(page))] for page in sorted(pages)}
    assert {page: there for page, there in languages.items() if there} == {page: KNOWN[page][0] for page in KNOWN}
    for page, (_, where) in KNOWN.items():
        for test in re.findall(r"(?:Tests/)?\w+\.py", where):
            script = ROOT / test if "/" in test else Path(__file__).parent / test
            assert Path(page).name in script.read_text(encoding="utf-8"), f"{test} does not read {page}"


def test_commands_of_developers_are_targets_of_the_full_test() -> None:
    """They would take this test hours: `make test-full` runs them."""
    printed = [
        line for page in ("CONTRIBUTING.md", "Tests/bench/README.md", "Tests/fuzz/README.md") for line in commands(page)
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    lists = ["TEST_PARTS :=", "test:", "test-python:", "test-full:"]  # those of the tests, and what they need
    found = [re.search(rf"^{name} (.*(?:\\\n.*)*)$", makefile, re.MULTILINE) for name in lists]
    run = {target for line in found if line for target in line.group(1).split()}
    assert printed
    for line in printed:
        make, target = line.split()[:2]
        assert make == "make" and COMPARED.get(line, target) in run, line


def test_the_files_that_contributors_are_told_of() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8") + (ROOT / "docs" / "architecture.md").read_text()
    told = set(re.findall(r"`((?!build/)[\w+-]+/[\w.+/-]*\.\w+)`", page))
    lost = [name for name in sorted(told) if not (ROOT / name).exists() and not (ROOT / "Sources" / name).exists()]
    assert len(told) > 20 and not lost


def test_the_commands_of_the_development_server(tmp_path: Path) -> None:
    folder = ROOT / "examples" / "devserver"
    install, start, install_more, test = commands("examples/devserver/README.md")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command in (install, install_more):
        assert command.startswith("pip install -r ")
        shell(command, folder, PATH=path)
    child = subprocess.Popen(
        ["bash", "-c", f"exec {start}"], cwd=folder, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    try:
        printed = []
        for line in child.stdout:
            printed.append(line)
            if "/console" in line:
                break
        assert any("https://127.0.0.1:" in line for line in printed)
    finally:
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=30)
    assert child.returncode == 0
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert (
        test == "python -m pytest"
        and "cd examples/devserver && $(CURDIR)/build/venv/bin/python -m pytest -q tests" in makefile
    )
