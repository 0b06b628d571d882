# SPDX-License-Identifier: Apache-2.0
"""Primitives of the PowerAuth protocol (powerauth.md §1): no keys of the protocol are named here."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac as _hmac
import secrets
from typing import Iterable, Optional

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, padding, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ZERO16 = bytes(16)
CURVE = ec.SECP256R1()
_ECDSA = ec.ECDSA(hashes.SHA256())
PrivateKey = ec.EllipticCurvePrivateKey
PublicKey = ec.EllipticCurvePublicKey


class CryptoError(ValueError):
    """Key material, cryptogram or encoding that must be refused."""


def b64(data: bytes) -> str:
    """Standard Base64 with padding."""
    return base64.b64encode(data).decode("ascii")


def unb64(text: object, length: Optional[int] = None) -> bytes:
    """Standard Base64, padded or not, as the released servers read it; `length` is the demanded number of bytes."""
    if not isinstance(text, str):
        raise CryptoError("Base64 text expected")
    padding_left = "" if "=" in text else "=" * (-len(text) % 4)
    try:
        data = base64.b64decode(text + padding_left, validate=True)
    except (binascii.Error, ValueError) as error:
        raise CryptoError(f"not Base64: {error}") from error
    if length is not None and len(data) != length:
        raise CryptoError(f"{length} bytes expected, {len(data)} given")
    return data


def b64url(data: bytes) -> str:
    """base64url without padding, as JWTs use it."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unb64url(text: str) -> bytes:
    """base64url without padding; foreign characters and padding are refused."""
    if "=" in text or "+" in text or "/" in text:
        raise CryptoError("not base64url")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise CryptoError(f"not base64url: {error}") from error


def random_bytes(count: int) -> bytes:
    """Bytes from the operating system's generator (powerauth.md §1.16)."""
    return secrets.token_bytes(count)


def equal(left: bytes, right: bytes) -> bool:
    """Constant-time comparison of MACs, digests and signatures."""
    return _hmac.compare_digest(left, right)


def be32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def be64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def length_prefixed(items: Iterable[Optional[bytes]]) -> bytes:
    """`LP(x1, …, xn)`: every item behind its 32-bit length, nothing for an absent one (powerauth.md §0)."""
    return b"".join(be32(len(item or b"")) + (item or b"") for item in items)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def hmac_sha256(key: bytes, data: bytes) -> bytes:
    return _hmac.digest(key, data, "sha256")


def reduce(value: bytes) -> bytes:
    """`REDUCE`: XOR of the two halves of 32 bytes (powerauth.md §1.6)."""
    return bytes(left ^ right for left, right in zip(value[:16], value[16:32]))


def aes_cbc_encrypt(key: bytes, iv: bytes, plaintext: bytes, *, pad: bool = True) -> bytes:
    """AES-128-CBC, PKCS#7 unless `pad` is off (powerauth.md §1.7)."""
    if pad:
        padder = padding.PKCS7(128).padder()
        plaintext = padder.update(plaintext) + padder.finalize()
    elif len(plaintext) % 16:
        raise CryptoError("plaintext is not a whole number of blocks")
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return encryptor.update(plaintext) + encryptor.finalize()


def aes_cbc_decrypt(key: bytes, iv: bytes, ciphertext: bytes, *, pad: bool = True) -> bytes:
    """Inverse of `aes_cbc_encrypt`; invalid padding fails."""
    if len(ciphertext) % 16:
        raise CryptoError("ciphertext is not a whole number of blocks")
    decryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    plaintext = decryptor.update(ciphertext) + decryptor.finalize()
    if not pad:
        return plaintext
    unpadder = padding.PKCS7(128).unpadder()
    try:
        return unpadder.update(plaintext) + unpadder.finalize()
    except ValueError as error:
        raise CryptoError("invalid padding") from error


def kdf(key: bytes, index: int) -> bytes:
    """`KDF`: one AES block with the 64-bit index in the last eight bytes (powerauth.md §1.9)."""
    return aes_cbc_encrypt(key, ZERO16, bytes(8) + be64(index), pad=False)


def kdf_internal(key: bytes, data: bytes) -> bytes:
    """`KDF_INTERNAL`: the secret is the HMAC key, the index is the data (powerauth.md §1.10)."""
    return reduce(hmac_sha256(key, data))


def x963(secret: bytes, info: bytes, length: int) -> bytes:
    """ANSI X9.63 key derivation with SHA-256 (powerauth.md §1.11)."""
    output = b""
    counter = 1
    while len(output) < length:
        output += sha256(secret + be32(counter) + info)
        counter += 1
    return output[:length]


def crc16(data: bytes) -> int:
    """CRC-16/ARC (powerauth.md §1.13)."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def hotp(key: bytes, step: int, digits: int, algorithm: str = "sha256") -> str:
    """Counter-based one-time password of RFC 4226 with a SHA-2 hash."""
    digest = _hmac.digest(key, be64(step), algorithm)
    offset = digest[-1] & 0x0F
    value = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(value % 10**digits).zfill(digits)


def totp(key: bytes, seconds: int, *, step: int = 30, digits: int = 8, algorithm: str = "sha256") -> str:
    """Time-based one-time password of RFC 6238 with T0 = 0 (powerauth.md §1.15)."""
    return hotp(key, seconds // step, digits, algorithm)


def generate_key() -> PrivateKey:
    return ec.generate_private_key(CURVE)


def import_private_key(data: bytes) -> PrivateKey:
    """A private key from its big-endian integer of any length (powerauth.md §1.3)."""
    try:
        return ec.derive_private_key(int.from_bytes(data, "big"), CURVE)
    except ValueError as error:
        raise CryptoError("private key is out of range") from error


def export_private_key(key: PrivateKey) -> bytes:
    """The private integer as exactly 32 bytes."""
    return key.private_numbers().private_value.to_bytes(32, "big")


def import_public_key(data: bytes) -> PublicKey:
    """A SEC1 point, compressed or uncompressed, on the curve and not at infinity (powerauth.md §1.2)."""
    if (len(data), data[:1]) not in ((33, b"\x02"), (33, b"\x03"), (65, b"\x04")):
        raise CryptoError("not a SEC1 point of P-256")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)
    except ValueError as error:
        raise CryptoError("not a point of P-256") from error


def export_public_key(key: PublicKey, *, compressed: bool = False) -> bytes:
    form = serialization.PublicFormat
    return key.public_bytes(serialization.Encoding.X962, form.CompressedPoint if compressed else form.UncompressedPoint)


def ecdh(private: PrivateKey, public: PublicKey) -> bytes:
    """X coordinate of the shared point, always 32 bytes (powerauth.md §1.5)."""
    return private.exchange(ec.ECDH(), public)


def ecdsa_sign(private: PrivateKey, data: bytes) -> bytes:
    """ECDSA with SHA-256, DER form (powerauth.md §1.4)."""
    return private.sign(data, _ECDSA)


def ecdsa_verify(public: PublicKey, data: bytes, signature: bytes) -> bool:
    try:
        public.verify(signature, data, _ECDSA)
    except InvalidSignature:
        return False
    return True


def der_to_jose(signature: bytes) -> bytes:
    """`r(32) ‖ s(32)` of a DER signature."""
    r, s = decode_dss_signature(signature)
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def jose_to_der(signature: bytes) -> bytes:
    if len(signature) != 64:
        raise CryptoError("a JOSE signature has 64 bytes")
    return encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
