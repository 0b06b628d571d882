"""Faults of protocol 4.0: an honest client notices each, and goes on when it is over."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from client import ServerError, dec, url_enc
from client4 import Device4
from cryptography.exceptions import InvalidSignature
from test_protocol4 import BIO, PIN

KEYS = "/pa/v4/keystore/create"
HYBRID = "EC_P384_ML_L3"
NOTICED = (AssertionError, InvalidSignature, KeyError, ValueError)


@pytest.fixture
def hybrid(new_device4: Any) -> Device4:
    return new_device4(HYBRID)


@pytest.mark.parametrize(
    "kind",
    [
        "wrong_signature_jwt",
        "wrong_ecdsa",
        "wrong_mldsa",
        "missing_signature",
        "extra_signature",
        "duplicate_signature",
        "foreign_algorithm",
        "downgraded_suite",
        "missing_ciphertext",
        "extra_ciphertext",
        "swapped_ciphertexts",
    ],
)
@pytest.mark.parametrize("activation_scope", [False, True])
def test_keystore_answers_that_are_refused(hybrid: Any, admin: Any, kind: Any, activation_scope: Any) -> None:
    admin.fault(KEYS, kind)
    with pytest.raises(NOTICED):
        hybrid.fetch_temporary_key(activation_scope)
    hybrid.fetch_temporary_key(activation_scope)


def test_one_right_signature_of_two(hybrid: Any, admin: Any) -> None:
    """The other signature of the answer is right: what is refused is the one that the fault names."""
    for kind, spoilt in (("wrong_ecdsa", 0), ("wrong_mldsa", 1)):
        admin.fault(KEYS, kind)
        verified = _verified(hybrid)
        assert verified == [index != spoilt for index in range(2)]
    admin.fault(KEYS, "reversed_signatures")
    assert _verified(hybrid) == [True, True]


def _verified(device: Device4) -> list[bool]:
    """Which of ES384 and ML-DSA-65 verify by themselves."""
    seen: dict[str, bool] = {}
    keys = device.server
    assert keys is not None
    original = keys.verify

    def verify(jws: str) -> Any:
        value = json.loads(jws)
        for entry in value["signatures"]:
            single = json.dumps({**value, "signatures": [entry]})
            try:
                original(single)
            except InvalidSignature:
                seen[entry["protected"]] = False
            except AssertionError:
                seen[entry["protected"]] = True  # verified, and missed the other
        return original(jws)

    keys.verify = verify
    try:
        device.fetch_temporary_key(True)
    except InvalidSignature:
        pass
    finally:
        del keys.verify
    es384 = next(name for name in seen if b"ES384" in dec(name + "=" * (-len(name) % 4)))
    return [seen[es384], next(right for name, right in seen.items() if name != es384)]


@pytest.mark.parametrize("kind", ["altered_ciphertext", "altered_salt", "wrong_key"])
def test_keys_that_both_sides_see_differently(hybrid: Any, admin: Any, kind: Any) -> None:
    """Nothing shows it but that the next request does not open."""
    parameters = [{"index": 1}] if kind == "altered_ciphertext" else [{}]
    for given in parameters:
        admin.fault(KEYS, kind, **given)
        hybrid.temporary.pop(True, None)
        with pytest.raises(ServerError) as error:
            hybrid.status()
        assert error.value.code == "ERR_ACTIVATION"
        hybrid.temporary.pop(True, None)
        assert hybrid.status()["status"] == 3


def test_factor_keys_that_both_sides_see_differently(hybrid: Any, admin: Any) -> None:
    old = hybrid.keys["knowledge"]
    admin.fault("/pa/v4/password/change", "altered_ciphertext")
    wrong = hybrid.new_factor_key("password/change")
    with pytest.raises(ServerError):
        hybrid.validate(keys={"knowledge": wrong})
    hybrid.validate(keys={"knowledge": old})
    admin.fault("/pa/v4/biometry/add", "swapped_ciphertexts")
    with pytest.raises(NOTICED):
        hybrid.new_factor_key("biometry/add")
    hybrid.validate(BIO)


def test_activation_answers(http: Any, admin: Any, applications4: Any, user: Any) -> None:
    for kind, parameters in (
        ("swapped_ciphertexts", {}),
        ("downgraded_suite", {}),
        ("wrong_mac", {"layer": "inner"}),
        ("wrong_mac", {}),
        ("wrong_key", {"layer": "inner"}),
        ("wrong_nonce", {}),
        ("patch", {"layer": "inner", "set": {"ctrData": "AAAA"}}),
        ("patch", {"layer": "inner", "remove": ["serverPublicKeys.mldsa"]}),
        ("edit", {"layer": "outer", "replace": [["{", "["]]}),
    ):
        record = admin.post("/activations", {"userId": user, "applicationId": HYBRID})
        device = Device4(http, applications4[HYBRID]["sdkConfig"], HYBRID)
        admin.fault("/pa/v4/activation/create", kind, **parameters)
        with pytest.raises(NOTICED):
            device.activate("CODE", {"code": record["activationCode"]})


def test_status_answers(device4: Any, admin: Any) -> None:
    path = "/pa/v4/activation/status"
    for kind in ("wrong_status_mac", "wrong_mac", "wrong_key", "wrong_nonce"):
        admin.fault(path, kind)
        with pytest.raises(AssertionError):
            device4.status()
    admin.fault(path, "wrong_timestamp", ms=-600_000)
    envelope = device4.encrypt(b"{}", "/pa/generic/activation", True)
    answer = device4.send(path, envelope.body, device4.encryption_header(True))
    assert answer["timestamp"] < device4.now() - 590_000 and envelope.open_json(answer)
    assert device4.status()["status"] == 3


def test_edited_texts(device4: Any, admin: Any) -> None:
    admin.fault(KEYS, "edit", layer="jws", replace=[['{"payload"', '{"payload":"x","payload"']])
    device4.fetch_temporary_key(True)
    admin.fault(KEYS, "edit", layer="jwt", replace=[['"exp"', '"exp":1,"exp"']])
    device4.fetch_temporary_key(True)
    admin.fault("/pa/v4/status", "edit", replace=[["OK", "KO"]])
    assert device4.send("/pa/v4/status", {"requestObject": {}})["status"] == "KO"
    admin.fault("/pa/v4/status", "edit", replace=[["{", ""]])
    with pytest.raises(ValueError):
        device4.send("/pa/v4/status", {"requestObject": {}})


LOST = {
    "/pa/v4/activation/confirm": lambda device: device.confirm(),
    "/pa/v4/auth/validate": lambda device: device.validate(),
    "/pa/v4/token/create": lambda device: device.create_token(),
    "/pa/v4/password/change": lambda device: device.new_factor_key("password/change"),
    "/pa/v4/biometry/add": lambda device: device.new_factor_key("biometry/add"),
    "/pa/v4/biometry/remove": lambda device: device.remove_biometry(),
    "/pa/v4/vault/unlock": lambda device: device.unlock("KDK_APP_VAULT_2FA"),
}


@pytest.mark.parametrize("path", LOST)
@pytest.mark.parametrize("process", [False, True])
def test_lost_answers(new_device4: Any, admin: Any, path: Any, process: Any) -> None:
    device = new_device4(confirm=path != "/pa/v4/activation/confirm")
    device.status()
    before = admin.activation(device)["counter"]
    admin.fault(path, "close_after_read", process=process)
    with pytest.raises(httpx.RemoteProtocolError):
        LOST[path](device)
    assert admin.activation(device)["counter"] == before + process
    status = device.status()
    assert status["distance"] == (0 if process else -1)
    if path.endswith("confirm"):
        assert status["flags"] & 1 == (not process)
    device.validate()
    assert admin.activation(device)["counter"] == before + 2


def test_requests_that_are_nonsense(device4: Any, admin: Any) -> None:
    """Every endpoint refuses what is not a request of its kind, with an answer of the protocol."""
    paths = [
        *("status", "keystore/create", "activation/create", "activation/status", "activation/confirm"),
        *("activation/remove", "activation/detail", "activation/rename", "token/create", "token/remove"),
        *("vault/unlock", "auth/validate", "password/change", "biometry/add", "biometry/remove"),
        *("upgrade/start", "upgrade/confirm", "user/info", "config/application", "config/activation"),
    ]
    before = admin.get("/audit", limit=1)["audit"][-1]["seq"]
    envelope = device4.encrypt(b"{}", "/pa/generic/activation", True).body
    bodies: list[Any] = [b"", b"{", b"[]", b"null", b"\xff", {}, {"requestObject": []}, {"requestObject": {"jwt": 1}}]
    bodies += [{**envelope, name: value} for name in envelope for value in (None, 1, "", "A", [], {}, -1, 2**64)]
    failures = 0
    for name in paths:
        for body in bodies:
            for headers in ({}, device4.encryption_header(True), {"X-PowerAuth-Token": "PowerAuth x"}):
                response = device4.raw(f"/pa/v4/{name}", body, headers)
                assert response.status_code in (400, 401, 500) or name == "status", (name, body, response.text)
                assert response.json()["status"] == "ERROR" or name == "status"
                failures += response.status_code == 500
    refused = admin.get("/audit", kind="request", after=before, limit=100_000)["audit"]
    assert sum(record["status"] == 500 for record in refused) == failures, "an exception that nobody expected"


def test_request_tokens_that_are_nonsense(device4: Any) -> None:
    good = '{"alg":"HS384"}'
    for header in (good, '{"alg":"none"}', "[]"):
        for claims in (
            *("{}", "[]", '{"applicationKey":1}', '{"applicationKey":[]}', '{"sharedSecretRequest":1}'),
            '{"sharedSecretRequest":{"algorithm":"EC_P384"}}',
            '{"sharedSecretRequest":{"algorithm":["EC_P384"]}}',
            f'{{"applicationKey":"{device4.sdk.key}","sharedSecretRequest":{{"algorithm":"EC_P384"}}}}',
            f'{{"applicationKey":"{device4.sdk.key}","activationId":7,"sharedSecretRequest":{{"algorithm":"EC_P384"}}}}',
        ):
            token = ".".join((url_enc(header.encode()), url_enc(claims.encode()), url_enc(bytes(48))))
            with pytest.raises(ServerError) as error:
                device4.send(KEYS, {"requestObject": {"jwt": token}})
            assert (error.value.status, error.value.code) == (400, "ERR_TEMPORARY_KEY")
    with pytest.raises(ServerError) as error:
        device4.send(KEYS, {"requestObject": {"jwt": " "}})
    assert error.value.code == "ERR_VALIDATION"


@pytest.mark.parametrize("spoil", [{"encapsulationKeys": []}, {"encapsulationKeys": 1}, {"algorithm": "EC_P256"}, {}])
def test_exchanges_that_are_nonsense(hybrid: Any, admin: Any, spoil: Any) -> None:
    with pytest.raises(ServerError) as error:
        hybrid.call_encrypted_signed("password/change", PIN, spoil)
    assert error.value.code == "ERR_PASSWORD_CHANGE"
    assert not admin.activation(hybrid)["protocol4"]["knowledgeWaits"]
