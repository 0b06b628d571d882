# SPDX-License-Identifier: Apache-2.0
"""The sealers that keep the device secret of a profile."""

from __future__ import annotations

import os
import shlex
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import mtoken
from mtoken._library import lib

from .output import Exit, Stop
from .profiles import Profile

NOBODY = "none"
HOST = "host"
"""The sealer of another program."""
PASSWORD_FILE = "MTOKEN_SEALER_PASSWORD_FILE"
NEW_PASSWORD_FILE = "MTOKEN_NEW_SEALER_PASSWORD_FILE"
BIOMETRY_PASSWORD_FILE = "MTOKEN_BIOMETRY_PASSWORD_FILE"


class Kind(NamedTuple):
    """A sealer that comes with the library."""

    about: str
    options: Tuple[str, ...]
    package: Optional[str] = None
    """The Debian package of its plugin; None: it is part of the library."""


KINDS = {
    "tpm2": Kind("the TPM of this machine", ("device", "password", "pcrs"), "libmtoken1-tpm2"),
    "secret-service": Kind("the keyring of the desktop session", (), "libmtoken1-secret-service"),
    "pkcs11": Kind("a smart card or HSM: --module", ("device", "module", "password"), "libmtoken1-pkcs11"),
    "systemd": Kind("a credential of the service", ("device",)),
    "fido2": Kind("a security key, for biometry", ("device", "password"), "libmtoken1-fido2"),
}
_OPTIONS = ("device", "module", "pcrs", "password")


def lacks(name: str) -> str:
    """What this machine lacks for a sealer that comes with the library; empty: nothing, as far as it shows."""
    package = KINDS[name].package
    if package is not None and not (_plugins() / f"libmtoken-{name}.so.1").exists():
        return f"needs the package {package}"
    if name == "tpm2" and not os.path.exists("/dev/tpmrm0"):
        return "there is no TPM: /dev/tpmrm0"
    if name == "systemd" and "CREDENTIALS_DIRECTORY" not in os.environ:
        return "this is no service with LoadCredentialEncrypted="
    return ""


def _plugins() -> Path:
    """The folder of the library, where it looks for its plugins."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        names = (line.split(maxsplit=5)[5].strip() for line in maps if "libmtoken" in line)
        found = next((Path(name) for name in names if Path(name).name.startswith("libmtoken.so")), None)
    return (found or Path(lib._name)).parent


@contextmanager
def opened(
    text: Optional[str], *, variable: str = PASSWORD_FILE, beside: Optional[str] = None
) -> Iterator[Optional[mtoken.Sealer]]:
    """The sealer that a profile names, open while the block runs; None: the profile has no sealer.

    variable  names the environment variable with the path of the password's file
    beside    the sealer, if any, to which the password in PASSWORD_FILE belongs
    """
    if text is None or text == NOBODY:
        yield None
        return
    name, options = _read(text)
    if "password" in options:
        options["password"] = _password(text, variable, beside)
    try:
        sealer = mtoken.Sealer.open(name, **options)  # type: ignore[arg-type]
    except mtoken.UnsupportedError as error:
        if error.reason != "sealerNotFound":
            raise
        raise _not_here(name) from None
    with sealer:
        yield sealer


def _read(text: str) -> Tuple[str, Dict[str, str]]:
    words = shlex.split(text)
    options = {name: value for name, _, value in (word.partition("=") for word in words[1:])}
    if not words or set(options) - set(_OPTIONS):
        raise Stop("the profile's sealer is malformed: mtoken seal", Exit.USAGE)
    return words[0], options


def _not_here(name: str) -> Stop:
    if name not in KINDS:
        return Stop(f"there is no sealer {name}: choose one of {', '.join(KINDS)}, or {NOBODY}", Exit.USAGE)
    return Stop(f"the sealer {name} is not installed here", Exit.USAGE, f"apt install {KINDS[name].package}")


def text(sealer: Optional[str], **options: Optional[str]) -> Optional[str]:
    """A sealer with its options, as a profile names it; None: no sealer."""
    given = {name: value for name, value in options.items() if value is not None}
    if sealer in (None, NOBODY):
        if given:
            raise Stop(f"without a sealer there is nothing for --{next(iter(given))}", Exit.USAGE)
        return sealer
    assert sealer is not None
    if sealer in KINDS:
        taken = KINDS[sealer].options
        for name in given:
            if name not in taken:
                has = " and ".join(f"--{one}" for one in taken) or "no options"
                raise Stop(f"{sealer} has no --{name}: it has {has}", Exit.USAGE)
        if "module" in taken and "module" not in given:
            raise Stop(f"{sealer} needs --module: the path of the card's PKCS#11 module", Exit.USAGE)
    return shlex.join([sealer, *(f"{name}={value}" for name, value in given.items())])


def has_password(text: Optional[str]) -> bool:
    return text is not None and text != NOBODY and "password" in _read(text)[1]


def sealers_of(profile: Profile) -> List[Optional[str]]:
    """The sealers that may hold the profile's device secret, the most likely one first."""
    both: List[Optional[str]] = [profile.sealer]
    return both if profile.next_sealer is None else [*both, profile.next_sealer]


# Passwords


def _ask(what: str) -> str:
    from .session import ask

    return ask(what, hidden=True, otherwise=f"name a file that contains it with {PASSWORD_FILE}")


asking: Callable[[str], str] = _ask
"""Asks the user for a password. The full-screen view replaces this function."""
_known: Dict[Tuple[str, str], str] = {}
"""The passwords that the user typed, by sealer, so that a program asks once however often it opens the account."""


def forget_passwords() -> None:
    """Forgets a password that was wrong, so that the user is asked again."""
    _known.clear()


def _password(text: str, variable: str, beside: Optional[str]) -> str:
    path = os.environ.get(variable)
    if path is None and not (variable != PASSWORD_FILE and has_password(beside)):
        path = os.environ.get(PASSWORD_FILE)
    if path:
        return Path(path).read_text(encoding="utf-8").rstrip("\n")
    key = (text, variable)
    if key not in _known:
        name, options = _read(text)
        which = f"{name} ({options['device']})" if "device" in options else name
        _known[key] = asking(f"Password of the sealer {which}")
    return _known[key]
