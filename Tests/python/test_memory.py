"""Nothing that is given back stays in memory: bytes in use are counted around many calls, in a process of its own."""

from __future__ import annotations

from typing import Any

import pytest
from devserver import DevServer
from test_good_guest import result_of, run

MEASURE = """
import gc

class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd",
                                                     "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]

libc.mallinfo2.restype = Mallinfo

def in_use():
    gc.collect()
    info = libc.mallinfo2()
    return info.uordblks + info.hblkhd

def life(action, times):
    # in a runtime of its own, whose connections end with it
    global runtime, client
    runtime = new_runtime(lib)
    client = new_client(lib, runtime, store)
    for _ in range(times):
        action()
    drain()
    lib.mtoken_client_free(client)
    lib.mtoken_runtime_free(runtime)
    return in_use()

def grown(action, times):
    life(action, times // 4)
    before = life(action, 5)
    return life(action, times) - before

def drain():
    event = ctypes.POINTER(_c.mtoken_event)()
    while lib.mtoken_runtime_next_event(runtime, 0, byref(event), None) == 0:
        lib.mtoken_event_free(event)

def pin(text=b"1234"):
    auth = _c.new_options(_c.mtoken_auth)
    auth.pin.data, auth.pin.length = ctypes.cast(ctypes.c_char_p(text), ctypes.POINTER(ctypes.c_uint8)), len(text)
    return auth

lib = load()
store, runtime = new_store(lib), new_runtime(lib)
client = new_client(lib, runtime, store)
activate(lib, client)
# The window is known: no status is asked for while signatures are called accepted that no server has seen.
finish(lib, start(lib, lib.mtoken_client_fetch_status, client))
drain()
lib.mtoken_client_free(client)
lib.mtoken_runtime_free(runtime)
possession = _c.new_options(_c.mtoken_auth)
possession.factors = _c.MTOKEN_FACTOR_POSSESSION
"""

ONCE = 200_000
"""Bytes that libraries below may take once, e.g. for a TLS session."""

SCENARIOS = {
    "errors": (
        """
        def action():
            code, error = ctypes.POINTER(_c.mtoken_activation_code)(), ctypes.POINTER(_c.mtoken_error)()
            assert lib.mtoken_activation_code_parse(b"nonsense", 8, byref(code), byref(error)) == _c.MTOKEN_ERROR_PARSE
            lib.mtoken_error_free(error)
        """,
        5000,
    ),
    "texts": (
        """
        def action():
            text = ctypes.POINTER(_c.mtoken_text)()
            assert lib.mtoken_canonical_query(b"b=2&a=1", 7, byref(text), None) == 0
            lib.mtoken_text_free(text)
        """,
        5000,
    ),
    "snapshots": (
        """
        def action():
            info = ctypes.POINTER(_c.mtoken_client_info)()
            assert lib.mtoken_client_get_info(client, byref(info), None) == 0
            lib.mtoken_client_info_free(info)
        """,
        5000,
    ),
    "signatures": (
        """
        request = signed()
        def action():
            header = ctypes.POINTER(_c.mtoken_header)()
            assert lib.mtoken_client_sign(client, byref(request), byref(possession), byref(header), None) == 0
            assert lib.mtoken_client_signature_accepted(client, None) == 0  # otherwise there are too many before long
            lib.mtoken_header_free(header)
            drain()
        """,
        800,
    ),
    "clients": (
        """
        memory = _c.store_handle()
        assert lib.mtoken_store_memory_new(byref(memory), None) == 0
        def action():
            lib.mtoken_client_free(new_client(lib, runtime, memory, "other"))
            drain()
        """,
        3000,
    ),
    "runtimes": (
        """
        def action():
            lib.mtoken_runtime_free(new_runtime(lib))
        """,
        1000,
    ),
    "lists": (
        """
        def action():
            task = start(lib, lib.mtoken_operations_list, client)
            assert lib.mtoken_task_wait(task, 30000) == 0 and lib.mtoken_task_operations(task)
            lib.mtoken_task_free(task)
            drain()
        """,
        500,
    ),
    "encrypted requests": (
        """
        options = _c.new_options(_c.mtoken_encrypt_options)
        options.scope = _c.MTOKEN_SCOPE_ACTIVATION
        body = ctypes.cast(ctypes.c_char_p(b"x" * 1000), ctypes.POINTER(ctypes.c_uint8))
        def action():
            task = start(lib, lib.mtoken_client_encrypt, client, body, 1000, byref(options))
            assert lib.mtoken_task_wait(task, 30000) == 0 and lib.mtoken_task_encrypted_request(task)
            data = ctypes.POINTER(_c.mtoken_bytes)()
            assert lib.mtoken_task_decrypt(task, body, 1000, byref(data), None) == _c.MTOKEN_ERROR_PARSE
            lib.mtoken_task_free(task)
            assert lib.mtoken_client_hmac(client, _c.MTOKEN_SCOPE_ACTIVATION, body, 1000, byref(data), None) == 0
            lib.mtoken_bytes_free(data)
            drain()
        """,
        150,
    ),
    "vault and user info": (
        """
        owner = pin()
        def action():
            task = start(lib, lib.mtoken_vault_fetch_key, client, 1, byref(owner))
            assert lib.mtoken_task_wait(task, 30000) == 0 and lib.mtoken_task_bytes(task)
            lib.mtoken_task_free(task)
            task = start(lib, lib.mtoken_client_fetch_user_info, client)
            assert lib.mtoken_task_wait(task, 30000) == 0 and lib.mtoken_task_user_info(task)
            lib.mtoken_task_free(task)
            task = start(lib, lib.mtoken_client_take_turn, client)
            assert lib.mtoken_task_wait(task, 30000) == 0
            lib.mtoken_task_free(task)
            info = ctypes.POINTER(_c.mtoken_client_info)()
            assert lib.mtoken_client_get_info(client, byref(info), None) == 0
            lib.mtoken_client_info_free(info)
            drain()
        """,
        80,
    ),
    "factors": (
        """
        key = ctypes.cast(ctypes.c_char_p(b"k" * 16), ctypes.POINTER(ctypes.c_uint8))
        old = ctypes.cast(ctypes.c_char_p(b"1234"), ctypes.POINTER(ctypes.c_uint8))
        owner = pin()
        def action():
            finish(lib, start(lib, lib.mtoken_client_add_biometry, client, key, 16, b"card", 4, byref(owner)))
            finish(lib, start(lib, lib.mtoken_client_remove_biometry, client, b"card", 4))
            assert lib.mtoken_client_add_external_key(client, key, 16, None) == 0
            assert lib.mtoken_client_remove_external_key(client, None) == 0
            finish(lib, start(lib, lib.mtoken_client_change_pin, client, old, 4, old, 4))
            drain()
        """,
        50,
    ),
    "cancelled tasks": (
        """
        def action():
            task = start(lib, lib.mtoken_client_synchronize_time, client)
            lib.mtoken_task_cancel(task)
            assert lib.mtoken_task_wait(task, 30000) == 0
            lib.mtoken_task_free(task)
            drain()
        """,
        500,
    ),
    "logins": (
        """
        options = _c.new_options(_c.mtoken_oidc_options)
        options.provider_id, options.client_id, options.scopes = text("p"), text("c"), text("openid")
        options.authorize_uri, options.redirect_uri = text("https://idp.example/"), text("mtoken://oidc")
        def action():
            request, error = _c.oidc_request_handle(), ctypes.POINTER(_c.mtoken_error)()
            attributes = ctypes.POINTER(_c.mtoken_oidc_attributes)()
            assert lib.mtoken_oidc_prepare(byref(options), byref(request), None) == 0
            state = lib.mtoken_oidc_request_get_authorization(request).contents.state
            for answer in (b"code=c&state=forged", b"code=c&state=" + state, b"error=e&state=" + state):
                answer = b"mtoken://oidc?" + answer
                lib.mtoken_oidc_process(request, answer, len(answer), byref(attributes), byref(error))
                lib.mtoken_error_free(error)
            lib.mtoken_oidc_request_free(request)
        """,
        2000,
    ),
    "receivers": (
        """
        options = _c.new_options(_c.mtoken_oidc_options)
        options.provider_id, options.client_id, options.scopes = text("p"), text("c"), text("openid")
        options.authorize_uri, options.redirect_uri = text("https://idp.example/"), text("http://127.0.0.1/back")
        def action():
            request, task = _c.oidc_request_handle(), _c.task_handle()
            assert lib.mtoken_oidc_listen(runtime, byref(options), byref(request), byref(task), None) == 0
            lib.mtoken_task_cancel(task)
            assert lib.mtoken_task_wait(task, 30000) == 0
            lib.mtoken_task_free(task)
            lib.mtoken_oidc_request_free(request)
            drain()
        """,
        500,
    ),
    "refused approvals": (
        """
        operation = _c.new_options(_c.mtoken_operation_options)
        operation.id, operation.operation_data = text("no-such-operation"), text("A1")
        def action():
            task = start(lib, lib.mtoken_operations_authorize_data, client, byref(operation), byref(possession), None)
            assert lib.mtoken_task_wait(task, 30000) == 0 and lib.mtoken_task_error(task)
            lib.mtoken_task_free(task)
            drain()
        """,
        500,
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_memory_in_use_does_not_grow(server: DevServer, tmp_path: Any, user: str, name: str) -> None:
    for _ in range(10):
        server.new_operation(userId=user)
    action, times = SCENARIOS[name]
    script = MEASURE + "\n".join(line[8:] for line in action.splitlines())
    script += f"\nprint(json.dumps(grown(action, {times})))\n"
    growth = result_of(run(server, tmp_path, user, script))
    assert growth < 24 * times + ONCE, f"{growth} bytes are left behind by {times} calls"


def test_the_measure_sees_a_leak(server: DevServer, tmp_path: Any, user: str) -> None:
    """Errors that are not freed are seen, or the tests above would prove nothing."""
    action = SCENARIOS["errors"][0].replace("lib.mtoken_error_free(error)", "pass")
    script = MEASURE + "\n".join(line[8:] for line in action.splitlines())
    growth = result_of(run(server, tmp_path, user, script + "\nprint(json.dumps(grown(action, 5000)))\n"))
    assert growth > 50 * 5000 + ONCE
