# SPDX-License-Identifier: Apache-2.0
"""Several listening ports over one application, on one event loop."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Iterator, List, Optional, Type

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from .asgi import Asgi
from .faults import Connections
from .tls import Files

_KEEP_ALIVE_SECONDS = 75


def _patient_protocol(connections: Connections) -> Type[asyncio.Protocol]:
    """The HTTP protocol that uvicorn would choose, noting the transports for the connection faults.

    The server first answers the requests that preceded the nonsense or the end.
    """
    base: Any = AutoHTTPProtocol

    class PatientProtocol(base):  # type: ignore[misc]
        nonsense: Optional[str] = None
        ended = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            connections.opened(transport)
            super().connection_made(transport)

        def connection_lost(self, error: Optional[Exception]) -> None:
            connections.closed(self.transport)
            super().connection_lost(error)

        @property
        def owes_an_answer(self) -> bool:
            cycle = self.cycle
            return cycle is not None and not cycle.response_complete and not cycle.more_body

        def eof_received(self) -> bool:
            """True leaves the other direction open, which TLS does not have."""
            self.ended = True
            return self.owes_an_answer and self.transport.get_extra_info("sslcontext") is None

        def send_400_response(self, message: str) -> None:
            if self.owes_an_answer:
                self.nonsense = message
                self.flow.pause_reading()
            else:
                super().send_400_response(message)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.owes_an_answer or self.transport.is_closing():
                return
            if self.nonsense is not None:
                super().send_400_response(self.nonsense)
            elif self.ended:
                self.transport.close()

    return PatientProtocol


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Connection faults leave requests without an answer on purpose."""
    return not record.getMessage().startswith("ASGI callable returned without")


class _QuietServer(uvicorn.Server):
    """A uvicorn server that leaves signals to the main program and tells when it listens."""

    def __init__(self, config: uvicorn.Config):
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: Optional[List[socket.socket]] = None) -> None:
        await super().startup(sockets)
        self.listening.set()


def is_loopback(host: str) -> bool:
    """Whether an address or name is of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass
class Port:
    """One listening address and how it speaks."""

    socket: socket.socket
    files: Optional[Files]

    @classmethod
    def bind(cls, host: str, port: int, files: Optional[Files]) -> Port:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # asyncio turns Nagle's algorithm off only where the protocol is named.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # The name means this machine, also where no file of hosts says so.
        listener.bind(("127.0.0.1" if host == "localhost" else host, port))
        return cls(listener, files)

    def url(self, host: str) -> str:
        """Base URL; a wildcard address is shown as localhost."""
        shown = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
        return f"{'https' if self.files else 'http'}://{shown}:{self.socket.getsockname()[1]}"


class Listeners:
    """The running ports of a process."""

    def __init__(self, app: Asgi, connections: Connections, ports: List[Port]):
        protocol = _patient_protocol(connections)
        self._ports = ports
        self._servers = [
            _QuietServer(
                uvicorn.Config(
                    app,
                    http=protocol,  # type: ignore[arg-type]
                    ws="none",
                    lifespan="off",
                    access_log=False,
                    proxy_headers=False,
                    log_level="error",
                    server_header=False,
                    date_header=False,
                    timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                    timeout_graceful_shutdown=1,
                    backlog=4096,
                    ssl_certfile=str(port.files.certificate) if port.files else None,
                    ssl_keyfile=str(port.files.key) if port.files else None,
                )
            )
            for port in ports
        ]
        logging.getLogger("uvicorn.error").addFilter(_is_worth_logging)
        self._tasks: List[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Returns when every port accepts connections."""
        self._tasks = [
            asyncio.ensure_future(server.serve([port.socket])) for server, port in zip(self._servers, self._ports)
        ]
        listening = asyncio.gather(*(server.listening.wait() for server in self._servers))
        first: List[asyncio.Future[Any]] = [listening, *self._tasks]
        done, _ = await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def stop(self) -> None:
        for server in self._servers:
            server.should_exit = True
        await asyncio.gather(*self._tasks)
