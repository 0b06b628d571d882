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
            #[must_use]
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
    /// The result of a call. Treat an unknown code as `ErrorCode::INTERNAL`.
    ErrorCode {
        /// The call succeeded.
        MTOKEN_OK = 0,
        /// An argument is missing, malformed, too long or not valid UTF-8.
        ARGUMENT = 1,
        /// The handle is `None`, was freed, or is not of this type.
        HANDLE = 2,
        /// The call is not allowed in the current state or, with reason "forked", in this process.
        STATE = 3,
        /// The client has no activation; nothing was sent.
        NOT_ACTIVATED = 4,
        /// This device has an activation in progress: persist or cancel it first.
        PENDING = 5,
        /// The host cancelled the task, freed the client or runtime, or interrupted the wait.
        CANCELLED = 6,
        /// The time limit has expired.
        TIMEOUT = 7,
        /// Could not connect, lost the connection, or could not resolve the name.
        NETWORK = 8,
        /// The TLS handshake failed or the certificate is not trusted.
        TLS = 9,
        /// The server's public key matches no pinned key.
        PIN_MISMATCH = 10,
        /// The HTTP status is not 200 and the body holds no valid error object.
        HTTP = 11,
        /// The server answered with an error object: see `server_code`.
        SERVER = 12,
        /// The server refused the PIN or biometry key, and counted a failed attempt.
        AUTHENTICATION = 13,
        /// The response violates the protocol.
        PROTOCOL = 14,
        /// The response cannot be decrypted, or its authentication code is wrong.
        DECRYPTION = 15,
        /// A server signature is invalid, or a signature could not be computed.
        SIGNATURE = 16,
        /// The state could not be loaded, saved or removed.
        STORAGE = 17,
        /// The stored state is damaged or was modified by someone else; it was left unchanged.
        TAMPERED = 18,
        /// Another process or client uses this activation, or this call is already running.
        BUSY = 19,
        /// A text (activation code, JSON, ...) is malformed: see `byte_offset`.
        PARSE = 20,
        /// The requested item does not exist.
        NOT_FOUND = 21,
        /// The factor is not set up, or the operation does not allow it; nothing was sent.
        FACTOR = 22,
        /// The server or the stored state requires something that this version does not support.
        UNSUPPORTED = 23,
        /// The client's configuration is invalid.
        CONFIGURATION = 24,
        /// An underlying library failed, for example for lack of memory.
        INTERNAL = 25,
        /// The bank has not yet confirmed the activation: `Client::wait_active`.
        PENDING_COMMIT = 26,
        /// The activation is blocked; the bank can unblock it.
        BLOCKED = 27,
        /// The server has removed the activation: remove it locally, then activate again.
        REMOVED = 28,
        /// A sealer could not seal or unseal the device secret; the state is as before.
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
    /// Suites of protocol 4.0: what keys are agreed and signed with. A hybrid suite combines P-384 with a post-quantum
    /// algorithm, and stays secure as long as one of the two is. Hybrid suites need OpenSSL 3.5 or later at run time.
    Suite {
        /// In options: see `ClientOptions::suite`.
        DEFAULT = 0,
        /// P-384 alone.
        EC_P384 = 1,
        /// P-384 with ML-KEM-768 and ML-DSA-65.
        EC_P384_ML_L3 = 2,
        /// P-384 with ML-KEM-1024 and ML-DSA-87.
        EC_P384_ML_L5 = 3,
        /// In `least_suite`: protocol 3, which has no suites.
        EC_P256 = 4,
    }
}

values! {
    /// How far the request got before the call failed.
    Outcome {
        /// Nothing left the device.
        NOT_SENT = 0,
        /// The request was sent, or may have been; whether the server acted on it is unknown.
        UNKNOWN = 1,
        /// The server's response arrived.
        ANSWERED = 2,
    }
}

values! {
    /// What happened to the connection, if that is why a call failed.
    NetworkFault {
        NONE = 0,
        /// No network, or no route to the server.
        NOT_CONNECTED = 1,
        /// The server's name could not be resolved.
        HOST_NOT_FOUND = 2,
        /// The server refused the connection.
        CONNECTION_REFUSED = 3,
        /// The connection was lost.
        CONNECTION_LOST = 4,
        /// The time limit has expired.
        TIMEOUT = 5,
        /// The proxy was not found or refused the connection.
        PROXY = 6,
        /// The response is not HTTP.
        NOT_HTTP = 7,
        /// The response is larger than allowed.
        TOO_LARGE = 8,
    }
}

values! {
    /// What went wrong with TLS, if that is why a call failed.
    TlsFault {
        NONE = 0,
        /// TLS failed for a reason other than the certificate.
        HANDSHAKE = 1,
        /// No trusted authority issued the certificate.
        UNTRUSTED = 2,
        SELF_SIGNED = 3,
        EXPIRED = 4,
        NOT_YET_VALID = 5,
        /// The certificate is for other names.
        WRONG_HOST = 6,
        REVOKED = 7,
        /// The certificate's key or signature is too weak.
        WEAK = 8,
        OTHER = 9,
        /// The server's public key matches no pinned key.
        PIN_MISMATCH = 10,
        /// The server refused the client's certificate, or requires one.
        CLIENT_CERTIFICATE = 11,
    }
}

values! {
    /// Known server error codes, numbered by the library. Later versions append codes.
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
        /// No content: a placeholder.
        EMPTY = 0,
        /// Letter A: amount and currency.
        AMOUNT = 1,
        /// Letter I: IBAN, optionally with BIC.
        ACCOUNT = 2,
        /// Letter Q: account in any format.
        ANY_ACCOUNT = 3,
        /// Letter D: date.
        DATE = 4,
        /// Letter R: payment reference.
        REFERENCE = 5,
        /// Letter N: note.
        NOTE = 6,
        /// Letter T: free text.
        TEXT = 7,
        /// Any other letter: show it as text.
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
        /// A status that this version does not know: do not offer approval; see `status_text`.
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
        /// Mobile tokens cannot create it.
        ECDSA = 3,
    }
}

flags! {
    /// Allowed factors, from "allowedSignatureType"."variants". Bit flags; combine with |.
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
        /// Also for types that this version does not know.
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
        /// The user must scan a proximity code before approving.
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
    /// Contradictions between what the user sees (the form) and what is signed (the data). Bit flags; combine with |.
    ///
    /// This comparison is a net, not the guarantee. A bank's texts can always say something in words ("one euro",
    /// "nothing to pay") that no comparison understands. The guarantee is `Operation::summary`, which is made from the
    /// signed data alone: show it above the question for the PIN.
    ///
    /// The library compares:
    ///
    /// - Rows that state an amount: each text of AMOUNT, of both sides of AMOUNT_CONVERSION, and a KEY_VALUE or NOTE
    ///   that shows a signed amount. The whole text must be a sign, digits of one script with marks of grouping and
    ///   decimals, and the signed currency's code or one of its signs, before or after: 10000.50, 10,000.50, 10.000,50
    ///   CZK, 10 000,50 Kč, CHF 10'000.50, 1,00,000.50, 100,-, ($5.00). Anything else in it, seen or not, is a
    ///   contradiction. So is a text that reads as two amounts: "12.345" for 12345, unless the currency has no
    ///   decimals.
    /// - A KEY_VALUE or NOTE that shows a signed account (I, Q): the account and nothing else; a signed BIC may follow.
    ///   Spaces, dashes in an IBAN and letter case are ignored. A Czech or Slovak account may be displayed as an IBAN,
    ///   or as number and bank code. Another account may stand alone in a row of its own: the payer's.
    /// - All other texts: title, message, labels (read together with their value), ALERT, PARTY_INFO, and the composed
    ///   texts of the layout of lists. They are compared as they look: letters and digits of all styles and look-alike
    ///   scripts are the same; marks, markup and what nobody sees are ignored. A number with a currency of any kind
    ///   within a few characters that are no letters must be a signed amount; an account with valid check digits must
    ///   be a signed one. Exceptions: the other side of an exchange, a rate that stands alone ("1 EUR = 25.10 CZK",
    ///   "EUR/CZK"), and what a signed text (N, R, T) also contains.
    ///
    /// Displayed counts only what the bank's layout (templates) shows: not rows of unknown kinds, labels of images,
    /// collapsed cells, hidden labels, nor what stands behind 4,096 bytes (a line counts as 64). Texts of more than
    /// 16,384 bytes in total are TOO_LONG, and are not compared.
    ///
    /// The library cannot compare the following:
    ///
    /// - What texts say in words, with names of currencies too, in pictures, and on the screens before and after;
    ///   numbers without a currency.
    /// - Dates, references, notes and other texts that are signed; a BIC; fields of later versions.
    /// - What is displayed when nothing of its kind is signed (an amount in a login).
    /// - Which of several signed amounts or displayed accounts is which: labels are free text.
    /// - Currencies that share a sign ($, kr, ¥).
    Contradiction {
        /// A signed amount is not displayed, but other amounts are.
        AMOUNT = 1,
        /// A signed amount is displayed in another currency.
        CURRENCY = 2,
        /// A signed account is not displayed, but other accounts are.
        ACCOUNT = 4,
        /// An amount is signed, but none is displayed.
        AMOUNT_HIDDEN = 8,
        /// An account is signed, but none is displayed.
        ACCOUNT_HIDDEN = 16,
        /// A row has the right number, but its formatted text shows another amount, none, or more.
        AMOUNT_TEXT = 32,
        /// An unsigned amount is displayed in addition to the signed ones: a decoy, or a fee.
        UNSIGNED_AMOUNT = 64,
        /// A row of the form is unreadable and not displayed: see issues.
        LOST_ROW = 128,
        /// `operation_data` has an unknown form: the library cannot tell what is signed.
        UNREADABLE = 256,
        /// The texts are too long to be read, and were not all compared.
        TOO_LONG = 512,
    }
}

flags! {
    /// Factors of an authentication. Bit flags; combine with |.
    Factor {
        /// This device.
        POSSESSION = 1,
        /// The PIN or password.
        KNOWLEDGE = 2,
        /// The key under biometric protection.
        BIOMETRY = 4,
    }
}

values! {
    /// The key that signed.
    Key {
        /// The application's server: also without an activation.
        MASTER = 0,
        /// The server's key for this activation.
        PERSONALIZED = 1,
        /// Protocol 4.0: the key that server and activation share, whose code stands for a signature.
        PERSONALIZED_MAC = 2,
    }
}

values! {
    /// Encoding of an ECDSA signature, created or verified.
    DeviceSignature {
        /// ASN.1 sequence of r and s.
        DER = 0,
        /// r and s, 32 bytes each (P-384: 48), as in JOSE.
        RAW = 1,
    }
}

values! {
    /// How the one-time password of a proximity check was received.
    ProximityType {
        /// Scanned.
        QR_CODE = 1,
        /// Opened by the operating system.
        DEEPLINK = 2,
    }
}

values! {
    /// How the last fetch of the list ended.
    FetchState {
        /// No fetch has ended with this activation.
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
        /// By the host.
        PAUSED = 2,
        /// The activation is not active: only its status is fetched, until it is.
        WAITING = 3,
    }
}

flags! {
    /// What is attached to an operation. Bit flags; combine with |.
    Attached {
        PROXIMITY = 1,
        DATA = 2,
    }
}

values! {
    /// What a trace reports.
    TraceStage {
        /// A request was handed to the network.
        REQUEST = 1,
        /// Its response is complete.
        ANSWER = 2,
        /// There is no response: see error.
        FAILURE = 3,
    }
}

values! {
    /// Kinds of events. Ignore unknown kinds.
    EventKind {
        /// A task has completed.
        TASK = 1,
        /// A client's state was stored durably.
        STATE_STORED = 2,
        /// A log line.
        LOG = 3,
        /// Progress of the operations that a client tracks. Every fetch, whoever started it, queues LOADING with 1,
        /// then CHANGED (even if nothing differs) or FAILED, then LOADING with 0. Claims, approvals and rejections
        /// queue CHANGED too.
        OPERATIONS_CHANGED = 4,
        OPERATIONS_FAILED = 5,
        OPERATIONS_LOADING = 6,
        /// Operations of a watcher have expired.
        OPERATIONS_EXPIRED = 7,
        /// A request or its response.
        TRACE = 8,
        /// The user must answer a challenge.
        CHALLENGE = 9,
        /// Polling of operations. WAITS: the activation is not active (the error says why), so polling fetches only the
        /// status, at growing intervals. GOES_ON: the activation is active and polling continues.
        POLLING_WAITS = 10,
        POLLING_GOES_ON = 11,
        /// For the host to send, and no longer of use. Both are queued for clients with `Transport::HOST`, whatever the
        /// runtime's event mask is.
        REQUEST = 12,
        REQUEST_ENDED = 13,
        /// The server's counter has moved on without this client: another copy of its state has signed, or an older
        /// state was restored. The client is in step again. Expect it after restoring a backup; otherwise assume that
        /// the state was stolen, and have the bank block the activation.
        COUNTER_BEHIND = 14,
    }
}

flags! {
    /// Which events a runtime queues. Bit flags; combine with |.
    Events {
        NONE = 0,
        /// `EventKind::TASK`, of every task.
        TASKS = 1,
        /// `EventKind::STATE_STORED`.
        STATE = 2,
        /// `EventKind::LOG`.
        LOG = 4,
        /// `EventKind::OPERATIONS_CHANGED`, `EventKind::OPERATIONS_FAILED`, `EventKind::OPERATIONS_LOADING`,
        /// `EventKind::OPERATIONS_EXPIRED`, `EventKind::POLLING_WAITS`, `EventKind::POLLING_GOES_ON`.
        OPERATIONS = 8,
        /// `EventKind::TRACE`.
        TRACE = 16,
        /// `EventKind::CHALLENGE`.
        CHALLENGES = 32,
        /// `EventKind::COUNTER_BEHIND`.
        COUNTER = 64,
        ALL = 2147483647,
    }
}

values! {
    /// Log levels. Logs never contain PINs, keys, tokens, codes or texts of operations.
    LogLevel {
        OFF = 0,
        /// A failure on this device: storage, memory.
        ERROR = 1,
        /// A call failed, an item was ignored, or an option is unsafe.
        WARNING = 2,
        /// Each request and its response.
        INFO = 3,
        /// Why a call waits, and each save of the state.
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
        /// Nobody: it is in memory only.
        NONE = 0,
        /// It lies in a file beside the state.
        FILE = 1,
        /// The keyring of the user's session.
        SESSION = 2,
        /// A TPM, smart card, HSM or security key.
        HARDWARE = 3,
        /// The host: its `device_secret`, store, sealer or systemd credential; ask it how.
        HOST = 4,
    }
}

values! {
    /// Why a sealer could not seal or unseal. Each is a reason of the error `ErrorCode::SEALED`.
    SealFault {
        NONE = 0,
        /// "sealUnavailable": there is no such hardware or service, or it cannot be reached.
        UNAVAILABLE = 1,
        /// "sealDenied": no permission, a wrong password, or the user refused.
        DENIED = 2,
        /// "sealLocked": locked after too many wrong passwords.
        LOCKED = 3,
        /// "sealForeign": sealed by other hardware or another user.
        FOREIGN = 4,
        /// "sealCleared": the hardware was reset since.
        CLEARED = 5,
        /// "sealChanged": the machine is not in the state required.
        CHANGED = 6,
        /// "sealDamaged": what was sealed is damaged or was modified.
        DAMAGED = 7,
        /// "sealFailed": anything else.
        FAILED = 8,
        /// The options are wrong: the call fails with `ErrorCode::ARGUMENT`.
        OPTIONS = 9,
    }
}

values! {
    /// For whom a request is encrypted.
    Scope {
        /// The application's server: also without an activation.
        APPLICATION = 1,
        /// The server, with the keys of this activation.
        ACTIVATION = 2,
    }
}

values! {
    /// What the signature of an encrypted request covers. The bank specifies it.
    Order {
        ENCRYPT_THEN_SIGN = 0,
        SIGN_THEN_ENCRYPT = 1,
    }
}

values! {
    /// State of an activation at the server.
    ActivationState {
        /// The code was issued but not yet used.
        CREATED = 1,
        /// Awaits the bank's confirmation.
        PENDING_COMMIT = 2,
        ACTIVE = 3,
        BLOCKED = 4,
        REMOVED = 5,
        /// The distance between the device's counter and the server's has reached the server's look-ahead window: the
        /// server accepts no further signature, and this library creates none. This is not always final. If the bank
        /// temporarily runs its server with a look-ahead of 64, devices up to 63 steps ahead recover:
        /// `Client::fetch_status` finds them active and resynchronises them at once. Ask the bank for that first;
        /// remove the activation only if it cannot do so.
        DEADLOCK = 128,
    }
}

flags! {
    /// What makes a PIN easy to guess: what the passphrase meter of the mobile SDKs looks for. A PIN of four to eight
    /// digits can have several of these. Full width and other digits count as digits, and characters without a width do
    /// not count.
    PinWeakness {
        /// Fewer than 4 bytes, which no PIN may have.
        SHORT = 1,
        /// At most two different characters, or one group repeated: 123123.
        REPEATED = 2,
        /// More than half of it counts up or down by one, e.g. 1234, 9876, 7890, or 123451.
        SEQUENTIAL = 4,
        /// One of the most common PINs, a line of the keypad (2580), or a common word: passw0rd1.
        COMMON = 8,
        /// May be a date or a year: 2412, 311299, 24.12.1999, 1974.
        DATE = 16,
    }
}

values! {
    /// How the server's certificate is verified.
    Tls {
        /// Against `ca_file` if it is set, or the system's trust store, as it is.
        SYSTEM = 0,
        /// Against the certificates in `ca_file`, which must be set.
        CA = 1,
        /// Not at all: for tests only; logs a warning.
        UNSAFE = 2,
    }
}

values! {
    /// Who sends the requests of a client.
    Transport {
        /// The library, with libcurl.
        LIBRARY = 0,
        /// The host, with whatever it has.
        HOST = 1,
    }
}

values! {
    /// State of a client.
    ClientState {
        /// No activation: `Client::activate` may be called.
        EMPTY = 0,
        /// An activation is in progress: `Client::persist` or `Client::cancel_activation` comes next.
        PENDING = 1,
        /// The activation is stored on this device; at the server it may await confirmation or be blocked.
        ACTIVE = 2,
    }
}

values! {
    /// Which of the vault's keys a key is made of: they differ in the factors.
    VaultKey {
        /// Possession and the PIN or biometry.
        TWO_FACTORS = 1,
        /// Possession and the PIN only.
        KNOWLEDGE = 2,
    }
}

values! {
    /// Whether the server's signature was verified, and with what result.
    Verified {
        /// Not verified: anyone may have created the payload.
        NOT_CHECKED = 0,
        /// The server created the payload.
        VALID = 1,
        /// The server did not create it, or it was modified.
        INVALID = 2,
        /// For an activation of another protocol.
        UNSUPPORTED = 3,
    }
}

values! {
    /// Format of a code.
    PacForm {
        /// `scheme://operation?oid=...&totp=...` (or potp).
        DEEPLINK = 1,
        /// `scheme://operation?code=JWT`, or `scheme://code=JWT.`
        DEEPLINK_JWT = 2,
        /// A JSON Web Token alone.
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
        /// Apple.
        APNS = 1,
        /// Firebase, also on Apple devices.
        FCM = 2,
        /// Huawei.
        HMS = 3,
    }
}

values! {
    /// APNs environments.
    PushEnvironment {
        /// As the server is configured.
        DEFAULT = 0,
        DEVELOPMENT = 1,
        PRODUCTION = 2,
    }
}

values! {
    /// What a push message reports.
    PushKind {
        /// An operation waits for approval ("mtoken.operationInit").
        OPERATION_CREATED = 1,
        /// An operation has ended ("mtoken.operationFinished").
        OPERATION_FINISHED = 2,
        /// The inbox has a new message ("mtoken.inboxMessage.new").
        INBOX_MESSAGE = 3,
        /// The activation was blocked, unblocked, confirmed or removed ("mtoken.statusChange"): fetch the status.
        /// `activation_id` names it.
        STATUS_CHANGE = 4,
    }
}

values! {
    /// How an operation has ended.
    PushResult {
        /// Not known to this version; see `result_text`.
        UNKNOWN = 0,
        /// "authentication.success".
        SUCCESS = 1,
        /// "authentication.fail".
        FAIL = 2,
        /// "operation.timeout".
        TIMEOUT = 3,
        /// "operation.canceled".
        CANCELED = 4,
        /// "operation.methodNotAvailable".
        METHOD_NOT_AVAILABLE = 5,
    }
}

values! {
    /// Format of a message.
    InboxType {
        /// Not known to this version; see `format_text`.
        UNKNOWN = 0,
        /// Plain text: the host lays out subject and body.
        TEXT = 1,
        /// The body is a complete document.
        HTML = 2,
    }
}

values! {
    /// How the handling of a request can fail. The task's error has the matching reason ("device_deregistered", ...)
    /// and keeps the code, HTTP status and server code of its cause. Later versions may add values.
    MobileAuthErrorCode {
        OK = 0,
        /// The server has removed the activation; it was removed on this device too.
        DEVICE_DEREGISTERED = 1,
        /// The activation is blocked, or was removed for too many wrong PINs, on this device too.
        USER_DEREGISTERED = 2,
        /// The host cancelled the challenge or the task.
        ACTION_CANCELLED = 3,
        /// No network; the request can be handled again.
        NETWORK_CONNECTIVITY = 4,
        /// No usable response, also for a TLS error or an HTTP status of 500 or higher; with outcome `Outcome::UNKNOWN`
        /// the request may have been approved.
        SERVER_NOT_REACHABLE = 5,
        /// The request is unknown to the server, finished, or another user's.
        NOT_FOUND = 6,
        /// No authenticator of this device can satisfy the request; its payload is malformed; the server refused its
        /// proximity check; or it has an unknown status or, for a strict client, a contradiction.
        NOT_HANDLEABLE = 7,
        /// The server has revoked the right to mobile authentication.
        USER_DISENROLLED = 8,
        /// No active activation, or one that the bank has not yet confirmed.
        NOT_ENROLLED = 9,
        /// The client is already handling a request.
        ALREADY_IN_PROGRESS = 10,
        /// The configuration is invalid, or the server refuses the application or its signatures.
        CONFIGURATION_INVALID = 11,
        /// The request expired while it waited for the user.
        EXPIRED = 12,
        /// Any other failure: see the error.
        OTHER = 13,
        /// The request requires a proximity check, but no password is known; the user was not asked.
        PROXIMITY_REQUIRED = 14,
    }
}

values! {
    /// How the user authenticates. An authenticator checks the user and releases a factor.
    AuthenticatorType {
        /// This device alone: a confirmation.
        NONE = 0,
        PIN = 1,
        BIOMETRIC = 2,
        CUSTOM = 3,
    }
}

values! {
    /// Kinds of challenges.
    ChallengeKind {
        /// Answers: confirm, deny, cancel.
        CONFIRMATION = 1,
        /// Answers: pin, deny, cancel.
        PIN = 2,
        /// Answers: biometric, use_pin, deny, cancel.
        BIOMETRIC = 3,
        /// Answers: custom, use_pin, deny, cancel.
        CUSTOM = 4,
        /// Answers: proximity, deny, cancel; another challenge follows.
        PROXIMITY = 5,
    }
}

values! {
    /// What a cell shows. Ignore unknown kinds.
    CellKind {
        /// The operation's title.
        TITLE = 1,
        /// The operation's message.
        MESSAGE = 2,
        /// A `CellKind::HEADING` attribute.
        HEADING = 3,
        /// An `CellKind::IMAGE` attribute.
        IMAGE = 4,
        /// Any other attribute, with its label.
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
    /// An argument is missing, malformed, too long or not valid UTF-8.
    Argument,
    /// The handle is `None`, was freed, or is not of this type.
    Handle,
    /// The call is not allowed in the current state or, with reason "forked", in this process.
    State,
    /// The client has no activation; nothing was sent.
    NotActivated,
    /// This device has an activation in progress: persist or cancel it first.
    Pending,
    /// The host cancelled the task, freed the client or runtime, or interrupted the wait.
    Cancelled,
    /// The time limit has expired.
    Timeout,
    /// Could not connect, lost the connection, or could not resolve the name.
    Network,
    /// The TLS handshake failed or the certificate is not trusted.
    Tls,
    /// The server's public key matches no pinned key.
    PinMismatch,
    /// The HTTP status is not 200 and the body holds no valid error object.
    Http,
    /// The server answered with an error object: see `server_code`.
    Server,
    /// The server refused the PIN or biometry key, and counted a failed attempt.
    Authentication,
    /// The response violates the protocol.
    Protocol,
    /// The response cannot be decrypted, or its authentication code is wrong.
    Decryption,
    /// A server signature is invalid, or a signature could not be computed.
    Signature,
    /// The state could not be loaded, saved or removed.
    Storage,
    /// The stored state is damaged or was modified by someone else; it was left unchanged.
    Tampered,
    /// Another process or client uses this activation, or this call is already running.
    Busy,
    /// A text (activation code, JSON, ...) is malformed: see `byte_offset`.
    Parse,
    /// The requested item does not exist.
    NotFound,
    /// The factor is not set up, or the operation does not allow it; nothing was sent.
    Factor,
    /// The server or the stored state requires something that this version does not support.
    Unsupported,
    /// The client's configuration is invalid.
    Configuration,
    /// An underlying library failed, for example for lack of memory.
    Internal,
    /// The bank has not yet confirmed the activation: `Client::wait_active`.
    PendingCommit,
    /// The activation is blocked; the bank can unblock it.
    Blocked,
    /// The server has removed the activation: remove it locally, then activate again.
    Removed,
    /// A sealer could not seal or unseal the device secret; the state is as before.
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
