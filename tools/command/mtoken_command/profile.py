# SPDX-License-Identifier: Apache-2.0
"""Commands for profiles, their export and import, and the PIN in the keyring."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import List, Optional, Union

import mtoken
import typer
from rich import box
from rich.table import Table
from rich.text import Text

from . import kept, removal, servers, session, show, states
from . import profiles as files
from .app import app
from .options import (
    JSON,
    CACertificate,
    Configuration,
    KnownName,
    NewName,
    PinDescriptor,
    ProfileName,
    Protocol,
    Server,
    Suite,
)
from .output import Exit, Stop, clean, err, exit_code, json_text, out, print_json, reporting, sending
from .parts import say
from .profiles import Profile, ProfileError

profile_app = typer.Typer(no_args_is_help=True, help="The banks that this command can use.")
pin_app = typer.Typer(no_args_is_help=True, help="The PIN: check, change, keep in the desktop's keyring.")
app.add_typer(profile_app, name="profile")
app.add_typer(pin_app, name="pin")


@profile_app.command("add")
@reporting
def profile_add(
    name: NewName,
    server: Server,
    configuration: Configuration,
    ca: CACertificate = None,
    operations_server: Optional[str] = typer.Option(None, help="Root URL of the operations, if different."),
    tls_pin: List[str] = typer.Option([], help="Trust this public key only: Base64 of its SHA-256. May be repeated."),
    language: Optional[str] = typer.Option(None, help="Language of the operations, e.g. cs."),
    protocol: Protocol = None,
    suite: Suite = None,
    store: str = typer.Option("directory", help="Where the activation is kept: directory or keyring."),
    as_json: JSON = False,
) -> None:
    """Add a bank: its server and the configuration of its application. One of the same name is replaced."""
    profile = Profile(
        name=name, server=server, configuration=configuration, operations_server=operations_server,
        ca=ca.read_text(encoding="utf-8") if ca else None, pins=tuple(tls_pin), language=language, protocol=protocol,
        suite=suite, store=store,
    )  # fmt: skip
    _check(profile)
    _keep(profile, imported=False)
    say(as_json, {"profile": name}, f"{name} is added. Next: {_command(name, 'activate')}")


def _command(name: str, command: str) -> str:
    """What to type for a profile: its name too, if without it another one would be meant."""
    return f"mtoken {command}" if files.load().default == name else f"mtoken -p {name} {command}"


def _check(profile: Profile) -> None:
    """Raises what is wrong with a profile, here or for the library."""
    files.checked(profile)
    servers.check(profile)
    with mtoken.Runtime() as runtime, mtoken.Store.memory() as memory:
        mtoken.Client(
            runtime, profile.name, configuration=profile.configuration, base_url=profile.server, store=memory,
            operations_url=profile.operations_server, pins=[mtoken.TLSPin(pin) for pin in profile.pins],
            allow_http=servers.has_plain_http(profile),
        ).close()  # fmt: skip


def _keep(profile: Profile, *, imported: bool) -> bool:
    """Adds a profile; one of the same name is replaced. Returns whether a PIN was remembered for that, and is
    forgotten.

    The profile decides with whom the activation speaks, and a remembered PIN is used unasked: it does not follow to
    another server, nor to where the file of somebody else leads. What the activation cannot be opened without stays.
    """
    known = files.load()
    old = known.former(profile.name) or profile
    forgotten = old.remember_pin and (imported or not profile.reaches_the_same(old))
    if forgotten:
        kept.forget(old, kept.PIN)
    remembers = old.remember_pin and not forgotten
    files.save(
        known.with_profile(
            replace(
                profile,
                remember_pin=remembers,
                biometry=old.biometry,
                biometry_sealer=old.biometry_sealer,
                biometry_form=old.biometry_form,
                sealer=old.sealer,
                next_sealer=old.next_sealer,
            )
        )
    )
    return forgotten


@profile_app.command("list")
@reporting
def profile_list(as_json: JSON = False) -> None:
    """List the banks this command knows."""
    known = files.load()
    if as_json:
        print_json(known.exported())
        return
    if not known.profiles and not known.damaged:
        out.print("No profiles yet: mtoken profile add")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("Name", "Server", "Store", ""):
        table.add_column(column)
    for profile in known.profiles.values():
        mark = "default" if known.default == profile.name else ""
        table.add_row(show.text(profile.name, "cyan"), show.text(profile.server), profile.store, mark)
    for name in known.damaged:
        table.add_row(show.text(name, "cyan"), show.text("damaged: mtoken profile remove", "red"), "", "")
    out.print(table)


@profile_app.command("use")
@reporting
def profile_use(name: KnownName, as_json: JSON = False) -> None:
    """Make a profile the default."""
    known = files.load()
    files.save(replace(known, default=known.find(name).name))
    say(as_json, {"default": name}, f"{name} is now the default")


@profile_app.command("remove")
@reporting
def profile_remove(
    name: KnownName,
    force: bool = typer.Option(False, "--force", help="Remove even if activated or in use, without the server."),
    as_json: JSON = False,
) -> None:
    """Forget a bank. One that is still activated is refused: remove its activation first. A broken one is not."""
    known = files.load()
    damaged = known.damaged.get(name)
    profile = known.find(name) if damaged is None else damaged.remains(name)
    left = removal.discard(profile, damaged.problem if damaged else None, force) if profile else []
    files.save(known.without(name))
    say(as_json, {"removed": name, **({"left": left} if left else {})}, f"{name} is removed")
    if not as_json:
        for item in left:
            err.print(Text(clean(f"not removed: {item}"), style="yellow"))


@app.command("export")
@reporting
def export_profiles(
    file: Optional[Path] = typer.Argument(None, help="File to write; default and -: standard output."),
    profile: ProfileName = None,
) -> None:
    """Write profiles as JSON, to take them to another machine: no keys, no PIN, no activation."""
    known = files.load()
    chosen = known if profile is None else files.Profiles({profile: known.find(profile)}, profile)
    text = json_text(chosen.portable().exported(), indent=2) + "\n"
    if file is None or str(file) == "-":
        out.file.write(text)
    else:
        files.write(file, text)


@app.command("import")
@reporting
def import_profiles(
    file: Path = typer.Argument(help="A file from export or from the bank; - is standard input."),
    replacing: bool = typer.Option(False, "--replace", help="Replace profiles of the same name."),
    as_json: JSON = False,
) -> None:
    """Add the profiles of a file."""
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    arriving = files.parse(text, str(file)).portable()
    known = files.load()
    there = sorted(set(arriving.profiles) & set(known.profiles))
    if there and not replacing:
        raise ProfileError(f"the profile {there[0]} already exists: use --replace")
    for profile in arriving.profiles.values():
        _check(profile)
    names = list(arriving.profiles)
    asked = [profile.name for profile in arriving.profiles.values() if _keep(profile, imported=True)]
    words = f"added: {', '.join(names)}" if names else "the file has no profiles"
    if asked:
        words += f"; the saved PIN was removed: {', '.join(asked)}"
    say(as_json, {"imported": names, **({"pin_forgotten": asked} if asked else {})}, words)


@pin_app.command("remember")
@reporting
def pin_remember(pin_fd: PinDescriptor = None, profile: ProfileName = None, as_json: JSON = False) -> None:
    """Keep the PIN in the keyring, if it is right: who can use this desktop session can then approve."""
    chosen = files.load().find(profile)
    pin = _right_pin(chosen, pin_fd)
    kept.remember(chosen, kept.PIN, pin)
    files.save(files.load().with_profile(replace(chosen, remember_pin=True)))
    say(as_json, {"remembered": True}, "the PIN is in the keyring")


@pin_app.command("check")
@reporting
def pin_check(pin_fd: PinDescriptor = None, profile: ProfileName = None, as_json: JSON = False) -> None:
    """Ask the server whether the PIN is right. A wrong one costs an attempt."""
    chosen = files.load().find(profile)
    pin = _right_pin(chosen, pin_fd)
    if chosen.remember_pin:
        kept.remember(chosen, kept.PIN, pin)
    say(as_json, {"right": True}, "the PIN is right")


def _right_pin(profile: Profile, pin_fd: Optional[int]) -> str:
    """The PIN that the user types, once the server has said that it is right."""
    with session.activated(profile) as client:
        if client.info().awaits_new_pin and pin_fd is None:
            left = states.attempts(client.status().remaining_attempts)
            err.print(f"A change of the PIN was interrupted: the new PIN applies. {left} left.")

        def check(pin: bytearray) -> str:
            with sending("Checking the PIN …"):
                client.factors.validate_pin(pin)
            return pin.decode("utf-8")

        return session.with_pin(profile.without_pin(), pin_fd, check, client)


@pin_app.command("change")
@reporting
def pin_change(
    pin_fd: PinDescriptor = None,
    new_pin_fd: Optional[int] = typer.Option(None, min=0, help="Read the new PIN from this descriptor."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Change the PIN. If that fails, the message says which one applies."""
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        new = bytearray()

        def change(old: bytearray) -> None:
            if not new:
                new.extend(session.ask_new_pin(new_pin_fd))
            with sending("Changing the PIN …"):
                client.factors.change_pin(old, new)

        try:
            session.with_pin(chosen.without_pin(), pin_fd, change, client)
        except (mtoken.MTokenError, Stop) as problem:
            new_applies = client.info().awaits_new_pin
            if new_applies and chosen.remember_pin:
                session.distrusted(chosen)
            raise _what_applies(problem, new_applies) from None
    if chosen.remember_pin:
        try:
            kept.remember(chosen, kept.PIN, new.decode("utf-8"))
        except Stop as stop:
            files.save(files.load().with_profile(replace(chosen, remember_pin=False)))
            raise Stop(f"the PIN is changed, but {stop}", stop.code) from None
    say(as_json, {"changed": True}, "the PIN is changed")


def _what_applies(problem: Union[mtoken.MTokenError, Stop], new: bool) -> Exception:
    """The failure of a change, with the PIN to try where that may be in doubt."""
    code = problem.code if isinstance(problem, Stop) else exit_code(problem)
    if isinstance(problem, mtoken.MTokenError) and states.trouble(problem):
        return problem
    if new:
        return Stop(f"{str(problem).rstrip('.')}: the new PIN applies", code, states.NEW_PIN)
    if code is Exit.UNKNOWN:
        return Stop(f"{str(problem).rstrip('.')}: the old PIN applies", code, "mtoken pin check, with the old PIN")
    return problem


@pin_app.command("forget")
@reporting
def pin_forget(profile: ProfileName = None, as_json: JSON = False) -> None:
    """Take the PIN out of the keyring."""
    chosen = files.load().find(profile)
    kept.forget(chosen, kept.PIN)
    files.save(files.load().with_profile(replace(chosen, remember_pin=False)))
    say(as_json, {"remembered": False}, "the PIN is no longer in the keyring")
