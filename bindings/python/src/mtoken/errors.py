# SPDX-License-Identifier: Apache-2.0
"""The exceptions of failed calls: one class per kind of failure, each with the complete error of the library."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple, Type

from ._ending import hold
from ._model import plain
from .enums import ErrorCode, NetworkFault, Outcome, ServerCode, TLSFault

__all__ = [
    "ArgumentError",
    "AuthenticationError",
    "BlockedError",
    "BusyError",
    "CancelledError",
    "ConfigurationError",
    "DecryptionError",
    "FactorError",
    "HTTPError",
    "HandleError",
    "InternalError",
    "MTokenError",
    "NetworkError",
    "NotActivatedError",
    "NotActiveError",
    "NotFoundError",
    "ParseError",
    "PendingCommitError",
    "PendingError",
    "PinMismatchError",
    "ProtocolError",
    "RemovedError",
    "SealedError",
    "ServerError",
    "SignatureError",
    "StateError",
    "StorageError",
    "TLSError",
    "TamperedError",
    "TimeoutExpiredError",
    "UnsupportedError",
]


class MTokenError(Exception):
    """A failed call. `str()` says what happened, to which object, and what to do; it contains no secrets."""

    def __init__(
        self,
        message: str,
        *,
        code: int = ErrorCode.INTERNAL,
        reason: str = "unknown",
        outcome: int = Outcome.NOT_SENT,
        http_status: Optional[int] = None,
        server_code: Optional[str] = None,
        server_message: Optional[str] = None,
        remaining_attempts: Optional[int] = None,
        retriable: bool = False,
        byte_offset: Optional[int] = None,
        server_uri: Optional[str] = None,
        recovery_puk_index: Optional[int] = None,
        network: int = NetworkFault.NONE,
        tls: int = TLSFault.NONE,
        server_code_number: int = ServerCode.UNKNOWN,
        cause: Optional[str] = None,
        upstream_reason: Optional[str] = None,
        line: Optional[int] = None,
        retry_after: Optional[float] = None,
        correlation_id: Optional[str] = None,
        custom_info: Optional[str] = None,
    ):
        hold()
        super().__init__(message)
        self.message = message
        self.code = ErrorCode(code)
        self.reason = reason
        """Stable machine-readable reason, e.g. "operations_alreadyFinished"."""
        self.outcome = Outcome(outcome)
        """Whether the request was sent and answered."""
        self.http_status = http_status
        self.server_code = server_code
        """Code of the server's error object, e.g. "POWERAUTH_AUTH_FAIL"."""
        self.server_message = server_message
        self.remaining_attempts = remaining_attempts
        """Attempts left before the activation is blocked; None: unknown (fetch the status)."""
        self.retriable = retriable
        """The same call may succeed later, and repeating it is safe."""
        self.byte_offset = byte_offset
        """Parse errors: offset in the input, in UTF-8 bytes."""
        self.server_uri = server_uri
        """URI with more information about the error, from the server."""
        self.recovery_puk_index = recovery_puk_index
        """Index of the expected PUK in the printed list; None: unknown."""
        self.network = NetworkFault(network)
        self.tls = TLSFault(tls)
        self.server_code_number = ServerCode(server_code_number)
        self.cause = cause
        """Error text of the underlying library, for developers."""
        self.upstream_reason = upstream_reason or reason
        """The reason that the upstream SDKs use."""
        self.line = line
        """Parse errors in an offline text: line, from 1."""
        self.retry_after = retry_after
        """Seconds for which the server asks the client to wait; None: it does not say."""
        self.correlation_id = correlation_id
        """X-Correlation-ID of the request, for the bank's support."""
        self.custom_info = custom_info
        """The bank's information about a refused approval or denial: JSON ("customInfo" of its response)."""

    def to_dict(self) -> Dict[str, Any]:
        """All members as values that JSON has."""
        found: Dict[str, Any] = plain(self)
        return found

    @property
    def not_connected(self) -> bool:
        """The device has no network connection."""
        return self.network is NetworkFault.NOT_CONNECTED

    @property
    def not_trusted(self) -> bool:
        """The server's certificate is not trusted, or its key matches no pinned key."""
        return self.tls not in (TLSFault.NONE, TLSFault.HANDSHAKE)

    @property
    def is_unreachable(self) -> bool:
        """The same as `not_connected`."""
        return self.not_connected

    @property
    def is_untrusted(self) -> bool:
        """The server cannot be trusted: certificate, pin or TLS itself."""
        return self.tls is not TLSFault.NONE

    @property
    def is_refusal(self) -> bool:
        """The server refused the request, although the activation is active, e.g. because of a wrong PIN."""
        return self.code is ErrorCode.AUTHENTICATION

    @property
    def is_operation_over(self) -> bool:
        """The operation was approved, rejected, cancelled, has failed or expired."""
        return self.server_code_number in _OVER

    @property
    def may_have_happened(self) -> bool:
        """The call may have taken effect although it failed: check before you repeat it."""
        return self.outcome is Outcome.UNKNOWN

    @property
    def details(self) -> Dict[str, Any]:
        """All members except the message, by name."""
        names = (
            "code",
            "reason",
            "outcome",
            "http_status",
            "server_code",
            "server_message",
            "remaining_attempts",
            "retriable",
            "byte_offset",
            "server_uri",
            "recovery_puk_index",
            "network",
            "tls",
            "server_code_number",
            "cause",
            "upstream_reason",
            "line",
            "retry_after",
            "correlation_id",
            "custom_info",
        )
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.message!r}, code={self.code.name}, reason={self.reason!r})"

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self.message, self.details)


_OVER = (
    ServerCode.OPERATION_ALREADY_FINISHED,
    ServerCode.OPERATION_ALREADY_FAILED,
    ServerCode.OPERATION_ALREADY_CANCELED,
    ServerCode.OPERATION_EXPIRED,
)


def _rebuild(kind: Type[MTokenError], message: str, details: Dict[str, Any]) -> MTokenError:
    return kind(message, **details)


class ArgumentError(MTokenError, ValueError):
    """An argument is missing, malformed, too long or not valid UTF-8."""


class HandleError(MTokenError):
    """The object was closed."""


class StateError(MTokenError):
    """The call is not allowed in the current state."""


class NotActivatedError(StateError):
    """The client has no activation; nothing was sent."""


class PendingError(StateError):
    """This device has an activation in progress: persist or cancel it first."""


class CancelledError(MTokenError):
    """The task was cancelled, or its client or runtime was closed."""


class TimeoutExpiredError(MTokenError, TimeoutError):
    """The time limit has expired. `outcome` says whether the request may have reached the server."""


class NetworkError(MTokenError):
    """Could not connect, lost the connection, or could not resolve the name."""


class TLSError(NetworkError):
    """The TLS handshake failed or the certificate is not trusted."""


class PinMismatchError(TLSError):
    """The server's public key matches no pinned key."""


class HTTPError(MTokenError):
    """The HTTP status is not 200 and the body holds no valid error object."""


class ServerError(MTokenError):
    """The server answered with an error object: see `server_code`."""


class AuthenticationError(ServerError):
    """The server refused the PIN or biometry key and counted a failed attempt: `remaining_attempts` is the number of
    attempts left. A request that it refused for another reason is a ServerError with the reason `notTheFactor` or
    `acceptedThenRefused`."""


class NotActiveError(ServerError):
    """The activation at the server is not active: see the subclasses."""


class PendingCommitError(NotActiveError):
    """The bank has not yet confirmed the activation: `Client.wait_active` waits for that."""


class BlockedError(NotActiveError):
    """The activation is blocked; the bank can unblock it."""


class RemovedError(NotActiveError):
    """The server has removed the activation: remove it locally, then activate again."""


class ProtocolError(MTokenError):
    """The response violates the protocol."""


class DecryptionError(ProtocolError):
    """The response cannot be decrypted, or its authentication code is wrong."""


class SignatureError(MTokenError):
    """A server signature is invalid, or a signature could not be computed."""


class StorageError(MTokenError):
    """The state could not be loaded, saved or removed."""


class TamperedError(StorageError):
    """The stored state is damaged or was modified by someone else; it was left unchanged."""


class SealedError(StorageError):
    """A sealer could not seal or unseal the device secret. The stored state was left unchanged."""


class BusyError(MTokenError):
    """Another process or client uses this activation, or this call is already running."""


class ParseError(MTokenError, ValueError):
    """A text (activation code, JSON, …) is malformed: see `byte_offset`."""


class NotFoundError(MTokenError, LookupError):
    """The requested item does not exist."""


class FactorError(MTokenError):
    """The factor is not set up, or the operation does not allow it; nothing was sent."""


class UnsupportedError(MTokenError):
    """The server or the stored state requires something that this version does not support."""


class ConfigurationError(MTokenError, ValueError):
    """The client's configuration is invalid."""


class InternalError(MTokenError):
    """An underlying library failed, for example for lack of memory."""


CLASSES: Dict[ErrorCode, Type[MTokenError]] = {
    ErrorCode.ARGUMENT: ArgumentError,
    ErrorCode.HANDLE: HandleError,
    ErrorCode.STATE: StateError,
    ErrorCode.NOT_ACTIVATED: NotActivatedError,
    ErrorCode.PENDING: PendingError,
    ErrorCode.CANCELLED: CancelledError,
    ErrorCode.TIMEOUT: TimeoutExpiredError,
    ErrorCode.NETWORK: NetworkError,
    ErrorCode.TLS: TLSError,
    ErrorCode.PIN_MISMATCH: PinMismatchError,
    ErrorCode.HTTP: HTTPError,
    ErrorCode.SERVER: ServerError,
    ErrorCode.AUTHENTICATION: AuthenticationError,
    ErrorCode.PROTOCOL: ProtocolError,
    ErrorCode.DECRYPTION: DecryptionError,
    ErrorCode.SIGNATURE: SignatureError,
    ErrorCode.STORAGE: StorageError,
    ErrorCode.TAMPERED: TamperedError,
    ErrorCode.BUSY: BusyError,
    ErrorCode.PARSE: ParseError,
    ErrorCode.NOT_FOUND: NotFoundError,
    ErrorCode.FACTOR: FactorError,
    ErrorCode.UNSUPPORTED: UnsupportedError,
    ErrorCode.CONFIGURATION: ConfigurationError,
    ErrorCode.INTERNAL: InternalError,
    ErrorCode.PENDING_COMMIT: PendingCommitError,
    ErrorCode.BLOCKED: BlockedError,
    ErrorCode.REMOVED: RemovedError,
    ErrorCode.SEALED: SealedError,
}
"""The exception class of each code; an unknown code raises InternalError."""
