"""Requests as they should not be sent: each has an answer, or none where nobody is left, and the server goes on."""

from __future__ import annotations

import re
import socket
from typing import Any, Iterator, List
from urllib.parse import urlsplit

import pytest

HOST = b"Host: localhost\r\n"
BODY = b'{"requestObject":{}}'


def post(*headers: bytes, version: bytes = b"1.1", host: bytes = HOST, body: bytes = BODY) -> bytes:
    head = b"POST /pa/v3/status HTTP/%b\r\n%bContent-Type: application/json\r\n" % (version, host)
    return head + b"".join(headers) + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


GOOD = post()
SENT = {
    "good": (GOOD, [200]),
    "two good ones": (GOOD + GOOD, [200, 200]),
    "a good and a broken one": (GOOD + b"NONSENSE\r\n\r\n", [200, 400]),
    "broken": (b"NONSENSE\r\n\r\n", [400]),
    "websocket": (post(b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"), [200]),
    "h2c": (post(b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n"), [200]),
    "HTTP/1.0": (post(version=b"1.0"), [200]),
    "HTTP/1.0 without a host": (post(version=b"1.0", host=b""), [200]),
    "no host": (post(host=b""), [400]),
    "two hosts": (post(host=HOST + HOST), [400]),
    "8 kB of headers": (post(b"X-Long: %b\r\n" % (b"x" * 8192)), [400]),
    "headers just below": (post(b"X-Long: %b\r\n" % (b"x" * 7900)), [200]),
    "length that is no number": (GOOD.replace(b"Length: 20", b"Length: x"), [400]),
    "two lengths": (post(b"Content-Length: 3\r\n"), [400]),
}


@pytest.fixture
def server(running: Any) -> Iterator[Any]:
    """Fails where the server has complained on its standard error."""
    place = running.log.seek(0, 2)
    yield urlsplit(running.facts["httpUrl"])
    running.log.seek(place)
    assert running.log.read() == ""


def exchange(server: Any, sent: bytes) -> bytes:
    with socket.create_connection((server.hostname, server.port), timeout=20) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while part := connection.recv(65536):
            received += part
        return received


def statuses(received: bytes) -> List[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", received)]


@pytest.mark.parametrize("name", SENT)
def test_requests_on_a_connection(server: Any, name: Any) -> None:
    sent, expected = SENT[name]
    received = exchange(server, sent)
    assert statuses(received) == expected, received
    chunked = b"transfer-encoding: chunked" in received.lower()
    assert chunked == (200 in expected and not name.startswith("HTTP/1.0"))


@pytest.mark.parametrize("kept", [0, 1, 60, len(GOOD) - 1])
def test_a_client_that_leaves_early(server: Any, http: Any, kept: Any) -> None:
    """In the middle of the head or of the body; and without waiting for the answer."""
    for sent in (GOOD[:kept], GOOD):
        with socket.create_connection((server.hostname, server.port), timeout=20) as connection:
            connection.sendall(sent)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert http.post("/pa/v3/status", json={}).status_code == 200


def test_a_client_that_says_no_more_is_answered_late(server: Any, admin: Any) -> None:
    """It has closed its direction only."""
    admin.fault("/pa/v3/status", "latency", ms=200)
    assert statuses(exchange(server, GOOD)) == [200]
