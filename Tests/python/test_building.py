"""What servers make: operation data and signed payloads. What is made reads back as what it was made of."""

from __future__ import annotations

import base64
import datetime
import re
from decimal import Decimal
from typing import Any, Dict, List, Optional

import mtoken
import pytest
from conftest import Device
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_qr import CASES, cases, configuration_of

KEY = ec.derive_private_key(0x1234567890ABCDEF, ec.SECP256R1())
SECRET = (0x1234567890ABCDEF).to_bytes(32, "big")
CONFIGURATION = configuration_of(KEY.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
LETTERS = {
    "Q": mtoken.FieldType.ANY_ACCOUNT,
    "R": mtoken.FieldType.REFERENCE,
    "N": mtoken.FieldType.NOTE,
    "T": mtoken.FieldType.TEXT,
}


def field_of(described: Optional[Dict[str, Any]]) -> Any:
    """A field of the vectors."""
    if described is None:
        return None
    if described["t"] == "A":
        return mtoken.amount_field(described["amount"], described["currency"])
    if described["t"] == "I":
        return mtoken.account_field(described["iban"], described.get("bic"))
    if described["t"] == "D":
        return mtoken.date_field(datetime.date.fromisoformat(described["date"]))
    return mtoken.text_field(described["v"], LETTERS[described["t"]])


@pytest.mark.parametrize("case", cases("operation-data"))
def test_vectors(case: Dict[str, Any]) -> None:
    given = case["input"]
    arguments = given.get("template", -1), [field_of(field) for field in given["fields"]]
    if case["expect"].get("error"):
        with pytest.raises(mtoken.ArgumentError):
            mtoken.build_operation_data(*arguments, version=given.get("version", ""))
    else:
        assert mtoken.build_operation_data(*arguments, version=given["version"]) == case["expect"]["data"]


def normalised(text: str) -> str:
    """What a text becomes: runs of white space, but not line breaks, are one space."""
    return re.sub("[ \t\v\f\r]+", " ", text.replace("\r\n", "\n"))


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\\*n \t\r\n\v\f"), max_size=30)
AMOUNT = st.decimals("0.01", "99999999999", places=2).map(lambda amount: amount.normalize())
FIELD = st.one_of(
    st.none(),
    st.builds(mtoken.amount_field, AMOUNT, st.from_regex("[A-Za-z]{3}", fullmatch=True)),
    st.builds(
        mtoken.account_field,
        st.from_regex("[0-9A-Z]{1,30}", fullmatch=True),
        st.none() | st.from_regex("[0-9A-Z]{1,11}", fullmatch=True),
    ),
    st.builds(mtoken.date_field, st.dates()),
    st.builds(mtoken.text_field, TEXT, st.sampled_from(list(LETTERS.values()))),
)


def check_field(read: mtoken.OperationDataField, made: Optional[mtoken.OperationDataField]) -> None:
    if made is None:
        assert read.type is mtoken.FieldType.EMPTY
        return
    assert read.type is made.type
    assert read.amount_text == made.amount_text and read.currency == (made.currency.upper() if made.currency else None)
    if made.amount_text:
        assert read.amount == Decimal(made.amount_text)
    assert (read.iban, read.bic, read.date) == (made.iban, made.bic, made.date)
    assert read.text == (None if made.text is None else normalised(made.text))


@given(st.integers(0, 99), st.lists(FIELD, max_size=5), st.from_regex("[A-Z]", fullmatch=True))
@settings(max_examples=max(100, CASES // 3), deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_data_read_back(template: int, fields: List[Any], version: str) -> None:
    data = mtoken.parse_operation_data(mtoken.build_operation_data(template, fields, version=version))
    assert (data.version, data.template) == (version, template)
    while fields and fields[-1] is None:
        fields.pop()
    assert len(data.fields) == len(fields)
    for read, made in zip(data.fields, fields):
        check_field(read, made)


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30),
    TEXT,
    TEXT,
    st.lists(FIELD, max_size=5),
    st.text("BXFCZ", max_size=5),
    st.none() | st.text("0123456789", min_size=1, max_size=10),
    st.binary(min_size=16, max_size=16),
)
@settings(max_examples=max(100, CASES // 5), deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_payloads_read_back(
    id: str, title: str, message: str, fields: List[Any], flags: str, totp: Optional[str], nonce: bytes
) -> None:
    data = mtoken.build_operation_data(1, fields)
    payload = mtoken.build_qr(
        id=id,
        title=title,
        message=message,
        data=data,
        flags=flags,
        totp=totp,
        nonce=nonce,
        key=mtoken.Key.MASTER,
        private_key=SECRET,
    )
    read = mtoken.parse_qr(payload, configuration=CONFIGURATION)
    assert read.verified is mtoken.Verified.VALID and read.key is mtoken.Key.MASTER
    assert (read.id, read.title, read.message) == (id, normalised(title), normalised(message))
    assert (read.data.text, read.flags, read.totp, read.nonce) == (data, flags, totp, nonce)
    assert not read.newer_format


def test_random_nonces() -> None:
    made = [mtoken.build_qr(id="a", data="A2", private_key=SECRET) for _ in range(2)]
    assert mtoken.parse_qr(made[0]).nonce != mtoken.parse_qr(made[1]).nonce
    assert mtoken.parse_qr(made[0]).key is mtoken.Key.PERSONALIZED


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": ""},
        {"id": "a\nb"},
        {"id": "a\0b"},
        {"data": ""},
        {"data": "A1*D0"},
        {"data": "A1\n"},
        {"flags": "B\n"},
        {"totp": ""},
        {"totp": "1\n2"},
        {"nonce": b"short"},
        {"private_key": b"short"},
        {"private_key": bytes(32)},
        {"private_key": b"\xff" * 32},
        {"key": mtoken.Key.PERSONALIZED_MAC},
        {"title": "\x01"},
        {"message": "x" * 4096},
    ],
    ids=str,
)
def test_payloads_that_are_not_made(wrong: Dict[str, Any]) -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.build_qr(**{"id": "a", "data": "A2", "private_key": SECRET, **wrong})


@pytest.mark.parametrize(
    "field",
    [
        mtoken.amount_field("0", "EUR"),
        mtoken.amount_field("-1", "EUR"),
        mtoken.amount_field("1.234", "EUR"),
        mtoken.amount_field("1.", "EUR"),
        mtoken.amount_field(".5", "EUR"),
        mtoken.amount_field("1", "EU"),
        mtoken.amount_field("1", "E1R"),
        mtoken.amount_field("1e5", "EUR"),
        mtoken.account_field(""),
        mtoken.account_field("cz12"),
        mtoken.account_field("CZ12", ""),
        mtoken.account_field("CZ12", "x"),
        mtoken.text_field("\x1b"),
    ],
    ids=repr,
)
def test_fields_that_are_not_made(field: Any) -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.build_operation_data(1, [field])


def test_a_payload_of_a_test_server_is_approved(device: Device) -> None:
    """A payload with the master key of a server of one's own, and a device that trusts it."""
    payload = mtoken.build_qr(
        id="5ff1b1ed",
        title="Payment",
        message="Pay\nnow",
        flags="B",
        private_key=SECRET,
        key=mtoken.Key.MASTER,
        data=mtoken.build_operation_data(
            1, [mtoken.amount_field("100", "CZK"), mtoken.text_field("a*b", mtoken.FieldType.NOTE)]
        ),
        totp=mtoken.totp(b"seed of the operation", 1_700_000_000_000),
    )
    operation = mtoken.parse_qr(payload, configuration=CONFIGURATION)
    assert operation.data.text == "A1*A100CZK*Na\\*b" and operation.totp is not None
    with pytest.raises(mtoken.SignatureError):
        device.client.authorize_qr(operation, device.auth)  # not the master key of this device's server
    assert base64.b64encode(operation.nonce).decode() in payload
