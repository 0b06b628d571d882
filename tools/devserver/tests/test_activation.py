"""Activation, status, life cycle and temporary keys."""

from __future__ import annotations

import json
import os
import uuid
from typing import Any

import pytest
from client import Device, ServerError, dec, enc, mac, url_dec, url_enc
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

ACTIVE, PENDING, BLOCKED, REMOVED = 3, 2, 4, 5


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
def test_whole_life(http: Any, admin: Any, sdk_config: Any, user: Any, version: Any) -> None:
    record = admin.post("/activations", {"userId": user, "flags": ["VIP"]})
    assert record["state"] == "CREATED" and record["fingerprint"] is None
    code, _, signature = record["activationQr"].partition("#")
    device = Device(http, sdk_config, version)
    device.sdk.master.verify(dec(signature), code.encode(), ec.ECDSA(hashes.SHA256()))
    layer2 = {"extras": "more", "platform": "Linux", "deviceInfo": "PC"}
    answer = device.activate("CODE", {"code": code}, layer2=layer2, custom={"k": [1, {"v": "š"}]})
    assert answer["customAttributes"] == {"k": [1, {"v": "š"}]}
    seen = admin.activation(device)
    assert (seen["state"], seen["extras"], seen["platform"], seen["deviceInfo"], seen["name"]) == (
        "PENDING_COMMIT",
        "more",
        "linux",
        "PC",
        "Test device",
    )
    assert seen["fingerprint"] == device.fingerprint()
    assert seen["protocolVersion"] == version
    status = device.status()
    assert status["status"] == PENDING and (status["current"], status["upgrade"]) == (3, 3)
    with pytest.raises(ServerError) as refused:
        device.validate()
    assert refused.value.status == 401
    admin.post(f"/activations/{device.activation_id}/commit")
    device.validate()
    device.validate("possession_biometry")
    status = device.status()
    assert status["status"] == ACTIVE
    if version != "3.0":
        assert (status["distance"], status["counterByte"]) == (0, device.counter_byte)
    token = device.create_token()
    device.call_token("/api/auth/token/app/operation/list", token)
    admin.post(f"/activations/{device.activation_id}/block")
    assert device.status()["status"] == BLOCKED
    admin.post(f"/activations/{device.activation_id}/unblock")
    device.validate()
    device.call_signed("/pa/v3/activation/remove", "/pa/activation/remove", "possession_knowledge", {})
    assert device.status()["status"] == REMOVED
    assert admin.activation(device)["state"] == "REMOVED"


def test_uncompressed_ephemeral_keys(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    record = admin.post("/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})
    device = Device(http, sdk_config)
    device.compressed_keys = False
    device.activate("CODE", {"code": record["activationCode"]})
    assert admin.activation(device)["state"] == "ACTIVE"


def refused_activation(device: Any, code: Any, **options: Any) -> None:
    with pytest.raises(ServerError) as error:
        device.activate("CODE", {"code": code}, **options)
    assert (error.value.status, error.value.code, error.value.message) == (
        400,
        "ERR_ACTIVATION",
        "POWER_AUTH_ACTIVATION_INVALID",
    )


def test_code_is_single_use_and_expires(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    record = admin.post("/activations", {"userId": user})
    Device(http, sdk_config).activate("CODE", {"code": record["activationCode"]})
    refused_activation(Device(http, sdk_config), record["activationCode"])
    record = admin.post("/activations", {"userId": user, "validityMs": 1000})
    admin.put("/clock", {"offsetMs": 2000})
    device = Device(http, sdk_config)
    device.clock_offset = 2000
    refused_activation(device, record["activationCode"])
    assert admin.get(f"/activations/{record['activationId']}")["state"] == "REMOVED"
    refused_activation(device, "AAAAA-AAAAA-AAAAA-AAAAA")
    refused_activation(device, "not a code")


def test_otp_on_key_exchange(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    init = {"userId": user, "otp": "1234", "otpValidation": "ON_KEY_EXCHANGE", "maxFailedAttempts": 3}
    record = admin.post("/activations", init)
    for _ in range(2):
        refused_activation(Device(http, sdk_config), record["activationCode"], layer2={"activationOtp": "0000"})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]}, layer2={"activationOtp": "1234"})
    seen = admin.activation(device)
    assert (seen["state"], seen["failedAttempts"]) == ("ACTIVE", 0)
    record = admin.post("/activations", init)
    for attempt in range(3):
        seen = admin.get(f"/activations/{record['activationId']}")
        assert (seen["state"], seen["failedAttempts"]) == ("CREATED", attempt)
        refused_activation(Device(http, sdk_config), record["activationCode"], layer2={"activationOtp": "0000"})
    assert admin.get(f"/activations/{record['activationId']}")["state"] == "REMOVED"


def test_otp_that_is_missing_is_no_attempt(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    record = admin.post("/activations", {"userId": user, "otp": "1234", "otpValidation": "ON_KEY_EXCHANGE"})
    for layer2 in ({}, {"activationOtp": ""}, {"activationOtp": None}):
        refused_activation(Device(http, sdk_config), record["activationCode"], layer2=layer2)
    seen = admin.get(f"/activations/{record['activationId']}")
    assert (seen["state"], seen["failedAttempts"]) == ("CREATED", 0)


def test_otp_on_commit(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    record = admin.post("/activations", {"userId": user, "otp": "77", "otpValidation": "ON_COMMIT"})
    refused_activation(Device(http, sdk_config), record["activationCode"], layer2={"activationOtp": "77"})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]})
    commit = f"/admin/activations/{device.activation_id}/commit"
    for body in (None, {}, {"otp": ""}):
        assert http.post(commit, json=body).status_code == 409
    assert admin.activation(device)["failedAttempts"] == 0
    assert http.post(commit, json={"otp": "78"}).status_code == 409
    assert admin.activation(device)["failedAttempts"] == 1
    assert http.post(commit, json={"otp": "77"}).json()["state"] == "ACTIVE"
    assert http.post(commit, json={"otp": "77"}).status_code == 409


def test_otp_without_a_mode_is_checked_where_the_activation_is_committed(
    http: Any, admin: Any, sdk_config: Any, user: Any
) -> None:
    record = admin.post("/activations", {"userId": user, "otp": "1", "commitPhase": "ON_KEY_EXCHANGE"})
    refused_activation(Device(http, sdk_config), record["activationCode"])
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]}, layer2={"activationOtp": "1"})
    assert admin.activation(device)["state"] == "ACTIVE"
    record = admin.post("/activations", {"userId": user, "otp": "1"})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]})
    commit = f"/admin/activations/{device.activation_id}/commit"
    assert http.post(commit).status_code == 409
    assert http.post(commit, json={"otp": "1"}).json()["state"] == "ACTIVE"


def test_otp_rules_of_the_back_end(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    for init in (
        {"otpValidation": "ON_COMMIT"},
        {"otpValidation": "ON_COMMIT", "otp": ""},
        {"otpValidation": "ON_COMMIT", "otp": "1", "commitPhase": "ON_COMMIT"},
    ):
        assert http.post("/admin/activations", json={"userId": user, **init}).status_code == 400
    record = admin.post("/activations", {"userId": user})
    path = f"/admin/activations/{record['activationId']}"
    assert http.patch(path, json={"otp": "5"}).status_code == 409, "only PENDING_COMMIT takes one"
    Device(http, sdk_config).activate("CODE", {"code": record["activationCode"]})
    assert http.patch(path, json={"otp": ""}).status_code == 400
    assert http.patch(path, json={"otp": "5"}).json()["otpValidation"] == "ON_COMMIT"
    assert http.post(f"{path}/commit").status_code == 409
    assert http.post(f"{path}/commit", json={"otp": "5"}).json()["state"] == "ACTIVE"


@pytest.mark.parametrize("activates", [False, True])
def test_otp_that_nobody_asked_for(http: Any, admin: Any, sdk_config: Any, user: Any, activates: Any) -> None:
    """Released servers activate without a commit; here that is a switch."""
    admin.patch("/config", {"unexpectedOtpActivates": activates})
    record = admin.post("/activations", {"userId": user})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]}, layer2={"activationOtp": "1"})
    assert admin.activation(device)["state"] == ("ACTIVE" if activates else "PENDING_COMMIT")


@pytest.mark.parametrize(
    "member,limit", [("activationName", 255), ("platform", 255), ("deviceInfo", 255), ("extras", 4000)]
)
def test_lengths_of_texts(http: Any, admin: Any, sdk_config: Any, user: Any, member: Any, limit: Any) -> None:
    """`fact-lengths.json`; characters, not bytes."""
    record = admin.post("/activations", {"userId": user})
    refused_activation(Device(http, sdk_config), record["activationCode"], layer2={member: "ž" * (limit + 1)})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]}, layer2={member: "Ž" * limit})
    stored = admin.activation(device)["name" if member == "activationName" else member]
    assert stored == ("ž" if member == "platform" else "Ž") * limit


def test_unknown_members_of_an_activation(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    """`fact-unknown-members.json`: ignored in layer 2, refused in layer 1 and in both cryptograms."""
    record = admin.post("/activations", {"userId": user})
    code = {"code": record["activationCode"]}

    class Wordy(Device):
        more = {}

        def encrypt(self, plain: Any, info: Any, activation_scope: Any, **options: Any) -> Any:
            if self.more.get("plain") == info:
                plain = json.dumps({**json.loads(plain), "more": 1}).encode()
            envelope = super().encrypt(plain, info, activation_scope, **options)
            if self.more.get("cryptogram") == info:
                envelope.body["more"] = None
            return envelope

    for more in (
        {"plain": "/pa/generic/application"},
        {"cryptogram": "/pa/generic/application"},
        {"cryptogram": "/pa/activation"},
    ):
        device = Wordy(http, sdk_config)
        device.more = more
        refused_activation(device, record["activationCode"])
    device = Wordy(http, sdk_config)
    device.more = {"plain": "/pa/activation"}
    device.activate("CODE", code)


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
def test_null_members_of_the_inner_answer(http: Any, admin: Any, sdk_config: Any, user: Any, version: Any) -> None:
    """The released server writes them in the inner answer of versions that have no such members."""
    record = admin.post("/activations", {"userId": user})
    device = Device(http, sdk_config, version)
    answer = device.activate("CODE", {"code": record["activationCode"]})
    inner = answer["activationData"]
    assert list(inner) == ["encryptedData", "mac", "nonce", "timestamp"]
    assert (inner["nonce"] is None) is (inner["timestamp"] is None) is (version in ("3.0", "3.1"))
    assert answer["userInfo"] is None and device.activation_answer["activationRecovery"] is None


def test_status_never_tells_what_exists(http: Any, device: Any, admin: Any, user: Any) -> None:
    assert device.status(str(uuid.uuid4())) is None
    created = admin.post("/activations", {"userId": user})
    assert device.status(created["activationId"]) is None
    body = {"requestObject": {"activationId": created["activationId"], "challenge": enc(os.urandom(16))}}
    assert "nonce" in device.send("/pa/v3/activation/status", body)["responseObject"]
    admin.post(f"/activations/{created['activationId']}/remove")
    assert "nonce" not in device.send("/pa/v3/activation/status", body)["responseObject"]
    with pytest.raises(ServerError) as error:
        device.send("/pa/v3/activation/status", {"requestObject": {}})
    assert (error.value.status, error.value.code) == (400, "ERR_ACTIVATION")


def test_custom_object_of_the_status(device: Any, admin: Any) -> None:
    admin.patch(f"/activations/{device.activation_id}", {"customObject": {"a": 1}})
    answer = device.send("/pa/v3/activation/status", {"requestObject": {"activationId": device.activation_id}})
    assert answer["responseObject"]["customObject"] == {"a": 1}
    admin.patch(f"/activations/{device.activation_id}", {"customObject": {}})
    answer = device.send("/pa/v3/activation/status", {"requestObject": {"activationId": device.activation_id}})
    assert "customObject" not in answer["responseObject"]


def test_replayed_activation_is_refused(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    record = admin.post("/activations", {"userId": user})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]})
    sent = admin.get("/requests", path="/pa/v3/activation/create")["requests"][-1]
    header = {"X-PowerAuth-Encryption": sent["headers"]["x-powerauth-encryption"]}
    response = device.raw("/pa/v3/activation/create", sent["body"].encode(), header)
    assert response.status_code == 400
    assert admin.last_refusal("encryption") == "encrypted request was sent before"


def test_unsupported_application_version(http: Any, admin: Any, user: Any) -> None:
    application = admin.post("/applications", {"applicationId": f"app-{uuid.uuid4()}"})
    name = application["applicationId"]
    device = Device(http, application["sdkConfig"])
    record = admin.post("/activations", {"userId": user, "applicationId": name, "commitPhase": "ON_KEY_EXCHANGE"})
    device.activate("CODE", {"code": record["activationCode"]})
    second = admin.post(f"/applications/{name}/versions", {"name": "2.0"})
    admin.patch(f"/applications/{name}/versions/default", {"supported": False})
    with pytest.raises(ServerError) as error:
        device.validate()
    assert error.value.message == "POWER_AUTH_SIGNATURE_INVALID"
    assert admin.activation(device)["failedAttempts"] == 1
    with pytest.raises(ServerError) as error:
        device.fetch_temporary_key(False)
    assert (error.value.status, error.value.code) == (400, "ERR_TEMPORARY_KEY")
    device.sdk = Device(http, second["sdkConfig"]).sdk
    device.counter = dec(admin.activation(device)["ctrData"])
    device.validate()


def test_temporary_key_of_blocked_and_removed_activations(device: Any, admin: Any) -> None:
    admin.post(f"/activations/{device.activation_id}/block")
    device.fetch_temporary_key(True)
    admin.post(f"/activations/{device.activation_id}/remove")
    with pytest.raises(ServerError) as error:
        device.fetch_temporary_key(True)
    assert error.value.code == "ERR_TEMPORARY_KEY"


def key_store_request(device: Any, header: Any = b'{"alg":"HS256","typ":"JWT"}', key: Any = None, **claims: Any) -> Any:
    claims = {"applicationKey": device.sdk.key, "challenge": "AAAA", **claims}
    claims = {name: value for name, value in claims.items() if value is not None}
    text = f"{url_enc(header)}.{url_enc(json.dumps(claims).encode())}"
    token = f"{text}.{url_enc(mac(key or dec(device.sdk.secret), text.encode()))}"
    answer = device.send("/pa/v3/keystore/create", {"requestObject": {"jwt": token}})["responseObject"]["jwt"]
    return json.loads(url_dec(answer.split(".")[1]))


def no_key(call: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(ServerError) as error:
        call(*arguments, **options)
    assert (error.value.status, error.value.code, error.value.message) == (
        400,
        "ERR_TEMPORARY_KEY",
        "POWER_AUTH_TEMPORARY_KEY_FAILURE",
    )


def test_wrong_key_store_requests(device: Any) -> None:
    no_key(key_store_request, device, key=os.urandom(16))
    no_key(key_store_request, device, applicationKey=enc(os.urandom(16)))
    no_key(key_store_request, device, activationId=str(uuid.uuid4()))
    no_key(key_store_request, device, header=b'{"alg":"none"}')
    for value in ("a.b.c", "", None, 7):
        no_key(device.send, "/pa/v3/keystore/create", {"requestObject": {"jwt": value}})
    no_key(device.send, "/pa/v3/keystore/create", {})
    for body in (b"no json", b'{"requestObject":{"jwt":{}}}'):
        with pytest.raises(ServerError) as error:
            device.send("/pa/v3/keystore/create", body)
        assert (error.value.status, error.value.code) == (500, "ERROR_GENERIC")


def test_key_store_wants_the_hmac_and_nothing_else(device: Any, admin: Any) -> None:
    """The reference client's token has no `typ`, but times, which are not looked at; a challenge is not demanded."""
    assert key_store_request(device, header=b'{"alg":"HS256"}', iat=1, exp=2)["challenge"] == "AAAA"
    assert "challenge" not in key_store_request(device, challenge=None)
    admin.patch("/config", {"strict": True})
    no_key(key_store_request, device, header=b'{"alg":"HS256"}')
    no_key(key_store_request, device, challenge=None)


def test_server_status(device: Any) -> None:
    answer = device.send("/pa/v3/status", {})["responseObject"]
    assert abs(answer["serverTime"] - device.now()) < 5000
    assert answer["application"] == {"name": "enrollment-server", "version": "1.9.0"}
