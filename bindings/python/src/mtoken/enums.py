"""The constants of the library as enumerations.

Enumerations of what the server or the library answers are open: a value of a later version becomes a member named
`UNRECOGNIZED_<value>` instead of an error.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Optional

from . import _c


class OpenIntEnum(IntEnum):
    """An IntEnum that accepts values which this version does not know."""

    @classmethod
    def _missing_(cls, value: object) -> Optional[OpenIntEnum]:
        if not isinstance(value, int):
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNRECOGNIZED_{value}"
        member._value_ = value
        known = cls._value2member_map_.setdefault(value, member)
        return known if isinstance(known, cls) else member


class ErrorCode(OpenIntEnum):
    """What kind of failure: see the classes of `mtoken.errors`."""

    ARGUMENT = _c.MTOKEN_ERROR_ARGUMENT
    HANDLE = _c.MTOKEN_ERROR_HANDLE
    STATE = _c.MTOKEN_ERROR_STATE
    NOT_ACTIVATED = _c.MTOKEN_ERROR_NOT_ACTIVATED
    PENDING = _c.MTOKEN_ERROR_PENDING
    CANCELLED = _c.MTOKEN_ERROR_CANCELLED
    TIMEOUT = _c.MTOKEN_ERROR_TIMEOUT
    NETWORK = _c.MTOKEN_ERROR_NETWORK
    TLS = _c.MTOKEN_ERROR_TLS
    PIN_MISMATCH = _c.MTOKEN_ERROR_PIN_MISMATCH
    HTTP = _c.MTOKEN_ERROR_HTTP
    SERVER = _c.MTOKEN_ERROR_SERVER
    AUTHENTICATION = _c.MTOKEN_ERROR_AUTHENTICATION
    PROTOCOL = _c.MTOKEN_ERROR_PROTOCOL
    DECRYPTION = _c.MTOKEN_ERROR_DECRYPTION
    SIGNATURE = _c.MTOKEN_ERROR_SIGNATURE
    STORAGE = _c.MTOKEN_ERROR_STORAGE
    TAMPERED = _c.MTOKEN_ERROR_TAMPERED
    BUSY = _c.MTOKEN_ERROR_BUSY
    PARSE = _c.MTOKEN_ERROR_PARSE
    NOT_FOUND = _c.MTOKEN_ERROR_NOT_FOUND
    FACTOR = _c.MTOKEN_ERROR_FACTOR
    UNSUPPORTED = _c.MTOKEN_ERROR_UNSUPPORTED
    CONFIGURATION = _c.MTOKEN_ERROR_CONFIGURATION
    INTERNAL = _c.MTOKEN_ERROR_INTERNAL
    PENDING_COMMIT = _c.MTOKEN_ERROR_PENDING_COMMIT
    BLOCKED = _c.MTOKEN_ERROR_BLOCKED
    REMOVED = _c.MTOKEN_ERROR_REMOVED


class Outcome(OpenIntEnum):
    """What is known of the request when a call failed."""

    NOT_SENT = _c.MTOKEN_OUTCOME_NOT_SENT
    """Nothing left the device."""
    UNKNOWN = _c.MTOKEN_OUTCOME_UNKNOWN
    """The request was sent, or may have been; whether the server acted is unknown."""
    ANSWERED = _c.MTOKEN_OUTCOME_ANSWERED
    """The server's answer arrived."""


class NetworkFault(OpenIntEnum):
    """What became of the connection, where that is why a call failed."""

    NONE = _c.MTOKEN_NETWORK_NONE
    NOT_CONNECTED = _c.MTOKEN_NETWORK_NOT_CONNECTED
    HOST_NOT_FOUND = _c.MTOKEN_NETWORK_HOST_NOT_FOUND
    CONNECTION_REFUSED = _c.MTOKEN_NETWORK_CONNECTION_REFUSED
    CONNECTION_LOST = _c.MTOKEN_NETWORK_CONNECTION_LOST
    TIMEOUT = _c.MTOKEN_NETWORK_TIMEOUT
    PROXY = _c.MTOKEN_NETWORK_PROXY
    NOT_HTTP = _c.MTOKEN_NETWORK_NOT_HTTP
    TOO_LARGE = _c.MTOKEN_NETWORK_TOO_LARGE


class TLSFault(OpenIntEnum):
    """What was wrong with TLS, where that is why a call failed."""

    NONE = _c.MTOKEN_TLS_FAULT_NONE
    HANDSHAKE = _c.MTOKEN_TLS_FAULT_HANDSHAKE
    UNTRUSTED = _c.MTOKEN_TLS_FAULT_UNTRUSTED
    SELF_SIGNED = _c.MTOKEN_TLS_FAULT_SELF_SIGNED
    EXPIRED = _c.MTOKEN_TLS_FAULT_EXPIRED
    NOT_YET_VALID = _c.MTOKEN_TLS_FAULT_NOT_YET_VALID
    WRONG_HOST = _c.MTOKEN_TLS_FAULT_WRONG_HOST
    REVOKED = _c.MTOKEN_TLS_FAULT_REVOKED
    WEAK = _c.MTOKEN_TLS_FAULT_WEAK
    OTHER = _c.MTOKEN_TLS_FAULT_OTHER
    PIN_MISMATCH = _c.MTOKEN_TLS_FAULT_PIN_MISMATCH


class ServerCode(OpenIntEnum):
    """The server's codes that are known."""

    UNKNOWN = _c.MTOKEN_SERVER_CODE_UNKNOWN
    ERROR_GENERIC = _c.MTOKEN_SERVER_CODE_ERROR_GENERIC
    ERROR_NOT_FOUND = _c.MTOKEN_SERVER_CODE_ERROR_NOT_FOUND
    POWERAUTH_AUTH_FAIL = _c.MTOKEN_SERVER_CODE_POWERAUTH_AUTH_FAIL
    INVALID_REQUEST = _c.MTOKEN_SERVER_CODE_INVALID_REQUEST
    INVALID_ACTIVATION = _c.MTOKEN_SERVER_CODE_INVALID_ACTIVATION
    INVALID_APPLICATION = _c.MTOKEN_SERVER_CODE_INVALID_APPLICATION
    INVALID_OPERATION = _c.MTOKEN_SERVER_CODE_INVALID_OPERATION
    ERR_ACTIVATION = _c.MTOKEN_SERVER_CODE_ERR_ACTIVATION
    ERR_AUTHENTICATION = _c.MTOKEN_SERVER_CODE_ERR_AUTHENTICATION
    ERR_SECURE_VAULT = _c.MTOKEN_SERVER_CODE_ERR_SECURE_VAULT
    ERR_ENCRYPTION = _c.MTOKEN_SERVER_CODE_ERR_ENCRYPTION
    PUSH_REGISTRATION_FAILED = _c.MTOKEN_SERVER_CODE_PUSH_REGISTRATION_FAILED
    OPERATION_ALREADY_FINISHED = _c.MTOKEN_SERVER_CODE_OPERATION_ALREADY_FINISHED
    OPERATION_ALREADY_FAILED = _c.MTOKEN_SERVER_CODE_OPERATION_ALREADY_FAILED
    OPERATION_ALREADY_CANCELED = _c.MTOKEN_SERVER_CODE_OPERATION_ALREADY_CANCELED
    OPERATION_EXPIRED = _c.MTOKEN_SERVER_CODE_OPERATION_EXPIRED
    OPERATION_FAILED = _c.MTOKEN_SERVER_CODE_OPERATION_FAILED
    OPERATION_REQUIRES_ACTIVATION_FLAG = _c.MTOKEN_SERVER_CODE_OPERATION_REQUIRES_ACTIVATION_FLAG
    ERR_CONFIG = _c.MTOKEN_SERVER_CODE_ERR_CONFIG
    INBOX_FAILED = _c.MTOKEN_SERVER_CODE_INBOX_FAILED
    APPLICATION_CONFIGURATION_ERROR = _c.MTOKEN_SERVER_CODE_APPLICATION_CONFIGURATION_ERROR
    ACTIVATION_CODE_FAILED = _c.MTOKEN_SERVER_CODE_ACTIVATION_CODE_FAILED
    REMOTE_COMMUNICATION_ERROR = _c.MTOKEN_SERVER_CODE_REMOTE_COMMUNICATION_ERROR
    ACTIVATION_NOT_ACTIVE = _c.MTOKEN_SERVER_CODE_ACTIVATION_NOT_ACTIVE
    ACTIVATION_NOT_CONFIGURED = _c.MTOKEN_SERVER_CODE_ACTIVATION_NOT_CONFIGURED
    ONBOARDING_FAILED = _c.MTOKEN_SERVER_CODE_ONBOARDING_FAILED
    ONBOARDING_PROCESS_LIMIT_REACHED = _c.MTOKEN_SERVER_CODE_ONBOARDING_PROCESS_LIMIT_REACHED
    TOO_MANY_ONBOARDING_PROCESSES = _c.MTOKEN_SERVER_CODE_TOO_MANY_ONBOARDING_PROCESSES
    ONBOARDING_OTP_FAILED = _c.MTOKEN_SERVER_CODE_ONBOARDING_OTP_FAILED
    INVALID_DOCUMENT = _c.MTOKEN_SERVER_CODE_INVALID_DOCUMENT
    DOCUMENT_SUBMIT_FAILED = _c.MTOKEN_SERVER_CODE_DOCUMENT_SUBMIT_FAILED
    IDENTITY_VERIFICATION_FAILED = _c.MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_FAILED
    IDENTITY_VERIFICATION_LIMIT_REACHED = _c.MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_LIMIT_REACHED
    DOCUMENT_VERIFICATION_FAILED = _c.MTOKEN_SERVER_CODE_DOCUMENT_VERIFICATION_FAILED
    PRESENCE_CHECK_FAILED = _c.MTOKEN_SERVER_CODE_PRESENCE_CHECK_FAILED
    PRESENCE_CHECK_NOT_ENABLED = _c.MTOKEN_SERVER_CODE_PRESENCE_CHECK_NOT_ENABLED
    PRESENCE_CHECK_LIMIT_REACHED = _c.MTOKEN_SERVER_CODE_PRESENCE_CHECK_LIMIT_REACHED
    TOO_MANY_REQUESTS = _c.MTOKEN_SERVER_CODE_TOO_MANY_REQUESTS


class TraceStage(OpenIntEnum):
    """What a trace tells."""

    REQUEST = _c.MTOKEN_TRACE_REQUEST
    ANSWER = _c.MTOKEN_TRACE_ANSWER
    FAILURE = _c.MTOKEN_TRACE_FAILURE


class Events(IntFlag):
    """Which events a runtime queues."""

    NONE = _c.MTOKEN_EVENT_MASK_NONE
    TASKS = _c.MTOKEN_EVENT_MASK_TASKS
    STATE = _c.MTOKEN_EVENT_MASK_STATE
    LOG = _c.MTOKEN_EVENT_MASK_LOG
    CHALLENGES = _c.MTOKEN_EVENT_MASK_CHALLENGES
    OPERATIONS = _c.MTOKEN_EVENT_MASK_OPERATIONS
    TRACE = _c.MTOKEN_EVENT_MASK_TRACE
    ALL = _c.MTOKEN_EVENT_MASK_ALL


class EventKind(OpenIntEnum):
    """What an event tells."""

    TASK = _c.MTOKEN_EVENT_TASK
    """A task has completed."""
    STATE_STORED = _c.MTOKEN_EVENT_STATE_STORED
    """A client's state was stored durably."""
    LOG = _c.MTOKEN_EVENT_LOG
    CHALLENGE = _c.MTOKEN_EVENT_CHALLENGE
    """A log line."""
    OPERATIONS_CHANGED = _c.MTOKEN_EVENT_OPERATIONS_CHANGED
    """The list of operations was fetched (also without a difference), or an operation claimed, approved or rejected."""
    OPERATIONS_FAILED = _c.MTOKEN_EVENT_OPERATIONS_FAILED
    """A fetch of the list failed."""
    OPERATIONS_LOADING = _c.MTOKEN_EVENT_OPERATIONS_LOADING
    """A fetch of the list has begun or ended."""
    OPERATIONS_EXPIRED = _c.MTOKEN_EVENT_OPERATIONS_EXPIRED
    """What a watcher watched has expired."""
    TRACE = _c.MTOKEN_EVENT_TRACE
    """A request, or its answer."""
    POLLING_WAITS = _c.MTOKEN_EVENT_POLLING_WAITS
    """Polling asks for the status only, since the activation is not active: `error` tells why."""
    POLLING_GOES_ON = _c.MTOKEN_EVENT_POLLING_GOES_ON
    """Polling has found the activation active and goes on."""


class Polling(OpenIntEnum):
    """Whether operations are polled."""

    OFF = _c.MTOKEN_POLLING_OFF
    ON = _c.MTOKEN_POLLING_ON
    PAUSED = _c.MTOKEN_POLLING_PAUSED
    """By the program."""
    WAITING = _c.MTOKEN_POLLING_WAITING
    """The activation is not active: only its status is asked for, until it is."""


class CellKind(OpenIntEnum):
    """What a cell of a laid out operation shows."""

    TITLE = _c.MTOKEN_CELL_TITLE
    MESSAGE = _c.MTOKEN_CELL_MESSAGE
    HEADING = _c.MTOKEN_CELL_HEADING
    IMAGE = _c.MTOKEN_CELL_IMAGE
    VALUE = _c.MTOKEN_CELL_VALUE


class ScreenAction:
    """How a user left a pre-approval screen. Any other text may be given too."""

    CONTINUE = _c.MTOKEN_ACTION_CONTINUE
    BACK = _c.MTOKEN_ACTION_BACK
    CLOSE = _c.MTOKEN_ACTION_CLOSE
    REJECT = _c.MTOKEN_ACTION_REJECT
    SCAN = _c.MTOKEN_ACTION_SCAN


class Contradiction(IntFlag):
    """Where what the user reads does not agree with what is signed."""

    NONE = 0
    AMOUNT = _c.MTOKEN_CONTRADICTION_AMOUNT
    CURRENCY = _c.MTOKEN_CONTRADICTION_CURRENCY
    ACCOUNT = _c.MTOKEN_CONTRADICTION_ACCOUNT
    AMOUNT_HIDDEN = _c.MTOKEN_CONTRADICTION_AMOUNT_HIDDEN
    ACCOUNT_HIDDEN = _c.MTOKEN_CONTRADICTION_ACCOUNT_HIDDEN
    AMOUNT_TEXT = _c.MTOKEN_CONTRADICTION_AMOUNT_TEXT
    UNSIGNED_AMOUNT = _c.MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT
    LOST_ROW = _c.MTOKEN_CONTRADICTION_LOST_ROW
    UNREADABLE = _c.MTOKEN_CONTRADICTION_UNREADABLE


class Attached(IntFlag):
    """What is attached to an operation."""

    NOTHING = 0
    PROXIMITY = _c.MTOKEN_ATTACHED_PROXIMITY
    DATA = _c.MTOKEN_ATTACHED_MOBILE_TOKEN_DATA


class LogLevel(OpenIntEnum):
    """Log levels. Logs never hold PINs, keys, tokens, codes, or texts of operations."""

    OFF = _c.MTOKEN_LOG_OFF
    ERROR = _c.MTOKEN_LOG_ERROR
    WARNING = _c.MTOKEN_LOG_WARNING
    INFO = _c.MTOKEN_LOG_INFO
    DEBUG = _c.MTOKEN_LOG_DEBUG


class TaskState(OpenIntEnum):
    """State of a task."""

    RUNNING = _c.MTOKEN_TASK_RUNNING
    SUCCEEDED = _c.MTOKEN_TASK_SUCCEEDED
    FAILED = _c.MTOKEN_TASK_FAILED
    CANCELLED = _c.MTOKEN_TASK_CANCELLED


class Protocol(OpenIntEnum):
    """Versions of the PowerAuth protocol."""

    V3_1 = _c.MTOKEN_PROTOCOL_3_1
    V3_2 = _c.MTOKEN_PROTOCOL_3_2
    V3_3 = _c.MTOKEN_PROTOCOL_3_3


class TLS(OpenIntEnum):
    """How the server's certificate is checked."""

    SYSTEM = _c.MTOKEN_TLS_SYSTEM
    """Against the system's trust store."""
    CA = _c.MTOKEN_TLS_CA
    """Against the certificates of `ca_file` only."""
    UNSAFE = _c.MTOKEN_TLS_UNSAFE
    """Not at all: tests only."""


class ClientState(OpenIntEnum):
    """State of a client on this device."""

    EMPTY = _c.MTOKEN_CLIENT_EMPTY
    """No activation."""
    PENDING = _c.MTOKEN_CLIENT_PENDING
    """An activation is in progress: persist or cancel it."""
    ACTIVE = _c.MTOKEN_CLIENT_ACTIVE
    """There is an activation (the server may still want to commit it, or have blocked it)."""


class ActivationState(OpenIntEnum):
    """State of an activation at the server."""

    CREATED = _c.MTOKEN_ACTIVATION_CREATED
    PENDING_COMMIT = _c.MTOKEN_ACTIVATION_PENDING_COMMIT
    ACTIVE = _c.MTOKEN_ACTIVATION_ACTIVE
    BLOCKED = _c.MTOKEN_ACTIVATION_BLOCKED
    REMOVED = _c.MTOKEN_ACTIVATION_REMOVED
    DEADLOCK = _c.MTOKEN_ACTIVATION_DEADLOCK
    """Device and server can never agree on the counter again: remove and activate anew."""


class Factor(IntFlag):
    """Factors of an authentication, to be combined."""

    POSSESSION = _c.MTOKEN_FACTOR_POSSESSION
    KNOWLEDGE = _c.MTOKEN_FACTOR_KNOWLEDGE
    BIOMETRY = _c.MTOKEN_FACTOR_BIOMETRY


class Key(OpenIntEnum):
    """Whose signature is verified."""

    MASTER = _c.MTOKEN_KEY_MASTER
    """The application's server."""
    PERSONALIZED = _c.MTOKEN_KEY_PERSONALIZED
    """The server's key for this activation."""
    PERSONALIZED_MAC = _c.MTOKEN_KEY_PERSONALIZED_MAC
    """A code of protocol 4 in an offline payload, which cannot be verified."""


class Verified(OpenIntEnum):
    """Whether the signature of an offline payload was looked at, and what came of it."""

    NOT_CHECKED = _c.MTOKEN_VERIFIED_NOT_CHECKED
    """Nobody looked: anybody may have made the payload."""
    VALID = _c.MTOKEN_VERIFIED_VALID
    """The server made it."""
    INVALID = _c.MTOKEN_VERIFIED_INVALID
    """The server did not make it, or it was changed."""
    UNSUPPORTED = _c.MTOKEN_VERIFIED_UNSUPPORTED
    """The kind of key cannot be verified here."""


class PACForm(OpenIntEnum):
    """How a proximity code is written."""

    DEEPLINK = _c.MTOKEN_PAC_DEEPLINK
    """A link with parameters."""
    DEEPLINK_JWT = _c.MTOKEN_PAC_DEEPLINK_JWT
    """A link with a JSON Web Token."""
    JWT = _c.MTOKEN_PAC_JWT
    """A JSON Web Token alone."""


class TOTPAlgorithm(OpenIntEnum):
    """The hash of a one-time password."""

    SHA256 = _c.MTOKEN_TOTP_SHA256
    SHA512 = _c.MTOKEN_TOTP_SHA512


class FieldType(OpenIntEnum):
    """What a field of operation data holds."""

    EMPTY = _c.MTOKEN_FIELD_EMPTY
    AMOUNT = _c.MTOKEN_FIELD_AMOUNT
    ACCOUNT = _c.MTOKEN_FIELD_ACCOUNT
    """IBAN and perhaps BIC."""
    ANY_ACCOUNT = _c.MTOKEN_FIELD_ANY_ACCOUNT
    DATE = _c.MTOKEN_FIELD_DATE
    REFERENCE = _c.MTOKEN_FIELD_REFERENCE
    NOTE = _c.MTOKEN_FIELD_NOTE
    TEXT = _c.MTOKEN_FIELD_TEXT
    OTHER = _c.MTOKEN_FIELD_OTHER
    """Any other letter: show it as text."""


class DeviceSignature(OpenIntEnum):
    """Form of a signature made with the device's private key."""

    DER = _c.MTOKEN_SIGNATURE_FORM_DER
    """ASN.1 sequence of r and s."""
    RAW = _c.MTOKEN_SIGNATURE_FORM_RAW
    """r and s, 32 bytes each, as in JOSE."""


class Scope(OpenIntEnum):
    """For whom a request is encrypted."""

    APPLICATION = _c.MTOKEN_SCOPE_APPLICATION
    """The application's server: also without an activation."""
    ACTIVATION = _c.MTOKEN_SCOPE_ACTIVATION
    """The server's side of this activation."""


class Order(OpenIntEnum):
    """What the signature of an encrypted request covers."""

    ENCRYPT_THEN_SIGN = _c.MTOKEN_ENCRYPT_THEN_SIGN
    """The encrypted body, as at the protocol's own endpoints."""
    SIGN_THEN_ENCRYPT = _c.MTOKEN_SIGN_THEN_ENCRYPT
    """The plaintext."""


class OperationStatus(OpenIntEnum):
    """Status of an operation. UNKNOWN: a status of a later server; do not offer approval."""

    UNKNOWN = _c.MTOKEN_OPERATION_UNKNOWN
    PENDING = _c.MTOKEN_OPERATION_PENDING
    APPROVED = _c.MTOKEN_OPERATION_APPROVED
    REJECTED = _c.MTOKEN_OPERATION_REJECTED
    CANCELED = _c.MTOKEN_OPERATION_CANCELED
    EXPIRED = _c.MTOKEN_OPERATION_EXPIRED
    FAILED = _c.MTOKEN_OPERATION_FAILED


class SignatureType(OpenIntEnum):
    """How many factors an operation asks for. ECDSA: no mobile token can make it."""

    UNKNOWN = _c.MTOKEN_SIGNATURE_TYPE_UNKNOWN
    ONE_FACTOR = _c.MTOKEN_SIGNATURE_TYPE_1FA
    TWO_FACTOR = _c.MTOKEN_SIGNATURE_TYPE_2FA
    ECDSA = _c.MTOKEN_SIGNATURE_TYPE_ECDSA


class Variant(IntFlag):
    """Factor combinations that an operation allows."""

    POSSESSION = _c.MTOKEN_VARIANT_POSSESSION
    POSSESSION_KNOWLEDGE = _c.MTOKEN_VARIANT_POSSESSION_KNOWLEDGE
    POSSESSION_BIOMETRY = _c.MTOKEN_VARIANT_POSSESSION_BIOMETRY


class AttributeType(OpenIntEnum):
    """Kind of a row of an operation's form."""

    UNKNOWN = _c.MTOKEN_ATTRIBUTE_UNKNOWN
    AMOUNT = _c.MTOKEN_ATTRIBUTE_AMOUNT
    AMOUNT_CONVERSION = _c.MTOKEN_ATTRIBUTE_AMOUNT_CONVERSION
    KEY_VALUE = _c.MTOKEN_ATTRIBUTE_KEY_VALUE
    NOTE = _c.MTOKEN_ATTRIBUTE_NOTE
    HEADING = _c.MTOKEN_ATTRIBUTE_HEADING
    PARTY_INFO = _c.MTOKEN_ATTRIBUTE_PARTY_INFO
    IMAGE = _c.MTOKEN_ATTRIBUTE_IMAGE
    ALERT = _c.MTOKEN_ATTRIBUTE_ALERT


class AlertType(OpenIntEnum):
    """How grave an alert is. INFO also stands for a type of a later server."""

    INFO = _c.MTOKEN_ALERT_INFO
    SUCCESS = _c.MTOKEN_ALERT_SUCCESS
    WARNING = _c.MTOKEN_ALERT_WARNING
    ERROR = _c.MTOKEN_ALERT_ERROR


class ScreenType(OpenIntEnum):
    """Kind of a pre-approval screen. QR_SCAN: the user must scan a proximity code before approving."""

    UNKNOWN = _c.MTOKEN_SCREEN_UNKNOWN
    WARNING = _c.MTOKEN_SCREEN_WARNING
    INFO = _c.MTOKEN_SCREEN_INFO
    QR_SCAN = _c.MTOKEN_SCREEN_QR_SCAN


class ElementType(OpenIntEnum):
    """Kind of an element of a pre-approval screen."""

    UNKNOWN = _c.MTOKEN_ELEMENT_UNKNOWN
    LIST_ITEM = _c.MTOKEN_ELEMENT_LIST_ITEM
    ALERT = _c.MTOKEN_ELEMENT_ALERT
    BUTTON = _c.MTOKEN_ELEMENT_BUTTON


class PostScreenType(OpenIntEnum):
    """Kind of a post-approval screen."""

    UNKNOWN = _c.MTOKEN_POST_SCREEN_UNKNOWN
    REVIEW = _c.MTOKEN_POST_SCREEN_REVIEW
    MERCHANT_REDIRECT = _c.MTOKEN_POST_SCREEN_MERCHANT_REDIRECT
    GENERIC = _c.MTOKEN_POST_SCREEN_GENERIC


class ProximityType(OpenIntEnum):
    """Where the one-time password of a proximity check came from."""

    QR_CODE = _c.MTOKEN_PROXIMITY_QR_CODE
    DEEPLINK = _c.MTOKEN_PROXIMITY_DEEPLINK


class RejectReason:
    """Reasons of a rejection. Any other non-empty text may be given too."""

    UNKNOWN = _c.MTOKEN_REJECT_UNKNOWN
    """The user did not say."""
    INCORRECT_DATA = _c.MTOKEN_REJECT_INCORRECT_DATA
    UNEXPECTED_OPERATION = _c.MTOKEN_REJECT_UNEXPECTED_OPERATION
    PREAPPROVAL = _c.MTOKEN_REJECT_PREAPPROVAL
    """Rejected on a pre-approval screen."""


class PushService(OpenIntEnum):
    """Who delivers push messages."""

    APNS = _c.MTOKEN_PUSH_PLATFORM_APNS
    FCM = _c.MTOKEN_PUSH_PLATFORM_FCM
    HMS = _c.MTOKEN_PUSH_PLATFORM_HMS


class PushEnvironment(OpenIntEnum):
    """Which of Apple's services."""

    DEFAULT = _c.MTOKEN_PUSH_ENVIRONMENT_DEFAULT
    DEVELOPMENT = _c.MTOKEN_PUSH_ENVIRONMENT_DEVELOPMENT
    PRODUCTION = _c.MTOKEN_PUSH_ENVIRONMENT_PRODUCTION


class PushKind(OpenIntEnum):
    """What a push message tells."""

    OPERATION_CREATED = _c.MTOKEN_PUSH_KIND_OPERATION_CREATED
    OPERATION_FINISHED = _c.MTOKEN_PUSH_KIND_OPERATION_FINISHED
    INBOX_MESSAGE = _c.MTOKEN_PUSH_KIND_INBOX_MESSAGE


class PushResult(OpenIntEnum):
    """How an operation has ended."""

    UNKNOWN = _c.MTOKEN_PUSH_RESULT_UNKNOWN
    SUCCESS = _c.MTOKEN_PUSH_RESULT_SUCCESS
    FAIL = _c.MTOKEN_PUSH_RESULT_FAIL
    TIMEOUT = _c.MTOKEN_PUSH_RESULT_TIMEOUT
    CANCELED = _c.MTOKEN_PUSH_RESULT_CANCELED
    METHOD_NOT_AVAILABLE = _c.MTOKEN_PUSH_RESULT_METHOD_NOT_AVAILABLE


class InboxType(OpenIntEnum):
    """How a message of the inbox is written."""

    UNKNOWN = _c.MTOKEN_INBOX_UNKNOWN
    TEXT = _c.MTOKEN_INBOX_TEXT
    HTML = _c.MTOKEN_INBOX_HTML


class MobileAuthErrorCode(OpenIntEnum):
    """How the handling of a request can fail; `error.reason` is the same in lower case."""

    OK = _c.MTOKEN_MOBILE_AUTH_OK
    DEVICE_DEREGISTERED = _c.MTOKEN_MOBILE_AUTH_DEVICE_DEREGISTERED
    USER_DEREGISTERED = _c.MTOKEN_MOBILE_AUTH_USER_DEREGISTERED
    ACTION_CANCELLED = _c.MTOKEN_MOBILE_AUTH_ACTION_CANCELLED
    NETWORK_CONNECTIVITY = _c.MTOKEN_MOBILE_AUTH_NETWORK_CONNECTIVITY
    SERVER_NOT_REACHABLE = _c.MTOKEN_MOBILE_AUTH_SERVER_NOT_REACHABLE
    NOT_FOUND = _c.MTOKEN_MOBILE_AUTH_NOT_FOUND
    NOT_HANDLEABLE = _c.MTOKEN_MOBILE_AUTH_NOT_HANDLEABLE
    USER_DISENROLLED = _c.MTOKEN_MOBILE_AUTH_USER_DISENROLLED
    NOT_ENROLLED = _c.MTOKEN_MOBILE_AUTH_NOT_ENROLLED
    ALREADY_IN_PROGRESS = _c.MTOKEN_MOBILE_AUTH_ALREADY_IN_PROGRESS
    CONFIGURATION_INVALID = _c.MTOKEN_MOBILE_AUTH_CONFIGURATION_INVALID
    EXPIRED = _c.MTOKEN_MOBILE_AUTH_EXPIRED
    OTHER = _c.MTOKEN_MOBILE_AUTH_OTHER
    PROXIMITY_REQUIRED = _c.MTOKEN_MOBILE_AUTH_PROXIMITY_REQUIRED


class Authenticator(OpenIntEnum):
    """How the user proves who they are."""

    NONE = _c.MTOKEN_AUTHENTICATOR_NONE
    PIN = _c.MTOKEN_AUTHENTICATOR_PIN
    BIOMETRIC = _c.MTOKEN_AUTHENTICATOR_BIOMETRIC
    CUSTOM = _c.MTOKEN_AUTHENTICATOR_CUSTOM


class ChallengeKind(OpenIntEnum):
    """What is asked of the user."""

    CONFIRMATION = _c.MTOKEN_CHALLENGE_CONFIRMATION
    PIN = _c.MTOKEN_CHALLENGE_PIN
    BIOMETRIC = _c.MTOKEN_CHALLENGE_BIOMETRIC
    CUSTOM = _c.MTOKEN_CHALLENGE_CUSTOM
    PROXIMITY = _c.MTOKEN_CHALLENGE_PROXIMITY
