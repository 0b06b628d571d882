"""A minimal PowerAuth client of protocol 4.0, in every suite.

Written from the protocol description alone, with nothing of the library and nothing of the dev server. KMAC comes from its
definition over cSHAKE, HPKE from the `cryptography` package's P-384 and HKDF, so that neither side can share a slip.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

import httpx
from client import Party, dec, enc, joined, url_dec, url_enc
from Crypto.Hash import cSHAKE256
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, mldsa, mlkem
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

P384 = ec.SECP384R1()
SUITES = {
    "EC_P384": (None, None, None),
    "EC_P384_ML_L3": (mlkem.MLKEM768PrivateKey, mldsa.MLDSA65PrivateKey, "ML-DSA-65"),
    "EC_P384_ML_L5": (mlkem.MLKEM1024PrivateKey, mldsa.MLDSA87PrivateKey, "ML-DSA-87"),
}
_RATE = 136


def _left(number: int) -> bytes:
    data = number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")
    return bytes((len(data),)) + data


def kmac(key: bytes, data: bytes, customization: str, length: int = 32) -> bytes:
    """KMAC256 as SP 800-185 writes it."""
    block = _left(_RATE) + _left(8 * len(key)) + key
    block += bytes(-len(block) % _RATE)
    bits = (8 * length).to_bytes(2, "big")
    absorbed = block + data + (bits if bits[0] else bits[1:]) + bytes((2 if bits[0] else 1,))
    sponge = cSHAKE256._new(absorbed, customization.encode(), b"KMAC")  # type: ignore
    return bytes(sponge.read(length))


def kdf(key: bytes, *labels: str, diversifier: bytes = b"") -> bytes:
    """The key at the end of a path of labels."""
    for label in labels:
        key = kmac(key, joined(label.encode(), diversifier), "PA4KDF")
    return key


def sha3(data: bytes) -> bytes:
    return hashlib.sha3_256(data).digest()


def _stream(key: bytes, nonce: bytes, data: bytes) -> bytes:
    cipher = Cipher(algorithms.AES(key), modes.CTR(nonce + bytes(4))).encryptor()
    return cipher.update(data) + cipher.finalize()


def _sealing_keys(key: bytes, context: bytes) -> List[bytes]:
    return [kdf(key, f"aead/{use}", diversifier=context) for use in ("enc", "mac")]


def seal(key: bytes, context: bytes, nonce: bytes, associated: bytes, plaintext: bytes) -> bytes:
    encryption, authentication = _sealing_keys(key, context)
    encrypted = _stream(encryption, nonce, plaintext)
    return nonce + kmac(authentication, nonce + associated + encrypted, "PA4MAC-AEAD") + encrypted


def unseal(key: bytes, context: bytes, associated: bytes, sealed: bytes) -> bytes:
    encryption, authentication = _sealing_keys(key, context)
    nonce, tag, encrypted = sealed[:12], sealed[12:44], sealed[44:]
    assert kmac(authentication, nonce + associated + encrypted, "PA4MAC-AEAD") == tag, "tag of the answer is wrong"
    return _stream(encryption, nonce, encrypted)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def spki(key: Any) -> bytes:
    encoded: bytes = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return encoded


def dhkem_export(private: ec.EllipticCurvePrivateKey, encapsulated: bytes) -> bytes:
    """RFC 9180: decapsulation, base-mode key schedule and export, all with SHA-384."""
    peer = ec.EllipticCurvePublicKey.from_encoded_point(P384, encapsulated)
    kem, suite, info = b"KEM\x00\x11", b"HPKE\x00\x11\x00\x02\xff\xff", b"DHKEM-P384"

    def extract(salt: bytes, identity: bytes, label: bytes, secret: bytes) -> bytes:
        return HKDF.extract(hashes.SHA384(), salt or bytes(48), b"HPKE-v1" + identity + label + secret)

    def expand(secret: bytes, identity: bytes, label: bytes, data: bytes) -> bytes:
        labelled = (48).to_bytes(2, "big") + b"HPKE-v1" + identity + label + data
        return HKDFExpand(hashes.SHA384(), 48, labelled).derive(secret)

    agreed = extract(b"", kem, b"eae_prk", private.exchange(ec.ECDH(), peer))
    shared = expand(agreed, kem, b"shared_secret", encapsulated + point(private.public_key()))
    context = b"\0" + extract(b"", suite, b"psk_id_hash", b"") + extract(b"", suite, b"info_hash", info)
    exporter = expand(extract(shared, suite, b"secret", b""), suite, b"exp", context)
    return expand(exporter, suite, b"sec", info)


class Exchange:
    """One shared secret exchange as the side that asks."""

    def __init__(self, suite: str) -> None:
        self.suite = suite
        self.classical = ec.generate_private_key(P384)
        kem = SUITES[suite][0]
        self.lattice = kem.generate() if kem else None
        keys = [point(self.classical.public_key())]
        if self.lattice is not None:
            keys.append(spki(self.lattice.public_key()))
        self.request: Dict[str, Any] = {"algorithm": suite, "encapsulationKeys": [enc(key) for key in keys]}

    def finish(self, response: Dict[str, Any]) -> bytes:
        assert set(response) == {"salt", "encapsulatedKeys"}
        keys = [dec(text) for text in response["encapsulatedKeys"]]
        assert len(keys) == (1 if self.lattice is None else 2) and len(dec(response["salt"])) == 32
        secrets = [dhkem_export(self.classical, keys[0])]
        if self.lattice is not None:
            secrets.append(self.lattice.decapsulate(keys[1]))
        label = joined(f"shared-secret/{self.suite}".encode(), b"4.0")
        return kmac(dec(response["salt"]), b"\0\0\0\1" + joined(*secrets) + label, "KDF")


@dataclass
class Sdk4:
    """The SDK configuration string with its master keys by their ids."""

    key: str
    secret: str
    master: Dict[int, bytes] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Sdk4:
        data, place = dec(text), 1

        def count() -> int:
            nonlocal place
            width = {0: 1, 1: 1, 2: 2, 3: 4}[data[place] >> 6]
            number = int.from_bytes(data[place : place + width], "big")
            place += width
            return number & {1: 0x7F, 2: 0x3FFF, 4: 0x3FFFFFFF}[width]

        def item() -> bytes:
            nonlocal place
            length = count()
            place += length
            return data[place - length : place]

        assert data[0] == 1
        sdk = cls(enc(item()), enc(item()))
        for _ in range(count()):
            identifier = data[place]
            place += 1
            sdk.master[identifier] = item()
        assert place == len(data)
        return sdk


class Keys:
    """Public keys that sign for the other side."""

    def __init__(self, suite: str, ecdsa: bytes, lattice: Optional[bytes]) -> None:
        self.name = SUITES[suite][2]
        self.encoded = (ecdsa, lattice)
        self.ecdsa = ec.EllipticCurvePublicKey.from_encoded_point(P384, ecdsa)
        self.lattice: Any = load_der_public_key(lattice) if lattice is not None and self.name else None

    def verify(self, jws: str) -> Any:
        """Payload of a JWS that all algorithms signed, each once."""
        value = json.loads(jws)
        seen = []
        for entry in value["signatures"]:
            algorithm = json.loads(url_dec(entry["protected"]))["alg"]
            data, signature = f"{entry['protected']}.{value['payload']}".encode(), url_dec(entry["signature"])
            seen.append(algorithm)
            if algorithm == "ES384":
                assert len(signature) == 96
                der = encode_dss_signature(int.from_bytes(signature[:48], "big"), int.from_bytes(signature[48:], "big"))
                self.ecdsa.verify(der, data, ec.ECDSA(hashes.SHA384()))
            else:
                assert algorithm == self.name
                self.lattice.verify(signature, data)
        assert sorted(seen) == sorted(["ES384"] + ([self.name] if self.name else [])), seen
        return json.loads(url_dec(value["payload"]))


@dataclass
class Envelope4:
    """One encrypted request."""

    key: bytes
    context: bytes
    nonce: bytes
    names: bytes
    info: bytes
    body: Dict[str, Any]

    def associated(self, timestamp: int) -> bytes:
        return self.names + joined(timestamp.to_bytes(8, "big"), self.nonce, self.info)

    def open(self, answer: Dict[str, Any]) -> bytes:
        assert set(answer) == {"encryptedData", "timestamp"}
        sealed = dec(answer["encryptedData"])
        assert sealed[:12] == self.nonce[12:], "nonce of the answer is not the one that was asked for"
        return unseal(self.key, self.context, self.associated(answer["timestamp"]), sealed)

    def open_json(self, answer: Dict[str, Any]) -> Any:
        return json.loads(self.open(answer))


class Device4(Party):
    """One activation of 4.0, as a client keeps it."""

    version = "4.0"

    def __init__(self, http: httpx.Client, sdk_config: str, suite: str = "EC_P384") -> None:
        self.suite = suite
        self.sdk = Sdk4.parse(sdk_config)
        super().__init__(http, self.sdk.key)
        dsa, self.dsa_name = SUITES[suite][1:]
        self.ecdsa = ec.generate_private_key(P384)
        self.lattice: Any = dsa.generate() if dsa else None
        lattice_id = {"ML-DSA-65": 3, "ML-DSA-87": 4}.get(self.dsa_name or "")
        self.master = Keys(suite, self.sdk.master[2], self.sdk.master[lattice_id] if lattice_id else None)
        self.server: Optional[Keys] = None
        self.temporary: Dict[bool, Dict[str, Any]] = {}
        self.secret = b""
        self.counter = b""
        self.counter_byte = 0
        self.keys: Dict[str, bytes] = {}

    # Temporary keys

    def fetch_temporary_key(
        self, activation_scope: bool, suite: Optional[str] = None, *, challenge: Optional[bytes] = None
    ) -> Dict[str, Any]:
        exchange = Exchange(suite or self.suite)
        claims = {"applicationKey": self.sdk.key, "challenge": enc(challenge or os.urandom(32))}
        if activation_scope:
            claims["activationId"] = self.activation_id
        secret = dec(self.sdk.secret)
        path = ("util", "util/mac/get-act-temp-key") if activation_scope else ("util/mac/get-app-temp-key",)
        key = kdf(self.secret if activation_scope else secret, *path)
        parts = ({"alg": "HS384", "typ": "JWT"}, {**claims, "sharedSecretRequest": exchange.request})
        text = ".".join(url_enc(json.dumps(part).encode()) for part in parts)
        token = f"{text}.{url_enc(hmac.digest(key, text.encode(), 'sha384'))}"
        answer = self.send("/pa/v4/keystore/create", {"requestObject": {"jwt": token}})["responseObject"]["jwt"]
        signer = self.server if activation_scope else self.master
        assert signer is not None
        result: Dict[str, Any] = signer.verify(answer)
        assert {name: result.get(name) for name in claims} == claims
        assert result["iat"] == result["iat_ms"] // 1000 and result["exp"] == result["exp_ms"] // 1000
        result["secret"] = exchange.finish(result["sharedSecretResponse"])
        self.temporary[activation_scope] = result
        return result

    # Encryption

    def encrypt(self, plain: bytes, info: str, activation_scope: bool, *, nonce: Optional[bytes] = None) -> Envelope4:
        temporary = self.temporary.get(activation_scope) or self.fetch_temporary_key(activation_scope)
        secret = dec(self.sdk.secret)
        names, shared = [b"4.0", self.sdk.key.encode()], sha3(secret)
        if activation_scope:
            names.append(self.activation_id.encode())
            shared = kmac(kdf(self.secret, "util", "util/key-e2ee-sh2"), secret, "PA4SH2")
        names.append(temporary["sub"].encode())
        nonce = nonce or os.urandom(24)
        envelope = Envelope4(temporary["secret"], b"4.0" + info.encode() + nonce, nonce, joined(*names), shared, {})
        timestamp = self.now()
        sealed = seal(envelope.key, envelope.context, nonce[:12], envelope.associated(timestamp), plain)
        envelope.body = {
            "temporaryKeyId": temporary["sub"],
            "encryptedData": enc(sealed),
            "nonce": enc(nonce),
            "timestamp": timestamp,
        }
        return envelope

    # Activation

    def device_keys(self) -> Dict[str, str]:
        keys = {"ecdsa": enc(point(self.ecdsa.public_key()))}
        if self.lattice is not None:
            keys["mldsa"] = enc(spki(self.lattice.public_key()))
        return keys

    def take(self, answer: Dict[str, Any], exchange: Exchange) -> None:
        """Everything that follows from the answer of an activation or an upgrade."""
        self.secret = exchange.finish(answer["sharedSecretResponse"])
        texts = answer["serverPublicKeys"]
        self.server = Keys(self.suite, dec(texts["ecdsa"]), dec(texts["mldsa"]) if self.dsa_name else None)
        self.counter, self.counter_byte = dec(answer["ctrData"]), 0
        assert len(self.counter) == 32
        factors = ("possession", "knowledge", "biometry")
        self.keys = {name: kdf(self.secret, "auth", f"auth/{name}") for name in factors}

    def activate(
        self, kind: str, identity: Dict[str, Any], *, layer2: Optional[Dict[str, Any]] = None, custom: Any = None
    ) -> Dict[str, Any]:
        exchange = Exchange(self.suite)
        device = {
            "sharedSecretRequest": exchange.request,
            "devicePublicKeys": self.device_keys(),
            "activationName": "Test device",
            **(layer2 or {}),
        }
        inner = self.encrypt(json.dumps(device).encode(), "/pa/activation", False)
        request: Dict[str, Any] = {"type": kind, "identityAttributes": identity, "activationData": inner.body}
        if custom is not None:
            request["customAttributes"] = custom
        outer = self.encrypt(json.dumps(request).encode(), "/pa/generic/application", False)
        answer: Dict[str, Any] = outer.open_json(
            self.send("/pa/v4/activation/create", outer.body, self.encryption_header(False))
        )
        keys = inner.open_json(answer["activationData"])
        self.activation_id = keys["activationId"]
        self.take(keys, exchange)
        return answer

    def confirm(self, biometry: bool = False) -> Any:
        body = {"requestObject": {"enableBiometry": biometry}}
        return self.call_signed("/pa/v4/activation/confirm", "/pa/activation/confirm", "possession_knowledge", body)

    def fingerprint(self) -> str:
        assert self.server is not None
        digest = hashlib.sha3_256(self.suite.encode())
        device = [dec(text) for text in self.device_keys().values()]
        for keys, tail in ((device, self.activation_id.encode()), (self.server.encoded, b"")):
            digest.update(keys[0][1:49].lstrip(b"\0"))
            digest.update((keys[1] if len(keys) > 1 else None) or b"")
            digest.update(tail)
        return f"{(int.from_bytes(digest.digest()[-4:], 'big') & 0x7FFFFFFF) % 10**8:08d}"

    # Codes

    def components(self, factors: str, data: bytes, keys: Optional[Dict[str, bytes]] = None) -> List[bytes]:
        """One for each factor; the counter advances."""
        used = [(keys or {}).get(name) or self.keys[name] for name in factors.split("_")]
        parts = []
        for count in range(1, len(used) + 1):
            key = b""
            for factor in used[:count]:
                key = kmac(factor, self.counter + key, "PA4CODE")
            parts.append(kmac(key, data, "PA4CODE"))
        self.counter = sha3(self.counter)
        self.counter_byte = (self.counter_byte + 1) % 256
        return parts

    def signature_header(
        self,
        factors: str,
        uri_id: str,
        body: bytes,
        method: str = "POST",
        *,
        keys: Optional[Dict[str, bytes]] = None,
    ) -> Dict[str, str]:
        nonce = enc(os.urandom(16))
        data = f"{method}&{enc(uri_id.encode())}&{nonce}&{enc(body)}&{self.sdk.secret}".encode()
        attributes = {
            "pa_activation_id": self.activation_id,
            "pa_application_key": self.sdk.key,
            "pa_nonce": nonce,
            "pa_auth_code_type": factors,
            "pa_auth_code": enc(b"".join(self.components(factors, data, keys))),
            "pa_version": "4.0",
        }
        pairs = ", ".join(f'{name}="{value}"' for name, value in attributes.items())
        return {"X-PowerAuth-Authorization": f"PowerAuth {pairs}"}

    def call_signed(
        self,
        path: str,
        uri_id: str,
        factors: str,
        body: Any,
        *,
        wrong_pin: bool = False,
        headers: Any = None,
        keys: Optional[Dict[str, bytes]] = None,
    ) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        if wrong_pin:
            keys = {"knowledge": os.urandom(32)}
        header = self.signature_header(factors, uri_id, content, keys=keys)
        return self.send(path, content, {**header, **(headers or {})})

    def call_encrypted_signed(self, name: str, factors: str, payload: Any, **options: Any) -> Any:
        """Encrypt, then authenticate what is sent; `name` is path, uriId and sh1 in one."""
        envelope = self.encrypt(json.dumps(payload).encode(), f"/pa/{name}", True)
        return envelope.open_json(self.call_signed(f"/pa/v4/{name}", f"/pa/{name}", factors, envelope.body, **options))

    def validate(
        self, factors: str = "possession_knowledge", *, wrong_pin: bool = False, keys: Optional[Dict[str, bytes]] = None
    ) -> Any:
        body: Dict[str, Any] = {"requestObject": {}}
        return self.call_signed(
            "/pa/v4/auth/validate", "/pa/auth/validate", factors, body, wrong_pin=wrong_pin, keys=keys
        )

    def offline_code(self, body: str, nonce: str, factors: str = "possession_knowledge", digits: int = 8) -> str:
        data = f"POST&{enc(b'/operation/authorize/offline')}&{nonce}&{enc(body.encode())}&offline".encode()
        numbers = (int.from_bytes(part[-4:], "big") & 0x7FFFFFFF for part in self.components(factors, data))
        return "-".join(f"{number % 10**digits:0{digits}d}" for number in numbers)

    # Changing factors

    def new_factor_key(self, name: str, factors: str = "possession_knowledge", **options: Any) -> bytes:
        """`password/change` or `biometry/add`; what to do with the key is the test's business."""
        exchange = Exchange(self.suite)
        return exchange.finish(self.call_encrypted_signed(name, factors, exchange.request, **options))

    def remove_biometry(self) -> Any:
        return self.call_signed("/pa/v4/biometry/remove", "/pa/biometry/remove", "possession", {"requestObject": {}})

    def unlock(self, identifier: str, factors: str = "possession_knowledge", **members: Any) -> bytes:
        answer = self.call_encrypted_signed("vault/unlock", factors, {"keyIdentifier": identifier, **members})
        return dec(answer["vaultEncryptionKey"])

    # Tokens

    def create_token(self, factors: str = "possession") -> Dict[str, str]:
        token: Dict[str, str] = self.call_encrypted_signed("token/create", factors, {})
        return token

    def token_header(self, token: Dict[str, str]) -> Dict[str, str]:
        nonce, timestamp = os.urandom(16), str(self.now())
        data = b"&".join((nonce, timestamp.encode(), b"4.0"))
        digest = enc(kmac(dec(token["tokenSecret"]), data, "PA4DIGEST"))
        return {
            "X-PowerAuth-Token": f'PowerAuth version="4.0", token_id="{token["tokenId"]}", token_digest="{digest}", '
            f'nonce="{enc(nonce)}", timestamp="{timestamp}"'
        }

    # Status and name

    def status(self) -> Dict[str, Any]:
        answer = self.call_encrypted("/pa/v4/activation/status", {}, True)
        blob = dec(answer["activationStatus"])
        assert len(blob) == 80 and blob[:4] == bytes.fromhex("dec0ded4")
        assert kmac(kdf(self.secret, "util", "util/mac/status"), blob[:48], "PA4MAC-STATUS") == blob[48:]
        key, counter, distance = kdf(self.secret, "util", "util/mac/ctr-data"), self.counter, -1
        for index in range(blob[15]):
            if kmac(key, counter, "PA4MAC-CTR") == blob[16:48]:
                distance = index
                break
            counter = sha3(counter)
        names = ("status", "current", "upgrade", "flags")
        return {
            **dict(zip(names, blob[4:8])),
            **dict(zip(("counterByte", "failed", "max", "lookAhead"), blob[12:16])),
            "distance": distance,
            "expires": answer["timestampBlockExpire"],
            "custom": answer["customObject"],
        }

    def rename(self, name: str, *, sign_plaintext: bool = True, wrong_pin: bool = False) -> Any:
        plain = json.dumps({"activationName": name}).encode()
        envelope = self.encrypt(plain, "/pa/generic/activation", True)
        body = json.dumps(envelope.body).encode()
        keys = {"knowledge": os.urandom(32)} if wrong_pin else None
        signed = plain if sign_plaintext else body
        header = self.signature_header("possession_knowledge", "/pa/activation/rename", signed, keys=keys)
        return envelope.open_json(self.send("/pa/v4/activation/rename", body, header))

    # Device signatures

    def sign_jws(self, payload: bytes) -> str:
        entries = []
        for name in ("ES384", self.dsa_name):
            if name is None:
                continue
            protected = url_enc(json.dumps({"alg": name}).encode())
            data = f"{protected}.{url_enc(payload)}".encode()
            if name == "ES384":
                r, s = decode_dss_signature(self.ecdsa.sign(data, ec.ECDSA(hashes.SHA384())))
                signature = r.to_bytes(48, "big") + s.to_bytes(48, "big")
            else:
                signature = self.lattice.sign(data)
            entries.append({"protected": protected, "signature": url_enc(signature)})
        return json.dumps({"payload": url_enc(payload), "signatures": entries})
