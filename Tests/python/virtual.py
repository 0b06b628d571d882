"""A device in a world of its own: its clock stands still until the test moves it, and every request passes through the test, which
hands it to the dev server or does to it what networks, gateways and power cuts do.

Works with libmtoken-testing only: the process must be started with MTOKEN_LIBRARY naming it (see `virtual_environment`).
"""

from __future__ import annotations

import contextlib
import ctypes
import http.client
import os
import time
from collections import deque
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint64, c_void_p
from typing import Any, Callable, List, Optional, Tuple
from urllib.parse import urlsplit

import mtoken
import suites
from devserver import DevServer
from mtoken import abi as _c
from mtoken._handle import Handle
from mtoken._library import lib
from mtoken._registry import Registry
from mtoken._wait import Waits

# mtoken_testing.h
TIMEOUT, NOT_CONNECTED, CONNECTION_REFUSED, CONNECTION_LOST = 1, 2, 4, 5
MANUAL, SCRIPTED, SYSTEM_RANDOM = 2, 0, 0


class TestingOptions(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("clock", c_int32),
        ("transport", c_int32),
        ("wall", c_int64),
        ("file", _c.mtoken_text),
        ("seed", c_uint64),
        ("random", c_int32),
        ("reserved", c_int32),
    ]


class TestingAnswer(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("failure", c_int32),
        ("sent", c_int32),
        ("status", c_int32),
        ("reserved", c_int32),
        ("delay_ms", c_int64),
        ("headers", _c.mtoken_text),
        ("body", _c.mtoken_bytes),
    ]


class TestingRequest(Structure):
    _fields_ = [
        ("number", c_size_t),
        ("state", c_int32),
        ("at_most_once", c_int32),
        ("time", c_int64),
        ("timeout_ms", c_int64),
        ("method", c_char_p),
        ("url", c_char_p),
        ("header_count", c_size_t),
        ("headers", POINTER(POINTER(_c.mtoken_header))),
        ("body", POINTER(c_uint8)),
        ("body_length", c_size_t),
    ]


def _prototype(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(lib, name)
    function.restype = result
    function.argtypes = list(arguments)
    return function


_error_out = POINTER(POINTER(_c.mtoken_error))
_runtime_new = _prototype(
    "mtoken_testing_runtime_new", c_int32, c_void_p, POINTER(TestingOptions), POINTER(c_void_p), _error_out
)
_advance = _prototype("mtoken_testing_advance", c_int32, c_void_p, c_int64, _error_out)
_set_wall = _prototype("mtoken_testing_set_wall", c_int32, c_void_p, c_int64, _error_out)
_clocks = _prototype("mtoken_testing_clocks", c_int32, c_void_p, POINTER(c_int64), POINTER(c_int64), _error_out)
_request_get = _prototype(
    "mtoken_testing_request_get", c_int32, c_void_p, c_size_t, c_int64, POINTER(POINTER(TestingRequest)), _error_out
)
_request_free = _prototype("mtoken_testing_request_free", None, POINTER(TestingRequest))
_request_answer = _prototype(
    "mtoken_testing_request_answer", c_int32, c_void_p, c_size_t, POINTER(TestingAnswer), _error_out
)
_request_count = _prototype("mtoken_testing_request_count", c_size_t, c_void_p)


class Request:
    """A request of the library, as it would go out."""

    def __init__(self, c: Any):
        self.number: int = c.number
        self.method: str = c.method.decode()
        self.url: str = c.url.decode()
        self.path: str = urlsplit(self.url).path
        self.timeout: float = c.timeout_ms / 1000
        fields = (c.headers[index].contents for index in range(c.header_count))
        self.headers: List[Tuple[str, str]] = [
            (field.name.decode(), ctypes.string_at(field.value, field.value_length).decode()) for field in fields
        ]
        self.body: bytes = ctypes.string_at(c.body, c.body_length)

    @classmethod
    def of_host(cls, given: mtoken.HTTPRequest) -> Request:
        """One that the library leaves to the host."""
        request = cls.__new__(cls)
        request.number, request.method, request.url, request.body = given.id, given.method, given.url, given.content
        request.path = urlsplit(given.url).path
        request.headers = list(given.headers)
        return request

    @property
    def is_signed(self) -> bool:
        return any(name == "X-PowerAuth-Authorization" for name, _ in self.headers)


class Answer:
    """What becomes of a request: an HTTP answer, or a failure of the network."""

    def __init__(
        self, status: int = 200, body: bytes = b"", headers: str = "", *, failure: int = 0, sent: bool = False
    ):
        self.status, self.body, self.headers, self.failure, self.sent = status, body, headers, failure, sent


SUITE = os.environ.get("MTOKEN_SUITE", "EC_P384")
"""What the devices of protocol 4.0 have; a hybrid suite needs OpenSSL 3.5."""


def application(server: DevServer, protocol: mtoken.Protocol) -> Tuple[str, str]:
    """The identifier and configuration of the application for a protocol: 4.0 has one of its own."""
    if protocol is not mtoken.Protocol.V4_0:
        return "demo", server.configuration
    return suites.application(server, {name: key for key, name in suites.NAMES.items()}[SUITE])


Network = Callable[["World", Request], Answer]


def online(world: World, request: Request) -> Answer:
    """The server gets the request, and the device its answer."""
    return world.forward(request)


class World:
    """One device of one user at a dev server."""

    def __init__(
        self,
        server: DevServer,
        *,
        protocol: mtoken.Protocol,
        events: mtoken.Events = mtoken.Events.NONE,
        keys: Optional[mtoken.Protocol] = None,
        store: Optional[mtoken.Store] = None,
        transport: mtoken.Transport = mtoken.Transport.LIBRARY,
    ):
        """
        keys       the protocol that the application has keys for, if it is another one
        transport  HOST: the requests come as events, which `pump` takes; the others are `kept`
        """
        self.server = server
        self.protocol = protocol
        self.application, self.configuration = application(server, keys or protocol)
        self.events = events
        self.network: Network = online
        self.requests: List[Request] = []
        self.transport = transport
        self.kept: List[mtoken.Event] = []
        self.store = store or mtoken.Store.memory()
        self._connection = http.client.HTTPConnection(urlsplit(server.http_url).netloc, timeout=30)
        self._now = int(time.time() * 1000)
        """True time, which the server's clock shows."""
        self._skew = 0
        """The device's wall clock minus true time."""
        self._offset: Optional[int] = None
        """Of the server's clock; None: it may still show another world's time."""
        self._answered = 0
        self.open()

    # Life

    def open(self) -> None:
        testing = TestingOptions(
            struct_size=ctypes.sizeof(TestingOptions),
            clock=MANUAL,
            transport=SCRIPTED,
            wall=self._now + self._skew,
            seed=1,
            random=SYSTEM_RANDOM,
        )
        options = _c.new_options(_c.mtoken_runtime_options)
        options.events = int(self.events)
        pointer = c_void_p()
        assert _runtime_new(ctypes.cast(byref(options), c_void_p), byref(testing), byref(pointer), None) == 0
        self._answered = 0
        self.runtime: mtoken.Runtime = object.__new__(mtoken.Runtime)
        self.runtime._handle = Handle(ctypes.cast(pointer, _c.runtime_handle), lib.mtoken_runtime_free)
        self.runtime.registry = Registry()
        self.runtime.waits = Waits(self.runtime._handle.pointer)
        self.runtime._unread = deque()
        self._raw = pointer
        self.client = mtoken.Client(
            self.runtime,
            "device",
            configuration=self.configuration,
            base_url=self.server.http_url,
            allow_http=True,
            store=self.store,
            protocol=self.protocol,
            transport=self.transport,
        )

    def close(self) -> None:
        self.client.close()
        self.runtime.close()
        self._connection.close()  # opened again by the next request

    def restart(self) -> None:
        """The program ends and starts again."""
        self.close()
        self.open()

    def kill(self, task: mtoken.Task[Any]) -> None:
        """The power is cut: what was sent has no answer, what was not stored is lost."""
        before = self.network
        self.network = lambda world, request: Answer(failure=-1)
        self.pump()
        self.network = before
        saved = {name: self.stored(name) for name in ("device.state", "device.key")}
        self.close()
        del task
        self.store = mtoken.Store.memory()
        for name, content in saved.items():
            self.put(name, content)
        self.open()

    def stored(self, name: str) -> bytes:
        data = POINTER(TestingData)()
        with self._faulty() as store:
            raw = name.encode()
            assert _store_read(store, raw, len(raw), byref(data), None) == 0
            try:
                return ctypes.string_at(data.contents.bytes, data.contents.length)
            finally:
                _data_free(data)

    def put(self, name: str, content: bytes) -> None:
        with self._faulty() as store:
            raw = name.encode()
            buffer = (c_uint8 * len(content)).from_buffer_copy(content)
            assert _store_write(store, raw, len(raw), buffer, len(content), None) == 0

    def _faulty(self) -> _Faulty:
        return _Faulty(self.store)

    # Time

    def advance(self, seconds: float) -> None:
        """Time passes, for device and server, and the requests that it brings are handled."""
        end = self._now + int(seconds * 1000)
        while self._now < end:
            # Timers in between send requests, whose answers come at once.
            step = min(1_000, end - self._now)
            self._now += step
            _advance(self._raw, step, None)
            self.pump()

    def takes(self, seconds: float) -> None:
        """Time passes while a request is on its way."""
        self._now += int(seconds * 1000)
        _advance(self._raw, int(seconds * 1000), None)

    def set_clock(self, skew_seconds: float) -> None:
        """The device's clock is set: so far from true time."""
        self._skew = int(skew_seconds * 1000)
        assert _set_wall(self._raw, self._now + self._skew, None) == 0

    def stand_still(self, seconds: float) -> None:
        """The device stands still, with all its clocks, while time passes elsewhere."""
        self._now += int(seconds * 1000)
        self._skew -= int(seconds * 1000)

    # Network

    def pump(self) -> None:
        """Runs the device until it waits for nothing but time."""
        _advance(self._raw, 0, None)
        if self.transport is mtoken.Transport.HOST:
            return self._pump_events()
        while self._answered < _request_count(self._raw):
            pointer = POINTER(TestingRequest)()
            assert _request_get(self._raw, self._answered, 0, byref(pointer), None) == 0
            request = Request(pointer.contents)
            _request_free(pointer)
            self.requests.append(request)
            self._answer(self._answered, self.network(self, request))
            self._answered += 1
            _advance(self._raw, 0, None)

    def _pump_events(self) -> None:
        for event in self.runtime.events(0):
            if event.kind is not mtoken.EventKind.REQUEST or event.request is None:
                self.kept.append(event)
                continue
            request = Request.of_host(event.request)
            self.requests.append(request)
            answer = self.network(self, request)
            assert answer.failure == 0, "a host that has no answer is not played"
            fields = (line.partition(": ") for line in answer.headers.splitlines())
            with contextlib.suppress(mtoken.NotFoundError):  # it was cancelled meanwhile
                event.request.respond(answer.status, [(name, value) for name, _, value in fields], answer.body)
            _advance(self._raw, 0, None)

    def _answer(self, number: int, answer: Answer) -> None:
        if answer.failure < 0:
            return  # nothing ever comes
        c = TestingAnswer(struct_size=ctypes.sizeof(TestingAnswer), failure=answer.failure, sent=int(answer.sent))
        c.status = answer.status
        headers, body = answer.headers.encode(), ctypes.create_string_buffer(answer.body, len(answer.body) or 1)
        c.headers.data, c.headers.length = headers, len(headers)
        c.body.data, c.body.length = ctypes.cast(body, type(c.body.data)), len(answer.body)
        _request_answer(self._raw, number, byref(c), None)  # STATE: it was cancelled meanwhile

    def forward(self, request: Request) -> Answer:
        """Hands a request to the server, whose clock shows true time."""
        offset = self._now - int(time.time() * 1000)
        if self._offset is None or abs(offset - self._offset) > 500:
            self.server.admin("PUT", "/clock", {"offsetMs": offset})
            self._offset = offset
        for attempt in (0, 1):
            try:
                self._connection.request(request.method, request.path, request.body, dict(request.headers))
                answer = self._connection.getresponse()
                break
            except (http.client.RemoteDisconnected, ConnectionError, http.client.CannotSendRequest):
                self._connection.close()  # it had been idle for long; the server saw nothing of the request
                if attempt:
                    raise
        headers = "".join(f"{name}: {value}\n" for name, value in answer.getheaders())
        return Answer(answer.status, answer.read(), headers)

    def version_path(self) -> str:
        """Where the server is told of the version of the application that this device has."""
        for known in self.server.admin("GET", "/applications")["applications"]:
            if known["applicationId"] == self.application:
                return f"/applications/{self.application}/versions/{known['versions'][0]['name']}"
        raise LookupError(self.application)

    # Calls

    def run(self, task: mtoken.Task[Any], *, seconds: float = 120) -> Any:
        """Runs a task to its end; time passes only while it waits for something."""
        self.pump()
        passed = 0.0
        while not task.done() and passed < seconds:
            self.advance(1)
            passed += 1
        assert task.done(), "the call never ends"
        return task.result(0)

    def info(self) -> mtoken.ClientInfo:
        return self.client.info()


class TestingData(Structure):
    _fields_ = [("bytes", POINTER(c_uint8)), ("length", c_size_t)]


_store_new = _prototype("mtoken_testing_store_new", c_int32, c_void_p, POINTER(c_void_p), _error_out)
_store_read = _prototype(
    "mtoken_testing_store_read", c_int32, c_void_p, c_char_p, c_size_t, POINTER(POINTER(TestingData)), _error_out
)
_store_write = _prototype(
    "mtoken_testing_store_write", c_int32, c_void_p, c_char_p, c_size_t, POINTER(c_uint8), c_size_t, _error_out
)
_data_free = _prototype("mtoken_testing_data_free", None, POINTER(TestingData))


class _Faulty:
    """Reads and writes what a store holds."""

    def __init__(self, store: mtoken.Store):
        self._inner = store

    def __enter__(self) -> Any:
        self._pointer = c_void_p()
        inner = ctypes.cast(self._inner.pointer, c_void_p)
        assert _store_new(inner, byref(self._pointer), None) == 0
        return self._pointer

    def __exit__(self, *_: Any) -> None:
        lib.mtoken_store_free(ctypes.cast(self._pointer, _c.store_handle))
