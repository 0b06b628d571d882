"""Offline operations: reading payloads, verification, approval, and the server's check of the code typed back."""

from __future__ import annotations

import base64
import ctypes
import json
import os
import re
import unicodedata
from ctypes import byref
from typing import Any, Dict, List, Optional

import mtoken
import pytest
import qr_grammar
from conftest import ROOT, Device, DeviceFactory
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from mtoken import abi as _c
from mtoken._library import lib

CASES = int(os.environ.get("MTOKEN_DIFFERENTIAL_CASES", "1000"))
"""How many payloads are read by both readers."""


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


# Two readers


def plain(value: Any) -> Any:
    """A model as the other reader gives it: enumerations by value, fields without what is None."""
    if isinstance(value, mtoken.OperationData):
        fields = [{k: v for k, v in vars(field).items() if v is not None} for field in value.fields]
        return {**vars(value), "fields": [{**field, "type": field["type"].name} for field in fields]}
    if isinstance(value, mtoken.QROperation):
        read = {name: of for name, of in vars(value).items() if name not in ("summary", "contradictions")}
        return {**read, "data": plain(value.data), "verified": int(value.verified), "key": int(value.key)}
    return value


CHANGED = "scannerChangedText"
"""What the library says of a payload that it refuses and in which a scanner has left its mark."""


def as_c(data: bytes) -> Any:
    """What the library makes of bytes that may be no text at all."""
    result = ctypes.POINTER(_c.mtoken_qr_operation)()
    error = ctypes.POINTER(_c.mtoken_error)()
    status = lib.mtoken_qr_operation_parse(data, len(data), None, byref(result), byref(error))
    if status == _c.MTOKEN_OK:
        lib.mtoken_qr_operation_free(result)
        return None
    found = (error.contents.reason.decode(), error.contents.byte_offset, error.contents.line)
    lib.mtoken_error_free(error)
    assert status in (_c.MTOKEN_ERROR_PARSE, _c.MTOKEN_ERROR_ARGUMENT) or found[0] == CHANGED
    return found


def compare(data: bytes) -> None:
    try:
        expected: Optional[Dict[str, Any]] = qr_grammar.read_payload(data)
        refused = None
    except qr_grammar.Refused as refusal:
        expected, refused = None, refusal.args
    read = as_c(data)
    assert read == refused or (refused and read and read[0] == CHANGED)
    if expected is not None:
        assert plain(mtoken.parse_qr(data.decode())) == expected


DEFAULT = vectors("qr-operations")["cases"][0]["input"].split("\n")
ODD = st.text("\\*nN,.-+ \tAIQDRTXa0159\u00c1\u0661\u010d\U0001f4b6é", max_size=12)
TEXT = st.one_of(ODD, st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
NUMBER = st.from_regex(r"-?[0-9]{0,12}\.?[0-9]{0,5}", fullmatch=True)
FIELD = st.one_of(
    st.just(""),
    st.builds("A{}{}".format, NUMBER, st.sampled_from(["CZK", "eur", "U5D", "US", ""])),
    st.builds(
        "I{}{}".format, st.from_regex("[0-9A-Z]{0,24}", fullmatch=True), st.sampled_from(["", ",", ",BIC", ",,", ",b"])
    ),
    st.builds("D{:04}{:02}{:02}".format, st.integers(0, 2100), st.integers(0, 13), st.integers(0, 32)),
    st.builds("D{}".format, ODD),
    st.builds("{}{}".format, st.sampled_from(list("QRNTXZa1\\é") + ["\U0001f4b6"]), TEXT),
    ODD,
)
HEADER = st.one_of(
    st.from_regex("[A-Z][0-9]{1,2}", fullmatch=True), st.sampled_from(["", "A", "a1", "A100", "A+5", "Á1", "A1\\"])
)
DATA = st.builds(lambda header, fields: "*".join([header, *fields]), HEADER, st.lists(FIELD, max_size=8))
NONCE = st.one_of(
    st.binary(min_size=16, max_size=16).map(lambda raw: base64.b64encode(raw).decode()),
    st.sampled_from(["", "AAAA", "AD8bOO0Df73kNaIGb3Vmph==", "AD8bOO0Df73kNaIGb3Vmpg", "__________8AAAAAAAAAAA=="]),
)
SIGNATURE = st.one_of(
    st.builds(
        lambda key, raw: key + base64.b64encode(raw).decode(),
        st.sampled_from("0012X"),
        st.one_of(
            st.binary(min_size=62, max_size=72),
            st.binary(min_size=31, max_size=33),
            st.binary(min_size=253, max_size=256),
        ),
    ),
    st.sampled_from(
        ["", "0", "0AAAA", DEFAULT[6], DEFAULT[6][:-1] + "=", DEFAULT[6][:-2] + "X=", "0" + "A" * 85 + "B=="]
    ),
)
LINES = st.builds(
    lambda id, title, message, data, flags, rest, nonce, signature: [
        id,
        title,
        message,
        data,
        flags,
        *rest,
        nonce,
        signature,
    ],
    st.one_of(st.just(DEFAULT[0]), TEXT),
    TEXT,
    TEXT,
    st.one_of(DATA, DATA, st.just(DEFAULT[3])),
    st.text("BXFCbZ9 é", max_size=5),
    st.one_of(
        st.just([]),
        st.lists(st.one_of(st.just("12345678"), TEXT), max_size=3),
        st.lists(st.just("x"), min_size=54, max_size=60),
    ),
    st.one_of(st.just(DEFAULT[5]), NONCE),
    st.one_of(st.just(DEFAULT[6]), SIGNATURE),
)


@st.composite
def payloads(draw: Any) -> bytes:
    """Payloads, most of them right, some damaged in their bytes."""
    lines = draw(LINES)
    if draw(st.integers(0, 9)) == 0:
        del lines[draw(st.integers(0, len(lines) - 1))]
    data = bytearray("\n".join(lines).encode())
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 2]))):
        position = draw(st.integers(0, max(0, len(data) - 1)))
        data[position : position + draw(st.integers(0, 1))] = draw(
            st.one_of(
                st.binary(max_size=2),
                st.sampled_from([b"\r", b"\n", b"\x00", b"\xc3", b"\xed\xa0\x80", b"*", b"\\", b"=" * 1500]),
            )
        )
    if draw(st.integers(0, 40)) == 0:
        data[10:10] = b"x" * draw(st.integers(3600, 4100))
    return bytes(data)


@pytest.mark.timeout(0)
@given(payloads())
@example(b"\xef\xbb\xbf" + "\n".join(DEFAULT[:5]).encode())
@settings(max_examples=CASES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_two_readers_agree(data: bytes) -> None:
    compare(data)


@pytest.mark.timeout(0)
@given(DATA)
@settings(max_examples=max(100, CASES // 10), deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_two_readers_of_data_agree(data: str) -> None:
    try:
        qr_grammar.check_bytes(data.encode(), lines=False)
        expected: Any = qr_grammar.read_data(data)
    except qr_grammar.Refused as refusal:
        with pytest.raises((mtoken.ParseError, mtoken.ArgumentError)) as failure:
            mtoken.parse_operation_data(data)
        assert (failure.value.reason, failure.value.byte_offset, failure.value.line) == refusal.args
    else:
        assert plain(mtoken.parse_operation_data(data)) == expected


@pytest.mark.parametrize("case", cases("qr-operations"))
def test_two_readers_agree_on_the_vectors(case: Dict[str, Any]) -> None:
    compare(case["input"].encode())


@pytest.mark.parametrize("length", [4096, 4097])
def test_the_longest_payload(length: int) -> None:
    lines = [*DEFAULT]
    lines[2] += "x" * (length - len("\n".join(DEFAULT)))
    compare("\n".join(lines).encode())
    assert (as_c("\n".join(lines).encode()) is None) == (length == 4096)


def test_long_operation_data() -> None:
    assert len(mtoken.parse_operation_data("A1*T" + "x" * 65532).fields) == 1
    with pytest.raises(mtoken.ParseError) as failure:
        mtoken.parse_operation_data("A1*T" + "x" * 65533)
    assert (failure.value.reason, failure.value.byte_offset) == ("tooLong", 65536)


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


@pytest.mark.parametrize("digits", [3, 9, -1])
def test_impossible_lengths_of_the_code(device: Device, digits: int) -> None:
    operation = device.client.parse_qr(make(device)["offlineData"])
    with pytest.raises(mtoken.ArgumentError):
        device.client.authorize_qr(operation, device.auth, component_length=digits)


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


def test_the_counter_is_stored_before_the_code_is_given(make_device: DeviceFactory) -> None:
    """A store that fails: no code; and the counter is used for the next one."""

    class Failing:
        def __init__(self) -> None:
            self.items: Dict[str, bytes] = {}
            self.fails = False

        def load(self, name: str) -> Optional[bytes]:
            return self.items.get(name)

        def save(self, name: str, data: bytes) -> None:
            if self.fails:
                raise OSError("full")
            self.items[name] = data

        def remove(self, name: str) -> None:
            self.items.pop(name, None)

    backend = Failing()
    device = make_device(store=mtoken.Store.host(backend))
    made = make(device)
    operation = device.client.parse_qr(made["offlineData"])
    stored = dict(backend.items)
    backend.fails = True
    with pytest.raises(mtoken.StorageError):
        device.client.authorize_qr(operation, device.auth)
    assert backend.items == stored
    backend.fails = False
    code = device.client.authorize_qr(operation, device.auth)
    assert backend.items != stored
    assert check_code(device, made["operationId"], code)["valid"]


@pytest.mark.parametrize(
    ("code", "grouped"),
    [
        ("12345678-12345678", "1234 5678 1234 5678"),
        ("1234567-7654321", "1234 567 7654 321"),
        ("123456-654321", "123 456 654 321"),
        ("12345-54321", "123 45 543 21"),
        ("1234-4321", "1234 4321"),
    ],
)
def test_groups(code: str, grouped: str) -> None:
    assert mtoken.group_code(code) == grouped


@pytest.mark.parametrize(
    "code", ["", "1", "12345678", "123-123", "123456789-123456789", "1234-12345", "1234-123x", "-" * 9]
)
def test_no_groups(code: str) -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.group_code(code)


def test_nothing_secret_shows(device: Device) -> None:
    operation = device.client.parse_qr(make(device, proximity=True)["offlineData"])
    assert operation.totp is not None and operation.totp not in repr(operation)


@pytest.mark.parametrize("wrong", ["", "AAAA", "no base64"])
def test_a_wrong_configuration(wrong: str) -> None:
    with pytest.raises(mtoken.ConfigurationError):
        mtoken.parse_qr("\n".join(DEFAULT), configuration=wrong)


def test_client_and_configuration_exclude_each_other(device: Device) -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.parse_qr("\n".join(DEFAULT), client=device.client.pointer, configuration=device.server.configuration)
