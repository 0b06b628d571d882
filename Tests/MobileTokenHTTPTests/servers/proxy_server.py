"""A proxy that tunnels: HTTP CONNECT, and SOCKS 5 with names (RFC 1928). Every name leads to 127.0.0.1.

    proxy_server.py [--refuse]

Prints "ready PORT", and a line for each tunnel: "tunnel HOST:PORT AUTHORIZATION". Ends when standard input ends.
"""

import socket
import sys
import threading
from typing import Any


def pump(source: Any, target: Any) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client: Any) -> None:
    try:
        first = client.recv(1)
        authorization = "-"
        if first == b"\x05":
            client.recv(client.recv(1)[0])
            client.sendall(b"\x05\x00")
            head = client.recv(4, socket.MSG_WAITALL)
            assert head[3] == 3, "a name is expected"
            host = client.recv(client.recv(1)[0], socket.MSG_WAITALL).decode()
            port = int.from_bytes(client.recv(2, socket.MSG_WAITALL), "big")
            accepted, refused = b"\x05\x00\x00\x01" + bytes(6), b"\x05\x02\x00\x01" + bytes(6)
        else:
            data = first
            while b"\r\n\r\n" not in data:
                part = client.recv(4096)
                if not part:
                    return
                data += part
            lines = data.decode().split("\r\n")
            method, target, _ = lines[0].split(" ")
            assert method == "CONNECT", method
            host, _, port = target.rpartition(":")
            for line in lines[1:]:
                if line.lower().startswith("proxy-authorization:"):
                    authorization = line.partition(":")[2].strip().replace(" ", "_")
            accepted = b"HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n"
            refused = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
        print("tunnel", f"{host}:{port}", authorization, flush=True)
        if "--refuse" in sys.argv:
            client.sendall(refused)
            return
        server = socket.create_connection(("127.0.0.1", int(port)))
        client.sendall(accepted)
        threading.Thread(target=pump, args=(server, client), daemon=True).start()
        pump(client, server)
    except OSError:
        pass
    finally:
        client.close()


listener = socket.create_server(("127.0.0.1", 0), backlog=64)
print("ready", listener.getsockname()[1], flush=True)


def accept() -> None:
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
