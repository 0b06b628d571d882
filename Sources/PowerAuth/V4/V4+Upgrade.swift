// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// From 3.x to 4.0 (powerauth4.md §15). The stored state is one or the other, never both: the activation of 3.x until a
/// status that the keys of 4.0 open has proven them.
extension Session {
    /// The device's part of an upgrade. Good for one answer.
    package final class Upgrade {
        fileprivate let suite: V4.Suite
        fileprivate let deviceKeys: V4.DeviceKeys
        fileprivate let exchange: V4.SharedSecretRequest

        fileprivate init(_ suite: V4.Suite, _ deviceKeys: V4.DeviceKeys, _ exchange: V4.SharedSecretRequest) {
            self.suite = suite
            self.deviceKeys = deviceKeys
            self.exchange = exchange
        }

        /// The payload of the request.
        package func payload(enablesBiometry: Bool) -> [UInt8] {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("sharedSecretRequest")
            writer.raw(exchange.json)
            writer.key("devicePublicKeys")
            writer.raw(deviceKeys.publicKeys.json)
            writer.key("enableBiometry")
            writer.value(enablesBiometry)
            writer.endObject()
            return writer.bytes
        }
    }

    /// Makes the device's part of an upgrade.
    ///
    /// - Throws: `missingActivation`, `activationPending`, `unsupportedProtocol` for an activation of 4.0 or a suite whose
    ///   algorithms are not there.
    package func makeUpgrade(_ suite: V4.Suite) throws(PowerAuthError) -> Upgrade {
        _ = try activated3()
        try suite.require()
        return Upgrade(
            suite, try V4.DeviceKeys(suite: suite, random: random),
            try V4.SharedSecretRequest(suite: suite, random: random))
    }

    /// Fresh parameters for the PIN after an upgrade.
    package func upgradedKnowledgeParameters() throws(PowerAuthError) -> KnowledgeParameters {
        KnowledgeParameters(
            salt: try attempt(
                .randomFailed, "OpenSSL could not provide random bytes", try random.bytes(V4.PasswordKDF.saltLength)),
            iterations: 0)
    }

    /// Writes a request for a temporary key of 4.0 of the application, before there is an activation of 4.0.
    package func upgradeKeyRequest(_ suite: V4.Suite) throws(PowerAuthError) -> EncryptionKeyRequest {
        .v4(try temporaryKeyRequestV4(scope: .application, suite))
    }

    /// Makes the envelope of the upgrade's request.
    package func upgradeEnvelope(under key: EncryptionKey) throws(PowerAuthError) -> Envelope {
        guard case .v4(let key) = key else {
            throw PowerAuthError(.invalidTemporaryKey, "there is no temporary key for this message")
        }
        return .v4(try encryptorV4(.upgrade, key: key))
    }

    /// Takes the answer: from now on the session is one of 4.0, while what is stored is that of 3.x.
    ///
    /// - Parameters:
    ///   - knowledge: the key of the PIN, derived with ``upgradedKnowledgeParameters()``.
    ///   - biometryKey: keeps the biometric factor of an authenticator; nil: there is none any more.
    package func beginUpgrade(
        _ plaintext: SecureBytes, _ upgrade: Upgrade, knowledge: KnowledgeKey, biometryKey: SecureBytes?,
        authenticator: [UInt8]?
    ) throws(PowerAuthError) {
        let old = try activated3()
        _ = try externalKey(for: old)
        let agreement = try V4.Agreement(
            try JSONFields.parse(plaintext, .invalidActivationData), upgrade.suite, upgrade.exchange)
        let record = try lockV4(
            agreement, upgrade.suite, old.identifier, upgrade.deviceKeys, knowledge: knowledge,
            biometryKey: biometryKey, authenticator: authenticator, mark: .upgrade)
        record.tokens = old.tokens
        record.window = old.window
        former = old
        state = .activated(record)
    }

    /// Whether an upgrade waits for the proof of its keys.
    package var isUnproven: Bool { former != nil }

    /// Goes back to 3.x: the keys of 4.0 were not proven.
    package func abandonUpgrade() {
        guard let old = former else { return }
        former = nil
        state = .activated(old)
    }
}
