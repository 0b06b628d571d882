"""Recovery, custom and OIDC activations."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

import pytest
from client import Device, ServerError, url_enc
from client4 import Device4
from provider import Provider, basic_credentials


def refused(status: Any, code: Any, call: Any, *arguments: Any, **options: Any) -> Any:
    with pytest.raises(ServerError) as error:
        call(*arguments, **options)
    assert (error.value.status, error.value.code) == (status, code)
    return error.value


# Custom


def test_custom_activation(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    admin.put(f"/users/{user}", {"password": "secret", "claims": {"name": "Eve"}})
    device = Device(http, sdk_config)
    refused(400, "ERR_ACTIVATION", device.activate, "CUSTOM", {"username": user, "password": "no"})
    answer = device.activate("CUSTOM", {"username": user, "password": "secret"})
    assert answer["userInfo"] == {"name": "Eve"}
    seen = admin.activation(device)
    assert (seen["state"], seen["userId"], seen["activationCode"]) == ("ACTIVE", user, None)
    device.validate()


def test_custom_activation_with_commit(http: Any, admin: Any, sdk_config: Any) -> None:
    admin.patch("/config", {"customAutoCommit": False})
    device = Device(http, sdk_config)
    device.activate("DIRECT", {"method": "other", "username": "bob"})
    assert admin.activation(device)["state"] == "PENDING_COMMIT"
    admin.post(f"/activations/{device.activation_id}/commit")
    device.validate()


@pytest.mark.parametrize(
    "kind,identity", [("CUSTOM", {}), ("CUSTOM", {"a": 1}), ("OTHER", {"a": "b"}), ("CODE", {"a": "b"})]
)
def test_wrong_identities(http: Any, sdk_config: Any, kind: Any, identity: Any) -> None:
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, kind, identity)


def test_scripted_integration(http: Any, admin: Any, user: Any) -> None:
    """The first rule that fits says what becomes of an activation; without one the server does as ever."""
    name = f"scripted-{user}"
    application = admin.post("/applications", {"applicationId": name})
    rules = [
        {"identity": {"login": "blocked"}},
        {"identity": {"login": "vip", "branch": "1"}, "userId": user, "flags": ["VIP"], "autoCommit": False}
        | {"validityMs": 10_000},
        {"identity": {"login": "vip"}, "userId": "other", "maxFailedAttempts": 100, "customAttributes": {"seen": True}},
        {"identity": {"login": "named"}, "userAttribute": "person", "flags": ["NAMED"]},
        {"type": "CODE", "customAttributes": {"by": "code"}},
        {"type": "RECOVERY", "sent": {"hold": True}, "autoCommit": False, "maxFailedAttempts": 3, "flags": ["HELD"]},
    ]
    shown = admin.patch(f"/applications/{name}", {"customRules": rules})["customRules"]
    assert [rule["type"] for rule in shown] == ["CUSTOM", "CUSTOM", "CUSTOM", "CUSTOM", "CODE", "RECOVERY"]

    def activate(kind: Any, identity: Any, **sent: Any) -> Any:
        device = Device(http, application["sdkConfig"])
        answer = device.activate(kind, identity, custom=sent or {"sent": 1})
        return admin.activation(device), answer["customAttributes"]

    with pytest.raises(ServerError):
        activate("CUSTOM", {"login": "blocked", "username": user})
    seen, attributes = activate("CUSTOM", {"login": "vip", "branch": "1"})
    assert (seen["userId"], seen["flags"], seen["state"]) == (user, ["VIP"], "PENDING_COMMIT")
    assert seen["expires"] == seen["created"] + 10_000
    assert attributes == {"sent": 1}
    seen, attributes = activate("CUSTOM", {"login": "vip", "branch": "2"})
    assert (seen["userId"], seen["maxFailedAttempts"], seen["state"]) == ("other", 100, "ACTIVE")
    assert attributes == {"seen": True}
    seen, _ = activate("CUSTOM", {"login": "named", "person": f"person of {user}"})
    assert (seen["userId"], seen["flags"]) == (f"person of {user}", ["NAMED"])
    for nobody in ({}, {"person": ""}, {"person": "x" * 256}):
        with pytest.raises(ServerError):
            activate("CUSTOM", {"login": "named", "username": user, **nobody})
    assert activate("CUSTOM", {"username": user})[0]["userId"] == user
    code = admin.post("/activations", {"userId": user, "applicationId": name})["activationCode"]
    assert activate("CODE", {"code": code})[1] == {"by": "code"}
    for held in (True, False):
        card = admin.post("/recovery-codes", {"userId": user, "applicationId": name})
        identity = {"recoveryCode": card["recoveryCode"], "puk": card["puks"][0]["puk"]}
        admin.put("/import/recovery-codes", {"userId": user, "applicationId": name, **identity})  # confirmed
        seen, _ = activate("RECOVERY", identity, hold=held)
        found = (seen["state"], seen["maxFailedAttempts"], seen["flags"])
        assert found == (("PENDING_COMMIT", 3, ["HELD"]) if held else ("ACTIVE", 5, []))
    admin.patch(f"/applications/{name}", {"customRules": []})
    assert activate("CUSTOM", {"login": "vip", "username": user})[1] == {"sent": 1}


# Recovery


def test_recovery_with_the_code_of_an_activation(http: Any, admin: Any, sdk_config: Any, user: Any) -> None:
    admin.patch("/config", {"recoveryWithActivation": True})
    record = admin.post("/activations", {"userId": user, "flags": ["VIP"]})
    old = Device(http, sdk_config)
    old.activate("CODE", {"code": record["activationCode"]})
    recovery = old.activation_answer["activationRecovery"]
    identity = {"recoveryCode": recovery["recoveryCode"], "puk": recovery["puk"]}
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "RECOVERY", identity)
    admin.post(f"/activations/{old.activation_id}/commit")
    new = Device(http, sdk_config)
    new.activate("RECOVERY", identity)
    seen = admin.activation(new)
    assert (seen["state"], seen["userId"], seen["flags"]) == ("ACTIVE", user, ["VIP"])
    assert admin.activation(old)["state"] == "REMOVED"
    assert new.activation_answer["activationRecovery"]["recoveryCode"] != recovery["recoveryCode"]
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "RECOVERY", identity)


def test_recovery_with_a_postcard(
    http: Any, admin: Any, sdk_config: Any, device: Any, new_device: Any, user: Any
) -> None:
    card = admin.post("/recovery-codes", {"userId": user, "pukCount": 3})
    code, puks = card["recoveryCode"], [puk["puk"] for puk in card["puks"]]
    confirm = ("/pa/v3/recovery/confirm", "/pa/recovery/confirm", "/pa/recovery/confirm")
    identity = {"recoveryCode": code, "puk": puks[0]}
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "RECOVERY", identity)
    payload = {"recoveryCode": code}
    two_factors = "possession_knowledge"
    assert device.call_encrypted_signed(*confirm, two_factors, payload) == {"alreadyConfirmed": False}
    assert device.call_encrypted_signed(*confirm, two_factors, payload) == {"alreadyConfirmed": True}
    refused(401, "ERR_AUTHENTICATION", device.call_encrypted_signed, *confirm, "possession_biometry", payload)
    stranger = new_device(user_id="stranger")
    refused(401, "ERR_AUTHENTICATION", stranger.call_encrypted_signed, *confirm, two_factors, payload)
    for expected in (1, 2):
        Device(http, sdk_config).activate("RECOVERY", {"recoveryCode": code, "puk": puks[expected - 1]})
        error = refused(
            400,
            "INVALID_RECOVERY_CODE",
            Device(http, sdk_config).activate,
            "RECOVERY",
            {"recoveryCode": code, "puk": puks[0]},
        )
        assert error.object["currentRecoveryPukIndex"] == expected + 1
    for _ in range(3):
        refused(400, "INVALID_RECOVERY_CODE", Device(http, sdk_config).activate, "RECOVERY", identity)
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "RECOVERY", identity)
    (seen,) = [row for row in admin.get("/recovery-codes", userId=user)["recoveryCodes"] if row["recoveryCode"] == code]
    assert seen["state"] == "BLOCKED" and [puk["state"] for puk in seen["puks"]] == ["USED", "USED", "INVALID"]


def test_revoked_code(http: Any, admin: Any, sdk_config: Any, device: Any, user: Any) -> None:
    card = admin.post("/recovery-codes", {"userId": user})
    admin.post(f"/recovery-codes/{card['recoveryCode']}/revoke")
    refused(
        401,
        "ERR_AUTHENTICATION",
        device.call_encrypted_signed,
        "/pa/v3/recovery/confirm",
        "/pa/recovery/confirm",
        "/pa/recovery/confirm",
        "possession_knowledge",
        {"recoveryCode": card["recoveryCode"]},
    )


# OIDC


@pytest.fixture
def provider() -> Any:
    running = Provider()
    yield running
    running.close()


@pytest.fixture
def configure(admin: Any, provider: Any) -> Any:
    def put(**members: Any) -> None:
        body = {
            "clientId": "client 1",
            "clientSecret": "s:ecret",
            "issuerUri": provider.issuer,
            "redirectUri": "app://back",
            "authorizeUri": f"{provider.issuer}/authorize",
            "scopes": "openid profile",
            **members,
        }
        admin.put("/applications/demo/oidc/bank", body)

    put()
    yield put
    admin.delete("/applications/demo/oidc/bank")


IDENTITY = {"method": "oidc", "providerId": "bank", "nonce": "nonce-of-the-device"}


def test_oidc_configuration(http: Any, sdk_config: Any, provider: Any, configure: Any) -> None:
    device = Device(http, sdk_config)
    answer = device.call_encrypted("/api/config/oidc", {"providerId": "bank"}, False)
    assert answer == {
        "status": "OK",
        "responseObject": {
            "providerId": "bank",
            "clientId": "client 1",
            "scopes": "openid profile",
            "authorizeUri": f"{provider.issuer}/authorize",
            "redirectUri": "app://back",
            "pkceEnabled": False,
        },
    }
    for provider_id in ("nobody", "", None):
        refused(
            400,
            "APPLICATION_CONFIGURATION_ERROR",
            device.call_encrypted,
            "/api/config/oidc",
            {"providerId": provider_id},
            False,
        )
    refused(400, "ERR_ENCRYPTION", device.send, "/api/config/oidc", {"providerId": "bank"})


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_oidc_activation(
    http: Any, admin: Any, sdk_config: Any, provider: Any, configure: Any, algorithm: Any, method: Any
) -> None:
    configure(signatureAlgorithm=algorithm, clientAuthenticationMethod=method)
    provider.algorithm = algorithm
    code = str(uuid.uuid4())
    device = Device(http, sdk_config)
    device.activate("DIRECT", {**IDENTITY, "code": code})
    seen = admin.activation(device)
    assert (seen["state"], seen["userId"]) == ("ACTIVE", f"sub-{code}")
    form, authorization = provider.requests[-1]
    expected = {
        "grant_type": "authorization_code",
        "client_id": "client 1",
        "code": code,
        "redirect_uri": "app://back",
    }
    if method == "client_secret_basic":
        assert basic_credentials(authorization) == ["client 1", "s:ecret"]
    else:
        expected["client_secret"] = "s:ecret"
        assert authorization is None
    assert form == expected


def test_oidc_in_protocol_4(http: Any, admin: Any, applications4: Any, provider: Any, configure: Any) -> None:
    application, suite = applications4["EC_P384_ML_L3"], "EC_P384_ML_L3"
    settings = admin.get("/applications/demo")["oidcProviders"]["bank"]
    admin.put(f"/applications/{suite}/oidc/bank", settings)
    device = Device4(http, application["sdkConfig"], suite)
    answer = device.call_encrypted("/api/config/oidc", {"providerId": "bank"}, False)
    assert answer["responseObject"]["clientId"] == "client 1"
    code = str(uuid.uuid4())
    device.activate("DIRECT", {**IDENTITY, "code": code})
    assert (admin.activation(device)["state"], admin.activation(device)["userId"]) == ("ACTIVE", f"sub-{code}")
    device.confirm()
    admin.delete(f"/applications/{suite}/oidc/bank")


def test_oidc_discovery(http: Any, admin: Any, sdk_config: Any, provider: Any) -> None:
    """As the console's form: from the issuer alone."""
    members = {
        "issuerUri": provider.issuer,
        "clientId": "c",
        "clientSecret": "s",
        "redirectUri": "http://127.0.0.1:8765/",
    }
    made = admin.put("/applications/demo/oidc/found", {**members, "discover": True})["oidcProviders"]["found"]
    assert (made["authorizeUri"], made["tokenUri"]) == (f"{provider.issuer}/authorize", f"{provider.issuer}/token")
    assert made["jwkSetUri"] == f"{provider.issuer}/keys" and "discover" not in made
    wrong = {**members, "issuerUri": f"{provider.issuer}/other", "discover": True}
    answer = http.put("/admin/applications/demo/oidc/wrong", json=wrong)
    assert answer.status_code == 400 and "the discovery document of" in answer.json()["responseObject"]["message"]
    admin.delete("/applications/demo/oidc/found")


def test_oidc_pkce(http: Any, admin: Any, sdk_config: Any, provider: Any, configure: Any) -> None:
    configure(pkceEnabled=True, tokenUri=f"{provider.issuer}/token", jwkSetUri=f"{provider.issuer}/keys")
    verifier = "v" * 43
    provider.challenge = url_enc(hashlib.sha256(verifier.encode()).digest())
    identity = {**IDENTITY, "code": "c"}
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "DIRECT", identity)
    assert provider.requests == []
    device = Device(http, sdk_config)
    device.activate("DIRECT", {**identity, "codeVerifier": verifier})
    assert admin.activation(device)["userId"] == "sub-c"
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "DIRECT", {**identity, "codeVerifier": "w" * 43})
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "DIRECT", {**identity, "codeVerifier": ""})


@pytest.mark.parametrize(
    "overrides",
    [
        {"nonce": "another"},
        {"aud": "another"},
        {"iss": "https://another"},
        {"exp": 1},
        {"at_hash": "AAAA"},
        {"sub": ""},
    ],
)
def test_oidc_wrong_claims(http: Any, sdk_config: Any, provider: Any, configure: Any, overrides: Any) -> None:
    provider.overrides = overrides
    refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "DIRECT", {**IDENTITY, "code": "c"})


def test_oidc_other_refusals(http: Any, sdk_config: Any, provider: Any, configure: Any, admin: Any) -> None:
    def refuse(identity: Any) -> None:
        refused(400, "ERR_ACTIVATION", Device(http, sdk_config).activate, "DIRECT", identity)

    refuse({**IDENTITY, "code": "c", "providerId": "nobody"})
    refuse({"method": "oidc", "providerId": "bank", "code": "c"})
    provider.spoil_signature = True
    refuse({**IDENTITY, "code": "c"})
    provider.spoil_signature = False
    provider.header = {"crit": ["exp"], "exp": 1}
    refuse({**IDENTITY, "code": "c"})
    provider.header = {}
    provider.token_status = 400
    refuse({**IDENTITY, "code": "c"})
    provider.token_status = 200
    configure(issuerUri="http://127.0.0.1:1")
    refuse({**IDENTITY, "code": "c"})


def test_oidc_configuration_is_checked(http: Any) -> None:
    response = http.put("/admin/applications/demo/oidc/x", json={"clientId": "c"})
    assert response.status_code == 400
