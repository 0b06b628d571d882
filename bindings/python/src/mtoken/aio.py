# SPDX-License-Identifier: Apache-2.0
"""The package for asyncio: the same calls as coroutines, on the runtime's descriptor. No thread waits.

    from mtoken import aio

    async with aio.Runtime() as runtime:
        store = mtoken.Store.directory("state")
        async with aio.Client(runtime, "alice", configuration=…, base_url=…, store=store) as client:
            await client.activate("AAAAA-BBBBB-CCCCC-DDDDD", name="My desk")
            await client.persist("1234")
            operations = await client.operations.list()
            await asyncio.gather(*(client.operations.reject(operation.id) for operation in operations))

Each class here has the members of its namesake in `mtoken` (its `blocking`), with the same arguments but `timeout`:
what asks the server or writes to the store is awaited, the rest returns at once. To limit the time, set a `timeout` for
the client, whose error has the outcome, or use `asyncio.wait_for`: cancelling the awaiting task cancels the call, and
the `__cause__` of the CancelledError is the library's error with the outcome.

All objects of a runtime belong to one event loop at a time and are used in its thread only.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from contextlib import asynccontextmanager
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Deque, Dict, Optional, Type, TypeVar

import mtoken

from ._arguments import checked

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")


@checked
class Runtime:
    """See `mtoken.Runtime`. Make one per event loop.

    events  which events to queue for `next_event` or `events`; read the events that you ask for
    """

    def __init__(
        self,
        *,
        events: mtoken.Events = mtoken.Events.NONE,
        log_level: mtoken.LogLevel = mtoken.LogLevel.OFF,
        max_transfers: int = 0,
    ):
        self.blocking = mtoken.Runtime(
            events=events | mtoken.Events.TASKS, log_level=log_level, max_transfers=max_transfers
        )
        self._wants_tasks = mtoken.Events.TASKS in events
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._running: Dict[mtoken.Task[Any], asyncio.Future[None]] = {}
        self._events: Deque[mtoken.Event] = deque()
        self._arrived: Optional[asyncio.Future[None]] = None

    async def result(self, task: mtoken.Task[T]) -> T:
        """Waits for a task that a `start_…` method has returned."""
        loop = self._watch()
        self._running[task] = completed = loop.create_future()
        try:
            if not task.done():
                await completed
        except asyncio.CancelledError as cancelled:
            task.cancel()
            cancelled.__cause__ = task.error()  # does not wait: what is cancelled completes at once
            raise
        finally:
            del self._running[task]
        return task.result()

    async def next_event(self) -> mtoken.Event:
        """Waits for the next event. One coroutine at a time."""
        loop = self._watch()
        while not self._events:
            self._arrived = loop.create_future()
            await self._arrived
        return self._events.popleft()

    async def events(self) -> AsyncIterator[mtoken.Event]:
        """Iterates over events forever."""
        while True:
            yield await self.next_event()

    def info(self) -> mtoken.RuntimeInfo:
        """See `mtoken.Runtime.info`."""
        return self.blocking.info()

    def route_push(self, payload: str) -> Optional[mtoken.RoutedPush]:
        """See `mtoken.Runtime.route_push`. The client is the `blocking` one of its `Client` here, as in events."""
        return self.blocking.route_push(payload)

    def _watch(self) -> asyncio.AbstractEventLoop:
        """The running loop, which reads the descriptor from now on."""
        loop = asyncio.get_running_loop()
        self.blocking.fileno()  # raises what is wrong with the runtime, if something is
        if loop is not self._loop:
            if self._loop is not None and not self._loop.is_closed():
                raise RuntimeError("the runtime belongs to another event loop, which is still open")
            self._arrived = None
            loop.add_reader(self.blocking, self._read)
            self._loop = loop
        return loop

    def _read(self) -> None:
        for event in self.blocking.events(0):
            completed = self._running.get(event.task) if event.task is not None else None
            if completed is not None:
                _wake(completed)
            if event.kind is not mtoken.EventKind.TASK or self._wants_tasks:
                self._events.append(event)
                _wake(self._arrived)

    def close(self) -> None:
        """Stops the runtime: awaited calls end as cancelled. Clients must still be closed."""
        # After fork() the loop's poll set is still shared with the parent, who would no longer be woken.
        if self._loop is not None and not self._loop.is_closed() and not self.blocking.is_forked:
            self._loop.remove_reader(self.blocking)
        self.blocking.close()
        for completed in self._running.values():
            _wake(completed)

    async def __aenter__(self) -> Runtime:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def _wake(future: Optional[asyncio.Future[None]]) -> None:
    if future is not None and not future.done():
        future.set_result(None)


# A method here is made from the one of `blocking`, arguments and documentation included.


def _awaited(
    start: Callable[Concatenate[Any, P], mtoken.Task[T]],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The awaitable twin of a `start_…` method."""

    @wraps(start)
    async def method(self: Any, /, *arguments: P.args, **options: P.kwargs) -> T:
        runtime: Runtime = self.runtime
        return await runtime.result(start(self.blocking, *arguments, **options))

    kind, name = start.__qualname__.split(".")
    blocking = getattr(sys.modules[start.__module__], kind)
    method.__doc__ = getattr(blocking, name[len("start_") :] if name.startswith("start_") else name).__doc__
    return method


def _in_thread(function: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """The awaitable twin of a method that derives keys or writes to the store: it runs in a thread of the loop."""

    @wraps(function)
    async def method(self: Any, /, *arguments: P.args, **options: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, lambda: function(self.blocking, *arguments, **options))

    return method


def _same(function: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """A method that neither asks the server nor writes: it answers at once."""

    @wraps(function)
    def method(self: Any, /, *arguments: P.args, **options: P.kwargs) -> T:
        return function(self.blocking, *arguments, **options)

    return method


def _as(
    init: Callable[Concatenate[Any, mtoken.Runtime, P], None],
) -> Callable[[Callable[..., None]], Callable[Concatenate[Any, Runtime, P], None]]:
    """Gives a constructor the arguments of another, but for the runtime."""
    return lambda method: method


def _with_arguments_of(
    function: Callable[Concatenate[Any, P], Any],
) -> Callable[[Callable[..., T]], Callable[Concatenate[Any, P], T]]:
    """Gives a method the arguments of another."""
    return lambda method: method


@checked
class Operations:
    """See `mtoken.Operations`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.Operations):
        self.runtime = runtime
        self.blocking = blocking

    list = _awaited(mtoken.Operations.start_list)
    history = _awaited(mtoken.Operations.start_history)
    detail = _awaited(mtoken.Operations.start_detail)
    claim = _awaited(mtoken.Operations.start_claim)
    authorize = _awaited(mtoken.Operations.start_authorize)
    authorize_data = _awaited(mtoken.Operations.start_authorize_data)
    reject = _awaited(mtoken.Operations.start_reject)

    known = _same(mtoken.Operations.known)
    refresh = _same(mtoken.Operations.refresh)
    attach = _same(mtoken.Operations.attach)
    attached = _same(mtoken.Operations.attached)
    start_polling = _same(mtoken.Operations.start_polling)
    stop_polling = _same(mtoken.Operations.stop_polling)
    pause_polling = _same(mtoken.Operations.pause_polling)
    resume_polling = _same(mtoken.Operations.resume_polling)

    @property
    def is_loading(self) -> bool:
        """Whether a fetch of the list is in progress."""
        return self.blocking.is_loading

    @property
    def polling(self) -> mtoken.Polling:
        """Whether operations are polled."""
        return self.blocking.polling


@checked
class Tokens:
    """See `mtoken.Tokens`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.Tokens):
        self.runtime = runtime
        self.blocking = blocking

    create = _awaited(mtoken.Tokens.start_create)
    remove = _awaited(mtoken.Tokens.start_remove)
    forget = _in_thread(mtoken.Tokens.forget)
    forget_all = _in_thread(mtoken.Tokens.forget_all)
    header = _same(mtoken.Tokens.header)
    fetch_header = _awaited(mtoken.Tokens.start_fetch_header)

    def __contains__(self, name: object) -> bool:
        return name in self.blocking


@checked
class Inbox:
    """See `mtoken.Inbox`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.Inbox):
        self.runtime = runtime
        self.blocking = blocking

    count = _awaited(mtoken.Inbox.start_count)
    page = _awaited(mtoken.Inbox.start_page)
    all = _awaited(mtoken.Inbox.start_all)
    detail = _awaited(mtoken.Inbox.start_detail)
    read = _awaited(mtoken.Inbox.start_read)
    read_all = _awaited(mtoken.Inbox.start_read_all)


@checked
class Push:
    """See `mtoken.Push`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.Push):
        self.runtime = runtime
        self.blocking = blocking

    register = _awaited(mtoken.Push.start_register)

    @property
    def registered(self) -> bool:
        """Whether the server has accepted a registration since the client was made."""
        return self.blocking.registered


@checked
class Factors:
    """See `mtoken.Factors`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.Factors):
        self.runtime = runtime
        self.blocking = blocking

    validate_pin = _awaited(mtoken.Factors.start_validate_pin)
    change_pin = _awaited(mtoken.Factors.start_change_pin)
    add_biometry = _awaited(mtoken.Factors.start_add_biometry)
    change_pin_unsafe = _in_thread(mtoken.Factors.change_pin_unsafe)
    remove_biometry = _awaited(mtoken.Factors.start_remove_biometry)
    set_external_key = _in_thread(mtoken.Factors.set_external_key)
    add_external_key = _in_thread(mtoken.Factors.add_external_key)
    remove_external_key = _in_thread(mtoken.Factors.remove_external_key)


@checked
class Vault:
    """See `mtoken.Vault`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.Vault):
        self.runtime = runtime
        self.blocking = blocking

    encryption_key = _awaited(mtoken.Vault.start_encryption_key)
    key = _awaited(mtoken.Vault.start_key)
    sign = _awaited(mtoken.Vault.start_sign)
    sign_ml_dsa = _awaited(mtoken.Vault.start_sign_ml_dsa)
    sign_jwt = _awaited(mtoken.Vault.start_sign_jwt)
    sign_csr = _awaited(mtoken.Vault.start_sign_csr)
    recovery = _awaited(mtoken.Vault.start_recovery)
    confirm_recovery = _awaited(mtoken.Vault.start_confirm_recovery)


@checked
class Requests:
    """See `mtoken.Requests`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.Requests):
        self.runtime = runtime
        self.blocking = blocking

    encrypt = _awaited(mtoken.Requests.start_encrypt)
    hmac = _same(mtoken.Requests.hmac)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Holds back the library's signed calls while the program signs and sends a request."""
        task = self.blocking.take_turn()
        await self.runtime.result(task)
        try:
            yield
        finally:
            self.blocking.give_turn(task)


@checked
class OIDC:
    """See `mtoken.oidc.OIDC`. To log in: `listen(runtime.blocking, …)`, then `await runtime.result(login.task)`."""

    def __init__(self, runtime: Runtime, blocking: mtoken.oidc.OIDC):
        self.runtime = runtime
        self.blocking = blocking

    config = _awaited(mtoken.oidc.OIDC.start_config)
    discover = _awaited(mtoken.oidc.OIDC.start_discover)
    store = _same(mtoken.oidc.OIDC.store)
    restore = _same(mtoken.oidc.OIDC.restore)


@checked
class MobileAuth:
    """See `mtoken.MobileAuth`. Challenges come as events of the runtime, which must be made with Events.CHALLENGES."""

    def __init__(self, runtime: Runtime, blocking: mtoken.MobileAuth):
        self.runtime = runtime
        self.blocking = blocking

    pending = _awaited(mtoken.MobileAuth.start_pending)
    handle = _awaited(mtoken.MobileAuth.handle)
    handle_push = _awaited(mtoken.MobileAuth.handle_push)
    handle_code = _awaited(mtoken.MobileAuth.handle_code)
    from_push = _same(mtoken.MobileAuth.from_push)
    outcome = _same(mtoken.MobileAuth.outcome)
    authenticators = _same(mtoken.MobileAuth.authenticators)
    register_authenticator = _same(mtoken.MobileAuth.register_authenticator)
    unregister_authenticator = _same(mtoken.MobileAuth.unregister_authenticator)


@checked
class Client:
    """See `mtoken.Client`. Making one reads its state from the store at once."""

    @_as(mtoken.Client.__init__)
    def __init__(self, runtime: Runtime, *arguments: Any, **options: Any):
        self._wrap(runtime, mtoken.Client(runtime.blocking, *arguments, **options))

    def _wrap(self, runtime: Runtime, blocking: mtoken.Client) -> None:
        self.runtime = runtime
        self.blocking = blocking
        self.operations = Operations(runtime, self.blocking.operations)
        self.tokens = Tokens(runtime, self.blocking.tokens)
        self.inbox = Inbox(runtime, self.blocking.inbox)
        self.push = Push(runtime, self.blocking.push)
        self.factors = Factors(runtime, self.blocking.factors)
        self.vault = Vault(runtime, self.blocking.vault)
        self.requests = Requests(runtime, self.blocking.requests)
        self.oidc = OIDC(runtime, self.blocking.oidc)
        self.mobile_auth = MobileAuth(runtime, self.blocking.mobile_auth)

    @_with_arguments_of(mtoken.Client.with_options)
    def with_options(self, **options: Any) -> Client:
        """Options for individual calls: `await client.with_options(language="cs").operations.list()`."""
        view: Client = object.__new__(type(self))
        view._wrap(self.runtime, self.blocking.with_options(**options))
        return view

    activate = _awaited(mtoken.Client.start_activate)
    status = _awaited(mtoken.Client.start_status)
    wait_active = _awaited(mtoken.Client.start_wait_active)
    detail = _awaited(mtoken.Client.start_detail)
    rename = _awaited(mtoken.Client.start_rename)
    upgrade = _awaited(mtoken.Client.start_upgrade)
    config = _awaited(mtoken.Client.start_config)
    remove = _awaited(mtoken.Client.start_remove)
    user_info = _awaited(mtoken.Client.start_user_info)
    synchronize_time = _awaited(mtoken.Client.start_synchronize_time)

    persist = _in_thread(mtoken.Client.persist)
    import_upstream = _in_thread(mtoken.Client.import_upstream)
    reseal = _in_thread(mtoken.Client.reseal)
    cancel_activation = _in_thread(mtoken.Client.cancel_activation)
    remove_local = _in_thread(mtoken.Client.remove_local)
    sign = _in_thread(mtoken.Client.sign)
    signature_accepted = _same(mtoken.Client.signature_accepted)
    sign_offline = _in_thread(mtoken.Client.sign_offline)

    authorize_qr = _in_thread(mtoken.Client.authorize_qr)

    parse_qr = _same(mtoken.Client.parse_qr)
    public_key = _same(mtoken.Client.public_key)
    info = _same(mtoken.Client.info)
    verify = _same(mtoken.Client.verify)
    reset_time = _same(mtoken.Client.reset_time)
    set_language = _same(mtoken.Client.set_language)
    close = _same(mtoken.Client.close)

    @property
    def id(self) -> str:
        """The name of this client within its store."""
        return self.blocking.id

    @property
    def state(self) -> mtoken.ClientState:
        """State of the client on this device."""
        return self.blocking.state

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mtoken.aio.Client {self.id!r}>"
