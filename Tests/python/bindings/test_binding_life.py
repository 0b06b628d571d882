"""The package under load and where it cannot work: many threads, objects dropped in every order, the end of a process."""

from __future__ import annotations

import copy
import dataclasses
import gc
import itertools
import json
import os
import pickle
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, List

import mtoken
import pytest
from conftest import CHILD_PATH, ClientFactory, Device
from devserver import DevServer


def child(program: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH, **more}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=100)


# Models


def test_models_as_dictionaries(device: Device) -> None:
    operation = device.new_operation()
    found = operation.to_dict()
    assert json.loads(json.dumps(found)) == found
    assert (found["id"], found["status"]) == (operation.id, "PENDING")
    assert found["variants"] == ["POSSESSION_KNOWLEDGE", "POSSESSION_BIOMETRY"]
    assert found["created"].endswith("Z") and found["signed_data"]["fields"][0]["amount"] == "1250.5"
    assert "json" not in found and "native" not in found
    assert device.client.info().to_dict()["activation_id"] == device.activation_id
    assert device.client.operations.list().to_dict()["operations"] == [found]
    data = mtoken.parse_operation_data("A1*A1CZK")
    assert data.to_dict()["fields"][0]["currency"] == "CZK"
    assert data == mtoken.parse_operation_data("A1*A1CZK") != mtoken.parse_operation_data("A1*A1EUR")


def test_models_are_copied_whole(device: Device) -> None:
    """A copy is equal; one that another process gets is not signed, as the library gave it no such operation."""
    operation = device.new_operation()
    for take in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        made = take(operation)
        assert made == operation and made.to_dict() == operation.to_dict()
    with pytest.raises(ValueError, match="authorize_data"):
        device.client.operations.authorize(made, device.auth)


def test_errors_as_dictionaries() -> None:
    with pytest.raises(mtoken.ParseError) as failure:
        mtoken.parse_qr("nonsense")
    found = failure.value.to_dict()
    assert json.loads(json.dumps(found)) == found
    assert (found["code"], found["reason"], found["outcome"]) == ("PARSE", "tooFewLines", "NOT_SENT")


def test_the_native_object_is_no_field(device: Device) -> None:
    """It does not come along where an operation is changed: what is signed is what the library gave."""
    operation = device.new_operation()
    assert "native" not in {field.name for field in dataclasses.fields(operation)}
    assert operation.native is not None and operation == dataclasses.replace(operation)
    changed = dataclasses.replace(operation, title="Something else")
    assert changed.native is None
    with pytest.raises(ValueError, match="authorize_data"):
        device.client.operations.authorize(changed, device.auth)
    device.client.operations.authorize(operation, device.auth)


def test_each_exception_is_public() -> None:
    kinds = [kind for kind in vars(mtoken.errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    names = {kind.__name__ for kind in kinds}
    assert names == set(mtoken.errors.__all__) and names <= set(mtoken.__all__)
    assert all(getattr(mtoken, kind.__name__) is kind for kind in kinds) and len(kinds) > 30


def test_the_version() -> None:
    assert mtoken.__version__.split(".")[0] == mtoken.version().split(".")[0]
    assert mtoken.versions()["libmtoken"] == mtoken.version()
    assert list(mtoken.versions()) == ["libmtoken", "OpenSSL", "libcurl", "Jansson"]
    assert all(re.fullmatch(r"\d+(\.\d+)+", version) for version in mtoken.versions().values())


# Where it is refused

INTERPRETERS = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import sys
found = interpreters.create()
program = '''
import sys
sys.path[:0] = {path!r}.split(":")
try:
    import mtoken
    mtoken.Client
except ImportError as refusal:
    import os
    os.write(1, str(refusal).encode())
'''
interpreters.run_string(found, program.format(path="PATH"))
""".replace("PATH", CHILD_PATH)


def test_a_sub_interpreter_is_refused() -> None:
    done = child(INTERPRETERS)
    assert "main interpreter only" in done.stdout and "WSGIApplicationGroup" in done.stdout, done


def test_without_the_lock_it_is_refused() -> None:
    done = child("import sys\nsys._is_gil_enabled = lambda: False\nimport mtoken; mtoken.Client")
    assert done.returncode == 1 and "ImportError: the package mtoken needs the global interpreter lock" in done.stderr


def test_an_older_library_is_refused(tmp_path: Path) -> None:
    """The message names what was found, what is wanted, the path, and what to install."""
    from mtoken import abi as _c

    functions = "\n".join(f"int {name}(void) {{ return 0; }}" for name in _c.PROTOTYPES)
    for name, body in (("abi_version", "return 1;"), ("version_number", "return 1;")):
        functions = functions.replace(
            f"int mtoken_{name}(void) {{ return 0; }}", f"int mtoken_{name}(void) {{ {body} }}"
        )
    functions = functions.replace(
        "int mtoken_version(void) { return 0; }", 'char *mtoken_version(void) { return "0.0.1"; }'
    )
    (tmp_path / "old.c").write_text(functions, encoding="utf-8")
    library = tmp_path / "libold.so"
    subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "old.c")], check=True)
    done = child("import mtoken; mtoken.Client", MTOKEN_LIBRARY=str(library))
    assert done.returncode == 1
    for part in (str(library), "libmtoken 0.0.1", _c.MTOKEN_VERSION, "libmtoken1"):
        assert part in done.stderr


# Life


def test_twenty_threads_on_one_client(device: Device) -> None:
    failures: List[BaseException] = []

    def work() -> None:
        try:
            for index in range(200):
                if index % 50 == 0:
                    assert len(device.client.operations.list()) == 0
                elif index % 2:
                    assert device.client.info().activation_id == device.activation_id
                else:
                    with pytest.raises(mtoken.ParseError):
                        device.client.parse_qr("nonsense")
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_objects_dropped_in_every_order(device: Device, make_client: ClientFactory, server: DevServer) -> None:
    """While other threads make the garbage collector run."""
    ended = threading.Event()

    def collect() -> None:
        while not ended.is_set():
            gc.collect()

    collector = threading.Thread(target=collect)
    collector.start()
    try:
        for order in itertools.permutations(range(5)):
            runtime, store = mtoken.Runtime(), mtoken.Store.memory()
            options: Any = {"configuration": server.configuration, "base_url": server.url, "ca_file": server.ca_file}
            client = mtoken.Client(runtime, "dropped", store=store, **options)
            objects = [runtime, store, client, client.start_synchronize_time(), client.operations]
            del runtime, store, client
            for index in order:
                objects[index] = None
    finally:
        ended.set()
        collector.join()
    assert device.client.status().state is mtoken.ActivationState.ACTIVE


@pytest.mark.parametrize("way", ["pass", "sys.exit(0)", "os._exit(0)"])
def test_the_process_ends_with_calls_under_way(server: DevServer, way: str) -> None:
    program = f"""
import os, sys, mtoken
runtime = mtoken.Runtime()
client = mtoken.Client(runtime, "leaves", configuration=sys.argv[1], base_url=sys.argv[2], store=mtoken.Store.memory())
tasks = [client.start_synchronize_time() for _ in range(100)]
{way}
"""
    server.fault("/pa/v3/status", "latency", ms=2000)
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH}
    command = [sys.executable, "-c", program, server.configuration, server.url]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_ten_thousand_calls_leave_nothing(device: Device) -> None:
    import ctypes

    class Mallinfo(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks")]
        _fields_ += [(name, ctypes.c_size_t) for name in ("fsmblks", "uordblks", "fordblks", "keepcost")]

    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Mallinfo

    def work(times: int) -> int:
        for _ in range(times):
            with pytest.raises(mtoken.ParseError):
                mtoken.parse_qr("nonsense")
            device.client.info()
            mtoken.crypto.sha256(b"abc")
            mtoken.parse_operation_data("A1*A1CZK")
        gc.collect()
        return int(mallinfo().uordblks)

    work(300)
    before = work(200)
    assert work(2500) - before < 500_000, "some 50 bytes a call"


def test_daemon_threads_in_a_call_end_with_the_program(server: DevServer) -> None:
    """Quietly, whatever they wait for."""
    program = f"""
import socket, threading, mtoken
silent = socket.create_server(("127.0.0.1", 0))
runtime = mtoken.Runtime()
client = mtoken.Client(
    runtime, "a", configuration={server.configuration!r}, base_url=f"https://127.0.0.1:{{silent.getsockname()[1]}}",
    tls=mtoken.TLS.UNSAFE, store=mtoken.Store.memory(), timeout=100,
)
begun = threading.Barrier(13)
def ask(call):
    begun.wait()
    while True:
        call()
calls = [client.synchronize_time, lambda: client.start_synchronize_time().result(), runtime.next_event, client.info] * 3
for call in calls:
    threading.Thread(target=ask, args=(call,), daemon=True).start()
begun.wait()
connection = silent.accept()  # the calls share one
"""
    for _ in range(5):
        done = child(program)
        assert (done.returncode, done.stderr) == (0, "")
