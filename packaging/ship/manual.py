# SPDX-License-Identifier: Apache-2.0
"""Writes mtoken(1) and a page for each command, from what the command itself says with --help.

packaging/ship/manual.py --output build/man/man1 --date 2026-11-21
"""

from __future__ import annotations

import argparse
import re
from datetime import date
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple

import mtoken
import typer.main
from mtoken_command import contents, register, tasks
from mtoken_command.app import app

FILES = (
    ("$XDG_CONFIG_HOME/mtoken/profiles.json", "The profiles: servers and configurations, no key and no PIN."),
    ("$XDG_DATA_HOME/mtoken/NAME/", "The activation of a profile."),
)
ENVIRONMENT = (
    ("MTOKEN_PROFILE", "The profile that is used when --profile names none."),
    ("NO_COLOR", "No colours."),
    ("MTOKEN_TERMINAL", "What opens a terminal for the buttons of a notification: x-terminal-emulator -e."),
    ("MTOKEN_SEALER_PASSWORD_FILE", "A file with the password of the sealer, which is asked for otherwise."),
    ("MTOKEN_NEW_SEALER_PASSWORD_FILE", "The same for the new sealer, when mtoken seal moves between two."),
    ("MTOKEN_BIOMETRY_PASSWORD_FILE", "The same for the security key of biometry."),
    ("MTOKEN_LIBRARY", "The file of the library, if it is another than the installed one."),
)


def escaped(text: str) -> str:
    """Text that roff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def sentences(text: str) -> str:
    """Paragraphs of a docstring, in one line each."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n.PP\n".join(escaped(" ".join(paragraph.split())) for paragraph in paragraphs)


def children(command: Any) -> Dict[str, Any]:
    found: Dict[str, Any] = getattr(command, "commands", {})
    return found


def pages(command: Any, name: str = "mtoken") -> Iterator[Tuple[str, Any]]:
    """The command and all below it, with what the user types."""
    yield name, command
    for child, below in children(command).items():
        yield from pages(below, f"{name} {child}")


def is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def value_of(parameter: Any) -> str:
    """The word that stands for an option's value; empty: it has none."""
    if getattr(parameter, "is_flag", False):
        return ""
    return str(parameter.metavar or parameter.name).strip("[]<>").upper()


def option(parameter: Any) -> str:
    """An option as it is typed."""
    names = [*parameter.opts, *parameter.secondary_opts]
    value = value_of(parameter)
    return ", ".join(f"\\fB{escaped(name)}\\fR" for name in names) + (f" \\fI{escaped(value)}\\fR" if value else "")


def synopsis(name: str, command: Any) -> List[str]:
    words = [f"\\fB{escaped(name)}\\fR", "[\\fIoption\\fR ...]"]
    if children(command):
        words.append("\\fIcommand\\fR ..." if name != "mtoken" else "[\\fIcommand\\fR ...]")
    for parameter in command.params:
        if is_argument(parameter):
            word = f"\\fI{escaped(value_of(parameter))}\\fR"
            words.append(word if parameter.required else f"[{word}]")
    return [".SH SYNOPSIS", " ".join(words)]


def tagged(rows: Sequence[Tuple[str, str]]) -> List[str]:
    return [line for tag, text in rows for line in (".TP", tag, sentences(text))]


def page(name: str, command: Any, day: date) -> str:
    """One page of the manual."""
    title = name.replace(" ", "\\-")
    summary = (command.help or "").strip().split("\n\n")[0]
    first = " ".join(re.split(r"(?<=[.:])\s", summary)[0].split()).rstrip(".:")
    lines = [
        f'.TH "{title.upper()}" "1" "{day:%B} {day.day}, {day.year}" "libmtoken {mtoken.version()}"',
        ".nh",
        ".SH NAME",
        f"{title} \\- {escaped(first[:1].lower() + first[1:])}",
        *synopsis(name, command),
        ".SH DESCRIPTION",
        sentences(command.help or ""),
    ]
    below = children(command)
    if name == "mtoken":
        for task, names in contents.TASKS.items():
            there = [one for one in names if one in below]
            lines.append(f".SS {escaped(task)}")
            lines += tagged([(f"\\fB{escaped(one)}\\fR", below[one].help or "") for one in there])
    elif below:
        lines.append(".SH COMMANDS")
        lines += tagged([(f"\\fB{escaped(one)}\\fR", child.help or "") for one, child in below.items()])
    arguments = [one for one in command.params if is_argument(one) and one.help]
    if arguments:
        lines.append(".SH ARGUMENTS")
        lines += tagged([(f"\\fI{escaped(value_of(one))}\\fR", one.help) for one in arguments])
    lines.append(".SH OPTIONS")
    options = [one for one in command.params if not is_argument(one)]
    lines += tagged([(option(one), one.help or "") for one in options])
    if not any("--help" in one.opts for one in options):
        lines += tagged([("\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "Show a help and exit.")])
    examples = tasks.EXAMPLES.get(name.partition(" ")[2], [])
    if examples:
        lines.append(".SH EXAMPLES")
        for typed, why in examples:
            lines += [".TP", f"\\fB{escaped(typed)}\\fR", escaped(why[:1].upper() + why[1:] + ".")]
    if name == "mtoken":
        lines.append(".SH EXIT STATUS")
        lines += tagged([(f"\\fB{code}\\fR", words) for code, words in contents.EXIT_CODES])
        lines.append(".SH FILES")
        lines += tagged([(f"\\fI{escaped(path)}\\fR", text) for path, text in FILES])
        lines.append(".SH ENVIRONMENT")
        lines += tagged([(f"\\fB{variable}\\fR", text) for variable, text in ENVIRONMENT])
    else:
        lines += [".SH EXIT STATUS", "See \\fBmtoken\\fR(1)."]
    lines.append(".SH SEE ALSO")
    others = [f"{name} {one}" for one in below] or ["mtoken"]
    if name == "mtoken":
        lines.append(",\n".join(f"\\fBmtoken\\-{escaped(one)}\\fR(1)" for one in [*below]) + ",\n\\fBmtoken\\fR(3)")
    else:
        lines.append(",\n".join(f"\\fB{escaped(one.replace(' ', '-'))}\\fR(1)" for one in others))
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--date", type=date.fromisoformat, required=True)
    options = parser.parse_args()
    register()
    options.output.mkdir(parents=True, exist_ok=True)
    for former in options.output.glob("*.1"):
        former.unlink()
    for name, command in pages(typer.main.get_command(app)):
        (options.output / f"{name.replace(' ', '-')}.1").write_text(page(name, command, options.date), encoding="utf-8")


if __name__ == "__main__":
    main()
