# SPDX-License-Identifier: Apache-2.0
"""The algorithm suites, what they agree on, and what they sign with (powerauth4.md §1, §4, §7)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple, Type, Union

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, mldsa, mlkem

from ..crypto import CryptoError, b64, b64url, random_bytes, unb64, unb64url
from . import primitives

KemPrivate = Union[mlkem.MLKEM768PrivateKey, mlkem.MLKEM1024PrivateKey]
KemPublic = Union[mlkem.MLKEM768PublicKey, mlkem.MLKEM1024PublicKey]
DsaPrivate = Union[mldsa.MLDSA65PrivateKey, mldsa.MLDSA87PrivateKey]
DsaPublic = Union[mldsa.MLDSA65PublicKey, mldsa.MLDSA87PublicKey]
Keys = Dict[str, bytes]

ES384 = "ES384"
CLASSICAL = "ecdsa"
POST_QUANTUM = "mldsa"


@dataclass(frozen=True)
class Kem:
    """One ML-KEM parameter set."""

    public: Type[KemPublic]
    spki_prefix: bytes

    def import_public(self, spki: bytes) -> KemPublic:
        return self.public.from_public_bytes(_raw_of(spki, self.spki_prefix))


@dataclass(frozen=True)
class Dsa:
    """One ML-DSA parameter set."""

    jws_name: str
    private: Type[DsaPrivate]
    public: Type[DsaPublic]
    spki_prefix: bytes

    def import_private(self, seed: bytes) -> DsaPrivate:
        return self.private.from_seed_bytes(seed)

    def import_public(self, spki: bytes) -> DsaPublic:
        return self.public.from_public_bytes(_raw_of(spki, self.spki_prefix))

    def spki(self, key: DsaPublic) -> bytes:
        return self.spki_prefix + key.public_bytes_raw()


def _raw_of(spki: bytes, prefix: bytes) -> bytes:
    """The key inside of a SubjectPublicKeyInfo, whose beginning is constant and tells its length."""
    length = int.from_bytes(prefix[-3:-1], "big") - 1
    if spki[: len(prefix)] != prefix or len(spki) != len(prefix) + length:
        raise CryptoError("not a SubjectPublicKeyInfo of the suite")
    return spki[len(prefix) :]


def _spki_prefix(total: str, inner: str, oid_end: str) -> bytes:
    return bytes.fromhex(f"3082{total}300b0609608648016503040{oid_end}0382{inner}00")


MLKEM768 = Kem(mlkem.MLKEM768PublicKey, _spki_prefix("04b2", "04a1", "402"))
MLKEM1024 = Kem(mlkem.MLKEM1024PublicKey, _spki_prefix("0632", "0621", "403"))
MLDSA65 = Dsa("ML-DSA-65", mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey, _spki_prefix("07b2", "07a1", "312"))
MLDSA87 = Dsa("ML-DSA-87", mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey, _spki_prefix("0a32", "0a21", "313"))


@dataclass(frozen=True)
class Suite:
    """The algorithms of one suite, in the order in which they appear on the wire."""

    name: str
    kem: Optional[Kem] = None
    dsa: Optional[Dsa] = None

    @property
    def jws_names(self) -> List[str]:
        return [ES384] + ([self.dsa.jws_name] if self.dsa else [])

    def encapsulate(self, request: Any) -> Tuple[bytes, Dict[str, Any]]:
        """SECRET, and the `sharedSecretResponse` that lets the asker find it (powerauth4.md §4)."""
        if not isinstance(request, dict) or request.get("algorithm") != self.name:
            raise CryptoError(f"shared secret request is not of {self.name}")
        keys = request.get("encapsulationKeys")
        if not isinstance(keys, list) or len(keys) != len(self.jws_names):
            raise CryptoError("shared secret request has a wrong number of keys")
        encapsulated, secret = primitives.dhkem_encapsulate(primitives.import_public_key(unb64(keys[0])))
        ciphertexts, secrets = [encapsulated], [secret]
        if self.kem is not None:
            secret, ciphertext = self.kem.import_public(unb64(keys[1])).encapsulate()
            ciphertexts.append(ciphertext)
            secrets.append(secret)
        salt = random_bytes(32)
        response = {"salt": b64(salt), "encapsulatedKeys": [b64(ciphertext) for ciphertext in ciphertexts]}
        return primitives.combine(salt, secrets, self.name), response

    def generate_signing_keys(self) -> Keys:
        """Private keys as they are stored: a number and a seed."""
        keys = {CLASSICAL: primitives.export_private_key(primitives.generate_key())}
        if self.dsa is not None:
            keys[POST_QUANTUM] = random_bytes(32)
        return keys

    def signer(self, private: Mapping[str, bytes]) -> Signer:
        return Signer(
            primitives.import_private_key(private[CLASSICAL]),
            self.dsa,
            self.dsa.import_private(private[POST_QUANTUM]) if self.dsa else None,
        )

    def import_public_keys(self, texts: Any) -> Keys:
        """`devicePublicKeys` as they are on the wire; in a suite without ML-DSA that member is ignored."""
        if not isinstance(texts, dict):
            raise CryptoError("public keys are missing")
        keys = {CLASSICAL: unb64(texts.get(CLASSICAL))}
        primitives.import_public_key(keys[CLASSICAL])
        if self.dsa is not None:
            keys[POST_QUANTUM] = unb64(texts.get(POST_QUANTUM))
            self.dsa.import_public(keys[POST_QUANTUM])
        return keys

    def verify(self, algorithm: str, public: Mapping[str, bytes], data: bytes, signature: bytes) -> bool:
        """One signature in the form in which a JWS carries it."""
        if algorithm == ES384:
            try:
                der = primitives.raw_to_der(signature)
            except CryptoError:
                return False
            return primitives.ecdsa_verify(primitives.import_public_key(public[CLASSICAL]), data, der)
        if self.dsa is None or algorithm != self.dsa.jws_name:
            return False
        try:
            self.dsa.import_public(public[POST_QUANTUM]).verify(signature, data)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class Signer:
    """The private keys of one party."""

    ecdsa: ec.EllipticCurvePrivateKey
    dsa: Optional[Dsa] = None
    mldsa: Optional[DsaPrivate] = None

    @property
    def public(self) -> Keys:
        """The public keys as they are on the wire: a point and a SubjectPublicKeyInfo."""
        keys = {CLASSICAL: primitives.export_public_key(self.ecdsa.public_key())}
        if self.dsa is not None and self.mldsa is not None:
            keys[POST_QUANTUM] = self.dsa.spki(self.mldsa.public_key())
        return keys

    def entries(self, payload: str) -> List[Dict[str, str]]:
        """A signature of each algorithm over the base64url `payload`, in the order of the suite."""

        def entry(algorithm: str) -> Dict[str, str]:
            protected = b64url(json.dumps({"alg": algorithm}, separators=(",", ":")).encode())
            data = f"{protected}.{payload}".encode()
            if algorithm == ES384:
                signature = primitives.der_to_raw(primitives.ecdsa_sign(self.ecdsa, data))
            else:
                assert self.mldsa is not None
                signature = self.mldsa.sign(data)
            return {"protected": protected, "signature": b64url(signature)}

        return [entry(ES384)] + ([entry(self.dsa.jws_name)] if self.dsa is not None else [])


EC_P384 = Suite("EC_P384")
EC_P384_ML_L3 = Suite("EC_P384_ML_L3", MLKEM768, MLDSA65)
EC_P384_ML_L5 = Suite("EC_P384_ML_L5", MLKEM1024, MLDSA87)
SUITES = {suite.name: suite for suite in (EC_P384, EC_P384_ML_L3, EC_P384_ML_L5)}
LEGACY = "EC_P256"


def verify_jws(suite: Suite, public: Mapping[str, bytes], text: str) -> bytes:
    """Payload of a general-JSON JWS that carries one right signature of each algorithm of the suite
    (powerauth4.md §7 and §16).
    """
    try:
        jws = json.loads(text)
        payload, entries = jws["payload"], jws["signatures"]
        seen = {}
        for entry in entries:
            algorithm = json.loads(unb64url(entry["protected"]))["alg"]
            if algorithm in seen:
                raise CryptoError("an algorithm signed twice")
            data = f"{entry['protected']}.{payload}".encode()
            seen[algorithm] = suite.verify(algorithm, public, data, unb64url(entry["signature"]))
        if sorted(seen) != sorted(suite.jws_names) or not all(seen.values()):
            raise CryptoError("signatures are not those of the suite, or wrong")
        return unb64url(payload)
    except (ValueError, KeyError, TypeError) as error:
        raise CryptoError(f"JWS: {error}") from error


def public_texts(keys: Mapping[str, bytes]) -> Dict[str, str]:
    return {name: b64(key) for name, key in keys.items()}
