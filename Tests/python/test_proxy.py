"""A proxy that asks for a password."""

from __future__ import annotations

import base64
import socket
from typing import Dict, List, Optional

import mtoken
import pytest
from conftest import ClientFactory
from devserver import DevServer
from gateway import RelayServer


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
