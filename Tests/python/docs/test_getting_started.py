"""docs/getting-started.md from its first command to its last, as a reader types them into two terminals."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Dict

from conftest import ROOT
from pages import blocks, shell

PAGE = "docs/getting-started.md"
ARGUMENTS = "$URL $CA $CONFIGURATION $CODE"
USED = "NEQE6-LNNYQ-ZGLM6-NJSYQ"
"""A code that is well formed, and unknown to the bank."""


def test_every_command(tmp_path: Path) -> None:
    texts = [block.text for block in blocks(PAGE) if block.language == "sh"]
    (build, start), second = texts[:2], texts[2:]
    programs = {block.language: block.text for block in blocks(PAGE) if block.language != "sh"}
    environment = {"HOME": str(tmp_path), "PYTHONPATH": None, "LD_LIBRARY_PATH": None}
    shell(build, ROOT, **environment)

    # The first terminal. The server tells in its file that it is ready, after its address was printed.
    server = subprocess.Popen(
        ["bash", "-ec", start.replace("../../build/venv/bin/python", "exec " + shlex.quote(sys.executable)) + "\n"],
        cwd=ROOT,
        env={**os.environ, "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        assert any("/console" in line for line in server.stdout), "it prints the console's address"
        names: Dict[str, str] = {"c": "approve.c", "python": "approve.py"}
        for language, name in names.items():
            (tmp_path / "token" / name).write_text(programs[language], encoding="utf-8")
        printed = shell("\n".join(second), ROOT, **environment).stdout.splitlines()
        # Once more, with a code that was used and nothing to approve; then without an activation: the code is refused.
        (setting, values, _), runs = second[:3], f"./approve {ARGUMENTS}; python3 approve.py {ARGUMENTS}"
        again = shell(f"{setting}{values}CODE={USED}\n{runs}", ROOT, **environment).stdout.splitlines()
        refused = f"rm -r state-c state-python\n! ./approve {ARGUMENTS}\n! python3 approve.py {ARGUMENTS}"
        told = shell(f"{setting}{values}CODE={USED}\n{refused}", ROOT, **environment).stderr.splitlines()
    finally:
        server.terminate()
        server.communicate(timeout=300)
    assert again == ["no operation is pending"] * 2
    assert len(told) == 2 and all(re.fullmatch(r"activate: [^{}]+", line) for line in told), told
    operations = printed[:2]
    assert sum(line.startswith("fingerprint ") for line in printed) == 2
    assert sorted(line for line in printed if line.startswith("approved ")) == sorted(
        f"approved {id}" for id in operations
    )
    assert sorted(printed[-2:]) == sorted(f"{id} APPROVED" for id in operations)
