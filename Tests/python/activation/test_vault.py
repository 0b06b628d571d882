"""What the vault guards: application keys, signatures of the device key, recovery data."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any, Dict

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from devserver import DevServer

UNLOCK = "/pa/v3/vault/unlock"


def last_reason(device: Device) -> str:
    """The purpose for which the vault was last unlocked, as the server understood it."""
    audit = device.server.admin("GET", "/audit", kind="vault", activationId=device.activation_id)["audit"]
    return str(audit[-1]["reason"])


def verified(device: Device, data: bytes, signature: bytes, format: str) -> bool:
    """What the server says to a signature of the device's key."""
    body: Dict[str, Any] = {"data": base64.b64encode(data).decode(), "signature": base64.b64encode(signature).decode()}
    path = f"/activations/{device.activation_id}/verify-device-signature"
    return bool(device.server.admin("POST", path, {**body, "format": format})["valid"])


def test_fetch_encryption_key(make_device: DeviceFactory) -> None:
    """The same for the same index as long as the activation lives, and another for another index or activation."""
    device, other = make_device("one"), make_device("two")
    keys = {index: device.client.vault.encryption_key(index, device.auth) for index in (0, 1, 1000, 2**64 - 1)}
    assert last_reason(device) == "FETCH_ENCRYPTION_KEY"
    assert len(set(keys.values())) == 4 and {len(key) for key in keys.values()} == {16}
    assert device.client.vault.encryption_key(1000, device.auth) == keys[1000]
    assert other.client.vault.encryption_key(1000, other.auth) != keys[1000]


@pytest.mark.parametrize("data", [b"", b"x", bytes(range(256)) * 100], ids=len)
def test_sign_with_device_key(device: Device, data: bytes) -> None:
    der = device.client.vault.sign(data, device.auth)
    assert last_reason(device) == "SIGN_WITH_DEVICE_PRIVATE_KEY"
    assert der[0] == 0x30 and verified(device, data, der, "DER")
    raw = device.client.vault.sign(data, device.auth, form=mtoken.DeviceSignature.RAW)
    assert len(raw) == 64 and verified(device, data, raw, "JOSE")
    assert not verified(device, data + b"!", raw, "JOSE")


def test_sign_jwt(device: Device) -> None:
    claims = {"sub": "Žižkov", "exp": 1_700_000_000, "nested": {"a": [1, 2.5, None]}}
    token = device.client.vault.sign_jwt(claims, device.auth)
    header, payload, signature = token.split(".")
    assert header == "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9"
    assert json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))) == claims
    jose = base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4))
    assert verified(device, f"{header}.{payload}".encode(), jose, "JOSE")
    assert last_reason(device) == "SIGN_WITH_DEVICE_PRIVATE_KEY"


def test_recovery_data(server: DevServer, make_device: DeviceFactory) -> None:
    server.admin("PATCH", "/config", {"recoveryWithActivation": True})
    device = make_device()
    known = server.admin("GET", "/recovery-codes", userId=device.user)["recoveryCodes"][0]
    recovery = device.client.vault.recovery(device.auth)
    assert (recovery.code, recovery.puk) == (known["recoveryCode"], known["puks"][0]["puk"])
    assert last_reason(device) == "RECOVERY_CODE"
    assert recovery.code not in repr(recovery) and recovery.puk not in repr(recovery)


def test_confirm_recovery_code(server: DevServer, device: Device) -> None:
    card = server.admin("POST", "/recovery-codes", {"userId": device.user, "pukCount": 3})
    assert card["state"] == "CREATED"
    assert device.client.vault.confirm_recovery("R:" + card["recoveryCode"], device.auth) is False
    assert server.admin("GET", "/recovery-codes", userId=device.user)["recoveryCodes"][0]["state"] == "ACTIVE"
    assert device.client.vault.confirm_recovery(card["recoveryCode"], device.auth) is True


# The device's key


def test_public_key(device: Device, make_client: ClientFactory) -> None:
    """It is the one that the server has, and that the vault signs with."""
    key = serialization.load_der_public_key(device.client.public_key())
    assert isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name == "secp256r1"
    key.verify(device.client.vault.sign(b"text", device.auth), b"text", ec.ECDSA(hashes.SHA256()))
    with pytest.raises(mtoken.NotActivatedError):
        make_client("another").public_key()


def test_certificate_request(device: Device, tmp_path: Path) -> None:
    """The request is read and verified by OpenSSL and by cryptography; it says what it was told to."""
    der = device.client.vault.sign_csr(
        device.auth,
        subject=[("C", "CZ"), ("O", "Družstvo Žižkov"), ("CN", "Jana"), ("2.5.4.5", "1234")],
        extensions=[
            ("keyUsage", "critical,digitalSignature,nonRepudiation"),
            ("subjectAltName", "email:jana@bank.example,URI:urn:device:1"),
            ("subjectKeyIdentifier", "hash"),
            ("1.2.3.4", "DER:0500"),
        ],
    )
    assert last_reason(device) == "SIGN_WITH_DEVICE_PRIVATE_KEY"
    request = x509.load_der_x509_csr(der)
    assert request.is_signature_valid and isinstance(request.signature_hash_algorithm, hashes.SHA256)
    assert [part.value for part in request.subject] == ["CZ", "Družstvo Žižkov", "Jana", "1234"]
    form = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert request.public_key().public_bytes(*form) == device.client.public_key()
    usage = request.extensions.get_extension_for_class(x509.KeyUsage)
    assert usage.critical and usage.value.digital_signature and not usage.value.key_agreement
    names = request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.RFC822Name) == ["jana@bank.example"]
    identifier = request.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    assert identifier == x509.SubjectKeyIdentifier.from_public_key(request.public_key())  # type: ignore[arg-type]
    other = request.extensions.get_extension_for_oid(x509.ObjectIdentifier("1.2.3.4")).value
    assert isinstance(other, x509.UnrecognizedExtension) and other.value == b"\x05\x00"

    path = tmp_path / "request.der"
    path.write_bytes(der)
    command = ["openssl", "req", "-inform", "DER", "-in", str(path), "-verify", "-noout"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0 and "verify OK" in checked.stdout + checked.stderr


@pytest.mark.parametrize(
    "options",
    [
        {"subject": [("CN", "x" * 65)]},
        {"subject": [("no such attribute", "x")]},
        {"subject": [("C", "Czechia")]},
        {"subject": [("CN", "x")] * 33},
        {"subject": [("CN", "a\0b")]},
        {"extensions": [("keyUsage", "everything")]},
        {"extensions": [("noSuchExtension", "x")]},
        {"extensions": [("subjectAltName", "@section")]},
        {"extensions": [("authorityKeyIdentifier", "keyid:always")]},
        {"extensions": [("1.2.3.4", "DER:0")]},
    ],
    ids=str,
)
def test_a_certificate_request_that_cannot_be_made(device: Device, options: Dict[str, Any]) -> None:
    """It is refused before anything is signed."""
    mark = device.server.mark()
    with pytest.raises(mtoken.ArgumentError):
        device.client.vault.start_sign_csr(device.auth, **options)
    assert device.server.requests(UNLOCK, after=mark) == []
