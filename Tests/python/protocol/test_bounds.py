"""Values just beyond what a call accepts: the library refuses them before it sends anything or advances the counter."""

from __future__ import annotations

from typing import Any, Callable, Dict

import mtoken
import pytest
from conftest import ClientFactory, Device
from devserver import DevServer
from mtoken import oidc

NONCE = bytes(16)

CALLS: Dict[str, Callable[[mtoken.Client, mtoken.Auth], Any]] = {
    "a PIN of three bytes": lambda client, auth: client.factors.validate_pin("123"),
    "a new PIN of three bytes": lambda client, auth: client.factors.change_pin("1234", "123"),
    "a PIN of three bytes to sign with": lambda client, auth: client.sign("POST", "/x", b"", mtoken.Auth.pin("123")),
    "a biometry key of 15 bytes": lambda client, auth: client.factors.add_biometry(bytes(range(15)), auth),
    "a biometry key of 17 bytes": lambda client, auth: client.factors.add_biometry(bytes(range(17)), auth),
    "a biometry key of zeros": lambda client, auth: client.factors.add_biometry(bytes(16), auth),
    "a nonce of 15 bytes": lambda client, auth: client.sign_offline("/x", b"", NONCE[1:], auth),
    "a nonce of 17 bytes": lambda client, auth: client.sign_offline("/x", b"", NONCE + b"x", auth),
    "a code of three digits": lambda client, auth: client.sign_offline("/x", b"", NONCE, auth, component_length=3),
    "a code of nine digits": lambda client, auth: client.sign_offline("/x", b"", NONCE, auth, component_length=9),
    "an unknown method": lambda client, auth: client.sign("TRACE", "/x", b"", auth),
    "an unknown factor": lambda client, auth: client.sign(
        "POST", "/x", b"", mtoken.Auth(pin="1234", factors=mtoken.Factor(8))
    ),
    "an empty signature": lambda client, auth: client.verify(b"data", b""),
    "page -1": lambda client, auth: client.inbox.page(-1, 1),
    "an empty page": lambda client, auth: client.inbox.page(0, 0),
    "a page of 1001": lambda client, auth: client.inbox.page(0, 1001),
    "all, in pages of 1001": lambda client, auth: client.inbox.all(1001, 1),
    "a limit of -1 messages": lambda client, auth: client.inbox.all(1, -1),
    "an empty id of a message": lambda client, auth: client.inbox.detail(""),
    "an empty reason": lambda client, auth: client.operations.reject("id", ""),
    "token data as a list": lambda client, auth: client.operations.reject("id", mobile_token_data="[]"),
    "claims as a list": lambda client, auth: client.vault.sign_jwt("[]", auth),
    "a jitter of 51 percent": lambda client, auth: client.operations.start_polling(jitter_percent=51),
    "an encrypted request without a scope": lambda client, auth: client.requests.encrypt(b"", scope=mtoken.Scope(0)),
    "a signed one without a URI identifier": lambda client, auth: client.requests.encrypt(b"", auth=auth),
    "-1 random bytes": lambda client, auth: oidc.random(-1),
    "1025 random bytes": lambda client, auth: oidc.random(1025),
    "a verifier of 31 bytes": lambda client, auth: oidc.pkce(31),
    "-1 transfers": lambda client, auth: mtoken.Runtime(max_transfers=-1),
    "4097 transfers": lambda client, auth: mtoken.Runtime(max_transfers=4097),
    "an unknown level of logs": lambda client, auth: mtoken.Runtime(log_level=mtoken.LogLevel(9)),
    "an empty seed": lambda client, auth: mtoken.totp(b"", 0),
    "ten digits of a one-time password": lambda client, auth: mtoken.totp(b"x", 0, digits=10),
    "groups of nine digits": lambda client, auth: mtoken.group_code("123456789-123456789"),
    "an empty path": lambda client, auth: mtoken.Store.directory(""),
}


@pytest.mark.parametrize("call", list(CALLS))
def test_a_call_is_refused(server: DevServer, device: Device, call: str) -> None:
    counter = device.view()["counter"]
    before = server.mark()
    with pytest.raises((mtoken.ArgumentError, mtoken.ParseError)) as failure:
        CALLS[call](device.client, device.auth)
    assert failure.value.outcome is mtoken.Outcome.NOT_SENT
    assert server.requests(after=before) == []
    assert device.can_sign() and device.view()["counter"] == counter + 1


@pytest.mark.parametrize(
    "options",
    [
        *({"id": id} for id in ("", ".hidden", "a/b", "x" * 65, "ž")),
        *({"base_url": url} for url in ("x", "ftp://a.example", "https://u:p@a.example", "https://a.example/?b=c")),
        {"configuration": "ARDDj6EB6iA"},
        {"device_secret": b"fifteen bytes.."},
        {"external_key": b"x" * 15},
        {"external_key": bytes(16)},
        {"proxy": "gopher://a.example"},
        {"language": "en\r\nX-Evil: 1"},
        {"user_agent": "a\nb"},
        {"pins": [mtoken.TLSPin("A" * 43 + "*")]},
        {"protocol": mtoken.Protocol(34)},
        {"tls": mtoken.TLS(7)},
        {"ca_file": None, "tls": mtoken.TLS.CA},
    ],
    ids=str,
)
def test_a_client_is_refused(make_client: ClientFactory, options: Dict[str, Any]) -> None:
    given = dict(options)
    with pytest.raises((mtoken.ArgumentError, mtoken.ConfigurationError)):
        make_client(given.pop("id", "client"), **given)


@pytest.mark.parametrize(
    "arguments", [("123",), ("1234", bytes(range(15))), ("1234", bytes(range(17)))], ids=["PIN", "15", "17"]
)
def test_an_activation_is_not_persisted(
    server: DevServer, make_client: ClientFactory, user: str, arguments: Any
) -> None:
    client = make_client()
    client.activate(server.new_activation(user)["activationCode"])
    with pytest.raises(mtoken.ArgumentError):
        client.persist(arguments[0], biometry_key=arguments[1] if len(arguments) > 1 else None)
    assert client.state is mtoken.ClientState.PENDING
    client.persist("1234", biometry_key=bytes(range(16)))
    assert client.state is mtoken.ClientState.ACTIVE
