// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// Factors that the server and the device agree on anew, in protocol 4.0 (powerauth4.md §13).
extension Call {
    /// Another PIN: a new key of the knowledge factor, which the next call proves.
    static func changePINV4(from old: KnowledgeKey, to new: KnowledgeKey) -> Call {
        let exchange = Handover<Session.SecretExchange>()
        return Call(
            name: "change of the PIN", root: .powerAuth, path: "/pa/v4/password/change",
            kind: .signed(by: .user("/pa/password/change", .possession(with: old), for: .factor)),
            encryption: .layer(.changePassword), body: payload(exchange)
        ) { (activation, answer) throws(Failure) in
            guard let plaintext = answer.plaintext, let made = exchange.value else {
                throw unreadable("The server's response has no key.")
            }
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.beginNewPIN(plaintext, made, new: new)
            }
            return .atOnce(checkNewPIN(.possession(with: new)))
        }
    }

    /// The first code of a new PIN: it makes the change final, and takes it back when the server has found it wrong.
    static func checkNewPIN(_ keys: SigningKeys) -> Call {
        let call = signatureValidation(
            name: "check of the new PIN", reason: "VALIDATE_PASSWORD", kind: .finishing(.newPIN, validation, keys),
            read: nothing)
        call.whenSigning = { $0.leaveFormerPIN() }
        return call
    }

    /// Another biometric factor, which the next call proves. One that the server has never accepted is removed before.
    static func addBiometryV4(
        key: SecureBytes, named name: [UInt8]?, keys: SigningKeys
    ) -> Call {
        let exchange = Handover<Session.SecretExchange>()
        let call = Call(
            name: "biometry", root: .powerAuth, path: "/pa/v4/biometry/add",
            kind: .signed(by: .user("/pa/biometry/add", keys, for: .factor)), encryption: .layer(.addBiometry),
            body: payload(exchange)
        ) { (activation, answer) throws(Failure) in
            guard let plaintext = answer.plaintext, let made = exchange.value else {
                throw unreadable("The server's response has no key.")
            }
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.beginNewBiometry(plaintext, made, key: key, named: name)
            }
            return .atOnce(checkNewBiometry(SigningKeys(biometry: key, authenticator: name)))
        }
        call.skips = { activation in
            guard activation.session.marks.newBiometry else { return nil }
            return .next(.removeBiometryV4 { .next(addBiometryV4(key: key, named: name, keys: keys)) })
        }
        return call
    }

    /// The first code of a new biometric factor: it takes the change back when the server has found it wrong.
    private static func checkNewBiometry(_ keys: SigningKeys) -> Call {
        signatureValidation(
            name: "check of biometry", reason: "VALIDATE_BIOMETRY", kind: .finishing(.newBiometry, validation, keys)
        ) { (activation, _) throws(Failure) in
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in session.finishNewBiometry() }
            return .done(.none)
        }
    }

    /// A copy of the biometric factor for another authenticator, after the server has found that of the first one right.
    static func copyBiometryV4(
        from keys: SigningKeys, existing: SecureBytes, _ existingName: [UInt8]?, to key: SecureBytes,
        named name: [UInt8]?
    ) -> Call {
        signatureValidation(
            name: "check of biometry", reason: "VALIDATE_BIOMETRY", kind: .signed(by: .user(validation, keys))
        ) { (activation, _) throws(Failure) in
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.copyBiometry(from: existing, named: existingName, to: key, named: name)
            }
            return .done(.none)
        }
    }

    private static func payload(
        _ exchange: Handover<Session.SecretExchange>
    ) -> (Activation) throws(Failure) -> [UInt8] {
        { (activation) throws(Failure) in
            let made = try Failure.converting { () throws(PowerAuthError) in try activation.session.secretExchange() }
            exchange.value = made
            return made.payload
        }
    }

    /// A key of the vault for one purpose (powerauth4.md §16).
    ///
    /// - Parameter use: gets the key under the activation's lock
    static func vaultV4(
        _ id: V4.VaultKeyIdentifier, keys: SigningKeys,
        use: @escaping (Session, SecureBytes) throws(PowerAuthError) -> SecureBytes
    ) -> Call {
        Call(
            name: "vault", root: .powerAuth, path: "/pa/v4/vault/unlock",
            kind: .signed(by: .user("/pa/vault/unlock", keys)), encryption: .layer(.vaultUnlock),
            body: { (_) throws(Failure) in id.payload },
            read: { (activation, answer) throws(Failure) in
                guard let plaintext = answer.plaintext else { throw unreadable("The server's response has no key.") }
                return try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    let key = try activation.session.vaultKeyV4(plaintext)
                    return .done(.data(try use(activation.session, key)))
                }
            })
    }
}
