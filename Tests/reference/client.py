"""A minimal PowerAuth client, protocol 3.0 to 3.3.

Written from the protocol description alone, with nothing of the library and nothing of the dev server, so that an error
which two sides share has no place to hide. Every step can be taken apart, repeated or spoilt by a test.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import httpx
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

P256 = ec.SECP256R1()
FACTOR_INDEX = {"possession": 1, "knowledge": 2, "biometry": 3}


def enc(data: bytes) -> str:
    return base64.standard_b64encode(data).decode()


def dec(text: str) -> bytes:
    return base64.standard_b64decode(text)


def url_enc(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def url_dec(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def x963(shared: bytes, info: bytes, length: int) -> bytes:
    """ANSI X9.63 key derivation, for at most two blocks."""
    blocks = [sha256(shared + index.to_bytes(4, "big") + info) for index in (1, 2)]
    return b"".join(blocks)[:length]


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def fold(value: bytes) -> bytes:
    """32 bytes to 16 by XOR."""
    return (int.from_bytes(value[:16], "big") ^ int.from_bytes(value[16:], "big")).to_bytes(16, "big")


def cbc(key: bytes, iv: bytes) -> Cipher[modes.CBC]:
    return Cipher(algorithms.AES(key), modes.CBC(iv))


def derive(key: bytes, index: int) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return encryptor.update(index.to_bytes(16, "big"))


def step(counter: bytes) -> bytes:
    return fold(hashlib.sha256(counter).digest())


def joined(*items: bytes) -> bytes:
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def point(data: bytes) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(P256, data)


def now_ms() -> int:
    return int(time.time() * 1000)


@dataclass
class Sdk:
    """Application key, secret and master key out of an SDK configuration string."""

    key: str
    secret: str
    master: ec.EllipticCurvePublicKey

    @classmethod
    def parse(cls, text: str) -> Sdk:
        data = dec(text)
        assert data[0] == 1 and data[1] == 16 and data[18] == 16 and data[35] == 1 and data[36] == 1
        length = data[37]
        return cls(enc(data[2:18]), enc(data[19:35]), point(data[38 : 38 + length]))


class ServerError(Exception):
    """An answer that is not a success."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.text = response.text
        try:
            self.object: Dict[str, Any] = response.json().get("responseObject", {})
        except ValueError:
            self.object = {}
        self.code = self.object.get("code")
        self.message = self.object.get("message")
        super().__init__(f"{self.status} {self.code} {self.message} {self.text[:200]}")


@dataclass
class Envelope:
    """Keys of one encrypted request."""

    version: str
    key: bytes
    base: bytes
    associated: bytes
    nonce: bytes
    body: Dict[str, Any]

    def open(self, answer: Dict[str, Any]) -> bytes:
        """Checks and decrypts the answer."""
        encrypted = dec(answer["encryptedData"])
        if self.version in ("3.0", "3.1"):
            assert {name for name, value in answer.items() if value is not None} == {"encryptedData", "mac"}
            nonce, info = self.nonce, self.base
        else:
            nonce = dec(answer["nonce"])
            assert nonce != self.nonce, "nonce of the answer repeats the request's"
            info = joined(self.base, nonce, answer["timestamp"].to_bytes(8, "big"), b"", self.associated)
        assert mac(self.key[16:32], encrypted + info) == dec(answer["mac"]), "MAC of the answer is wrong"
        iv = bytes(16) if self.version == "3.0" else fold(mac(self.key[32:], nonce))
        decryptor = cbc(self.key[:16], iv).decryptor()
        unpadder = PKCS7(128).unpadder()
        return unpadder.update(decryptor.update(encrypted)) + unpadder.finalize()

    def open_json(self, answer: Dict[str, Any]) -> Any:
        return json.loads(self.open(answer))


class Party:
    """What clients of all versions do alike."""

    version: str
    activation_id = ""
    clock_offset = 0

    def __init__(self, http: httpx.Client, application_key: str) -> None:
        self.http = http
        self.application_key = application_key

    def raw(
        self, path: str, body: Any, headers: Optional[Dict[str, str]] = None, method: str = "POST"
    ) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        all_headers = {"Content-Type": "application/json", **(headers or {})}
        return self.http.request(method, path, content=content, headers=all_headers)

    def send(self, path: str, body: Any, headers: Optional[Dict[str, str]] = None, method: str = "POST") -> Any:
        response = self.raw(path, body, headers, method)
        if response.status_code != 200:
            raise ServerError(response)
        return response.json()

    def now(self) -> int:
        return now_ms() + self.clock_offset

    def encryption_header(self, activation_scope: bool) -> Dict[str, str]:
        text = f'PowerAuth version="{self.version}", application_key="{self.application_key}"'
        if activation_scope:
            text += f', activation_id="{self.activation_id}"'
        return {"X-PowerAuth-Encryption": text}

    def call_encrypted(self, path: str, payload: Any, activation_scope: bool) -> Any:
        info = "/pa/generic/activation" if activation_scope else "/pa/generic/application"
        envelope = self.encrypt(json.dumps(payload).encode(), info, activation_scope)
        return envelope.open_json(self.send(path, envelope.body, self.encryption_header(activation_scope)))

    def encrypt(self, plain: bytes, info: str, activation_scope: bool) -> Any:
        """Body of an encrypted request, and what opens its answer."""
        raise NotImplementedError

    def token_header(self, token: Dict[str, str]) -> Dict[str, str]:
        raise NotImplementedError

    def call_token(self, path: str, token: Dict[str, str], body: Any = None, headers: Any = None) -> Any:
        return self.send(path, body if body is not None else {}, {**self.token_header(token), **(headers or {})})


class Device(Party):
    """One activation, as a client keeps it."""

    def __init__(self, http: httpx.Client, sdk_config: str, version: str = "3.3") -> None:
        self.sdk = Sdk.parse(sdk_config)
        super().__init__(http, self.sdk.key)
        self.version = version
        self.compressed_keys = True
        self.temporary: Dict[bool, Dict[str, Any]] = {}
        self.device_key = ec.generate_private_key(P256)
        self.server_key: Optional[ec.EllipticCurvePublicKey] = None
        self.master_secret = b""
        self.counter = b""
        self.counter_byte = 0
        self.activation_answer: Dict[str, Any] = {}

    # Keys

    def encoded(self, key: ec.EllipticCurvePublicKey) -> bytes:
        """As this client sends points."""
        form = PublicFormat.CompressedPoint if self.compressed_keys else PublicFormat.UncompressedPoint
        return key.public_bytes(Encoding.X962, form)

    @property
    def transport_key(self) -> bytes:
        return derive(self.master_secret, 1000)

    def factor(self, name: str) -> bytes:
        return derive(self.master_secret, FACTOR_INDEX[name])

    def fingerprint(self) -> str:
        assert self.server_key is not None
        digest = hashlib.sha256()
        for part in (self.device_key.public_key(), self.server_key):
            x = part.public_numbers().x
            digest.update(x.to_bytes((x.bit_length() + 7) // 8, "big"))
            if part is not self.server_key:
                digest.update(self.activation_id.encode())
        return f"{(int.from_bytes(digest.digest()[-4:], 'big') & 0x7FFFFFFF) % 10**8:08d}"

    # Temporary keys

    def key_store_key(self, activation_scope: bool) -> bytes:
        """What a request for a temporary key is authenticated with."""
        secret = dec(self.sdk.secret)
        return fold(mac(self.transport_key, secret)) if activation_scope else secret

    def key_store_token(self, claims: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        """Header and claims of that request."""
        return {"alg": "HS256", "typ": "JWT"}, claims

    def fetch_temporary_key(self, activation_scope: bool) -> Dict[str, Any]:
        key = self.key_store_key(activation_scope)
        claims = {"applicationKey": self.sdk.key, "challenge": enc(os.urandom(18))}
        if activation_scope:
            claims["activationId"] = self.activation_id
        head, claimed = self.key_store_token(claims)
        text = f"{url_enc(json.dumps(head).encode())}.{url_enc(json.dumps(claimed).encode())}"
        token = f"{text}.{url_enc(mac(key, text.encode()))}"
        answer = self.send("/pa/v3/keystore/create", {"requestObject": {"jwt": token}})["responseObject"]["jwt"]
        head, payload, signature = answer.split(".")
        assert json.loads(url_dec(head)) == {"typ": "JWT", "alg": "ES256"}
        raw = url_dec(signature)
        der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        signer = self.server_key if activation_scope else self.sdk.master
        assert signer is not None
        signer.verify(der, f"{head}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))
        result = json.loads(url_dec(payload))
        assert {name: result[name] for name in claims} == claims
        assert result["iat"] == result["iat_ms"] // 1000 and result["exp"] == result["exp_ms"] // 1000
        self.temporary[activation_scope] = result
        return result

    # Encryption

    def encrypt(
        self, plain: bytes, info: str, activation_scope: bool, *, transport_scope: Optional[bool] = None
    ) -> Envelope:
        """`activation_scope` chooses key, secret and associated data."""
        version = self.version
        ephemeral = ec.generate_private_key(P256)
        sent = self.encoded(ephemeral.public_key())
        secret = self.sdk.secret.encode()
        base = mac(self.transport_key, secret) if activation_scope else hashlib.sha256(secret).digest()
        body: Dict[str, Any] = {"ephemeralPublicKey": enc(sent)}
        associated = b""
        recipient = self.server_key if activation_scope else self.sdk.master
        if version in ("3.2", "3.3"):
            names = [version.encode(), self.sdk.key.encode()]
            if activation_scope:
                names.append(self.activation_id.encode())
            if version == "3.3":
                temporary = self.temporary.get(activation_scope) or self.fetch_temporary_key(activation_scope)
                recipient = point(dec(temporary["publicKey"]))
                names.append(temporary["sub"].encode())
                body["temporaryKeyId"] = temporary["sub"]
            associated = joined(*names)
        assert recipient is not None
        shared = ephemeral.exchange(ec.ECDH(), recipient)
        prefix = version if version in ("3.2", "3.3") else ""
        key = x963(shared, prefix.encode() + info.encode() + sent, 48)
        nonce = b"" if version == "3.0" else os.urandom(16)
        iv = fold(mac(key[32:], nonce)) if nonce else bytes(16)
        padder = PKCS7(128).padder()
        encryptor = cbc(key[:16], iv).encryptor()
        encrypted = encryptor.update(padder.update(plain) + padder.finalize())
        tail = base
        if version in ("3.2", "3.3"):
            body["timestamp"] = self.now()
            tail = joined(base, nonce, body["timestamp"].to_bytes(8, "big"), sent, associated)
        if nonce:
            body["nonce"] = enc(nonce)
        body["encryptedData"] = enc(encrypted)
        body["mac"] = enc(mac(key[16:32], encrypted + tail))
        return Envelope(version, key, base, associated, nonce, body)

    # Activation

    def activate(
        self,
        kind: str,
        identity: Dict[str, Any],
        *,
        layer2: Optional[Dict[str, Any]] = None,
        custom: Optional[Dict[str, Any]] = None,
    ) -> Dict[str, Any]:
        """Key exchange; returns the layer-1 answer, and keeps the layer-2 one in `activation_answer`."""
        device = {"devicePublicKey": enc(self.encoded(self.device_key.public_key())), "activationName": "Test device"}
        inner = self.encrypt(json.dumps({**device, **(layer2 or {})}).encode(), "/pa/activation", False)
        request: Dict[str, Any] = {"type": kind, "identityAttributes": identity, "activationData": inner.body}
        if custom is not None:
            request["customAttributes"] = custom
        outer = self.encrypt(json.dumps(request).encode(), "/pa/generic/application", False)
        answer = outer.open_json(self.send("/pa/v3/activation/create", outer.body, self.encryption_header(False)))
        keys = inner.open_json(answer["activationData"])
        self.activation_answer = keys
        self.activation_id = keys["activationId"]
        self.server_key = point(dec(keys["serverPublicKey"]))
        self.counter = dec(keys["ctrData"])
        assert len(self.counter) == 16
        self.master_secret = fold(self.device_key.exchange(ec.ECDH(), self.server_key))
        return answer

    # Signatures

    def compute(self, factors: str, data: bytes, digits: int = 0, *, keys: Optional[Dict[str, bytes]] = None) -> str:
        """Signature text at the current counter; decimal with `digits`. The counter advances."""
        names = factors.split("_")
        used = [(keys or {}).get(name) or self.factor(name) for name in names]
        parts: List[bytes] = []
        for position, factor in enumerate(used):
            derived = mac(factor, self.counter)
            for inner in range(position):
                derived = mac(mac(used[inner + 1], self.counter), derived)
            parts.append(mac(derived, data))
        self.counter = step(self.counter)
        self.counter_byte = (self.counter_byte + 1) % 256
        if digits:
            numbers = (int.from_bytes(part[-4:], "big") & 0x7FFFFFFF for part in parts)
            return "-".join(f"{number % 10**digits:0{digits}d}" for number in numbers)
        return enc(b"".join(part[16:] for part in parts))

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
        text = self.compute(factors, data, 8 if self.version == "3.0" else 0, keys=keys)
        attributes = {
            "pa_version": self.version,
            "pa_activation_id": self.activation_id,
            "pa_application_key": self.sdk.key,
            "pa_nonce": nonce,
            "pa_signature_type": factors,
            "pa_signature": text,
        }
        pairs = ", ".join(f'{name}="{value}"' for name, value in attributes.items())
        return {"X-PowerAuth-Authorization": f"PowerAuth {pairs}"}

    def call_signed(
        self, path: str, uri_id: str, factors: str, body: Any, *, wrong_pin: bool = False, headers: Any = None
    ) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        keys = {"knowledge": os.urandom(16)} if wrong_pin else None
        header = self.signature_header(factors, uri_id, content, keys=keys)
        return self.send(path, content, {**header, **(headers or {})})

    def call_encrypted_signed(self, path: str, uri_id: str, info: str, factors: str, payload: Any) -> Any:
        """Encrypt, then sign."""
        envelope = self.encrypt(json.dumps(payload).encode(), info, True)
        return envelope.open_json(self.call_signed(path, uri_id, factors, envelope.body))

    def validate(self, factors: str = "possession_knowledge", *, wrong_pin: bool = False) -> Any:
        body = {"requestObject": {"reason": "VALIDATE_PASSWORD"}}
        return self.call_signed(
            "/pa/v3/signature/validate", "/pa/signature/validate", factors, body, wrong_pin=wrong_pin
        )

    def offline_code(self, body: str, nonce: str, factors: str = "possession_knowledge", digits: int = 8) -> str:
        data = f"POST&{enc(b'/operation/authorize/offline')}&{nonce}&{enc(body.encode())}&offline"
        return self.compute(factors, data.encode(), digits)

    # Tokens

    def create_token(self, factors: str = "possession") -> Dict[str, str]:
        return self.call_encrypted_signed("/pa/v3/token/create", "/pa/token/create", "/pa/token/create", factors, {})

    def token_header(self, token: Dict[str, str]) -> Dict[str, str]:
        nonce, timestamp = os.urandom(16), str(self.now())
        data = nonce + b"&" + timestamp.encode()
        if self.version in ("3.2", "3.3"):
            data += b"&" + self.version.encode()
        digest = enc(mac(dec(token["tokenSecret"]), data))
        text = (
            f'PowerAuth version="{self.version}", token_id="{token["tokenId"]}", token_digest="{digest}", '
            f'nonce="{enc(nonce)}", timestamp="{timestamp}"'
        )
        return {"X-PowerAuth-Token": text}

    # Status

    def status(self, activation_id: Optional[str] = None) -> Optional[Dict[str, int]]:
        """The decrypted blob, or None where it cannot be one of this activation."""
        challenge = os.urandom(16)
        request: Dict[str, Any] = {"activationId": activation_id or self.activation_id}
        if self.version != "3.0":
            request["challenge"] = enc(challenge)
        answer = self.send("/pa/v3/activation/status", {"requestObject": request})["responseObject"]
        blob = dec(answer["encryptedStatusBlob"])
        assert len(blob) == 32
        iv = bytes(16)
        if self.version != "3.0" and "nonce" in answer:
            iv = fold(mac(derive(self.transport_key, 3000), challenge + dec(answer["nonce"])))
        plain = cbc(self.transport_key, iv).decryptor().update(blob)
        if plain[:4] != bytes.fromhex("dec0ded1"):
            return None
        hashed = plain[16:]
        counter, distance = self.counter, -1
        for index in range(plain[15]):
            if fold(mac(derive(self.transport_key, 4000), counter)) == hashed:
                distance = index
                break
            counter = step(counter)
        return {
            "status": plain[4],
            "current": plain[5],
            "upgrade": plain[6],
            "counterByte": plain[12],
            "failed": plain[13],
            "max": plain[14],
            "lookAhead": plain[15],
            "distance": distance,
        }
