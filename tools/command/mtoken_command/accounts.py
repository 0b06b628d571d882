# SPDX-License-Identifier: Apache-2.0
"""The command that lists the accounts."""

from __future__ import annotations

from typing import Any, Dict

import mtoken
import typer
from rich import box
from rich.table import Table

from . import profiles as files
from . import session, show
from .app import app
from .options import JSON
from .output import Stop, clean, out, print_json, progress, reporting
from .profiles import Profile


@app.command("accounts")
@reporting
def accounts(
    online: bool = typer.Option(False, "--online", help="Ask each bank for the user and the state there."),
    as_json: JSON = False,
) -> None:
    """List all accounts: bank, user, state. One that cannot be opened says why."""
    found = [_account(profile, online) for profile in files.load().profiles.values()]
    if as_json:
        print_json(found)
        return
    if not found:
        out.print("No profiles yet: mtoken profile add")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("Name", "Bank", "User", "State", "Key"):
        table.add_column(column)
    for account in found:
        state = show.text(account["problem"], "red") if "problem" in account else show.text(account["state"])
        user = show.text(account.get("user") or "")
        name, bank = show.text(account["name"], "cyan"), show.text(account["server"])
        table.add_row(name, bank, user, state, account.get("key", ""))
    out.print(table)


def _account(profile: Profile, online: bool) -> Dict[str, Any]:
    account: Dict[str, Any] = {"name": profile.name, "server": profile.server}
    try:
        with session.connected(profile) as client:
            info = client.info()
            account.update(state=info.state.name, activation_id=info.activation_id, key=info.protection.name.lower())
            if online and info.state is mtoken.ClientState.ACTIVE:
                with progress(f"Asking {profile.name} …"):
                    account["state"] = client.status().state.name
                    user = client.user_info()
                account["user"] = user.name or user.preferred_username or user.sub
    except (mtoken.MTokenError, Stop) as problem:
        account["problem"] = clean(str(problem))
    return account
