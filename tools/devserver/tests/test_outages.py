"""What a client sees while something behind the front end, or in front of it, does not work
(released-servers.md §1, §3, §4).
"""

from __future__ import annotations

import os
import uuid
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from client import Device, ServerError, enc, step

OPERATION = "/api/auth/token/app/operation"
REFUSED = (401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID")
OPERATION_REFUSED = (401, "POWERAUTH_AUTH_FAIL", "Authentication failed")
NO_KEY = (400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE")
NO_ACTIVATION = (400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
NO_ENCRYPTION = (400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")
NO_VAULT = (400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID")
VAULT = ("/pa/v3/vault/unlock", "/pa/vault/unlock", "/pa/vault/unlock")
PIN = "possession_knowledge"


def answer_of(call: Any, *arguments: Any, **options: Any) -> Any:
    """200, or status, code and message of the refusal."""
    try:
        call(*arguments, **options)
    except ServerError as error:
        return error.status, error.code, error.message
    return 200


class Calls:
    """Every call of one device by its name, with what it has prepared before the outage."""

    def __init__(self, device: Any, admin: Any, user: Any) -> None:
        self.device, self.admin = device, admin
        self.token = device.create_token()
        if device.version == "3.3":
            device.fetch_temporary_key(False)
            device.fetch_temporary_key(True)
        self.operation = admin.post("/operations", {"userId": user, "template": "login"})

    def signed(self, path: Any, uri_id: Any, factors: Any = PIN, body: Any = None) -> Any:
        return answer_of(self.device.call_signed, path, uri_id, factors, body or {})

    def with_token(self, path: Any, body: Any = None) -> Any:
        return answer_of(self.device.call_token, path, self.token, body or {})

    def validate(self) -> Any:
        return answer_of(self.device.validate)

    def token_create(self) -> Any:
        return answer_of(self.device.create_token)

    def token_remove(self) -> Any:
        body = {"requestObject": {"tokenId": str(uuid.uuid4())}}
        return self.signed("/pa/v3/token/remove", "/pa/token/remove", "possession", body)

    def remove(self) -> Any:
        return self.signed("/pa/v3/activation/remove", "/pa/activation/remove")

    def vault(self) -> Any:
        return answer_of(self.device.call_encrypted_signed, *VAULT, PIN, {"reason": "ADD_BIOMETRY"})

    def recovery(self) -> Any:
        names = ("/pa/v3/recovery/confirm", "/pa/recovery/confirm", "/pa/recovery/confirm")
        return answer_of(self.device.call_encrypted_signed, *names, PIN, {"recoveryCode": "x"})

    def user_info(self) -> Any:
        return answer_of(self.device.call_encrypted, "/pa/v3/user/info", {}, True)

    def status(self) -> Any:
        return answer_of(self.device.status)

    def server_status(self) -> Any:
        return answer_of(self.device.send, "/pa/v3/status", {})

    def keystore(self) -> Any:
        return answer_of(self.device.fetch_temporary_key, True)

    def oidc(self) -> Any:
        return answer_of(self.device.call_encrypted, "/api/config/oidc", {"providerId": "p"}, False)

    def activate(self) -> Any:
        return answer_of(self.device.activate, "CODE", {"code": "AAAAA-AAAAA-AAAAA-AAAAA"})

    def list(self) -> Any:
        return self.with_token(f"{OPERATION}/list")

    def detail(self) -> Any:
        return self.with_token(f"{OPERATION}/detail", {"requestObject": {"id": self.operation["operationId"]}})

    def history(self) -> Any:
        return self.signed(f"{OPERATION}/history", "/operation/history")

    def approve(self) -> Any:
        body = {"requestObject": {"id": self.operation["operationId"], "data": self.operation["data"]}}
        return self.signed(f"{OPERATION}/authorize", "/operation/authorize", PIN, body)

    def reject(self) -> Any:
        body = {"requestObject": {"id": self.operation["operationId"], "reason": "UNKNOWN"}}
        return self.signed(f"{OPERATION}/cancel", "/operation/cancel", "possession", body)

    def inbox(self) -> Any:
        return self.with_token("/api/inbox/count")

    def push(self) -> Any:
        body = {"requestObject": {"platform": "ios", "token": "AABB"}}
        return self.with_token("/api/push/device/register/token", body)

    def counts(self) -> Any:
        activation = self.admin.activation(self.device)
        operation = self.admin.get(f"/operations/{self.operation['operationId']}")
        return activation["counter"], activation["failedAttempts"], operation["failures"], operation["status"]


@pytest.fixture(params=["3.1", "3.2", "3.3"])
def calls(request: Any, new_device: Any, admin: Any, user: Any) -> Any:
    return Calls(new_device(request.param), admin, user)


BACK_END_DOWN = {
    "server_status": 200,
    "validate": REFUSED,
    "remove": REFUSED,
    "token_create": REFUSED,
    "token_remove": REFUSED,
    "recovery": REFUSED,
    "vault": NO_VAULT,
    "user_info": NO_ENCRYPTION,
    "status": NO_ACTIVATION,
    "activate": NO_ACTIVATION,
    "keystore": NO_KEY,
    "oidc": NO_ENCRYPTION,
    "list": OPERATION_REFUSED,
    "detail": OPERATION_REFUSED,
    "history": OPERATION_REFUSED,
    "reject": OPERATION_REFUSED,
    "approve": (409, "REMOTE_COMMUNICATION_ERROR", "Communication with remote system failed."),
    "inbox": REFUSED,
    "push": REFUSED,
}


def test_back_end_down(calls: Any, admin: Any) -> None:
    """Every endpoint answers as the front end does then; no step, nothing counted, and afterwards all goes on."""
    before = calls.counts()
    admin.post("/faults", {"match": "/", "kind": "backend-down"})
    assert {name: getattr(calls, name)() for name in BACK_END_DOWN} == BACK_END_DOWN
    assert calls.counts() == before
    admin.delete("/faults")
    assert calls.list() == 200 and calls.validate() == 200 and calls.status() == 200 and calls.token_create() == 200


def test_push_server_down(calls: Any, admin: Any) -> None:
    calls.push()
    admin.post("/faults", {"match": "/", "kind": "push-down"})
    assert calls.inbox() == (400, "INBOX_FAILED", "Unable to process inbox request.")
    failed = (400, "PUSH_REGISTRATION_FAILED", "Push registration failed in Mobile Token API component.")
    assert calls.push() == failed
    assert calls.list() == calls.validate() == calls.status() == calls.approve() == 200
    admin.delete("/faults")
    assert calls.inbox() == calls.push() == 200


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize("status", [401, 408, 429, 500, 502, 503, 504])
@pytest.mark.parametrize("kind", ["html", "empty"])
def test_gateway_before_and_after_the_request_was_handled(
    device: Any, admin: Any, kind: Any, status: Any, process: Any
) -> None:
    parameters = {"status": status, "process": process, "retryAfter": 7}
    admin.fault("/pa/v3/signature/validate", kind, **parameters)
    body = b'{"requestObject":{"reason":"VALIDATE_PASSWORD"}}'
    header = device.signature_header(PIN, "/pa/signature/validate", body)
    response = device.raw("/pa/v3/signature/validate", body, header)
    assert (response.status_code, response.headers["retry-after"]) == (status, "7")
    if kind == "html":
        assert response.headers["content-type"].startswith("text/html") and f"<h1>{status} " in response.text
    else:
        assert response.content == b""
    assert admin.activation(device)["counter"] == (1 if process else 0)


def test_retry_after_is_only_sent_where_it_is_wanted(device: Any, admin: Any) -> None:
    admin.fault("/pa/v3/status", "html", status=503)
    assert "retry-after" not in device.raw("/pa/v3/status", {}).headers
    admin.fault("/pa/v3/status", "empty", status=429, retryAfter="Wed, 21 Oct 2026 07:28:00 GMT")
    assert device.raw("/pa/v3/status", {}).headers["retry-after"] == "Wed, 21 Oct 2026 07:28:00 GMT"


@pytest.mark.parametrize("version", ["3.1", "3.2", "3.3"])
def test_withdrawn_version(http: Any, admin: Any, user: Any, version: Any) -> None:
    """Tokens go on working; a signature with PIN costs an attempt, and in 3.3 there is no new temporary key."""
    name = f"app-{uuid.uuid4()}"
    application = admin.post("/applications", {"applicationId": name})
    record = admin.post("/activations", {"userId": user, "applicationId": name, "commitPhase": "ON_KEY_EXCHANGE"})
    device = Device(http, application["sdkConfig"], version)
    device.activate("CODE", {"code": record["activationCode"]})
    calls = Calls(device, admin, user)
    admin.patch(f"/applications/{name}/versions/default", {"supported": False})
    counter, attempts, _, _ = calls.counts()
    assert calls.list() == calls.inbox() == 200
    assert calls.keystore() == NO_KEY
    assert calls.validate() == REFUSED and calls.counts()[:2] == (counter, attempts + 1)
    assert calls.token_create() == REFUSED and calls.counts()[:2] == (counter, attempts + 1), "possession costs nothing"
    assert calls.approve() == OPERATION_REFUSED and calls.counts()[:3] == (counter, attempts + 2, 1)
    assert calls.vault() == REFUSED and calls.counts()[:2] == (counter, attempts + 2)
    assert calls.user_info() == NO_ENCRYPTION
    assert calls.status() == 200
    admin.patch(f"/applications/{name}/versions/default", {"supported": True})
    assert calls.validate() == calls.list() == 200 and calls.counts()[1] == 0


IN_NO_USE = {
    "validate": REFUSED,
    "remove": REFUSED,
    "token_create": REFUSED,
    "recovery": REFUSED,
    "list": OPERATION_REFUSED,
    "history": OPERATION_REFUSED,
    "reject": OPERATION_REFUSED,
    "inbox": REFUSED,
    "push": REFUSED,
    "user_info": NO_ENCRYPTION,
    "vault": REFUSED,
    "status": 200,
}


def check_no_use(calls: Any, keystore: Any) -> None:
    before = calls.counts()
    assert {name: getattr(calls, name)() for name in IN_NO_USE} == IN_NO_USE
    assert calls.keystore() == keystore
    assert calls.counts() == before


def test_blocked(calls: Any, admin: Any) -> None:
    """One message for all; tokens live again after the unblocking."""
    path = f"/activations/{calls.device.activation_id}"
    admin.post(f"{path}/block")
    check_no_use(calls, 200)
    admin.post(f"{path}/unblock")
    assert calls.list() == calls.validate() == calls.inbox() == 200


def test_removed(calls: Any, admin: Any) -> None:
    admin.post(f"/activations/{calls.device.activation_id}/remove")
    check_no_use(calls, NO_KEY)


@pytest.mark.parametrize("version", ["3.1", "3.2", "3.3"])
def test_pending_commit(http: Any, admin: Any, sdk_config: Any, user: Any, version: Any) -> None:
    record = admin.post("/activations", {"userId": user})
    device = Device(http, sdk_config, version)
    device.activate("CODE", {"code": record["activationCode"]})
    if version == "3.3":
        with pytest.raises(ServerError) as error:
            device.fetch_temporary_key(True)
        assert (error.value.status, error.value.code, error.value.message) == NO_KEY
    before = admin.activation(device)
    assert answer_of(device.validate) == REFUSED
    assert answer_of(device.call_signed, f"{OPERATION}/history", "/operation/history", PIN, {}) == OPERATION_REFUSED
    if version != "3.3":
        assert answer_of(device.create_token) == REFUSED
        assert answer_of(device.call_encrypted, "/pa/v3/user/info", {}, True) == NO_ENCRYPTION
    assert admin.activation(device) == before
    admin.post(f"/activations/{device.activation_id}/commit")
    device.validate()
    device.create_token()


def ahead(device: Any, steps: Any) -> None:
    for _ in range(steps):
        device.counter = step(device.counter)


@pytest.mark.parametrize("look_ahead", [1, 5, 10, 20, 64])
def test_look_ahead_is_enforced_on_line(new_device: Any, admin: Any, look_ahead: Any) -> None:
    admin.patch("/config", {"lookAhead": look_ahead})
    device = new_device()
    ahead(device, look_ahead - 1)
    device.validate()
    assert admin.activation(device)["counter"] == look_ahead
    assert device.status()["lookAhead"] == look_ahead
    ahead(device, look_ahead)
    assert answer_of(device.validate) == REFUSED
    seen = admin.activation(device)
    assert (seen["counter"], seen["failedAttempts"]) == (look_ahead, 1)


@pytest.mark.parametrize("look_ahead", [1, 5, 20, 64])
def test_look_ahead_is_enforced_off_line(device: Any, admin: Any, look_ahead: Any) -> None:
    admin.patch("/config", {"lookAhead": look_ahead})
    nonce = enc(os.urandom(16))

    def verify() -> Any:
        code = device.offline_code("op&A1", nonce)
        request = {"activationId": device.activation_id, "operationId": "op", "data": "A1", "nonce": nonce}
        return admin.post("/offline/verify", {**request, "code": code})

    ahead(device, look_ahead - 1)
    assert verify()["valid"] and admin.activation(device)["counter"] == look_ahead
    ahead(device, look_ahead)
    assert not verify()["valid"]
    seen = admin.activation(device)
    assert (seen["counter"], seen["failedAttempts"]) == (look_ahead, 1)


@pytest.mark.parametrize("distance,alive", [(21, True), (40, True), (63, True), (64, False), (70, False)])
def test_rescue_by_a_wider_look_ahead(device: Any, admin: Any, distance: Any, alive: Any) -> None:
    """`fact-deadlock-rescue.json`: with 64 for a while a device up to 63 ahead is in step again, also with 20 later."""
    ahead(device, distance - 1)
    assert answer_of(device.validate, "possession") == REFUSED  # and this signature is one step more
    admin.patch("/config", {"lookAhead": 64})
    assert (answer_of(device.validate) == 200) is alive
    admin.patch("/config", {"lookAhead": 20})
    assert (answer_of(device.validate) == 200) is alive


def test_the_date_follows_the_clock_of_the_server(device: Any, admin: Any) -> None:
    admin.put("/clock", {"offsetMs": 86_400_000})
    answer = device.raw("/pa/v3/status", {})
    date = parsedate_to_datetime(answer.headers["date"]).timestamp() * 1000
    assert abs(date - answer.json()["responseObject"]["serverTime"]) < 2000
    admin.fault("/pa/v3/status", "html")
    date = parsedate_to_datetime(device.raw("/pa/v3/status", {}).headers["date"]).timestamp() * 1000
    assert abs(date - admin.get("/clock")["now"]) < 2000
