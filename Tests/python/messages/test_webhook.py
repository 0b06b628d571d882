"""The bridge from a push service's webhook to waiting operations, examples/python/webhook.py."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import mtoken
from devserver import DevServer
from fixtures import CHILD_PATH, ROOT, DeviceFactory


def test_webhook(server: DevServer, make_device: DeviceFactory, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    store = mtoken.Store.directory(folder)
    devices = [make_device(name, store=store) for name in ("alice", "bob")]
    for device in devices:
        device.client.close()
    store.close()
    created = server.new_operation(userId=devices[1].user)["operationId"]
    script = ROOT / "examples" / "python" / "webhook.py"
    words = [sys.executable, str(script), "--ready-file", str(server.ready_file), "--state", str(folder), "--port", "0"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": CHILD_PATH}
    ) as bridge:
        try:
            assert bridge.stdout is not None
            told = json.loads(bridge.stdout.readline())

            def post(body: bytes, secret: str = told["secret"]) -> int:
                url = f"http://127.0.0.1:{told['port']}/push"
                request = urllib.request.Request(url, body, {"Authorization": f"Bearer {secret}"})
                try:
                    with urllib.request.urlopen(request, timeout=30) as answer:
                        return int(answer.status)
                except urllib.error.HTTPError as error:
                    error.close()
                    return error.code

            push = {
                "messageType": "mtoken.operationInit", "operationId": created, "operationName": "payment",
                "activationId": devices[1].activation_id,
            }  # fmt: skip
            body = json.dumps(push).encode()
            assert post(body, "wrong") == 401
            assert post(b"{}") == 404 and post(b"\xff") == 404 and post(b"") == 400
            assert post(json.dumps({**push, "activationId": "nobody"}).encode()) == 404
            assert post(body) == 204
            assert json.loads(bridge.stdout.readline()) == {
                "account": "bob",
                "operation": created,
                "waiting": [created],
            }
        finally:
            bridge.terminate()
