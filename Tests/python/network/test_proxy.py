"""Proxies: one that asks for a password, and one with TLS that asks for a certificate."""

from __future__ import annotations

import base64
import json
import os
import socket
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional

import mtoken
import pytest
from conftest import ClientFactory
from devserver import DevServer
from gateway import Authority, Gateway, RelayServer


class Proxy(RelayServer):
    """CONNECT for those who know the password; notes who came."""

    def __init__(self, users: Dict[str, str]):
        self.users = users
        self.came: List[Optional[str]] = []
        super().__init__()

    def _serve(self, plain: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = plain.recv(4096)
            if not piece:
                return
            head += piece
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        scheme, _, given = fields.get("proxy-authorization", "").partition(" ")
        user, _, password = base64.b64decode(given).decode().partition(":") if scheme == "Basic" else ("", "", "")
        if not user or self.users.get(user) != password:
            self.came.append(None)
            plain.sendall(b"HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n")
            plain.close()
            return
        self.came.append(user)
        host, _, port = lines[0].split()[1].rpartition(":")
        inner = self._open.enter_context(socket.create_connection((host, int(port))))
        plain.sendall(b"HTTP/1.1 200 Here\r\n\r\n")
        self._relay(plain, inner)


def test_a_proxy_with_a_password(server: DevServer, make_client: ClientFactory, user: str) -> None:
    """The credentials are part of the URL, percent-encoded. A refusal is told before anything is sent."""
    with Proxy({"alice": "p@ss:w/rd"}) as proxy:
        place = f"127.0.0.1:{proxy.port}"
        client = make_client(proxy=f"http://alice:p%40ss%3Aw%2Frd@{place}")
        activation = client.activate(server.new_activation(user)["activationCode"])
        client.persist("1234")
        assert client.state is mtoken.ClientState.ACTIVE and server.activation(activation.activation_id)
        assert set(proxy.came) == {"alice"}
        for number, wrong in enumerate(("", "alice:wrong@", "bob:x@")):
            with mtoken.Runtime() as other:
                refusing = make_client(f"other-{number}", proxy=f"http://{wrong}{place}", runtime=other)
                with pytest.raises(mtoken.NetworkError) as refused:
                    refusing.synchronize_time()
                refusing.close()
            assert refused.value.outcome is mtoken.Outcome.NOT_SENT


class SecureProxy(Proxy):
    """The same over TLS. It asks for a certificate, and notes whether it was shown one."""

    def __init__(self, authority: Authority):
        self.shown: List[bool] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.verify_mode = ssl.CERT_OPTIONAL
        self._context.load_verify_locations(authority.file)
        self._context.load_cert_chain(*authority.write("proxy"))
        super().__init__({"alice": "x"})

    def _serve(self, plain: socket.socket) -> None:
        try:
            outer = self._open.enter_context(self._context.wrap_socket(plain, server_side=True))
        except OSError:
            return
        self.shown.append(bool(outer.getpeercert()))
        super()._serve(outer)


ACTIVATES = """
import json, sys, mtoken
options = json.loads(sys.argv[1])
code = options.pop("code")
with mtoken.Runtime() as runtime:
    client = mtoken.Client(runtime, "behind", store=mtoken.Store.memory(), **options)
    client.activate(code)
    client.close()
"""


def test_a_proxy_never_gets_the_certificate_for_the_bank(server: DevServer, user: str, tmp_path: Path) -> None:
    """libcurl trusts the system's authorities for a proxy, so the test puts its own in their place, for one process."""
    authority = Authority(tmp_path)
    certificate, key = authority.write("jana")
    bundle = "/etc/ssl/certs/ca-certificates.crt"
    mounts = ["unshare", "--map-root-user", "--mount", "sh", "-c", f'mount --bind "$0" {bundle} && exec "$@"']
    command = [*mounts, str(authority.file)]
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("not run: this process may not mount in a namespace of its own")
    with Gateway(authority, server.http_url) as gateway, SecureProxy(authority) as proxy:
        options = {
            "code": server.new_activation(user)["activationCode"],
            "configuration": server.configuration,
            "base_url": gateway.url,
            "ca_file": str(gateway.ca),
            "client_certificate": str(certificate),
            "client_key": str(key),
            "proxy": f"https://alice:x@127.0.0.1:{proxy.port}",
        }
        script = [sys.executable, "-c", ACTIVATES, json.dumps(options)]
        paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([*command, *script], env={**os.environ, **paths}, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert proxy.shown and not any(proxy.shown)
        assert set(gateway.came) == {"jana"}
