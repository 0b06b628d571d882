"""The README's comparison: each line names tests that exist, and says whether this server is equal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from mtoken_devserver.settings import Settings

_FOLDER = Path(__file__).resolve().parent
README = (_FOLDER.parent / "README.md").read_text(encoding="utf-8")
_TABLE = README.partition("## Compared with the released servers")[2].partition("\n## ")[0]
ROWS = [line for line in _TABLE.splitlines() if re.match(r"\| (\d+|–) \|", line)]


def columns(row: Any) -> Any:
    return [column.strip() for column in row.strip("| ").split(" | ")]


def test_there_are_lines_for_every_section() -> None:
    assert {columns(row)[0] for row in ROWS} == {str(number) for number in range(1, 11)} | {"–"}
    assert len(ROWS) > 80


@pytest.mark.parametrize("row", ROWS, ids=lambda row: columns(row)[1][:40])
def test_every_line_has_a_test_that_exists(row: Any) -> None:
    _, situation, verdict, tests = columns(row)
    assert situation and re.match("equal|different: .{10}|not the servers' own|415", verdict), verdict
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", tests)
    assert named and tests.count("::") == len(named)
    for file, test in named:
        text = (_FOLDER / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {test}\(", text, re.MULTILINE), f"{file} has no {test}"


def test_every_setting_is_listed() -> None:
    listed = README.partition("`GET /config` lists them")[2].partition("### Faults")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == set(Settings.model_fields)


def test_every_fault_is_listed() -> None:
    from mtoken_devserver.faults import KINDS

    listed = README.partition("### Faults")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", listed, re.MULTILINE)) == KINDS
