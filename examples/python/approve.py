#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A mobile token in a terminal: activates this device, shows what waits for approval, approves, rejects and claims.

    approve.py --ready-file server.json                         everything from the dev server's file
    approve.py --server https://… --config ARDbb… [--ca ca.pem] --code AAAAA-BBBBB-CCCCC-DDDDD

The activation code may also come from MTOKEN_CODE and the PIN from MTOKEN_PIN. With the address of the dev server's
admin API (--admin, or from the ready file) the program also plays the bank: it gets itself an activation code, creates
three operations, and compares at the end what the server thinks of them with what was done here.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import List, Optional

import mtoken
from bank import Bank

USER = "alice"


def main() -> int:
    options = parse_arguments()
    bank = Bank(options.admin, options.ca) if options.admin else None
    with tempfile.TemporaryDirectory(prefix="mtoken-") as folder:
        store = mtoken.Store.directory(options.store or folder)
        with (
            mtoken.Runtime() as runtime,
            mtoken.Client(
                runtime,
                "alice",
                configuration=options.config,
                base_url=options.server,
                ca_file=options.ca,
                store=store,
            ) as client,
        ):
            try:
                return run(client, bank, options.code, mtoken.Auth.pin(options.pin), options.pin)
            except mtoken.MTokenError as error:
                print(f"failed: {error} ({error.code.name}, {error.reason}, {error.outcome.name})", file=sys.stderr)
                return 1


def run(client: mtoken.Client, bank: Optional[Bank], code: Optional[str], pin: mtoken.Auth, pin_text: str) -> int:
    print(f"libmtoken {mtoken.version()}, Python")

    # 1. Activate. The fingerprint is what the user compares with the bank's screen before the bank confirms the
    # activation.
    if client.state is mtoken.ClientState.EMPTY:
        if code is None and bank is not None:
            code = bank.new_activation_code(USER)
        if code is None:
            print("an activation code is needed: --code or MTOKEN_CODE", file=sys.stderr)
            return 2
        activation = client.activate(code, name="Python example")
        client.persist(pin_text)
        print(f"activated {activation.activation_id}, fingerprint {activation.fingerprint}")
        if bank is not None:
            bank.commit(activation.activation_id, activation.fingerprint)
        else:
            print("waiting until the bank has confirmed the activation", flush=True)
    status = client.wait_active()
    print(f"status {status.state.name}, {status.remaining_attempts} attempts left")

    # 2. List. Show every attribute: what is shown is what is signed.
    shared_login = bank.create_operations(USER) if bank is not None else None
    operations = list(client.operations.list())
    for operation in operations:
        show(operation)

    # 3. Approve the first with the PIN, reject the second, claim the login of the shared screen.
    done: List[tuple[str, str]] = []
    if operations:
        print(f"you sign:\n{operations[0].summary}")
        client.operations.authorize(operations[0], pin, strict=True)
        done.append((operations[0].id, "APPROVED"))
    if len(operations) > 1:
        client.operations.reject(operations[1].id, mtoken.RejectReason.UNEXPECTED_OPERATION)
        done.append((operations[1].id, "REJECTED"))
    if shared_login is not None:
        show(client.operations.claim(shared_login))
        done.append((shared_login, "PENDING"))

    # 4. Compare with the server's own view.
    agreed = True
    for identifier, here in done:
        there = bank.operation(identifier) if bank is not None else None
        print(f"{identifier}  here {here}" + (f", server {there['status']} of {there['userId']}" if there else ""))
        if there is not None:
            agreed = agreed and (there["status"], there["userId"]) == (here, USER)
    if bank is not None:
        print("the server agrees" if agreed else "the server DISAGREES")
    return 0 if agreed else 1


def show(operation: mtoken.Operation) -> None:
    """Prints an operation as a screen would show it."""
    print(f"\n{operation.title}   [{operation.name}, {operation.status.name}, until {operation.expires:%H:%M:%S} UTC]")
    if operation.message:
        print(f"  {operation.message}")
    for attribute in operation.attributes:
        print(f"  {(attribute.label or '') + ':':<16} {describe(attribute)}")
    print()


def describe(attribute: mtoken.Attribute) -> str:
    """The text of any kind of attribute."""
    if isinstance(attribute, mtoken.AmountAttribute):
        return describe_amount(attribute.amount)
    if isinstance(attribute, mtoken.AmountConversionAttribute):
        rate = " (the rate may change)" if attribute.dynamic else ""
        return f"{describe_amount(attribute.source)} → {describe_amount(attribute.target)}{rate}"
    if isinstance(attribute, mtoken.KeyValueAttribute):
        return attribute.value
    if isinstance(attribute, mtoken.NoteAttribute):
        return attribute.note
    if isinstance(attribute, mtoken.HeadingAttribute):
        return "―" * 20
    if isinstance(attribute, mtoken.PartyInfoAttribute):
        return " · ".join(text for text in (attribute.party.name, attribute.party.description) if text)
    if isinstance(attribute, mtoken.ImageAttribute):
        return attribute.original_url or attribute.thumbnail_url
    if isinstance(attribute, mtoken.AlertAttribute):
        return " ".join(text for text in (f"[{attribute.alert_type.name}]", attribute.title, attribute.message) if text)
    return attribute.json or ""


def describe_amount(amount: mtoken.Amount) -> str:
    return amount.value_formatted or f"{amount.amount_formatted} {amount.currency_formatted}"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ready-file", type=Path, help="the file that the dev server writes when it is ready")
    parser.add_argument("--server", help="root URL of the server")
    parser.add_argument("--ca", help="PEM file of the CA to trust (default: the system's)")
    parser.add_argument("--config", help="the application's SDK configuration")
    parser.add_argument("--admin", help="URL of the dev server's admin API")
    parser.add_argument("--code", default=os.environ.get("MTOKEN_CODE"), help="activation code")
    parser.add_argument("--pin", default=os.environ.get("MTOKEN_PIN", "1234"))
    parser.add_argument("--store", help="folder to keep the activation in (default: forget it at the end)")
    options = parser.parse_args()
    if options.ready_file:
        ready = json.loads(options.ready_file.read_text(encoding="utf-8"))
        options.server = options.server or ready["url"]
        options.ca = options.ca or ready["caFile"]
        options.config = options.config or ready["application"]["sdkConfig"]
        options.admin = options.admin or ready["adminUrl"]
    if not options.server or not options.config:
        parser.error("--server and --config are needed, or --ready-file")
    return options


if __name__ == "__main__":
    sys.exit(main())
