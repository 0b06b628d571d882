#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The library's requests, sent with httpx: through whatever proxy, network or TLS the program has for itself.

    host_transport.py URL CA-FILE SDK-CONFIGURATION STORE PIN           with a thread that reads events
    host_transport.py --asyncio URL CA-FILE SDK-CONFIGURATION STORE PIN

It approves the first operation. The device was activated before, with the name "demo" in its store
(examples/c/approve.c does that).
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Dict, List, Tuple, Union

import httpx
import mtoken
from mtoken import NetworkFault, Outcome, TLSFault, aio

Faults = Tuple[Outcome, NetworkFault, TLSFault]


def prepared(request: mtoken.HTTPRequest) -> httpx.Request:
    """As the library made it: an httpx.Request of its own gets neither the client's headers nor its cookies."""
    remaining = max(0.001, request.deadline.timestamp() - time.time())
    limits = {"timeout": httpx.Timeout(remaining).as_dict()}
    return httpx.Request(
        request.method, request.url, headers=list(request.headers), content=request.content, extensions=limits
    )


def faults(error: httpx.HTTPError) -> Faults:
    """What happened, and whether the server may have got the request: a signature that was not sent is used again."""
    if isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)):
        return Outcome.NOT_SENT, NetworkFault.TIMEOUT, TLSFault.NONE
    if isinstance(error, httpx.ProxyError):
        return Outcome.NOT_SENT, NetworkFault.PROXY, TLSFault.NONE
    if isinstance(error, httpx.ConnectError):
        causes: List[BaseException] = [error]
        while cause := causes[-1].__cause__ or causes[-1].__context__:
            causes.append(cause)
        if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
            return Outcome.NOT_SENT, NetworkFault.NONE, TLSFault.UNTRUSTED
        if any(isinstance(cause, ssl.SSLError) for cause in causes):
            return Outcome.NOT_SENT, NetworkFault.NONE, TLSFault.HANDSHAKE
        return Outcome.NOT_SENT, NetworkFault.CONNECTION_REFUSED, TLSFault.NONE
    if isinstance(error, httpx.TimeoutException):
        return Outcome.UNKNOWN, NetworkFault.TIMEOUT, TLSFault.NONE
    if isinstance(error, (httpx.RemoteProtocolError, httpx.DecodingError)):
        return Outcome.UNKNOWN, NetworkFault.NOT_HTTP, TLSFault.NONE
    return Outcome.UNKNOWN, NetworkFault.CONNECTION_LOST, TLSFault.NONE


TOO_LARGE: Faults = (Outcome.UNKNOWN, NetworkFault.TOO_LARGE, TLSFault.NONE)
Answer = Union[httpx.Response, Faults]


def finish(request: mtoken.HTTPRequest, answer: Answer, content: bytes = b"") -> None:
    """Hands in what came; nobody waits for it any more if the call has ended meanwhile."""
    with contextlib.suppress(mtoken.NotFoundError):
        if isinstance(answer, httpx.Response):
            request.respond(answer.status_code, answer.headers.multi_items(), content)
        else:
            request.fail(*answer)


# With threads


def send(http: httpx.Client, request: mtoken.HTTPRequest) -> None:
    try:
        response = http.send(prepared(request), stream=True)
        with contextlib.closing(response):
            content = b""
            for piece in response.iter_bytes():
                content += piece
                if len(content) > request.max_answer_size:
                    return finish(request, TOO_LARGE)
    except httpx.HTTPError as error:
        return finish(request, faults(error))
    finish(request, response, content)


def serve(runtime: mtoken.Runtime, http: httpx.Client, leave: threading.Event) -> None:
    """Reads the runtime's events until it is told to leave; requests are sent beside each other."""
    with ThreadPoolExecutor(max_workers=8) as pool, contextlib.suppress(mtoken.CancelledError, mtoken.StateError):
        while not leave.is_set():
            event = runtime.next_event()
            if event is not None and event.kind is mtoken.EventKind.REQUEST and event.request is not None:
                pool.submit(send, http, event.request)


def approve(url: str, authority: str, configuration: str, path: str, pin: str) -> None:
    store = mtoken.Store.directory(path)
    options = {"configuration": configuration, "base_url": url, "store": store}
    leave = threading.Event()
    tls = ssl.create_default_context(cafile=authority)
    with mtoken.Runtime() as runtime, httpx.Client(verify=tls, follow_redirects=False) as http:
        server = threading.Thread(target=serve, args=(runtime, http, leave))
        server.start()
        try:
            with mtoken.Client(runtime, "demo", transport=mtoken.Transport.HOST, **options) as client:  # type: ignore[arg-type]
                operations = client.operations.list()
                print(f"you sign:\n{operations[0].summary}")
                client.operations.authorize(operations[0], mtoken.Auth.pin(pin))
                print(f"approved: {operations[0].message}")
        finally:
            leave.set()
            while server.is_alive():
                runtime.interrupt()
                server.join(0.01)


# With asyncio


async def send_async(http: httpx.AsyncClient, request: mtoken.HTTPRequest) -> None:
    try:
        response = await http.send(prepared(request), stream=True)
        async with contextlib.aclosing(response):
            content = b""
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > request.max_answer_size:
                    return finish(request, TOO_LARGE)
    except httpx.HTTPError as error:
        return finish(request, faults(error))
    finish(request, response, content)


async def serve_async(runtime: aio.Runtime, http: httpx.AsyncClient) -> None:
    """Reads the runtime's events until it is cancelled. What no longer needs an answer is cancelled with it."""
    sending: Dict[int, asyncio.Task[None]] = {}
    async for event in runtime.events():
        if event.request is None:
            continue
        number = event.request.id
        if event.kind is mtoken.EventKind.REQUEST:
            sending[number] = asyncio.create_task(send_async(http, event.request))
            sending[number].add_done_callback(lambda _, number=number: sending.pop(number, None))  # type: ignore[misc]
        elif number in sending:
            sending[number].cancel()


async def approve_async(url: str, authority: str, configuration: str, path: str, pin: str) -> None:
    store = mtoken.Store.directory(path)
    tls = ssl.create_default_context(cafile=authority)
    async with aio.Runtime() as runtime, httpx.AsyncClient(verify=tls, follow_redirects=False) as http:
        server = asyncio.create_task(serve_async(runtime, http))
        try:
            async with aio.Client(
                runtime,
                "demo",
                configuration=configuration,
                base_url=url,
                store=store,
                transport=mtoken.Transport.HOST,
            ) as client:
                operations = await client.operations.list()
                print(f"you sign:\n{operations[0].summary}")
                await client.operations.authorize(operations[0], mtoken.Auth.pin(pin))
                print(f"approved: {operations[0].message}")
        finally:
            server.cancel()


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--asyncio"]
    if len(arguments) != 5:
        sys.exit(f"usage: {sys.argv[0]} [--asyncio] URL CA-FILE SDK-CONFIGURATION STORE PIN")
    try:
        if len(arguments) < len(sys.argv) - 1:
            asyncio.run(approve_async(*arguments))
        else:
            approve(*arguments)
    except mtoken.MTokenError as error:
        sys.exit(f"{error.code.name} ({error.reason}): {error}")
