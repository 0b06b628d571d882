# SPDX-License-Identifier: Apache-2.0
"""The command `mtoken-devserver`: the same as `python -m mtoken_devserver`, on port 8443 by default."""

from __future__ import annotations

import sys

from .__main__ import main as run


def main() -> None:
    run(["--port", "8443", *sys.argv[1:]])
