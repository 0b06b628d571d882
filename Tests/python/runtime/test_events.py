"""Tasks and events: waiting, cancelling, descriptor, order, threads, many clients."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any, Dict, List

import mtoken
import pytest
from conftest import ClientFactory, Device, DeviceFactory
from devserver import OPERATIONS, DevServer


@pytest.fixture
def runtime() -> Any:
    """The tests of this file ask for all events."""
    with mtoken.Runtime(events=mtoken.Events.ALL, log_level=mtoken.LogLevel.DEBUG) as runtime:
        yield runtime


def drain(runtime: mtoken.Runtime) -> List[mtoken.Event]:
    return list(runtime.events(0))


# Tasks


def test_a_task(server: DevServer, device: Device) -> None:
    server.fault(f"{OPERATIONS}/list", "latency", ms=300)
    task = device.client.operations.start_list()
    assert task.state is mtoken.TaskState.RUNNING and not task.done() and not task.wait(0.01)
    with pytest.raises(TimeoutError):
        task.result(0.01)
    assert list(task.result(30)) == []
    assert task.state is mtoken.TaskState.SUCCEEDED and task.done()
    assert task.error() is None
    task.cancel()
    assert task.state is mtoken.TaskState.SUCCEEDED


def test_a_failed_task(server: DevServer, device: Device) -> None:
    server.fault(f"{OPERATIONS}/list", "status", status=500)
    task = device.client.operations.start_list()
    error = task.error(30)
    assert isinstance(error, mtoken.ServerError)
    assert task.state is mtoken.TaskState.FAILED
    with pytest.raises(mtoken.ServerError):
        task.result()


def test_a_timeout_of_the_caller(server: DevServer, device: Device) -> None:
    operation = device.new_operation()
    server.fault(f"{OPERATIONS}/authorize", "hang")
    with pytest.raises(TimeoutError) as failure:
        device.client.operations.authorize(operation, device.auth, timeout=2)
    assert isinstance(failure.value, mtoken.TimeoutExpiredError)
    assert failure.value.outcome is mtoken.Outcome.UNKNOWN


def test_a_task_may_be_dropped(server: DevServer, runtime: mtoken.Runtime, device: Device) -> None:
    operation = device.new_operation()
    drain(runtime)
    device.client.operations.start_authorize(operation, device.auth)
    gc.collect()
    event = next(event for event in runtime.events(30) if event.kind is mtoken.EventKind.TASK)
    assert event.task is None and event.client is device.client
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_waiting_lets_other_threads_run(server: DevServer, device: Device) -> None:
    server.fault(f"{OPERATIONS}/list", "latency", ms=1000)
    device.client.tokens.create("possession_universal")
    task = device.client.operations.start_list()
    turns = 0
    finished = threading.Event()

    def wait() -> None:
        task.wait()
        finished.set()

    threading.Thread(target=wait).start()
    while not finished.is_set():
        turns += 1
    assert turns > 1000


# Events


def test_logs_hold_no_secrets(
    server: DevServer, runtime: mtoken.Runtime, make_client: ClientFactory, user: str
) -> None:
    drain(runtime)
    pin, key, otp = "8273645510", b"biometry-16bytes", "otp-9182736"
    client = make_client(tls=mtoken.TLS.UNSAFE, ca_file=None)
    created = server.new_activation(user, otp=otp, otpValidation="ON_KEY_EXCHANGE")
    client.activate(created["activationCode"], otp=otp)
    client.persist(pin, biometry_key=key)
    parameters = {"amount": "918273", "currency": "XYZ", "iban": "SECRETIBAN", "note": "secret note"}
    server.new_operation(userId=user, template="authorize_payment", parameters=parameters)
    client.operations.authorize(client.operations.list()[0], mtoken.Auth.pin(pin))
    with pytest.raises(mtoken.MTokenError):
        client.operations.detail("5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6")
    logs = [event for event in drain(runtime) if event.kind is mtoken.EventKind.LOG]
    assert logs, "nothing was logged at level DEBUG"
    text = "\n".join(event.message or "" for event in logs)
    for secret in (pin, key.decode(), otp, created["activationCode"], "918273", "SECRETIBAN", "secret note"):
        assert secret not in text
    assert any(event.log_level is mtoken.LogLevel.WARNING for event in logs), "unsafe TLS must be warned of"


# The descriptor


def test_the_descriptor_with_asyncio(runtime: mtoken.Runtime, make_device: DeviceFactory) -> None:
    device = make_device()
    drain(runtime)

    async def approve_many() -> int:
        loop = asyncio.get_running_loop()
        waiting: Dict[mtoken.Task[Any], asyncio.Future[None]] = {}

        def read_events() -> None:
            for event in runtime.events(0):
                if event.task in waiting:
                    waiting[event.task].set_result(None)

        loop.add_reader(runtime, read_events)
        try:
            for _ in range(10):
                task = device.client.operations.start_list()
                waiting[task] = loop.create_future()
            await asyncio.wait_for(asyncio.gather(*waiting.values()), 30)
        finally:
            loop.remove_reader(runtime)
        return sum(task.state is mtoken.TaskState.SUCCEEDED for task in waiting)

    assert asyncio.run(approve_many()) == 10


def test_the_descriptor_of_a_closed_runtime() -> None:
    runtime = mtoken.Runtime()
    assert runtime.fileno() >= 0
    runtime.close()
    with pytest.raises(mtoken.HandleError):
        runtime.fileno()
    with pytest.raises(mtoken.HandleError):
        runtime.next_event(0)
