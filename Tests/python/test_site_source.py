"""What `make docs` makes of pages: pictures of text, plots of the table, links that are followed or refused. Nothing is built."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "docs" / "site"))
import diagrams
import plots
import stage

HEAD = "sequenceDiagram\naccTitle: Two <talk>\nparticipant A as Anna\nparticipant B as A very long name of Bert\n"


def test_a_sequence() -> None:
    drawn = diagrams.svg(HEAD + "A->>B: hello & good day\nB-->>A: yes\nNote over A,B: both<br>know\nNote over A: alone")
    assert 'aria-label="Two &lt;talk&gt;"' in drawn and "hello &amp; good day" in drawn
    assert [drawn.count(f'class="{kind}"') for kind in ("box", "lane", "message", "message answer", "note")] == [
        2,
        2,
        1,
        1,
        2,
    ]
    width = float(re.findall(r'viewBox="0 0 (\d+)', drawn)[0])
    for x, w in re.findall(r'<rect [^>]*x="(-?[\d.]+)"[^>]*width="([\d.]+)"', drawn):
        assert float(x) >= 0 and float(x) + float(w) <= width + 1, "nothing is cut off"
    assert not re.search(r"(?:fill|stroke)=", drawn), "colours are the page's"


@pytest.mark.parametrize(
    "wrong",
    [
        "sequenceDiagram\nparticipant A as Anna",
        HEAD + "A->B: no such arrow",
        HEAD + "loop forever",
        "pie\naccTitle: a pie",
        "flowchart TB\naccTitle: a chart\na[without quotes] --> b",
        "flowchart RL\naccTitle: a chart",
    ],
)
def test_what_is_not_drawn_is_refused(wrong: str) -> None:
    with pytest.raises(diagrams.DiagramError):
        diagrams.svg(wrong)


def test_the_plots_are_of_the_table(tmp_path: Path) -> None:
    table = plots.figures(latest=tmp_path / "none")
    page = plots.TABLE.read_text(encoding="utf-8")
    assert len(table) == len(re.findall(r"^\|.*\| [\d.]+ (?:reached|missed) \|$", page, re.MULTILINE)) > 20
    newer = tmp_path / "bench.json"
    newer.write_text(f'[{{"name": "{table[0].name}", "ratio": 9.5}}]', encoding="utf-8")
    assert plots.figures(latest=newer)[0].ratio == 9.5
    drawn = plots.ratios(plots.figures(latest=newer))
    assert drawn.count('class="missed"') == sum(one.ratio > one.target for one in plots.figures(latest=newer)) > 0


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
    """Pictures of Graphviz apart, which is not everywhere."""
    site = stage.Site(tmp_path)
    for page in (ROOT / "docs").rglob("*.md"):
        if "flowchart" not in page.read_text(encoding="utf-8"):
            site.page(page, site.place(page))
    site.check(str(site.navigation()).replace("'", '"'))
