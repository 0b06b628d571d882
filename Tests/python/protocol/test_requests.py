"""Requests that the host sends itself: encryption in both scopes, order with signatures, authentication codes, turns."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any, Dict

import mtoken
import pytest
from conftest import PROTOCOLS_3, ClientFactory, Device, DeviceFactory
from devserver import OPERATIONS, DevServer

BODIES = [b"{}", b"", bytes(range(256)), b"x" * 100_000]


def exchanged(server: DevServer, path: str, request: mtoken.EncryptedRequest, **more: str) -> Dict[str, Any]:
    """Sends the request and returns the decrypted answer's content."""
    answer = server.send("POST", path, request.body, {**dict([request.header]), **more})
    assert answer.status == 200, answer
    plain = json.loads(request.decrypt(json.dumps(answer.body).encode()))
    assert plain["status"] == "OK"
    content: Dict[str, Any] = plain["responseObject"]
    return content


def received(content: Dict[str, Any]) -> bytes:
    return base64.b64decode(content["received"])


@pytest.mark.parametrize("protocol", PROTOCOLS_3)
@pytest.mark.parametrize("body", BODIES, ids=len)
def test_application_scope(
    server: DevServer, make_client: ClientFactory, protocol: mtoken.Protocol, body: bytes
) -> None:
    """Without any activation."""
    client = make_client(protocol=protocol)
    request = client.requests.encrypt(body, scope=mtoken.Scope.APPLICATION)
    assert request.header.name == "X-PowerAuth-Encryption" and "activation_id" not in request.header.value
    assert received(exchanged(server, "/api/test/encrypted/application", request)) == body
    assert client.state is mtoken.ClientState.EMPTY


@pytest.mark.parametrize("protocol", PROTOCOLS_3)
@pytest.mark.parametrize("body", BODIES, ids=len)
def test_activation_scope(
    server: DevServer, make_device: DeviceFactory, protocol: mtoken.Protocol, body: bytes
) -> None:
    device = make_device(protocol=protocol)
    request = device.client.requests.encrypt(body)
    assert request.header.name == "X-PowerAuth-Encryption" and device.activation_id in request.header.value
    assert received(exchanged(server, "/api/test/encrypted/activation", request)) == body


@pytest.mark.parametrize("protocol", PROTOCOLS_3)
@pytest.mark.parametrize(
    ("order", "path"),
    [(mtoken.Order.ENCRYPT_THEN_SIGN, "encrypt-then-sign"), (mtoken.Order.SIGN_THEN_ENCRYPT, "sign-then-encrypt")],
)
def test_signed_and_encrypted(
    server: DevServer, make_device: DeviceFactory, protocol: mtoken.Protocol, order: mtoken.Order, path: str
) -> None:
    device = make_device(protocol=protocol)
    body = b'{"amount":"10"}'
    request = device.client.requests.encrypt(body, auth=device.auth, uri_id=f"/test/{path}", order=order)
    assert request.header.name == "X-PowerAuth-Authorization"
    content = exchanged(server, f"/api/test/{path}", request)
    assert received(content) == body
    assert (content["activationId"], content["signatureType"]) == (device.activation_id, "possession_knowledge")
    other = {"encrypt-then-sign": "sign-then-encrypt", "sign-then-encrypt": "encrypt-then-sign"}[path]
    swapped = device.client.requests.encrypt(body, auth=device.auth, uri_id=f"/test/{other}", order=order)
    refused = server.send("POST", f"/api/test/{other}", swapped.body, dict([swapped.header]))
    assert refused.status == 401, "the two orders must not be the same thing"


def test_an_answer_is_decrypted_once(server: DevServer, device: Device) -> None:
    request = device.client.requests.encrypt(b"x")
    answer = server.send("POST", "/api/test/encrypted/activation", request.body, dict([request.header]))
    body = json.dumps(answer.body).encode()
    with pytest.raises(mtoken.ParseError):
        request.decrypt(b"not JSON")
    request.decrypt(body)
    with pytest.raises(mtoken.StateError):
        request.decrypt(body)


def test_a_temporary_key_that_the_server_forgot(server: DevServer, device: Device) -> None:
    """The library sees it when the host hands on the refusal, which is not encrypted."""
    device.client.requests.encrypt(b"x")
    server.admin("DELETE", "/temporary-keys")
    for hands_on in (False, True):
        request = device.client.requests.encrypt(b"x")
        refused = server.send("POST", "/api/test/encrypted/activation", request.body, dict([request.header]))
        assert (refused.status, refused.body["responseObject"]["code"]) == (400, "ERR_ENCRYPTION")
        if hands_on:
            with pytest.raises(mtoken.DecryptionError):
                request.decrypt(json.dumps(refused.body).encode())
    assert received(exchanged(server, "/api/test/encrypted/activation", device.client.requests.encrypt(b"x"))) == b"x"


# Authentication codes


def application_secret(server: DevServer) -> bytes:
    return base64.b64decode(server.facts["application"]["appSecret"])


def test_hmac_of_the_application(server: DevServer, make_client: ClientFactory) -> None:
    client = make_client()
    for data in (b"", b"x", bytes(1000)):
        expected = hmac.digest(application_secret(server), data, hashlib.sha256)
        assert client.requests.hmac(data, scope=mtoken.Scope.APPLICATION) == expected


def test_hmac_of_the_activation(server: DevServer, device: Device) -> None:
    """With it a host can ask the key store itself, as the library does."""
    challenge = base64.b64encode(bytes(range(18))).decode()
    claims = {
        "applicationKey": server.facts["application"]["appKey"],
        "activationId": device.activation_id,
        "challenge": challenge,
    }

    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    text = part(b'{"alg":"HS256","typ":"JWT"}') + "." + part(json.dumps(claims).encode())

    def status(code: bytes) -> int:
        body = json.dumps({"requestObject": {"jwt": f"{text}.{part(code)}"}}).encode()
        return server.send("POST", "/pa/v3/keystore/create", body).status

    counter = device.view()["counter"]
    code = device.client.requests.hmac(text.encode())
    assert len(code) == 32 and status(code) == 200
    assert status(bytes(32)) == 400
    assert status(device.client.requests.hmac(text.encode(), scope=mtoken.Scope.APPLICATION)) == 400
    assert device.view()["counter"] == counter
    device.client.remove_local()
    with pytest.raises(mtoken.NotActivatedError):
        device.client.requests.hmac(b"x")


# Turns


def test_a_turn_keeps_the_librarys_own_signatures_waiting(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    before = server.mark()
    with device.client.requests.turn():
        header = device.client.sign("POST", "/test/signed", b"x", device.auth)
        approval = device.client.operations.start_authorize(operation, device.auth)
        device.client.synchronize_time()  # what is not signed goes on, and shows that the loop has seen the approval
        assert not approval.done()
        assert server.send("POST", "/api/test/signed", b"x", dict([header])).status == 200
    approval.result(30)
    paths = [
        request["path"] for request in server.requests(after=before) if "x-powerauth-auth" in str(request["headers"])
    ]
    assert paths == ["/api/test/signed", f"{OPERATIONS}/authorize"]
