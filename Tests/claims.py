"""What pages claim: docs/errors.md has every error that the sources can make, and no other; each promise of SECURITY.md
and docs/guarantees.md names tests that exist.

    python3 Tests/claims.py

A promise is a row of a table: promise, attack, test. Each section of guarantees.md that promises something has one. A
test is a file or folder in backquotes, or a file and a test in it (`Tests/c/durable.c: no moment has two locks`,
`Tests/python/storage/test_stores.py: test_two_processes`), an invariant of the simulator, or a target of make.

A reason stands in the sources beside its code (`Failure(.busy, Reason.storageBusy`), or apart from it
(`failure.reason =`, the tables of server codes, texts and mobile authentication). The page must have each code of the
header, each pair of the first kind under its code, and each reason of the second kind somewhere.
No table has the pairs, and no compiler knows the page: that is why the sources are read by regular expressions.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Dict, Set, Tuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "errors.md"
Pair = Tuple[str, str]

CODE = r"\.`?(\w+)`?"
REASON = r'(?:Reason\.(\w+)|"(\w+)")'
MADE = re.compile(rf"(?:\bFailure|\bself\.init)\(\s*{CODE}\s*,\s*{REASON}")
CHOSEN = re.compile(rf"\(code, reason(?:, \w+)?\) =\s*\(\s*(?:answered \? {CODE} : )?{CODE}\s*,\s*{REASON}")
CHOSEN_BY_ANSWER = re.compile(rf"= answered \? \({CODE}, {REASON}\) : \({CODE}, {REASON}\)")
NAMED = re.compile(r'static let (\w+): StaticString = "(\w+)"')
USED = re.compile(r"\bReason\.(\w+)")


def sources() -> Dict[str, str]:
    """The sources of the product, without comments."""
    folders = [folder for folder in (ROOT / "Sources").iterdir() if folder.name != "MobileTokenTesting"]
    files = [path for folder in folders for path in folder.rglob("*.swift")]
    return {str(path.relative_to(ROOT)): re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")) for path in files}


def one(texts: Dict[str, str], name: str) -> str:
    return next(text for path, text in texts.items() if Path(path).name == name)


def upper(name: str) -> str:
    """`notActivated` as the header writes it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


def made(texts: Dict[str, str]) -> Tuple[Set[Pair], Set[str]]:
    """The pairs of code and reason that stand side by side, and the reasons that stand alone."""
    listed = next(text for text in texts.values() if "enum Reason {" in text)
    named = dict(NAMED.findall(listed[listed.index("enum Reason {") :]))
    pairs: Set[Pair] = set()
    for text in texts.values():
        for code, name, literal in MADE.findall(text):
            pairs.add((upper(code), literal or named[name]))
        for first, second, name, literal in CHOSEN.findall(text):
            pairs |= {(upper(code), literal or named[name]) for code in (first, second) if code}
        for first, first_name, first_text, other, other_name, other_text in CHOSEN_BY_ANSWER.findall(text):
            pairs.add((upper(first), first_text or named[first_name]))
            pairs.add((upper(other), other_text or named[other_name]))
    together = {reason for _, reason in pairs}
    used = {named[name] for text in texts.values() for name in USED.findall(text)}
    alone = used - together
    alone |= set(re.findall(r'case \.\w+:\s*\("(\w+)", "', one(texts, "TextFault.swift")))
    alone |= set(re.findall(r'case \.\w+: "(\w+)"', one(texts, "MobileAuthError.swift"))) - {"other"}
    # Reasons that are set on a failure of another code, or chosen by the server's.
    alone |= {
        named[name]
        for text in texts.values()
        for name in re.findall(r"(?:\.reason = |return |\? |: |, )Reason\.(\w+)", text)
        if (named[name] in together) and not re.search(rf"{CODE}\s*,\s*Reason\.{name}\b", text)
    }
    for name in sorted(set(named) - {name for text in texts.values() for name in USED.findall(text)}):
        fail(f"nothing uses Reason.{name}")
    return pairs, alone


def told() -> Tuple[Set[str], Set[Pair]]:
    """The codes that have a section, and the pairs of the page."""
    codes: Set[str] = set()
    pairs: Set[Pair] = set()
    section = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            section = line.strip("# ")
            if re.fullmatch("[A-Z_]+", section):
                codes.add(section)
        row = re.match(r"\| `(\w+)` \| (.*) \|$", line)
        if row and section != "Errors":
            cells = row.group(2).split(" | ")
            shared = section.startswith("Reasons of ")
            if len(cells) != (3 if shared else 2) or not all(cells):
                fail(f"{section}: the row of {row.group(1)} lacks a cell")
            here = cells[0].split(", ") if shared else [section]
            again = {(code, row.group(1)) for code in here}
            for code, reason in pairs & again:
                fail(f"{reason} stands twice under {code}")
            pairs |= again
    return codes, pairs


failures = 0


def fail(message: str, page: str = "docs/errors.md") -> None:
    global failures
    failures += 1
    print(f"{page}: {message}", file=sys.stderr)


def is_test(name: str) -> bool:
    """Whether there is a test of this name, as the pages write it."""
    if name.startswith("make "):
        mine = [ROOT / "Makefile", *(ROOT / "Tests").rglob("*.mk"), *(ROOT / "bindings").glob("*/*.mk")]
        return any(re.search(rf"^{re.escape(name[5:])}:", path.read_text("utf-8"), re.MULTILINE) for path in mine)
    file, _, test = name.partition(": ")
    path = ROOT / file
    if not test:
        return path.exists()
    if path.parent.name == "simulator":  # an invariant
        return path.is_file() and f'"{test}"' in path.read_text(encoding="utf-8")
    written = {".c": r'\{{"{}",', ".py": r"\bdef {}\(", ".swift": r"\bfunc {}\("}.get(path.suffix)
    return bool(
        written and path.is_file() and re.search(written.format(re.escape(test)), path.read_text(encoding="utf-8"))
    )


LANGUAGES = {
    "C": "Tests/c/*.c",
    "C++": "bindings/cpp/tests/*.cpp",
    "Python": "Tests/python/*/test_*.py",
    "Go": "bindings/go/*_test.go",
    "Rust": "bindings/rust/*/tests/*.rs",
    "C#": "bindings/csharp/tests/*.cs",
    "Java": "bindings/java/tests/*.java",
    "Node.js": "bindings/node/test/*.js",
}
"""The languages of the table of rules, and their tests."""


def played() -> Dict[str, Set[str]]:
    """The documents that are played in each language: those that need nothing that it lacks."""
    documents = [
        document
        for path in sorted((ROOT / "Tests/conformance").glob("*.json"))
        for document in json.loads(path.read_text(encoding="utf-8")).get("cases", [])
    ]
    facts = [json.loads(path.read_text(encoding="utf-8")) for path in ROOT.glob("*/*/language.json")]
    facts += [json.loads((ROOT / "Tests/conformance/c/language.json").read_text(encoding="utf-8"))]
    return {
        language: {
            document["name"]
            for document in documents
            for fact in facts
            if fact["name"].split(" ")[0] == language and not set(document.get("needs", [])) & set(fact["lacks"])
        }
        for language in LANGUAGES
    }


WHY_NOT = re.compile(r"[A-Z]\S*( \S+){3,}\.")
"""Why something cannot happen: a sentence, of four words at least."""


def rules(page: str) -> int:
    """Checks the table of rules; how many there are. Each cell is tests of that language, or documents that are played in
    it, or a sentence that says why the rule cannot be broken there.
    """
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    start = lines.index("| Rule | " + " | ".join(LANGUAGES) + " |")
    documents = played()
    sources = {
        language: "".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(pattern)))
        for language, pattern in LANGUAGES.items()
    }
    count = 0
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        count += 1
        rule, *cells = line.strip("| ").split(" | ")
        if len(cells) != len(LANGUAGES) or not all(cells):
            fail(f"{rule}: a language lacks its cell", page)
        for language, cell in zip(LANGUAGES, cells):
            tests = re.findall("`([^`]*)`", cell) if re.fullmatch("`[^`]*`(, `[^`]*`)*", cell) else []
            if not tests and not WHY_NOT.fullmatch(cell):
                fail(f"{rule}: {language} has neither a test nor a sentence that says why not: {cell}", page)
            for test in tests:
                declared = rf"""\{{"{re.escape(test)}",|\b(?:def|func|fn|void|Task) {re.escape(test)}\(|test\('{re.escape(test)}'"""
                if not re.search(declared, sources[language]) and test not in documents[language]:
                    fail(f"{rule}: {language} has no test `{test}`", page)
    return count


def promises(page: str, in_each_section: bool) -> int:
    """Checks the tables of promises of a page; how many promises there are."""
    count = 0
    sections: Dict[str, int] = {}
    section, inside = "", False
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line[3:]
            sections[section] = 0
        cells = line.strip("| ").split(" | ") if line.startswith("|") else []
        if cells[:1] == ["Rule"]:  # the other table
            sections.pop(section, None)
        inside = bool(cells) and (inside or cells == ["Promise", "Attack", "Test"])
        if not inside or cells == ["Promise", "Attack", "Test"] or set(line) <= set("|-"):
            continue
        if len(cells) != 3 or not all(cells):
            fail(f"{section}: a row lacks a cell: {line}", page)
            continue
        sections[section] += 1
        tests = re.findall(r"`([^`]+)`", cells[2])
        if not tests:
            fail(f"{section}: this promise names no test: {cells[0]}", page)
        for test in tests:
            if not is_test(test):
                fail(f"{section}: there is no test {test}", page)
        count += 1
    for section, rows in sections.items():
        if in_each_section and rows == 0 and section != "Platforms":
            fail(f"{section}: no promise with a test", page)
    if count == 0:
        fail("no promise with a test", page)
    return count


def main() -> int:
    kept = promises("SECURITY.md", False) + promises("docs/guarantees.md", True)
    header = (ROOT / "include" / "mtoken" / "base.h").read_text(encoding="utf-8")
    codes = set(re.findall(r"^ +MTOKEN_ERROR_(\w+) =", header, re.MULTILINE))
    pairs, alone = made(sources())
    sections, page = told()
    # Those that only the mobile SDKs say have their own paragraph.
    upstream = re.search(r"^`upstream_reason` is .*?\n\n", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    reasons = {reason for _, reason in page} | set(re.findall(r"`(\w+)`", upstream[0] if upstream else ""))
    for code in sorted(codes ^ sections):
        fail(f"{code} has no section" if code in codes else f"the header has no code {code}")
    for code in sorted({code for code, _ in page} - codes):
        fail(f"the header has no code {code}")
    for code, reason in sorted(pairs - page):
        fail(f"{reason} is missing under {code}")
    for reason in sorted(alone - reasons):
        fail(f"{reason} is missing")
    for code, reason in sorted(page - pairs):
        if reason not in alone:
            fail(f"no source gives {reason} with {code}")
    screen = "\n".join(PAGE.read_text(encoding="utf-8").splitlines()[:40])
    for cause in ("AUTHENTICATION", "notTheFactor", "acceptedThenRefused"):
        if f"`{cause}`" not in screen:
            fail(f"the first screen does not tell the cause {cause}")
    ruled = rules("docs/guarantees.md")
    if failures == 0:
        print(f"docs/errors.md: {len(codes)} codes, {len(reasons)} reasons, {len(page)} pairs, all as in the sources")
        print(
            f"SECURITY.md, docs/guarantees.md: {kept} promises, {ruled} rules of languages, and the tests that they name"
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
