"""Handles made, used and freed by many threads at once: defined results and no crash, in a process of its own."""

from __future__ import annotations

from typing import Any

from devserver import DevServer
from test_good_guest import result_of, run

STRESS = """
import random, time

lib = load()
runtime, store = new_runtime(lib), new_store(lib)
client = new_client(lib, runtime, store)
activate(lib, client)
memory = _c.store_handle()
assert lib.mtoken_store_memory_new(byref(memory), None) == 0
shared = {"task": _c.task_handle(), "client": client, "other": _c.client_handle(), "event": ctypes.POINTER(_c.mtoken_event)()}
allowed = {_c.MTOKEN_OK, _c.MTOKEN_ERROR_HANDLE, _c.MTOKEN_ERROR_TIMEOUT, _c.MTOKEN_ERROR_BUSY,
           _c.MTOKEN_ERROR_CANCELLED, _c.MTOKEN_ERROR_STATE, _c.MTOKEN_ERROR_NOT_ACTIVATED}
failures, done = [], []
possession = _c.new_options(_c.mtoken_auth)
possession.factors = _c.MTOKEN_FACTOR_POSSESSION

def begin(function):
    task = _c.task_handle()
    status = function(byref(task))
    if status == _c.MTOKEN_OK:
        old, shared["task"] = shared["task"], task
        lib.mtoken_task_free(old)  # perhaps for the second time
    return status

def use_tasks():
    task = shared["task"]
    lib.mtoken_task_get_state(task)
    lib.mtoken_task_set_user_data(task, 1)
    lib.mtoken_task_cancel(task)
    lib.mtoken_task_wait(task, 1)
    return lib.mtoken_task_result(task) if random.random() < 0.5 else _c.MTOKEN_OK

def use_events():
    event = ctypes.POINTER(_c.mtoken_event)()
    status = lib.mtoken_runtime_next_event(runtime, 1, byref(event), None)
    if status == _c.MTOKEN_OK:
        lib.mtoken_task_get_state(event.contents.task)
        lib.mtoken_client_reset_time(event.contents.client, None)
        lib.mtoken_event_free(event)
    return status

def use_clients():
    other = shared["other"]
    info = ctypes.POINTER(_c.mtoken_client_info)()
    if lib.mtoken_client_get_info(other, byref(info), None) == 0:
        lib.mtoken_client_info_free(info)
    lib.mtoken_client_free(other)
    options = _c.new_options(_c.mtoken_client_options)
    options.id, options.configuration = text(f"c{random.randrange(3)}"), text(facts["configuration"])
    options.base_url, options.store = text(facts["url"]), memory
    made = _c.client_handle()
    status = lib.mtoken_client_new(runtime, byref(options), byref(made), None)
    if status == _c.MTOKEN_OK:
        old, shared["other"] = shared["other"], made
        lib.mtoken_client_free(old)
    return status

def sign():
    header = ctypes.POINTER(_c.mtoken_header)()
    status = lib.mtoken_client_sign(client, byref(signed()), byref(possession), byref(header), None)
    lib.mtoken_header_free(header)
    return status

actions = [
    lambda: begin(lambda out: lib.mtoken_operations_list(client, out, None)),
    lambda: begin(lambda out: lib.mtoken_client_synchronize_time(shared["other"], out, None)),
    lambda: begin(lambda out: lib.mtoken_client_fetch_status(client, out, None)),
    use_tasks, use_tasks, use_events, use_clients, sign,
]
NAMES = ["list", "time", "status", "task", "task", "event", "client", "sign"]

def work(seed):
    chosen = random.Random(seed)
    for _ in range(400):
        index = chosen.randrange(len(actions))
        status = actions[index]()
        if status not in allowed and not (NAMES[index] == "task" and status in range(26)):
            failures.append([NAMES[index], status])
    done.append(seed)

threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for handle in (shared["other"], client):
    lib.mtoken_client_free(handle)
lib.mtoken_task_free(shared["task"])
lib.mtoken_runtime_free(runtime)
lib.mtoken_store_free(store)
lib.mtoken_store_free(memory)
print(json.dumps([len(done), failures[:20]]))
"""


def test_handles_in_many_threads(server: DevServer, tmp_path: Any, user: str) -> None:
    assert result_of(run(server, tmp_path, user, STRESS)) == [6, []]


FREEING = """
lib = load()
store = new_store(lib)
outcomes = set()
for _ in range(30):
    runtime = new_runtime(lib)
    client = new_client(lib, runtime, store)
    ready = threading.Barrier(5)

    def call():
        ready.wait()
        while True:
            task = _c.task_handle()
            status = lib.mtoken_client_synchronize_time(client, byref(task), None)
            if status != _c.MTOKEN_OK:
                outcomes.add(status)
                return
            lib.mtoken_task_wait(task, _c.MTOKEN_FOREVER)
            lib.mtoken_task_free(task)

    def read():
        ready.wait()
        while True:
            event = ctypes.POINTER(_c.mtoken_event)()
            status = lib.mtoken_runtime_next_event(runtime, _c.MTOKEN_FOREVER, byref(event), None)
            if status != _c.MTOKEN_OK:
                outcomes.add(status)
                return
            lib.mtoken_event_free(event)

    threads = [threading.Thread(target=target) for target in (call, call, read, read)]
    for thread in threads:
        thread.start()
    ready.wait()
    lib.mtoken_runtime_free(runtime)
    for thread in threads:
        thread.join()
    lib.mtoken_client_free(client)
print(json.dumps(sorted(outcomes)))
"""


def test_a_runtime_is_freed_while_others_use_it(server: DevServer, tmp_path: Any, user: str) -> None:
    """Everybody who waits is woken, and every later call is refused."""
    outcomes = result_of(run(server, tmp_path, user, FREEING))
    assert set(outcomes) <= {2, 3, 6}, "only HANDLE, STATE and CANCELLED are expected"
