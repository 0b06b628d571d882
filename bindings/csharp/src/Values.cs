// Made by bindings/generate from mtoken.h. Do not edit.
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Mtoken
{
    /// <summary>The result of a call.</summary>
    public enum ErrorCode
    {
        /// <summary>the call succeeded</summary>
        MtokenOk = 0,
        /// <summary>an argument is missing, malformed, too long or not valid UTF-8</summary>
        Argument = 1,
        /// <summary>the handle is NULL, was freed, or is not of this type</summary>
        Handle = 2,
        /// <summary>The call is not allowed in the current state or, with reason "forked", in this process</summary>
        State = 3,
        /// <summary>the client has no activation</summary>
        NotActivated = 4,
        /// <summary>This device has an activation in progress: persist or cancel it first</summary>
        Pending = 5,
        /// <summary>The host cancelled the task, freed the client or runtime, or interrupted the wait</summary>
        Cancelled = 6,
        /// <summary>the time limit has expired</summary>
        Timeout = 7,
        /// <summary>Could not connect, lost the connection, or could not resolve the name</summary>
        Network = 8,
        /// <summary>the TLS handshake failed or the certificate is not trusted</summary>
        Tls = 9,
        /// <summary>the server's public key matches no pinned key</summary>
        PinMismatch = 10,
        /// <summary>The HTTP status is not 200 and the body holds no valid error object</summary>
        Http = 11,
        /// <summary>the server answered with an error object: see server_code</summary>
        Server = 12,
        /// <summary>The server refused the request, although the activation is active: see error.h</summary>
        Authentication = 13,
        /// <summary>the response violates the protocol</summary>
        Protocol = 14,
        /// <summary>The response cannot be decrypted, or its authentication code is wrong</summary>
        Decryption = 15,
        /// <summary>A server signature is invalid, or a signature could not be computed</summary>
        Signature = 16,
        /// <summary>the state could not be loaded, saved or removed</summary>
        Storage = 17,
        /// <summary>The stored state is damaged or was modified by someone else</summary>
        Tampered = 18,
        /// <summary>Another process or client uses this activation, or this call is already running</summary>
        Busy = 19,
        /// <summary>a text (activation code, JSON, ...) is malformed: see byte_offset</summary>
        Parse = 20,
        /// <summary>the requested item does not exist</summary>
        NotFound = 21,
        /// <summary>The factor is not set up, or the operation does not allow it</summary>
        Factor = 22,
        /// <summary>The server or the stored state requires something that this version does not support</summary>
        Unsupported = 23,
        /// <summary>the client's configuration is invalid</summary>
        Configuration = 24,
        /// <summary>an underlying library failed, for example for lack of memory</summary>
        Internal = 25,
        /// <summary>The bank has not yet confirmed the activation: mtoken_client_wait_active</summary>
        PendingCommit = 26,
        /// <summary>the activation is blocked</summary>
        Blocked = 27,
        /// <summary>The server has removed the activation: remove it locally, then activate again</summary>
        Removed = 28,
        /// <summary>A sealer could not seal or unseal the device secret</summary>
        Sealed = 29,
    }

    /// <summary>Yes or no, where the answer may be missing.</summary>
    public enum Answer
    {
        Unset = -1,
        No = 0,
        Yes = 1,
    }

    /// <summary>How far the request got before the call failed.</summary>
    public enum Outcome
    {
        /// <summary>nothing left the device</summary>
        NotSent = 0,
        /// <summary>The request was sent, or may have been</summary>
        Unknown = 1,
        /// <summary>the server's response arrived</summary>
        Answered = 2,
    }

    /// <summary>What happened to the connection, if that is why a call failed.</summary>
    public enum NetworkFault
    {
        None = 0,
        /// <summary>no network, or no route to the server</summary>
        NotConnected = 1,
        /// <summary>the server's name could not be resolved</summary>
        HostNotFound = 2,
        /// <summary>the server refused the connection</summary>
        ConnectionRefused = 3,
        /// <summary>the connection was lost</summary>
        ConnectionLost = 4,
        /// <summary>the time limit has expired</summary>
        Timeout = 5,
        /// <summary>the proxy was not found or refused the connection</summary>
        Proxy = 6,
        /// <summary>the response is not HTTP</summary>
        NotHttp = 7,
        /// <summary>the response is larger than allowed</summary>
        TooLarge = 8,
    }

    /// <summary>What went wrong with TLS, if that is why a call failed.</summary>
    public enum TlsFault
    {
        None = 0,
        /// <summary>TLS failed for a reason other than the certificate</summary>
        Handshake = 1,
        /// <summary>no trusted authority issued the certificate</summary>
        Untrusted = 2,
        SelfSigned = 3,
        Expired = 4,
        NotYetValid = 5,
        /// <summary>the certificate is for other names</summary>
        WrongHost = 6,
        Revoked = 7,
        /// <summary>the certificate's key or signature is too weak</summary>
        Weak = 8,
        Other = 9,
        /// <summary>the server's public key matches no pinned key</summary>
        PinMismatch = 10,
        /// <summary>The server refused the client's certificate, or requires one</summary>
        ClientCertificate = 11,
    }

    /// <summary>Known server error codes, numbered by the library.</summary>
    public enum ServerCode
    {
        Unknown = 0,
        ErrorGeneric = 1,
        ErrorNotFound = 2,
        PowerauthAuthFail = 3,
        InvalidRequest = 4,
        InvalidActivation = 5,
        InvalidApplication = 6,
        InvalidOperation = 7,
        ErrActivation = 8,
        ErrAuthentication = 9,
        ErrSecureVault = 10,
        ErrEncryption = 11,
        PushRegistrationFailed = 12,
        OperationAlreadyFinished = 13,
        OperationAlreadyFailed = 14,
        OperationAlreadyCanceled = 15,
        OperationExpired = 16,
        OperationFailed = 17,
        OperationRequiresActivationFlag = 18,
        ErrConfig = 19,
        InboxFailed = 20,
        ApplicationConfigurationError = 21,
        ActivationCodeFailed = 22,
        RemoteCommunicationError = 23,
        ActivationNotActive = 24,
        ActivationNotConfigured = 25,
        OnboardingFailed = 26,
        OnboardingProcessLimitReached = 27,
        TooManyOnboardingProcesses = 28,
        OnboardingOtpFailed = 29,
        InvalidDocument = 30,
        DocumentSubmitFailed = 31,
        IdentityVerificationFailed = 32,
        IdentityVerificationLimitReached = 33,
        DocumentVerificationFailed = 34,
        PresenceCheckFailed = 35,
        PresenceCheckNotEnabled = 36,
        PresenceCheckLimitReached = 37,
        TooManyRequests = 38,
        ErrTemporaryKey = 39,
        ErrUpgrade = 40,
        ErrPasswordChange = 41,
        ErrBiometry = 42,
        ErrUserInfo = 43,
        ErrStatus = 44,
        ErrValidation = 45,
    }

    /// <summary>Kinds of fields in operation data.</summary>
    public enum FieldType
    {
        /// <summary>no content: a placeholder</summary>
        Empty = 0,
        /// <summary>letter A: amount and currency</summary>
        Amount = 1,
        /// <summary>letter I: IBAN, optionally with BIC</summary>
        Account = 2,
        /// <summary>letter Q: account in any format</summary>
        AnyAccount = 3,
        /// <summary>letter D: date</summary>
        Date = 4,
        /// <summary>letter R: payment reference</summary>
        Reference = 5,
        /// <summary>letter N: note</summary>
        Note = 6,
        /// <summary>letter T: free text</summary>
        Text = 7,
        /// <summary>any other letter: show it as text</summary>
        Other = 8,
    }

    /// <summary>Templates of operation data; treat unknown ones as generic.</summary>
    public enum OperationTemplate
    {
        Generic = 0,
        Payment = 1,
        Login = 2,
    }

    /// <summary>Operation status, from "status".</summary>
    public enum OperationStatus
    {
        /// <summary>A status that this version does not know: do not offer approval</summary>
        Unknown = 0,
        Pending = 1,
        Approved = 2,
        Rejected = 3,
        Canceled = 4,
        Expired = 5,
        Failed = 6,
    }

    /// <summary>Signature type, from "allowedSignatureType"."type".</summary>
    public enum SignatureType
    {
        Unknown = 0,
        OneFactor = 1,
        TwoFactor = 2,
        /// <summary>mobile tokens cannot create it</summary>
        Ecdsa = 3,
    }

    /// <summary>Allowed factors, from "allowedSignatureType"."variants".</summary>
    [Flags]
    public enum Variant
    {
        Possession = 1,
        PossessionKnowledge = 2,
        PossessionBiometry = 4,
    }

    /// <summary>Kind of a form row, from "type".</summary>
    public enum AttributeType
    {
        Unknown = 0,
        Amount = 1,
        AmountConversion = 2,
        KeyValue = 3,
        Note = 4,
        Heading = 5,
        PartyInfo = 6,
        Image = 7,
        Alert = 8,
    }

    /// <summary>Severity, from "alertType" or the style of a screen element.</summary>
    public enum AlertType
    {
        /// <summary>also for types that this version does not know</summary>
        Info = 0,
        Success = 1,
        Warning = 2,
        Error = 3,
    }

    /// <summary>Kind of a pre-approval screen, from "type".</summary>
    public enum ScreenType
    {
        Unknown = 0,
        Warning = 1,
        Info = 2,
        /// <summary>the user must scan a proximity code before approving</summary>
        QrScan = 3,
    }

    /// <summary>Kind of a screen element, from "type".</summary>
    public enum ElementType
    {
        Unknown = 0,
        ListItem = 1,
        Alert = 2,
        Button = 3,
    }

    /// <summary>Kind of a post-approval screen, from "type".</summary>
    public enum PostScreenType
    {
        Unknown = 0,
        Review = 1,
        MerchantRedirect = 2,
        Generic = 3,
    }

    /// <summary>Contradictions between what the user sees (the form) and what is signed (the data).</summary>
    [Flags]
    public enum Contradiction
    {
        /// <summary>a signed amount is not displayed, but other amounts are</summary>
        Amount = 1,
        /// <summary>a signed amount is displayed in another currency</summary>
        Currency = 2,
        /// <summary>A signed account is not displayed, but other accounts are</summary>
        Account = 4,
        /// <summary>an amount is signed, but none is displayed</summary>
        AmountHidden = 8,
        /// <summary>an account is signed, but none is displayed</summary>
        AccountHidden = 16,
        /// <summary>A row has the right number, but its formatted text shows another amount or none</summary>
        AmountText = 32,
        /// <summary>An unsigned amount is displayed in addition to the signed ones: a decoy, or a fee</summary>
        UnsignedAmount = 64,
        /// <summary>A row of the form is unreadable and not displayed: see issues</summary>
        LostRow = 128,
        /// <summary>operation_data has an unknown form: the library cannot tell what is signed</summary>
        Unreadable = 256,
    }

    /// <summary>Factors of an authentication.</summary>
    [Flags]
    public enum Factor
    {
        /// <summary>this device</summary>
        Possession = 1,
        /// <summary>the PIN or password</summary>
        Knowledge = 2,
        /// <summary>the key under biometric protection</summary>
        Biometry = 4,
    }

    /// <summary>The key that signed.</summary>
    public enum Key
    {
        /// <summary>the application's server: also without an activation</summary>
        Master = 0,
        /// <summary>the server's key for this activation</summary>
        Personalized = 1,
        /// <summary>Protocol 4.0: a code of a key that server and activation share</summary>
        PersonalizedMac = 2,
    }

    /// <summary>Encoding of an ECDSA signature, created or verified.</summary>
    public enum DeviceSignature
    {
        /// <summary>ASN.1 sequence of r and s</summary>
        Der = 0,
        /// <summary>r and s, 32 bytes each (P-384: 48), as in JOSE</summary>
        Raw = 1,
    }

    /// <summary>How the one-time password of a proximity check was received.</summary>
    public enum ProximityType
    {
        /// <summary>scanned</summary>
        QrCode = 1,
        /// <summary>opened by the operating system</summary>
        Deeplink = 2,
    }

    /// <summary>How the last fetch of the list ended.</summary>
    public enum FetchState
    {
        /// <summary>no fetch has ended with this activation</summary>
        None = 0,
        Succeeded = 1,
        Failed = 2,
    }

    /// <summary>Whether operations are polled.</summary>
    public enum Polling
    {
        Off = 0,
        On = 1,
        /// <summary>by the host</summary>
        Paused = 2,
        /// <summary>The activation is not active: only its status is fetched, until it is</summary>
        Waiting = 3,
    }

    /// <summary>What is attached to an operation.</summary>
    [Flags]
    public enum Attached
    {
        Proximity = 1,
        Data = 2,
    }

    /// <summary>What a trace reports.</summary>
    public enum TraceStage
    {
        /// <summary>a request was handed to the network</summary>
        Request = 1,
        /// <summary>its response is complete</summary>
        Answer = 2,
        /// <summary>there is no response: see error</summary>
        Failure = 3,
    }

    /// <summary>Kinds of events.</summary>
    public enum EventKind
    {
        /// <summary>a task has completed</summary>
        Task = 1,
        /// <summary>a client's state was stored durably</summary>
        StateStored = 2,
        /// <summary>a log line</summary>
        Log = 3,
        /// <summary>Progress of the operations that a client tracks (registry.h). Every fetch, whoever started it, queues LOADING with 1, then CHANGED (even if nothing differs) or FAILED, then LOADING with 0</summary>
        OperationsChanged = 4,
        OperationsFailed = 5,
        OperationsLoading = 6,
        /// <summary>operations of a watcher have expired (watcher.h)</summary>
        OperationsExpired = 7,
        /// <summary>a request or its response (trace.h)</summary>
        Trace = 8,
        /// <summary>the user must answer a challenge (mobile_auth.h)</summary>
        Challenge = 9,
        /// <summary>Polling of operations (registry.h). WAITS: the activation is not active (the error says why), so polling fetches only the status, at growing intervals</summary>
        PollingWaits = 10,
        PollingGoesOn = 11,
        /// <summary>For the host to send, and no longer of use (transport.h). Both are queued for clients with MTOKEN_TRANSPORT_HOST, whatever the runtime's event mask is</summary>
        Request = 12,
        RequestEnded = 13,
    }

    /// <summary>Which events a runtime queues.</summary>
    [Flags]
    public enum Events
    {
        /// <summary>only those requested with mtoken_task_notify</summary>
        None = 0,
        /// <summary>MTOKEN_EVENT_TASK, of every task</summary>
        Tasks = 1,
        /// <summary>MTOKEN_EVENT_STATE_STORED</summary>
        State = 2,
        /// <summary>MTOKEN_EVENT_LOG</summary>
        Log = 4,
        /// <summary>MTOKEN_EVENT_OPERATIONS_..., MTOKEN_EVENT_POLLING_...</summary>
        Operations = 8,
        /// <summary>MTOKEN_EVENT_TRACE</summary>
        Trace = 16,
        /// <summary>MTOKEN_EVENT_CHALLENGE</summary>
        Challenges = 32,
        All = 2147483647,
    }

    /// <summary>Log levels.</summary>
    public enum LogLevel
    {
        Off = 0,
        /// <summary>a failure on this device: storage, memory</summary>
        Error = 1,
        /// <summary>a call failed, an item was ignored, or an option is unsafe</summary>
        Warning = 2,
        /// <summary>each request and its response</summary>
        Info = 3,
        /// <summary>why a call waits, and each save of the state</summary>
        Debug = 4,
    }

    /// <summary>State of a task.</summary>
    public enum TaskState
    {
        Running = 0,
        Succeeded = 1,
        Failed = 2,
        Cancelled = 3,
    }

    /// <summary>Who keeps the device secret of a client.</summary>
    public enum Protection
    {
        /// <summary>nobody: it is in memory only</summary>
        None = 0,
        /// <summary>it lies in a file beside the state</summary>
        File = 1,
        /// <summary>the keyring of the user's session</summary>
        Session = 2,
        /// <summary>a TPM, smart card, HSM or security key</summary>
        Hardware = 3,
        /// <summary>The host: its device_secret, store, sealer or systemd credential</summary>
        Host = 4,
    }

    /// <summary>Why a sealer could not seal or unseal.</summary>
    public enum SealFault
    {
        None = 0,
        /// <summary>"sealUnavailable": there is no such hardware or service, or it cannot be reached</summary>
        Unavailable = 1,
        /// <summary>"sealDenied": no permission, a wrong password, or the user refused</summary>
        Denied = 2,
        /// <summary>"sealLocked": locked after too many wrong passwords</summary>
        Locked = 3,
        /// <summary>"sealForeign": sealed by other hardware or another user</summary>
        Foreign = 4,
        /// <summary>"sealCleared": the hardware was reset since</summary>
        Cleared = 5,
        /// <summary>"sealChanged": the machine is not in the state required</summary>
        Changed = 6,
        /// <summary>"sealDamaged": what was sealed is damaged or was modified</summary>
        Damaged = 7,
        /// <summary>"sealFailed": anything else</summary>
        Failed = 8,
        /// <summary>the options are wrong: the call fails with ARGUMENT</summary>
        Options = 9,
    }

    /// <summary>For whom a request is encrypted.</summary>
    public enum Scope
    {
        /// <summary>the application's server: also without an activation</summary>
        Application = 1,
        /// <summary>the server, with the keys of this activation</summary>
        Activation = 2,
    }

    /// <summary>What the signature of an encrypted request covers.</summary>
    public enum Order
    {
        EncryptThenSign = 0,
        SignThenEncrypt = 1,
    }

    /// <summary>State of an activation at the server.</summary>
    public enum ActivationState
    {
        /// <summary>the code was issued but not yet used</summary>
        Created = 1,
        /// <summary>awaits the bank's confirmation</summary>
        PendingCommit = 2,
        Active = 3,
        Blocked = 4,
        Removed = 5,
        /// <summary>The distance between the device's counter and the server's has reached the server's look-ahead window: the server accepts no further signature, and this library creates none</summary>
        Deadlock = 128,
    }

    /// <summary>What makes a PIN easy to guess: what the passphrase meter of the mobile SDKs looks for.</summary>
    [Flags]
    public enum PinWeakness
    {
        /// <summary>fewer than 4 bytes, which no PIN may have</summary>
        Short = 1,
        /// <summary>at most two different characters, or one group repeated: 123123</summary>
        Repeated = 2,
        /// <summary>More than half of it counts up or down by one, e.g. 1234, 9876, 7890, or 123451</summary>
        Sequential = 4,
        /// <summary>one of the most common PINs, or a line of the keypad: 2580</summary>
        Common = 8,
        /// <summary>may be a date or a year: 2412, 311299, 1974</summary>
        Date = 16,
    }

    /// <summary>Versions of the PowerAuth protocol.</summary>
    public enum Protocol
    {
        V3_1 = 31,
        V3_2 = 32,
        V3_3 = 33,
        V4_0 = 40,
    }

    /// <summary>Suites of protocol 4.0: what keys are agreed and signed with.</summary>
    public enum Suite
    {
        /// <summary>in options: see mtoken_client_options.suite</summary>
        Default = 0,
        /// <summary>P-384 alone</summary>
        EcP384 = 1,
        /// <summary>P-384 with ML-KEM-768 and ML-DSA-65</summary>
        EcP384MlL3 = 2,
        /// <summary>P-384 with ML-KEM-1024 and ML-DSA-87</summary>
        EcP384MlL5 = 3,
    }

    /// <summary>How the server's certificate is verified.</summary>
    public enum Tls
    {
        /// <summary>against the system's trust store</summary>
        System = 0,
        /// <summary>against the certificates in ca_file only</summary>
        Ca = 1,
        /// <summary>not at all: for tests only</summary>
        Unsafe = 2,
    }

    /// <summary>Who sends the requests of a client.</summary>
    public enum Transport
    {
        /// <summary>the library, with libcurl</summary>
        Library = 0,
        /// <summary>the host, with whatever it has: see transport.h</summary>
        Host = 1,
    }

    /// <summary>State of a client.</summary>
    public enum ClientState
    {
        /// <summary>no activation: mtoken_client_activate may be called</summary>
        Empty = 0,
        /// <summary>An activation is in progress: mtoken_client_persist or _cancel_activation comes next</summary>
        Pending = 1,
        /// <summary>The activation is stored on this device</summary>
        Active = 2,
    }

    /// <summary>Which of the vault's keys a key is made of: they differ in the factors.</summary>
    public enum VaultKey
    {
        /// <summary>possession and the PIN or biometry</summary>
        TwoFactors = 1,
        /// <summary>possession and the PIN only</summary>
        Knowledge = 2,
    }

    /// <summary>Whether the server's signature was verified, and with what result.</summary>
    public enum Verified
    {
        /// <summary>not verified: anyone may have created the payload</summary>
        NotChecked = 0,
        /// <summary>the server created the payload</summary>
        Valid = 1,
        /// <summary>the server did not create it, or it was modified</summary>
        Invalid = 2,
        /// <summary>for an activation of another protocol</summary>
        Unsupported = 3,
    }

    /// <summary>Format of a code.</summary>
    public enum PacForm
    {
        /// <summary>scheme://operation?oid=...&amp;totp=... (or potp)</summary>
        Deeplink = 1,
        /// <summary>scheme://operation?code=JWT, or scheme://code=JWT</summary>
        DeeplinkJwt = 2,
        /// <summary>a JSON Web Token alone</summary>
        Jwt = 3,
    }

    /// <summary>Hash function of a one-time password.</summary>
    public enum TotpAlgorithm
    {
        Sha256 = 0,
        Sha512 = 1,
    }

    /// <summary>Services that deliver push messages.</summary>
    public enum PushService
    {
        /// <summary>Apple</summary>
        Apns = 1,
        /// <summary>Firebase, also on Apple devices</summary>
        Fcm = 2,
        /// <summary>Huawei</summary>
        Hms = 3,
    }

    /// <summary>APNs environments.</summary>
    public enum PushEnvironment
    {
        /// <summary>as the server is configured</summary>
        Default = 0,
        Development = 1,
        Production = 2,
    }

    /// <summary>What a push message reports.</summary>
    public enum PushKind
    {
        /// <summary>An operation waits for approval ("mtoken.operationInit")</summary>
        OperationCreated = 1,
        /// <summary>An operation has ended ("mtoken.operationFinished")</summary>
        OperationFinished = 2,
        /// <summary>The inbox has a new message ("mtoken.inboxMessage.new")</summary>
        InboxMessage = 3,
    }

    /// <summary>How an operation has ended.</summary>
    public enum PushResult
    {
        /// <summary>not known to this version</summary>
        Unknown = 0,
        /// <summary>"authentication.success"</summary>
        Success = 1,
        /// <summary>"authentication.fail"</summary>
        Fail = 2,
        /// <summary>"operation.timeout"</summary>
        Timeout = 3,
        /// <summary>"operation.canceled"</summary>
        Canceled = 4,
        /// <summary>"operation.methodNotAvailable"</summary>
        MethodNotAvailable = 5,
    }

    /// <summary>Format of a message.</summary>
    public enum InboxType
    {
        /// <summary>not known to this version</summary>
        Unknown = 0,
        /// <summary>plain text: the host lays out subject and body</summary>
        Text = 1,
        /// <summary>the body is a complete document</summary>
        Html = 2,
    }

    /// <summary>How the handling of a request can fail.</summary>
    public enum MobileAuthErrorCode
    {
        Ok = 0,
        /// <summary>The server has removed the activation</summary>
        DeviceDeregistered = 1,
        /// <summary>The activation is blocked, or was removed for too many wrong PINs, on this device too</summary>
        UserDeregistered = 2,
        /// <summary>the host cancelled the challenge or the task</summary>
        ActionCancelled = 3,
        /// <summary>no network</summary>
        NetworkConnectivity = 4,
        /// <summary>No usable response, also for a TLS error or an HTTP status of 500 or higher</summary>
        ServerNotReachable = 5,
        /// <summary>The request is unknown to the server, finished, or another user's</summary>
        NotFound = 6,
        /// <summary>No authenticator of this device can satisfy the request</summary>
        NotHandleable = 7,
        /// <summary>The server has revoked the right to mobile authentication</summary>
        UserDisenrolled = 8,
        /// <summary>No active activation, or one that the bank has not yet confirmed</summary>
        NotEnrolled = 9,
        /// <summary>The client is already handling a request</summary>
        AlreadyInProgress = 10,
        /// <summary>The configuration is invalid, or the server refuses the application or its signatures</summary>
        ConfigurationInvalid = 11,
        /// <summary>the request expired while it waited for the user</summary>
        Expired = 12,
        /// <summary>any other failure: see the error</summary>
        Other = 13,
        /// <summary>The request requires a proximity check, but no password is known</summary>
        ProximityRequired = 14,
    }

    /// <summary>How the user authenticates.</summary>
    public enum Authenticator
    {
        /// <summary>this device alone: a confirmation</summary>
        None = 0,
        Pin = 1,
        Biometric = 2,
        Custom = 3,
    }

    /// <summary>Kinds of challenges.</summary>
    public enum ChallengeKind
    {
        /// <summary>answers: confirm, deny, cancel</summary>
        Confirmation = 1,
        /// <summary>answers: pin, deny, cancel</summary>
        Pin = 2,
        /// <summary>answers: biometric, use_pin, deny, cancel</summary>
        Biometric = 3,
        /// <summary>answers: custom, use_pin, deny, cancel</summary>
        Custom = 4,
        /// <summary>Answers: proximity, deny, cancel</summary>
        Proximity = 5,
    }

    /// <summary>What a cell shows.</summary>
    public enum CellKind
    {
        /// <summary>the operation's title</summary>
        Title = 1,
        /// <summary>the operation's message</summary>
        Message = 2,
        /// <summary>a HEADING attribute</summary>
        Heading = 3,
        /// <summary>an IMAGE attribute</summary>
        Image = 4,
        /// <summary>any other attribute, with its label</summary>
        Value = 5,
    }

    /// <summary>Types of JSON values.</summary>
    public enum JsonKind
    {
        Null = 0,
        Boolean = 1,
        Integer = 2,
        Real = 3,
        Text = 4,
        Array = 5,
        Object = 6,
    }
}
