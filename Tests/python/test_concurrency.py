"""Many threads on one client: every request is accepted by the server."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from typing import Callable, List

import mtoken
import pytest
from conftest import Device
from devserver import DevServer
from mtoken import abi as _c
from mtoken._library import lib

THREADS = 8


def in_threads(work: Callable[[int], None]) -> None:
    """Runs the work in all threads; the first thing that any of them raised is raised here."""
    errors: List[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_eight_threads_on_one_client(server: DevServer, biometric_device: Device) -> None:
    """Signatures with all factors, tokens, status, encryption: mixed, and all accepted."""
    client, device = biometric_device.client, biometric_device
    before = server.mark()
    signed = itertools.count()
    http = threading.Lock()

    def work(number: int) -> None:
        name = f"token {number}"
        for step in range(6):
            client.factors.validate_pin(device.pin)
            client.status()
            client.tokens.create(name)
            client.synchronize_time()
            token = client.tokens.header(name)
            assert server.send("POST", "/api/test/token", b"x", dict([token])).status == 200
            client.operations.list()
            with client.requests.turn():
                header = client.sign("POST", "/test/signed", b"x", mtoken.Auth.biometry(device.biometry_key))
                with http:
                    assert server.send("POST", "/api/test/signed", b"x", dict([header])).status == 200
            next(signed)
            client.user_info()
            if step % 2:
                client.tokens.remove(name)

    in_threads(work)
    statuses = {request["status"] for request in server.requests(after=before)}
    assert statuses == {200}, "the server refused something"
    audit = server.admin("GET", "/audit", kind="signature", activationId=device.activation_id, limit=100_000)["audit"]
    counters = [entry["counter"] for entry in audit if entry["accepted"]]
    assert counters == sorted(set(counters)) and len(counters) >= next(signed) * 2
    assert device.view()["failedAttempts"] == 0


def test_other_threads_run_while_one_waits(device: Device) -> None:
    """A thread waits inside the library, without coming out in between, for what another thread has to do first."""
    device.server.fault("/api/auth/token/app/operation/list", "hang")
    task = device.client.operations.start_list()
    waits, seen = threading.Event(), []

    def wait() -> None:
        waits.set()
        seen.append(lib.mtoken_task_wait(task.pointer, 60_000))

    thread = threading.Thread(target=wait)
    thread.start()
    waits.wait()
    task.cancel()
    thread.join()
    assert seen == [_c.MTOKEN_OK], "with the interpreter's lock held the wait would have ended by its timeout"
    assert isinstance(task.error(), mtoken.CancelledError)


def test_calls_under_way_are_cancelled(server: DevServer) -> None:
    """Whatever of a client and its runtime is closed first. The server hears nobody."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        for turn in range(100):
            runtime, store = mtoken.Runtime(), mtoken.Store.memory()
            client = mtoken.Client(
                runtime, "a", configuration=server.configuration, base_url=url, store=store, allow_http=True
            )
            tasks = [client.start_synchronize_time() for _ in range(16)]
            if turn % 3:
                time.sleep(0)
            if turn % 2:
                client.close()
            if turn % 4 < 3:
                runtime.close()
            for task in tasks:
                with pytest.raises(mtoken.CancelledError):
                    task.result(20)
            for one in (client, runtime, store):
                one.close()
