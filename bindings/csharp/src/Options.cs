// Made by bindings/generate from mtoken.h. Do not edit.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Mtoken
{
    /// <summary>One field of the operation data to build.</summary>
    public sealed unsafe class FieldInput : IGiven
    {
        /// <summary>MTOKEN_FIELD_..., but not OTHER</summary>
        public FieldType Kind { get; set; }

        /// <summary>DATE</summary>
        public int Year { get; set; }

        /// <summary>DATE</summary>
        public int Month { get; set; }

        /// <summary>DATE</summary>
        public int Day { get; set; }

        /// <summary>ANY_ACCOUNT, REFERENCE, NOTE, TEXT: any text, without escapes</summary>
        public string Text { get; set; }

        /// <summary>AMOUNT: positive, at most two decimal places, e.g. "100.50"</summary>
        public string Amount { get; set; }

        /// <summary>AMOUNT: three letters</summary>
        public string Currency { get; set; }

        /// <summary>ACCOUNT: digits and capital letters</summary>
        public string Iban { get; set; }

        /// <summary>ACCOUNT: digits and capital letters</summary>
        public string Bic { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_field_input); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_field_input*)at;
            raw->kind = (int)Kind;
            raw->year = Year;
            raw->month = Month;
            raw->day = Day;
            raw->text.data = arena.Text(Text, out raw->text.length);
            raw->amount.data = arena.Text(Amount, out raw->amount.length);
            raw->currency.data = arena.Text(Currency, out raw->currency.length);
            raw->iban.data = arena.Text(Iban, out raw->iban.length);
            raw->bic.data = arena.Text(Bic, out raw->bic.length);
        }
    }

    /// <summary>How the user authenticates.</summary>
    public sealed unsafe class Auth : IGiven
    {
        /// <summary>UTF-8 bytes of the PIN or password</summary>
        public byte[] Pin { get; set; }

        /// <summary>The 16 bytes (protocol 4.0: or 32) that the host keeps under its biometric protection</summary>
        public byte[] BiometryKey { get; set; }

        /// <summary>0: as above</summary>
        public Factor Factors { get; set; }

        /// <summary>Named authenticator that biometry_key belongs to (factors.h)</summary>
        public string Authenticator { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_auth); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_auth*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_auth);
            raw->pin.data = arena.Bytes(Pin, out raw->pin.length);
            raw->biometry_key.data = arena.Bytes(BiometryKey, out raw->biometry_key.length);
            raw->factors = (int)Factors;
            raw->authenticator.data = arena.Text(Authenticator, out raw->authenticator.length);
        }
    }

    /// <summary>The parts of a request that are signed.</summary>
    public sealed unsafe class SignOptions : IGiven
    {
        /// <summary>"GET", "POST", "PUT", "DELETE", "PATCH" or "HEAD"</summary>
        public string Method { get; set; }

        /// <summary>The constant that the server expects for the endpoint, not its URL</summary>
        public string UriId { get; set; }

        /// <summary>The exact bytes of the body</summary>
        public byte[] Body { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_sign_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_sign_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_sign_options);
            raw->method.data = arena.Text(Method, out raw->method.length);
            raw->uri_id.data = arena.Text(UriId, out raw->uri_id.length);
            raw->body.data = arena.Bytes(Body, out raw->body.length);
        }
    }

    /// <summary>What is signed offline.</summary>
    public sealed unsafe class SignOfflineOptions : IGiven
    {
        /// <summary>the constant that the server expects</summary>
        public string UriId { get; set; }

        /// <summary>may be empty</summary>
        public byte[] Body { get; set; }

        /// <summary>16 bytes from the server</summary>
        public byte[] Nonce { get; set; }

        /// <summary>digits per factor, 4 to 8</summary>
        public int ComponentLength { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_sign_offline_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_sign_offline_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_sign_offline_options);
            raw->uri_id.data = arena.Text(UriId, out raw->uri_id.length);
            raw->body.data = arena.Bytes(Body, out raw->body.length);
            raw->nonce.data = arena.Bytes(Nonce, out raw->nonce.length);
            raw->component_length = ComponentLength;
        }
    }

    /// <summary>What is verified.</summary>
    public sealed unsafe class VerifyOptions : IGiven
    {
        /// <summary>MTOKEN_KEY_...: the expected signer</summary>
        public Key ServerKey { get; set; }

        /// <summary>MTOKEN_SIGNATURE_FORM_...</summary>
        public DeviceSignature Form { get; set; }

        /// <summary>the data that was signed</summary>
        public byte[] SignedBytes { get; set; }

        /// <summary>required</summary>
        public byte[] Signature { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_verify_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_verify_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_verify_options);
            raw->server_key = (int)ServerKey;
            raw->form = (int)Form;
            raw->signed_bytes.data = arena.Bytes(SignedBytes, out raw->signed_bytes.length);
            raw->signature.data = arena.Bytes(Signature, out raw->signature.length);
        }
    }

    /// <summary>Options of an approval.</summary>
    public sealed unsafe class AuthorizeOptions : IGiven
    {
        /// <summary>1: check before signing that the operation allows the factors</summary>
        public bool CheckFactors { get; set; }

        /// <summary>1: refuse (STATE, reason "contradiction") an operation that displays something other than what it signs</summary>
        public bool Strict { get; set; }

        /// <summary>1: also approve an operation with status MTOKEN_OPERATION_UNKNOWN</summary>
        public bool AllowUnknownStatus { get; set; }

        /// <summary>MTOKEN_CONTRADICTION_... flags that strict ignores, in addition to the client's</summary>
        public Contradiction Tolerated { get; set; }

        /// <summary>JSON object for the bank's fraud detection</summary>
        public string MobileTokenData { get; set; }

        /// <summary>One-time password of the proximity check, if the operation requires one</summary>
        public string ProximityOtp { get; set; }

        /// <summary>Device time when proximity_otp was received, milliseconds since the epoch</summary>
        public long ProximityReceived { get; set; }

        /// <summary>MTOKEN_PROXIMITY_...</summary>
        public ProximityType ProximitySource { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_authorize_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_authorize_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_authorize_options);
            raw->check_factors = CheckFactors ? 1 : 0;
            raw->strict = Strict ? 1 : 0;
            raw->allow_unknown_status = AllowUnknownStatus ? 1 : 0;
            raw->tolerated = (int)Tolerated;
            raw->mobile_token_data.data = arena.Text(MobileTokenData, out raw->mobile_token_data.length);
            raw->proximity_otp.data = arena.Text(ProximityOtp, out raw->proximity_otp.length);
            raw->proximity_received = ProximityReceived;
            raw->proximity_source = (int)ProximitySource;
        }
    }

    /// <summary>An operation that was received on another channel.</summary>
    public sealed unsafe class OperationOptions : IGiven
    {
        /// <summary>required</summary>
        public string Id { get; set; }

        /// <summary>exactly as the bank created it</summary>
        public string OperationData { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_operation_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_operation_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_operation_options);
            raw->id.data = arena.Text(Id, out raw->id.length);
            raw->operation_data.data = arena.Text(OperationData, out raw->operation_data.length);
        }
    }

    /// <summary>Options of a rejection.</summary>
    public sealed unsafe class RejectOptions : IGiven
    {
        /// <summary>MTOKEN_REJECT_... or any other text</summary>
        public string Reason { get; set; }

        /// <summary>JSON object for the bank's fraud detection</summary>
        public string MobileTokenData { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_reject_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_reject_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_reject_options);
            raw->reason.data = arena.Text(Reason, out raw->reason.length);
            raw->mobile_token_data.data = arena.Text(MobileTokenData, out raw->mobile_token_data.length);
        }
    }

    /// <summary>Options of polling.</summary>
    public sealed unsafe class PollingOptions : IGiven
    {
        /// <summary>Between two fetches, at most 86400000</summary>
        public long IntervalMs { get; set; }

        /// <summary>1: the first fetch comes after one interval</summary>
        public bool DelayStart { get; set; }

        /// <summary>1: pushes also announce new operations, so the interval is doubled</summary>
        public bool HasPush { get; set; }

        /// <summary>1: each consecutive failure from the second on doubles the wait, up to eightfold</summary>
        public bool BackOff { get; set; }

        /// <summary>Maximum random deviation of each wait from the interval, in percent</summary>
        public int JitterPercent { get; set; }

        /// <summary>1: the wait follows what happens</summary>
        public bool IsAdaptive { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_polling_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_polling_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_polling_options);
            raw->interval_ms = IntervalMs;
            raw->delay_start = DelayStart ? 1 : 0;
            raw->has_push = HasPush ? 1 : 0;
            raw->back_off = BackOff ? 1 : 0;
            raw->jitter_percent = JitterPercent;
            raw->is_adaptive = IsAdaptive ? 1 : 0;
        }
    }

    /// <summary>Something that expires.</summary>
    public sealed unsafe class Watch : IGiven
    {
        /// <summary>UTF-8, NUL-terminated</summary>
        public string Id { get; set; }

        /// <summary>UTF-8, NUL-terminated</summary>
        public string OperationData { get; set; }

        /// <summary>milliseconds since the epoch</summary>
        public long Expires { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_watched); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_watched*)at;
            raw->id = arena.CText(Id);
            raw->operation_data = arena.CText(OperationData);
            raw->expires = Expires;
        }
    }

    /// <summary>Options of mtoken_runtime_new.</summary>
    public sealed unsafe class RuntimeOptions : IGiven
    {
        /// <summary>MTOKEN_EVENT_MASK_..., combined with |</summary>
        public Events Events { get; set; }

        /// <summary>MTOKEN_LOG_...: the least severe level that MTOKEN_EVENT_MASK_LOG queues</summary>
        public LogLevel LogLevel { get; set; }

        /// <summary>Maximum number of concurrent HTTP requests, 1 to 4096</summary>
        public int MaxTransfers { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_runtime_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_runtime_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_runtime_options);
            raw->events = (int)Events;
            raw->log_level = (int)LogLevel;
            raw->max_transfers = MaxTransfers;
        }
    }

    /// <summary>Options of the sealers that come with the library; mtoken_sealer_open says which takes which.</summary>
    public sealed unsafe class SealerOptions : IGiven
    {
        public string Device { get; set; }

        public string ModulePath { get; set; }

        public byte[] Password { get; set; }

        public string Pcrs { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_sealer_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_sealer_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_sealer_options);
            raw->device.data = arena.Text(Device, out raw->device.length);
            raw->module_path.data = arena.Text(ModulePath, out raw->module_path.length);
            raw->password.data = arena.Bytes(Password, out raw->password.length);
            raw->pcrs.data = arena.Text(Pcrs, out raw->pcrs.length);
        }
    }

    /// <summary>Options of mtoken_client_encrypt.</summary>
    public sealed unsafe class EncryptOptions : IGiven
    {
        /// <summary>MTOKEN_SCOPE_... Required</summary>
        public Scope Scope { get; set; }

        /// <summary>With auth: MTOKEN_ENCRYPT_THEN_SIGN or MTOKEN_SIGN_THEN_ENCRYPT</summary>
        public Order Order { get; set; }

        /// <summary>NULL: not signed</summary>
        public Auth Auth { get; set; }

        /// <summary>with auth: the constant that the server expects for the endpoint</summary>
        public string UriId { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_encrypt_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_encrypt_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_encrypt_options);
            raw->scope = (int)Scope;
            raw->order = (int)Order;
            raw->auth = (Raw.mtoken_auth*)arena.Option(Auth);
            raw->uri_id.data = arena.Text(UriId, out raw->uri_id.length);
        }
    }

    /// <summary>One identity attribute of an activation.</summary>
    public sealed unsafe class IdentityAttribute : IGiven
    {
        public string Name { get; set; }

        /// <summary>treated as a secret</summary>
        public string Value { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_identity_attribute); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_identity_attribute*)at;
            raw->name.data = arena.Text(Name, out raw->name.length);
            raw->value.data = arena.Text(Value, out raw->value.length);
        }
    }

    /// <summary>How to activate.</summary>
    public sealed unsafe class ActivationOptions : IGiven
    {
        /// <summary>"CODE" or "CODE#SIGNATURE"</summary>
        public string Code { get; set; }

        /// <summary>One-time password in addition to a code, if the bank uses one</summary>
        public string Otp { get; set; }

        /// <summary>Name of the device, which the bank shows to the user</summary>
        public string Name { get; set; }

        /// <summary>any text for the server, at most 4,000 characters</summary>
        public string Extras { get; set; }

        /// <summary>JSON object for the server</summary>
        public string CustomAttributes { get; set; }

        /// <summary>default "linux"</summary>
        public string Platform { get; set; }

        /// <summary>The kind of device, which the bank shows</summary>
        public string DeviceInfo { get; set; }

        /// <summary>With or without "R:"</summary>
        public string RecoveryCode { get; set; }

        /// <summary>10 digits</summary>
        public string RecoveryPuk { get; set; }

        /// <summary>Attributes that the bank defines, e.g. user name and password</summary>
        public IReadOnlyList<IdentityAttribute> Identity { get; set; }

        /// <summary>the bank's id of the OpenID Connect provider</summary>
        public string OidcProvider { get; set; }

        /// <summary>the authorization code from the provider</summary>
        public string OidcCode { get; set; }

        /// <summary>the nonce of the authorization request</summary>
        public string OidcNonce { get; set; }

        /// <summary>PKCE code verifier</summary>
        public string OidcCodeVerifier { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_activation_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_activation_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_activation_options);
            raw->code.data = arena.Text(Code, out raw->code.length);
            raw->otp.data = arena.Text(Otp, out raw->otp.length);
            raw->name.data = arena.Text(Name, out raw->name.length);
            raw->extras.data = arena.Text(Extras, out raw->extras.length);
            raw->custom_attributes.data = arena.Text(CustomAttributes, out raw->custom_attributes.length);
            raw->platform.data = arena.Text(Platform, out raw->platform.length);
            raw->device_info.data = arena.Text(DeviceInfo, out raw->device_info.length);
            raw->recovery_code.data = arena.Text(RecoveryCode, out raw->recovery_code.length);
            raw->recovery_puk.data = arena.Text(RecoveryPuk, out raw->recovery_puk.length);
            raw->identity = (Raw.mtoken_identity_attribute*)arena.Array(Identity, out raw->identity_count);
            raw->oidc_provider.data = arena.Text(OidcProvider, out raw->oidc_provider.length);
            raw->oidc_code.data = arena.Text(OidcCode, out raw->oidc_code.length);
            raw->oidc_nonce.data = arena.Text(OidcNonce, out raw->oidc_nonce.length);
            raw->oidc_code_verifier.data = arena.Text(OidcCodeVerifier, out raw->oidc_code_verifier.length);
        }
    }

    /// <summary>Options of mtoken_client_wait_active.</summary>
    public sealed unsafe class WaitOptions : IGiven
    {
        /// <summary>maximum time to wait</summary>
        public long TimeoutMs { get; set; }

        /// <summary>Protocol 3: must be NULL</summary>
        public Auth Auth { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_wait_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_wait_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_wait_options);
            raw->timeout_ms = TimeoutMs;
            raw->auth = (Raw.mtoken_auth*)arena.Option(Auth);
        }
    }

    /// <summary>A pin: SHA-256 of a public key (SubjectPublicKeyInfo).</summary>
    public sealed unsafe class TlsPin : IGiven
    {
        /// <summary>Base64, 44 characters</summary>
        public string Sha256 { get; set; }

        /// <summary>Milliseconds since the epoch after which the pin is ignored</summary>
        public long Expires { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_tls_pin); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_tls_pin*)at;
            raw->sha256.data = arena.Text(Sha256, out raw->sha256.length);
            raw->expires = Expires;
        }
    }

    /// <summary>A header field for requests.</summary>
    public sealed unsafe class HeaderText : IGiven
    {
        /// <summary>at most 128 characters</summary>
        public string Name { get; set; }

        /// <summary>printable ASCII, at most 4096 characters</summary>
        public string Value { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_header_text); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_header_text*)at;
            raw->name.data = arena.Text(Name, out raw->name.length);
            raw->value.data = arena.Text(Value, out raw->value.length);
        }
    }

    /// <summary>Options of mtoken_client_new: which state, application and server the client uses, and how.</summary>
    public sealed unsafe class ClientOptions : IGiven
    {
        /// <summary>The name of this client within its store: 1 to 64 bytes from A-Z a-z 0-9 </summary>
        public string Id { get; set; }

        /// <summary>The application's "SDK configuration" string (application key and secret, master public key)</summary>
        public string Configuration { get; set; }

        /// <summary>Root URL of the PowerAuth and operations APIs, e.g. "https://bank.example/enrollment-server"</summary>
        public string BaseUrl { get; set; }

        /// <summary>Root URL of the operations API, if it differs</summary>
        public string OperationsUrl { get; set; }

        /// <summary>The store that holds the state</summary>
        public Store Store { get; set; }

        /// <summary>A secret of at least 16 bytes bound to this device, from the host</summary>
        public byte[] DeviceSecret { get; set; }

        /// <summary>MTOKEN_PROTOCOL_... of a new activation</summary>
        public Protocol ProtocolVersion { get; set; }

        /// <summary>MTOKEN_TLS_...</summary>
        public Tls TlsTrust { get; set; }

        /// <summary>PEM file, for MTOKEN_TLS_CA only</summary>
        public string CaFile { get; set; }

        /// <summary>At most 64</summary>
        public IReadOnlyList<TlsPin> Pins { get; set; }

        /// <summary>1: accept plain http URLs, for tests on loopback only</summary>
        public bool AllowHttp { get; set; }

        /// <summary>of each request</summary>
        public int TimeoutMs { get; set; }

        /// <summary>http://, https:// or socks5h:// with host and port</summary>
        public string Proxy { get; set; }

        /// <summary>Accept-Language: printable ASCII, at most 1024 characters</summary>
        public string Language { get; set; }

        /// <summary>Default: "libmtoken/&lt;version&gt; &lt;application&gt; (Linux/&lt;kernel&gt;</summary>
        public string UserAgent { get; set; }

        /// <summary>"&lt;id&gt;/&lt;version&gt;" for the default of user_agent</summary>
        public string Application { get; set; }

        /// <summary>prefix of each log line of this client</summary>
        public string Label { get; set; }

        /// <summary>Added to every request, at most 32</summary>
        public IReadOnlyList<HeaderText> Headers { get; set; }

        /// <summary>1: this client never approves an operation that displays something other than what it signs, whatever the options of the call say: see mtoken_authorize_options.strict</summary>
        public bool Strict { get; set; }

        /// <summary>1: each request has a new X-Correlation-ID (a random UUID), which identifies it in the bank's logs</summary>
        public bool AddsCorrelationId { get; set; }

        /// <summary>MTOKEN_CONTRADICTION_..., combined with |, that strict ignores, e.g. _UNSIGNED_AMOUNT for a bank that displays fees without signing them</summary>
        public Contradiction Tolerated { get; set; }

        /// <summary>MTOKEN_SUITE_... of a new activation of protocol 4.0. Default: EC_P384_ML_L3, or else EC_P384_ML_L5, if the configuration has an ML-DSA key, and EC_P384 if it has none</summary>
        public Suite Suite { get; set; }

        /// <summary>The external encryption key (factors.h): 16 bytes, not all zero</summary>
        public byte[] ExternalKey { get; set; }

        /// <summary>mtoken_client_persist and changes of the PIN refuse a new PIN with fewer bytes: 4 to 1,000</summary>
        public int MinPinLength { get; set; }

        /// <summary>MTOKEN_PIN_..., combined with |: they refuse a new PIN with such a weakness</summary>
        public PinWeakness RefusedPins { get; set; }

        /// <summary>Keeps the device secret</summary>
        public Sealer Sealer { get; set; }

        /// <summary>What the client shows to a server, or https:// proxy, that asks for a certificate (mutual TLS): a PEM file with the certificate and those between it and the root, a PKCS #12 file, or a PKCS #11 URI (RFC 7512), "pkcs11:...". Read when the client is created</summary>
        public string ClientCertificate { get; set; }

        /// <summary>Its private key: a PEM file, or a PKCS #11 URI, whose key is used when a connection is made</summary>
        public string ClientKey { get; set; }

        /// <summary>The password of the key or of the PKCS #12 file, or the token's PIN</summary>
        public byte[] ClientKeyPassword { get; set; }

        /// <summary>MTOKEN_TRANSPORT_...</summary>
        public Transport Transport { get; set; }

        internal ClientOptions Copy() { return (ClientOptions)MemberwiseClone(); }

        int IGiven.Size { get { return sizeof(Raw.mtoken_client_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_client_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_client_options);
            raw->id.data = arena.Text(Id, out raw->id.length);
            raw->configuration.data = arena.Text(Configuration, out raw->configuration.length);
            raw->base_url.data = arena.Text(BaseUrl, out raw->base_url.length);
            raw->operations_url.data = arena.Text(OperationsUrl, out raw->operations_url.length);
            raw->store = Life.HandleOf(Store);
            raw->device_secret.data = arena.Bytes(DeviceSecret, out raw->device_secret.length);
            raw->protocol_version = (int)ProtocolVersion;
            raw->tls_trust = (int)TlsTrust;
            raw->ca_file.data = arena.Text(CaFile, out raw->ca_file.length);
            raw->pins = (Raw.mtoken_tls_pin*)arena.Array(Pins, out raw->pin_count);
            raw->allow_http = AllowHttp ? 1 : 0;
            raw->timeout_ms = TimeoutMs;
            raw->proxy.data = arena.Text(Proxy, out raw->proxy.length);
            raw->language.data = arena.Text(Language, out raw->language.length);
            raw->user_agent.data = arena.Text(UserAgent, out raw->user_agent.length);
            raw->application.data = arena.Text(Application, out raw->application.length);
            raw->label.data = arena.Text(Label, out raw->label.length);
            raw->headers = (Raw.mtoken_header_text*)arena.Array(Headers, out raw->header_count);
            raw->strict = Strict ? 1 : 0;
            raw->adds_correlation_id = AddsCorrelationId ? 1 : 0;
            raw->tolerated = (int)Tolerated;
            raw->suite = (int)Suite;
            raw->external_key.data = arena.Bytes(ExternalKey, out raw->external_key.length);
            raw->min_pin_length = MinPinLength;
            raw->refused_pins = (int)RefusedPins;
            raw->sealer = Life.HandleOf(Sealer);
            raw->client_certificate.data = arena.Text(ClientCertificate, out raw->client_certificate.length);
            raw->client_key.data = arena.Text(ClientKey, out raw->client_key.length);
            raw->client_key_password.data = arena.Bytes(ClientKeyPassword, out raw->client_key_password.length);
            raw->transport = (int)Transport;
        }
    }

    /// <summary>Options for individual calls.</summary>
    public sealed unsafe class CallOptions : IGiven
    {
        /// <summary>of each request</summary>
        public int TimeoutMs { get; set; }

        /// <summary>Accept-Language</summary>
        public string Language { get; set; }

        /// <summary>default: the client's</summary>
        public string UserAgent { get; set; }

        /// <summary>In addition to the client's, and taking precedence over them</summary>
        public IReadOnlyList<HeaderText> Headers { get; set; }

        /// <summary>X-Correlation-ID of the call's own requests: 8 to 1024 characters from A-Z a-z 0-9 -</summary>
        public string CorrelationId { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_call_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_call_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_call_options);
            raw->timeout_ms = TimeoutMs;
            raw->language.data = arena.Text(Language, out raw->language.length);
            raw->user_agent.data = arena.Text(UserAgent, out raw->user_agent.length);
            raw->headers = (Raw.mtoken_header_text*)arena.Array(Headers, out raw->header_count);
            raw->correlation_id.data = arena.Text(CorrelationId, out raw->correlation_id.length);
        }
    }

    /// <summary>A name and a value of a certificate request.</summary>
    public sealed unsafe class CsrField : IGiven
    {
        public string Name { get; set; }

        public string Value { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_csr_field); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_csr_field*)at;
            raw->name.data = arena.Text(Name, out raw->name.length);
            raw->value.data = arena.Text(Value, out raw->value.length);
        }
    }

    /// <summary>What a certificate request asks for.</summary>
    public sealed unsafe class CsrOptions : IGiven
    {
        /// <summary>The subject, e.g. "CN" or an OID with its value, in the order of the name</summary>
        public IReadOnlyList<CsrField> Subject { get; set; }

        /// <summary>Extensions, named and written as in OpenSSL's x509v3_config(5), without sections, e.g. "keyUsage" with "critical,digitalSignature", "subjectAltName" with "email:jana@bank.example", or an OID with "DER:" and hexadecimal bytes</summary>
        public IReadOnlyList<CsrField> Extensions { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_csr_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_csr_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_csr_options);
            raw->subject = (Raw.mtoken_csr_field*)arena.Array(Subject, out raw->subject_count);
            raw->extensions = (Raw.mtoken_csr_field*)arena.Array(Extensions, out raw->extension_count);
        }
    }

    /// <summary>Options of mtoken_token_fetch_header.</summary>
    public sealed unsafe class TokenOptions : IGiven
    {
        /// <summary>name of the token: 1 to 64 bytes</summary>
        public string Name { get; set; }

        /// <summary>Value of a header that the server answered with 401</summary>
        public string RefusedHeader { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_token_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_token_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_token_options);
            raw->name.data = arena.Text(Name, out raw->name.length);
            raw->refused_header.data = arena.Text(RefusedHeader, out raw->refused_header.length);
        }
    }

    /// <summary>How a payload is verified.</summary>
    public sealed unsafe class QrOptions : IGiven
    {
        /// <summary>Verifies with the master key and, if it has an activation, with the personalised key</summary>
        public Client Client { get; set; }

        /// <summary>The application's SDK configuration: verifies with the master key</summary>
        public string Configuration { get; set; }

        /// <summary>1: return the operation even if its signature is not valid</summary>
        public bool KeepUnverified { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_qr_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_qr_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_qr_options);
            raw->client = Life.HandleOf(Client);
            raw->configuration.data = arena.Text(Configuration, out raw->configuration.length);
            raw->keep_unverified = KeepUnverified ? 1 : 0;
        }
    }

    /// <summary>Options of mtoken_qr_authorize.</summary>
    public sealed unsafe class QrAuthorizeOptions : IGiven
    {
        /// <summary>Default "/operation/authorize/offline"</summary>
        public string UriId { get; set; }

        /// <summary>Digits per factor, 4 to 8</summary>
        public int ComponentLength { get; set; }

        /// <summary>1: also approve operations that are not verified</summary>
        public bool AllowUnverified { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_qr_authorize_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_qr_authorize_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_qr_authorize_options);
            raw->uri_id.data = arena.Text(UriId, out raw->uri_id.length);
            raw->component_length = ComponentLength;
            raw->allow_unverified = AllowUnverified ? 1 : 0;
        }
    }

    /// <summary>Content of a payload.</summary>
    public sealed unsafe class QrBuildOptions : IGiven
    {
        /// <summary>not empty</summary>
        public string Id { get; set; }

        /// <summary>Any text: line breaks are escaped, whitespace is collapsed to single spaces</summary>
        public string Title { get; set; }

        /// <summary>as title</summary>
        public string Message { get; set; }

        /// <summary>what is approved, e.g. from mtoken_operation_fields_build</summary>
        public string OperationData { get; set; }

        /// <summary>e.g. "B"</summary>
        public string Flags { get; set; }

        /// <summary>One-time password of a proximity check (mtoken_totp)</summary>
        public string Totp { get; set; }

        /// <summary>16 bytes</summary>
        public byte[] Nonce { get; set; }

        /// <summary>32 bytes, big endian: the server's private key on P-256</summary>
        public byte[] PrivateKey { get; set; }

        /// <summary>MTOKEN_KEY_MASTER or MTOKEN_KEY_PERSONALIZED: which key private_key is</summary>
        public Key ServerKey { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_qr_build_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_qr_build_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_qr_build_options);
            raw->id.data = arena.Text(Id, out raw->id.length);
            raw->title.data = arena.Text(Title, out raw->title.length);
            raw->message.data = arena.Text(Message, out raw->message.length);
            raw->operation_data.data = arena.Text(OperationData, out raw->operation_data.length);
            raw->flags.data = arena.Text(Flags, out raw->flags.length);
            raw->totp.data = arena.Text(Totp, out raw->totp.length);
            raw->nonce.data = arena.Bytes(Nonce, out raw->nonce.length);
            raw->private_key.data = arena.Bytes(PrivateKey, out raw->private_key.length);
            raw->server_key = (int)ServerKey;
        }
    }

    /// <summary>Options of mtoken_pac_parse.</summary>
    public sealed unsafe class PacOptions : IGiven
    {
        /// <summary>Allowed links: "scheme" or "scheme://host", in upper or lower case</summary>
        public IReadOnlyList<string> Allowed { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_pac_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_pac_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_pac_options);
            raw->allowed = (Raw.mtoken_text*)arena.Texts(Allowed, out raw->allowed_count);
        }
    }

    /// <summary>How to build a code, for servers and tests.</summary>
    public sealed unsafe class PacBuildOptions : IGiven
    {
        /// <summary>1 to 255 printable characters</summary>
        public string OperationId { get; set; }

        /// <summary>4 to 10 digits</summary>
        public string Totp { get; set; }

        /// <summary>For the deeplink forms: the part before the query, e.g. "mtoken://operation"</summary>
        public string Link { get; set; }

        /// <summary>MTOKEN_PAC_...</summary>
        public PacForm Form { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_pac_build_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_pac_build_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_pac_build_options);
            raw->operation_id.data = arena.Text(OperationId, out raw->operation_id.length);
            raw->totp.data = arena.Text(Totp, out raw->totp.length);
            raw->link.data = arena.Text(Link, out raw->link.length);
            raw->form = (int)Form;
        }
    }

    /// <summary>A parameter for the provider.</summary>
    public sealed unsafe class OidcParameter : IGiven
    {
        public string Name { get; set; }

        public string Value { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_oidc_parameter); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_oidc_parameter*)at;
            raw->name.data = arena.Text(Name, out raw->name.length);
            raw->value.data = arena.Text(Value, out raw->value.length);
        }
    }

    /// <summary>Options of a login with an OpenID Connect provider.</summary>
    public sealed unsafe class OidcOptions : IGiven
    {
        /// <summary>A configuration from this library</summary>
        public OidcConfig Config { get; set; }

        public string ProviderId { get; set; }

        public string ClientId { get; set; }

        /// <summary>should include "openid"</summary>
        public string Scopes { get; set; }

        /// <summary>https, without fragment</summary>
        public string AuthorizeUri { get; set; }

        /// <summary>https, the program's own scheme, or http on a loopback address</summary>
        public string RedirectUri { get; set; }

        /// <summary>A response that names another issuer is refused</summary>
        public string Issuer { get; set; }

        /// <summary>1: a response that names no issuer is refused too</summary>
        public bool RequiresIssuer { get; set; }

        /// <summary>1: omit PKCE</summary>
        public bool OmitsPkce { get; set; }

        /// <summary>random bytes of the code verifier, 32 to 96</summary>
        public int PkceBytes { get; set; }

        /// <summary>1: allow http for authorize_uri on a loopback address, for tests only</summary>
        public bool AllowHttp { get; set; }

        /// <summary>Added to the URL, e.g. "prompt", "login_hint", "ui_locales", "acr_values"</summary>
        public IReadOnlyList<OidcParameter> Parameters { get; set; }

        /// <summary>how long to wait for the response, at most 24 hours</summary>
        public long LifetimeMs { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_oidc_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_oidc_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_oidc_options);
            raw->config = Config == null ? null : Config.p;
            raw->provider_id.data = arena.Text(ProviderId, out raw->provider_id.length);
            raw->client_id.data = arena.Text(ClientId, out raw->client_id.length);
            raw->scopes.data = arena.Text(Scopes, out raw->scopes.length);
            raw->authorize_uri.data = arena.Text(AuthorizeUri, out raw->authorize_uri.length);
            raw->redirect_uri.data = arena.Text(RedirectUri, out raw->redirect_uri.length);
            raw->issuer.data = arena.Text(Issuer, out raw->issuer.length);
            raw->requires_issuer = RequiresIssuer ? 1 : 0;
            raw->omits_pkce = OmitsPkce ? 1 : 0;
            raw->pkce_bytes = PkceBytes;
            raw->allow_http = AllowHttp ? 1 : 0;
            raw->parameters = (Raw.mtoken_oidc_parameter*)arena.Array(Parameters, out raw->parameter_count);
            raw->lifetime_ms = LifetimeMs;
        }
    }

    /// <summary>A registration.</summary>
    public sealed unsafe class PushOptions : IGiven
    {
        /// <summary>MTOKEN_PUSH_PLATFORM_...</summary>
        public PushService Platform { get; set; }

        /// <summary>MTOKEN_PUSH_ENVIRONMENT_..., for APNs</summary>
        public PushEnvironment Environment { get; set; }

        /// <summary>the token that the service gave the device</summary>
        public string Token { get; set; }

        /// <summary>APNs only: the token as bytes</summary>
        public byte[] TokenBytes { get; set; }

        /// <summary>1: the server is older than 1.10: it has other names for the services and no environment</summary>
        public bool IsLegacyServer { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_push_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_push_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_push_options);
            raw->platform = (int)Platform;
            raw->environment = (int)Environment;
            raw->token.data = arena.Text(Token, out raw->token.length);
            raw->token_bytes.data = arena.Bytes(TokenBytes, out raw->token_bytes.length);
            raw->is_legacy_server = IsLegacyServer ? 1 : 0;
        }
    }

    /// <summary>Options for handling a request.</summary>
    public sealed unsafe class MobileAuthOptions : IGiven
    {
        /// <summary>1: the host operates the biometric sensor</summary>
        public bool HandlesBiometry { get; set; }

        /// <summary>1: the host answers MTOKEN_CHALLENGE_PROXIMITY</summary>
        public bool HandlesProximity { get; set; }

        /// <summary>a registered custom authenticator, which is then preferred</summary>
        public string Authenticator { get; set; }

        /// <summary>text to show with the biometric sensor</summary>
        public string Prompt { get; set; }

        /// <summary>JSON object for the bank's fraud detection, sent with an approval or a denial</summary>
        public string MobileTokenData { get; set; }

        /// <summary>One-time password of the proximity check, if known in advance</summary>
        public string ProximityOtp { get; set; }

        /// <summary>Device time when proximity_otp was received, milliseconds since the epoch</summary>
        public long ProximityReceived { get; set; }

        /// <summary>MTOKEN_PROXIMITY_...</summary>
        public ProximityType ProximitySource { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_mobile_auth_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_mobile_auth_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_mobile_auth_options);
            raw->handles_biometry = HandlesBiometry ? 1 : 0;
            raw->handles_proximity = HandlesProximity ? 1 : 0;
            raw->authenticator.data = arena.Text(Authenticator, out raw->authenticator.length);
            raw->prompt.data = arena.Text(Prompt, out raw->prompt.length);
            raw->mobile_token_data.data = arena.Text(MobileTokenData, out raw->mobile_token_data.length);
            raw->proximity_otp.data = arena.Text(ProximityOtp, out raw->proximity_otp.length);
            raw->proximity_received = ProximityReceived;
            raw->proximity_source = (int)ProximitySource;
        }
    }

    /// <summary>A response.</summary>
    public sealed unsafe class HttpResponse : IGiven
    {
        /// <summary>200 to 999</summary>
        public int Status { get; set; }

        /// <summary>at most 200</summary>
        public IReadOnlyList<HeaderText> Headers { get; set; }

        /// <summary>without content coding</summary>
        public byte[] Body { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_http_response); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_http_response*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_http_response);
            raw->status = Status;
            raw->headers = (Raw.mtoken_header_text*)arena.Array(Headers, out raw->header_count);
            raw->body.data = arena.Bytes(Body, out raw->body.length);
        }
    }

    /// <summary>An ECDSA signature (with SHA-256) to be verified.</summary>
    public sealed unsafe class EcdsaVerifyOptions : IGiven
    {
        /// <summary>required</summary>
        public byte[] PublicKey { get; set; }

        /// <summary>the data that was signed</summary>
        public byte[] SignedBytes { get; set; }

        /// <summary>required</summary>
        public byte[] Signature { get; set; }

        /// <summary>MTOKEN_SIGNATURE_FORM_...</summary>
        public DeviceSignature Form { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_ecdsa_verify_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_ecdsa_verify_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_ecdsa_verify_options);
            raw->public_key.data = arena.Bytes(PublicKey, out raw->public_key.length);
            raw->signed_bytes.data = arena.Bytes(SignedBytes, out raw->signed_bytes.length);
            raw->signature.data = arena.Bytes(Signature, out raw->signature.length);
            raw->form = (int)Form;
        }
    }

    /// <summary>An authorization request whose nonce, state and challenge the host created itself.</summary>
    public sealed unsafe class OidcUrlOptions : IGiven
    {
        /// <summary>required</summary>
        public OidcOptions Request { get; set; }

        /// <summary>required</summary>
        public string Nonce { get; set; }

        /// <summary>required</summary>
        public string State { get; set; }

        /// <summary>PKCE S256 challenge</summary>
        public string Challenge { get; set; }

        int IGiven.Size { get { return sizeof(Raw.mtoken_oidc_url_options); } }

        void IGiven.Fill(IntPtr at, Arena arena)
        {
            var raw = (Raw.mtoken_oidc_url_options*)at;
            raw->struct_size = (ulong)sizeof(Raw.mtoken_oidc_url_options);
            raw->request = (Raw.mtoken_oidc_options*)arena.Option(Request);
            raw->nonce.data = arena.Text(Nonce, out raw->nonce.length);
            raw->state.data = arena.Text(State, out raw->state.length);
            raw->challenge.data = arena.Text(Challenge, out raw->challenge.length);
        }
    }
}
