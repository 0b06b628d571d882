#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bridge from pushes to this machine: whoever receives them posts their payload here, and the right account looks.

    webhook.py --ready-file server.json --state state        for the accounts in the folder `state`
    curl -d '{"activationId":"…", …}' -H 'Authorization: Bearer SECRET' http://127.0.0.1:8099/push

APNs and FCM do not reach a desktop. A UnifiedPush distributor does (it hands the payload to a program over D-Bus), and
so does any service of the bank that can call a webhook. A push is only a hint: anyone can send one. It is believed in
nothing but that it is time to ask the server.
"""

from __future__ import annotations

import argparse
import hmac
import json
import os
import secrets
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import List

import mtoken

LARGEST = 65536


class Bridge(ThreadingHTTPServer):
    """Listens on this machine only."""

    def __init__(self, port: int, secret: str, runtime: mtoken.Runtime, clients: List[mtoken.Client]):
        super().__init__(("127.0.0.1", port), Handler)
        self.secret = secret
        self.runtime = runtime
        self.clients = clients


class Handler(BaseHTTPRequestHandler):
    """One push for each request."""

    server: Bridge

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        given = self.headers.get("Authorization") or ""
        if self.path != "/push" or not 0 < length <= LARGEST:
            self.send_error(400)
        elif not hmac.compare_digest(given.encode(), f"Bearer {self.server.secret}".encode()):
            self.send_error(401)
        else:
            self.send_response(204 if self.look(self.rfile.read(length)) else 404)
            self.end_headers()

    def look(self, payload: bytes) -> bool:
        """Asks the server of the account that the push is for, or of all if it does not say."""
        try:
            push = self.server.runtime.route_push(payload.decode("utf-8"))
        except (mtoken.MTokenError, UnicodeDecodeError):
            return False
        if push is None:
            return False
        asked = [push.client] if push.client else [] if push.message.activation_id else self.server.clients
        for client in asked:
            waiting = [operation.id for operation in client.operations.list()]
            print(
                json.dumps({"account": client.id, "operation": push.message.operation_id, "waiting": waiting}),
                flush=True,
            )
        return bool(asked)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: what the program prints is its answer."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ready-file", type=Path, required=True, help="the dev server's file")
    parser.add_argument("--state", required=True, help="folder of the accounts")
    parser.add_argument("--port", type=int, default=8099)
    options = parser.parse_args()
    server = json.loads(options.ready_file.read_text(encoding="utf-8"))
    secret = os.environ.get("MTOKEN_WEBHOOK_SECRET") or secrets.token_urlsafe(24)
    with mtoken.Runtime() as runtime, mtoken.Store.directory(options.state) as store:
        clients = [
            mtoken.Client(
                runtime,
                name,
                configuration=server["application"]["sdkConfig"],
                base_url=server["url"],
                ca_file=server["caFile"],
                store=store,
            )
            for name in store.clients()
        ]
        with Bridge(options.port, secret, runtime, clients) as bridge:
            print(json.dumps({"port": bridge.server_port, "secret": secret}), flush=True)
            bridge.serve_forever()


if __name__ == "__main__":
    main()
