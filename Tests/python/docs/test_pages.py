"""Every page of the documentation has a test that runs its blocks; a block that none knows fails here."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Set, Tuple

import pytest
from conftest import ROOT
from pages import FENCED, anchor_of, anchors, blocks, commands, links, shell

# The languages of each page's blocks, those without a language being data, and what runs them.
KNOWN: Dict[str, Tuple[List[str], str]] = {
    "README.md": (
        ["sh", "sh", "sh", "c", "sh", "python", "sh"],
        "test_front_page.py, and the doors by make test-package",
    ),
    "CONTRIBUTING.md": (["sh", "sh"], "the commands are targets"),
    "Tests/bench/README.md": (["sh"], "the commands are targets"),
    "Tests/fuzz/README.md": (["sh"], "the commands are targets"),
    "Tests/simulator/README.md": (["sh"], "the commands are targets"),
    "Tests/conformance/README.md": (13 * [""], "targets of make test, and the form of the documents"),
    "bindings/csharp/README.md": (["sh", "sh", "sh", "csharp", "sh"], "test_language_packages.py"),
    "bindings/go/README.md": (["sh", "go", "sh", "sh"], "test_language_packages.py"),
    "bindings/java/README.md": (["sh", "xml", "java", "sh", "java"], "test_java_package.py"),
    "bindings/node/README.md": (["sh", "js", "sh", "ts"], "test_node_package.py"),
    "bindings/rust/README.md": (["sh", "rust", "sh", "sh"], "test_language_packages.py"),
    "bindings/cpp/README.md": (["cpp", "sh", "cpp", "cpp"], "test_cpp.py"),
    # A language adds its lines there, and a maker to the test, which asks for both.
    "docs/languages.md": ([block.language for block in blocks("docs/languages.md")], "test_languages_page.py"),
    "bindings/generate/README.md": (3 * [""], "targets of make test, and the form of the description"),
    "docs/capacity.md": (["sh"], "the commands are targets"),
    "docs/install.md": (["sh", "sh"], "typed on bare machines by make test-doors"),
    "docs/how-it-works.md": (5 * ["mermaid"], "test_site.py"),
    "docs/tutorials/desktop.md": (["sh", "sh"], "test_tutorials_long.py"),
    "docs/tutorials/kiosk.md": (["sh"], "test_tutorials.py"),
    "docs/tutorials/fastapi.md": (["sh", "sh"], "test_tutorials.py"),
    "docs/tutorials/bank-ci.md": (["python", "yaml", "yaml"], "test_tutorials.py"),
    "docs/tutorials/load-test.md": (["sh"], "test_tutorials_long.py"),
    "docs/architecture.md": (["text", "arrows", "text"], "Tests/architecture.py"),
    "docs/getting-started.md": (5 * ["sh"] + ["c", "sh", "sh", "python", "sh", "sh"], "test_getting_started.py"),
    "docs/guides/command.md": (
        ["sh"] + 11 * ["console"],
        "tools/command/tests/test_command_page.py, test_oldest_python.py",
    ),
    "bindings/python/README.md": (["sh"] + 5 * ["python"], "test_readme.py, test_wheel.py"),
    "tools/devserver/README.md": (["sh", "sh"] + 5 * [""], "here"),
    "tools/pytest-mtoken/README.md": (["sh", "python"], "test_distributions.py"),
    "tools/loadtest/README.md": (["sh", "sh", "sh", "sh", "text"] + 6 * [""], "test_loadtest.py"),
    "docs/guides/languages.md": (["swift"], "test_languages_page.py"),
    "docs/guides/migration.md": (["python"], "test_upstream.py"),
    "docs/guides/mobile-auth.md": (["c", "python"], "test_mobile_auth_hosts.py"),
    "docs/guides/offline.md": (["c", "python", "python", "python"], "test_offline_page.py"),
    "docs/guides/oidc.md": (["mermaid", "python", "python", "c"], "test_oidc_docs.py"),
    "docs/guides/gateway.md": (["python"], "test_client_certificates.py"),
    "docs/guides/portable.md": (["sh", "sh"], "the commands are targets"),
    "docs/guides/where-the-key-lives.md": (["python", "ini", "python"], "test_sealers.py"),
    "docs/guides/operations.md": (["python", "sh", "c"], "test_operations_page.py"),
    "docs/site/home.md": (["sh", "", "", ""], "the tests of the demo type the command"),
}
PAGES = sorted(
    str(page.relative_to(ROOT))
    for folder in (".", "Sources", "Tests", "bindings", "docs", "examples", "include", "packaging", "tools")
    for page in ((ROOT / folder).glob("*.md") if folder == "." else (ROOT / folder).rglob("*.md"))
    if page.parent.name[:1] != "." and not page.is_symlink()  # the crates carry texts of the repository
)


def test_no_block_without_a_test() -> None:
    # The pages of docs/protocol tell facts: what they set apart are formulas and bytes.
    pages = [page for page in PAGES if "/protocol/" not in page]
    languages = {page: [block.language for block in blocks(page)] for page in pages}
    assert {page: there for page, there in languages.items() if there} == {page: KNOWN[page][0] for page in KNOWN}
    for page, (_, where) in KNOWN.items():
        for test in re.findall(r"[\w/]+\.py", where):
            (script,) = [ROOT / test] if "/" in test else (ROOT / "Tests" / "python").glob(f"*/{test}")
            assert Path(page).name in script.read_text(encoding="utf-8"), f"{test} does not read {page}"


# What the README leads to in two clicks: a page, or a part of one, and words that stand there.
DOORS: Dict[str, Tuple[str, List[str]]] = {
    "every package": ("docs/install.md", ["mtoken-loadtest", "mtoken-devserver", "pytest-mtoken"]),
    "the wheel": ("bindings/python/README.md", ['make -C "$SOURCES" wheel', 'pip install "$SOURCES"/build/dist/libmtoken-*.whl']),
    "the development server's package": ("tools/devserver/README.md#start", ["pip install ./tools/devserver"]),
    "the load test's package": ("tools/loadtest/README.md#on-one-machine", ["mtoken-loadtest"]),
    "mtoken demo": ("docs/guides/command.md#without-a-bank", ["mtoken demo"]),
    "Debian packages": ("docs/install.md#debian", ["libmtoken-dev", "mtoken-tools", "mtoken-devserver"]),
    "the server's Containerfile": ("packaging/ship/containers/devserver.Containerfile", ["podman build", "podman run"]),
    "the load test's Containerfile": ("packaging/ship/containers/loadtest.Containerfile", ["podman build", "podman run"]),
    "pytest-mtoken": ("tools/pytest-mtoken/README.md", ["mtoken_fault"]),
    "the command": ("docs/guides/command.md", ["mtoken approve"]),
    "the full-screen view": ("docs/guides/command.md#the-full-screen-view", ["screens/view-list.svg", "screens/view-narrow.svg"]),
    "completion": ("docs/guides/command.md#completion", ["bash", "zsh", "fish"]),
    "manual pages": ("docs/guides/command.md#manual-pages", ["man mtoken"]),
    "the console and its pictures": ("docs/guides/console.md", ["console/bank.png", "console/layers.png"]),
    "the site": ("docs/site/README.md", ["make docs"]),
    "getting started": ("docs/getting-started.md", ["In another language"]),
    "pictures": ("docs/how-it-works.md", ["mermaid"]),
    "a token for the desktop": ("docs/tutorials/desktop.md", ["Qt"]),
    "a kiosk": ("docs/tutorials/kiosk.md", ["kiosk.py"]),
    "FastAPI": ("docs/tutorials/fastapi.md", ["gateway.py"]),
    "a bank's CI": ("docs/tutorials/bank-ci.md", ["mtoken_fault"]),
    "a load test": ("docs/tutorials/load-test.md", ["run.py"]),
    "the reference": ("include/mtoken.h", ["mtoken/operations.h"]),
    "errors": ("docs/errors.md", ["operations_alreadyFinished"]),
    "guarantees": ("docs/guarantees.md", ["Tests/"]),
    "benchmarks": ("Tests/bench/README.md", ["make bench"]),
    "changes": ("CHANGELOG.md", ["Added"]),
    "platforms": ("docs/platforms.md", ["runs", "built, not run", "arm64", "musl", "macOS", "Windows"]),
    "capacity": ("docs/capacity.md", ["10,000", "100,000", "1,000,000"]),
    "the load test on many machines": ("tools/loadtest/README.md#on-many-machines", ["systemd", "podman", "Prometheus"]),
    "the portable library": ("docs/guides/portable.md", ["make portable"]),
    "where the key lives": ("docs/guides/where-the-key-lives.md", ["TPM"]),
    "protocol 4": ("docs/guides/protocol-4.md", ["P-384"]),
    **{
        f"the package for {language}": (f"bindings/{language}/README.md", [])
        for language in ("cpp", "csharp", "go", "java", "node", "rust")
    },
    **{
        f"the console's screen {picture.stem}": (str(picture.relative_to(ROOT)), [])
        for picture in (ROOT / "docs" / "guides" / "console").iterdir()
    },
    **{
        f"the terminal's screen {picture.stem}": (str(picture.relative_to(ROOT)), [])
        for picture in (ROOT / "docs" / "guides" / "screens").iterdir()
    },
}  # fmt: skip


def section(target: str) -> str:
    """What a page says, or the part of it that begins at an anchor."""
    page, _, anchor = target.partition("#")
    text = (ROOT / page).read_text(encoding="utf-8")
    if not anchor:
        return text
    text = FENCED.sub(lambda block: re.sub(r"^#", " #", block[0], flags=re.MULTILINE), text)  # comments are no headings
    parts = re.split(r"^(?=#+ )", text, flags=re.MULTILINE)
    (found,) = (part for part in parts if anchor_of(part.partition("\n")[0].lstrip("# ")) == anchor)
    return found


def test_links_lead_somewhere() -> None:
    lost = []
    followed = 0
    for page in PAGES:
        for target, anchor in links(page):
            if target == "docs/site/recording.svg":  # `make docs` makes it
                continue
            followed += 1
            path = ROOT / target
            if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(target)):
                lost.append(f"{page}: {target}#{anchor}")
    assert followed > 200 and not lost, lost


def test_the_readme_leads_to_each_door_in_two_clicks() -> None:
    first = {target for target, _ in links("README.md")}
    second = {target for page in first if page.endswith(".md") for target, _ in links(page)}
    reached = {path if not (ROOT / path).is_dir() else f"{path}/README.md" for path in first | second}
    far = {name: target for name, (target, _) in DOORS.items() if target.partition("#")[0] not in reached}
    assert not far, "more than two clicks from the README"
    for name, (target, said) in DOORS.items():
        if said:
            shown = section(target)
            assert not [words for words in said if words not in shown], (name, target)
    # Every guide and tutorial too.
    assert not {str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*/*.md")} - reached - protocol() - SITE


def test_every_page_is_in_the_contents() -> None:
    """From which `make docs` takes its navigation."""
    listed = {target for target, _ in links("docs/README.md")} | {"docs/README.md"}
    pages = {str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")}
    assert not pages - listed - protocol() - SITE
    pictures = [(page, block.text) for page in PAGES for block in blocks(page) if block.language == "mermaid"]
    assert pictures and not [page for page, text in pictures if "accTitle: " not in text], "what it shows, in words"


def test_the_sums_of_the_capacity_page() -> None:
    """The tables for many devices are the figures of one, multiplied; and these are rows of the benchmarks."""
    page = (ROOT / "docs" / "capacity.md").read_text(encoding="utf-8")
    measured = (ROOT / "Tests" / "bench" / "README.md").read_text(encoding="utf-8")
    cited = re.findall(r"`make bench`, \*([^*]+)\*", page)
    assert len(cited) >= 6 and not [name for name in cited if f"| {name}" not in measured]
    cost = {
        name: float(number) for name, number in re.findall(r"^\| ([^|]+?) \| ([\d.]+) (?:KiB|ms)", page, re.MULTILINE)
    }
    memory, disk = cost["Memory, polling a list of two operations"], cost["Disk"]
    fetch = cost["Processor time of a fetch, library and the program that reads its events"] / 1000
    signature = cost["Processor time of an approval with a PIN"] / 1000
    approval = signature + fetch
    # What is cited is what was measured, but for the digits that are left out.
    table = {
        name: float(number.replace(",", ""))
        for name, number in re.findall(r"^\| ([^|]+?) \| ([\d,.]+)(?: [µ%m]s?)? \|", measured, re.MULTILINE)
    }
    assert cost["Memory, activated and idle"] * 1024 == pytest.approx(
        table["idle client with an activation, bytes"], rel=0.1
    )
    assert memory * 1024 == pytest.approx(table["polling client, bytes of heap"], rel=0.1)
    assert fetch * 1e6 == pytest.approx(table["fetch of a polling client, processor"], rel=0.25)
    signed = table["mtoken_client_sign, possession and knowledge, memory store"]
    assert signature * signed == pytest.approx(1, rel=0.25)
    assert cost["Opening it from the store"] / 1000 * table["opening a client, 100000 open"] == pytest.approx(
        1, rel=0.25
    )
    rows = re.findall(
        r"^\| ([\d,]+) \| ([\d,]+) \| (\d+) \| ([\d,]+) MiB \| ([\d.]+) \| ([\d.]+) GiB", page, re.MULTILINE
    )
    assert [row[0] for row in rows] == ["10,000", "100,000", "1,000,000"]
    for row in rows:
        devices, fetches, approvals, mebibytes, processors, gibibytes = (float(cell.replace(",", "")) for cell in row)
        assert fetches == devices // 30 and approvals == round(devices / 5 / 300)
        assert mebibytes == pytest.approx(devices * memory / 1024, rel=0.04)
        assert processors == pytest.approx(fetches * fetch + approvals * approval, rel=0.05)
        assert gibibytes == pytest.approx(devices * disk / 1024**2, rel=0.15)


def protocol() -> Set[str]:
    return {str(page.relative_to(ROOT)) for page in (ROOT / "docs" / "protocol").glob("*.md")}


SITE = {"docs/site/README.md", "docs/site/home.md"}
"""What makes the site, for developers."""


# Targets that pages name and no test runs, and why.
NOT_RUN = {
    "bench-start": "measures on a machine that has nothing else to do",
    "csharp": "a name for build/csharp/Mtoken.dll, which test-csharp needs",
    "debug": "waits for somebody in gdb",
    "dev": "a name for build and testing with MODE=dev",
    "format": "lays out what lint compares",
    "generate": "writes what test-generated compares",
    "simulate": "plays one life, or as many as wanted, of those that test-simulator plays",
    "simulate-proof": "plants faults in copies of the product, each with a build of its own",
    "portable-pin": "asks an archive for newer versions, and changes what is built",
}


def rules() -> Dict[str, Set[str]]:
    """Every target, and what it needs or makes."""
    printed = subprocess.run(
        ["make", "-pnrR", "--no-print-directory", "help"],
        cwd=ROOT, env=environment(), capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    found: Dict[str, Set[str]] = {}
    for target, needed in re.findall(r"^([\w./-]+):(?!=)[ ]*(.*)$", printed, re.MULTILINE):
        found.setdefault(target, set()).update(needed.replace("|", " ").split())
    parts = re.search(r"^TEST_PARTS := (.*)$", printed, re.MULTILINE)
    assert parts is not None
    found["test"] |= set(parts[1].split())
    return found


def environment() -> Dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}


def test_every_target_that_pages_name_is_run() -> None:
    """By `make test-full` or by a Python test, or it is known why not."""
    targets = rules()
    named = {
        target: page
        for page in PAGES
        for target in re.findall(r"(?:^|`|&& |    )make ([a-z][\w-]*)", (ROOT / page).read_text("utf-8"), re.MULTILINE)
    }
    assert len(named) > 30
    assert not {target: page for target, page in named.items() if target not in targets}, "there is no such target"
    reached: Set[str] = set()
    waiting = ["test-full"]
    while waiting:
        target = waiting.pop()
        if target not in reached:
            reached.add(target)
            waiting += targets.get(target, ())
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "Tests").rglob("*.py") if path != Path(__file__))
    recipes = "\n".join(
        path.read_text("utf-8")
        for path in [
            ROOT / "Makefile",
            *ROOT.glob("*/*.mk"),
            *ROOT.glob("*/*/*.mk"),
            *ROOT.glob("packaging/*/*/rules.mk"),
        ]
    )
    for target in set(named) - reached:
        literal = rf"""["']make", (?:"-[\w-]+", )*"{target}"|["']make {target}["' ]"""
        if re.search(literal, tests) or re.search(rf"\$\(MAKE\)[^\n]* {target}\b", recipes):
            reached.add(target)
    assert sorted(set(named) - reached - {"help"}) == sorted(NOT_RUN)


OURS = r"(?:mtoken|libmtoken|mtoken-devserver|mtoken-loadtest|pytest-mtoken)"
ASKS_AN_INDEX = re.compile(
    rf"""(?x) \b(?:pip3?[ ]install|npm[ ](?:install|i)|cargo[ ](?:add|install)|dotnet[ ]add[ ]package) (?:[ ][^\n`|]*)? [ '"]{OURS}(?=[\[@ '"`\n]|$)
    | ^{OURS}[ ]=[ ](?:"[\d^~*=]|\{{[ ]version(?![^\n]*path)) | ["']{OURS}(?:\[\w+\])?(?:[<>=~!][^"'/]*)["'] | --find-links | \bgo[ ]get[ ]libmtoken""",
    re.MULTILINE,
)


def test_no_index_answers_for_our_names() -> None:
    """Nothing of ours is on an index, where a stranger may put these names: pages and metadata name files and folders."""
    for told in (
        "pip install 'mtoken[cli]'", "pip install mtoken", "pip install -q libmtoken", "npm install libmtoken",
        "cargo add mtoken", 'mtoken = "1"', "go get libmtoken.example/bindings/go", 'needs = ["libmtoken>=1.0"]',
    ):  # fmt: skip
        assert ASKS_AN_INDEX.search(told), told
    for told in (
        "pip install build/dist/libmtoken-*.whl", 'pip install "$(ls build/dist/libmtoken-*.whl)[cli]"', "pip install typer, then `mtoken`",
        "npm install build/node/libmtoken-1.2.3.tgz", 'mtoken = { path = "x" }', "cargo add --path bindings/rust/mtoken",
    ):  # fmt: skip
        assert not ASKS_AN_INDEX.search(told), told
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    kinds = (".md", ".py", ".toml", ".txt", ".h", ".html", ".mk", ".yaml", ".xml", ".json", ".Containerfile")
    files = [ROOT / name for name in listed if name.endswith(kinds) and (ROOT / name).exists()]
    assert len(files) > 200
    found = {
        str(path.relative_to(ROOT)): told.group(0)
        for path in files
        if path.name not in ("test_pages.py", "test_bare.py")  # which ask on purpose
        and (told := ASKS_AN_INDEX.search(path.read_text(encoding="utf-8")))
    }
    assert not found


def test_the_files_that_contributors_are_told_of() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8") + (ROOT / "docs" / "architecture.md").read_text()
    told = set(re.findall(r"`((?!build/)[\w+-]+/[\w.+/-]*\.\w+)`", page))
    lost = [name for name in sorted(told) if not (ROOT / name).exists() and not (ROOT / "Sources" / name).exists()]
    assert len(told) > 20 and not lost


def test_the_commands_of_the_development_server(tmp_path: Path) -> None:
    folder = ROOT / "tools" / "devserver"
    install, start, install_more, test = commands("tools/devserver/README.md")
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
        child.communicate(timeout=300)
    assert child.returncode == 0
    makefile = (ROOT / "Tests/python/rules.mk").read_text(encoding="utf-8")
    assert (
        test == "python -m pytest"
        and 'cd tools/devserver && "$(CURDIR)/build/venv/bin/python" -m pytest -q tests' in makefile
    )
