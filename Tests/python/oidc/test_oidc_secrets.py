"""After a login no state, nonce, verifier or code is found in the memory of the process, searched from outside."""

from __future__ import annotations

import os
import subprocess
import urllib.request
from typing import Any

import pytest
from devserver import DevServer
from test_good_guest import child_command
from test_secrets import MARKER, memory_of

# Python never sees the secrets: they go from the library's memory through pipes, and come back through one.
SCRIPT = """
marker = bytearray(facts["marker"], "ascii")
place = (ctypes.c_uint8 * 4096)()

def tell(address):
    length = libc.strlen(ctypes.c_void_p(address))
    assert libc.write(1, ctypes.c_void_p(address), length) == length and libc.write(1, b"\\n", 1) == 1

def member(struct, name):
    pointer = ctypes.cast(struct, ctypes.POINTER(ctypes.c_void_p * (ctypes.sizeof(struct.contents) // 8))).contents
    return pointer[getattr(type(struct.contents), name).offset // 8]

def hear():
    count = libc.read(0, place, len(place))
    assert count > 0
    return count

lib = load()
runtime = new_runtime(lib)
options = _c.new_options(_c.mtoken_oidc_options)
options.provider_id, options.client_id, options.scopes = text("p"), text("c"), text("openid")
options.authorize_uri, options.redirect_uri = text("https://idp.example/"), text("http://127.0.0.1/back")
request, waiting, task = _c.oidc_request_handle(), _c.oidc_request_handle(), _c.task_handle()
assert lib.mtoken_oidc_prepare(byref(options), byref(request), None) == 0
assert lib.mtoken_oidc_listen(runtime, byref(options), byref(waiting), byref(task), None) == 0
for each in (request, waiting):
    parts = lib.mtoken_oidc_request_get_authorization(each)
    for name in ("redirect_uri", "state", "nonce", "code_verifier"):
        tell(member(parts, name))
attributes, error = ctypes.POINTER(_c.mtoken_oidc_attributes)(), ctypes.POINTER(_c.mtoken_error)()
for expected in (_c.MTOKEN_ERROR_PROTOCOL, 0):  # a forged answer, and the right one
    count = hear()
    status = lib.mtoken_oidc_process(
        request, ctypes.cast(place, ctypes.c_char_p), count, byref(attributes), byref(error))
    assert status == expected, status
    lib.mtoken_error_free(error)
    ctypes.memset(place, 0, len(place))
    assert libc.write(1, b"processed\\n", 10) == 10
tell(member(attributes, "code"))
assert lib.mtoken_task_wait(task, 30000) == 0 and lib.mtoken_task_result(task) == 0
tell(member(lib.mtoken_task_oidc_attributes(task), "code"))
lib.mtoken_task_free(task)
lib.mtoken_oidc_request_free(request)
lib.mtoken_oidc_request_free(waiting)
event = ctypes.POINTER(_c.mtoken_event)()
while lib.mtoken_runtime_next_event(runtime, 0, byref(event), None) == 0:
    lib.mtoken_event_free(event)
assert libc.write(1, b"freed\\n", 6) == 6
libc.read(0, place, 1)
lib.mtoken_runtime_free(runtime)
"""


def test_authorization_request_is_wiped(server: DevServer, tmp_path: Any) -> None:
    command = child_command(server, tmp_path, SCRIPT, marker=MARKER)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdin is not None and child.stdout is not None

        def hear() -> str:
            assert child.stdout is not None
            return child.stdout.readline().decode().strip()

        names = ("redirect", "state", "nonce", "verifier")
        manual, loopback = ({name: hear() for name in names} for _ in range(2))
        codes = [os.urandom(16).hex(), os.urandom(16).hex()]
        for code, state in ((codes[0], "forged"), (codes[0], manual["state"])):
            child.stdin.write(f"{manual['redirect']}?code={code}&state={state}".encode())
            assert hear() == "processed"
        # The browser comes back to the other one.
        with urllib.request.urlopen(f"{loopback['redirect']}?code={codes[1]}&state={loopback['state']}", timeout=30):
            pass
        assert [hear(), hear()] == codes
        assert hear() == "freed"
        try:
            memory = memory_of(child.pid)
        except PermissionError:
            child.kill()
            pytest.skip("the memory of a child process may not be read here")
        child.stdin.write(b"x")
        assert child.wait(30) == 0
    assert any(MARKER.encode() in part for part in memory), "the search finds nothing at all"
    secrets = {f"code {index}": code for index, code in enumerate(codes)}
    for kind, request in (("manual", manual), ("loopback", loopback)):
        secrets.update({f"{kind} {name}": request[name] for name in names[1:]})
    assert len(secrets) == 8
    found = [name for name, secret in secrets.items() if any(secret.encode() in part for part in memory)]
    assert found == []
