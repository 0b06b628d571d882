"""A login as a person does it: a real provider (oidc-provider-mock), a real browser, the loopback receiver, an approval."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import Any, Dict, Iterator, Optional

import browser
import mtoken
import pytest
from browser import free_port
from conftest import ClientFactory
from devserver import DevServer
from mtoken import oidc


def missing() -> Optional[str]:
    """Why the tests cannot run; None: they can."""
    if importlib.util.find_spec("oidc_provider_mock") is None:
        return "oidc-provider-mock is not installed: it needs Python 3.10"
    return browser.missing()


pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), "--require-nonce", "true"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as provider:
        assert provider.stdout is not None
        told = []
        for line in provider.stdout:
            told.append(line)
            if "running on" in line:
                break
        else:
            raise RuntimeError("the provider did not start:\n" + "".join(told))
        yield f"http://127.0.0.1:{port}"
        provider.terminate()


@pytest.fixture(scope="module")
def person() -> Iterator[browser.Browser]:
    with browser.Browser() as running:
        yield running


@pytest.fixture
def configuration(server: DevServer, issuer: str) -> Iterator[Dict[str, Any]]:
    """The bank's configuration of the provider: all endpoints are discovered."""
    body = {
        "clientId": "mobile-token",
        "clientSecret": "secret",
        "issuerUri": issuer,
        "redirectUri": f"http://127.0.0.1:{free_port()}/logged-in",
        "authorizeUri": f"{issuer}/oauth2/authorize",
        "scopes": "openid profile",
        "pkceEnabled": True,
    }
    server.admin("PUT", "/applications/demo/oidc/mock", body)
    yield body
    server.admin("DELETE", "/applications/demo/oidc/mock")


@pytest.mark.timeout(180)
def test_login_in_a_browser(
    server: DevServer,
    runtime: mtoken.Runtime,
    make_client: ClientFactory,
    configuration: Dict[str, Any],
    issuer: str,
    person: browser.Browser,
    user: str,
) -> None:
    """Login page, consent, redirect, loopback receiver, activation, an operation approved."""
    client = make_client()
    config = client.oidc.config("mock")
    with oidc.listen(runtime, config, allow_http=True) as login:
        assert login.request.redirect_uri == configuration["redirectUri"]
        person.open(login.request.authorize_url)
        assert person.sees("Authorize Client")
        person.type("input[name=sub]", user)
        person.click("button[type=submit]:not([name])")
        assert person.sees("You are logged in")
        activation = client.activate(oidc=login.attributes(60), name="Desk")
    client.persist("1234")
    seen = server.activation(activation.activation_id)
    assert (seen["state"], seen["userId"]) == ("ACTIVE", user)
    operation = server.new_operation(userId=user)
    (waiting,) = client.operations.list()
    client.operations.authorize(waiting, mtoken.Auth.pin("1234"))
    assert server.operation(operation["operationId"])["status"] == "APPROVED"


@pytest.mark.timeout(180)
def test_an_answer_without_state_ends_nothing(
    runtime: mtoken.Runtime,
    make_client: ClientFactory,
    configuration: Dict[str, Any],
    person: browser.Browser,
    user: str,
) -> None:
    """This provider forgets the state when a person says no: anybody could have sent that, so the login goes on."""
    client = make_client()
    with oidc.listen(runtime, client.oidc.config("mock"), allow_http=True) as login:
        person.open(login.request.authorize_url)
        person.click("button[value=deny]")
        assert person.sees("not the response")
        assert "error=access_denied" in person.url and "state=" not in person.url
        assert not login.task.done()
        person.open(login.request.authorize_url)
        person.type("input[name=sub]", user)
        person.click("button[type=submit]:not([name])")
        assert login.attributes(60).provider_id == "mock"


@pytest.mark.timeout(180)
def test_a_code_is_good_once(
    server: DevServer,
    runtime: mtoken.Runtime,
    make_client: ClientFactory,
    configuration: Dict[str, Any],
    person: browser.Browser,
    user: str,
) -> None:
    """The provider refuses a code that was redeemed, and so does the bank."""
    client, thief = make_client("client"), make_client("thief")
    with oidc.listen(runtime, client.oidc.config("mock"), allow_http=True) as login:
        person.open(login.request.authorize_url)
        person.type("input[name=sub]", user)
        person.click("button[type=submit]:not([name])")
        attributes = login.attributes(60)
        client.activate(oidc=attributes)
        with pytest.raises(mtoken.ServerError) as caught:
            thief.activate(oidc=attributes)
    assert caught.value.server_code == "ERR_ACTIVATION"
