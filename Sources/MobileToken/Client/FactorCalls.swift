import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// Calls about the factors of an activation, and what the vault guards (rest.md §2).
extension Call {
    /// A signature and nothing else (rest.md §3.10): the server verifies it and its counter follows.
    static func signatureValidation(
        name: StaticString, reason: StaticString, keys: SigningKeys,
        read: @escaping (Client, Answer) throws(Failure) -> Conclusion
    ) -> Call {
        Call(
            name: name, root: .powerAuth, path: "/pa/v3/signature/validate",
            authentication: .signature(uriId: "/pa/signature/validate", keys: keys),
            body: { (_) throws(Failure) in
                requestObject { writer in
                    writer.key("reason")
                    writer.value(reason)
                }
            }, read: read)
    }

    /// Whether the PIN is right.
    static func validatePIN(keys: SigningKeys) -> Call {
        signatureValidation(name: "PIN validation", reason: "VALIDATE_PASSWORD", keys: keys, read: nothing)
    }

    /// Another PIN, after the server has found the present one right.
    static func changePIN(from old: KnowledgeKey, to new: KnowledgeKey) -> Call {
        signatureValidation(
            name: "change of the PIN", reason: "VALIDATE_PASSWORD", keys: .possession(with: old)
        ) { (client, _) throws(Failure) in
            try client.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.changeKnowledge(from: old, to: new)
            }
            return .done(.none)
        }
    }

    /// Opens the vault for one purpose (powerauth.md §13).
    ///
    /// - Parameter use: gets the vault key under the client's lock
    static func vault(
        _ reason: VaultReason, keys: SigningKeys,
        use: @escaping (Client, VaultKey) throws(Failure) -> CallResult
    ) -> Call {
        Call(
            name: "vault", root: .powerAuth, path: "/pa/v3/vault/unlock",
            authentication: .signature(uriId: "/pa/vault/unlock", keys: keys), encryption: .layer(.vaultUnlock),
            body: { (_) throws(Failure) in reason.payload },
            read: { (client, answer) throws(Failure) in
                guard let plaintext = answer.plaintext else { throw unreadable("The server's answer has no key.") }
                let vault = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try client.session.openVault(plaintext)
                }
                return .done(try use(client, vault))
            })
    }

    /// Confirms a recovery code that came on paper (rest.md §3.14).
    ///
    /// - Parameter payload: with the code
    static func confirmRecoveryCode(_ payload: SecureBytes, keys: SigningKeys) -> Call {
        Call(
            name: "recovery code", root: .powerAuth, path: "/pa/v3/recovery/confirm",
            authentication: .signature(uriId: "/pa/recovery/confirm", keys: keys),
            encryption: .layer(.confirmRecoveryCode),
            body: { (_) throws(Failure) in payload.withBytes { [UInt8]($0) } },
            read: { (_, answer) throws(Failure) in
                guard let plaintext = answer.plaintext else { throw unreadable("The server's answer is empty.") }
                let confirmed = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try RecoveryCode.alreadyConfirmed(plaintext)
                }
                return .done(.flag(confirmed))
            })
    }

    /// The claims about the user (powerauth.md §17).
    static func userInfo() -> Call {
        Call(
            name: "user info", root: .powerAuth, path: "/pa/v3/user/info", encryption: .layer(.activationGeneric),
            sharedAs: "user info", body: emptyRequest
        ) { (client, answer) throws(Failure) in
            guard let plaintext = answer.plaintext, let info = plaintext.withBytes({ UserInfo(json: $0) }) else {
                throw unreadable("The server's answer has no claims.")
            }
            client.lastUserInfo = info
            return .done(.userInfo(info))
        }
    }
}
