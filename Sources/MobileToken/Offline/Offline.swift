import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

extension OfflineOperation {
    /// Looks at the signature with the key of an application's server.
    ///
    /// - Throws: `notActivated` for a personalised payload, whose key only an activation has
    package func verified(
        _ payload: UnsafeRawBufferPointer, by configuration: Configuration
    ) throws(Failure) -> VerifiedState {
        switch key {
        case .personalizedMAC: return .unsupported
        case .personalized: throw .notActivated
        case .master:
            return try withSignature { (signature: UnsafeRawBufferPointer) throws(Failure) in
                try Failure.converting { () throws(PowerAuthError) in
                    try configuration.verifyMasterSignature(signedPart(payload), signature: signature)
                } ? .valid : .invalid
            }
        }
    }

    /// What the signature covers.
    fileprivate func signedPart(_ payload: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: payload.prefix(signedSize))
    }
}

extension VerifiedState {
    /// Refuses what is not known to come from the server.
    package func requireValid() throws(Failure) {
        switch self {
        case .valid: return
        case .invalid:
            throw Failure(
                .signature, Reason.signatureVerificationFailed,
                "The offline operation is forged or was changed: its signature is not the server's.")
        case .unsupported:
            throw Failure(
                .unsupported, Reason.signatureNotVerifiable,
                "The offline operation carries a code of protocol 4, which cannot be verified.")
        case .notChecked:
            throw Failure(
                .signature, Reason.operationNotVerified,
                "The offline operation was not verified: read it with a client or with the SDK configuration.")
        }
    }
}

/// How an offline operation is approved.
public struct OfflineApproval: Sendable {
    /// The constant that the server is set up with.
    public var uriId = "/operation/authorize/offline"
    /// Digits for each factor, 4 to 8.
    public var componentLength = 8
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
        guard operation.key != .personalizedMAC else { return .unsupported }
        return try operation.withSignature { (signature: UnsafeRawBufferPointer) throws(Failure) in
            try requests.verify(
                operation.signedPart(payload), signature: signature,
                key: operation.key == .master ? .master : .personalized) ? .valid : .invalid
        }
    }

    /// The code that approves an offline operation. The advanced counter is stored before it is returned.
    package func authorize(
        _ operation: OfflineOperation, _ payload: UnsafeRawBufferPointer, authentication: Authentication,
        approval: OfflineApproval
    ) throws(Failure) -> String {
        if !approval.allowsUnverified { try verified(operation, payload).requireValid() }
        let factors = authentication.effectiveFactors
        guard factors == [.possession, .knowledge] || factors == [.possession, .biometry] else {
            throw Failure(
                .factor, Reason.factorNotAllowed,
                "An offline operation is approved with two factors: possession with the PIN or with biometry.")
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

/// The digits of offline codes.
package enum OfflineCode {
    /// The digits in groups of at most four, for reading: `12345678-12345678` becomes `1234 5678 1234 5678`.
    ///
    /// - Returns: nil unless the code has two components of the same length, 4 to 8 digits
    package static func grouped(_ code: UnsafeRawBufferPointer) -> String? {
        let size = code.count / 2
        guard (4...8).contains(size), code.count == 2 * size + 1, code[size] == UInt8(ascii: "-") else { return nil }
        // A component of more than four digits is split in the middle, the longer half first.
        let first = size > 4 ? (size + 1) / 2 : size
        var text: [UInt8] = []
        for (index, byte) in code.enumerated() where index != size {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let position = index > size ? index - size - 1 : index
            if !text.isEmpty, position == 0 || position == first { text.append(UInt8(ascii: " ")) }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
