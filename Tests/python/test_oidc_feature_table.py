"""One test for each OpenID Connect row of the feature table, in its order and named after it.

All the cases are in test_oidc*.py; here each row shows that it works through the interface.
"""

from __future__ import annotations

import urllib.request
from dataclasses import replace
from typing import Any

import mtoken
import pytest
from conftest import ClientFactory
from devserver import DevServer
from mtoken import oidc
from test_oidc_service import REDIRECT, Provider, configure, login, provider, publish

__all__ = ["configure", "provider", "publish"]
CONFIG = oidc.Config("bank", "client", "openid", "https://idp.example/authorize", REDIRECT)


def test_01_service_of_the_client_without_activation(make_client: ClientFactory, configure: Any) -> None:
    client = make_client()
    assert client.state is mtoken.ClientState.EMPTY and client.oidc.config("bank")


def test_02_get_config(make_client: ClientFactory, configure: Any) -> None:
    assert make_client().oidc.start_config("bank").result(30).client_id == "client 1"


def test_03_config_fetched_or_manual(make_client: ClientFactory, configure: Any, provider: Provider) -> None:
    fetched = make_client().oidc.config("bank")
    manual = oidc.Config("bank", "client 1", "openid profile", f"{provider.issuer}/authorize", REDIRECT, False)
    assert fetched == manual


def test_04_prepare_authorization_data() -> None:
    with oidc.prepare(CONFIG) as request:
        assert request.authorize_url.startswith("https://idp.example/authorize?client_id=client&")


def test_05_authorization_request_is_a_handle_that_is_wiped() -> None:
    """That the memory is wiped: test_oidc_secrets."""
    request = oidc.prepare(CONFIG)
    parts = (request.authorize_url, request.provider_id, request.nonce, request.state, request.code_verifier)
    assert all(parts)
    request.close()
    with pytest.raises(ValueError):
        _ = request.state


def test_06_the_browser_is_the_hosts_and_the_receiver_helps(runtime: mtoken.Runtime) -> None:
    """With a browser: test_oidc_browser."""
    with oidc.listen(runtime, CONFIG, redirect_uri="http://127.0.0.1/back") as waiting:
        url = f"{waiting.request.redirect_uri}?code=c&state={waiting.request.state}"
        with urllib.request.urlopen(url, timeout=30) as page:
            assert page.status == 200
        assert waiting.attributes(30).code == "c"


def test_07_process_web_callback_validates_the_state() -> None:
    with oidc.prepare(CONFIG) as request:
        with pytest.raises(mtoken.ProtocolError) as caught:
            request.process(f"{REDIRECT}?code=c&state=x{request.state}")
        assert caught.value.reason == "stateMismatch"
        assert request.process(f"{REDIRECT}?code=c&state={request.state}").code == "c"


def test_08_activation_attributes() -> None:
    with oidc.prepare(CONFIG) as request:
        got = request.process(f"{REDIRECT}?code=c&state={request.state}")
        assert (got.provider_id, got.code) == ("bank", "c")
        assert (got.nonce, got.code_verifier) == (request.nonce, request.code_verifier)


def test_09_create_oidc_activation(
    server: DevServer, make_client: ClientFactory, configure: Any, provider: Provider
) -> None:
    configure(pkceEnabled=True)
    client = make_client()
    activation = client.activate(oidc=login(client.oidc.config("bank"), provider), name="My desk")
    assert server.activation(activation.activation_id)["name"] == "My desk"


def test_10_create_pkce_32_to_96() -> None:
    assert [len(oidc.pkce(count).verifier) for count in (32, 96)] == [43, 128]
    for count in (31, 97):
        with pytest.raises(mtoken.ArgumentError):
            oidc.pkce(count)


def test_11_get_random_base64_url_safe() -> None:
    assert len(oidc.random(32)) == 43 and oidc.random(32) != oidc.random(32)


def test_12_create_authorization_url() -> None:
    url = oidc.authorization_url(CONFIG, nonce="n", state="s", challenge="c", parameters={"prompt": "login"})
    assert url.endswith("&code_challenge=c&code_challenge_method=S256&prompt=login")


def test_13_error_issuer_and_redirect_checks_and_discovery(
    make_client: ClientFactory, provider: Provider, publish: Any
) -> None:
    members = {"provider_id": "bank", "client_id": "c", "redirect_uri": REDIRECT}
    config = make_client().oidc.discover(provider.issuer, allow_http=True, **members)
    assert (config.issuer, config.issuer_required) == (provider.issuer, True)
    issuer = "iss=" + provider.issuer.replace(":", "%3A").replace("/", "%2F")
    for answer, reason in (
        ("mtoken://elsewhere?state=$&code=c&" + issuer, "redirectMismatch"),
        (REDIRECT + "?state=$&code=c", "issuerMismatch"),
        (REDIRECT + "?state=$&error=access_denied&" + issuer, "authorizationError"),
    ):
        with oidc.prepare(replace(config, pkce_enabled=False)) as request:
            with pytest.raises(mtoken.MTokenError) as caught:
                request.process(answer.replace("$", request.state))
            assert caught.value.reason == reason
