// Made by bindings/generate from mtoken.h. Do not edit.

use crate::calls::*;
use crate::life::*;
use crate::values::*;
use crate::views::*;
use mtoken_sys as sys;

/// One field of the operation data to build.
#[derive(Clone, Copy, Default)]
pub struct FieldInput<'a> {
    /// MTOKEN_FIELD_..., but not OTHER
    pub kind: FieldType,
    /// DATE
    pub year: i32,
    /// DATE
    pub month: i32,
    /// DATE
    pub day: i32,
    /// ANY_ACCOUNT, REFERENCE, NOTE, TEXT: any text, without escapes
    pub text: Option<&'a str>,
    /// AMOUNT: positive, at most two decimal places, e.g. "100.50"
    pub amount: Option<&'a str>,
    /// AMOUNT: three letters
    pub currency: Option<&'a str>,
    /// ACCOUNT: digits and capital letters
    pub iban: Option<&'a str>,
    /// ACCOUNT: digits and capital letters
    pub bic: Option<&'a str>,
}
impl<'a> Given for FieldInput<'a> {
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

/// How the user authenticates.
#[derive(Clone, Copy, Default)]
pub struct Auth<'a> {
    /// UTF-8 bytes of the PIN or password
    pub pin: Option<&'a [u8]>,
    /// The 16 bytes (protocol 4.0: or 32) that the host keeps under its biometric protection
    pub biometry_key: Option<&'a [u8]>,
    /// 0: as above
    pub factors: Factor,
    /// Named authenticator that biometry_key belongs to (factors.h)
    pub authenticator: Option<&'a str>,
}
impl<'a> Given for Auth<'a> {
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
    /// "GET", "POST", "PUT", "DELETE", "PATCH" or "HEAD"
    pub method: Option<&'a str>,
    /// The constant that the server expects for the endpoint, not its URL
    pub uri_id: Option<&'a str>,
    /// The exact bytes of the body
    pub body: Option<&'a [u8]>,
}
impl<'a> Given for SignOptions<'a> {
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
    /// the constant that the server expects
    pub uri_id: Option<&'a str>,
    /// may be empty
    pub body: Option<&'a [u8]>,
    /// 16 bytes from the server
    pub nonce: Option<&'a [u8]>,
    /// digits per factor, 4 to 8
    pub component_length: i32,
}
impl<'a> Given for SignOfflineOptions<'a> {
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
    /// MTOKEN_KEY_...: the expected signer
    pub server_key: Key,
    /// MTOKEN_SIGNATURE_FORM_...
    pub form: DeviceSignature,
    /// the data that was signed
    pub signed_bytes: Option<&'a [u8]>,
    /// required
    pub signature: Option<&'a [u8]>,
}
impl<'a> Given for VerifyOptions<'a> {
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
    /// 1: leave it to the server to refuse factors that the operation does not allow, which may count as a failed attempt
    pub allow_other_factors: bool,
    /// 1: refuse (STATE, reason "contradiction") an operation that displays something other than what it signs
    pub strict: bool,
    /// 1: also approve an operation with status MTOKEN_OPERATION_UNKNOWN
    pub allow_unknown_status: bool,
    /// MTOKEN_CONTRADICTION_... flags that strict ignores, in addition to the client's
    pub tolerated: Contradiction,
    /// JSON object for the bank's fraud detection
    pub mobile_token_data: Option<&'a str>,
    /// One-time password of the proximity check, if the operation requires one
    pub proximity_otp: Option<&'a str>,
    /// Device time when proximity_otp was received, milliseconds since the epoch
    pub proximity_received: i64,
    /// MTOKEN_PROXIMITY_...
    pub proximity_source: ProximityType,
    /// Id of the operation that was shown to the user: STATE (reason "otherOperation") if the operation handed in is another one, e.g. since the list was fetched anew
    pub expected_id: Option<&'a str>,
}
impl<'a> Given for AuthorizeOptions<'a> {
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
    /// required
    pub id: Option<&'a str>,
    /// exactly as the bank created it
    pub operation_data: Option<&'a str>,
}
impl<'a> Given for OperationOptions<'a> {
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
    /// MTOKEN_REJECT_... or any other text
    pub reason: Option<&'a str>,
    /// JSON object for the bank's fraud detection
    pub mobile_token_data: Option<&'a str>,
}
impl<'a> Given for RejectOptions<'a> {
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
    /// Between two fetches, at most 86400000
    pub interval_ms: i64,
    /// 1: the first fetch comes after one interval
    pub delay_start: bool,
    /// 1: pushes also announce new operations, so the interval is doubled
    pub has_push: bool,
    /// 1: each consecutive failure from the second on doubles the wait, up to eightfold
    pub back_off: bool,
    /// Maximum random deviation of each wait from the interval, in percent
    pub jitter_percent: i32,
    /// 1: the wait follows what happens
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

/// Options of mtoken_runtime_new.
#[derive(Clone, Copy, Default)]
pub struct RuntimeOptions {
    /// MTOKEN_EVENT_MASK_..., combined with |
    pub events: Events,
    /// MTOKEN_LOG_...: the least severe level that MTOKEN_EVENT_MASK_LOG queues
    pub log_level: LogLevel,
    /// Maximum number of concurrent HTTP requests, 1 to 4096
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

/// Options of the sealers that come with the library; mtoken_sealer_open says which takes which.
#[derive(Clone, Copy, Default)]
pub struct SealerOptions<'a> {
    pub device: Option<&'a str>,
    pub module_path: Option<&'a str>,
    pub password: Option<&'a [u8]>,
    pub pcrs: Option<&'a str>,
}
impl<'a> Given for SealerOptions<'a> {
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

/// Options of mtoken_client_encrypt.
#[derive(Clone, Copy, Default)]
pub struct EncryptOptions<'a> {
    /// MTOKEN_SCOPE_... Required
    pub scope: Scope,
    /// With auth: MTOKEN_ENCRYPT_THEN_SIGN or MTOKEN_SIGN_THEN_ENCRYPT
    pub order: Order,
    /// NULL: not signed
    pub auth: Option<&'a Auth<'a>>,
    /// with auth: the constant that the server expects for the endpoint
    pub uri_id: Option<&'a str>,
}
impl<'a> Given for EncryptOptions<'a> {
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
    /// treated as a secret
    pub value: Option<&'a str>,
}
impl<'a> Given for IdentityAttribute<'a> {
    type Raw = sys::mtoken_identity_attribute;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.name = raw_text(self.name);
        raw.value = raw_text(self.value);
        raw
    }
}

/// How to activate.
#[derive(Clone, Copy, Default)]
pub struct ActivationOptions<'a> {
    /// "CODE" or "CODE#SIGNATURE", as scanned, pasted or typed: white space, missing or typographic dashes, lower case, 0 for O and 1 for I are corrected
    pub code: Option<&'a str>,
    /// One-time password in addition to a code, if the bank uses one
    pub otp: Option<&'a str>,
    /// Name of the device, which the bank shows to the user
    pub name: Option<&'a str>,
    /// any text for the server, at most 4,000 characters
    pub extras: Option<&'a str>,
    /// JSON object for the server
    pub custom_attributes: Option<&'a str>,
    /// default "linux"
    pub platform: Option<&'a str>,
    /// The kind of device, which the bank shows
    pub device_info: Option<&'a str>,
    /// With or without "R:"
    pub recovery_code: Option<&'a str>,
    /// 10 digits
    pub recovery_puk: Option<&'a str>,
    /// Attributes that the bank defines, e.g. user name and password
    pub identity: &'a [IdentityAttribute<'a>],
    /// the bank's id of the OpenID Connect provider
    pub oidc_provider: Option<&'a str>,
    /// the authorization code from the provider
    pub oidc_code: Option<&'a str>,
    /// the nonce of the authorization request
    pub oidc_nonce: Option<&'a str>,
    /// PKCE code verifier
    pub oidc_code_verifier: Option<&'a str>,
}
impl<'a> Given for ActivationOptions<'a> {
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

/// Options of mtoken_client_wait_active.
#[derive(Clone, Copy, Default)]
pub struct WaitOptions<'a> {
    /// maximum time to wait
    pub timeout_ms: i64,
    /// Protocol 3: must be NULL
    pub auth: Option<&'a Auth<'a>>,
}
impl<'a> Given for WaitOptions<'a> {
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
    /// Base64, 44 characters
    pub sha256: Option<&'a str>,
    /// Milliseconds since the epoch after which the pin is ignored
    pub expires: i64,
}
impl<'a> Given for TlsPin<'a> {
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
    /// at most 128 characters
    pub name: Option<&'a str>,
    /// printable ASCII, at most 4096 characters
    pub value: Option<&'a str>,
}
impl<'a> Given for HeaderText<'a> {
    type Raw = sys::mtoken_header_text;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = unsafe { std::mem::zeroed() };
        raw.name = raw_text(self.name);
        raw.value = raw_text(self.value);
        raw
    }
}

/// Options of mtoken_client_new: which state, application and server the client uses, and how.
#[derive(Clone, Copy, Default)]
pub struct ClientOptions<'a> {
    /// The name of this client within its store: 1 to 64 bytes from A-Z a-z 0-9 
    pub id: Option<&'a str>,
    /// The application's "SDK configuration" string (application key and secret, master public key)
    pub configuration: Option<&'a str>,
    /// Root URL of the PowerAuth and operations APIs, e.g. `https://bank.example/enrollment-server`
    pub base_url: Option<&'a str>,
    /// Root URL of the operations API, if it differs
    pub operations_url: Option<&'a str>,
    /// The store that holds the state
    pub store: Option<&'a Store>,
    /// A secret of at least 16 bytes bound to this device, from the host
    pub device_secret: Option<&'a [u8]>,
    /// MTOKEN_PROTOCOL_... of a new activation
    pub protocol_version: Protocol,
    /// MTOKEN_TLS_...
    pub tls_trust: Tls,
    /// A PEM file with the certificates to trust, instead of the system's
    pub ca_file: Option<&'a str>,
    /// At most 64
    pub pins: &'a [TlsPin<'a>],
    /// 1: accept plain http URLs, for tests on loopback only
    pub allow_http: bool,
    /// of each request
    pub timeout_ms: i32,
    /// `http://`, `https://` or `socks5h://` with host and port
    pub proxy: Option<&'a str>,
    /// Accept-Language: printable ASCII, at most 1024 characters
    pub language: Option<&'a str>,
    /// Default: "libmtoken/(version) (application) (Linux/(kernel)
    pub user_agent: Option<&'a str>,
    /// "(id)/(version)" for the default of user_agent
    pub application: Option<&'a str>,
    /// prefix of each log line of this client
    pub label: Option<&'a str>,
    /// Added to every request, at most 32
    pub headers: &'a [HeaderText<'a>],
    /// 1: this client never approves an operation that displays something other than what it signs, whatever the options of the call say: see mtoken_authorize_options.strict
    pub strict: bool,
    /// 1: each request has a new X-Correlation-ID (a random UUID), which identifies it in the bank's logs
    pub adds_correlation_id: bool,
    /// MTOKEN_CONTRADICTION_..., combined with |, that strict ignores, e.g. _UNSIGNED_AMOUNT for a bank that displays fees without signing them
    pub tolerated: Contradiction,
    /// MTOKEN_SUITE_... of a new activation of protocol 4.0. Default: EC_P384_ML_L3, or else EC_P384_ML_L5, if the configuration has an ML-DSA key, and EC_P384 if it has none
    pub suite: Suite,
    /// The external encryption key (factors.h): 16 bytes, not all zero
    pub external_key: Option<&'a [u8]>,
    /// mtoken_client_persist and changes of the PIN refuse a new PIN with fewer bytes: 4 to 1,000
    pub min_pin_length: i32,
    /// MTOKEN_PIN_..., combined with |: they refuse a new PIN with such a weakness
    pub refused_pins: PinWeakness,
    /// Keeps the device secret
    pub sealer: Option<&'a Sealer>,
    /// What the client shows to a server that asks for a certificate (mutual TLS), and to no proxy: a PEM file with the certificate and those between it and the root, a PKCS #12 file, or a PKCS #11 URI (RFC 7512), "pkcs11:...". Files are regular ones of at most 1 MiB, and ask for at most 5 million iterations
    pub client_certificate: Option<&'a str>,
    /// Its private key: a PEM file, or a PKCS #11 URI, whose key is used when a connection is made
    pub client_key: Option<&'a str>,
    /// The password of the key or of the PKCS #12 file, or the token's PIN
    pub client_key_password: Option<&'a [u8]>,
    /// MTOKEN_TRANSPORT_...
    pub transport: Transport,
    /// The weakest MTOKEN_SUITE_... that a new activation or an upgrade may have
    pub least_suite: Suite,
}
impl<'a> Given for ClientOptions<'a> {
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
    /// of each request
    pub timeout_ms: i32,
    /// Accept-Language
    pub language: Option<&'a str>,
    /// default: the client's
    pub user_agent: Option<&'a str>,
    /// In addition to the client's, and taking precedence over them
    pub headers: &'a [HeaderText<'a>],
    /// X-Correlation-ID of the call's own requests: 8 to 1024 characters from A-Z a-z 0-9 -
    pub correlation_id: Option<&'a str>,
}
impl<'a> Given for CallOptions<'a> {
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
impl<'a> Given for CsrField<'a> {
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
    /// The subject, e.g. "CN" or an OID with its value, in the order of the name
    pub subject: &'a [CsrField<'a>],
    /// Extensions, named and written as in OpenSSL's x509v3_config(5), without sections, e.g. "keyUsage" with "critical,digitalSignature", "subjectAltName" with "email:jana@bank.example", or an OID with "DER:" and hexadecimal bytes
    pub extensions: &'a [CsrField<'a>],
}
impl<'a> Given for CsrOptions<'a> {
    type Raw = sys::mtoken_csr_options;
    fn raw(&self, hold: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        (raw.subject, raw.subject_count) = hold.array(self.subject);
        (raw.extensions, raw.extension_count) = hold.array(self.extensions);
        raw
    }
}

/// Options of mtoken_token_fetch_header.
#[derive(Clone, Copy, Default)]
pub struct TokenOptions<'a> {
    /// name of the token: 1 to 64 bytes
    pub name: Option<&'a str>,
    /// Value of a header that the server answered with 401
    pub refused_header: Option<&'a str>,
}
impl<'a> Given for TokenOptions<'a> {
    type Raw = sys::mtoken_token_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.name = raw_text(self.name);
        raw.refused_header = raw_text(self.refused_header);
        raw
    }
}

/// How a payload is verified.
#[derive(Clone, Copy, Default)]
pub struct QrOptions<'a> {
    /// Verifies with the master key and, if it has an activation, with the personalised key
    pub client: Option<&'a Client>,
    /// The application's SDK configuration: verifies with the master key
    pub configuration: Option<&'a str>,
    /// 1: return the operation even if its signature is not valid
    pub keep_unverified: bool,
}
impl<'a> Given for QrOptions<'a> {
    type Raw = sys::mtoken_qr_options;
    fn raw(&self, _: &mut Hold) -> Self::Raw {
        let mut raw: Self::Raw = Default::default();
        raw.client = self.client.map_or(std::ptr::null_mut(), |object| object.as_ptr());
        raw.configuration = raw_text(self.configuration);
        raw.keep_unverified = self.keep_unverified as i32;
        raw
    }
}

/// Options of mtoken_qr_authorize.
#[derive(Clone, Copy, Default)]
pub struct QrAuthorizeOptions<'a> {
    /// Default "/operation/authorize/offline"
    pub uri_id: Option<&'a str>,
    /// Digits per factor, 4 to 8
    pub component_length: i32,
    /// 1: also approve operations that are not verified
    pub allow_unverified: bool,
}
impl<'a> Given for QrAuthorizeOptions<'a> {
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
    /// not empty
    pub id: Option<&'a str>,
    /// Any text: line breaks are escaped, whitespace is collapsed to single spaces
    pub title: Option<&'a str>,
    /// as title
    pub message: Option<&'a str>,
    /// what is approved, e.g. from mtoken_operation_fields_build
    pub operation_data: Option<&'a str>,
    /// e.g. "B"
    pub flags: Option<&'a str>,
    /// One-time password of a proximity check (mtoken_totp)
    pub totp: Option<&'a str>,
    /// 16 bytes
    pub nonce: Option<&'a [u8]>,
    /// 32 bytes, big endian: the server's private key on P-256
    pub private_key: Option<&'a [u8]>,
    /// MTOKEN_KEY_MASTER or MTOKEN_KEY_PERSONALIZED: which key private_key is
    pub server_key: Key,
}
impl<'a> Given for QrBuildOptions<'a> {
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

/// Options of mtoken_pac_parse.
#[derive(Clone, Copy, Default)]
pub struct PacOptions<'a> {
    /// Allowed links: "scheme" or `scheme://host`, in upper or lower case
    pub allowed: &'a [&'a str],
}
impl<'a> Given for PacOptions<'a> {
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
    /// 1 to 255 printable characters
    pub operation_id: Option<&'a str>,
    /// 4 to 10 digits
    pub totp: Option<&'a str>,
    /// For the deeplink forms: the part before the query, e.g. `mtoken://operation`
    pub link: Option<&'a str>,
    /// MTOKEN_PAC_...
    pub form: PacForm,
}
impl<'a> Given for PacBuildOptions<'a> {
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
impl<'a> Given for OidcParameter<'a> {
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
    /// A configuration from this library
    pub config: Option<&'a OidcConfig>,
    pub provider_id: Option<&'a str>,
    pub client_id: Option<&'a str>,
    /// should include "openid"
    pub scopes: Option<&'a str>,
    /// https, without fragment
    pub authorize_uri: Option<&'a str>,
    /// https, the program's own scheme, or http on a loopback address
    pub redirect_uri: Option<&'a str>,
    /// A response that names another issuer is refused
    pub issuer: Option<&'a str>,
    /// 1: a response that names no issuer is refused too
    pub requires_issuer: bool,
    /// 1: omit PKCE
    pub omits_pkce: bool,
    /// random bytes of the code verifier, 32 to 96
    pub pkce_bytes: i32,
    /// 1: allow http for authorize_uri on a loopback address, for tests only
    pub allow_http: bool,
    /// Added to the URL, e.g. "prompt", "login_hint", "ui_locales", "acr_values"
    pub parameters: &'a [OidcParameter<'a>],
    /// how long to wait for the response, at most 24 hours
    pub lifetime_ms: i64,
    /// Where the response reaches the program if the page at redirect_uri hands it on, e.g. the program's own scheme
    pub callback_uri: Option<&'a str>,
}
impl<'a> Given for OidcOptions<'a> {
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

/// A registration.
#[derive(Clone, Copy, Default)]
pub struct PushOptions<'a> {
    /// MTOKEN_PUSH_PLATFORM_...
    pub platform: PushService,
    /// MTOKEN_PUSH_ENVIRONMENT_..., for APNs
    pub environment: PushEnvironment,
    /// the token that the service gave the device
    pub token: Option<&'a str>,
    /// APNs only: the token as bytes
    pub token_bytes: Option<&'a [u8]>,
    /// 1: the server is older than 1.10: it has other names for the services and no environment
    pub is_legacy_server: bool,
}
impl<'a> Given for PushOptions<'a> {
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
    /// 1: the host operates the biometric sensor
    pub handles_biometry: bool,
    /// 1: the host answers MTOKEN_CHALLENGE_PROXIMITY
    pub handles_proximity: bool,
    /// a registered custom authenticator, which is then preferred
    pub authenticator: Option<&'a str>,
    /// text to show with the biometric sensor
    pub prompt: Option<&'a str>,
    /// JSON object for the bank's fraud detection, sent with an approval or a denial
    pub mobile_token_data: Option<&'a str>,
    /// One-time password of the proximity check, if known in advance
    pub proximity_otp: Option<&'a str>,
    /// Device time when proximity_otp was received, milliseconds since the epoch
    pub proximity_received: i64,
    /// MTOKEN_PROXIMITY_...
    pub proximity_source: ProximityType,
}
impl<'a> Given for MobileAuthOptions<'a> {
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
    /// 200 to 999
    pub status: i32,
    /// at most 200
    pub headers: &'a [HeaderText<'a>],
    /// without content coding
    pub body: Option<&'a [u8]>,
}
impl<'a> Given for HttpResponse<'a> {
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
    /// required
    pub public_key: Option<&'a [u8]>,
    /// the data that was signed
    pub signed_bytes: Option<&'a [u8]>,
    /// required
    pub signature: Option<&'a [u8]>,
    /// MTOKEN_SIGNATURE_FORM_...
    pub form: DeviceSignature,
}
impl<'a> Given for EcdsaVerifyOptions<'a> {
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
    /// required
    pub request: Option<&'a OidcOptions<'a>>,
    /// required
    pub nonce: Option<&'a str>,
    /// required
    pub state: Option<&'a str>,
    /// PKCE S256 challenge
    pub challenge: Option<&'a str>,
}
impl<'a> Given for OidcUrlOptions<'a> {
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
