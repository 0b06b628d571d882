"""Offline operations: reading payloads, verification, approval, and the server's check of the code typed back."""

from __future__ import annotations

import base64
import ctypes
import json
import re
import unicodedata
from ctypes import byref
from typing import Any, Dict, List

import mtoken
import pytest
from conftest import ROOT, Device, DeviceFactory
from mtoken import abi as _c
from mtoken._library import lib


def vectors(name: str) -> Dict[str, Any]:
    loaded: Dict[str, Any] = json.loads((ROOT / "Tests" / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def cases(name: str) -> List[Any]:
    return [pytest.param(case, id=case["id"]) for case in vectors(name)["cases"]]


def configuration_of(master_key: bytes) -> str:
    """An SDK configuration with a master key."""
    fields = b"".join(bytes([len(item)]) + item for item in (bytes(16), bytes(16)))
    compressed = bytes([2 + master_key[64] % 2]) + master_key[1:33]
    return base64.b64encode(b"\x01" + fields + b"\x01" + b"\x01" + bytes([33]) + compressed).decode()


def test_a_mac_needs_an_activation() -> None:
    payload = next(case["input"] for case in vectors("qr-operations")["cases"] if case["id"] == "key-type-2-mac")
    assert mtoken.parse_qr(payload).verified is mtoken.Verified.NOT_CHECKED
    configuration = configuration_of(base64.b64decode(vectors("qr-signed")["masterPublicKey"]))
    with pytest.raises(mtoken.NotActivatedError) as failure:
        mtoken.parse_qr(payload, configuration=configuration)
    assert failure.value.reason == "missingActivation"
    kept = mtoken.parse_qr(payload, configuration=configuration, keep_unverified=True)
    assert kept.verified is mtoken.Verified.NOT_CHECKED


def test_the_longest_texts() -> None:
    lines = vectors("qr-operations")["cases"][0]["input"].split("\n")
    lines[2] += "x" * (4096 - len("\n".join(lines)))
    assert mtoken.parse_qr("\n".join(lines)).message == lines[2]
    lines[2] += "x"
    assert len(mtoken.parse_operation_data("A1*T" + "x" * 65532).fields) == 1
    for read, text in ((mtoken.parse_qr, "\n".join(lines)), (mtoken.parse_operation_data, "A1*T" + "x" * 65533)):
        with pytest.raises(mtoken.ParseError) as failure:
            read(text)
        assert failure.value.reason == "tooLong"


# Verification and approval at the server


def make(device: Device, *, personalised: bool = True, proximity: bool = False, **members: Any) -> Dict[str, Any]:
    """An operation of the device's user as an offline payload."""
    operation = device.server.new_operation(userId=device.user, proximityCheck=proximity, **members)
    body = {"activationId": device.activation_id} if personalised else {}
    made = device.server.admin("POST", f"/operations/{operation['operationId']}/offline", body)
    return {**made, "operationId": operation["operationId"]}


def check_code(device: Device, operation_id: str, code: str, **members: Any) -> Dict[str, Any]:
    """What the server says to a code that the user typed back."""
    body = {"activationId": device.activation_id, "operationId": operation_id, "code": code, **members}
    answer: Dict[str, Any] = device.server.admin("POST", "/offline/verify", body)
    return answer


@pytest.mark.parametrize("personalised", [True, False])
@pytest.mark.parametrize("proximity", [True, False])
def test_approval(device: Device, personalised: bool, proximity: bool) -> None:
    made = make(device, personalised=personalised, proximity=proximity)
    operation = device.client.parse_qr(made["offlineData"])
    assert operation.verified is mtoken.Verified.VALID
    assert operation.key is (mtoken.Key.PERSONALIZED if personalised else mtoken.Key.MASTER)
    assert (operation.totp is not None) == proximity
    code = device.client.authorize_qr(operation, device.auth)
    assert re.fullmatch("[0-9]{8}-[0-9]{8}", code)
    answer = check_code(device, made["operationId"], code)
    assert answer["valid"], answer
    assert device.server.operation(made["operationId"])["status"] == "APPROVED"
    assert not check_code(device, made["operationId"], code)["valid"], "a code counts once"
    assert device.can_sign(), "online and offline signatures share the counter"


def test_the_configuration_alone_verifies_the_master_key(device: Device) -> None:
    made = make(device, personalised=False)
    operation = mtoken.parse_qr(made["offlineData"], configuration=device.server.configuration)
    assert operation.verified is mtoken.Verified.VALID
    code = device.client.authorize_qr(operation, device.auth)
    assert check_code(device, made["operationId"], code)["valid"]
    personalised = make(device)
    with pytest.raises(mtoken.NotActivatedError):
        mtoken.parse_qr(personalised["offlineData"], configuration=device.server.configuration)


def test_a_client_without_an_activation(make_client: Any, device: Device) -> None:
    client = make_client("empty")
    assert client.parse_qr(make(device, personalised=False)["offlineData"]).verified is mtoken.Verified.VALID
    payload = make(device)["offlineData"]
    with pytest.raises(mtoken.NotActivatedError):
        client.parse_qr(payload)
    kept = client.parse_qr(payload, keep_unverified=True)
    assert kept.verified is mtoken.Verified.NOT_CHECKED
    with pytest.raises(mtoken.NotActivatedError):
        client.authorize_qr(kept, device.auth, allow_unverified=True)


def test_biometry_needs_its_flag(biometric_device: Device) -> None:
    device = biometric_device
    with_biometry = mtoken.Auth.biometry(device.biometry_key)
    allowed = make(device)
    operation = device.client.parse_qr(allowed["offlineData"])
    assert operation.biometry_allowed
    assert check_code(device, allowed["operationId"], device.client.authorize_qr(operation, with_biometry))["valid"]
    refused = make(device, allowedSignatureTypes=["possession_knowledge"])
    operation = device.client.parse_qr(refused["offlineData"])
    assert not operation.biometry_allowed
    for unverified in (False, True):
        with pytest.raises(mtoken.FactorError):
            device.client.authorize_qr(operation, with_biometry, allow_unverified=unverified)
    assert check_code(device, refused["operationId"], device.client.authorize_qr(operation, device.auth))["valid"]


def test_two_factors_always(biometric_device: Device) -> None:
    device = biometric_device
    operation = device.client.parse_qr(make(device)["offlineData"])
    counter = device.view()["counter"]
    three = mtoken.Auth(pin=device.pin, biometry_key=device.biometry_key)
    for auth in (mtoken.Auth.possession(), three, mtoken.Auth(pin=device.pin, factors=mtoken.Factor.KNOWLEDGE)):
        with pytest.raises(mtoken.FactorError):
            device.client.authorize_qr(operation, auth)
    assert device.can_sign() and device.view()["counter"] == counter + 1, "nothing was used up"


def latin1(text: str) -> str:
    return text.encode().decode("latin-1")


def windows(text: str) -> str:
    """As Windows takes it; what that has no letter for stays a control character."""
    return "".join(bytes([byte]).decode("cp1252") if byte not in UNUSED else chr(byte) for byte in text.encode())


UNUSED = (0x81, 0x8D, 0x8F, 0x90, 0x9D)
SCANNERS = {
    "byte order mark": lambda text: "\ufeff" + text,
    "number of the encoding": lambda text: "\\000026" + text,
    "both": lambda text: "\ufeff\\000026" + text,
    "latin-1": latin1,
    "windows": windows,
    "mark and latin-1": lambda text: latin1("\ufeff" + text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "mark and NFD": lambda text: "\ufeff" + unicodedata.normalize("NFD", text),
}


@pytest.mark.parametrize("personalised", [True, False])
@pytest.mark.parametrize("scanner", SCANNERS)
def test_what_a_scanner_did_is_undone(device: Device, scanner: str, personalised: bool) -> None:
    """Where the signature agrees then; what is approved is what was signed. Otherwise it is told."""
    change = SCANNERS[scanner]
    body = {"operationId": "1", "title": "Žluťoučký kůň, Straße, 5 €", "data": "A1*A5EUR", "flags": "B"}
    owner = {"activationId": device.activation_id} if personalised else {}
    text = device.server.admin("POST", "/offline", {**body, **owner})["offlineData"]
    assert change(text) != text
    operation = device.client.parse_qr(change(text))
    assert (operation.verified, operation.payload) == (mtoken.Verified.VALID, text)
    if not personalised:
        assert mtoken.parse_qr(change(text), configuration=device.server.configuration).payload == text
    device.client.authorize_qr(operation, device.auth)
    forged = change(text.replace("5 €", "9 €"))
    with pytest.raises(mtoken.SignatureError) as failure:
        device.client.parse_qr(forged)
    assert failure.value.reason == "scannerChangedText"
    assert device.client.parse_qr(forged, keep_unverified=True).verified is mtoken.Verified.INVALID


def test_unverified_operations_are_refused(device: Device) -> None:
    made = make(device)
    with pytest.raises(mtoken.SignatureError) as failure:
        device.client.authorize_qr(mtoken.parse_qr(made["offlineData"]), device.auth)
    assert failure.value.reason == "operationNotVerified"
    code = device.client.authorize_qr(mtoken.parse_qr(made["offlineData"]), device.auth, allow_unverified=True)
    assert check_code(device, made["operationId"], code)["valid"]


def test_forged_operations_are_refused(device: Device) -> None:
    payload = make(device)["offlineData"]
    forged = payload.replace("A1*A", "A1*A9", 1)
    assert forged != payload
    with pytest.raises(mtoken.SignatureError) as failure:
        device.client.parse_qr(forged)
    assert failure.value.reason == "signatureVerificationFailed"
    kept = device.client.parse_qr(forged, keep_unverified=True)
    assert kept.verified is mtoken.Verified.INVALID
    with pytest.raises(mtoken.SignatureError):
        device.client.authorize_qr(kept, device.auth)


def test_an_operation_of_another_device_is_refused(device: Device, make_device: DeviceFactory) -> None:
    """Also when it was verified: by the other device."""
    other = make_device("other")
    operation = other.client.parse_qr(make(other)["offlineData"])
    assert operation.verified is mtoken.Verified.VALID
    with pytest.raises(mtoken.SignatureError) as failure:
        device.client.authorize_qr(operation, device.auth)
    assert failure.value.reason == "signatureVerificationFailed"


def test_what_is_signed_is_what_the_payload_says(device: Device) -> None:
    """A struct that a host changed: verified, but with another payload."""
    made, forged = make(device), make(device)["offlineData"].replace("A1*A", "A1*A9", 1).encode()
    options = _c.new_options(_c.mtoken_qr_options)
    options.client = device.client.pointer
    operation = ctypes.POINTER(_c.mtoken_qr_operation)()
    payload = made["offlineData"].encode()
    assert lib.mtoken_qr_operation_parse(payload, len(payload), byref(options), byref(operation), None) == _c.MTOKEN_OK
    changed = _c.mtoken_qr_operation.from_buffer_copy(operation.contents)
    changed.payload, changed.payload_length = ctypes.cast(forged, ctypes.POINTER(ctypes.c_char)), len(forged)
    auth = _c.new_options(_c.mtoken_auth)
    auth.pin.data, auth.pin.length = ctypes.cast(ctypes.c_char_p(b"1234"), ctypes.POINTER(ctypes.c_uint8)), 4
    code = ctypes.POINTER(_c.mtoken_text)()
    status = lib.mtoken_qr_authorize(device.client.pointer, byref(changed), byref(auth), None, byref(code), None)
    assert status == _c.MTOKEN_ERROR_SIGNATURE and not code
    lib.mtoken_qr_operation_free(operation)


@pytest.mark.parametrize("digits", [4, 5, 6, 7, 8])
def test_length_of_the_code(device: Device, digits: int) -> None:
    device.server.admin("PATCH", "/config", {"offlineComponentLength": digits})
    made = make(device)
    operation = device.client.parse_qr(made["offlineData"])
    code = device.client.authorize_qr(operation, device.auth, component_length=digits)
    assert re.fullmatch(f"[0-9]{{{digits}}}-[0-9]{{{digits}}}", code)
    assert check_code(device, made["operationId"], code)["valid"]
    assert mtoken.group_code(code).replace(" ", "") == code.replace("-", "")


def test_another_uri_id(device: Device) -> None:
    made = make(device)
    operation = device.client.parse_qr(made["offlineData"])
    uri = "/confirm/offline/operation"
    code = device.client.authorize_qr(operation, device.auth, uri_id=uri)
    assert not check_code(device, made["operationId"], code)["valid"]
    code = device.client.authorize_qr(operation, device.auth, uri_id=uri)
    assert check_code(device, made["operationId"], code, uriId=uri)["valid"]


def test_a_wrong_pin_gives_a_wrong_code(device: Device) -> None:
    made = make(device)
    operation = device.client.parse_qr(made["offlineData"])
    code = device.client.authorize_qr(operation, device.wrong_auth)
    assert re.fullmatch("[0-9]{8}-[0-9]{8}", code)
    assert not check_code(device, made["operationId"], code)["valid"]
    assert device.view()["failedAttempts"] == 1
