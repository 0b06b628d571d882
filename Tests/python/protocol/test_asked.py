"""What each call asks the server for: requests.tsv has it for the first call after the activation, the first of a new process, and again."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Callable, Dict, List

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devices4 import device4
from devserver import DevServer

CALLS: Dict[str, Callable[[mtoken.Client, Device, Dict[str, Any]], Any]] = {
    "synchronize_time": lambda client, device, made: client.synchronize_time(),
    "status": lambda client, device, made: client.status(),
    "list": lambda client, device, made: client.operations.list(),
    "detail": lambda client, device, made: client.operations.detail(made["operationId"]),
    "claim": lambda client, device, made: client.operations.claim(made["operationId"]),
    "history": lambda client, device, made: client.operations.history(device.auth),
    "pending": lambda client, device, made: client.mobile_auth.pending(),
    "authorize": lambda client, device, made: client.operations.authorize_data(
        made["operationId"], made["data"], device.auth
    ),
    "reject": lambda client, device, made: client.operations.reject(made["operationId"]),
    "validate_pin": lambda client, device, made: client.factors.validate_pin(device.pin),
    "change_pin": lambda client, device, made: client.factors.change_pin(device.pin, device.pin),
    "add_biometry": lambda client, device, made: client.factors.add_biometry(bytes(range(1, 17)), device.auth),
    "vault": lambda client, device, made: client.vault.encryption_key(1, device.auth),
    "sign": lambda client, device, made: client.vault.sign(b"text", device.auth),
    "sign_jwt": lambda client, device, made: client.vault.sign_jwt({"a": 1}, device.auth),
    "rename": lambda client, device, made: client.rename("desk", device.auth),
    "wait_active": lambda client, device, made: client.wait_active(),
    "token": lambda client, device, made: client.tokens.fetch_header("own", device.auth),
    "user_info": lambda client, device, made: client.user_info(),
    "push": lambda client, device, made: client.push.register(mtoken.PushService.FCM, "x"),
    "inbox": lambda client, device, made: client.inbox.page(),
    "inbox, count": lambda client, device, made: client.inbox.count(),
    "inbox, all": lambda client, device, made: client.inbox.all(),
    "inbox, read all": lambda client, device, made: client.inbox.read_all(),
    "encrypt": lambda client, device, made: client.requests.encrypt(b"{}"),
    "activation detail": lambda client, device, made: client.detail(device.auth),
    "list, blocked": lambda client, device, made: client.operations.list(),
    "authorize, blocked": lambda client, device, made: client.operations.authorize_data(
        made["operationId"], made["data"], device.auth
    ),
    "remove": lambda client, device, made: client.remove(device.auth),
}
TABLE = [line.split("\t") for line in Path(__file__).with_name("requests.tsv").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("protocol", "name", "expected"), [(row[0], row[1], row[2:]) for row in TABLE])
def test_no_call_asks_for_more_than_it_needs(
    server: DevServer,
    make_device: DeviceFactory,
    make_client: ClientFactory,
    protocol: str,
    name: str,
    expected: List[str],
) -> None:
    device = device4(make_device, server, protocol=mtoken.Protocol.V4_0) if protocol == "V4_0" else make_device()
    if protocol == "V4_0":
        device.client.wait_active()  # which confirms
    if "blocked" in name:
        device.client.operations.list()
        server.admin("POST", f"/activations/{device.activation_id}/block")
    found = []
    for turn in range(len(expected)):
        if turn == 1:
            device.client.close()
            device.client = make_client("device", store=device.store, **device.options)
        made = device.created_operation(**device.application)
        before = server.mark()
        with contextlib.suppress(mtoken.BlockedError):
            CALLS[name](device.client, device, made)
        paths = [request["path"] for request in server.requests(after=before)]
        for prefix in ("/pa/v3/", "/pa/v4/", "/api/auth/token/app/", "/api/"):
            paths = [path.removeprefix(prefix) for path in paths]
        found.append(" ".join(paths) or "-")
    assert found == expected
