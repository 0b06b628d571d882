"""The site that `make docs` makes: every link in it leads somewhere, nothing is fetched from elsewhere, and what it promises is there."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple
from urllib.parse import unquote, urlsplit

import browser
import pytest
from conftest import ROOT
from test_console import Visitor, missing

SITE = ROOT / "build" / "site"
LISTED = ROOT / "build" / "docs" / "stage" / "external-links.txt"
if not (SITE / "index.html").exists():
    pytest.skip("the site is not built (make docs)", allow_module_level=True)


class Page(HTMLParser):
    """What a page has of its own, leads to, and loads."""

    def __init__(self, path: Path):
        super().__init__()
        self.anchors: Set[str] = set()
        self.links: List[str] = []
        self.loaded: List[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, given: List[Tuple[str, Optional[str]]]) -> None:
        attributes = {name: value or "" for name, value in given}
        self.anchors |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if "src" in attributes:
            self.loaded.append(attributes["src"])
        if tag == "link" and attributes.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(attributes["href"])


@pytest.fixture(scope="module")
def pages() -> Dict[Path, Page]:
    return {path: Page(path) for path in sorted(SITE.rglob("*.html"))}


def test_links_within_the_site(pages: Dict[Path, Page]) -> None:
    lost = []
    followed = 0
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            followed += 1
            if not target.is_file() or (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors
            ):
                lost.append(f"{path.relative_to(SITE)}: {link}")
    assert followed > 5000 and not lost, "\n".join(lost)


def test_links_to_elsewhere_are_listed(pages: Dict[Path, Page]) -> None:
    listed = {line.split("  ")[0] for line in LISTED.read_text(encoding="utf-8").splitlines()}
    found = {link for page in pages.values() for link in page.links if urlsplit(link).scheme}
    # Not of a page's text: examples of addresses that Markdown makes links of are none that a reader follows.
    assert len(listed) > 5 and found <= listed, found - listed


def test_nothing_is_fetched_from_elsewhere(pages: Dict[Path, Page]) -> None:
    assert not {item for page in pages.values() for item in page.loaded if urlsplit(item).scheme not in ("", "data")}
    for style in SITE.rglob("*.css"):
        found = re.findall(r"url\((?!\"?data:|'data:|\"?#)([^)]*)\)|@import[^;]*", style.read_text(encoding="utf-8"))
        assert not [address for address in found if "//" in address], style


def test_every_function_is_in_the_reference_with_an_example(pages: Dict[Path, Page]) -> None:
    names = set(
        re.findall(r"^        (mtoken_\w+);", (ROOT / "packaging" / "link" / "libmtoken.map").read_text(), re.MULTILINE)
    )
    where = {anchor: path for path, page in pages.items() if path.parent.name == "reference" for anchor in page.anchors}
    assert len(names) > 200 and not names - set(where)
    for name in names:
        text = where[name].read_text(encoding="utf-8")
        section = text[text.index(f'id="{name}"') :].split("<h2", 1)[0]
        assert '<details class="example">' in section, name


def test_every_command_has_a_page(pages: Dict[Path, Page]) -> None:
    folder = SITE / "guides" / "command"
    manual = {path.stem for path in (ROOT / "build" / "man" / "man1").glob("*.1")}
    assert len(manual) > 45 and manual == {path.stem for path in folder.glob("*.html")}
    for path in folder.glob("*.html"):
        assert {"name", "synopsis", "options", "exit-status"} <= pages[path].anchors, path
    assert {f"mtoken-{name}.html" for name in ("list", "seal", "mobile-auth")} <= set(
        pages[folder / "mtoken.html"].links
    )


def test_the_recording() -> None:
    text = (SITE / "recording.svg").read_text(encoding="utf-8")
    assert len(text.encode()) < 300_000
    assert "film 20s" in text and text.count("transform:translateY") > 40
    words = re.sub(r"<[^>]+>", " ", text).replace("\N{NO-BREAK SPACE}", " ")
    for shown in (
        "mtoken activate",
        "The activation is active",
        "mtoken list",
        "mtoken approve",
        "1250.50 EUR was confirmed",
    ):
        assert shown in words, shown
    assert '<img alt="The command activates' in (SITE / "index.html").read_text(encoding="utf-8")


@pytest.mark.skipif(browser.missing() is not None, reason=str(browser.missing()))
def test_the_diagrams_are_drawn() -> None:
    with browser.Browser() as visitor:
        for page in ("docs/how-it-works.md", "docs/guides/oidc.md"):
            wanted = (ROOT / page).read_text(encoding="utf-8").count("```mermaid\n")
            visitor.open((SITE / page.removeprefix("docs/")).with_suffix(".html").as_uri())
            visitor.element(
                " ~ ".join(wanted * ["div.mermaid"])
            )  # which the theme has in place of each text that it drew


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_axe_finds_nothing() -> None:
    """On a page of each kind and with the search open, in light and dark, wide and narrow."""
    kinds = ("index", "getting-started", "errors", "guides/command", "languages", "reference/task")
    with Visitor() as visitor:
        for scheme, width in (("light", 1400), ("dark", 390)):
            visitor.appear(scheme, width)
            for kind in kinds:
                visitor.open((SITE / f"{kind}.html").as_uri())
                assert visitor.findings() == [], kind
        visitor.appear("light", 1400)
        for words, page in (
            ("docker", "install"),
            ("wrong pin", "reference/factors"),
            ("OTP", "tools/devserver/index"),
        ):
            visitor.open((SITE / "index.html").as_uri())
            visitor.click(".md-search__input")
            visitor.type(".md-search__input", words)
            assert visitor.element(f".md-search-result__item a[href*='{page}.html']"), words
        assert visitor.findings() == []


@pytest.mark.skipif(browser.missing() is not None, reason=str(browser.missing()))
def test_the_search_of_a_page_from_the_disk() -> None:
    with browser.Browser() as visitor:
        visitor.resize(1400, 900)  # a narrow window hides the field
        visitor.open((SITE / "index.html").as_uri())
        visitor.click(".md-search__input")
        visitor.type(".md-search__input", "operations_reject")
        found = "a[href*='reference/operations.html'][href$='#mtoken_operations_reject']"
        assert visitor.element(f".md-search-result {found}")
