"""One test for each row of the feature table of PowerAuth clients, in its order and named after it.

Most rows have a file of their own with all the cases; here each shows that it works through the interface.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, List

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import DevServer

KEY = bytes(range(1, 17))


def accepted(device: Device, auth: mtoken.Auth, client: Any = None) -> bool:
    header = (client or device.client).sign("POST", "/test/signed", b"x", auth)
    return device.server.send("POST", "/api/test/signed", b"x", dict([header])).status == 200


def test_01_create_instance(make_client: ClientFactory) -> None:
    """An invalid configuration is refused, and what was stored is loaded."""
    with pytest.raises(mtoken.ConfigurationError):
        make_client(configuration="AQ==")
    assert make_client().state is mtoken.ClientState.EMPTY


def test_02_state_probes(server: DevServer, make_client: ClientFactory, user: str) -> None:
    """canStartActivation, hasPendingActivation, hasValidActivation. There is no upgrade to have or to wait for."""
    client = make_client()
    states = [client.state]
    client.activate(server.new_activation(user)["activationCode"])
    states.append(client.state)
    client.persist("1234")
    states.append(client.state)
    assert states == [mtoken.ClientState.EMPTY, mtoken.ClientState.PENDING, mtoken.ClientState.ACTIVE]


def test_03_activation_identifier_and_fingerprint(device: Device, make_client: ClientFactory) -> None:
    info, view = device.client.info(), device.view()
    assert (info.activation_id, info.fingerprint) == (view["activationId"], view["fingerprint"])
    empty = make_client("empty").info()
    assert empty.activation_id is None and empty.fingerprint is None


def test_04_create_activation(server: DevServer, make_client: ClientFactory, user: str) -> None:
    """By code and by attributes; recovery and OIDC in test_activation_kinds."""
    by_code = make_client("code").activate(server.new_activation(user)["activationCode"])
    by_attributes = make_client("custom").activate(identity={"username": user})
    assert {server.activation(made.activation_id)["userId"] for made in (by_code, by_attributes)} == {user}


def test_05_persist_activation(server: DevServer, make_client: ClientFactory, user: str) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    client.persist("1234", biometry_key=KEY)
    assert client.info().has_biometry and client.state is mtoken.ClientState.ACTIVE


def test_06_fetch_activation_status(device: Device) -> None:
    assert device.client.info().activation_state is None
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    assert device.client.info().activation_state is mtoken.ActivationState.ACTIVE


def test_07_remove_activation(make_device: DeviceFactory) -> None:
    device, local = make_device("one"), make_device("two")
    device.client.remove(device.auth)
    local.client.remove_local()
    assert (device.view()["state"], local.view()["state"]) == ("REMOVED", "ACTIVE")
    assert device.client.state is local.client.state is mtoken.ClientState.EMPTY


def test_08_request_signature(server: DevServer, device: Device) -> None:
    assert accepted(device, device.auth)
    header = device.client.sign("GET", "/test/signed", mtoken.canonical_query("b=2&a=1"), device.auth)
    assert server.send("GET", "/api/test/signed?b=2&a=1", b"", dict([header])).status == 200


def test_09_offline_signature(server: DevServer, device: Device) -> None:
    nonce = base64.b64encode(KEY).decode()
    code = device.client.sign_offline("/operation/authorize/offline", b"id&A1", KEY, device.auth)
    asked = {"activationId": device.activation_id, "operationId": "id", "data": "A1", "nonce": nonce, "code": code}
    assert server.admin("POST", "/offline/verify", asked)["valid"]


def test_10_verify_server_signed_data(server: DevServer, device: Device) -> None:
    master = server.sign(b"data")
    personal = server.sign(b"data", key="personalised", activationId=device.activation_id)
    assert device.client.verify(b"data", master) and not device.client.verify(b"data", personal)
    assert device.client.verify(b"data", personal, key=mtoken.Key.PERSONALIZED)
    assert device.client.verify(b"data", server.sign(b"data", format="JOSE"), form=mtoken.DeviceSignature.RAW)


def test_11_password(device: Device) -> None:
    """Validate, change and change unsafely."""
    factors = device.client.factors
    factors.validate_pin("1234")
    factors.change_pin("1234", "5678")
    factors.change_pin_unsafe("5678", "9012")
    factors.validate_pin("9012")


def test_12_biometry(device: Device) -> None:
    """Add, has, use, remove. The prompt is the host's: it hands in the key that it keeps."""
    device.client.factors.add_biometry(KEY, device.auth)
    assert device.client.info().has_biometry and accepted(device, mtoken.Auth.biometry(KEY))
    device.client.factors.remove_biometry()
    assert not device.client.info().has_biometry


def test_13_fetch_encryption_key(device: Device) -> None:
    keys = [device.client.vault.encryption_key(index, device.auth) for index in (1, 1, 2)]
    assert keys[0] == keys[1] != keys[2] and len(keys[0]) == 16


def test_14_device_private_key(server: DevServer, device: Device) -> None:
    token = device.client.vault.sign_jwt({"a": 1}, device.auth)
    text, _, signature = token.rpartition(".")
    raw = base64.urlsafe_b64decode(signature + "==")
    path = f"/activations/{device.activation_id}/verify-device-signature"
    for form, data, made in (
        ("JOSE", text.encode(), raw),
        ("DER", b"data", device.client.vault.sign(b"data", device.auth)),
    ):
        body = {"data": base64.b64encode(data).decode(), "signature": base64.b64encode(made).decode(), "format": form}
        assert server.admin("POST", path, body)["valid"]


def test_15_token_store(server: DevServer, device: Device) -> None:
    tokens = device.client.tokens
    tokens.create("mine", device.auth)
    assert "mine" in tokens
    with pytest.raises(mtoken.ArgumentError):
        tokens.create("mine")
    device.client.synchronize_time()
    assert server.send("POST", "/api/test/token", b"", dict([tokens.header("mine")])).status == 200
    tokens.remove("mine")
    assert "mine" not in tokens
    with pytest.raises(mtoken.NotFoundError):
        tokens.header("mine")
    header = tokens.fetch_header("mine")
    server.admin("DELETE", f"/activations/{device.activation_id}/tokens")
    assert server.send("POST", "/api/test/token", b"", dict([header])).status == 401
    again = tokens.fetch_header("mine", refused=header)
    assert server.send("POST", "/api/test/token", b"", dict([again])).status == 200


def test_16_time_service(make_client: ClientFactory) -> None:
    client = make_client()
    client.synchronize_time()
    assert client.info().time_synchronized
    client.reset_time()
    assert not client.info().time_synchronized


def test_17_ecies_encryptors(server: DevServer, device: Device) -> None:
    for scope, name in ((mtoken.Scope.APPLICATION, "application"), (mtoken.Scope.ACTIVATION, "activation")):
        request = device.client.requests.encrypt(b"hello", scope=scope)
        answer = server.send("POST", f"/api/test/encrypted/{name}", request.body, dict([request.header]))
        plain = json.loads(request.decrypt(json.dumps(answer.body).encode()))
        assert base64.b64decode(plain["responseObject"]["received"]) == b"hello"


def test_18_fetch_user_info(server: DevServer, device: Device) -> None:
    server.admin("PUT", f"/users/{device.user}", {"claims": {"name": "Eve"}})
    assert device.client.user_info().name == "Eve"
    assert device.client.info().user_info == {"name": "Eve"}


def test_19_fetch_server_status(server: DevServer, make_client: ClientFactory) -> None:
    """The server's time."""
    server.admin("PUT", "/clock", {"offsetMs": 3_600_000})
    client = make_client()
    client.synchronize_time()
    assert abs(client.info().time_adjustment.total_seconds() - 3600) < 10


def test_20_recovery(server: DevServer, make_device: DeviceFactory) -> None:
    server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    device = make_device()
    assert device.client.info().has_recovery_data
    known = server.admin("GET", "/recovery-codes", userId=device.user)["recoveryCodes"][0]
    assert device.client.vault.recovery(device.auth).code == known["recoveryCode"]
    assert device.client.vault.confirm_recovery(known["recoveryCode"], device.auth) is True


def test_21_external_encryption_key(device: Device) -> None:
    factors = device.client.factors
    factors.add_external_key(KEY)
    assert device.client.info().has_external_key and accepted(device, device.auth)
    factors.set_external_key(KEY)
    factors.remove_external_key()
    assert not device.client.info().uses_external_key and accepted(device, device.auth)


def test_22_serial_execution(device: Device) -> None:
    """Within a turn no signed call of the library is under way."""
    with device.client.requests.turn():
        header = device.client.sign("POST", "/test/signed", b"x", device.auth)
        waiting = device.client.factors.start_validate_pin(device.pin)
        assert device.server.send("POST", "/api/test/signed", b"x", dict([header])).status == 200
        assert not waiting.done()
    waiting.result(30)


def test_23_activation_code_utility(server: DevServer, user: str) -> None:
    qr = server.new_activation(user)["activationQr"]
    parsed = mtoken.parse_activation_code(qr)
    assert f"{parsed.code}#{parsed.signature}" == qr
    assert mtoken.is_recovery_code("R:55555-55555-55555-55YMA") and mtoken.is_recovery_puk("0123456789")
    assert [mtoken.correct_activation_code_character(character) for character in "a01-"] == ["A", "O", "I", None]


def test_24_secure_password(device: Device) -> None:
    """PINs are bytes of the host's own memory: any bytes from four on, never changed, wiped by whoever holds them."""
    pin = bytearray("žluťoučký kůň", "utf-8")
    device.client.factors.change_pin(device.pin, pin)
    assert pin.decode() == "žluťoučký kůň"
    with mtoken.Auth.pin(pin) as auth:
        assert accepted(device, auth)
    with pytest.raises(ValueError, match="cleared"):
        device.client.sign("POST", "/x", b"", auth)


def test_25_protocol_upgrade(server: DevServer, device: Device) -> None:
    """A status of version 2 is reported as unsupported (powerauth.md §16), and nothing is changed."""
    server.admin("PATCH", "/config", {"activationVersion": 2})
    with pytest.raises(mtoken.UnsupportedError):
        device.client.status()
    server.admin("PATCH", "/config", {"activationVersion": 3})
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    request = device.client.requests.encrypt(b"{}")
    answer = server.send("POST", "/pa/v3/upgrade/start", request.body, dict([request.header]))
    assert answer.body["responseObject"]["code"] == "ERR_UPGRADE", "there is nothing to upgrade"


ANOTHER_PROCESS = """
import json, sys
import mtoken
facts = json.load(sys.stdin)
with mtoken.Runtime() as runtime:
    try:
        client = mtoken.Client(runtime, "device", store=mtoken.Store.directory(facts.pop("folder")), **facts)
    except mtoken.BusyError as busy:
        print(busy.reason)
    else:
        print("".join(client.sign("POST", "/test/signed", b"x", mtoken.Auth.pin("1234")).value))
"""


def test_26_shared_activations(
    server: DevServer, make_device: DeviceFactory, tmp_path: Path, make_client: ClientFactory
) -> None:
    """Programs share an activation through its folder, one at a time.

    Another one is told that it is in use, never shares a counter, and goes on where the last one stopped. Sharing by keychain
    groups is the phone's.
    """
    folder = str(tmp_path / "state")
    device = make_device(store=mtoken.Store.directory(folder))

    def other_program() -> str:
        facts = {"folder": folder, "configuration": server.configuration}
        facts.update(base_url=server.url, ca_file=server.ca_file)
        command = [sys.executable, "-c", ANOTHER_PROCESS]
        path = os.pathsep.join(sys.path)
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run(
            command, input=json.dumps(facts), env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=60
        )
        return done.stdout.strip()

    assert accepted(device, device.auth)
    assert other_program() == "storageBusy"
    with pytest.raises(mtoken.BusyError):
        make_client("device", store=device.store)
    device.client.close()
    headers = {"X-PowerAuth-Authorization": other_program()}
    assert server.send("POST", "/api/test/signed", b"x", headers).status == 200
    again = make_client("device", store=device.store)
    assert accepted(device, device.auth, again)
    assert server.activation(device.activation_id)["failedAttempts"] == 0


def test_27_companion_devices(server: DevServer, device: Device) -> None:
    """A companion has no keys of its own: each of its requests gets a header of a token, made on the device that has them.

    Sending the tokens themselves to a watch is the phone's.
    """
    companion = [device.client.tokens.fetch_header("watch") for _ in range(3)]
    for header in companion:
        assert server.send("POST", "/api/test/token", b"", dict([header])).status == 200
    assert device.client.status().state is mtoken.ActivationState.ACTIVE


def test_28_networking_options(server: DevServer, make_client: ClientFactory) -> None:
    """User agent, language, TLS strategy, and headers of the host's own in every request, as interceptors add them."""
    before = server.mark()
    own = {"Authorization": "Basic dXNlcjpwYXNz", "X-Mine": "1"}
    make_client(user_agent="mine/1.0", language="cs", headers=own).synchronize_time()
    headers = server.requests("/pa/v3/status", before)[-1]["headers"]
    assert (headers["user-agent"], headers["accept-language"]) == ("mine/1.0", "cs")
    assert headers["x-mine"] == "1" and "authorization" in headers
    with pytest.raises(mtoken.ArgumentError):
        make_client("forged", headers={"X-PowerAuth-Token": "forged"})
    client = make_client("system-trust", ca_file=None, tls=mtoken.TLS.SYSTEM)
    with pytest.raises(mtoken.TLSError):
        client.synchronize_time()


def test_29_logging(server: DevServer, make_client: ClientFactory, user: str) -> None:
    """Off by default; by level; without secrets."""
    with mtoken.Runtime(events=mtoken.Events.ALL, log_level=mtoken.LogLevel.DEBUG) as runtime:
        client = make_client("logged", runtime=runtime)
        code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
        client.activate(code)
        client.persist("8765432187654321")
        client.factors.validate_pin("8765432187654321")
        lines: List[str] = []
        while (event := runtime.next_event(timeout=0)) is not None:
            if event.kind is mtoken.EventKind.LOG:
                lines.append(str(event.message))
    assert any("PIN validation" in line for line in lines)
    assert not any("8765432187654321" in line or code in line for line in lines)
    logging.getLogger(__name__).debug("%d lines", len(lines))


def test_30_crypto_utilities(device: Device) -> None:
    """Random, hash, HMAC, key pair, ECDSA, ECDH, and authentication codes with the protocol's keys."""
    crypto = mtoken.crypto
    assert len({crypto.random_bytes(16) for _ in range(100)}) == 100
    assert crypto.sha256(b"abc") == hashlib.sha256(b"abc").digest()
    assert crypto.hmac_sha256(b"key", b"abc") == hmac.digest(b"key", b"abc", "sha256")
    one, other = crypto.generate_key_pair(), crypto.generate_key_pair()
    assert crypto.ecdh(one.private, other.public) == crypto.ecdh(other.private, one.public)
    for form in mtoken.DeviceSignature:
        signature = crypto.ecdsa_sign(one.private, b"data", form=form)
        assert crypto.ecdsa_verify(one.public, b"data", signature, form=form)
        assert not crypto.ecdsa_verify(other.public, b"data", signature, form=form)
    makers: List[Callable[[], bytes]] = [
        lambda: device.client.requests.hmac(b"x"),
        lambda: device.client.requests.hmac(b"x", scope=mtoken.Scope.APPLICATION),
    ]
    codes = [make() for make in makers]
    assert codes == [make() for make in makers] and codes[0] != codes[1]
