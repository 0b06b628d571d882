"""Activation, status, life cycle and temporary keys."""

from __future__ import annotations

import json
import os
import uuid

import pytest
from client import Device, ServerError, dec, enc, mac, url_enc
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

ACTIVE, PENDING, BLOCKED, REMOVED = 3, 2, 4, 5


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
def test_whole_life(http, admin, sdk_config, user, version):
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


def test_uncompressed_ephemeral_keys(http, admin, sdk_config, user):
    record = admin.post("/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})
    device = Device(http, sdk_config)
    device.compressed_keys = False
    device.activate("CODE", {"code": record["activationCode"]})
    assert admin.activation(device)["state"] == "ACTIVE"


def refused_activation(device, code, **options):
    with pytest.raises(ServerError) as error:
        device.activate("CODE", {"code": code}, **options)
    assert (error.value.status, error.value.code, error.value.message) == (
        400,
        "ERR_ACTIVATION",
        "POWER_AUTH_ACTIVATION_INVALID",
    )


def test_code_is_single_use_and_expires(http, admin, sdk_config, user):
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


def test_otp_on_key_exchange(http, admin, sdk_config, user):
    init = {"userId": user, "otp": "1234", "otpValidation": "ON_KEY_EXCHANGE", "maxFailedAttempts": 3}
    record = admin.post("/activations", init)
    for _ in range(2):
        refused_activation(Device(http, sdk_config), record["activationCode"], layer2={"activationOtp": "0000"})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]}, layer2={"activationOtp": "1234"})
    seen = admin.activation(device)
    assert (seen["state"], seen["failedAttempts"]) == ("ACTIVE", 0)
    record = admin.post("/activations", init)
    for _ in range(3):
        refused_activation(Device(http, sdk_config), record["activationCode"])
    assert admin.get(f"/activations/{record['activationId']}")["state"] == "REMOVED"


def test_otp_on_commit(http, admin, sdk_config, user):
    record = admin.post("/activations", {"userId": user, "otp": "77", "otpValidation": "ON_COMMIT"})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]}, layer2={"activationOtp": "ignored"})
    commit = f"/admin/activations/{device.activation_id}/commit"
    assert http.post(commit, json={"otp": "78"}).status_code == 409
    assert admin.activation(device)["failedAttempts"] == 1
    assert http.post(commit, json={"otp": "77"}).json()["state"] == "ACTIVE"
    assert http.post(commit, json={"otp": "77"}).status_code == 409


def test_status_never_tells_what_exists(http, device, admin, user):
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


def test_custom_object_of_the_status(device, admin):
    admin.patch(f"/activations/{device.activation_id}", {"customObject": {"a": 1}})
    answer = device.send("/pa/v3/activation/status", {"requestObject": {"activationId": device.activation_id}})
    assert answer["responseObject"]["customObject"] == {"a": 1}


def test_replayed_activation_is_refused(http, admin, sdk_config, user):
    record = admin.post("/activations", {"userId": user})
    device = Device(http, sdk_config)
    device.activate("CODE", {"code": record["activationCode"]})
    sent = admin.get("/requests", path="/pa/v3/activation/create")["requests"][-1]
    header = {"X-PowerAuth-Encryption": sent["headers"]["x-powerauth-encryption"]}
    response = device.raw("/pa/v3/activation/create", sent["body"].encode(), header)
    assert response.status_code == 400
    assert admin.last_refusal("encryption") == "encrypted request was sent before"


def test_unsupported_application_version(http, admin, user):
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


def test_temporary_key_of_blocked_and_removed_activations(device, admin):
    admin.post(f"/activations/{device.activation_id}/block")
    device.fetch_temporary_key(True)
    admin.post(f"/activations/{device.activation_id}/remove")
    with pytest.raises(ServerError) as error:
        device.fetch_temporary_key(True)
    assert error.value.code == "ERR_TEMPORARY_KEY"


@pytest.mark.parametrize("spoil", ["signature", "application", "no challenge", "garbage"])
def test_wrong_key_store_requests(device, spoil):
    claims = {"applicationKey": device.sdk.key, "challenge": "AAAA"}
    if spoil == "application":
        claims["applicationKey"] = enc(os.urandom(16))
    if spoil == "no challenge":
        del claims["challenge"]
    text = f'{url_enc(b"""{"alg":"HS256","typ":"JWT"}""")}.{url_enc(json.dumps(claims).encode())}'
    key = os.urandom(16) if spoil == "signature" else dec(device.sdk.secret)
    token = "a.b.c" if spoil == "garbage" else f"{text}.{url_enc(mac(key, text.encode()))}"
    with pytest.raises(ServerError) as error:
        device.send("/pa/v3/keystore/create", {"requestObject": {"jwt": token}})
    assert (error.value.status, error.value.code, error.value.message) == (
        400,
        "ERR_TEMPORARY_KEY",
        "POWER_AUTH_TEMPORARY_KEY_FAILURE",
    )


def test_server_status(device):
    answer = device.send("/pa/v3/status", {})["responseObject"]
    assert abs(answer["serverTime"] - device.now()) < 5000
    assert set(answer["application"]) == {"name", "version"}
