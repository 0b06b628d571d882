"""An HTTP/1.1 server that answers, and misbehaves, as its paths say.

    http_server.py [--tls CERTIFICATE KEY] [--tls11] [--ipv6] [--banner]

Prints "ready PORT". Reads commands from standard input, one per line, and answers each with one line of JSON:
    counts            connections and requests so far
    await PATH N      returns when PATH was requested N times in all (whole requests, with their bodies)
    gone N            returns when N connections have been ended by the client
    release           lets all requests for /hold go, now and later
Ends when standard input ends.
"""

import argparse
import json
import socket
import ssl
import sys
import threading
from typing import Any, Dict

state = threading.Condition()
connections = 0
gone = 0
requests: Dict[str, int] = {}
released = threading.Event()


class Closed(Exception):
    """The client has gone."""


class Stream:
    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.buffer = b""

    def more(self) -> None:
        try:
            data = self.connection.recv(65536)
        except (ConnectionError, ssl.SSLError, OSError):
            data = b""
        if not data:
            raise Closed
        self.buffer += data

    def until(self, mark: Any) -> Any:
        while mark not in self.buffer:
            self.more()
        head, _, self.buffer = self.buffer.partition(mark)
        return head

    def exactly(self, count: Any) -> Any:
        while len(self.buffer) < count:
            self.more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def send(self, data: Any) -> None:
        try:
            self.connection.sendall(data)
        except (ConnectionError, ssl.SSLError, OSError):
            raise Closed from None


def answer(body: Any, status: Any = "200 OK", kind: Any = "application/json", extra: Any = "") -> Any:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return head.encode() + body


def handle(stream: Any, method: Any, path: Any, headers: Any, body: Any) -> bool:
    """Answers one request; False ends the connection."""
    if path == "/echo":
        described = {"method": method, "headers": headers, "length": len(body), "sum": sum(body) % 1000003}
        stream.send(answer(json.dumps(described).encode()))
    elif path == "/echo-then-close":
        stream.send(answer(b"{}"))
        return False
    elif path.startswith("/status/"):
        stream.send(answer(b"<html>no json</html>", path[8:] + " Whatever", "text/html"))
    elif path == "/redirect":
        stream.send(answer(b"moved", "302 Found", extra="Location: /echo\r\n"))
    elif path == "/cookie":
        stream.send(answer(b"{}", extra="Set-Cookie: a=b; Path=/\r\n"))
    elif path == "/hang":
        stream.more()
    elif path == "/hold":
        released.wait()
        stream.send(answer(b"{}"))
    elif path == "/drop":
        return False
    elif path == "/truncated":
        stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this")
        return False
    elif path == "/half-header":
        stream.send(b"HTTP/1.1 200 OK\r\nContent-Le")
        return False
    elif path == "/until-close":
        stream.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end")
        if isinstance(stream.connection, ssl.SSLSocket):
            try:
                stream.connection.unwrap()
            except (OSError, ssl.SSLError):
                pass
        return False
    elif path == "/half-status":
        stream.send(b"HTTP/1.1 2")
        return False
    elif path == "/chunked":
        stream.send(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n"
            b"4\r\nWiki\r\n6;note=x\r\npedia!\r\n0\r\nX-Late: yes\r\n\r\n"
        )
    elif path == "/bad-chunk":
        stream.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\nzz\r\n")
    elif path == "/interim":
        stream.send(b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" + answer(b"late"))
    elif path == "/huge":
        stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        while True:
            stream.send(bytes(65536))
    elif path == "/huge-chunked":
        stream.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            stream.send(b"10000\r\n" + bytes(65536) + b"\r\n")
    elif path.startswith("/body/"):
        stream.send(answer(bytes(int(path[6:]))))
    elif path == "/many-headers":
        stream.send(answer(b"{}", extra="".join(f"X-{i}: a\r\n" for i in range(1000))))
    elif path == "/long-headers":
        stream.send(answer(b"{}", extra="".join(f"X-{i}: {'a' * 8000}\r\n" for i in range(20))))
    elif path == "/endless-header":
        stream.send(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while True:
            stream.send(b"a" * 65536)
    elif path == "/odd-headers":
        stream.send(
            answer(b"{}", extra="X-Bytes: \xff\xfe\r\nx-empty:\r\nX-Twice: 1\r\nX-Twice: 2\r\n").replace(
                "ÿþ".encode(), b"\xff\xfe"
            )
        )
    elif path == "/garbage":
        stream.send(b"SSH-2.0-OpenSSH_9.2\r\n")
        return False
    elif path == "/bad-status":
        stream.send(b"HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\n{}")
        return False
    elif path == "/switching":
        stream.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n")
        return False
    elif path == "/too-early":
        stream.send(answer(b"{}", "413 Content Too Large", extra="Connection: close\r\n"))
        return False
    else:
        stream.send(answer(b"{}", "404 Not Found"))
    return True


def serve(connection: Any, context: Any) -> None:
    global connections, gone
    with state:
        connections += 1
        state.notify_all()
    try:
        if context:
            connection = context.wrap_socket(connection, server_side=True, suppress_ragged_eofs=True)
        stream = Stream(connection)
        while True:
            head = stream.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ", 2)
            path = path.partition("?")[0]
            headers = [line.partition(":")[::2] for line in head[1:]]
            headers = [[name, value.strip()] for name, value in headers]
            length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
            body = stream.exactly(length)
            with state:
                requests[path] = requests.get(path, 0) + 1
                state.notify_all()
            if not handle(stream, method, path, headers, body):
                break
    except (Closed, ssl.SSLError, OSError):
        with state:
            gone += 1
            state.notify_all()
    finally:
        connection.close()


def commands() -> None:
    for line in sys.stdin:
        words = line.split()
        number = int(words[-1]) if words[-1].isdigit() else 0
        with state:
            if words[0] == "await":
                while requests.get(words[1], 0) < number:
                    state.wait()
            elif words[0] == "gone":
                while gone < number:
                    state.wait()
            elif words[0] == "release":
                released.set()
            print(json.dumps({"connections": connections, "requests": requests}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--tls11", action="store_true")
    parser.add_argument("--banner", action="store_true")
    parser.add_argument("--ipv6", action="store_true")
    options = parser.parse_args()
    context = None
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        if options.tls11:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1_1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
    family, host = (socket.AF_INET6, "::1") if options.ipv6 else (socket.AF_INET, "127.0.0.1")
    listener = socket.create_server((host, 0), family=family, backlog=512)

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            if options.banner:
                connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=serve, args=(connection, context), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("ready", listener.getsockname()[1], flush=True)
    commands()


main()
