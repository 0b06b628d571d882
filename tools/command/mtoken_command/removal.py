# SPDX-License-Identifier: Apache-2.0
"""Removes a bank. A profile can always be removed, whatever is broken; the command prints what stays behind."""

from __future__ import annotations

import shutil
from typing import List, Optional

import mtoken

from . import kept, session
from .output import Exit, Stop
from .profiles import Profile, ProfileError


def discard(profile: Profile, problem: Optional[str], force: bool) -> List[str]:
    """Removes what belongs to a profile on this device, and reports what stays behind.

    An activation is removed only by `force`. A state that cannot be looked at stays, because a profile of the same name
    may find it again; but one that was changed by somebody else is of no use to anybody.

    problem  why the profile itself cannot be used; None: it can
    """
    useless = force
    if problem is None:
        try:
            _look(profile, force)
            useless = True
        except Stop as stop:
            if stop.code is Exit.USAGE:
                raise
            problem = str(stop)
        except mtoken.BusyError as error:
            if not force:
                raise
            problem = str(error)
        except mtoken.TamperedError as error:
            problem, useless = str(error), True
        except (mtoken.MTokenError, ProfileError, OSError, ValueError) as error:
            problem = str(error)
    left = kept.forget_what_can_be(profile)
    if useless:
        left += _drop_state(profile)
    elif _may_have_state(profile):
        left.append(f"its activation, if there is one, in {_place(profile)}: {problem}")
    _drop_certificates(profile)
    return left


def _look(profile: Profile, force: bool) -> None:
    """Ends the command if there is an activation, which has to be removed before; by force removes it here."""
    with session.connected(profile) as client:
        if client.state is mtoken.ClientState.EMPTY:
            return
        if not force:
            raise Stop(
                f"{profile.name} is still activated: mtoken -p {profile.name} remove (--local if the server is gone)",
                Exit.USAGE,
            )
        client.remove_local()


def _place(profile: Profile) -> str:
    return f"the keyring ({profile.keyring_service})" if profile.store == "keyring" else str(profile.state_folder)


def _may_have_state(profile: Profile) -> bool:
    if profile.store == "keyring":
        return True  # asking could open a dialogue, and a locked keyring gives no answer
    return profile.state_folder.exists()


def _drop_state(profile: Profile) -> List[str]:
    if profile.store == "keyring":
        return kept.forget_state(profile)
    try:
        shutil.rmtree(profile.state_folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [f"its state in {profile.state_folder}: {error.strerror}"]
    return []


def _drop_certificates(profile: Profile) -> None:
    try:
        profile.ca_path.unlink()
    except OSError:
        pass  # a copy of the profile's certificates, which are not secret
