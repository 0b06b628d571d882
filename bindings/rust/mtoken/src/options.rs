// Made by bindings/generate from mtoken.h. Do not edit.

use crate::calls::*;
use crate::life::*;
use crate::values::*;
use crate::views::*;
use mtoken_sys as sys;

/// One field of the operation data to build. Members that do not apply to its kind are ignored.
#[derive(Clone, Copy, Default)]
pub struct FieldInput<'a> {
    /// `FieldType`, but not `FieldType::OTHER`; `FieldType::EMPTY` leaves the place empty.
    pub kind: FieldType,
    /// `FieldType::DATE`.
    pub year: i32,
    /// `FieldType::DATE`.
    pub month: i32,
    /// `FieldType::DATE`.
    pub day: i32,
    /// `FieldType::ANY_ACCOUNT`, `FieldType::REFERENCE`, `FieldType::NOTE`, `FieldType::TEXT`: any text, without
    /// escapes.
    pub text: Option<&'a str>,
    /// `FieldType::AMOUNT`: positive, at most two decimal places, e.g. "100.50".
    pub amount: Option<&'a str>,
    /// `FieldType::AMOUNT`: three letters.
    pub currency: Option<&'a str>,
    /// `FieldType::ACCOUNT`: digits and capital letters.
    pub iban: Option<&'a str>,
    /// `FieldType::ACCOUNT`: digits and capital letters; not set: none.
    pub bic: Option<&'a str>,
}
impl Given for FieldInput<'_> {
    type Raw = sys::mtoken_field_input;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.kind = self.kind.0;
        raw.year = self.year;
        raw.month = self.month;
        raw.day = self.day;
        raw.text = raw_text(self.text);
        raw.amount = raw_text(self.amount);
        raw.currency = raw_text(self.currency);
        raw.iban = raw_text(self.iban);
        raw.bic = raw_text(self.bic);
        raw
    }
}

/// How the user authenticates. By default the members that are set determine the factors: possession, plus knowledge if
/// pin is set, plus biometry if `biometry_key` is set. If neither is set, calls fail with `ErrorCode::ARGUMENT`:
/// possession alone is used only where factors names it. A pin or key of zero bytes only was wiped too early, and fails
/// with `ErrorCode::ARGUMENT` too.
#[derive(Clone, Copy, Default)]
pub struct Auth<'a> {
    /// UTF-8 bytes of the PIN or password; at least 4.
    pub pin: Option<&'a [u8]>,
    /// The 16 bytes (protocol 4.0: or 32) that the host keeps under its biometric protection.
    pub biometry_key: Option<&'a [u8]>,
    /// 0: as above; otherwise exactly these `Factor`.
    pub factors: Factor,
    /// Named authenticator that `biometry_key` belongs to; default: the unnamed one.
    pub authenticator: Option<&'a str>,
}
impl Given for Auth<'_> {
    type Raw = sys::mtoken_auth;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.pin = raw_bytes(self.pin);
        raw.biometry_key = raw_bytes(self.biometry_key);
        raw.factors = self.factors.0;
        raw.authenticator = raw_text(self.authenticator);
        raw
    }
}

/// The parts of a request that are signed.
#[derive(Clone, Copy, Default)]
pub struct SignOptions<'a> {
    /// "GET", "POST", "PUT", "DELETE", "PATCH" or "HEAD"; required.
    pub method: Option<&'a str>,
    /// The constant that the server expects for the endpoint, not its URL; required.
    pub uri_id: Option<&'a str>,
    /// The exact bytes of the body; for GET the canonical query (`canonical_query`); for HEAD what the server signs
    /// there, usually nothing. May be empty.
    pub body: Option<&'a [u8]>,
}
impl Given for SignOptions<'_> {
    type Raw = sys::mtoken_sign_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.method = raw_text(self.method);
        raw.uri_id = raw_text(self.uri_id);
        raw.body = raw_bytes(self.body);
        raw
    }
}

/// What is signed offline.
#[derive(Clone, Copy, Default)]
pub struct SignOfflineOptions<'a> {
    /// The constant that the server expects; required.
    pub uri_id: Option<&'a str>,
    /// May be empty.
    pub body: Option<&'a [u8]>,
    /// 16 bytes from the server; required.
    pub nonce: Option<&'a [u8]>,
    /// Digits per factor, 4 to 8; 0: 8.
    pub component_length: i32,
}
impl Given for SignOfflineOptions<'_> {
    type Raw = sys::mtoken_sign_offline_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.uri_id = raw_text(self.uri_id);
        raw.body = raw_bytes(self.body);
        raw.nonce = raw_bytes(self.nonce);
        raw.component_length = self.component_length;
        raw
    }
}

/// What is verified.
#[derive(Clone, Copy, Default)]
pub struct VerifyOptions<'a> {
    /// `Key`: the expected signer.
    pub server_key: Key,
    /// `DeviceSignature`; a code has but one.
    pub form: DeviceSignature,
    /// The data that was signed; may be empty.
    pub signed_bytes: Option<&'a [u8]>,
    /// Required.
    pub signature: Option<&'a [u8]>,
}
impl Given for VerifyOptions<'_> {
    type Raw = sys::mtoken_verify_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.server_key = self.server_key.0;
        raw.form = self.form.0;
        raw.signed_bytes = raw_bytes(self.signed_bytes);
        raw.signature = raw_bytes(self.signature);
        raw
    }
}

/// Options of an approval.
#[derive(Clone, Copy, Default)]
pub struct AuthorizeOptions<'a> {
    /// True: leave it to the server to refuse factors that the operation does not allow, which may count as a failed
    /// attempt; false: fail with `ErrorCode::FACTOR` before anything is signed.
    pub allow_other_factors: bool,
    /// True: refuse (`ErrorCode::STATE`, reason "contradiction") an operation that displays something other than what
    /// it signs; false: as `ClientOptions::strict` says. For what is compared, see `Contradiction`.
    pub strict: bool,
    /// True: also approve an operation with status `OperationStatus::UNKNOWN`; false: fail with `ErrorCode::STATE`.
    pub allow_unknown_status: bool,
    /// `Contradiction` flags that strict ignores, in addition to the client's.
    pub tolerated: Contradiction,
    /// JSON object for the bank's fraud detection.
    pub mobile_token_data: Option<&'a str>,
    /// One-time password of the proximity check, if the operation requires one.
    pub proximity_otp: Option<&'a str>,
    /// Device time when `proximity_otp` was received, milliseconds since the epoch; 0: now.
    pub proximity_received: i64,
    /// `ProximityType`; required with `proximity_otp`.
    pub proximity_source: ProximityType,
    /// Id of the operation that was shown to the user: `ErrorCode::STATE` (reason "otherOperation") if the operation
    /// handed in is another one, e.g. since the list was fetched anew; default: not compared.
    pub expected_id: Option<&'a str>,
}
impl Given for AuthorizeOptions<'_> {
    type Raw = sys::mtoken_authorize_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.allow_other_factors = self.allow_other_factors as i32;
        raw.strict = self.strict as i32;
        raw.allow_unknown_status = self.allow_unknown_status as i32;
        raw.tolerated = self.tolerated.0;
        raw.mobile_token_data = raw_text(self.mobile_token_data);
        raw.proximity_otp = raw_text(self.proximity_otp);
        raw.proximity_received = self.proximity_received;
        raw.proximity_source = self.proximity_source.0;
        raw.expected_id = raw_text(self.expected_id);
        raw
    }
}

/// An operation that was received on another channel.
#[derive(Clone, Copy, Default)]
pub struct OperationOptions<'a> {
    /// Required.
    pub id: Option<&'a str>,
    /// Exactly as the bank created it; required.
    pub operation_data: Option<&'a str>,
}
impl Given for OperationOptions<'_> {
    type Raw = sys::mtoken_operation_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.id = raw_text(self.id);
        raw.operation_data = raw_text(self.operation_data);
        raw
    }
}

/// Options of a rejection.
#[derive(Clone, Copy, Default)]
pub struct RejectOptions<'a> {
    /// "UNKNOWN", "INCORRECT_DATA", "UNEXPECTED_OPERATION", "PREAPPROVAL" or any other text; default: "UNKNOWN".
    pub reason: Option<&'a str>,
    /// JSON object for the bank's fraud detection.
    pub mobile_token_data: Option<&'a str>,
}
impl Given for RejectOptions<'_> {
    type Raw = sys::mtoken_reject_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.reason = raw_text(self.reason);
        raw.mobile_token_data = raw_text(self.mobile_token_data);
        raw
    }
}

/// Options of polling.
#[derive(Clone, Copy, Default)]
pub struct PollingOptions {
    /// Between two fetches, at most 86400000; 0: 7000. Values from 1 to 4999 are raised to 5000, with a logged warning:
    /// an exception to the rule that values are never clamped.
    pub interval_ms: i64,
    /// True: the first fetch comes after one interval; false: at once.
    pub delay_start: bool,
    /// True: pushes also announce new operations, so the interval is doubled.
    pub has_push: bool,
    /// True: each consecutive failure from the second on doubles the wait, up to eightfold.
    pub back_off: bool,
    /// Maximum random deviation of each wait from the interval, in percent; 0 to 50.
    pub jitter_percent: i32,
    /// True: the wait follows what happens. After 8 fetches without a change it doubles, up to eightfold. For a minute
    /// after a change, an approval, a rejection, a claim or `Client::operations_refresh` it is 5 seconds. When the
    /// machine wakes from sleep, the list is fetched within 5 seconds.
    pub is_adaptive: bool,
}
impl Given for PollingOptions {
    type Raw = sys::mtoken_polling_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.interval_ms = self.interval_ms;
        raw.delay_start = self.delay_start as i32;
        raw.has_push = self.has_push as i32;
        raw.back_off = self.back_off as i32;
        raw.jitter_percent = self.jitter_percent;
        raw.is_adaptive = self.is_adaptive as i32;
        raw
    }
}

/// Options of `Runtime::new`.
#[derive(Clone, Copy, Default)]
pub struct RuntimeOptions {
    /// `Events`, combined with |. Default: none. Read the events that you request: they stay in memory until then.
    pub events: Events,
    /// `LogLevel`: the least severe level that `Events::LOG` queues. Default: off.
    pub log_level: LogLevel,
    /// Maximum number of concurrent HTTP requests, 1 to 4096; 0: 256. Further requests queue.
    pub max_transfers: i32,
}
impl Given for RuntimeOptions {
    type Raw = sys::mtoken_runtime_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.events = self.events.0;
        raw.log_level = self.log_level.0;
        raw.max_transfers = self.max_transfers;
        raw
    }
}

/// Options of the sealers that come with the library; `sealer_open` says which takes which.
#[derive(Clone, Copy, Default)]
pub struct SealerOptions<'a> {
    pub device: Option<&'a str>,
    pub module_path: Option<&'a str>,
    pub password: Option<&'a [u8]>,
    pub pcrs: Option<&'a str>,
}
impl Given for SealerOptions<'_> {
    type Raw = sys::mtoken_sealer_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.device = raw_text(self.device);
        raw.module_path = raw_text(self.module_path);
        raw.password = raw_bytes(self.password);
        raw.pcrs = raw_text(self.pcrs);
        raw
    }
}

/// Options of `Client::encrypt`.
#[derive(Clone, Copy, Default)]
pub struct EncryptOptions<'a> {
    /// `Scope`. Required.
    pub scope: Scope,
    /// With auth: `Order::ENCRYPT_THEN_SIGN` or `Order::SIGN_THEN_ENCRYPT`.
    pub order: Order,
    /// `None`: not signed; otherwise only in `Scope::ACTIVATION`.
    pub auth: Option<&'a Auth<'a>>,
    /// With auth: the constant that the server expects for the endpoint.
    pub uri_id: Option<&'a str>,
}
impl Given for EncryptOptions<'_> {
    type Raw = sys::mtoken_encrypt_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.scope = self.scope.0;
        raw.order = self.order.0;
        raw.auth = hold.option(self.auth);
        raw.uri_id = raw_text(self.uri_id);
        raw
    }
}

/// One identity attribute of an activation.
#[derive(Clone, Copy, Default)]
pub struct IdentityAttribute<'a> {
    pub name: Option<&'a str>,
    /// Treated as a secret.
    pub value: Option<&'a str>,
}
impl Given for IdentityAttribute<'_> {
    type Raw = sys::mtoken_identity_attribute;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.name = raw_text(self.name);
        raw.value = raw_text(self.value);
        raw
    }
}

/// How to activate. Set exactly one way: an activation code, a recovery code and its PUK, identity attributes, or the
/// oidc_ members. If more than one is set, the `ErrorCode::ARGUMENT` error names them.
#[derive(Clone, Copy, Default)]
pub struct ActivationOptions<'a> {
    /// "CODE" or "CODE#SIGNATURE", as scanned, pasted or typed: white space, missing or typographic dashes, lower case,
    /// 0 for O and 1 for I are corrected.
    pub code: Option<&'a str>,
    /// One-time password in addition to a code, if the bank uses one.
    pub otp: Option<&'a str>,
    /// Name of the device, which the bank shows to the user; at most 255 characters.
    pub name: Option<&'a str>,
    /// Any text for the server, at most 4,000 characters.
    pub extras: Option<&'a str>,
    /// JSON object for the server.
    pub custom_attributes: Option<&'a str>,
    /// Default "linux"; at most 255 characters.
    pub platform: Option<&'a str>,
    /// The kind of device, which the bank shows; at most 255 characters. Default: the name of the operating system from
    /// /etc/os-release (without that file, the kernel's name) and the processor's architecture, e.g. "Debian GNU/Linux
    /// 12 (bookworm), x86_64", but neither the machine's nor the user's name. Empty: nothing is sent.
    pub device_info: Option<&'a str>,
    /// With or without "R:"; replaces the activation that the recovery code belongs to.
    pub recovery_code: Option<&'a str>,
    /// 10 digits.
    pub recovery_puk: Option<&'a str>,
    /// Attributes that the bank defines, e.g. user name and password; at most 64.
    pub identity: &'a [IdentityAttribute<'a>],
    /// The bank's id of the OpenID Connect provider.
    pub oidc_provider: Option<&'a str>,
    /// The authorization code from the provider.
    pub oidc_code: Option<&'a str>,
    /// The nonce of the authorization request.
    pub oidc_nonce: Option<&'a str>,
    /// PKCE code verifier; omit it without PKCE.
    pub oidc_code_verifier: Option<&'a str>,
}
impl Given for ActivationOptions<'_> {
    type Raw = sys::mtoken_activation_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.code = raw_text(self.code);
        raw.otp = raw_text(self.otp);
        raw.name = raw_text(self.name);
        raw.extras = raw_text(self.extras);
        raw.custom_attributes = raw_text(self.custom_attributes);
        raw.platform = raw_text(self.platform);
        raw.device_info = raw_text(self.device_info);
        raw.recovery_code = raw_text(self.recovery_code);
        raw.recovery_puk = raw_text(self.recovery_puk);
        (raw.identity, raw.identity_count) = hold.array(self.identity);
        raw.oidc_provider = raw_text(self.oidc_provider);
        raw.oidc_code = raw_text(self.oidc_code);
        raw.oidc_nonce = raw_text(self.oidc_nonce);
        raw.oidc_code_verifier = raw_text(self.oidc_code_verifier);
        raw
    }
}

/// Options of `Client::wait_active`.
#[derive(Clone, Copy, Default)]
pub struct WaitOptions<'a> {
    /// Maximum time to wait; 0: without limit.
    pub timeout_ms: i64,
    /// Protocol 3: must be `None`. Protocol 4.0: the PIN, if another process called `Client::persist` and
    /// `ClientInfo::awaits_confirmation` is true; otherwise `None`.
    pub auth: Option<&'a Auth<'a>>,
}
impl Given for WaitOptions<'_> {
    type Raw = sys::mtoken_wait_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.timeout_ms = self.timeout_ms;
        raw.auth = hold.option(self.auth);
        raw
    }
}

/// A pin: SHA-256 of a public key (SubjectPublicKeyInfo).
#[derive(Clone, Copy, Default)]
pub struct TlsPin<'a> {
    /// Base64, 44 characters.
    pub sha256: Option<&'a str>,
    /// Milliseconds since the epoch after which the pin is ignored; the largest number: never. When all pins have
    /// expired, every call fails with `ErrorCode::PIN_MISMATCH`: expiry never disables pinning.
    pub expires: i64,
}
impl Given for TlsPin<'_> {
    type Raw = sys::mtoken_tls_pin;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.sha256 = raw_text(self.sha256);
        raw.expires = self.expires;
        raw
    }
}

/// A header field for requests.
#[derive(Clone, Copy, Default)]
pub struct HeaderText<'a> {
    /// At most 128 characters.
    pub name: Option<&'a str>,
    /// Printable ASCII, at most 4096 characters.
    pub value: Option<&'a str>,
}
impl Given for HeaderText<'_> {
    type Raw = sys::mtoken_header_text;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.name = raw_text(self.name);
        raw.value = raw_text(self.value);
        raw
    }
}

/// Options of `Client::new`: which state, application and server the client uses, and how.
#[derive(Clone, Copy, Default)]
pub struct ClientOptions<'a> {
    /// The name of this client within its store: 1 to 64 bytes from A-Z a-z 0-9 . _ -, not beginning with a dot.
    /// Required.
    pub id: Option<&'a str>,
    /// The application's "SDK configuration" string (application key and secret, master public key). Required.
    pub configuration: Option<&'a str>,
    /// Root URL of the PowerAuth and operations APIs, e.g. `https://bank.example/enrollment-server`. Required.
    pub base_url: Option<&'a str>,
    /// Root URL of the operations API, if it differs. Default: `base_url`.
    pub operations_url: Option<&'a str>,
    /// The store that holds the state. Required. The client keeps it alive.
    pub store: Option<&'a Store>,
    /// A secret of at least 16 bytes bound to this device, from the host. Default: a random one kept in the store, or
    /// by `sealer`.
    pub device_secret: Option<&'a [u8]>,
    /// `Protocol` of a new activation; an existing one keeps its own. Default: 4.0 if the configuration has keys of it
    /// and the server offers a suite that they are for, otherwise 3.3. The server is asked when the first call needs it
    /// (POST /pa/v4/status). Only a server that says that it does not have that endpoint (HTTP status 404, code
    /// ERROR_NOT_FOUND) leads to 3.3, and only where the configuration has no ML-DSA key; see `least_suite`. A
    /// gateway's page or an outage is an error.
    pub protocol_version: Protocol,
    /// `Tls`; default: against `ca_file` if it is set, otherwise the system's trust store.
    pub tls_trust: Tls,
    /// A PEM file with the certificates to trust, instead of the system's. A relative path is resolved now. When the
    /// file changes, that counts from the next request on.
    pub ca_file: Option<&'a str>,
    /// At most 64; if any, one must match in addition to the ordinary verification.
    pub pins: &'a [TlsPin<'a>],
    /// True: accept plain http URLs, for tests on loopback only.
    pub allow_http: bool,
    /// Of each request; 0: 20000.
    pub timeout_ms: i32,
    /// `http://`, `https://` or `socks5h://` with host and port; default: none. With credentials (Basic):
    /// `http://user:password@host:port`, percent-encoded. Environment variables are ignored.
    pub proxy: Option<&'a str>,
    /// Accept-Language: printable ASCII, at most 1024 characters; default "en".
    pub language: Option<&'a str>,
    /// Default: "libmtoken/\<version\> \<application\> (Linux/\<kernel\>; \<architecture\>)"; empty: none.
    pub user_agent: Option<&'a str>,
    /// "\<id\>/\<version\>" for the default of `user_agent`.
    pub application: Option<&'a str>,
    /// Prefix of each log line of this client.
    pub label: Option<&'a str>,
    /// Added to every request, at most 32. They may replace Accept, Accept-Language and User-Agent, but not headers for
    /// authentication or transport.
    pub headers: &'a [HeaderText<'a>],
    /// True: this client never approves an operation that displays something other than what it signs, whatever the
    /// options of the call say: see `AuthorizeOptions::strict`.
    pub strict: bool,
    /// True: each request has a new X-Correlation-ID (a random UUID), which identifies it in the bank's logs. Errors
    /// report it. A header of that name in `headers` takes precedence.
    pub adds_correlation_id: bool,
    /// `Contradiction`, combined with |, that strict ignores, e.g. `Contradiction::UNSIGNED_AMOUNT` for a bank that
    /// displays fees without signing them.
    pub tolerated: Contradiction,
    /// `Suite` of a new activation of protocol 4.0. Default: `Suite::EC_P384_ML_L3`, or else `Suite::EC_P384_ML_L5`, if
    /// the configuration has an ML-DSA key, and `Suite::EC_P384` if it has none. No weaker suite replaces the default
    /// unless `least_suite` allows it: if the server does not offer it, an activation fails with
    /// `ErrorCode::UNSUPPORTED`. A suite set here implies protocol 4.0.
    pub suite: Suite,
    /// The external encryption key: 16 bytes, not all zero. Default: none. Ignored if the stored activation uses none.
    /// `Client::set_external_key` sets it later.
    pub external_key: Option<&'a [u8]>,
    /// `Client::persist` and changes of the PIN refuse a new PIN with fewer bytes: 4 to 1,000; default: 4.
    pub min_pin_length: i32,
    /// `PinWeakness`, combined with |: they refuse a new PIN with such a weakness; default: none.
    pub refused_pins: PinWeakness,
    /// Keeps the device secret; not together with `device_secret`. The client keeps it alive.
    pub sealer: Option<&'a Sealer>,
    /// What the client shows to a server that asks for a certificate (mutual TLS), and to no proxy: a PEM file with the
    /// certificate and those between it and the root, a PKCS #12 file, or a PKCS #11 URI (RFC 7512), "pkcs11:...".
    /// Files are regular ones of at most 1 MiB, and ask for at most 5 million iterations. Read when the client is
    /// created. Default: none.
    pub client_certificate: Option<&'a str>,
    /// Its private key: a PEM file, or a PKCS #11 URI, whose key is used when a connection is made. Default: in
    /// `client_certificate`.
    pub client_key: Option<&'a str>,
    /// The password of the key or of the PKCS #12 file, or the token's PIN; at most 255 bytes.
    pub client_key_password: Option<&'a [u8]>,
    /// `Transport`; default: the library. With `Transport::HOST`, `tls_trust`, `ca_file`, pins, proxy and
    /// `client_certificate` must not be set: connections are the host's.
    pub transport: Transport,
    /// The weakest `Suite` that a new activation or an upgrade may have. Default: a hybrid suite if the configuration
    /// has an ML-DSA key; otherwise `Suite::EC_P384`, or protocol 3.3 as in `protocol_version`. `Suite::EC_P384`
    /// accepts P-384 alone beside an ML-DSA key, and never protocol 3; `Suite::EC_P256` accepts all, also where the
    /// server offers nothing but P-256. Whoever can answer in the server's place chooses the weakest that is accepted:
    /// `Activation::suite` and `EventKind::STATE_STORED` say what it is.
    pub least_suite: Suite,
}
impl Given for ClientOptions<'_> {
    type Raw = sys::mtoken_client_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.id = raw_text(self.id);
        raw.configuration = raw_text(self.configuration);
        raw.base_url = raw_text(self.base_url);
        raw.operations_url = raw_text(self.operations_url);
        raw.store = self.store.map_or(std::ptr::null_mut(), |object| object.as_ptr());
        raw.device_secret = raw_bytes(self.device_secret);
        raw.protocol_version = self.protocol_version.0;
        raw.tls_trust = self.tls_trust.0;
        raw.ca_file = raw_text(self.ca_file);
        (raw.pins, raw.pin_count) = hold.array(self.pins);
        raw.allow_http = self.allow_http as i32;
        raw.timeout_ms = self.timeout_ms;
        raw.proxy = raw_text(self.proxy);
        raw.language = raw_text(self.language);
        raw.user_agent = raw_text(self.user_agent);
        raw.application = raw_text(self.application);
        raw.label = raw_text(self.label);
        (raw.headers, raw.header_count) = hold.array(self.headers);
        raw.strict = self.strict as i32;
        raw.adds_correlation_id = self.adds_correlation_id as i32;
        raw.tolerated = self.tolerated.0;
        raw.suite = self.suite.0;
        raw.external_key = raw_bytes(self.external_key);
        raw.min_pin_length = self.min_pin_length;
        raw.refused_pins = self.refused_pins.0;
        raw.sealer = self.sealer.map_or(std::ptr::null_mut(), |object| object.as_ptr());
        raw.client_certificate = raw_text(self.client_certificate);
        raw.client_key = raw_text(self.client_key);
        raw.client_key_password = raw_bytes(self.client_key_password);
        raw.transport = self.transport.0;
        raw.least_suite = self.least_suite.0;
        raw
    }
}

/// Options for individual calls.
#[derive(Clone, Copy, Default)]
pub struct CallOptions<'a> {
    /// Of each request; 0: the client's.
    pub timeout_ms: i32,
    /// Accept-Language; default: the client's.
    pub language: Option<&'a str>,
    /// Default: the client's; empty: none.
    pub user_agent: Option<&'a str>,
    /// In addition to the client's, and taking precedence over them; see `ClientOptions`.
    pub headers: &'a [HeaderText<'a>],
    /// X-Correlation-ID of the call's own requests: 8 to 1024 characters from A-Z a-z 0-9 -.
    pub correlation_id: Option<&'a str>,
}
impl Given for CallOptions<'_> {
    type Raw = sys::mtoken_call_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.timeout_ms = self.timeout_ms;
        raw.language = raw_text(self.language);
        raw.user_agent = raw_text(self.user_agent);
        (raw.headers, raw.header_count) = hold.array(self.headers);
        raw.correlation_id = raw_text(self.correlation_id);
        raw
    }
}

/// A name and a value of a certificate request.
#[derive(Clone, Copy, Default)]
pub struct CsrField<'a> {
    pub name: Option<&'a str>,
    pub value: Option<&'a str>,
}
impl Given for CsrField<'_> {
    type Raw = sys::mtoken_csr_field;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.name = raw_text(self.name);
        raw.value = raw_text(self.value);
        raw
    }
}

/// What a certificate request asks for.
#[derive(Clone, Copy, Default)]
pub struct CsrOptions<'a> {
    /// The subject, e.g. "CN" or an OID with its value, in the order of the name; at most 32. Default: an empty
    /// subject.
    pub subject: &'a [CsrField<'a>],
    /// Extensions, named and written as in OpenSSL's x509v3_config(5), without sections, e.g. "keyUsage" with
    /// "critical,digitalSignature", "subjectAltName" with "email:jana@bank.example", or an OID with "DER:" and
    /// hexadecimal bytes; at most 32. Default: none.
    pub extensions: &'a [CsrField<'a>],
}
impl Given for CsrOptions<'_> {
    type Raw = sys::mtoken_csr_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        (raw.subject, raw.subject_count) = hold.array(self.subject);
        (raw.extensions, raw.extension_count) = hold.array(self.extensions);
        raw
    }
}

/// Options of `Client::token_fetch_header`.
#[derive(Clone, Copy, Default)]
pub struct TokenOptions<'a> {
    /// Name of the token: 1 to 64 bytes; required.
    pub name: Option<&'a str>,
    /// Value of a header that the server answered with 401; not set: no header was refused.
    pub refused_header: Option<&'a str>,
}
impl Given for TokenOptions<'_> {
    type Raw = sys::mtoken_token_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.name = raw_text(self.name);
        raw.refused_header = raw_text(self.refused_header);
        raw
    }
}

/// How a payload is verified. Set either client or configuration, not both.
#[derive(Clone, Copy, Default)]
pub struct QrOptions<'a> {
    /// Verifies with the master key and, if it has an activation, with the personalised key.
    pub client: Option<&'a Client>,
    /// The application's SDK configuration: verifies with the master key.
    pub configuration: Option<&'a str>,
    /// True: return the operation even if its signature is not valid; check `verification`.
    pub keep_unverified: bool,
}
impl Given for QrOptions<'_> {
    type Raw = sys::mtoken_qr_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.client = self.client.map_or(std::ptr::null_mut(), |object| object.as_ptr());
        raw.configuration = raw_text(self.configuration);
        raw.keep_unverified = self.keep_unverified as i32;
        raw
    }
}

/// Options of `Client::qr_authorize`.
#[derive(Clone, Copy, Default)]
pub struct QrAuthorizeOptions<'a> {
    /// Default "/operation/authorize/offline"; must match the server's configuration.
    pub uri_id: Option<&'a str>,
    /// Digits per factor, 4 to 8; 0: 8; must match the server's configuration.
    pub component_length: i32,
    /// True: also approve operations that are not verified.
    pub allow_unverified: bool,
}
impl Given for QrAuthorizeOptions<'_> {
    type Raw = sys::mtoken_qr_authorize_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.uri_id = raw_text(self.uri_id);
        raw.component_length = self.component_length;
        raw.allow_unverified = self.allow_unverified as i32;
        raw
    }
}

/// Content of a payload.
#[derive(Clone, Copy, Default)]
pub struct QrBuildOptions<'a> {
    /// Not empty.
    pub id: Option<&'a str>,
    /// Any text: line breaks are escaped, whitespace is collapsed to single spaces.
    pub title: Option<&'a str>,
    /// As title.
    pub message: Option<&'a str>,
    /// What is approved, e.g. from `operation_fields_build`.
    pub operation_data: Option<&'a str>,
    /// e.g. "B"; may be empty.
    pub flags: Option<&'a str>,
    /// One-time password of a proximity check (`totp`); not set: none.
    pub totp: Option<&'a str>,
    /// 16 bytes; not set: random.
    pub nonce: Option<&'a [u8]>,
    /// 32 bytes, big endian: the server's private key on P-256.
    pub private_key: Option<&'a [u8]>,
    /// `Key::MASTER` or `Key::PERSONALIZED`: which key `private_key` is.
    pub server_key: Key,
}
impl Given for QrBuildOptions<'_> {
    type Raw = sys::mtoken_qr_build_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.id = raw_text(self.id);
        raw.title = raw_text(self.title);
        raw.message = raw_text(self.message);
        raw.operation_data = raw_text(self.operation_data);
        raw.flags = raw_text(self.flags);
        raw.totp = raw_text(self.totp);
        raw.nonce = raw_bytes(self.nonce);
        raw.private_key = raw_bytes(self.private_key);
        raw.server_key = self.server_key.0;
        raw
    }
}

/// Options of `pac_parse`.
#[derive(Clone, Copy, Default)]
pub struct PacOptions<'a> {
    /// Allowed links: "scheme" or `scheme://host`, in upper or lower case; an empty slice: all. A JWT alone is always
    /// allowed.
    pub allowed: &'a [&'a str],
}
impl Given for PacOptions<'_> {
    type Raw = sys::mtoken_pac_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        (raw.allowed, raw.allowed_count) = hold.texts(self.allowed);
        raw
    }
}

/// How to build a code, for servers and tests.
#[derive(Clone, Copy, Default)]
pub struct PacBuildOptions<'a> {
    /// 1 to 255 printable characters.
    pub operation_id: Option<&'a str>,
    /// 4 to 10 digits; not set: the code only selects the operation.
    pub totp: Option<&'a str>,
    /// For the deeplink forms: the part before the query, e.g. `mtoken://operation`.
    pub link: Option<&'a str>,
    /// `PacForm`.
    pub form: PacForm,
}
impl Given for PacBuildOptions<'_> {
    type Raw = sys::mtoken_pac_build_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.operation_id = raw_text(self.operation_id);
        raw.totp = raw_text(self.totp);
        raw.link = raw_text(self.link);
        raw.form = self.form.0;
        raw
    }
}

/// A parameter for the provider.
#[derive(Clone, Copy, Default)]
pub struct OidcParameter<'a> {
    pub name: Option<&'a str>,
    pub value: Option<&'a str>,
}
impl Given for OidcParameter<'_> {
    type Raw = sys::mtoken_oidc_parameter;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.name = raw_text(self.name);
        raw.value = raw_text(self.value);
        raw
    }
}

/// Options of a login with an OpenID Connect provider.
#[derive(Clone, Copy, Default)]
pub struct OidcOptions<'a> {
    /// A configuration from this library; `None`: set the members below yourself. A text that is set below overrides
    /// that of `config`.
    pub config: Option<&'a OidcConfig>,
    pub provider_id: Option<&'a str>,
    pub client_id: Option<&'a str>,
    /// Should include "openid".
    pub scopes: Option<&'a str>,
    /// Https, without fragment; a query is kept.
    pub authorize_uri: Option<&'a str>,
    /// Https, the program's own scheme, or http on a loopback address; no fragment.
    pub redirect_uri: Option<&'a str>,
    /// A response that names another issuer is refused; default: not checked.
    pub issuer: Option<&'a str>,
    /// True: a response that names no issuer is refused too.
    pub requires_issuer: bool,
    /// True: omit PKCE. Only without `config`, whose `requires_pkce` decides otherwise.
    pub omits_pkce: bool,
    /// Random bytes of the code verifier, 32 to 96; 0: 32.
    pub pkce_bytes: i32,
    /// True: allow http for `authorize_uri` on a loopback address, for tests only.
    pub allow_http: bool,
    /// Added to the URL, e.g. "prompt", "login_hint", "ui_locales", "acr_values".
    pub parameters: &'a [OidcParameter<'a>],
    /// How long to wait for the response, at most 24 hours; 0: 10 minutes.
    pub lifetime_ms: i64,
    /// Where the response reaches the program if the page at `redirect_uri` hands it on, e.g. the program's own scheme;
    /// of the same forms; default: `redirect_uri`. Not for `Runtime::oidc_listen`.
    pub callback_uri: Option<&'a str>,
}
impl Given for OidcOptions<'_> {
    type Raw = sys::mtoken_oidc_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.config = self.config.map_or(std::ptr::null(), |view| &view.0);
        raw.provider_id = raw_text(self.provider_id);
        raw.client_id = raw_text(self.client_id);
        raw.scopes = raw_text(self.scopes);
        raw.authorize_uri = raw_text(self.authorize_uri);
        raw.redirect_uri = raw_text(self.redirect_uri);
        raw.issuer = raw_text(self.issuer);
        raw.requires_issuer = self.requires_issuer as i32;
        raw.omits_pkce = self.omits_pkce as i32;
        raw.pkce_bytes = self.pkce_bytes;
        raw.allow_http = self.allow_http as i32;
        (raw.parameters, raw.parameter_count) = hold.array(self.parameters);
        raw.lifetime_ms = self.lifetime_ms;
        raw.callback_uri = raw_text(self.callback_uri);
        raw
    }
}

/// A registration. Set either token or `token_bytes`.
#[derive(Clone, Copy, Default)]
pub struct PushOptions<'a> {
    /// `PushService`; required.
    pub platform: PushService,
    /// `PushEnvironment`, for APNs; ignored for other services.
    pub environment: PushEnvironment,
    /// The token that the service gave the device; for APNs in hexadecimal.
    pub token: Option<&'a str>,
    /// APNs only: the token as bytes; the library sends them in upper-case hexadecimal.
    pub token_bytes: Option<&'a [u8]>,
    /// True: the server is older than 1.10: it has other names for the services and no environment; false: the library
    /// asks the server for its version.
    pub is_legacy_server: bool,
}
impl Given for PushOptions<'_> {
    type Raw = sys::mtoken_push_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.platform = self.platform.0;
        raw.environment = self.environment.0;
        raw.token = raw_text(self.token);
        raw.token_bytes = raw_bytes(self.token_bytes);
        raw.is_legacy_server = self.is_legacy_server as i32;
        raw
    }
}

/// Options for handling a request.
#[derive(Clone, Copy, Default)]
pub struct MobileAuthOptions<'a> {
    /// True: the host operates the biometric sensor; false: the library asks for the PIN instead.
    pub handles_biometry: bool,
    /// True: the host answers `ChallengeKind::PROXIMITY`; false: a request that requires a proximity check without a
    /// known password fails with "proximity_required".
    pub handles_proximity: bool,
    /// A registered custom authenticator, which is then preferred.
    pub authenticator: Option<&'a str>,
    /// Text to show with the biometric sensor; default: the request's message.
    pub prompt: Option<&'a str>,
    /// JSON object for the bank's fraud detection, sent with an approval or a denial.
    pub mobile_token_data: Option<&'a str>,
    /// One-time password of the proximity check, if known in advance.
    pub proximity_otp: Option<&'a str>,
    /// Device time when `proximity_otp` was received, milliseconds since the epoch; 0: now.
    pub proximity_received: i64,
    /// `ProximityType`; required with `proximity_otp`.
    pub proximity_source: ProximityType,
}
impl Given for MobileAuthOptions<'_> {
    type Raw = sys::mtoken_mobile_auth_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.handles_biometry = self.handles_biometry as i32;
        raw.handles_proximity = self.handles_proximity as i32;
        raw.authenticator = raw_text(self.authenticator);
        raw.prompt = raw_text(self.prompt);
        raw.mobile_token_data = raw_text(self.mobile_token_data);
        raw.proximity_otp = raw_text(self.proximity_otp);
        raw.proximity_received = self.proximity_received;
        raw.proximity_source = self.proximity_source.0;
        raw
    }
}

/// A response.
#[derive(Clone, Copy, Default)]
pub struct HttpResponse<'a> {
    /// 200 to 999; required.
    pub status: i32,
    /// At most 200.
    pub headers: &'a [HeaderText<'a>],
    /// Without content coding.
    pub body: Option<&'a [u8]>,
}
impl Given for HttpResponse<'_> {
    type Raw = sys::mtoken_http_response;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.status = self.status;
        (raw.headers, raw.header_count) = hold.array(self.headers);
        raw.body = raw_bytes(self.body);
        raw
    }
}

/// An ECDSA signature (with SHA-256) to be verified.
#[derive(Clone, Copy, Default)]
pub struct EcdsaVerifyOptions<'a> {
    /// Required.
    pub public_key: Option<&'a [u8]>,
    /// The data that was signed; may be empty.
    pub signed_bytes: Option<&'a [u8]>,
    /// Required.
    pub signature: Option<&'a [u8]>,
    /// `DeviceSignature`.
    pub form: DeviceSignature,
}
impl Given for EcdsaVerifyOptions<'_> {
    type Raw = sys::mtoken_ecdsa_verify_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.public_key = raw_bytes(self.public_key);
        raw.signed_bytes = raw_bytes(self.signed_bytes);
        raw.signature = raw_bytes(self.signature);
        raw.form = self.form.0;
        raw
    }
}

/// An authorization request whose nonce, state and challenge the host created itself.
#[derive(Clone, Copy, Default)]
pub struct OidcUrlOptions<'a> {
    /// Required.
    pub request: Option<&'a OidcOptions<'a>>,
    /// Required.
    pub nonce: Option<&'a str>,
    /// Required.
    pub state: Option<&'a str>,
    /// PKCE S256 challenge; not set: without PKCE.
    pub challenge: Option<&'a str>,
}
impl Given for OidcUrlOptions<'_> {
    type Raw = sys::mtoken_oidc_url_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.request = hold.option(self.request);
        raw.nonce = raw_text(self.nonce);
        raw.state = raw_text(self.state);
        raw.challenge = raw_text(self.challenge);
        raw
    }
}
