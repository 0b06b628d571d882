"""Plays conformance documents through the raw ctypes layer. README.md says what the steps mean.

PYTHONPATH=bindings/python/src MTOKEN_LIBRARY=… MTOKEN_DESCRIPTION=… python3 player.py DOCUMENT…
"""

from __future__ import annotations

import base64
import ctypes
import http.client
import json
import os
import re
import sys
import tempfile
import threading
import uuid
from ctypes import POINTER, byref, c_char, c_char_p, c_uint8, c_void_p, cast
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple
from urllib.parse import urlsplit

from mtoken import abi as _c
from mtoken._library import lib

JSON = Dict[str, Any]

DESCRIPTION: JSON = json.loads(Path(os.environ["MTOKEN_DESCRIPTION"]).read_text(encoding="utf-8"))
FUNCTIONS = {item["name"]: item for item in DESCRIPTION["functions"]}
MEMBERS = {item["name"]: {member["name"]: member for member in item["members"]} for item in DESCRIPTION["structs"]}
CONSTANTS = {value["name"]: value["value"] for item in DESCRIPTION["enums"] for value in item["values"]}
CONSTANTS.update({item["name"]: item["value"] for item in DESCRIPTION["constants"]})
MINUTE = 60_000
LACKS: Tuple[str, ...] = ()

_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_PART = re.compile(r"\.?(\w+)|\[(\d+)\]")


class Failed(Exception):
    """A check that did not hold."""


class Pointer(NamedTuple):
    """A handle, or a struct of the library's, by reference."""

    type: str
    address: int
    is_handle: bool


def target(pointer: Pointer) -> Any:
    return getattr(_c, pointer.type).from_address(pointer.address)


# What the library gives


def text_at(address: Optional[int], length: Optional[int]) -> Optional[str]:
    if not address:
        return None
    found = ctypes.string_at(address) if length is None else ctypes.string_at(address, length)
    return found.decode("utf-8")


def address_of(value: Any) -> int:
    return cast(value, c_void_p).value or 0


def pointer(kind: str, value: Any, is_handle: bool) -> Optional[Pointer]:
    address = address_of(value)
    return Pointer(kind, address, is_handle) if address else None


def given(kind: JSON, role: str, value: Any) -> Any:
    """A result, an out parameter or a member that stands alone."""
    if role in ("nothing", "host_pointer"):
        return None
    if role in ("handle", "out_handle"):
        return pointer(kind["name"], value, True)
    if role in ("struct", "out_struct", "error"):
        return plain(pointer(kind["name"], value, False))
    if role == "text" and kind["kind"] == "scalar":
        return text_at(address_of(value), None)
    return value.value if hasattr(value, "value") else value


def plain(found: Optional[Pointer]) -> Any:
    """A text or bytes by value; other structs stay references."""
    if found is not None and found.type in ("mtoken_text", "mtoken_bytes"):
        item = target(found)
        content = ctypes.string_at(item.data, item.length) if item.length else b""
        return content.decode("utf-8") if found.type == "mtoken_text" else content
    return found


def member(owner: Pointer, name: str) -> Any:
    described = MEMBERS[owner.type].get(name)
    if described is None:
        raise Failed(f"{owner.type} has no member {name}")
    struct = target(owner)
    value = getattr(struct, name)
    role, kind = described["role"], described["type"]
    if role == "array":
        count = getattr(struct, described["pair"])
        if kind["kind"] == "struct":
            return [plain(pointer(kind["name"], value[index], False)) for index in range(count)]
        return [value[index].decode("utf-8") for index in range(count)]
    if role == "text" and kind["kind"] == "scalar":
        length = getattr(struct, described["pair"]) if "pair" in described else None
        return text_at(address_of(value), length)
    if role == "bytes" and "pair" in described:
        address = address_of(value)
        return ctypes.string_at(address, getattr(struct, described["pair"])) if address else None
    return given(kind, role, value)


def follow(value: Any, path: str, whole: str) -> Any:
    position = 0
    while position < len(path):
        part = _PART.match(path, position)
        if part is None:
            raise Failed(f"{whole} is no path")
        position = part.end()
        if part[2] is not None:
            if not isinstance(value, list) or int(part[2]) >= len(value):
                raise Failed(f"{whole} does not exist")
            value = value[int(part[2])]
        elif isinstance(value, Pointer) and not value.is_handle:
            value = member(value, part[1])
        elif isinstance(value, dict) and part[1] in value:
            value = value[part[1]]
        else:
            raise Failed(f"{whole} does not exist")
    return value


# What the library takes


def number(value: Any) -> Any:
    if isinstance(value, str):
        total = 0
        for name in value.split("|"):
            if name not in CONSTANTS:
                raise Failed(f"there is no constant {name}")
            total |= CONSTANTS[name]
        return total
    return int(value or 0) if isinstance(value, bool) or value is None else value


def content(value: Any) -> Optional[bytes]:
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode("utf-8")
    if set(value) == {"hex"}:
        return bytes.fromhex(value["hex"])
    if set(value) == {"base64"}:
        return base64.b64decode(value["base64"])
    raise Failed(f"{value} is neither text nor bytes")


class Memory:
    """Makes arguments, and keeps what they point at until the call has returned."""

    def __init__(self) -> None:
        self.held: List[Any] = []

    def buffer(self, value: Any) -> Tuple[Any, int]:
        found = content(value)
        if found is None:
            return None, 0
        made = (c_char * max(len(found), 1)).from_buffer_copy(found or b"\0")
        self.held.append(made)
        return made, len(found)

    def struct(self, name: str, members: JSON) -> Any:
        kind = getattr(_c, name)
        described = MEMBERS[name]
        size = int(members.get("struct_size", ctypes.sizeof(kind)))
        memory = (c_uint8 * max(size, ctypes.sizeof(kind)))()
        self.held.append(memory)
        made = kind.from_buffer(memory)
        if "struct_size" in described:
            made.struct_size = size
        for key, value in members.items():
            if key == "last_byte":
                memory[size - 1] = value
            elif key not in described:
                raise Failed(f"{name} has no member {key}")
            elif key != "struct_size":
                self.set(made, described[key], value)
        return made

    def set(self, made: Any, described: JSON, value: Any) -> None:
        name, role, kind = described["name"], described["role"], described["type"]
        if kind["kind"] == "struct" and kind["pointers"] == 0:
            data, length = self.buffer(value)
            part = getattr(made, name)
            wanted = c_char_p if kind["name"] == "mtoken_text" else POINTER(c_uint8)
            part.data = cast(data, wanted) if data is not None else None
            part.length = length
        elif role == "array":
            elements = self.array(kind["name"], value or [])
            setattr(made, name, elements)
            setattr(made, described["pair"], len(value or []))
        else:
            setattr(made, name, self.argument(described, value))

    def array(self, name: str, items: List[Any]) -> Any:
        kind = getattr(_c, name)
        made = (kind * max(len(items), 1))()
        for index, item in enumerate(items):
            if name == "mtoken_text":
                item = {"data": item}
                data, length = self.buffer(item["data"])
                made[index].data, made[index].length = cast(data, c_char_p), length
            else:
                made[index] = self.struct(name, item)
        self.held.append(made)
        return cast(made, POINTER(kind)) if items else None

    def argument(self, described: JSON, value: Any) -> Any:
        """A pointer or a number; texts and bytes with their lengths are made by `buffer`."""
        role, kind = described["role"], described["type"]
        if role in ("value", "reserved"):
            return number(value if value is not None else 0)
        if value is None:
            return None
        if isinstance(value, Pointer):
            return cast(c_void_p(value.address), POINTER(getattr(_c, kind["name"])))
        if isinstance(value, dict) and kind["kind"] == "struct":
            return ctypes.pointer(self.struct(kind["name"], value))
        if role == "text":
            return c_char_p(content(value))
        raise Failed(f"{value} is no {kind['c']}")


def handle(found: Pointer) -> Any:
    return cast(c_void_p(found.address), POINTER(getattr(_c, found.type)))


# Steps


class Case:
    def __init__(self, document: str, case: JSON, folder: str):
        self.variables: JSON = {**case["variables"], "unique": uuid.uuid4().hex, "folder": folder}
        self.owned: List[Tuple[str, Pointer]] = []
        self.senders: List[threading.Thread] = []
        self.checks = 0

    def value(self, item: Any) -> Any:
        if isinstance(item, dict):
            return {key: self.value(part) for key, part in item.items()}
        if isinstance(item, list):
            return [self.value(part) for part in item]
        if not isinstance(item, str):
            return item
        whole = _REFERENCE.fullmatch(item)
        if whole:
            return follow(self.variables, whole[1], whole[1])
        return _REFERENCE.sub(lambda found: str(follow(self.variables, found[1], found[1])), item)

    def check(self, holds: bool, message: Callable[[], str]) -> None:
        self.checks += 1
        if not holds:
            raise Failed(message())

    def own(self, free: str, found: Optional[Pointer]) -> None:
        if found is not None:
            self.owned.append((free, found))

    def end(self) -> None:
        while self.owned:
            free, found = self.owned.pop()
            getattr(lib, free)(handle(found))
        for sender in self.senders:
            sender.join()

    def status(self, status: int, step: JSON, error: Any) -> None:
        wanted = step.get("fails", "MTOKEN_OK")
        self.check(
            status == CONSTANTS[wanted],
            lambda: f"status {status} instead of {wanted}" + (f": {target(error).message.decode()}" if error else ""),
        )

    def after(self, step: JSON, record: JSON) -> None:
        for path, expected in step.get("expect", {}).items():
            found = follow(record, path, path)
            wanted = self.value(expected)
            self.check(holds(found, wanted), lambda: f"{path} is {found!r}, not {wanted!r}")  # noqa: B023
        for name, path in step.get("keep", {}).items():
            self.variables[name] = follow(record, path, path)

    def play(self, step: JSON) -> None:
        for kind in ("call", "wait", "event", "read", "http", "fork", "send"):
            if kind in step:
                getattr(self, kind)(step)
                return
        raise Failed(f"a step of no kind: {sorted(step)}")

    def call(self, step: JSON) -> None:
        described = FUNCTIONS[step["call"]]
        given_by_step: JSON = self.value(step.get("with", {}))
        memory = Memory()
        arguments: List[Any] = []
        outs: JSON = {}
        lengths: Dict[str, int] = {}
        for parameter in described["parameters"]:
            name, role, kind = parameter["name"], parameter["role"], parameter["type"]
            value = given_by_step.pop(name, None)
            if role.startswith("out_") or role == "error":
                outs[name] = getattr(lib, step["call"]).argtypes[len(arguments)]._type_()
                arguments.append(byref(outs[name]))
            elif role in ("length", "count"):
                arguments.append(lengths[parameter["pair"]])
            elif role == "array":
                arguments.append(memory.array(kind["name"], value or []))
                lengths[name] = len(value or [])
            elif role in ("text", "bytes") and "pair" in parameter:
                data, lengths[name] = memory.buffer(value)
                wanted = c_char_p if role == "text" else POINTER(c_uint8)
                arguments.append(cast(data, wanted) if data is not None else None)
            else:
                arguments.append(memory.argument(parameter, value))
        if given_by_step:
            raise Failed(f"{step['call']} has no parameter {sorted(given_by_step)[0]}")
        if step["call"].endswith("_free"):
            freed = address_of(arguments[0]) if arguments[0] is not None else 0
            self.owned = [item for item in self.owned if item[1].address != freed]
        result = getattr(lib, step["call"])(*arguments)
        record: JSON = {"error": None}
        for parameter in described["parameters"]:
            name = parameter["name"]
            if name in outs:
                key = "error" if parameter["role"] == "error" else name
                record[key] = self.owned_result(parameter, outs[name])
        record["result"] = self.owned_result(described["result"], result)
        if described["result"]["role"] == "status":
            self.status(result, step, record["error"])
        self.after(step, record)

    def owned_result(self, described: JSON, value: Any) -> Any:
        kind = described["type"]
        if described.get("free") and described.get("owner") == "caller":
            self.own(described["free"], pointer(kind["name"], value, kind["kind"] == "handle"))
        return given(kind, described["role"], value)

    def wait(self, step: JSON) -> None:
        task = self.value(step["wait"])
        failure = POINTER(_c.mtoken_error)()
        status = lib.mtoken_task_join(handle(task), MINUTE, byref(failure))
        error = pointer("mtoken_error", failure, False)
        self.own("mtoken_error_free", error)
        self.status(status, step, error)
        record = {"error": error, "result": None}
        if "get" in step:
            described = FUNCTIONS[step["get"]]["result"]
            result = getattr(lib, step["get"])(handle(task))
            record["result"] = given(described["type"], described["role"], result)
        self.after(step, record)

    def event(self, step: JSON) -> None:
        runtime = handle(self.value(step["event"]))
        while True:
            received, failure = POINTER(_c.mtoken_event)(), POINTER(_c.mtoken_error)()
            status = lib.mtoken_runtime_next_event(runtime, MINUTE, byref(received), byref(failure))
            lib.mtoken_error_free(failure)
            if status != _c.MTOKEN_OK:
                raise Failed(f"no event {step['kind']}: status {status}")
            if received.contents.kind == CONSTANTS[step["kind"]]:
                break
            lib.mtoken_event_free(received)
        event = pointer("mtoken_event", received, False)
        self.own("mtoken_event_free", event)
        self.after(step, {"event": event})

    def read(self, step: JSON) -> None:
        self.after(step, {"value": self.value(step["read"])})

    def http(self, step: JSON) -> None:
        address = urlsplit(self.value(step["url"]))
        headers = {"Content-Type": "application/json", "Connection": "close", **self.value(step.get("headers", {}))}
        body = json.dumps(self.value(step["body"])) if "body" in step else self.value(step.get("text", ""))
        resource = address.path + (f"?{address.query}" if address.query else "")
        connection = http.client.HTTPConnection(address.netloc, timeout=60)
        connection.request(step["http"], resource, body.encode("utf-8"), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        wanted = step.get("status")
        good = 200 <= answer.status < 300 if wanted is None else answer.status == wanted
        self.check(good, lambda: f"{step['http']} {address.path}: HTTP status {answer.status}: {text!r}")
        self.after(step, {"status": answer.status, "body": json.loads(text) if text else None})

    def send(self, step: JSON) -> None:
        sender = threading.Thread(target=send_requests, args=(handle(self.value(step["send"])),), daemon=True)
        sender.start()
        self.senders.append(sender)

    def fork(self, step: JSON) -> None:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for part in step["fork"]:
                    self.play(part)
                code = 0
            except Failed as problem:
                print(f"in the child: {problem}", file=sys.stderr, flush=True)
            finally:
                os._exit(code)
        self.check(os.waitpid(child, 0)[1] == 0, lambda: "a step failed in the child process")


def send_requests(runtime: Any) -> None:
    """Sends the requests of a runtime's clients until it is freed."""
    sending: List[threading.Thread] = []
    while True:
        event = POINTER(_c.mtoken_event)()
        if lib.mtoken_runtime_next_event(runtime, _c.MTOKEN_FOREVER, byref(event), None) != _c.MTOKEN_OK:
            break
        if event.contents.kind == _c.MTOKEN_EVENT_REQUEST:
            request = event.contents.request.contents
            fields = [request.headers[index].contents for index in range(request.header_count)]
            body = ctypes.string_at(request.body, request.body_length) if request.body else b""
            headers = {item.name.decode(): item.value.decode() for item in fields}
            whole = (runtime, request.id, request.method.decode(), request.url.decode(), body, headers)
            sending.append(threading.Thread(target=send_request, args=whole))
            sending[-1].start()
        lib.mtoken_event_free(event)
    for thread in sending:
        thread.join()


def send_request(runtime: Any, number: int, method: str, url: str, body: bytes, headers: Dict[str, str]) -> None:
    """Sends a request of the library's, and hands in what comes."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc, timeout=60)
    try:
        connection.connect()
    except OSError:
        faults = (_c.MTOKEN_OUTCOME_NOT_SENT, _c.MTOKEN_NETWORK_CONNECTION_REFUSED, _c.MTOKEN_TLS_FAULT_NONE)
        lib.mtoken_request_fail(runtime, number, *faults, None)
        return
    try:
        connection.request(method, address.path, body, headers)
        answer = connection.getresponse()
        text = answer.read()
    except (OSError, http.client.HTTPException):
        faults = (_c.MTOKEN_OUTCOME_UNKNOWN, _c.MTOKEN_NETWORK_CONNECTION_LOST, _c.MTOKEN_TLS_FAULT_NONE)
        lib.mtoken_request_fail(runtime, number, *faults, None)
        return
    finally:
        connection.close()
    memory = Memory()
    fields = [{"name": name, "value": value} for name, value in answer.getheaders()]
    members = {"status": answer.status, "headers": fields, "body": text}
    lib.mtoken_request_respond(runtime, number, byref(memory.struct("mtoken_http_response", members)), None)


def holds(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict) and len(wanted) == 1:
        (key, value), = wanted.items()  # fmt: skip
        if key == "not":
            return not holds(found, value)
        if key in ("at_least", "at_most"):
            return isinstance(found, int) and (found >= value if key == "at_least" else found <= value)
        if key in ("begins", "contains"):
            return isinstance(found, str) and (found.startswith(value) if key == "begins" else value in found)
        if key == "length":
            return isinstance(found, (str, bytes)) and len(content(found) or b"") == value
        if key == "one_of":
            return any(holds(found, item) for item in value)
        if key in ("base64", "hex"):
            return isinstance(found, bytes) and found == content(wanted)
    if isinstance(found, (int, float)) and not isinstance(found, bool) and isinstance(wanted, (str, bool)):
        return bool(found == number(wanted))
    return bool(found == wanted)


def main(paths: List[str]) -> int:
    steps = checks = 0
    left_out: List[str] = []
    for path in paths:
        document: JSON = json.loads(Path(path).read_text(encoding="utf-8"))
        for described in document["cases"]:
            lacking = [need for need in described["needs"] if need in LACKS]
            if lacking:
                left_out += lacking
                continue
            with tempfile.TemporaryDirectory() as folder:
                case = Case(document["name"], described, folder)
                for index, step in enumerate(described["steps"], 1):
                    try:
                        case.play(step)
                    except Failed as problem:
                        print(f"{document['name']}, {described['name']}, step {index}: {problem}", file=sys.stderr)
                        return 1
                case.end()
            steps, checks = steps + len(described["steps"]), checks + case.checks
    for need in sorted(set(left_out)):
        print(f"not applicable: {need}")
    print(f"steps {steps}, checks {checks}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
