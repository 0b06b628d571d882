"""Where the state lives: directory, memory, the host's own; damage, locks, failures, restarts."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import mtoken
import pytest
from conftest import CHILD_PATH, ClientFactory, Device, DeviceFactory
from devserver import OPERATIONS, DevServer


def run_child(script: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs Python text in a process of its own, with the binding at hand."""
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=check)


def state_file(folder: Path, client: str = "device") -> Path:
    """The file that holds a client's state."""
    found = [path for path in folder.iterdir() if path.name.startswith(f"{client}.state")]
    assert len(found) == 1, sorted(folder.iterdir())
    return found[0]


# Directory


def test_a_relative_path_is_resolved_at_once(
    make_device: DeviceFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    store = mtoken.Store.directory("state")
    monkeypatch.chdir(tmp_path / "elsewhere")
    make_device(store=store)
    assert state_file(tmp_path / "state").exists()
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o740, 0o704])
def test_a_folder_that_others_may_use(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    with pytest.raises(mtoken.StorageError):
        mtoken.Store.directory(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == mode


# Damage


def test_a_damaged_key_file_is_detected_and_left(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    """A bit of the device secret is another, or its length, so that nobody can put a guessable one there."""
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder))
    device.client.close()
    key, state = folder / "device.key", state_file(folder)
    good, content = key.read_bytes(), state.read_bytes()
    flipped = [good[:position] + bytes([good[position] ^ 1]) + good[position + 1 :] for position in range(len(good))]
    for damaged in flipped + [bytes(length) for length in (0, 1, 15, 16, 31, 33, 64)]:
        key.write_bytes(damaged)
        with pytest.raises(mtoken.TamperedError):
            make_client("device", store=mtoken.Store.directory(folder))
        assert (key.read_bytes(), state.read_bytes()) == (damaged, content)
    key.write_bytes(good)
    device.client = make_client("device", store=mtoken.Store.directory(folder))
    assert device.can_sign()


# The host's own store


class Backend:
    """A host's store in a dictionary, which can be told to fail."""

    def __init__(self) -> None:
        self.items: Dict[str, bytes] = {}
        self.failing: Dict[str, BaseException] = {}

    def _enter(self, call: str, name: str) -> None:
        if call in self.failing:
            raise self.failing[call]

    def load(self, name: str) -> Optional[bytes]:
        self._enter("load", name)
        return self.items.get(name)

    def save(self, name: str, data: bytes) -> None:
        self._enter("save", name)
        self.items[name] = data

    def remove(self, name: str) -> None:
        self._enter("remove", name)
        self.items.pop(name, None)


@pytest.fixture
def backend() -> Backend:
    return Backend()


def test_a_host_store(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, backend: Backend
) -> None:
    store = mtoken.Store.host(backend)
    device = make_device(store=store)
    assert set(backend.items) == {"device.state", "device.key"}
    operation = device.new_operation()
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"
    device.client.close()
    store.close()
    device.client = make_client("device", store=mtoken.Store.host(backend))
    assert device.can_sign()
    device.client.remove_local()
    assert "device.state" not in backend.items or make_empty(make_client, device, backend)


def make_empty(make_client: ClientFactory, device: Device, backend: Backend) -> bool:
    """Whether the stored state is that of an empty client."""
    device.client.close()
    return make_client("device", store=mtoken.Store.host(backend)).state is mtoken.ClientState.EMPTY


def test_a_host_store_may_raise_key_error(make_client: ClientFactory, backend: Backend) -> None:
    class Raising(Backend):
        def load(self, name: str) -> bytes:
            return self.items[name]

    assert make_client(store=mtoken.Store.host(Raising())).state is mtoken.ClientState.EMPTY


class Locked(Backend):
    """A keyring that waits for the user of one client when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = threading.Event()
        self.opened.set()
        self.asked = threading.Event()

    def _enter(self, call: str, name: str) -> None:
        if call != "load" and name.startswith("locked."):
            self.asked.set()
            assert self.opened.wait(60)
        super()._enter(call, name)

    def lock(self) -> None:
        self.asked.clear()
        self.opened.clear()


def test_a_store_that_waits_holds_up_its_own_client_only(server: DevServer, make_device: DeviceFactory) -> None:
    store = Locked()
    shared = mtoken.Store.host(store)
    device = make_device("locked", store=shared, timeout=1)
    others = [make_device("other"), *(make_device(f"neighbour-{number}", store=shared) for number in range(3))]
    operation = device.new_operation()
    device.client.operations.list()
    mark = server.mark()
    store.lock()
    approval = device.client.operations.start_authorize(operation, device.auth)
    assert store.asked.wait(30)
    # The runtime goes on, and what is known of the client can be asked.
    for other in others:
        assert other.can_sign()
        assert len(other.client.operations.list()) == 0
    assert device.client.state is mtoken.ClientState.ACTIVE
    assert device.client.info().activation_id == device.activation_id
    assert [known.id for known in device.client.operations.known().operations] == [operation.id]
    # So do the calls of this client as far as they can: they begin, end in time, and can be cancelled.
    listed = device.client.operations.start_list()
    rejected = device.client.with_options(timeout=60).operations.start_reject(operation.id)
    rejected.cancel()
    assert isinstance(rejected.error(30), mtoken.CancelledError)
    for task in (approval, listed):
        with pytest.raises(mtoken.TimeoutExpiredError) as failure:
            task.result(30)
        assert (failure.value.reason, failure.value.outcome) == ("storageTimeout", mtoken.Outcome.NOT_SENT)
        assert failure.value.retriable
    sent = [request["path"] for request in server.requests(OPERATIONS, after=mark)]
    assert not store.opened.is_set() and sent == [f"{OPERATIONS}/list"] * len(others)
    mark = server.mark()
    store.opened.set()
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"
    assert [request["path"] for request in server.requests(OPERATIONS, after=mark)] == [f"{OPERATIONS}/authorize"]
    assert device.client.info().unacknowledged_signatures == 0


class Recursive(Backend):
    """A keyring whose functions use the client that waits for them."""

    use: Callable[[], object] = bool

    def _enter(self, call: str, name: str) -> None:
        super()._enter(call, name)
        use, self.use = self.use, bool
        use()


def test_a_store_that_uses_its_own_client_is_refused(server: DevServer, make_device: DeviceFactory) -> None:
    store = Recursive()
    device = make_device("recursive", store=mtoken.Store.host(store))
    operation = device.new_operation()
    neighbour = Recursive()
    other = make_device("other", store=mtoken.Store.host(neighbour))
    refused: List[mtoken.MTokenError] = []

    def refusal(call: Callable[[], object]) -> None:
        with pytest.raises(mtoken.StateError) as failure:
            call()
        refused.append(failure.value)

    client = device.client

    def recurse() -> None:
        refusal(client.operations.list)
        refusal(client.signature_accepted)
        neighbour.use = lambda: refusal(client.operations.list)  # also from there
        assert other.can_sign() and neighbour.use is bool

    # On the thread of the call, and on that of the runtime.
    for begin in (lambda: client.sign("POST", "/x", b"", device.auth), lambda: client.factors.validate_pin("1234")):
        store.use = recurse
        begin()
        assert store.use is bool
    tasks: List[mtoken.Task[Any]] = []
    begun = threading.Event()

    def wait() -> None:
        assert begun.wait(30)
        refusal(lambda: tasks[0].result(30))

    store.use = wait
    tasks.append(device.client.operations.start_authorize(operation, device.auth))
    begun.set()
    tasks[0].result(30)
    assert server.operation(operation.id)["status"] == "APPROVED"
    assert {failure.reason for failure in refused} == {"insideHostFunction"} and len(refused) == 7


# What is made up of several calls, or changes what a store that waits is asked to keep.
BEGUN: Dict[str, Callable[[Device, str], mtoken.Task[Any]]] = {
    "change_pin": lambda device, _: device.client.factors.start_change_pin("1234", "5678"),
    "validate_pin": lambda device, _: device.client.factors.start_validate_pin("1234"),
    "encryption_key": lambda device, _: device.client.vault.start_encryption_key(1, device.auth),
    "token": lambda device, _: device.client.tokens.start_create("mine"),
    "push": lambda device, _: device.client.push.start_register(mtoken.PushService.FCM, "token"),
    "wait_active": lambda device, _: device.client.start_wait_active(limit=1),
    "pending": lambda device, _: device.client.mobile_auth.start_pending(),
    "handle": lambda device, id: device.client.mobile_auth.handle(id),
    "remove": lambda device, _: device.client.start_remove(device.auth),
}


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_each_call_ends_while_a_store_waits(server: DevServer, make_device: DeviceFactory, is_cancelled: bool) -> None:
    store = Locked()
    runtime = mtoken.Runtime(events=mtoken.Events.CHALLENGES)
    device = make_device("locked", runtime=runtime, store=mtoken.Store.host(store), timeout=1)
    operation = device.new_operation()
    if is_cancelled:
        device.client = device.client.with_options(timeout=60)
    mark = server.mark()
    store.lock()
    signing = threading.Thread(target=device.client.sign, args=("POST", "/x", b"", device.auth))
    signing.start()
    assert store.asked.wait(30)
    tasks = {name: begin(device, operation.id) for name, begin in BEGUN.items()}
    for name, task in tasks.items():
        if is_cancelled:
            task.cancel()
        failure = task.error(30)
        assert isinstance(failure, mtoken.CancelledError if is_cancelled else mtoken.TimeoutExpiredError), name
        assert failure.outcome is mtoken.Outcome.NOT_SENT, name
        assert is_cancelled or failure.reason == "storageTimeout", name
    # A call that changes what the store is asked to keep cannot begin.
    if not is_cancelled:
        with pytest.raises(mtoken.TimeoutExpiredError) as refused:
            device.client.factors.start_add_biometry(bytes(range(16)), device.auth)
        assert (refused.value.reason, refused.value.outcome) == ("storageTimeout", mtoken.Outcome.NOT_SENT)
    assert not store.opened.is_set()
    store.opened.set()
    signing.join()
    assert device.can_sign()
    sent = {request["path"] for request in server.requests(after=mark)}  # the signature of the host's own has a look
    assert sent <= {"/pa/v3/signature/validate", "/pa/v3/activation/status"}
    # Nothing of them is left.
    device.client.push.register(mtoken.PushService.FCM, "token", timeout=60)
    device.client.mobile_auth.handle(operation.id).cancel()


def test_an_activation_begins_in_time_or_not_at_all(server: DevServer, make_device: DeviceFactory) -> None:
    store = Locked()
    device = make_device("locked", store=mtoken.Store.host(store), timeout=1)
    code = server.new_activation(device.user)["activationCode"]
    mark = server.mark()
    store.lock()
    removal = threading.Thread(target=device.client.remove_local)
    removal.start()
    assert store.asked.wait(30)
    with pytest.raises(mtoken.TimeoutExpiredError) as failure:
        device.client.activate(code)
    assert (failure.value.reason, failure.value.outcome) == ("storageTimeout", mtoken.Outcome.NOT_SENT)
    store.opened.set()
    removal.join()
    assert not server.requests(after=mark)
    device.client.with_options(timeout=60).activate(code)


def test_load_fails(make_client: ClientFactory, backend: Backend) -> None:
    backend.failing["load"] = OSError("no keyring today")
    with pytest.raises(mtoken.StorageError) as failure:
        make_client(store=mtoken.Store.host(backend))
    assert failure.value.__cause__ is backend.failing["load"]
    backend.failing.clear()
    assert make_client(store=mtoken.Store.host(backend)).state is mtoken.ClientState.EMPTY


def test_a_host_store_is_released(server: DevServer, backend: Backend) -> None:
    from mtoken import _host as module

    before = len(module._hosts)
    store = mtoken.Store.host(backend)
    with mtoken.Runtime() as runtime:
        client = mtoken.Client(
            runtime, "c", configuration=server.configuration, base_url=server.url, ca_file=server.ca_file, store=store
        )
        store.close()
        client.synchronize_time()
        assert len(module._hosts) == before + 1, "the store was released while a client used it"
        client.close()
    assert len(module._hosts) == before
