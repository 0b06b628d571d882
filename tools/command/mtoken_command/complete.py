# SPDX-License-Identifier: Apache-2.0
"""Completions for the shell: ids with their titles, profiles, reasons. Asks no question and prints no error."""

from __future__ import annotations

import os
import re
from typing import Callable, Iterable, List, Tuple

import mtoken
import typer

from . import past, session, show
from . import profiles as files
from .meaning import REASONS
from .output import Stop
from .profiles import Profile, ProfileError

Offer = List[Tuple[str, str]]
"""Words, each with its meaning."""
_SECONDS = 3.0
_PATIENCE = 0.5
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")


def profiles() -> Offer:
    """The profiles, with their servers."""
    try:
        return [(name, profile.server) for name, profile in files.load().profiles.items()]
    except (ProfileError, OSError):
        return []


def reasons() -> Offer:
    """The reasons that the bank knows. The user may type another text."""
    return list(REASONS)


def sealers() -> Offer:
    """The sealers of this machine. Shells that show descriptions also show what an unavailable one needs."""
    from . import keepers

    lacks = {name: keepers.lacks(name) for name in keepers.KINDS if name != "fido2"}
    shows = not os.environ.get("_MTOKEN_COMPLETE", "").endswith("bash")
    there = [(name, lacking or keepers.KINDS[name].about) for name, lacking in lacks.items() if shows or not lacking]
    return [*there, (keepers.NOBODY, "a file beside the activation")]


def statuses() -> List[str]:
    """The statuses of a decided operation."""
    return list(past.STATUSES)


def operations(context: typer.Context, incomplete: str) -> Offer:
    """Operations that wait for approval."""

    def waiting(client: mtoken.Client) -> Iterable[Tuple[str, str]]:
        for operation in client.operations.list(timeout=_SECONDS):
            yield operation.id, show.about(operation)

    return _asked(context, incomplete, waiting)


def requests(context: typer.Context, incomplete: str) -> Offer:
    """The requests of portals."""

    def waiting(client: mtoken.Client) -> Iterable[Tuple[str, str]]:
        for request in client.mobile_auth.pending(timeout=_SECONDS):
            yield request.transaction_id, show.about_request(request)

    return _asked(context, incomplete, waiting)


def messages(context: typer.Context, incomplete: str) -> Offer:
    """The messages of the inbox."""

    def there(client: mtoken.Client) -> Iterable[Tuple[str, str]]:
        for message in client.inbox.page(timeout=_SECONDS):
            yield message.id, message.subject

    return _asked(context, incomplete, there)


def _asked(context: typer.Context, incomplete: str, ask: Callable[[mtoken.Client], Iterable[Tuple[str, str]]]) -> Offer:
    try:
        profile = files.load().find(context.params.get("profile") or context.find_root().params.get("profile"))
        if _may_ask_the_user(profile):
            return []
        session.PATIENCE = _PATIENCE
        with session.activated(profile) as client:
            found = list(ask(client))
    except (mtoken.MTokenError, Stop, ProfileError, OSError, ValueError):
        return []
    return [(id, _harmless(words)) for id, words in found if _PLAIN.fullmatch(id) and id.startswith(incomplete)]


def _harmless(words: str) -> str:
    """Removes every character with a meaning in a shell, because the shell evaluates these texts."""
    return " ".join(re.sub(r"[^\w.,-]", " ", words).split())[:100]


def _may_ask_the_user(profile: Profile) -> bool:
    """Whether opening the account could show a dialogue, which a user does not expect at Tab."""
    return profile.store == "keyring" or profile.sealer is not None
