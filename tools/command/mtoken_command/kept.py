# SPDX-License-Identifier: Apache-2.0
"""What the command keeps in the desktop's keyring: the PIN, if the user wants that, and the biometry key, unless a
sealer keeps it."""

from __future__ import annotations

import base64
import secrets
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, ContextManager, Iterator, List, Optional, Tuple

import mtoken

from . import keepers
from .output import Exit, Stop
from .profiles import Profile

PIN = "pin"
BIOMETRY = "biometry"
_KEY_LENGTH = 16


def remember(profile: Profile, item: str, value: str) -> None:
    """Puts an item into the keyring and checks that it is there."""
    with _keyring() as keyring:
        keyring.set_password(profile.keyring_service, item, value)
        if keyring.get_password(profile.keyring_service, item) != value:
            raise Stop(
                "the keyring does not save anything: choose another one (python -m keyring diagnose)", Exit.STORAGE
            )


def remembered(profile: Profile, item: str) -> Optional[str]:
    """An item of the keyring; None: it has no such item."""
    with _keyring() as keyring:
        value: Optional[str] = keyring.get_password(profile.keyring_service, item)
    return value


def forget(profile: Profile, item: str) -> None:
    """Removes an item from the keyring, if it is there."""
    with _keyring() as keyring:
        if keyring.get_password(profile.keyring_service, item) is not None:
            keyring.delete_password(profile.keyring_service, item)


def forget_all(profile: Profile) -> Profile:
    """The profile after all its items were removed from the keyring."""
    for item in _in_keyring(profile):
        forget(profile, item)
    return without_biometry(replace(profile, remember_pin=False))


def forget_what_can_be(profile: Profile) -> List[str]:
    """As `forget_all`, but reports the items that a broken keyring still holds."""
    left = []
    for item in _in_keyring(profile):
        try:
            forget(profile, item)
        except Stop as stop:
            left.append(f"the item {item} of {profile.keyring_service} in the keyring: {stop}")
    return left


def without_biometry(profile: Profile) -> Profile:
    return replace(profile, biometry=False, biometry_sealer=None, biometry_form=None)


def _in_keyring(profile: Profile) -> List[str]:
    items = ((PIN, profile.remember_pin), (BIOMETRY, profile.biometry and profile.biometry_sealer is None))
    return [item for item, there in items if there]


def forget_state(profile: Profile) -> List[str]:
    """Removes a state from its keyring and reports what is still there."""
    try:
        for item in (f"{profile.name}.state", f"{profile.name}.key"):
            forget(profile, item)
    except Stop as stop:
        return [f"its state in the keyring ({profile.keyring_service}): {stop}"]
    return []


def new_biometry_key(profile: Profile, sealer: Optional[str]) -> Tuple[bytearray, Profile]:
    """A random key for the biometry factor, already stored in the keyring or sealed in the profile."""
    key = bytearray(secrets.token_bytes(_KEY_LENGTH))
    if sealer is None:
        remember(profile, BIOMETRY, base64.b64encode(key).decode("ascii"))
        return key, replace(profile, biometry=True)
    with _biometry_keeper(profile, sealer) as keeper:
        assert keeper is not None
        form = base64.b64encode(keeper.seal(_label(profile), key)).decode("ascii")
    return key, replace(profile, biometry=True, biometry_sealer=sealer, biometry_form=form)


def _biometry_keeper(profile: Profile, sealer: str) -> ContextManager[Optional[mtoken.Sealer]]:
    return keepers.opened(sealer, variable=keepers.BIOMETRY_PASSWORD_FILE, beside=profile.sealer)


def _label(profile: Profile) -> str:
    return f"mtoken {profile.name} biometry"


def biometry_key(profile: Profile) -> bytearray:
    """The key of the biometry factor."""
    if profile.biometry_sealer is not None:
        with _biometry_keeper(profile, profile.biometry_sealer) as keeper:
            assert keeper is not None
            return bytearray(keeper.unseal(_label(profile), base64.b64decode(profile.biometry_form or "")))
    value = remembered(profile, BIOMETRY)
    if value is None:
        raise Stop("the keyring has no biometry key: mtoken biometry add", Exit.REFUSED)
    try:
        return bytearray(base64.b64decode(value, validate=True))
    except ValueError:
        raise Stop("the key in the keyring is damaged: mtoken biometry remove, then add", Exit.STORAGE) from None


@contextmanager
def _keyring() -> Iterator[Any]:
    try:
        import keyring
    except ImportError:
        raise Stop("the keyring needs a package: pip install keyring", Exit.USAGE) from None
    try:
        yield keyring
    except Stop:
        raise
    except Exception as problem:  # a backend may also raise any error of the desktop's service
        why = (str(problem) or type(problem).__name__).splitlines()[0]
        raise Stop(f"the keyring does not work: {why}", Exit.STORAGE) from None
