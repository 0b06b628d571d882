"""A whole life in protocol 4.0, in every suite, with a client that shares nothing with the server."""

from __future__ import annotations

from typing import Any

import pytest
from client import ServerError, dec
from client4 import kdf

BASE = "/api/auth/token/app/operation"
PIN = "possession_knowledge"
BIO = "possession_biometry"


def refused(status: int, code: str, message: str, call: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(ServerError) as error:
        call(*arguments, **options)
    assert (error.value.status, error.value.code, error.value.message) == (status, code, message)


def code_refused(call: Any, *arguments: Any, **options: Any) -> None:
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", call, *arguments, **options)


def test_a_life(new_device4: Any, admin: Any, suite: Any, user: Any) -> None:
    admin.put(f"/users/{user}", {"claims": {"sub": user}})
    device = new_device4(suite, commit=False, confirm=False)
    assert device.status()["flags"] == 1 and device.status()["status"] == 2
    admin.post(f"/activations/{device.activation_id}/commit")
    device.confirm(biometry=True)
    status = device.status()
    assert (status["status"], status["flags"], status["distance"], status["counterByte"]) == (3, 8, 0, 1)
    seen = admin.activation(device)
    assert (seen["suite"], seen["fingerprint"], seen["protocolVersion"]) == (suite, device.fingerprint(), "4.0")
    for factors in ("possession", PIN, BIO, "possession_knowledge_biometry"):
        device.validate(factors)
    token = device.create_token()
    assert len(dec(token["tokenSecret"])) == 32
    first, second = (
        admin.post("/operations", {"userId": user, "applicationId": suite, "template": "login"}) for _ in range(2)
    )
    listed = device.call_token(f"{BASE}/list", token)["responseObject"]
    assert [row["id"] for row in listed] == [second["operationId"], first["operationId"]]
    body = {"requestObject": {"id": first["operationId"], "data": first["data"]}}
    device.call_signed(f"{BASE}/authorize", "/operation/authorize", PIN, body)
    device.call_signed(
        f"{BASE}/cancel", "/operation/cancel", "possession", {"requestObject": {"id": second["operationId"]}}
    )
    history = device.call_signed(f"{BASE}/history", "/operation/history", PIN, {})["responseObject"]
    assert [row["status"] for row in history] == ["REJECTED", "APPROVED"]
    assert device.call_encrypted("/pa/v4/user/info", {}, True) == {"sub": user}
    device.keys["knowledge"] = device.new_factor_key("password/change")
    device.validate()
    device.keys["biometry"] = device.new_factor_key("biometry/add")
    device.validate(BIO)
    assert device.unlock("KDK_APP_VAULT_2FA", BIO) == kdf(device.secret, "vault", "vault/kdk-app-vault-2fa")
    assert device.rename("other")["responseObject"]["activationName"] == "other"
    body = {"requestObject": {"tokenId": token["tokenId"]}}
    device.call_signed("/pa/v4/token/remove", "/pa/token/remove", "possession", body)
    refused(401, "POWERAUTH_AUTH_FAIL", "Authentication failed", device.call_token, f"{BASE}/list", token)
    device.call_signed("/pa/v4/activation/remove", "/pa/activation/remove", PIN, {"requestObject": {}})
    assert device.status()["status"] == 5
    code_refused(device.validate)
