"""A FIDO2 authenticator in software: CTAPHID over a socket, CTAP 2.0 with hmac-secret and a PIN, the parts that sealing needs."""

from __future__ import annotations

import hashlib
import hmac
import os
import socket
import struct
import threading
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

INIT, CBOR, ERROR = 0x86, 0x90, 0xBF
PIN_INVALID, PIN_AUTH_BLOCKED, PIN_REQUIRED, NO_CREDENTIALS, DENIED, INVALID = 0x31, 0x34, 0x36, 0x2E, 0x27, 0x01
EXTENSION = "hmac-secret"


class Refused(Exception):
    """An error of CTAP."""


class Authenticator:
    """One security key. Its secrets live as long as the object; `touch` False: the user does not touch it."""

    def __init__(self, path: Path, pin: Optional[str] = None):
        self.path, self.pin, self.touch = path, pin, True
        self.touches, self._wrong = 0, 0
        self._secret = os.urandom(32)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._token = os.urandom(32)
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._server.bind(str(path))
        self._server.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self.path.unlink()

    # Packets

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                while self._message(connection):
                    pass

    def _message(self, connection: socket.socket) -> bool:
        packet = connection.recv(64)
        if len(packet) < 64:
            return False
        channel, command, length = struct.unpack(">4sBH", packet[:7])
        data = packet[7:]
        while len(data) < length:
            data += connection.recv(64)[5:]
        data = data[:length]
        if command == INIT:
            self._send(connection, channel, INIT, data[:8] + b"\0\0\0\1" + bytes([2, 1, 0, 0, 0x0C]))
        elif command == CBOR:
            try:
                answer = b"\0" + encode(self._command(data[0], decode(data[1:])[0] if len(data) > 1 else {}))
            except Refused as refused:
                answer = bytes([refused.args[0]])
            self._send(connection, channel, CBOR, answer)
        return True

    @staticmethod
    def _send(connection: socket.socket, channel: bytes, command: int, data: bytes) -> None:
        connection.send((channel + struct.pack(">BH", command, len(data)) + data[:57]).ljust(64, b"\0"))
        for sequence, start in enumerate(range(57, len(data), 59)):
            connection.send((channel + bytes([sequence]) + data[start : start + 59]).ljust(64, b"\0"))

    # Commands

    def _command(self, number: int, given: Dict[Any, Any]) -> Dict[Any, Any]:
        if number == 4:
            options = {"rk": False, "up": True, "clientPin": self.pin is not None}
            return {1: ["FIDO_2_0"], 2: [EXTENSION], 3: bytes(16), 4: options, 5: 1200, 6: [1]}
        if number == 6:
            return self._pin_command(given)
        if number == 1:
            return self._make(given)
        if number == 2:
            return self._assert(given)
        raise Refused(INVALID)

    def _pin_command(self, given: Dict[Any, Any]) -> Dict[Any, Any]:
        if given[2] == 1:
            return {3: 8 - self._wrong}
        if given[2] == 2:
            return {1: cose(self._key.public_key(), -25)}
        if given[2] == 5:
            if self._wrong >= 3:
                raise Refused(PIN_AUTH_BLOCKED)
            shared = self._shared(given[3])
            wanted = hashlib.sha256((self.pin or "").encode()).digest()[:16]
            if self.pin is None or aes(shared, given[6], False) != wanted:
                self._wrong += 1
                self._key = ec.generate_private_key(ec.SECP256R1())
                raise Refused(PIN_AUTH_BLOCKED if self._wrong >= 3 else PIN_INVALID)
            self._wrong = 0
            return {2: aes(shared, self._token, True)}
        raise Refused(INVALID)

    def _shared(self, key: Dict[int, Any]) -> bytes:
        numbers = (int.from_bytes(key[-2], "big"), int.from_bytes(key[-3], "big"))
        peer = ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
        return hashlib.sha256(self._key.exchange(ec.ECDH(), peer)).digest()

    def _check(self, given: Dict[Any, Any], hash_at: int, auth_at: int) -> None:
        """The PIN, where there is one, and the touch."""
        if self.pin is not None:
            auth = given.get(auth_at)
            if auth is None:
                raise Refused(PIN_REQUIRED)
            if not hmac.compare_digest(auth, mac(self._token, given[hash_at])[:16]):
                raise Refused(PIN_INVALID)
        if not self.touch:
            raise Refused(DENIED)
        self.touches += 1

    def _make(self, given: Dict[Any, Any]) -> Dict[Any, Any]:
        self._check(given, 1, 8)
        nonce = os.urandom(16)
        credential = nonce + mac(self._secret, nonce + given[2]["id"].encode())
        public = encode(cose(ec.generate_private_key(ec.SECP256R1()).public_key(), -7))
        made = bytes(16) + struct.pack(">H", len(credential)) + credential + public
        extensions = {name: True for name in given.get(6, {}) if name == EXTENSION}
        return {1: "none", 2: self._data(given[2]["id"], 0x41, made, extensions), 3: {}}

    def _assert(self, given: Dict[Any, Any]) -> Dict[Any, Any]:
        own = [
            item["id"]
            for item in given[3]
            if item["id"][16:] == mac(self._secret, item["id"][:16] + given[1].encode()) and len(item["id"]) == 48
        ]
        if not own:
            raise Refused(NO_CREDENTIALS)
        if given.get(5, {}).get("up", True):
            self._check(given, 2, 6)
        wanted = given[4][EXTENSION]
        shared = self._shared(wanted[1])
        if not hmac.compare_digest(wanted[3], mac(shared, wanted[2])[:16]):
            raise Refused(INVALID)
        salt = aes(shared, wanted[2], False)
        output = aes(shared, mac(mac(self._secret, own[0]), salt), True)
        data = self._data(given[1], 1, b"", {EXTENSION: output})
        return {1: {"id": own[0], "type": "public-key"}, 2: data, 3: bytes(70)}

    @staticmethod
    def _data(party: str, flags: int, made: bytes, extensions: Dict[str, Any]) -> bytes:
        head = hashlib.sha256(party.encode()).digest() + struct.pack(">BI", flags | (0x80 if extensions else 0), 1)
        return head + made + (encode(extensions) if extensions else b"")


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def aes(key: bytes, data: bytes, encrypts: bool) -> bytes:
    cipher = Cipher(algorithms.AES(key), modes.CBC(bytes(16)))
    worker = cipher.encryptor() if encrypts else cipher.decryptor()
    return worker.update(data) + worker.finalize()


def cose(key: ec.EllipticCurvePublicKey, algorithm: int) -> Dict[int, Any]:
    numbers = key.public_numbers()
    return {1: 2, 3: algorithm, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}


# CBOR (RFC 8949), as far as CTAP uses it


def encode(value: Any) -> bytes:
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, bytes):
        return _head(2, len(value)) + value
    if isinstance(value, str):
        return _head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return _head(4, len(value)) + b"".join(encode(item) for item in value)
    items = sorted((encode(key), encode(item)) for key, item in value.items())
    return _head(5, len(items)) + b"".join(key + item for key, item in items)


def _head(kind: int, number: int) -> bytes:
    if number < 24:
        return bytes([kind << 5 | number])
    if number < 256:
        return bytes([kind << 5 | 24, number])
    return struct.pack(">BH", kind << 5 | 25, number)


def decode(data: bytes) -> Tuple[Any, bytes]:
    kind, number, data = data[0] >> 5, data[0] & 31, data[1:]
    if kind == 7:
        return number == 21, data
    if number == 24:
        number, data = data[0], data[1:]
    elif number == 25:
        number, data = struct.unpack(">H", data[:2])[0], data[2:]
    if kind in (0, 1):
        return (number if kind == 0 else -1 - number), data
    if kind in (2, 3):
        return (data[:number] if kind == 2 else data[:number].decode()), data[number:]
    found: Any = [] if kind == 4 else {}
    for _ in range(number):
        value, data = decode(data)
        if kind == 4:
            found.append(value)
        else:
            found[value], data = decode(data)
    return found, data
