"""After use no PIN, factor key or shared secret is found in the memory of the process, searched from outside."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
from typing import Any, Dict, List

import pytest
from devserver import DevServer
from test_good_guest import child_command

MARKER = "a text of the program, which must be found: 6b1f0c"
SIZES = {"pin": 24, "new": 24, "wrong": 24, "biometry": 16, "card": 16, "external": 16}

# The secrets come through a pipe into memory that Python does not know of, and are wiped there as a host would do it.
SCRIPT = """
marker = bytearray(facts["marker"], "ascii")
POINTER8 = ctypes.POINTER(ctypes.c_uint8)
secrets = {}
for name, size in facts["sizes"].items():
    secrets[name] = (ctypes.c_uint8 * size)()
    assert libc.read(0, secrets[name], size) == size

def place(name):
    return ctypes.cast(secrets[name], POINTER8), len(secrets[name])

def auth(pin=None, biometry=None, authenticator=None):
    made = _c.new_options(_c.mtoken_auth)
    if pin:
        made.pin.data, made.pin.length = place(pin)
    if biometry:
        made.biometry_key.data, made.biometry_key.length = place(biometry)
    if authenticator:
        made.authenticator = text(authenticator)
    return made

def sign(how):
    header = ctypes.POINTER(_c.mtoken_header)()
    assert lib.mtoken_client_sign(client, byref(signed()), byref(how), byref(header), None) == 0
    lib.mtoken_header_free(header)

def ended(function, *arguments):
    task = start(lib, function, client, *arguments)
    assert lib.mtoken_task_wait(task, 30000) == 0
    result = lib.mtoken_task_result(task)
    lib.mtoken_task_free(task)
    return result

lib = load()
runtime, store = new_runtime(lib), new_store(lib)
client = new_client(lib, runtime, store)
options = _c.new_options(_c.mtoken_activation_options)
options.code = text(facts["code"])
finish(lib, start(lib, lib.mtoken_client_activate, client, byref(options)))
assert lib.mtoken_client_persist(client, byref(auth("pin", "biometry")), None) == 0
# The window is known before the host signs much on its own.
finish(lib, start(lib, lib.mtoken_client_fetch_status, client))
for _ in range(3):
    sign(auth("pin")), sign(auth(biometry="biometry")), sign(auth("pin", "biometry"))
results = [
    ended(lib.mtoken_client_validate_pin, *place("pin")),
    ended(lib.mtoken_client_validate_pin, *place("wrong")),
    ended(lib.mtoken_client_fetch_status),
    ended(lib.mtoken_operations_list),
    ended(lib.mtoken_operations_history, byref(auth("pin"))),
    ended(lib.mtoken_token_create, b"t", 1, byref(auth("pin"))),
    ended(lib.mtoken_client_add_biometry, *place("card"), b"card", 4, byref(auth("pin"))),
    ended(lib.mtoken_vault_fetch_key, 42, byref(auth("pin"))),
    ended(lib.mtoken_vault_sign, *place("pin")[:0], None, 0, 0, byref(auth("pin"))),
    ended(lib.mtoken_client_change_pin, *place("pin"), *place("new")),
    ended(lib.mtoken_client_validate_pin, *place("new")),
]
sign(auth(biometry="card", authenticator="card"))
assert lib.mtoken_client_add_external_key(client, *place("external"), None) == 0
sign(auth("new"))
assert lib.mtoken_client_remove_external_key(client, None) == 0
assert lib.mtoken_client_change_pin_unsafe(client, *place("new"), *place("pin"), None) == 0
sign(auth("pin"))
for secret in secrets.values():
    ctypes.memset(secret, 0, len(secret))
event = ctypes.POINTER(_c.mtoken_event)()
while lib.mtoken_runtime_next_event(runtime, 0, byref(event), None) == 0:
    lib.mtoken_event_free(event)
sys.stdout.write(json.dumps(results) + "\\n")
sys.stdout.flush()
buffer = ctypes.create_string_buffer(1)
libc.read(0, buffer, 1)
lib.mtoken_client_free(client)
lib.mtoken_runtime_free(runtime)
lib.mtoken_store_free(store)
sys.stdout.write("freed\\n")
sys.stdout.flush()
libc.read(0, buffer, 1)
"""


def memory_of(pid: int) -> List[bytes]:
    """All memory that a process can write to."""
    found = []
    with open(f"/proc/{pid}/maps", encoding="ascii") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            match = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if match is None or "[vvar" in line:
                continue
            begin, end = (int(group, 16) for group in match.groups())
            memory.seek(begin)
            try:
                found.append(memory.read(end - begin))
            except OSError:
                continue  # a guard page, or memory of a device
    return found


def needles(secrets: Dict[str, bytes], keys: Dict[str, str]) -> Dict[str, bytes]:
    """What must not be found: what the user knows, and what follows from the key agreement."""
    derived = {f"key {name}": base64.b64decode(value) for name, value in keys.items()}
    return {**{f"the user's {name}": value for name, value in secrets.items()}, **derived}


def test_no_secret_stays_in_memory(server: DevServer, tmp_path: Any, user: str) -> None:
    secrets = {name: os.urandom(size) for name, size in SIZES.items()}
    for name in ("pin", "new", "wrong"):  # PINs are texts
        secrets[name] = base64.b64encode(secrets[name])[: SIZES[name]]
    created = server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")
    command = child_command(server, tmp_path, SCRIPT, code=created["activationCode"], marker=MARKER, sizes=SIZES)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdin is not None and child.stdout is not None
        for secret in secrets.values():
            child.stdin.write(secret)
        results = json.loads(child.stdout.readline())
        assert results == [0, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0], "the calls did not do what they are scanned for"
        keys = server.admin("GET", f"/activations/{created['activationId']}/keys")
        wanted = needles(secrets, keys)
        assert len(wanted) == len(SIZES) + 8
        try:
            in_use = memory_of(child.pid)
        except PermissionError:
            child.kill()
            pytest.skip("the memory of a child process may not be read here")
        child.stdin.write(b"x")
        assert child.stdout.readline() == b"freed\n"
        afterwards = memory_of(child.pid)
        child.stdin.close()
        assert child.wait(30) == 0
    for moment, memory in (("in use", in_use), ("freed", afterwards)):
        assert any(MARKER.encode() in part for part in memory), "the search finds nothing at all"
        found = [name for name, needle in wanted.items() if any(needle in part for part in memory)]
        assert found == [], f"found in memory while the client is {moment}"
