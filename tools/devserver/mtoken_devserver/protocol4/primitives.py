# SPDX-License-Identifier: Apache-2.0
"""Primitives of protocol 4.0 (powerauth4.md §2 to §4): no keys of the protocol are named here."""

from __future__ import annotations

import hashlib
import hmac
from typing import Optional, Sequence

from Crypto.Hash import cSHAKE256
from Crypto.Hash.KMAC128 import KMAC_Hash
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from ..crypto import CryptoError, be32, equal, length_prefixed

CURVE = ec.SECP384R1()
POINT_LENGTH = 97
_ECDSA = ec.ECDSA(hashes.SHA384())
_KMAC256_RATE = 136
_SEALED_HEAD = 44


def kmac(key: bytes, data: bytes, customization: bytes, length: int = 32) -> bytes:
    """KMAC256 of SP 800-185 with keys of any length; the package's own function refuses short ones."""
    mac = KMAC_Hash(None, key, length, customization, "20", cSHAKE256, _KMAC256_RATE)
    mac.update(data)
    return mac.digest()


def kdf(key: bytes, label: str, diversifier: Optional[bytes] = None, length: int = 32) -> bytes:
    """`KDF` (powerauth4.md §2); an absent diversifier still contributes its length."""
    return kmac(key, length_prefixed((label.encode(), diversifier)), b"PA4KDF", length)


def sha3(data: bytes) -> bytes:
    return hashlib.sha3_256(data).digest()


def hmac_sha384(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, data, "sha384")


def _ctr(key: bytes, nonce: bytes, data: bytes) -> bytes:
    cipher = Cipher(algorithms.AES(key), modes.CTR(nonce + bytes(4))).encryptor()
    return cipher.update(data) + cipher.finalize()


def seal(key: bytes, context: bytes, nonce: bytes, associated: bytes, plaintext: bytes) -> bytes:
    """Encrypt, then MAC: `nonce12 ‖ tag32 ‖ ciphertext` (powerauth4.md §3)."""
    encrypted = _ctr(kdf(key, "aead/enc", context), nonce, plaintext)
    tag = kmac(kdf(key, "aead/mac", context), nonce + associated + encrypted, b"PA4MAC-AEAD")
    return nonce + tag + encrypted


def unseal(key: bytes, context: bytes, associated: bytes, sealed: bytes) -> bytes:
    """Inverse of `seal`; the tag is checked first."""
    if len(sealed) < _SEALED_HEAD:
        raise CryptoError("sealed data are too short")
    nonce, tag, encrypted = sealed[:12], sealed[12:_SEALED_HEAD], sealed[_SEALED_HEAD:]
    if not equal(kmac(kdf(key, "aead/mac", context), nonce + associated + encrypted, b"PA4MAC-AEAD"), tag):
        raise CryptoError("tag of the sealed data is wrong")
    return _ctr(kdf(key, "aead/enc", context), nonce, encrypted)


# P-384 --------------------------------------------------------------------------------------------------------------


def generate_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(CURVE)


def import_private_key(data: bytes) -> ec.EllipticCurvePrivateKey:
    try:
        return ec.derive_private_key(int.from_bytes(data, "big"), CURVE)
    except ValueError as error:
        raise CryptoError("private key is out of range") from error


def export_private_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_numbers().private_value.to_bytes(48, "big")


def import_public_key(data: bytes) -> ec.EllipticCurvePublicKey:
    """An uncompressed SEC1 point on the curve (powerauth4.md §1)."""
    if len(data) != POINT_LENGTH or data[:1] != b"\x04":
        raise CryptoError("not an uncompressed point of P-384")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)
    except ValueError as error:
        raise CryptoError("not a point of P-384") from error


def export_public_key(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def ecdsa_sign(key: ec.EllipticCurvePrivateKey, data: bytes) -> bytes:
    """ECDSA with SHA-384, DER form."""
    return key.sign(data, _ECDSA)


def ecdsa_verify(key: ec.EllipticCurvePublicKey, data: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, data, _ECDSA)
    except InvalidSignature:
        return False
    return True


def der_to_raw(signature: bytes) -> bytes:
    """`r(48) ‖ s(48)` of a DER signature, as a JWS carries it."""
    r, s = decode_dss_signature(signature)
    return r.to_bytes(48, "big") + s.to_bytes(48, "big")


def raw_to_der(signature: bytes) -> bytes:
    if len(signature) != 96:
        raise CryptoError("a raw signature of P-384 has 96 bytes")
    return encode_dss_signature(int.from_bytes(signature[:48], "big"), int.from_bytes(signature[48:], "big"))


# RFC 9180, base mode, export only: DHKEM(P-384, HKDF-SHA384), HKDF-SHA384, no AEAD ----------------------------------

_KEM = b"KEM" + bytes.fromhex("0011")
_SUITE = b"HPKE" + bytes.fromhex("00110002ffff")
_HASH_LENGTH = 48


def _extract(salt: bytes, suite: bytes, label: bytes, secret: bytes) -> bytes:
    return hmac_sha384(salt or bytes(_HASH_LENGTH), b"HPKE-v1" + suite + label + secret)


def _expand(key: bytes, suite: bytes, label: bytes, info: bytes) -> bytes:
    """One block, which is all that is ever asked for."""
    labelled = _HASH_LENGTH.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac_sha384(key, labelled + b"\x01")


def _hpke_export(shared: bytes, encapsulated: bytes, recipient: bytes, info: bytes) -> bytes:
    """The secret that both sides export from the agreed value of DHKEM, with `info` as the exporter context too."""
    dhkem = _expand(_extract(b"", _KEM, b"eae_prk", shared), _KEM, b"shared_secret", encapsulated + recipient)
    schedule = b"\x00" + _extract(b"", _SUITE, b"psk_id_hash", b"") + _extract(b"", _SUITE, b"info_hash", info)
    exporter = _expand(_extract(dhkem, _SUITE, b"secret", b""), _SUITE, b"exp", schedule)
    return _expand(exporter, _SUITE, b"sec", info)


_DHKEM_INFO = b"DHKEM-P384"


def dhkem_encapsulate(recipient: ec.EllipticCurvePublicKey) -> tuple[bytes, bytes]:
    """The encapsulated key and the exported secret (powerauth4.md §4)."""
    ephemeral = generate_key()
    encapsulated = export_public_key(ephemeral.public_key())
    shared = ephemeral.exchange(ec.ECDH(), recipient)
    return encapsulated, _hpke_export(shared, encapsulated, export_public_key(recipient), _DHKEM_INFO)


def dhkem_decapsulate(private: ec.EllipticCurvePrivateKey, encapsulated: bytes) -> bytes:
    shared = private.exchange(ec.ECDH(), import_public_key(encapsulated))
    return _hpke_export(shared, encapsulated, export_public_key(private.public_key()), _DHKEM_INFO)


def combine(salt: bytes, secrets: Sequence[bytes], algorithm: str) -> bytes:
    """SECRET of a shared secret exchange from the secrets of its KEMs (powerauth4.md §4)."""
    label = length_prefixed((f"shared-secret/{algorithm}".encode(), b"4.0"))
    return kmac(salt, be32(1) + length_prefixed(secrets) + label, b"KDF")
