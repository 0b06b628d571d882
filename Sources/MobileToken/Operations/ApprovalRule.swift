// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// Decides whether an operation may be approved: by a call of the host, and in the handling of a request for mobile
/// authentication.
public struct ApprovalRule: Sendable, Equatable {
    /// Refuses factors that the operation does not allow; else the server decides.
    public var checksFactors = true
    /// The id of the operation that the user saw, in UTF-8; nil: not compared.
    public var expectedID: [UInt8]?
    /// Refuses what shows something else than it signs, even if the client does not.
    public var isStrict = false
    /// Lets an operation pass whose status the library does not know.
    public var allowsUnknownStatus = false
    /// Contradictions that pass, beside those that the client tolerates.
    public var tolerated: Contradictions = []

    /// The defaults.
    public init() {}

    /// Refuses another operation than the one that the user saw.
    package func check(id: String) throws(Failure) {
        guard let expectedID, !expectedID.elementsEqual(id.utf8) else { return }
        throw Failure(.state, "otherOperation", "The operation is not the one of expected_id.")
    }

    /// Refuses what is not to be approved, whatever the factors.
    func check(_ operation: Approvable, _ options: ClientOptions) throws(Failure) {
        try check(id: operation.id)
        if isStrict || options.refusesContradictions,
            options.refuses(operation.contradictions.subtracting(tolerated))
        {
            throw .contradiction
        }
        guard operation.hasKnownStatus || allowsUnknownStatus else {
            throw Failure(
                .state, "unknownStatus", "This version does not know the operation's status.")
        }
    }

    /// Refuses factors that the operation does not allow.
    fileprivate func check(_ factors: Factors, of operation: Approvable) throws(Failure) {
        guard checksFactors, !Self.allows(factors, operation.signature, operation.variants) else { return }
        throw Failure(.factor, Reason.factorNotAllowed, "The operation does not allow these factors.")
    }

    /// Whether factors may approve what wants this signature.
    static func allows(
        _ factors: Factors, _ signature: AllowedSignature.Kind, _ variants: AllowedSignature.Variants
    ) -> Bool {
        let combination: AllowedSignature.Variants
        switch factors {
        case .possession: combination = .possession
        case .possessionKnowledge: combination = .possessionKnowledge
        case .possessionBiometry: combination = .possessionBiometry
        default: combination = []
        }
        return signature.allows(combination, of: variants)
    }
}

extension Operations {
    /// Approves an operation, if the rule lets it.
    ///
    /// - Parameter info: gets what the server tells a custom authenticator
    package func authorize(
        _ operation: Approvable, _ rule: ApprovalRule, authentication: Authentication, extras: ApprovalExtras,
        info: Handover<String>? = nil, task: CallTask
    ) throws(Failure) {
        try rule.check(operation, activation.options)
        _ = try Call.required(operation.id, "The operation's id is empty.")
        try rule.check(try authentication.effectiveFactors, of: operation)
        guard !operation.wantsProximityCheck || completed(extras, for: operation.id).proximity != nil else {
            throw .proximityRequired
        }
        try authorize(
            id: operation.id, data: operation.data, authentication: authentication, extras: extras,
            tolerated: rule.tolerated, info: info, task: task)
    }
}
