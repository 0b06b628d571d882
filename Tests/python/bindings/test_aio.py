"""`mtoken.aio`: the calls as coroutines."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple, Type

import mtoken
import pytest
from conftest import ROOT, Device, DeviceFactory, mypy_cache
from devserver import OPERATIONS, DevServer
from mtoken import aio


@pytest.fixture
def open_again(server: DevServer, make_device: DeviceFactory) -> Iterator[Callable[..., Tuple[aio.Client, Device]]]:
    """Activates a device, closes it, and opens it for asyncio."""
    opened: List[aio.Client] = []

    def make(runtime: aio.Runtime, **options: Any) -> Tuple[aio.Client, Device]:
        device = make_device()
        device.client.close()
        place: Dict[str, Any] = {
            "configuration": server.configuration,
            "base_url": server.url,
            "ca_file": server.ca_file,
        }
        client = aio.Client(runtime, "device", store=device.store, **{**place, **options})
        opened.append(client)
        return client, device

    yield make
    for client in opened:
        client.close()


def test_activate_and_approve(server: DevServer, user: str, tmp_path: Path) -> None:
    async def run() -> None:
        operations = [server.new_operation(userId=user)["operationId"] for _ in range(5)]
        threads = threading.active_count()
        async with aio.Runtime() as runtime:
            store = mtoken.Store.directory(tmp_path / "state")
            async with aio.Client(
                runtime,
                "desk",
                configuration=server.configuration,
                base_url=server.url,
                ca_file=server.ca_file,
                store=store,
            ) as client:
                assert client.state is mtoken.ClientState.EMPTY and client.id == "desk"
                code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
                activation = await client.activate(code, name="asyncio")
                await client.persist("1234")
                assert server.activation(activation.activation_id)["state"] == "ACTIVE"
                auth = mtoken.Auth.pin("1234")
                listed = await client.operations.list()
                assert {operation.id for operation in listed} == set(operations)
                before = threading.active_count()
                await asyncio.gather(*(client.operations.authorize(operation, auth) for operation in listed))
                assert threading.active_count() == before >= threads, "calls that wait use no thread"
                assert {server.operation(operation)["status"] for operation in operations} == {"APPROVED"}
                header = await client.sign("POST", "/pa/signature/validate", b"{}", auth)
                assert server.send("POST", "/pa/v3/signature/validate", b"{}", dict([header])).status == 200
                assert (await client.status()).state is mtoken.ActivationState.ACTIVE
                await client.remove(auth)
                assert client.state is mtoken.ClientState.EMPTY

    asyncio.run(run())


def test_errors_are_the_same(open_again: Any) -> None:
    async def run() -> None:
        async with aio.Runtime() as runtime:
            client, device = open_again(runtime)
            created = device.server.new_operation(userId=device.user)["operationId"]
            operation = await client.operations.detail(created)
            with pytest.raises(mtoken.AuthenticationError) as failure:
                await client.operations.authorize(operation, device.wrong_auth)
            assert failure.value.outcome is mtoken.Outcome.ANSWERED
            with pytest.raises(mtoken.MTokenError):
                await client.operations.detail("nobody-made-this")

    asyncio.run(run())


def test_the_loop_goes_on_meanwhile(open_again: Any) -> None:
    """While a call waits for a silent server, other coroutines run; cancelling ends the call, and its outcome is known."""

    async def run() -> None:
        async with aio.Runtime() as runtime:
            client, device = open_again(runtime)
            await client.operations.list()
            device.server.fault(f"{OPERATIONS}/list", "hang")
            mark = device.server.mark()
            call = asyncio.ensure_future(client.operations.list())
            while not device.server.requests(f"{OPERATIONS}/list", after=mark):
                await asyncio.sleep(0)
            assert not call.done()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            device.server.reset()
            assert len(await client.operations.list()) == 0, "the client works on"

    asyncio.run(run())


def test_a_cancelled_call_knows_its_outcome(open_again: Any) -> None:
    async def run() -> None:
        async with aio.Runtime() as runtime:
            client, device = open_again(runtime)
            device.server.fault(f"{OPERATIONS}/list", "hang")
            causes: List[Any] = []

            async def listing() -> None:
                try:
                    await client.operations.list()
                except asyncio.CancelledError as cancelled:
                    causes.append(cancelled.__cause__)
                    raise

            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(listing(), 0.5)
            assert isinstance(causes[0], mtoken.CancelledError)
            assert causes[0].outcome in (mtoken.Outcome.UNKNOWN, mtoken.Outcome.NOT_SENT)

    asyncio.run(run())


def test_events(open_again: Any) -> None:
    async def run() -> None:
        async with aio.Runtime(events=mtoken.Events.OPERATIONS) as runtime:
            client, device = open_again(runtime)
            created = device.server.new_operation(userId=device.user)["operationId"]
            client.operations.start_polling()
            assert client.operations.polling is mtoken.Polling.ON
            async for event in runtime.events():
                assert event.kind is not mtoken.EventKind.TASK, "not asked for"
                if event.kind is mtoken.EventKind.OPERATIONS_CHANGED and event.change:
                    assert event.client is client.blocking
                    assert [operation.id for operation in event.change.added] == [created]
                    break
            client.operations.stop_polling()

    asyncio.run(run())


def test_tasks_started_otherwise(open_again: Any) -> None:
    async def run() -> None:
        async with aio.Runtime(events=mtoken.Events.TASKS) as runtime:
            client, _ = open_again(runtime)
            task = client.blocking.operations.start_list()
            event = await runtime.next_event()
            assert event.task is task and len(await runtime.result(task)) == 0

    asyncio.run(run())


def test_closing_the_runtime_ends_what_waits(open_again: Any) -> None:
    async def run() -> None:
        runtime = aio.Runtime()
        client, device = open_again(runtime)
        device.server.fault("/pa/v3/", "hang")
        call = asyncio.ensure_future(client.status())
        await asyncio.sleep(0)
        runtime.close()
        with pytest.raises(mtoken.CancelledError):
            await call

    asyncio.run(run())


def test_one_loop_after_the_other(open_again: Any) -> None:
    runtime = aio.Runtime()
    client, _ = open_again(runtime)
    for _ in range(2):
        asyncio.run(client.status())

    async def run() -> None:
        await client.status()
        other = asyncio.new_event_loop()
        failures: List[BaseException] = []

        def in_another() -> None:
            try:
                other.run_until_complete(client.status())
            except RuntimeError as failure:
                failures.append(failure)
            finally:
                other.close()

        thread = threading.Thread(target=in_another)
        thread.start()
        thread.join()
        assert "belongs to another event loop" in str(failures[0])

    asyncio.run(run())
    client.close()
    runtime.close()


def public(kind: Type[Any]) -> Set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def returns_a_task(member: Any) -> bool:
    return inspect.isfunction(member) and str(member.__annotations__.get("return")).startswith("Task[")


PAIRS = [
    (getattr(mtoken, name, None) or getattr(mtoken.oidc, name), kind)
    for name, kind in vars(aio).items()
    if inspect.isclass(kind) and kind.__module__ == "mtoken.aio"
]


@pytest.mark.parametrize(("blocking", "kind"), PAIRS, ids=lambda kind: kind.__name__)
def test_nothing_is_missing(blocking: Type[Any], kind: Type[Any]) -> None:
    """Every call of the blocking class exists here too: those that start a task as coroutines."""
    parts = {name for name, value in vars(blocking).items() if isinstance(value, property) and name not in dir(kind)}
    starters = {
        name[6:] for name in public(blocking) if name.startswith("start_") and returns_a_task(getattr(blocking, name))
    }
    expected = (
        public(blocking)
        - parts
        - {"fileno", "interrupt", "take_turn", "give_turn"}
        - {f"start_{name}" for name in starters}
    )
    lines = [
        f"{name} = {'_awaited' if name in starters else '_same or _in_thread'}(mtoken.{kind.__name__}."
        f"{'start_' if name in starters else ''}{name})"
        for name in sorted(expected - public(kind))
    ]
    assert not lines, f"mtoken/aio.py, class {kind.__name__}, lacks: " + "; ".join(lines)
    for name in starters:
        assert inspect.iscoroutinefunction(getattr(kind, name)), name
        assert inspect.signature(getattr(kind, name)) == inspect.signature(getattr(blocking, f"start_{name}"))
        assert getattr(kind, name).__doc__ == getattr(blocking, name).__doc__


def test_the_parts_of_a_client() -> None:
    """What a client has as members of classes of their own, it has here as members of their twins."""
    parts = {
        name: member.fget.__annotations__["return"]
        for name, member in inspect.getmembers(mtoken.Client, lambda member: isinstance(member, property))
    }
    twins = {kind.__name__ for _, kind in PAIRS}
    source = inspect.getsource(aio.Client._wrap)
    for name, kind in parts.items():
        if any(returns_a_task(member) for member in vars(getattr(mtoken, str(kind), object)).values()):
            assert kind in twins, f"mtoken/aio.py lacks a class {kind}"
            assert f"self.{name} = {kind}(" in source, f"aio.Client._wrap lacks self.{name}"


TYPED = """
import mtoken
from mtoken import aio

async def run(client: aio.Client, operation: mtoken.Operation) -> None:
    reveal_type(await client.operations.list())
    reveal_type(await client.activate("code", name="x"))
    reveal_type(client.info())
    reveal_type(await client.sign("POST", "/x", b"", mtoken.Auth()))
    await client.operations.authorize(operation)
    await client.activate(5)
    client.operations.list(timeout=1)

aio.Client(aio.Runtime(), "x", configuration="", base_url="", store=mtoken.Store.memory())
aio.Client(aio.Runtime(), "x", configuration="", base_url="")
"""


def test_the_twins_are_typed(tmp_path: Path) -> None:
    """A type checker knows arguments and results as of the blocking calls."""
    (tmp_path / "typed.py").write_text(TYPED)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", mypy_cache("typed"), "typed.py"]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "bindings" / "python" / "src")}
    child = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    expected = {
        6: "OperationList", 7: "Activation", 8: "ClientInfo", 9: "Header", 10: "[call-arg]", 11: "[arg-type]",
        12: "Unexpected keyword argument", 15: 'Missing named argument "store"',
    }  # fmt: skip
    for line, text in expected.items():
        assert re.search(rf"^typed.py:{line}: .*{re.escape(text)}", child.stdout, re.MULTILINE), child.stdout
    assert "typed.py:14" not in child.stdout and "/aio.py" not in child.stdout
