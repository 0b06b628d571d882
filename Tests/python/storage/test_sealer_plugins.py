"""Sealers that are plugins: a TPM (swtpm), a keyring (gnome-keyring), a smart card (SoftHSM2), a FIDO2 key
(authenticator.py). Part of make test-full."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import mtoken
import pytest
import sealing
from authenticator import Authenticator
from conftest import DeviceFactory
from devserver import DevServer
from sealing import Life, Machine

PLUGINS = Path(os.environ["MTOKEN_LIBRARY"]).parent
SOFTHSM = "/usr/lib/softhsm/libsofthsm2.so"
SECRET = bytes(range(32))


def needs(plugin: str, *tools: str) -> pytest.MarkDecorator:
    """Skips what cannot be run here, and says why."""
    missing: List[str] = [tool for tool in tools if shutil.which(tool) is None and not Path(tool).exists()]
    if not (PLUGINS / f"libmtoken-{plugin}.so.1").exists():
        missing.insert(0, f"libmtoken-{plugin}.so.1 (make plugins)")
    return pytest.mark.skipif(bool(missing), reason=f"not here: {', '.join(missing)}")


@pytest.fixture
def life(server: DevServer, user: str, tmp_path: Path) -> Life:
    return Life(server, tmp_path / "state", user, sealing.build_killer(tmp_path))


@contextlib.contextmanager
def running(command: List[str], **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(command, **how) as process:
        try:
            yield process
        finally:
            process.terminate()


# TPM


class TPM:
    """A TPM in software, over a socket. Its seeds are in a folder."""

    _ports = itertools.count(0)

    def __init__(self, folder: Path):
        folder.mkdir(exist_ok=True)
        self.folder = folder

    def __enter__(self) -> TPM:
        for _ in range(20):
            self.port = 20000 + (os.getpid() * 40 + 2 * next(self._ports)) % 40000
            told = self.folder.with_suffix(".pid")
            os.mkfifo(told)
            ready = os.open(told, os.O_RDONLY | os.O_NONBLOCK)
            command = ["swtpm", "socket", "--pid", f"file={told}", "--tpm2", "--flags", "startup-clear"]
            command += ["--tpmstate", f"dir={self.folder}", "--server", f"type=tcp,port={self.port}"]
            command += ["--ctrl", f"type=tcp,port={self.port + 1}"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # It tells its number when its sockets listen, or ends.
            ended = os.pidfd_open(process.pid)
            select.select([ready, ended], [], [])
            has_started = bool(os.read(ready, 32))
            told.unlink()
            os.close(ready)
            os.close(ended)
            if has_started:
                self._process = process
                return self
            process.wait()
        raise AssertionError("swtpm did not start")

    def __exit__(self, *ignored: object) -> None:
        self._process.terminate()
        self._process.wait()

    @property
    def device(self) -> str:
        return f"swtpm:host=127.0.0.1,port={self.port}"

    def machine(self, **options: str) -> Machine:
        return Machine("tpm2", {"device": self.device, **options})

    def sealer(self, **options: str) -> mtoken.Sealer:
        return mtoken.Sealer.open("tpm2", device=self.device, **options)  # type: ignore[arg-type]

    def command(self, code: int, body: bytes) -> None:
        """Sends a command, with an empty password for its first handle."""
        session = struct.pack(">IIHBH", 9, 0x40000009, 0, 0, 0)
        handle, parameters = body[:4], body[4:]
        whole = handle + session + parameters
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(struct.pack(">HII", 0x8002, 10 + len(whole), code) + whole)
            answer = connection.recv(4096)
        assert struct.unpack(">I", answer[6:10])[0] == 0, answer.hex()

    def clear(self) -> None:
        """TPM2_Clear, by the platform: a new storage seed."""
        self.command(0x126, struct.pack(">I", 0x4000000C))

    def extend(self, register: int) -> None:
        """TPM2_PCR_Extend of the SHA-256 bank."""
        self.command(0x182, struct.pack(">IIH", register, 1, 0x000B) + bytes(32))


@pytest.fixture
def tpms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tuple[TPM, TPM]]:
    monkeypatch.setenv("TSS2_LOG", "all+none")
    with TPM(tmp_path / "tpm") as here, TPM(tmp_path / "other") as there:
        yield here, there


def reason_of(call: Callable[[], Any]) -> str:
    with pytest.raises(mtoken.SealedError) as refused:
        call()
    assert refused.value.cause
    return refused.value.reason


tpm = needs("tpm2", "swtpm")


@tpm
def test_life_with_a_tpm(life: Life, tpms: Tuple[TPM, TPM]) -> None:
    here, there = tpms
    sealing.lives(life, here.machine(), there.machine(), "HARDWARE", ["sealForeign"])


@tpm
def test_life_with_a_password_and_registers(life: Life, tpms: Tuple[TPM, TPM]) -> None:
    here, there = tpms
    how = {"password": "correct horse", "pcrs": "0,7"}
    sealing.lives(life, here.machine(**how), there.machine(**how), "HARDWARE", ["sealForeign"])


@tpm
def test_a_tpm_that_was_cleared(tpms: Tuple[TPM, TPM]) -> None:
    here, there = tpms
    sealed = here.sealer().seal("x", SECRET)
    assert here.sealer().unseal("x", sealed) == SECRET
    with pytest.raises(mtoken.SealedError) as other:  # a form that is put in another client's place
        here.sealer().unseal("y", sealed)
    assert other.value.reason == "sealDamaged"
    assert reason_of(lambda: there.sealer().unseal("x", sealed)) == "sealForeign"
    here.clear()
    assert reason_of(lambda: here.sealer().unseal("x", sealed)) == "sealCleared"
    there.clear()
    assert reason_of(lambda: there.sealer().unseal("x", sealed)) == "sealForeign"


@tpm
def test_a_tpm_restarted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TSS2_LOG", "all+none")
    with TPM(tmp_path / "tpm") as here:
        sealed = here.sealer(pcrs="7").seal("x", SECRET)
        gone = here.sealer()
    with TPM(tmp_path / "tpm") as here:
        assert here.sealer(pcrs="7").unseal("x", sealed) == SECRET
    assert reason_of(lambda: gone.unseal("x", sealed)) == "sealUnavailable"


@tpm
def test_registers_that_changed(tpms: Tuple[TPM, TPM]) -> None:
    here, _ = tpms
    sealed = here.sealer(pcrs="16,23").seal("x", SECRET)
    free = here.sealer().seal("x", SECRET)
    # The registers are in the sealed form: options of another day do not matter.
    assert here.sealer().unseal("x", sealed) == SECRET
    here.extend(16)
    assert reason_of(lambda: here.sealer(pcrs="16,23").unseal("x", sealed)) == "sealChanged"
    assert here.sealer().unseal("x", free) == SECRET


@tpm
def test_wrong_passwords_lock(tpms: Tuple[TPM, TPM]) -> None:
    """A secret without a password is not locked with those that have one."""
    here, _ = tpms
    sealed = here.sealer(password="right").seal("x", SECRET)
    free = here.sealer().seal("x", SECRET)
    assert here.sealer(password="right").unseal("x", sealed) == SECRET
    wrong = here.sealer(password="wrong")
    reasons = [reason_of(lambda: wrong.unseal("x", sealed)) for _ in range(6)]
    assert reasons[0] == "sealDenied" and reasons[-1] == "sealLocked"
    assert reason_of(lambda: here.sealer(password="right").unseal("x", sealed)) == "sealLocked"
    assert here.sealer().unseal("x", free) == SECRET


@tpm
def test_a_changed_form_is_refused_by_the_tpm(tpms: Tuple[TPM, TPM]) -> None:
    """Each byte of it; some are no more than a note of where it was sealed."""
    here, _ = tpms
    sealer = here.sealer(password="p", pcrs="7")
    sealed = sealer.seal("x", SECRET)
    for place in range(0, len(sealed), 3):
        bad = bytearray(sealed)
        bad[place] ^= 0x10
        with contextlib.suppress(mtoken.SealedError):
            assert sealer.unseal("x", bytes(bad)) == SECRET, place
    for length in range(1, len(sealed), 7):
        with pytest.raises(mtoken.SealedError) as cut:
            sealer.unseal("x", sealed[:length])
        assert cut.value.reason == "sealDamaged"


@tpm
def test_bad_options_for_a_tpm() -> None:
    for options in (
        {"pcrs": "24"},
        {"pcrs": ""},
        {"pcrs": "7,"},
        {"pcrs": "x"},
        {"password": "x" * 33},
        {"module": "x"},
    ):
        with pytest.raises(mtoken.ArgumentError) as refused:
            mtoken.Sealer.open("tpm2", **options)  # type: ignore[arg-type]
        assert "pcrs" in (refused.value.cause or "")


# The keyring of a session


BUS = """<busconfig><type>session</type><listen>unix:path={}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>"""
"""A bus that starts nothing by itself."""


class Session:
    """A desktop session of its own: a bus, and a keyring that is unlocked."""

    def __init__(self, home: Path):
        self.home = home
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Session:
        self.home.mkdir()
        # Names of sockets are short.
        run = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="mt-")))
        self.environment = {
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(run), "XDG_DATA_HOME": str(self.home / "data"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={run / 'bus'}",
        }  # fmt: skip
        environment = {**os.environ, **self.environment}
        (run / "bus.conf").write_text(BUS.format(run / "bus"), encoding="ascii")
        bus = ["dbus-daemon", "--nofork", "--print-address", f"--config-file={run / 'bus.conf'}"]
        daemon = running(bus, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process = self._stack.enter_context(daemon)
        try:
            assert process.stdout is not None and process.stdout.readline(), "the bus did not start"
            self.unlock()
        except BaseException:
            self._stack.close()
            raise
        return self

    def unlock(self) -> None:
        keyring = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"]
        process = self._stack.enter_context(
            running(
                keyring,
                env={**os.environ, **self.environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        assert process.stdin is not None
        process.stdin.write(b"password")
        process.stdin.close()
        wait = ["gdbus", "wait", "--session", "--timeout", "60", "org.freedesktop.secrets"]
        subprocess.run(wait, env={**os.environ, **self.environment}, check=True, capture_output=True)

    def __exit__(self, *ignored: object) -> None:
        self._stack.close()

    @property
    def machine(self) -> Machine:
        return Machine("secret-service", environment=self.environment)


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Tuple[Session, Session]]:
    with Session(tmp_path / "alice") as here, Session(tmp_path / "bob") as there:
        yield here, there


keyring = needs("secret-service", "gnome-keyring-daemon", "dbus-daemon", "gdbus")


@keyring
def test_life_with_a_keyring(life: Life, sessions: Tuple[Session, Session]) -> None:
    here, there = sessions
    sealing.lives(life, here.machine, there.machine, "SESSION", ["sealForeign"])


@keyring
def test_no_keyring(life: Life, tmp_path: Path) -> None:
    nowhere = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path / 'none'}"}
    assert life.step("look", Machine("secret-service", environment=nowhere)).reason == "sealUnavailable"
    with pytest.raises(mtoken.ArgumentError):
        mtoken.Sealer.open("secret-service", device="x")


# A PKCS#11 token


@pytest.fixture
def tokens(tmp_path: Path) -> Tuple[Machine, Machine]:
    """Two machines, each with a token of the same label and PIN."""
    found = []
    for name in ("here", "there"):
        folder = tmp_path / name
        (folder / "tokens").mkdir(parents=True)
        config = folder / "softhsm2.conf"
        config.write_text(f"directories.tokendir = {folder / 'tokens'}\nlog.level = ERROR\n", encoding="ascii")
        environment = {"SOFTHSM2_CONF": str(config)}
        command = [
            "softhsm2-util",
            "--init-token",
            "--free",
            "--label",
            "bank",
            "--pin",
            "123456",
            "--so-pin",
            "654321",
        ]
        subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True)
        options = {"module": SOFTHSM, "device": "bank", "password": "123456"}
        found.append(Machine("pkcs11", options, environment))
    return found[0], found[1]


card = needs("pkcs11", "softhsm2-util", SOFTHSM)


@card
def test_life_with_a_token(life: Life, tokens: Tuple[Machine, Machine]) -> None:
    sealing.lives(life, *tokens, "HARDWARE", ["sealForeign"])


@card
def test_what_a_token_refuses(life: Life, tokens: Tuple[Machine, Machine]) -> None:
    here, _ = tokens
    assert life.activate(here).answer["state"] == "ACTIVE"

    def reason(**options: str) -> Optional[str]:
        return life.step("look", Machine("pkcs11", {**here.options, **options}, here.environment)).reason

    assert reason(password="000000") == "sealDenied"
    assert reason(device="other") == "sealUnavailable"
    assert reason(module="/nonexistent.so") == "sealUnavailable"
    assert reason(module="libsofthsm2.so") == "invalidArgument"
    assert reason(pcrs="7") == "invalidArgument"
    path = life.folder / "alice.key"
    good = path.read_bytes()
    for place in (len(good) - 1, len(good) - 40, 13, 14, 31):
        bad = bytearray(good)
        bad[place] ^= 1
        path.write_bytes(bad)
        found = life.step("look", here)
        assert found.reason in ("sealDamaged", "sealForeign"), (place, found)
    path.write_bytes(good)
    assert life.step("look", here).answer["state"] == "ACTIVE"


@card
def test_a_sealer_that_is_closed_ends_no_other(tokens: Tuple[Machine, Machine], tmp_path: Path) -> None:
    """Nor the sessions of the host: the module is one for the whole process."""
    here, _ = tokens
    script = """
import json, os, sys, mtoken
options = json.load(sys.stdin)
first, second = mtoken.Sealer.open("pkcs11", **options), mtoken.Sealer.open("pkcs11", **options)
sealed = second.seal("x", bytes(32))
first.close()
assert second.unseal("x", sealed) == bytes(32)
second.close()
with mtoken.Sealer.open("pkcs11", **options) as third:
    assert third.unseal("x", sealed) == bytes(32)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(here.options), text=True, capture_output=True,
        env={**os.environ, **here.environment, "PYTHONPATH": str(sealing.ROOT / "bindings" / "python" / "src")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


# A FIDO2 key


class Touch:
    """Programs that seal and unseal with an authenticator."""

    SCRIPT = """
import json, sys, mtoken
how, label, content, options = json.load(sys.stdin)
try:
    sealer = mtoken.Sealer.open("fido2", **options)
    print(json.dumps([getattr(sealer, how)(label, bytes.fromhex(content)).hex(), None]))
except mtoken.MTokenError as error:
    print(json.dumps([None, error.reason]))
"""

    def __init__(self, folder: Path):
        self.shim = folder / "authenticator.so"
        source = Path(__file__).with_name("authenticator.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", self.shim, source], check=True)

    def run(self, how: str, label: str, content: bytes, **options: str) -> Tuple[Optional[bytes], Optional[str]]:
        environment = {**os.environ, "LD_PRELOAD": str(self.shim)}
        environment["PYTHONPATH"] = str(sealing.ROOT / "bindings" / "python" / "src")
        given = json.dumps([how, label, content.hex(), options])
        done = subprocess.run(
            [sys.executable, "-c", self.SCRIPT],
            input=given,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        result, reason = json.loads(done.stdout)
        return None if result is None else bytes.fromhex(result), reason


@pytest.fixture
def touch(tmp_path: Path) -> Touch:
    return Touch(tmp_path)


@pytest.fixture
def keys() -> Iterator[Tuple[Authenticator, Authenticator]]:
    with tempfile.TemporaryDirectory(prefix="mt-") as folder:
        made = Authenticator(Path(folder) / "one"), Authenticator(Path(folder) / "two", pin="4711")
        yield made
        for authenticator in made:
            authenticator.close()


fido = needs("fido2", "cc")


@fido
def test_a_security_key_keeps_the_biometry_key(
    server: DevServer, make_device: DeviceFactory, touch: Touch, keys: Tuple[Authenticator, Authenticator]
) -> None:
    """A touch stands for the PIN; another key is refused."""
    one, two = keys
    device = make_device()
    key = os.urandom(16)
    device.client.factors.add_biometry(key, device.auth, authenticator="security key")
    sealed, reason = touch.run("seal", "alice", key, device=str(one.path))
    assert reason is None and sealed is not None and key not in sealed
    before = one.touches
    opened, reason = touch.run("unseal", "alice", sealed, device=str(one.path))
    assert opened == key and one.touches == before + 1
    operation = device.new_operation()
    device.client.operations.authorize(operation, mtoken.Auth.biometry(opened, authenticator="security key"))
    assert server.operation(operation.id)["status"] == "APPROVED"
    assert touch.run("unseal", "alice", sealed, device=str(two.path), password="4711")[1] == "sealForeign"
    assert touch.run("unseal", "bob", sealed, device=str(one.path))[1] == "sealDamaged"
    one.touch = False
    assert touch.run("unseal", "alice", sealed, device=str(one.path))[1] == "sealDenied"


@fido
def test_the_pin_of_a_security_key(touch: Touch, keys: Tuple[Authenticator, Authenticator]) -> None:
    one, two = keys
    assert touch.run("seal", "x", SECRET, device=str(two.path))[1] == "sealDenied"
    sealed, reason = touch.run("seal", "x", SECRET, device=str(two.path), password="4711")
    assert reason is None and sealed is not None
    assert touch.run("unseal", "x", sealed, device=str(two.path), password="4711")[0] == SECRET
    # Without the PIN the device makes another key: that is no damage.
    assert touch.run("unseal", "x", sealed, device=str(two.path))[1] == "sealDenied"
    plain, _ = touch.run("seal", "x", SECRET, device=str(one.path))
    assert plain is not None and touch.run("unseal", "x", plain, device=str(one.path), password="1")[0] == SECRET
    reasons = [touch.run("unseal", "x", sealed, device=str(two.path), password="0000")[1] for _ in range(4)]
    assert reasons[0] == "sealDenied" and reasons[-1] == "sealLocked"


@fido
def test_forms_of_a_security_key(touch: Touch, keys: Tuple[Authenticator, Authenticator], tmp_path: Path) -> None:
    one, _ = keys
    sealed, _ = touch.run("seal", "x", SECRET, device=str(one.path))
    assert sealed is not None
    for place in (0, 1, 20, 40, 50, 61, 62, 63, 80, len(sealed) - 1):
        bad = bytearray(sealed)
        bad[place] ^= 1
        assert touch.run("unseal", "x", bytes(bad), device=str(one.path))[1] in ("sealDamaged", "sealForeign"), place
    for length in (1, 62, 63, 64, len(sealed) - 1):
        assert touch.run("unseal", "x", sealed[:length], device=str(one.path))[1] in ("sealDamaged", "sealForeign"), (
            length
        )
    assert touch.run("unseal", "x", sealed, device=str(tmp_path / "none"))[1] == "sealUnavailable"
    assert touch.run("unseal", "x", sealed, module="x")[1] == "invalidArgument"


# Kills


@pytest.fixture
def machine(request: pytest.FixtureRequest) -> Machine:
    found: Dict[str, Callable[[], Machine]] = {
        "tpm2": lambda: request.getfixturevalue("tpms")[0].machine(),
        "secret-service": lambda: request.getfixturevalue("sessions")[0].machine,
        "pkcs11": lambda: request.getfixturevalue("tokens")[0],
    }
    return found[request.param]()


kinds = [
    pytest.param("tpm2", marks=tpm),
    pytest.param("secret-service", marks=keyring),
    pytest.param("pkcs11", marks=card),
]


@pytest.mark.parametrize("machine", kinds, indirect=True)
def test_killed_while_activating(life: Life, machine: Machine) -> None:
    sealing.is_killed_activating(life, machine)


@pytest.mark.parametrize("machine", kinds, indirect=True)
def test_killed_while_sealing(life: Life, machine: Machine) -> None:
    sealing.is_killed_resealing(life, Machine(None), machine)


@pytest.mark.parametrize("machine", kinds, indirect=True)
def test_killed_while_unsealing(life: Life, machine: Machine) -> None:
    sealing.is_killed_resealing(life, machine, Machine(None))
