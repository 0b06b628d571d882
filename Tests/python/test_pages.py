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
    "docs/coverage.md": (["sh"], "the commands are targets of test-full"),
    "SECURITY.md": ([], ""),
    "Tests/bench/README.md": (["sh"], "the commands are targets of test-full"),
    "Tests/fuzz/README.md": (["sh"], "the commands are targets of test-full"),
    "Tests/vectors/released/INDEX.md": ([], ""),
    "bindings/generate/README.md": (3 * [""], "targets of make test, and the form of the description"),
    "docs/guides/command.md": (["sh"] + 11 * ["console"], "test_command_page.py, test_oldest_python.py"),
    "bindings/python/README.md": (["sh"] + 4 * ["python"], "test_readme.py, test_wheel.py"),
    "examples/devserver/README.md": (["sh", "sh"] + 5 * [""], "here"),
    "examples/loadtest/README.md": (["sh", "sh", "sh", "", "", "", ""], "test_loadtest.py"),
    "docs/guarantees.md": ([], ""),
    "docs/guides/mobile-auth.md": (["c", "python"], "test_mobile_auth_hosts.py"),
    "docs/guides/offline.md": (["c", "python", "python", "python"], "test_offline_page.py"),
    "docs/guides/oidc.md": (["mermaid", "python", "python", "c"], "test_oidc_docs.py"),
    "docs/guides/operations.md": (["python", "sh", "c"], "test_operations_page.py"),
}
# The targets that run for long; their names are what the pages print.
LONG = {"make coverage", "make bench", "make fuzz"}


def test_no_block_without_a_test() -> None:
    folders = [ROOT / name for name in ("Sources", "Tests", "bindings", "examples", "include")]
    found = [*ROOT.glob("*.md"), *(page for folder in folders for page in folder.rglob("*.md"))]
    pages = [str(page.relative_to(ROOT)) for page in found if not page.parent.name.startswith(".")]
    assert sorted(pages) == sorted(KNOWN)
    assert {page: [block.language for block in blocks(page)] for page in pages} == {
        page: KNOWN[page][0] for page in pages
    }
    for page, (_, where) in KNOWN.items():
        for test in re.findall(r"\w+\.py", where):
            name = Path(page).name
            assert name in (Path(__file__).parent / test).read_text(encoding="utf-8"), f"{test} does not read {page}"


def test_long_commands_are_targets_of_the_full_test() -> None:
    """They would take this test hours: `make test-full` runs them."""
    printed = [
        line
        for page in ("docs/coverage.md", "Tests/bench/README.md", "Tests/fuzz/README.md")
        for line in commands(page)
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    full = re.search(r"^test-full: (.*(?:\\\n.*)*)$", makefile, re.MULTILINE)
    quick = re.search(r"^TEST_PARTS := (.*)$", makefile, re.MULTILINE)
    assert full and quick
    run = {*full.group(1).split(), *quick.group(1).split()}
    assert printed
    for line in printed:
        assert line.split()[:1] == ["make"] and line.split()[1] in run, line


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
