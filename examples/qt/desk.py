#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A token for the desktop, with Qt: what waits for approval, what it says, a PIN, two buttons.

    desk.py URL CA-FILE SDK-CONFIGURATION STORE

The device was activated before, with the name "alice" in its store. No thread waits: Qt watches the runtime's
descriptor.
"""

from __future__ import annotations

import sys
from typing import Dict, Optional

import mtoken
from mtoken import EventKind, Events
from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)


class Desk(QWidget):
    """The window."""

    def __init__(self, runtime: mtoken.Runtime, client: mtoken.Client):
        super().__init__()
        self.setWindowTitle("Approvals")
        self._runtime, self._client = runtime, client
        self._waiting: Dict[str, mtoken.Operation] = {}
        self._asked: Optional[mtoken.Operation] = None
        self.list = QListWidget()
        self.facts = QLabel("Nothing is chosen.")
        self.pin = QLineEdit(echoMode=QLineEdit.EchoMode.Password, placeholderText="PIN", maxLength=32)
        self.approve = QPushButton("Approve")
        self.reject = QPushButton("Reject")
        self.said = QLabel()
        buttons = QHBoxLayout()
        for button in (self.approve, self.reject):
            buttons.addWidget(button)
        rows = QVBoxLayout(self)
        for widget in (self.list, self.facts, self.pin):
            rows.addWidget(widget)
        rows.addLayout(buttons)
        rows.addWidget(self.said)
        self.list.currentRowChanged.connect(self.show_facts)
        self.approve.clicked.connect(self.start_approval)
        self.reject.clicked.connect(self.start_rejection)
        # The library does not call: Qt tells when there is something to read.
        self._notifier = QSocketNotifier(runtime.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self.read_events)
        client.operations.start_polling()  # at once, then each 7 seconds
        self.show_list()

    @property
    def chosen(self) -> Optional[mtoken.Operation]:
        row = self.list.currentRow()
        return list(self._waiting.values())[row] if 0 <= row < len(self._waiting) else None

    def read_events(self) -> None:
        for event in self._runtime.events(0):
            if event.kind is EventKind.OPERATIONS_CHANGED and event.change is not None:
                self._waiting = {operation.id: operation for operation in event.change.operations}
                self.show_list()
            elif event.kind in (EventKind.OPERATIONS_FAILED, EventKind.POLLING_WAITS) and event.error is not None:
                self.said.setText(event.error.message)
            elif event.kind is EventKind.TASK and event.task is not None and event.tag:
                self.finish(event.task)

    def show_list(self) -> None:
        kept = self.chosen.id if self.chosen else None
        self.list.clear()
        self.list.addItems([operation.title for operation in self._waiting.values()])
        if self._waiting:
            self.list.setCurrentRow(list(self._waiting).index(kept) if kept in self._waiting else 0)
        self.show_facts()

    def show_facts(self) -> None:
        operation = self.chosen
        lines = ["Nothing waits."]
        if operation is not None:
            lines = [operation.message]
            for section in mtoken.lay_out(operation).sections:
                for cell in section.cells:  # as the bank wants it laid out
                    label = f"{cell.attribute.label}: " if cell.attribute and cell.kind is mtoken.CellKind.VALUE else ""
                    lines.append(label + (cell.text or ""))
            lines += ["", "You sign:", operation.summary]
        self.facts.setText("\n".join(lines))
        for button in (self.approve, self.reject):
            button.setEnabled(operation is not None and self._asked is None)

    def start_approval(self) -> None:
        if self.chosen is not None:
            auth = mtoken.Auth.pin(self.pin.text())
            # What is shown is what is signed: strict refuses an operation in which the two differ.
            self.start(self.chosen, self._client.operations.start_authorize(self.chosen, auth, strict=True))

    def start_rejection(self) -> None:
        if self.chosen is not None:
            reason = mtoken.RejectReason.UNEXPECTED_OPERATION
            self.start(self.chosen, self._client.operations.start_reject(self.chosen.id, reason))

    def start(self, operation: mtoken.Operation, task: mtoken.Task[None]) -> None:
        """The window stays alive meanwhile: the end of the task is an event."""
        self._asked, self._task = operation, task
        task.notify(1)
        self.pin.clear()
        self.said.setText("…")
        self.show_facts()

    def finish(self, task: mtoken.Task[None]) -> None:
        title = self._asked.title if self._asked else ""
        self._asked = None
        try:
            task.result()
            self.said.setText(f"{title}: done.")
        except mtoken.MTokenError as error:
            if error.may_have_happened:
                self.said.setText("The bank may have it: look before you try again.")
            elif error.remaining_attempts is not None:
                self.said.setText(f"Wrong PIN. {error.remaining_attempts} attempts left.")
            else:
                self.said.setText(error.message)
        self._client.operations.refresh()
        self.show_facts()


def main() -> int:
    if len(sys.argv) != 5:
        print(f"usage: {sys.argv[0]} URL CA-FILE SDK-CONFIGURATION STORE", file=sys.stderr)
        return 2
    url, authority, configuration, path = sys.argv[1:]
    application = QApplication(sys.argv[:1])
    with mtoken.Runtime(events=Events.OPERATIONS) as runtime, mtoken.Store.directory(path) as store:
        with mtoken.Client(
            runtime, "alice", configuration=configuration, base_url=url, ca_file=authority, store=store
        ) as client:
            window = Desk(runtime, client)
            window.show()
            return application.exec()


if __name__ == "__main__":
    sys.exit(main())
