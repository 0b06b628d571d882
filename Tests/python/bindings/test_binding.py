"""The Python package itself: loading, secrets, exceptions, enumerations, models."""

from __future__ import annotations

import ast
import copy
import dataclasses
import importlib
import inspect
import json
import os
import pickle
import pkgutil
import pprint
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Dict, List, Set

import mtoken
import pytest
from conftest import CHILD_PATH, ROOT, Device
from mtoken import _call


def import_child(library: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MTOKEN_LIBRARY": library, "PYTHONPATH": CHILD_PATH}
    command = [sys.executable, "-c", "import mtoken; print(mtoken.version())"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_library_of_the_environment() -> None:
    assert import_child(os.environ["MTOKEN_LIBRARY"]).stdout.strip() == mtoken.version()


def test_a_library_that_is_not_there(tmp_path: Path) -> None:
    child = import_child(str(tmp_path / "libmtoken.so.1"))
    assert child.returncode == 1
    assert "ImportError: libmtoken was not found" in child.stderr and "no such file" in child.stderr


def compiled(tmp_path: Path, source: str) -> str:
    (tmp_path / "fake.c").write_text(source)
    library = tmp_path / "libfake.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "fake.c")], check=True)
    return str(library)


def test_a_library_that_is_another_one(tmp_path: Path) -> None:
    child = import_child(compiled(tmp_path, "int other(void) { return 1; }"))
    assert "ImportError" in child.stderr and "lacks a function" in child.stderr


def test_a_library_of_another_abi(tmp_path: Path) -> None:
    from mtoken import abi as _c

    functions = [name for name in _c.PROTOTYPES if name != "mtoken_abi_version"]
    source = "int mtoken_abi_version(void) { return 2; }\n" + "\n".join(f"int {name}(void);" for name in functions)
    source += "\n" + "\n".join(f"int {name}(void) {{ return 0; }}" for name in functions)
    child = import_child(compiled(tmp_path, source))
    assert "ImportError" in child.stderr and "ABI version 2" in child.stderr


def test_what_is_not_needed_is_not_loaded() -> None:
    asked = "import sys; before = set(sys.modules)\nimport mtoken\nprint(sorted(set(sys.modules) - before))"
    environment = {**os.environ, "PYTHONPATH": CHILD_PATH}
    child = subprocess.run(
        [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    loaded = set(ast.literal_eval(child.stdout))
    assert "mtoken" in loaded and not loaded & {"ctypes", "mtoken.abi", "mtoken.models", "enum"}


def test_all_names_are_there() -> None:
    """Each name loads its part, and a star has them all."""
    names: Dict[str, Any] = {}
    exec("from mtoken import *", names)
    assert set(mtoken.__all__) <= set(names) and set(mtoken.__all__) <= set(dir(mtoken))
    assert set(mtoken.errors.__all__) <= set(mtoken.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mtoken.nothing()


def test_secrets_do_not_show(device: Device) -> None:
    auth = mtoken.Auth(pin="20931", biometry_key=b"k" * 16)
    for text in (repr(auth), str(auth), f"{auth}"):
        assert "20931" not in text and "kkkk" not in text
        assert "pin" in text and "biometry_key" in text
    assert "1234" not in repr(device.client)
    proximity = mtoken.Proximity("73645182", mtoken.ProximityType.QR_CODE)
    assert "73645182" not in repr(proximity)


def test_a_cleared_auth(device: Device) -> None:
    given = bytearray(b"1234")
    with mtoken.Auth.pin(given) as auth:
        device.client.sign("POST", "/x", b"", auth)
    assert given == b"1234", "the caller's buffer is the caller's"
    assert auth._pin == bytearray(4)
    with pytest.raises(ValueError):
        device.client.sign("POST", "/x", b"", auth)


def test_exceptions_form_a_tree(device: Device) -> None:
    with pytest.raises(mtoken.MTokenError) as failure:
        device.client.sign("TRACE", "/x", b"", device.auth)
    error = failure.value
    assert isinstance(error, (ValueError, mtoken.ArgumentError))
    assert error.code is mtoken.ErrorCode.ARGUMENT and str(error) == error.message
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and again.details == error.details and str(again) == str(error)
    assert "ARGUMENT" in repr(error)
    for code in mtoken.ErrorCode:
        kind = type(_call.status_error(code))
        assert issubclass(kind, mtoken.MTokenError) and kind is not mtoken.MTokenError
    assert issubclass(mtoken.TimeoutExpiredError, TimeoutError)


def test_unknown_codes_and_values() -> None:
    assert type(_call.status_error(4711)) is mtoken.InternalError
    kinds: List[Any] = [mtoken.ErrorCode, mtoken.OperationStatus, mtoken.ActivationState, mtoken.EventKind]
    for kind in kinds:
        unknown = kind(4711)
        assert unknown == 4711 and unknown.name == "UNRECOGNIZED_4711"
        assert unknown is kind(4711) and unknown not in list(kind)
        with pytest.raises(ValueError):
            kind("text")


def test_models_are_values(device: Device) -> None:
    operation = device.new_operation()
    again = device.client.operations.list()[0]
    assert operation == again and operation is not again
    with pytest.raises(dataclasses.FrozenInstanceError):
        operation.data = "A1*A1EUR"  # type: ignore[misc]
    for other in (pickle.loads(pickle.dumps(operation)), copy.deepcopy(operation)):
        assert other == operation
        with pytest.raises(ValueError, match="authorize_data"):
            device.client.operations.authorize(other, device.auth)
    hash(operation.attributes)
    for live in (device.client, device.client.operations, device.client.start_status()):
        for take in (copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="neither copied nor pickled"):
                take(live)


def test_what_holds_a_secret_hides_it() -> None:
    """What the header calls secret, and what proves who sends a request, stands in no repr and in
    no JSON. Copies and pickles hold it, as the README says."""
    described = json.loads((ROOT / "build/generated/mtoken.abi.json").read_text(encoding="utf-8"))
    results = [struct for struct in described["structs"] if struct["kind"] == "result"]
    secret = {member["name"] for struct in results for member in struct["members"] if member.get("secret")}
    secret |= {"otp", "verifier", "content"}
    hidden: Set[str] = set()
    for module in pkgutil.iter_modules(mtoken.__path__):
        if module.name in ("command", "__main__"):
            continue
        for kind in vars(importlib.import_module(f"mtoken.{module.name}")).values():
            if isinstance(kind, type) and dataclasses.is_dataclass(kind):
                for field in dataclasses.fields(kind):
                    if field.name in secret and field.type in ("str", "bytes", "Optional[str]"):
                        hidden.add(
                            f"{kind.__name__}.{field.name}" if not field.repr else f"{kind.__name__} shows {field.name}"
                        )
    public = {
        f"{kind} shows {name}"
        for kind, name in (("ActivationCode", "code"), ("QROperation", "nonce"), ("PostApprovalScreen", "payload"))
    }
    assert {one for one in hidden if "shows" in one} == public
    assert {"Recovery.puk", "OIDCCode.code_verifier", "PKCE.verifier", "Proximity.otp"} <= hidden
    code = mtoken.OIDCCode("bank", "c0de", "n0nce", "ver1fier")
    pair = mtoken.crypto.KeyPair(b"pr1vate", b"public")
    header = mtoken.Header("X-PowerAuth-Authorization", "va1ue")
    for held, texts in ((code, ("c0de", "n0nce", "ver1fier")), (pair, ("pr1vate",)), (header, ("va1ue",))):
        for printed in (repr(held), str(held), f"{held}", repr([held]), pprint.pformat(held)):
            assert not [text for text in texts if text in printed], printed
        for again in (copy.copy(held), copy.deepcopy(held), pickle.loads(pickle.dumps(held))):
            assert again == held
    assert dataclasses.asdict(code)["code_verifier"] == "ver1fier"
    assert mtoken.Recovery("c0de", "1234567890").to_dict() == {}


def test_a_list_is_a_sequence(device: Device) -> None:
    for _ in range(3):
        device.new_operation()
    operations = device.client.operations.list()
    assert len(operations) == 3 and operations[0] in operations and operations[-1] == operations[2]
    assert operations[:2] == operations.operations[:2]


@pytest.mark.parametrize("milliseconds", [0, -1, 1, 1_777_863_721_250, -62_135_596_800_000, 253_402_300_799_999])
def test_times(milliseconds: int) -> None:
    time = _call.from_milliseconds(milliseconds)
    assert time.tzinfo is timezone.utc
    assert _call.to_milliseconds(time) == milliseconds


def test_times_beyond_every_calendar() -> None:
    assert _call.from_milliseconds(2**63 - 1).year == 9999
    assert _call.from_milliseconds(-(2**63)).year == 1
    with pytest.raises(ValueError):
        _call.to_milliseconds(datetime(2026, 1, 1))


def test_lone_surrogates_are_refused(device: Device) -> None:
    with pytest.raises(ValueError):
        device.client.operations.detail("\ud800")


def test_closing_twice(device: Device) -> None:
    device.client.close()
    device.client.close()
    device.store.close()
    device.store.close()


def test_the_package_is_typed() -> None:
    assert (ROOT / "bindings" / "python" / "src" / "mtoken" / "py.typed").exists()
    missing: List[str] = [name for name in mtoken.__all__ if not hasattr(mtoken, name)]
    assert missing == []


def documented_by_itself(thing: Any) -> bool:
    """Whether it has a docstring of its own: dataclasses and enumerations get one without being asked."""
    text = inspect.getdoc(thing) or ""
    return bool(text) and not text.startswith(f"{getattr(thing, '__name__', '')}(") and text != "An enumeration."


def test_everything_is_documented() -> None:
    undocumented: List[str] = []
    for name in mtoken.__all__:
        thing = getattr(mtoken, name)
        if not documented_by_itself(thing):
            undocumented.append(name)
        if not inspect.isclass(thing):
            continue
        for member, value in vars(thing).items():
            if member.startswith("_") or not (inspect.isfunction(value) or isinstance(value, (property, classmethod))):
                continue
            if not documented_by_itself(getattr(thing, member) if isinstance(value, classmethod) else value):
                undocumented.append(f"{name}.{member}")
    assert not undocumented, " ".join(undocumented)
