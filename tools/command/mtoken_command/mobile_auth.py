# SPDX-License-Identifier: Apache-2.0
"""Commands for mobile authentication: a portal sends a request, and the user answers it here."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Optional

import mtoken
import typer
from rich.text import Text

from . import complete, kept, naming, session, show, states
from . import profiles as files
from .app import app
from .layout import Listing, require_width
from .operations import ask_below_summary, pass_screen, refuse_contradiction, screens, tell_approved, tell_rejected
from .options import JSON, Biometry, Despite, PinDescriptor, ProfileName, ProximityCode, Reason, Yes
from .output import Exit, Stop, clean, err, out, print_json, progress, reporting, sending
from .parts import begins_with, choice, confirm
from .profiles import Profile

mobile_auth_app = typer.Typer(no_args_is_help=True, help="Mobile authentication: answer a portal's requests.")
app.add_typer(mobile_auth_app, name="mobile-auth")

Push = Annotated[
    Optional[Path], typer.Option("--push", help="Answer the request in this push payload; - is standard input.")
]


@mobile_auth_app.command("list")
@reporting
def mobile_auth_list(profile: ProfileName = None, as_json: JSON = False) -> None:
    """List the requests that wait for your answer, the newest first."""
    with session.activated(files.load().find(profile)) as client, progress("Asking the server …"):
        requests = client.mobile_auth.pending()
    if as_json:
        print_json(requests)
        return
    if not requests:
        out.print("No request is pending.")
        return
    short = show.short_ids(request.transaction_id for request in requests)
    table = Listing(("Id", "Request", "Asked at"), 1)
    for request in requests:
        about = show.text(request.type, "bold").append("\n").append_text(show.text(request.message, "not bold dim"))
        table.add_row(
            Text(clean(short[request.transaction_id]), "cyan"),
            about,
            Text(show.when(request.date) if request.date else ""),
        )
    out.print(table)


@mobile_auth_app.command("answer")
@reporting
def mobile_auth_answer(
    id: Annotated[
        Optional[str],
        typer.Argument(
            help="Id of the request, or its first characters (four or more).", autocompletion=complete.requests
        ),
    ] = None,
    push: Push = None,
    yes: Yes = False,
    deny: bool = typer.Option(False, "--deny", help="Deny the request without asking."),
    reason: Reason = mtoken.RejectReason.UNKNOWN,
    proximity: ProximityCode = None,
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    despite: Despite = False,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Show a request as the server holds it, and approve or deny it. Without an id: if only one waits."""
    if yes and deny:
        raise Stop("use either --yes or --deny", Exit.USAGE)
    if (yes or deny) and id is None and push is None:
        raise Stop("--yes and --deny need the request's id or --push", Exit.USAGE)
    if id is not None and push is not None:
        raise Stop("use either an id or --push", Exit.USAGE)
    chosen = files.load().find(profile)
    with session.activated(chosen, events=mtoken.Events.CHALLENGES | mtoken.Events.TASKS) as client:
        payload = _read(push) if push is not None else None
        transaction = _from_push(client, payload) if payload is not None else _which(client, id)
        if proximity is not None:
            client.operations.list()  # a proximity code can only be attached to a known operation
            check = mtoken.Proximity(proximity, mtoken.ProximityType.QR_CODE)
            client.operations.attach(transaction, proximity=check)
        if payload is not None:
            task = client.mobile_auth.handle_push(payload, handles_biometry=biometry, handles_proximity=True)
        else:
            task = client.mobile_auth.handle(transaction, handles_biometry=biometry, handles_proximity=True)
        outcome = _Answers(chosen, yes, deny, reason, proximity is not None, biometry, pin_fd, despite).give(
            client, task
        )
    if outcome.request.operation is None:
        raise Stop("the server did not send the operation")
    (tell_rejected if outcome.denied else tell_approved)(outcome.request.operation, as_json)


def _read(push: Path) -> str:
    return sys.stdin.read() if str(push) == "-" else push.read_text(encoding="utf-8")


def _from_push(client: mtoken.Client, payload: str) -> str:
    """The transaction that a push hints at."""
    request = client.mobile_auth.from_push(payload)
    if request is None:
        raise Stop("the push is not a request for this activation")
    return request.transaction_id


def _which(client: mtoken.Client, id: Optional[str]) -> str:
    """The transaction whose id is, or begins with, the text; without one, if only one waits."""
    with progress("Asking the server …"):
        waiting = {request.transaction_id: request for request in client.mobile_auth.pending()}
    found = tuple(waiting) if id is None else begins_with(tuple(waiting), id)
    if not found and id is not None:
        return id
    if not found:
        raise Stop("no request is pending")
    return choice({one: show.about_request(waiting[one]) for one in found})


@dataclass
class _Answers:
    """The answers that options give in advance."""

    profile: Profile
    yes: bool
    deny: bool
    reason: str
    has_proximity: bool
    biometry: bool
    pin_fd: Optional[int]
    despite: bool

    def give(self, client: mtoken.Client, task: mtoken.Task[mtoken.MobileAuthOutcome]) -> mtoken.MobileAuthOutcome:
        """Answers the challenges of a request until it is finished."""
        waiting = progress("Asking the server …")
        while True:
            with waiting:
                event = client.runtime.next_event()
            waiting = sending("Answering …")
            if event is not None and event.challenge is not None:
                self._answer(client, event.challenge)
            elif event is not None and event.task is task:
                return task.result()

    def _answer(self, client: mtoken.Client, challenge: mtoken.Challenge) -> None:
        if challenge.previous_error is None:
            self._decide(challenge)
        else:
            self._refused(challenge, challenge.previous_error)
        if self.deny:
            challenge.deny(self.reason)
        elif challenge.kind is mtoken.ChallengeKind.CONFIRMATION:
            challenge.confirm()
        elif challenge.kind is mtoken.ChallengeKind.BIOMETRIC:
            challenge.biometric(kept.biometry_key(self.profile))
        else:
            if challenge.previous_error is None:
                session.announce_last_attempt(client, self.profile, self.pin_fd)
            pin = session.given_pin(self.profile, self.pin_fd)
            try:
                challenge.pin(pin)
            finally:
                pin[:] = bytes(len(pin))

    def _decide(self, challenge: mtoken.Challenge) -> None:
        """Shows the request and, unless an option decides, asks the user."""
        operation = challenge.request.operation
        if operation is None:
            raise Stop("the server did not send the operation")
        if not self.deny:
            require_width()
        err.print(show.operation_detail(operation))
        if self.deny:
            return
        refuse_contradiction(operation, self.despite)
        for screen in screens(operation):
            pass_screen(screen, self.yes, self.has_proximity)
        ask_below_summary(operation)
        title = clean(operation.title or operation.name)
        if not self.yes and not confirm(f"Approve {title}?", False, may_decline=True):
            confirm("Deny it? The bank is informed. Otherwise it keeps waiting.", False)
            self.deny = True

    def _refused(self, challenge: mtoken.Challenge, error: mtoken.MTokenError) -> None:
        """Asks again after a wrong PIN, if there is a terminal."""
        if isinstance(error, mtoken.AuthenticationError):
            states.explained(error)
            if self.pin_fd is None and not self.biometry and self.profile.remember_pin:
                self.profile = session.distrusted(self.profile)
                error.args = (f"{error} {naming.steps(session.DISTRUSTED)}",)
        if self.pin_fd is not None or not sys.stdin.isatty():
            challenge.cancel()
            raise error
        err.print(Text(clean(str(error)), style="red"))
