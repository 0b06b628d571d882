"""Debian's glewlwyd, an OpenID Connect provider from outside this project: an instance for the tests, set up by its admin API."""

from __future__ import annotations

import http.cookiejar
import json
import re
import shutil
import socket
import sqlite3
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any, Dict, Optional

from browser import free_port
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

_SETTINGS = Path("/etc/glewlwyd/glewlwyd.conf")
_SCHEMA = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
_SHARED = Path("/usr/share/glewlwyd")


def missing() -> Optional[str]:
    """Why glewlwyd cannot run; None: it can."""
    if shutil.which("glewlwyd") and _SETTINGS.exists() and _SCHEMA.exists():
        return None
    return "glewlwyd is not installed (make deps-full)"


class Glewlwyd:
    """A provider with one client, "mobile-token", and the user "alice"."""

    password = "the password of alice"

    def __init__(self, folder: Path, redirect_uri: str):
        port = free_port()
        self.root = f"http://127.0.0.1:{port}"
        self.issuer = f"{self.root}/api/oidc"
        with sqlite3.connect(folder / "database") as database:
            database.executescript(_SCHEMA.read_text(encoding="utf-8"))
        database.close()
        # The package's pages, with the configuration: the package's own link to it is broken.
        shutil.copytree(_SHARED / "webapp", folder / "webapp", ignore=shutil.ignore_patterns("config.json"))
        shutil.copy(_SHARED / "templates" / "config.json", folder / "webapp")
        settings = _SETTINGS.read_text(encoding="utf-8")
        changes = {
            r"^port=.*$": f"port={port}",
            r"^external_url=.*$": f'external_url="{self.root}"\nbind_address="127.0.0.1"',
            r"^log_mode=.*$": 'log_mode="console"',
            r"^static_files_path=.*$": "",
            r"^@include.*$": f'static_files_path="{folder}/webapp"\n'
            f'database = {{ type = "sqlite3"; path = "{folder}/database"; }};',
        }
        for pattern, replacement in changes.items():
            settings = re.sub(pattern, replacement, settings, flags=re.MULTILINE)
        (folder / "glewlwyd.conf").write_text(settings, encoding="utf-8")
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                ["glewlwyd", f"--config-file={folder / 'glewlwyd.conf'}"], stdout=log, stderr=subprocess.STDOUT
            )
        self._await_start(port)
        # Cookies of a plain-http host with a port.
        jar = http.cookiejar.CookieJar(policy=http.cookiejar.DefaultCookiePolicy(rfc2965=False))
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self._set_up(redirect_uri)

    def _await_start(self, port: int) -> None:
        """Until it takes connections: it says that it has started before it does."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.05)
        raise RuntimeError("glewlwyd did not start:\n" + self._log.read_text(encoding="utf-8", errors="replace"))

    def _post(self, path: str, body: Dict[str, Any]) -> None:
        request = urllib.request.Request(
            f"{self.root}/api{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with self._opener.open(request, timeout=30) as answer:
            assert answer.status == 200, path

    def _set_up(self, redirect_uri: str) -> None:
        self._post("/auth/", {"username": "admin", "password": "password"})  # as the package is delivered
        key = rsa.generate_private_key(65537, 2048)
        pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        parameters = {
            "iss": self.issuer,
            "jwt-type": "rsa",
            "jwt-key-size": "256",
            "key": pem.decode(),
            "cert": public.decode(),
            "access-token-duration": 3600,
            "refresh-token-duration": 3600,
            "code-duration": 600,
            "refresh-token-rolling": True,
            "allow-non-oidc": False,
            "auth-type-code-enabled": True,
            "auth-type-client-enabled": False,
            "auth-type-implicit-enabled": False,
            "auth-type-none-enabled": False,
            "auth-type-password-enabled": False,
            "auth-type-refresh-enabled": True,
            "jwks-show": True,
            "subject-type": "public",
            "pkce-allowed": True,
            "pkce-required": True,
            "pkce-method-plain-allowed": False,
            "oauth-as-iss-id": True,
        }
        plugin = {"module": "oidc", "name": "oidc", "display_name": "OIDC", "parameters": parameters, "enabled": True}
        self._post("/mod/plugin/", plugin)
        scope = {"name": "bank", "display_name": "Bank", "password_required": True, "password_max_age": 0, "scheme": {}}
        self._post("/scope/", scope)
        client = {
            "client_id": "mobile-token",
            "name": "Mobile token",
            "confidential": True,
            "enabled": True,
            "password": "secret",
            "client_secret": "secret",
            "redirect_uri": [redirect_uri],
            "token_endpoint_auth_method": ["client_secret_basic"],
            "authorization_type": ["code"],
        }
        self._post("/client/", client)
        user = {"username": "alice", "password": self.password, "scope": ["openid", "bank"], "enabled": True}
        self._post("/user/", user)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=300)
