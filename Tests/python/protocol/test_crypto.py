"""The primitives of crypto.h: they agree with another library, and keys that are none are refused."""

from __future__ import annotations

import hashlib
import hmac
from ctypes import POINTER, byref

import mtoken
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from mtoken import abi as _c
from mtoken import crypto
from mtoken._library import lib

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
NO_PRIVATE_KEYS = {
    "empty": b"",
    "zero": bytes(32),
    "the order": ORDER.to_bytes(32, "big"),
    "beyond the order": b"\xff" * 32,
    "too long": b"\x01" * 65,
}
NO_PUBLIC_KEYS = {
    "empty": b"",
    "infinity": b"\x00",
    "not on the curve": b"\x04" + b"\x01" * 64,
    "too short": b"\x04" + b"\x01" * 63,
    "another form": b"\x05" + b"\x01" * 64,
    "beyond the field": b"\x02" + b"\xff" * 32,
}
FORMS = list(mtoken.DeviceSignature)


def test_another_library_agrees() -> None:
    assert crypto.sha256(b"abc") == hashlib.sha256(b"abc").digest()
    assert crypto.hmac_sha256(b"key", b"abc") == hmac.digest(b"key", b"abc", "sha256")
    one, other = crypto.generate_key_pair(), ec.generate_private_key(ec.SECP256R1())
    assert (len(one.private), len(one.public)) == (32, 65)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), one.public)
    assert ec.derive_private_key(int.from_bytes(one.private, "big"), ec.SECP256R1()).public_key() == theirs
    for form in (PublicFormat.UncompressedPoint, PublicFormat.CompressedPoint):
        point = other.public_key().public_bytes(Encoding.X962, form)
        assert crypto.ecdh(one.private, point) == other.exchange(ec.ECDH(), theirs)
        signature = other.sign(b"data", ec.ECDSA(hashes.SHA256()))
        assert crypto.ecdsa_verify(point, b"data", signature) and not crypto.ecdsa_verify(point, b"other", signature)
    theirs.verify(crypto.ecdsa_sign(one.private, b"data"), b"data", ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        theirs.verify(crypto.ecdsa_sign(one.private, b"other"), b"data", ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize("key", NO_PRIVATE_KEYS.values(), ids=NO_PRIVATE_KEYS)
def test_no_private_key(key: bytes) -> None:
    public = crypto.generate_key_pair().public
    for form in FORMS:
        with pytest.raises(mtoken.ArgumentError, match="private_key"):
            crypto.ecdsa_sign(key, b"data", form=form)
    with pytest.raises(mtoken.ArgumentError, match="private_key"):
        crypto.ecdh(key, public)


@pytest.mark.parametrize("key", NO_PUBLIC_KEYS.values(), ids=NO_PUBLIC_KEYS)
def test_no_public_key(key: bytes) -> None:
    pair = crypto.generate_key_pair()
    for form in FORMS:
        with pytest.raises(mtoken.ArgumentError, match="public_key"):
            crypto.ecdsa_verify(key, b"data", crypto.ecdsa_sign(pair.private, b"data", form=form), form=form)
    with pytest.raises(mtoken.ArgumentError, match="public_key"):
        crypto.ecdh(pair.private, key)


@pytest.mark.parametrize("form", FORMS)
def test_no_signature(form: mtoken.DeviceSignature) -> None:
    """What is empty is a mistake of the caller; what is no signature of this form is not right."""
    pair = crypto.generate_key_pair()
    good = crypto.ecdsa_sign(pair.private, b"data", form=form)
    with pytest.raises(mtoken.ArgumentError, match="signature"):
        crypto.ecdsa_verify(pair.public, b"data", b"", form=form)
    for other in FORMS:
        assert crypto.ecdsa_verify(pair.public, b"data", good, form=other) is (other is form)
    for bad in (good[:-1], good + b"\x00", bytes(len(good)), b"\x30", b"x" * 4096):
        assert not crypto.ecdsa_verify(pair.public, b"data", bad, form=form)


def test_an_unknown_form() -> None:
    pair = crypto.generate_key_pair()
    for form in (-1, 2, 2**31 - 1):
        unknown = mtoken.DeviceSignature(form)
        with pytest.raises(mtoken.ArgumentError, match="form"):
            crypto.ecdsa_sign(pair.private, b"data", form=unknown)
        with pytest.raises(mtoken.ArgumentError, match="form"):
            crypto.ecdsa_verify(pair.public, b"data", b"x", form=unknown)


def test_lengths_of_random_bytes() -> None:
    for count in (0, (1 << 20) + 1):
        with pytest.raises(mtoken.ArgumentError, match="length"):
            crypto.random_bytes(count)
    assert [len(crypto.random_bytes(count)) for count in (1, 1 << 20)] == [1, 1 << 20]


def test_a_key_pair_needs_both_places() -> None:
    """Without one of them nothing is handed out."""
    made = POINTER(_c.mtoken_bytes)()
    assert lib.mtoken_key_pair_new(byref(made), None, None) == _c.MTOKEN_ERROR_ARGUMENT and not made
    assert lib.mtoken_key_pair_new(None, byref(made), None) == _c.MTOKEN_ERROR_ARGUMENT and not made
