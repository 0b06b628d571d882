# SPDX-License-Identifier: Apache-2.0
"""The bank's side of the example: a few calls of the dev server's admin API. A real token has no such part."""

from __future__ import annotations

import json
import ssl
import urllib.request
from typing import Any, Dict, Optional


class Bank:
    """What a bank does for its user: issues activation codes, requests approvals, knows their outcome."""

    def __init__(self, admin_url: str, ca_file: Optional[str] = None):
        self._url = admin_url.rstrip("/")
        self._tls = ssl.create_default_context(cafile=ca_file)

    def new_activation_code(self, user: str) -> str:
        """A code with the server's signature, as in a QR code."""
        code: str = self.call("POST", "/activations", {"userId": user})["activationQr"]
        return code

    def commit(self, activation_id: str, fingerprint: str) -> None:
        """The user has compared the fingerprints on both screens, and the bank makes the activation active."""
        if self.call("GET", f"/activations/{activation_id}")["fingerprint"] != fingerprint:
            raise RuntimeError("the fingerprints differ: somebody is in between")
        self.call("POST", f"/activations/{activation_id}/commit")

    def create_operations(self, user: str) -> str:
        """Two payments for the user, and a login that nobody has claimed yet, whose id is returned."""
        for amount, note in (
            ("99999", "You have won a prize"),
            ("1250.50", "Rent for May"),
        ):  # the newest is listed first
            parameters = {"amount": amount, "currency": "EUR", "iban": "CZ5508000000001234567899", "note": note}
            operation = {"userId": user, "template": "authorize_payment", "parameters": parameters}
            self.call("POST", "/operations", operation)
        login: str = self.call("POST", "/operations", {"template": "login"})["operationId"]
        return login

    def operation(self, operation_id: str) -> Dict[str, Any]:
        return self.call("GET", f"/operations/{operation_id}")

    def call(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, context=self._tls if self._url.startswith("https") else None) as answer:
            decoded: Dict[str, Any] = json.load(answer)
            return decoded
