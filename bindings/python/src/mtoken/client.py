# SPDX-License-Identifier: Apache-2.0
"""A client: one activation, or the place for one, of one application with one server."""

from __future__ import annotations

import os
from ctypes import POINTER, byref, cast, pointer
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Any, Mapping, Optional, Sequence, Type, Union

from . import _read
from . import abi as _c
from ._arguments import checked
from ._call import Bytes, create, set_bytes, set_data, set_text, take_bytes, take_text, text, to_milliseconds
from ._connection import Connection, JSONObject, explaining, json_text, nothing
from ._handle import Handle
from ._library import lib
from ._wait import limited, milliseconds
from .auth import Auth, Secret, as_bytearray, lent
from .enums import (
    TLS,
    ClientState,
    Contradiction,
    DeviceSignature,
    Key,
    Order,
    PINWeakness,
    Protocol,
    Scope,
    Suite,
    Transport,
)
from .factors import Factors
from .inbox import Inbox
from .mobile_auth import MobileAuth
from .models import Activation, ActivationDetail, ActivationStatus, ClientInfo, Config, Header, Recovery, UserInfo
from .oidc import OIDC, Attributes
from .operations import Operations
from .push import Push
from .qr import QROperation, parse_qr, reparsed
from .requests import Requests
from .runtime import Runtime
from .sealer import Sealer
from .store import Store
from .task import Task
from .tokens import Tokens
from .vault import Vault


@checked
@dataclass(frozen=True)
class TLSPin:
    """A pinned public key of the server."""

    sha256: str
    """Base64 of the SHA-256 of the certificate's SubjectPublicKeyInfo, 44 characters."""
    expires: Optional[datetime] = None
    """After this time the pin is ignored; None: never."""


@checked
@dataclass(frozen=True)
class OIDCCode:
    """The response of an OpenID Connect provider, for an activation."""

    provider: str
    """The bank's id of the provider."""
    code: str = field(repr=False)
    """The authorization code."""
    nonce: str = field(repr=False)
    """The nonce of the authorization request."""
    code_verifier: Optional[str] = field(default=None, repr=False)
    """PKCE code verifier; None without PKCE."""


@checked
class Client:
    """Creates a client and loads its state from the store. No network.

    id              the name of this client within its store: 1 to 64 characters from A-Z a-z 0-9 . _ -
    configuration   the "SDK configuration" text of the application
    base_url        root URL of the PowerAuth and operations API, e.g. "https://bank.example/enrollment-server"
    store           where the state lives
    operations_url  root URL of the operations API, if it differs
    device_secret   at least 16 bytes bound to this device, from the program; default: random ones kept in the store
    sealer          keeps the random ones, e.g. in a TPM; not together with device_secret
    external_key    the external encryption key, 16 bytes, not all zero; can also be set later
    protocol        of a new activation; default: as the configuration and the server say
    suite           of a new activation of protocol 4.0; default: the best that the configuration has keys for
    least_suite     the weakest that a new activation may have; default: a hybrid suite if the configuration has its
                    keys, otherwise P-384, or protocol 3.3 if the server does not have 4.0; Suite.EC_P256 accepts all
    tls, ca_file    how the server's certificate is verified: by a ca_file, or else by the system's trust store
    pins            if any, one must match in addition to the ordinary verification
    allow_http      accept plain http, for tests on loopback only
    timeout         seconds for each request; default 20
    proxy           URL of an HTTP or SOCKS proxy; with credentials: "http://user:password@host:port", percent-encoded
    client_certificate  shown to a server that asks for one: a PEM or PKCS #12 file, or a PKCS #11 URI
    client_key      its private key, if it lies elsewhere: a PEM file or a PKCS #11 URI
    client_key_password  of the key or PKCS #12 file, or the token's PIN
    transport       Transport.HOST: the program sends the requests (`Event.request`); tls, ca_file, pins, proxy and
                    client_certificate are then its own
    language        Accept-Language, default "en"; `set_language` changes it
    user_agent      default "libmtoken/<version> <application> (Linux/…; …)"
    application     "<id>/<version>" for the default of user_agent
    label           prefix of each log line of this client
    headers         added to every request, except headers for authentication
    strict          never approve an operation that displays something other than what it signs
                    (`operation.contradictions`)
    correlation     each request has a new X-Correlation-ID, which identifies it in the bank's logs; errors report it
    tolerated       contradictions that strict ignores, e.g. Contradiction.UNSIGNED_AMOUNT for a bank that displays fees
                    without signing them
    min_pin_length  `persist` and changes of the PIN refuse a new PIN with fewer bytes: ArgumentError, reason "weakPin"
    refused_pins    they refuse a new PIN with such a weakness, e.g. PINWeakness.COMMON; see `mtoken.inspect_pin`

    Each call to the server exists in two forms: `status()` waits and returns the result, `start_status()` returns a
    Task at once. The waiting form takes `timeout` in seconds; when it expires, the call is cancelled and raises a
    TimeoutError, whose `outcome` says whether the request may have reached the server.
    """

    _base: Optional[Client] = None

    def __init__(
        self,
        runtime: Runtime,
        id: str,
        *,
        configuration: str,
        base_url: str,
        store: Store,
        operations_url: Optional[str] = None,
        device_secret: Optional[Secret] = None,
        sealer: Optional[Sealer] = None,
        external_key: Optional[Secret] = None,
        protocol: Optional[Protocol] = None,
        suite: Optional[Suite] = None,
        least_suite: Optional[Suite] = None,
        tls: Optional[TLS] = None,
        ca_file: Optional[Union[str, os.PathLike[str]]] = None,
        pins: Sequence[TLSPin] = (),
        allow_http: bool = False,
        timeout: Optional[float] = None,
        proxy: Optional[str] = None,
        client_certificate: Optional[Union[str, os.PathLike[str]]] = None,
        client_key: Optional[Union[str, os.PathLike[str]]] = None,
        client_key_password: Optional[Secret] = None,
        transport: Transport = Transport.LIBRARY,
        language: Optional[str] = None,
        user_agent: Optional[str] = None,
        application: Optional[str] = None,
        label: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
        strict: bool = False,
        correlation: bool = False,
        tolerated: Contradiction = Contradiction.NONE,
        min_pin_length: int = 4,
        refused_pins: PINWeakness = PINWeakness.NONE,
    ):
        options = _c.new_options(_c.mtoken_client_options)
        set_text(options.id, id)
        set_text(options.configuration, configuration)
        set_text(options.base_url, base_url)
        set_text(options.operations_url, operations_url)
        options.store = store.pointer
        options.sealer = None if sealer is None else sealer.pointer
        options.protocol_version = int(protocol or 0)
        options.suite = int(suite or 0)
        options.least_suite = int(least_suite or 0)
        options.tls_trust = int(tls or 0)
        set_text(options.ca_file, None if ca_file is None else os.fspath(ca_file))
        set_pins(options, pins)
        options.allow_http = int(allow_http)
        options.timeout_ms = limited(timeout)
        set_text(options.proxy, proxy)
        set_text(options.client_certificate, None if client_certificate is None else os.fspath(client_certificate))
        set_text(options.client_key, None if client_key is None else os.fspath(client_key))
        options.transport = int(transport)
        set_text(options.language, language)
        set_text(options.user_agent, user_agent)
        set_text(options.application, application)
        set_text(options.label, label)
        set_headers(options, headers)
        options.strict = int(strict)
        options.adds_correlation_id = int(correlation)
        options.tolerated = int(tolerated)
        options.min_pin_length = min_pin_length
        options.refused_pins = int(refused_pins)
        secret = None if device_secret is None else as_bytearray(device_secret)
        external = None if external_key is None else as_bytearray(external_key)
        password = None if client_key_password is None else as_bytearray(client_key_password)
        try:
            set_bytes(options.client_key_password, password)
            set_bytes(options.device_secret, secret)
            set_bytes(options.external_key, external)
            with runtime.registry.adding() as add, explaining(store), explaining(sealer):
                pointer = create(lib.mtoken_client_new, _c.mtoken_client, runtime.pointer, byref(options))
                handle = Handle(pointer, lib.mtoken_client_free)
                add(handle.address, self)
        finally:
            for given in (secret, external, password):
                if given is not None:
                    given[:] = bytes(len(given))
        self._id = id
        self._sealer = sealer  # whose object must live as long as the client
        self._connect(Connection(runtime, store, handle))

    def _connect(self, connection: Connection) -> None:
        self._connection = connection
        self._operations = Operations(connection)
        self._tokens = Tokens(connection)
        self._oidc = OIDC(connection)
        self._factors = Factors(connection)
        self._vault = Vault(connection)
        self._requests = Requests(connection)
        self._push = Push(connection)
        self._inbox = Inbox(connection)
        self._mobile_auth = MobileAuth(connection)

    def with_options(
        self,
        *,
        timeout: Optional[float] = None,
        language: Optional[str] = None,
        user_agent: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
        correlation_id: Optional[str] = None,
    ) -> Client:
        """Options for individual calls: `client.with_options(language="cs").operations.list()`.

        A second handle of the same client, used in its place; closing it does not affect the client.

        correlation_id  X-Correlation-ID of all requests of the call: 8 to 1024 of A-Z a-z 0-9 -
        """
        options = _c.new_options(_c.mtoken_call_options)
        options.timeout_ms = limited(timeout)
        set_text(options.language, language)
        set_text(options.user_agent, user_agent)
        set_headers(options, headers)
        set_text(options.correlation_id, correlation_id)
        pointer = self._connection.create(lib.mtoken_client_with_options, _c.mtoken_client, byref(options))
        view = object.__new__(type(self))
        view._id = self._id
        view._base = self  # which must not be collected while the view is used
        view._connect(Connection(self.runtime, self._connection.store, Handle(pointer, lib.mtoken_client_free)))
        return view

    def reseal(self, sealer: Optional[Sealer]) -> None:
        """Seals the device secret another way, or, with None, keeps it in the store in the clear. No network.

        From then on create the client with that sealer. If the process is killed, the client opens with either the old
        or the new one.
        """
        with explaining(sealer):
            self._connection.call(lib.mtoken_client_reseal, None if sealer is None else sealer.pointer)
        self._sealer = sealer

    def set_language(self, language: str) -> None:
        """Sets Accept-Language for later calls."""
        self._connection.call(lib.mtoken_client_set_language, *text(language))

    # What is known here

    @property
    def id(self) -> str:
        """The name of this client within its store."""
        return self._id

    @property
    def pointer(self) -> Any:
        """The C handle."""
        return self._connection.handle.pointer

    @property
    def runtime(self) -> Runtime:
        """The runtime that runs this client."""
        return self._connection.runtime

    @property
    def operations(self) -> Operations:
        """The operations that the user is asked to approve."""
        return self._operations

    @property
    def oidc(self) -> OIDC:
        """Login with the bank's OpenID Connect providers."""
        return self._oidc

    @property
    def tokens(self) -> Tokens:
        """Cheap authentication of frequent requests."""
        return self._tokens

    @property
    def factors(self) -> Factors:
        """PIN and biometry of the activation."""
        return self._factors

    @property
    def vault(self) -> Vault:
        """The server's secure vault."""
        return self._vault

    @property
    def requests(self) -> Requests:
        """Encryption of requests that the host sends itself."""
        return self._requests

    @property
    def push(self) -> Push:
        """Registration for push messages."""
        return self._push

    @property
    def inbox(self) -> Inbox:
        """Messages from the bank to the user."""
        return self._inbox

    @property
    def mobile_auth(self) -> MobileAuth:
        """Requests that a portal sends to this device."""
        return self._mobile_auth

    @property
    def state(self) -> ClientState:
        """State of the client on this device. No network."""
        return self.info().state

    def info(self) -> ClientInfo:
        """A snapshot of the client. No network."""
        info = self._connection.create(lib.mtoken_client_get_info, _c.mtoken_client_info)
        try:
            return _read.client_info(info.contents)
        finally:
            lib.mtoken_client_info_free(info)

    def public_key(self) -> bytes:
        """The device's public key: SubjectPublicKeyInfo in DER, on P-256 or, with protocol 4.0, P-384. No network."""
        return take_bytes(self._connection.create(lib.mtoken_client_public_key, _c.mtoken_bytes))

    # Activation

    def start_activate(
        self,
        code: Optional[str] = None,
        *,
        recovery: Optional[Recovery] = None,
        identity: Optional[Mapping[str, str]] = None,
        oidc: Optional[Union[OIDCCode, Attributes]] = None,
        otp: Optional[str] = None,
        name: Optional[str] = None,
        extras: Optional[str] = None,
        custom_attributes: Optional[JSONObject] = None,
        platform: Optional[str] = None,
        device_info: Optional[str] = None,
    ) -> Task[Activation]:
        """See `activate`."""
        options = _c.new_options(_c.mtoken_activation_options)
        set_text(options.code, code)
        if recovery is not None:
            set_text(options.recovery_code, recovery.code)
            set_text(options.recovery_puk, recovery.puk)
        if identity is not None:
            set_identity(options, identity)
        if oidc is not None:
            set_text(options.oidc_provider, oidc.provider)
            set_text(options.oidc_code, oidc.code)
            set_text(options.oidc_nonce, oidc.nonce)
            set_text(options.oidc_code_verifier, oidc.code_verifier)
        set_text(options.otp, otp)
        set_text(options.name, name)
        set_text(options.extras, extras)
        set_text(options.custom_attributes, json_text(custom_attributes))
        set_text(options.platform, platform)
        set_text(options.device_info, device_info)

        def read(task: Handle) -> Activation:
            made, user = lib.mtoken_task_activation(task.pointer), lib.mtoken_task_user_info(task.pointer)
            return _read.activation(made.contents, user)

        return self._connection.start(lib.mtoken_client_activate, read, byref(options))

    def activate(
        self,
        code: Optional[str] = None,
        *,
        recovery: Optional[Recovery] = None,
        identity: Optional[Mapping[str, str]] = None,
        oidc: Optional[Union[OIDCCode, Attributes]] = None,
        otp: Optional[str] = None,
        name: Optional[str] = None,
        extras: Optional[str] = None,
        custom_attributes: Optional[JSONObject] = None,
        platform: Optional[str] = None,
        device_info: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Activation:
        """Starts an activation in exactly one of four ways. Store it with `persist` afterwards.

        code               "CODE" or "CODE#SIGNATURE" (from a QR code); white space, dashes, case, 0 and 1 as people
                           type them are corrected
        recovery           recovery code and PUK; replaces the activation that they belong to
        identity           attributes that the bank defines, e.g. user name and password
        oidc               the response of an OpenID Connect provider: from `mtoken.oidc`, or made by hand
        otp                additional one-time password for a code, if the bank uses one
        name               name of the device, which the bank shows to the user; at most 255 characters
        extras             any text for the server, at most 4,000 characters
        custom_attributes  JSON object for the server
        platform           default "linux"
        device_info        the kind of device, which the bank shows; default: operating system and processor, e.g.
                           "Debian GNU/Linux 12 (bookworm), x86_64"; empty: nothing is sent
        """
        task = self.start_activate(
            code,
            recovery=recovery,
            identity=identity,
            oidc=oidc,
            otp=otp,
            name=name,
            extras=extras,
            custom_attributes=custom_attributes,
            platform=platform,
            device_info=device_info,
        )
        return task.result_or_cancel(timeout)

    def persist(
        self, pin: Secret, *, biometry_key: Optional[Bytes] = None, authenticator: Optional[str] = None
    ) -> None:
        """Completes a pending activation: encrypts the keys under PIN (at least 4 bytes) and biometry, and stores them.

        With protocol 4.0 the activation is confirmed in the background afterwards: see `wait_active`.

        biometry_key   16 bytes (protocol 4.0: or 32) that the host keeps under its biometric protection
        authenticator  the name of the authenticator that keeps them; None: the unnamed one
        """
        with Auth(pin=pin, biometry_key=biometry_key, authenticator=authenticator) as auth:
            self._connection.call(lib.mtoken_client_persist, byref(auth.native()))

    def import_upstream(self, state: Bytes, *, possession_key: Bytes) -> None:
        """Takes over an activation from the PowerAuth mobile SDK, and stores it. The client must be empty. No network.

        Fetch the `status` next: with a wrong possession key it raises ProtocolError, and no attempt is lost. From then
        on only this client may use the activation: delete the SDK's state. PIN, biometry key and external key stay.

        state           the bytes as the SDK's serialization gives them, formats 4, 5 and 6
        possession_key  16 bytes, the SDK's device-related key
        """
        with lent(state) as given, lent(possession_key) as key:
            self._connection.call(lib.mtoken_client_import_upstream, *given, *key)

    def cancel_activation(self) -> None:
        """Discards a pending activation or cancels one that is being created."""
        self._connection.call(lib.mtoken_client_cancel_activation)

    def start_status(self) -> Task[ActivationStatus]:
        """See `status`."""

        def read(task: Handle) -> ActivationStatus:
            return _read.activation_status(lib.mtoken_task_activation_status(task.pointer).contents)

        return self._connection.start(lib.mtoken_client_fetch_status, read)

    def status(self, *, timeout: Optional[float] = None) -> ActivationStatus:
        """Fetches the state of the activation and resynchronises the counter with the server."""
        return self.start_status().result_or_cancel(timeout)

    def start_wait_active(
        self, *, limit: Optional[float] = None, pin: Optional[Secret] = None
    ) -> Task[ActivationStatus]:
        """See `wait_active`.

        limit  seconds after which the task fails with TimeoutExpiredError; None: without limit
        """

        def read(task: Handle) -> ActivationStatus:
            return _read.activation_status(lib.mtoken_task_activation_status(task.pointer).contents)

        options = _c.new_options(_c.mtoken_wait_options)
        options.timeout_ms = 0 if limit is None else max(1, milliseconds(limit))
        if pin is None:
            return self._connection.start(lib.mtoken_client_wait_active, read, byref(options))
        with Auth(pin=pin) as auth:
            options.auth = pointer(auth.native())
            return self._connection.start(lib.mtoken_client_wait_active, read, byref(options))

    def wait_active(self, *, timeout: Optional[float] = None, pin: Optional[Secret] = None) -> ActivationStatus:
        """Waits until the bank has confirmed the activation: fetches the status at growing intervals.

        Many banks activate in two steps; until the second one, signed calls raise PendingCommitError.

        timeout  seconds; None: without limit
        pin      protocol 4.0: confirms an activation that another process has persisted (`info().awaits_confirmation`)
        """
        return self.start_wait_active(limit=timeout, pin=pin).result_or_cancel(None)

    def start_detail(self, auth: Auth) -> Task[ActivationDetail]:
        """See `detail`."""

        def read(task: Handle) -> ActivationDetail:
            return _read.activation_detail(lib.mtoken_task_activation_detail(task.pointer).contents)

        return self._connection.start(lib.mtoken_client_fetch_detail, read, byref(auth.native()))

    def detail(self, auth: Auth, *, timeout: Optional[float] = None) -> ActivationDetail:
        """Fetches the name under which the bank shows this device.

        auth  PIN or biometry: needed to create the token if it is not stored yet
        """
        return self.start_detail(auth).result_or_cancel(timeout)

    def start_rename(self, name: str, auth: Auth, *, order: Order = Order.SIGN_THEN_ENCRYPT) -> Task[ActivationDetail]:
        """See `rename`."""

        def read(task: Handle) -> ActivationDetail:
            return _read.activation_detail(lib.mtoken_task_activation_detail(task.pointer).contents)

        arguments = (*text(name), int(order), byref(auth.native()))
        return self._connection.start(lib.mtoken_client_rename, read, *arguments)

    def rename(
        self,
        name: str,
        auth: Auth,
        *,
        order: Order = Order.SIGN_THEN_ENCRYPT,
        timeout: Optional[float] = None,
    ) -> ActivationDetail:
        """Changes the name under which the bank shows this device.

        order  what the signature covers; the other one is not tried by itself, since it would cost an attempt
        """
        return self.start_rename(name, auth, order=order).result_or_cancel(timeout)

    def start_upgrade(self, auth: Auth) -> Task[ActivationStatus]:
        """See `upgrade`."""

        def read(task: Handle) -> ActivationStatus:
            return _read.activation_status(lib.mtoken_task_activation_status(task.pointer).contents)

        return self._connection.start(lib.mtoken_client_upgrade, read, byref(auth.native()))

    def upgrade(self, auth: Auth, *, timeout: Optional[float] = None) -> ActivationStatus:
        """Upgrades an activation of protocol 3 to 4.0, where `ActivationStatus.upgrade_available`. It cannot be undone.

        auth  the PIN; with a biometry key the biometry factor stays, without it is removed
        """
        return self.start_upgrade(auth).result_or_cancel(timeout)

    def start_config(self, scope: Scope = Scope.ACTIVATION) -> Task[Config]:
        """See `config`."""

        def read(task: Handle) -> Config:
            return _read.config(lib.mtoken_task_config(task.pointer).contents)

        return self._connection.start(lib.mtoken_client_fetch_config, read, int(scope))

    def config(self, scope: Scope = Scope.ACTIVATION, *, timeout: Optional[float] = None) -> Config:
        """Fetches the configuration that the bank keeps for its application. Protocol 4.0 only.

        scope  Scope.APPLICATION needs no activation; Scope.ACTIVATION returns the entries of both
        """
        return self.start_config(scope).result_or_cancel(timeout)

    def start_remove(self, auth: Auth) -> Task[None]:
        """See `remove`."""
        return self._connection.start(lib.mtoken_client_remove, nothing, byref(auth.native()))

    def remove(self, auth: Auth, *, timeout: Optional[float] = None) -> None:
        """Removes the activation at the server (two factors) and then, only if the server confirms, on this device."""
        self.start_remove(auth).result_or_cancel(timeout)

    def remove_local(self) -> None:
        """Removes the activation on this device only, without informing the server."""
        self._connection.call(lib.mtoken_client_remove_local)

    def start_user_info(self) -> Task[UserInfo]:
        """See `user_info`."""

        def read(task: Handle) -> UserInfo:
            return _read.user_info(lib.mtoken_task_user_info(task.pointer).contents)

        return self._connection.start(lib.mtoken_client_fetch_user_info, read)

    def user_info(self, *, timeout: Optional[float] = None) -> UserInfo:
        """Fetches the bank's claims about the user."""
        return self.start_user_info().result_or_cancel(timeout)

    # Signatures

    def sign(self, method: str, uri_id: str, body: Bytes, auth: Auth) -> Header:
        """Signs a request that the program is about to send; returns its X-PowerAuth-Authorization header.

        Send signed requests of one client in the order of signing, each at most once. A wrong PIN results in a wrong
        signature, which only the server can detect.

        uri_id  the constant that the server expects for the endpoint, not its URL
        body    the exact bytes of the request body; for GET `canonical_query(…)`
        """
        options = _c.new_options(_c.mtoken_sign_options)
        set_text(options.method, method)
        set_text(options.uri_id, uri_id)
        set_data(options.body, body)
        arguments = (byref(options), byref(auth.native()))
        header = self._connection.create(lib.mtoken_client_sign, _c.mtoken_header, *arguments)
        try:
            return _read.header(header.contents)
        finally:
            lib.mtoken_header_free(header)

    def signature_accepted(self) -> None:
        """Reports that the server has accepted the last signature from `sign` or `requests.encrypt`, or the last
        code from `sign_offline`, so that its counter has followed."""
        self._connection.call(lib.mtoken_client_signature_accepted)

    def sign_offline(self, uri_id: str, body: Bytes, nonce: Bytes, auth: Auth, *, component_length: int = 0) -> str:
        """An offline signature: decimal components, one per factor, joined by "-".

        nonce             16 bytes from the server
        component_length  digits per factor, 4 to 8; 0: 8
        """
        options = _c.new_options(_c.mtoken_sign_offline_options)
        set_text(options.uri_id, uri_id)
        set_data(options.body, body)
        set_data(options.nonce, nonce)
        options.component_length = component_length
        arguments = (byref(options), byref(auth.native()))
        return take_text(self._connection.create(lib.mtoken_client_sign_offline, _c.mtoken_text, *arguments))

    def verify(
        self,
        content: Bytes,
        signature: Bytes,
        *,
        key: Key = Key.MASTER,
        form: DeviceSignature = DeviceSignature.DER,
    ) -> bool:
        """Whether the server signed these bytes (ECDSA, P-256 with SHA-256 or P-384 with SHA-384).

        key  PERSONALIZED_MAC: protocol 4.0, a code of the key that server and activation share
        """
        options = _c.new_options(_c.mtoken_verify_options)
        options.server_key = int(key)
        options.form = int(form)
        set_data(options.signed_bytes, content)
        set_data(options.signature, signature)
        valid = _c.mtoken_bool()
        self._connection.call(lib.mtoken_client_verify, byref(options), byref(valid))
        return valid.value == 1

    # Offline operations

    def parse_qr(self, payload: str, *, keep_unverified: bool = False) -> QROperation:
        """Parses the payload of an offline QR code and verifies it with the keys of this client.

        keep_unverified  return the operation even if its signature is not valid: check `verified`
        """
        return parse_qr(payload, client=self.pointer, keep_unverified=keep_unverified)

    def authorize_qr(
        self,
        operation: QROperation,
        auth: Auth,
        *,
        uri_id: Optional[str] = None,
        component_length: int = 0,
        allow_unverified: bool = False,
    ) -> str:
        """Approves an offline operation: the code that the user types back, e.g. "12345678-12345678". No network.

        The operation must be `Verified.VALID`, and is verified again with the key of this client. A wrong PIN results
        in a wrong code, which only the server can detect: tell the user.

        uri_id            default "/operation/authorize/offline"; must match the server's configuration
        component_length  digits per factor, 4 to 8; 0: 8; must match the server's configuration
        allow_unverified  also approve operations that are not verified
        """
        options = _c.new_options(_c.mtoken_qr_authorize_options)
        set_text(options.uri_id, uri_id)
        options.component_length = component_length
        options.allow_unverified = int(allow_unverified)
        with reparsed(operation, self.pointer) as native:
            arguments = (native, byref(auth.native()), byref(options))
            return take_text(self._connection.create(lib.mtoken_qr_authorize, _c.mtoken_text, *arguments))

    # Time

    def start_synchronize_time(self) -> Task[None]:
        """See `synchronize_time`."""
        return self._connection.start(lib.mtoken_client_synchronize_time, nothing)

    def synchronize_time(self, *, timeout: Optional[float] = None) -> None:
        """Fetches the server's time, which `info` returns. Other calls do this automatically when they need it."""
        self.start_synchronize_time().result_or_cancel(timeout)

    def reset_time(self) -> None:
        """Discards the server's time, e.g. after the device slept. The next call that needs it fetches it again."""
        self._connection.call(lib.mtoken_client_reset_time)

    # Life

    def close(self) -> None:
        """Frees the client: tasks are cancelled, secrets wiped, the lock released. The stored state remains."""
        self._connection.handle.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mtoken.Client {self._id!r}>"


def set_pins(options: Any, pins: Sequence[TLSPin]) -> None:
    """Puts the pins into the options, which keep them alive."""
    array = (_c.mtoken_tls_pin * len(pins))()
    for native, pin in zip(array, pins):
        set_text(native.sha256, pin.sha256)
        native.expires = 2**63 - 1 if pin.expires is None else to_milliseconds(pin.expires)
    if pins:
        options.pins = cast(array, POINTER(_c.mtoken_tls_pin))
    options.pin_count = len(pins)


def set_identity(options: Any, identity: Mapping[str, str]) -> None:
    """Puts the attributes into the options, which keep them alive."""
    array = (_c.mtoken_identity_attribute * len(identity))()
    for native, (name, value) in zip(array, identity.items()):
        set_text(native.name, name)
        set_text(native.value, value)
    options.identity = cast(array, POINTER(_c.mtoken_identity_attribute))
    options.identity_count = len(identity)


def set_headers(options: Any, headers: Optional[Mapping[str, str]]) -> None:
    """Puts header fields into the options, which keep them alive."""
    given = dict(headers or {})
    array = (_c.mtoken_header_text * len(given))()
    for native, (name, value) in zip(array, given.items()):
        set_text(native.name, name)
        set_text(native.value, value)
    if given:
        options.headers = cast(array, POINTER(_c.mtoken_header_text))
    options.header_count = len(given)
