# SPDX-License-Identifier: Apache-2.0
"""Arguments of a wrong type raise a TypeError before anything is done with them, odd numbers and texts a ValueError.

The annotations say what each parameter takes; `checked` holds calls to them. They are read at the first call.
"""

from __future__ import annotations

import collections.abc
import functools
import inspect
import math
import threading
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Tuple,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T", bound=Callable[..., Any])
_WIDE = ("tag", "id", "byte_count")
"""The numbers that have more than 32 bits in the library, which looks at them itself."""
Function = Callable[..., Any]


class Kind(NamedTuple):
    """What a parameter takes."""

    wanted: str
    """In words."""
    wrong: Callable[[Any], Optional[str]]
    """What a value is instead, in words; None: it is right."""
    is_odd: Callable[[Any], bool] = lambda value: False
    """Whether a value of the right type means nothing."""


class Parameters(NamedTuple):
    """What the parameters of a function take."""

    positional: Tuple[Tuple[str, Kind], ...]
    rest: Optional[Tuple[str, Kind]]
    named: Dict[str, Kind]


def checked(thing: T) -> T:
    """A public function, or a class with its constructor and public methods: wrong arguments raise a TypeError."""
    if not isinstance(thing, type):
        return cast(T, _checked(thing, thing.__qualname__))
    for name, member in list(vars(thing).items()):
        if isinstance(member, classmethod) and not name.startswith("_"):
            setattr(thing, name, classmethod(_checked(member.__func__, f"{thing.__qualname__}.{name}")))
        elif inspect.isfunction(member) and name == "__init__":
            setattr(thing, name, _checked(member, thing.__qualname__))
        elif inspect.isfunction(member) and not name.startswith("_"):
            is_started = f"start_{name}" in vars(thing)
            setattr(thing, name, _checked(member, f"{thing.__qualname__}.{name}", is_started))
    return cast(T, thing)


def not_made_so(kind: type, how: str) -> TypeError:
    """The error of the constructor of a class that is created in other ways."""
    return TypeError(f"{_name(kind)} has no public constructor: {how}")


def _checked(function: Function, name: str, is_started: bool = False) -> Function:
    if hasattr(function, "__checked__") or not set(inspect.signature(function).parameters) - {"self", "cls"}:
        return function
    title = name.replace("start_", "")
    parameters: List[Parameters] = []

    def check(arguments: Tuple[Any, ...], options: Dict[str, Any]) -> None:
        if not parameters:
            parameters.append(_parameters(function))
        for parameter, kind, value in _given(parameters[0], arguments, options):
            problem = kind.wrong(value)
            if problem is not None:
                raise TypeError(f"{title}(): {parameter} must be {kind.wanted}, not {problem}")
            # Left to ctypes, it would be cut; to the wait for a result, refused after the call has begun.
            if kind.is_odd(value) or (is_started and parameter == "timeout" and value is not None and value < 0):
                raise ValueError(f"{title}(): {parameter} is out of range")

    @functools.wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        check(arguments, options)
        return function(*arguments, **options)

    @functools.wraps(function)
    async def call_awaited(*arguments: Any, **options: Any) -> Any:
        check(arguments, options)
        return await function(*arguments, **options)

    made = call_awaited if inspect.iscoroutinefunction(function) else call
    setattr(made, "__checked__", True)  # noqa: B010  (a function has no such member for mypy)
    return made


def _given(
    parameters: Parameters, arguments: Tuple[Any, ...], options: Dict[str, Any]
) -> Iterable[Tuple[str, Kind, Any]]:
    """What is given for which parameter. What no parameter takes is the function's own to refuse."""
    for (name, kind), value in zip(parameters.positional, arguments):
        yield name, kind, value
    if parameters.rest is not None:
        for value in arguments[len(parameters.positional) :]:
            yield (*parameters.rest, value)
    for name, value in options.items():
        if name in parameters.named:
            yield name, parameters.named[name], value


def _parameters(function: Function) -> Parameters:
    hints = get_type_hints(function)
    positional: List[Tuple[str, Kind]] = []
    rest: Optional[Tuple[str, Kind]] = None
    named: Dict[str, Kind] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        kind = _kind(hints.get(name, Any))
        if name in _WIDE:
            kind = Kind(*kind[:2])
        elif name == "index":
            kind = kind._replace(is_odd=lambda value: not 0 <= value < 2**64)
        if parameter.kind is parameter.VAR_POSITIONAL:
            rest = name, kind
        elif parameter.kind is not parameter.VAR_KEYWORD:
            named[name] = kind
            if parameter.kind is not parameter.KEYWORD_ONLY:
                positional.append((name, kind))
    return Parameters(tuple(positional), rest, named)


# What an annotation takes


def _kind(hint: Any) -> Kind:
    """What an annotation takes; one that says nothing that could be checked takes everything."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return Kind("anything", lambda value: None)
    if hint is float:
        return Kind("a number", _number, lambda value: not value <= threading.TIMEOUT_MAX or value == -math.inf)
    if hint is int:
        return _instance("int", int)._replace(is_odd=lambda value: not -(2**31) <= value < 2**31)
    if hint is str:
        return _instance("str", str)._replace(is_odd=lambda value: not _is_utf8(value))
    if origin is Union:
        return _union([_kind(part) for part in parts])
    if origin is collections.abc.Callable:
        return Kind("a function", lambda value: None if callable(value) else _name(type(value)))
    if origin is collections.abc.Mapping:
        return _mapping(_kind(parts[0]), _kind(parts[1]))
    if origin in (collections.abc.Sequence, collections.abc.Iterable):
        return _items(origin, _kind(parts[0]))
    if getattr(hint, "_is_protocol", False):
        return _protocol(hint)
    kind = origin or hint
    return _instance(_name(kind), kind)


def _instance(wanted: str, kinds: Any) -> Kind:
    return Kind(wanted, lambda value: None if isinstance(value, kinds) else _name(type(value)))


def _number(value: Any) -> Optional[str]:
    return None if isinstance(value, (float, int)) and not isinstance(value, bool) else _name(type(value))


def _is_utf8(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _union(members: List[Kind]) -> Kind:
    def find(value: Any) -> Optional[str]:
        problems = [member.wrong(value) for member in members]
        if None in problems:
            return None
        # What is wrong within a value says more than its type.
        return next((problem for problem in problems if problem and problem.startswith("one ")), problems[0])

    words = [member.wanted for member in members]

    wanted = " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    # Of several types, each has a way of its own into the library.
    single = len(members) == 2 and members[1].wanted == "None"
    return Kind(wanted, find, lambda value: single and value is not None and members[0].is_odd(value))


def _mapping(key: Kind, item: Kind) -> Kind:
    def find(value: Any) -> Optional[str]:
        if not isinstance(value, collections.abc.Mapping):
            return _name(type(value))
        for name, content in value.items():
            if key.wrong(name) is not None:
                return f"one with a key of type {key.wrong(name)}"
            if item.wrong(content) is not None:
                return f"one with a value of type {item.wrong(content)}"
        return None

    return Kind(
        f"a mapping with keys of {key.wanted}"
        if item.wanted == "anything"
        else f"a mapping of {key.wanted} to {item.wanted}",
        find,
    )


def _items(collection: Any, item: Kind) -> Kind:
    def find(value: Any) -> Optional[str]:
        # A text is a sequence of texts, but never intended as one.
        if isinstance(value, (str, bytes, bytearray)) or not isinstance(value, collection):
            return _name(type(value))
        if not isinstance(value, collections.abc.Sequence):
            return None  # looking would use it up
        problems = (item.wrong(element) for element in value)
        return next((f"one with an item of type {problem}" for problem in problems if problem is not None), None)

    word = "a sequence" if collection is collections.abc.Sequence else "an iterable"
    return Kind(f"{word} of {item.wanted}", find)


def _protocol(hint: Any) -> Kind:
    methods = [name for name, member in vars(hint).items() if not name.startswith("_") and callable(member)]

    def find(value: Any) -> Optional[str]:
        there = not isinstance(value, type) and all(callable(getattr(value, name, None)) for name in methods)
        return None if there else _name(type(value))

    return Kind(f"an object with the methods {', '.join(methods)}", find)


def _name(kind: Any) -> str:
    """A type as the reader of a message knows it."""
    module, name = str(kind.__module__), str(kind.__qualname__)
    if kind is type(None):
        return "None"
    if module in ("builtins", "collections.abc"):
        return name
    package, _, part = module.partition(".")
    inside = package == "mtoken" and part not in ("aio", "crypto", "oidc")
    return f"{package if inside else module}.{name}"
