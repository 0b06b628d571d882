#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A kiosk: one machine on which many customers approve, one after another.

    kiosk.py URL CA-FILE SDK-CONFIGURATION STORE < what the card reader and the PIN pad say

Each line of input is one thing that the hardware says: a card, then a key (an activation code, "approve", "reject" or
"leave"), then a PIN. The kiosk says on its screen, standard output, what it wants next.
"""

from __future__ import annotations

import re
import sys
from typing import Callable, Iterator

import mtoken

TRIES = 2
"""Of PINs at one visit: the third would be left to a thief who blocks the card's owner."""


def facts(operation: mtoken.Operation) -> Iterator[str]:
    """What the customer reads: laid out as the bank wants it."""
    for section in mtoken.lay_out(operation).sections:
        for cell in section.cells:
            label = f"{cell.attribute.label}: " if cell.attribute and cell.kind is mtoken.CellKind.VALUE else ""
            yield label + (cell.text or "")


class Leaves(Exception):
    """The customer is gone."""


class Kiosk:
    """`say` shows a line on the screen; `hear` waits for the hardware, and raises Leaves when nobody is there."""

    def __init__(self, new_client: Callable[[str], mtoken.Client], say: Callable[[str], None], hear: Callable[[], str]):
        self._new_client, self._say, self._hear = new_client, say, hear

    def serve(self, card: str) -> None:
        """One visit. Nothing of it stays: client and list are closed, and the PIN is wiped."""
        if not re.fullmatch(r"[0-9]{4,19}", card):  # it names an item of the store
            self._say("This card is not known here.")
            return
        try:
            with self._new_client(card) as client:
                if client.state is not mtoken.ClientState.ACTIVE:
                    self.activate(client)
                for operation in client.operations.list():
                    self.ask(client, operation)
            self._say("Nothing else waits. Take your card.")
        except Leaves:
            self._say("Good bye.")
        except mtoken.BlockedError:
            self._say("Your token is blocked. Ask at the desk.")
        except mtoken.MTokenError as error:
            self._say(
                "Not sure whether the bank has it: ask at the desk." if error.may_have_happened else error.message
            )

    def activate(self, client: mtoken.Client) -> None:
        self._say("Type the code from your letter.")
        activation = client.activate(self._hear(), name="Kiosk in the hall")
        self._say(f"Compare: {activation.fingerprint}. Choose a PIN.")
        pin = bytearray(self._hear(), "ascii")
        client.persist(pin)
        pin[:] = bytes(len(pin))
        client.wait_active(timeout=300)

    def ask(self, client: mtoken.Client, operation: mtoken.Operation) -> None:
        self._say(f"{operation.title}: {operation.message}")
        for line in facts(operation):
            self._say(f"  {line}")
        self._say("approve, reject or leave?")
        choice = self._hear()
        if choice == "approve":
            self.approve(client, operation)
        elif choice == "reject":
            client.operations.reject(operation.id, mtoken.RejectReason.UNEXPECTED_OPERATION)
            self._say("Rejected.")
        else:
            raise Leaves

    def approve(self, client: mtoken.Client, operation: mtoken.Operation) -> None:
        for _ in range(TRIES):
            for line in ("You sign:", *operation.summary.split("\n")):
                self._say(line)
            self._say("PIN?")
            pin = bytearray(self._hear(), "ascii")
            try:
                client.operations.authorize(operation, mtoken.Auth.pin(pin), strict=True)
                self._say("Approved.")
                return
            except mtoken.AuthenticationError as error:
                self._say(f"Wrong PIN. {error.remaining_attempts} attempts left.")
            finally:
                pin[:] = bytes(len(pin))
        raise Leaves


def main() -> int:
    if len(sys.argv) != 5:
        print(f"usage: {sys.argv[0]} URL CA-FILE SDK-CONFIGURATION STORE", file=sys.stderr)
        return 2
    url, authority, configuration, path = sys.argv[1:]
    lines: Iterator[str] = (line.rstrip("\n") for line in sys.stdin)

    def hear() -> str:
        line = next(lines, None)
        if line is None:
            raise Leaves
        return line

    with mtoken.Runtime() as runtime, mtoken.Store.directory(path) as store:

        def new_client(card: str) -> mtoken.Client:
            return mtoken.Client(
                runtime, card, configuration=configuration, base_url=url, ca_file=authority, store=store
            )

        kiosk = Kiosk(new_client, lambda line: print(line, flush=True), hear)
        for card in lines:
            kiosk.serve(card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
