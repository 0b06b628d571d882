# SPDX-License-Identifier: Apache-2.0
"""Activates a device and approves its operations, with a copy of mtoken/abi.py beside this file and nothing else."""

# The copy stands beside the program only when it runs.
# mypy: ignore-errors

import sys
from ctypes import CDLL, POINTER, byref, c_uint8

import abi

lib = CDLL("libmtoken.so.1")
abi.declare(lib)


def call(function, *arguments):
    error = POINTER(abi.mtoken_error)()
    if function(*arguments, byref(error)) != abi.MTOKEN_OK:
        sys.exit(error.contents.message.decode())


def make(kind, function, *arguments):
    made = POINTER(kind)()
    call(function, *arguments, byref(made))
    return made


def ask(function, *arguments):
    task = make(abi.mtoken_task, function, *arguments)
    call(lib.mtoken_task_join, task, abi.MTOKEN_FOREVER)
    return task


url, ca_file, configuration, code, pin = (argument.encode() for argument in sys.argv[1:])
place = abi.new_options(abi.mtoken_client_options)
place.store = make(abi.mtoken_store, lib.mtoken_store_memory_new)
for name, text in {"id": b"alice", "configuration": configuration, "base_url": url, "ca_file": ca_file}.items():
    setattr(place, name, abi.mtoken_text(text, len(text)))
client = make(abi.mtoken_client, lib.mtoken_client_new, make(abi.mtoken_runtime, lib.mtoken_runtime_new, None), place)
activation = abi.new_options(abi.mtoken_activation_options)
activation.code = abi.mtoken_text(code, len(code))
ask(lib.mtoken_client_activate, client, activation)
auth = abi.new_options(abi.mtoken_auth)
auth.pin = abi.mtoken_bytes((c_uint8 * len(pin)).from_buffer_copy(pin), len(pin))
call(lib.mtoken_client_persist, client, auth)
task = ask(lib.mtoken_operations_list, client)
found = lib.mtoken_task_operations(task).contents
for operation in found.operations[: found.count]:
    ask(lib.mtoken_operations_authorize, client, operation, auth, None)
    print("approved:", operation.contents.title.decode())
