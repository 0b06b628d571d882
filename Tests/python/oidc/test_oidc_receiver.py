"""The loopback receiver: one answer, nothing else, and an end of its own."""

from __future__ import annotations

import contextlib
import socket
from typing import Iterator, List, Tuple
from urllib.parse import urlsplit

import mtoken
import pytest
from mtoken import oidc

CONFIG = oidc.Config("bank", "client", "openid", "https://idp.example.com/authorize", "http://127.0.0.1/back?app=1")


@pytest.fixture
def login(runtime: mtoken.Runtime) -> Iterator[oidc.Login]:
    with oidc.listen(runtime, CONFIG) as login:
        yield login


def place(login: oidc.Login) -> Tuple[str, int]:
    parts = urlsplit(login.request.redirect_uri)
    assert parts.hostname is not None and parts.port is not None
    return parts.hostname, parts.port


def send(login: oidc.Login, content: bytes) -> bytes:
    """Sends bytes and reads until the connection closes."""
    with socket.create_connection(place(login), timeout=30) as connection:
        connection.sendall(content)
        answer: List[bytes] = []
        while True:
            part = connection.recv(4096)
            if not part:
                return b"".join(answer)
            answer.append(part)


def get(login: oidc.Login, target: str, *fields: str, host: str = "", method: str = "GET") -> Tuple[int, str]:
    """An HTTP request as a browser sends it: status and page."""
    address, port = place(login)
    authority = host or (f"[{address}]:{port}" if ":" in address else f"{address}:{port}")
    head = [f"{method} {target} HTTP/1.1", f"Host: {authority}", *fields, "", ""]
    answer = send(login, "\r\n".join(head).encode())
    lines, _, page = answer.decode().partition("\r\n\r\n")
    assert "connection: close" in lines.lower() and f"Content-Length: {len(page)}" in lines
    return int(lines.split()[1]), page


def good(login: oidc.Login) -> str:
    return f"/back?app=1&code=the-code&state={login.request.state}"


def refused(login: oidc.Login) -> bool:
    try:
        socket.create_connection(place(login), timeout=30).close()
    except ConnectionRefusedError:
        return True
    return False


def test_the_answer_arrives(login: oidc.Login) -> None:
    host, port = place(login)
    assert (host, port > 1023) == ("127.0.0.1", True)
    assert login.request.redirect_uri == f"http://127.0.0.1:{port}/back?app=1"
    assert f"redirect_uri=http%3A%2F%2F127.0.0.1%3A{port}%2Fback%3Fapp%3D1&" in login.request.authorize_url
    status, page = get(login, good(login), "User-Agent: Browser", "Cookie: a=b")
    assert status == 200 and "logged in" in page
    attributes = login.attributes(30)
    assert (attributes.provider_id, attributes.code) == ("bank", "the-code")
    assert (attributes.nonce, attributes.code_verifier) == (login.request.nonce, login.request.code_verifier)
    assert refused(login), "it closes by itself"


def test_only_the_loopback_address_listens(login: oidc.Login) -> None:
    _, port = place(login)
    with open("/proc/net/tcp", encoding="ascii") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    assert [entry for entry in listening if entry.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]
    with open("/proc/net/tcp6", encoding="ascii") as table:
        assert not [line for line in table if line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"]


def test_the_address_of_ipv6(runtime: mtoken.Runtime) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as problem:
        pytest.skip(f"no IPv6 loopback here: {problem}")
    with oidc.listen(runtime, CONFIG, redirect_uri="http://[::1]/back?app=1") as login:
        assert place(login)[0] == "::1"
        assert get(login, good(login))[0] == 200
        assert login.attributes(30).code == "the-code"


def test_a_port_of_ones_own(runtime: mtoken.Runtime) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(mtoken.BusyError) as caught:
            oidc.listen(runtime, CONFIG, redirect_uri=f"http://127.0.0.1:{port}/back?app=1")
        assert caught.value.reason == "portUnavailable"
    with oidc.listen(runtime, CONFIG, redirect_uri=f"http://127.0.0.1:{port}/back?app=1") as login:
        assert place(login) == ("127.0.0.1", port)
        assert get(login, good(login))[0] == 200


def test_what_is_no_answer_is_refused_and_ends_nothing(login: oidc.Login) -> None:
    state = login.request.state
    for target in ("/", "/favicon.ico", "/backwards?app=1", f"/back?code=x&state={state}"):
        assert get(login, target)[0] == 404, target
    for target in (
        "/back?app=1",
        "/back?app=1&code=x",
        "/back?app=1&code=x&state=forged",
        "/back?app=1&error=access_denied&state=forged",
        f"/back?app=1&code=x&code=y&state={state}",
        f"/back?app=1&code=%0d%0aSet-Cookie:x&state={state}",
        # A browser keeps fragments to itself, so what has one is no browser; right state or not, it ends nothing.
        "/back?app=1#code=x",
        "/back#",
        f"/back?app=1#code=x&state={state}",
        f"/back?app=1&error=access_denied&state={state}#",
        f"/back?app=1&code=x&state={state}#x",
        "/back?app=1&state=forged",
        "/back?app=1&state=forged#",
    ):
        status, page = get(login, target)
        assert status == 400 and "forged" not in page, target
        assert login.task.state is mtoken.TaskState.RUNNING, target
    assert get(login, good(login), method="POST")[0] == 400
    assert get(login, good(login), method="HEAD")[0] == 400
    assert get(login, good(login), host="evil.example")[0] == 421
    assert get(login, good(login), host=f"localhost:{place(login)[1]}")[0] == 421
    assert get(login, good(login), f"Host: 127.0.0.1:{place(login)[1]}")[0] == 400
    for content in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/2\r\n\r\n", b"\x16\x03\x01\r\n\r\n"):
        assert send(login, content).startswith(b"HTTP/1.1 400 "), content
    assert send(login, b"GET /" + b"a" * (16_384 - 5)).startswith(b"HTTP/1.1 400 ")
    assert not login.task.done()
    assert get(login, good(login))[0] == 200
    assert login.attributes(30).code == "the-code"


def test_an_answer_in_pieces(login: oidc.Login) -> None:
    address, port = place(login)
    with socket.create_connection((address, port), timeout=30) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in f"GET {good(login)} HTTP/1.1\r\nHost: {address}:{port}\r\n\r\n".encode():
            connection.sendall(bytes([byte]))
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
    assert login.attributes(30).code == "the-code"


def test_errors_of_the_provider_end_it(login: oidc.Login) -> None:
    status, page = get(
        login, f"/back?app=1&error=access_denied&error_description=%3Cscript%3E&state={login.request.state}"
    )
    assert status == 200 and "login failed" in page and "script" not in page
    with pytest.raises(mtoken.ServerError) as caught:
        login.attributes(30)
    assert (caught.value.reason, caught.value.server_code) == ("authorizationError", "access_denied")
    assert caught.value.server_message == "<script>"
    assert refused(login)


def test_it_waits_only_so_long(runtime: mtoken.Runtime) -> None:
    with oidc.listen(runtime, CONFIG, lifetime=0.05) as login:
        with pytest.raises(TimeoutError) as caught:
            login.attributes(30)
        assert isinstance(caught.value, mtoken.MTokenError) and caught.value.reason == "requestExpired"
        assert refused(login)


def test_cancelling(runtime: mtoken.Runtime) -> None:
    login = oidc.listen(runtime, CONFIG)
    with socket.create_connection(place(login), timeout=30) as silent:
        login.task.cancel()
        with pytest.raises(mtoken.CancelledError):
            login.attributes(30)
        assert refused(login)
        with contextlib.suppress(ConnectionResetError):  # or it was not accepted yet
            assert silent.recv(1) == b"", "the connection is closed too"
    login.close()


def test_the_end_of_the_runtime() -> None:
    runtime = mtoken.Runtime(events=mtoken.Events.TASKS)
    login = oidc.listen(runtime, CONFIG)
    runtime.close()
    with pytest.raises(mtoken.CancelledError):
        login.attributes(30)
    assert refused(login)
    with pytest.raises(mtoken.MTokenError):
        oidc.listen(runtime, CONFIG)


@pytest.mark.parametrize(
    "uri",
    [
        "mtoken://oidc",
        "https://127.0.0.1/back",
        "http://localhost/back",
        "http://10.0.0.1/back",
        "http://127.0.0.1.evil/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:65536/",
        "http://127.0.0.1@evil/",
    ],
)
def test_other_redirect_uris(runtime: mtoken.Runtime, uri: str) -> None:
    with pytest.raises(mtoken.ArgumentError):
        oidc.listen(runtime, CONFIG, redirect_uri=uri)


def test_a_freed_request_still_gets_its_answer(runtime: mtoken.Runtime) -> None:
    login = oidc.listen(runtime, CONFIG)
    address, target = place(login), good(login)
    login.request.close()
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n\r\n".encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
    assert login.attributes(30).code == "the-code"


def test_idle_connections_make_room(login: oidc.Login) -> None:
    """Browsers open connections in advance, and anybody on the machine may open many: the answer arrives all the same."""
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(place(login), timeout=30)) for _ in range(15)]
        slow = stack.enter_context(socket.create_connection(place(login), timeout=30))
        slow.sendall(b"GET /")
        assert get(login, "/favicon.ico")[0] == 404, "the seventeenth"
        assert idle[0].recv(1) == b"", "the oldest idle one made room"
        for connection in idle[1:]:
            connection.setblocking(False)
            with pytest.raises(BlockingIOError):
                connection.recv(1)
        # All sixteen have begun a request that they do not end.
        more = [stack.enter_context(socket.create_connection(place(login), timeout=30)) for _ in range(40)]
        for connection in more:
            with contextlib.suppress(OSError):
                connection.sendall(b"GET /")
        assert get(login, good(login))[0] == 200
        assert login.attributes(30).code == "the-code"
