"""An HTTP/2 server over TLS that answers, and misbehaves, as its paths say. Needs the package h2 from PyPI.

    http2_server.py CERTIFICATE KEY

Prints "ready PORT", or "missing REASON". The line "counts" on standard input is answered with one line of JSON:
connections, and whole requests by path. "await PATH N" is answered when PATH was requested N times. Ends with its input.
"""

import json
import socket
import ssl
import sys
import threading
from typing import Any, Dict

try:
    import h2.config
    import h2.connection
    import h2.errors
    import h2.events
except ImportError as error:
    print("missing", error, flush=True)
    sys.exit(0)

state = threading.Condition()
connections = 0
requests: Dict[str, int] = {}


def serve(connection: Any, context: Any) -> Any:
    global connections
    with state:
        connections += 1
    try:
        connection = context.wrap_socket(connection, server_side=True)
        if connection.selected_alpn_protocol() != "h2":
            return http1(connection)
        protocol = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        protocol.initiate_connection()
        connection.sendall(protocol.data_to_send())
        paths, sizes = {}, {}
        while data := connection.recv(65536):
            for event in protocol.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    paths[event.stream_id] = dict(event.headers)[b":path"].decode()
                    sizes[event.stream_id] = 0
                elif isinstance(event, h2.events.DataReceived):
                    sizes[event.stream_id] += len(event.data)
                    protocol.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    path = paths[event.stream_id]
                    with state:
                        requests[path] = requests.get(path, 0) + 1
                        count = requests[path]
                        state.notify_all()
                    if not handle(protocol, event.stream_id, path, sizes[event.stream_id], count):
                        connection.sendall(protocol.data_to_send())
                        return
            connection.sendall(protocol.data_to_send())
    except (OSError, ssl.SSLError, h2.exceptions.ProtocolError):
        pass
    finally:
        connection.close()


def handle(protocol: Any, stream: Any, path: Any, size: Any, count: Any) -> bool:
    """Answers one request; False ends the connection."""
    if path == "/refuse-first" and count == 1:
        protocol.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
    elif path == "/require-http1":
        protocol.reset_stream(stream, h2.errors.ErrorCodes.HTTP_1_1_REQUIRED)
    elif path == "/fail":
        protocol.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
    elif path == "/goaway-first" and count == 1:
        protocol.close_connection(last_stream_id=0)
        return False
    elif path == "/drop":
        return False
    elif path == "/hold":
        pass
    else:
        protocol.send_headers(stream, [(":status", "200"), ("content-type", "application/json")])
        protocol.send_data(stream, json.dumps({"length": size}).encode(), end_stream=True)
    return True


def http1(connection: Any) -> None:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
    )
    while len(body) < length:
        body += connection.recv(65536)
    path = head.split(b" ")[1].decode()
    with state:
        requests[path] = requests.get(path, 0) + 1
        state.notify_all()
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")


def main() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2", "http/1.1"])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=serve, args=(connection, context), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print("ready", listener.getsockname()[1], flush=True)
    for line in sys.stdin:
        words = line.split()
        number = int(words[-1]) if words[-1].isdigit() else 0
        with state:
            if words[0] == "await":
                while requests.get(words[1], 0) < number:
                    state.wait()
            print(json.dumps({"connections": connections, "requests": requests}), flush=True)


main()
