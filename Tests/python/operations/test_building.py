"""What servers make: operation data and signed payloads. What is made reads back as what it was made of."""

from __future__ import annotations

import base64
import datetime
from typing import Any, Dict, Optional

import mtoken
import pytest
from conftest import Device
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from test_qr import cases, configuration_of

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


@pytest.mark.parametrize("totp", [None, "0", "1234567890"])
@pytest.mark.parametrize("text", ["a*b\\n\nc", "Žluť 🏦"])
def test_payloads_read_back(text: str, totp: Optional[str]) -> None:
    nonce = bytes(range(16))
    data = mtoken.build_operation_data(1, [mtoken.text_field(text, mtoken.FieldType.NOTE)])
    payload = mtoken.build_qr(
        id="id", title=text, message=text, data=data, flags="BX", totp=totp, nonce=nonce, key=mtoken.Key.MASTER,
        private_key=SECRET,
    )  # fmt: skip
    read = mtoken.parse_qr(payload, configuration=CONFIGURATION)
    assert (read.verified, read.key) == (mtoken.Verified.VALID, mtoken.Key.MASTER)
    assert (read.title, read.message, read.data.text) == (text, text, data)
    assert [field.text for field in read.data.fields] == [text]
    assert (read.id, read.flags, read.totp, read.nonce) == ("id", "BX", totp, nonce)


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
