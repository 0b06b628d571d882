# SPDX-License-Identifier: Apache-2.0
"""OpenID Connect on the server's side: configuration for devices, and redeeming codes (oidc.md §2, §5)."""

from __future__ import annotations

import asyncio
import base64
import json
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional

from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import FastAPI

from . import crypto, ecies, errors, jwt
from .call import Answer, Call, ErrorFactory, mount, ok, only_members, text_member
from .clock import Clock

if TYPE_CHECKING:
    from .server import Server

_TIMEOUT_SECONDS = 10
_CLOCK_SKEW_SECONDS = 60
_REQUIRED = ("clientId", "clientSecret", "issuerUri", "redirectUri")


def routes(app: FastAPI, server: Server) -> None:
    mount(app, server, "/api/config/oidc", configuration)


def check_provider(provider: Dict[str, Any]) -> None:
    """Refuses a provider configuration that lacks a required member."""
    for name in _REQUIRED:
        if not isinstance(provider.get(name), str) or not provider[name]:
            raise errors.bad_input(f"{name} is missing")
    if provider.get("clientAuthenticationMethod", "client_secret_basic") not in (
        "client_secret_basic",
        "client_secret_post",
    ):
        raise errors.bad_input("clientAuthenticationMethod is client_secret_basic or client_secret_post")
    if provider.get("signatureAlgorithm", "RS256") not in ("RS256", "ES256"):
        raise errors.bad_input("signatureAlgorithm is RS256 or ES256")


def discovered(provider: Dict[str, Any]) -> Dict[str, Any]:
    """The provider with the addresses that its issuer's discovery document gives. Blocking."""
    issuer = str(provider.get("issuerUri", ""))
    try:
        document = _discovery(issuer)
        return {
            **provider,
            "authorizeUri": document["authorization_endpoint"],
            "tokenUri": document["token_endpoint"],
            "jwkSetUri": document["jwks_uri"],
        }
    except (OSError, ValueError, KeyError, TypeError) as problem:
        missing = f"names no {problem.args[0]}" if isinstance(problem, KeyError) else f"can not be used: {problem}"
        raise errors.bad_input(f"the discovery document of {issuer} {missing}") from problem


def _discovery(issuer: str) -> Dict[str, Any]:
    document = _fetch_json(issuer.rstrip("/") + "/.well-known/openid-configuration")
    if document.get("issuer") != issuer:
        raise ValueError("discovery document names another issuer")
    return document


def configuration(server: Server, call: Call) -> Answer:
    """The six members that a device may know; encrypted in application scope."""
    error = errors.configuration_error
    header = server.authenticator.encryption_header(call, errors.encryption_failed)
    opened = server.authenticator.open_by_header(call, ecies.APPLICATION_GENERIC, errors.encryption_failed)
    request = opened.object(errors.encryption_failed)
    only_members(request, ("providerId",), errors.encryption_failed)
    provider_id = text_member(request, "providerId", error, errors.encryption_failed)
    provider = provider_of(server, header.application_key, provider_id, error)
    return opened.answer(
        ok(
            {
                "providerId": provider_id,
                "clientId": provider["clientId"],
                "scopes": provider.get("scopes", "openid"),
                "authorizeUri": provider.get("authorizeUri", ""),
                "redirectUri": provider["redirectUri"],
                "pkceEnabled": bool(provider.get("pkceEnabled", False)),
            }
        )
    )


def provider_of(server: Server, application_key: str, provider_id: Any, error: ErrorFactory) -> Dict[str, Any]:
    application = server.application_of_key(application_key, error)
    provider = application.oidc_providers.get(provider_id) if isinstance(provider_id, str) else None
    if provider is None:
        raise error("OIDC provider is unknown")
    return provider


async def redeem(provider: Dict[str, Any], identity: Dict[str, str], clock: Clock) -> str:
    """The user id (`sub`) behind an authorization code; every doubt ends in the generic activation error."""
    error = errors.activation_invalid
    code, nonce = text_member(identity, "code", error), text_member(identity, "nonce", error)
    verifier = identity.get("codeVerifier")
    if verifier == "":
        raise error("codeVerifier is not acceptable")
    if provider.get("pkceEnabled") and verifier is None:
        raise error("codeVerifier is missing although PKCE is enabled")
    grant = _Grant(provider, code, nonce, verifier, clock)
    return await asyncio.get_running_loop().run_in_executor(None, grant.redeem)


@dataclass(frozen=True)
class _Grant:
    """One authorization code on its way to an ID token. Blocking: runs on a worker thread."""

    provider: Dict[str, Any]
    code: str
    nonce: str
    verifier: Optional[str]
    clock: Clock

    def redeem(self) -> str:
        try:
            endpoints = self._endpoints()
            answer = self._token_answer(endpoints["token_endpoint"])
            return self._verified_subject(answer, endpoints["jwks_uri"])
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise errors.activation_invalid(f"OIDC: {type(problem).__name__}: {problem}") from problem

    def _endpoints(self) -> Dict[str, str]:
        """From the issuer's discovery document, else from the configuration."""
        configured = {"token_endpoint": self.provider.get("tokenUri"), "jwks_uri": self.provider.get("jwkSetUri")}
        if all(configured.values()):
            return {name: str(uri) for name, uri in configured.items()}
        return _discovery(self.provider["issuerUri"])

    def _token_answer(self, uri: str) -> Dict[str, Any]:
        provider = self.provider
        form = {
            "grant_type": "authorization_code",
            "client_id": provider["clientId"],
            "code": self.code,
            "redirect_uri": provider["redirectUri"],
        }
        if self.verifier is not None:
            form["code_verifier"] = self.verifier
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if provider.get("clientAuthenticationMethod", "client_secret_basic") == "client_secret_post":
            form["client_secret"] = provider["clientSecret"]
        else:
            pair = ":".join(urllib.parse.quote_plus(provider[name]) for name in ("clientId", "clientSecret"))
            headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        return _fetch_json(uri, urllib.parse.urlencode(form).encode(), headers)

    def _verified_subject(self, answer: Dict[str, Any], jwks_uri: str) -> str:
        """The checks of an ID token (OIDC Core §3.1.3.7), then its subject."""
        header, claims, data, signature = jwt.split(answer["id_token"])
        algorithm = self.provider.get("signatureAlgorithm", "RS256")
        if header.get("alg") != algorithm:
            raise ValueError("ID token has another signature algorithm")
        keys = _fetch_json(jwks_uri)["keys"]
        candidates = [key for key in keys if header.get("kid") in (None, key.get("kid"))]
        if not any(_VERIFIERS[algorithm](key, data, signature) for key in candidates):
            raise ValueError("signature of the ID token is wrong")
        audience = claims.get("aud")
        seconds = self.clock.now() // 1000
        checks = {
            "issuer": claims.get("iss") == self.provider["issuerUri"],
            "audience": self.provider["clientId"] in (audience if isinstance(audience, list) else [audience]),
            "expiry": claims["exp"] + _CLOCK_SKEW_SECONDS > seconds,
            "nonce": crypto.equal(str(claims.get("nonce")).encode(), self.nonce.encode()),
            "at_hash": "at_hash" not in claims or claims["at_hash"] == at_hash(answer["access_token"]),
            "subject": isinstance(claims.get("sub"), str) and claims["sub"] != "",
        }
        for name, passed in checks.items():
            if not passed:
                raise ValueError(f"{name} of the ID token is wrong")
        return claims["sub"]


def at_hash(access_token: str) -> str:
    """Left half of the hash of an access token, base64url (powerauth.md §7.5)."""
    return crypto.b64url(crypto.sha256(access_token.encode("ascii"))[:16])


def _fetch_json(url: str, body: Optional[bytes] = None, headers: Optional[Dict[str, str]] = None) -> Dict[str, Any]:
    request = urllib.request.Request(url, body, {"Accept": "application/json", **(headers or {})})
    with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as response:
        value = json.load(response)
    if not isinstance(value, dict):
        raise ValueError("provider did not answer with a JSON object")
    return value


def _number(text: str) -> int:
    return int.from_bytes(crypto.unb64url(text), "big")


def _verify_rsa(key: Dict[str, Any], data: bytes, signature: bytes) -> bool:
    if key.get("kty") != "RSA":
        return False
    return jwt.verify_rs256(data, signature, rsa.RSAPublicNumbers(_number(key["e"]), _number(key["n"])).public_key())


def _verify_ec(key: Dict[str, Any], data: bytes, signature: bytes) -> bool:
    if key.get("kty") != "EC" or key.get("crv") != "P-256":
        return False
    point = b"\x04" + crypto.unb64url(key["x"]) + crypto.unb64url(key["y"])
    return jwt.verify_es256(data, signature, crypto.import_public_key(point))


_VERIFIERS: Dict[str, Callable[[Dict[str, Any], bytes, bytes], bool]] = {"RS256": _verify_rsa, "ES256": _verify_ec}
