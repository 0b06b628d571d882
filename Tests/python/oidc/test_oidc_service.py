"""OpenID Connect with the bank's server: its configuration, and the activation with what a provider gave."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List

import mtoken
import pytest
from conftest import PROTOCOLS_3, ROOT, ClientFactory
from devserver import DevServer
from mtoken import oidc

sys.path.insert(0, str(ROOT / "tools" / "devserver" / "tests"))
from provider import Provider

REDIRECT = "mtoken://oidc"


@pytest.fixture
def provider() -> Iterator[Provider]:
    running = Provider()
    yield running
    running.close()


@pytest.fixture
def configure(server: DevServer, provider: Provider) -> Iterator[Any]:
    """Tells the bank's server of the provider, under the id "bank"."""

    def put(**members: Any) -> Dict[str, Any]:
        body = {
            "clientId": "client 1",
            "clientSecret": "s:ecret",
            "issuerUri": provider.issuer,
            "redirectUri": REDIRECT,
            "authorizeUri": f"{provider.issuer}/authorize",
            "scopes": "openid profile",
            **members,
        }
        return server.admin("PUT", "/applications/demo/oidc/bank", body)

    put()
    yield put
    server.admin("DELETE", "/applications/demo/oidc/bank")


def login(config: oidc.Config, provider: Provider) -> oidc.Attributes:
    """What a browser would do: opens the URL, is sent back."""
    request = oidc.prepare(config, allow_http=True)
    provider.overrides["nonce"] = request.nonce
    provider.challenge = oidc.challenge(request.code_verifier) if request.code_verifier else None
    return request.process(f"{config.redirect_uri}?code=the-code&state={request.state}")


@pytest.mark.parametrize("pkce", [False, True])
@pytest.mark.parametrize("protocol", PROTOCOLS_3)
def test_get_config(make_client: ClientFactory, configure: Any, protocol: mtoken.Protocol, pkce: bool) -> None:
    configure(pkceEnabled=pkce)
    client = make_client(protocol=protocol)
    config = client.oidc.config("bank")
    assert (config.provider_id, config.client_id, config.scopes) == ("bank", "client 1", "openid profile")
    assert (config.redirect_uri, config.pkce_enabled) == (REDIRECT, pkce)
    assert config.authorize_uri.endswith("/authorize")
    assert (config.issuer, config.issuer_required) == (None, False)
    assert client.state is mtoken.ClientState.EMPTY, "it works without an activation"


@pytest.mark.parametrize("pkce", [False, True])
def test_create_oidc_activation(
    server: DevServer, make_client: ClientFactory, provider: Provider, configure: Any, pkce: bool
) -> None:
    configure(pkceEnabled=pkce)
    client = make_client()
    attributes = login(client.oidc.config("bank"), provider)
    assert (attributes.code_verifier is not None) == pkce
    activation = client.activate(oidc=attributes, name="Browser login")
    client.persist("1234")
    seen = server.activation(activation.activation_id)
    assert (seen["state"], seen["userId"]) == ("ACTIVE", "sub-the-code"), "without a commit"
    form, _ = provider.requests[-1]
    assert (form["code"], form.get("code_verifier")) == ("the-code", attributes.code_verifier)
    operation = server.new_operation(userId="sub-the-code")
    (waiting,) = client.operations.list()
    client.operations.authorize(waiting, mtoken.Auth.pin("1234"))
    assert server.operation(operation["operationId"])["status"] == "APPROVED"


def test_nothing_secret_is_logged(
    server: DevServer, make_client: ClientFactory, provider: Provider, configure: Any
) -> None:
    """Every event of a whole login at the finest level, and every error on the way."""
    configure(pkceEnabled=True)
    told = []
    with mtoken.Runtime(events=mtoken.Events.ALL, log_level=mtoken.LogLevel.DEBUG) as runtime:
        client = make_client("logged", runtime=runtime)
        config = client.oidc.config("bank")
        request = oidc.prepare(config, allow_http=True)
        secrets = [request.state, request.nonce, request.code_verifier, "the-secret-code", request.authorize_url]
        provider.overrides["nonce"] = request.nonce
        provider.challenge = oidc.challenge(str(request.code_verifier))
        for callback in (
            "mtoken://other?code=the-secret-code",
            f"mtoken://oidc?code=the-secret-code&code=the-secret-code&state={request.state}",
            "mtoken://oidc?code=the-secret-code&state=forged",
            f"mtoken://oidc?code=the-secret-code%zz&state={request.state}",
        ):
            with pytest.raises(mtoken.MTokenError) as caught:
                request.process(callback)
            told += [str(caught.value), repr(caught.value), repr(caught.value.details)]
        attributes = request.process(f"{REDIRECT}?code=the-secret-code&state={request.state}")
        with oidc.listen(runtime, config, redirect_uri="http://127.0.0.1/back", allow_http=True) as waiting:
            secrets += [waiting.request.state, waiting.request.nonce, waiting.request.code_verifier]
            waiting.task.cancel()
            waiting.task.wait(30)
        client.activate(oidc=attributes)
        client.persist("2468")
        told += [repr(event) for event in runtime.events(0)]
        told += [repr(request), repr(attributes), repr(waiting), repr(config)]
        client.close()
    everything = "\n".join(told)
    assert "OIDC configuration: sent" in everything and "activation: HTTP status 200" in everything
    for secret in secrets:
        assert secret and secret not in everything
    assert secrets[0] not in server.log.read_text(encoding="utf-8")


# Discovery

DOCUMENT = {
    "authorization_endpoint": "https://idp.example/authorize",
    "response_types_supported": ["id_token", "code"],
    "code_challenge_methods_supported": ["plain", "S256"],
    "authorization_response_iss_parameter_supported": True,
}


@pytest.fixture
def publish(provider: Provider) -> Any:
    """Puts other members into the provider's document; None takes one out."""

    def put(**members: Any) -> None:
        merged = {"issuer": provider.issuer, **DOCUMENT, **members}
        document = {name: value for name, value in merged.items() if value is not None}
        provider.documents = lambda: {"/.well-known/openid-configuration": document}  # type: ignore[method-assign]

    put()
    return put


def discover(client: mtoken.Client, issuer: str, **more: Any) -> oidc.Config:
    members = {"provider_id": "bank", "client_id": "c", "redirect_uri": REDIRECT, "allow_http": True, **more}
    return client.oidc.discover(issuer, **members)  # type: ignore[arg-type]


def test_discovery(make_client: ClientFactory, provider: Provider, publish: Any) -> None:
    client = make_client()
    config = discover(client, provider.issuer)
    expected = oidc.Config(
        "bank", "c", "openid", "https://idp.example/authorize", REDIRECT, True, provider.issuer, True
    )
    assert config == expected
    with oidc.prepare(config) as request:
        with pytest.raises(mtoken.ProtocolError) as caught:
            request.process(f"{REDIRECT}?code=x&state={request.state}")
        assert caught.value.reason == "issuerMismatch", "the issuer has to name itself"
        issuer = provider.issuer.replace(":", "%3A").replace("/", "%2F")
        assert request.process(f"{REDIRECT}?code=x&state={request.state}&iss={issuer}").code == "x"
    for methods in (["plain"], [], ["s256"], "S256"):
        publish(code_challenge_methods_supported=methods, authorization_response_iss_parameter_supported=None)
        with pytest.raises(mtoken.UnsupportedError) as refused:
            discover(client, provider.issuer)
        assert refused.value.reason == "unsupportedProvider", "PKCE was asked for, and is not given up silently"
        config = discover(client, provider.issuer, pkce=False)
        assert (config.pkce_enabled, config.issuer_required) == (False, False)
    publish(code_challenge_methods_supported=None)
    assert discover(client, provider.issuer).pkce_enabled, "a provider that says nothing overlooks the parameters"


def test_discovery_refuses(make_client: ClientFactory, provider: Provider, publish: Any) -> None:
    client = make_client()
    for members, reason in (
        ({"issuer": "https://evil.example"}, "issuerMismatch"),
        ({"issuer": provider.issuer + "/"}, "issuerMismatch"),
        ({"issuer": None}, "issuerMismatch"),
        ({"response_types_supported": ["id_token"]}, "unsupportedProvider"),
        ({"response_types_supported": None}, "network_invalidResponseObject"),
        ({"authorization_endpoint": 1}, "network_invalidResponseObject"),
    ):
        publish(**members)
        with pytest.raises(mtoken.MTokenError) as caught:
            discover(client, provider.issuer)
        assert caught.value.reason == reason, members
    publish(authorization_endpoint="http://idp.example/authorize")
    config = discover(client, provider.issuer)
    with pytest.raises(mtoken.ConfigurationError):
        oidc.prepare(config)


def test_discovery_keeps_the_hosts_headers_from_the_provider(make_client: ClientFactory) -> None:
    """They may be what a gateway of the bank knows the application by."""
    seen: List[Dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append({name.lower(): value for name, value in self.headers.items()})
            data = json.dumps({**DOCUMENT, "issuer": issuer}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        issuer = f"http://127.0.0.1:{listener.server_address[1]}"
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        client = make_client(headers={"X-Gateway-Key": "secret", "X-App": "1"})
        discover(client.with_options(headers={"X-Call": "2"}), issuer)
        listener.shutdown()
    (fields,) = seen
    assert set(fields) <= {"host", "accept", "accept-language", "content-type", "user-agent"}
    assert fields["user-agent"].startswith("libmtoken/")


def test_the_hosts_headers_go_to_the_bank(server: DevServer, make_client: ClientFactory, configure: Any) -> None:
    client = make_client(headers={"X-Gateway-Key": "secret"})
    before = server.mark()
    client.with_options(headers={"X-Call": "2"}).oidc.config("bank")
    (request,) = server.requests("/api/config/oidc", before)
    fields = {name.lower(): value for name, value in dict(request["headers"]).items()}
    assert (fields["x-gateway-key"], fields["x-call"]) == ("secret", "2")
