"""The work of README.md over mtoken.cdef.h and cffi, without any layer above it: what the ctypes package is compared with."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any, List, Optional

from bench import figure, measure, settings
from cffi import FFI

ffi = FFI()
ffi.cdef((Path(__file__).resolve().parents[3] / "build/generated/mtoken.cdef.h").read_text(encoding="utf-8"))
lib: Any = ffi.dlopen(os.environ["MTOKEN_LIBRARY"])


def must(status: int) -> None:
    if status != lib.MTOKEN_OK:
        raise RuntimeError(ffi.string(lib.mtoken_error_name(status)).decode())


class Options:
    """An option struct, and what its members point at."""

    def __init__(self, name: str):
        self.struct = ffi.new(f"{name} *", {"struct_size": ffi.sizeof(name)})
        self.held: List[Any] = []

    def data(self, member: str, content: bytes) -> None:
        held = ffi.from_buffer(content)
        self.held.append(held)
        part = getattr(self.struct, member)
        part.data, part.length = ffi.cast(ffi.typeof(part.data), held), len(content)


def text(pointer: Any) -> Optional[str]:
    return ffi.string(pointer).decode("utf-8") if pointer else None


def parsed(payload: bytes) -> Any:
    out = ffi.new("mtoken_qr_operation **")
    must(lib.mtoken_qr_operation_parse(payload, len(payload), ffi.NULL, out, ffi.NULL))
    return out[0]


def members(struct: Any) -> List[Any]:
    """All members, read."""
    found: List[Any] = []
    for name, field in ffi.typeof(struct).item.fields:
        value = getattr(struct, name)
        found.append(text(value) if field.type.cname == "char *" else value)
    return found


def qr_struct(payload: bytes) -> List[Any]:
    operation = parsed(payload)
    data = operation.signed_fields
    found = [members(operation), members(data), *(members(data.fields[i]) for i in range(data.field_count))]
    found.append(ffi.buffer(operation.nonce_bytes, 16)[:])
    found.append(ffi.buffer(operation.signature_bytes, operation.signature_bytes_length)[:])
    found.append([text(operation.extras[i]) for i in range(operation.extra_count)])
    lib.mtoken_qr_operation_free(operation)
    return found


def qr_text(payload: bytes) -> Optional[str]:
    operation = parsed(payload)
    title = text(operation.title)
    lib.mtoken_qr_operation_free(operation)
    return title


def join(task: Any) -> None:
    must(lib.mtoken_task_join(task, lib.MTOKEN_FOREVER, ffi.NULL))


def activated(runtime: Any, store: Any) -> Any:
    given = settings()
    options, client, task = Options("mtoken_client_options"), ffi.new("mtoken_client **"), ffi.new("mtoken_task **")
    for member, value in (("id", "bench"), ("configuration", given["CONFIGURATION"]), ("base_url", given["URL"])):
        options.data(member, value.encode())
    options.data("ca_file", given["CA"].encode())
    options.struct.tls_trust, options.struct.store = lib.MTOKEN_TLS_CA, store
    must(lib.mtoken_client_new(runtime, options.struct, client, ffi.NULL))
    activation, auth = Options("mtoken_activation_options"), Options("mtoken_auth")
    activation.data("code", given["CODE"].encode())
    must(lib.mtoken_client_activate(client[0], activation.struct, task, ffi.NULL))
    join(task[0])
    lib.mtoken_task_free(task[0])
    auth.data("pin", b"1234")
    must(lib.mtoken_client_persist(client[0], auth.struct, ffi.NULL))
    must(lib.mtoken_client_fetch_status(client[0], task, ffi.NULL))
    join(task[0])
    lib.mtoken_task_free(task[0])
    return client[0]


def lists(client: Any) -> None:
    import time

    count, best = int(os.environ.get("MTOKEN_BENCH_LISTS", "1000")), 0.0
    options, apart, task = Options("mtoken_call_options"), ffi.new("mtoken_client **"), ffi.new("mtoken_task **")
    options.struct.timeout_ms = 30000
    must(lib.mtoken_client_with_options(client, options.struct, apart, ffi.NULL))
    for _ in range(3):
        start, tasks = time.process_time_ns(), []
        for _ in range(count):
            must(lib.mtoken_operations_list(apart[0], task, ffi.NULL))
            tasks.append(task[0])
        for item in tasks:
            join(item)
            assert lib.mtoken_task_operations(item).count == 0
            lib.mtoken_task_free(item)
        taken = (time.process_time_ns() - start) / count
        best = min(best or taken, taken)
    figure("lists", best)


def main() -> None:
    payload, message = settings()["PAYLOAD"].encode(), os.environ["MTOKEN_BENCH_SIGNED"].encode()
    signature, body = base64.b64decode(os.environ["MTOKEN_BENCH_SIGNATURE"]), b"a" * 300
    runtime, store = ffi.new("mtoken_runtime **"), ffi.new("mtoken_store **")
    must(lib.mtoken_runtime_new(ffi.NULL, runtime, ffi.NULL))
    must(lib.mtoken_store_memory_new(store, ffi.NULL))
    client = activated(runtime[0], store[0])

    def verify() -> None:
        options, valid = Options("mtoken_verify_options"), ffi.new("mtoken_bool *")
        options.data("signed_bytes", message)
        options.data("signature", signature)
        must(lib.mtoken_client_verify(client, options.struct, valid, ffi.NULL))
        assert valid[0]

    def sign() -> None:
        options, auth, header = Options("mtoken_sign_options"), Options("mtoken_auth"), ffi.new("mtoken_header **")
        auth.struct.factors = lib.MTOKEN_FACTOR_POSSESSION
        for member, value in (("method", b"POST"), ("uri_id", b"/test/signed"), ("body", body)):
            options.data(member, value)
        must(lib.mtoken_client_sign(client, options.struct, auth.struct, header, ffi.NULL))
        text(header[0].value)
        lib.mtoken_header_free(header[0])
        must(lib.mtoken_client_signature_accepted(client, ffi.NULL))

    lists(client)
    measure("call", lib.mtoken_abi_version)
    measure("qr_text", lambda: qr_text(payload))
    measure("qr_struct", lambda: qr_struct(payload))
    measure("verify", verify)
    measure("sign", sign)
    lib.mtoken_client_free(client)
    lib.mtoken_runtime_free(runtime[0])


if __name__ == "__main__":
    main()
