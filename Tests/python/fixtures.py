"""Fixtures of the end-to-end tests: a dev server for each worker, a runtime for each test, clients and activated devices.

MTOKEN_LIBRARY names the product under test. Default: build/lib/libmtoken.so.1.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("bindings/python/src", "tools/command")]
# The path of child processes: the package, the command, and the files beside this one.
CHILD_PATH = os.pathsep.join(str(ROOT / folder) for folder in ("bindings/python/src", "tools/command", "Tests/python"))

LIBRARY = os.environ.get("MTOKEN_LIBRARY") or ROOT / "build" / "lib" / "libmtoken.so.1"
os.environ["MTOKEN_LIBRARY"] = str(Path(LIBRARY).resolve())

import mtoken  # noqa: E402
from activations import Activations  # noqa: E402
from devserver import DevServer  # noqa: E402
from installed import Installed  # noqa: E402

PROTOCOLS_3 = [mtoken.Protocol.V3_1, mtoken.Protocol.V3_2, mtoken.Protocol.V3_3]
"""The versions that the development server's default application has."""
ClientFactory = Callable[..., mtoken.Client]
DeviceFactory = Callable[..., "Device"]


def mypy_cache(name: str) -> str:
    """The folder of mypy's cache, one for each product: two runs at once do not share it."""
    return str(ROOT / "build" / "mypy" / Path(os.environ["MTOKEN_LIBRARY"]).parent.name / name)


def pytest_report_header() -> str:
    return f"libmtoken: {os.environ['MTOKEN_LIBRARY']}"


@dataclass
class Device:
    """An activated client, with its user's PIN and keys."""

    client: mtoken.Client
    server: DevServer
    user: str
    activation_id: str
    store: mtoken.Store
    pin: str = "1234"
    biometry_key: bytes = bytes(range(16))
    options: Dict[str, Any] = field(default_factory=dict)
    application: Dict[str, str] = field(default_factory=dict)
    """`applicationId`, unless it is the default one."""

    @property
    def auth(self) -> mtoken.Auth:
        return mtoken.Auth.pin(self.pin)

    @property
    def wrong_auth(self) -> mtoken.Auth:
        return mtoken.Auth.pin("9999")

    def view(self) -> Dict[str, Any]:
        """The server's view of the activation."""
        return self.server.activation(self.activation_id)

    def created_operation(self, **members: Any) -> Dict[str, Any]:
        """An operation of this user, as the server tells of it."""
        return self.server.new_operation(userId=self.user, **{**self.application, **members})

    def new_operation(self, **members: Any) -> mtoken.Operation:
        """An operation of this user, as the client gets it."""
        created = self.created_operation(**members)
        return next(item for item in self.client.operations.list() if item.id == created["operationId"])

    def can_sign(self, auth: Optional[mtoken.Auth] = None) -> bool:
        """Whether the server accepts this device's next signature."""
        version, what = (4, "auth") if self.client.info().protocol is mtoken.Protocol.V4_0 else (3, "signature")
        header = self.client.sign("POST", f"/pa/{what}/validate", b"{}", auth or self.auth)
        accepted = self.server.send("POST", f"/pa/v{version}/{what}/validate", b"{}", dict([header])).status == 200
        if accepted:
            self.client.signature_accepted()
        return accepted


def valgrind() -> List[str]:
    """The beginning of a command line under which a leak or a wrong access fails the program; nothing without valgrind.

    MTOKEN_VALGRIND=0 omits it: valgrind's report on a build for coverage is of no use.
    """
    if shutil.which("valgrind") is None or os.environ.get("MTOKEN_VALGRIND") == "0":
        return []
    return ["valgrind", "-q", "--leak-check=full", "--error-exitcode=9"]


@pytest.fixture(scope="session")
def session_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DevServer]:
    server = DevServer(tmp_path_factory.mktemp("devserver"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The installed files, with the product under test."""
    return Installed(tmp_path_factory.mktemp("installed"), Path(os.environ["MTOKEN_LIBRARY"]))


@pytest.fixture
def server(session_server: DevServer) -> Iterator[DevServer]:
    """The dev server; faults, settings and clock are reset after the test."""
    yield session_server
    session_server.reset()


@pytest.fixture
def runtime() -> Iterator[mtoken.Runtime]:
    with mtoken.Runtime() as runtime:
        yield runtime


@pytest.fixture(params=["one step", "two steps"])
def activations(request: pytest.FixtureRequest, server: DevServer) -> Iterator[Activations]:
    """Codes for activations of both kinds: a test with this fixture runs twice."""
    with Activations(server, request.param) as activations:
        yield activations


_numbers = itertools.count(1)


@pytest.fixture
def user() -> str:
    """A user of this test alone."""
    return f"user-{os.getpid()}-{next(_numbers)}"


@pytest.fixture
def make_client(server: DevServer, runtime: mtoken.Runtime) -> Iterator[ClientFactory]:
    """Makes clients that trust the dev server; they are closed after the test."""
    clients: List[mtoken.Client] = []

    def make(id: str = "client", *, runtime: mtoken.Runtime = runtime, **options: Any) -> mtoken.Client:
        defaults = {
            "configuration": server.configuration,
            "base_url": server.url,
            "ca_file": server.ca_file,
            "store": options.get("store") or mtoken.Store.memory(),
        }
        client = mtoken.Client(runtime, id, **{**defaults, **options})
        clients.append(client)
        return client

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def make_device(server: DevServer, make_client: ClientFactory) -> DeviceFactory:
    """Makes activated devices: with PIN 1234, without biometry unless `biometry=True`."""

    def make(
        id: str = "device",
        *,
        user: Optional[str] = None,
        biometry: bool = False,
        commit: bool = True,
        activation: Optional[Dict[str, Any]] = None,
        **options: Any,
    ) -> Device:
        user = user or f"user-{os.getpid()}-{next(_numbers)}"
        store = options.pop("store", None) or mtoken.Store.memory()
        client = make_client(id, store=store, **options)
        code = server.new_activation(user, **(activation or {}))["activationCode"]
        activated = client.activate(code, name=f"Device of {user}")
        application = {name: value for name, value in (activation or {}).items() if name == "applicationId"}
        device = Device(client, server, user, activated.activation_id, store, options=options, application=application)
        client.persist(device.pin, biometry_key=device.biometry_key if biometry else None)
        if commit:
            server.admin("POST", f"/activations/{activated.activation_id}/commit")
        return device

    return make


@pytest.fixture
def device(make_device: DeviceFactory) -> Device:
    """An activated device with PIN 1234 and no biometry."""
    return make_device()


@pytest.fixture
def biometric_device(make_device: DeviceFactory) -> Device:
    """An activated device with PIN 1234 and a biometry key."""
    return make_device(biometry=True)
