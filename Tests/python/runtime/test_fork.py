"""fork(): what the parent made answers at once in a child and is left alone there; a child has a world of its own."""

from __future__ import annotations

import asyncio
import gc
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import mtoken
from conftest import CHILD_PATH, Device, DeviceFactory
from devserver import DevServer
from filekeyring import FileKeyring
from forking import FORKED, in_child, refusal
from mtoken import aio, oidc


class Signing:
    """Threads of the parent that sign and ask. Other signed calls of the device do not go well with them: the server takes
    signatures in order only."""

    def __init__(self, device: Device):
        self._device = device
        self._ending = threading.Event()
        self._failures: List[BaseException] = []
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._work) for _ in range(3)]
        self._count = 0

    def _work(self) -> None:
        try:
            while not self._ending.is_set():
                with self._lock:
                    assert self._device.can_sign()
                    self._count += 1
                self._device.client.info()
        except BaseException as failure:
            self._failures.append(failure)

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: Any) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
        assert self._count > 0


def test_everything_is_refused_in_a_child(server: DevServer, device: Device, runtime: mtoken.Runtime) -> None:
    client = device.client
    operation = device.new_operation()
    server.fault("/api/auth/token/app/operation/history", "hang")
    waiting = client.operations.start_history(device.auth)
    done = client.start_status()
    done.result(30)
    watcher = mtoken.Watcher(client)
    recorder = mtoken.Recorder(client)
    view = client.with_options(language="cs")
    login = oidc.listen(runtime, oidc.Config("b", "c", "openid", "https://idp.example/a", "http://127.0.0.1/back"))

    def child() -> Dict[str, Tuple[str, str]]:
        calls: Dict[str, Callable[[], Any]] = {
            "sign": lambda: client.sign("POST", "/x", b"", device.auth),
            "view": lambda: view.sign("POST", "/x", b"", device.auth),
            "authorize": lambda: client.operations.authorize(operation, device.auth),
            "list": client.operations.list,
            "info": client.info,
            "state": lambda: client.state,
            "loading": lambda: client.operations.is_loading,
            "polling": lambda: client.operations.polling,
            "token": lambda: "mine" in client.tokens,
            "wait": waiting.wait,
            "result": waiting.result,
            "cancel": waiting.cancel,
            "task": lambda: waiting.state,
            "done": done.result,
            "event": runtime.next_event,
            "fileno": runtime.fileno,
            "watch": lambda: watcher.add(operation),
            "record": recorder.reset,
            "login": lambda: login.attributes(None),
            "store": lambda: mtoken.Client(
                runtime, "x", configuration=server.configuration, base_url=server.url, store=device.store
            ),
        }
        found = {name: refusal(call) for name, call in calls.items()}
        repr(waiting)
        # Data in hand stays good, and so do functions that need no handle.
        assert operation.data and mtoken.Activation is not None and mtoken.parse_qr is not None
        assert oidc.pkce().verifier
        return found

    def give_back() -> None:
        for thing in (view, client, device.store, runtime, login):
            thing.close()
        gc.collect()

    with Signing(device):
        for _ in range(5):
            found = in_child(child)
            assert {name: what for name, what in found.items() if what != FORKED} == {}
            in_child(give_back)
    assert waiting.state is mtoken.TaskState.RUNNING and login.task.state is mtoken.TaskState.RUNNING
    waiting.cancel()
    login.close()
    client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


def _process(device: Device, results: Any) -> None:
    results.put(refusal(lambda: device.client.sign("POST", "/x", b"", device.auth)))


def _pooled(number: int) -> Tuple[str, str]:
    assert _inherited is not None
    return refusal(_inherited.client.operations.list)


_inherited: Any = None


def test_multiprocessing(device: Device) -> None:
    """Children that inherit the device, by a process and by a pool: told at once, and ended in peace."""
    global _inherited
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    processes = [context.Process(target=_process, args=(device, results)) for _ in range(4)]
    for process in processes:
        process.start()
    assert [results.get(timeout=300) for _ in processes] == [FORKED] * 4
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    _inherited = device
    try:
        with context.Pool(4) as pool:
            assert pool.map(_pooled, range(20)) == [FORKED] * 20
            pool.close()
            pool.join()
    finally:
        _inherited = None
    assert device.can_sign() and device.view()["failedAttempts"] == 0


def test_asyncio(device: Device, server: DevServer) -> None:
    async def parent() -> List[Any]:
        runtime = aio.Runtime()
        code = server.new_activation("aio-fork", commitPhase="ON_KEY_EXCHANGE")["activationCode"]
        client = aio.Client(
            runtime, "a", configuration=server.configuration, base_url=server.url, ca_file=server.ca_file,
            store=mtoken.Store.memory(),
        )  # fmt: skip
        await client.activate(code)
        await client.persist("1234")

        def child() -> Any:
            async def use() -> Tuple[str, str]:
                try:
                    await runtime.next_event()
                except mtoken.MTokenError as error:
                    return type(error).__name__, error.reason
                return "nothing", ""

            # The parent's loop was running here; a new one needs that forgotten.
            asyncio.events._set_running_loop(None)
            found = asyncio.new_event_loop().run_until_complete(use())
            client.close()
            runtime.close()
            return found

        found = in_child(child)
        await client.status()  # the parent is still woken
        client.close()
        runtime.close()
        return [found]

    assert asyncio.run(asyncio.wait_for(parent(), 60)) == [FORKED]


def test_the_lock_of_a_keyring_ends_with_its_process(tmp_path: Path) -> None:
    """Though a child of it lives on."""
    (tmp_path / "run").mkdir(mode=0o700)
    environment = {
        **os.environ, "PYTHONPATH": CHILD_PATH, "PYTHON_KEYRING_BACKEND": f"{FileKeyring.__module__}.FileKeyring",
        "MTOKEN_TEST_KEYRING": str(tmp_path / "keyring.json"), "XDG_RUNTIME_DIR": str(tmp_path / "run"),
    }  # fmt: skip
    script = """
import os, sys, mtoken
store = mtoken.Store.keyring("bank")
if os.fork() == 0:
    print("child", flush=True)
    sys.stdin.read()
    os._exit(0)
os.wait()
"""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None and first.stdout.readline() == "child\n"
        check = [sys.executable, "-c", "import mtoken; mtoken.Store.keyring('bank').close(); print('opened')"]
        refused = subprocess.run(check, env=environment, capture_output=True, text=True, timeout=300)
        assert "BusyError" in refused.stderr
        first.kill()
        while b") Z " not in Path(f"/proc/{first.pid}/stat").read_bytes():
            os.sched_yield()
        opened = subprocess.run(check, env=environment, capture_output=True, text=True, timeout=300)
        assert opened.stdout == "opened\n", opened.stderr


APPLICATION = '''
import json, os
import mtoken

facts = json.loads(os.environ["MTOKEN_FACTS"])
options = {"configuration": facts["configuration"], "base_url": facts["url"], "ca_file": facts["ca"]}

# In the master, before it forks its workers: what --preload is for, and what must not be used after it.
runtime = mtoken.Runtime(events=mtoken.Events.TASKS)
store = mtoken.Store.directory(facts["folder"])
client = mtoken.Client(runtime, "shared", store=store, **options)
assert client.state is mtoken.ClientState.ACTIVE
task = client.start_synchronize_time()
own = None


def world():
    """One of this worker's own, made when it is first needed."""
    global own
    if own is None:
        own = mtoken.Runtime(), mtoken.Store.memory()
    return own


def shared():
    try:
        client.sign("POST", "/x", b"", mtoken.Auth.pin("1234"))
    except mtoken.StateError as error:
        return error.reason
    return "signed"


def waited():
    try:
        task.wait()
    except mtoken.StateError as error:
        return error.reason
    return "waited"


def activated(code):
    runtime, store = world()
    with mtoken.Client(runtime, code, store=store, **options) as mine:
        mine.activate(code, name="worker")
        mine.persist("1234")
        mine.factors.validate_pin("1234")
        return mine.info().activation_id


def application(environment, start_response):
    path, _, code = environment["PATH_INFO"][1:].partition("/")
    answer = {"worker": os.getpid(), "result": {"shared": shared, "waited": waited}[path]() if path != "own" else activated(code)}
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]
'''


def test_a_pre_forking_server(server: DevServer, make_device: DeviceFactory, tmp_path: Path, user: str) -> None:
    """gunicorn with --preload: six workers, of which none touches the master's activation, each with a world of its own."""
    store = mtoken.Store.directory(tmp_path / "state")
    device = make_device("shared", store=store)
    before = device.view()
    device.client.close()
    store.close()
    (tmp_path / "application.py").write_text(APPLICATION, encoding="utf-8")
    facts = {
        "folder": str(tmp_path / "state"),
        "configuration": server.configuration,
        "url": server.url,
        "ca": server.ca_file,
    }
    with socket.create_server(("127.0.0.1", 0)) as listener:
        environment = {
            **os.environ, "PYTHONPATH": f"{CHILD_PATH}{os.pathsep}{tmp_path}", "MTOKEN_FACTS": json.dumps(facts),
            "GUNICORN_FD": str(listener.fileno()),
        }  # fmt: skip
        command = [
            sys.executable, "-m", "gunicorn", "--preload", "--workers", "6", "--bind", f"fd://{listener.fileno()}",
            "--timeout", "30", "--graceful-timeout", "10", "application:application",
        ]  # fmt: skip
        log = (tmp_path / "log").open("wb")
        master = subprocess.Popen(
            command, env=environment, cwd=tmp_path, stdout=log, stderr=log, pass_fds=[listener.fileno()]
        )
        port = listener.getsockname()[1]
    try:

        def ask(path: str) -> Dict[str, Any]:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=300) as answer:
                found: Dict[str, Any] = json.load(answer)
                return found

        found: List[Dict[str, Any]] = []

        def many(path: str) -> None:
            for _ in range(10):
                found.append(ask(path))

        threads = [threading.Thread(target=many, args=(path,)) for path in ("shared", "waited") * 3]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 60 and {answer["result"] for answer in found} == {"forked"}
        assert master.pid not in {answer["worker"] for answer in found}
        for number in range(6):
            code = server.new_activation(f"{user}-{number}", commitPhase="ON_KEY_EXCHANGE")["activationCode"]
            own = ask(f"own/{code}")
            assert server.activation(own["result"])["failedAttempts"] == 0
    finally:
        master.terminate()
        status = master.wait(60)
        log.close()
    assert status == 0, (tmp_path / "log").read_text(encoding="utf-8")
    after = device.view()
    assert (after["counter"], after["failedAttempts"]) == (before["counter"], 0)
    # The master and all its workers are gone, and so is their lock.
    again = mtoken.Runtime()
    with again, mtoken.Store.directory(tmp_path / "state") as reopened:
        client = mtoken.Client(
            again,
            "shared",
            configuration=server.configuration,
            base_url=server.url,
            ca_file=server.ca_file,
            store=reopened,
        )
        client.factors.validate_pin(device.pin)
        client.close()
