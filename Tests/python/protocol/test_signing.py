"""Signatures for requests of the host, offline signatures, signatures of the server."""

from __future__ import annotations

import base64
from typing import Callable, Optional

import mtoken
import pytest
from conftest import ClientFactory, Device
from devserver import DevServer

FACTORS = {
    "possession": mtoken.Factor.POSSESSION,
    "knowledge": mtoken.Factor.KNOWLEDGE,
    "biometry": mtoken.Factor.BIOMETRY,
    "possession_knowledge": mtoken.Factor.POSSESSION | mtoken.Factor.KNOWLEDGE,
    "possession_biometry": mtoken.Factor.POSSESSION | mtoken.Factor.BIOMETRY,
    "possession_knowledge_biometry": mtoken.Factor.POSSESSION | mtoken.Factor.KNOWLEDGE | mtoken.Factor.BIOMETRY,
}


def auth_of(device: Device, kind: str) -> mtoken.Auth:
    return mtoken.Auth(
        pin=device.pin if "knowledge" in kind else None,
        biometry_key=device.biometry_key if "biometry" in kind else None,
        factors=FACTORS[kind],
    )


@pytest.mark.parametrize("kind", FACTORS)
def test_factors(server: DevServer, biometric_device: Device, kind: str) -> None:
    body = b'{"amount":"10"}'
    header = biometric_device.client.sign("POST", "/test/signed", body, auth_of(biometric_device, kind))
    assert header.name == "X-PowerAuth-Authorization"
    answer = server.send("POST", "/api/test/signed", body, dict([header]))
    assert answer.status == 200, answer
    echo = answer.body["responseObject"]
    assert (echo["activationId"], echo["signatureType"]) == (biometric_device.activation_id, kind)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"])
def test_methods(server: DevServer, device: Device, method: str) -> None:
    if method == "GET":
        query, body = "?b=2&a=%C5%BDi%C5%BEkov&c=", b""
        signed = mtoken.canonical_query(query[1:])
    elif method == "HEAD":
        query, body, signed = "", b"", b""
    else:
        query, body = "", bytes(range(256))
        signed = body
    header = device.client.sign(method, "/test/signed", signed, device.auth)
    answer = server.send(method, f"/api/test/signed{query}", body, dict([header]))
    assert answer.status == 200, answer
    if method != "HEAD":
        assert answer.body["responseObject"]["method"] == method


# Offline


def offline_check(server: DevServer, device: Device, code: str, nonce: bytes, **members: object) -> dict[str, object]:
    body = {
        "activationId": device.activation_id,
        "operationId": "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6",
        "data": "A1*A100CZK",
        "nonce": base64.b64encode(nonce).decode(),
        "code": code,
        "biometryAllowed": True,
        **members,
    }
    return server.admin("POST", "/offline/verify", body)


OFFLINE_BODY = b"5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6&A1*A100CZK"
OFFLINE_URI = "/operation/authorize/offline"


def test_offline_signature(server: DevServer, biometric_device: Device) -> None:
    device, nonce = biometric_device, bytes(range(16))
    code = device.client.sign_offline(OFFLINE_URI, OFFLINE_BODY, nonce, device.auth)
    parts = code.split("-")
    assert [len(part) for part in parts] == [8, 8] and "".join(parts).isdigit()
    result = offline_check(server, device, code, nonce)
    assert (result["valid"], result["signatureType"]) == (True, "possession_knowledge")
    code = device.client.sign_offline(OFFLINE_URI, OFFLINE_BODY, nonce, mtoken.Auth.biometry(device.biometry_key))
    result = offline_check(server, device, code, nonce)
    assert (result["valid"], result["signatureType"]) == (True, "possession_biometry")
    assert device.can_sign()


# The server's signatures


def test_verify_signatures_of_both_forms(server: DevServer, device: Device) -> None:
    raw, client = mtoken.DeviceSignature.RAW, device.client
    for key, name in ((mtoken.Key.MASTER, "master"), (mtoken.Key.PERSONALIZED, "personalised")):
        members = {"activationId": device.activation_id} if key is mtoken.Key.PERSONALIZED else {}
        jose = server.sign(b"data", key=name, format="JOSE", **members)
        assert len(jose) == 64 and client.verify(b"data", jose, key=key, form=raw)
        assert not client.verify(b"date", jose, key=key, form=raw)
        assert not client.verify(b"data", jose, key=key)
        assert not client.verify(b"data", server.sign(b"data", key=name, **members), key=key, form=raw)
        assert not client.verify(b"data", jose[:-1], key=key, form=raw)
    with pytest.raises(mtoken.ArgumentError):
        client.verify(b"data", b"", form=raw)
    with pytest.raises(mtoken.ArgumentError):
        client.verify(b"data", b"x", form=mtoken.DeviceSignature(7))


# Codes


@pytest.mark.parametrize(
    "typed",
    [
        lambda code, signature: code.lower(),
        lambda code, signature: code.replace("-", ""),
        lambda code, signature: code.replace("-", "\u2013"),
        lambda code, signature: code.replace("-", " \u2212 "),
        lambda code, signature: f"\ufeff {code[:11]}\r\n{code[11:]}\n",
        lambda code, signature: code.replace("O", "0").replace("I", "1"),
        lambda code, signature: f"{code.lower()}#{signature[:10]}\n{signature[10:]}\u00a0",
    ],
)
def test_an_activation_code_as_people_type_it(
    server: DevServer, make_client: ClientFactory, user: str, typed: Callable[[str, str], str]
) -> None:
    code, signature = server.new_activation(user)["activationQr"].split("#")
    assert make_client().activate(typed(code, signature)).activation_id


@pytest.mark.parametrize(
    ("text", "offset", "what"),
    [
        ("mmmmm-8mmmm-mmmmm-mutoa", 6, "character"),
        ("mmmmm\u2013\u017emmmm", 8, "character"),
        ("mmmmm-mmmmm-mmmmm-mutoaa", 23, "character"),
        ("mmmmm-mmmmm-mmmmm-muto ", 23, "short"),
        ("mmmmm-mmmmm#AAAA", 11, "character"),
        ("MMMMM-MMMMM-MMMMM-MUTOB", None, "not valid"),
        ("MMMMM-MMMMM-MMMMM-MUTOA#\u017e", 24, "character"),
    ],
)
def test_what_cannot_be_corrected(make_client: ClientFactory, text: str, offset: Optional[int], what: str) -> None:
    with pytest.raises(mtoken.ParseError, match=what) as failure:
        make_client().activate(text)
    assert failure.value.byte_offset == offset


def test_a_configuration_that_was_broken_into_lines(server: DevServer, make_client: ClientFactory) -> None:
    text = server.configuration
    broken = "\r\n".join(text[start : start + 20] for start in range(0, len(text), 20))
    make_client(configuration=f" {broken}\n").synchronize_time()
    with pytest.raises(mtoken.ConfigurationError):
        make_client("other", configuration=text.replace("A", "!"))


def test_activation_code_with_signature(server: DevServer, user: str) -> None:
    created = server.new_activation(user)
    code = mtoken.parse_activation_code(created["activationQr"])
    assert code.code == created["activationCode"]
    assert code.signature is not None and created["activationQr"] == f"{code.code}#{code.signature}"


@pytest.mark.parametrize(
    ("text", "corrected"),
    [("a", "A"), ("Z", "Z"), ("0", "O"), ("1", "I"), ("2", "2"), ("7", "7"), ("8", None), ("-", None), ("ž", None)],
)
def test_correct_a_typed_character(text: str, corrected: Optional[str]) -> None:
    assert mtoken.correct_activation_code_character(text) == corrected
