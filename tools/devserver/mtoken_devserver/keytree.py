# SPDX-License-Identifier: Apache-2.0
"""The keys that both sides derive from the key agreement of an activation (powerauth.md §3, §8, §12, §13)."""

from __future__ import annotations

from dataclasses import dataclass

from . import crypto

STATUS_MAGIC = bytes.fromhex("dec0ded1")


@dataclass(frozen=True)
class KeyTree:
    """The symmetric keys of one activation (powerauth.md §3)."""

    master: bytes
    possession: bytes
    knowledge: bytes
    biometry: bytes
    transport: bytes
    vault: bytes

    @classmethod
    def agree(cls, private: crypto.PrivateKey, public: crypto.PublicKey) -> KeyTree:
        """Key agreement between one side's private and the other side's public key."""
        return cls.from_master(crypto.reduce(crypto.ecdh(private, public)))

    @classmethod
    def from_master(cls, master: bytes) -> KeyTree:
        indexes = (1, 2, 3, 1000, 2000)
        return cls(master, *(crypto.kdf(master, index) for index in indexes))

    @property
    def encrypted_vault_key(self) -> bytes:
        """`C_VAULT`, the answer of a vault unlock (powerauth.md §13)."""
        return crypto.aes_cbc_encrypt(self.transport, crypto.ZERO16, self.vault)


def next_counter(ctr_data: bytes, steps: int = 1) -> bytes:
    """`NEXT` of the hash-based counter, applied `steps` times (powerauth.md §3)."""
    for _ in range(steps):
        ctr_data = crypto.reduce(crypto.sha256(ctr_data))
    return ctr_data


def fingerprint(device_public: crypto.PublicKey, activation_id: str, server_public: crypto.PublicKey) -> str:
    """Eight digits that the user compares (powerauth.md §8). The coordinates enter without leading zero bytes."""

    def coordinate(key: crypto.PublicKey) -> bytes:
        number = key.public_numbers().x
        return number.to_bytes((number.bit_length() + 7) // 8, "big")

    digest = crypto.sha256(coordinate(device_public) + activation_id.encode() + coordinate(server_public))
    return str((int.from_bytes(digest[28:], "big") & 0x7FFFFFFF) % 100_000_000).zfill(8)


@dataclass(frozen=True)
class StatusBlob:
    """Plain content of the encrypted activation status (powerauth.md §12.2)."""

    status: int
    ctr_byte: int
    failed_attempts: int
    max_failed_attempts: int
    look_ahead: int
    ctr_data: bytes
    current_version: int = 3
    upgrade_version: int = 3

    def encode(self, transport_key: bytes) -> bytes:
        """The 32 bytes as a client of protocol 3.1 and later reads them."""
        counter_hash = crypto.kdf_internal(crypto.kdf(transport_key, 4000), self.ctr_data)
        return self._encode(crypto.random_bytes(5), self.ctr_byte, counter_hash)

    def encode_without_counter(self) -> bytes:
        """The 32 bytes for a request without challenge (protocol 3.0): the counter fields are noise."""
        return self._encode(crypto.random_bytes(5), crypto.random_bytes(1)[0], crypto.random_bytes(16))

    def _encode(self, reserved: bytes, ctr_byte: int, counter_hash: bytes) -> bytes:
        head = bytes((self.status, self.current_version, self.upgrade_version))
        tail = bytes((ctr_byte, self.failed_attempts, self.max_failed_attempts, self.look_ahead))
        return STATUS_MAGIC + head + reserved + tail + counter_hash


def status_iv(transport_key: bytes, challenge: bytes, nonce: bytes) -> bytes:
    """IV of the status blob (powerauth.md §12.2)."""
    return crypto.kdf_internal(crypto.kdf(transport_key, 3000), challenge + nonce)
