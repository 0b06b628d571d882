# SPDX-License-Identifier: Apache-2.0
"""Profiles: which server, which application, where the state lives. One file, the user's only (mode 0600)."""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
STORES = ("directory", "keyring")
PROTOCOLS = ("3.1", "3.2", "3.3", "4.0")
SUITES = ("EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5")
FORMAT = "mtoken-profiles/1"


class ProfileError(Exception):
    """A profile is missing or malformed. The text says what to do."""


@dataclass(frozen=True)
class Profile:
    """What is needed to reach one bank as one device. No secret is in it."""

    name: str
    server: str
    """Root URL of the PowerAuth and operations API."""
    configuration: str
    """The application's "SDK configuration"."""
    operations_server: Optional[str] = None
    """Root URL of the operations API when it is another one."""
    ca: Optional[str] = None
    """PEM text of the certificates to trust instead of the system's."""
    pins: Tuple[str, ...] = ()
    """Base64 of the SHA-256 of the server's public keys that are trusted, if only these are."""
    language: Optional[str] = None
    protocol: Optional[str] = None
    suite: Optional[str] = None
    """The algorithms of a new activation of protocol 4.0."""
    store: str = "directory"
    """Where the state lives: "directory" or "keyring"."""
    remember_pin: bool = False
    """The PIN is in the keyring."""
    biometry: bool = False
    """The key of biometry is in the keyring, or sealed in `biometry_form`."""
    biometry_sealer: Optional[str] = None
    """The sealer that can unseal it, with options: "fido2"."""
    biometry_form: Optional[str] = None
    """The sealed key, Base64."""
    sealer: Optional[str] = None
    """The sealer that keeps the device secret, with options: "tpm2 pcrs=7"."""
    next_sealer: Optional[str] = None
    """The sealer that a change in progress moves it to; "none": a file. Either may hold the device secret."""

    @property
    def state_folder(self) -> Path:
        """Where the directory store is."""
        return data_home() / self.name

    @property
    def keyring_service(self) -> str:
        """The keyring's service of the state, and of the PIN."""
        return f"mtoken {self.name}"

    def without_pin(self) -> Profile:
        """This, with a PIN that is asked for."""
        return replace(self, remember_pin=False)

    def reaches_the_same(self, other: Profile) -> bool:
        """Whether this and another trust the same server with the same application."""
        members = ("server", "operations_server", "configuration", "ca", "pins")
        return all(getattr(self, name) == getattr(other, name) for name in members)

    @property
    def ca_path(self) -> Path:
        """Where the certificates are for the library."""
        return data_home() / f"{self.name}.ca.pem"

    def ca_file(self) -> Optional[str]:
        """The certificates as a file, which the library wants."""
        if self.ca is None:
            return None
        path = self.ca_path
        if not path.exists() or path.read_text(encoding="utf-8") != self.ca:
            write(path, self.ca)
        return str(path)

    def exported(self) -> Dict[str, Any]:
        """The members that have a value, for a file."""
        return {name: value for name, value in asdict(self).items() if value not in (None, (), False)}


@dataclass(frozen=True)
class Damaged:
    """A profile of the user's own file that cannot be used. It stays as it is until it is removed or replaced."""

    item: Any
    problem: str

    @property
    def name(self) -> Optional[str]:
        """Its name, if it has one that is possible."""
        name = self.item.get("name") if isinstance(self.item, dict) else None
        return name if isinstance(name, str) and NAME.fullmatch(name) else None

    def remains(self, name: str) -> Optional[Profile]:
        """What is left of it, to find what belongs to it; None: nothing can, because it has not this name."""
        if self.name != name:
            return None
        store = self.item.get("store")
        texts = ("biometry_sealer", "biometry_form", "sealer", "next_sealer")
        kept = {text: self.item[text] for text in texts if isinstance(self.item.get(text), str)}
        return Profile(
            name, "", "", store=store if store in STORES else "directory",
            remember_pin=self.item.get("remember_pin") is True, biometry=self.item.get("biometry") is True, **kept,
        )  # fmt: skip


@dataclass(frozen=True)
class Profiles:
    """All profiles of a user."""

    profiles: Mapping[str, Profile]
    default: Optional[str] = None
    damaged: Mapping[str, Damaged] = field(default_factory=dict)

    def find(self, name: Optional[str]) -> Profile:
        """The profile of a name; without a name the default, or the only one."""
        if name is None:
            name = self.default or (next(iter(self.profiles)) if len(self.profiles) == 1 else None)
        if name is None:
            hint = "choose one with --profile" if self.profiles else "add one with: mtoken profile add"
            raise ProfileError(f"no profile is chosen: {hint}")
        if name in self.damaged:
            raise ProfileError(
                f"{self.damaged[name].problem}: mtoken profile remove {shlex.quote(name)}, or add it again"
            )
        if name not in self.profiles:
            raise ProfileError(f"there is no profile {name}: see mtoken profile list")
        return self.profiles[name]

    def former(self, name: str) -> Optional[Profile]:
        """The profile of a name, or what is left of a damaged one; None: there is none."""
        return self.profiles.get(name) or (self.damaged[name].remains(name) if name in self.damaged else None)

    def with_profile(self, profile: Profile) -> Profiles:
        """These and one more, which replaces one of the same name."""
        damaged = {key: item for key, item in self.damaged.items() if key != profile.name}
        return Profiles({**self.profiles, profile.name: profile}, self.default or profile.name, damaged)

    def without(self, name: str) -> Profiles:
        """These without one."""
        rest = {key: profile for key, profile in self.profiles.items() if key != name}
        damaged = {key: item for key, item in self.damaged.items() if key != name}
        return Profiles(rest, None if self.default == name else self.default, damaged)

    def portable(self) -> Profiles:
        """These as another machine can use them: what is in a keyring stays behind."""
        plain = {
            name: replace(
                profile,
                remember_pin=False,
                biometry=False,
                biometry_sealer=None,
                biometry_form=None,
                sealer=None,
                next_sealer=None,
            )
            for name, profile in self.profiles.items()
        }
        return replace(self, profiles=plain, damaged={})

    def exported(self) -> Dict[str, Any]:
        """As in the file."""
        return {
            "format": FORMAT,
            "default": self.default,
            "profiles": [
                *(profile.exported() for profile in self.profiles.values()),
                *(damaged.item for damaged in self.damaged.values()),
            ],
        }


def config_file() -> Path:
    """The file of the profiles, by the XDG rules."""
    return _home("XDG_CONFIG_HOME", ".config") / "mtoken" / "profiles.json"


def data_home() -> Path:
    """The folder of the states, by the XDG rules."""
    return _home("XDG_DATA_HOME", ".local/share") / "mtoken"


def _home(variable: str, default: str) -> Path:
    chosen = os.environ.get(variable, "")
    return Path(chosen) if os.path.isabs(chosen) else Path.home() / default


def load() -> Profiles:
    """The profiles of this user; none if there is no file yet. One that is damaged keeps no other from being used."""
    path = config_file()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Profiles({})
    return _read(text, str(path))


def save(profiles: Profiles) -> None:
    """Replaces the file, all or nothing."""
    write(config_file(), json.dumps(profiles.exported(), indent=2, ensure_ascii=False) + "\n")


def parse(text: str, source: str) -> Profiles:
    """Reads profiles, trusting nothing."""
    found = _read(text, source)
    if found.damaged:
        raise ProfileError(next(iter(found.damaged.values())).problem)
    return found


def _read(text: str, source: str) -> Profiles:
    try:
        document = json.loads(text)
    except ValueError as problem:
        raise ProfileError(f"{source} is not JSON: {problem}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ProfileError(f'{source} has no profiles: "format" must be "{FORMAT}"')
    listed = document.get("profiles")
    if not isinstance(listed, list):
        raise ProfileError(f'{source}: "profiles" must be a list')
    known: Dict[str, Profile] = {}
    broken: List[Tuple[str, Damaged]] = []
    for number, item in enumerate(listed, 1):
        try:
            profile = _profile(item, f"{source}: profile {number}")
            known[profile.name] = profile
        except ProfileError as problem:
            broken.append((f"#{number}", Damaged(item, str(problem))))
    damaged: Dict[str, Damaged] = {}
    for place, one in broken:
        damaged[place if one.name is None or one.name in {**known, **damaged} else one.name] = one
    default = document.get("default")
    there = isinstance(default, str) and default in {**known, **damaged}
    return Profiles(known, default if there else None, damaged)


def _profile(item: Any, source: str) -> Profile:
    if not isinstance(item, dict):
        raise ProfileError(f"{source} must be an object")
    unknown = set(item) - {field.name for field in fields(Profile)}
    if unknown:
        raise ProfileError(f"{source}: unknown member {sorted(unknown)[0]}")
    texts: List[str] = ["name", "server", "configuration"]
    for name in texts:
        if not isinstance(item.get(name), str):
            raise ProfileError(f'{source}: "{name}" must be a text')
    optional = ("operations_server", "ca", "language", "protocol", "suite", "store", "sealer", "next_sealer")
    for name in (*optional, "biometry_sealer", "biometry_form"):
        if not isinstance(item.get(name, ""), str):
            raise ProfileError(f'{source}: "{name}" must be a text')
    pins = item.get("pins", [])
    if not isinstance(pins, list) or not all(isinstance(pin, str) for pin in pins):
        raise ProfileError(f'{source}: "pins" must be a list of texts')
    kept = {name: item.get(name) is True for name in ("remember_pin", "biometry")}
    return checked(Profile(**{**item, **kept, "pins": tuple(pins)}))


def checked(profile: Profile) -> Profile:
    """The profile, if its name and store are possible ones."""
    if not NAME.fullmatch(profile.name):
        raise ProfileError(
            "a profile's name must be 1 to 64 characters from A-Z a-z 0-9 . _ - and begin with a letter or digit"
        )
    if profile.store not in STORES:
        raise ProfileError(f"the store must be one of: {', '.join(STORES)}")
    if profile.protocol not in (None, *PROTOCOLS):
        raise ProfileError(f"the protocol must be one of: {', '.join(PROTOCOLS)}")
    if profile.suite not in (None, *SUITES):
        raise ProfileError(f"the suite must be one of: {', '.join(SUITES)}")
    return profile


def write(path: Path, text: str) -> None:
    """Replaces a file of the user's own (mode 0600), all or nothing."""
    import tempfile  # needed here only

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
