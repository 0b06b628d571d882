"""OpenID Connect: the pure functions through the C interface."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from typing import Any, Dict, List
from urllib.parse import parse_qsl, urlsplit

import mtoken
import pytest
from conftest import ROOT
from mtoken import oidc

CASES: List[Dict[str, Any]] = json.loads((ROOT / "Tests" / "vectors" / "oidc.json").read_text(encoding="utf-8"))[
    "cases"
]
CONFIG = oidc.Config(
    provider_id="bank",
    client_id="client",
    scopes="openid profile",
    authorize_uri="https://idp.example.com/authorize",
    redirect_uri="mtoken://oidc",
)
REASONS = {"invalidArgument": mtoken.ArgumentError}


def of(call: str) -> List[Any]:
    return [
        pytest.param(case["input"], case["expect"], id=case["id"]) for case in CASES if case["input"]["call"] == call
    ]


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def config_of(members: Dict[str, Any]) -> oidc.Config:
    return oidc.Config(
        provider_id=members["providerId"],
        client_id=members["clientId"],
        scopes=members["scopes"],
        authorize_uri=members["authorizeUri"],
        redirect_uri=members["redirectUri"],
        pkce_enabled=members["pkceEnabled"],
    )


# create_pkce(length) 32-96, get_random_base64_url_safe(length)


@pytest.mark.parametrize(("given", "expect"), of("createPKCE"))
def test_create_pkce(given: Dict[str, Any], expect: Dict[str, Any]) -> None:
    if "error" in expect:
        with pytest.raises(mtoken.ArgumentError) as caught:
            oidc.pkce(given["bytes"])
        assert caught.value.reason == expect["error"]
        return
    made = oidc.pkce(given["bytes"])
    assert (len(made.verifier), len(made.challenge)) == (expect["verifierLength"], expect["challengeLength"])
    assert len(decoded(made.verifier)) == given["bytes"] and "=" not in made.verifier
    assert decoded(made.challenge) == hashlib.sha256(made.verifier.encode()).digest()
    assert made.method == "S256" and made.verifier not in repr(made)
    assert oidc.pkce(given["bytes"]).verifier != made.verifier


@pytest.mark.parametrize(("given", "expect"), of("challenge"))
def test_challenge(given: Dict[str, Any], expect: Dict[str, Any]) -> None:
    if "error" in expect:
        with pytest.raises(mtoken.ArgumentError):
            oidc.challenge(given["verifier"])
    else:
        assert oidc.challenge(given["verifier"]) == expect["challenge"]


@pytest.mark.parametrize(("given", "expect"), of("randomBase64Url"))
def test_random_base64_url_safe(given: Dict[str, Any], expect: Dict[str, Any]) -> None:
    if "error" in expect:
        with pytest.raises(mtoken.ArgumentError):
            oidc.random(given["bytes"])
    else:
        text = oidc.random(given["bytes"])
        assert len(text) == expect["length"] and len(decoded(text)) == given["bytes"]


def test_random_is_bounded() -> None:
    assert len(oidc.random(1024)) == 1366
    for count in (-1, 1025, 2**62, 2**64):
        with pytest.raises(mtoken.ArgumentError):
            oidc.random(count)


# create_authorization_url(config, nonce, state, pkce)


@pytest.mark.parametrize(("given", "expect"), of("authorizationUrl"))
def test_create_authorization_url(given: Dict[str, Any], expect: Dict[str, Any]) -> None:
    arguments = {name: given.get(name) for name in ("nonce", "state", "challenge")}
    if "error" in expect:
        with pytest.raises(mtoken.ConfigurationError) as caught:
            oidc.authorization_url(config_of(given["config"]), **arguments)
        assert caught.value.reason == expect["error"]
    else:
        assert oidc.authorization_url(config_of(given["config"]), **arguments) == expect["url"]


# prepare_authorization_data(config)


def test_prepare_authorization_data() -> None:
    with oidc.prepare(CONFIG, parameters={"prompt": "login consent", "ui_locales": "cs"}) as request:
        assert request.provider_id == "bank" and request.redirect_uri == "mtoken://oidc"
        assert not request.lacks_openid
        assert request.code_verifier is not None
        parts = urlsplit(request.authorize_url)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == CONFIG.authorize_uri
        assert parse_qsl(parts.query, strict_parsing=True) == [
            ("client_id", "client"),
            ("redirect_uri", "mtoken://oidc"),
            ("scope", "openid profile"),
            ("state", request.state),
            ("nonce", request.nonce),
            ("response_type", "code"),
            ("code_challenge", oidc.challenge(request.code_verifier)),
            ("code_challenge_method", "S256"),
            ("prompt", "login consent"),
            ("ui_locales", "cs"),
        ]
        assert [len(decoded(text)) for text in (request.state, request.nonce, request.code_verifier)] == [32, 32, 32]
        for secret in (request.state, request.nonce, request.code_verifier):
            assert secret not in repr(request)
    with oidc.prepare(CONFIG, pkce_bytes=96) as request:
        assert request.code_verifier is not None and len(request.code_verifier) == 128


def test_manual_creation_of_a_configuration() -> None:
    plain = oidc.Config("p", "c", "profile", "https://idp.example/a", "com.example.app:/back", pkce_enabled=False)
    with oidc.prepare(plain) as request:
        assert request.code_verifier is None and request.lacks_openid
        assert "code_challenge" not in request.authorize_url
        attributes = request.process(f"com.example.app:/back?code=x&state={request.state}")
        assert (attributes.code_verifier, attributes.nonce) == (None, request.nonce)
    for missing in ("provider_id", "client_id", "scopes", "redirect_uri"):
        members = {**vars(CONFIG), missing: ""}
        with pytest.raises(mtoken.ArgumentError):
            oidc.prepare(oidc.Config(**members))


def test_reserved_and_repeated_parameters() -> None:
    for name in ("client_id", "state", "nonce", "redirect_uri", "response_mode", "request", ""):
        with pytest.raises(mtoken.ArgumentError):
            oidc.prepare(CONFIG, parameters={name: "x"})
    with pytest.raises(mtoken.ConfigurationError) as caught:
        own = oidc.Config(**{**vars(CONFIG), "authorize_uri": "https://idp.example/a?prompt=none"})
        oidc.prepare(own, parameters={"prompt": "login"})
    assert caught.value.reason == "invalidAuthorizeUri"
    with pytest.raises(mtoken.ArgumentError):
        oidc.prepare(CONFIG, parameters={str(number): "x" for number in range(65)})


# process_web_callback(url, request)


@pytest.mark.parametrize(("given", "expect"), of("processCallback"))
def test_process_web_callback(given: Dict[str, Any], expect: Dict[str, Any]) -> None:
    """The vectors' state is put in place of the request's own, which nobody can choose."""
    members = given["request"]
    config = oidc.Config(
        members["providerId"],
        "client",
        "openid",
        members["authorizeUrl"],
        members["redirectUri"],
        pkce_enabled=members["codeVerifier"] is not None,
        issuer=members.get("expectedIssuer"),
        issuer_required=members.get("issuerRequired", False),
    )
    with oidc.prepare(config) as request:
        callback = given["callback"]
        for spelling in (members["state"], members["state"].replace("~", "%7E")):
            if f"state={spelling}&" in callback + "&":
                callback = (callback + "&").replace(f"state={spelling}&", f"state={request.state}&")[:-1]
        if members.get("consumed"):
            request.process(callback)
        if "error" not in expect:
            attributes = request.process(callback)
            assert (attributes.provider_id, attributes.code) == (members["providerId"], expect["attributes"]["code"])
            assert (attributes.nonce, attributes.code_verifier) == (request.nonce, request.code_verifier)
            assert (attributes.code_verifier is None) == (expect["attributes"]["codeVerifier"] is None)
            assert attributes.code not in repr(attributes)
            return
        with pytest.raises(mtoken.MTokenError) as caught:
            request.process(callback)
        error = caught.value
        assert error.reason == expect["error"]
        assert error.server_code == expect.get("oauthError")
        if "oauthErrorDescription" in expect:
            assert error.server_message == expect["oauthErrorDescription"]
        for secret in (request.state, request.nonce):
            assert secret not in str(error) and secret not in repr(error)


def test_the_page_of_an_error() -> None:
    with oidc.prepare(CONFIG) as request:
        with pytest.raises(mtoken.ServerError) as caught:
            request.process(f"mtoken://oidc?error=access_denied&error_uri=https%3A%2F%2Fidp%2Fe&state={request.state}")
        error = caught.value
        assert (error.server_code, error.server_uri) == ("access_denied", "https://idp/e")
        assert error.outcome is mtoken.Outcome.ANSWERED


def test_a_late_answer() -> None:
    with oidc.prepare(CONFIG, lifetime=0.001) as request:
        callback = f"mtoken://oidc?code=x&state={request.state}"
        start = time.clock_gettime(time.CLOCK_MONOTONIC)
        while time.clock_gettime(time.CLOCK_MONOTONIC) - start < 0.003:
            pass
        with pytest.raises(TimeoutError) as caught:
            request.process(callback)
        assert isinstance(caught.value, mtoken.MTokenError) and caught.value.reason == "requestExpired"


def test_a_closed_request() -> None:
    request = oidc.prepare(CONFIG)
    request.close()
    with pytest.raises(ValueError, match="closed"):
        _ = request.authorize_url
    with pytest.raises(mtoken.HandleError):
        request.process("mtoken://oidc?code=x")
