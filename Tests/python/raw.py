"""The C functions themselves, for tests of what a binding would never do: arguments generated from the prototypes."""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, c_char_p, c_uint8, cast
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from mtoken import _c
from mtoken._library import lib

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings"))
from generate.model import Field, Function  # noqa: E402
from generate.reader import read  # noqa: E402

HEADER = read(ROOT / "include")
HANDLES = (
    "mtoken_runtime",
    "mtoken_client",
    "mtoken_store",
    "mtoken_task",
    "mtoken_watcher",
    "mtoken_mobile_token_data",
    "mtoken_recorder",
    "mtoken_oidc_request",
    "mtoken_challenge",
)
OPTIONS = [name for name, struct in HEADER.structs.items() if struct.kind == "option"]
GARBAGE = 0x5A5A5A5A5A5A5A50


def handle_type(parameter: Field) -> str | None:
    """The kind of handle that a parameter takes, e.g. "mtoken_client"."""
    return next((kind for kind in HANDLES if str(parameter.type) in (f"{kind} *", f"const {kind} *")), None)


def is_text(function: Function, index: int) -> bool:
    """Whether parameters `index` and `index + 1` are a text and its length."""
    parameters = function.parameters
    return (
        str(parameters[index].type) == "const char *"
        and index + 1 < len(parameters)
        and parameters[index + 1].name == f"{parameters[index].name}_length"
    )


def is_out(parameter: Field) -> bool:
    return parameter.name.startswith("out_")


class World:
    """One living object of each kind, and good values for every parameter."""

    def __init__(self, handles: Dict[str, Any], operation: Any, values: Dict[str, Any]):
        self.handles = handles
        self.operation = operation
        self.values = values

    def arguments(self, function: Function) -> List[Any]:
        """Good arguments for a call, out parameters included: these hold garbage, to see that they are set."""
        arguments: List[Any] = []
        for parameter in function.parameters:
            kind = handle_type(parameter)
            if kind:
                arguments.append(self.handles[kind])
            elif is_out(parameter):
                arguments.append(out_argument(function, parameter))
            else:
                arguments.append(self.value(function, parameter))
        return arguments

    def value(self, function: Function, parameter: Field) -> Any:
        for name in (f"{function.name}.{parameter.name}", parameter.name):
            if name in self.values:
                value = self.values[name]
                return value() if callable(value) else value
        raise LookupError(f"no good value for {parameter.name} of {function.name}")


def out_argument(function: Function, parameter: Field) -> Any:
    """A place for an out value, filled with garbage."""
    index = function.parameters.index(parameter)
    kind = getattr(lib, function.name).argtypes[index]._type_
    if is_pointer(kind):
        return ctypes.pointer(cast(GARBAGE, kind))
    return ctypes.pointer(kind(0x5A5A5A5A))


def is_pointer(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, ctypes._Pointer)


class Result:
    """What a call returned, and what it put in its out parameters."""

    def __init__(self, function: Function, value: Any, outs: Dict[str, Any]):
        self.function = function
        self.value = value
        self.outs = outs
        error = outs.get("out_error")
        self.error_code = None
        if error is not None and error and error.contents:
            self.error_code = error.contents.contents.code
            assert error.contents.contents.message and error.contents.contents.reason
            lib.mtoken_error_free(error.contents)

    def assert_failed(self, *codes: int) -> None:
        """The status is one of these, the error says so too, and every out value is cleared."""
        assert self.value in codes, f"{self.function.name} returned {self.value}, expected one of {codes}"
        if "out_error" in self.outs:
            assert self.error_code == self.value, f"{self.function.name}: error {self.error_code}, status {self.value}"
        for name, out in self.outs.items():
            if name != "out_error" and out:
                assert not is_set(out), f"{self.function.name}: {name} was not cleared"

    def release(self) -> None:
        """Frees what a call made that succeeded after all."""
        for name, out in self.outs.items():
            if name != "out_error" and out and self.value == _c.MTOKEN_OK and is_set(out):
                pointee = type(out.contents)._type_
                free = FREE.get(getattr(pointee, "__name__", ""))
                if free:
                    free(out.contents)


def is_set(out: Any) -> bool:
    value = out.contents
    return bool(value) if is_pointer(type(value)) else value.value != 0


FREE: Dict[str, Any] = {
    "mtoken_runtime": lib.mtoken_runtime_free,
    "mtoken_client": lib.mtoken_client_free,
    "mtoken_store": lib.mtoken_store_free,
    "mtoken_task": lib.mtoken_task_free,
    "mtoken_oidc_request": lib.mtoken_oidc_request_free,
    "mtoken_text": lib.mtoken_text_free,
    "mtoken_header": lib.mtoken_header_free,
    "mtoken_bytes": lib.mtoken_bytes_free,
    "mtoken_client_info": lib.mtoken_client_info_free,
    "mtoken_watcher": lib.mtoken_watcher_free,
    "mtoken_mobile_token_data": lib.mtoken_mobile_token_data_free,
    "mtoken_recorder": lib.mtoken_recorder_free,
    "mtoken_visual": lib.mtoken_visual_free,
    "mtoken_json_value": lib.mtoken_json_value_free,
    "mtoken_operations_info": lib.mtoken_operations_info_free,
    "mtoken_watched_list": lib.mtoken_watched_list_free,
    "mtoken_activation_code": lib.mtoken_activation_code_free,
    "mtoken_operation_fields": lib.mtoken_operation_fields_free,
    "mtoken_qr_operation": lib.mtoken_qr_operation_free,
    "mtoken_pac": lib.mtoken_pac_free,
    "mtoken_push_message": lib.mtoken_push_message_free,
    "mtoken_mobile_auth_request": lib.mtoken_mobile_auth_request_free,
    "mtoken_challenge": lib.mtoken_challenge_free,
}


def invoke(function: Function, arguments: List[Any]) -> Result:
    value = getattr(lib, function.name)(*arguments)
    if is_pointer(type(value)):
        value = cast(value, ctypes.c_void_p).value
    pairs = zip(function.parameters, arguments)
    return Result(function, value, {parameter.name: argument for parameter, argument in pairs if is_out(parameter)})


# Bad texts

INVALID_UTF8 = [
    b"\xff",
    b"abc\x80",
    b"\xc3",  # cut off
    b"\xc0\xaf",  # overlong
    b"\xed\xa0\x80",  # surrogate
    b"\xf4\x90\x80\x80",  # behind U+10FFFF
    b"\xe2\x82",
]


def bad_texts() -> Iterator[Tuple[str, Any, int]]:
    """Texts that no function may take: name, pointer, length."""
    yield "null with a length", None, 5
    yield "null without end", None, 2**64 - 1
    for text in INVALID_UTF8:
        yield f"invalid UTF-8 {text!r}", text, len(text)
        yield f"invalid UTF-8 {text!r} without length", text, 2**64 - 1
    yield "NUL inside", b"a\0b", 3
    yield "NUL at the end", b"abc\0", 4
    yield "over-long", b"a" * (16 << 20), 16 << 20
    yield "a length that cannot be", b"abc", 2**63 - 1
    yield "nearly the greatest length", b"abc", 2**64 - 2


def text(value: bytes) -> Any:
    """An mtoken_text."""
    item = _c.mtoken_text()
    item.data, item.length = value, len(value)
    return item


def data(value: bytes) -> Any:
    """An mtoken_bytes."""
    item = _c.mtoken_bytes()
    item.data, item.length = bytes_pointer(value), len(value)
    return item


def bytes_pointer(value: bytes) -> Any:
    return cast(c_char_p(value), POINTER(c_uint8))


def new_auth(pin: bytes = b"1234") -> Any:
    auth = _c.new_options(_c.mtoken_auth)
    auth.pin.data, auth.pin.length = bytes_pointer(pin), len(pin)
    return auth
