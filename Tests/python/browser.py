"""A headless Chromium, driven by WebDriver (W3C) over Debian's chromedriver: a login as a person does it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import urllib.request
from types import TracebackType
from typing import Any, Dict, Optional, Type

CHROMIUM = os.environ.get("MTOKEN_CHROMIUM") or shutil.which("chromium") or ""
CHROMEDRIVER = os.environ.get("MTOKEN_CHROMEDRIVER") or shutil.which("chromedriver") or ""
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_SECONDS = 300


def missing() -> Optional[str]:
    """Why no browser is available; None: one is."""
    if CHROMIUM and CHROMEDRIVER:
        return None
    return "chromium and chromium-driver are not installed (make deps-full)"


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


class Browser:
    """A browser with a profile of its own. It reaches the loopback interface only."""

    def __init__(self) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="mtoken-browser-", ignore_cleanup_errors=True)
        self._driver = subprocess.Popen(
            [CHROMEDRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._driver.stdout is not None
        for line in self._driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                self._root = f"http://127.0.0.1:{started.group(1)}"
                break
        else:
            raise RuntimeError("chromedriver did not start")
        arguments = [
            "--headless=new",
            "--no-sandbox",  # the tests may run as root
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            f"--user-data-dir={self._profile.name}",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ]
        capabilities = {
            "pageLoadStrategy": "eager",
            "timeouts": {"implicit": _SECONDS * 1000, "pageLoad": _SECONDS * 1000, "script": _SECONDS * 1000},
            "goog:chromeOptions": {"binary": CHROMIUM, "args": arguments},
        }
        answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._session = f"/session/{answer['sessionId']}"

    def _send(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * _SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise RuntimeError(f"{method} {path}: {problem.read().decode()[:500]}") from None

    def resize(self, width: int, height: int) -> None:
        self._send("POST", f"{self._session}/window/rect", {"width": width, "height": height})

    def open(self, url: str) -> None:
        self._send("POST", f"{self._session}/url", {"url": url})

    @property
    def url(self) -> str:
        return str(self._send("GET", f"{self._session}/url"))

    def element(self, selector: str) -> str:
        """The first element that a CSS selector finds; waits for it."""
        found = self._send("POST", f"{self._session}/element", {"using": "css selector", "value": selector})
        return str(found[_ELEMENT])

    def type(self, selector: str, text: str) -> None:
        self._send("POST", f"{self._session}/element/{self.element(selector)}/value", {"text": text})

    def click(self, selector: str) -> None:
        self._send("POST", f"{self._session}/element/{self.element(selector)}/click", {})

    def sees(self, text: str) -> bool:
        """Whether a page with this text comes; waits for it, whatever pages lie between."""
        where = {"using": "xpath", "value": f'//body[contains(normalize-space(.), "{text}")]'}
        return _ELEMENT in self._send("POST", f"{self._session}/element", where)

    def close(self) -> None:
        try:
            self._send("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait(timeout=_SECONDS)
            if self._driver.stdout is not None:
                self._driver.stdout.close()
            self._profile.cleanup()

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
