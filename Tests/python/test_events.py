"""Tasks and events: waiting, cancelling, descriptor, order, threads, many clients."""

from __future__ import annotations

import asyncio
import gc
import selectors
import threading
import time
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


def tasks_of(events: List[mtoken.Event]) -> List[mtoken.Task[Any] | None]:
    return [event.task for event in events if event.kind is mtoken.EventKind.TASK]


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


def test_a_cancelled_task_completes_once(server: DevServer, runtime: mtoken.Runtime, device: Device) -> None:
    server.fault(f"{OPERATIONS}/list", "hang")
    drain(runtime)
    task = device.client.operations.start_list()
    task.cancel()
    task.cancel()
    with pytest.raises(mtoken.CancelledError):
        task.result(10)
    assert task.state is mtoken.TaskState.CANCELLED
    assert tasks_of(list(runtime.events(0.2))).count(task) == 1


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


def test_events_are_not_queued_by_default(device: Device) -> None:
    with mtoken.Runtime() as quiet:
        assert quiet.next_event(0) is None and quiet.next_event(0.05) is None


def test_no_event_in_time(runtime: mtoken.Runtime) -> None:
    drain(runtime)
    assert runtime.next_event(0) is None
    started = time.monotonic()
    assert runtime.next_event(0.3) is None
    assert time.monotonic() - started > 0.25


def test_each_task_event_comes_once_and_in_order(runtime: mtoken.Runtime, device: Device) -> None:
    """Signed calls of one client run one after another, so their events come in the order of the calls."""
    drain(runtime)
    tasks = [device.client.operations.start_history(device.auth) for _ in range(20)]
    for task in tasks:
        task.result(30)
    events = list(runtime.events(0.3))
    assert tasks_of(events) == tasks
    times = [event.time for event in events]
    assert times == sorted(times)
    assert all(event.client is device.client for event in events if event.kind is mtoken.EventKind.TASK)


def test_who_has_waited_finds_the_event(runtime: mtoken.Runtime, device: Device) -> None:
    """It is queued before a wait for its task ends."""
    drain(runtime)
    for _ in range(200):
        task = device.client.start_status()
        task.result(30)
        assert tasks_of(drain(runtime)) == [task]


def test_events_of_many_clients(runtime: mtoken.Runtime, make_device: DeviceFactory) -> None:
    devices = [make_device(f"device{number}") for number in range(5)]
    drain(runtime)
    tasks = [device.client.start_status() for device in devices for _ in range(4)]
    seen: List[Any] = []
    while len(seen) < len(tasks):
        event = runtime.next_event(30)
        assert event is not None
        if event.kind is mtoken.EventKind.TASK:
            assert event.task is not None and event.task.done()
            seen.append(event.task)
    assert sorted(map(id, seen)) == sorted(map(id, tasks))


def test_state_events(runtime: mtoken.Runtime, device: Device) -> None:
    device.client.status()  # or it is asked for after the first signature, and stored too
    drain(runtime)
    device.client.sign("POST", "/x", b"", device.auth)
    stored = [event for event in drain(runtime) if event.kind is mtoken.EventKind.STATE_STORED]
    assert [event.client for event in stored] == [device.client]
    assert stored[0].task is None and stored[0].message is None


def test_only_the_events_asked_for(server: DevServer, make_client: ClientFactory, user: str) -> None:
    with mtoken.Runtime(events=mtoken.Events.STATE) as runtime:
        client = make_client(runtime=runtime)
        client.activate(server.new_activation(user)["activationCode"])
        client.persist("1234")
        assert {event.kind for event in drain(runtime)} == {mtoken.EventKind.STATE_STORED}
        client.close()


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


def readable(runtime: mtoken.Runtime, timeout: float) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(runtime, selectors.EVENT_READ)
        return bool(selector.select(timeout))


def test_the_descriptor_with_selectors(runtime: mtoken.Runtime, device: Device) -> None:
    drain(runtime)
    assert not readable(runtime, 0)
    task = device.client.start_status()
    assert readable(runtime, 30)
    seen: List[Any] = []
    while task not in seen:
        assert readable(runtime, 30)
        seen += tasks_of(drain(runtime))
    assert seen == [task]
    drain(runtime)
    assert not readable(runtime, 0), "the descriptor stays readable although all events were taken"


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


def test_a_reader_wakes_up_when_the_runtime_is_freed() -> None:
    runtime = mtoken.Runtime(events=mtoken.Events.ALL)
    outcome: List[object] = []

    def read() -> None:
        try:
            outcome.append(runtime.next_event(None))
        except mtoken.MTokenError as error:
            outcome.append(error.code)

    thread = threading.Thread(target=read)
    thread.start()
    runtime.close()
    thread.join(10)
    assert not thread.is_alive()
    assert outcome[0] in (mtoken.ErrorCode.HANDLE, mtoken.ErrorCode.STATE, mtoken.ErrorCode.CANCELLED)


# Many


@pytest.mark.parametrize("transfers", [1, 2])
def test_few_transfers_at_once(make_client: ClientFactory, transfers: int) -> None:
    with mtoken.Runtime(max_transfers=transfers) as runtime:
        client = make_client(runtime=runtime)
        for task in [client.start_synchronize_time() for _ in range(10)]:
            task.result(30)
        client.close()


@pytest.mark.parametrize(
    "options",
    [{"max_transfers": -1}, {"max_transfers": 4097}, {"log_level": mtoken.LogLevel(9)}],
    ids=str,
)
def test_impossible_runtime_options(options: Dict[str, Any]) -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.Runtime(**options)
