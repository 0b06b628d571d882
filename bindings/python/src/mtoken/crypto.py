# SPDX-License-Identifier: Apache-2.0
"""The primitives of the protocol. Keys are on NIST P-256. For any other cryptography use OpenSSL.

A private key is its scalar, big endian, 32 bytes; a public key is a point in SEC1 form, 65 or 33 bytes.
"""

from __future__ import annotations

from ctypes import POINTER, byref
from typing import Any, NamedTuple

from . import abi as _c
from ._arguments import checked
from ._call import Bytes, call, create, data, set_data, take_bytes
from ._library import lib
from .enums import DeviceSignature


class KeyPair(NamedTuple):
    """Its repr hides the private key."""

    private: bytes
    public: bytes

    def __repr__(self) -> str:
        return f"KeyPair(public={self.public!r})"


@checked
def random_bytes(count: int) -> bytes:
    """Random bytes, suitable for keys; at most a mebibyte."""
    return _made(lib.mtoken_random_bytes, count)


@checked
def sha256(content: Bytes) -> bytes:
    return _made(lib.mtoken_sha256, *data(content))


@checked
def hmac_sha256(key: Bytes, content: Bytes) -> bytes:
    return _made(lib.mtoken_hmac_sha256, *data(key), *data(content))


def generate_key_pair() -> KeyPair:
    """A private key of 32 bytes and its public key of 65."""
    private, public = POINTER(_c.mtoken_bytes)(), POINTER(_c.mtoken_bytes)()
    call(lib.mtoken_key_pair_new, byref(private), byref(public))
    return KeyPair(take_bytes(private), take_bytes(public))


@checked
def ecdsa_sign(private_key: Bytes, content: Bytes, *, form: DeviceSignature = DeviceSignature.DER) -> bytes:
    """Signs with ECDSA and SHA-256."""
    return _made(lib.mtoken_ecdsa_sign, *data(private_key), *data(content), int(form))


@checked
def ecdsa_verify(
    public_key: Bytes, content: Bytes, signature: Bytes, *, form: DeviceSignature = DeviceSignature.DER
) -> bool:
    """Whether an ECDSA signature with SHA-256 is valid."""
    options = _c.new_options(_c.mtoken_ecdsa_verify_options)
    set_data(options.public_key, public_key)
    set_data(options.signed_bytes, content)
    set_data(options.signature, signature)
    options.form = int(form)
    valid = _c.mtoken_bool()
    call(lib.mtoken_ecdsa_verify, byref(options), byref(valid))
    return valid.value == 1


@checked
def ecdh(private_key: Bytes, public_key: Bytes) -> bytes:
    """The shared secret of two key pairs: the X coordinate, 32 bytes."""
    return _made(lib.mtoken_ecdh, *data(private_key), *data(public_key))


def _made(function: Any, *arguments: Any) -> bytes:
    return take_bytes(create(function, _c.mtoken_bytes, *arguments))
