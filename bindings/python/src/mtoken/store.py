# SPDX-License-Identifier: Apache-2.0
"""Where a client's state lives."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER
from typing import Any, Callable, List, Optional, Protocol, Union

from . import abi as _c
from ._arguments import checked, not_made_so
from ._call import call, create, data, required, text
from ._handle import Handle
from ._host import RELEASE, Host, Keeper, run
from ._library import lib
from .errors import MTokenError, StorageError


class StoreBackend(Protocol):
    """A program's own store: a keyring, TPM, database.

    Its methods are called on the thread of the call that needs them or on a thread of the runtime that waits for
    stores, never two at once for one client. They must not call back into the client concerned. They may wait: until
    then the client's calls end at their time limits, unsent; no other client waits. An exception (except KeyError in
    `load`) becomes a StorageError of the call, with the exception as its cause.

    A method `list` is optional: it returns the names of all items, as an iterable of texts, in any order; names that
    are not the library's are ignored. `Store.clients` needs it.
    """

    def load(self, name: str) -> Optional[bytes]:
        """The bytes of an item; None or KeyError when there is none."""

    def save(self, name: str, data: bytes) -> None:
        """Replaces an item atomically, and returns only when it is durable: a signature is sent right after."""

    def remove(self, name: str) -> None:
        """Removes an item; a missing one is ignored."""


@checked
class Store(Keeper):
    """Create one with `directory`, `memory` or `host`. Clients that use it keep it alive."""

    _blamed = StorageError

    def __init__(self, pointer: Any, host: Optional[_Host] = None):
        if not isinstance(pointer, POINTER(_c.mtoken_store)):
            raise not_made_so(Store, "use Store.directory, Store.keyring, Store.memory or Store.host")
        super().__init__(Handle(pointer, lib.mtoken_store_free), host)

    @classmethod
    def directory(cls, path: Union[str, os.PathLike[str]]) -> Store:
        """A directory (created with mode 0700 if missing), one file per item; locked against other processes."""
        return cls(create(lib.mtoken_store_directory_new, _c.mtoken_store, *text(os.fspath(path))))

    @classmethod
    def memory(cls) -> Store:
        """For tests: the content is lost when the store is closed."""
        return cls(create(lib.mtoken_store_memory_new, _c.mtoken_store))

    @classmethod
    def keyring(cls, service: str = "mtoken") -> Store:
        """The desktop's keyring (Secret Service, KWallet, …), with the package `keyring`.

        One store at a time uses a service: a second one, in this process or another of the same user on this machine,
        raises BusyError until the first and its clients are closed. Keyrings that are shared between machines or users
        have no such lock: do not use one activation from two places. Every signature writes the state to the keyring
        and reads it back, which takes milliseconds.
        """
        from ._keyring import Keyring

        backend = Keyring(service)
        return cls.host(backend, release=backend.release)

    @classmethod
    def host(cls, backend: StoreBackend, *, release: Optional[Callable[[], None]] = None) -> Store:
        """A store with the methods of a Python object. The object must lock it against other processes.

        release  called once when neither the store nor a client needs the object any more
        """
        host = _Host(backend, release)
        try:
            return cls(create(lib.mtoken_store_host_new, _c.mtoken_store, ctypes.byref(host.native)), host)
        except BaseException:
            host.drop()
            raise

    def clients(self) -> List[str]:
        """The ids of the clients that have stored something here, whether or not they can be opened; in order.

        UnsupportedError: a host store or keyring that cannot list its items.
        """
        try:
            found = create(lib.mtoken_store_clients, _c.mtoken_store_list, self._handle.pointer)
        except MTokenError as error:
            raise self.explain(error)  # noqa: B904  (the store's exception is the cause)
        try:
            return [required(found.contents.ids[index]) for index in range(found.contents.count)]
        finally:
            lib.mtoken_store_list_free(found)

    def remove(self, client_id: str) -> None:
        """Removes all items of a client that cannot be opened or is no longer wanted. The server is not informed.
        BusyError: the client is open; NotFoundError: it has no items.
        """
        try:
            call(lib.mtoken_store_remove, self._handle.pointer, *text(client_id))
        except MTokenError as error:
            raise self.explain(error)  # noqa: B904  (the store's exception is the cause)

    def copy(self, client_id: str, target: Store, target_id: Optional[str] = None) -> None:
        """Copies all items of a client to another store or another id without interpreting them: for analysis or
        safekeeping.

        Only one of the two may ever be used again: both hold the same counter. The state is bound to its id: a copy
        under another one serves only for safekeeping, and cannot be opened until it is copied back. StateError (reason
        "alreadyThere"): the target already has a client of that id.

        target_id  None: the same
        """
        given = (*text(client_id), target.pointer, *text(client_id if target_id is None else target_id))
        try:
            call(lib.mtoken_store_copy, self._handle.pointer, *given)
        except MTokenError as error:
            failure = self.explain(error)
            raise target.explain(failure) if failure.__cause__ is None else failure  # noqa: B904


class _Host(Host):
    """A host's store."""

    def __init__(self, backend: StoreBackend, release: Optional[Callable[[], None]] = None):
        super().__init__(backend, _c.MTOKEN_ERROR_STORAGE, release)
        self.native = _c.new_options(_c.mtoken_host_store)
        self.native.context = self.key
        self.native.load = _LOAD
        self.native.save = _SAVE
        self.native.remove = _REMOVE
        self.native.release = RELEASE
        if callable(getattr(backend, "list", None)):
            self.native.list = _LIST


def _item(name: Optional[bytes]) -> str:
    return (name or b"").decode("ascii")


def _load(context: Optional[int], name: Optional[bytes], reply: Any) -> int:
    def action(backend: StoreBackend) -> int:
        try:
            item = backend.load(_item(name))
        except KeyError:
            item = None
        if item is None:
            return _c.MTOKEN_ERROR_NOT_FOUND
        status: int = lib.mtoken_store_reply_set(reply, *data(item))
        return status

    return _run(context, action)


def _save(context: Optional[int], name: Optional[bytes], content: Any, length: int) -> int:
    def action(backend: StoreBackend) -> int:
        backend.save(_item(name), ctypes.string_at(content, length))
        return _c.MTOKEN_OK

    return _run(context, action)


def _remove(context: Optional[int], name: Optional[bytes]) -> int:
    def action(backend: StoreBackend) -> int:
        backend.remove(_item(name))
        return _c.MTOKEN_OK

    return _run(context, action)


def _list(context: Optional[int], names: Any) -> int:
    def action(backend: Any) -> int:
        for name in backend.list():
            content, length = text(name)
            # What is not a name of the library's need not be one of its texts either.
            lib.mtoken_store_names_add(names, content, length)
        return _c.MTOKEN_OK

    return _run(context, action)


def _run(context: Optional[int], action: Callable[[Any], int]) -> int:
    return run(context, action, _c.MTOKEN_ERROR_STORAGE)


# Module members, because the library may call them as long as it is loaded.
_LOAD = _c.load_function(_load)
_SAVE = _c.save_function(_save)
_REMOVE = _c.remove_function(_remove)
_LIST = _c.list_function(_list)
