# SPDX-License-Identifier: Apache-2.0
"""Commands for operations: list, show, approve, reject, claim."""

from __future__ import annotations

import sys
import time
from datetime import datetime
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

import mtoken
import typer
from mtoken._model import plain
from rich.text import Text

from . import complete, meaning, naming, past, session, show
from . import profiles as files
from .app import app
from .layout import require_width
from .notify import tell_result
from .options import ID, JSON, Biometry, Despite, OptionalID, PinDescriptor, ProfileName, ProximityCode, Reason, Yes
from .output import Exit, Stop, clean, err, out, print_json, progress, reporting, sending
from .parts import begins_with, choice, confirm, find_operation
from .profiles import Profile


class Proof(NamedTuple):
    """The second factor that the user chose."""

    pin_fd: Optional[int]
    biometry: bool


@app.command("list")
@reporting
def list_operations(
    everywhere: bool = typer.Option(False, "--all", help="Of all activated profiles."),
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """List what waits for approval."""
    if everywhere:
        if profile is not None:
            raise Stop("use either --all or --profile", Exit.USAGE)
        _list_all(as_json)
        return
    with session.activated(files.load().find(profile)) as client, progress("Asking the server …"):
        operations = client.operations.list()
    _print_list(operations, as_json, decided=False)


def _list_all(as_json: bool) -> None:
    """Operations of all banks. A bank that does not answer does not hide the others."""
    naming.nothing_special()
    found: Dict[str, Any] = {}
    failed: List[mtoken.MTokenError] = []
    for chosen in files.load().profiles.values():
        try:
            with session.connected(chosen) as client:
                if client.state is not mtoken.ClientState.ACTIVE:
                    continue
                with progress(f"Asking {chosen.name} …"):
                    operations = client.operations.list()
        except mtoken.MTokenError as problem:
            failed.append(problem)
            found[chosen.name] = {"error": str(problem), "reason": problem.reason}
            continue
        found[chosen.name] = plain(operations)
        if not as_json:
            out.print(Text(chosen.name, style="cyan"))
            _print_list(operations, as_json, decided=False)
    if as_json:
        print_json(found)
    elif not found:
        out.print("No profile is activated: mtoken activate")
    for name, answer in found.items():
        if not as_json and "error" in answer:
            err.print(Text(f"{name}: {clean(answer['error'])}", style="red"))
    if failed and len(failed) == len(found):
        raise failed[0]


@app.command()
@reporting
def history(
    status: Optional[str] = typer.Option(
        None,
        help="Only those: pending, approved, rejected, expired, failed, canceled.",
        autocompletion=complete.statuses,
    ),
    since: Optional[str] = typer.Option(None, help="Only those asked since then: 2026-11-30, or 90m, 12h, 7d."),
    limit: Optional[int] = typer.Option(None, min=1, help="At most so many, the newest."),
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """List operations of the past. Needs the PIN or biometry."""
    start = past.moment(since) if since is not None else None
    wanted = past.status(status) if status is not None else None
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        operations = _history(client, chosen, Proof(pin_fd, biometry))
    _print_list(past.selected(operations, wanted, start, limit), as_json, decided=True)


def _history(client: mtoken.Client, profile: Profile, proof: Proof) -> mtoken.OperationList:
    def ask(auth: mtoken.Auth) -> mtoken.OperationList:
        with progress("Asking the server …"):
            return client.operations.history(auth)

    return session.prove(profile, proof.pin_fd, proof.biometry, ask, client)


def _print_list(operations: mtoken.OperationList, as_json: bool, *, decided: bool) -> None:
    if as_json:
        print_json(operations)
        return
    out.print(show.operations_table(operations.operations, operations.server_time, past=decided))
    for issue in operations.issues:
        err.print(Text(f"left out: {clean(issue)}", style="yellow"))
    if operations.may_be_cut:
        err.print(Text("A server sends at most 100 operations: there may be more.", style="yellow"))


@app.command("show")
@reporting
def show_operation(
    id: OptionalID = None,
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Show all of an operation: its attributes, and the screens that come before and after the approval.

    An operation that no longer waits is in the history, which needs the PIN or biometry.
    """
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        try:
            operation, now = find_operation(client, id)
        except mtoken.MTokenError as error:
            if id is None or not past.is_over(error) or not _can_prove(chosen, pin_fd, biometry):
                raise
            err.print("It does not wait for approval: looking in the history.", style="dim")
            listed = _history(client, chosen, Proof(pin_fd, biometry))
            found = {one.id: one for one in listed if one.id in begins_with([one.id for one in listed], id)}
            if not found:
                raise error from None
            operation, now = (
                found[choice({one: show.about(operation) for one, operation in found.items()})],
                listed.server_time,
            )
    if as_json:
        print_json({**plain(operation), "original": plain(operation.document())})
        return
    out.print(show.operation_detail(operation, now))
    if operation.status is not mtoken.OperationStatus.PENDING:
        return
    for screen in screens(operation):
        out.print(Text("Before the approval:", style="dim"))
        out.print(show.pre_approval_screen(screen))
    if operation.ui and operation.ui.post_approval_screen:
        out.print(Text("After the approval:", style="dim"))
        out.print(show.post_approval_screen(operation.ui.post_approval_screen))


def _can_prove(profile: Profile, pin_fd: Optional[int], biometry: bool) -> bool:
    return biometry or pin_fd is not None or profile.remember_pin or sys.stdin.isatty()


@app.command()
@reporting
def approve(
    id: OptionalID = None,
    yes: Yes = False,
    proximity: ProximityCode = None,
    biometry: Biometry = False,
    pin_fd: PinDescriptor = None,
    despite: Despite = False,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Show an operation and approve it. Without an id: if only one waits."""
    if yes and id is None:
        raise Stop("--yes needs the operation's id", Exit.USAGE)
    chosen = files.load().find(profile)
    with session.activated(chosen) as client:
        operation, now = find_operation(client, id, whole=yes)
        check = mtoken.Proximity(proximity, mtoken.ProximityType.QR_CODE) if proximity else None
        decide(client, chosen, operation, now, check, yes, Proof(pin_fd, biometry), despite)
    tell_approved(operation, as_json)


def decide(
    client: mtoken.Client,
    profile: Profile,
    operation: mtoken.Operation,
    now: Optional[datetime],
    proximity: Optional[mtoken.Proximity],
    yes: bool,
    proof: Proof,
    despite: bool,
) -> None:
    """Shows an operation and its screens, asks for confirmation, and approves it."""
    require_width()
    err.print(show.operation_detail(operation, now))
    refuse_contradiction(operation, despite)
    for screen in screens(operation):
        pass_screen(screen, yes, proximity is not None)
    ask_below_summary(operation)
    confirm(f"Approve {clean(operation.title or operation.name)}?", yes)
    info = client.info()
    if info.time_synchronized and info.time >= operation.expires:
        raise Stop("the operation has expired: nothing was approved", Exit.SERVER, "ask the bank for a new one")

    def authorize(auth: mtoken.Auth) -> None:
        with sending("Approving …"):
            client.operations.authorize(operation, auth, strict=not despite, proximity=proximity)

    if proof.biometry and mtoken.Variant.POSSESSION_BIOMETRY not in operation.variants:
        raise Stop("the operation does not allow biometry", Exit.REFUSED)
    if proof.biometry or needs_pin(operation):
        session.prove(profile, proof.pin_fd, proof.biometry, authorize, client)
    else:
        authorize(mtoken.Auth.possession())


def ask_below_summary(operation: mtoken.Operation) -> None:
    """Shows the signed data once more if the bank's screens separate it from the question."""
    if screens(operation):
        err.print(show.signed(operation.summary))


def refuse_contradiction(operation: mtoken.Operation, despite: bool) -> None:
    """Refuses an operation that does not show what it signs, unless the user passes --despite-contradiction."""
    if operation.contradictions and not despite:
        names = ", ".join(bit.name or "" for bit in meaning.CONTRADICTIONS if bit in operation.contradictions)
        raise Stop(
            f"the operation does not show what it signs ({names}): "
            "reject it, or approve it with --despite-contradiction",
            Exit.REFUSED,
        )


def tell_approved(operation: mtoken.Operation, as_json: bool) -> None:
    """The screen that the bank wants after the approval."""
    if as_json:
        print_json({"id": operation.id, "result": "APPROVED"})
        return
    tell_result(operation.result_texts.success or f"{operation.title or operation.name} is approved")
    out.print(show.text(naming.named(operation.result_texts.success or "The operation is approved."), "green"))
    if operation.ui and operation.ui.post_approval_screen:
        out.print(show.post_approval_screen(operation.ui.post_approval_screen))


@app.command()
@reporting
def reject(
    id: OptionalID = None,
    reason: Reason = mtoken.RejectReason.UNKNOWN,
    yes: Yes = False,
    profile: ProfileName = None,
    as_json: JSON = False,
) -> None:
    """Reject an operation. Needs no PIN. Without an id: if only one waits."""
    if yes and id is None:
        raise Stop("--yes needs the operation's id", Exit.USAGE)
    with session.activated(files.load().find(profile)) as client:
        operation, now = find_operation(client, id, whole=yes)
        if not yes:
            err.print(show.operation_detail(operation, now))
        confirm(f"Reject {clean(operation.title or operation.name)}?", yes)
        with sending("Rejecting …"):
            client.operations.reject(operation.id, reason)
    tell_rejected(operation, as_json)


def tell_rejected(operation: mtoken.Operation, as_json: bool) -> None:
    """The screen that the bank wants after the rejection."""
    if as_json:
        print_json({"id": operation.id, "result": "REJECTED"})
    else:
        tell_result(operation.result_texts.reject or f"{operation.title or operation.name} is rejected")
        out.print(show.text(naming.named(operation.result_texts.reject or "The operation is rejected."), "yellow"))


@app.command()
@reporting
def claim(id: ID, profile: ProfileName = None, as_json: JSON = False) -> None:
    """Take over an operation that has no user yet, e.g. a login on a shared screen, and show it."""
    with session.activated(files.load().find(profile)) as client, sending("Claiming …"):
        operation = client.operations.claim(id)
    if as_json:
        print_json(operation)
    else:
        out.print(show.operation_detail(operation))


def screens(operation: mtoken.Operation) -> Sequence[mtoken.PreApprovalScreen]:
    return (operation.ui.pre_approval_screens if operation.ui else None) or ()


def pass_screen(screen: mtoken.PreApprovalScreen, yes: bool, has_proximity: bool) -> None:
    """Shows a screen that comes before the approval, and lets the user read it."""
    err.print(show.pre_approval_screen(screen))
    if screen.type is mtoken.ScreenType.QR_SCAN:
        if not has_proximity:
            raise Stop(
                "this operation needs a proximity check: pass the code on the other screen with --proximity", Exit.USAGE
            )
        return
    if yes:
        return
    seconds = screen.controls.approve_counter if screen.controls else None
    if seconds:
        _count_down(min(seconds, 60))
    texts = screen.controls.approve_text if screen.controls else None
    confirm(clean(texts or "Continue?"), yes)


def _count_down(seconds: int) -> None:
    from rich.progress import BarColumn, Progress, TextColumn  # needed here only, and large

    with Progress(
        TextColumn("Please read"), BarColumn(), TextColumn("{task.fields[left]} s"), console=err, transient=True
    ) as bar:
        task = bar.add_task("", total=seconds, left=seconds)
        for left in range(seconds, 0, -1):
            bar.update(task, left=left)
            time.sleep(1)
            bar.advance(task)


def needs_pin(operation: mtoken.Operation) -> bool:
    """Whether the operation asks for the PIN, not for this device alone."""
    wants = meaning.wants_pin(operation)
    if wants is None:
        raise Stop("the operation needs factors that this command does not have", Exit.REFUSED)
    return wants
