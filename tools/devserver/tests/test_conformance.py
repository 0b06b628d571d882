"""Exchanges recorded from released servers 1.9, replayed against this one.

With the recorded keys put in, the recorded request is sent byte for byte, and it must be understood; the answer must
open with the recorded keys. Where a record names no keys, the same situation is played (`test_recorded_situations.py`).
"""

from __future__ import annotations

import json
import uuid
from typing import Any

import httpx
import pytest
import recorded
from client import Device, ServerError, cbc, dec, derive, fold, mac, point, url_dec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

RECORDED = "recorded"
LIVES = {"3.1": "activation-create-3-1", "3.2": "activation-create-3-2", "3.3": "activation-create-3-3"}


class World:
    """An application with the recorded keys, and the recorded activations when they are wanted."""

    def __init__(self, http: Any, admin: Any) -> None:
        self.http, self.admin = http, admin
        self.life = {version: recorded.load(name) for version, name in LIVES.items()}
        application = self.life["3.3"]["application"]
        self.application = application
        admin.put(
            "/import/applications",
            {
                "applicationId": RECORDED,
                "masterPrivateKey": application["masterPrivateKey"],
                "versions": [{"appKey": application["applicationKey"], "appSecret": application["applicationSecret"]}],
            },
        )
        for version in LIVES:
            admin.put(f"/users/vec{version}", {"claims": {"sub": f"vec{version}", "name": "Jan Novák"}})

    def version_of(self, activation_id: Any) -> Any:
        for version, life in self.life.items():
            if json.loads(life["layer2Answer"])["activationId"] == activation_id:
                return version
        raise LookupError(activation_id)

    def activation(self, activation_id: Any, ctr_data: Any = None, **members: Any) -> Any:
        """The recorded activation at the recorded counter."""
        version = self.version_of(activation_id)
        life = self.life[version]
        body = {
            "activationId": activation_id,
            "userId": f"vec{version}",
            "applicationId": RECORDED,
            "serverPrivateKey": life["serverPrivateKey"],
            "devicePublicKey": life["devicePublicKey"],
            "ctrData": ctr_data or life["ctrData"],
            "version": version,
            **members,
        }
        return self.admin.put("/import/activations", body)

    def temporary_key(self, body: Any, private: Any, activation_id: Any = None) -> None:
        key = {
            "id": body["temporaryKeyId"],
            "privateKey": private,
            "applicationKey": self.application["applicationKey"],
        }
        self.admin.put("/import/temporary-keys", {**key, "activationId": activation_id})

    def at(self, milliseconds: Any) -> None:
        """Puts the server's clock to a recorded time."""
        now = self.admin.put("/clock", {"offsetMs": 0})["now"]
        self.admin.put("/clock", {"offsetMs": milliseconds - now})

    def replay(self, exchange: Any) -> Any:
        """A timestamp tells when it was sent."""
        body = exchange["requestBody"]
        timestamp = json.loads(body).get("timestamp") if body else None
        token = exchange["requestHeaders"].get("X-PowerAuth-Token", "")
        if not timestamp and token:
            timestamp = int(token.partition('timestamp="')[2].partition('"')[0])
        if timestamp:
            self.at(timestamp)
        response = recorded.replay(self.http, exchange)
        recorded.check_answer(response, exchange)
        return response.json()

    def open(
        self, exchange: Any, answer: Any, info: Any, private: Any, activation_id: Any = None, version: Any = None
    ) -> Any:
        """The plaintext of an encrypted answer."""
        body = json.loads(exchange["requestBody"])
        activation = {}
        if activation_id:
            secret = dec(self.life[self.version_of(activation_id)]["masterSecret"])
            activation = {"activation": activation_id, "transport_key": derive(secret, 1000)}
            version = self.version_of(activation_id)
        envelope = recorded.envelope(body, version, info, private, self.application, **activation)
        return json.loads(envelope.open(answer))


@pytest.fixture
def world(http: Any, admin: Any) -> Any:
    recorded.skip_without_recordings()
    return World(http, admin)


def test_a_key_stays_with_its_application(world: Any, admin: Any) -> None:
    known = world.application
    version = {"appKey": known["applicationKey"], "appSecret": known["applicationSecret"]}
    other = {"applicationId": "other", "masterPrivateKey": known["masterPrivateKey"], "versions": [version]}
    with pytest.raises(httpx.HTTPStatusError) as refused:
        admin.put("/import/applications", other)
    assert refused.value.response.status_code < 500
    assert {"other"}.isdisjoint(one["applicationId"] for one in admin.get("/applications")["applications"])


# Activation


@pytest.mark.parametrize("version", LIVES)
def test_activation_by_code(world: Any, version: Any) -> None:
    record = world.life[version]
    device, recipient = json.loads(record["layer2Request"]), record["recipientPrivateKey"]
    code = json.loads(record["layer1Request"])["identityAttributes"]["code"]
    identifier = str(uuid.uuid4())
    created = {"activationId": identifier, "userId": f"vec{version}", "applicationId": RECORDED, "state": "CREATED"}
    world.admin.put("/import/activations", {**created, "activationCode": code})
    world.admin.patch("/config", {"recoveryWithActivation": True})
    exchange = record["exchange"]
    timestamp = json.loads(exchange["requestBody"]).get("timestamp")
    if timestamp:
        world.at(timestamp)
    world.admin.put("/import/activations", {**created, "activationCode": code})
    if version == "3.3":
        world.temporary_key(json.loads(exchange["requestBody"]), recipient)
    answer = world.replay(exchange)
    layer1 = world.open(exchange, answer, "/pa/generic/application", recipient, version=version)
    recorded.same_shape(layer1, json.loads(record["layer1Answer"]))
    assert (layer1["activationData"]["nonce"] is None) is (version == "3.1")
    assert layer1["userInfo"] == {"sub": f"vec{version}", "name": "Jan Novák"}
    inner = json.loads(record["layer1Request"])["activationData"]
    envelope = recorded.envelope(inner, version, "/pa/activation", recipient, world.application)
    layer2 = json.loads(envelope.open(layer1["activationData"]))
    recorded.same_shape(layer2, json.loads(record["layer2Answer"]))
    seen = world.admin.get(f"/activations/{identifier}")
    assert (seen["state"], seen["name"]) == ("PENDING_COMMIT", device["activationName"])
    assert point(dec(seen["devicePublicKey"])) == point(dec(device["devicePublicKey"]))


@pytest.mark.parametrize("version", LIVES)
def test_keys_and_fingerprint(world: Any, version: Any) -> None:
    record = world.life[version]
    identifier = json.loads(record["layer2Answer"])["activationId"]
    assert world.activation(identifier)["fingerprint"] == record["fingerprint"]
    assert world.admin.get(f"/activations/{identifier}/keys")["masterSecret"] == record["masterSecret"]


@pytest.mark.parametrize("name", recorded.names("recovery-activation"))
def test_activation_by_recovery_code(world: Any, name: Any) -> None:
    record, version = recorded.load(name), recorded.version_of(name)
    identity = json.loads(record["request"])["identityAttributes"]
    world.admin.put("/import/recovery-codes", {**identity, "userId": "nobody's claims", "applicationId": RECORDED})
    if version == "3.3":
        world.at(json.loads(record["exchange"]["requestBody"])["timestamp"])
        world.temporary_key(json.loads(record["exchange"]["requestBody"]), record["recipientPrivateKey"])
    answer = world.replay(record["exchange"])
    layer1 = world.open(
        record["exchange"], answer, "/pa/generic/application", record["recipientPrivateKey"], version=version
    )
    recorded.same_shape(layer1, json.loads(record["answer"]))
    (code,) = world.admin.get("/recovery-codes", userId="nobody's claims")["recoveryCodes"][:1]
    assert code["puks"][0]["state"] == "USED"


@pytest.mark.parametrize("name", recorded.names("recovery-wrong-puk"))
def test_wrong_puk(http: Any, sdk_config: Any, admin: Any, device: Any, user: Any, name: Any) -> None:
    """The record has no keys: the same situation."""
    exchange, version = recorded.load(name)["exchange"], recorded.version_of(name)
    admin.patch("/config", {"recoveryWithActivation": True})
    record = admin.post("/activations", {"userId": user, "commitPhase": "ON_KEY_EXCHANGE"})
    first = Device(http, sdk_config, version)
    first.activate("CODE", {"code": record["activationCode"]})
    code = first.activation_answer["activationRecovery"]["recoveryCode"]
    with pytest.raises(ServerError) as error:
        Device(http, sdk_config, version).activate("RECOVERY", {"recoveryCode": code, "puk": "0000000000"})
    assert (error.value.status, json.loads(error.value.text)) == (exchange["status"], json.loads(exchange["answer"]))


# Temporary keys


@pytest.mark.parametrize("name", recorded.names("keystore-"))
def test_key_store(world: Any, name: Any) -> None:
    record = recorded.load(name)
    identifier = record["requestClaims"].get("activationId")
    if identifier:
        world.activation(identifier)
    token = world.replay(record["exchange"])["responseObject"]["jwt"]
    head, claims, signature = token.split(".")
    assert json.loads(url_dec(head)) == record["answerHeader"]
    claims = json.loads(url_dec(claims))
    assert set(claims) == set(record["answerClaims"])
    for claim in ("applicationKey", "activationId", "challenge"):
        assert claims.get(claim) == record["answerClaims"].get(claim)
    assert claims["exp_ms"] - claims["iat_ms"] == record["answerClaims"]["exp_ms"] - record["answerClaims"]["iat_ms"]
    assert len(url_dec(signature)) == 64


# Signatures, tokens, vault, user info


@pytest.mark.parametrize("name", recorded.names("signature-"))
def test_signatures(world: Any, name: Any) -> None:
    record = recorded.load(name)
    exchange = record["exchange"]
    identifier = recorded.activation_id(exchange)
    world.activation(identifier, record["ctrDataBefore"], failedAttempts=2)
    world.replay(exchange)
    seen = world.admin.get(f"/activations/{identifier}")
    possession = '"possession"' in exchange["requestHeaders"]["X-Powerauth-Authorization"]
    assert (seen["ctrData"], seen["counter"]) == (record["ctrDataAfter"], 1)
    assert seen["failedAttempts"] == (2 if possession else 0)
    again = recorded.replay(world.http, exchange)
    assert again.status_code == 401, "a signature counts once"


@pytest.mark.parametrize("name", recorded.names("token-3"))
def test_tokens(world: Any, name: Any) -> None:
    record, version = recorded.load(name), recorded.version_of(name)
    identifier, private = record["activationId"], record["recipientPrivateKey"]
    world.activation(identifier, record["ctrData"])
    body = json.loads(record["create"]["requestBody"])
    if version == "3.3":
        world.at(body["timestamp"])
        world.temporary_key(body, private, identifier)
    answer = world.replay(record["create"])
    token = world.open(record["create"], answer, "/pa/token/create", private, identifier)
    recorded.same_shape(token, json.loads(record["answer"]))
    assert world.admin.get(f"/activations/{identifier}")["counter"] == 1
    world.admin.put("/import/tokens", {**json.loads(record["answer"]), "activationId": identifier})
    used = record["use"]
    timestamp = next(value for key, value in used["requestHeaders"].items() if key.lower() == "x-powerauth-token")
    world.at(int(timestamp.partition('timestamp="')[2].partition('"')[0]))
    recorded.check_answer(recorded.replay(world.http, used), used)
    assert recorded.replay(world.http, used).status_code == 401, "a nonce counts once"


@pytest.mark.parametrize("name", recorded.names("vault-unlock-"))
def test_vault(world: Any, name: Any) -> None:
    record, version = recorded.load(name), recorded.version_of(name)
    identifier, private, exchange = record["activationId"], record["recipientPrivateKey"], record["exchange"]
    # The record does not name its counter, which is not far from the beginning.
    world.admin.patch("/config", {"lookAhead": 64})
    world.activation(identifier)
    body = json.loads(exchange["requestBody"])
    if version == "3.3":
        world.at(body["timestamp"])
        world.temporary_key(body, private, identifier)
    answer = world.replay(exchange)
    plain = world.open(exchange, answer, "/pa/vault/unlock", private, identifier)
    assert plain == json.loads(record["answer"]), "the vault key follows from the keys alone"
    opened = cbc(dec(record["transportKey"]), bytes(16)).decryptor().update(dec(plain["encryptedVaultEncryptionKey"]))
    assert opened[:16] == dec(record["vaultKey"])
    signed = {"data": record["data"], "signature": record["deviceSignature"]}
    assert world.admin.post(f"/activations/{identifier}/verify-device-signature", signed) == {"valid": True}


@pytest.mark.parametrize("name", recorded.names("user-info-"))
def test_user_info(world: Any, name: Any) -> None:
    record, version = recorded.load(name), recorded.version_of(name)
    identifier, private, exchange = record["activationId"], record["recipientPrivateKey"], record["exchange"]
    world.activation(identifier)
    body = json.loads(exchange["requestBody"])
    world.at(body["timestamp"])
    if version == "3.3":
        world.temporary_key(body, private, identifier)
    answer = world.replay(exchange)
    assert world.open(exchange, answer, "/pa/generic/activation", private, identifier) == json.loads(record["answer"])
    response = recorded.replay(world.http, exchange)
    assert (response.status_code, response.json()["responseObject"]["code"]) == (400, "ERR_ENCRYPTION"), "a replay"


def test_oidc_configuration(world: Any) -> None:
    record = recorded.load("oidc-config")
    exchange, expected = record["exchange"], json.loads(record["answer"])["responseObject"]
    provider = {
        "clientId": expected["clientId"],
        "clientSecret": "secret",
        "issuerUri": "https://issuer.example",
        "redirectUri": expected["redirectUri"],
        "authorizeUri": expected["authorizeUri"],
        "scopes": expected["scopes"],
        "pkceEnabled": expected["pkceEnabled"],
    }
    world.admin.put(f"/applications/{RECORDED}/oidc/{expected['providerId']}", provider)
    body = json.loads(exchange["requestBody"])
    world.at(body["timestamp"])
    world.temporary_key(body, record["temporaryPrivateKey"])
    answer = world.replay(exchange)
    plain = world.open(exchange, answer, "/pa/generic/application", record["temporaryPrivateKey"], version="3.3")
    assert plain == json.loads(record["answer"])


# Status


@pytest.mark.parametrize("name", recorded.names("status-"))
def test_status(world: Any, name: Any) -> None:
    record = recorded.load(name)
    identifier = recorded.activation_id(record["exchange"])
    blob = bytes.fromhex(record["blob"])
    state = {2: "PENDING_COMMIT", 3: "ACTIVE", 4: "BLOCKED", 5: "REMOVED"}[blob[4]]
    counts = {"counter": record["counter"], "failedAttempts": blob[13]}
    world.activation(identifier, record["ctrData"], state=state, **counts)
    answer = world.replay(record["exchange"])["responseObject"]
    challenge = dec(json.loads(record["exchange"]["requestBody"])["requestObject"]["challenge"])
    transport = dec(record["transportKey"])
    iv = fold(mac(derive(transport, 3000), challenge + dec(answer["nonce"])))
    plain = cbc(transport, iv).decryptor().update(dec(answer["encryptedStatusBlob"]))
    assert plain[:7] == blob[:7] and plain[12:] == blob[12:], "all but the five reserved bytes"


# Offline


@pytest.mark.parametrize("name", recorded.names("offline-"))
def test_offline_codes(world: Any, name: Any) -> None:
    record, recorded_answer = recorded.load(name), recorded.load(name)["answer"]
    identifier = recorded_answer["activationId"]
    world.activation(identifier, record["ctrData"])
    lines = record["payload"].split("\n")
    signed, signature = record["payload"].rpartition("\n")[0] + "\n" + lines[-1][0], dec(lines[-1][1:])
    point(dec(record["publicKey"])).verify(signature, signed.encode(), ec.ECDSA(hashes.SHA256()))
    personal = lines[-1][0] == "1"
    key = world.life["3.3"]["serverPublicKey"] if personal else world.application["masterPublicKey"]
    assert point(dec(key)) == point(dec(record["publicKey"]))
    body = dec(record["baseString"].split("&")[3]).decode()
    request = {
        "activationId": identifier,
        "operationId": body.split("&")[0],
        "data": body.split("&")[1],
        "nonce": record["nonce"],
        "code": record["code"],
        "biometryAllowed": recorded_answer["signatureType"] == "POSSESSION_BIOMETRY",
        "totps": [record["totp"]] if record["totp"] else [],
    }
    answer = world.admin.post("/offline/verify", request)
    assert answer["valid"] is recorded_answer["signatureValid"] is True
    assert answer["signatureType"] == recorded_answer["signatureType"].lower()
    assert answer["activationState"] == recorded_answer["activationStatus"]
    assert answer["remainingAttempts"] == recorded_answer["remainingAttempts"]
    assert answer["counter"] == 1
    assert not world.admin.post("/offline/verify", request)["valid"]
