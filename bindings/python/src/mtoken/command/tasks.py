"""The commands by what one wants to do, with examples: for the help and for the manual pages."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Tuple, Union

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandInfo, TyperInfo

from .output import out

TASKS = {
    "Begin": ["demo", "profile", "activate", "status", "user", "rename"],
    "Approve": ["list", "watch", "show", "approve", "reject", "claim", "history"],
    "Codes, portals, messages": ["qr", "pac", "mobile-auth", "push", "inbox"],
    "Keep it safe": ["pin", "biometry", "seal", "upgrade", "recovery", "remove"],
    "Several accounts and machines": ["accounts", "export", "import", "oidc"],
    "For programs and shells": ["sign", "csr", "config", "completion"],
}
"""Each command stands under one of them; what is forgotten here stands under "More"."""

SUMMARIES = {
    "demo": "try it with a bank of your own; nothing of it stays",
    "profile": "the banks: add, list, use, remove",
    "activate": "activate this device at a bank, and choose the PIN",
    "status": "the activation, here and at the bank",
    "user": "what the bank knows about you",
    "rename": "the name under which the bank shows this device",
    "list": "what waits for approval",
    "watch": "the same, live, or as desktop notifications",
    "show": "all of an operation, also of one that was decided",
    "approve": "show an operation, ask, and approve it",
    "reject": "reject one, with a reason; no PIN is needed",
    "claim": "take over one that belongs to nobody yet",
    "history": "what became of operations",
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
    "export": "write profiles for another machine; no secret is in them",
    "import": "add the profiles of a file",
    "oidc": "providers for mtoken activate --oidc",
    "sign": "sign an HTTP request that you send yourself",
    "csr": "a request for a certificate of the device's key",
    "config": "the settings of the bank for its application",
    "completion": "what completes commands, ids and reasons at Tab",
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

EXAMPLES: Dict[str, List[Tuple[str, str]]] = {
    "demo": [("mtoken demo", "a bank of its own, an activated device and three operations, until Ctrl-C")],
    "activate": [
        ("mtoken activate", "asks for the code and the new PIN"),
        ("mtoken activate --qr code.png --name 'My desk'", "the code from a picture"),
        ("mtoken activate --wait", "goes on waiting for the bank's confirmation"),
    ],
    "status": [("mtoken status --json | jq .remaining_attempts", "how many attempts the PIN has")],
    "remove": [("mtoken remove --local", "when the server is gone")],
    "list": [
        ("mtoken list", "with the beginning of each id, which is enough for other commands"),
        ("mtoken list --all", "of all accounts"),
        ("mtoken list --json | jq -r '.operations[].id'", "for a script"),
    ],
    "watch": [
        ("mtoken watch", "live, until Ctrl-C"),
        ("mtoken watch --notify", "desktop notifications, e.g. as a service of the user"),
        ("mtoken watch --json --for 60", "a line for each change, for a minute"),
    ],
    "show": [("mtoken show 2bbada4d", "everything that will be signed")],
    "approve": [
        ("mtoken approve", "the only one that waits"),
        ("mtoken approve 2bbada4d", "one of several"),
        ('mtoken approve "$ID" --yes --pin-fd 3 3<pin.txt', "in a script that has checked what it approves"),
    ],
    "reject": [("mtoken reject 2bbada4d --reason UNEXPECTED_OPERATION", "and the bank learns why")],
    "claim": [('mtoken claim "$ID"', "a login on a shared screen, by its whole id")],
    "history": [("mtoken history", "what became of operations, with dates")],
    "qr": [
        ("mtoken qr photo.png", "from a picture"),
        ("mtoken qr --screen", "from the screen"),
        ("zbarimg -q --raw photo.png | mtoken qr --text -", "from a scanner"),
    ],
    "pac": [("mtoken pac --screen", "logs in where the code is shown")],
    "mobile-auth answer": [
        ("mtoken mobile-auth answer", "the only request that waits"),
        ("mtoken mobile-auth answer --push push.json", "the request that a push hints at"),
    ],
    "push register": [('mtoken push register fcm "$TOKEN"', "where pushes for this device go")],
    "push parse": [("mtoken push parse push.json", "what a push says")],
    "inbox list": [("mtoken inbox list --unread", "what is new")],
    "inbox show": [("mtoken inbox show 8a41", "as text; the bank learns that it was read")],
    "pin check": [("mtoken pin check", "a wrong PIN costs an attempt")],
    "pin remember": [("mtoken pin remember", "whoever uses this desktop session can then approve")],
    "biometry add": [("mtoken biometry add", "then: mtoken approve --biometry")],
    "seal": [
        ("mtoken seal tpm2 --pcrs 7", "copied files are of no use on another machine"),
        ("mtoken seal none", "back to a file"),
    ],
    "accounts": [("mtoken accounts --online", "with user and state at each bank")],
    "profile add": [
        ('mtoken profile add bank --server https://bank.example --config "$CONFIG"', "then: mtoken activate")
    ],
    "profile use": [("mtoken profile use bank", "from now on without --profile")],
    "export": [("mtoken export - --profile bank | ssh desk mtoken import -", "to another machine")],
    "import": [("mtoken import bank.json", "a file of the bank or of mtoken export")],
    "oidc show": [("mtoken oidc show google", "then: mtoken activate --oidc google")],
    "sign": [("mtoken sign POST /operation/authorize body.json", "prints the header; send the request once")],
    "completion": [
        ("source <(mtoken completion bash)", "in ~/.bashrc"),
        ("source <(mtoken completion zsh)", "in ~/.zshrc, after compinit"),
        ("mtoken completion fish | source", "in ~/.config/fish/config.fish"),
    ],
}
"""By command: what to type, and what it is good for."""

Info = Union[CommandInfo, TyperInfo]


def name_of(info: Info) -> str:
    """What the user types."""
    name = info.name if isinstance(info.name, str) else None
    callback = info.callback
    return name or (callback.__name__.replace("_", "-") if callback else "")


def everything(app: typer.Typer, before: str = "") -> Iterator[Tuple[str, Info]]:
    """All commands and groups below an application, with their full names."""
    for command in app.registered_commands:
        yield f"{before}{name_of(command)}", command
    for group in app.registered_groups:
        name = f"{before}{name_of(group)}"
        yield name, group
        if group.typer_instance is not None:
            yield from everything(group.typer_instance, f"{name} ")


def whole_help() -> Text:
    """`mtoken --help`: all commands, each in a line, in the order of the manual."""
    said = Text("mtoken: a mobile token in the whole terminal. With a command (--help has examples):\n")
    for task, names in TASKS.items():
        said.append(f"{task}\n", "bold")
        for name in names:
            said.append(f"  {name:<13}", "cyan").append(f"{SUMMARIES[name]}\n")
    said.append("Options: -p, --profile NAME of the bank (MTOKEN_PROFILE); --version; -h, --help\n")
    for row in range(4):
        cells = (f"{code:>3} {words:<21}" for code, words in EXIT_CODES[row::4])
        said.append("" if row else "Exit codes", "bold").append(" " * 10 if row else "")
        said.append("".join(cells).rstrip() + ("\n" if row < 3 else ""))
    return said


class Command(TyperCommand):
    """A command whose help shows no type for what is on or off."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _without_types(self, ctx)
        super().format_help(ctx, formatter)


class Group(TyperGroup):
    """The same for a group of commands."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _without_types(self, ctx)
        super().format_help(ctx, formatter)


class Whole(TyperGroup):
    """All commands."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        out.print(whole_help(), soft_wrap=True)


def _without_types(command: Union[TyperCommand, TyperGroup], ctx: Any) -> None:
    for parameter in command.get_params(ctx):
        if getattr(parameter, "is_flag", False) or "--help" in parameter.opts:
            parameter.display_type_rich = lambda ctx: None  # type: ignore[attr-defined]


def arrange(app: typer.Typer) -> None:
    """Puts the commands under their tasks, in that order, and the examples below their help."""
    tasks = {name: task for task, names in TASKS.items() for name in names}
    order = {name: place for place, name in enumerate(tasks)}
    for name, info in everything(app):
        info.rich_help_panel = tasks.get(name, "More") if " " not in name else info.rich_help_panel
        if isinstance(info, CommandInfo):
            info.cls = Command
        else:
            info.cls = Group
        if name in EXAMPLES:
            info.epilog = "\n\n".join(["Examples:", *(f"{typed}  # {why}" for typed, why in EXAMPLES[name])])
    app.registered_commands.sort(key=lambda info: order.get(name_of(info), len(order)))
    app.registered_groups.sort(key=lambda info: order.get(name_of(info), len(order)))
