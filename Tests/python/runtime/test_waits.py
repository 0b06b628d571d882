"""Waits that Ctrl-C ends, that the program ends, and that do nothing else meanwhile; tags of tasks; what a runtime tells."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Dict, Iterator, List

import mtoken
import mtoken.aio
import pytest
from conftest import Device
from devserver import OPERATIONS, DevServer
from mtoken import _wait
from mtoken._library import lib

NEVER = 3600.0


@pytest.fixture
def runtime() -> Iterator[mtoken.Runtime]:
    """Without events, but for those that are asked for."""
    with mtoken.Runtime() as runtime:
        yield runtime


@pytest.fixture
def interruptible() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def hanging(server: DevServer, device: Device) -> mtoken.Task[Any]:
    """A task whose answer never comes."""
    server.fault(f"{OPERATIONS}/list", "hang")
    return device.client.operations.start_list()


class Calls:
    """Counts the calls of a C function."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *names: str):
        self.count: Dict[str, int] = dict.fromkeys(names, 0)
        self.begun = threading.Semaphore(0)
        for name in names:
            monkeypatch.setattr(lib, name, self._counting(name, getattr(lib, name)))

    def _counting(self, name: str, function: Any) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.count[name] += 1
            if arguments[1] != 0:  # it waits, not only looks
                self.begun.release()
            return function(*arguments)

        return call


def interrupt_when_waiting(calls: Calls, moment: List[float]) -> threading.Thread:
    def run() -> None:
        calls.begun.acquire()
        time.sleep(0.05)  # so that it most likely waits inside the library; if not yet, the test holds all the same
        moment.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_ctrl_c_ends_a_wait_at_once(
    runtime: mtoken.Runtime, hanging: mtoken.Task[Any], interruptible: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: List[tuple[str, Callable[[], Any]]] = [
        ("mtoken_runtime_next_event", lambda: runtime.next_event()),
        ("mtoken_runtime_next_event", lambda: runtime.next_event(NEVER)),
        ("mtoken_task_wait", lambda: hanging.wait()),
        ("mtoken_task_join", lambda: hanging.result()),
        ("mtoken_task_join", lambda: hanging.join(NEVER)),
    ]
    for name, wait in waits:
        with monkeypatch.context() as patch:
            calls, moment = Calls(patch, name), []
            thread = interrupt_when_waiting(calls, moment)
            with pytest.raises(KeyboardInterrupt):
                wait()
            assert time.monotonic() - moment[0] < 0.2, name
            thread.join()
            assert calls.count[name] == 2, "one look and one wait"
    assert hanging.state is mtoken.TaskState.RUNNING
    assert len(_wait._idle) == 1 and not _wait._waiting, "one helper for all"
    assert runtime.next_event(0) is None


def test_ctrl_c_leaves_waits_of_other_threads(
    server: DevServer, device: Device, runtime: mtoken.Runtime, interruptible: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = server.fault(f"{OPERATIONS}/list", "latency", ms=2000)
    task = device.client.operations.start_list()
    results: List[Any] = []
    calls = Calls(monkeypatch, "mtoken_task_join", "mtoken_task_wait")
    threads = [threading.Thread(target=lambda: results.append(task.result())) for _ in range(3)]
    for thread in threads:
        thread.start()
        calls.begun.acquire()
    moment: List[float] = []
    killer = interrupt_when_waiting(calls, moment)
    with pytest.raises(KeyboardInterrupt):
        task.wait()
    killer.join()
    for thread in threads:
        thread.join()
    assert len(results) == 3 and all(list(result) == [] for result in results)
    assert server.times_applied(fault) == 1


def test_waiting_wakes_nobody(
    runtime: mtoken.Runtime, hanging: mtoken.Task[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(monkeypatch, "mtoken_runtime_next_event", "mtoken_task_wait", "mtoken_task_join")
    started = time.monotonic()
    assert runtime.next_event(0.7) is None
    assert not hanging.wait(0.7)
    with pytest.raises(mtoken.TimeoutExpiredError) as late:
        hanging.result(0.7)
    assert late.value.reason == "waitTimeout" and late.value.outcome is mtoken.Outcome.UNKNOWN
    assert 2.09 <= time.monotonic() - started < 5
    assert set(calls.count.values()) == {2}, "one look and one wait each"
    results: List[bool] = []
    thread = threading.Thread(target=lambda: results.append(hanging.wait(0.7)))
    thread.start()
    thread.join()
    assert results == [False] and calls.count["mtoken_task_wait"] == 3, "other threads wait by themselves"


def test_signal_handlers_run_and_may_wait(runtime: mtoken.Runtime, hanging: mtoken.Task[Any]) -> None:
    seen: List[bool] = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(hanging.wait(0.05)))
    try:
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        started = time.monotonic()
        assert not hanging.wait(0.6)
        assert time.monotonic() - started >= 0.59
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [False]


def test_an_event_that_comes_with_ctrl_c_is_not_lost(
    runtime: mtoken.Runtime, hanging: mtoken.Task[Any], interruptible: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging.notify(5)
    original = lib.mtoken_runtime_next_event
    main = threading.main_thread()

    def both(*arguments: Any) -> Any:
        status = original(*arguments)
        if status == 0 and threading.current_thread() is not main:
            os.kill(os.getpid(), signal.SIGINT)  # it has the event, and the main thread does not know yet
            time.sleep(0.05)
        return status

    monkeypatch.setattr(lib, "mtoken_runtime_next_event", both)
    threading.Timer(0.1, hanging.cancel).start()
    with pytest.raises(KeyboardInterrupt):
        runtime.next_event()
    event = runtime.next_event(0)
    assert event is not None and event.tag == 5 and event.task is hanging
    assert runtime.next_event(0) is None


def test_a_wait_in_a_child_says_that_it_is_forked(runtime: mtoken.Runtime) -> None:
    """A signal handler that forks comes back twice out of the wait."""
    script = """
import os, signal, threading, mtoken
runtime = mtoken.Runtime()
parent, children = os.getpid(), []
signal.signal(signal.SIGUSR1, lambda *_: children.append(os.fork()))
signal.alarm(20)
threading.Timer(0.2, os.kill, (parent, signal.SIGUSR1)).start()
try:
    assert runtime.next_event(1.5) is None and os.getpid() == parent
except mtoken.StateError as error:
    assert os.getpid() != parent and error.reason == "forked"
    own = mtoken.Runtime()
    assert own.next_event(0.1) is None
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 7
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", script], check=True, timeout=300, env=environment)


# The program ends waits


def test_the_program_ends_waits(runtime: mtoken.Runtime, hanging: mtoken.Task[Any]) -> None:
    waits: List[Callable[[], Any]] = [runtime.next_event, hanging.wait, hanging.result, hanging.join]
    raised: List[BaseException] = []
    leaving = threading.Event()

    def run(wait: Callable[[], Any]) -> None:
        while not leaving.is_set():
            try:
                wait()
            except mtoken.CancelledError as error:
                raised.append(error)

    threads = [threading.Thread(target=run, args=(wait,)) for wait in waits]
    for thread in threads:
        thread.start()
    leaving.set()
    while any(thread.is_alive() for thread in threads):
        runtime.interrupt()
    assert all(isinstance(error, mtoken.CancelledError) and error.reason == "interrupted" for error in raised)
    assert hanging.state is mtoken.TaskState.RUNNING and not hanging.wait(0.01)

    # The main thread too, from another one.
    stop = threading.Event()

    def again() -> None:
        while not stop.wait(0.02):
            runtime.interrupt()

    thread = threading.Thread(target=again)
    thread.start()
    for wait in waits:
        with pytest.raises(mtoken.CancelledError) as ended:
            wait()
        assert ended.value.reason == "interrupted"
    stop.set()
    thread.join()


def test_closing_wakes_who_waits(runtime: mtoken.Runtime, hanging: mtoken.Task[Any]) -> None:
    threading.Timer(0.2, runtime.close).start()
    with pytest.raises(mtoken.StateError):
        runtime.next_event()
    with pytest.raises(mtoken.CancelledError) as ended:
        hanging.result()
    assert ended.value.reason != "interrupted"
    with pytest.raises(mtoken.HandleError):
        runtime.interrupt()
    with pytest.raises(mtoken.HandleError):
        runtime.info()
    with pytest.raises(mtoken.StateError):
        hanging.notify(1)


# Tags


def test_a_task_tells_its_tag(server: DevServer, runtime: mtoken.Runtime, device: Device) -> None:
    server.fault(f"{OPERATIONS}/list", "latency", ms=200)
    task = device.client.operations.start_list()
    task.notify(2**64 - 1)
    task.notify(0)
    events = [runtime.next_event(30), runtime.next_event(30)]
    assert [event.tag for event in events if event] == [2**64 - 1, 0]
    for event in events:
        assert event is not None and event.kind is mtoken.EventKind.TASK
        assert event.task is task and event.client is device.client and event.dropped == 0
    task.join()
    assert runtime.next_event(0) is None
    task.notify(7)
    late = runtime.next_event(0)
    assert late is not None and late.tag == 7
    for wrong in (-1, 2**64):
        with pytest.raises(ValueError, match="tag must be"):
            task.notify(wrong)
    with pytest.raises(TypeError):
        task.notify("1")  # type: ignore[arg-type]


def test_join_raises_what_went_wrong(server: DevServer, device: Device) -> None:
    server.fault(f"{OPERATIONS}/list", "status", status=500)
    task = device.client.operations.start_list()
    with pytest.raises(mtoken.ServerError):
        task.join(30)
    with pytest.raises(mtoken.ServerError):
        task.join()


# What a runtime tells of itself


def test_a_runtime_tells_how_it_stands(server: DevServer, runtime: mtoken.Runtime, device: Device) -> None:
    idle = runtime.info()
    assert (idle.clients, idle.pollers, idle.tasks_running, idle.requests_under_way) == (1, 0, 0, 0)
    fault = server.fault(f"{OPERATIONS}/list", "hang")
    task = device.client.operations.start_list()
    while server.times_applied(fault) == 0:
        pass
    busy = runtime.info()
    assert (busy.tasks_running, busy.requests_under_way, busy.requests_waiting) == (1, 1, 0)
    task.notify(1)
    task.cancel()
    task.wait()
    while runtime.info().events_waiting == 0:
        pass
    device.client.operations.start_polling()
    device.client.operations.pause_polling()
    assert runtime.info().pollers == 1
    device.client.operations.stop_polling()
    assert runtime.info().pollers == 0
    device.client.operations.start_polling()
    device.client.close()
    end = runtime.info()
    assert (end.clients, end.pollers, end.events_waiting) == (0, 0, 1)
    assert end.dropped_log_events == end.dropped_trace_events == 0


def test_asyncio_waits_without_threads(server: DevServer) -> None:
    """Nothing of this is needed there."""

    async def main() -> int:
        async with mtoken.aio.Runtime() as runtime:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(runtime.next_event(), 0.05)
            return threading.active_count()

    before = threading.active_count()
    assert asyncio.run(main()) == before


# Stores


class Items:
    """A backend that tells its items."""

    def __init__(self) -> None:
        self.items: Dict[str, bytes] = {"strange": b"", "x.state": b"s"}

    def load(self, name: str) -> bytes:
        return self.items[name]

    def save(self, name: str, data: bytes) -> None:
        self.items[name] = data

    def remove(self, name: str) -> None:
        self.items.pop(name, None)

    def list(self) -> Iterator[str]:
        return iter([*self.items, "a\0.state", "é.state"])


class Mute(Items):
    list = None  # type: ignore[assignment]


class Failing(Items):
    def list(self) -> Iterator[str]:
        raise LookupError("no list today")


def test_what_is_in_a_host_store() -> None:
    backend = Items()
    store = mtoken.Store.host(backend)
    assert store.clients() == ["x"]
    store.copy("x", store, "y")
    assert store.clients() == ["x", "y"] and backend.items["y.state"] == b"s"
    store.remove("x")
    assert "x.state" not in backend.items
    with pytest.raises(mtoken.UnsupportedError) as cannot:
        mtoken.Store.host(Mute()).clients()
    assert cannot.value.reason == "storageUnsupported"
    with pytest.raises(mtoken.StorageError) as failed:
        mtoken.Store.host(Failing()).clients()
    assert isinstance(failed.value.__cause__, LookupError)
