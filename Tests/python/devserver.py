"""The dev server as the tests use it: its process, its admin API, and HTTP requests of a host's own."""

from __future__ import annotations

import base64
import http.client
import json
import os
import ssl
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional
from urllib.parse import urlencode, urlsplit

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("MTOKEN_DEVSERVER", ROOT / "tools" / "devserver"))

OPERATIONS = "/api/auth/token/app/operation"
JSON = Dict[str, Any]


class Answer(NamedTuple):
    """The server's answer to a plain HTTP request."""

    status: int
    body: Any


class DevServer:
    """One running server. `reset` restores its settings and clock, and removes its faults."""

    def __init__(self, folder: Path, database: Optional[Path] = None):
        """database  a file that keeps its records, or has some"""
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "devserver.log"
        command = [sys.executable, "-m", "mtoken_devserver", "--json", "--exit-with-parent", "--state-dir", str(folder)]
        command += ["--http-port", "0", "--bad-tls-port", "0", "--ready-file", str(folder / "ready.json")]
        # This version stores and returns all that the library sends; tests of an older one set it.
        command += ["--set", "serverVersion=2.0.0"]
        if database is not None:
            command += ["--db", str(database)]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the dev server did not start:\n{self.log.read_text(encoding='utf-8')}")
        self.facts: JSON = json.loads(line)
        self.ready_file = folder / "ready.json"
        self.url: str = self.facts["url"]
        self.http_url: str = self.facts["httpUrl"]
        self.ca_file: str = self.facts["caFile"]
        self.spki_sha256: str = self.facts["serverSpkiSha256"]
        self.bad_tls: Dict[str, str] = self.facts["badTls"]
        self.configuration: str = self.facts["application"]["sdkConfig"]
        self._connections: Dict[str, http.client.HTTPConnection] = {}
        self._used: Dict[str, float] = {}
        self._lock = threading.Lock()

    def stop(self) -> None:
        """The server ends when its standard input does."""
        for connection in self._connections.values():
            connection.close()
        self._process.communicate(timeout=300)

    # HTTP

    def _connection(self, url: str) -> http.client.HTTPConnection:
        parts = urlsplit(url)
        if url not in self._connections:
            if parts.scheme == "https":
                context = ssl.create_default_context(cafile=self.ca_file)
                self._connections[url] = http.client.HTTPSConnection(parts.netloc, timeout=30, context=context)
            else:
                self._connections[url] = http.client.HTTPConnection(parts.netloc, timeout=30)
        return self._connections[url]

    def _exchange(self, url: str, method: str, path: str, body: Optional[bytes], headers: Mapping[str, str]) -> Answer:
        with self._lock:
            connection = self._connection(url)
            if time.monotonic() - self._used.get(url, 0.0) > 2:
                connection.close()  # the server ends idle connections by itself; the next request opens a new one
            try:
                try:
                    connection.request(method, path, body, dict(headers))
                    answer = connection.getresponse()
                except (http.client.RemoteDisconnected, ConnectionError, ssl.SSLEOFError):
                    # The server closed a connection that had been idle for long, just as the client used it again.
                    connection.close()
                    connection.request(method, path, body, dict(headers))
                    answer = connection.getresponse()
                content = answer.read()
            except (http.client.HTTPException, OSError):
                connection.close()
                raise
            self._used[url] = time.monotonic()
        return Answer(answer.status, json.loads(content) if content else None)

    def send(self, method: str, path: str, body: bytes = b"", headers: Optional[Mapping[str, str]] = None) -> Answer:
        """A request to the API over TLS, as a program sends it that signs its own requests."""
        return self._exchange(self.url, method, path, body, {"Content-Type": "application/json", **(headers or {})})

    # Admin API

    def admin(self, method: str, resource: str, body: Optional[JSON] = None, **query: Any) -> JSON:
        """A call of the admin API that must succeed."""
        data = None if body is None else json.dumps(body).encode()
        target = f"/admin{resource}" + (f"?{urlencode(query)}" if query else "")
        answer = self._exchange(self.http_url, method, target, data, {"Content-Type": "application/json"})
        assert answer.status < 300, f"{method} {target}: {answer}"
        assert isinstance(answer.body, dict)
        return answer.body

    def reset(self) -> None:
        """Takes back what a test may have changed for all."""
        self.admin("DELETE", "/faults")
        self.admin("DELETE", "/config")
        self.admin("PUT", "/clock", {"offsetMs": 0})

    def new_activation(self, user: str, **members: Any) -> JSON:
        return self.admin("POST", "/activations", {"userId": user, **members})

    def activation(self, activation_id: str) -> JSON:
        return self.admin("GET", f"/activations/{activation_id}")

    def new_operation(self, **members: Any) -> JSON:
        """An operation; without a template and data it is a payment."""
        if "template" not in members and "data" not in members:
            members = {"template": "authorize_payment", "parameters": PAYMENT, **members}
        return self.admin("POST", "/operations", members)

    def operation(self, operation_id: str) -> JSON:
        return self.admin("GET", f"/operations/{operation_id}")

    def fault(
        self, match: str, kind: str, *, nth: Optional[int] = None, count: Optional[int] = None, **parameters: Any
    ) -> int:
        """Misbehaves at paths that begin with `match`: see the dev server's list of kinds."""
        rule: JSON = {"match": match, "kind": kind, "parameters": parameters}
        if nth is not None:
            rule["nth"] = nth
        if count is not None:
            rule["count"] = count
        identifier: int = self.admin("POST", "/faults", rule)["id"]
        return identifier

    def times_applied(self, fault: int) -> int:
        """How many requests a fault was applied to."""
        for rule in self.admin("GET", "/faults")["faults"]:
            if rule["id"] == fault:
                applied: int = rule["applied"]
                return applied
        raise LookupError(f"fault {fault}")

    def plays(self, version: str) -> None:
        """Says that it is of this version, and behaves so as far as it can."""
        if "serverVersion" in self.admin("GET", "/config"):
            self.admin("PATCH", "/config", {"serverVersion": version})
        else:
            self.fault("/pa/v3/status", "patch", set={"responseObject.application.version": version})

    def mark(self) -> int:
        """The number of the last device request so far."""
        requests = self.admin("GET", "/requests", limit=1)["requests"]
        return int(requests[-1]["seq"]) if requests else 0

    def requests(self, path: str = "", after: int = 0) -> List[JSON]:
        """The device requests behind `after` (see `mark`) whose path begins with `path`."""
        requests: List[JSON] = self.admin("GET", "/requests", path=path, after=after)["requests"]
        return requests

    def sign(self, content: bytes, **members: Any) -> bytes:
        """Signs by the application's master key, or by the server's key of an activation."""
        answer = self.admin("POST", "/sign", {"data": base64.b64encode(content).decode(), **members})
        return base64.b64decode(answer["signature"])


PAYMENT = {"amount": "1250.50", "currency": "EUR", "iban": "CZ5508000000001234567899", "note": "Rent for May"}
SHOWCASE = {
    **PAYMENT,
    "level": "2",
    "dynamic": "true",
    "targetAmount": "31262.5",
    "targetCurrency": "CZK",
    "partyName": "Town Hall",
    "logoUrl": "https://example.com/logo.png",
    "about": "City of Brno",
    "websiteUrl": "https://example.com",
    "thumbnailUrl": "https://example.com/small.png",
    "originalUrl": "https://example.com/large.png",
    "alertType": "WARNING",
    "alertTitle": "Unusual",
    "alertMessage": "You have never paid to this account",
}
