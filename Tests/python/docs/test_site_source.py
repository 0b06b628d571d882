"""What `make docs` makes of pages: links that are followed or refused. Nothing is built."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from pages import language_sections

sys.path.insert(0, str(ROOT / "docs" / "site"))
import stage


@pytest.fixture
def site(tmp_path: Path, monkeypatch: Any) -> stage.Site:
    monkeypatch.setattr(stage, "ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "task.h").touch()
    (tmp_path / "program.py").write_text("print(1)\n", encoding="utf-8")
    return stage.Site(tmp_path / "site")


def written(site: stage.Site, text: str) -> str:
    page = stage.ROOT / "docs" / "page.md"
    page.write_text(text, encoding="utf-8")
    return site.page(page, "page.md")


def test_links_are_followed(site: stage.Site) -> None:
    text = "[a](page.md#x) [b](../include/task.h) [c](../program.py) [d](https://example.com/) [e](#y) `[f](none.md)`"
    followed = "[a](page.md#x) [b](reference/task.md) [c](sources/program.py.md) [d](https://example.com/) [e](#y)"
    assert written(site, text) == followed + " `[f](none.md)`"
    assert site.external == [("https://example.com/", "docs/page.md")]
    assert written(site, "```sh\n[f](none.md)\n```\n") == "```sh\n[f](none.md)\n```\n"
    assert "print(1)" in written(site, "<!-- file: program.py -->\n")


@pytest.mark.parametrize("wrong", ["[a](none.md)", "[a](../../elsewhere.md)", "![a](none.png)"])
def test_links_that_lead_nowhere_are_refused(site: stage.Site, wrong: str) -> None:
    with pytest.raises(stage.SiteError, match=r"docs/page\.md: "):
        written(site, wrong)


def test_every_page_of_the_repository_is_followed(tmp_path: Path) -> None:
    site = stage.Site(tmp_path)
    for page in (ROOT / "docs").rglob("*.md"):
        site.page(page, site.place(page))
    site.check(str(site.navigation()).replace("'", '"'))


def test_each_language_has_a_tab_on_the_home_page() -> None:
    assert re.findall(r'^=== "(.*)"$', stage.tabs(), re.MULTILINE) == list(language_sections())
    assert "#include <mtoken.h>" in stage.tabs() and "\n    ```" in stage.tabs()
