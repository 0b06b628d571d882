"""The snippets of the binding's README run as they are printed."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict

import mtoken
import pytest
from activations import Activations
from conftest import CHILD_PATH, ROOT, DeviceFactory
from devserver import OPERATIONS, DevServer
from installed import tool
from test_stores import run_child

SNIPPETS = re.findall(
    r"^```python\n(.*?)^```$",
    (ROOT / "bindings" / "python" / "README.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


def test_every_snippet_is_run() -> None:
    assert len(SNIPPETS) == 5


def test_activate_and_approve(server: DevServer, activations: Activations, tmp_path: Path, user: str) -> None:
    operation = server.new_operation(userId=user)["operationId"]
    names: Dict[str, Any] = {
        "state_folder": tmp_path / "state",
        "sdk_configuration": server.configuration,
        "server_url": server.url,
        "ca_file": server.ca_file,
        "activation_code": activations.new(user)["activationCode"],
    }
    exec(SNIPPETS[0], names)
    assert server.operation(operation)["status"] == "APPROVED"
    exec(SNIPPETS[0], names)  # with nothing to approve, and a code that was used


def test_errors(make_device: DeviceFactory, capsys: Any) -> None:
    device = make_device()
    exec(SNIPPETS[1], {"mtoken": mtoken, "client": device.client, "operation": device.new_operation()})
    assert capsys.readouterr().out == "POWERAUTH_AUTH_FAIL 4\n"


def test_asyncio(server: DevServer, make_device: DeviceFactory, tmp_path: Path) -> None:
    device = make_device("alice", store=mtoken.Store.directory(tmp_path / "state"))
    operations = [device.new_operation() for _ in range(3)]
    device.client.close()
    names: Dict[str, Any] = {
        "asyncio": asyncio,
        "mtoken": mtoken,
        "state_folder": tmp_path / "state",
        "sdk_configuration": server.configuration,
        "server_url": server.url,
        "ca_file": server.ca_file,
    }
    exec(SNIPPETS[2], names)
    assert asyncio.run(names["approve_all"]("1234")) == 3
    assert {server.operation(operation.id)["status"] for operation in operations} == {"APPROVED"}


def test_gevent(server: DevServer, make_device: DeviceFactory, tmp_path: Path) -> None:
    """A greenlet of the same thread hangs up on the client."""
    make_device("alice", store=mtoken.Store.directory(tmp_path)).client.close()
    program = f"""
from gevent import monkey
monkey.patch_all()
import mtoken
import pytest
from gevent.server import StreamServer
bank = StreamServer(("127.0.0.1", 0), lambda socket, address: socket.close())
bank.start()
client = mtoken.Client(
    mtoken.Runtime(), "alice", configuration={server.configuration!r}, base_url=f"https://127.0.0.1:{{bank.server_port}}",
    tls=mtoken.TLS.UNSAFE, store=mtoken.Store.directory({str(tmp_path)!r}), timeout=5,
)
try:
    {SNIPPETS[3].strip().splitlines()[-1]}
except mtoken.MTokenError as error:
    print(isinstance(error, mtoken.TimeoutExpiredError))
"""
    done = run_child(SNIPPETS[3].splitlines()[0] + program, check=False)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.parametrize("order", ["patched, imported", "imported, patched"])
def test_greenlets_run_while_a_call_waits(server: DevServer, order: str) -> None:
    """And signals arrive afterwards, whichever comes first."""
    steps = {"patched": "from gevent import monkey; monkey.patch_all()", "imported": "import mtoken"}
    program = f"""
{chr(10).join(steps[step] for step in order.split(", "))}
import gevent, os, signal
from gevent.server import StreamServer
bank = StreamServer(("127.0.0.1", 0), lambda socket, address: socket.close())
bank.start()
signal.signal(signal.SIGTERM, lambda *_: print("terminated"))
with mtoken.Runtime() as runtime, mtoken.Client(
    runtime, "alice", configuration={server.configuration!r}, base_url=f"https://127.0.0.1:{{bank.server_port}}",
    tls=mtoken.TLS.UNSAFE, store=mtoken.Store.memory(), timeout=5,
) as client:
    try:
        client.synchronize_time()
    except mtoken.MTokenError as error:
        print(isinstance(error, mtoken.TimeoutExpiredError))
os.kill(os.getpid(), signal.SIGTERM)
gevent.sleep(0)
"""
    done = run_child(program, check=False)
    assert done.stdout == "False\nterminated\n", done.stderr


OPEN = """
import sys, time, mtoken
url, ca, configuration, folder = sys.argv[1:]
def opened(module):
    runtime = module.Runtime()
    return runtime, module.Client(
        runtime, "alice", configuration=configuration, base_url=url, ca_file=ca, store=mtoken.Store.directory(folder))
ticks = 0
def tick():
    global ticks
    while True:
        time.sleep(0.01)
        ticks += 1
"""
GREENLETS = """
runtime, client = opened(mtoken)
spawn(tick)
print(len(client.operations.list()), ticks > 5)
"""
TRIO = """
import trio
async def main():
    runtime, client = opened(mtoken)
    async def count():
        global ticks
        while True:
            await trio.sleep(0.01)
            ticks += 1
    async with trio.open_nursery() as nursery:
        nursery.start_soon(count)
        task = client.operations.start_list()
        task.notify(1)
        await trio.lowlevel.wait_readable(runtime.fileno())
        assert runtime.next_event(0).tag == 1 and len(task.result(0)) == 2
        print(len(await trio.to_thread.run_sync(client.operations.list)), ticks > 5)
        nursery.cancel_scope.cancel()
trio.run(main)
"""
UVLOOP = """
import asyncio, uvloop
from mtoken import aio
async def count():
    global ticks
    while True:
        await asyncio.sleep(0.01)
        ticks += 1
async def main():
    counting = asyncio.ensure_future(count())
    runtime, client = opened(aio)
    print(len(await client.operations.list()), ticks > 5)
uvloop.run(main())
"""
RUNS = {
    "PyPy": OPEN + GREENLETS.replace("spawn(tick)", "__import__('threading').Thread(target=tick, daemon=True).start()"),
    "uvloop": OPEN + UVLOOP,
    "trio": OPEN + TRIO,
    "gevent": "from gevent import monkey, spawn; monkey.patch_all()" + OPEN + GREENLETS,
    "gevent, patched after the import": "import mtoken\nfrom gevent import monkey, spawn; monkey.patch_all()"
    + OPEN
    + GREENLETS,
    "eventlet": "import eventlet; spawn = eventlet.spawn; eventlet.monkey_patch()" + OPEN + GREENLETS,
}
REFUSED = {"free-threaded Python", "sub-interpreters"}
"""As test_binding_life.py tries them."""


@pytest.mark.parametrize("name", RUNS)
def test_it_runs_in(name: str, server: DevServer, make_device: DeviceFactory, tmp_path: Path) -> None:
    """What else runs in the process goes on while a call waits for a slow server."""
    device = make_device("alice", store=mtoken.Store.directory(tmp_path / "state"))
    for _ in range(2):
        device.new_operation()
    device.client.close()
    slow = server.fault(f"{OPERATIONS}/list", "latency", count=2, ms=300)
    python = tool("pypy3") if name == "PyPy" else sys.executable
    command = [
        python,
        "-W",
        "ignore",
        "-c",
        RUNS[name],
        server.url,
        server.ca_file,
        server.configuration,
        str(tmp_path / "state"),
    ]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": CHILD_PATH}, capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stdout) == (0, "2 True\n"), done.stderr
    assert server.times_applied(slow) >= 1


def test_where_it_runs() -> None:
    page = (ROOT / "bindings" / "python" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| (runs|refused)", page, re.MULTILINE)
    assert {name for name, what in rows if what == "runs"} == {*RUNS, "CPython 3.9 to 3.13"}
    assert {name for name, what in rows if what == "refused"} == REFUSED


def test_state_in_your_own_place(make_device: DeviceFactory) -> None:
    names: Dict[str, Any] = {"mtoken": mtoken}
    exec(SNIPPETS[4], names)
    assert make_device(store=names["store"]).can_sign()
