// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

/// Where the keys come from that an offline operation is verified with.
package enum OfflineKeys {
    case none
    case configuration(Configuration)
    case client(Offline)
}

extension OfflineOperation {
    /// Looks at the signature, and refuses what the server may not have made.
    ///
    /// - Parameter keepsUnverified: refuses nothing: the state says what is known
    package func verified(
        _ payload: UnsafeRawBufferPointer, by keys: OfflineKeys, keepsUnverified: Bool
    ) throws(Failure) -> VerifiedState {
        var state = VerifiedState.notChecked
        do throws(Failure) {
            switch keys {
            case .none: return state
            case .configuration(let configuration): state = try verified(payload, by: configuration)
            case .client(let offline): state = try offline.verified(self, payload)
            }
        } catch {
            // Without an activation there is no key to verify a personalised payload with.
            guard keepsUnverified, error.code == .notActivated || error.code == .pending else { throw error }
        }
        if !keepsUnverified { try state.requireValid() }
        return state
    }

    /// Looks at the signature with the key of an application's server.
    ///
    /// - Throws: `notActivated` for a personalised payload, whose key only an activation has
    package func verified(
        _ payload: UnsafeRawBufferPointer, by configuration: Configuration
    ) throws(Failure) -> VerifiedState {
        switch key {
        case .personalizedMAC, .personalized: throw .notActivated
        case .master:
            return try withSignature { (signature: UnsafeRawBufferPointer) throws(Failure) in
                try Failure.converting { () throws(PowerAuthError) in
                    try configuration.verifyMasterSignature(signedPart(payload), signature: signature)
                } ? .valid : .invalid
            }
        }
    }

    /// The data that the signature covers.
    fileprivate func signedPart(_ payload: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: payload.prefix(signedSize))
    }
}

extension VerifiedState {
    /// Refuses what is not known to come from the server.
    fileprivate func requireValid() throws(Failure) {
        switch self {
        case .valid: return
        case .invalid:
            throw Failure(
                .signature, Reason.signatureVerificationFailed,
                "The offline operation was forged or changed: its signature is not the server's.")
        case .unsupported:
            throw Failure(
                .unsupported, Reason.signatureNotVerifiable,
                "The offline operation is for an activation of another protocol.")
        case .notChecked:
            throw Failure(
                .signature, Reason.operationNotVerified,
                "The offline operation was not verified. Parse it with a client or the SDK configuration.")
        }
    }
}

/// How an offline operation is approved.
public struct OfflineApproval: Sendable {
    /// The constant that the server is set up with.
    public var uriId = "/operation/authorize/offline"
    /// Digits for each factor, 4 to 8; nil: 8.
    public var componentLength: Int?
    /// Whether also what the server may not have made is approved.
    public var allowsUnverified = false

    /// The defaults.
    public init() {}
}

/// Offline operations: approved by a code that the user types elsewhere. May be used from any thread.
public struct Offline: Sendable {
    let requests: Requests

    /// Looks at the signature of an offline operation with the keys of this client.
    ///
    /// - Throws: `notActivated` or `activationPending` for a personalised payload without an activation
    package func verified(
        _ operation: OfflineOperation, _ payload: UnsafeRawBufferPointer
    ) throws(Failure) -> VerifiedState {
        if operation.key == .personalizedMAC {
            return try operation.withSignature { (code: UnsafeRawBufferPointer) throws(Failure) in
                try requests.verify(operation.signedPart(payload), personalizedCode: code)
            }
        }
        if operation.key == .personalized, requests.isOfV4 { return .unsupported }
        return try operation.withSignature { (signature: UnsafeRawBufferPointer) throws(Failure) in
            try requests.verify(
                operation.signedPart(payload), signature: signature,
                key: operation.key == .master ? .master : .personalized) ? .valid : .invalid
        }
    }

    /// The code that approves an offline operation. The advanced counter is stored before it is returned.
    ///
    /// - Parameter known: the result of reading the operation; it is verified again
    package func authorize(
        _ operation: OfflineOperation, _ payload: UnsafeRawBufferPointer, known: VerifiedState,
        authentication: Authentication, approval: OfflineApproval
    ) throws(Failure) -> String {
        _ = try OfflineCode.componentLength(approval.componentLength)
        if !approval.allowsUnverified {
            try known.requireValid()
            try verified(operation, payload).requireValid()
        }
        let options = requests.activation.options
        if options.refusesContradictions, options.refuses(operation.contradictions(payload)) { throw .contradiction }
        let factors = try authentication.effectiveFactors
        // The rule of all approvals: an offline operation is one of two factors, and a flag of it allows biometry.
        let variants: AllowedSignature.Variants = [.possessionKnowledge, .possessionBiometry]
        guard ApprovalRule.allows(factors, .twoFactor, variants) else {
            throw Failure(
                .factor, Reason.factorNotAllowed,
                "Approving an offline operation needs two factors: possession with the PIN or biometry.")
        }
        guard !factors.contains(.biometry) || operation.flags.contains(.biometryAllowed) else {
            throw Failure(.factor, Reason.factorNotAllowed, "The offline operation does not allow biometry.")
        }
        return try operation.withNonce { (nonce: UnsafeRawBufferPointer) throws(Failure) in
            try requests.signOffline(
                uriId: approval.uriId, body: operation.body(payload), nonce: nonce, authentication: authentication,
                componentLength: approval.componentLength)
        }
    }
}
