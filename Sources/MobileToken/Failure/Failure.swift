// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

/// A failure: its kind, the object concerned, and what to do.
public struct Failure: Error, @unchecked Sendable {
    /// The closed list of codes; the values are those of the C interface (`MTOKEN_ERROR_…`).
    public enum Code: Int32, Sendable, CaseIterable {
        case argument = 1
        case handle = 2
        case state = 3
        case notActivated = 4
        case pending = 5
        case cancelled = 6
        case timeout = 7
        case network = 8
        case tls = 9
        case pinMismatch = 10
        case http = 11
        case server = 12
        case authentication = 13
        case `protocol` = 14
        case decryption = 15
        case signature = 16
        case storage = 17
        case tampered = 18
        case busy = 19
        case parse = 20
        case notFound = 21
        case factor = 22
        case unsupported = 23
        case configuration = 24
        case `internal` = 25
        case pendingCommit = 26
        case blocked = 27
        case removed = 28
        case sealed = 29
    }

    /// The known facts about the request when the call failed.
    public enum Outcome: Int32, Sendable {
        /// Nothing left the device.
        case notSent = 0
        /// The request was sent, or may have been; whether the server acted on it is unknown.
        case unknown = 1
        /// The server's answer arrived.
        case answered = 2
    }

    /// The facts, in one object: a failure passes through many calls, and each of them moves only one reference.
    private final class Contents {
        var details: Details

        init(_ details: Details) { self.details = details }
    }

    private struct Details {
        var code: Code
        var outcome: Outcome
        var reason: StaticString
        var message: String
        var httpStatus: Int32 = 0
        var transportCode: Int32 = 0
        var serverCode: String?
        var serverMessage: String?
        var serverURI: String?
        var remainingAttempts: Int32?
        var recoveryPUKIndex: Int32?
        var retriable: Bool
        var retryAfter: Int64?
        var isRefusal = false
        var isDiagnosed = false
        var byteOffset: Int?
        var line: Int?
        var networkFault = NetworkFault.none
        var tlsFault = TLSFault.none
        var cause: String?
        var upstreamReason: StaticString?
        var customInfo: String?
        var correlationID: String?
    }

    private var box: Contents

    /// The details, which belong to this value alone.
    private var own: Contents {
        @inline(never)
        mutating get {
            if !isKnownUniquelyReferenced(&box) { box = Contents(box.details) }
            return box
        }
    }

    /// The kind of failure.
    public var code: Code {
        get { box.details.code }
        set { own.details.code = newValue }
    }
    /// The known facts about the request.
    public var outcome: Outcome {
        get { box.details.outcome }
        set { own.details.outcome = newValue }
    }
    /// Stable machine-readable reason: one of `Reason`.
    public var reason: StaticString {
        get { box.details.reason }
        set { own.details.reason = newValue }
    }
    /// One sentence for developers. Never holds secrets or input.
    public var message: String {
        get { box.details.message }
        set { own.details.message = newValue }
    }
    /// HTTP status of the answer; 0: no answer.
    public var httpStatus: Int32 {
        get { box.details.httpStatus }
        set { own.details.httpStatus = newValue }
    }
    /// libcurl's code; 0: none.
    public var transportCode: Int32 {
        get { box.details.transportCode }
        set { own.details.transportCode = newValue }
    }
    /// The fault of the connection, if that is why the call failed.
    public var networkFault: NetworkFault {
        get { box.details.networkFault }
        set { own.details.networkFault = newValue }
    }
    /// The fault of TLS, if that is why the call failed.
    public var tlsFault: TLSFault {
        get { box.details.tlsFault }
        set { own.details.tlsFault = newValue }
    }
    /// The cause from the underlying library; names the host at most.
    public var cause: String? {
        get { box.details.cause }
        set { own.details.cause = newValue }
    }
    /// The SDKs' own reason where this library has a better one.
    public var upstreamReason: StaticString? {
        get { box.details.upstreamReason ?? networkingReason }
        set { own.details.upstreamReason = newValue }
    }
    /// JSON from the server for a custom authenticator.
    public var customInfo: String? {
        get { box.details.customInfo }
        set { own.details.customInfo = newValue }
    }
    /// `X-Correlation-ID` of the request.
    public var correlationID: String? {
        get { box.details.correlationID }
        set { own.details.correlationID = newValue }
    }
    /// Code of the server's error object.
    public var serverCode: String? {
        get { box.details.serverCode }
        set { own.details.serverCode = newValue }
    }
    /// Message of the server's error object.
    public var serverMessage: String? {
        get { box.details.serverMessage }
        set { own.details.serverMessage = newValue }
    }
    /// Where more can be read about the error, as the server says.
    public var serverURI: String? {
        get { box.details.serverURI }
        set { own.details.serverURI = newValue }
    }
    /// Attempts left before the activation is blocked, where known.
    public var remainingAttempts: Int32? {
        get { box.details.remainingAttempts }
        set { own.details.remainingAttempts = newValue }
    }
    /// The index of the expected PUK in the printed list, if the server reported it.
    public var recoveryPUKIndex: Int32? {
        get { box.details.recoveryPUKIndex }
        set { own.details.recoveryPUKIndex = newValue }
    }
    /// Whether the same call may succeed later and repeating it does no harm.
    public var retriable: Bool {
        get { box.details.retriable }
        set { own.details.retriable = newValue }
    }
    /// Retry-After, in milliseconds, if the server sent it.
    public var retryAfter: Int64? {
        get { box.details.retryAfter }
        set { own.details.retryAfter = newValue }
    }
    /// The server itself refused the request, in its own words: it has not acted.
    package var isRefusal: Bool {
        get { box.details.isRefusal }
        set { own.details.isRefusal = newValue }
    }
    /// The status was asked for, and this is what it says, or that it cannot be had.
    package var isDiagnosed: Bool {
        get { box.details.isDiagnosed }
        set { own.details.isDiagnosed = newValue }
    }
    /// Offset of a parse error in the text given.
    public var byteOffset: Int? {
        get { box.details.byteOffset }
        set { own.details.byteOffset = newValue }
    }
    /// Line of a parse error in a text of several lines, from 1.
    public var line: Int? {
        get { box.details.line }
        set { own.details.line = newValue }
    }

    @inline(never)
    package init(
        _ code: Code, _ reason: StaticString, _ message: String, outcome: Outcome = .notSent, retriable: Bool = false
    ) {
        box = Contents(
            Details(code: code, outcome: outcome, reason: reason, message: message, retriable: retriable))
    }
}

/// Faults of a connection; the values are those of the C interface.
public enum NetworkFault: Int32, Sendable {
    case none = 0
    case notConnected = 1
    case hostNotFound = 2
    case connectionRefused = 3
    case connectionLost = 4
    case timeout = 5
    case proxy = 6
    case notHTTP = 7
    case tooLarge = 8
}

/// Faults of TLS; the values are those of the C interface.
public enum TLSFault: Int32, Sendable {
    case none = 0
    case handshake = 1
    case untrusted = 2
    case selfSigned = 3
    case expired = 4
    case notYetValid = 5
    case wrongHost = 6
    case revoked = 7
    case weak = 8
    case other = 9
    case pinMismatch = 10
    case clientCertificate = 11
}

/// The stable reasons. Those without a remark are the Mobile Token SDKs' own texts.
package enum Reason {
    package static let missingActivation: StaticString = "missingActivation"
    package static let canceled: StaticString = "canceled"
    package static let networkGeneric: StaticString = "network_generic"
    package static let networkErrorStatusCode: StaticString = "network_errorStatusCode"
    package static let networkInvalidResponse: StaticString = "network_invalidResponseObject"
    package static let networkInvalidRequest: StaticString = "network_invalidRequestObject"
    package static let networkSignError: StaticString = "network_signError"
    package static let networkEncryption: StaticString = "network_e2eeError"
    package static let networkToken: StaticString = "network_tokenError"
    package static let networkTimeOut: StaticString = "network_timeOut"
    package static let networkNoConnection: StaticString = "network_noInternetConnection"
    package static let networkBadServerResponse: StaticString = "network_badServerResponse"
    package static let networkTLS: StaticString = "network_sslError"
    package static let operationsInvalidActivation: StaticString = "operations_invalidActivation"
    package static let operationsAlreadyFailed: StaticString = "operations_alreadyFailed"
    package static let operationsAlreadyFinished: StaticString = "operations_alreadyFinished"
    package static let operationsAlreadyCanceled: StaticString = "operations_alreadyCanceled"
    package static let operationsAuthExpired: StaticString = "operations_authExpired"
    package static let operationsRejectExpired: StaticString = "operations_rejectExpired"
    package static let operationsExpired: StaticString = "operations_expired"
    package static let operationsFailed: StaticString = "operations_failed"
    package static let pushAlreadyRegistering: StaticString = "push_alreadyRegistering"
    // The following are this library's own.
    package static let invalidArgument: StaticString = "invalidArgument"
    package static let invalidHandle: StaticString = "invalidHandle"
    package static let invalidState: StaticString = "invalidState"
    package static let waitTimeout: StaticString = "waitTimeout"
    package static let storageTimeout: StaticString = "storageTimeout"
    package static let interrupted: StaticString = "interrupted"
    package static let insideHostFunction: StaticString = "insideHostFunction"
    package static let forked: StaticString = "forked"
    package static let activationPending: StaticString = "activationPending"
    package static let activationPendingCommit: StaticString = "activationPendingCommit"
    package static let activationBlocked: StaticString = "activationBlocked"
    package static let activationRemoved: StaticString = "activationRemoved"
    package static let counterAtRisk: StaticString = "counterAtRisk"
    package static let counterBehind: StaticString = "counterBehind"
    package static let counterDeadlock: StaticString = "counterDeadlock"
    package static let counterWindow: StaticString = "counterWindow"
    package static let acceptedThenRefused: StaticString = "acceptedThenRefused"
    package static let notTheFactor: StaticString = "notTheFactor"
    package static let secretsDiffer: StaticString = "secretsDiffer"
    package static let serverUnavailable: StaticString = "serverUnavailable"
    package static let invalidActivationCode: StaticString = "invalidActivationCode"
    package static let invalidActivationData: StaticString = "invalidActivationData"
    package static let invalidConfiguration: StaticString = "invalidConfiguration"
    package static let invalidSignature: StaticString = "invalidSignature"
    package static let invalidToken: StaticString = "invalidToken"
    package static let factorNotAllowed: StaticString = "factorNotAllowed"
    package static let factorNotConfigured: StaticString = "factorNotConfigured"
    package static let decryptionFailed: StaticString = "decryptionFailed"
    package static let timeSynchronization: StaticString = "timeSynchronization"
    package static let temporaryKey: StaticString = "temporaryKey"
    package static let proximityTime: StaticString = "proximityTime"
    package static let staleKnowledgeKey: StaticString = "staleKnowledgeKey"
    package static let storageFailed: StaticString = "storageFailed"
    package static let storageInsecure: StaticString = "storageInsecure"
    package static let storageTampered: StaticString = "storageTampered"
    package static let storageKeyMissing: StaticString = "storageKeyMissing"
    package static let storageBusy: StaticString = "storageBusy"
    package static let storageLockLost: StaticString = "storageLockLost"
    package static let storageUnsupported: StaticString = "storageUnsupported"
    package static let alreadyThere: StaticString = "alreadyThere"
    package static let invalidUpstreamState: StaticString = "invalidUpstreamState"
    package static let unsupportedState: StaticString = "unsupportedState"
    package static let unsupportedProtocol: StaticString = "unsupportedProtocol"
    package static let unsupportedSuite: StaticString = "unsupportedSuite"
    package static let confirm: StaticString = "confirm"
    package static let confirmUpgrade: StaticString = "confirmUpgrade"
    package static let newPINMayApply: StaticString = "newPINMayApply"
    package static let newBiometryMayApply: StaticString = "newBiometryMayApply"
    package static let confirmPIN: StaticString = "confirmPIN"
    package static let scannerChangedText: StaticString = "scannerChangedText"
    package static let signatureVerificationFailed: StaticString = "signatureVerificationFailed"
    package static let signatureNotVerifiable: StaticString = "signatureNotVerifiable"
    package static let operationNotVerified: StaticString = "operationNotVerified"
    package static let notFound: StaticString = "notFound"
    package static let sealUnavailable: StaticString = "sealUnavailable"
    package static let sealDenied: StaticString = "sealDenied"
    package static let sealLocked: StaticString = "sealLocked"
    package static let sealForeign: StaticString = "sealForeign"
    package static let sealCleared: StaticString = "sealCleared"
    package static let sealChanged: StaticString = "sealChanged"
    package static let sealDamaged: StaticString = "sealDamaged"
    package static let sealFailed: StaticString = "sealFailed"
    package static let sealerMissing: StaticString = "sealerMissing"
    package static let sealerNotFound: StaticString = "sealerNotFound"
    package static let notSealed: StaticString = "notSealed"
    package static let engineNotFound: StaticString = "engineNotFound"
    package static let weakPIN: StaticString = "weakPin"
    package static let internalError: StaticString = "internalError"
}

extension Failure {
    /// The names of today's SDK networking libraries for failures of encryption and of tokens.
    private var networkingReason: StaticString? {
        if sameBytes(Reason.invalidToken, reason.description) { return Reason.networkToken }
        if code == .decryption || sameBytes(Reason.temporaryKey, reason.description) { return Reason.networkEncryption }
        switch serverCode?.byBytes {
        case "ERR_ENCRYPTION"?, "ERR_TEMPORARY_KEY"?: return Reason.networkEncryption
        default: return nil
        }
    }

    /// The failure of a call that needs an activation where there is none.
    public static var notActivated: Failure {
        Failure(.notActivated, Reason.missingActivation, "The client has no activation. Activate it first.")
    }

    /// Something on the device itself is wrong, not with the network, the server or what was asked for.
    var isGrave: Bool { code == .storage || code == .tampered || code == .internal }

    /// An activation is in progress already.
    public static var activationPending: Failure {
        Failure(
            .pending, Reason.activationPending,
            "An activation of this client is in progress. Persist it or cancel it first.")
    }

    /// The call was cancelled.
    public static func cancelled(outcome: Outcome = .notSent) -> Failure {
        Failure(.cancelled, Reason.canceled, "The call was cancelled.", outcome: outcome)
    }

    /// The host's input is wrong.
    @inline(never)
    public static func argument(_ message: String) -> Failure {
        Failure(.argument, Reason.invalidArgument, message)
    }

    /// The call does not fit the present state.
    @inline(never)
    public static func state(_ message: String) -> Failure {
        Failure(.state, Reason.invalidState, message)
    }

    /// Only an activation of protocol 3 has this.
    @inline(never)
    static func notInV4(_ message: String) -> Failure {
        Failure(.unsupported, Reason.unsupportedProtocol, "Protocol 4.0 does not have this: " + message)
    }

    /// Only an activation of protocol 4.0 has this.
    @inline(never)
    static func onlyInV4(_ message: String) -> Failure {
        Failure(.unsupported, Reason.unsupportedProtocol, "Only protocol 4.0 has this: " + message)
    }

    /// A detail of the protocol layer as a sentence.
    private static func sentence(_ detail: String) -> String {
        var bytes = [UInt8](detail.utf8)
        if let first = bytes.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) { bytes[0] = first & ~0x20 }
        return String(utf8: bytes) + "."
    }

    /// A failure of the protocol layer.
    ///
    /// - Parameter answered: the server's answer was being read, so that the request was sent.
    @inline(never)
    package init(_ error: PowerAuthError, answered: Bool = false) {
        let code: Code
        let reason: StaticString
        switch error.code {
        case .missingActivation: (code, reason) = (.notActivated, Reason.missingActivation)
        case .activationPending: (code, reason) = (.pending, Reason.activationPending)
        case .wrongState: (code, reason) = (.state, Reason.invalidState)
        case .wrongParameter: (code, reason) = (answered ? .protocol : .argument, Reason.invalidArgument)
        case .invalidConfiguration: (code, reason) = (.configuration, Reason.invalidConfiguration)
        case .invalidActivationCode: (code, reason) = (.parse, Reason.invalidActivationCode)
        case .invalidActivationData: (code, reason) = (answered ? .protocol : .argument, Reason.invalidActivationData)
        case .encryption:
            (code, reason) = answered ? (.decryption, Reason.decryptionFailed) : (.internal, Reason.networkSignError)
        case .signature: (code, reason) = (.signature, Reason.networkSignError)
        case .serverSignature: (code, reason) = (.signature, Reason.invalidSignature)
        case .invalidToken: (code, reason) = (answered ? .protocol : .notFound, Reason.invalidToken)
        case .invalidTemporaryKey: (code, reason) = (answered ? .protocol : .state, Reason.temporaryKey)
        case .timeSynchronization: (code, reason) = (.protocol, Reason.timeSynchronization)
        case .unsupportedProtocol, .pendingUpgrade: (code, reason) = (.unsupported, Reason.unsupportedProtocol)
        case .biometryNotConfigured: (code, reason) = (.factor, Reason.factorNotConfigured)
        case .externalKeyMissing: (code, reason) = (.state, Reason.networkSignError)
        case .staleKnowledgeKey: (code, reason) = (.state, Reason.staleKnowledgeKey)
        case .corruptedState: (code, reason) = (.tampered, Reason.storageTampered)
        case .invalidUpstreamState: (code, reason) = (.parse, Reason.invalidUpstreamState)
        case .unsupportedState: (code, reason) = (.unsupported, Reason.unsupportedState)
        case .randomFailed: (code, reason) = (.internal, Reason.networkSignError)
        }
        self.init(code, reason, Self.sentence(error.detail), outcome: answered ? .answered : .notSent)
    }
}

extension Failure {
    /// A text that was refused.
    ///
    /// - Parameters:
    ///   - what: what the text should be, e.g. "The offline payload"
    ///   - isNoText: the text breaks the rule for all texts that hosts hand in
    package init(_ fault: TextFault, what: StaticString, isNoText: Bool = false) {
        let (name, detail) = fault.code.words
        self.init(
            isNoText ? .argument : .parse, name,
            filled(
                "% is refused: % (line %, byte %).", what.description, detail.description, String(fault.line),
                String(fault.offset)))
        byteOffset = fault.offset
        line = fault.line
    }
}

extension Failure {
    /// A wait was over before what was waited for.
    @inline(never)
    package static func waitTimeout(_ message: String, outcome: Outcome = .notSent) -> Failure {
        Failure(.timeout, Reason.waitTimeout, message, outcome: outcome)
    }

    /// The time of a call was over while its client waited for the host.
    static func storageTimeout(outcome: Outcome) -> Failure {
        Failure(
            .timeout, Reason.storageTimeout, "The host's store or sealer did not answer in time.", outcome: outcome,
            retriable: outcome == .notSent)
    }

    /// A function of the host, which a client waits for, uses that client: it would wait for itself.
    @inline(never)
    package static func insideHostFunction(outcome: Outcome = .notSent) -> Failure {
        Failure(
            .state, Reason.insideHostFunction,
            "A function of the host's store or sealer uses the client that waits for it. Do it after the function has returned.",
            outcome: outcome)
    }

    /// Waits were ended by `Runtime.interrupt`.
    @inline(never)
    package static func interrupted(outcome: Outcome = .notSent) -> Failure {
        Failure(.cancelled, Reason.interrupted, "The host interrupted all waits.", outcome: outcome)
    }
}
