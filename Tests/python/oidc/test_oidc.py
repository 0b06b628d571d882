"""OpenID Connect: the pure functions through the C interface."""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Callable, Iterator, List
from urllib.parse import parse_qsl, urlsplit

import mtoken
import pytest
from devserver import DevServer
from mtoken import oidc

CONFIG = oidc.Config(
    provider_id="bank",
    client_id="client",
    scopes="openid profile",
    authorize_uri="https://idp.example.com/authorize",
    redirect_uri="mtoken://oidc",
)


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


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


# process_web_callback(url, request)


def test_a_callback_at_the_programs_own_scheme() -> None:
    """The page at the redirect URI hands the answer on; what comes to the redirect URI itself is none."""
    config = oidc.Config(**{**vars(CONFIG), "redirect_uri": "https://bank.example/back"})
    with oidc.prepare(config, callback_uri="com.example.bank:/login?app=1") as request:
        assert ("redirect_uri", config.redirect_uri) in parse_qsl(urlsplit(request.authorize_url).query)
        answer = f"code=x&state={request.state}"
        for wrong in ("https://bank.example/back?", "com.example.bank:/other?app=1&", "com.example.bank:/login?"):
            with pytest.raises(mtoken.MTokenError) as caught:
                request.process(wrong + answer)
            assert caught.value.reason == "redirectMismatch"
        assert request.process("com.example.bank:/login?app=1&" + answer).code == "x"
    for invalid in ("", "no-uri", "http://bank.example/", "com.example.bank:/x#y"):
        with pytest.raises(mtoken.ArgumentError):
            oidc.prepare(config, callback_uri=invalid)


# A login that outlives its program


@pytest.fixture
def keeper(server: DevServer, tmp_path: Path) -> Iterator[Callable[[], mtoken.Client]]:
    """The client as each process opens it."""
    opened: List[mtoken.Client] = []

    def make(id: str = "a") -> mtoken.Client:
        for client in opened:
            client.close()
        runtime = mtoken.Runtime()
        store = mtoken.Store.directory(tmp_path / "state")
        opened.append(
            mtoken.Client(runtime, id, configuration=server.configuration, base_url="https://b.example", store=store)
        )
        return opened[-1]

    yield make
    for client in opened:
        client.close()


def test_a_login_that_another_process_finishes(keeper: Callable[[], mtoken.Client]) -> None:
    config = oidc.Config(**{**vars(CONFIG), "issuer": "https://idp.example", "issuer_required": True})
    with oidc.prepare(config, callback_uri="a.b:/c") as request:
        text = keeper().oidc.store(request)
        told = [request.authorize_url, request.provider_id, request.redirect_uri, request.nonce, request.state]
        verifier, answer = request.code_verifier, f"state={request.state}&iss=https%3A%2F%2Fidp.example"
    for secret in (told[3], told[4], verifier, "idp.example"):
        assert secret is not None and secret not in text
    restored = keeper().oidc.restore(text)
    assert (
        [
            restored.authorize_url,
            restored.provider_id,
            restored.redirect_uri,
            restored.nonce,
            restored.state,
        ]
        == told
        and restored.code_verifier == verifier
        and not restored.lacks_openid
    )
    for wrong, reason in (
        ("mtoken://oidc?code=x&" + answer, "redirectMismatch"),
        ("a.b:/c?code=x&code=y&" + answer, "duplicateParameter"),
        ("a.b:/c?code=x&state=y", "stateMismatch"),
        ("a.b:/c?code=x&" + answer + "x", "issuerMismatch"),
    ):
        with pytest.raises(mtoken.MTokenError) as caught:
            restored.process(wrong)
        assert caught.value.reason == reason
    attributes = restored.process("a.b:/c?code=x&" + answer)
    assert (attributes.code, attributes.nonce, attributes.code_verifier) == ("x", told[3], verifier)
    for other in (restored, keeper().oidc.restore(text)):  # and in a third process
        with pytest.raises(mtoken.StateError) as done:
            other.process("a.b:/c?code=x&" + answer)
        assert done.value.reason == "alreadyProcessed"


def test_one_stored_login_at_a_time(keeper: Callable[[], mtoken.Client]) -> None:
    client = keeper()
    first, second = oidc.prepare(CONFIG), oidc.prepare(CONFIG)
    client.oidc.store(first)
    client.oidc.store(second)
    with pytest.raises(mtoken.StateError):
        first.process(f"mtoken://oidc?code=x&state={first.state}")
    assert second.process(f"mtoken://oidc?code=x&state={second.state}").code == "x"


def test_a_stored_login_ends_with_its_lifetime(keeper: Callable[[], mtoken.Client]) -> None:
    client = keeper()
    with oidc.prepare(CONFIG, lifetime=0.001) as request:
        text, answer = client.oidc.store(request), f"mtoken://oidc?code=x&state={request.state}"
    start = time.time()
    while time.time() - start < 0.003:
        pass
    with pytest.raises(TimeoutError):
        client.oidc.restore(text).process(answer)


def test_a_stored_login_that_was_changed(keeper: Callable[..., mtoken.Client]) -> None:
    client = keeper()
    text = client.oidc.store(oidc.prepare(CONFIG))
    middle = len(text) // 2
    changed = text[:middle] + ("A" if text[middle] != "A" else "B") + text[middle + 1 :]
    for wrong in ("", "x", changed, text[:-4], text + "AAAA", "é"):
        with pytest.raises(mtoken.TamperedError):
            client.oidc.restore(wrong)
    with pytest.raises(mtoken.TamperedError):
        keeper("b").oidc.restore(text)
    assert keeper().oidc.restore(text).provider_id == "bank"


def test_a_closed_request() -> None:
    request = oidc.prepare(CONFIG)
    request.close()
    with pytest.raises(ValueError, match="closed"):
        _ = request.authorize_url
    with pytest.raises(mtoken.HandleError):
        request.process("mtoken://oidc?code=x")
