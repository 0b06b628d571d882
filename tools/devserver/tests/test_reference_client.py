"""A whole life with the habits of upstream's reference client, in every version of the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from client import ServerError, cbc, dec, derive, enc
from reference import Reference

BASE = "/api/auth/token/app/operation"
PIN = "possession_knowledge"
VERSIONS = ["3.0", "3.1", "3.2", "3.3"]


@pytest.fixture(params=VERSIONS)
def client(request: Any, http: Any, sdk_config: Any, admin: Any, user: Any) -> Any:
    made = Reference(http, sdk_config, request.param)
    record = admin.post("/activations", {"userId": user})
    made.activate("CODE", {"code": record["activationCode"]})
    admin.post(f"/activations/{made.activation_id}/commit")
    return made


def test_activation_and_status(client: Any, admin: Any) -> None:
    seen = admin.activation(client)
    assert (seen["state"], seen["deviceInfo"], seen["fingerprint"]) == ("ACTIVE", "backend-tests", client.fingerprint())
    status = client.status()
    assert status["status"] == 3
    if client.version != "3.0":
        assert (status["distance"], status["counterByte"]) == (0, 0)


def test_custom_activation(http: Any, sdk_config: Any, admin: Any, user: Any) -> None:
    for version in VERSIONS:
        client = Reference(http, sdk_config, version)
        client.activate("CUSTOM", {"username": user})
        assert admin.activation(client)["userId"] == user


def test_signatures(client: Any, admin: Any) -> None:
    for factors in ("possession", PIN, "possession_biometry", "possession_knowledge_biometry"):
        client.validate(factors)
    header = client.signature_header(PIN, "/pa/signature/validate", b"a=1&b=%C5%A1", "GET")
    client.send("/pa/v3/signature/validate?b=%C5%A1&a=1", b"", header, "GET")
    assert admin.activation(client)["counter"] == 5
    with pytest.raises(ServerError):
        client.validate(wrong_pin=True)
    assert admin.activation(client)["failedAttempts"] == 1


def test_tokens_and_operations(client: Any, admin: Any, user: Any) -> None:
    token = client.create_token()
    first, second = (admin.post("/operations", {"userId": user, "template": "login"}) for _ in range(2))
    listed = client.call_token(f"{BASE}/list", token)["responseObject"]
    assert [row["id"] for row in listed] == [second["operationId"], first["operationId"]]
    body = {"requestObject": {"id": first["operationId"], "data": first["data"]}}
    client.call_signed(f"{BASE}/authorize", "/operation/authorize", PIN, body)
    client.call_signed(
        f"{BASE}/cancel", "/operation/cancel", "possession", {"requestObject": {"id": second["operationId"]}}
    )
    history = client.call_signed(f"{BASE}/history", "/operation/history", PIN, {})["responseObject"]
    assert [row["status"] for row in history] == ["REJECTED", "APPROVED"]
    client.call_token("/api/push/device/register/token", token, {"requestObject": {"platform": "ios", "token": "AA"}})
    assert client.call_token("/api/inbox/count", token)["responseObject"] == {"countUnread": 0}
    body = {"requestObject": {"tokenId": token["tokenId"]}}
    client.call_signed("/pa/v3/token/remove", "/pa/token/remove", "possession", body)
    with pytest.raises(ServerError):
        client.call_token(f"{BASE}/list", token)


def test_vault_user_info_and_name(client: Any, admin: Any, user: Any) -> None:
    opened = (
        cbc(client.transport_key, bytes(16)).decryptor().update(dec(client.unlock()["encryptedVaultEncryptionKey"]))
    )
    assert opened[:16] == derive(client.master_secret, 2000)
    admin.put(f"/users/{user}", {"claims": {"sub": user}})
    assert client.call_encrypted("/pa/v3/user/info", {}, True) == {"sub": user}
    token = client.create_token(PIN)
    envelope = client.encrypt(b"{}", "/pa/generic/activation", True)
    headers = {**client.token_header(token), **client.encryption_header(True)}
    answer = envelope.open_json(client.send("/pa/v3/activation/detail", envelope.body, headers))
    assert answer["responseObject"]["activationId"] == client.activation_id


def test_recovery(client: Any, http: Any, sdk_config: Any, admin: Any, user: Any) -> None:
    card = admin.post("/recovery-codes", {"userId": user})
    names = ("/pa/v3/recovery/confirm", "/pa/recovery/confirm", "/pa/recovery/confirm")
    answer = client.call_encrypted_signed(*names, PIN, {"recoveryCode": card["recoveryCode"]})
    assert answer == {"alreadyConfirmed": False}
    fresh = Reference(http, sdk_config, client.version)
    fresh.activate("RECOVERY", {"recoveryCode": card["recoveryCode"], "puk": card["puks"][0]["puk"]})
    assert admin.activation(fresh)["state"] == "ACTIVE"


def test_offline_code(client: Any, admin: Any) -> None:
    nonce = enc(bytes(16))
    request = {"activationId": client.activation_id, "operationId": "op", "data": "A1", "nonce": nonce}
    assert admin.post("/offline/verify", {**request, "code": client.offline_code("op&A1", nonce)})["valid"]


def test_removal_without_a_body(client: Any, admin: Any) -> None:
    assert client.remove()["responseObject"] == {"activationId": client.activation_id}
    assert admin.activation(client)["state"] == "REMOVED" and client.status()["status"] == 5


def test_every_request_has_its_own_temporary_key(client: Any, admin: Any) -> None:
    def keys() -> Any:
        return len(admin.get("/temporary-keys")["temporaryKeys"])

    before = keys()
    client.create_token()
    client.create_token()
    assert keys() - before == (2 if client.version == "3.3" else 0)
    sent = json.loads(admin.get("/requests", path="/pa/v3/token/create")["requests"][-1]["body"])
    assert len(dec(sent["ephemeralPublicKey"])) == 65
