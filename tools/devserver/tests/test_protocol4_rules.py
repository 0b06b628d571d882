"""What the server counts, moves, refuses and tells in protocol 4.0 (powerauth4.md §23)."""

from __future__ import annotations

import json
import os
from typing import Any

import httpx
import pytest
from client import Device, ServerError, dec, enc
from client4 import Device4, Exchange, kdf, kmac
from test_protocol4 import BASE, BIO, PIN, code_refused, refused

VALIDATE = ("/pa/v4/auth/validate", "/pa/auth/validate")
BODY: Any = {"requestObject": {}}


def counted(admin: Any, device: Any) -> tuple[int, int]:
    seen = admin.activation(device)
    return seen["counter"], seen["failedAttempts"]


# Codes and the counter


def test_look_ahead(new_device4: Any, admin: Any) -> None:
    for wrong, accepted in ((19, True), (20, False)):
        device = new_device4(maxFailedAttempts=64)
        for _ in range(wrong):
            code_refused(device.validate, wrong_pin=True)
        assert counted(admin, device) == (1, wrong)
        if accepted:
            device.validate()
            assert counted(admin, device) == (21, 0)
        else:
            code_refused(device.validate)


def test_possession_counts_nothing(device4: Any, admin: Any) -> None:
    device = device4
    code_refused(device.validate, wrong_pin=True)
    code_refused(device.validate, "possession", keys={"possession": os.urandom(32)})
    assert counted(admin, device) == (1, 1)
    device.validate("possession")
    assert admin.activation(device)["failedAttempts"] == 1
    device.validate(BIO)
    assert admin.activation(device)["failedAttempts"] == 0


def test_blocking(device4: Any, admin: Any) -> None:
    for _ in range(5):
        code_refused(device4.validate, wrong_pin=True)
    assert device4.status()["status"] == 4
    code_refused(device4.validate)
    assert counted(admin, device4) == (1, 5)
    admin.post(f"/activations/{device4.activation_id}/unblock")
    device4.validate()


def test_active_without_attempts_left(device4: Any, admin: Any) -> None:
    """The failures have reached the maximum without a code that blocked: the next one blocks, and is not checked."""
    for factors in (PIN, "possession"):
        admin.patch(f"/activations/{device4.activation_id}", {"failedAttempts": 5})
        before = counted(admin, device4)
        assert before[1] == 5 and device4.status()["status"] == 3
        code_refused(device4.validate, factors)
        assert counted(admin, device4) == before and device4.status()["status"] == 4
        admin.post(f"/activations/{device4.activation_id}/unblock")
        device4.validate(factors)


def test_types(device4: Any, admin: Any) -> None:
    wrong = (401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_TYPE_INVALID")
    for factors in ("knowledge", "biometry"):
        refused(*wrong, device4.validate, factors)
    for path, factors in {
        "/pa/v4/activation/remove": "possession",
        "/pa/v4/password/change": BIO,
        "/pa/v4/biometry/add": "possession",
        "/pa/v4/biometry/remove": PIN,
        "/pa/v4/upgrade/confirm": PIN,
    }.items():
        refused(*wrong, device4.call_signed, path, path.replace("/v4", ""), factors, BODY)
    assert counted(admin, device4) == (1, 0)
    admin.patch("/config", {"removeWithOneFactor": True})
    device4.call_signed("/pa/v4/activation/remove", "/pa/activation/remove", "possession", BODY)
    assert admin.activation(device4)["state"] == "REMOVED"


def test_biometry_that_is_off(new_device4: Any, admin: Any) -> None:
    device = new_device4(confirm=False)
    device.confirm(biometry=False)
    code_refused(device.validate, BIO)
    assert counted(admin, device) == (1, 0) and device.status()["flags"] == 0


def test_withdrawn_version_counts(device4: Any, admin: Any, applications4: Any) -> None:
    version = admin.post("/applications/EC_P384/versions", {"name": "old"})
    admin.patch("/applications/EC_P384/versions/old", {"supported": False})
    device4.sdk.key, device4.sdk.secret = version["appKey"], version["appSecret"]
    code_refused(device4.validate)
    assert counted(admin, device4) == (1, 1)
    code_refused(device4.validate, "possession")
    assert counted(admin, device4) == (1, 1)


def test_replays_are_refused(device4: Any, admin: Any) -> None:
    header = device4.signature_header(PIN, VALIDATE[1], b"{}")
    device4.send(VALIDATE[0], b"{}", header)
    code_refused(device4.send, VALIDATE[0], b"{}", header)


def test_every_method(device4: Any) -> None:
    for method in ("POST", "PUT", "DELETE"):
        device4.send(VALIDATE[0], b"{}", device4.signature_header(PIN, VALIDATE[1], b"{}", method), method)
    header = device4.signature_header(PIN, VALIDATE[1], b"a=1&b=2", "GET")
    device4.send(f"{VALIDATE[0]}?b=2&a=1", b"", header, "GET")


def test_headers(device4: Any, admin: Any) -> None:
    path, uri = VALIDATE
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_HTTP_HEADER_MISSING", device4.send, path, BODY)
    good = device4.signature_header(PIN, uri, b"{}")["X-PowerAuth-Authorization"]
    for old, new in (
        ('pa_version="4.0"', 'pa_version="3.3"'),
        ("pa_auth_code_type", "pa_signature_type"),
        ('pa_auth_code="', 'pa_auth_code="AAAA'),
        ("pa_nonce", "nonce"),
        ("PowerAuth ", "Bearer "),
    ):
        header = {"X-PowerAuth-Authorization": good.replace(old, new, 1)}
        refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_REQUEST_INVALID", device4.send, path, b"{}", header)
    device4.send(path, b"{}", {"X-PowerAuth-Authorization": good})
    assert counted(admin, device4) == (2, 0)


# The two protocols never mix


def test_an_activation_speaks_one_protocol(
    device: Any, device4: Any, http: Any, admin: Any, applications4: Any, user: Any
) -> None:
    """A device of 3.3 that names an activation of 4.0, and the reverse."""
    legacy = Device(http, admin.get("/applications/demo")["sdkConfig"])
    legacy.__dict__.update({**device.__dict__, "activation_id": device4.activation_id})
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", legacy.validate)
    assert legacy.status() is None
    refused(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", legacy.fetch_temporary_key, True)
    modern = Device4(http, applications4["EC_P384"]["sdkConfig"])
    modern.__dict__.update({**device4.__dict__, "activation_id": device.activation_id})
    code_refused(modern.validate)
    refused(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", modern.fetch_temporary_key, True)
    header = device.signature_header(PIN, VALIDATE[1], b"{}")
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_REQUEST_INVALID", device.send, VALIDATE[0], b"{}", header)
    header = device4.signature_header(PIN, "/pa/signature/validate", b"{}")
    refused(
        *(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"),
        *(device4.send, "/pa/v3/signature/validate", b"{}", header),
    )
    assert counted(admin, device4)[1] == counted(admin, device)[1] == 0


def test_tokens_do_not_change_their_version(device: Any, device4: Any) -> None:
    old, new = device.create_token(), device4.create_token()
    fail = (401, "POWERAUTH_AUTH_FAIL", "Authentication failed")
    refused(*fail, device.call_token, f"{BASE}/list", {**new, "tokenSecret": enc(dec(new["tokenSecret"])[:16])})
    refused(*fail, device4.call_token, f"{BASE}/list", old)


def test_without_protocol_4(device4: Any, admin: Any) -> None:
    admin.patch("/config", {"protocol4": False})
    for path in ("status", "keystore/create", "nothing"):
        refused(404, "ERROR_NOT_FOUND", "Resource not found.", device4.send, f"/pa/v4/{path}", BODY)


# Suites


def test_status_of_the_server(device4: Any, http: Any, admin: Any, applications4: Any) -> None:
    def suites(key: Any) -> Any:
        return device4.send("/pa/v4/status", {"requestObject": {"applicationKey": key}})["responseObject"]

    key = applications4["EC_P384"]["appKey"]
    every = ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5"]
    assert suites(key)["supportedAlgorithms"] == every
    assert suites(admin.get("/applications/demo")["appKey"])["supportedAlgorithms"] == ["EC_P256"]
    answer = device4.send("/pa/v4/status", BODY)["responseObject"]
    assert answer["supportedAlgorithms"] == every and answer["application"]["name"] and answer["serverTime"]
    refused(400, "ERR_STATUS", "POWER_AUTH_STATUS_ERROR", suites, "unknown")


def test_withdrawn_suite(http: Any, admin: Any, user: Any) -> None:
    name = f"withdrawn-{user}"
    application = admin.post("/applications", {"applicationId": name, "suite": "EC_P384_ML_L3"})
    record = admin.post("/activations", {"userId": user, "applicationId": name, "commitPhase": "ON_KEY_EXCHANGE"})
    assert record["activationCodeSignature"] is None
    device = Device4(http, application["sdkConfig"], "EC_P384_ML_L3")
    device.activate("CODE", {"code": record["activationCode"]})
    device.confirm()
    waiting = Device4(http, application["sdkConfig"], "EC_P384_ML_L3")
    waiting.fetch_temporary_key(False)
    admin.patch(f"/applications/{name}", {"withdrawnSuites": ["EC_P384_ML_L3"]})
    assert device.status()["flags"] == 4
    device.validate()
    device.temporary.clear()
    assert device.status()["status"] == 3
    failed = (400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE")
    refused(*failed, device.fetch_temporary_key, False)
    code = admin.post("/activations", {"userId": user, "applicationId": name})["activationCode"]
    refused(
        *(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", waiting.activate),
        *("CODE", {"code": code}),
    )
    admin.patch(f"/applications/{name}", {"withdrawnSuites": []})
    waiting.activate("CODE", {"code": code})


def test_keys_of_all_suites_in_one_configuration(http: Any, admin: Any, user: Any) -> None:
    name = f"all-{user}"
    application = admin.post("/applications", {"applicationId": name, "suite": "EC_P384_ML_L3", "allMasterKeys": True})
    for suite in ("EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5"):
        device = Device4(http, application["sdkConfig"], suite)
        assert sorted(device.sdk.master) == [1, 2, 3, 4]
        record = admin.post("/activations", {"userId": user, "applicationId": name})
        device.activate("CODE", {"code": record["activationCode"]})
        assert admin.activation(device)["suite"] == suite


def test_the_suite_is_that_of_the_temporary_key_and_the_activation(
    new_device4: Any, http: Any, admin: Any, applications4: Any, user: Any
) -> None:
    device = new_device4("EC_P384_ML_L3")
    refused(
        *(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE"),
        *(device.fetch_temporary_key, True, "EC_P384"),
    )
    device.status()
    device.suite = "EC_P384"
    refused(400, "ERR_PASSWORD_CHANGE", "POWER_AUTH_PASSWORD_CHANGE_FAILURE", device.new_factor_key, "password/change")
    refused(400, "ERR_BIOMETRY", "POWER_AUTH_BIOMETRY_FAILURE", device.new_factor_key, "biometry/add")
    assert counted(admin, device) == (3, 0)
    record = admin.post("/activations", {"userId": user, "applicationId": "EC_P384_ML_L3"})
    fresh = Device4(http, applications4["EC_P384_ML_L3"]["sdkConfig"], "EC_P384_ML_L3")
    layer2 = {"sharedSecretRequest": Exchange("EC_P384").request}
    identity = {"code": record["activationCode"]}
    refused(
        *(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID"),
        *(lambda: fresh.activate("CODE", identity, layer2=layer2),),
    )
    assert admin.get(f"/activations/{record['activationId']}")["state"] == "REMOVED"


# Activation


def test_confirm_before_and_after_the_commit(new_device4: Any, admin: Any) -> None:
    for first in ("confirm", "commit"):
        device = new_device4(commit=False, confirm=False)
        steps = {
            "confirm": device.confirm,
            "commit": lambda made=device: admin.post(f"/activations/{made.activation_id}/commit"),
        }
        steps.pop(first)()
        state = admin.activation(device)
        assert (state["state"], state["protocol4"]["confirmPending"]) == (
            ("PENDING_COMMIT", False) if first == "confirm" else ("ACTIVE", True)
        )
        assert device.status()["flags"] == (0 if first == "confirm" else 1)
        for step in steps.values():
            step()
        device.validate()
        refused(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", device.confirm)


def test_before_the_commit_only_confirm_passes(new_device4: Any, admin: Any) -> None:
    device = new_device4(commit=False, confirm=False)
    code_refused(device.validate)
    assert counted(admin, device) == (0, 0)
    device.confirm()
    code_refused(device.confirm)
    assert counted(admin, device) == (2, 0)


def test_wrong_confirms_block_and_unblocking_does_not_commit(new_device4: Any, admin: Any) -> None:
    device = new_device4(commit=False, confirm=False)
    for _ in range(5):
        right, device.keys["knowledge"] = device.keys["knowledge"], os.urandom(32)
        code_refused(device.confirm)
        device.keys["knowledge"] = right
    assert device.status()["status"] == 4
    assert admin.post(f"/activations/{device.activation_id}/unblock")["state"] == "PENDING_COMMIT"
    device.confirm()
    admin.post(f"/activations/{device.activation_id}/commit")
    device.validate()


def test_kinds_of_activation(http: Any, admin: Any, applications4: Any, user: Any) -> None:
    admin.put(f"/users/{user}", {"claims": {"sub": user}})
    device = Device4(http, applications4["EC_P384"]["sdkConfig"])
    answer = device.activate("CUSTOM", {"username": user}, custom={"a": 1})
    assert (answer["customAttributes"], answer["userInfo"]) == ({"a": 1}, {"sub": user})
    seen = admin.activation(device)
    assert (seen["state"], seen["userId"], seen["name"]) == ("ACTIVE", user, "Test device")
    failed = (400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
    for kind, identity in (
        ("RECOVERY", {"recoveryCode": "x", "puk": "y"}),
        ("CODE", {"code": "AAAAA-AAAAA-AAAAA-AAAAA"}),
        ("OTHER", {"a": "b"}),
    ):
        fresh = Device4(http, applications4["EC_P384"]["sdkConfig"])
        refused(*failed, fresh.activate, kind, identity)


def test_otp_on_key_exchange(http: Any, admin: Any, applications4: Any, user: Any) -> None:
    body = {"userId": user, "applicationId": "EC_P384", "otp": "1234", "otpValidation": "ON_KEY_EXCHANGE"}
    record = admin.post("/activations", body)
    device = Device4(http, applications4["EC_P384"]["sdkConfig"])
    with pytest.raises(ServerError):
        device.activate("CODE", {"code": record["activationCode"]}, layer2={"activationOtp": "1"})
    device.activate("CODE", {"code": record["activationCode"]}, layer2={"activationOtp": "1234"})
    assert admin.activation(device)["state"] == "ACTIVE"
    device.confirm()


@pytest.mark.parametrize("member", ["ecdsa", "mldsa"])
def test_bad_device_keys_remove_the_activation(
    http: Any, admin: Any, applications4: Any, user: Any, member: Any
) -> None:
    record = admin.post("/activations", {"userId": user, "applicationId": "EC_P384_ML_L3"})
    device = Device4(http, applications4["EC_P384_ML_L3"]["sdkConfig"], "EC_P384_ML_L3")
    keys = {**device.device_keys(), member: enc(bytes(97))}
    identity = {"code": record["activationCode"]}
    refused(
        *(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID"),
        *(lambda: device.activate("CODE", identity, layer2={"devicePublicKeys": keys}),),
    )
    assert admin.get(f"/activations/{record['activationId']}")["state"] == "REMOVED"


# Factors


def test_password_change_that_is_kept_and_dropped(device4: Any, admin: Any) -> None:
    old = device4.keys["knowledge"]
    new = device4.new_factor_key("password/change")
    assert admin.activation(device4)["protocol4"]["knowledgeWaits"]
    device4.validate()
    assert not admin.activation(device4)["protocol4"]["knowledgeWaits"]
    device4.keys["knowledge"] = new
    code_refused(device4.validate)
    device4.keys["knowledge"] = old
    device4.keys["knowledge"] = device4.new_factor_key("password/change")
    device4.validate("possession")
    device4.validate(BIO)
    assert admin.activation(device4)["protocol4"]["knowledgeWaits"]
    device4.validate()
    code_refused(device4.validate, keys={"knowledge": old})
    keys = admin.get(f"/activations/{device4.activation_id}/keys")
    assert keys["knowledge"] == enc(device4.keys["knowledge"]) and keys["knowledgeNext"] is None


def test_offline_codes_decide_too(device4: Any, admin: Any) -> None:
    device4.keys["knowledge"] = device4.new_factor_key("password/change")
    nonce = enc(bytes(16))
    request = {"activationId": device4.activation_id, "operationId": "op", "data": "A1", "nonce": nonce}
    answer = admin.post("/offline/verify", {**request, "code": device4.offline_code("op&A1", nonce)})
    assert (answer["valid"], answer["signatureType"]) == (True, PIN)
    assert not admin.activation(device4)["protocol4"]["knowledgeWaits"]


def test_wrong_old_password(device4: Any, admin: Any) -> None:
    code_refused(device4.new_factor_key, "password/change", wrong_pin=True)
    assert counted(admin, device4) == (1, 1)


def test_biometry(new_device4: Any, admin: Any) -> None:
    device = new_device4(confirm=False)
    device.confirm(biometry=False)
    device.new_factor_key("biometry/add")  # its answer is lost
    assert device.status()["flags"] == 8
    second = device.new_factor_key("biometry/add")
    assert admin.activation(device)["protocol4"]["biometryWaits"]
    device.validate(BIO, keys={"biometry": second})
    device.keys["biometry"] = second
    device.remove_biometry()
    device.remove_biometry()
    assert device.status()["flags"] == 0
    code_refused(device.validate, BIO)
    device.keys["biometry"] = device.new_factor_key("biometry/add")
    device.validate(BIO)
    device.validate("possession_knowledge_biometry")


# Temporary blocks


def test_temporary_blocks_double(device4: Any, admin: Any) -> None:
    admin.patch("/config", {"temporaryBlockMs": 60_000})
    token = device4.create_token()
    for _ in range(5):
        code_refused(device4.validate, wrong_pin=True)
    started = admin.get("/clock")["now"]
    status = device4.status()
    assert status["status"] == 4 and 50_000 < status["expires"] - started <= 60_000
    code_refused(device4.validate)
    with pytest.raises(ServerError):
        device4.call_token(f"{BASE}/list", token)
    _pass(admin, device4, 61_000)
    assert (device4.status()["status"], device4.status()["failed"], device4.status()["expires"]) == (3, 4, None)
    device4.call_token(f"{BASE}/list", token)
    code_refused(device4.validate, wrong_pin=True)
    assert 110_000 < device4.status()["expires"] - admin.get("/clock")["now"] <= 120_000
    _pass(admin, device4, 200_000)
    device4.validate()
    assert admin.activation(device4)["protocol4"]["temporaryBlocks"] == 0


def _pass(admin: Any, device: Any, offset: int) -> None:
    admin.put("/clock", {"offsetMs": offset})
    device.clock_offset = offset


def test_an_administrator_blocks_for_a_time(device: Any, device4: Any, admin: Any) -> None:
    path = f"/activations/{device4.activation_id}"
    assert admin.post(f"{path}/block", {"durationMs": 60_000})["protocol4"]["blockedUntil"]
    _pass(admin, device4, 61_000)
    assert admin.activation(device4)["state"] == "ACTIVE"
    admin.post(f"{path}/block", {"durationMs": 60_000})
    admin.post(f"{path}/block")
    _pass(admin, device4, 200_000)
    assert admin.activation(device4)["state"] == "BLOCKED" and device4.status()["expires"] is None
    admin.post(f"{path}/unblock")
    device4.validate()
    with pytest.raises(httpx.HTTPStatusError):
        admin.post(f"/activations/{device.activation_id}/block", {"durationMs": 1})


# Encryption


def test_nonces(device4: Any, admin: Any) -> None:
    failed = (400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
    header = device4.encryption_header(True)

    def send(body: Any) -> Any:
        return device4.send("/pa/v4/activation/status", body, header)

    envelope = device4.encrypt(b"{}", "/pa/generic/activation", True)
    envelope.open_json(send(envelope.body))
    refused(*failed, send, envelope.body)
    halves = device4.encrypt(b"{}", "/pa/generic/activation", True, nonce=os.urandom(12) * 2)
    refused(*failed, send, halves.body)
    for spoil in (
        {"encryptedData": enc(bytes(44))},
        {"nonce": enc(os.urandom(24))},
        {"nonce": enc(bytes(16))},
        {"temporaryKeyId": "none"},
        {"timestamp": None},
        {"timestamp": device4.now() - 301_000},
        {"timestamp": device4.now() + 301_000},
        {"extra": 1},
    ):
        fresh = device4.encrypt(b"{}", "/pa/generic/activation", True)
        refused(*failed, send, {**fresh.body, **spoil})
        if "encryptedData" in spoil:
            refused(*failed, send, fresh.body)  # the nonce was used up
    for plain in (b"", b"[]", b"no"):
        refused(*failed, send, device4.encrypt(plain, "/pa/generic/activation", True).body)
    refused(*failed, send, device4.encrypt(b"{}", "/pa/activation/status", True).body)
    for minutes in (-4, 4):
        device4.clock_offset = minutes * 60_000
        device4.status()


def test_a_nonce_is_remembered_as_long_as_its_key(device4: Any, admin: Any) -> None:
    """Also where a request was early, where the window is narrow, and under a key that lives long."""
    failed = (400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
    admin.patch("/config", {"window4Ms": 30_000, "temporaryKeyValidityMs": 900_000})
    header, nonce = device4.encryption_header(True), os.urandom(24)

    def send(body: Any) -> Any:
        return device4.send("/pa/v4/activation/status", body, header)

    device4.clock_offset = 25_000
    early = device4.encrypt(b"{}", "/pa/generic/activation", True, nonce=nonce)
    early.open_json(send(early.body))
    for offset in (31_000, 299_000, 600_000, 890_000):
        _pass(admin, device4, offset)
        if offset == 31_000:
            refused(*failed, send, early.body)
        refused(*failed, send, device4.encrypt(b"{}", "/pa/generic/activation", True, nonce=nonce).body)
        device4.status()
    device4.temporary.pop(True)
    again = device4.encrypt(b"{}", "/pa/generic/activation", True, nonce=nonce)
    again.open_json(send(again.body))


@pytest.mark.parametrize("length", [16, 32])
def test_challenges_of_any_length(device4: Any, length: int) -> None:
    for activation_scope in (False, True):
        device4.fetch_temporary_key(activation_scope, challenge=os.urandom(length))
    assert device4.status()["status"] == 3


def test_each_temporary_key_lives_on_its_own(device4: Any, admin: Any) -> None:
    """That one goes with the other is a rule of clients (powerauth4.md §7)."""
    admin.patch("/config", {"temporaryKeyValidityMs": 100_000})
    device4.fetch_temporary_key(False)
    _pass(admin, device4, 50_000)
    device4.fetch_temporary_key(True)
    _pass(admin, device4, 101_000)
    assert device4.status()["status"] == 3
    device4.fetch_temporary_key(False)
    _pass(admin, device4, 151_000)
    envelope = device4.encrypt(b"{}", "/pa/generic/application", False)
    envelope.open_json(device4.send("/pa/v4/config/application", envelope.body, device4.encryption_header(False)))
    refused(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", device4.status)


def test_temporary_keys_end(device4: Any, admin: Any) -> None:
    device4.status()
    admin.delete("/temporary-keys", activationId=device4.activation_id)
    failed = (400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
    refused(*failed, device4.status)
    device4.temporary.pop(True)
    assert device4.status()["status"] == 3
    _pass(admin, device4, 300_500)
    refused(*failed, device4.status)


def test_rename(device4: Any, admin: Any) -> None:
    for plain in (True, False):
        answer = device4.rename(f"name {plain}", sign_plaintext=plain)
        assert answer["responseObject"]["activationName"] == answer["activationName"] == f"name {plain}"
    for order in ("plaintext", "encrypted"):
        admin.patch("/config", {"renameOrder": order})
        device4.rename("other", sign_plaintext=order == "plaintext")
        code_refused(device4.rename, "other", sign_plaintext=order != "plaintext")
    refused(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", device4.rename, " ", sign_plaintext=False)
    before = counted(admin, device4)
    envelope = device4.encrypt(b"{}", "/pa/activation", True)
    header = device4.signature_header(PIN, "/pa/activation/rename", b"{}")
    failed = (400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")
    refused(*failed, device4.send, "/pa/v4/activation/rename", envelope.body, header)
    assert counted(admin, device4) == before


def test_detail(device4: Any) -> None:
    token, weak = device4.create_token(PIN), device4.create_token()
    envelope = device4.encrypt(b"{}", "/pa/generic/activation", True)
    header = device4.encryption_header(True)
    answer = envelope.open_json(device4.call_token("/pa/v4/activation/detail", token, envelope.body, header))
    assert answer == {
        "status": "OK",
        "responseObject": {"activationId": device4.activation_id, "activationName": "Test device"},
    }
    envelope = device4.encrypt(b"{}", "/pa/generic/activation", True)
    invalid = (401, "ERR_AUTHENTICATION", "POWER_AUTH_TOKEN_INVALID")
    refused(*invalid, device4.call_token, "/pa/v4/activation/detail", weak, envelope.body, header)


# Vault, tokens, configuration


def test_vault_rights(device4: Any, admin: Any) -> None:
    wrong = (400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID")
    labels = {
        "KEK_DEVICE_PRIVATE": "vault/kek-device-private",
        "KDK_APP_VAULT_2FA": "vault/kdk-app-vault-2fa",
        "KDK_APP_VAULT_KNOWLEDGE": "vault/kdk-app-vault-knowledge",
    }
    for identifier, label in labels.items():
        assert device4.unlock(identifier) == kdf(device4.secret, "vault", label)
    for identifier in ("KEK_DEVICE_PRIVATE", "KDK_APP_VAULT_2FA"):
        device4.unlock(identifier, BIO)
        device4.unlock(identifier, "possession_knowledge_biometry", reason="FETCH_ENCRYPTION_KEY")
    refused(*wrong, device4.unlock, "KDK_APP_VAULT_KNOWLEDGE", BIO)
    admin.patch("/applications/EC_P384", {"privateKeyWithoutBiometry": True})
    refused(*wrong, device4.unlock, "KEK_DEVICE_PRIVATE", BIO)
    admin.patch("/applications/EC_P384", {"privateKeyWithoutBiometry": False})
    before = counted(admin, device4)
    refused(*wrong, device4.unlock, "OTHER")
    refused(*wrong, device4.unlock, "KDK_APP_VAULT_2FA", reason="a b")
    refused(*wrong, device4.unlock, "KDK_APP_VAULT_2FA", "possession")
    for body in (b"null", b"{}", b'{"requestObject":{}}'):
        header = device4.signature_header("possession_knowledge", "/pa/vault/unlock", body)
        answer = device4.raw("/pa/v4/vault/unlock", body, header)
        assert (answer.status_code, answer.json()["responseObject"]["code"]) == (401, "ERR_AUTHENTICATION")
    assert counted(admin, device4) == before, "what is refused before the code costs nothing"
    device4.unlock("KDK_APP_VAULT_2FA")
    admin.post(f"/activations/{device4.activation_id}/block")
    refused(*wrong, device4.unlock, "KDK_APP_VAULT_2FA")


def test_tokens(device4: Any, admin: Any) -> None:
    fail = (401, "POWERAUTH_AUTH_FAIL", "Authentication failed")
    token = device4.create_token()
    header = device4.token_header(token)
    device4.send(f"{BASE}/list", {}, header)
    refused(*fail, device4.send, f"{BASE}/list", {}, header)
    refused(*fail, device4.call_token, f"{BASE}/list", {**token, "tokenSecret": enc(bytes(32))})
    for minutes, accepted in ((-4, True), (4, True), (-6, False), (6, False)):
        device4.clock_offset = minutes * 60_000
        if accepted:
            device4.call_token(f"{BASE}/list", token)
        else:
            refused(*fail, device4.call_token, f"{BASE}/list", token)


def test_push_and_inbox(device4: Any, admin: Any, user: Any) -> None:
    token = device4.create_token()
    body = {"requestObject": {"platform": "ios", "token": "AA"}}
    device4.call_token("/api/push/device/register/token", token, body)
    assert admin.activation(device4)["push"]["platform"] == "apns"
    admin.post("/inbox", {"userId": user, "applicationId": "EC_P384", "subject": "Card"})
    assert device4.call_token("/api/inbox/count", token)["responseObject"] == {"countUnread": 1}
    invalid = (401, "ERR_AUTHENTICATION", "POWER_AUTH_TOKEN_INVALID")
    refused(*invalid, device4.call_token, "/api/inbox/count", {**token, "tokenSecret": enc(bytes(32))})


def test_configuration(device4: Any, admin: Any) -> None:
    admin.patch("/applications/EC_P384", {"config": {"a": 1}})
    admin.patch(f"/activations/{device4.activation_id}", {"config": {"b": {"c": True}}})
    ours = {"key": "a", "value": 1, "scope": "APPLICATION"}
    assert device4.call_encrypted("/pa/v4/config/application", {}, False) == {"config": [ours]}
    theirs = {"key": "b", "value": {"c": True}, "scope": "ACTIVATION"}
    assert device4.call_encrypted("/pa/v4/config/activation", {}, True) == {"config": [ours, theirs]}
    admin.patch("/applications/EC_P384", {"config": {}})


def test_custom_object_and_shown_keys(device4: Any, admin: Any) -> None:
    admin.patch(f"/activations/{device4.activation_id}", {"customObject": {"x": 1}})
    assert device4.status()["custom"] == {"x": 1}
    assert device4.fingerprint() == admin.activation(device4)["fingerprint"]


@pytest.mark.parametrize("name", ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5"])
def test_device_signatures(new_device4: Any, admin: Any, name: Any) -> None:
    device = new_device4(name)

    def valid(data: bytes, signature: bytes, form: str) -> bool:
        body = {"data": enc(data), "signature": enc(signature), "format": form}
        return bool(admin.post(f"/activations/{device.activation_id}/verify-device-signature", body)["valid"])

    text = device.sign_jws(b"payload")
    assert valid(b"payload", text.encode(), "JWS") and not valid(b"other", text.encode(), "JWS")
    jws = json.loads(text)
    jws["signatures"].append(jws["signatures"][0])
    assert not valid(b"payload", json.dumps(jws).encode(), "JWS") and not valid(b"payload", b"{", "JWS")
    if device.lattice is not None:
        jws["signatures"] = jws["signatures"][:1]
        assert not valid(b"payload", json.dumps(jws).encode(), "JWS")
        assert valid(b"payload", device.lattice.sign(b"payload"), "ML-DSA")
        assert not valid(b"payload", device.lattice.sign(b"other"), "ML-DSA")


def test_offline_payloads(device4: Any, admin: Any, user: Any) -> None:
    operation = admin.post("/operations", {"userId": user, "applicationId": "EC_P384", "template": "login"})
    path = f"/operations/{operation['operationId']}/offline"
    made = admin.post(path, {"activationId": device4.activation_id})
    text, _, last = made["offlineData"].rpartition("\n")
    key = kdf(device4.secret, "util", "util/mac/personalized-data")
    assert last == "2" + enc(kmac(key, f"{text}\n2".encode(), "PA4MAC-QR"))
    code = device4.offline_code(f"{operation['operationId']}&{operation['data']}", made["nonce"])
    request = {"activationId": device4.activation_id, "operationId": operation["operationId"]}
    assert not admin.post("/offline/verify", {**request, "code": "00000000-00000000"})["valid"]
    assert counted(admin, device4) == (1, 1)
    assert admin.post("/offline/verify", {**request, "code": code})["operationStatus"] == "APPROVED"
    assert counted(admin, device4) == (2, 0)
    for curve, length in ((None, 100), ("P-384", 100), ("P-256", 68)):
        last = admin.post(path, {"curve": curve} if curve else None)["offlineData"].rpartition("\n")[2]
        assert last[0] == "0" and length < len(dec(last[1:])) < length + 8
    assert len(admin.post("/sign", {"data": "AA==", "applicationId": "EC_P384", "curve": "P-384"})["signature"]) > 130
    mac = admin.post("/sign", {"data": "AA==", "key": "personalised", "activationId": device4.activation_id})
    assert dec(mac["signature"]) == kmac(key, b"\0", "PA4MAC-QR")


def test_back_end_down(device4: Any, admin: Any) -> None:
    admin.fault("/", "backend-down", count=3)
    refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_ERROR", device4.validate)
    refused(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", device4.status)
    refused(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", device4.create_token)
    assert counted(admin, device4) == (1, 0)


# Keys of a host's own endpoints


def test_requests_of_a_host(device4: Any) -> None:
    assert device4.call_encrypted("/api/test/encrypted/application", {"a": 1}, False)["status"] == "OK"
    assert device4.call_encrypted("/api/test/encrypted/activation", {"a": 1}, True)["status"] == "OK"
    answer = device4.call_signed("/api/test/signed", "/test/signed", PIN, {"a": 1})["responseObject"]
    assert (answer["version"], answer["counter"]) == ("4.0", 2)
    envelope = device4.encrypt(b"{}", "/pa/generic/activation", True)
    signed = device4.call_signed("/api/test/encrypt-then-sign", "/test/encrypt-then-sign", PIN, envelope.body)
    assert envelope.open_json(signed)["responseObject"]["received"] == enc(b"{}")
    envelope = device4.encrypt(b"{}", "/pa/generic/activation", True)
    header = device4.signature_header(PIN, "/test/sign-then-encrypt", b"{}")
    answer = envelope.open_json(device4.send("/api/test/sign-then-encrypt", envelope.body, header))
    assert answer["responseObject"]["signatureType"] == PIN
