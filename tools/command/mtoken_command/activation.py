# SPDX-License-Identifier: Apache-2.0
"""Commands for the life of an activation."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any, NamedTuple, Optional

import mtoken
import typer
from mtoken._model import plain
from rich.text import Text

from . import kept, naming, protocol4, scan, servers, session, show, states
from . import profiles as files
from .app import app
from .layout import Facts
from .options import JSON, PinDescriptor, ProfileName, Protocol, Suite, Yes
from .output import Exit, Stop, clean, err, out, print_json, progress, reporting, sending
from .parts import confirm, say


@app.command()
@reporting
def activate(
    code: Optional[str] = typer.Argument(
        None, help="The activation code, with or without its signature. Default: ask for it."
    ),
    picture: Optional[Path] = typer.Option(
        None, "--qr", exists=True, dir_okay=False, help="Read the code from a picture of the QR code."
    ),
    screen: bool = typer.Option(False, "--screen", help="Read the code from a QR code on the screen."),
    name: str = typer.Option("mtoken", help="Name of this device, as the bank shows it."),
    provider: Optional[str] = typer.Option(
        None, "--oidc", help="Log in at this OpenID Connect provider in the browser instead of using a code."
    ),
    browser: bool = typer.Option(True, help="Open the browser for --oidc; otherwise only print the address."),
    paste: bool = typer.Option(
        False, "--paste", help="With --oidc: the browser is on another machine. Asks for its final address."
    ),
    recovery: bool = typer.Option(False, "--recovery", help="Ask for a recovery code and its PUK instead of a code."),
    otp: bool = typer.Option(False, "--otp", help="Ask for an additional one-time password."),
    wait: Optional[bool] = typer.Option(
        None,
        "--wait/--no-wait",
        help="Wait until the bank has confirmed the activation (default). Run --wait later to resume.",
    ),
    seconds: Optional[float] = typer.Option(None, "--for", min=0, help="Wait at most this many seconds."),
    protocol: Protocol = None,
    suite: Suite = None,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Activate this device with the code that the bank shows, and choose the PIN."""
    chosen = protocol4.chosen(files.load().find(profile), protocol, suite)
    with session.connected(chosen) as client:
        if client.state is not mtoken.ClientState.EMPTY:
            if wait and not (code or picture or screen or provider or recovery):
                return _wait_again(client, seconds, as_json, protocol4.confirming_pin(client, chosen, pin_fd))
            raise Stop(f"{chosen.name} is already activated: mtoken status, mtoken remove", Exit.USAGE)
        # All questions come first: the code is good for one attempt.
        if paste and not provider:
            raise Stop("--paste needs --oidc", Exit.USAGE)
        way = _way(code, picture, screen, recovery, provider)
        password = session.ask("One-time password", hidden=True) if otp else None
        pin = session.ask_new_pin(pin_fd)
        try:
            login = _log_in(client, provider, browser, paste) if provider else None
            with sending("Activating …"):
                activation = _activated(client, way, login, password, name)
                client.persist(pin)
        finally:
            pin[:] = bytes(len(pin))
        if not as_json:
            _show_fingerprint("Activated. Compare", activation.fingerprint)
            _show_recovery(activation)
        state = _state(client)
        if as_json:
            # Before the wait: the recovery code is shown only once, and the bank compares the fingerprint.
            print_json({**plain(activation, hidden=True), "state": state.name if state else None})
        elif state is mtoken.ActivationState.ACTIVE:
            out.print(Text(naming.named("The activation is active.")))
        elif wait is False:
            out.print(Text(naming.named(naming.steps(f"{_UNCONFIRMED}: mtoken activate --wait"))))
        if state is not mtoken.ActivationState.ACTIVE and wait is not False:
            _wait_until_confirmed(client, seconds, as_json)


def _activated(
    client: mtoken.Client, way: Way, login: Optional[mtoken.OIDCCode], password: Optional[str], name: str
) -> mtoken.Activation:
    try:
        return client.activate(way.code, recovery=way.recovery, oidc=login, otp=password, name=name)
    except mtoken.ServerError as error:
        if error.server_code == "ERR_ACTIVATION":
            if way.code:
                what, again = "the activation code: it may have expired, or was used", "a new one"
            else:
                what, again = "the activation", "another way to activate"
            if password:
                what += ", or the one-time password is wrong"
            states.says(error, f"the bank did not accept {what}", f"ask the bank for {again}, then mtoken activate")
        raise


class Way(NamedTuple):
    """The code or the recovery code to activate with; neither: the user logs in."""

    code: Optional[str] = None
    recovery: Optional[mtoken.Recovery] = None


def _way(code: Optional[str], picture: Optional[Path], screen: bool, recovery: bool, provider: Optional[str]) -> Way:
    """The one way that was chosen; a code is checked."""
    if [code is not None, picture is not None, screen, recovery, provider is not None].count(True) > 1:
        raise Stop("use one of: a code, --qr, --screen, --recovery, --oidc", Exit.USAGE)
    if provider is not None:
        return Way()
    if recovery:
        return Way(recovery=mtoken.Recovery(session.ask("Recovery code"), session.ask("PUK", hidden=True)))
    if picture is not None:
        code = scan.read_picture(picture)
    elif screen:
        code = scan.read_screen()
    parsed = mtoken.parse_activation_code(code or session.ask("Activation code"))
    return Way(f"{parsed.code}#{parsed.signature}" if parsed.signature else parsed.code)


def _log_in(client: mtoken.Client, provider: str, browser: bool, paste: bool) -> mtoken.OIDCCode:
    """Lets the user log in with the browser, whose answer comes back on the loopback interface or is pasted."""
    with progress("Asking the bank …"):
        config = client.oidc.config(provider)
    loopback = servers.is_plain_loopback(config.authorize_uri)
    if paste:
        with mtoken.oidc.prepare(config, allow_http=loopback) as request:
            _print_address(request.authorize_url, "Open this address in a browser:")
            return _code(request.process(session.ask("Final address in the browser").strip()))
    with mtoken.oidc.listen(client.runtime, config, allow_http=loopback) as login:
        url = login.request.authorize_url
        if not (browser and webbrowser.open(url)):
            _print_address(url, "Open this address in a browser of this machine:")
        with progress("Waiting for you to log in with the browser …"):
            return _code(login.attributes())


def _print_address(url: str, what: str) -> None:
    err.print(Text(what))
    err.print(Text(clean(url)), soft_wrap=True)


def _code(found: mtoken.oidc.Attributes) -> mtoken.OIDCCode:
    return mtoken.OIDCCode(found.provider_id, found.code, found.nonce, found.code_verifier)


def _show_fingerprint(how: str, fingerprint: str) -> None:
    out.print(Text.assemble(naming.named(f"{how} with what the bank shows: "), (fingerprint, "bold green")))


def _show_recovery(activation: mtoken.Activation) -> None:
    if activation.recovery_code:
        out.print(Text(f"Recovery code: {activation.recovery_code}   PUK: {activation.recovery_puk}", style="bold"))
        out.print("Write both down and keep them apart from this device: they are shown only once.")


_UNCONFIRMED = "The bank has not confirmed the activation yet"


def _state(client: mtoken.Client) -> Optional[mtoken.ActivationState]:
    """The state of a new activation; None: the bank is not reachable, but the activation is complete."""
    try:
        with progress("Asking the bank …"):
            return client.status().state
    except mtoken.MTokenError:
        return None


def _wait_again(
    client: mtoken.Client, seconds: Optional[float], as_json: bool, pin: Optional[bytearray] = None
) -> None:
    """Waits until the bank confirms an activation that was made before."""
    if not as_json:
        _show_fingerprint("Compare", client.info().fingerprint or "")
    try:
        _wait_until_confirmed(client, seconds, as_json, pin)
    finally:
        if pin:
            pin[:] = bytes(len(pin))


def _wait_until_confirmed(
    client: mtoken.Client, seconds: Optional[float], as_json: bool, pin: Optional[bytearray] = None
) -> None:
    err.print("The bank has to confirm the activation. Ctrl-C only stops waiting.", style="dim")
    try:
        with progress("Waiting until the bank has confirmed the activation …"):
            client.wait_active(timeout=seconds, pin=pin)
    except mtoken.TimeoutExpiredError:
        raise Stop(
            "the bank has not confirmed the activation yet: mtoken activate --wait", Exit.NOT_ACTIVATED
        ) from None
    except KeyboardInterrupt:
        err.print(Text(naming.named(naming.steps(f"{_UNCONFIRMED}: mtoken activate --wait"))))
        raise
    info = client.info()
    say(
        as_json,
        {"activation_id": info.activation_id, "fingerprint": info.fingerprint, "state": "ACTIVE"},
        "The activation is active.",
    )


@app.command()
@reporting
def status(profile: ProfileName = None, as_json: JSON = False) -> None:
    """Show the state of the activation, here and at the server."""
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        with progress("Asking the server …"):
            answer = client.status()
            if (
                not client.info().time_synchronized
            ):  # protocol 3 does not need the server's time, but this command shows it
                client.synchronize_time()
        info = client.info()
    if as_json:
        print_json({"profile": chosen.name, "server": chosen.server, **plain(info), **plain(answer, hidden=True)})
        return
    active = answer.state is mtoken.ActivationState.ACTIVE
    table = Facts(0)
    table.add_row("Profile", show.text(chosen.name, "cyan"))
    table.add_row("Server", show.text(chosen.server))
    table.add_row("Activation", show.text(info.activation_id))
    protocol4.add_rows(table, info, answer)
    table.add_row("State", Text(answer.state.name.lower(), style="green" if active else "yellow"))
    table.add_row("Fingerprint", show.text(info.fingerprint))
    step = states.next_step(answer.state)
    if step:
        table.add_row("Next", Text(naming.steps(step), style="yellow"))
    if active:
        table.add_row("Attempts left", f"{answer.remaining_attempts} of {answer.max_failed_attempts}")
    table.add_row("Biometry", "set up" if info.has_biometry else "not set up")
    table.add_row(
        "Clock",
        f"{info.time_adjustment.total_seconds():+.1f} s to the server's" if info.time_synchronized else "not compared",
    )
    out.print(table)


@app.command()
@reporting
def remove(
    local: bool = typer.Option(False, "--local", help="Remove on this device only, without the server and the PIN."),
    yes: Yes = False,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Remove the activation, at the server and here."""
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        confirm(f"Remove the activation of {chosen.name}?", yes)
        if local:
            client.remove_local()
        else:
            session.prove(chosen, pin_fd, False, lambda auth: _remove(client, auth), client)
    try:
        chosen = kept.forget_all(chosen)
    except Stop as stop:
        raise Stop(f"the activation is removed, but {stop}", stop.code) from None
    files.save(files.load().with_profile(chosen))
    say(as_json, {"removed": chosen.name}, "the activation is removed" + (" on this device" if local else ""))


def _remove(client: mtoken.Client, auth: mtoken.Auth) -> None:
    with sending("Removing …"):
        client.remove(auth)


@app.command()
@reporting
def recovery(pin_fd: PinDescriptor = None, profile: ProfileName = None, as_json: JSON = False) -> None:
    """Show the recovery code and its PUK, with which the activation can be replaced. The PIN is needed."""
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:

        def ask(auth: mtoken.Auth) -> mtoken.Recovery:
            with progress("Asking the server …"):
                return client.vault.recovery(auth)

        found = session.prove(chosen, pin_fd, False, ask, client)
    if as_json:
        print_json(found)
    else:
        out.print(Text(f"Recovery code: {found.code}\nPUK:           {found.puk}", style="bold"))
        out.print("Keep both apart from this device.")


@app.command()
@reporting
def user(profile: ProfileName = None, as_json: JSON = False) -> None:
    """Show what the bank knows about the user."""
    with session.activated(files.load().find(profile)) as client, progress("Asking the server …"):
        info = client.user_info()
    known = {name: value for name, value in plain(info).items() if value not in (None, "", {}, [])}
    if as_json:
        print_json(known)
        return
    own = {name: value for name, value in known.pop("claims", {}).items() if not hasattr(info, name)}
    table = Facts(0)
    for name, value in {**known, **own}.items():
        table.add_row(show.text(name.replace("_", " ")), show.text(_claim(value)))
    out.print(table if table.row_count else "The bank has no information.")


def _claim(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_claim(part)}" for name, part in value.items() if part not in (None, ""))
    if isinstance(value, list):
        return ", ".join(map(_claim, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
