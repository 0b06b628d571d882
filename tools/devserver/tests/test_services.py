"""Vault, user info, name of the activation, upgrade, push and inbox."""

from __future__ import annotations

import base64
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from client import Device, ServerError, cbc, dec, derive, enc
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec


def refused(status: Any, code: Any, message: Any, call: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(ServerError) as error:
        call(*arguments, **options)
    assert (error.value.status, error.value.code) == (status, code)
    if message is not None:
        assert error.value.message == message


# Vault

VAULT = ("/pa/v3/vault/unlock", "/pa/vault/unlock", "/pa/vault/unlock")
VAULT_REFUSED = (400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID")


@pytest.mark.parametrize("version", ["3.0", "3.3"])
@pytest.mark.parametrize(
    "reason", ["ADD_BIOMETRY", "FETCH_ENCRYPTION_KEY", "SIGN_WITH_DEVICE_PRIVATE_KEY", "RECOVERY_CODE", "own.reason-1"]
)
def test_vault_unlock(new_device: Any, admin: Any, version: Any, reason: Any) -> None:
    device = new_device(version)
    answer = device.call_encrypted_signed(*VAULT, "possession_knowledge", {"reason": reason})
    assert set(answer) == {"encryptedVaultEncryptionKey"}
    decryptor = cbc(device.transport_key, bytes(16)).decryptor()
    plain = decryptor.update(dec(answer["encryptedVaultEncryptionKey"]))
    assert plain == derive(device.master_secret, 2000) + bytes([16]) * 16
    (record,) = admin.get("/audit", kind="vault", activationId=device.activation_id)["audit"]
    assert record["reason"] == reason


def test_vault_refusals(device: Any, admin: Any) -> None:
    for factors in ("possession", "possession_biometry"):
        refused(*VAULT_REFUSED, device.call_encrypted_signed, *VAULT, factors, {"reason": "ADD_BIOMETRY"})
    refused(*VAULT_REFUSED, device.call_encrypted_signed, *VAULT, "possession_knowledge_biometry", {})
    for reason in ("", "ab", "a b", "with space", "x" * 256):
        refused(*VAULT_REFUSED, device.call_encrypted_signed, *VAULT, "possession_knowledge", {"reason": reason})
    envelope = device.encrypt(b'{"reason":"ADD_BIOMETRY"}', VAULT[2], True)
    broken = {**envelope.body, "mac": enc(bytes(32))}
    refused(*VAULT_REFUSED, device.call_signed, *VAULT[:2], "possession_knowledge", broken)
    seen = admin.activation(device)
    assert (seen["counter"], seen["failedAttempts"]) == (0, 0)
    envelope = device.encrypt(b'{"reason":"ADD_BIOMETRY"}', VAULT[2], True)
    refused(
        401,
        "ERR_AUTHENTICATION",
        "POWER_AUTH_SIGNATURE_INVALID",
        device.call_signed,
        *VAULT[:2],
        "possession_knowledge",
        envelope.body,
        wrong_pin=True,
    )
    assert admin.activation(device)["failedAttempts"] == 1


def test_vault_without_a_reason(device: Any, admin: Any) -> None:
    """It counts as NOT_SPECIFIED; a member that nobody knows is ignored."""
    device.call_encrypted_signed(*VAULT, "possession_knowledge", {"more": 1})
    (record,) = admin.get("/audit", kind="vault", activationId=device.activation_id)["audit"]
    assert record["reason"] == "NOT_SPECIFIED" and admin.activation(device)["counter"] == 1
    admin.patch("/config", {"strict": True})
    refused(*VAULT_REFUSED, device.call_encrypted_signed, *VAULT, "possession_knowledge", {})


def test_vault_order_of_checks(device: Any, admin: Any) -> None:
    """The body is opened first and the signature verified last: nothing of this costs a step, only the
    last an attempt.
    """
    signature = (401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID")
    pin = "possession_knowledge"

    def raw(body: Any, factors: Any = pin, wrong_pin: Any = False) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return (device.call_signed, *VAULT[:2], factors, content), {"wrong_pin": wrong_pin}

    def envelope(plain: Any = b"{}") -> Any:
        return device.encrypt(plain, VAULT[2], True).body

    without_mac = {name: value for name, value in envelope().items() if name != "mac"}
    counted = 0
    for expected, (call, options), costs in (
        (signature, ((device.send, VAULT[0], envelope()), {}), 0),
        (signature, raw(b"null"), 0),
        (signature, raw(b"{}"), 0),
        (signature, raw(b'{"requestObject":{}}', wrong_pin=True), 0),
        ((500, "ERROR_GENERIC", None), raw(b"no json"), 0),
        (VAULT_REFUSED, raw(without_mac), 0),
        (VAULT_REFUSED, raw(without_mac, wrong_pin=True), 0),
        (signature, raw(envelope(b"no json")), 0),
        (VAULT_REFUSED, raw(envelope(b'{"reason":"a b"}'), wrong_pin=True), 0),
        (signature, raw(envelope(), wrong_pin=True), 1),
    ):
        refused(*expected, *call, **options)
        counted += costs
        seen = admin.activation(device)
        assert (seen["counter"], seen["failedAttempts"]) == (0, counted)


def test_vault_by_biometry_where_allowed(device: Any, admin: Any) -> None:
    admin.patch("/config", {"vaultUnlockByBiometry": True})
    device.call_encrypted_signed(*VAULT, "possession_biometry", {"reason": "ADD_BIOMETRY"})


def test_device_signature(device: Any, admin: Any) -> None:
    signature = device.device_key.sign(b"data", ec.ECDSA(hashes.SHA256()))
    path = f"/activations/{device.activation_id}/verify-device-signature"
    body = {"data": base64.b64encode(b"data").decode(), "signature": enc(signature)}
    assert admin.post(path, body) == {"valid": True}
    assert admin.post(path, {**body, "data": "AAAA"}) == {"valid": False}
    assert admin.post(path, {**body, "format": "JOSE"}) == {"valid": False}


# User info, name, upgrade


def test_user_info(device: Any, admin: Any, user: Any) -> None:
    assert device.call_encrypted("/pa/v3/user/info", {}, True) == {}
    admin.put(f"/users/{user}", {"claims": {"sub": user, "address": {"country": "CZ"}}})
    assert device.call_encrypted("/pa/v3/user/info", {}, True) == {"sub": user, "address": {"country": "CZ"}}
    admin.post(f"/activations/{device.activation_id}/block")
    refused(400, "ERR_ENCRYPTION", None, device.call_encrypted, "/pa/v3/user/info", {}, True)


def rename(device: Any, name: Any, factors: Any = "possession_knowledge") -> Any:
    content = json.dumps({"activationName": name}).encode()
    envelope = device.encrypt(content, "/pa/generic/activation", True)
    header = device.signature_header(factors, "/pa/activation/rename", content)
    return envelope.open_json(device.send("/pa/v3/activation/rename", envelope.body, header))


def detail(device: Any, token: Any) -> Any:
    envelope = device.encrypt(b"{}", "/pa/generic/activation", True)
    headers = {**device.token_header(token), **device.encryption_header(True)}
    return envelope.open_json(device.send("/pa/v3/activation/detail", envelope.body, headers))


def test_user_info_in_plaintext(device: Any) -> None:
    """Only an empty plaintext or an empty object."""
    error = (400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")

    def call(plain: Any) -> None:
        envelope = device.encrypt(plain, "/pa/generic/activation", True)
        device.send("/pa/v3/user/info", envelope.body, device.encryption_header(True))

    for plain in (b"", b"{}", b" {} "):
        call(plain)
    for plain in (b'{"more":1}', b'{"requestObject":{}}', b"[]", b"no json"):
        refused(*error, call, plain)
    refused(*error, device.send, "/pa/v3/user/info", {})
    refused(*error, device.send, "/pa/v3/user/info", {}, device.encryption_header(False))
    refused(*error, device.send, "/pa/v3/user/info", b"no json", device.encryption_header(True))
    envelope = device.encrypt(b"{}", "/pa/generic/activation", True)
    device.send("/pa/v3/user/info", envelope.body, device.encryption_header(True))
    refused(*error, device.send, "/pa/v3/user/info", envelope.body, device.encryption_header(True))
    unknown = {**device.encrypt(b"{}", "/pa/generic/activation", True).body, "more": 1}
    refused(*error, device.send, "/pa/v3/user/info", unknown, device.encryption_header(True))


@pytest.mark.parametrize("version", ["3.1", "3.2"])
def test_null_members_of_a_cryptogram_count_as_absent(new_device: Any, version: Any) -> None:
    device = new_device(version)
    envelope = device.encrypt(b"{}", "/pa/generic/activation", True)
    nulls = {"temporaryKeyId": None, **({"timestamp": None} if version == "3.1" else {})}
    device.send("/pa/v3/user/info", {**envelope.body, **nulls}, device.encryption_header(True))
    if version == "3.1":  # without a timestamp there is no protection against a replay
        device.send("/pa/v3/user/info", envelope.body, device.encryption_header(True))


def test_detail_without_encryption_is_empty(device: Any) -> None:
    response = device.raw(
        "/pa/v3/activation/detail", {}, device.token_header(device.create_token("possession_knowledge"))
    )
    assert (response.status_code, response.content) == (200, b"")


def test_server_1_9_cannot_rename(device: Any, admin: Any) -> None:
    refused(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", rename, device, "new")
    seen = admin.activation(device)
    assert (seen["name"], seen["counter"]) == ("Test device", 1), "the signature was right"


def test_detail_and_rename(device: Any, admin: Any) -> None:
    admin.patch("/config", {"serverVersion": "1.10.0"})
    token = device.create_token("possession_knowledge")
    expected = {"activationId": device.activation_id, "activationName": "Test device"}
    assert detail(device, token) == {"status": "OK", "responseObject": expected}
    expected["activationName"] = "Můj počítač"
    assert rename(device, "Můj počítač") == {"status": "OK", "responseObject": expected}
    assert detail(device, token)["responseObject"] == expected
    refused(400, "ERR_ACTIVATION", None, rename, device, "")
    refused(401, "ERR_AUTHENTICATION", None, rename, device, "x", "possession")
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", detail, device, device.create_token())


def test_upgrade_is_refused(device: Any) -> None:
    envelope = device.encrypt(b"{}", "/pa/upgrade", True)
    header = device.encryption_header(True)
    refused(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED", device.send, "/pa/v3/upgrade/start", envelope.body, header)
    refused(
        400,
        "ERR_UPGRADE",
        "POWER_AUTH_UPGRADE_FAILED",
        device.call_signed,
        "/pa/v3/upgrade/commit",
        "/pa/upgrade/commit",
        "possession",
        {},
    )


# Push


@pytest.fixture
def token(device: Any) -> Any:
    return device.create_token()


def register(device: Any, token: Any, /, **members: Any) -> Any:
    body = {"requestObject": {"platform": "ios", "token": "AABB", **members}}
    return device.call_token("/api/push/device/register/token", token, body)


def pushes_of(admin: Any, device: Any) -> Any:
    return [push for push in admin.get("/pushes")["pushes"] if push["activationId"] == device.activation_id]


@pytest.mark.parametrize(
    "platform,kept",
    [("apns", "apns"), ("ios", "apns"), ("fcm", "fcm"), ("android", "fcm"), ("hms", "hms"), ("huawei", "hms")],
)
def test_push_registration(device: Any, token: Any, admin: Any, platform: Any, kept: Any) -> None:
    admin.patch("/config", {"serverVersion": "1.10.0"})
    assert register(device, token, platform=platform, environment="development") == {"status": "OK"}
    push = admin.activation(device)["push"]
    assert (push["platform"], push["token"], push["environment"]) == (kept, "AABB", "development")


def test_push_registration_wants_a_token(device: Any, admin: Any) -> None:
    body = {"requestObject": {"platform": "fcm", "token": "t"}}
    for path in ("/api/push/device/register", "/api/push/device/register/token"):
        call = (device.call_signed, path, "/push/device/register", "possession", body)
        refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", *call)
        refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.send, path, body)
    assert admin.activation(device)["push"] is None


def test_push_names_of_server_1_9(device: Any, token: Any, admin: Any) -> None:
    """The new names came with 1.10; what 1.9 does not know is a 500."""
    generic = (500, "ERROR_GENERIC", "Unknown error occurred while processing request.")
    for platform in ("apns", "fcm", "hms", "IOS", "Android", "x"):
        refused(*generic, register, device, token, platform=platform)
    for platform in ("ios", "android", "huawei"):
        register(device, token, platform=platform)
    register(device, token, environment="test")
    admin.patch("/config", {"serverVersion": "2.0.0"})
    for platform in ("APNS", "x"):
        refused(*generic, register, device, token, platform=platform)
    for platform in ("apns", "fcm", "hms", "ios"):
        register(device, token, platform=platform)


def test_push_registration_refusals(device: Any, token: Any, admin: Any) -> None:
    for members in ({"platform": None}, {"token": " "}, {"token": None}):
        refused(400, "INVALID_REQUEST", "Invalid request object.", register, device, token, **members)
    path = "/api/push/device/register/token"
    refused(400, "INVALID_REQUEST", None, device.call_token, path, token, {})
    refused(500, "ERROR_GENERIC", None, device.call_token, path, token, b"{")
    register(device, token, token="t" * 255)
    refused(400, "PUSH_REGISTRATION_FAILED", None, register, device, token, token="t" * 256)
    admin.patch("/config", {"strict": True})
    refused(400, "INVALID_REQUEST", None, register, device, token, environment="test")
    admin.patch(f"/activations/{device.activation_id}", {"mobileAuthEnabled": False})
    refused(400, "PUSH_REGISTRATION_FAILED", None, register, device, token)


def test_pushes_of_an_operation(device: Any, token: Any, admin: Any, user: Any) -> None:
    register(device, token)
    parameters = {"amount": "1", "currency": "EUR"}
    operation = admin.post("/operations", {"userId": user, "template": "authorize_payment", "parameters": parameters})
    operation_id = operation["operationId"]
    admin.post(f"/operations/{operation_id}/fail", {"pushResult": "operation.methodNotAvailable"})
    created, finished = pushes_of(admin, device)
    assert created["silent"] is False
    assert created["payload"] == {
        "aps": {
            "alert": {"title": "Payment confirmation", "body": "Please confirm the payment of 1 EUR."},
            "sound": "default",
            "category": "authorize_payment",
        },
        "messageType": "mtoken.operationInit",
        "operationId": operation_id,
        "operationName": "authorize_payment",
        "activationId": device.activation_id,
    }
    assert finished["silent"] is True
    assert finished["payload"]["aps"] == {"content-available": 1}
    assert finished["payload"]["mtokenOperationResult"] == "operation.methodNotAvailable"


def test_fcm_shape_and_inbox_push(device: Any, token: Any, admin: Any, user: Any) -> None:
    register(device, token, platform="android")
    message = admin.post("/inbox", {"userId": user, "subject": "S", "summary": "x" * 200})
    (push,) = pushes_of(admin, device)
    assert push["payload"]["data"] == {
        "messageType": "mtoken.inboxMessage.new",
        "inboxId": message["id"],
        "activationId": device.activation_id,
    }
    assert push["payload"]["notification"] == {"title": "S", "body": "x" * 155, "sound": "default"}


@pytest.mark.parametrize("platform", ["ios", "fcm"])
def test_pushes_of_a_changed_status(http: Any, sdk_config: Any, admin: Any, user: Any, platform: Any) -> None:
    """Silent, without the new state, and to an activation that is not active too."""
    record = admin.post("/activations", {"userId": user})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]})
    path = f"/activations/{device.activation_id}"
    assert admin.put(f"{path}/push", {"platform": platform, "token": "AABB"})["push"]["token"] == "AABB"
    for sent, change in enumerate(("commit", "block", "block", "unblock", "remove", "remove")):
        assert len(pushes_of(admin, device)) == sent - (sent > 2)
        admin.post(f"{path}/{change}")
    pushes = pushes_of(admin, device)
    assert len(pushes) == 4, "what changes nothing sends nothing"
    for push in pushes:
        payload = push["payload"] if platform == "ios" else push["payload"]["data"]
        assert payload["messageType"] == "mtoken.statusChange" and payload["activationId"] == device.activation_id
        assert push["silent"] and set(payload) - {"aps"} == {"messageType", "activationId"}


def test_wrong_pins_push_the_block(device: Any, token: Any, admin: Any) -> None:
    register(device, token)
    for _ in range(5):
        refused(401, "ERR_AUTHENTICATION", None, device.validate, wrong_pin=True)
    assert [push["payload"]["messageType"] for push in pushes_of(admin, device)] == ["mtoken.statusChange"]


def test_push_webhook(device: Any, token: Any, admin: Any, user: Any) -> None:
    received = []
    arrived = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            arrived.set()

        def log_message(self, *arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    admin.patch("/config", {"pushWebhook": f"http://127.0.0.1:{server.server_address[1]}/"})
    register(device, token)
    admin.post("/operations", {"userId": user, "template": "login"})
    assert arrived.wait(10)
    server.shutdown()
    server.server_close()
    assert received[0] == pushes_of(admin, device)[0]


def test_push_file_and_socket(device: Any, token: Any, admin: Any, user: Any, tmp_path: Path) -> None:
    """Every payload as a phone would get it, in order; one that nobody takes is lost, and the next one comes."""
    file, place = tmp_path / "pushes", tmp_path / "socket"
    admin.patch("/config", {"pushFile": str(file), "pushSocket": str(place)})
    register(device, token)
    admin.post("/operations", {"userId": user, "template": "login"})  # nobody listens yet
    while not file.exists() or not file.read_text().endswith("\n"):
        pass
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(place))
        receiver.settimeout(10)
        created = admin.post("/operations", {"userId": user, "template": "login"})
        admin.post(f"/operations/{created['operationId']}/cancel")
        got = [json.loads(receiver.recv(65536)) for _ in range(2)]
    sent = [push["payload"] for push in pushes_of(admin, device)]
    assert got == sent[1:]
    assert [json.loads(line) for line in file.read_text().splitlines()] == sent


def test_push_file_that_cannot_be_written(device: Any, token: Any, admin: Any, user: Any, tmp_path: Path) -> None:
    file = tmp_path / "pushes"
    admin.patch("/config", {"pushFile": str(tmp_path / "none" / "pushes")})
    register(device, token)
    admin.post("/operations", {"userId": user, "template": "login"})
    admin.patch("/config", {"pushFile": str(file)})
    admin.post("/operations", {"userId": user, "template": "login"})
    while not file.exists() or not file.read_text().endswith("\n"):
        pass
    assert len(file.read_text().splitlines()) == 1


def test_disenrolment_ends_pushes_and_operations(device: Any, token: Any, admin: Any, user: Any) -> None:
    """A device without the right to mobile authentication gets no pushes of operations and no operations."""
    register(device, token)
    admin.patch(f"/activations/{device.activation_id}", {"mobileAuthEnabled": False})
    created = admin.post("/operations", {"userId": user, "template": "login"})
    assert pushes_of(admin, device) == []
    path = "/api/auth/token/app/operation/detail"
    body = {"requestObject": {"id": created["operationId"]}}
    refused(400, "ACTIVATION_NOT_CONFIGURED", None, device.call_token, path, token, body)
    admin.patch(f"/activations/{device.activation_id}", {"mobileAuthEnabled": True})
    assert device.call_token(path, token, body)["responseObject"]["id"] == created["operationId"]
    admin.post("/operations", {"userId": user, "template": "login"})
    assert len(pushes_of(admin, device)) == 1


# Inbox


def test_inbox(device: Any, token: Any, admin: Any, user: Any) -> None:
    def call(path: Any, body: Any = None) -> Any:
        return device.call_token(f"/api/inbox/{path}", token, {"requestObject": body} if body is not None else {})

    made = [
        admin.post("/inbox", {"userId": user, "subject": f"S{n}", "summary": "s", "body": "<p>", "type": "html"})
        for n in range(5)
    ]
    admin.post("/inbox", {"userId": "other", "subject": "not mine"})
    assert call("count")["responseObject"] == {"countUnread": 5}
    page = call("message/list", {"page": 1, "size": 2, "onlyUnread": False})
    assert (page["page"], page["size"]) == (1, 2)
    assert [message["subject"] for message in page["responseObject"]] == ["S2", "S1"]
    assert "body" not in page["responseObject"][0]
    last = call("message/list", {"page": 2, "size": 2, "onlyUnread": False})["responseObject"]
    assert len(last) == 1
    full = call("message/detail", {"id": made[0]["id"]})["responseObject"]
    assert (full["body"], full["type"], full["read"]) == ("<p>", "html", False)
    for _ in range(2):
        assert call("message/read", {"id": made[0]["id"]}) == {"status": "OK"}
    assert call("count")["responseObject"] == {"countUnread": 4}
    unread = call("message/list", {"page": 0, "size": 100, "onlyUnread": True})["responseObject"]
    assert [message["subject"] for message in unread] == ["S4", "S3", "S2", "S1"]
    assert call("message/read-all") == {"status": "OK"}
    assert call("count")["responseObject"] == {"countUnread": 0}
    foreign = admin.get("/inbox", userId="other")["messages"][0]["id"]
    for message_id in (foreign, "unknown"):
        for path in ("detail", "read"):
            refused(400, "INBOX_FAILED", None, call, f"message/{path}", {"id": message_id})
    refused(400, "INBOX_FAILED", None, call, "message/detail", {})
    refused(401, "ERR_AUTHENTICATION", None, device.send, "/api/inbox/count", {})


def test_odd_paging_of_the_inbox(device: Any, token: Any, admin: Any, user: Any) -> None:
    """Everything on one page, and what was asked for is echoed; what cannot be read is a 500."""
    for number in range(3):
        admin.post("/inbox", {"userId": user, "subject": f"S{number}"})

    def call(body: Any) -> Any:
        return device.call_token("/api/inbox/message/list", token, body)

    for members, page, size in (
        ({}, 0, 0),
        ({"page": 0, "size": 0}, 0, 0),
        ({"page": -1, "size": 2}, -1, 2),
        ({"page": 0, "size": 100_000}, 0, 100_000),
    ):
        answer = call({"requestObject": members})
        assert (len(answer["responseObject"]), answer["page"], answer["size"]) == (3, page, size)
    for body in ({}, b"{", {"requestObject": {"page": "one"}}):
        refused(500, "ERROR_GENERIC", None, call, body)
    admin.patch("/config", {"strict": True})
    refused(400, "INBOX_FAILED", None, call, {"requestObject": {"page": -1, "size": 2}})
