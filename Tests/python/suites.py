"""The suites of protocol 4.0: an application for each, and what they need of OpenSSL."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Tuple

from devserver import DevServer

NAMES = {"EC_P384": "EC_P384", "L3": "EC_P384_ML_L3", "L5": "EC_P384_ML_L5"}


def application(server: DevServer, suite: str) -> Tuple[str, str]:
    """The identifier and configuration of an application of this suite, which is made if it is new."""
    name = f"four-{suite}"
    known = server.admin("GET", "/applications")["applications"]
    for found in known:
        if found["applicationId"] == name:
            return name, str(found["sdkConfig"])
    made = server.admin("POST", "/applications", {"applicationId": name, "suite": NAMES[suite]})
    return name, str(made["sdkConfig"])


@cache
def has_post_quantum() -> bool:
    """Whether the OpenSSL that the library under test runs with, its own or the system's, has ML-KEM and ML-DSA."""
    carried = re.search(rb"OpenSSL (\d+)\.(\d+)\.\d+ \d+ \w+ \d{4}", Path(os.environ["MTOKEN_LIBRARY"]).read_bytes())
    if carried is not None:
        return (int(carried[1]), int(carried[2])) >= (3, 5)
    script = "import ctypes; c = ctypes.CDLL('libcrypto.so.3'); c.OpenSSL_version_num.restype = ctypes.c_ulong; print(c.OpenSSL_version_num())"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return int(found.stdout) >= 0x30500000
