#!/usr/bin/env python3
"""Runs a command in which programs for arm64 run as if they were this machine's, by qemu, and changes nothing on the machine.

    Tests/cross/emulated.py COMMAND...

The kernel (Linux 6.7 or later) keeps a table of interpreters for each user namespace: here for one with these users that ends with the
command. Where the machine runs such programs already, nothing is done but to run it. MTOKEN_EMULATOR names another qemu-aarch64-static.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from pathlib import Path

TABLE = Path("/proc/sys/fs/binfmt_misc")
NAMESPACES = 0x10000000 | 0x00020000  # CLONE_NEWUSER, CLONE_NEWNS
PRIVATE = 0x4000 | (1 << 18)  # MS_REC, MS_PRIVATE
HEAD = rb"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = rb"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
"""Of an executable file for arm64, and which of its bits count."""


def check(result: int, what: str) -> None:
    if result != 0:
        sys.exit(f"emulated.py: {what}: {os.strerror(ctypes.get_errno())}")


def enter(emulator: str) -> None:
    """Goes into a namespace of its own, whose table has the emulator."""
    libc = ctypes.CDLL(None, use_errno=True)
    users = "0 0 65536" if os.geteuid() == 0 else f"0 {os.geteuid()} 1"
    groups = "0 0 65536" if os.geteuid() == 0 else f"0 {os.getegid()} 1"
    (made, tell_made), (mapped, tell_mapped) = os.pipe(), os.pipe()
    process, child = os.getpid(), os.fork()
    if child == 0:
        # Only who stands outside may map more than one user.
        os.read(made, 1)
        if os.geteuid() != 0:
            Path(f"/proc/{process}/setgroups").write_text("deny")
        Path(f"/proc/{process}/uid_map").write_text(users)
        Path(f"/proc/{process}/gid_map").write_text(groups)
        os.write(tell_mapped, b".")
        os._exit(0)
    os.close(tell_mapped)
    check(libc.unshare(NAMESPACES), "a namespace for users cannot be made")
    os.write(tell_made, b".")
    if not os.read(mapped, 1):
        sys.exit("emulated.py: the users of the namespace cannot be mapped")
    os.waitpid(child, 0)
    check(libc.mount(b"none", b"/", None, PRIVATE, None), "mounts cannot be kept apart")
    check(libc.mount(b"none", os.fsencode(TABLE), b"binfmt_misc", 0, None), "no table of interpreters (Linux 6.7)")
    (TABLE / "register").write_bytes(b":mtoken-arm64:M:0:" + HEAD + b":" + MASK + b":" + os.fsencode(emulator) + b":F")


def main() -> None:
    emulator = os.environ.get("MTOKEN_EMULATOR") or shutil.which("qemu-aarch64-static")
    if not (TABLE / "qemu-aarch64").exists():
        if not emulator:
            sys.exit("emulated.py: qemu-aarch64-static is not installed")
        enter(emulator)
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
