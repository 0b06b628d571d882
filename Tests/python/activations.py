"""Activations of both kinds: those that the key exchange completes, and those that the bank confirms in a second step."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any, Dict, List, Optional, Type

from devserver import JSON, DevServer


class Activations:
    """Gives out codes for activations of one kind; with two steps the bank confirms them.

    It does so after the device has twice fetched the status PENDING_COMMIT: a program that does not wait, or that looks only
    once, fails.
    """

    def __init__(self, server: DevServer, kind: str):
        self.server = server
        self.two_steps = {"one step": False, "two steps": True}[kind]
        self.confirmed: List[str] = []
        self._threads: List[threading.Thread] = []
        self._ended = threading.Event()

    def new(self, user: str, **members: Any) -> JSON:
        """As `DevServer.new_activation`."""
        if not self.two_steps:
            return self.server.new_activation(user, **{"commitPhase": "ON_KEY_EXCHANGE", **members})
        created = self.server.new_activation(user, **members)
        thread = threading.Thread(target=self._confirm, args=(created["activationId"], self.server.mark()))
        self._threads.append(thread)
        thread.start()
        return created

    def _confirm(self, id: str, mark: int) -> None:
        while not self._ended.wait(0.05):
            view = self.server.activation(id)
            if view["state"] == "PENDING_COMMIT" and self._was_asked(id, mark):
                self.server.admin("POST", f"/activations/{id}/commit")
                self.confirmed.append(id)
                return

    def _was_asked(self, id: str, mark: int) -> bool:
        asked: List[Dict[str, Any]] = self.server.requests("/pa/v3/activation/status", after=mark)
        return sum(id in request["body"] and request["status"] == 200 for request in asked) >= 2

    def __enter__(self) -> Activations:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
