# SPDX-License-Identifier: Apache-2.0
"""Lays the pages of the site out, from docs/, the README files beside the code, and what is made from the header.

python3 docs/site/stage.py FOLDER --recording FILE --manual FOLDER
                                       FOLDER/source has the pages, FOLDER/mkdocs.yml the settings for mkdocs

Every relative link is followed: a page that is linked becomes one of the site, a header leads to the reference, and
another file becomes a page that shows it. A link that leads nowhere ends the build.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(ROOT / "bindings")]

from generate import markdown, reader  # noqa: E402

HOME = HERE / "home.md"
INDEX = ROOT / "docs" / "README.md"
RECORDING = "recording.svg"
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^()\s]+)(\))")
FENCE = re.compile(r"^(```+)(.*?)^\1$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^<!-- file: (\S+) -->$", re.MULTILINE)
"""A file that the site shows on the page; elsewhere a link leads to it."""
LANGUAGE_TABLE = "<!-- languages -->"
"""Where the home page has the README's table."""
TABS = "<!-- tabs -->"
"""Where the home page has the program of each language, one behind the other."""
PROGRAM = re.compile(
    r"^## ([^\n]+)\n(?:(?!^## ).)*?^Save this as `[^`]+`:\n\n(```\w+\n.*?^```)$", re.MULTILINE | re.DOTALL
)
CODE = re.compile(r"(`+).+?\1", re.DOTALL)
LANGUAGES = {
    "c": "c", "h": "c", "hpp": "cpp", "cpp": "cpp", "py": "python", "rs": "rust", "go": "go", "cs": "csharp",
    "js": "js", "ts": "ts", "java": "java", "php": "php", "rb": "ruby", "lua": "lua", "swift": "swift", "sh": "sh",
    "toml": "toml", "json": "json", "service": "ini",
}  # fmt: skip


class SiteError(Exception):
    """A page that cannot be built."""


class Site:
    """The pages by their files, and what they are in the site."""

    def __init__(self, output: Path, manual: Sequence[Path] = ()):
        self.output = output
        self.manual = manual
        """The manual pages of the command, which become pages below its guide."""
        self.staged: Dict[Path, str] = {}
        self.external: List[Tuple[str, str]] = []
        self.waiting: List[Path] = []

    def place(self, path: Path) -> str:
        """Where a file of the repository is in the site."""
        relative = path.relative_to(ROOT).as_posix()
        if path in (HOME, ROOT / "README.md"):
            return "index.md"
        if path == INDEX:
            return "contents.md"
        if relative.startswith("include/"):
            return "reference/index.md" if path.stem in ("mtoken", "include") else f"reference/{path.stem}.md"
        if relative.startswith("docs/"):
            return relative.removeprefix("docs/")
        if path.name == "README.md":
            return f"{relative.removesuffix('/README.md')}/index.md"
        if path.suffix == ".md":
            return relative.lower()
        return relative if path.suffix in (".png", ".svg") else f"sources/{relative}.md"

    def add(self, path: Path) -> str:
        """Where a page, a picture or a file is that something links to; it is staged if it is not yet."""
        if not path.exists():
            raise SiteError("there is no such file")
        if path.is_dir() and (path / "README.md").exists():
            path = path / "README.md"
        if path == ROOT / "README.md":
            path = HOME
        if path not in self.staged:
            self.staged[path] = self.place(path)
            self.waiting.append(path)
        return self.staged[path]

    def make(self) -> None:
        pages = [page for page in sorted((ROOT / "docs").rglob("*.md")) if HERE not in page.parents]
        for page in [HOME, *pages]:
            self.add(page)
        while self.waiting:
            path = self.waiting.pop()
            place = self.staged[path]
            if not place.startswith("reference/"):
                self.write(path, place)
        markdown.write(reader.read(ROOT / "include"), self.output / "reference")

    def write(self, path: Path, place: str) -> None:
        target = self.output / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (".png", ".svg"):
            shutil.copyfile(path, target)
        elif path.is_dir():
            target.write_text(self.folder(path, place), encoding="utf-8")
        elif path.suffix == ".md":
            target.write_text(self.page(path, place), encoding="utf-8")
        else:
            target.write_text(f"{self.unsearched(path)}{self.source(path)}", encoding="utf-8")

    @staticmethod
    def unsearched(path: Path) -> str:
        """The head of a page that nobody searches for."""
        return f"---\nsearch:\n  exclude: true\n---\n# {path.relative_to(ROOT)}\n\n"

    @staticmethod
    def source(path: Path) -> str:
        language = LANGUAGES.get(path.suffix[1:], "text")
        content = path.read_text(encoding="utf-8").rstrip("\n")
        return f"````{language}\n{content}\n````\n"

    def folder(self, path: Path, place: str) -> str:
        files = [file for file in sorted(path.iterdir()) if file.is_file() and file.name[0] != "."]
        lines = [f"- [{file.name}]({self.link(file, place)})" for file in files]
        return self.unsearched(path) + "\n".join(lines) + "\n"

    def link(self, path: Path, place: str) -> str:
        return os.path.relpath(self.add(path), os.path.dirname(place) or ".")

    # A page

    def page(self, path: Path, place: str) -> str:
        text = path.read_text(encoding="utf-8")
        text = SHOWN.sub(lambda found: f"## {found[1]}\n\n{self.source(ROOT / found[1])}", text)
        if TABS in text:
            text = text.replace(TABS, tabs())
        if LANGUAGE_TABLE in text:
            text = text.replace(LANGUAGE_TABLE, languages())
        kept: List[str] = []

        def keep(block: str) -> str:
            kept.append(block)
            return f"\x00{len(kept) - 1}\x00"

        text = FENCE.sub(lambda found: keep(found[0]), text)
        text = CODE.sub(lambda found: keep(found[0]), text)
        text = LINK.sub(lambda found: found[1] + self.followed(path, place, found[2]) + found[3], text)
        while "\x00" in text:
            text = re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found[1])], text)
        return text

    def followed(self, path: Path, place: str, target: str) -> str:
        if re.match(r"\w+:", target):
            self.external.append((target, path.relative_to(ROOT).as_posix()))
            return target
        name, hash_, fragment = target.partition("#")
        if not name or (path, name) == (HOME, RECORDING):
            return target
        try:
            return self.link((path.parent / name).resolve(), place) + hash_ + fragment
        except (SiteError, ValueError) as problem:
            raise SiteError(f"{path.relative_to(ROOT)}: {target}: {problem}") from None

    # Navigation

    def navigation(self) -> List[object]:
        """Home, and the tables of docs/README.md: a heading is a part, and the first link of each row a page of it."""
        parts: List[object] = [{"Home": "index.md"}]
        for section in re.split(r"^## ", INDEX.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            title, _, rows = section.partition("\n")
            pages: List[object] = []
            for row in rows.splitlines():
                found = re.match(r"\| \[([^\]]+)\]\(([^)#]+)\)", row)
                if found:
                    place = self.add((INDEX.parent / found[2]).resolve())
                    made = {"languages.md": self.languages, "guides/command.md": self.commands}
                    below = {"reference/index.md": self.headers, **made}.get(place)
                    pages.append({found[1].replace("`", ""): below() if below else place})
            parts.append({title.strip(): pages})
        return parts

    def check(self, navigation: str) -> None:
        """Every page of docs/ is in the navigation; those of docs/protocol/ are in the table of their own README."""
        for path, place in self.staged.items():
            own = path.is_relative_to(ROOT / "docs") and HERE not in path.parents and path != INDEX
            if own and path.suffix == ".md" and not place.startswith("protocol/") and f'"{place}"' not in navigation:
                raise SiteError(f"{path.relative_to(ROOT)} is in no table of docs/README.md")

    def languages(self) -> List[object]:
        """The page of all, and that of each package that its table links."""
        path = ROOT / "docs" / "languages.md"
        rows = re.findall(
            r"^\| ([^|]+?) \|.*\]\((\S*bindings/[^)]+)\) \|$", path.read_text(encoding="utf-8"), re.MULTILINE
        )
        return [self.add(path), *({name: self.add((path.parent / link).resolve())} for name, link in rows)]

    def commands(self) -> List[object]:
        """The guide, and a page for each command."""
        pages: List[object] = [self.add(ROOT / "docs" / "guides" / "command.md")]
        for path in self.manual:
            name, text = command_page(path)
            target = self.output / "guides" / "command" / f"{path.stem}.md"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            pages.append({name: target.relative_to(self.output).as_posix()})
        return pages

    @staticmethod
    def headers() -> List[object]:
        names = [page.name for page in reader.read(ROOT / "include").pages[1:]]
        return ["reference/index.md", *({f"{name}.h": f"reference/{name}.md"} for name in names)]


def tabs() -> str:
    """The programs of the page of languages, each behind the name of its language."""
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    programs = PROGRAM.findall(page)
    return "\n\n".join(f'=== "{name}"\n\n' + re.sub(r"^", "    ", code, flags=re.MULTILINE) for name, code in programs)


def languages() -> str:
    """The table of the README, whose place in the site the home page has."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## Languages\n\n(.*?)\n+## ", readme, re.MULTILINE | re.DOTALL)
    up = os.path.relpath(ROOT, HERE)
    return LINK.sub(lambda found: f"{found[1]}{up}/{found[2]}{found[3]}", section)


def command_page(path: Path) -> Tuple[str, str]:
    """What the user types, and the page: the manual page, with headings of the site and links to the other pages."""
    mandoc = ["mandoc", "-T", "html", "-O", "fragment", str(path)]
    text = subprocess.run(mandoc, check=True, capture_output=True, encoding="utf-8").stdout
    text = re.sub(r'<table class="(?:head|foot)">.*?</table>|</?(?:section|div)[^>]*>', "", text, flags=re.DOTALL)
    text = re.sub(
        r"<h1[^>]*><a[^>]*>(.*?)</a></h1>",
        lambda found: f"\n## {' '.join(found[1].split()).capitalize()}\n",
        text,
        flags=re.DOTALL,
    )
    text = re.sub(r"<b>(mtoken[a-z0-9-]*)</b>\(1\)", r'<a href="\1.html">\1(1)</a>', text)
    text = text.replace("<b>mtoken</b>(3)", '<a href="../../reference/index.html">mtoken(3)</a>')
    (name,) = re.findall(r"^## Synopsis\n\s*<p[^>]*><b>(.*?)</b>", text, re.MULTILINE | re.DOTALL)
    name = " ".join(name.split())
    return name, f"# {name}\n\n{text}"


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--recording", type=Path, required=True, help="of the home page: what record.py makes")
    parser.add_argument("--manual", type=Path, required=True, help="folder of the manual pages of the command")
    options = parser.parse_args(arguments)
    output: Path = options.output
    shutil.rmtree(output / "source", ignore_errors=True)
    site = Site(output / "source", sorted(options.manual.glob("*.1")))
    try:
        site.make()
        settings = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
        navigation = json.dumps(site.navigation(), ensure_ascii=False)
        site.check(navigation)
    except SiteError as problem:
        print(f"docs: {problem}", file=sys.stderr)
        return 1
    for name in ("style.css", "accessible.js", "iframe-worker.js"):
        shutil.copyfile(HERE / name, output / "source" / name)
    shutil.copyfile(options.recording, output / "source" / RECORDING)
    (output / "mkdocs.yml").write_text(f"{settings}nav: {navigation}\n", encoding="utf-8")
    links = sorted({f"{target}  {page}" for target, page in site.external})
    (output / "external-links.txt").write_text("\n".join(links) + "\n", encoding="utf-8")
    print(
        f"docs: {len(site.staged)} pages, sources and pictures; {len(links)} links to other places, external-links.txt"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
