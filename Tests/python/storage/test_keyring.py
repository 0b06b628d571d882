"""The state in a keyring."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator

import keyring
import keyring.backends.fail
import keyring.backends.null
import mtoken
import pytest
from conftest import CHILD_PATH, ClientFactory, DeviceFactory
from filekeyring import FileKeyring


@pytest.fixture
def items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A keyring of this test's own; the file behind it."""
    path = tmp_path / "keyring.json"
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("MTOKEN_TEST_KEYRING", str(path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    previous = keyring.get_keyring()
    keyring.set_keyring(FileKeyring())
    yield path
    keyring.set_keyring(previous)


def names(path: Path) -> set[str]:
    content: Dict[str, Any] = json.loads(path.read_text())
    return set(content)


def test_a_life_in_the_keyring(items: Path, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    device = make_device(store=mtoken.Store.keyring("bank"))
    assert names(items) == {"bank/device.state", "bank/device.key"}
    assert device.can_sign()
    device.client.close()
    device.store.close()
    again = make_client("device", store=mtoken.Store.keyring("bank"))
    assert again.info().activation_id == device.activation_id
    assert len(again.operations.list()) == 0
    again.remove(device.auth)
    assert "bank/device.state" not in names(items)


def test_one_store_at_a_time(items: Path, make_device: DeviceFactory) -> None:
    device = make_device(store=mtoken.Store.keyring("bank"))
    with pytest.raises(mtoken.BusyError, match="another service"):
        mtoken.Store.keyring("bank")
    mtoken.Store.keyring("another bank").close()
    script = "import mtoken\ntry: mtoken.Store.keyring('bank')\nexcept mtoken.BusyError: print('busy')\nelse: print('opened')"
    environment = {
        **os.environ, "PYTHONPATH": CHILD_PATH, "PYTHON_KEYRING_BACKEND": "filekeyring.FileKeyring",
    }  # fmt: skip

    def child() -> str:
        command = [sys.executable, "-c", script]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    assert child() == "busy"
    device.store.close()
    assert child() == "busy", "its client still uses it"
    device.client.close()
    assert child() == "opened"


def test_a_keyring_that_keeps_nothing(items: Path, make_device: DeviceFactory) -> None:
    keyring.set_keyring(keyring.backends.null.Keyring())
    with pytest.raises(mtoken.StorageError) as failure:
        make_device(store=mtoken.Store.keyring("bank"))
    assert "did not save" in str(failure.value.__cause__)


def test_no_keyring_at_all(items: Path, make_device: DeviceFactory) -> None:
    keyring.set_keyring(keyring.backends.fail.Keyring())
    with pytest.raises(mtoken.StorageError) as failure:
        make_device(store=mtoken.Store.keyring("bank"))
    assert isinstance(failure.value.__cause__, keyring.errors.NoKeyringError)


def test_damage_is_noticed(items: Path, make_device: DeviceFactory, make_client: ClientFactory) -> None:
    device = make_device(store=mtoken.Store.keyring("bank"))
    device.client.close()
    device.store.close()
    content = json.loads(items.read_text())
    content["bank/device.state"] = "no Base64!"
    items.write_text(json.dumps(content))
    with pytest.raises(mtoken.StorageError):
        make_client("device", store=mtoken.Store.keyring("bank"))
    assert json.loads(items.read_text()) == content, "it is left as it is"


def test_the_lock_is_in_a_folder_of_ones_own(items: Path, tmp_path: Path) -> None:
    (tmp_path / "run" / "mtoken").mkdir()
    (tmp_path / "run" / "mtoken").chmod(0o777)
    with pytest.raises(mtoken.StorageError, match="owned by this user"):
        mtoken.Store.keyring("bank")


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ImportError, match=r"pip install keyring"):
        mtoken.Store.keyring("bank")
