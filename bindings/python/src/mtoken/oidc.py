# SPDX-License-Identifier: Apache-2.0
"""Activation by login with an OpenID Connect provider in a browser.

    config = client.oidc.config("bank")
    with mtoken.oidc.listen(runtime, config) as login:
        webbrowser.open(login.request.authorize_url)
        client.activate(oidc=login.attributes())

A program with a URL of its own uses `prepare` and `Request.process` instead of `listen`.
"""

from __future__ import annotations

from ctypes import POINTER, byref, cast, pointer
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Mapping, Optional, Type

from . import abi as _c
from ._arguments import checked, not_made_so
from ._call import call, create, optional, required, set_text, take_text, text
from ._connection import Connection
from ._handle import Handle
from ._library import lib
from ._model import Model
from ._wait import milliseconds
from .runtime import Runtime
from .task import Task


@checked
@dataclass(frozen=True)
class Config(Model):
    """How to log in with a provider: from the bank's server, or made by hand."""

    provider_id: str
    """Id of the provider at the bank's server."""
    client_id: str
    """The OAuth client."""
    scopes: str
    """Separated by spaces; should include "openid"."""
    authorize_uri: str
    """The provider's authorization endpoint: https."""
    redirect_uri: str
    """Where the provider sends its response."""
    pkce_enabled: bool = True
    issuer: Optional[str] = None
    """A response that names another issuer is refused; None: not checked."""
    issuer_required: bool = False
    """A response without issuer is refused too (RFC 9207)."""


@checked
@dataclass(frozen=True)
class PKCE:
    """A proof key (RFC 7636)."""

    verifier: str = field(repr=False)
    challenge: str
    method: str = "S256"


@checked
class Attributes:
    """The part of a provider's response that the activation needs. Its repr contains no secret."""

    def __init__(self, pointer: Any, owner: object):
        if not isinstance(pointer, POINTER(_c.mtoken_oidc_attributes)):
            raise not_made_so(Attributes, "use Login.attributes or Request.process")
        self.pointer = pointer
        self._owner = owner
        self.provider_id = required(pointer.contents.provider_id)

    @property
    def provider(self) -> str:
        """The same as `provider_id`: attributes can stand for an OIDCCode."""
        return self.provider_id

    @property
    def code(self) -> str:
        """The authorization code, valid for one activation."""
        return required(self.pointer.contents.code)

    @property
    def nonce(self) -> str:
        return required(self.pointer.contents.nonce)

    @property
    def code_verifier(self) -> Optional[str]:
        """None: without PKCE."""
        return optional(self.pointer.contents.code_verifier)

    def __repr__(self) -> str:
        return f"<mtoken.oidc.Attributes of {self.provider_id!r}>"


@checked
class Request:
    """A login in progress. Its secrets are wiped when it is closed or dropped."""

    def __init__(self, handle: Handle):
        self._handle = handle

    @property
    def pointer(self) -> Any:
        """The mtoken_oidc_request *."""
        return self._handle.pointer

    def _parts(self) -> Any:
        parts = lib.mtoken_oidc_request_get_authorization(self._handle.pointer)
        if not parts:
            raise ValueError("the request was closed")
        return parts.contents

    @property
    def authorize_url(self) -> str:
        """Open this in the system's browser."""
        return required(self._parts().authorize_url)

    @property
    def provider_id(self) -> str:
        return required(self._parts().provider_id)

    @property
    def redirect_uri(self) -> str:
        return required(self._parts().redirect_uri)

    @property
    def nonce(self) -> str:
        return required(self._parts().nonce)

    @property
    def state(self) -> str:
        return required(self._parts().state)

    @property
    def code_verifier(self) -> Optional[str]:
        """None: without PKCE."""
        return optional(self._parts().code_verifier)

    @property
    def lacks_openid(self) -> bool:
        """Warning: the scopes lack "openid", so the provider may not return an ID token."""
        return bool(self._parts().lacks_openid == 1)

    def process(self, callback: str) -> Attributes:
        """Checks the URL to which the provider redirected the browser, and extracts the authorization code.

        The error's `reason` says what is wrong: "invalidCallback", "redirectMismatch", "duplicateParameter",
        "stateMismatch", "issuerMismatch", "authorizationError" (a ServerError with the provider's code, description and
        page), "missingCode", "alreadyProcessed", "requestExpired". A forged response leaves the request unchanged.
        """
        pointer = create(lib.mtoken_oidc_process, _c.mtoken_oidc_attributes, self._handle.pointer, *text(callback))
        return Attributes(pointer, self)

    def close(self) -> None:
        """Wipes the request, including the attributes from `process`."""
        self._handle.close()

    def __enter__(self) -> Request:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<mtoken.oidc.Request>"


@checked
def prepare(
    config: Config,
    *,
    redirect_uri: Optional[str] = None,
    parameters: Optional[Mapping[str, str]] = None,
    lifetime: Optional[float] = None,
    pkce_bytes: int = 0,
    allow_http: bool = False,
    callback_uri: Optional[str] = None,
) -> Request:
    """Creates nonce, state and, with PKCE, a code verifier, and the URL to open.

    redirect_uri  replaces that of the configuration
    parameters    added to the URL, e.g. {"prompt": "login", "ui_locales": "cs"}
    lifetime      seconds to wait for the response; default 10 minutes
    pkce_bytes    random bytes of the verifier, 32 to 96; 0: 32
    allow_http    allow a provider with plain http on a loopback address, for tests only
    callback_uri  where the response reaches the program if the page at the redirect URI hands it on, e.g. a scheme of
                  its own; default: the redirect URI
    """
    options = _options(config, redirect_uri, parameters, lifetime, pkce_bytes, allow_http)
    set_text(options.callback_uri, callback_uri)
    pointer = create(lib.mtoken_oidc_prepare, _c.mtoken_oidc_request, byref(options))
    return Request(Handle(pointer, lib.mtoken_oidc_request_free))


@checked
class Login:
    """A request that waits for its response on the loopback interface. Closing it ends the wait and wipes the
    secrets."""

    def __init__(self, request: Request, task: Task[Attributes]):
        self.request = request
        self.task = task

    def attributes(self, timeout: Optional[float] = None) -> Attributes:
        """Waits for the response. Raises the provider's error, or TimeoutError, after which the wait continues."""
        return self.task.result(timeout)

    def close(self) -> None:
        if not self.task.handle.is_forked:
            self.task.cancel()
        self.request.close()

    def __enter__(self) -> Login:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


@checked
def listen(
    runtime: Runtime,
    config: Config,
    *,
    redirect_uri: Optional[str] = None,
    parameters: Optional[Mapping[str, str]] = None,
    lifetime: Optional[float] = None,
    pkce_bytes: int = 0,
    allow_http: bool = False,
) -> Login:
    """Prepares a request and waits for the response, for desktop programs. Arguments as in `prepare`.

    The redirect URI must be http://127.0.0.1[:port]/path or http://[::1][:port]/path; without a port any free one is
    used and set in the request's redirect URI. Exactly one response is accepted, forged ones are refused; the browser
    shows a short page.
    """
    options = _options(config, redirect_uri, parameters, lifetime, pkce_bytes, allow_http)
    request, task = POINTER(_c.mtoken_oidc_request)(), POINTER(_c.mtoken_task)()

    def read(handle: Handle) -> Attributes:
        return Attributes(lib.mtoken_task_oidc_attributes(handle.pointer), handle)

    with runtime.registry.adding() as add:
        call(lib.mtoken_oidc_listen, runtime.pointer, byref(options), byref(request), byref(task))
        login = Login(
            Request(Handle(request, lib.mtoken_oidc_request_free)),
            Task(Handle(task, lib.mtoken_task_free), read, None, runtime.waits),
        )
        add(login.task.address, login.task)
    return login


@checked
class OIDC:
    """The providers of a client's bank. Works without an activation."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def store(self, request: Request) -> str:
        """The request as one opaque text, with which another process can finish the login: the program that the browser
        starts for the scheme of the redirect or callback URI. A former one that was stored ends."""
        pointer = self._connection.create(lib.mtoken_oidc_request_store, _c.mtoken_text, request.pointer)
        return take_text(pointer)

    def restore(self, text_: str) -> Request:
        """The request of a text from `store`, in a process that has opened the same client."""
        pointer = self._connection.create(lib.mtoken_oidc_request_restore, _c.mtoken_oidc_request, *text(text_))
        return Request(Handle(pointer, lib.mtoken_oidc_request_free))

    def start_config(self, provider_id: str) -> Task[Config]:
        """See `config`."""
        return self._connection.start(lib.mtoken_oidc_fetch_config, _read_config, *text(provider_id))

    def config(self, provider_id: str, *, timeout: Optional[float] = None) -> Config:
        """Fetches the login configuration of a provider, by its id at the bank's server."""
        return self.start_config(provider_id).result_or_cancel(timeout)

    def start_discover(
        self,
        issuer: str,
        *,
        provider_id: str,
        client_id: str,
        redirect_uri: str,
        scopes: str = "openid",
        allow_http: bool = False,
        pkce: bool = True,
    ) -> Task[Config]:
        """See `discover`."""
        config = Config(provider_id, client_id, scopes, "", redirect_uri, pkce, issuer)
        options = _options(config, None, None, None, 0, allow_http)
        return self._connection.start(lib.mtoken_oidc_discover, _read_config, byref(options))

    def discover(
        self,
        issuer: str,
        *,
        provider_id: str,
        client_id: str,
        redirect_uri: str,
        scopes: str = "openid",
        allow_http: bool = False,
        pkce: bool = True,
        timeout: Optional[float] = None,
    ) -> Config:
        """Creates a configuration from the provider's published metadata (OpenID Connect Discovery).

        issuer      https URL of the provider, without query and fragment
        allow_http  allow a provider with plain http on a loopback address, for tests only
        pkce        False: omit PKCE. Otherwise a provider that offers only methods other than S256 raises
                    UnsupportedError.
        """
        task = self.start_discover(
            issuer,
            provider_id=provider_id,
            client_id=client_id,
            redirect_uri=redirect_uri,
            scopes=scopes,
            allow_http=allow_http,
            pkce=pkce,
        )
        return task.result_or_cancel(timeout)


def _read_config(task: Handle) -> Config:
    c = lib.mtoken_task_oidc_config(task.pointer).contents
    return Config(
        provider_id=required(c.provider_id),
        client_id=required(c.client_id),
        scopes=required(c.scopes),
        authorize_uri=required(c.authorize_uri),
        redirect_uri=required(c.redirect_uri),
        pkce_enabled=c.requires_pkce == 1,
        issuer=optional(c.issuer),
        issuer_required=c.requires_issuer == 1,
    )


def _options(
    config: Config,
    redirect_uri: Optional[str],
    parameters: Optional[Mapping[str, str]],
    lifetime: Optional[float],
    pkce_bytes: int,
    allow_http: bool,
) -> Any:
    options = _c.new_options(_c.mtoken_oidc_options)
    set_text(options.provider_id, config.provider_id)
    set_text(options.client_id, config.client_id)
    set_text(options.scopes, config.scopes)
    set_text(options.authorize_uri, config.authorize_uri)
    set_text(options.redirect_uri, config.redirect_uri if redirect_uri is None else redirect_uri)
    set_text(options.issuer, config.issuer)
    options.requires_issuer = int(config.issuer_required)
    options.omits_pkce = int(not config.pkce_enabled)
    options.pkce_bytes = pkce_bytes
    options.allow_http = int(allow_http)
    options.lifetime_ms = 0 if lifetime is None else max(1, milliseconds(lifetime))
    added = (_c.mtoken_oidc_parameter * len(parameters or {}))()
    for native, (name, value) in zip(added, (parameters or {}).items()):
        set_text(native.name, name)
        set_text(native.value, value)
    if parameters:
        options.parameters = cast(added, POINTER(_c.mtoken_oidc_parameter))
    options.parameter_count = len(added)
    return options


@checked
def authorization_url(
    config: Config,
    *,
    nonce: str,
    state: str,
    challenge: Optional[str] = None,
    parameters: Optional[Mapping[str, str]] = None,
    allow_http: bool = False,
) -> str:
    """The URL of a request whose parts the program created itself; without a challenge it omits PKCE."""
    request = _options(config, None, parameters, None, 0, allow_http)
    options = _c.new_options(_c.mtoken_oidc_url_options)
    options.request = pointer(request)
    set_text(options.nonce, nonce)
    set_text(options.state, state)
    set_text(options.challenge, challenge)
    return take_text(create(lib.mtoken_oidc_authorization_url, _c.mtoken_text, byref(options)))


@checked
def pkce(byte_count: int = 32) -> PKCE:
    """A new proof key from 32 to 96 random bytes."""
    verifier, challenge = POINTER(_c.mtoken_text)(), POINTER(_c.mtoken_text)()
    call(lib.mtoken_oidc_pkce, _size(byte_count), byref(verifier), byref(challenge))
    return PKCE(take_text(verifier), take_text(challenge))


@checked
def challenge(verifier: str) -> str:
    """The S256 challenge of a verifier."""
    return take_text(create(lib.mtoken_oidc_challenge, _c.mtoken_text, *text(verifier)))


@checked
def random(byte_count: int) -> str:
    """Random bytes (1 to 1024) as base64url without padding."""
    return take_text(create(lib.mtoken_oidc_random, _c.mtoken_text, _size(byte_count)))


def _size(count: int) -> int:
    """A count as the library takes it: what no size can be becomes 0, which it refuses."""
    return count if 0 <= count < 2**63 else 0
