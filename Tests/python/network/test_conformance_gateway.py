"""The failures of the conformance script, for clients behind a gateway: over mutual TLS, and with requests that the player
sends."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Dict

import pytest
from conftest import ROOT
from devserver import DevServer
from gateway import Authority, Gateway

FOLDER = ROOT / "Tests" / "conformance"
sys.path.insert(0, str(FOLDER))

import prepare  # noqa: E402
import run as conformance  # noqa: E402
from languages import languages  # noqa: E402

LANGUAGES = {language.key: language for language in languages()}


def failures(server: DevServer) -> prepare.Document:
    return next(document for document in conformance.documents(server, quick=True) if document.name == "failures")


def play(language: str, document: prepare.Document, folder: Path) -> None:
    description = json.loads((ROOT / "build/generated/mtoken.abi.json").read_text(encoding="utf-8"))
    statuses = prepare.statuses(description)
    counts = conformance.play(LANGUAGES[language], [document], folder, statuses)
    assert counts.startswith("steps ") and len(document.cases) > 10
    print(f"{language}, {document.name}: {counts}")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", ["c", "python"])
def test_failures_over_mutual_tls(server: DevServer, tmp_path: Path, language: str) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.write("phone")
    with Gateway(authority, server.http_url) as gateway:
        options: Dict[str, Any] = {"client_certificate": str(certificate), "client_key": str(key)}
        variables = {"url": gateway.url, "ca": str(gateway.ca)}
        play(language, prepare.behind(failures(server), "mutual-tls", variables, options), tmp_path)
        assert set(gateway.came) == {"phone"}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", ["c", "python"])
def test_failures_over_the_host(server: DevServer, tmp_path: Path, language: str) -> None:
    options = {"transport": "MTOKEN_TRANSPORT_HOST", "allow_http": True}
    document = prepare.behind(failures(server), "host", {"url": server.http_url}, options, sends=True)
    play(language, document, tmp_path)
