"""Protocol 4.0 end to end: activation, approval, factors, vault, offline, against the development server."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from devices4 import NAMES, SUITES, application, device4, has_post_quantum
from devserver import DevServer
from gateway import Authority, Gateway
from test_host_transport import HOST, served
from test_qr import check_code, make

ALL = list(SUITES)
KEY = bytes(range(1, 17))
LONG_KEY = bytes(range(1, 33))


def protocol4(device: Device) -> Any:
    return device.view()["protocol4"]


@pytest.mark.parametrize("suite", ALL)
def test_a_life(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path, suite: str
) -> None:
    store = mtoken.Store.directory(tmp_path / "state")
    device = device4(make_device, server, suite, store=store)
    client = device.client
    status = client.wait_active(timeout=300)
    assert status.state is mtoken.ActivationState.ACTIVE and not status.suite_withdrawn
    info = client.info()
    assert (info.protocol, info.suite, info.awaits_confirmation) == (mtoken.Protocol.V4_0, SUITES[suite], False)
    view = device.view()
    assert (view["suite"], view["fingerprint"]) == (NAMES[suite], info.fingerprint)
    assert view["protocol4"]["confirmPending"] is False
    app = {"applicationId": f"four-{suite}"}
    approved, rejected = device.new_operation(**app), device.new_operation(**app)
    client.operations.authorize(approved, device.auth)
    client.operations.reject(rejected.id)
    assert server.operation(approved.id)["status"] == "APPROVED"
    assert server.operation(rejected.id)["status"] == "REJECTED"
    with pytest.raises(mtoken.AuthenticationError) as wrong:
        client.operations.authorize(device.new_operation(**app), device.wrong_auth)
    assert wrong.value.remaining_attempts == 4
    client.close()
    again = make_client("device", configuration=application(server, suite)[1], store=store)
    assert again.info().protocol is mtoken.Protocol.V4_0
    device.client = again
    assert device.can_sign(device.auth)
    again.remove(device.auth)
    assert device.view()["state"] == "REMOVED" and again.state is mtoken.ClientState.EMPTY


def approves(device: Device, suite: str) -> None:
    """What a device does in a day, over whatever network it has."""
    device.client.wait_active(timeout=300)
    operation = device.new_operation(applicationId=f"four-{suite}")
    device.client.operations.authorize(operation, device.auth)
    assert device.server.operation(operation.id)["status"] == "APPROVED"
    device.client.factors.change_pin(device.pin, "7391")
    assert device.can_sign(mtoken.Auth.pin("7391")) and device.view()["suite"] == NAMES[suite]


@pytest.mark.parametrize("suite", ALL)
def test_behind_mutual_tls(server: DevServer, make_device: DeviceFactory, suite: str, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.write("jana")
    with Gateway(authority, server.http_url) as gateway:
        way = {"base_url": gateway.url, "ca_file": gateway.ca, "client_certificate": certificate, "client_key": key}
        approves(device4(make_device, server, suite, **way), suite)
        assert gateway.refused == 0 and set(gateway.came) == {"jana"}


@pytest.mark.parametrize("suite", ALL)
def test_over_the_hosts_network(
    server: DevServer, make_device: DeviceFactory, runtime: mtoken.Runtime, suite: str
) -> None:
    with served(runtime, server):
        approves(device4(make_device, server, suite, **HOST), suite)


def test_confirmation_before_and_after_the_commit(server: DevServer, make_device: DeviceFactory) -> None:
    device = device4(make_device, server, commit=False)
    with pytest.raises(mtoken.TimeoutExpiredError):
        device.client.wait_active(timeout=0.2)
    assert protocol4(device)["confirmPending"] is False, "the bank has not committed, and the device has confirmed"
    server.admin("POST", f"/activations/{device.activation_id}/commit")
    assert device.client.wait_active(timeout=300).state is mtoken.ActivationState.ACTIVE
    assert device.can_sign(device.auth)


@pytest.mark.skipif(has_post_quantum(), reason="not run: this OpenSSL has the algorithms")
@pytest.mark.parametrize("suite", ["L3", "L5"])
def test_a_suite_without_its_algorithms(server: DevServer, make_client: ClientFactory, user: str, suite: str) -> None:
    name, configuration = application(server, suite)
    client = make_client(configuration=configuration)
    code = server.new_activation(user, applicationId=name)["activationCode"]
    with pytest.raises(mtoken.UnsupportedError, match=r"OpenSSL 3\.5"):
        client.activate(code)
    assert client.state is mtoken.ClientState.EMPTY


# Which protocol


# What answers in the place of the server's list.
IN_ITS_PLACE: Dict[str, Dict[str, Any]] = {
    "its own 404": {"kind": "status", "status": 404, "code": "ERROR_NOT_FOUND"},
    "a page with 404": {"kind": "html", "status": 404},
    "a 404 of another form": {
        "kind": "status",
        "status": 404,
        "body": '{"status": 404}',
        "contentType": "application/json",
    },
    "P-256": {"offered": ["EC_P256"]},
    "legacy P-256": {"offered": ["LEGACY_P256", "EC_P256"]},
    "P-384": {"offered": ["EC_P384"]},
}
WEAK = {"P-256", "legacy P-256"}
# Keys of the configuration, the least that the host accepts: what makes a new activation one of 3.3, or one with P-384.
AGREED: Dict[Tuple[str, Optional[mtoken.Suite]], Dict[str, Optional[mtoken.Suite]]] = {
    ("EC_P384", None): {"its own 404": None, "P-384": mtoken.Suite.EC_P384},
    ("EC_P384", mtoken.Suite.EC_P384): {"P-384": mtoken.Suite.EC_P384},
    ("EC_P384", mtoken.Suite.EC_P256): {"its own 404": None, "P-384": mtoken.Suite.EC_P384, **dict.fromkeys(WEAK)},
    ("L3", None): {},
    ("L3", mtoken.Suite.EC_P384_ML_L5): {},
    ("L3", mtoken.Suite.EC_P384): {"P-384": mtoken.Suite.EC_P384},
    ("L3", mtoken.Suite.EC_P256): {"its own 404": None, "P-384": mtoken.Suite.EC_P384, **dict.fromkeys(WEAK)},
}


@pytest.mark.parametrize("answer", list(IN_ITS_PLACE))
@pytest.mark.parametrize(
    "known", list(AGREED), ids=lambda known: f"{known[0]}-{known[1].name if known[1] else 'default'}"
)
def test_no_weaker_suite_than_the_host_accepts(
    server: DevServer,
    make_client: ClientFactory,
    user: str,
    answer: str,
    known: Tuple[str, Optional[mtoken.Suite]],
) -> None:
    name, configuration = application(server, known[0])
    least = known[1]
    if known == ("L3", mtoken.Suite.EC_P384_ML_L5):
        with pytest.raises(mtoken.ConfigurationError, match="least_suite"):
            make_client(configuration=configuration, least_suite=least)
        return
    fault = dict(IN_ITS_PLACE[answer])
    if offered := fault.pop("offered", None):
        server.fault("/pa/v4/status", "patch", layer="wire", set={"responseObject.supportedAlgorithms": offered})
    else:
        server.fault("/pa/v4/status", fault.pop("kind"), **fault)
    runtime = mtoken.Runtime(events=mtoken.Events.STATE)
    client = make_client(runtime=runtime, configuration=configuration, least_suite=least)
    code = server.new_activation(user, applicationId=name)["activationCode"]
    before = server.mark()
    if answer not in AGREED[known]:
        with pytest.raises(mtoken.MTokenError) as refused:
            client.activate(code)
        if "page" not in answer and "form" not in answer:
            assert (refused.value.code, refused.value.reason) == (mtoken.ErrorCode.UNSUPPORTED, "unsupportedSuite")
        assert client.state is mtoken.ClientState.EMPTY
        assert not server.requests("/pa/v3/", before) and not server.requests("/pa/v4/activation", before)
        return
    activation = client.activate(code)
    suite = AGREED[known][answer]
    assert (activation.protocol is mtoken.Protocol.V3_3) is (suite is None) and activation.suite is suite
    client.persist("1234")
    event = runtime.next_event(timeout=10)
    runtime.close()
    assert event is not None and event.kind is mtoken.EventKind.STATE_STORED
    assert (event.protocol, event.suite) == (activation.protocol, suite)


@pytest.mark.parametrize("offered", [[], ["EC_P521"], ["EC_P256", "EC_P384_ML_L3"]], ids=str)
def test_a_list_of_other_suites_is_no_reason_for_protocol_3(
    server: DevServer, make_client: ClientFactory, user: str, offered: List[str]
) -> None:
    name, configuration = application(server, "EC_P384")
    server.fault("/pa/v4/status", "patch", layer="wire", set={"responseObject.supportedAlgorithms": offered})
    client = make_client(configuration=configuration)
    before = server.mark()
    with pytest.raises(mtoken.UnsupportedError) as refused:
        client.activate(server.new_activation(user, applicationId=name)["activationCode"])
    assert refused.value.reason == "unsupportedSuite"
    assert client.state is mtoken.ClientState.EMPTY
    assert not server.requests("/pa/v3/", before) and not server.requests("/pa/v4/activation", before)


def test_what_the_options_refuse(server: DevServer, make_client: ClientFactory) -> None:
    _, configuration = application(server, "EC_P384")
    with pytest.raises(mtoken.ConfigurationError):
        make_client(configuration=configuration, suite=mtoken.Suite.EC_P384_ML_L3)
    with pytest.raises(mtoken.ConfigurationError):
        make_client(protocol=mtoken.Protocol.V4_0)
    with pytest.raises(mtoken.ArgumentError):
        make_client(configuration=configuration, suite=mtoken.Suite.EC_P384, protocol=mtoken.Protocol.V3_3)
    with pytest.raises(mtoken.ArgumentError):
        make_client(least_suite=mtoken.Suite.EC_P384, protocol=mtoken.Protocol.V3_3)
    with pytest.raises(mtoken.ArgumentError):
        make_client(configuration=configuration, suite=mtoken.Suite(9))


# What 4.0 does not have


def test_what_4_does_not_have(server: DevServer, make_device: DeviceFactory) -> None:
    device = device4(make_device, server)
    device.client.wait_active(timeout=300)
    client = device.client
    for call in (
        lambda: client.factors.change_pin_unsafe("1234", "5678"),
        lambda: client.vault.recovery(device.auth),
        lambda: client.vault.confirm_recovery("VVVVV-VVVVV-VVVVV-VTFVA", device.auth),
        lambda: client.requests.hmac(b"x"),
    ):
        with pytest.raises(mtoken.UnsupportedError, match=r"4\.0"):
            call()


def test_what_3_does_not_have(device: Device) -> None:
    with pytest.raises(mtoken.UnsupportedError, match=r"4\.0"):
        device.client.config()
    with pytest.raises(mtoken.UnsupportedError, match=r"4\.0"):
        device.client.vault.key(mtoken.VaultKey.KNOWLEDGE, 1, device.auth)
    with pytest.raises(mtoken.UnsupportedError, match=r"4\.0"):
        device.client.vault.sign_ml_dsa(b"x", device.auth)


# Factors


def ready(make_device: DeviceFactory, server: DevServer, suite: str = "EC_P384", **options: Any) -> Device:
    device = device4(make_device, server, suite, **options)
    device.client.wait_active(timeout=300)
    return device


def reopened(device: Device, make_client: ClientFactory, suite: str = "EC_P384") -> mtoken.Client:
    """The client as a new process finds it."""
    device.client.close()
    device.client = make_client("device", configuration=application(device.server, suite)[1], store=device.store)
    return device.client


@pytest.mark.parametrize("suite", ALL)
def test_change_pin(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, suite: str) -> None:
    device = ready(make_device, server, suite, biometry=True)
    device.client.factors.change_pin("1234", "tajné 🔑")
    assert protocol4(device)["knowledgeWaits"] is False and not device.client.info().awaits_new_pin
    assert not device.can_sign(mtoken.Auth.pin("1234"))
    assert device.can_sign(mtoken.Auth.pin("tajné 🔑"))
    assert device.can_sign(mtoken.Auth.biometry(device.biometry_key))
    reopened(device, make_client, suite)
    assert device.can_sign(mtoken.Auth.pin("tajné 🔑"))


def test_biometry(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    device = ready(make_device, server)
    factors = device.client.factors
    assert not device.client.status().biometry_enabled
    factors.add_biometry(KEY, device.auth)
    assert device.client.status().biometry_enabled and device.client.info().has_biometry
    assert device.can_sign(mtoken.Auth.biometry(KEY))
    factors.add_biometry(LONG_KEY, device.auth)
    assert device.can_sign(mtoken.Auth.biometry(LONG_KEY))
    assert not device.can_sign(mtoken.Auth.biometry(KEY))
    device.client.status()
    # Another authenticator gets a copy of the same factor.
    card = mtoken.Auth.biometry(LONG_KEY)
    factors.add_biometry(KEY, card, authenticator="card")
    client = reopened(device, make_client)
    assert device.can_sign(mtoken.Auth.biometry(KEY, authenticator="card"))
    assert device.can_sign(mtoken.Auth.biometry(LONG_KEY))
    client.factors.remove_biometry("card")
    assert protocol4(device)["biometryEnabled"] is True
    client.factors.remove_biometry()
    assert protocol4(device)["biometryEnabled"] is False and not client.info().has_biometry
    with pytest.raises(mtoken.NotFoundError):
        client.factors.remove_biometry()


def test_external_key(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    device = ready(make_device, server, biometry=True)
    device.client.factors.add_external_key(KEY)
    assert device.can_sign(device.auth) and device.can_sign(mtoken.Auth.biometry(device.biometry_key))
    device.client.factors.change_pin("1234", "5678")
    client = reopened(device, make_client)
    with pytest.raises(mtoken.StateError):
        client.factors.validate_pin("5678")
    client.factors.set_external_key(KEY)
    client.factors.validate_pin("5678")
    client.factors.remove_external_key()
    assert device.can_sign(mtoken.Auth.pin("5678"))


# Vault, names, configuration


@pytest.mark.parametrize("suite", ALL)
def test_vault(server: DevServer, make_device: DeviceFactory, suite: str) -> None:
    device = ready(make_device, server, suite, biometry=True)
    vault, biometry = device.client.vault, mtoken.Auth.biometry(device.biometry_key)
    key = vault.encryption_key(7, device.auth)
    assert len(key) == 16 and vault.encryption_key(7, biometry) == key
    assert vault.key(mtoken.VaultKey.TWO_FACTORS, 7, biometry, size=16) == key
    long = vault.key(mtoken.VaultKey.KNOWLEDGE, 7, device.auth, size=64)
    assert len(long) == 64 and long == vault.key(mtoken.VaultKey.KNOWLEDGE, 7, device.auth, size=64)
    with pytest.raises(mtoken.FactorError):
        vault.key(mtoken.VaultKey.KNOWLEDGE, 7, biometry)
    for size in (15, 65):
        with pytest.raises(mtoken.ArgumentError):
            vault.key(mtoken.VaultKey.KNOWLEDGE, 7, device.auth, size=size)
    data = b"contract"
    assert verified(device, data, vault.sign(data, device.auth), "DER")
    raw = vault.sign(data, biometry, form=mtoken.DeviceSignature.RAW)
    assert len(raw) == 96 and verified(device, data, raw, "JOSE")
    token = vault.sign_jwt({"sub": "Žižkov"}, device.auth)
    assert len(json.loads(token)["signatures"]) == (1 if suite == "EC_P384" else 2)
    assert verified(device, '{"sub":"Žižkov"}'.encode(), token.encode(), "JWS")
    if suite == "EC_P384":
        with pytest.raises(mtoken.UnsupportedError):
            vault.sign_ml_dsa(data, device.auth)
    else:
        assert verified(device, data, vault.sign_ml_dsa(data, device.auth), "ML-DSA")


@pytest.mark.parametrize("suite", ALL)
def test_certificate_request(server: DevServer, make_device: DeviceFactory, suite: str, tmp_path: Path) -> None:
    """Of the key on P-384, with SHA-384, in every suite; verified by cryptography and by OpenSSL."""
    device = ready(make_device, server, suite)
    der = device.client.vault.sign_csr(device.auth, subject=[("CN", "Jana")])
    request = x509.load_der_x509_csr(der)
    key = request.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name == "secp384r1"
    assert request.is_signature_valid and isinstance(request.signature_hash_algorithm, hashes.SHA384)
    form = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert key.public_bytes(*form) == device.client.public_key()
    path = tmp_path / "request.der"
    path.write_bytes(der)
    # An OpenSSL that was not installed has no configuration.
    command = ["openssl", "req", "-config", os.devnull, "-inform", "DER", "-in", str(path), "-verify", "-noout"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def verified(device: Device, data: bytes, signature: bytes, format: str) -> bool:
    body = {
        "data": base64.b64encode(data).decode(),
        "signature": base64.b64encode(signature).decode(),
        "format": format,
    }
    path = f"/activations/{device.activation_id}/verify-device-signature"
    return bool(device.server.admin("POST", path, body)["valid"])


def test_names_and_claims(server: DevServer, make_device: DeviceFactory) -> None:
    device = ready(make_device, server)
    assert device.client.detail(device.auth).activation_name == device.view()["name"]
    server.admin("PUT", f"/users/{device.user}", {"claims": {"limit": 3}})
    assert device.client.user_info().claims["limit"] == 3
    for order in mtoken.Order:
        assert (
            device.client.rename(f"desk {order.name}", device.auth, order=order).activation_name == f"desk {order.name}"
        )
        assert device.view()["name"] == f"desk {order.name}"
    for name in ("", " ", "x" * 256):
        with pytest.raises(mtoken.ArgumentError):
            device.client.rename(name, device.auth)
    with pytest.raises(mtoken.FactorError):
        device.client.rename("x", mtoken.Auth.possession())


def test_config(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    device = ready(make_device, server)
    name, configuration = application(server, "EC_P384")
    server.admin("PATCH", f"/applications/{name}", {"config": {"limit": 7, "deep": {"a": [1]}}})
    server.admin("PATCH", f"/activations/{device.activation_id}", {"config": {"mine": "x"}})
    mine = {entry.key: (entry.value, entry.scope) for entry in device.client.config()}
    assert mine["mine"] == ("x", mtoken.Scope.ACTIVATION)
    assert mine["deep"] == ({"a": [1]}, mtoken.Scope.APPLICATION)
    empty = make_client("empty", configuration=configuration)
    assert {entry.key: entry.value for entry in empty.config(mtoken.Scope.APPLICATION)} == {
        "limit": 7,
        "deep": {"a": [1]},
    }
    with pytest.raises(mtoken.NotActivatedError):
        empty.config()


# Offline


def test_offline(server: DevServer, make_device: DeviceFactory, device: Device) -> None:
    """A payload for the activation is verified with the key that both share; one for nobody with the master key."""
    mine, other = ready(make_device, server), ready(make_device, server)
    made = make(mine, applicationId="four-EC_P384")
    payload = made["offlineData"]
    operation = mine.client.parse_qr(payload)
    assert (operation.key, operation.verified) == (mtoken.Key.PERSONALIZED_MAC, mtoken.Verified.VALID)
    # The same for any data.
    content, code = payload[:-44].encode(), base64.b64decode(payload[-44:])
    key = mtoken.Key.PERSONALIZED_MAC
    assert mine.client.verify(content, code, key=key) and not other.client.verify(content, code, key=key)
    assert not mine.client.verify(content + b" ", code, key=key) and not mine.client.verify(content, code[1:], key=key)
    with pytest.raises(mtoken.ArgumentError):
        mine.client.verify(content, b"", key=key)
    with pytest.raises(mtoken.UnsupportedError):
        device.client.verify(content, code, key=key)
    with pytest.raises(mtoken.SignatureError):
        other.client.parse_qr(payload)
    with pytest.raises(mtoken.SignatureError):
        mine.client.parse_qr(payload.replace("A1*A", "A1*B", 1))
    with pytest.raises(mtoken.UnsupportedError):
        device.client.parse_qr(payload)  # of an activation of protocol 3
    with pytest.raises(mtoken.NotActivatedError):
        mtoken.parse_qr(payload, configuration=application(server, "EC_P384")[1])
    code = mine.client.authorize_qr(operation, mine.auth)
    assert check_code(mine, made["operationId"], code)["valid"] is True
    mine.client.status()
    assert mine.can_sign(mine.auth)
    for curve in ("P-384", "P-256"):
        path = f"/operations/{made['operationId']}/offline"
        general = server.admin("POST", path, {"curve": curve})["offlineData"]
        assert mine.client.parse_qr(general).verified is mtoken.Verified.VALID


@pytest.mark.parametrize("suite", ["EC_P384", "L3"])
def test_an_offline_operation_in_the_form_of_protocol_3_is_refused(
    server: DevServer, make_device: DeviceFactory, suite: str
) -> None:
    """Its signature is right, by half of the server's key for this activation: the code takes the place of both halves."""
    device = ready(make_device, server, suite)
    made = make(device, applicationId=f"four-{suite}")
    text = made["offlineData"].rpartition("\n")[0] + "\n1"
    signature = server.sign(text.encode(), key="personalised", activationId=device.activation_id, curve="P-384")
    payload = text + base64.b64encode(signature).decode()
    assert device.client.verify(text.encode(), signature, key=mtoken.Key.PERSONALIZED)
    with pytest.raises(mtoken.UnsupportedError) as refused:
        device.client.parse_qr(payload)
    assert refused.value.reason == "signatureNotVerifiable"
    kept = device.client.parse_qr(payload, keep_unverified=True)
    assert (kept.key, kept.verified) == (mtoken.Key.PERSONALIZED, mtoken.Verified.UNSUPPORTED)
    with pytest.raises((mtoken.UnsupportedError, mtoken.SignatureError)):
        device.client.authorize_qr(kept, device.auth)
