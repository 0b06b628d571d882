# SPDX-License-Identifier: Apache-2.0
"""The text of `mtoken --help`. This module imports no other, so that the text appears at once."""

from __future__ import annotations

import os
import sys
from typing import List

TASKS = {
    "Begin": ["demo", "profile", "activate", "status", "user", "rename"],
    "Approve": ["list", "watch", "show", "approve", "reject", "claim", "history"],
    "Codes, portals, messages": ["qr", "pac", "mobile-auth", "push", "inbox"],
    "Keep it safe": ["pin", "biometry", "seal", "upgrade", "recovery", "remove"],
    "Several accounts and machines": ["accounts", "export", "import", "oidc"],
    "For programs and shells": ["sign", "csr", "config", "completion"],
}
"""The commands of each task. A command that is missing here is listed under "More"."""

SUMMARIES = {
    "demo": "try it with a bank of your own, deleted at the end",
    "profile": "the banks: add, list, use, remove",
    "activate": "activate this device at a bank, and choose the PIN",
    "status": "the activation, here and at the bank",
    "user": "what the bank knows about you",
    "rename": "the name under which the bank shows this device",
    "list": "what waits for approval",
    "watch": "the same, live, or as desktop notifications",
    "show": "all of an operation, also of one that was decided",
    "approve": "show an operation, confirm, and approve it",
    "reject": "reject one, with a reason; no PIN is needed",
    "claim": "take over one that has no user yet",
    "history": "operations of the past",
    "qr": "a code for an operation that is shown as a QR code",
    "pac": "approve what a proximity code selects",
    "mobile-auth": "answer the requests of a portal",
    "push": "register for push messages, and read them",
    "inbox": "messages of the bank",
    "pin": "check or change the PIN, or keep it in the keyring",
    "biometry": "a key in the keyring in place of the PIN",
    "seal": "keep the device secret in hardware or the desktop",
    "upgrade": "from protocol 3 to 4.0; this cannot be undone",
    "recovery": "the recovery code and its PUK",
    "remove": "end the activation, at the bank and here",
    "accounts": "all accounts: bank, user, state",
    "export": "write profiles for another machine, without secrets",
    "import": "add the profiles of a file",
    "oidc": "providers for mtoken activate --oidc",
    "sign": "sign an HTTP request that you send yourself",
    "csr": "a request for a certificate of the device's key",
    "config": "the settings of the bank for its application",
    "completion": "completion of commands, ids and reasons in the shell",
}
"""Each command in a few words, for `mtoken --help`."""

EXIT_CODES = (
    (0, "success"),
    (1, "any other failure"),
    (2, "wrong use"),
    (3, "not activated"),
    (4, "refused: PIN, factor"),
    (5, "network: not done"),
    (6, "sent, answer unknown"),
    (7, "the bank refused"),
    (8, "storage, or in use"),
    (9, "you declined"),
    (130, "interrupted"),
)


def whole_help(bold: str = "", cyan: str = "", plain: str = "") -> str:
    """All commands, one a line, in the order of the manual, with the codes of the terminal's styles."""
    lines = ["mtoken: opens the full-screen view. With a command (--help has examples):"]
    for task, names in TASKS.items():
        lines.append(f"{bold}{task}{plain}")
        lines += [f"{cyan}  {name:<13}{plain}{SUMMARIES[name]}" for name in names]
    lines.append("Options: -p, --profile NAME of the bank (MTOKEN_PROFILE); --version; -h, --help")
    for row in range(4):
        cells: List[str] = [f"{code:>3} {words:<21}" for code, words in EXIT_CODES[row::4]]
        lines.append((" " * 10 if row else f"{bold}Exit codes{plain}") + "".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def show_help() -> None:
    """Prints it, in colour if the terminal has colours."""
    dull = "NO_COLOR" in os.environ or os.environ.get("TERM") in ("dumb", "unknown") or not sys.stdout.isatty()
    sys.stdout.write(whole_help() if dull else whole_help("\x1b[1m", "\x1b[36m", "\x1b[0m"))
