"""Every parameter of every public callable refuses what it does not take, by name and before anything is done."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import enum
import inspect
import math
import os
import pickle
import re
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple

import mtoken
import pytest
from conftest import Device
from devserver import DevServer
from mtoken import aio, crypto, oidc, scan

THING = object()
NO_TEXT = [5, b"bytes", 1.5, THING, ["text"], True, str]
NO_BYTES = [5, "text", THING, [1, 2], 1.5, True]
NO_NUMBER = ["5", b"5", THING, 1j, [5], Decimal(5), timedelta(5)]
NO_INTEGER = ["5", 5.0, b"5", THING, Decimal(5), [5]]
NO_FLAG = ["yes", 0, 1, 1.0, b"", THING, []]
NO_OBJECT = [5, "text", b"bytes", THING, {}, [], 1.5, True, type]
NO_TEXTS = [5, "text", b"bytes", THING, {"a": "b"}, {"text"}, [5], ["text", None], [b"text"]]
NO_MAPPING = [5, "text", [("a", "b")], THING, {5: "b"}, {"a": 5}, {"a": None}, {b"a": "b"}]
NO_TIME = [5, "2026-01-01", 1.5, THING, timedelta(5)]


VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Wrong(NamedTuple):
    """What an annotation does not take."""

    values: List[Any]
    none: bool = True
    """Whether None is wrong too."""


def optional(wrong: List[Any]) -> Wrong:
    return Wrong(wrong, none=False)


WRONG: Dict[str, Wrong] = {
    "str": Wrong(NO_TEXT),
    "Optional[str]": optional(NO_TEXT),
    "Optional[float]": optional(NO_NUMBER),
    "bool": Wrong(NO_FLAG),
    "Optional[bool]": optional(NO_FLAG),
    "int": Wrong(NO_INTEGER),
    "Optional[int]": optional(NO_INTEGER),
    "Bytes": Wrong(NO_BYTES),
    "Optional[Bytes]": optional(NO_BYTES),
    "bytes": Wrong(NO_BYTES),
    "Optional[bytes]": optional(NO_BYTES),
    "Union[bytes, bytearray]": Wrong(NO_BYTES),
    "Secret": Wrong([5, 1234, THING, ["1234"], 1.5, True]),
    "Optional[Secret]": optional([5, 1234, THING, ["1234"], 1.5, True]),
    "Union[str, bytes]": Wrong([5, THING, ["text"], 1.5]),
    "Union[str, OperationData]": Wrong(NO_TEXT),
    "Union[str, os.PathLike[str]]": Wrong(NO_TEXT),
    "Optional[Union[str, os.PathLike[str]]]": optional(NO_TEXT),
    "Picture": Wrong([5, 1.5, THING, ["text"], True]),
    "JSONObject": Wrong([5, b"{}", [], THING, {5: 5}]),
    "Optional[JSONObject]": optional([5, b"{}", [], THING, {5: 5}]),
    "Optional[Mapping[str, str]]": optional(NO_MAPPING),
    "Optional[Mapping[str, Any]]": optional([5, "{}", [], THING, {5: 5}]),
    "Optional[Sequence[str]]": optional(NO_TEXTS),
    "Sequence[Field]": Wrong([5, "text", THING, {}, [5], ["text"]]),
    "Sequence[TLSPin]": Wrong([5, "text", THING, {}, [5], ["A" * 43 + "="]]),
    "Iterable[Operation]": Wrong([5, THING, [5], ["text"]]),
    "Iterable[Tuple[str, str]]": Wrong([5, THING, [5]]),
    "Union[Decimal, int, str]": Wrong([1.5, THING, b"5"]),
    "Optional[Decimal]": optional([1.5, 5, "5", THING]),
    "datetime": Wrong([*NO_TIME, date(2026, 1, 1)]),
    "Optional[datetime]": optional([*NO_TIME, date(2026, 1, 1)]),
    "Union[datetime, int]": Wrong(["2026-01-01", 1.5, THING, date(2026, 1, 1)]),
    "date": Wrong(NO_TIME),
    "Optional[datetime.date]": optional(NO_TIME),
    "Optional[timedelta]": optional([5, 1.5, "5", THING]),
    "StoreBackend": Wrong([5, "text", THING, {}, mtoken.StoreBackend]),
    "SealerBackend": Wrong([5, "text", THING, {}, mtoken.SealerBackend]),
    "Optional[Callable[[], None]]": optional([5, "text", THING]),
    "Union[str, Operation, Attribute]": Wrong([5, b"{}", THING, {}]),
    "Union[Operation, Watched]": Wrong(NO_OBJECT),
}
OBJECTS = [
    "Auth",
    "Proximity",
    "Contradiction",
    "PINWeakness",
    "SealFault",
    "Operation",
    "QROperation",
    "Client",
    "Runtime",
    "Store",
    "Sealer",
    "Config",
    "Request",
    "Recorder",
    "Connection",
    "Handle",
    "MTokenError",
    "Scope",
    "Order",
    "VaultKey",
    "DeviceSignature",
    "Key",
    "FieldType",
    "PACForm",
    "ProximityType",
    "PushService",
    "PushEnvironment",
    "TOTPAlgorithm",
    "Events",
    "LogLevel",
    "Transport",
    "NetworkFault",
    "Outcome",
    "TLSFault",
    "Task[None]",
    "Task[MobileAuthOutcome]",
    "Task[Attributes]",
    "Callable[[Handle],T]",
    "mtoken.Events",
    "mtoken.LogLevel",
    "mtoken.Task[T]",
    "mtoken.Operations",
    "mtoken.Tokens",
    "mtoken.Inbox",
    "mtoken.Push",
    "mtoken.Factors",
    "mtoken.Vault",
    "mtoken.Requests",
    "mtoken.MobileAuth",
    "mtoken.oidc.OIDC",
    "mtoken.Runtime",
]
WRONG.update({name.replace(",T", ", T"): Wrong([item for item in NO_OBJECT if item is not type]) for name in OBJECTS})
OPTIONAL_OBJECTS = [
    "Auth",
    "Proximity",
    "Recovery",
    "Header",
    "Union[OIDCCode, Attributes]",
    "Factor",
    "Protocol",
    "Suite",
    "TLS",
    "Store",
    "Sealer",
]
WRONG.update({f"Optional[{name}]": optional(NO_OBJECT) for name in [*OPTIONAL_OBJECTS, "_Host"]})

TAKES_ANYTHING = {"TokenData.put: value", "Attributes: owner", "parse_qr: client"}
"""What JSON can hold, what is only kept, and a C handle."""
MADE_BY_THE_LIBRARY = {"Store: pointer", "Sealer: pointer", "Attributes: pointer", "Task: waits"}


# Everything that is public

PROTOCOLS = (mtoken.StoreBackend, mtoken.SealerBackend)


def is_value(thing: Any) -> bool:
    """Whether a class is data that the library answers, an enumeration, or an exception: nothing that one calls."""
    if issubclass(thing, (BaseException, enum.Enum, tuple)) or thing in PROTOCOLS:
        return True
    if thing in (mtoken.RejectReason, mtoken.ScreenAction):
        return True
    return dataclasses.is_dataclass(thing) and thing.__name__ not in GIVEN


GIVEN = ["TLSPin", "OIDCCode", "Proximity", "Recovery", "Config", "PKCE", "OperationDataField", "Watched", "PAC"]
"""Dataclasses that a program makes itself."""


def callables() -> Iterator[Tuple[str, Callable[..., Any]]]:
    modules: List[ModuleType] = [mtoken, oidc, crypto, scan, aio]
    for module in modules:
        names = mtoken.__all__ if module is mtoken else list(vars(module))
        for name, thing in [(name, getattr(module, name)) for name in names]:
            public = name in mtoken.__all__ if module is mtoken else getattr(thing, "__module__", "") == module.__name__
            if name.startswith("_") or not public or not callable(thing):
                continue
            prefix = "" if module is mtoken else f"{module.__name__.split('.')[1]}."
            if not inspect.isclass(thing):
                yield f"{prefix}{name}", thing
                continue
            methods = [
                (f".{member}", getattr(thing, member))
                for member, value in vars(thing).items()
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, classmethod))
            ]
            if not is_value(thing):
                yield f"{prefix}{name}", thing
            if not issubclass(thing, (BaseException, enum.Enum)) and thing not in PROTOCOLS:
                for member, method in methods:
                    yield f"{prefix}{name}{member}", method


CALLABLES = dict(callables())


def annotation(name: str, parameter: inspect.Parameter) -> str:
    text = str(parameter.annotation)
    return "mtoken.Runtime" if name.startswith("aio.") and text == "Runtime" else text


def parameters(name: str) -> List[inspect.Parameter]:
    return [item for item in inspect.signature(CALLABLES[name]).parameters.values() if item.name not in ("self", "cls")]


def test_the_walk_goes_everywhere() -> None:
    assert len(CALLABLES) > 250
    for name in ("Client", "Client.activate", "Client.start_activate", "Auth.pin", "oidc.listen", "aio.Client.persist"):
        assert name in CALLABLES
    for name in (
        "aio.Operations.authorize",
        "Requests.turn",
        "Watcher.add",
        "totp",
        "crypto.ecdh",
        "scan.scan",
        "Proximity",
    ):
        assert name in CALLABLES
    unknown = {
        f"{name}: {parameter.name}: {annotation(name, parameter)}"
        for name in CALLABLES
        for parameter in parameters(name)
        if annotation(name, parameter) not in WRONG and f"{name.split('.', 1)[-1]}: {parameter.name}" not in EXEMPT
        and f"{name}: {parameter.name}" not in EXEMPT
        and not (name.startswith("aio.Client") and parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD))
    }  # fmt: skip
    assert not unknown, "a new kind of parameter: say in WRONG what it does not take"


EXEMPT = TAKES_ANYTHING | MADE_BY_THE_LIBRARY


# Objects to call


class World:
    """One object of each class, and one value of each kind that a parameter needs."""

    def __init__(self, device: Device):
        client, runtime = device.client, device.client.runtime
        operation = device.new_operation()
        self.runtime = aio.Runtime()
        asynchronous = aio.Client(
            self.runtime, "other", configuration=device.server.configuration, base_url=device.server.url,
            store=mtoken.Store.memory(), ca_file=device.server.ca_file,
        )  # fmt: skip
        task = client.start_status()
        config = oidc.Config("bank", "client", "openid", "https://bank.example/login", "http://127.0.0.1/callback")
        request = oidc.prepare(config)
        pac = mtoken.parse_pac_qr(mtoken.build_pac("id"))
        encrypted = client.requests.encrypt(b"{}")
        login = oidc.listen(runtime, config)
        values = [
            client, runtime, operation, device.store, device.auth, task, config, request, pac, encrypted, login,
            mtoken.Recorder(client), mtoken.TokenData(), mtoken.Watcher(client), client.operations, client.tokens,
            client.inbox, client.push, client.factors, client.vault, client.requests, client.oidc, client.mobile_auth,
            self.runtime, asynchronous, asynchronous.operations, asynchronous.tokens, asynchronous.inbox, asynchronous.push,
            asynchronous.factors, asynchronous.vault, asynchronous.requests, asynchronous.oidc, asynchronous.mobile_auth,
        ]  # fmt: skip
        self.close = [login.close, request.close, asynchronous.close, self.runtime.close]
        self.owners = {
            f"{'aio.' if type(value) in vars(aio).values() else 'oidc.' if type(value) in vars(oidc).values() else ''}"
            f"{type(value).__name__}": value
            for value in values
        }
        # What only a challenge of the server makes: its methods look at their arguments before they look at it.
        self.owners["Challenge"] = object.__new__(mtoken.Challenge)
        self.given: Dict[str, Any] = {
            "str": "text", "Bytes": b"bytes", "bytes": b"bytes", "Union[bytes, bytearray]": b"bytes", "int": 5, "bool": True,
            "Secret": "1234", "Auth": device.auth, "Operation": operation, "QROperation": QR_OPERATION, "Client": client,
            "Runtime": runtime, "Store": device.store, "Sealer": None, "PINWeakness": mtoken.PINWeakness.NONE, "Config": config, "Request": request, "Handle": task.handle,
            "Recorder": self.owners["Recorder"], "JSONObject": {}, "Sequence[Field]": [], "FieldType": mtoken.FieldType.TEXT,
            "ProximityType": mtoken.ProximityType.QR_CODE, "PACForm": mtoken.PACForm.JWT, "PushService": mtoken.PushService.FCM,
            "Union[str, bytes]": "text", "Union[str, OperationData]": "text", "Union[datetime, int]": 5, "date": date.today(),
            "datetime": datetime.now(timezone.utc), "Union[Decimal, int, str]": 5, "Optional[str]": None, "Any": None,
            "Union[str, Operation, Attribute]": "{}", "Connection": client._connection, "Task[Attributes]": login.task,
            "Callable[[Handle], T]": print, "Optional[Store]": None, "mtoken.Runtime": self.runtime, "Key": mtoken.Key.MASTER,
            "Optional[datetime]": None, "object": None, "Scope": mtoken.Scope.ACTIVATION,
        }  # fmt: skip

    def call(self, name: str, /, **arguments: Any) -> Any:
        """Calls with these arguments, and with something for those that it cannot do without."""
        function = CALLABLES[name]
        owner = name.rpartition(".")[0]
        positional: List[Any] = []
        for parameter in parameters(name):
            if parameter.kind is parameter.VAR_POSITIONAL and parameter.name in arguments:
                positional.append(arguments.pop(parameter.name))
            elif parameter.default is parameter.empty and parameter.kind not in VARIADIC:
                arguments.setdefault(parameter.name, self.given.get(annotation(name, parameter)))
        bound = inspect.ismethod(function) or inspect.isclass(function)
        method = owner in self.owners and not bound and next(iter(inspect.signature(function).parameters), "") == "self"
        result = (
            function(self.owners[owner], *positional, **arguments) if method else function(*positional, **arguments)
        )
        return asyncio.run(result) if inspect.iscoroutine(result) else result


QR_OPERATION = mtoken.QROperation(
    mtoken.Verified.INVALID, mtoken.Key.MASTER, "", 0, "", "", "", "", "", mtoken.OperationData("", "A", True, 0, ()), "",
    False, False, False, False, "", None, False, (), b"", b"", "", "", mtoken.Contradiction(0),
)  # fmt: skip


@pytest.fixture
def world(device: Device) -> Iterator[World]:
    world = World(device)
    yield world
    for close in world.close:
        close()


def test_every_parameter_refuses_other_types(world: World) -> None:
    problems: List[str] = []
    tried = 0
    for name in CALLABLES:
        for parameter in parameters(name):
            wrong = WRONG.get(annotation(name, parameter))
            if wrong is None:
                continue
            for value in [*wrong.values, *([None] if wrong.none else [])]:
                what = f"{name}({parameter.name}={value!r})"
                tried += 1
                try:
                    world.call(name, **{parameter.name: value})
                except TypeError as error:
                    if not re.search(rf"\b{parameter.name} must be .+, not .+", str(error)):
                        problems.append(f"{what}: {error}")
                except BaseException as error:
                    problems.append(f"{what}: {type(error).__name__}: {error}")
                else:
                    problems.append(f"{what}: nothing was raised")
    assert not problems, f"{len(problems)} of {tried}:\n" + "\n".join(problems)
    assert tried > 2500


ODD: Dict[str, List[Any]] = {
    "float": [math.inf, -math.inf, math.nan, 1e300, 10**400],
    "int": [2**31, 2**32 + 1, 2**64, -(2**31) - 1, -(2**64)],
    "str": ["\ud800", "a\0b"],
    "Secret": ["\ud800"],
    "datetime": [datetime(2026, 1, 1), datetime.min],
    "JSONObject": [{"a": math.nan}, {"a": THING}, {"\ud800": 1}, "{", "[]"],
    "Mapping[str, str]": [{"a": "\ud800"}],
    "Union[str, os.PathLike[str]]": [os.fsdecode(b"/tmp/\xff"), PurePath(os.fsdecode(b"\xff"))],
}


def test_odd_arguments_are_refused_before_anything_starts(world: World, server: DevServer) -> None:
    """The right type, but nothing that the method could do what it is for with: the bank hears nothing."""
    problems: List[str] = []
    tried = 0
    mark = server.mark()
    for name in CALLABLES:
        for parameter in parameters(name):
            kind = re.sub(r"^Optional\[(.*)\]$", r"\1", annotation(name, parameter))
            odd = [value for value in ODD.get(kind, []) if parameter.name != "index" or not 0 <= value < 2**64]
            owner, _, method = name.rpartition(".")
            asks = "start_" in method or f"{owner}.start_{method}" in CALLABLES
            if asks and parameter.name == "timeout":
                odd.append(-1)
            for value in odd:
                if owner == "Challenge" and value == "a\0b":  # which the library would look at
                    continue
                tried += 1
                what = f"{name}({parameter.name}={value!r:.40})"
                try:
                    world.call(name, **{parameter.name: value})
                except (ValueError, TypeError):
                    pass
                except mtoken.MTokenError as error:
                    if error.outcome is not mtoken.Outcome.NOT_SENT:
                        problems.append(f"{what}: {error!r}")
                except BaseException as error:
                    problems.append(f"{what}: {type(error).__name__}: {error}")
                else:  # what asks nobody may keep it, and show it where it is used
                    if asks:
                        problems.append(f"{what}: nothing was raised")
                heard = server.requests(after=mark)
                if heard:
                    problems.append(f"{what}: {[request['path'] for request in heard]}")
                    mark = server.mark()
    assert not problems, f"{len(problems)} of {tried}:\n" + "\n".join(problems)
    assert tried > 300


def test_what_is_wanted_is_said() -> None:
    for call, message in (
        (lambda: mtoken.Auth.pin(1234), r"^Auth.pin\(\): pin must be str, bytes, bytearray or memoryview, not int$"),
        (lambda: mtoken.Runtime(events=1), r"^Runtime\(\): events must be mtoken.Events, not int$"),
        (lambda: mtoken.parse_pac_qr("x", allowed="https"), r"allowed must be a sequence of str or None, not str$"),
        (lambda: mtoken.parse_pac_qr("x", allowed=["a", 5]), r"not one with an item of type int$"),
        (lambda: mtoken.TokenData({5: 5}), r"a mapping with keys of str or None, not one with a key of type int$"),
        (lambda: mtoken.Store("state"), "use Store.directory"),
        (lambda: oidc.Attributes("code", None), "Login.attributes"),
        (lambda: mtoken.Store.host(mtoken.StoreBackend), "methods load, save, remove"),
        (lambda: aio.Client(mtoken.Runtime(), "x"), "runtime must be mtoken.aio.Runtime, not mtoken.Runtime"),
    ):  # type: Tuple[Callable[[], Any], str]
        with pytest.raises(TypeError, match=message):
            call()


def test_no_value_is_in_a_message(device: Device) -> None:
    with pytest.raises(TypeError) as failure:
        device.client.activate(identity={"password": ["top secret"]})  # type: ignore[dict-item]
    assert "identity" in str(failure.value) and "top" not in str(failure.value)


def test_models_with_members_of_another_type(device: Device) -> None:
    operation: Any = device.new_operation()
    wrong = dataclasses.replace(operation, id=5, json=5)
    watcher = mtoken.Watcher(device.client)
    header: Any = mtoken.Header
    for call in (
        lambda: watcher.add(wrong), lambda: mtoken.lay_out(wrong), lambda: mtoken.find(wrong, "/id"),
        lambda: device.client.tokens.fetch_header("mine", refused=header("name", 5)),
    ):  # type: Callable[[], Any]  # fmt: skip
        with pytest.raises(TypeError, match="must be str, not int"):
            call()


def test_a_number_is_no_length_of_a_secret(device: Device) -> None:
    """bytes(1234) would be a PIN of 1234 zeros: a wrong PIN, which costs an attempt."""
    before = device.client.status().remaining_attempts
    for call in (device.client.factors.validate_pin, device.client.persist, mtoken.Auth.pin):
        with pytest.raises(TypeError, match="pin must be"):
            call(1234)  # type: ignore[arg-type]
    assert device.client.status().remaining_attempts == before


def test_a_file_may_be_a_path(device: Device, make_client: Any) -> None:
    client = make_client("path", ca_file=Path(device.server.ca_file))
    client.synchronize_time()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"code": "AAAAA-BBBBB-CCCCC-DDDDD", "recovery": mtoken.Recovery("A", "1")}, "a code and a recovery code"),
        ({"code": "AAAAA-BBBBB-CCCCC-DDDDD", "identity": {"a": "b"}}, "a code and identity attributes"),
        ({"recovery": mtoken.Recovery("A", "1"), "oidc": mtoken.OIDCCode("a", "b", "c")}, "a recovery code and OIDC attributes"),
        ({"identity": {"a": "b"}, "oidc": mtoken.OIDCCode("a", "b", "c")}, "identity attributes and OIDC attributes"),
    ],
)  # fmt: skip
def test_two_ways_of_activation(make_client: Any, given: Dict[str, Any], named: str) -> None:
    client = make_client()
    for call in (client.activate, client.start_activate):
        with pytest.raises(mtoken.ArgumentError) as failure:
            call(**given)
        assert named in str(failure.value) and "one" in str(failure.value)
    with pytest.raises(mtoken.ArgumentError, match="needs one of"):
        client.activate()
    with pytest.raises(mtoken.ArgumentError, match="needs one of"):
        client.activate(identity={})


# Secrets stay where they are


@pytest.mark.parametrize(
    "take", [copy.copy, copy.deepcopy, *(lambda auth, n=n: pickle.dumps(auth, n) for n in range(6))]
)
def test_an_auth_is_neither_copied_nor_pickled(take: Callable[[mtoken.Auth], Any]) -> None:
    class Mine(mtoken.Auth):
        pass

    for auth in (mtoken.Auth.pin("2468"), mtoken.Auth.biometry(b"k" * 16), mtoken.Auth(), Mine.pin("2468")):
        with pytest.raises(TypeError, match="an Auth holds secrets"):
            take(auth)
        if take is not copy.copy:  # the copy of a list holds the same object
            with pytest.raises(TypeError, match="an Auth holds secrets"):
                take([auth])
