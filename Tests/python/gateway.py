"""A gateway between a client and the dev server, which asks for certificates, and their authority."""

from __future__ import annotations

import contextlib
import ipaddress
import select
import socket
import ssl
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, List, Optional, Tuple, TypeVar
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID

_Server = TypeVar("_Server", bound="RelayServer")


class Authority:
    """Issues certificates into a folder."""

    def __init__(self, folder: Path, name: str = "authority", parent: Optional[Authority] = None):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = (parent or self).sign(self.key.public_key(), name, ca=True, issuer=parent is None and name)
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(pem(self.certificate))

    def sign(
        self,
        key: ec.EllipticCurvePublicKey,
        name: str,
        *,
        ca: bool = False,
        issuer: object = None,
        age: timedelta = timedelta(minutes=5),
        life: timedelta = timedelta(hours=2),
    ) -> x509.Certificate:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        begin = datetime.now(timezone.utc) - age
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = x509.CertificateBuilder(
            issuer_name=subject if issuer else self.certificate.subject,
            subject_name=subject,
            public_key=key,
            serial_number=x509.random_serial_number(),
            not_valid_before=begin,
            not_valid_after=begin + life,
        ).add_extension(x509.BasicConstraints(ca, None), critical=True)
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(self.key, hashes.SHA256())

    def issue(self, name: str, **options: timedelta) -> Tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
        key = ec.generate_private_key(ec.SECP256R1())
        return self.sign(key.public_key(), name, **options), key

    def write(self, name: str, password: Optional[bytes] = None, **options: timedelta) -> Tuple[Path, Path]:
        """A certificate and its key as two PEM files."""
        certificate, key = self.issue(name, **options)
        files = (self.folder / f"{name}.crt", self.folder / f"{name}.key")
        files[0].write_bytes(pem(certificate))
        files[1].write_bytes(pem_key(key, password))
        return files

    def write_pkcs12(self, name: str, password: Optional[bytes] = None) -> Path:
        certificate, key = self.issue(name)
        file = self.folder / f"{name}.p12"
        hidden = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
        file.write_bytes(pkcs12.serialize_key_and_certificates(name.encode(), key, certificate, None, hidden))
        return file


def pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def pem_key(key: ec.EllipticCurvePrivateKey, password: Optional[bytes] = None) -> bytes:
    hidden = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, hidden)


class RelayServer:
    """Accepts connections on a port of its own, and serves each in a thread."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._open = contextlib.ExitStack()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self: _Server) -> _Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._open.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection = self._open.enter_context(self._socket.accept()[0])
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        raise NotImplementedError

    def _relay(self, outer: socket.socket, inner: socket.socket) -> None:
        """Hands on what comes until one of them ends. One thread: an SSL object is used by one at a time."""
        with contextlib.suppress(OSError, ValueError):  # also when they are closed from outside
            ended = False
            while not ended:
                is_pending = isinstance(outer, ssl.SSLSocket) and outer.pending()
                for source in [outer] if is_pending else select.select([outer, inner], [], [])[0]:
                    piece = source.recv(65536)
                    (inner if source is outer else outer).sendall(piece)
                    ended = ended or not piece
        for end in (outer, inner):
            end.close()


class Gateway(RelayServer):
    """Accepts clients with a certificate of the authority, and records the client of each connection."""

    def __init__(self, authority: Authority, upstream: str, *, latest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3):
        self.came: List[str] = []
        self.refused = 0
        split = urlsplit(upstream)
        self._upstream = (split.hostname or "127.0.0.1", split.port or 80)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.maximum_version = latest
        self._context.verify_mode = ssl.CERT_REQUIRED
        self._context.load_verify_locations(authority.file)
        # A certificate of another authority: OpenSSL would add that of the clients to the chain.
        own = Authority(authority.folder, "gateway-authority")
        self._context.load_cert_chain(*own.write("gateway"))
        self.ca = own.file
        super().__init__()
        self.url = f"https://127.0.0.1:{self.port}"

    def _serve(self, plain: socket.socket) -> None:
        raw = self._open.enter_context(plain.dup())
        try:
            outer = self._open.enter_context(self._context.wrap_socket(plain, server_side=True))
        except (ssl.SSLError, OSError):
            self.refused += 1
            # Reads the rest of the client's bytes: otherwise the client's system would drop the alert.
            with contextlib.suppress(OSError):
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(65536):
                    pass
            raw.close()
            return
        raw.close()
        subject: Any = (outer.getpeercert() or {}).get("subject", ())
        self.came.append(next(value for part in subject for name, value in part if name == "commonName"))
        inner = self._open.enter_context(socket.create_connection(self._upstream))
        self._relay(outer, inner)
