"""An OpenID Connect provider for tests: discovery, token endpoint and keys, on a port of its own."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional, Tuple
from urllib.parse import parse_qs, unquote_plus

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature


def url_enc(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _number(value: int) -> str:
    return url_enc(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Provider:
    """Answers each token request with the ID token of `claims`, changed by `overrides`."""

    def __init__(self) -> None:
        self.rsa_key = rsa.generate_private_key(65537, 2048)
        self.ec_key = ec.generate_private_key(ec.SECP256R1())
        self.algorithm = "RS256"
        self.overrides: Dict[str, Any] = {}
        self.header: Dict[str, Any] = {}
        """What the header of the ID token has besides."""
        self.challenge: Optional[str] = None
        self.token_status = 200
        self.spoil_signature = False
        self.requests: List[Tuple[Dict[str, str], Optional[str]]] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(provider.documents()[self.path])

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body, strict_parsing=True).items()}
                provider.requests.append((form, self.headers.get("Authorization")))
                self._answer(provider.token(form), provider.token_status)

            def _answer(self, value: Any, status: int = 200) -> None:
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def documents(self) -> Dict[str, Any]:
        rsa_numbers = self.rsa_key.public_key().public_numbers()
        ec_numbers = self.ec_key.public_key().public_numbers()
        keys = [
            {"kid": "RS256", "kty": "RSA", "n": _number(rsa_numbers.n), "e": _number(rsa_numbers.e)},
            {
                "kid": "ES256",
                "kty": "EC",
                "crv": "P-256",
                "x": url_enc(ec_numbers.x.to_bytes(32, "big")),
                "y": url_enc(ec_numbers.y.to_bytes(32, "big")),
            },
        ]
        return {
            "/.well-known/openid-configuration": {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
            },
            "/keys": {"keys": keys},
        }

    def token(self, form: Dict[str, str]) -> Dict[str, Any]:
        if self.challenge is not None:
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            if url_enc(digest) != self.challenge:
                self.token_status = 400
                return {"error": "invalid_grant"}
        access_token = "an-access-token"
        claims = {
            "iss": self.issuer,
            "aud": "client 1",
            "sub": f"sub-{form['code']}",
            "exp": int(time.time()) + 300,
            "nonce": "nonce-of-the-device",
            "at_hash": url_enc(hashlib.sha256(access_token.encode()).digest()[:16]),
            **self.overrides,
        }
        return {"access_token": access_token, "id_token": self._sign(claims)}

    def _sign(self, claims: Dict[str, Any]) -> str:
        header = {"alg": self.algorithm, "kid": self.algorithm, **self.header}
        text = ".".join(url_enc(json.dumps(part).encode()) for part in (header, claims))
        data = text.encode() + (b"!" if self.spoil_signature else b"")
        if self.algorithm == "RS256":
            signature = self.rsa_key.sign(data, padding.PKCS1v15(), hashes.SHA256())
        else:
            r, s = decode_dss_signature(self.ec_key.sign(data, ec.ECDSA(hashes.SHA256())))
            signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return f"{text}.{url_enc(signature)}"


def basic_credentials(header: Optional[str]) -> List[str]:
    assert header is not None and header.startswith("Basic ")
    return [unquote_plus(part) for part in base64.b64decode(header[6:]).decode().split(":")]
