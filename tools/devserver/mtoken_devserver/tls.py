# SPDX-License-Identifier: Apache-2.0
"""Certificates for one machine: a CA of its own, the server's certificate, and wrong ones for tests."""

from __future__ import annotations

import datetime
import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from . import crypto

WRONG_KINDS = ("otherCa", "expired", "wrongName", "selfSigned")

_DAY = datetime.timedelta(days=1)
_LOCAL_NAMES: List[x509.GeneralName] = [
    x509.DNSName("localhost"),
    x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    x509.IPAddress(ipaddress.ip_address("::1")),
]


@dataclass(frozen=True)
class Identity:
    """A certificate with its private key, in memory."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    @property
    def spki_sha256(self) -> str:
        """Base64 SHA-256 of the public key, the form of a pin."""
        spki = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return crypto.b64(crypto.sha256(spki))


@dataclass(frozen=True)
class Files:
    """Paths of one identity on disk, as the TLS library wants them."""

    certificate: Path
    key: Path


def _issue(
    name: str,
    issuer: Optional[Identity],
    *,
    is_ca: bool = False,
    names: Optional[List[x509.GeneralName]] = None,
    expired: bool = False,
) -> Identity:
    key = crypto.generate_key()
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    start, end = (now - 30 * _DAY, now - _DAY) if expired else (now - _DAY, now + 365 * _DAY)
    signer = issuer.key if issuer else key
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.certificate.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .add_extension(_key_usage(is_ca), critical=True)
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    if not is_ca:
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        builder = builder.add_extension(usage, critical=False)
    return Identity(builder.sign(signer, hashes.SHA256()), key)


def _key_usage(is_ca: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_ca,
        key_cert_sign=is_ca,
        crl_sign=is_ca,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _write(directory: Path, name: str, identity: Identity) -> Files:
    files = Files(directory / f"{name}.pem", directory / f"{name}.key")
    files.certificate.write_bytes(identity.certificate_pem)
    descriptor = os.open(files.key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(identity.key_pem)
    return files


def _read(directory: Path, name: str) -> Optional[Identity]:
    files = Files(directory / f"{name}.pem", directory / f"{name}.key")
    if not (files.certificate.exists() and files.key.exists()):
        return None
    certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return Identity(certificate, key)


def _is_current(identity: Identity) -> bool:
    return identity.certificate.not_valid_after_utc > datetime.datetime.now(datetime.timezone.utc) + _DAY


class Certificates:
    """All identities of a server in a state directory; a CA and a server certificate found there are used again."""

    def __init__(self, directory: Path, host: str):
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        ca = _read(directory, "ca")
        if ca is None or not _is_current(ca):
            ca = _issue("mtoken development CA", None, is_ca=True)
            _write(directory, "ca", ca)
            server = None
        else:
            server = _read(directory, "server")
        self._ca = ca
        self._names = _LOCAL_NAMES + _extra_name(host)
        if server is None or not _is_current(server):
            server = _issue("localhost", ca, names=self._names)
        self.server = server
        self.server_files = _write(directory, "server", server)

    @property
    def ca_file(self) -> Path:
        return self._directory / "ca.pem"

    def wrong(self) -> Dict[str, Files]:
        """One identity of each kind that a careful client must refuse."""
        foreign = _issue("another CA", None, is_ca=True)
        identities = {
            "otherCa": _issue("localhost", foreign, names=self._names),
            "expired": _issue("localhost", self._ca, names=self._names, expired=True),
            "wrongName": _issue("example.com", self._ca, names=[x509.DNSName("example.com")]),
            "selfSigned": _issue("localhost", None, names=self._names),
        }
        return {kind: _write(self._directory, f"wrong-{kind}", identity) for kind, identity in identities.items()}


def _extra_name(host: str) -> List[x509.GeneralName]:
    """The host that the server listens on, if it is not a local name."""
    if host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::"):
        return []
    try:
        return [x509.IPAddress(ipaddress.ip_address(host))]
    except ValueError:
        return [x509.DNSName(host)]
