# SPDX-License-Identifier: Apache-2.0
"""The connection that a client's parts share: its handle, and the way to make calls."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Mapping, Optional, Type, TypeVar, Union

from . import abi as _c
from ._call import Function, call, create
from ._handle import Handle
from ._library import lib
from .errors import MTokenError
from .runtime import Runtime
from .sealer import Sealer
from .store import Store
from .task import Task

T = TypeVar("T")
JSONObject = Union[Mapping[str, Any], str]
"""A JSON object: a mapping or JSON text."""


class Connection:
    """Calls of one client. Errors of a host's store carry the exception that the host raised."""

    def __init__(self, runtime: Runtime, store: Store, handle: Handle):
        self.runtime = runtime
        self.store = store
        self.handle = handle

    def call(self, function: Function, *arguments: Any) -> None:
        with explaining(self.store):
            call(function, self.handle.pointer, *arguments)

    def create(self, function: Function, kind: Type[Any], *arguments: Any) -> Any:
        with explaining(self.store):
            return create(function, kind, self.handle.pointer, *arguments)

    def start(self, function: Function, read: Callable[[Handle], T], *arguments: Any) -> Task[T]:
        with self.runtime.registry.adding() as add:
            pointer = self.create(function, _c.mtoken_task, *arguments)
            task = Task(Handle(pointer, lib.mtoken_task_free), read, self.store, self.runtime.waits)
            add(task.address, task)
        return task


@contextmanager
def explaining(host: Union[Store, Sealer, None]) -> Iterator[None]:
    try:
        yield
    except MTokenError as error:
        raise error if host is None else host.explain(error)  # noqa: B904  (the host's exception is the cause)


def json_text(value: Optional[JSONObject]) -> Optional[str]:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(dict(value), ensure_ascii=False, separators=(",", ":"))


def nothing(_: Handle) -> None:
    """The result of a task that has none."""
