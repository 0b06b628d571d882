"""Plays the conformance documents in every language whose runtime is here. README.md tells what a language adds.

python3 run.py --library build/lib/libmtoken.so.1 [--quick] [LANGUAGE…]    plays; --tests: their own tests too
python3 run.py --packages                                                   names the Debian packages of all
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Sequence, Set

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(ROOT / "Tests" / "python")]

import odd  # noqa: E402
import prepare  # noqa: E402
import pure  # noqa: E402
from devserver import DevServer  # noqa: E402
from languages import Language, languages  # noqa: E402
from suites import NAMES, application, has_post_quantum  # noqa: E402

JSON = Dict[str, Any]
SERVED = ("life", "failures")
"""The documents that need the dev server."""


def documents(server: DevServer, quick: bool) -> List[prepare.Document]:
    facts = {
        "url": server.url,
        "server": server.http_url,
        "admin": f"{server.http_url}/admin",
        "ca": server.ca_file,
        "configuration": server.configuration,
        "application": server.facts["application"]["applicationId"],
    }
    for suite, name in NAMES.items():
        if suite == "EC_P384" or has_post_quantum():
            facts[f"application_{name}"], facts[f"configuration_{name}"] = application(server, suite)
        elif not quick:
            print(f"{name}: not run, this OpenSSL is older than 3.5", flush=True)
    served = [prepare.written(FOLDER / f"{name}.json", facts, quick) for name in SERVED]
    return [served[0], pure.document(quick), *served[1:], odd.document(description(), facts)]


def description() -> JSON:
    found: JSON = json.loads((ROOT / "build/generated/mtoken.abi.json").read_text(encoding="utf-8"))
    return found


def build(table: List[Language]) -> None:
    """All players at once, two at a time. What fails is told when it is built again for its language."""
    commands = [language.command("build") for language in table if language.command("build") and language.version()]
    targets = [target for command in commands for target in command if not target.startswith("-") and target != "make"]
    subprocess.run(["make", "-s", "-k", "-j2", *targets], cwd=ROOT, capture_output=True, check=False)


def play(language: Language, found: List[prepare.Document], folder: Path, statuses: Set[str]) -> str:
    """The counts that a player printed. ValueError: what is wrong."""
    command = language.command("build")
    if command:
        built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if built.returncode:
            raise ValueError(f"{' '.join(command)} failed:\n{built.stdout}{built.stderr}")
    description = ROOT / "build" / "generated" / "mtoken.abi.json"
    environment = {**os.environ, "MTOKEN_DESCRIPTION": str(description)}
    environment.update(language.environment())
    paths = [str(document.write(folder)) for document in found]
    ended = subprocess.run(
        [*language.command("player"), *paths],
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise ValueError(f"the player ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    lines = ended.stdout.splitlines()
    lacks: Sequence[str] = language.facts.get("lacks", [])
    needs = set().union(*(document.needs() for document in found))
    printed = {line.partition(": ")[2] for line in lines if line.startswith("not applicable: ")}
    if printed != needs & set(lacks):
        raise ValueError(f"not applicable are {sorted(printed)}, but the list says {sorted(needs & set(lacks))}")
    counts = [document.counts(statuses, lacks) for document in found]
    expected = prepare.Counts(sum(item.steps for item in counts), sum(item.checks for item in counts))
    if not lines or lines[-1] != str(expected):
        raise ValueError(f"it says {lines[-1] if lines else 'nothing'!r}, but played documents have {expected}")
    return lines[-1] + (f" (not applicable: {', '.join(sorted(printed))})" if printed else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=ROOT / "build" / "lib" / "libmtoken.so.1")
    parser.add_argument("--quick", action="store_true", help="the part that make test runs")
    parser.add_argument("--tests", action="store_true", help="the languages' own tests too")
    parser.add_argument("--packages", action="store_true", help="only name the packages to install")
    parser.add_argument("only", nargs="*", metavar="LANGUAGE", help="keys: names of folders")
    options = parser.parse_args()
    table = [language for language in languages() if not options.only or language.key in options.only]
    if options.packages:
        print(" ".join(sorted({package for language in table for package in language.packages()})))
        return 0
    unknown = set(options.only) - {language.key for language in table}
    if unknown:
        parser.error(f"no such language: {' '.join(sorted(unknown))}")
    os.environ["MTOKEN_LIBRARY"] = str(options.library.resolve())  # whose suites are played
    statuses = prepare.statuses(description())
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        server = DevServer(Path(folder) / "server")
        try:
            found = documents(server, options.quick)
            build(table)
            for language in (item for item in table if item.command("player")):
                version = language.version()
                if version is None:
                    print(f"{language.name}: not run, it is not installed", flush=True)
                    continue
                try:
                    server.reset()
                    counts = play(
                        language,
                        found,
                        ROOT / "build" / "conformance" / language.key,
                        statuses,
                    )
                    print(f"{language.name} {version}: {counts}", flush=True)
                    if options.tests and language.command("test"):
                        subprocess.run(language.command("test"), cwd=ROOT, check=True)
                except (ValueError, subprocess.CalledProcessError) as problem:
                    failed = True
                    print(f"{language.name} {version}: FAILED: {problem}", flush=True)
        finally:
            server.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
