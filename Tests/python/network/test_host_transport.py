"""Requests that the program sends itself: with httpx, and by hand."""

from __future__ import annotations

import contextlib
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
from conftest import CHILD_PATH, ROOT, ClientFactory, Device, DeviceFactory
from devserver import DevServer
from mtoken import EventKind, NetworkFault, Outcome, TLSFault, Transport

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
