"""Requests that the program sends itself: with httpx, and by hand."""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import os
import re
import ssl
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any, Dict, Iterator, List, Tuple

import httpx
import mtoken
import pytest
from conftest import ROOT, ClientFactory, Device, DeviceFactory
from devserver import DevServer
from mtoken import EventKind, NetworkFault, Outcome, TLSFault, Transport
from test_stores import CHILD_PATH

PROGRAM = ROOT / "examples" / "python" / "host_transport.py"
HOST: Dict[str, Any] = {"transport": Transport.HOST, "ca_file": None}


def load() -> ModuleType:
    found = importlib.util.spec_from_file_location("host_transport", PROGRAM)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


example = load()


@contextlib.contextmanager
def served(runtime: mtoken.Runtime, server: DevServer) -> Iterator[None]:
    """The example's thread sends what the runtime's clients ask for."""
    leave = threading.Event()
    tls = ssl.create_default_context(cafile=server.ca_file)
    with httpx.Client(verify=tls) as http:
        thread = threading.Thread(target=example.serve, args=(runtime, http, leave))
        thread.start()
        try:
            yield
        finally:
            leave.set()
            while thread.is_alive():
                runtime.interrupt()
                thread.join(0.01)


def test_a_life(server: DevServer, runtime: mtoken.Runtime, make_device: DeviceFactory) -> None:
    with served(runtime, server):
        device = make_device(**HOST)
        operation = device.new_operation()
        with pytest.raises(mtoken.AuthenticationError):
            device.client.operations.authorize(operation, device.wrong_auth)
        device.client.operations.authorize(operation, device.auth)
        assert server.operation(operation.id)["status"] == "APPROVED"
        with pytest.raises(mtoken.MTokenError) as failure:
            device.client.operations.authorize(operation, device.auth)
        assert failure.value.http_status == 400
        device.client.remove(device.auth)


@pytest.mark.parametrize("form", [[], ["--asyncio"]], ids=["threads", "asyncio"])
def test_the_example(server: DevServer, make_device: DeviceFactory, tmp_path: Path, form: List[str]) -> None:
    device = make_device("demo", store=mtoken.Store.directory(tmp_path / "state"))
    device.client.close()
    operation = server.new_operation(userId=device.user)["operationId"]
    command = [sys.executable, str(PROGRAM), *form, server.url, server.ca_file, server.configuration]
    command += [str(tmp_path / "state"), device.pin]
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search("^approved: .", done.stdout, re.MULTILINE)
    assert server.operation(operation)["status"] == "APPROVED"
    command[command.index(server.url)] = server.bad_tls["selfSigned"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1 and done.stderr.startswith("TLS (network_sslError)"), done.stderr


# By hand


def taken(runtime: mtoken.Runtime, kind: EventKind = EventKind.REQUEST) -> mtoken.HTTPRequest:
    event = runtime.next_event(30)
    assert event is not None and event.kind is kind and event.request is not None
    return event.request


def forwarded(server: DevServer, request: mtoken.HTTPRequest) -> httpx.Response:
    tls = ssl.create_default_context(cafile=server.ca_file)
    with httpx.Client(verify=tls) as http:
        return http.send(example.prepared(request))


def answer(server: DevServer, request: mtoken.HTTPRequest) -> None:
    response = forwarded(server, request)
    request.respond(response.status_code, response.headers.multi_items(), response.content)


@pytest.fixture
def hosted(server: DevServer, make_device: DeviceFactory, make_client: ClientFactory) -> Device:
    """A device whose requests wait for the test, as soon as it knows the server's time."""
    device = make_device()
    device.client.close()
    device.client = make_client("device", store=device.store, **HOST)
    task = device.client.start_status()
    while not task.done():
        event = device.client.runtime.next_event(0.01)
        if event is not None and event.request is not None:
            answer(server, event.request)
    task.result()
    return device


def test_what_a_request_says(server: DevServer, hosted: Device, runtime: mtoken.Runtime) -> None:
    operation = server.new_operation(userId=hosted.user)["operationId"]
    task = hosted.client.operations.start_list()
    seen: List[mtoken.HTTPRequest] = []
    while not task.done():
        event = runtime.next_event(0.01)
        if event is not None and event.request is not None:
            assert event.kind is EventKind.REQUEST and event.client is hosted.client
            seen.append(event.request)
            answer(server, event.request)
    assert [found.id for found in task.result()] == [operation]
    last = seen[-1]
    assert last.method == "POST" and last.url == f"{server.url}/api/auth/token/app/operation/list"
    assert dict(last.headers)["Content-Type"] == "application/json" and last.content == b"{}"
    assert last.max_answer_size == 4 << 20 and last.at_most_once
    assert [request.id for request in seen] == sorted({request.id for request in seen})
    assert "X-PowerAuth" not in repr(last) and "{}" not in repr(last)


def signed(hosted: Device, runtime: mtoken.Runtime) -> Tuple[mtoken.Task[Any], mtoken.HTTPRequest]:
    """A signed call whose request the program has."""
    task = hosted.client.factors.start_validate_pin(hosted.pin)
    request = taken(runtime)
    assert request.at_most_once
    return task, request


@pytest.mark.parametrize(
    ("fault", "error", "reason"),
    [
        (NetworkFault.NOT_CONNECTED, mtoken.NetworkError, "network_noInternetConnection"),
        (NetworkFault.HOST_NOT_FOUND, mtoken.NetworkError, "network_generic"),
        (NetworkFault.CONNECTION_REFUSED, mtoken.NetworkError, "network_generic"),
        (NetworkFault.CONNECTION_LOST, mtoken.NetworkError, "network_generic"),
        (NetworkFault.TIMEOUT, mtoken.TimeoutExpiredError, "network_timeOut"),
        (NetworkFault.PROXY, mtoken.NetworkError, "network_generic"),
        (NetworkFault.NOT_HTTP, mtoken.ProtocolError, "network_badServerResponse"),
        (NetworkFault.TOO_LARGE, mtoken.ProtocolError, "network_invalidResponseObject"),
        *((fault, mtoken.TLSError, "network_sslError") for fault in TLSFault if fault not in (0, 10)),
        (TLSFault.PIN_MISMATCH, mtoken.PinMismatchError, "network_sslError"),
    ],
    ids=str,
)
def test_faults(hosted: Device, runtime: mtoken.Runtime, fault: Any, error: Any, reason: str) -> None:
    """What the program says is what the call fails with; what was not sent gives its signature back."""
    faults = {"network_fault": fault} if isinstance(fault, NetworkFault) else {"tls_fault": fault}
    open_before = hosted.client.info().unacknowledged_signatures
    for outcome in (Outcome.NOT_SENT, Outcome.UNKNOWN):
        task, request = signed(hosted, runtime)
        request.fail(outcome, **faults)  # type: ignore[arg-type]
        with pytest.raises(error) as failure:
            task.result(30)
        found = failure.value
        assert (found.reason, found.outcome) == (reason, outcome)
        assert (found.network or found.tls) == fault
        given_back = hosted.client.info().unacknowledged_signatures == open_before
        assert given_back == (outcome is Outcome.NOT_SENT)


def test_what_is_no_answer(server: DevServer, hosted: Device, runtime: mtoken.Runtime) -> None:
    """It is refused, and the request waits on."""
    task, request = signed(hosted, runtime)
    for wrong in (
        lambda: request.respond(99),
        lambda: request.respond(199),
        lambda: request.respond(1000),
        lambda: request.respond(200, [("a b", "x")]),
        lambda: request.respond(200, [("a", "x\r\nb: y")]),
        lambda: request.respond(200, [("", "x")]),
        lambda: request.respond(200, [("a", "x")] * 201),
        lambda: request.fail(Outcome.ANSWERED, NetworkFault.TIMEOUT),
        lambda: request.fail(Outcome.UNKNOWN),
        lambda: request.fail(Outcome.UNKNOWN, NetworkFault.TIMEOUT, TLSFault.EXPIRED),
    ):
        with pytest.raises(mtoken.ArgumentError):
            wrong()
    answer(server, request)
    task.result(30)


def test_an_answer_that_is_too_large(hosted: Device, runtime: mtoken.Runtime) -> None:
    task, request = signed(hosted, runtime)
    request.respond(200, content=bytes(request.max_answer_size + 1))
    with pytest.raises(mtoken.ProtocolError) as failure:
        task.result(30)
    assert failure.value.network is NetworkFault.TOO_LARGE and failure.value.outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("status", "content"), [(502, b"<html>"), (200, b""), (200, b"\xff"), (200, b"{"), (302, b"")], ids=str
)
def test_answers_of_something_in_between(hosted: Device, runtime: mtoken.Runtime, status: int, content: bytes) -> None:
    """They are read as those of the library's own network: to a signed call they leave open what happened."""
    task, request = signed(hosted, runtime)
    request.respond(status, [("Location", "https://elsewhere.example/")], content)
    with pytest.raises(mtoken.MTokenError) as failure:
        task.result(30)
    assert failure.value.outcome is Outcome.UNKNOWN and not failure.value.retriable


@pytest.mark.parametrize("level", [0, 1, 9])
def test_a_packed_answer(server: DevServer, hosted: Device, runtime: mtoken.Runtime, level: int) -> None:
    """The server packs what nobody asked it to, and begins with a byte order mark."""
    for coding, mark, name in (("gzip", b"", b"a\0"), ("X-GZIP", b"\xef\xbb\xbf", b"")):
        task, request = signed(hosted, runtime)
        response = forwarded(server, request)
        packed = gzip.compress(mark + response.content, level)
        if name:  # with the name of a file, and in two parts
            packed = packed[:3] + b"\x08" + packed[4:10] + name + packed[10:] + gzip.compress(b" \n")
        request.respond(response.status_code, [("Content-Encoding", coding)], packed)
        task.result(30)
    # A host's library has unpacked it and left the header; or there was nothing but a mark.
    for headers, mark in (([("Content-Encoding", "gzip")], b""), ([], b"\xef\xbb\xbf")):
        task, request = signed(hosted, runtime)
        response = forwarded(server, request)
        request.respond(response.status_code, headers, mark + response.content)
        task.result(30)


def test_a_packed_answer_that_is_damaged_or_too_large(hosted: Device, runtime: mtoken.Runtime) -> None:
    whole = gzip.compress(b'{"status":"OK"}' * 20)
    damaged = [whole[:count] for count in (2, 9, 12, len(whole) - 9, len(whole) - 1)]
    damaged += [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in (2, len(whole) - 1, len(whole) - 5)]
    damaged += [whole + b"x", whole[:10] + b"\xff" + whole[11:], whole[:10] + b"\x05\xff\xff" + whole[13:]]
    large = gzip.compress(bytes((4 << 20) + 1))
    for content, fault in [(part, NetworkFault.NOT_HTTP) for part in damaged] + [(large, NetworkFault.TOO_LARGE)]:
        task = hosted.client.start_synchronize_time()
        taken(runtime).respond(200, [("Content-Encoding", "gzip")], content)
        with pytest.raises(mtoken.ProtocolError) as failure:
            task.result(30)
        assert failure.value.network is fault and failure.value.outcome is Outcome.UNKNOWN


def test_cancel(hosted: Device, runtime: mtoken.Runtime) -> None:
    """The program is told that the request is of no use; what it has may have been sent."""
    task, request = signed(hosted, runtime)
    task.cancel()
    assert taken(runtime, EventKind.REQUEST_ENDED).id == request.id
    with pytest.raises(mtoken.CancelledError) as failure:
        task.result(30)
    assert failure.value.outcome is Outcome.UNKNOWN
    with pytest.raises(mtoken.NotFoundError):
        request.respond(200)


def test_what_does_not_go_with_it(server: DevServer, make_client: ClientFactory) -> None:
    """What the library would not do for the program's connections must not look as if it did."""
    for option in (
        {"ca_file": server.ca_file},
        {"ca_file": None, "tls": mtoken.TLS.UNSAFE},
        {"ca_file": None, "pins": [mtoken.TLSPin(server.spki_sha256)]},
        {"ca_file": None, "proxy": "http://127.0.0.1:8080"},
    ):
        with pytest.raises(mtoken.ArgumentError):
            make_client(transport=Transport.HOST, **option)
    with pytest.raises(mtoken.ConfigurationError):
        make_client(base_url=server.http_url, **HOST)
