"""Of docs/tutorials what takes long or needs much: the window of Qt, without a screen, and the load test."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

import mtoken
import pytest
from conftest import ROOT, DeviceFactory
from devserver import DevServer
from pages import shell
from test_tutorials import ANSWER_LOST, commands, load, second_terminal

__all__ = ["second_terminal"]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
qt = pytest.importorskip("PySide6.QtWidgets", reason="PySide6 is not installed (examples/qt/requirements.txt)")


@pytest.fixture(scope="module")
def application() -> Any:
    return qt.QApplication.instance() or qt.QApplication([])


@pytest.fixture
def desk(application: Any, make_device: DeviceFactory) -> Iterator[Any]:
    """The window, and its device."""
    with mtoken.Runtime(events=mtoken.Events.OPERATIONS) as runtime:
        device = make_device("alice", runtime=runtime)
        yield load("examples/qt/desk.py").Desk(runtime, device.client), device
        device.client.close()


def until(application: Any, happened: Callable[[], bool]) -> None:
    """Qt's loop runs until it is so."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, look, end = QEventLoop(), QTimer(), QTimer()
    look.timeout.connect(lambda: loop.exit() if happened() else None)
    end.timeout.connect(loop.quit)
    look.start(10)
    end.start(60_000)
    loop.exec()
    assert happened()


def test_the_window(application: Any, desk: Any, server: DevServer) -> None:
    window, device = desk
    until(application, lambda: window.facts.text() == "Nothing waits.")
    assert not window.approve.isEnabled()
    first, second = (server.new_operation(userId=device.user)["operationId"] for _ in range(2))
    device.client.operations.refresh()
    until(application, lambda: window.list.count() == 2)
    assert "To account: CZ5508000000001234567899" in window.facts.text()
    window.pin.setText("9999")
    window.approve.click()
    assert not window.approve.isEnabled() and window.pin.text() == "", "one at a time, and the PIN is gone"
    until(application, lambda: window.said.text() == "Wrong PIN. 4 attempts left.")
    chosen = window.chosen.id
    window.pin.setText(device.pin)
    window.approve.click()
    until(application, lambda: window.said.text().endswith(": done."))
    until(application, lambda: window.list.count() == 1)
    assert server.operation(chosen)["status"] == "APPROVED"
    server.admin("POST", "/faults", ANSWER_LOST)
    window.pin.setText(device.pin)
    window.approve.click()
    until(application, lambda: window.said.text() == "The bank may have it: look before you try again.")
    until(application, lambda: window.list.count() == 0)
    assert {server.operation(id)["status"] for id in (first, second)} == {"APPROVED"}
    third = server.new_operation(userId=device.user)["operationId"]
    device.client.operations.refresh()
    until(application, lambda: window.list.count() == 1)
    window.reject.click()
    until(application, lambda: window.said.text().endswith(": done."))
    assert server.operation(third)["status"] == "REJECTED"


def test_a_bank_that_is_down(application: Any, desk: Any, server: DevServer) -> None:
    window, device = desk
    until(application, lambda: window.facts.text() == "Nothing waits.")
    server.admin("POST", "/faults", {"match": "/api/", "kind": "html", "parameters": {"status": 503}})
    device.client.operations.refresh()
    until(application, lambda: "503" in window.said.text())


def test_the_page(server: DevServer, second_terminal: Dict[str, str]) -> None:
    """docs/tutorials/desktop.md, as a reader types it; the window closes when it has asked for the list."""
    install, run = commands("desktop.md")
    requirements = (ROOT / "examples" / "qt" / "requirements.txt").read_text(encoding="utf-8")
    assert "-m pip install -r examples/qt/requirements.txt" in install and requirements.startswith("PySide6")
    *lines, window = run.strip().splitlines()
    assert " examples/qt/desk.py " in window
    script = "\n".join(lines).replace("export PYTHONPATH=$PWD/bindings/python/src\n", "")
    program = subprocess.Popen(
        ["bash", "-ec", f"{script}\nexec {window}"],
        cwd=ROOT,
        env={**os.environ, **second_terminal},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdout is not None
        operation = program.stdout.readline().strip()
        assert server.operation(operation)["status"] == "PENDING"

        before, deadline = server.mark(), time.monotonic() + 60
        while not server.requests("/api/auth/token/app/operation/list", after=before):
            assert time.monotonic() < deadline and program.poll() is None
            time.sleep(0.05)
    finally:
        program.terminate()
        program.communicate(timeout=30)


def test_the_load_test(tmp_path: Path) -> None:
    """docs/tutorials/load-test.md"""
    (run,) = commands("load-test.md")
    printed = shell(run, ROOT, MTOKEN_LIBRARY=os.environ["MTOKEN_LIBRARY"]).stdout
    counts = {
        name: (int(count), int(failed))
        for name, count, failed in re.findall(r"^ *(activate|list) +(\d+) +(\d+)", printed, re.MULTILINE)
    }
    assert counts["activate"] == (20, 0) and counts["list"][0] > 20 and counts["list"][1] == 0, printed
    page = (ROOT / "docs" / "tutorials" / "load-test.md").read_text(encoding="utf-8")
    locust = (ROOT / "tools" / "loadtest" / "locustfile.py").read_text(encoding="utf-8")
    assert all(name in locust for name in re.findall(r"`(MTOKEN_\w+)`", page))
