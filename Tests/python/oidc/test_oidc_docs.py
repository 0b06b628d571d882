"""The blocks of docs/guides/oidc.md run as they are printed. The server makes an activation by a login active at once: there is no
other kind."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any, Dict, Iterator
from urllib.parse import parse_qs, urlencode, urlsplit

import mtoken
import pytest
from conftest import CHILD_PATH, ROOT, ClientFactory, valgrind
from devserver import DevServer
from test_oidc_service import REDIRECT, Provider, configure, provider

PAGE = (ROOT / "docs" / "guides" / "oidc.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
__all__ = ["configure", "provider"]


class Person:
    """Logs in: gives the provider's answer to whatever waits at the redirect URI."""

    def __init__(self, provider: Provider):
        self._provider = provider

    def answer(self, authorize_url: str) -> str:
        sent = {name: values[0] for name, values in parse_qs(urlsplit(authorize_url).query).items()}
        self._provider.overrides["nonce"] = sent["nonce"]
        self._provider.challenge = sent["code_challenge"]
        return f"{sent['redirect_uri']}?{urlencode({'code': 'the-code', 'state': sent['state']})}"

    def browse(self, authorize_url: str) -> None:
        with urllib.request.urlopen(self.answer(authorize_url), timeout=30) as page:
            assert page.status == 200


@pytest.fixture
def person(provider: Provider) -> Iterator[Person]:
    yield Person(provider)


def names(server: DevServer, runtime: mtoken.Runtime) -> Dict[str, Any]:
    return {
        "mtoken": mtoken,
        "runtime": runtime,
        "store": mtoken.Store.memory(),
        "CONFIG": server.configuration,
        "URL": server.url,
        "CA": server.ca_file,
        "TESTING": True,
    }


def test_every_block_is_run() -> None:
    assert [kind for kind, _ in BLOCKS] == ["mermaid", "python", "python", "c"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(docs/guides/oidc.md)" in readme


def test_python_on_the_loopback_interface(
    server: DevServer, runtime: mtoken.Runtime, configure: Any, person: Person, monkeypatch: Any, capsys: Any
) -> None:
    configure(pkceEnabled=True, redirectUri="http://127.0.0.1/back")

    def browse(url: str) -> None:
        assert "ui_locales=en" in url
        threading.Thread(target=person.browse, args=(url,)).start()

    monkeypatch.setattr("webbrowser.open", browse)
    exec(BLOCKS[1][1], names(server, runtime))
    fingerprint = re.search(r"screen: (\d{8})", capsys.readouterr().out)
    found = server.admin("GET", "/activations")["activations"]
    assert fingerprint and fingerprint.group(1) in {item["fingerprint"] for item in found}


def test_python_with_a_url_of_its_own(
    runtime: mtoken.Runtime, make_client: ClientFactory, configure: Any, person: Person, server: DevServer
) -> None:
    configure(pkceEnabled=True, redirectUri="com.example.token:/back")
    client = make_client()
    came: Dict[str, str] = {}
    variables = {
        **names(server, runtime),
        "client": client,
        "open_in_browser": lambda url: came.update(url=person.answer(url)),
        "url_that_came_back": lambda: came["url"],
    }
    exec(BLOCKS[2][1], variables)
    assert client.state is mtoken.ClientState.ACTIVE


def test_c_without_a_leak(server: DevServer, configure: Any, person: Person, tmp_path: Path) -> None:
    configure(pkceEnabled=True, redirectUri="http://127.0.0.1/back")
    (tmp_path / "login.c").write_text(BLOCKS[3][1], encoding="utf-8")
    library = Path(os.environ["MTOKEN_LIBRARY"])
    (tmp_path / "libmtoken.so.1").symlink_to(library)
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    command = ["cc", *strict, "login.c", "-I", str(ROOT / "include"), str(library), "-o", "login"]
    subprocess.run(command, cwd=tmp_path, check=True)
    with subprocess.Popen(
        [*valgrind(), str(tmp_path / "login"), server.url, server.ca_file, server.configuration, "bank"],
        env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        line = program.stdout.readline()
        assert line.startswith("Log in at "), program.communicate(timeout=300)
        person.browse(line.removeprefix("Log in at ").strip())
        out, err = program.communicate(timeout=300)
        assert program.returncode == 0, err
        assert re.fullmatch(r"fingerprint \d{8}\n", out)


def test_a_program_that_the_browser_starts(server: DevServer, configure: Any, person: Person, tmp_path: Path) -> None:
    """The desktop entry names the scheme of the redirect URI and the program; the second process finishes the first one's
    login, once."""
    configure(pkceEnabled=True, redirectUri=REDIRECT)
    examples = ROOT / "examples" / "python"
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(examples / "mtoken-login.desktop", encoding="utf-8")
    desktop = entry["Desktop Entry"]
    scheme = urlsplit(REDIRECT).scheme
    assert f"x-scheme-handler/{scheme}" in desktop["MimeType"].split(";")
    (tmp_path / "scheme-login").symlink_to(examples / "scheme_login.py")
    for name, script in (("browser", f'echo "$1" > {tmp_path}/url'), ("askpass", "echo 7391")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o700)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": CHILD_PATH,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "BROWSER": f"{tmp_path}/browser %s",
        "SSH_ASKPASS": str(tmp_path / "askpass"),
    }

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    place = ["--server", server.url, "--ca", server.ca_file, "--config", server.configuration]
    begun = run("scheme-login", *place, "--provider", "bank", "--testing")
    assert begun.returncode == 0, begun.stderr
    callback = person.answer((tmp_path / "url").read_text(encoding="utf-8").strip())
    command = [callback if word == "%u" else word for word in shlex.split(desktop["Exec"])]
    forged = run(*(word.replace("state=", "state=x") for word in command))
    assert (forged.returncode, forged.stderr.split(":")[0]) == (1, "stateMismatch")
    finished = run(*command)
    assert finished.returncode == 0, finished.stderr
    activation = finished.stdout.removeprefix("activated: ").strip()
    assert server.activation(activation)["state"] == "ACTIVE"
    again = run(*command)
    assert (again.returncode, again.stderr) == (1, "no login is under way\n")
