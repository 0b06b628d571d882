# SPDX-License-Identifier: Apache-2.0
"""The commands by task, with examples, for the help and the manual pages."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, Iterator, List, Tuple, Union

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandInfo, TyperInfo

from .contents import TASKS, show_help

EXAMPLES: Dict[str, List[Tuple[str, str]]] = {
    "demo": [("mtoken demo", "a bank of its own, an activated device and three operations, until Ctrl-C")],
    "activate": [
        ("mtoken activate", "asks for the code and the new PIN"),
        ("mtoken activate --qr code.png --name 'My desk'", "the code from a picture"),
        ("mtoken activate --wait", "waits again for the bank's confirmation"),
    ],
    "status": [("mtoken status --json | jq .remaining_attempts", "how many attempts the PIN has")],
    "remove": [("mtoken remove --local", "when the server no longer exists")],
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
        ("mtoken approve", "if only one waits"),
        ("mtoken approve 2bbada4d", "one of several"),
        ('mtoken approve "$ID" --yes --pin-fd 3 3<pin.txt', "in a script that has checked what it approves"),
    ],
    "reject": [("mtoken reject 2bbada4d --reason UNEXPECTED_OPERATION", "and the bank learns why")],
    "claim": [('mtoken claim "$ID"', "a login on a shared screen, by its whole id")],
    "history": [("mtoken history", "operations of the past, with dates")],
    "qr": [
        ("mtoken qr photo.png", "from a picture"),
        ("mtoken qr --screen", "from the screen"),
        ("zbarimg -q --raw photo.png | mtoken qr --text -", "from a scanner"),
    ],
    "pac": [("mtoken pac --screen", "logs in where the code is shown")],
    "mobile-auth answer": [
        ("mtoken mobile-auth answer", "if only one request waits"),
        ("mtoken mobile-auth answer --push push.json", "the request that a push hints at"),
    ],
    "push register": [('mtoken push register fcm "$TOKEN"', "where pushes for this device go")],
    "push parse": [("mtoken push parse push.json", "what a push says")],
    "inbox list": [("mtoken inbox list --unread", "what is new")],
    "inbox show": [("mtoken inbox show 8a41", "as text; the bank learns that it was read")],
    "pin check": [("mtoken pin check", "a wrong PIN costs an attempt")],
    "pin remember": [("mtoken pin remember", "anyone who uses this desktop session can then approve")],
    "biometry add": [("mtoken biometry add", "then: mtoken approve --biometry")],
    "seal": [
        ("mtoken seal tpm2 --pcrs 7", "copied files are useless on another machine"),
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
"""By command: what to type, and why."""

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


class Command(TyperCommand):
    """A command whose help shows no type for flags."""

    def get_params(self, ctx: Any) -> List[Any]:
        return _absent_stay_absent(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _without_types(self, ctx)
        super().format_help(ctx, formatter)


class Group(TyperGroup):
    """The same for a group of commands."""

    def get_params(self, ctx: Any) -> List[Any]:
        return _absent_stay_absent(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _without_types(self, ctx)
        super().format_help(ctx, formatter)


class Whole(TyperGroup):
    """All commands."""

    def get_params(self, ctx: Any) -> List[Any]:
        return _absent_stay_absent(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        show_help()


def _absent_stay_absent(parameters: List[Any]) -> List[Any]:
    """Keeps typer from converting what was not given: it would load pydantic for it, which takes as long as the rest of
    typer."""
    for parameter in parameters:
        many = parameter.nargs != 1 or getattr(parameter, "multiple", False)
        if not many and not parameter.required and "process_value" not in vars(parameter):
            parameter.process_value = functools.partial(_processed, parameter, parameter.process_value)
    return parameters


def _processed(parameter: Any, process: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    if value is not None:
        return process(ctx, value)
    return parameter.callback(ctx, parameter, None) if parameter.callback else None


def _without_types(command: Union[TyperCommand, TyperGroup], ctx: Any) -> None:
    for parameter in command.get_params(ctx):
        if getattr(parameter, "is_flag", False) or "--help" in parameter.opts:
            parameter.display_type_rich = lambda ctx: None  # type: ignore[attr-defined]


def arrange(app: typer.Typer) -> None:
    """Sorts the commands by task, and adds the examples to their help."""
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
