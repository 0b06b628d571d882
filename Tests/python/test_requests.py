"""Requests that the host sends itself: encryption in both scopes, order with signatures, authentication codes, turns."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
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


def test_token_and_encryption(server: DevServer, device: Device) -> None:
    """Both headers go with one request."""
    device.client.tokens.create("mine", device.auth)
    token = device.client.tokens.header("mine")
    request = device.client.requests.encrypt(b"{}")
    answer = server.send("POST", "/pa/v3/activation/detail", request.body, dict([request.header, token]))
    assert answer.status == 200
    plain = json.loads(request.decrypt(json.dumps(answer.body).encode()))
    assert plain["responseObject"]["activationName"] == f"Device of {device.user}"


def test_rename(server: DevServer, device: Device) -> None:
    """An endpoint of the protocol that is signed, then encrypted."""
    request = device.client.requests.encrypt(
        b'{"activationName":"Nov\\u00e9"}',
        auth=device.auth,
        uri_id="/pa/activation/rename",
        order=mtoken.Order.SIGN_THEN_ENCRYPT,
    )
    assert server.send("POST", "/pa/v3/activation/rename", request.body, dict([request.header])).status == 200
    assert device.view()["name"] == "Nové"


def test_an_answer_is_decrypted_once(server: DevServer, device: Device) -> None:
    request = device.client.requests.encrypt(b"x")
    answer = server.send("POST", "/api/test/encrypted/activation", request.body, dict([request.header]))
    body = json.dumps(answer.body).encode()
    with pytest.raises(mtoken.ParseError):
        request.decrypt(b"not JSON")
    request.decrypt(body)
    with pytest.raises(mtoken.StateError):
        request.decrypt(body)


def test_an_answer_to_another_request(server: DevServer, device: Device) -> None:
    first, second = device.client.requests.encrypt(b"1"), device.client.requests.encrypt(b"2")
    answer = server.send("POST", "/api/test/encrypted/activation", first.body, dict([first.header]))
    with pytest.raises(mtoken.DecryptionError):
        second.decrypt(json.dumps(answer.body).encode())
    with pytest.raises(mtoken.StateError):
        second.decrypt(json.dumps(answer.body).encode())
    assert received(json.loads(first.decrypt(json.dumps(answer.body).encode()))["responseObject"]) == b"1"


def test_every_bit_of_an_answer_counts(server: DevServer, device: Device) -> None:
    for member in ("encryptedData", "mac", "nonce"):
        request = device.client.requests.encrypt(b"x")
        answer = server.send("POST", "/api/test/encrypted/activation", request.body, dict([request.header])).body
        changed = bytearray(base64.b64decode(answer[member]))
        changed[5] ^= 1
        with pytest.raises(mtoken.DecryptionError):
            request.decrypt(json.dumps({**answer, member: base64.b64encode(changed).decode()}).encode())
    request = device.client.requests.encrypt(b"x")
    answer = server.send("POST", "/api/test/encrypted/activation", request.body, dict([request.header])).body
    with pytest.raises(mtoken.DecryptionError):
        request.decrypt(json.dumps({**answer, "timestamp": answer["timestamp"] + 1}).encode())


def test_a_request_is_sent_once(server: DevServer, device: Device) -> None:
    request = device.client.requests.encrypt(b"x")
    assert received(exchanged(server, "/api/test/encrypted/activation", request)) == b"x"
    again = server.send("POST", "/api/test/encrypted/activation", request.body, dict([request.header]))
    assert (again.status, again.body["responseObject"]["code"]) == (400, "ERR_ENCRYPTION")


def test_one_temporary_key_for_a_burst(server: DevServer, device: Device) -> None:
    """When the key has expired, all calls share one that is fetched anew, for each scope."""
    device.client.requests.encrypt(b"x")
    server.admin("DELETE", "/temporary-keys")
    server.admin("PUT", "/clock", {"offsetMs": 3_600_000})
    device.client.reset_time()
    device.client.synchronize_time()
    before = server.mark()
    scopes = [mtoken.Scope.APPLICATION, mtoken.Scope.ACTIVATION] * 10
    tasks = [device.client.requests.start_encrypt(b"x", scope=scope) for scope in scopes]
    for scope, task in zip(scopes, tasks):
        name = "application" if scope is mtoken.Scope.APPLICATION else "activation"
        assert received(exchanged(server, f"/api/test/encrypted/{name}", task.result(30))) == b"x"
    assert len(server.requests("/pa/v3/keystore/create", before)) == 2


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


def test_the_key_of_the_activation_is_dropped_on_removal(server: DevServer, device: Device) -> None:
    """That of the application survives."""
    client = device.client
    for scope in (mtoken.Scope.APPLICATION, mtoken.Scope.ACTIVATION):
        client.requests.encrypt(b"x", scope=scope)
    old = client.requests.encrypt(b"x")
    client.remove_local()
    before = server.mark()
    client.requests.encrypt(b"x", scope=mtoken.Scope.APPLICATION)
    assert server.requests(after=before) == []
    with pytest.raises(mtoken.NotActivatedError):
        client.requests.encrypt(b"x")
    with pytest.raises(mtoken.CancelledError):
        old.decrypt(b"{}")


def test_an_encrypted_answer_tells_the_time(server: DevServer, make_client: ClientFactory) -> None:
    client = make_client()
    server.admin("PUT", "/clock", {"offsetMs": -7_200_000})
    request = client.requests.encrypt(b"x", scope=mtoken.Scope.APPLICATION)
    exchanged(server, "/api/test/encrypted/application", request)
    assert client.info().time_synchronized
    assert abs(client.info().time_adjustment.total_seconds() + 7200) < 10


def test_wrong_arguments(device: Device) -> None:
    requests = device.client.requests
    auth = device.auth
    wrong: list[Dict[str, Any]] = [
        {"scope": mtoken.Scope(0)},
        {"scope": mtoken.Scope(3)},
        {"auth": auth},
        {"uri_id": "/x"},
        {"order": mtoken.Order(1)},
        {"auth": auth, "uri_id": "/x", "order": mtoken.Order(2)},
        {"auth": auth, "uri_id": "/x", "scope": mtoken.Scope.APPLICATION},
    ]
    for arguments in wrong:
        with pytest.raises(mtoken.ArgumentError):
            requests.encrypt(b"x", **arguments)
    with pytest.raises(mtoken.ArgumentError):
        requests.hmac(b"x", scope=mtoken.Scope(0))


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


def test_turns_come_one_after_another(device: Device) -> None:
    """Threads that sign and send within turns never overlap."""
    inside, overlaps = threading.Lock(), []
    server = device.server
    device.client.status()  # tells how wide the server's window is

    def work() -> None:
        for _ in range(5):
            with device.client.requests.turn():
                if not inside.acquire(blocking=False):
                    overlaps.append(1)
                    continue
                header = device.client.sign("POST", "/test/signed", b"x", device.auth)
                overlaps.extend(
                    [2] if server.send("POST", "/api/test/signed", b"x", dict([header])).status != 200 else []
                )
                inside.release()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlaps == []


def test_a_turn_ends_with_its_activation(server: DevServer, device: Device) -> None:
    with device.client.requests.turn():
        device.client.remove_local()
    client = device.client
    client.activate(server.new_activation(device.user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    client.persist("1234")
    client.factors.validate_pin("1234")


def test_a_turn_ends_with_its_client(make_device: DeviceFactory) -> None:
    device = make_device()
    with device.client.requests.turn():
        device.client.close()


def test_a_turn_needs_an_activation(make_client: ClientFactory) -> None:
    with pytest.raises(mtoken.NotActivatedError), make_client().requests.turn():
        pass
