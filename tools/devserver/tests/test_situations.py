"""Situations of released-servers.md that no other file plays; the table in the README names the test of each."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any

import httpx
import pytest
from client import Device, ServerError, enc, step

OPERATION = "/api/auth/token/app/operation"
PIN = "possession_knowledge"
REFUSED = (401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID")
OPERATION_REFUSED = (401, "POWERAUTH_AUTH_FAIL", "Authentication failed")
NO_ACTIVATION = (400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
GENERIC = (500, "ERROR_GENERIC", "Unknown error occurred while processing request.")


def answer_of(call: Any, *arguments: Any, **options: Any) -> Any:
    """200, or status, code and message of the refusal."""
    try:
        call(*arguments, **options)
    except ServerError as error:
        return error.status, error.code, error.message
    return 200


# Tokens


def test_every_fault_of_a_token(new_device: Any, admin: Any) -> None:
    """One answer for all: in the words of operations, of inbox and push, and of a bank's own endpoint."""
    device = new_device()
    token = device.create_token()

    def changed(name: Any, value: Any) -> Any:
        text = device.token_header(token)["X-PowerAuth-Token"]
        start = text.index(f'{name}="') + len(name) + 2
        return {"X-PowerAuth-Token": text[:start] + value + text[text.index('"', start) :]}

    used = device.token_header(token)
    device.send("/api/inbox/count", {}, used)
    signature = device.signature_header(PIN, "/operation/list", b"{}")
    for headers in (
        {},
        signature,
        used,
        changed("token_digest", enc(os.urandom(32))),
        changed("token_digest", "AAAA"),
        changed("token_id", str(uuid.uuid4())),
        changed("token_id", "none"),
        changed("nonce", enc(os.urandom(16))),
        changed("nonce", enc(os.urandom(8))),
        changed("version", "3.1"),
        changed("version", "2.1"),
        changed("timestamp", "1"),
        changed("timestamp", "soon"),
    ):
        for path, expected in (
            (f"{OPERATION}/list", OPERATION_REFUSED),
            (f"{OPERATION}/detail", OPERATION_REFUSED),
            ("/api/inbox/count", REFUSED),
            ("/api/push/device/register/token", REFUSED),
            ("/api/test/token", REFUSED),
        ):
            assert answer_of(device.send, path, {}, headers) == expected, (path, headers)
    assert admin.activation(device)["failedAttempts"] == 0


def test_token_remove(device: Any) -> None:
    """An unknown or foreign token is a success; without an id it is a 401, and without JSON a 500."""

    def call(body: Any) -> Any:
        return answer_of(device.call_signed, "/pa/v3/token/remove", "/pa/token/remove", "possession", body)

    assert call({"requestObject": {"tokenId": str(uuid.uuid4())}}) == 200
    assert call({"requestObject": {"tokenId": "no UUID"}}) == 200
    assert call({"requestObject": {}}) == call({}) == REFUSED
    assert call(b"no json") == GENERIC


def test_a_key_of_no_version(device: Any, admin: Any) -> None:
    """As a withdrawn version: signatures fail, and with PIN they cost an attempt; the token has no such key."""
    token = device.create_token()
    device.sdk.key = enc(os.urandom(16))
    assert answer_of(device.validate) == answer_of(device.validate, "possession") == REFUSED
    assert answer_of(device.fetch_temporary_key, True)[1] == "ERR_TEMPORARY_KEY"
    device.call_token(f"{OPERATION}/list", token)
    assert admin.activation(device)["failedAttempts"] == 1


# Activation


def test_one_answer_for_all_failed_activations(http: Any, sdk_config: Any, admin: Any, user: Any) -> None:
    record = admin.post("/activations", {"userId": user})

    def activate(kind: Any = "CODE", identity: Any = None, layer2: Any = None) -> Any:
        identity = identity if identity is not None else {"code": record["activationCode"]}
        return answer_of(Device(http, sdk_config).activate, kind, identity, layer2=layer2)

    assert activate(identity={"code": "AAAAA-AAAAA-AAAAA-AAAAA"}) == NO_ACTIVATION
    assert activate(identity={}) == NO_ACTIVATION
    assert activate(layer2={"devicePublicKey": "AAAA"}) == NO_ACTIVATION
    assert activate(layer2={"activationName": "n" * 256}) == NO_ACTIVATION
    assert activate("FUTURE") == NO_ACTIVATION
    for identity in ({"a": "b"}, {"username": ""}, {"username": "u" * 256}):
        assert activate("CUSTOM", identity) == NO_ACTIVATION, "a user is never invented"
    assert activate("CUSTOM", {"username": "u" * 255}) == 200
    admin.patch("/config", {"customActivation": False})
    assert activate("CUSTOM", {"username": user}) == NO_ACTIVATION
    assert activate() == 200
    assert activate() == NO_ACTIVATION


def test_status_of_ids_that_are_none(device: Any) -> None:
    """Any id has an answer that looks like one; only an absent id or a bad challenge is refused."""

    def call(**members: Any) -> Any:
        body = {"requestObject": {"challenge": enc(os.urandom(16)), **members}}
        return device.send("/pa/v3/activation/status", body)["responseObject"]

    for identifier in ("no UUID", str(uuid.uuid4())):
        answer = call(activationId=identifier)
        assert set(answer) == {"activationId", "encryptedStatusBlob", "nonce"} and answer["activationId"] == identifier
    for members in ({}, {"activationId": ""}, {"activationId": "x", "challenge": "AA"}):
        assert answer_of(call, **members) == NO_ACTIVATION
    assert answer_of(call, activationId="x", challenge="***") == NO_ACTIVATION


def test_recovery_code_of_a_user_who_is_another(device: Any, admin: Any) -> None:
    """The signature was right, and yet it is a 401, as for an unknown code."""
    card = admin.post("/recovery-codes", {"userId": "somebody"})
    names = ("/pa/v3/recovery/confirm", "/pa/recovery/confirm", "/pa/recovery/confirm")
    for body in ({"recoveryCode": card["recoveryCode"]}, {"recoveryCode": "x"}, {}):
        assert answer_of(device.call_encrypted_signed, *names, PIN, body) == REFUSED
    assert admin.activation(device)["failedAttempts"] == 0


def recovery_code_of(admin: Any, device: Any) -> Any:
    codes = admin.get("/recovery-codes", userId=admin.activation(device)["userId"])["recoveryCodes"]
    (code,) = [code for code in codes if code["activationId"] == device.activation_id]
    return code


def test_end_of_recovery_codes(http: Any, sdk_config: Any, admin: Any, user: Any) -> None:
    """Used, revoked, or of an activation that never became active: REVOKED, and its valid PUKs INVALID."""
    admin.patch("/config", {"recoveryWithActivation": True})

    def make(**init: Any) -> Any:
        record = admin.post("/activations", {"userId": user, **init})
        device = Device(http, sdk_config)
        device.activate("CODE", {"code": record["activationCode"]})
        return device

    old = make(commitPhase="ON_KEY_EXCHANGE")
    code = recovery_code_of(admin, old)
    identity = {"recoveryCode": code["recoveryCode"], "puk": code["puks"][0]["puk"]}
    new = Device(http, sdk_config)
    new.activate("RECOVERY", identity)
    used = recovery_code_of(admin, old)
    assert (used["state"], used["puks"][0]["state"]) == ("REVOKED", "USED")
    assert admin.activation(old)["state"] == "REMOVED" and recovery_code_of(admin, new)["state"] == "ACTIVE"
    assert answer_of(Device(http, sdk_config).activate, "RECOVERY", identity) == NO_ACTIVATION
    pending = make()
    admin.post(f"/activations/{pending.activation_id}/remove")
    kept, revoked = make(commitPhase="ON_KEY_EXCHANGE"), make(commitPhase="ON_KEY_EXCHANGE")
    admin.post(f"/activations/{kept.activation_id}/remove")
    admin.post(f"/activations/{revoked.activation_id}/remove", {"revokeRecoveryCodes": True})
    for device, state, puk in (
        (pending, "REVOKED", "INVALID"),
        (kept, "ACTIVE", "VALID"),
        (revoked, "REVOKED", "INVALID"),
    ):
        code = recovery_code_of(admin, device)
        assert (code["state"], code["puks"][0]["state"]) == (state, puk)


def test_own_maximum_of_attempts(new_device: Any, new_device4: Any, admin: Any) -> None:
    assert new_device(maxFailedAttempts=100).status()["max"] == 100
    assert new_device4(maxFailedAttempts=100).status()["max"] == 64, "4.0 has no more"
    device = new_device(maxFailedAttempts=3)
    for _ in range(3):
        assert answer_of(device.validate, wrong_pin=True) == REFUSED
    seen = admin.activation(device)
    assert (seen["state"], seen["blockReason"]) == ("BLOCKED", "MAX_FAILED_ATTEMPTS")


# Members of another kind

SCALARS = [(b"7", "7"), (b"true", "true"), (b"1.50", "1.50"), (b"-1e3", "-1e3")]
NO_TEXT = [b"[]", b'["x"]', b"{}"]


def test_scalars_are_texts(new_device: Any, http: Any, sdk_config: Any, admin: Any, user: Any) -> None:
    """As the released servers read them. A list or an object is a 500; inside of encryption, the endpoint's error."""
    device = new_device()

    def cancel(operation_id: bytes, reason: bytes = b'"UNKNOWN"') -> Any:
        body = b'{"requestObject":{"id":%b,"reason":%b}}' % (operation_id, reason)
        return answer_of(device.call_signed, f"{OPERATION}/cancel", "/operation/cancel", "possession", body)

    def activate(name: Any) -> Any:
        record = admin.post("/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})
        fresh = Device(http, sdk_config)
        answer = answer_of(fresh.activate, "CODE", {"code": record["activationCode"]}, layer2={"activationName": name})
        return answer if answer != 200 else admin.activation(fresh)["name"]

    for written, text in SCALARS:
        operation = admin.post("/operations", {"userId": user, "template": "login"})["operationId"]
        assert cancel(b'"%b"' % operation.encode(), written) == 200
        assert admin.get(f"/operations/{operation}")["rejectReason"] == text
        assert cancel(written)[1] == "INVALID_OPERATION"
        answer = device.send("/pa/v3/activation/status", b'{"requestObject":{"activationId":%b}}' % written)
        assert answer["responseObject"]["activationId"] == text
    assert activate(7) == "7" and activate(False) == "false"
    for written in NO_TEXT:
        assert cancel(written) == cancel(b'"x"', written) == GENERIC
        assert activate(json.loads(written)) == NO_ACTIVATION


def test_texts_of_refusals(device: Any, admin: Any, user: Any) -> None:
    """Word for word, with their full stops and without."""

    def cancel(**members: Any) -> Any:
        names = (f"{OPERATION}/cancel", "/operation/cancel", "possession")
        return answer_of(device.call_signed, *names, {"requestObject": {"reason": "UNKNOWN", **members}})

    operation = admin.post("/operations", {"userId": user, "template": "login"})["operationId"]
    admin.post(f"/operations/{operation}/expire")
    unknown = "Operation not found or is in an unexpected state"
    absent = "Request validation error: Operation ID must not be null when requesting operation detail"
    assert cancel(id=operation) == (400, "OPERATION_EXPIRED", "Operation already expired")
    assert cancel(id=str(uuid.uuid4())) == (400, "INVALID_OPERATION", unknown)
    assert cancel() == (400, "INVALID_REQUEST", absent)
    assert cancel(id="") == (400, "INVALID_REQUEST", absent.replace("null", "empty"))
    detail = answer_of(device.call_token, f"{OPERATION}/detail", device.create_token(), {"requestObject": {}})
    assert detail == (400, "INVALID_REQUEST", absent)


# Refusals that are not wrong PIN

APPROVE = (f"{OPERATION}/authorize", "/operation/authorize")


def approval(admin: Any, device: Any, user: Any) -> Any:
    application = device.suite if device.version == "4.0" else None
    made = admin.post("/operations", {"userId": user, "template": "login", "applicationId": application})
    return {"requestObject": {"id": made["operationId"], "data": made["data"]}}


def onboarding(admin: Any, device: Any, user: Any) -> Any:
    admin.patch(f"/activations/{device.activation_id}", {"flags": ["VERIFICATION_PENDING"]})
    return answer_of(device.call_signed, *APPROVE, PIN, approval(admin, device, user))


def unknown_recovery_code(admin: Any, device: Any, user: Any) -> Any:
    names = ("/pa/v3/recovery/confirm", "/pa/recovery/confirm", "/pa/recovery/confirm")
    return answer_of(device.call_encrypted_signed, *names, PIN, {"recoveryCode": "x"})


def refused_unread(admin: Any, device: Any, user: Any) -> Any:
    admin.fault(APPROVE[0], "status", status=401, code="POWERAUTH_AUTH_FAIL", message="Authentication failed")
    return answer_of(device.call_signed, *APPROVE, PIN, approval(admin, device, user))


def three_factors(admin: Any, device: Any, user: Any) -> Any:
    return answer_of(device.call_signed, *APPROVE, "possession_knowledge_biometry", approval(admin, device, user))


def wrong_pin(admin: Any, device: Any, user: Any) -> Any:
    return answer_of(device.call_signed, *APPROVE, PIN, approval(admin, device, user), wrong_pin=True)


@pytest.mark.parametrize("earlier", [0, 1])
@pytest.mark.parametrize("version", ["3.1", "3.3", "4.0"])
@pytest.mark.parametrize(
    "situation,steps,attempts",
    [
        (onboarding, 1, 0),
        (unknown_recovery_code, 1, 0),
        (refused_unread, 0, 0),
        (three_factors, 0, 0),
        (wrong_pin, 0, 1),
    ],
)
def test_refusals_with_a_right_pin(
    new_device: Any,
    new_device4: Any,
    admin: Any,
    user: Any,
    version: Any,
    situation: Any,
    steps: Any,
    attempts: Any,
    earlier: Any,
) -> None:
    """All are a 401; only status and counter tell which of them took the signature, and which the PIN."""
    if version == "4.0" and situation is unknown_recovery_code:
        pytest.skip("4.0 has no recovery codes")
    device = new_device4() if version == "4.0" else new_device(version)
    for _ in range(earlier):
        assert answer_of(device.validate, wrong_pin=True)[0] == 401
    before = admin.activation(device)
    assert situation(admin, device, user)[0] == 401
    after = admin.activation(device)
    assert after["counter"] - before["counter"] == (steps + earlier if steps else 0), "what was skipped counts too"
    assert after["failedAttempts"] == (0 if steps else earlier + attempts)


# Counters


@pytest.mark.parametrize("spell", ["blocked", "back end down", "version withdrawn"])
def test_calls_that_the_server_does_not_count(http: Any, admin: Any, user: Any, spell: Any) -> None:
    """Twenty signed calls for nothing, and the device is out of step for good; nineteen are forgiven."""
    name = f"app-{uuid.uuid4()}"
    application = admin.post("/applications", {"applicationId": name})
    for calls, alive in ((19, True), (20, False)):
        record = admin.post("/activations", {"userId": user, "applicationId": name, "commitPhase": "ON_KEY_EXCHANGE"})
        device = Device(http, application["sdkConfig"])
        device.activate("CODE", {"code": record["activationCode"]})
        path = f"/activations/{device.activation_id}"
        if spell == "blocked":
            admin.post(f"{path}/block")
        elif spell == "back end down":
            admin.post("/faults", {"match": "/", "kind": "backend-down"})
        else:
            admin.patch(f"/applications/{name}/versions/default", {"supported": False})
        assert {answer_of(device.validate, "possession") for _ in range(calls)} == {REFUSED}
        admin.post(f"{path}/unblock")
        admin.delete("/faults")
        admin.patch(f"/applications/{name}/versions/default", {"supported": True})
        assert (answer_of(device.validate) == 200) is alive


@pytest.mark.parametrize("look_ahead", [10, 20, 64])
def test_distances_that_a_status_tells(device: Any, admin: Any, look_ahead: Any) -> None:
    """`fact-counter-distances.json`: what a client sees of itself and of the server at the edges of the window."""
    admin.patch("/config", {"lookAhead": look_ahead})
    admin.post(f"/activations/{device.activation_id}/counter", {"steps": look_ahead - 1})
    assert device.status()["distance"] == look_ahead - 1, "the server is ahead, and the device can follow"
    admin.post(f"/activations/{device.activation_id}/counter", {"steps": 1})
    assert device.status()["distance"] == -1, "too far"
    for _ in range(2 * look_ahead):
        device.counter = step(device.counter)
    assert device.status()["distance"] == -1, "the device is ahead by the whole window"
    assert answer_of(device.validate) == REFUSED


# Operations


def test_lists_end_after_a_hundred(device: Any, admin: Any, user: Any) -> None:
    for _ in range(101):
        admin.post("/operations", {"userId": user, "name": "raw", "data": "A0"})
    token = device.create_token()
    assert len(device.call_token(f"{OPERATION}/list", token)["responseObject"]) == 100
    history = device.call_signed(f"{OPERATION}/history", "/operation/history", PIN, {})
    assert len(history["responseObject"]) == 100


def test_anybody_may_take_what_is_nobodys(device: Any, admin: Any, user: Any) -> None:
    """An operation without a user may be read, approved and rejected by anyone."""
    token = device.create_token()
    first, second = (admin.post("/operations", {"template": "login"}) for _ in range(2))
    body = {"requestObject": {"id": first["operationId"], "data": first["data"]}}
    device.call_token(f"{OPERATION}/detail", token, body)
    device.call_signed(f"{OPERATION}/authorize", "/operation/authorize", PIN, body)
    body = {"requestObject": {"id": second["operationId"], "reason": "UNKNOWN"}}
    device.call_signed(f"{OPERATION}/cancel", "/operation/cancel", "possession", body)
    states = [admin.get(f"/operations/{row['operationId']}") for row in (first, second)]
    assert [(row["status"], row["userId"]) for row in states] == [("APPROVED", user), ("REJECTED", None)]


# Bodies, methods, headers


def test_bodies_that_are_no_json(device: Any) -> None:
    """A 500 where a plain or signed body is read, the endpoint's own error where it is encrypted, nothing
    where it is not read.
    """
    token = device.create_token()
    encryption = device.encryption_header(True)

    def signed(path: Any, uri_id: Any, factors: Any = "possession") -> Any:
        return answer_of(device.call_signed, path, uri_id, factors, b"no json")

    assert answer_of(device.send, "/pa/v3/keystore/create", b"no json") == GENERIC
    assert answer_of(device.send, "/pa/v3/activation/status", b"no json") == GENERIC
    assert signed("/pa/v3/vault/unlock", "/pa/vault/unlock", PIN) == GENERIC
    assert signed("/pa/v3/token/remove", "/pa/token/remove") == GENERIC
    assert signed("/pa/v3/token/create", "/pa/token/create") == GENERIC
    assert signed(f"{OPERATION}/authorize", "/operation/authorize", PIN) == GENERIC
    assert signed(f"{OPERATION}/cancel", "/operation/cancel") == GENERIC
    failed = (400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")
    assert answer_of(device.send, "/pa/v3/user/info", b"no json", encryption) == failed
    assert answer_of(device.send, "/api/config/oidc", b"no json", device.encryption_header(False)) == failed
    assert answer_of(device.send, "/pa/v3/status", b"no json") == 200
    assert answer_of(device.call_token, f"{OPERATION}/list", token, b"no json") == 200
    assert signed(f"{OPERATION}/history", "/operation/history", PIN) == 200


def test_other_content_types(device: Any) -> None:
    """Nobody looks at the type of a body that is not read."""
    plain = {"Content-Type": "text/plain"}
    token = device.create_token()
    assert answer_of(device.send, "/pa/v3/status", b"{}", plain) == 200
    assert answer_of(device.call_token, f"{OPERATION}/list", token, b"{}", plain) == 200
    response = device.raw("/pa/v3/activation/status", b"{}", plain)
    assert (response.status_code, response.json()["responseObject"]["code"]) == (415, "ERROR_GENERIC")


@pytest.mark.parametrize("path", ["/pa/v3/status", "/pa/v3/keystore/create", f"{OPERATION}/list", "/api/inbox/count"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_wrong_methods(device: Any, path: Any, method: Any) -> None:
    response = device.raw(path, b"", method=method)
    assert (response.status_code, response.json()["responseObject"]["code"]) == (500, "ERROR_GENERIC")


def test_unknown_path(device: Any) -> None:
    assert answer_of(device.send, "/pa/v3/nothing", {}) == (404, "ERROR_NOT_FOUND", "Resource not found.")
    assert answer_of(device.send, "/api/activation/code", {}) == (404, "ERROR_NOT_FOUND", "Resource not found.")


@pytest.mark.parametrize("accept,status", [("application/xml", 406), ("text/html, image/*", 406), ("*/*;q=0.1", 200)])
def test_accept(device: Any, accept: Any, status: Any) -> None:
    response = device.raw("/pa/v3/status", {}, {"Accept": accept})
    assert response.status_code == status and (response.content == b"") is (status == 406)


def test_unknown_members_of_plain_requests(device: Any, admin: Any, user: Any) -> None:
    body = {"requestObject": {"activationId": device.activation_id, "more": 1}, "more": {"a": []}}
    assert answer_of(device.send, "/pa/v3/activation/status", body) == 200
    operation = admin.post("/operations", {"userId": user, "template": "login"})
    named = {"id": operation["operationId"], "data": operation["data"], "more": 1}
    body = {"requestObject": named, "more": None}
    assert answer_of(device.call_signed, f"{OPERATION}/authorize", "/operation/authorize", PIN, body) == 200
    names = ("/pa/v3/token/create", "/pa/token/create", "/pa/token/create")
    assert answer_of(device.call_encrypted_signed, *names, "possession", {"more": 1}) == 200


def test_correlation_id_is_seen_by_tests(device: Any, admin: Any) -> None:
    device.send("/pa/v3/status", {}, {"X-Correlation-ID": "abcdefgh-1"})
    assert admin.get("/requests", path="/pa/v3/status")["requests"][-1]["headers"]["x-correlation-id"] == "abcdefgh-1"


def test_two_providers_of_one_host(device: Any, admin: Any) -> None:
    """Released servers fail with the second; here both are known."""
    for name in ("first", "second"):
        provider = {"clientId": name, "clientSecret": "s", "issuerUri": "https://idp.example", "redirectUri": "app://x"}
        admin.put(f"/applications/demo/oidc/{name}", provider)
    for name in ("first", "second"):
        answer = device.call_encrypted("/api/config/oidc", {"providerId": name}, False)
        assert answer["responseObject"]["clientId"] == name
        admin.delete(f"/applications/demo/oidc/{name}")


def test_oidc_plaintext(device: Any) -> None:
    """As user info: what is not known there is refused."""
    for payload in ({"providerId": "p", "more": 1}, {"requestObject": {"providerId": "p"}}):
        answer = answer_of(device.call_encrypted, "/api/config/oidc", payload, False)
        assert answer == (400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")


def test_second_push_platform(device: Any, admin: Any) -> None:
    """Released servers store the new token under the first platform's name; here under its own."""
    token = device.create_token()
    for platform in ("ios", "android"):
        body = {"requestObject": {"platform": platform, "token": platform}}
        device.call_token("/api/push/device/register/token", token, body)
    push = admin.activation(device)["push"]
    assert (push["platform"], push["token"]) == ("fcm", "android")


# Time


def test_clock_of_a_device_that_jumps_ahead(new_device: Any) -> None:
    """3.3 and 3.2 fail above a minute, 3.1 tokens stand half an hour; back in time, all is right again."""
    for version, jumped in (("3.3", False), ("3.2", False), ("3.1", True)):
        device = new_device(version)
        token = device.create_token()
        device.clock_offset = 90_000
        assert (answer_of(device.call_token, "/api/inbox/count", token) == 200) is jumped
        assert (answer_of(device.create_token) == 200) is jumped
        device.clock_offset = 0
        assert answer_of(device.call_token, "/api/inbox/count", token) == answer_of(device.create_token) == 200


def test_life_of_a_temporary_key(device: Any, admin: Any) -> None:
    key = device.fetch_temporary_key(True)
    assert key["exp_ms"] - key["iat_ms"] == 300_000
    device.create_token()
    admin.put("/clock", {"offsetMs": 300_000})
    device.clock_offset = 300_000
    assert answer_of(device.create_token) == REFUSED
    device.temporary.clear()
    device.create_token()


@pytest.mark.parametrize("steps,status", [(0, 200), (1, 200), (2, 401), (3, 401)])
def test_proximity_code_some_steps_later(device: Any, admin: Any, user: Any, steps: Any, status: Any) -> None:
    """`fact-time-windows.json`."""
    operation = admin.post("/operations", {"userId": user, "template": "login_qr"})
    totp = admin.get(f"/operations/{operation['operationId']}/totp")["totp"]
    admin.put("/clock", {"offsetMs": 30_000 * steps})
    named = {"id": operation["operationId"], "data": operation["data"], "proximityCheck": {"otp": totp}}
    body = json.dumps({"requestObject": named}).encode()
    header = device.signature_header(PIN, "/operation/authorize", body)
    assert device.raw(f"{OPERATION}/authorize", body, header).status_code == status


# Outages


def test_database_down(device: Any, admin: Any) -> None:
    """The first call that needs it is refused, then there is no answer at all."""
    token = device.create_token()
    admin.post("/faults", {"match": OPERATION, "kind": "database-down"})
    assert answer_of(device.call_token, f"{OPERATION}/list", token) == OPERATION_REFUSED
    headers = {**device.token_header(token), "Content-Type": "application/json"}
    with pytest.raises(httpx.ReadTimeout):
        device.http.post(f"{OPERATION}/list", content=b"{}", headers=headers, timeout=0.2)
    admin.delete("/faults")
    device.call_token(f"{OPERATION}/list", token)


# Host and origin


@pytest.mark.parametrize("path", ["/admin/config", "/console", "/console/console.js"])
def test_foreign_hosts_and_origins(http: Any, path: Any) -> None:
    """A web page from elsewhere reaches neither the admin API nor the console."""
    own = http.base_url.netloc.decode()
    port = own.rpartition(":")[2]
    for headers in (
        {"Host": "evil.example"},
        {"Host": f"evil.example:{port}"},
        {"Host": f"127.0.0.1.evil.example:{port}"},
        {"Host": "[::1"},
        {"Origin": "https://evil.example"},
        {"Origin": f"http://localhost:{port}"},
        {"Origin": "null"},
        {"Origin": f"http://{own}1"},
    ):
        assert http.get(path, headers=headers).status_code == 403, headers
    for headers in ({"Host": f"localhost:{port}"}, {"Host": f"[::1]:{port}"}, {"Origin": f"http://{own}"}):
        assert http.get(path, headers=headers).status_code == 200, headers


def test_foreign_origin_changes_nothing(http: Any, admin: Any) -> None:
    response = http.patch("/admin/config", json={"lookAhead": 7}, headers={"Origin": "https://evil.example"})
    assert response.status_code == 403 and admin.get("/config")["lookAhead"] == 20


def test_devices_may_use_any_host(http: Any) -> None:
    """The check is the console's and the admin API's; a device may come through any gateway."""
    response = http.post("/pa/v3/status", json={}, headers={"Host": "bank.example", "Origin": "https://app.example"})
    assert response.status_code == 200


def test_content_security_policy(http: Any) -> None:
    for path in ("/console", "/console/live/overview", "/console/console.js", "/admin/config"):
        policy = http.get(path).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; ") and "frame-ancestors 'none'" in policy
    assert "content-security-policy" not in http.post("/pa/v3/status", json={}).headers
