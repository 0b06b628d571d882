# SPDX-License-Identifier: Apache-2.0
"""Authentication codes, tokens and end-to-end encryption of protocol 4.0 (powerauth4.md §8, §9, §14, §23)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from .. import crypto, ecies, errors, model, signature
from ..authentication import Caller, Opened
from ..call import Call, ErrorFactory
from ..model import Activation, ApplicationVersion, Protocol4, TemporaryKey
from ..signature import EncryptionHeader, SignatureHeader, TokenHeader
from . import envelope, keytree, suites

if TYPE_CHECKING:
    from ..server import Server

UPGRADE_START = ecies.Encryptor("UPGRADE_START", b"/pa/upgrade/start", False)
PASSWORD_CHANGE = ecies.Encryptor("PASSWORD_CHANGE", b"/pa/password/change", True)
BIOMETRY_ADD = ecies.Encryptor("BIOMETRY_ADD", b"/pa/biometry/add", True)

Factors = Sequence[str]

_NONCE_MEMORY_MS = 300_000
"""How long a nonce is remembered at least, whatever the window and the life of its key are set to."""


@dataclass(frozen=True)
class _Combination:
    """One choice of factor keys, and which of them are the ones that wait for promotion."""

    keys: List[bytes]
    next_knowledge: bool
    next_biometry: bool


def combinations(state: Protocol4, signature_type: str) -> Iterator[_Combination]:
    """Every choice of keys for these factors, the current ones before the next (powerauth4.md §23)."""
    factors = signature_type.split("_")
    knowledge = [(state.knowledge, False), (state.knowledge_next, True)] if "knowledge" in factors else [(b"", False)]
    biometry = [(state.biometry, False), (state.biometry_next, True)] if "biometry" in factors else [(b"", False)]
    for knowledge_key, next_knowledge in knowledge:
        for biometry_key, next_biometry in biometry:
            if knowledge_key is None or biometry_key is None:
                continue
            keys = [key for key in (state.keys.possession, knowledge_key, biometry_key) if key]
            yield _Combination(keys, next_knowledge, next_biometry)


def settle(state: Protocol4, signature_type: str, used: _Combination) -> None:
    """The first right code decides between current and next key (powerauth4.md §13)."""
    factors = signature_type.split("_")
    if "knowledge" in factors and state.knowledge_next is not None:
        if used.next_knowledge:
            state.knowledge = state.knowledge_next
        state.knowledge_next = None
    if "biometry" in factors and state.biometry_next is not None:
        if used.next_biometry:
            state.biometry = state.biometry_next
        state.biometry_next = None


@dataclass(frozen=True)
class _Sealer:
    """Encrypts the answer to one request."""

    envelope: envelope.Envelope
    now: Callable[[], int]

    def __call__(self, opened: Opened, text: bytes) -> Dict[str, Any]:
        faults, layer, sealer, nonce = opened.call.faults, opened.layer, self.envelope, None
        if faults.get("wrong_key", layer) is not None:
            sealer = envelope.Envelope(
                crypto.random_bytes(32),
                sealer.context,
                sealer.nonce,
                sealer.associated_data,
                sealer.shared_info2,
            )
        if faults.get("wrong_nonce", layer) is not None:
            nonce = sealer.nonce[:12]
        timestamp = self.now() + int((faults.get("wrong_timestamp", layer) or {}).get("ms", 0))
        sealed = bytearray(sealer.seal(text, timestamp, nonce=nonce))
        if faults.get("wrong_mac", layer) is not None:
            sealed[12] ^= 1
        return {"encryptedData": crypto.b64(bytes(sealed)), "timestamp": timestamp}


class Authenticator4:
    """Checks of codes, tokens and encrypted requests of 4.0 against the server's records."""

    def __init__(self, server: Server):
        self._server = server

    # Codes ----------------------------------------------------------------------------------------------------------

    def code(
        self,
        call: Call,
        uri_id: str,
        allowed: Factors,
        bodies: Optional[Sequence[bytes]] = None,
        *,
        confirms_activation: bool = False,
        confirms_upgrade: bool = False,
    ) -> Caller:
        """Verifies the authorization header over one of `bodies`, by default the exact bytes of the request.

        Types outside of `allowed` are refused before verification: no counter step and no failed attempt.
        """
        authenticator = self._server.authenticator
        header = authenticator.signature_header(call)
        try:
            if header.signature_type not in allowed or header.signature_type not in signature.ANY_WITH_POSSESSION:
                raise errors.code_type_invalid(f"factors {header.signature_type} are not allowed here")
            call.need_back_end(errors.code_error)
            activation, state = self._party(header.activation_id, upgrade=confirms_upgrade)
            states = [model.ACTIVE]
            if confirms_activation and state.confirm_pending:
                states.append(model.PENDING_COMMIT)
            version = self._version(header, activation, states)
            if "biometry" in header.signature_type and not state.biometry_enabled:
                raise errors.code_invalid("biometry is off")
            signed = bodies if bodies is not None else (authenticator.signed_bytes(call),)
            data = [
                signature.base_string(call.method, uri_id, header.nonce, body) + b"&" + version.secret.encode()
                for body in signed
            ]
            given = crypto.unb64(header.signature)
            self._verify(activation, state, header.signature_type, data, given, states)
        except errors.ApiError as error:
            authenticator.audit_signature(header, uri_id, call, error.reason)
            raise
        authenticator.audit_signature(header, uri_id, call, None)
        return Caller(activation, header.application_key, header.version, header.signature_type)

    def _party(self, activation_id: str, *, upgrade: bool) -> Tuple[Activation, Protocol4]:
        activation = self._server.lifecycle.get(activation_id)
        if activation is None or activation.v4 is None or activation.v4.upgrade_pending != upgrade:
            raise errors.code_invalid("activation is unknown, or does not speak 4.0 here")
        return activation, activation.v4

    def _version(self, header: SignatureHeader, activation: Activation, states: Sequence[str]) -> ApplicationVersion:
        if not self._server.knows_version(header.application_key, activation.application_id):
            if activation.state in states:
                self._server.authenticator.count_failure(activation, header.signature_type)
            raise errors.code_invalid("application version is unknown, unsupported or of another application")
        return self._server.application_versions[header.application_key]

    def _verify(
        self,
        activation: Activation,
        state: Protocol4,
        signature_type: str,
        data: Sequence[bytes],
        given: bytes,
        states: Sequence[str],
    ) -> None:
        def is_code(keys: List[bytes], ctr_data: bytes) -> bool:
            return any(crypto.equal(b"".join(keytree.components(keys, ctr_data, text)), given) for text in data)

        self._verify_keys(activation, state, (signature_type,), is_code, states)

    def _verify_keys(
        self,
        activation: Activation,
        state: Protocol4,
        types: Factors,
        is_code: Callable[[List[bytes], bytes], bool],
        states: Sequence[str],
    ) -> str:
        """Counter by counter with every key combination; the type that was right (powerauth4.md §23)."""
        found: List[Tuple[str, _Combination]] = []

        def matches(ctr_data: bytes) -> bool:
            for kind in types:
                for combination in combinations(state, kind):
                    if is_code(combination.keys, ctr_data):
                        found.append((kind, combination))
                        return True
            return False

        try:
            self._server.authenticator.verify_with_counter(activation, types[0], matches, states, state)
        except errors.ApiError as problem:
            raise errors.code_invalid(problem.reason) from problem
        kind, combination = found[0]
        settle(state, kind, combination)
        self._server.activations.save(activation)
        return kind

    def offline_code(
        self, activation: Activation, types: Factors, data: Sequence[bytes], code: str, digits: int
    ) -> str:
        """The factors of an offline code that is right; counts like an online one (powerauth4.md §23)."""
        state = activation.v4
        if state is None:
            raise errors.code_invalid("activation does not speak 4.0")

        def is_code(keys: List[bytes], ctr_data: bytes) -> bool:
            return digits > 0 and any(
                crypto.equal(keytree.decimal_code(keys, ctr_data, text, digits).encode(), code.encode())
                for text in data
            )

        if not state.biometry_enabled:
            types = [kind for kind in types if "biometry" not in kind]
        return self._verify_keys(activation, state, types, is_code, (model.ACTIVE,))

    # Tokens ---------------------------------------------------------------------------------------------------------

    def token(self, header: TokenHeader, allowed: Factors) -> Caller:
        """Digest first, then time, then nonce (powerauth4.md §14)."""
        error, server = errors.token_invalid, self._server
        token = server.tokens.get(header.token_id)
        if token is None:
            raise error("token is unknown")
        activation = server.lifecycle.get(token.activation_id)
        if activation is None or activation.state != model.ACTIVE or not activation.is_v4:
            raise error("activation of the token is not active, or does not speak 4.0")
        if not crypto.equal(keytree.token_digest(token.secret, header.nonce, header.timestamp), header.digest):
            raise error("token digest is wrong")
        now, window = server.clock.now(), server.settings.window4Ms
        if abs(int(header.timestamp) - now) > window:
            raise error("token timestamp is outside of the window")
        if not server.unique_values.add(header.nonce + token.id.encode(), now, int(header.timestamp) + window):
            raise error("token nonce was used before")
        if token.signature_type not in allowed:
            raise error(f"token was created with {token.signature_type}")
        return Caller(activation, activation.application_key or "", header.version, token.signature_type)

    # End-to-end encryption ------------------------------------------------------------------------------------------

    def open_authenticated(self, call: Call, encryptor: ecies.Encryptor, caller: Caller, error: ErrorFactory) -> Opened:
        """Opens the body of a request whose code, which covers the encrypted body, was right."""
        authenticator, body = self._server.authenticator, call.json(errors.generic)
        authenticator.check_presence(caller.version, body, errors.code_invalid)
        header = EncryptionHeader(caller.version, caller.application_key, caller.activation.id)
        return authenticator.open(call, encryptor, header, body, error)

    def open(
        self,
        call: Call,
        encryptor: ecies.Encryptor,
        header: EncryptionHeader,
        value: Any,
        states: Sequence[str] = (model.ACTIVE,),
    ) -> Opened:
        """Opens an encrypted request, or raises `EciesError`.

        With more states than ACTIVE, which a status has, also while an upgrade waits.
        """
        server = self._server
        request = envelope.Request.from_json(value)
        call.need_back_end(ecies.EciesError)
        version = server.application_versions.get(header.application_key)
        if version is None or not version.supported:
            raise ecies.EciesError("application version is unknown or unsupported")
        activation, state = None, None
        if encryptor.activation_scope:
            activation = server.lifecycle.get(header.activation_id)
            if activation is None or activation.application_id != version.application_id or activation.v4 is None:
                raise ecies.EciesError("activation is unknown")
            if activation.state not in states or not (activation.is_v4 or len(states) > 1):
                raise ecies.EciesError(f"activation is {activation.state}, or its upgrade is not finished")
            state = activation.v4
        key = self._temporary_key(call, request, version, activation)
        self._check_replay(request, key)
        sh2 = envelope.shared_info2(crypto.unb64(version.secret), state.keys.shared_info2 if state else None)
        keys = envelope.Envelope.make(
            key.secret,
            encryptor.shared_info1,
            request.nonce,
            version.key,
            activation.id if activation else None,
            key.id,
            sh2,
        )
        plaintext = keys.open(request)
        if not plaintext:
            raise ecies.EciesError("plaintext is empty")
        suite = suites.SUITES[key.suite or ""]
        return Opened(call, encryptor, plaintext, activation, _Sealer(keys, server.clock.now), suite)

    def _temporary_key(
        self, call: Call, request: envelope.Request, version: ApplicationVersion, activation: Optional[Activation]
    ) -> TemporaryKey:
        key = self._server.temporary_keys.get(request.temporary_key_id)
        if key is None or key.suite is None:
            raise ecies.EciesError("temporary key is unknown")
        if key.expires <= self._server.clock.now() or call.faults.get("expired_temp_key") is not None:
            raise ecies.EciesError("temporary key has expired")
        if (key.application_key, key.activation_id) != (version.key, activation.id if activation else None):
            raise ecies.EciesError("temporary key belongs to another scope")
        return key

    def _check_replay(self, request: envelope.Request, key: TemporaryKey) -> None:
        """Time first, then the nonce, which is used up also where the request does not open.

        It is remembered as long as its key lives: an early request stays in the window for longer than its width.
        """
        now, window = self._server.clock.now(), self._server.settings.window4Ms
        if abs(request.timestamp - now) > window:
            raise ecies.EciesError("timestamp is outside of the window")
        unique = request.temporary_key_id.encode() + request.nonce
        if not self._server.unique_values.add(unique, now, max(key.expires, now + _NONCE_MEMORY_MS)):
            raise ecies.EciesError("nonce was used under this temporary key before")
