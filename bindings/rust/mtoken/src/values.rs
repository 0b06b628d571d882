// Made by bindings/generate from mtoken.h. Do not edit.

macro_rules! values {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $number:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i32);
        impl $name {
            $($(#[$of])* pub const $value: $name = $name($number);)*
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $(if self.0 == $number {
                    return formatter.write_str(concat!(stringify!($name), "::", stringify!($value)));
                })*
                write!(formatter, concat!(stringify!($name), "({})"), self.0)
            }
        }
        impl From<$name> for i32 {
            fn from(value: $name) -> i32 {
                value.0
            }
        }
    };
}

macro_rules! flags {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $number:expr,)* }) => {
        values! { $(#[$about])* $name { $($(#[$of])* $value = $number,)* } }
        impl $name {
            /// Whether all of these are among them.
            pub fn contains(self, flags: $name) -> bool {
                self.0 & flags.0 == flags.0
            }
        }
        impl std::ops::BitOr for $name {
            type Output = $name;
            fn bitor(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }
        }
    };
}

values! {
    /// The result of a call.
    ErrorCode {
        /// the call succeeded
        MTOKEN_OK = 0,
        /// an argument is missing, malformed, too long or not valid UTF-8
        ARGUMENT = 1,
        /// the handle is NULL, was freed, or is not of this type
        HANDLE = 2,
        /// The call is not allowed in the current state or, with reason "forked", in this process
        STATE = 3,
        /// the client has no activation
        NOT_ACTIVATED = 4,
        /// This device has an activation in progress: persist or cancel it first
        PENDING = 5,
        /// The host cancelled the task, freed the client or runtime, or interrupted the wait
        CANCELLED = 6,
        /// the time limit has expired
        TIMEOUT = 7,
        /// Could not connect, lost the connection, or could not resolve the name
        NETWORK = 8,
        /// the TLS handshake failed or the certificate is not trusted
        TLS = 9,
        /// the server's public key matches no pinned key
        PIN_MISMATCH = 10,
        /// The HTTP status is not 200 and the body holds no valid error object
        HTTP = 11,
        /// the server answered with an error object: see server_code
        SERVER = 12,
        /// The server refused the PIN or biometry key, and counted a failed attempt: see error.h
        AUTHENTICATION = 13,
        /// the response violates the protocol
        PROTOCOL = 14,
        /// The response cannot be decrypted, or its authentication code is wrong
        DECRYPTION = 15,
        /// A server signature is invalid, or a signature could not be computed
        SIGNATURE = 16,
        /// the state could not be loaded, saved or removed
        STORAGE = 17,
        /// The stored state is damaged or was modified by someone else
        TAMPERED = 18,
        /// Another process or client uses this activation, or this call is already running
        BUSY = 19,
        /// a text (activation code, JSON, ...) is malformed: see byte_offset
        PARSE = 20,
        /// the requested item does not exist
        NOT_FOUND = 21,
        /// The factor is not set up, or the operation does not allow it
        FACTOR = 22,
        /// The server or the stored state requires something that this version does not support
        UNSUPPORTED = 23,
        /// the client's configuration is invalid
        CONFIGURATION = 24,
        /// an underlying library failed, for example for lack of memory
        INTERNAL = 25,
        /// The bank has not yet confirmed the activation: mtoken_client_wait_active
        PENDING_COMMIT = 26,
        /// the activation is blocked
        BLOCKED = 27,
        /// The server has removed the activation: remove it locally, then activate again
        REMOVED = 28,
        /// A sealer could not seal or unseal the device secret
        SEALED = 29,
    }
}

values! {
    /// Yes or no, where the answer may be missing.
    Answer {
        UNSET = -1,
        NO = 0,
        YES = 1,
    }
}

values! {
    /// Versions of the PowerAuth protocol.
    Protocol {
        V3_1 = 31,
        V3_2 = 32,
        V3_3 = 33,
        V4_0 = 40,
    }
}

values! {
    /// Suites of protocol 4.0: what keys are agreed and signed with.
    Suite {
        /// in options: see mtoken_client_options.suite
        DEFAULT = 0,
        /// P-384 alone
        EC_P384 = 1,
        /// P-384 with ML-KEM-768 and ML-DSA-65
        EC_P384_ML_L3 = 2,
        /// P-384 with ML-KEM-1024 and ML-DSA-87
        EC_P384_ML_L5 = 3,
        /// in least_suite: protocol 3, which has no suites
        EC_P256 = 4,
    }
}

values! {
    /// How far the request got before the call failed.
    Outcome {
        /// nothing left the device
        NOT_SENT = 0,
        /// The request was sent, or may have been
        UNKNOWN = 1,
        /// the server's response arrived
        ANSWERED = 2,
    }
}

values! {
    /// What happened to the connection, if that is why a call failed.
    NetworkFault {
        NONE = 0,
        /// no network, or no route to the server
        NOT_CONNECTED = 1,
        /// the server's name could not be resolved
        HOST_NOT_FOUND = 2,
        /// the server refused the connection
        CONNECTION_REFUSED = 3,
        /// the connection was lost
        CONNECTION_LOST = 4,
        /// the time limit has expired
        TIMEOUT = 5,
        /// the proxy was not found or refused the connection
        PROXY = 6,
        /// the response is not HTTP
        NOT_HTTP = 7,
        /// the response is larger than allowed
        TOO_LARGE = 8,
    }
}

values! {
    /// What went wrong with TLS, if that is why a call failed.
    TlsFault {
        NONE = 0,
        /// TLS failed for a reason other than the certificate
        HANDSHAKE = 1,
        /// no trusted authority issued the certificate
        UNTRUSTED = 2,
        SELF_SIGNED = 3,
        EXPIRED = 4,
        NOT_YET_VALID = 5,
        /// the certificate is for other names
        WRONG_HOST = 6,
        REVOKED = 7,
        /// the certificate's key or signature is too weak
        WEAK = 8,
        OTHER = 9,
        /// the server's public key matches no pinned key
        PIN_MISMATCH = 10,
        /// The server refused the client's certificate, or requires one
        CLIENT_CERTIFICATE = 11,
    }
}

values! {
    /// Known server error codes, numbered by the library.
    ServerCode {
        UNKNOWN = 0,
        ERROR_GENERIC = 1,
        ERROR_NOT_FOUND = 2,
        POWERAUTH_AUTH_FAIL = 3,
        INVALID_REQUEST = 4,
        INVALID_ACTIVATION = 5,
        INVALID_APPLICATION = 6,
        INVALID_OPERATION = 7,
        ERR_ACTIVATION = 8,
        ERR_AUTHENTICATION = 9,
        ERR_SECURE_VAULT = 10,
        ERR_ENCRYPTION = 11,
        PUSH_REGISTRATION_FAILED = 12,
        OPERATION_ALREADY_FINISHED = 13,
        OPERATION_ALREADY_FAILED = 14,
        OPERATION_ALREADY_CANCELED = 15,
        OPERATION_EXPIRED = 16,
        OPERATION_FAILED = 17,
        OPERATION_REQUIRES_ACTIVATION_FLAG = 18,
        ERR_CONFIG = 19,
        INBOX_FAILED = 20,
        APPLICATION_CONFIGURATION_ERROR = 21,
        ACTIVATION_CODE_FAILED = 22,
        REMOTE_COMMUNICATION_ERROR = 23,
        ACTIVATION_NOT_ACTIVE = 24,
        ACTIVATION_NOT_CONFIGURED = 25,
        ONBOARDING_FAILED = 26,
        ONBOARDING_PROCESS_LIMIT_REACHED = 27,
        TOO_MANY_ONBOARDING_PROCESSES = 28,
        ONBOARDING_OTP_FAILED = 29,
        INVALID_DOCUMENT = 30,
        DOCUMENT_SUBMIT_FAILED = 31,
        IDENTITY_VERIFICATION_FAILED = 32,
        IDENTITY_VERIFICATION_LIMIT_REACHED = 33,
        DOCUMENT_VERIFICATION_FAILED = 34,
        PRESENCE_CHECK_FAILED = 35,
        PRESENCE_CHECK_NOT_ENABLED = 36,
        PRESENCE_CHECK_LIMIT_REACHED = 37,
        TOO_MANY_REQUESTS = 38,
        ERR_TEMPORARY_KEY = 39,
        ERR_UPGRADE = 40,
        ERR_PASSWORD_CHANGE = 41,
        ERR_BIOMETRY = 42,
        ERR_USER_INFO = 43,
        ERR_STATUS = 44,
        ERR_VALIDATION = 45,
    }
}

values! {
    /// Kinds of fields in operation data.
    FieldType {
        /// no content: a placeholder
        EMPTY = 0,
        /// letter A: amount and currency
        AMOUNT = 1,
        /// letter I: IBAN, optionally with BIC
        ACCOUNT = 2,
        /// letter Q: account in any format
        ANY_ACCOUNT = 3,
        /// letter D: date
        DATE = 4,
        /// letter R: payment reference
        REFERENCE = 5,
        /// letter N: note
        NOTE = 6,
        /// letter T: free text
        TEXT = 7,
        /// any other letter: show it as text
        OTHER = 8,
    }
}

values! {
    /// Templates of operation data; treat unknown ones as generic.
    OperationTemplate {
        GENERIC = 0,
        PAYMENT = 1,
        LOGIN = 2,
    }
}

values! {
    /// Operation status, from "status".
    OperationStatus {
        /// A status that this version does not know: do not offer approval
        UNKNOWN = 0,
        PENDING = 1,
        APPROVED = 2,
        REJECTED = 3,
        CANCELED = 4,
        EXPIRED = 5,
        FAILED = 6,
    }
}

values! {
    /// Signature type, from "allowedSignatureType"."type".
    SignatureType {
        UNKNOWN = 0,
        ONE_FACTOR = 1,
        TWO_FACTOR = 2,
        /// mobile tokens cannot create it
        ECDSA = 3,
    }
}

flags! {
    /// Allowed factors, from "allowedSignatureType"."variants".
    Variant {
        POSSESSION = 1,
        POSSESSION_KNOWLEDGE = 2,
        POSSESSION_BIOMETRY = 4,
    }
}

values! {
    /// Kind of a form row, from "type".
    AttributeType {
        UNKNOWN = 0,
        AMOUNT = 1,
        AMOUNT_CONVERSION = 2,
        KEY_VALUE = 3,
        NOTE = 4,
        HEADING = 5,
        PARTY_INFO = 6,
        IMAGE = 7,
        ALERT = 8,
    }
}

values! {
    /// Severity, from "alertType" or the style of a screen element.
    AlertType {
        /// also for types that this version does not know
        INFO = 0,
        SUCCESS = 1,
        WARNING = 2,
        ERROR = 3,
    }
}

values! {
    /// Kind of a pre-approval screen, from "type".
    ScreenType {
        UNKNOWN = 0,
        WARNING = 1,
        INFO = 2,
        /// the user must scan a proximity code before approving
        QR_SCAN = 3,
    }
}

values! {
    /// Kind of a screen element, from "type".
    ElementType {
        UNKNOWN = 0,
        LIST_ITEM = 1,
        ALERT = 2,
        BUTTON = 3,
    }
}

values! {
    /// Kind of a post-approval screen, from "type".
    PostScreenType {
        UNKNOWN = 0,
        REVIEW = 1,
        MERCHANT_REDIRECT = 2,
        GENERIC = 3,
    }
}

flags! {
    /// Contradictions between what the user sees (the form) and what is signed (the data).
    Contradiction {
        /// a signed amount is not displayed, but other amounts are
        AMOUNT = 1,
        /// a signed amount is displayed in another currency
        CURRENCY = 2,
        /// A signed account is not displayed, but other accounts are
        ACCOUNT = 4,
        /// an amount is signed, but none is displayed
        AMOUNT_HIDDEN = 8,
        /// an account is signed, but none is displayed
        ACCOUNT_HIDDEN = 16,
        /// A row has the right number, but its formatted text shows another amount, none, or more
        AMOUNT_TEXT = 32,
        /// An unsigned amount is displayed in addition to the signed ones: a decoy, or a fee
        UNSIGNED_AMOUNT = 64,
        /// A row of the form is unreadable and not displayed: see issues
        LOST_ROW = 128,
        /// operation_data has an unknown form: the library cannot tell what is signed
        UNREADABLE = 256,
        /// The texts are too long to be read, and were not all compared
        TOO_LONG = 512,
    }
}

flags! {
    /// Factors of an authentication.
    Factor {
        /// this device
        POSSESSION = 1,
        /// the PIN or password
        KNOWLEDGE = 2,
        /// the key under biometric protection
        BIOMETRY = 4,
    }
}

values! {
    /// The key that signed.
    Key {
        /// the application's server: also without an activation
        MASTER = 0,
        /// the server's key for this activation
        PERSONALIZED = 1,
        /// Protocol 4.0: the key that server and activation share, whose code stands for a signature
        PERSONALIZED_MAC = 2,
    }
}

values! {
    /// Encoding of an ECDSA signature, created or verified.
    DeviceSignature {
        /// ASN.1 sequence of r and s
        DER = 0,
        /// r and s, 32 bytes each (P-384: 48), as in JOSE
        RAW = 1,
    }
}

values! {
    /// How the one-time password of a proximity check was received.
    ProximityType {
        /// scanned
        QR_CODE = 1,
        /// opened by the operating system
        DEEPLINK = 2,
    }
}

values! {
    /// How the last fetch of the list ended.
    FetchState {
        /// no fetch has ended with this activation
        NONE = 0,
        SUCCEEDED = 1,
        FAILED = 2,
    }
}

values! {
    /// Whether operations are polled.
    Polling {
        OFF = 0,
        ON = 1,
        /// by the host
        PAUSED = 2,
        /// The activation is not active: only its status is fetched, until it is
        WAITING = 3,
    }
}

flags! {
    /// What is attached to an operation.
    Attached {
        PROXIMITY = 1,
        DATA = 2,
    }
}

values! {
    /// What a trace reports.
    TraceStage {
        /// a request was handed to the network
        REQUEST = 1,
        /// its response is complete
        ANSWER = 2,
        /// there is no response: see error
        FAILURE = 3,
    }
}

values! {
    /// Kinds of events.
    EventKind {
        /// a task has completed
        TASK = 1,
        /// a client's state was stored durably
        STATE_STORED = 2,
        /// a log line
        LOG = 3,
        /// Progress of the operations that a client tracks (registry.h). Every fetch, whoever started it, queues LOADING with 1, then CHANGED (even if nothing differs) or FAILED, then LOADING with 0
        OPERATIONS_CHANGED = 4,
        OPERATIONS_FAILED = 5,
        OPERATIONS_LOADING = 6,
        /// operations of a watcher have expired (watcher.h)
        OPERATIONS_EXPIRED = 7,
        /// a request or its response (trace.h)
        TRACE = 8,
        /// the user must answer a challenge (mobile_auth.h)
        CHALLENGE = 9,
        /// Polling of operations (registry.h). WAITS: the activation is not active (the error says why), so polling fetches only the status, at growing intervals
        POLLING_WAITS = 10,
        POLLING_GOES_ON = 11,
        /// For the host to send, and no longer of use (transport.h). Both are queued for clients with MTOKEN_TRANSPORT_HOST, whatever the runtime's event mask is
        REQUEST = 12,
        REQUEST_ENDED = 13,
        /// The server's counter has moved on without this client: another copy of its state has signed, or an older state was restored
        COUNTER_BEHIND = 14,
    }
}

flags! {
    /// Which events a runtime queues.
    Events {
        /// only those requested with mtoken_task_notify
        NONE = 0,
        /// MTOKEN_EVENT_TASK, of every task
        TASKS = 1,
        /// MTOKEN_EVENT_STATE_STORED
        STATE = 2,
        /// MTOKEN_EVENT_LOG
        LOG = 4,
        /// MTOKEN_EVENT_OPERATIONS_..., MTOKEN_EVENT_POLLING_...
        OPERATIONS = 8,
        /// MTOKEN_EVENT_TRACE
        TRACE = 16,
        /// MTOKEN_EVENT_CHALLENGE
        CHALLENGES = 32,
        /// MTOKEN_EVENT_COUNTER_BEHIND
        COUNTER = 64,
        ALL = 2147483647,
    }
}

values! {
    /// Log levels.
    LogLevel {
        OFF = 0,
        /// a failure on this device: storage, memory
        ERROR = 1,
        /// a call failed, an item was ignored, or an option is unsafe
        WARNING = 2,
        /// each request and its response
        INFO = 3,
        /// why a call waits, and each save of the state
        DEBUG = 4,
    }
}

values! {
    /// State of a task.
    TaskState {
        RUNNING = 0,
        SUCCEEDED = 1,
        FAILED = 2,
        CANCELLED = 3,
    }
}

values! {
    /// Who keeps the device secret of a client.
    Protection {
        /// nobody: it is in memory only
        NONE = 0,
        /// it lies in a file beside the state
        FILE = 1,
        /// the keyring of the user's session
        SESSION = 2,
        /// a TPM, smart card, HSM or security key
        HARDWARE = 3,
        /// The host: its device_secret, store, sealer or systemd credential
        HOST = 4,
    }
}

values! {
    /// Why a sealer could not seal or unseal.
    SealFault {
        NONE = 0,
        /// "sealUnavailable": there is no such hardware or service, or it cannot be reached
        UNAVAILABLE = 1,
        /// "sealDenied": no permission, a wrong password, or the user refused
        DENIED = 2,
        /// "sealLocked": locked after too many wrong passwords
        LOCKED = 3,
        /// "sealForeign": sealed by other hardware or another user
        FOREIGN = 4,
        /// "sealCleared": the hardware was reset since
        CLEARED = 5,
        /// "sealChanged": the machine is not in the state required
        CHANGED = 6,
        /// "sealDamaged": what was sealed is damaged or was modified
        DAMAGED = 7,
        /// "sealFailed": anything else
        FAILED = 8,
        /// the options are wrong: the call fails with ARGUMENT
        OPTIONS = 9,
    }
}

values! {
    /// For whom a request is encrypted.
    Scope {
        /// the application's server: also without an activation
        APPLICATION = 1,
        /// the server, with the keys of this activation
        ACTIVATION = 2,
    }
}

values! {
    /// What the signature of an encrypted request covers.
    Order {
        ENCRYPT_THEN_SIGN = 0,
        SIGN_THEN_ENCRYPT = 1,
    }
}

values! {
    /// State of an activation at the server.
    ActivationState {
        /// the code was issued but not yet used
        CREATED = 1,
        /// awaits the bank's confirmation
        PENDING_COMMIT = 2,
        ACTIVE = 3,
        BLOCKED = 4,
        REMOVED = 5,
        /// The distance between the device's counter and the server's has reached the server's look-ahead window: the server accepts no further signature, and this library creates none
        DEADLOCK = 128,
    }
}

flags! {
    /// What makes a PIN easy to guess: what the passphrase meter of the mobile SDKs looks for.
    PinWeakness {
        /// fewer than 4 bytes, which no PIN may have
        SHORT = 1,
        /// at most two different characters, or one group repeated: 123123
        REPEATED = 2,
        /// More than half of it counts up or down by one, e.g. 1234, 9876, 7890, or 123451
        SEQUENTIAL = 4,
        /// One of the most common PINs, a line of the keypad (2580), or a common word: passw0rd1
        COMMON = 8,
        /// may be a date or a year: 2412, 311299, 24.12.1999, 1974
        DATE = 16,
    }
}

values! {
    /// How the server's certificate is verified.
    Tls {
        /// against ca_file if it is set, or the system's trust store, as it is
        SYSTEM = 0,
        /// against the certificates in ca_file, which must be set
        CA = 1,
        /// not at all: for tests only
        UNSAFE = 2,
    }
}

values! {
    /// Who sends the requests of a client.
    Transport {
        /// the library, with libcurl
        LIBRARY = 0,
        /// the host, with whatever it has: see transport.h
        HOST = 1,
    }
}

values! {
    /// State of a client.
    ClientState {
        /// no activation: mtoken_client_activate may be called
        EMPTY = 0,
        /// An activation is in progress: mtoken_client_persist or _cancel_activation comes next
        PENDING = 1,
        /// The activation is stored on this device
        ACTIVE = 2,
    }
}

values! {
    /// Which of the vault's keys a key is made of: they differ in the factors.
    VaultKey {
        /// possession and the PIN or biometry
        TWO_FACTORS = 1,
        /// possession and the PIN only
        KNOWLEDGE = 2,
    }
}

values! {
    /// Whether the server's signature was verified, and with what result.
    Verified {
        /// not verified: anyone may have created the payload
        NOT_CHECKED = 0,
        /// the server created the payload
        VALID = 1,
        /// the server did not create it, or it was modified
        INVALID = 2,
        /// for an activation of another protocol
        UNSUPPORTED = 3,
    }
}

values! {
    /// Format of a code.
    PacForm {
        /// `scheme://operation?oid=...&totp=...` (or potp)
        DEEPLINK = 1,
        /// `scheme://operation?code=JWT`, or `scheme://code=JWT`
        DEEPLINK_JWT = 2,
        /// a JSON Web Token alone
        JWT = 3,
    }
}

values! {
    /// Hash function of a one-time password.
    TotpAlgorithm {
        SHA256 = 0,
        SHA512 = 1,
    }
}

values! {
    /// Services that deliver push messages.
    PushService {
        /// Apple
        APNS = 1,
        /// Firebase, also on Apple devices
        FCM = 2,
        /// Huawei
        HMS = 3,
    }
}

values! {
    /// APNs environments.
    PushEnvironment {
        /// as the server is configured
        DEFAULT = 0,
        DEVELOPMENT = 1,
        PRODUCTION = 2,
    }
}

values! {
    /// What a push message reports.
    PushKind {
        /// An operation waits for approval ("mtoken.operationInit")
        OPERATION_CREATED = 1,
        /// An operation has ended ("mtoken.operationFinished")
        OPERATION_FINISHED = 2,
        /// The inbox has a new message ("mtoken.inboxMessage.new")
        INBOX_MESSAGE = 3,
        /// The activation was blocked, unblocked, confirmed or removed ("mtoken.statusChange"): fetch the status
        STATUS_CHANGE = 4,
    }
}

values! {
    /// How an operation has ended.
    PushResult {
        /// not known to this version
        UNKNOWN = 0,
        /// "authentication.success"
        SUCCESS = 1,
        /// "authentication.fail"
        FAIL = 2,
        /// "operation.timeout"
        TIMEOUT = 3,
        /// "operation.canceled"
        CANCELED = 4,
        /// "operation.methodNotAvailable"
        METHOD_NOT_AVAILABLE = 5,
    }
}

values! {
    /// Format of a message.
    InboxType {
        /// not known to this version
        UNKNOWN = 0,
        /// plain text: the host lays out subject and body
        TEXT = 1,
        /// the body is a complete document
        HTML = 2,
    }
}

values! {
    /// How the handling of a request can fail.
    MobileAuthErrorCode {
        OK = 0,
        /// The server has removed the activation
        DEVICE_DEREGISTERED = 1,
        /// The activation is blocked, or was removed for too many wrong PINs, on this device too
        USER_DEREGISTERED = 2,
        /// the host cancelled the challenge or the task
        ACTION_CANCELLED = 3,
        /// no network
        NETWORK_CONNECTIVITY = 4,
        /// No usable response, also for a TLS error or an HTTP status of 500 or higher
        SERVER_NOT_REACHABLE = 5,
        /// The request is unknown to the server, finished, or another user's
        NOT_FOUND = 6,
        /// No authenticator of this device can satisfy the request
        NOT_HANDLEABLE = 7,
        /// The server has revoked the right to mobile authentication
        USER_DISENROLLED = 8,
        /// No active activation, or one that the bank has not yet confirmed
        NOT_ENROLLED = 9,
        /// The client is already handling a request
        ALREADY_IN_PROGRESS = 10,
        /// The configuration is invalid, or the server refuses the application or its signatures
        CONFIGURATION_INVALID = 11,
        /// the request expired while it waited for the user
        EXPIRED = 12,
        /// any other failure: see the error
        OTHER = 13,
        /// The request requires a proximity check, but no password is known
        PROXIMITY_REQUIRED = 14,
    }
}

values! {
    /// How the user authenticates.
    AuthenticatorType {
        /// this device alone: a confirmation
        NONE = 0,
        PIN = 1,
        BIOMETRIC = 2,
        CUSTOM = 3,
    }
}

values! {
    /// Kinds of challenges.
    ChallengeKind {
        /// answers: confirm, deny, cancel
        CONFIRMATION = 1,
        /// answers: pin, deny, cancel
        PIN = 2,
        /// answers: biometric, use_pin, deny, cancel
        BIOMETRIC = 3,
        /// answers: custom, use_pin, deny, cancel
        CUSTOM = 4,
        /// Answers: proximity, deny, cancel
        PROXIMITY = 5,
    }
}

values! {
    /// What a cell shows.
    CellKind {
        /// the operation's title
        TITLE = 1,
        /// the operation's message
        MESSAGE = 2,
        /// a HEADING attribute
        HEADING = 3,
        /// an IMAGE attribute
        IMAGE = 4,
        /// any other attribute, with its label
        VALUE = 5,
    }
}

values! {
    /// Types of JSON values.
    JsonKind {
        NULL = 0,
        BOOLEAN = 1,
        INTEGER = 2,
        REAL = 3,
        TEXT = 4,
        ARRAY = 5,
        OBJECT = 6,
    }
}

/// What kind of failure an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// an argument is missing, malformed, too long or not valid UTF-8
    Argument,
    /// the handle is NULL, was freed, or is not of this type
    Handle,
    /// The call is not allowed in the current state or, with reason "forked", in this process
    State,
    /// the client has no activation
    NotActivated,
    /// This device has an activation in progress: persist or cancel it first
    Pending,
    /// The host cancelled the task, freed the client or runtime, or interrupted the wait
    Cancelled,
    /// the time limit has expired
    Timeout,
    /// Could not connect, lost the connection, or could not resolve the name
    Network,
    /// the TLS handshake failed or the certificate is not trusted
    Tls,
    /// the server's public key matches no pinned key
    PinMismatch,
    /// The HTTP status is not 200 and the body holds no valid error object
    Http,
    /// the server answered with an error object: see server_code
    Server,
    /// The server refused the PIN or biometry key, and counted a failed attempt: see error.h
    Authentication,
    /// the response violates the protocol
    Protocol,
    /// The response cannot be decrypted, or its authentication code is wrong
    Decryption,
    /// A server signature is invalid, or a signature could not be computed
    Signature,
    /// the state could not be loaded, saved or removed
    Storage,
    /// The stored state is damaged or was modified by someone else
    Tampered,
    /// Another process or client uses this activation, or this call is already running
    Busy,
    /// a text (activation code, JSON, ...) is malformed: see byte_offset
    Parse,
    /// the requested item does not exist
    NotFound,
    /// The factor is not set up, or the operation does not allow it
    Factor,
    /// The server or the stored state requires something that this version does not support
    Unsupported,
    /// the client's configuration is invalid
    Configuration,
    /// an underlying library failed, for example for lack of memory
    Internal,
    /// The bank has not yet confirmed the activation: mtoken_client_wait_active
    PendingCommit,
    /// the activation is blocked
    Blocked,
    /// The server has removed the activation: remove it locally, then activate again
    Removed,
    /// A sealer could not seal or unseal the device secret
    Sealed,
    /// One that this version does not know.
    Unknown,
}

impl From<ErrorCode> for ErrorKind {
    fn from(code: ErrorCode) -> Self {
        match code {
            ErrorCode::ARGUMENT => ErrorKind::Argument,
            ErrorCode::HANDLE => ErrorKind::Handle,
            ErrorCode::STATE => ErrorKind::State,
            ErrorCode::NOT_ACTIVATED => ErrorKind::NotActivated,
            ErrorCode::PENDING => ErrorKind::Pending,
            ErrorCode::CANCELLED => ErrorKind::Cancelled,
            ErrorCode::TIMEOUT => ErrorKind::Timeout,
            ErrorCode::NETWORK => ErrorKind::Network,
            ErrorCode::TLS => ErrorKind::Tls,
            ErrorCode::PIN_MISMATCH => ErrorKind::PinMismatch,
            ErrorCode::HTTP => ErrorKind::Http,
            ErrorCode::SERVER => ErrorKind::Server,
            ErrorCode::AUTHENTICATION => ErrorKind::Authentication,
            ErrorCode::PROTOCOL => ErrorKind::Protocol,
            ErrorCode::DECRYPTION => ErrorKind::Decryption,
            ErrorCode::SIGNATURE => ErrorKind::Signature,
            ErrorCode::STORAGE => ErrorKind::Storage,
            ErrorCode::TAMPERED => ErrorKind::Tampered,
            ErrorCode::BUSY => ErrorKind::Busy,
            ErrorCode::PARSE => ErrorKind::Parse,
            ErrorCode::NOT_FOUND => ErrorKind::NotFound,
            ErrorCode::FACTOR => ErrorKind::Factor,
            ErrorCode::UNSUPPORTED => ErrorKind::Unsupported,
            ErrorCode::CONFIGURATION => ErrorKind::Configuration,
            ErrorCode::INTERNAL => ErrorKind::Internal,
            ErrorCode::PENDING_COMMIT => ErrorKind::PendingCommit,
            ErrorCode::BLOCKED => ErrorKind::Blocked,
            ErrorCode::REMOVED => ErrorKind::Removed,
            ErrorCode::SEALED => ErrorKind::Sealed,
            _ => ErrorKind::Unknown,
        }
    }
}
