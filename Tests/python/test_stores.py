"""Where the state lives: directory, memory, the host's own; damage, locks, failures, restarts."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

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


def test_files_are_the_owners_only(make_device: DeviceFactory, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    names = {path.name for path in folder.iterdir()}
    assert any(name.startswith("device.state") for name in names) and any(
        name.startswith("device.key") for name in names
    )
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    device.client.close()
    assert not [path for path in folder.iterdir() if "tmp" in path.name], "a temporary file was left behind"


def test_the_umask_does_not_matter(make_device: DeviceFactory, tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        make_device(store=mtoken.Store.directory(tmp_path / "state"))
        assert os.umask(0) == 0
    finally:
        os.umask(previous)
    for path in [tmp_path / "state", *(tmp_path / "state").iterdir()]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_no_secret_is_in_the_files(make_device: DeviceFactory, tmp_path: Path) -> None:
    device = make_device(store=mtoken.Store.directory(tmp_path / "state"), biometry=True)
    device.client.operations.list()
    for path in (tmp_path / "state").iterdir():
        content = path.read_bytes()
        assert device.pin.encode() * 2 not in content
        assert device.biometry_key not in content


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


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o704, 0o740])
def test_a_folder_that_others_may_use(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(mtoken.StorageError):
        mtoken.Store.directory(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == mode


def test_a_path_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "missing" / "parent" / "x"):
        with pytest.raises(mtoken.StorageError):
            mtoken.Store.directory(path)
    assert (tmp_path / "file").read_text() == "x"


def test_an_empty_path() -> None:
    with pytest.raises(mtoken.ArgumentError):
        mtoken.Store.directory("")


def test_two_clients_of_one_store(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    store = mtoken.Store.directory(tmp_path / "state")
    first, second = make_device("first", store=store), make_device("second", store=store)
    assert first.can_sign() and second.can_sign()
    with pytest.raises(mtoken.BusyError) as failure:
        make_client("first", store=store)
    assert failure.value.retriable or failure.value.outcome is mtoken.Outcome.NOT_SENT
    with pytest.raises(mtoken.BusyError):
        make_client("first", store=mtoken.Store.directory(tmp_path / "state"))
    first.client.close()
    assert make_client("first", store=store).info().activation_id == first.activation_id


OPEN = """
import sys, mtoken
store, configuration, url = sys.argv[1:]
with mtoken.Runtime() as runtime:
    try:
        state = mtoken.Store.directory(store)
        mtoken.Client(runtime, "device", configuration=configuration, base_url=url, store=state)
    except mtoken.BusyError:
        print("busy")
    else:
        print("opened")
"""


def test_two_processes(server: DevServer, make_device: DeviceFactory, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder))
    arguments = (str(folder), server.configuration, server.url)
    assert run_child(OPEN, *arguments).stdout.strip() == "busy"
    assert device.can_sign()
    device.client.close()
    assert run_child(OPEN, *arguments).stdout.strip() == "opened"


# Restart


def test_a_restart_continues_the_counter(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    device = make_device(store=mtoken.Store.directory(tmp_path / "state"), biometry=True)
    assert device.can_sign()
    before = device.client.info()
    for _ in range(3):
        device.client.close()
        with mtoken.Runtime() as runtime:
            device.client = make_client("device", store=mtoken.Store.directory(tmp_path / "state"), runtime=runtime)
            info = device.client.info()
            assert (info.state, info.activation_id, info.fingerprint, info.has_biometry) == (
                mtoken.ClientState.ACTIVE,
                before.activation_id,
                before.fingerprint,
                True,
            )
            assert device.can_sign()
            assert not info.time_synchronized and info.activation_state is None
            device.client.close()


SIGN = """
import os, signal, sys, mtoken
store, configuration, url = sys.argv[1:]
runtime = mtoken.Runtime()
state = mtoken.Store.directory(store)
client = mtoken.Client(runtime, "device", configuration=configuration, base_url=url, store=state)
print(client.sign("POST", "/pa/signature/validate", b"{}", mtoken.Auth.pin("1234")).value, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_that_is_killed_after_signing(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    """The counter was stored before the signature was handed out, so the next signature is a new one."""
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder))
    device.client.close()
    headers: List[str] = []
    for _ in range(3):
        child = run_child(SIGN, str(folder), server.configuration, server.url, check=False)
        assert child.returncode == -signal.SIGKILL, child.stderr
        headers.append(child.stdout.strip())
    device.client = make_client("device", store=mtoken.Store.directory(folder))
    assert device.can_sign()
    for header in headers:
        used = {"X-PowerAuth-Authorization": header}
        assert server.send("POST", "/pa/v3/signature/validate", b"{}", used).status == 401, (
            "an old counter was accepted"
        )


DISK = """
import os, resource, shutil, sys, mtoken
folder, configuration, url, trouble = sys.argv[1:]
for name in mtoken.__all__:
    getattr(mtoken, name)  # which is loaded while it can be read
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)  # nothing is forbidden to the superuser
runtime = mtoken.Runtime()
store = mtoken.Store.directory(folder)
client = mtoken.Client(runtime, "device", configuration=configuration, base_url=url, allow_http=True, store=store)

def sign():
    try:
        return client.sign("POST", "/pa/signature/validate", b"{}", mtoken.Auth.pin("1234")).value
    except mtoken.StorageError as error:
        return f"{error.reason} {error.outcome.name}"

limit = resource.getrlimit(resource.RLIMIT_FSIZE)
if trouble == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
elif trouble == "read-only":
    os.chmod(folder, 0o500)
elif trouble == "gone":
    os.rename(folder, folder + ".elsewhere")
    os.mkdir(folder, 0o700)
    shutil.rmtree(folder + ".elsewhere")
print(sign())
resource.setrlimit(resource.RLIMIT_FSIZE, limit)
os.chmod(folder, 0o700)
print(sign())
client.close(), runtime.close()  # a status that is asked for in the background may be about to be stored
print(sorted(name for name in os.listdir(folder) if "tmp" in name))
"""


@pytest.mark.parametrize("trouble", ["full", "read-only", "gone"])
def test_a_disk_in_trouble(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, trouble: str
) -> None:
    """No signature leaves that could not be stored; when the disk is well again, the same counter is used."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "state"
        device = make_device(store=mtoken.Store.directory(folder))
        device.client.close()
        if os.getuid() == 0:
            for path in (Path(parent), folder, *folder.iterdir()):
                os.chown(path, 65534, 65534)
        counter = device.view()["counter"]
        first, second, left_over = run_child(
            DISK, str(folder), server.configuration, server.http_url, trouble
        ).stdout.splitlines()
        assert first == ("storageLockLost" if trouble == "gone" else "storageFailed") + " NOT_SENT"
        assert left_over == "[]"
        if trouble == "gone":
            assert second == first
            return
        used = {"X-PowerAuth-Authorization": second}
        assert server.send("POST", "/pa/v3/signature/validate", b"{}", used).status == 200
        assert device.view()["counter"] == counter + 1, "a counter value was lost"


def test_the_device_secret_of_the_host(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    folder = tmp_path / "state"
    secret = bytearray(b"from a TPM, at least 16 bytes")
    device = make_device(store=mtoken.Store.directory(folder), device_secret=secret)
    assert secret == b"from a TPM, at least 16 bytes"
    assert not [path for path in folder.iterdir() if path.name.startswith("device.key")]
    device.client.close()
    content = state_file(folder).read_bytes()
    for wrong in (b"from another TPM, same length", None):
        with pytest.raises(mtoken.TamperedError):
            make_client("device", store=mtoken.Store.directory(folder), device_secret=wrong)
        assert state_file(folder).read_bytes() == content
    device.client = make_client("device", store=mtoken.Store.directory(folder), device_secret=secret)
    assert device.can_sign()


# Damage


SLOTS = 4096
"""Where the slots of a state's file begin: behind the sector of the key that their contents are encrypted with."""


def newest_slot(content: bytes) -> Tuple[int, int, int]:
    """Where the slot that was saved last begins in a state's file, its size, and how many bytes of its sectors count."""
    size = (len(content) - SLOTS) // 2
    newest = max((SLOTS, SLOTS + size), key=lambda at: int.from_bytes(content[at + 504 : at + 512], "little"))
    return newest, size, 48 + (int.from_bytes(content[newest + 36 : newest + 40], "little") + 15) // 16 * 16


def test_a_damaged_state_is_detected_and_left(
    server: DevServer, make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    """Whatever is changed of the state that was saved last: it is refused, and the one before does not come back.

    StoreTests.swift changes each byte; here the file stays as it is.
    """
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder))
    device.client.operations.list()
    assert device.can_sign()
    device.client.close()
    path = state_file(folder)
    good = path.read_bytes()
    start, size, used = newest_slot(good)
    other = 2 * SLOTS + size - start

    def refused(content: bytes) -> None:
        path.write_bytes(content)
        with pytest.raises(mtoken.TamperedError) as failure:
            make_client("device", store=mtoken.Store.directory(folder))
        assert failure.value.outcome is mtoken.Outcome.NOT_SENT
        assert path.read_bytes() == content, "a damaged state was overwritten"

    for position in [*range(0, 64, 9), *(start + place // 504 * 512 + place % 504 for place in range(0, used, 61))]:
        damaged = bytearray(good)
        damaged[position] ^= 1 << (position % 8)
        refused(bytes(damaged))
    # A slot that was cleared is not one that was never written: the state before does not come back.
    for cleared in (size, 512):
        refused(good[:start] + bytes(cleared) + good[start + cleared :])
    for length in (1, 16, len(good) // 2, len(good) - 1):
        refused(good[:length])
    refused(good + b"\0")
    refused(b"")
    refused(bytes(len(good)))
    # What a torn write leaves: some sectors of the older slot are others.
    damaged = bytearray(good)
    damaged[other + 512 : other + 1024] = os.urandom(512)
    path.write_bytes(damaged)
    device.client = make_client("device", store=mtoken.Store.directory(folder))
    assert device.can_sign()


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


@pytest.mark.parametrize("planted", [b"", b"x", bytes(15), bytes(32)])
def test_a_planted_key_file(make_device: DeviceFactory, tmp_path: Path, planted: bytes) -> None:
    """Without a state it is no secret of ours: an activation has a new one."""
    folder = tmp_path / "state"
    folder.mkdir(0o700)
    key = folder / "device.key"
    key.write_bytes(planted)
    key.chmod(0o600)
    device = make_device(store=mtoken.Store.directory(folder))
    assert device.can_sign()
    assert len(key.read_bytes()) == 32 and key.read_bytes() != planted


def test_a_state_of_another_client(make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    store = mtoken.Store.directory(folder)
    first, second = make_device("first", store=store), make_device("second", store=store)
    first.client.close()
    second.client.close()
    state_file(folder, "first").write_bytes(state_file(folder, "second").read_bytes())
    with pytest.raises(mtoken.TamperedError):
        make_client("first", store=store)
    assert make_client("second", store=store).info().activation_id == second.activation_id


def test_a_lost_key_file(make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder))
    device.client.close()
    content = state_file(folder).read_bytes()
    for path in folder.iterdir():
        if path.name.startswith("device.key"):
            path.unlink()
    with pytest.raises(mtoken.TamperedError):
        make_client("device", store=mtoken.Store.directory(folder))
    assert state_file(folder).read_bytes() == content


def test_an_older_copy_of_the_state(make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path) -> None:
    """A backup that is put back is out of step with the server; the status brings it back in step."""
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder))
    backup = state_file(folder).read_bytes()
    for _ in range(3):
        assert device.can_sign()
    device.client.close()
    state_file(folder).write_bytes(backup)
    device.client = make_client("device", store=mtoken.Store.directory(folder))
    assert not device.can_sign()
    assert device.client.status().state is mtoken.ActivationState.ACTIVE
    assert device.can_sign()


# The host's own store


class Backend:
    """A host's store in a dictionary, which can be told to fail."""

    def __init__(self) -> None:
        self.items: Dict[str, bytes] = {}
        self.calls: List[str] = []
        self.failing: Dict[str, BaseException] = {}
        self.before_save: Optional[Callable[[], None]] = None

    def _enter(self, call: str, name: str) -> None:
        self.calls.append(f"{call} {name}")
        if call in self.failing:
            raise self.failing[call]

    def load(self, name: str) -> Optional[bytes]:
        self._enter("load", name)
        return self.items.get(name)

    def save(self, name: str, data: bytes) -> None:
        self._enter("save", name)
        if self.before_save:
            self.before_save()
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


def test_the_state_is_saved_before_a_request_leaves(
    server: DevServer, make_device: DeviceFactory, backend: Backend
) -> None:
    device = make_device(store=mtoken.Store.host(backend))
    operation = device.new_operation()
    before = server.mark()
    sent_at_save: List[int] = []
    backend.before_save = lambda: sent_at_save.append(len(server.requests(f"{OPERATIONS}/authorize", before)))
    device.client.operations.authorize(operation, device.auth)
    assert sent_at_save and sent_at_save[0] == 0, "the request left before the counter was safe"


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


def test_save_fails_at_persist(server: DevServer, make_client: ClientFactory, backend: Backend, user: str) -> None:
    client = make_client(store=mtoken.Store.host(backend))
    client.activate(server.new_activation(user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    backend.failing["save"] = OSError("disk full")
    with pytest.raises(mtoken.StorageError) as failure:
        client.persist("1234")
    assert failure.value.__cause__ is backend.failing["save"]
    assert client.info().state is mtoken.ClientState.PENDING
    backend.failing.clear()
    client.persist("1234")
    assert client.info().state is mtoken.ClientState.ACTIVE
    assert client.status().state is mtoken.ActivationState.ACTIVE


def test_save_fails_at_a_signature(server: DevServer, make_device: DeviceFactory, backend: Backend) -> None:
    device = make_device(store=mtoken.Store.host(backend))
    counter = device.view()["counter"]
    backend.failing["save"] = OSError("disk full")
    for _ in range(30):
        with pytest.raises(mtoken.StorageError):
            device.client.sign("POST", "/pa/signature/validate", b"{}", device.auth)
    backend.failing.clear()
    assert device.can_sign()
    assert device.view()["counter"] == counter + 1, "signatures that were not handed out used up the counter"


def test_save_fails_at_an_approval(server: DevServer, make_device: DeviceFactory, backend: Backend) -> None:
    device = make_device(store=mtoken.Store.host(backend))
    operation = device.new_operation()
    before = server.mark()
    backend.failing["save"] = ValueError("broken")
    with pytest.raises(mtoken.StorageError) as failure:
        device.client.operations.authorize(operation, device.auth)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert failure.value.__cause__ is backend.failing["save"]
    assert server.requests(f"{OPERATIONS}/authorize", before) == []
    backend.failing.clear()
    device.client.operations.authorize(operation, device.auth)
    assert server.operation(operation.id)["status"] == "APPROVED"


def test_save_fails_at_a_new_token(server: DevServer, make_device: DeviceFactory, backend: Backend) -> None:
    device = make_device(store=mtoken.Store.host(backend))

    def fail_after_the_request() -> None:
        if server.requests("/pa/v3/token/create", before):
            raise OSError("disk full")

    before = server.mark()
    backend.before_save = fail_after_the_request
    with pytest.raises(mtoken.StorageError):
        device.client.tokens.create("mine")
    backend.before_save = None
    assert "mine" not in device.client.tokens
    device.client.tokens.create("mine")
    assert "mine" in device.client.tokens


def test_remove_fails(make_device: DeviceFactory, backend: Backend) -> None:
    device = make_device(store=mtoken.Store.host(backend))
    backend.failing["remove"] = OSError("read only")
    backend.failing["save"] = OSError("read only")
    with pytest.raises(mtoken.StorageError):
        device.client.remove_local()
    backend.failing.clear()
    device.client.remove_local()
    assert device.client.info().state is mtoken.ClientState.EMPTY


@pytest.mark.parametrize("content", [b"", b"x", b"\0" * 1000])
def test_a_host_store_that_answers_nonsense(
    make_device: DeviceFactory, make_client: ClientFactory, backend: Backend, content: bytes
) -> None:
    device = make_device(store=mtoken.Store.host(backend))
    device.client.close()
    backend.items["device.state"] = content
    with pytest.raises(mtoken.TamperedError):
        make_client("device", store=mtoken.Store.host(backend))
    assert backend.items["device.state"] == content


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


def test_clients_of_a_host_store_in_many_threads(make_device: DeviceFactory, backend: Backend) -> None:
    store = mtoken.Store.host(backend)
    devices = [make_device(f"device{number}", store=store) for number in range(4)]
    failures: List[BaseException] = []

    def use(device: Device) -> None:
        try:
            for _ in range(5):
                assert device.can_sign()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=use, args=(device,)) for device in devices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
