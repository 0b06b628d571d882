# SPDX-License-Identifier: Apache-2.0
"""Finds the sender of a request and decrypts its body: signatures, tokens, end-to-end encryption (rest.md §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union
from urllib.parse import unquote_plus

from . import crypto, ecies, errors, model, signature
from .call import Call, ErrorFactory, json_object
from .model import Activation, ApplicationVersion, Protocol4
from .protocol4.suites import Suite
from .signature import EncryptionHeader, HeaderError, SignatureHeader, TokenHeader

if TYPE_CHECKING:
    from .server import Server

SIGNATURE_HEADER = "x-powerauth-authorization"
TOKEN_HEADER = "x-powerauth-token"
ENCRYPTION_HEADER = "x-powerauth-encryption"


@dataclass(frozen=True)
class Caller:
    """An authenticated device."""

    activation: Activation
    application_key: str
    version: str
    signature_type: str


@dataclass(frozen=True)
class Opened:
    """A decrypted request; `seal` encrypts its answer in the way of its version."""

    call: Call
    encryptor: ecies.Encryptor
    plaintext: bytes
    activation: Optional[Activation]
    seal: Callable[[Opened, bytes], Dict[str, Any]]
    suite: Optional[Suite] = None

    def object(self, error: ErrorFactory) -> Dict[str, Any]:
        """The plaintext as a JSON object."""
        return json_object(self.plaintext, error)

    def note(self, version: str) -> None:
        """Tells the request log what was inside."""
        self.call.note(
            "encryption",
            accepted=True,
            version=version,
            layer=self.layer,
            encryptor=self.encryptor.name,
            sharedInfo1=self.encryptor.shared_info1.decode(),
            suite=self.suite.name if self.suite else None,
            activationId=self.activation.id if self.activation else None,
            text=self.plaintext.decode("utf-8", "replace"),
        )

    @property
    def layer(self) -> str:
        return "inner" if self.encryptor is ecies.ACTIVATION_LAYER_2 else "outer"

    def answer(self, value: Any) -> Dict[str, Any]:
        """The encrypted answer; with a fault in force, a wrong one."""
        text = self.call.text(self.layer, value)
        self.call.note("answer", layer=self.layer, encryptor=self.encryptor.name, text=text.decode("utf-8", "replace"))
        return self.seal(self, text)


@dataclass(frozen=True)
class _Sealer:
    """Encrypts the answer to one request of 3.x."""

    envelope: ecies.Envelope
    request_nonce: Optional[bytes]
    now: Callable[[], int]

    def __call__(self, opened: Opened, text: bytes) -> Dict[str, Any]:
        faults, layer = opened.call.faults, opened.layer
        envelope = self.envelope
        if faults.get("wrong_key", layer) is not None:
            envelope = ecies.Envelope(
                envelope.version, crypto.random_bytes(48), envelope.shared_info2, envelope.associated_data
            )
        nonce = self.request_nonce if faults.get("wrong_nonce", layer) is not None else crypto.random_bytes(16)
        sealed = envelope.seal(text, self.request_nonce, nonce, self.now())
        if layer == "inner":
            # The released server writes the members that older versions do not have as nulls, in this one place.
            sealed = {"encryptedData": None, "mac": None, "nonce": None, "timestamp": None, **sealed}
        if faults.get("wrong_mac", layer) is not None:
            mac = bytearray(crypto.unb64(sealed["mac"]))
            mac[0] ^= 1
            sealed["mac"] = crypto.b64(bytes(mac))
        return sealed


class Authenticator:
    """Checks of signatures, tokens and cryptograms against the server's records."""

    def __init__(self, server: Server):
        self._server = server

    # Signatures -----------------------------------------------------------------------------------------------------

    def signature_header(self, call: Call, *, version_3: bool = False) -> SignatureHeader:
        """The header in the version of the path; where both may be, in the version that it names.

        `version_3` is for the one endpoint of 4.0 that a signature of 3.x authenticates.
        """
        text = call.headers.get(SIGNATURE_HEADER)
        version_4 = not version_3 and self.is_version_4(call)
        if text is None:
            raise (errors.header_missing if version_4 else errors.signature_invalid)("signature header is missing")
        error = errors.header_invalid if version_4 else errors.signature_invalid
        try:
            settings = self._server.settings
            header = SignatureHeader.parse(text, settings.strict, either_form=not settings.is_at_least(2, 0))
        except HeaderError as problem:
            raise error(f"signature header: {problem}") from problem
        if (header.version == signature.VERSION_4) != version_4:
            raise error(f"signature header of version {header.version} at {call.path}")
        return header

    def is_version_4(self, call: Call) -> bool:
        """Whether a request must keep to 4.0: by its path, else by its own word."""
        if call.path.startswith("/pa/"):
            return call.path.startswith("/pa/v4/")
        return signature.names_version_4(call.headers.get(SIGNATURE_HEADER, ""))

    def signature(self, call: Call, uri_id: str, allowed: Sequence[str], body: Optional[bytes] = None) -> Caller:
        """Verifies the signature header over `body`, by default the exact bytes of the request (rest.md §6.1).

        Types outside of `allowed` are refused before verification: no counter step and no failed attempt.
        """
        if self.is_version_4(call):
            return self._server.authenticator4.code(call, uri_id, allowed, None if body is None else (body,))
        return self.signature_of_version_3(call, uri_id, allowed, body)

    def signature_of_version_3(
        self, call: Call, uri_id: str, allowed: Sequence[str], body: Optional[bytes] = None
    ) -> Caller:
        header = self.signature_header(call, version_3=True)
        if body is None:
            body = self.signed_bytes(call)
        try:
            if header.signature_type not in allowed:
                raise errors.signature_invalid(f"factors {header.signature_type} are not allowed here")
            call.need_back_end(errors.signature_invalid)
            activation = self._verify_signature(call, uri_id, header, body)
        except errors.ApiError as error:
            self.audit_signature(header, uri_id, call, error.reason)
            raise
        self.audit_signature(header, uri_id, call, None)
        return Caller(activation, header.application_key, header.version, header.signature_type)

    def signed_bytes(self, call: Call) -> bytes:
        """The body, or the query of a GET, which the released front end decodes once more before it sorts the
        parameters (powerauth.md §9.2).
        """
        if call.method != "GET":
            return call.body
        once = self._server.settings.queryDecodedOnce
        return signature.canonical_query(call.query if once else unquote_plus(call.query)).encode()

    def audit_signature(self, header: SignatureHeader, uri_id: str, call: Call, refused: Optional[str]) -> None:
        activation = self._server.activations.get(header.activation_id)
        details: Dict[str, Any] = {
            "activationId": header.activation_id,
            "signatureType": header.signature_type,
            "version": header.version,
            "uriId": uri_id,
            "counter": activation.hash_counter.counter if activation else None,
            "failedAttempts": activation.failed_attempts if activation else None,
        }
        accepted = refused is None
        now = self._server.clock.now()
        self._server.audit.add("signature", now, accepted=accepted, reason=refused, path=call.path, **details)
        call.note("signature", accepted=accepted, reason=refused, **details)

    def _verify_signature(self, call: Call, uri_id: str, header: SignatureHeader, body: bytes) -> Activation:
        activation = self._server.activations.get(header.activation_id)
        if activation is None:
            raise errors.signature_invalid("activation is unknown")
        if activation.is_v4:
            raise errors.signature_invalid("activation speaks 4.0 only")
        version = self._server.application_versions.get(header.application_key)
        if version is None or not version.supported or version.application_id != activation.application_id:
            if activation.state == model.ACTIVE:
                self.count_failure(activation, header.signature_type)
            raise errors.signature_invalid("application version is unknown, unsupported or of another application")
        data = signature.base_string(call.method, uri_id, header.nonce, body) + b"&" + version.secret.encode()
        given = header.signature.encode()

        def matches(ctr_data: bytes) -> bool:
            factors = signature.factor_keys(activation.keys, header.signature_type)
            return crypto.equal(signature.online_signature(header.version, factors, ctr_data, data).encode(), given)

        self.verify_with_counter(activation, header.signature_type, matches)
        return activation

    def verify_with_counter(
        self,
        activation: Activation,
        signature_type: str,
        matches: Callable[[bytes], bool],
        states: Sequence[str] = (model.ACTIVE,),
        counter: Union[Activation, Protocol4, None] = None,
    ) -> None:
        """Tries the counters of the look-ahead window; moves the counter or counts a failure (rest.md §6.1)."""
        if activation.state not in states:
            raise errors.signature_invalid(f"activation is {activation.state}")
        if activation.failed_attempts >= activation.max_failed_attempts:
            self._out_of_attempts(activation)
            raise errors.signature_invalid("activation has no attempts left")
        holder = counter or activation.hash_counter
        ctr_data = holder.ctr_data
        for step in range(self._server.settings.lookAhead):
            if matches(ctr_data):
                holder.counter += step + 1
                holder.ctr_data = holder.next_counter(ctr_data)
                if signature_type != signature.POSSESSION:
                    activation.failed_attempts = 0
                    if activation.v4 is not None:
                        activation.v4.temporary_blocks = 0
                activation.last_used = self._server.clock.now()
                self._server.activations.save(activation)
                return
            ctr_data = holder.next_counter(ctr_data)
        self.count_failure(activation, signature_type)
        raise errors.signature_invalid("signature matches no counter of the look-ahead window")

    def count_failure(self, activation: Activation, signature_type: str) -> None:
        """One failed attempt more, unless only possession was tried; the last one blocks."""
        if signature_type == signature.POSSESSION:
            return
        activation.failed_attempts += 1
        self._server.activations.save(activation)
        if activation.failed_attempts >= activation.max_failed_attempts:
            self._out_of_attempts(activation)

    def _out_of_attempts(self, activation: Activation) -> None:
        lifecycle = self._server.lifecycle
        end = lifecycle.remove if self._server.settings.removeWhenOutOfAttempts else lifecycle.block_for_attempts
        end(activation, "MAX_FAILED_ATTEMPTS")

    # Tokens ---------------------------------------------------------------------------------------------------------

    def token(self, call: Call, allowed: Sequence[str]) -> Caller:
        """Verifies the token header (rest.md §6.5)."""
        text = call.headers.get(TOKEN_HEADER)
        version_4 = call.path.startswith("/pa/v4/")
        if text is None:
            raise (errors.header_missing if version_4 else errors.signature_invalid)("token header is missing")
        token_id = None
        try:
            try:
                header = TokenHeader.parse(text, self._server.settings.strict)
            except HeaderError as error:
                malformed = errors.header_invalid if version_4 else errors.signature_invalid
                raise malformed(f"token header: {error}") from error
            token_id = header.token_id
            if header.version == signature.VERSION_4:
                call.need_back_end(errors.token_error)
                caller = self._server.authenticator4.token(header, allowed)
            else:
                call.need_back_end(errors.signature_invalid)
                caller = self._verify_token(header, allowed)
            details = {"version": header.version, "signatureType": caller.signature_type}
            call.note("token", accepted=True, activationId=caller.activation.id, **details)
            return caller
        except errors.ApiError as error:
            token = self._server.tokens.get(token_id)
            owner = token.activation_id if token else None
            call.note("token", accepted=False, reason=error.reason, activationId=owner)
            self._server.audit.add(
                "token",
                self._server.clock.now(),
                accepted=False,
                reason=error.reason,
                activationId=owner,
                tokenId=token_id,
                path=call.path,
            )
            raise

    def _verify_token(self, header: TokenHeader, allowed: Sequence[str]) -> Caller:
        settings, now = self._server.settings, self._server.clock.now()
        timestamp = int(header.timestamp)
        if timestamp < now - settings.tokenBackwardMs:
            raise errors.signature_invalid("token timestamp is too old")
        old = not ecies.uses_timestamp(header.version)
        if timestamp > now + (settings.tokenForwardOldMs if old else settings.tokenForwardMs):
            raise errors.signature_invalid("token timestamp is in the future")
        token = self._server.tokens.get(header.token_id)
        if token is None:
            raise errors.signature_invalid("token is unknown")
        activation = self._server.activations.get(token.activation_id)
        if activation is None or activation.state != model.ACTIVE or activation.is_v4:
            raise errors.signature_invalid("activation of the token is not active, or speaks 4.0 only")
        expected = signature.token_digest(header.version, token.secret, header.nonce, header.timestamp)
        if not crypto.equal(expected, header.digest):
            raise errors.signature_invalid("token digest is wrong")
        unique = header.nonce + token.id.encode()
        if not self._server.unique_values.add(unique, now, timestamp + settings.tokenBackwardMs):
            raise errors.signature_invalid("token nonce was used before")
        if token.signature_type not in allowed:
            raise errors.signature_invalid(f"token was created with {token.signature_type}")
        return Caller(activation, activation.application_key or "", header.version, token.signature_type)

    # End-to-end encryption ------------------------------------------------------------------------------------------

    def encryption_header(self, call: Call, error: ErrorFactory) -> EncryptionHeader:
        text = call.headers.get(ENCRYPTION_HEADER)
        if text is None:
            raise error("encryption header is missing")
        try:
            header = EncryptionHeader.parse(text, self._server.settings.strict)
        except HeaderError as problem:
            raise error(f"encryption header: {problem}") from problem
        if call.path.startswith("/pa/") and (header.version == signature.VERSION_4) != self.is_version_4(call):
            raise error(f"encryption header of version {header.version} at {call.path}")
        return header

    def open_by_header(
        self, call: Call, encryptor: ecies.Encryptor, error: ErrorFactory, missing: Optional[ErrorFactory] = None
    ) -> Opened:
        """Decrypts a body whose encryption header names version, application and activation."""
        header = self.encryption_header(call, error)
        if (header.activation_id is not None) != encryptor.activation_scope:
            raise error("encryption header is of the wrong scope")
        return self.open(call, encryptor, header, call.json(error), error, missing)

    def open_with_token(self, call: Call, caller: Caller, error: ErrorFactory) -> Opened:
        """Opens the body of a request that a token authenticates; both headers must name one activation."""
        opened = self.open_by_header(call, ecies.ACTIVATION_GENERIC, error)
        if opened.activation is not caller.activation:
            raise error("token and encryption belong to different activations")
        return opened

    def open_signed(self, call: Call, encryptor: ecies.Encryptor, caller: Caller, error: ErrorFactory) -> Opened:
        """Opens the body of a signed request; missing members are an authentication error (rest.md §6.3)."""
        header = EncryptionHeader(caller.version, caller.application_key, caller.activation.id)
        return self.open(call, encryptor, header, call.json(errors.generic), error, missing=errors.signature_invalid)

    def check_presence(self, version: str, body: Mapping[str, Any], error: ErrorFactory) -> None:
        """Refuses a body that is not a cryptogram of the version, as the front end sees it: it checks the members
        beside the encrypted data.
        """
        for name in ecies.parameters(version):
            if body.get(name) is None:
                raise error(f"{name} is missing in version {version}")

    def cryptogram_of(self, version: str, call: Call, error: ErrorFactory) -> Mapping[str, Any]:
        """The body, which may be none at all."""
        if call.body.strip() == b"null":
            raise error("body is not a cryptogram")
        body = call.json(errors.generic)
        self.check_presence(version, body, error)
        return body

    def check_members(self, version: str, value: Any, error: ErrorFactory) -> None:
        """Refuses a cryptogram that cannot be one, before anything is asked of the records."""
        try:
            ecies.Cryptogram.from_json(version, value)
        except ecies.EciesError as problem:
            raise error(str(problem)) from problem

    def sign_then_encrypt(
        self, call: Call, encryptor: ecies.Encryptor, uri_id: str, allowed: Sequence[str], error: ErrorFactory
    ) -> Tuple[Caller, Opened]:
        """Opens the body of a request whose signature covers the plaintext (powerauth.md §5.8), then verifies that."""
        opened = self.open(call, encryptor, self.scope_of_signature(call), call.json(error), error)
        return self.signature(call, uri_id, allowed, opened.plaintext), opened

    def scope_of_signature(self, call: Call) -> EncryptionHeader:
        """Version, application and activation for the encryption of a signed request (powerauth.md §5.7)."""
        header = self.signature_header(call)
        return EncryptionHeader(header.version, header.application_key, header.activation_id)

    def open(
        self,
        call: Call,
        encryptor: ecies.Encryptor,
        header: EncryptionHeader,
        value: Any,
        error: ErrorFactory,
        missing: Optional[ErrorFactory] = None,
    ) -> Opened:
        """Opens the JSON cryptogram `value`; refusals become `error`, missing members `missing`."""
        try:
            if header.version == signature.VERSION_4:
                opened = self._server.authenticator4.open(call, encryptor, header, value)
            else:
                opened = self._open(call, encryptor, header, value)
            opened.note(header.version)
            return opened
        except ecies.EciesError as problem:
            call.note("encryption", accepted=False, reason=str(problem), encryptor=encryptor.name)
            self._server.audit.add(
                "encryption",
                self._server.clock.now(),
                accepted=False,
                reason=str(problem),
                activationId=header.activation_id,
                encryptor=encryptor.name,
                version=header.version,
                path=call.path,
            )
            factory = missing if missing and isinstance(problem, ecies.EciesFieldError) else error
            raise factory(str(problem)) from problem

    def _open(self, call: Call, encryptor: ecies.Encryptor, header: EncryptionHeader, value: Any) -> Opened:
        version, application_key = header.version, header.application_key
        request = ecies.Cryptogram.from_json(version, value)
        call.need_back_end(ecies.EciesError)
        application_version = self._server.application_versions.get(application_key)
        if application_version is None or not application_version.supported:
            raise ecies.EciesError("application version is unknown or unsupported")
        activation = self._activation_of_scope(encryptor, header.activation_id, application_version)
        recipient = self._recipient(call, version, request, application_version, activation)
        if request.timestamp is not None:
            self._check_replay(request, activation)
        sh2_base = ecies.shared_info2_base(
            application_version.secret, activation.keys.transport if activation else None
        )
        associated = ecies.associated_data(
            version, application_key, activation.id if activation else None, request.temporary_key_id
        )
        envelope, plaintext = ecies.open_request(
            version, encryptor.shared_info1, recipient, sh2_base, associated, request
        )
        return Opened(call, encryptor, plaintext, activation, _Sealer(envelope, request.nonce, self._server.clock.now))

    def _activation_of_scope(
        self, encryptor: ecies.Encryptor, activation_id: Optional[str], version: ApplicationVersion
    ) -> Optional[Activation]:
        if not encryptor.activation_scope:
            return None
        activation = self._server.activations.get(activation_id)
        if activation is None or activation.application_id != version.application_id:
            raise ecies.EciesError("activation is unknown")
        if activation.state != model.ACTIVE or activation.is_v4:
            raise ecies.EciesError(f"activation is {activation.state}, or speaks 4.0 only")
        return activation

    def _recipient(
        self,
        call: Call,
        version: str,
        request: ecies.Cryptogram,
        application_version: ApplicationVersion,
        activation: Optional[Activation],
    ) -> crypto.PrivateKey:
        if not ecies.uses_temporary_key(version):
            if activation is not None:
                return activation.server_key
            application = self._server.applications.get(application_version.application_id)
            if application is None:
                raise ecies.EciesError("application is unknown")
            return application.master_key
        key = self._server.temporary_keys.get(request.temporary_key_id)
        if key is None or key.suite is not None:
            raise ecies.EciesError("temporary key is unknown")
        if key.expires <= self._server.clock.now() or call.faults.get("expired_temp_key") is not None:
            raise ecies.EciesError("temporary key has expired")
        if key.application_key != application_version.key or key.activation_id != (
            activation.id if activation else None
        ):
            raise ecies.EciesError("temporary key belongs to another scope")
        return key.key

    def _check_replay(self, request: ecies.Cryptogram, activation: Optional[Activation]) -> None:
        now, settings = self._server.clock.now(), self._server.settings
        window = settings.requestWindowMs
        timestamp = request.timestamp or 0
        if timestamp > now + window or (settings.strict and timestamp < now - window):
            raise ecies.EciesError("timestamp is outside of the window")
        scope = activation.id.encode() if activation else b""
        unique = request.ephemeral_public_key + (request.nonce or b"") + scope
        if not self._server.unique_values.add(unique, now, now + window):
            raise ecies.EciesError("encrypted request was sent before")
