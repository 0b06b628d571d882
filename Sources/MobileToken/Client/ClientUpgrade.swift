// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenSystem
import PowerAuth

/// From protocol 3 to 4.0.
extension Client {
    /// Upgrades the activation; it stays one of protocol 3 until the keys of 4.0 are proven.
    ///
    /// - Parameter authentication: the PIN; a biometry key keeps the factor of that authenticator
    package func upgrade(_ authentication: Authentication, task: CallTask) throws(Failure) {
        guard let pin = authentication.pin else { throw .argument("An upgrade needs the PIN.") }
        var onlyPIN = authentication
        onlyPIN.biometryKey = nil
        onlyPIN.authenticator = nil
        onlyPIN.factors = nil
        let best = try activation.options.upgradeSuite()
        let keys = try activation.signingKeys(onlyPIN)
        let name = authentication.authenticator.map { [UInt8]($0.utf8) }
        try NameLimits.check(authenticator: authentication.authenticator)
        let parameters = try activation.lock.glance { () throws(Failure) in
            try activation.require(.activated)
            guard activation.session.version != .v40 else {
                throw .state("The activation is one of protocol 4.0 already.")
            }
            guard authentication.biometryKey == nil || activation.session.hasBiometry(named: name) else {
                throw Failure(
                    .factor, Reason.factorNotConfigured, "The biometry factor is not set up for this authenticator.")
            }
            return try Failure.converting { () throws(PowerAuthError) in
                try best.require()
                return try activation.session.upgradedKnowledgeParameters()
            }
        }
        let knowledge = try Failure.converting { () throws(PowerAuthError) in
            try KnowledgeKey.derive(pin: pin, parameters: parameters)
        }
        let call = Call.offeredSuites { suite, key in
            .startUpgrade(
                suite, key, keys: keys, knowledge: knowledge, biometryKey: authentication.biometryKey,
                authenticator: name)
        }
        try activation.start(call, task: task)
    }
}

extension Call {
    /// Fetches the server's offer, and a temporary key of 4.0 for the upgrade.
    fileprivate static func offeredSuites(then start: @escaping (V4.Suite, EncryptionKey) -> Call) -> Call {
        Call(
            name: "suites", root: .powerAuth, path: "/pa/v4/status",
            body: { (activation) throws(Failure) in statusRequestV4(activation) },
            read: { (activation, answer) throws(Failure) in
                let suite = try activation.options.upgradeSuite(offered: answer.content)
                if let time = answer.content?["serverTime"]?.int64 {
                    activation.learnTime(time, sentAt: answer.sentAt)
                }
                return .next(upgradeKey(suite, then: start))
            })
    }

    private static func upgradeKey(
        _ suite: V4.Suite, then start: @escaping (V4.Suite, EncryptionKey) -> Call
    ) -> Call {
        let request = Handover<EncryptionKeyRequest>()
        return Call(
            name: "temporary key", root: .powerAuth, path: "/pa/v4/keystore/create",
            body: { (activation) throws(Failure) in
                let made = try Failure.converting { () throws(PowerAuthError) in
                    try activation.session.upgradeKeyRequest(suite)
                }
                request.value = made
                return made.body
            },
            read: { (activation, answer) throws(Failure) in
                guard let content = answer.content, let made = request.value else {
                    throw unreadable("The server's response has no temporary key.")
                }
                let key = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try activation.session.accept(content, request: made)
                }
                activation.learnTime(key.issued, sentAt: answer.sentAt)
                return .next(start(suite, key))
            })
    }

    /// The exchange, signed by the activation of 3.x and encrypted as in 4.0 (powerauth4.md §15).
    fileprivate static func startUpgrade(
        _ suite: V4.Suite, _ key: EncryptionKey, keys: SigningKeys, knowledge: KnowledgeKey,
        biometryKey: SecureBytes?, authenticator: [UInt8]?
    ) -> Call {
        let upgrade = Handover<Session.Upgrade>()
        return Call(
            name: "upgrade", root: .powerAuth, path: "/pa/v4/upgrade/start",
            kind: .signed(by: .user("/pa/upgrade/start", keys, for: .factor)),
            encryption: .own { (session) throws(PowerAuthError) in try session.upgradeEnvelope(under: key) },
            body: { (activation) throws(Failure) in
                let made = try Failure.converting { () throws(PowerAuthError) in
                    try activation.session.makeUpgrade(suite)
                }
                upgrade.value = made
                return made.payload(enablesBiometry: biometryKey != nil)
            },
            read: { (activation, answer) throws(Failure) in
                guard let plaintext = answer.plaintext, let made = upgrade.value else {
                    throw unreadable("The server's response has no keys.")
                }
                try Failure.converting(answered: true) { () throws(PowerAuthError) in
                    try activation.session.beginUpgrade(
                        plaintext, made, knowledge: knowledge, biometryKey: biometryKey,
                        authenticator: authenticator)
                }
                activation.forgetTemporaryKeys(keeping: key)
                return .atOnce(proveUpgrade())
            })
    }

    /// The first status of the new keys: with it the activation is one of 4.0, without it one of 3.x as before.
    private static func proveUpgrade() -> Call {
        let call = activationStatusV4(catchesUp: true)
        call.sharedAs = nil
        call.abandon = { (activation, _) in
            guard activation.session.isUnproven else { return }
            activation.session.abandonUpgrade()
            activation.forgetTemporaryKeys()
        }
        return call
    }
}
