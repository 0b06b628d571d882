// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

// Factors that the server and the device agree on anew, in the order in which they are stored (powerauth4.md §13, §24).

extension Session {
    /// A step begun with the server that is not known to be finished.
    package struct Marks: Sendable {
        /// The activation is to be confirmed.
        package let confirm: Bool
        /// The upgrade is to be confirmed.
        package let upgrade: Bool
        /// No code of the new PIN has left.
        package let newPIN: Bool
        /// No code of the biometric factor was accepted.
        package let newBiometry: Bool

        package init(confirm: Bool = false, upgrade: Bool = false, newPIN: Bool = false, newBiometry: Bool = false) {
            self.confirm = confirm
            self.upgrade = upgrade
            self.newPIN = newPIN
            self.newBiometry = newBiometry
        }
    }

    /// The marks of the activation.
    package var marks: Marks {
        let marks = record?.marks ?? []
        return Marks(
            confirm: marks.contains(.confirm), upgrade: marks.contains(.upgrade), newPIN: marks.contains(.newPIN),
            newBiometry: marks.contains(.newBiometry))
    }

    /// A request for a new secret between this device and the server; its text is the payload.
    package func secretExchange() throws(PowerAuthError) -> SecretExchange {
        let (_, suite) = try activatedV4()
        return SecretExchange(try V4.SharedSecretRequest(suite: suite, random: random))
    }

    /// A request for a new secret. Good for one answer.
    package final class SecretExchange {
        fileprivate let request: V4.SharedSecretRequest

        fileprivate init(_ request: V4.SharedSecretRequest) { self.request = request }

        /// The payload of the request.
        package var payload: [UInt8] { request.json }

        /// Takes the secret out of the decrypted answer.
        fileprivate func secret(_ plaintext: SecureBytes) throws(PowerAuthError) -> SecureBytes {
            try request.accept(try JSONFields.parse(plaintext, .encryption))
        }
    }

    // MARK: The PIN

    /// Goes back to the former factor: the server has found the first code of the new one wrong. Store the state.
    package func returnToFormerFactor() {
        guard let record, let former = formerFactor else { return }
        if former.marks.contains(.newPIN) {
            record.store(former.copy(.formerKnowledgeV4), in: .knowledgeV4)
            record.store(former.copy(.formerSaltV4), in: .saltV4)
        } else if record.marks.contains(.newBiometry) {
            record.authenticators = former.authenticators
            record.removeBiometry(named: nil)
            if let biometry = former.biometry(named: nil) { try? record.storeBiometry(biometry, named: nil) }
            record.marks.remove(.newBiometry)
        }
    }

    /// There is no going back any more.
    package func forgetFormerFactor() { formerFactor = nil }

    /// Takes the new knowledge factor out of the answer to a change of the PIN, and keeps the former one beside it. Store the
    /// state.
    ///
    /// - Parameter new: the key of the new PIN, derived with ``newKnowledgeParameters()``.
    package func beginNewPIN(
        _ plaintext: SecureBytes, _ exchange: SecretExchange, new: KnowledgeKey
    ) throws(PowerAuthError) {
        let (record, _) = try activatedV4()
        guard !record.marks.contains(.newPIN), new.parameters.iterations == 0 else {
            throw PowerAuthError(.wrongState, "a change of the PIN has not been finished")
        }
        _ = try externalKey(for: record)
        let locked = try lockFactorV4(exchange.secret(plaintext), with: new.key)
        record.store(record.copy(.knowledgeV4), in: .formerKnowledgeV4)
        record.store(record.copy(.saltV4), in: .formerSaltV4)
        record.store(locked, in: .knowledgeV4)
        record.store(new.parameters.salt, in: .saltV4)
        record.marks.insert(.newPIN)
    }

    /// Keeps the former knowledge factor in memory only: the first code of the new one leaves now. Store the state with that code's
    /// counter.
    package func leaveFormerPIN() {
        guard let record, record.marks.contains(.newPIN) else { return }
        formerFactor = ActivationRecord(copying: record)
        record.clear(.formerKnowledgeV4)
        record.clear(.formerSaltV4)
        record.marks.remove(.newPIN)
    }

    /// Keeps the former knowledge factor after all: nothing of the new one's first code has left. Store the state.
    package func keepFormerPIN() {
        guard let record, let former = formerFactor else { return }
        record.store(former.copy(.formerKnowledgeV4), in: .formerKnowledgeV4)
        record.store(former.copy(.formerSaltV4), in: .formerSaltV4)
        record.marks.insert(.newPIN)
    }

    // MARK: Biometry

    /// Takes the new biometric factor out of the answer, in place of any other and all copies of it. Store the state.
    ///
    /// - Parameters:
    ///   - key: the biometric unlock key, 16 or 32 bytes.
    ///   - name: of the authenticator that keeps it; nil: the unnamed one.
    package func beginNewBiometry(
        _ plaintext: SecureBytes, _ exchange: SecretExchange, key: SecureBytes, named name: [UInt8]?
    ) throws(PowerAuthError) {
        let (record, _) = try activatedV4()
        _ = try externalKey(for: record)
        let kek = try V4.biometryKEK(key)
        let locked = try lockFactorV4(exchange.secret(plaintext), with: kek)
        formerFactor = ActivationRecord(copying: record)
        record.removeBiometry(named: nil)
        record.authenticators = []
        try record.storeBiometry(locked, named: name)
        record.marks.insert(.newBiometry)
    }

    /// The server has accepted a code of the biometric factor. Store the state.
    package func finishNewBiometry() { record?.marks.remove(.newBiometry) }

    /// Gives another authenticator a copy of the biometric factor. Store the state.
    ///
    /// - Parameters:
    ///   - existing: the unlock key of an authenticator that has it, which the server has just found right.
    ///   - existingName: of that authenticator.
    package func copyBiometry(
        from existing: SecureBytes, named existingName: [UInt8]?, to key: SecureBytes, named name: [UInt8]?
    ) throws(PowerAuthError) {
        let (record, _) = try activatedV4()
        let externalKey = try externalKey(for: record)
        guard let locked = record.biometry(named: existingName) else {
            throw PowerAuthError(.biometryNotConfigured, "the activation has no biometric factor")
        }
        let (old, new) = (try V4.biometryKEK(existing), try V4.biometryKEK(key))
        let factor = try attempt(.encryption, "the biometric factor could not be unlocked") {
            () throws(CryptoError) -> SecureBytes in
            guard let externalKey else { return try V4.KeyWrap.unwrap(locked, with: old) }
            return try V4.KeyWrap.unwrap(try FactorLock.unwrap(locked, externalKey: externalKey), with: old)
        }
        try record.storeBiometry(try lockFactorV4(factor, with: new), named: name)
    }

    /// Forgets every copy of the biometric factor. Store the state.
    package func removeAllBiometry() {
        guard let record else { return }
        record.removeBiometry(named: nil)
        record.authenticators = []
        record.marks.remove(.newBiometry)
    }
}
