"""Signatures, the counter, blocking, tokens, encryption and its replay protection."""

from __future__ import annotations

import json
import os
import re
import uuid
from typing import Any

import pytest
from client import ServerError, enc, step

VALIDATE = ("/pa/v3/signature/validate", "/pa/signature/validate")
BODY = {"requestObject": {"reason": "VALIDATE_PASSWORD"}}


def refusal(status: Any, code: Any, message: Any, call: Any, *arguments: Any, **options: Any) -> None:
    with pytest.raises(ServerError) as error:
        call(*arguments, **options)
    assert (error.value.status, error.value.code, error.value.message) == (status, code, message)


def signature_refused(call: Any, *arguments: Any, **options: Any) -> None:
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", call, *arguments, **options)


@pytest.mark.parametrize("version", ["3.0", "3.3"])
@pytest.mark.parametrize(
    "factors",
    ["possession", "possession_knowledge", "possession_biometry", "possession_knowledge_biometry"],
)
def test_every_combination_of_factors(new_device: Any, version: Any, factors: Any) -> None:
    new_device(version).validate(factors)


@pytest.mark.parametrize("factors", ["knowledge", "biometry"])
def test_single_other_factors_are_not_allowed(device: Any, admin: Any, factors: Any) -> None:
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.validate, factors)
    seen = admin.activation(device)
    assert (seen["counter"], seen["failedAttempts"]) == (0, 0)


def test_replayed_signature_is_refused(device: Any, admin: Any) -> None:
    body = json.dumps(BODY).encode()
    header = device.signature_header("possession_knowledge", VALIDATE[1], body)
    device.send(VALIDATE[0], body, header)
    signature_refused(device.send, VALIDATE[0], body, header)
    assert admin.activation(device)["failedAttempts"] == 1


def test_tampered_body_method_and_uri_id_are_refused(device: Any, admin: Any) -> None:
    body = json.dumps(BODY).encode()
    header = device.signature_header("possession_knowledge", VALIDATE[1], body)
    signature_refused(device.send, VALIDATE[0], body + b" ", header)
    header = device.signature_header("possession_knowledge", VALIDATE[1], body)
    signature_refused(device.send, VALIDATE[0], body, header, method="PUT")
    header = device.signature_header("possession_knowledge", "/pa/other", body)
    signature_refused(device.send, VALIDATE[0], body, header)
    assert admin.activation(device)["failedAttempts"] == 3
    device.validate()
    assert admin.activation(device)["failedAttempts"] == 0


def test_every_method_signs(device: Any) -> None:
    for method in ("POST", "PUT", "DELETE"):
        body = json.dumps(BODY).encode()
        device.send(VALIDATE[0], body, device.signature_header("possession", VALIDATE[1], body, method), method)
    header = device.signature_header("possession", VALIDATE[1], b"a=1&b=x+y%C5%A1", "GET")
    device.send(f"{VALIDATE[0]}?b=x%20y%c5%a1&a=1", b"", header, "GET")
    header = device.signature_header("possession", VALIDATE[1], b"", "GET")
    device.send(VALIDATE[0], b"", header, "GET")


def test_query_that_is_decoded_twice(device: Any, admin: Any) -> None:
    """A bug of the released front end, which a client meets with %2B and %25; by option they verify."""

    def call(signed: Any, query: Any) -> None:
        header = device.signature_header("possession", VALIDATE[1], signed, "GET")
        device.send(f"{VALIDATE[0]}?{query}", b"", header, "GET")

    for signed, query in ((b"plus=%2B", "plus=%2B"), (b"pct=%2525", "pct=%2525")):
        signature_refused(call, signed, query)
    for signed, query in ((b"a=b%3Dc", "a=b=c"), (b"a=1&a=2", "a=2&a=1"), (b"", "name")):
        call(signed, query)
    admin.patch("/config", {"queryDecodedOnce": True})
    call(b"plus=%2B", "plus=%2B")


@pytest.mark.parametrize("ahead,accepted", [(0, True), (19, True), (20, False), (21, False)])
def test_look_ahead(device: Any, admin: Any, ahead: Any, accepted: Any) -> None:
    """The server tries 20 values: its own counter and 19 behind it."""
    for _ in range(ahead):
        device.counter = step(device.counter)
    if accepted:
        device.validate()
        assert admin.activation(device)["counter"] == ahead + 1
    else:
        signature_refused(device.validate)
        assert admin.activation(device)["counter"] == 0


def test_a_used_counter_is_never_accepted_again(device: Any, admin: Any) -> None:
    before = device.counter
    device.validate()
    device.counter = before
    signature_refused(device.validate)


def test_the_server_may_be_ahead(device: Any, admin: Any) -> None:
    admin.post(f"/activations/{device.activation_id}/counter", {"steps": 7})
    signature_refused(device.validate)
    assert device.status()["distance"] == 6
    for _ in range(6):
        device.counter = step(device.counter)
    device.validate()


def test_blocking_after_too_many_wrong_pins(device: Any, admin: Any) -> None:
    for attempt in range(1, 6):
        signature_refused(device.validate, wrong_pin=True)
        assert admin.activation(device)["failedAttempts"] == attempt
    status = device.status()
    assert (status["status"], status["failed"], status["max"]) == (4, 5, 5)
    assert admin.activation(device)["blockReason"] == "MAX_FAILED_ATTEMPTS"
    signature_refused(device.validate)
    assert admin.last_refusal(activationId=device.activation_id) == "activation is BLOCKED"
    admin.post(f"/activations/{device.activation_id}/unblock")
    device.validate()
    assert device.status()["failed"] == 0


def test_removal_after_too_many_wrong_pins(device: Any, admin: Any) -> None:
    admin.patch("/config", {"removeWhenOutOfAttempts": True, "maxFailedAttempts": 5})
    for _ in range(5):
        signature_refused(device.validate, wrong_pin=True)
    assert device.status()["status"] == 5


def test_possession_never_changes_the_failures(device: Any, admin: Any) -> None:
    signature_refused(device.validate, wrong_pin=True)
    device.validate("possession")
    assert admin.activation(device)["failedAttempts"] == 1
    body = json.dumps(BODY).encode()
    for _ in range(10):
        header = device.signature_header("possession", VALIDATE[1], body, keys={"possession": os.urandom(16)})
        signature_refused(device.send, VALIDATE[0], body, header)
    assert admin.activation(device)["failedAttempts"] == 1


def spoilt_headers(good: Any, device: Any) -> Any:
    """The broken forms that the released servers refuse."""
    return {
        "empty": "",
        "another scheme": good.replace("PowerAuth ", "Bearer "),
        "scheme alone": "PowerAuth",
        "scheme without a space": good.replace("PowerAuth ", "PowerAuth"),
        "no version": good.replace('pa_version="3.3", ', ""),
        "unknown version": good.replace('pa_version="3.3"', 'pa_version="4.0"'),
        "no activation": good.replace(f'pa_activation_id="{device.activation_id}", ', ""),
        "activation is no UUID": good.replace(device.activation_id, "not-a-uuid"),
        "UUID of a wrong variant": good.replace(device.activation_id, "11111111-1111-7111-1111-111111111111"),
        "no application key": good.replace(f'pa_application_key="{device.sdk.key}", ', ""),
        "short application key": good.replace(device.sdk.key, "AAAA"),
        "short nonce": re.sub('pa_nonce="[^"]*"', 'pa_nonce="AAAA"', good),
        "unknown factors": good.replace('"possession"', '"everything"'),
        "no signature": re.sub(', pa_signature="[^"]*"', "", good),
        "short signature": re.sub('pa_signature="[^"]*"', 'pa_signature="AAAA"', good),
        "signature is no Base64": re.sub('pa_signature="[^"]*"', 'pa_signature="***"', good),
    }


def test_malformed_and_missing_headers(device: Any, admin: Any) -> None:
    body = json.dumps(BODY).encode()
    signature_refused(device.send, VALIDATE[0], BODY)
    good = device.signature_header("possession_knowledge", VALIDATE[1], body)["X-PowerAuth-Authorization"]
    good = good.replace("possession_knowledge", "possession")
    before = admin.activation(device)
    for name, bad in spoilt_headers(good, device).items():
        assert bad != good, name
        signature_refused(device.send, VALIDATE[0], body, {"X-PowerAuth-Authorization": bad})
    assert admin.activation(device) == before


def test_headers_that_the_released_servers_accept(device: Any, admin: Any) -> None:
    """Other orders, no commas, attributes unknown or twice, other case, no padding outside of the signature."""
    body = json.dumps(BODY).encode()

    def unpadded(text: str) -> str:
        return re.sub('(pa_nonce|pa_application_key)="([^"=]*)=*"', r'\1="\2"', text)

    def header(change: Any) -> Any:
        text = device.signature_header("possession", VALIDATE[1], body)["X-PowerAuth-Authorization"]
        return "PowerAuth " + change(text[len("PowerAuth ") :])

    for change in (
        lambda text: " ".join(reversed(text.split(", "))),
        lambda text: text + ', pa_more="1"',
        lambda text: 'pa_version="9.9", ' + text + ', pa_version="3.3"',
        lambda text: text.replace('"possession"', '"POSSESSION"'),
        unpadded,
        lambda text: "  " + text,
    ):
        device.send(VALIDATE[0], body, {"x-POWERAUTH-authorization": header(change)})
    without = {"X-PowerAuth-Authorization": header(lambda text: re.sub('(pa_signature="[^"=]*)=+"', r'\1"', text))}
    signature_refused(device.send, VALIDATE[0], body, without)
    admin.patch("/config", {"strict": True})
    for change in (lambda text: text + ', pa_version="3.3"', unpadded):
        signature_refused(device.send, VALIDATE[0], body, {"X-PowerAuth-Authorization": header(change)})


def test_unknown_activation(device: Any) -> None:
    device.activation_id = str(uuid.uuid4())
    signature_refused(device.validate)


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
def test_tokens(new_device: Any, admin: Any, version: Any) -> None:
    device = new_device(version)
    token = device.create_token()
    header = device.token_header(token)
    answer = device.send("/api/test/token", {}, header)["responseObject"]
    assert answer["activationId"] == device.activation_id and answer["signatureType"] == "possession"
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.send, "/api/test/token", {}, header)
    assert admin.last_refusal("token") == "token nonce was used before"
    removal = {"requestObject": {"tokenId": token["tokenId"]}}
    answer = device.call_signed("/pa/v3/token/remove", "/pa/token/remove", "possession", removal)
    assert answer["responseObject"] == removal["requestObject"]
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.call_token, "/api/test/token", token)
    device.call_signed("/pa/v3/token/remove", "/pa/token/remove", "possession", removal)


def test_token_refusals(device: Any, new_device: Any, admin: Any) -> None:
    token = device.create_token()
    wrong = dict(token, tokenSecret=enc(os.urandom(16)))
    call = ("/api/test/token",)
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.call_token, *call, wrong)
    assert admin.last_refusal("token") == "token digest is wrong"
    for offset, reason in ((-7_300_000, "token timestamp is too old"), (120_000, "token timestamp is in the future")):
        device.clock_offset = offset
        refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.call_token, *call, token)
        assert admin.last_refusal("token") == reason
    device.clock_offset = 0
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.send, *call, {})
    admin.delete(f"/tokens/{token['tokenId']}")
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.call_token, *call, token)
    token = device.create_token()
    other = new_device()
    other.call_signed(
        "/pa/v3/token/remove", "/pa/token/remove", "possession", {"requestObject": {"tokenId": token["tokenId"]}}
    )
    device.call_token(*call, token)
    admin.post(f"/activations/{device.activation_id}/block")
    refusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", device.call_token, *call, token)


def token_create_refused(device: Any, envelope_body: Any, message: Any = "POWER_AUTH_SIGNATURE_INVALID") -> None:
    refusal(
        401,
        "ERR_AUTHENTICATION",
        message,
        device.call_signed,
        "/pa/v3/token/create",
        "/pa/token/create",
        "possession",
        envelope_body,
    )


def token_request(device: Any) -> Any:
    return device.encrypt(b"{}", "/pa/token/create", True)


def test_encrypted_replay_is_refused(device: Any, admin: Any) -> None:
    envelope = token_request(device)
    device.call_signed("/pa/v3/token/create", "/pa/token/create", "possession", envelope.body)
    token_create_refused(device, envelope.body)
    assert admin.last_refusal("encryption") == "encrypted request was sent before"


def token_create_at(device: Any, offset: Any) -> Any:
    """Whether a cryptogram with this timestamp is opened; the signature is right."""
    device.clock_offset = offset * 1000
    envelope = token_request(device)
    header = device.signature_header("possession", "/pa/token/create", json.dumps(envelope.body).encode())
    device.clock_offset = 0
    return device.raw("/pa/v3/token/create", envelope.body, header).status_code == 200


@pytest.mark.parametrize("version", ["3.2", "3.3"])
def test_time_window_of_cryptograms(new_device: Any, admin: Any, version: Any) -> None:
    """Any age is taken, but only a minute ahead (`fact-time-windows.json`); in strict mode a minute either way."""
    device = new_device(version)
    assert [token_create_at(device, offset) for offset in (-864_000, -3600, -61, 0, 50)] == [True] * 5
    assert [token_create_at(device, offset) for offset in (70, 3600)] == [False] * 2
    assert admin.last_refusal("encryption") == "timestamp is outside of the window"
    admin.patch("/config", {"strict": True})
    assert [token_create_at(device, offset) for offset in (-70, -50, 50, 70)] == [False, True, True, False]


@pytest.mark.parametrize(
    "version,accepted,refused",
    [
        ("3.0", (-7100, 50, 70, 1700), (-7300, 1900)),
        ("3.1", (-7100, 50, 70, 1700), (-7300, 1900)),
        ("3.2", (-7100, -61, 50), (-7300, 70)),
        ("3.3", (-7100, -61, 50), (-7300, 70)),
    ],
)
def test_time_window_of_tokens(new_device: Any, version: Any, accepted: Any, refused: Any) -> None:
    device = new_device(version)
    token = device.create_token()
    for offset in accepted:
        device.clock_offset = offset * 1000
        device.call_token("/api/test/token", token)
    for offset in refused:
        device.clock_offset = offset * 1000
        signature_refused(device.call_token, "/api/test/token", token)


def test_wrong_mac_and_tampered_data(device: Any, admin: Any) -> None:
    envelope = token_request(device)
    token_create_refused(device, {**envelope.body, "mac": enc(os.urandom(32))})
    envelope = token_request(device)
    token_create_refused(device, {**envelope.body, "encryptedData": enc(os.urandom(16))})
    envelope = token_request(device)
    token_create_refused(device, {**envelope.body, "ephemeralPublicKey": enc(b"\0" * 33)})
    envelope = device.encrypt(b"{}", "/pa/vault/unlock", True)
    token_create_refused(device, envelope.body)
    assert admin.last_refusal("encryption") == "MAC of the encrypted request is wrong"


@pytest.mark.parametrize("member", ["nonce", "timestamp", "temporaryKeyId"])
def test_missing_members(device: Any, member: Any) -> None:
    body = token_request(device).body
    del body[member]
    token_create_refused(device, body, "POWER_AUTH_SIGNATURE_INVALID")


def test_superfluous_members(new_device: Any) -> None:
    device = new_device("3.0")
    token_create_refused(device, {**token_request(device).body, "nonce": enc(os.urandom(16))})


def test_expired_temporary_key(device: Any, admin: Any) -> None:
    device.create_token()
    admin.delete("/temporary-keys", activationId=device.activation_id)
    token_create_refused(device, token_request(device).body)
    assert admin.last_refusal("encryption") == "temporary key is unknown"
    device.temporary.clear()
    device.create_token()
    admin.patch("/config", {"temporaryKeyValidityMs": 0})
    device.temporary.clear()
    token_create_refused(device, token_request(device).body)
    assert admin.last_refusal("encryption") == "temporary key has expired"


def test_temporary_key_of_another_scope(device: Any, new_device: Any, admin: Any) -> None:
    device.fetch_temporary_key(False)
    device.temporary[True] = device.temporary[False]
    token_create_refused(device, token_request(device).body)
    other = new_device()
    device.temporary[True] = other.fetch_temporary_key(True)
    token_create_refused(device, token_request(device).body)
    assert admin.last_refusal("encryption") == "temporary key belongs to another scope"


def test_token_needs_an_allowed_factor(device: Any) -> None:
    refusal(
        401,
        "ERR_AUTHENTICATION",
        "POWER_AUTH_SIGNATURE_INVALID",
        device.create_token,
        "knowledge",
    )


def test_removal_needs_two_factors(device: Any, admin: Any) -> None:
    refusal(
        401,
        "ERR_AUTHENTICATION",
        "POWER_AUTH_SIGNATURE_INVALID",
        device.call_signed,
        "/pa/v3/activation/remove",
        "/pa/activation/remove",
        "possession",
        {},
    )
    assert admin.activation(device)["state"] == "ACTIVE"


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
def test_calls_of_a_host(new_device: Any, version: Any) -> None:
    device = new_device(version)
    payload = {"hello": "ěšč"}
    plain = enc(json.dumps(payload).encode())
    for path, scope in (("application", False), ("activation", True)):
        answer = device.call_encrypted(f"/api/test/encrypted/{path}", payload, scope)
        assert answer["responseObject"]["received"] == plain
    answer = device.call_encrypted_signed(
        "/api/test/encrypt-then-sign", "/test/encrypt-then-sign", "/pa/generic/activation", "possession", payload
    )
    assert answer["responseObject"]["received"] == plain
    content = json.dumps(payload).encode()
    envelope = device.encrypt(content, "/pa/generic/activation", True)
    header = device.signature_header("possession_knowledge", "/test/sign-then-encrypt", content)
    answer = envelope.open_json(device.send("/api/test/sign-then-encrypt", envelope.body, header))
    assert answer["responseObject"]["signatureType"] == "possession_knowledge"
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        header = device.signature_header("biometry", "/test/signed", b"raw", method)
        assert device.send("/api/test/signed", b"raw", header, method)["responseObject"]["method"] == method
    header = device.signature_header("possession", "/test/signed", b"", "HEAD")
    assert device.raw("/api/test/signed", b"", header, "HEAD").status_code == 200


def test_encryption_refusals_are_plain(device: Any) -> None:
    call = (400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", device.send)
    path = "/api/test/encrypted/application"
    refusal(*call, path, {})
    refusal(*call, path, {}, device.encryption_header(True))
    refusal(*call, path, b"no json", device.encryption_header(False))
    refusal(*call, path, {"mac": 1}, device.encryption_header(False))


@pytest.mark.parametrize(
    "setting,taken",
    [("any", 6), ("1FA", ["possession"]), ("2FA", 2), ("2FA+", 3), ("3FA", ["possession_knowledge_biometry"])],
)
@pytest.mark.parametrize("name", ["signed", "encrypt-then-sign", "sign-then-encrypt"])
def test_factors_of_the_test_endpoints(device: Any, admin: Any, name: Any, setting: Any, taken: Any) -> None:
    """Other factors are refused before verification."""
    admin.patch("/config", {"testFactors": setting})
    single, others = ("possession", "knowledge", "biometry"), ("possession_knowledge", "possession_biometry")
    accepted = []
    for factors in (*single, *others, "possession_knowledge_biometry"):
        sent = b"{}"
        if name != "signed":
            sent = json.dumps(device.encrypt(b"{}", "/pa/generic/activation", True).body).encode()
        covered = b"{}" if name == "sign-then-encrypt" else sent
        header = device.signature_header(factors, f"/test/{name}", covered)
        if device.raw(f"/api/test/{name}", sent, header).status_code == 200:
            accepted.append(factors)
    assert taken in (accepted, len(accepted)) and admin.activation(device)["failedAttempts"] == 0
