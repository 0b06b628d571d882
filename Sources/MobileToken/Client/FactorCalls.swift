// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// Calls about the factors of an activation, and what the vault guards (rest.md §2).
extension Call {
    /// Whether the PIN is right.
    static func validatePIN(keys: SigningKeys) -> Call {
        signatureValidation(
            name: "PIN validation", reason: "VALIDATE_PASSWORD", kind: .signed(by: .user(validation, keys)),
            read: nothing)
    }

    /// Another PIN, after the server has found the present one right.
    static func changePIN(from old: KnowledgeKey, to new: KnowledgeKey) -> Call {
        signatureValidation(
            name: "change of the PIN", reason: "VALIDATE_PASSWORD",
            kind: .signed(by: .user(validation, .possession(with: old), for: .factor))
        ) { (activation, _) throws(Failure) in
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.changeKnowledge(from: old, to: new)
            }
            return .done(.none)
        }
    }

    /// Opens the vault for one purpose (powerauth.md §13).
    ///
    /// - Parameter use: gets the vault key under the activation's lock
    static func vault(
        _ reason: VaultReason, keys: SigningKeys, for purpose: Purpose = .request,
        use: @escaping (Activation, VaultKey) throws(Failure) -> CallResult
    ) -> Call {
        Call(
            name: "vault", root: .powerAuth, path: "/pa/v3/vault/unlock",
            kind: .signed(by: .user("/pa/vault/unlock", keys, for: purpose)), encryption: .layer(.vaultUnlock),
            body: { (_) throws(Failure) in reason.payload },
            read: { (activation, answer) throws(Failure) in
                guard let plaintext = answer.plaintext else { throw unreadable("The server's response has no key.") }
                let vault = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try activation.session.openVault(plaintext)
                }
                return .done(try use(activation, vault))
            })
    }

    /// Confirms a recovery code that came on paper (rest.md §3.14).
    ///
    /// - Parameter payload: with the code
    static func confirmRecoveryCode(_ payload: SecureBytes, keys: SigningKeys) -> Call {
        Call(
            name: "recovery code", root: .powerAuth, path: "/pa/v3/recovery/confirm",
            kind: .signed(by: .user("/pa/recovery/confirm", keys)),
            encryption: .layer(.confirmRecoveryCode),
            body: { (_) throws(Failure) in payload.withBytes { [UInt8]($0) } },
            read: { (_, answer) throws(Failure) in
                guard let plaintext = answer.plaintext else { throw unreadable("The server's response is empty.") }
                let confirmed = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try RecoveryCode.alreadyConfirmed(plaintext)
                }
                return .done(.flag(confirmed))
            })
    }
}
