"""A login at Debian's glewlwyd in a real browser. It takes part in `make test-full` (MTOKEN_FULL=1)."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Optional

import browser
import glewlwyd
import mtoken
import pytest
from conftest import ClientFactory
from devserver import DevServer
from mtoken import oidc


def missing() -> Optional[str]:
    if os.environ.get("MTOKEN_FULL") != "1":
        return "make test-full runs it"
    return browser.missing() or glewlwyd.missing()


pytestmark = [
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
    pytest.mark.timeout(300),
]


def test_login_in_a_browser(
    server: DevServer, runtime: mtoken.Runtime, make_client: ClientFactory, tmp_path: Path
) -> None:
    """Login page, consent, redirect with issuer, loopback receiver, activation with PKCE, an operation approved."""
    redirect_uri = f"http://127.0.0.1:{browser.free_port()}/logged-in"
    provider = glewlwyd.Glewlwyd(tmp_path, redirect_uri)
    try:
        body = {
            "clientId": "mobile-token",
            "clientSecret": "secret",
            "issuerUri": provider.issuer,
            "redirectUri": redirect_uri,
            "authorizeUri": f"{provider.issuer}/auth",
            "scopes": "openid bank",
            "pkceEnabled": True,
        }
        server.admin("PUT", "/applications/demo/oidc/glewlwyd", body)
        client = make_client()
        config = replace(client.oidc.config("glewlwyd"), issuer=provider.issuer, issuer_required=True)
        with oidc.listen(runtime, config, allow_http=True) as login, browser.Browser() as person:
            person.open(login.request.authorize_url)
            person.type("#username", "alice")
            person.type("#password", provider.password)
            person.click("#loginbut")
            person.click("#grant-bank")
            person.click("button.btn-primary")
            person.click("button.btn-success:not([disabled])")
            assert person.sees("You are logged in")
            assert "iss=" in person.url
            attributes = login.attributes(60)
            assert attributes.code_verifier is not None
            activation = client.activate(oidc=attributes, name="Desk")
        client.persist("1234")
        seen = server.activation(activation.activation_id)
        assert (seen["state"], bool(seen["userId"])) == ("ACTIVE", True)
        operation = server.new_operation(userId=seen["userId"])
        (waiting,) = client.operations.list()
        client.operations.authorize(waiting, mtoken.Auth.pin("1234"))
        assert server.operation(operation["operationId"])["status"] == "APPROVED"
    finally:
        server.admin("DELETE", "/applications/demo/oidc/glewlwyd")
        provider.close()
