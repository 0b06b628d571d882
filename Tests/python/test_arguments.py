"""Bad input to every C function, generated from the prototypes: a defined error, cleared results, and no crash."""

from __future__ import annotations

import ctypes
import gc
from ctypes import POINTER, byref, c_char, c_char_p, cast, pointer, sizeof
from typing import Any, Callable, Dict, Iterator, List, Tuple

import mtoken
import pytest
import raw
from conftest import Device, DeviceFactory
from devserver import DevServer
from mtoken import _c
from mtoken._library import lib
from raw import HANDLES, HEADER, OPTIONS, World, handle_type, invoke, is_out, is_text

ARGUMENT, HANDLE, OK = _c.MTOKEN_ERROR_ARGUMENT, _c.MTOKEN_ERROR_HANDLE, _c.MTOKEN_OK
FUNCTIONS = list(HEADER.functions.values())
PURE_DATA_FREES = {
    "mtoken_text_free",
    "mtoken_error_free",
    "mtoken_client_info_free",
    "mtoken_header_free",
    "mtoken_activation_code_free",
    "mtoken_bytes_free",
    "mtoken_operation_fields_free",
    "mtoken_qr_operation_free",
    "mtoken_pac_free",
    "mtoken_push_message_free",
    "mtoken_mobile_auth_request_free",
    "mtoken_operations_info_free",
    "mtoken_watched_list_free",
    "mtoken_event_free",
    "mtoken_event_take_challenge",
    "mtoken_runtime_info_free",
    "mtoken_store_list_free",
    "mtoken_visual_free",
    "mtoken_json_value_free",
}

INVALID_HANDLE_RESULTS = {
    "mtoken_runtime_fd": -1,
    "mtoken_task_get_state": -1,
    "mtoken_token_is_stored": 0,
    "mtoken_task_already_confirmed": -1,
    "mtoken_push_is_registered": 0,
    "mtoken_task_inbox_count": -1,
    "mtoken_operations_is_loading": -1,
    "mtoken_operations_get_attached": 0,
    "mtoken_operations_get_polling": -1,
    "mtoken_mobile_token_data_remove": 0,
}
"""What functions that return a number answer for an invalid handle."""

PERSISTING = {"mtoken_client_persist", "mtoken_client_activate", "mtoken_client_cancel_activation"}
DESTRUCTIVE = {
    "mtoken_client_remove_local",
    "mtoken_client_remove",
    "mtoken_token_forget",
    "mtoken_challenge_deny",
}

PAYLOAD = b"id\ntitle\nmessage\nA1\nB\n" + b"A" * 22 + b"==\n0" + b"A" * 88

GENERATOR = bytes.fromhex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
"""The X coordinate of a point of the curve, which is also the shared secret with the private key 1."""


def qr_operation(payload: bytes) -> Any:
    """An offline operation that was not verified, as a struct of the host's."""
    operation = _c.mtoken_qr_operation()
    operation.payload, operation.payload_length = cast(c_char_p(payload), POINTER(c_char)), len(payload)
    return pointer(operation)


@pytest.fixture
def runtime() -> Iterator[mtoken.Runtime]:
    with mtoken.Runtime(events=mtoken.Events.ALL) as runtime:
        yield runtime


def open_challenge(runtime: mtoken.Runtime, device: Device) -> Any:
    """The handle of a challenge that waits for its answer."""
    device.client.mobile_auth.handle(device.new_operation().id)
    while True:
        event = ctypes.POINTER(_c.mtoken_event)()
        assert lib.mtoken_runtime_next_event(runtime.pointer, 10_000, byref(event), None) == OK
        challenge = lib.mtoken_event_take_challenge(event)
        lib.mtoken_event_free(event)
        if challenge:
            return challenge


@pytest.fixture
def world(server: DevServer, runtime: mtoken.Runtime, device: Device, make_device: DeviceFactory) -> Iterator[World]:
    """A device with an operation, a completed task, an event, and good values for every parameter."""
    device.new_operation()
    task = device.client.operations.start_list()
    task.wait()
    event = ctypes.POINTER(_c.mtoken_event)()
    assert lib.mtoken_runtime_next_event(runtime.pointer, 1000, byref(event), None) == OK
    operations = lib.mtoken_task_operations(task._handle.pointer)
    client_options = _c.new_options(_c.mtoken_client_options)
    client_options.id = raw.text(b"another")
    client_options.configuration = raw.text(server.configuration.encode())
    client_options.base_url = raw.text(server.url.encode())
    client_options.store = device.store.pointer
    client_options.tls_trust = _c.MTOKEN_TLS_CA
    client_options.ca_file = raw.text(server.ca_file.encode())
    activation_options = _c.new_options(_c.mtoken_activation_options)
    activation_options.code = raw.text(b"MMMMM-MMMMM-MMMMM-MUTOA")
    encrypt_options = _c.new_options(_c.mtoken_encrypt_options)
    encrypt_options.scope = _c.MTOKEN_SCOPE_APPLICATION
    push_options = _c.new_options(_c.mtoken_push_options)
    push_options.platform = _c.MTOKEN_PUSH_PLATFORM_FCM
    push_options.token = raw.text(b"token")
    call_options = _c.new_options(_c.mtoken_call_options)
    sign_options = _c.new_options(_c.mtoken_sign_options)
    sign_options.method, sign_options.uri_id, sign_options.body = raw.text(b"POST"), raw.text(b"/x"), raw.data(b"{}")
    offline_options = _c.new_options(_c.mtoken_sign_offline_options)
    offline_options.uri_id, offline_options.nonce = raw.text(b"/x"), raw.data(bytes(16))
    verify_options = _c.new_options(_c.mtoken_verify_options)
    verify_options.signed_bytes, verify_options.signature = raw.data(b"data"), raw.data(b"0000")
    token_options = _c.new_options(_c.mtoken_token_options)
    token_options.name = raw.text(b"token")
    operation_options = _c.new_options(_c.mtoken_operation_options)
    operation_options.id = raw.text(operations.contents.operations[0].contents.id)
    operation_options.operation_data = raw.text(b"A1")
    ecdsa_options = _c.new_options(_c.mtoken_ecdsa_verify_options)
    ecdsa_options.public_key = raw.data(b"\3" + GENERATOR)
    ecdsa_options.signed_bytes, ecdsa_options.signature = raw.data(b"data"), raw.data(b"0000")
    mobile_auth_options = _c.new_options(_c.mtoken_mobile_auth_options)
    mobile_auth_options.authenticator = raw.text(b"unregistered")  # so that no handling begins
    host = _c.new_options(_c.mtoken_host_store)
    host.load = _c.load_function(lambda context, name, reply: _c.MTOKEN_ERROR_NOT_FOUND)
    host.save = _c.save_function(lambda context, name, data, length: OK)
    host.remove = _c.remove_function(lambda context, name: OK)
    oidc_options = new_oidc_options()
    url_options = _c.new_options(_c.mtoken_oidc_url_options)
    url_options.request = pointer(oidc_options)
    url_options.nonce, url_options.state, url_options.challenge = raw.text(b"n"), raw.text(b"s"), raw.text(b"c")
    listen_options = new_oidc_options(b"http://127.0.0.1/back")
    discover_options = new_oidc_options()
    discover_options.issuer = raw.text(b"https://127.0.0.1:1")
    auth = raw.new_auth()
    path = device.server.log.parent / "arguments"
    values: Dict[str, Any] = {
        "mtoken_constant_value.name": b"OK",
        "mtoken_constant_value.name_length": 2,
        "mtoken_store_directory_new.path": str(path).encode(),
        "mtoken_store_directory_new.path_length": len(str(path)),
        "index": 0,
        "code": 0,
        "character": 65,
        "timeout_ms": 0,
        "user_data": None,
        "options": None,
        "mtoken_client_new.options": lambda: pointer(client_options),
        "mtoken_client_with_options.options": lambda: pointer(call_options),
        "mtoken_error_is_operation_over.error": None,
        "mtoken_client_sign.options": lambda: pointer(sign_options),
        "mtoken_client_sign_offline.options": lambda: pointer(offline_options),
        "mtoken_client_verify.options": lambda: pointer(verify_options),
        "mtoken_token_fetch_header.options": lambda: pointer(token_options),
        "mtoken_operations_authorize_data.operation": lambda: pointer(operation_options),
        "mtoken_ecdsa_verify.options": lambda: pointer(ecdsa_options),
        "mtoken_client_activate.options": lambda: pointer(activation_options),
        "mtoken_oidc_prepare.options": lambda: pointer(oidc_options),
        "mtoken_oidc_authorization_url.options": lambda: pointer(url_options),
        "mtoken_oidc_listen.options": lambda: pointer(listen_options),
        "mtoken_oidc_discover.options": lambda: pointer(discover_options),
        "byte_count": 32,
        "mtoken_client_encrypt.options": lambda: pointer(encrypt_options),
        "form": 0,
        "received": 0,
        "scope": _c.MTOKEN_SCOPE_APPLICATION,
        "mtoken_push_register.options": lambda: pointer(push_options),
        "mtoken_mobile_auth_handle.options": lambda: pointer(mobile_auth_options),
        "mtoken_mobile_auth_handle_push.options": lambda: pointer(mobile_auth_options),
        "error": 0,
        "page": 0,
        "page_size": 10,
        "limit": 0,
        "only_unread": 0,
        "host": lambda: pointer(host),
        "reply": None,
        "auth": lambda: pointer(auth),
        "operation": operations.contents.operations[0],
        "mtoken_qr_authorize.operation": cast(qr_operation(PAYLOAD), ctypes.POINTER(_c.mtoken_qr_operation)),
        "mtoken_qr_authorize.options": lambda: pointer(unverified),
        "version": 65,
        "template_id": 1,
        "fields": None,
        "field_count": 0,
        "source": _c.MTOKEN_PROXIMITY_QR_CODE,
        "pac": None,
        "list": None,
        "time": 0,
        "step_s": 0,
        "digits": 0,
        "hash": 0,
        "mtoken_qr_operation_build.options": lambda: pointer(build_options),
        "mtoken_pac_build.options": lambda: pointer(pac_options),
        "items": None,
        "count": 0,
        "own_clock": 0,
        "offset_ms": 0,
    }
    build_options = _c.new_options(_c.mtoken_qr_build_options)
    build_options.id, build_options.operation_data = raw.text(b"id"), raw.text(b"A1")
    build_options.private_key = raw.data(b"k" * 32)
    pac_options = _c.new_options(_c.mtoken_pac_build_options)
    pac_options.operation_id, pac_options.totp = raw.text(b"id"), raw.text(b"12345678")
    pac_options.link, pac_options.form = raw.text(b"mtoken://operation"), _c.MTOKEN_PAC_DEEPLINK
    unverified = _c.new_options(_c.mtoken_qr_authorize_options)
    unverified.allow_unverified = 1
    texts = {
        "query": b"a=1",
        "text": b"MMMMM-MMMMM-MMMMM-MUTOA",
        "name": b"token",
        "id": operations.contents.operations[0].contents.id,
        "reason": b"UNKNOWN",
        "callback": b"mtoken://oidc?code=x&state=x",
        "verifier": b"v" * 43,
        "provider_id": b"bank",
        "authenticator": b"card",
        "claims": b"{}",
        "mtoken_recovery_confirm.code": b"MMMMM-MMMMM-MMMMM-MUTOA",
        "initial": b"{}",
        "key": b"key",
        "json": b'{"a":[1]}',
        "path": b"/a/0",
        "screen": b"screen",
        "action": b"BACK",
        "mtoken_qr_operation_parse.payload": PAYLOAD,
        "mtoken_pac_parse.code": b"mtoken://operation?oid=a",
        "mtoken_qr_code_group.code": b"12345678-12345678",
        "payload": b"{}",
        "language": b"cs",
        "transaction_id": b"1",
        "custom_info": b"info",
        "target_id": b"copy",
        "mtoken_challenge_proximity.otp": b"12345678",
        "mtoken_challenge_custom.info": b"info",
    }
    for name, value in texts.items():
        values[name], values[f"{name}_length"] = value, len(value)
    values["bytes"], values["bytes_length"] = raw.bytes_pointer(b"data"), 4
    for function, name in (
        ("mtoken_mobile_auth_register_authenticator", "key"),
        ("mtoken_challenge_pin", "pin"),
        ("mtoken_challenge_biometric", "key"),
        ("mtoken_challenge_custom", "key"),
    ):
        values[f"{function}.{name}"], values[f"{function}.{name}_length"] = raw.bytes_pointer(b"x" * 16), 16
    keys = {"private_key": bytes(31) + b"\1", "public_key": b"\3" + GENERATOR, "mtoken_hmac_sha256.key": b"key"}
    for name, value in keys.items():
        values[name], values[f"{name}_length"] = raw.bytes_pointer(value), len(value)
    secrets = {"pin": b"1234", "old_pin": b"1234", "new_pin": b"5678", "answer": b"{}"}
    secrets |= {"mtoken_client_import_upstream.state": b"PA", "possession_key": bytes(range(16))}
    for name, value in secrets.items():
        values[name], values[f"{name}_length"] = raw.bytes_pointer(value), len(value)
    for function in ("add_biometry", "set_external_key", "add_external_key"):
        name = f"mtoken_client_{function}.key"
        values[name], values[f"{name}_length"] = raw.bytes_pointer(bytes(range(16))), 16
    name = "mtoken_client_encrypt.body"
    values[name], values[f"{name}_length"] = raw.bytes_pointer(b"data"), 4
    values["tag"], values["names"] = 7, None
    values["seed"], values["seed_length"] = raw.bytes_pointer(b"seed"), 4
    values["mtoken_store_reply_set.data"], values["length"] = raw.bytes_pointer(b"x"), 1
    watcher, data, recorder = mtoken.Watcher(device.client), mtoken.TokenData(), mtoken.Recorder(device.client)
    asked = make_device("asked")
    handles = {
        "mtoken_runtime": runtime.pointer,
        "mtoken_client": device.client.pointer,
        "mtoken_store": device.store.pointer,
        "mtoken_task": task._handle.pointer,
        "mtoken_oidc_request": new_oidc_request(),
        "mtoken_watcher": watcher._handle.pointer,
        "mtoken_mobile_token_data": data._handle.pointer,
        "mtoken_recorder": recorder.pointer,
        "mtoken_challenge": open_challenge(runtime, asked),
    }
    world = World(handles, operations, values)
    world.keep = [client_options, activation_options, encrypt_options, push_options, host]  # type: ignore[attr-defined]
    world.keep += [mobile_auth_options]  # type: ignore[attr-defined]
    world.keep += [auth, task, watcher]  # type: ignore[attr-defined]
    world.keep += [data, recorder, call_options]  # type: ignore[attr-defined]
    world.keep += [sign_options, offline_options, verify_options, token_options]  # type: ignore[attr-defined]
    world.keep += [operation_options, ecdsa_options, oidc_options, url_options]  # type: ignore[attr-defined]
    yield world
    lib.mtoken_event_free(event)
    lib.mtoken_challenge_free(handles["mtoken_challenge"])
    lib.mtoken_oidc_request_free(handles["mtoken_oidc_request"])


def new_oidc_options(redirect_uri: bytes = b"mtoken://oidc") -> Any:
    options = _c.new_options(_c.mtoken_oidc_options)
    options.provider_id = raw.text(b"p")
    options.client_id = raw.text(b"c")
    options.scopes = raw.text(b"openid")
    options.authorize_uri = raw.text(b"https://idp.example/authorize")
    options.redirect_uri = raw.text(redirect_uri)
    return options


def new_oidc_request() -> Any:
    request = _c.oidc_request_handle()
    assert lib.mtoken_oidc_prepare(byref(new_oidc_options()), byref(request), None) == OK
    return request


def test_every_function_is_known(world: World) -> None:
    """New functions in the header need values here."""
    for function in FUNCTIONS:
        if function.name not in PURE_DATA_FREES:
            world.arguments(function)


# Handles


def invalid_handles(world: World, kind: str) -> List[Tuple[str, Any]]:
    """NULL, handles of other kinds, numbers that are no handles, and one that was freed."""
    pointer_type: Any = getattr(_c, kind.removeprefix("mtoken_") + "_handle")
    gc.collect()  # a task of an earlier test that still lives could have one of the numbers
    found: List[Tuple[str, Any]] = [("NULL", pointer_type())]
    for other, handle in world.handles.items():
        if other != kind:
            found.append((f"a {other}", cast(handle, pointer_type)))
    address = cast(world.handles[kind], ctypes.c_void_p).value or 0
    memory = ctypes.create_string_buffer(256)
    numbers = [1, 8, 0x1000, 2**31, 2**63, 2**64 - 1, ctypes.addressof(memory)]
    # Not the next slots of the table, which objects of other tests may hold.
    numbers += [(address + step) % 2**64 for step in (2**21, 2**22, 2**30, 2**44, 2**48)]
    numbers += [address ^ (1 << bit) for bit in (20, 22, 31, 43, 44, 47, 48, 51, 52, 53, 60, 63)]
    living = {cast(handle, ctypes.c_void_p).value for handle in world.handles.values()}
    found += [(hex(number), cast(number, pointer_type)) for number in numbers if number not in living]
    store = _c.store_handle()
    if kind == "mtoken_store":
        assert lib.mtoken_store_memory_new(byref(store), None) == OK
        lib.mtoken_store_free(store)
        found.append(("freed", store))
    return found


@pytest.mark.parametrize("function", [item for item in FUNCTIONS if any(map(handle_type, item.parameters))], ids=str)
def test_invalid_handles(world: World, function: Any) -> None:
    position = next(index for index, parameter in enumerate(function.parameters) if handle_type(parameter))
    kind = handle_type(function.parameters[position])
    assert kind is not None
    for name, handle in invalid_handles(world, kind):
        arguments = world.arguments(function)
        arguments[position] = handle
        result = invoke(function, arguments)
        check_invalid_handle(function, result, name)
    still_alive(world)


def check_invalid_handle(function: Any, result: raw.Result, name: str) -> None:
    if str(function.result) == "void":
        return
    if str(function.result) == "mtoken_status":
        result.assert_failed(HANDLE)
    elif function.result.pointers:
        assert not result.value, f"{function} answered {result.value} for {name}"
    else:
        assert result.value == INVALID_HANDLE_RESULTS[function.name], f"{function} for {name}"


def still_alive(world: World) -> None:
    """Nothing of the world was harmed."""
    assert lib.mtoken_runtime_fd(world.handles["mtoken_runtime"]) >= 0
    info = ctypes.POINTER(_c.mtoken_client_info)()
    assert lib.mtoken_client_get_info(world.handles["mtoken_client"], byref(info), None) == OK
    assert info.contents.state == _c.MTOKEN_CLIENT_ACTIVE
    lib.mtoken_client_info_free(info)
    assert lib.mtoken_task_get_state(world.handles["mtoken_task"]) == _c.MTOKEN_TASK_SUCCEEDED


FREES = {kind: HEADER.functions[f"{kind}_free"] for kind in HANDLES}


@pytest.mark.parametrize("kind", HANDLES)
def test_freed_handles(server: DevServer, make_device: DeviceFactory, kind: str) -> None:
    """After _free every function that takes such a handle refuses it, also a second _free."""
    runtime = mtoken.Runtime(events=mtoken.Events.ALL)
    device = make_device(runtime=runtime)
    task = device.client.operations.start_list()
    task.wait()
    event = ctypes.POINTER(_c.mtoken_event)()
    assert lib.mtoken_runtime_next_event(runtime.pointer, 1000, byref(event), None) == OK
    handles = {
        "mtoken_runtime": runtime.pointer,
        "mtoken_client": device.client.pointer,
        "mtoken_store": device.store.pointer,
        "mtoken_task": task._handle.pointer,
        "mtoken_oidc_request": new_oidc_request(),
        "mtoken_watcher": mtoken.Watcher(device.client)._handle.pointer,
        "mtoken_mobile_token_data": mtoken.TokenData()._handle.pointer,
        "mtoken_recorder": mtoken.Recorder(device.client).pointer,
        "mtoken_challenge": open_challenge(runtime, device),
    }
    freed = handles[kind]
    getattr(lib, f"{kind}_free")(freed)
    for function in FUNCTIONS:
        position = next((i for i, item in enumerate(function.parameters) if handle_type(item) == kind), None)
        if position is None:
            continue
        arguments: List[Any] = []
        for parameter in function.parameters:
            if is_out(parameter):
                arguments.append(raw.out_argument(function, parameter))
            elif handle_type(parameter):
                arguments.append(handles[str(handle_type(parameter))])
            else:
                arguments.append(zero(function, function.parameters.index(parameter)))
        result = invoke(function, arguments)
        if str(function.result) == "mtoken_status":
            assert result.value in (HANDLE, ARGUMENT), f"{function} of a freed handle: {result.value}"
        else:
            check_invalid_handle(function, result, "freed")
    lib.mtoken_event_free(event)
    lib.mtoken_oidc_request_free(handles["mtoken_oidc_request"])
    device.client.close()
    runtime.close()


def zero(function: Any, index: int) -> Any:
    """NULL or 0 for a parameter."""
    kind = getattr(lib, function.name).argtypes[index]
    return 0 if kind in (ctypes.c_size_t, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint32) else None


def test_free_of_null() -> None:
    for function in FUNCTIONS:
        if function.name.endswith("_free"):
            getattr(lib, function.name)(None)


def test_a_store_reply_outside_of_load(server: DevServer, runtime: mtoken.Runtime) -> None:
    """One that is none, and one that was: the call that it belonged to has returned."""
    seen: List[int] = []

    def load(context: Any, name: Any, reply: Any) -> int:
        seen.append(cast(reply, ctypes.c_void_p).value or 0)
        return int(_c.MTOKEN_ERROR_NOT_FOUND)

    host = _c.new_options(_c.mtoken_host_store)
    host.load = _c.load_function(load)
    host.save = _c.save_function(lambda context, name, data, length: OK)
    host.remove = _c.remove_function(lambda context, name: OK)
    store, client, options = _c.store_handle(), _c.client_handle(), _c.new_options(_c.mtoken_client_options)
    assert lib.mtoken_store_host_new(byref(host), byref(store), None) == OK
    options.id, options.store = raw.text(b"late"), store
    options.configuration, options.base_url = raw.text(server.configuration.encode()), raw.text(b"https://127.0.0.1:1")
    assert lib.mtoken_client_new(runtime.pointer, byref(options), byref(client), None) == OK
    assert seen and all(2**52 <= number < 2**53 for number in seen)
    foreign = cast(store, ctypes.c_void_p).value
    for number in [*seen, 0, 1, 8, foreign, 2**53, 2**64 - 1]:
        reply = cast(number, ctypes.POINTER(_c.mtoken_store_reply))
        assert lib.mtoken_store_reply_set(reply, raw.bytes_pointer(b"x"), 1) == HANDLE
    lib.mtoken_client_free(client)
    lib.mtoken_store_free(store)


def test_handles_are_numbers_that_a_double_holds(world: World) -> None:
    for kind, handle in world.handles.items():
        number = cast(handle, ctypes.c_void_p).value or 0
        assert 2**52 <= number < 2**53 and int(float(number)) == number, kind


def test_names_outside_of_list() -> None:
    assert lib.mtoken_store_names_add(None, b"a.state", 7) == HANDLE


# Missing arguments


@pytest.mark.parametrize(
    "function",
    [item for item in FUNCTIONS if str(item.result) == "mtoken_status" and item.name not in DESTRUCTIVE],
    ids=str,
)
def test_missing_out_parameters(world: World, function: Any) -> None:
    """A result that nobody takes is refused; details of an error may always be left out."""
    for position, parameter in enumerate(function.parameters):
        if not is_out(parameter):
            continue
        arguments = world.arguments(function)
        arguments[position] = None
        result = invoke(function, arguments)
        if parameter.name == "out_error":
            result.release()
        elif function.name in PERSISTING:
            assert result.value != OK
        else:
            result.assert_failed(ARGUMENT)
    still_alive(world)


REQUIRED = [
    ("mtoken_client_new", "options"),
    ("mtoken_client_activate", "options"),
    ("mtoken_store_host_new", "host"),
    ("mtoken_client_persist", "auth"),
    ("mtoken_client_remove", "auth"),
    ("mtoken_client_sign", "options"),
    ("mtoken_client_sign", "auth"),
    ("mtoken_client_sign_offline", "options"),
    ("mtoken_client_sign_offline", "auth"),
    ("mtoken_client_verify", "options"),
    ("mtoken_client_add_biometry", "auth"),
    ("mtoken_vault_fetch_key", "auth"),
    ("mtoken_vault_sign", "auth"),
    ("mtoken_vault_sign_jwt", "auth"),
    ("mtoken_recovery_fetch", "auth"),
    ("mtoken_recovery_confirm", "auth"),
    ("mtoken_client_encrypt", "options"),
    ("mtoken_token_create", "auth"),
    ("mtoken_token_fetch_header", "options"),
    ("mtoken_token_fetch_header", "auth"),
    ("mtoken_operations_history", "auth"),
    ("mtoken_operations_authorize", "auth"),
    ("mtoken_operations_authorize", "operation"),
    ("mtoken_operations_authorize_data", "auth"),
    ("mtoken_operations_authorize_data", "operation"),
    ("mtoken_ecdsa_verify", "options"),
    ("mtoken_oidc_prepare", "options"),
    ("mtoken_oidc_authorization_url", "options"),
    ("mtoken_oidc_listen", "options"),
    ("mtoken_qr_authorize", "operation"),
    ("mtoken_qr_operation_build", "options"),
    ("mtoken_pac_build", "options"),
    ("mtoken_qr_authorize", "auth"),
    ("mtoken_oidc_discover", "options"),
    ("mtoken_push_register", "options"),
]


@pytest.mark.parametrize(("name", "parameter"), REQUIRED)
def test_missing_structs(world: World, name: str, parameter: str) -> None:
    function = HEADER.functions[name]
    arguments = world.arguments(function)
    arguments[[item.name for item in function.parameters].index(parameter)] = None
    result = invoke(function, arguments)
    if name in PERSISTING:
        assert result.value != OK
    else:
        result.assert_failed(ARGUMENT)
    still_alive(world)


def test_missing_functions_of_a_host_store(world: World) -> None:
    function = HEADER.functions["mtoken_store_host_new"]
    for member, kind in (("load", _c.load_function), ("save", _c.save_function), ("remove", _c.remove_function)):
        arguments = world.arguments(function)
        host = arguments[0].contents
        kept = getattr(host, member)
        setattr(host, member, kind())
        invoke(function, arguments).assert_failed(ARGUMENT)
        setattr(host, member, kept)


# Texts


def text_parameters() -> Iterator[Any]:
    for function in FUNCTIONS:
        for index in range(len(function.parameters)):
            # Names of items are only taken within a host's function: see the C tests of stores.
            if is_text(function, index) and function.name != "mtoken_store_names_add":
                yield pytest.param(function, index, id=f"{function.name}-{function.parameters[index].name}")


@pytest.mark.parametrize(("function", "position"), list(text_parameters()))
def test_bad_texts(world: World, function: Any, position: int) -> None:
    for name, data, length in raw.bad_texts():
        if name == "null without end" and (function.name, function.parameters[position].name) in MAY_BE_NULL:
            continue
        arguments = world.arguments(function)
        arguments[position], arguments[position + 1] = data, length
        result = invoke(function, arguments)
        if function.name in PREDICATES:
            assert result.value == 0, name
        else:
            assert result.value != OK, f"{function.name} took {name}"
            result.assert_failed(ARGUMENT)
    still_alive(world)


PREDICATES = {
    "mtoken_token_is_stored",
    "mtoken_operations_get_attached",
    "mtoken_mobile_token_data_remove",
    "mtoken_recovery_code_is_valid",
    "mtoken_recovery_puk_is_valid",
}
"""Functions that answer 0 for whatever is wrong."""
MAY_BE_NULL = {
    ("mtoken_challenge_deny", "reason"),
    ("mtoken_token_forget", "name"),
    ("mtoken_client_add_biometry", "authenticator"),
    ("mtoken_client_remove_biometry", "authenticator"),
    ("mtoken_mobile_token_data_new", "initial"),
}
NULL_IS_FINE = {
    ("mtoken_challenge_deny", "reason"),
    ("mtoken_client_add_biometry", "authenticator"),
    ("mtoken_token_forget", "name"),
}
EMPTY_IS_FINE = {
    ("mtoken_canonical_query", "query"),
    ("mtoken_mobile_token_data_new", "initial"),
    ("mtoken_client_set_language", "language"),
    ("mtoken_mobile_token_data_put", "key"),
    ("mtoken_mobile_token_data_put_text", "key"),
    ("mtoken_mobile_token_data_put_text", "text"),
    ("mtoken_json_find", "path"),
    ("mtoken_recorder_begin", "screen"),
    ("mtoken_recorder_end", "screen"),
    ("mtoken_recorder_end", "action"),
}
EMPTY_ERRORS = (ARGUMENT, _c.MTOKEN_ERROR_PARSE, _c.MTOKEN_ERROR_NOT_FOUND, _c.MTOKEN_ERROR_UNSUPPORTED)


@pytest.mark.parametrize(("function", "position"), list(text_parameters()))
def test_empty_texts(world: World, function: Any, position: int) -> None:
    parameter = function.parameters[position].name
    for data in (None, b""):
        if (function.name, parameter) in NULL_IS_FINE and data is None:
            continue  # means all tokens, or the unnamed authenticator
        arguments = world.arguments(function)
        arguments[position], arguments[position + 1] = data, 0
        result = invoke(function, arguments)
        if (function.name, parameter) in EMPTY_IS_FINE:
            assert result.value in (OK, ARGUMENT, _c.MTOKEN_ERROR_PARSE)
            result.release()
        elif function.name in PREDICATES:
            assert result.value == 0
        else:
            result.assert_failed(*EMPTY_ERRORS)
    still_alive(world)


@pytest.mark.parametrize(("function", "position"), list(text_parameters()))
def test_nul_terminated_texts(world: World, function: Any, position: int) -> None:
    """The same text with and without its length gives the same result."""
    if function.name in DESTRUCTIVE:
        return
    with_length = world.arguments(function)
    first = invoke(function, with_length)
    without = world.arguments(function)
    without[position + 1] = _c.MTOKEN_NUL_TERMINATED
    second = invoke(function, without)
    assert first.value == second.value
    first.release()
    second.release()


def bytes_parameters() -> Iterator[Any]:
    for function in FUNCTIONS:
        for index, parameter in enumerate(function.parameters):
            if str(parameter.type) == "const uint8_t *" and function.name != "mtoken_store_reply_set":
                yield pytest.param(function, index, id=f"{function.name}-{parameter.name}")


@pytest.mark.parametrize(("function", "position"), list(bytes_parameters()))
def test_null_bytes_with_a_length(world: World, function: Any, position: int) -> None:
    for length in (1, 16, 2**63, 2**64 - 1):
        arguments = world.arguments(function)
        arguments[position], arguments[position + 1] = None, length
        invoke(function, arguments).assert_failed(ARGUMENT)
    still_alive(world)


@pytest.mark.parametrize(("function", "position"), list(bytes_parameters()))
def test_impossible_lengths_of_bytes(world: World, function: Any, position: int) -> None:
    for length in (2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1):
        arguments = world.arguments(function)
        arguments[position + 1] = length
        invoke(function, arguments).assert_failed(ARGUMENT)
    still_alive(world)


# Options

USES: Dict[str, Tuple[str, str]] = {
    "mtoken_runtime_options": ("mtoken_runtime_new", "options"),
    "mtoken_host_store": ("mtoken_store_host_new", "host"),
    "mtoken_client_options": ("mtoken_client_new", "options"),
    "mtoken_auth": ("mtoken_client_sign", "auth"),
    "mtoken_activation_options": ("mtoken_client_activate", "options"),
    "mtoken_oidc_options": ("mtoken_oidc_prepare", "options"),
    "mtoken_authorize_options": ("mtoken_operations_authorize", "options"),
    "mtoken_encrypt_options": ("mtoken_client_encrypt", "options"),
    "mtoken_qr_build_options": ("mtoken_qr_operation_build", "options"),
    "mtoken_pac_options": ("mtoken_pac_parse", "options"),
    "mtoken_pac_build_options": ("mtoken_pac_build", "options"),
    "mtoken_qr_options": ("mtoken_qr_operation_parse", "options"),
    "mtoken_qr_authorize_options": ("mtoken_qr_authorize", "options"),
    "mtoken_push_options": ("mtoken_push_register", "options"),
    "mtoken_call_options": ("mtoken_client_with_options", "options"),
    "mtoken_mobile_auth_options": ("mtoken_mobile_auth_handle", "options"),
    "mtoken_wait_options": ("mtoken_client_wait_active", "options"),
    "mtoken_polling_options": ("mtoken_operations_start_polling", "options"),
    "mtoken_sign_options": ("mtoken_client_sign", "options"),
    "mtoken_sign_offline_options": ("mtoken_client_sign_offline", "options"),
    "mtoken_verify_options": ("mtoken_client_verify", "options"),
    "mtoken_token_options": ("mtoken_token_fetch_header", "options"),
    "mtoken_operation_options": ("mtoken_operations_authorize_data", "operation"),
    "mtoken_reject_options": ("mtoken_operations_reject", "options"),
    "mtoken_ecdsa_verify_options": ("mtoken_ecdsa_verify", "options"),
    "mtoken_oidc_url_options": ("mtoken_oidc_authorization_url", "options"),
}


def call_with(world: World, kind: str, change: Callable[[Any], None], room: int = 0) -> raw.Result:
    """Calls a function that takes options of a kind, after `change` was applied to good ones. `room`: bytes behind."""
    name, parameter = USES[kind]
    function = HEADER.functions[name]
    struct = getattr(_c, kind)
    arguments = world.arguments(function)
    position = [item.name for item in function.parameters].index(parameter)
    good = arguments[position]
    memory = ctypes.create_string_buffer(sizeof(struct) + room)
    copy = struct.from_buffer(memory)
    ctypes.memmove(memory, good if good else byref(_c.new_options(struct)), sizeof(struct))
    change(copy)
    arguments[position] = ctypes.pointer(copy)
    result = invoke(function, arguments)
    del arguments
    return result


def fresh_client(world: World, make_client: Any) -> None:
    """Lets functions of a client without an activation have one."""
    world.handles["mtoken_client"] = make_client("empty").pointer


@pytest.mark.parametrize("kind", OPTIONS)
def test_every_option_struct_is_known(kind: str) -> None:
    assert kind in USES


@pytest.mark.parametrize("kind", USES)
def test_wrong_struct_sizes(world: World, make_client: Any, kind: str) -> None:
    if kind == "mtoken_activation_options":
        fresh_client(world, make_client)
    size = sizeof(getattr(_c, kind))
    for wrong in (0, 1, 4, 7, 8, size - 8, size - 1, 2**32, 2**63, 2**64 - 1):

        def change(options: Any, wrong: int = wrong) -> None:
            options.struct_size = wrong

        result = call_with(world, kind, change)
        assert result.value == ARGUMENT, f"struct_size {wrong} of {kind}: {result.value}"
        result.assert_failed(ARGUMENT)


@pytest.mark.parametrize("kind", USES)
def test_options_of_a_later_version(world: World, make_client: Any, kind: str) -> None:
    """More members than this version knows: fine while they are zero, refused otherwise."""
    if kind == "mtoken_activation_options":
        fresh_client(world, make_client)
    if kind == "mtoken_mobile_auth_options":
        world.values["mtoken_mobile_auth_handle.options"] = None
    size = sizeof(getattr(_c, kind))

    def grow(options: Any) -> None:
        options.struct_size = size + 32

    def use(options: Any) -> None:
        options.struct_size = size + 32
        ctypes.memset(ctypes.addressof(options) + size + 31, 1, 1)

    call_with(world, kind, use, room=32).assert_failed(ARGUMENT)
    result = call_with(world, kind, grow, room=32)
    assert result.value == OK
    result.release()


def option_texts() -> Iterator[Any]:
    for kind in OPTIONS:
        for member in HEADER.structs[kind].members:
            if str(member.type) == "mtoken_text":
                yield pytest.param(kind, member.name, id=f"{kind}-{member.name}")


@pytest.mark.parametrize(("kind", "member"), list(option_texts()))
def test_bad_texts_in_options(world: World, make_client: Any, kind: str, member: str) -> None:
    if kind == "mtoken_activation_options":
        fresh_client(world, make_client)
    for name, data, length in raw.bad_texts():
        if name == "null without end":
            continue  # MTOKEN_TEXT(NULL): not given

        def change(options: Any, data: Any = data, length: int = length) -> None:
            item = getattr(options, member)
            item.data, item.length = data, length

        result = call_with(world, kind, change)
        assert result.value != OK, f"{member} of {kind} took {name}"
        assert result.value == ARGUMENT, f"{member} of {kind}, {name}: {result.value}"
        result.assert_failed(ARGUMENT)


def option_bytes() -> Iterator[Any]:
    for kind in OPTIONS:
        for member in HEADER.structs[kind].members:
            if str(member.type) == "mtoken_bytes":
                yield pytest.param(kind, member.name, id=f"{kind}-{member.name}")


@pytest.mark.parametrize(("kind", "member"), list(option_bytes()))
def test_bad_bytes_in_options(world: World, kind: str, member: str) -> None:
    for data, length in ((None, 16), (None, 2**64 - 1), (b"x", 2**63 - 1), (b"x", 2**64 - 1)):

        def change(options: Any, data: Any = data, length: int = length) -> None:
            item = getattr(options, member)
            if data is None:
                item.data = None
            else:
                item.data = raw.bytes_pointer(data)
            item.length = length

        call_with(world, kind, change).assert_failed(ARGUMENT)


REQUIRED_MEMBERS = [
    ("mtoken_sign_options", "method"),
    ("mtoken_sign_options", "uri_id"),
    ("mtoken_sign_offline_options", "uri_id"),
    ("mtoken_sign_offline_options", "nonce"),
    ("mtoken_verify_options", "signature"),
    ("mtoken_token_options", "name"),
    ("mtoken_operation_options", "id"),
    ("mtoken_operation_options", "operation_data"),
    ("mtoken_ecdsa_verify_options", "public_key"),
    ("mtoken_ecdsa_verify_options", "signature"),
    ("mtoken_oidc_url_options", "request"),
    ("mtoken_oidc_url_options", "nonce"),
    ("mtoken_oidc_url_options", "state"),
]


@pytest.mark.parametrize(("kind", "member"), REQUIRED_MEMBERS)
def test_members_that_are_required(world: World, kind: str, member: str) -> None:
    def clear(options: Any) -> None:
        setattr(options, member, type(getattr(options, member))())

    call_with(world, kind, clear).assert_failed(ARGUMENT)


def option_numbers() -> Iterator[Any]:
    for kind in OPTIONS:
        for member in HEADER.structs[kind].members:
            resolved = HEADER.resolve(str(member.type))
            if resolved in ("int32_t", "int64_t"):
                yield pytest.param(kind, member.name, 63 if resolved == "int64_t" else 31, id=f"{kind}-{member.name}")


BIG_NUMBERS = {"timeout_ms", "events"}
"""Members for which every positive number is one: long times, all events."""


@pytest.mark.parametrize(("kind", "member", "bits"), list(option_numbers()))
def test_numbers_out_of_range(world: World, kind: str, member: str, bits: int) -> None:
    for number in (-(2**bits), -2, 2**bits - 1):
        if member in BIG_NUMBERS and number > 0:
            continue

        def change(options: Any, number: int = number) -> None:
            setattr(options, member, number)

        result = call_with(world, kind, change)
        result.assert_failed(ARGUMENT, _c.MTOKEN_ERROR_FACTOR, _c.MTOKEN_ERROR_CONFIGURATION)


LAST_TIME = 253402300799999
"""The end of the year 9999, in milliseconds since the epoch."""

OUT_OF_RANGE: Dict[str, Tuple[int, ...]] = {
    "timeout_ms": (-2, -1000),
    "component_length": (-1, 1, 3, 9),
    "form": (-1, 2, 99),
    "scope": (-1, 0, 3, 99),
    "byte_count": (0, 31, 97, 2**63 - 1, 2**63, 2**64 - 1),
    "mtoken_oidc_random.byte_count": (2**63 - 1, 2**63, 2**64 - 1),
    "mtoken_random_bytes.length": (2**24 + 1, 2**63 - 1, 2**63, 2**64 - 1),
    "version": (-1, 0, 64, 91, 99),
    "template_id": (-1, 100),
    "field_count": (1, 65, 2**63 - 1, 2**63, 2**64 - 1),
    "source": (-1, 0, 3, 99),
    "time": (-1, LAST_TIME + 1),
    "step_s": (-1, -30),
    "digits": (-1, 1, 5, 10),
    "hash": (-1, 2, 99),
    "page": (-1,),
    "page_size": (-1, 1001),
    "mtoken_inbox_list_page.page_size": (-1, 0, 1001),
    "limit": (-1,),
    "only_unread": (-1, 2, 7),
    "received": (-1, LAST_TIME + 1),
    "count": (1, 2**63 - 1, 2**63, 2**64 - 1),
    "own_clock": (-1, 2, 99),
    "offset_ms": (-LAST_TIME - 1, LAST_TIME + 1),
}
"""Values of plain numbers among the parameters that mean nothing; the extremes of their type are tried too."""

ANY_NUMBER = {"index", "code", "error", "character", "tag"}
"""Parameters for which every number is a question that has an answer."""

EXTREMES_THAT_ARE_FINE = {"timeout_ms": 2**63 - 1, "step_s": 2**31 - 1, "page": 2**31 - 1, "limit": 2**31 - 1}


def plain_numbers() -> Iterator[Any]:
    for function in FUNCTIONS:
        for index, parameter in enumerate(function.parameters):
            bits = {"int32_t": 31, "int64_t": 63, "uint32_t": 32, "uint64_t": 64, "size_t": 64}.get(
                HEADER.resolve(str(parameter.type))
            )
            if bits is None or parameter.name.endswith("_length") or parameter.name in ANY_NUMBER:
                continue
            if parameter.name == "length" and function.name != "mtoken_random_bytes":
                continue
            yield pytest.param(function, index, bits, id=f"{function.name}-{parameter.name}")


@pytest.mark.parametrize(("function", "position", "bits"), list(plain_numbers()))
def test_arguments_out_of_range(world: World, function: Any, position: int, bits: int) -> None:
    """Nothing is rounded, cut, or taken for a yes."""
    name = function.parameters[position].name
    numbers = set(OUT_OF_RANGE.get(f"{function.name}.{name}", ()) or OUT_OF_RANGE[name])
    if bits % 2:  # signed
        numbers |= {-(2**bits), 2**bits - 1}
    numbers -= {EXTREMES_THAT_ARE_FINE.get(name)}
    for number in sorted(numbers):
        arguments = world.arguments(function)
        arguments[position] = number
        result = invoke(function, arguments)
        assert result.value == ARGUMENT, f"{function} took {name} {number}: {result.value}"
        result.assert_failed(ARGUMENT)
    still_alive(world)


def test_invalid_stores_in_options(world: World) -> None:
    for name, store in invalid_handles(world, "mtoken_store"):

        def change(options: Any, store: Any = store) -> None:
            options.store = store

        result = call_with(world, "mtoken_client_options", change)
        assert result.value in (HANDLE, ARGUMENT), name
        result.assert_failed(HANDLE, ARGUMENT)


@pytest.mark.parametrize("count", [1, 2**32, 2**63, 2**64 - 1])
def test_pins_that_are_not_there(world: World, count: int) -> None:
    def change(options: Any) -> None:
        options.pin_count = count

    call_with(world, "mtoken_client_options", change).assert_failed(ARGUMENT)


def test_more_pins_than_sense(world: World) -> None:
    pins = (_c.mtoken_tls_pin * 1)()
    pins[0].sha256 = raw.text(b"A" * 43 + b"=")

    def change(options: Any) -> None:
        options.pins = cast(pins, ctypes.POINTER(_c.mtoken_tls_pin))
        options.pin_count = 2**62

    call_with(world, "mtoken_client_options", change).assert_failed(ARGUMENT)


def test_bad_texts_in_pins(world: World) -> None:
    pins = (_c.mtoken_tls_pin * 1)()
    for _, data, length in raw.bad_texts():
        pins[0].sha256.data, pins[0].sha256.length = data, length

        def change(options: Any) -> None:
            options.pins = cast(pins, ctypes.POINTER(_c.mtoken_tls_pin))
            options.pin_count = 1

        call_with(world, "mtoken_client_options", change).assert_failed(ARGUMENT, _c.MTOKEN_ERROR_CONFIGURATION)


def test_bad_identity_attributes(world: World, make_client: Any) -> None:
    fresh_client(world, make_client)
    attributes = (_c.mtoken_identity_attribute * 1)()

    def change(options: Any, count: int = 1) -> None:
        options.code = _c.mtoken_text()
        options.identity = cast(attributes, ctypes.POINTER(_c.mtoken_identity_attribute))
        options.identity_count = count

    for member in ("name", "value"):
        for _, data, length in raw.bad_texts():
            attributes[0].name, attributes[0].value = raw.text(b"name"), raw.text(b"value")
            setattr(attributes[0], member, _c.mtoken_text(data, length))
            call_with(world, "mtoken_activation_options", change).assert_failed(ARGUMENT)
    for count in (65, 2**32, 2**63, 2**64 - 1):
        call_with(
            world, "mtoken_activation_options", lambda options, count=count: change(options, count)
        ).assert_failed(ARGUMENT)

    def missing(options: Any) -> None:
        options.code, options.identity_count = _c.mtoken_text(), 1

    call_with(world, "mtoken_activation_options", missing).assert_failed(ARGUMENT)


# Numbers


@pytest.mark.parametrize("timeout", [-(2**63), -2, 2**63 - 1])
def test_odd_timeouts(world: World, timeout: int) -> None:
    """A negative span other than FOREVER is an error or means not to wait; a huge one does not overflow."""
    status = lib.mtoken_task_wait(world.handles["mtoken_task"], timeout)
    assert status in (OK, ARGUMENT)


def test_constants() -> None:
    value = ctypes.c_int64(7)
    assert lib.mtoken_constant_value(b"NO_SUCH_THING", 13, byref(value)) == _c.MTOKEN_ERROR_NOT_FOUND
    assert value.value == 0
    assert lib.mtoken_constant_value(b"ERROR_TIMEOUT", 13, byref(value)) == OK and value.value == 7
    assert lib.mtoken_constant_at(0, None) is not None
    for index in (10_000, 2**63, 2**64 - 1):
        assert lib.mtoken_constant_at(index, None) is None


def test_names_of_unknown_codes() -> None:
    for code in (-1, 29, 1000, 2**31 - 1, -(2**31)):
        assert lib.mtoken_error_name(code) is None and lib.mtoken_error_description(code) is None


@pytest.mark.parametrize("character", [0, 0x7F, 0xD800, 0x10FFFF, 0x110000, 2**32 - 1])
def test_characters_that_are_none(character: int) -> None:
    assert lib.mtoken_activation_code_correct(character) == 0


def test_user_data(world: World) -> None:
    task = world.handles["mtoken_task"]
    assert lib.mtoken_task_user_data(task) is None
    assert lib.mtoken_task_set_user_data(task, 0xFFFFFFFFFFFFFFFF) == OK
    assert lib.mtoken_task_user_data(task) == 0xFFFFFFFFFFFFFFFF


def test_results_of_other_kinds(world: World) -> None:
    """The typed getters answer NULL for a task of another kind."""
    task = world.handles["mtoken_task"]
    assert lib.mtoken_task_operations(task)
    assert not lib.mtoken_task_operation(task)
    assert not lib.mtoken_task_activation(task)
    assert not lib.mtoken_task_activation_status(task)
    assert not lib.mtoken_task_bytes(task)
    assert not lib.mtoken_task_recovery(task)
    assert not lib.mtoken_task_user_info(task)
    assert not lib.mtoken_task_encrypted_request(task)
    assert lib.mtoken_task_already_confirmed(task) == -1
    assert lib.mtoken_task_give_turn(task) == _c.MTOKEN_ERROR_STATE
    assert not lib.mtoken_task_inbox_list(task)
    assert not lib.mtoken_task_inbox_message(task)
    assert not lib.mtoken_task_mobile_auth_list(task)
    assert not lib.mtoken_task_mobile_auth(task)
    assert lib.mtoken_task_inbox_count(task) == -1
    assert not lib.mtoken_task_error(task)


def test_check_factors_needs_an_operation(world: World) -> None:
    options = _c.new_options(_c.mtoken_authorize_options)
    options.check_factors = 1
    function = HEADER.functions["mtoken_operations_authorize_data"]
    arguments = world.arguments(function)
    arguments[[item.name for item in function.parameters].index("options")] = pointer(options)
    invoke(function, arguments).assert_failed(ARGUMENT)
