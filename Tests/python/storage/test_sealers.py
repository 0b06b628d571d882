"""Sealers of the program's own, and systemd's credentials. Hardware and keyrings: test_sealer_plugins.py."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import mtoken
import pytest
import sealing
from conftest import ROOT, ClientFactory, DeviceFactory
from devserver import OPERATIONS, DevServer
from mtoken import crypto
from pages import blocks
from sealing import Life, Machine


class Enclave:
    """A sealer that knows one key, authenticates, and keeps count."""

    def __init__(self, key: bytes = b"k" * 32) -> None:
        self.key = key
        self.calls: List[Tuple[str, str]] = []
        self.fault: Optional[BaseException] = None

    def _stream(self, label: str, nonce: bytes) -> bytes:
        return b"".join(crypto.hmac_sha256(self.key, label.encode() + nonce + bytes([part])) for part in range(2))

    def seal(self, label: str, data: bytes) -> bytes:
        self.calls.append(("seal", label))
        if self.fault:
            raise self.fault
        nonce = os.urandom(16)
        sealed = nonce + bytes(a ^ b for a, b in zip(data, self._stream(label, nonce)))
        return sealed + crypto.hmac_sha256(self.key, sealed)

    def unseal(self, label: str, sealed: bytes) -> bytes:
        self.calls.append(("unseal", label))
        if self.fault:
            raise self.fault
        body, tag = sealed[:-32], sealed[-32:]
        if crypto.hmac_sha256(self.key, body) != tag:
            raise mtoken.SealFailure(mtoken.SealFault.FOREIGN)
        return bytes(a ^ b for a, b in zip(body[16:], self._stream(label, body[:16])))

    def forget(self, label: str, sealed: bytes) -> None:
        self.calls.append(("forget", label))


def test_life_with_a_sealer_of_the_program(
    make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path
) -> None:
    """The library asks when a client is created, and at no other time."""
    enclave = Enclave()
    folder = tmp_path / "state"
    device = make_device(store=mtoken.Store.directory(folder), sealer=mtoken.Sealer.host(enclave))
    assert enclave.calls == [("seal", "device")]
    assert device.client.info().protection is mtoken.Protection.HOST
    assert device.can_sign() and enclave.calls == [("seal", "device")]
    item = (folder / "device.key").read_bytes()
    assert item.startswith(b"MTSE\x01\x04host") and len(item) > 80
    device.client.close()
    again = make_client("device", store=mtoken.Store.directory(folder), sealer=mtoken.Sealer.host(enclave))
    device.client = again
    assert device.can_sign() and enclave.calls[1:] == [("unseal", "device")]
    again.close()
    with pytest.raises(mtoken.SealedError) as refused:
        make_client("device", store=mtoken.Store.directory(folder), sealer=mtoken.Sealer.host(Enclave(b"other" * 8)))
    assert refused.value.reason == "sealForeign"
    assert isinstance(refused.value.__cause__, mtoken.SealFailure)


def test_a_sealer_that_waits_holds_up_its_own_client_only(server: DevServer, make_device: DeviceFactory) -> None:
    asked, opened = threading.Event(), threading.Event()

    class Card(Enclave):
        waits = False

        def seal(self, label: str, data: bytes) -> bytes:
            if self.waits:
                asked.set()
                assert opened.wait(60)
            return super().seal(label, data)

    card = Card()
    sealer = mtoken.Sealer.host(card)
    device = make_device("waiting", sealer=sealer, timeout=1)
    others = [make_device("other"), make_device("neighbour", sealer=sealer)]
    # The secret of the next activation is sealed when that is persisted.
    device.client.remove_local()
    activated = device.client.activate(
        server.new_activation(device.user, commitPhase="ON_KEY_EXCHANGE")["activationCode"]
    )
    mark = server.mark()
    card.waits = True
    persisting = threading.Thread(target=device.client.persist, args=(device.pin,))
    persisting.start()
    assert asked.wait(30)
    for other in others:
        assert other.can_sign()
        assert len(other.client.operations.list()) == 0
    assert device.client.info().activation_id == activated.activation_id
    for task in (device.client.start_status(), device.client.operations.start_list()):
        failure = task.error(30)
        assert isinstance(failure, mtoken.TimeoutExpiredError) and failure.reason == "storageTimeout"
    card.waits = False
    opened.set()
    persisting.join()
    assert len(server.requests(OPERATIONS, after=mark)) == len(others)
    assert device.can_sign()


@pytest.mark.parametrize(
    "fault, reason",
    [
        (mtoken.SealFault.UNAVAILABLE, "sealUnavailable"),
        (mtoken.SealFault.DENIED, "sealDenied"),
        (mtoken.SealFault.LOCKED, "sealLocked"),
        (mtoken.SealFault.FOREIGN, "sealForeign"),
        (mtoken.SealFault.CLEARED, "sealCleared"),
        (mtoken.SealFault.CHANGED, "sealChanged"),
        (mtoken.SealFault.DAMAGED, "sealDamaged"),
        (mtoken.SealFault.FAILED, "sealFailed"),
    ],
)
def test_what_a_sealer_says(make_client: ClientFactory, fault: mtoken.SealFault, reason: str) -> None:
    enclave = Enclave()
    store = mtoken.Store.memory()
    enclave.fault = mtoken.SealFailure(fault)
    with pytest.raises(mtoken.SealedError) as refused:
        make_client(store=store, sealer=mtoken.Sealer.host(enclave))
    assert refused.value.reason == reason and refused.value.outcome is mtoken.Outcome.NOT_SENT
    enclave.fault = None
    make_client(store=store, sealer=mtoken.Sealer.host(enclave))


def test_a_sealer_that_breaks(make_client: ClientFactory) -> None:
    enclave = Enclave()
    enclave.fault = ZeroDivisionError("broken")
    sealer = mtoken.Sealer.host(enclave)
    with pytest.raises(mtoken.SealedError) as refused:
        make_client(sealer=sealer)
    assert refused.value.reason == "sealFailed" and isinstance(refused.value.__cause__, ZeroDivisionError)
    enclave.fault = mtoken.SealFailure(mtoken.SealFault.OPTIONS)
    with pytest.raises(mtoken.ArgumentError):
        make_client(sealer=sealer)

    class Verbose(Enclave):
        def seal(self, label: str, data: bytes) -> bytes:
            return bytes(4097)

    with pytest.raises(mtoken.SealedError):
        make_client(sealer=mtoken.Sealer.host(Verbose()))


def test_bad_arguments(make_client: ClientFactory) -> None:
    sealer = mtoken.Sealer.host(Enclave())
    with pytest.raises(mtoken.ArgumentError):
        make_client(sealer=sealer, device_secret=b"s" * 32)
    for name in ("", "../tpm2", "TPM2", "a" * 33, "tpm2/x"):
        with pytest.raises(mtoken.ArgumentError):
            mtoken.Sealer.open(name)
    with pytest.raises(mtoken.UnsupportedError) as missing:
        mtoken.Sealer.open("enigma")
    assert missing.value.reason == "sealerNotFound" and "libmtoken-enigma.so.1" in (missing.value.cause or "")
    for content in (b"", bytes(65)):
        with pytest.raises(mtoken.ArgumentError):
            sealer.seal("x", content)
    for content in (b"", bytes(4097)):
        with pytest.raises(mtoken.ArgumentError):
            sealer.unseal("x", content)
    with pytest.raises(mtoken.ArgumentError):
        sealer.seal("x" * 256, b"x")
    assert sealer.unseal("x", sealer.seal("x", b"key")) == b"key"


def test_every_changed_bit_is_refused(make_device: DeviceFactory, make_client: ClientFactory, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    make_device(store=mtoken.Store.directory(folder), sealer=mtoken.Sealer.host(Enclave())).client.close()
    path = folder / "device.key"
    good = path.read_bytes()
    sealer = mtoken.Sealer.host(Enclave())
    for bit in range(8 * len(good)):
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        path.write_bytes(bad)
        with pytest.raises((mtoken.SealedError, mtoken.TamperedError, mtoken.UnsupportedError)):
            make_client("device", store=mtoken.Store.directory(folder), sealer=sealer)
        assert path.read_bytes() == bad
    for length in range(len(good)):
        path.write_bytes(good[:length])
        with pytest.raises((mtoken.SealedError, mtoken.TamperedError)):
            make_client("device", store=mtoken.Store.directory(folder), sealer=sealer)
    path.write_bytes(good)
    assert make_client("device", store=mtoken.Store.directory(folder), sealer=sealer).state is mtoken.ClientState.ACTIVE


def test_what_is_not_stored_is_forgotten(make_client: ClientFactory) -> None:
    enclave = Enclave()
    make_client(sealer=mtoken.Sealer.host(enclave)).close()
    assert enclave.calls == [("seal", "client"), ("forget", "client")]


def test_resealing(make_device: DeviceFactory, make_client: ClientFactory) -> None:
    """From a secret of the program to a sealer, to another one, and into the clear; what fails changes nothing."""
    store = mtoken.Store.memory()
    first, second = Enclave(b"1" * 32), Enclave(b"2" * 32)
    device = make_device(store=store, device_secret=b"s" * 32)
    protections = []

    def reopened(**how: Any) -> None:
        protections.append(device.client.info().protection)
        device.client.close()
        device.client = make_client("device", store=store, **how)
        assert device.can_sign()

    device.client.reseal(mtoken.Sealer.host(first))
    reopened(sealer=mtoken.Sealer.host(first))
    second.fault = mtoken.SealFailure(mtoken.SealFault.LOCKED)
    with pytest.raises(mtoken.SealedError):
        device.client.reseal(mtoken.Sealer.host(second))
    reopened(sealer=mtoken.Sealer.host(first))
    second.fault = None
    device.client.reseal(mtoken.Sealer.host(second))
    assert first.calls[-1] == ("forget", "device")
    reopened(sealer=mtoken.Sealer.host(second))
    device.client.reseal(None)
    assert second.calls[-1] == ("forget", "device")
    reopened()
    host = mtoken.Protection.HOST
    assert protections == [host, host, host, mtoken.Protection.NONE]


def test_a_sealer_that_uses_its_own_client_is_refused(server: DevServer, make_device: DeviceFactory) -> None:
    refused: List[Tuple[str, str, mtoken.Outcome]] = []

    class Recursive(Enclave):
        def _use(self, function: str) -> None:
            for call in (device.client.operations.list, device.client.signature_accepted):
                try:
                    call()
                except mtoken.StateError as failure:
                    refused.append((function, failure.reason, failure.outcome))

        def seal(self, label: str, data: bytes) -> bytes:
            if self.calls:  # not while the client is made
                self._use("seal")
            return super().seal(label, data)

        def forget(self, label: str, sealed: bytes) -> None:
            self._use("forget")

    device = make_device(sealer=mtoken.Sealer.host(Recursive()))
    device.client.remove_local()
    device.client.activate(server.new_activation(device.user, commitPhase="ON_KEY_EXCHANGE")["activationCode"])
    device.client.persist(device.pin)
    told = ("insideHostFunction", mtoken.Outcome.NOT_SENT)
    assert refused == [("forget", *told)] * 2 + [("seal", *told)] * 2
    assert device.can_sign()


def test_the_page(
    server: DevServer, make_device: DeviceFactory, runtime: mtoken.Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/guides/where-the-key-lives.md shows, with sealers of this program in place of the hardware."""
    shown = [block.text for block in blocks("docs/guides/where-the-key-lives.md") if block.language == "python"]
    monkeypatch.setattr(mtoken.Sealer, "open", lambda name, **options: mtoken.Sealer.host(Enclave()))
    names: Dict[str, Any] = {
        "mtoken": mtoken, "secrets": secrets, "runtime": runtime, "store": mtoken.Store.memory(), "pin": "1234",
    }  # fmt: skip
    where = f"base_url={server.url!r}, ca_file={server.ca_file!r}"
    exec(
        shown[0].replace("configuration=…", f"configuration={server.configuration!r}").replace("base_url=…", where),
        names,
    )
    assert names["client"].info().protection is mtoken.Protection.HOST
    names["client"].close()
    device = make_device()
    names["client"] = device.client
    exec(shown[1].replace("…\n", ""), names)
    operation = device.new_operation()
    device.client.operations.authorize(operation, names["auth"])


# systemd's credentials


@pytest.fixture
def machines(tmp_path: Path) -> Tuple[Machine, Machine]:
    """Two machines with credentials of the same name."""
    found = []
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "mtoken").write_bytes(os.urandom(32))
        found.append(Machine("systemd", environment={"CREDENTIALS_DIRECTORY": str(folder)}))
    return found[0], found[1]


@pytest.fixture
def life(server: DevServer, user: str, tmp_path: Path) -> Life:
    return Life(server, tmp_path / "state", user, sealing.build_killer(tmp_path))


def test_life_with_a_credential(life: Life, machines: Tuple[Machine, Machine]) -> None:
    sealing.lives(life, *machines, "HOST", ["sealForeign"])


def test_killed_while_activating(life: Life, machines: Tuple[Machine, Machine]) -> None:
    sealing.is_killed_activating(life, machines[0])


def test_killed_while_resealing(life: Life, machines: Tuple[Machine, Machine]) -> None:
    sealing.is_killed_resealing(life, machines[0], Machine(None))


def test_bad_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
    with pytest.raises(mtoken.SealedError) as refused:
        mtoken.Sealer.open("systemd")
    assert refused.value.reason == "sealUnavailable"
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    with pytest.raises(mtoken.SealedError) as refused:
        mtoken.Sealer.open("systemd", device="bank")
    assert refused.value.reason == "sealUnavailable" and refused.value.cause == "No such file or directory"
    for size in (0, 15, 4097):
        (tmp_path / "bank").write_bytes(bytes(size))
        with pytest.raises(mtoken.ArgumentError):
            mtoken.Sealer.open("systemd", device="bank")
    (tmp_path / "bank").write_bytes(bytes(4096))
    sealer = mtoken.Sealer.open("systemd", device="bank")
    sealed = sealer.seal("x", b"key")
    assert sealer.unseal("x", sealed) == b"key"
    for wrong in (sealed[:-1], sealed[:20], sealed[:7]):
        with pytest.raises(mtoken.SealedError) as damaged:
            sealer.unseal("x", wrong)
        assert damaged.value.reason == "sealDamaged"
    with pytest.raises(mtoken.SealedError):
        sealer.unseal("y", sealed)
    for options in ({"device": "../bank"}, {"device": ""}, {"password": "x"}, {"module": "x"}, {"pcrs": "7"}):
        with pytest.raises(mtoken.ArgumentError):
            mtoken.Sealer.open("systemd", **options)  # type: ignore[arg-type]


PLUGIN = r"""
#include <plugin.h>
#include <stdio.h>
static int32_t seal_nothing(void *c, const char *l, const uint8_t *b, size_t n, uint8_t *o, size_t *r)
{ (void)c, (void)l, (void)b, (void)n, (void)o, (void)r; return 8; }
static int32_t tell(const mtoken_plugin_options *o, void **c, char *why)
{ (void)o, (void)c; snprintf(why, MTOKEN_CAUSE_ROOM, "%s", PLACE); return 8; }
static void leave(void *c) { (void)c; }
const mtoken_plugin mtoken_plugin_descriptor = {
    .magic = MTOKEN_PLUGIN_MAGIC, .interface = MTOKEN_PLUGIN_INTERFACE, .size = sizeof(mtoken_plugin),
    .name = "mine", .open = tell, .seal = seal_nothing, .unseal = seal_nothing, .close = leave};
"""
OPENS = """
import os, sys, ctypes
os.chdir(sys.argv[1])
os.environ["MTOKEN_LIBRARY"] = sys.argv[2]
import mtoken
mtoken.Runtime().close()
os.chdir(sys.argv[3])
try:
    mtoken.Sealer.open("mine")
except mtoken.MTokenError as error:
    print(error.reason, error.cause)
"""


@pytest.mark.parametrize("how", ["absolute", "relative", "removed"])
def test_plugins_lie_beside_the_library(tmp_path: Path, how: str) -> None:
    """Wherever the process goes: no other directory is searched, and this one is found."""
    library = Path(os.environ["MTOKEN_LIBRARY"])
    for place in ("here", "evil"):
        (tmp_path / place / "lib").mkdir(parents=True)
        (tmp_path / "plugin.c").write_text(PLUGIN, encoding="ascii")
        command = ["cc", "-shared", "-fPIC", f'-DPLACE="{place}"', f"-I{ROOT}/Sources/CSystem", f"-I{ROOT}/include"]
        command += ["-o", str(tmp_path / place / "lib/libmtoken-mine.so.1"), str(tmp_path / "plugin.c")]
        subprocess.run(command, check=True)
    shutil.copy(library.resolve(), tmp_path / "here/lib/libmtoken.so.1")
    script = OPENS
    if how == "removed":
        script = script.replace("os.chdir(sys.argv[3])", "os.chdir(sys.argv[3]); os.remove(sys.argv[4])")
    named = str(tmp_path / "here/lib/libmtoken.so.1") if how != "relative" else "./lib/libmtoken.so.1"
    for away in ("/", str(tmp_path / "evil")):
        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "here"), named, away, tmp_path / "here/lib/libmtoken.so.1"],
            env={**os.environ, "PYTHONPATH": str(ROOT / "bindings/python/src")}, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        if how == "removed":
            assert done.stdout.startswith("sealerNotFound") and "place of the library" in done.stdout
            break
        assert done.stdout == "sealFailed here\n", (done.stdout, done.stderr)
