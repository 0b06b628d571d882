"""A good guest: the library changes nothing of the process that it lives in, and leaves nothing behind.

Each test runs in a process of its own and speaks to the library through bare ctypes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from typing import Any, Dict, List

from conftest import CHILD_PATH
from devserver import DevServer

PRELUDE = """
import ctypes, json, os, sys, threading
from ctypes import byref
import importlib.util
facts = json.loads(sys.argv[1])
spec = importlib.util.spec_from_file_location("declarations", facts["declarations"])
_c = importlib.util.module_from_spec(spec); spec.loader.exec_module(_c)
libc = ctypes.CDLL(None)
libc.setlocale.restype = ctypes.c_char_p

def status_of(task="self"):
    path = "/proc/self/status" if task == "self" else f"/proc/self/task/{task}/status"
    return dict(line.split(":\\t", 1) for line in open(path).read().splitlines() if ":\\t" in line)

def environment():
    environ, found = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ"), []
    while environ[len(found)]:
        found.append(environ[len(found)].decode("latin-1"))
    return sorted(found)

def descriptors():
    return sorted((int(name), os.readlink(f"/proc/self/fd/{name}")) for name in os.listdir("/proc/self/fd")
                  if os.path.exists(f"/proc/self/fd/{name}") or os.path.islink(f"/proc/self/fd/{name}"))

def snapshot():
    status = status_of()
    return {
        "signals": {name: status[name] for name in ("SigBlk", "SigIgn", "SigCgt", "ShdPnd")},
        "umask": status["Umask"],
        "locale": [libc.setlocale(category, None).decode() for category in range(7)],
        "environment": environment(),
        "folder": os.getcwd(),
        "threads": len(os.listdir("/proc/self/task")),
        "descriptors": [item for item in descriptors() if not item[1].startswith("/proc/")],
        "children": open(f"/proc/self/task/{os.getpid()}/children").read(),
        "priority": os.nice(0),
        "alarm": [list(__import__("signal").getitimer(which)) for which in range(3)],
        "rounding": libc.fegetround() if hasattr(libc, "fegetround") else 0,
    }

# The C library installs handlers of its own with the first thread of a process.
first = threading.Thread(target=lambda: None)
first.start()
first.join()
while len(os.listdir("/proc/self/task")) > 1:
    os.sched_yield()  # joined, but its end is still under way

def load():
    library = ctypes.CDLL(facts["library"])
    _c.declare(library)
    return library

def text(value):
    item = _c.mtoken_text()
    item.data, item.length = value.encode(), len(value.encode())
    return item

def new_runtime(lib):
    options = _c.new_options(_c.mtoken_runtime_options)
    options.events = _c.MTOKEN_EVENT_MASK_ALL
    options.log_level = _c.MTOKEN_LOG_DEBUG
    runtime = _c.runtime_handle()
    assert lib.mtoken_runtime_new(byref(options), byref(runtime), None) == 0
    return runtime

def new_client(lib, runtime, store, name="guest"):
    options = _c.new_options(_c.mtoken_client_options)
    options.id, options.configuration = text(name), text(facts["configuration"])
    options.base_url, options.ca_file = text(facts["url"]), text(facts["ca"])
    options.tls_trust, options.store = _c.MTOKEN_TLS_CA, store
    client, error = _c.client_handle(), ctypes.POINTER(_c.mtoken_error)()
    status = lib.mtoken_client_new(runtime, byref(options), byref(client), byref(error))
    assert status == 0, error.contents.message
    return client

def new_store(lib):
    store = _c.store_handle()
    assert lib.mtoken_store_directory_new(facts["folder"].encode(), len(facts["folder"]), byref(store), None) == 0
    return store

def start(lib, function, *arguments):
    task, error = _c.task_handle(), ctypes.POINTER(_c.mtoken_error)()
    status = function(*arguments, byref(task), byref(error))
    assert status == 0, error.contents.message
    return task

def finish(lib, task):
    assert lib.mtoken_task_wait(task, 30000) == 0
    result = lib.mtoken_task_result(task)
    assert result == 0, lib.mtoken_task_error(task).contents.message
    lib.mtoken_task_free(task)

def signed():
    options = _c.new_options(_c.mtoken_sign_options)
    options.method, options.uri_id = text("POST"), text("/x")
    return options

def activate(lib, client):
    options = _c.new_options(_c.mtoken_activation_options)
    options.code = text(facts["code"])
    finish(lib, start(lib, lib.mtoken_client_activate, client, byref(options)))
    auth = _c.new_options(_c.mtoken_auth)
    auth.pin.data, auth.pin.length = ctypes.cast(ctypes.c_char_p(b"1234"), ctypes.POINTER(ctypes.c_uint8)), 4
    assert lib.mtoken_client_persist(client, byref(auth), None) == 0
"""


def child_command(server: DevServer, tmp_path: Any, script: str, **more: Any) -> List[str]:
    """The command that runs a script behind the prelude in a process of its own, with these facts."""
    facts = {
        "library": os.environ["MTOKEN_LIBRARY"],
        "declarations": os.path.join(CHILD_PATH.split(os.pathsep)[0], "mtoken", "abi.py"),
        "configuration": server.configuration,
        "url": server.url,
        "ca": server.ca_file,
        "folder": str(tmp_path / "state"),
        **more,
    }
    return [sys.executable, "-c", PRELUDE + textwrap.dedent(script), json.dumps(facts)]


def run(
    server: DevServer, tmp_path: Any, user: str, script: str, *, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Runs the script behind the prelude in a process of its own."""
    code = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    return subprocess.run(
        child_command(server, tmp_path, script, code=code),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def result_of(child: subprocess.CompletedProcess[str]) -> Any:
    """The one line that the child printed; anything else on its streams is an error."""
    assert child.returncode == 0, child.stderr
    assert child.stderr == ""
    lines = child.stdout.splitlines()
    assert len(lines) == 1, child.stdout
    return json.loads(lines[0])


def assert_same(after: Dict[str, Any], before: Dict[str, Any]) -> None:
    """Two snapshots agree; tells what differs."""
    assert {name: value for name, value in after.items() if value != before[name]} == {
        name: value for name, value in before.items() if value != after[name]
    }


def test_loading_changes_nothing(server: DevServer, tmp_path: Any, user: str) -> None:
    child = run(
        server,
        tmp_path,
        user,
        """
        before = snapshot()
        lib = load()
        lib.mtoken_version()
        print(json.dumps([before, snapshot()]))
        """,
    )
    before, after = result_of(child)
    assert_same(after, before)


LIFE = """
before = snapshot()
lib = load()
store, runtime = new_store(lib), new_runtime(lib)
client = new_client(lib, runtime, store)
activate(lib, client)
finish(lib, start(lib, lib.mtoken_operations_list, client))
finish(lib, start(lib, lib.mtoken_client_fetch_status, client))
during = snapshot()
tasks = os.listdir("/proc/self/task")
during["blocked"] = [status_of(task)["SigBlk"] for task in tasks if int(task) != os.getpid()]
event = ctypes.POINTER(_c.mtoken_event)()
events = 0
while lib.mtoken_runtime_next_event(runtime, 0, byref(event), None) == 0:
    events += 1
    lib.mtoken_event_free(event)
lib.mtoken_client_free(client)
lib.mtoken_runtime_free(runtime)
lib.mtoken_store_free(store)
print(json.dumps([before, during, snapshot(), events]))
"""


def test_a_whole_life_leaves_nothing_behind(server: DevServer, tmp_path: Any, user: str) -> None:
    before, during, after, events = result_of(run(server, tmp_path, user, LIFE))
    assert events > 0
    assert_same(after, before)
    blocked = during.pop("blocked")
    assert during["threads"] == before["threads"] + 1, "a runtime has one thread"
    assert len(blocked) == 1
    mask = int(blocked[0], 16)
    unblockable = {signal.SIGKILL, signal.SIGSTOP, 32, 33}  # the last two are the C library's own
    faults = {signal.SIGILL, signal.SIGTRAP, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV, signal.SIGSYS}
    unblocked = {number for number in range(1, 65) if not mask >> (number - 1) & 1}
    assert unblocked <= unblockable | faults, "signals of the host may arrive in the library's thread"
    for name in ("signals", "umask", "locale", "environment", "folder", "children", "priority", "alarm", "rounding"):
        assert during[name] == before[name]


def test_failures_leave_nothing_behind(server: DevServer, tmp_path: Any, user: str) -> None:
    server.fault("/pa/v3/status", "close_after_read")
    child = run(
        server,
        tmp_path,
        user,
        """
        lib = load()
        store = new_store(lib)
        before = snapshot()
        runtime = new_runtime(lib)
        client = new_client(lib, runtime, store)
        for _ in range(10):
            task = start(lib, lib.mtoken_client_synchronize_time, client)
            assert lib.mtoken_task_wait(task, 30000) == 0
            assert lib.mtoken_task_result(task) == _c.MTOKEN_ERROR_NETWORK
            lib.mtoken_task_free(task)
        lib.mtoken_client_free(client)
        lib.mtoken_runtime_free(runtime)
        print(json.dumps([before, snapshot()]))
        """,
    )
    before, after = result_of(child)
    assert_same(after, before)


def test_the_binding_ends_in_peace(server: DevServer, tmp_path: Any, user: str) -> None:
    """The Python package frees what the program forgot, also with a host store and a task under way."""
    server.fault("/pa/v3/status", "hang")
    script = """
        import os, sys, mtoken

        class Backend(dict):
            def load(self, name): return self.get(name)
            def save(self, name, data): self[name] = data
            def remove(self, name): self.pop(name, None)

        facts = json.loads(sys.argv[1])
        runtime = mtoken.Runtime(events=mtoken.Events.ALL)
        client = mtoken.Client(runtime, "c", configuration=facts["configuration"], base_url=facts["url"],
                               ca_file=facts["ca"], store=mtoken.Store.host(Backend()))
        task = client.start_synchronize_time()
        assert not task.wait(0.2)
        pid = os.fork()
        if pid == 0:
            sys.exit(0)
        assert os.waitpid(pid, 0)[1] == 0
        cycle = [runtime, client, task]
        cycle.append(cycle)
        print(json.dumps(True))
    """
    facts = json.dumps({"configuration": server.configuration, "url": server.url, "ca": server.ca_file})
    child = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import json\n" + textwrap.dedent(script), facts],
        env={**os.environ, "PYTHONPATH": CHILD_PATH},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result_of(child) is True
