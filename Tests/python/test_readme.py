"""The snippets of the binding's README run as they are printed."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, Dict

import mtoken
import pytest
from activations import Activations
from conftest import ROOT, DeviceFactory
from devserver import DevServer
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


def test_state_in_your_own_place(make_device: DeviceFactory) -> None:
    names: Dict[str, Any] = {"mtoken": mtoken}
    exec(SNIPPETS[4], names)
    assert make_device(store=names["store"]).can_sign()
