"""The house is as docs/architecture.md draws it, no two folders of a module need each other, and few files of the engine do.

    swift package dump-package | python3 Tests/architecture.py [build/fuzz/fuzz-model]

- The arrows of the page are the dependencies in Package.swift. That a source imports no other module, and that the arrows
  run one way, Swift's package manager checks (`make build-tests`).
- The page names each folder of the repository, and the ones in it, and no other.
- Within a module, no folder reaches itself: a folder needs another if a file of it names a type that is declared there.
  (Members that an extension adds are found by their type only.) No tool knows folders, so the sources are read.
- Within the engine, at most six files need each other, by the same measure.
- A program given is that of the fuzz targets of the model's texts: it holds the modules of the model and what these need,
  and no other.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Mapping, Set

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "Sources"
PAGE = ROOT / "docs" / "architecture.md"
# The fuzz targets of the model's texts.
MODEL_FUZZ = "MobileTokenModelFuzz"
ENGINE = SOURCES / "MobileToken" / "Engine"
LARGEST_CIRCLE = 6
# The shared libraries of what lies above the model.
NETWORK_LIBRARIES = ("libcurl", "libssl")

DECLARATION = re.compile(
    r"^(?P<indent> *)(?:@\w+(?:\([^)]*\))? )*"
    r"(?P<access>(?:(?:public|package|open|final|indirect|fileprivate|private) )*)"
    r"(?:struct|enum|class|protocol|typealias) (?P<name>\w+)",
    re.MULTILINE,
)
Graph = Dict[str, Set[str]]


def page_arrows() -> Graph:
    """The lines `module -> module module` of the page's block of arrows."""
    block = re.search(r"^```arrows\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert block, "docs/architecture.md has no block of arrows"
    return {
        module.strip(): set(needs.split())
        for module, needs in (line.split("->") for line in block.group(1).splitlines() if line.strip())
    }


def page_folders() -> Set[str]:
    """The folders of the page's last table: that of the row, and those in it, named by `name/` or [name/](…)."""
    rows = re.findall(r"^\| `(\w+)/` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {row for row, _ in rows} | {
        f"{row}/{one}" for row, text in rows for one in re.findall(r"[`[]([\w-]+)/[`\]]", text)
    }


def tree_folders(package: Any) -> Set[str]:
    """The same of the repository. The table of modules has those of Sources, and Package.swift those of their tests."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [Path(name).parts for name in listed.splitlines() if not name.startswith(".")]
    found = {parts[0] for parts in paths if len(parts) > 1}
    found |= {"/".join(parts[:2]) for parts in paths if len(parts) > 2 and parts[0] != "Sources"}
    return found - {
        target.get("path") or f"Tests/{target['name']}" for target in package["targets"] if target["type"] != "system"
    }


def package_arrows(package: Any) -> Graph:
    """Of what lies in Sources, as `swift package dump-package` tells it."""
    return {
        target["name"]: {next(iter(need.values()))[0] for need in target["dependencies"]}
        for target in package["targets"]
        if (SOURCES / target["name"]).is_dir() and any((SOURCES / target["name"]).rglob("*.swift"))
    }


def reduced(text: str) -> str:
    """The text of a source without comments and literals."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"""(.|\n)*?"""', "", text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def arrows_by(place: Callable[[Path], str], sources: Path) -> Dict[str, Dict[str, List[str]]]:
    """Which places need which, and by what: a file's place is what the function says."""
    texts = {path: reduced(path.read_text(encoding="utf-8")) for path in sorted(sources.rglob("*.swift"))}
    places: Dict[str, Path] = {}
    own: Dict[Path, Set[str]] = {}
    for path, text in texts.items():
        declared = list(DECLARATION.finditer(text))
        own[path] = {found["name"] for found in declared}
        for found in declared:
            if not found["indent"] and "private" not in found["access"]:
                places.setdefault(found["name"], path)
    arrows: Dict[str, Dict[str, List[str]]] = {}
    for path, text in texts.items():
        here = place(path)
        for name in sorted(set(re.findall(r"\b[A-Z]\w+", text)) - own[path]):
            there = place(places[name]) if name in places else here
            if there != here:
                arrows.setdefault(here, {}).setdefault(there, []).append(f"{path.name} names {name}")
    return arrows


def folder_arrows(module: Path) -> Dict[str, Dict[str, List[str]]]:
    """Which folders of a module need which; files that lie beside the folders are in the folder `.`."""
    return arrows_by(lambda path: folder(module, path), module)


def folder(module: Path, path: Path) -> str:
    parts = path.relative_to(module).parts
    return parts[0] if len(parts) > 1 else "."


def reach(graph: Mapping[str, Iterable[str]], start: str) -> Set[str]:
    """What a node needs, and what that needs."""
    seen: Set[str] = set()
    waiting = [start]
    while waiting:
        for node in graph.get(waiting.pop(), ()):
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen


def circles(graph: Mapping[str, Iterable[str]]) -> List[Set[str]]:
    """The sets of nodes that reach each other."""
    reached = {node: reach(graph, node) for node in graph}
    found: List[Set[str]] = []
    for node, others in reached.items():
        circle = {other for other in others if node in reached.get(other, set())}
        if circle and circle not in found:
            found.append(circle)
    return found


def compared(one: Graph, one_name: str, other: Graph, other_name: str) -> List[str]:
    found: List[str] = []
    for module in sorted({*one, *other}):
        for need in sorted(one.get(module, set()) - other.get(module, set())):
            found.append(f"{module} -> {need} is in {one_name}, and not in {other_name}")
        for need in sorted(other.get(module, set()) - one.get(module, set())):
            found.append(f"{module} -> {need} is in {other_name}, and not in {one_name}")
    return found


def model_program(program: str, package: Graph) -> List[str]:
    """What a program of these targets holds or needs that lies above the model."""

    def read(*command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    above = {*package, "MobileTokenFuzz"} - reach(package, "MobileTokenModel") - {"MobileTokenModel"}
    # A Swift symbol begins with its module, the length of the name before it.
    names = set(re.findall(r" \$s(\d+)(\w+)", read("nm", program)))
    modules = {text[: int(length)] for length, text in names}
    found = [] if {"MobileTokenModel", MODEL_FUZZ} <= modules else [f"{program} holds no model: nothing was read"]
    found += [f"{program} holds {module}" for module in sorted(modules & above)]
    libraries = re.findall(r"\(NEEDED\).*\[(.+)\]", read("readelf", "--dynamic", "--wide", program))
    return found + [f"{program} needs {name}" for name in libraries if name.startswith(NETWORK_LIBRARIES)]


def main() -> int:
    described = json.load(sys.stdin)
    page, package = page_arrows(), package_arrows(described)
    failures = compared(page, "docs/architecture.md", package, "Package.swift")
    named, found = page_folders(), tree_folders(described)
    failures += [f"docs/architecture.md names the folder {one}, which does not exist" for one in sorted(named - found)]
    failures += [f"docs/architecture.md does not name the folder {one}" for one in sorted(found - named)]
    failures += [failure for program in sys.argv[1:] for failure in model_program(program, package)]
    count = 0
    for module in sorted(package):
        arrows = folder_arrows(SOURCES / module)
        count += sum(len(needs) for needs in arrows.values())
        for circle in circles(arrows):
            failures.append(f"circle of folders in {module}: {', '.join(sorted(circle))}")
            for here in sorted(circle):
                for there, why in sorted(arrows[here].items()):
                    if there in circle:
                        failures.append(f"    {here} -> {there}, {len(why)} names: {', '.join(why[:3])}")
    largest = max(circles(arrows_by(lambda path: path.name, ENGINE)), key=len, default=set())
    if len(largest) > LARGEST_CIRCLE:
        failures.append(f"circle of {len(largest)} files in {ENGINE.name}: {', '.join(sorted(largest))}")
    for failure in failures:
        print(failure, file=sys.stderr)
    if not failures:
        print(
            f"house: {sum(map(len, package.values()))} arrows between modules and {count} between folders, all one way; "
            f"{len(largest)} files of the engine in a circle"
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
