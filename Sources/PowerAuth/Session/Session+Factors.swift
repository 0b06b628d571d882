// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

// Changing how the keys of an activation are locked. None of these calls needs or moves the counter.

extension Session {
    /// Locks the knowledge factor with a new PIN (powerauth.md §14). Store the state.
    ///
    /// There is no local check of the old PIN, on purpose: a wrong one destroys the knowledge factor silently. Have the
    /// server validate it before.
    ///
    /// - Parameters:
    ///   - old: the key of the present PIN.
    ///   - new: the key of the new PIN, derived with ``newKnowledgeParameters()``.
    /// - Throws: `missingActivation`, `activationPending`, `staleKnowledgeKey`, `externalKeyMissing`, `encryption`.
    package func changeKnowledge(from old: KnowledgeKey, to new: KnowledgeKey) throws(PowerAuthError) {
        let record = try activated3()
        try check(old, belongsTo: record)
        let externalKey = try externalKey(for: record)
        let locked = try attempt(.encryption, "the knowledge factor could not be locked") { () throws(CryptoError) in
            let key = try record.with(.knowledge) { (locked) throws(CryptoError) in
                try FactorLock.unlock(locked, with: old.key, externalKey: externalKey)
            }
            return try FactorLock.lock(key, with: new.key, externalKey: externalKey)
        }
        record.store(locked, in: .knowledge)
        record.store(new.parameters.salt, in: .salt)
        record.iterations = new.parameters.iterations
    }

    /// Changes the PIN; see ``changeKnowledge(from:to:)``. Derives two knowledge keys, which takes milliseconds.
    ///
    /// - Throws: also `wrongParameter` for a PIN of fewer than 4 bytes, and `randomFailed`.
    package func changePIN(old: some Bytes, new: some Bytes) throws(PowerAuthError) {
        let record = try activated3()
        guard old.byteCount >= KnowledgeKey.minimumPINLength, new.byteCount >= KnowledgeKey.minimumPINLength else {
            throw PowerAuthError(.wrongParameter, "the PIN is too short")
        }
        let oldKey = try KnowledgeKey.derive(pin: old, parameters: record.knowledgeParameters)
        let newKey = try KnowledgeKey.derive(pin: new, parameters: newKnowledgeParameters())
        try changeKnowledge(from: oldKey, to: newKey)
    }

    /// Removes the biometric factor, or one named copy of it; nothing happens when there is none. Store the state.
    ///
    /// - Parameter name: of an authenticator; nil: the unnamed one.
    /// - Throws: `missingActivation`, `activationPending`.
    package func removeBiometry(named name: [UInt8]? = nil) throws(PowerAuthError) {
        let record = try activated()
        record.removeBiometry(named: name)
        if !record.hasBiometry { record.marks.remove(.newBiometry) }
    }

    // MARK: External encryption key (powerauth.md §14.1)

    /// Sets the external encryption key for this process.
    ///
    /// - Parameter key: 16 bytes.
    /// - Throws: `wrongParameter` for an unusable key or when another one is set; `wrongState` when there is an activation
    ///   that does not use one.
    package func setExternalKey(_ key: SecureBytes) throws(PowerAuthError) {
        try FactorLock.check(key)
        if let externalKey {
            guard externalKey.isEqual(to: key) else {
                throw PowerAuthError(.wrongParameter, "a different external encryption key is set")
            }
            return
        }
        if let record, !record.flags.contains(.externalKey) {
            throw PowerAuthError(.wrongState, "the activation does not use an external encryption key")
        }
        externalKey = key
    }

    /// Puts an external encryption key around the knowledge and biometry of an activation that has none. Store the state.
    ///
    /// - Parameter key: 16 bytes.
    /// - Throws: `wrongParameter` for an unusable key; `wrongState` unless there is an activation that does not use one;
    ///   `encryption`.
    package func addExternalKey(_ key: SecureBytes) throws(PowerAuthError) {
        try FactorLock.check(key)
        guard let record, !record.flags.contains(.externalKey) else {
            throw PowerAuthError(
                .wrongState, "the activation already has an external encryption key")
        }
        try rewrap(record, .insert) { (locked) throws(CryptoError) in try FactorLock.wrap(locked, externalKey: key) }
        externalKey = key
    }

    /// Takes the external encryption key off the activation and forgets it. Store the state.
    ///
    /// - Throws: `wrongState` unless there is an activation that uses one, and it is set; `encryption`.
    package func removeExternalKey() throws(PowerAuthError) {
        guard let record, record.flags.contains(.externalKey), let key = externalKey else {
            throw PowerAuthError(.wrongState, "the activation has no external encryption key")
        }
        try rewrap(record, .remove) { (locked) throws(CryptoError) in try FactorLock.unwrap(locked, externalKey: key) }
        externalKey = nil
    }

    private enum FlagChange { case insert, remove }

    /// Changes the outer layer of both keys, or of none.
    private func rewrap(
        _ record: ActivationRecord, _ change: FlagChange,
        _ work: (UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8]
    ) throws(PowerAuthError) {
        guard !record.marks.contains(.newPIN), formerFactor == nil, former == nil else {
            throw PowerAuthError(.wrongState, "a change of the factors has not been finished")
        }
        let (knowledgeField, biometryField) =
            record.suite == nil
            ? (ActivationRecord.Field.knowledge, ActivationRecord.Field.biometry) : (.knowledgeV4, .biometryV4)
        let hasBiometry = record.flags.contains(.biometry)
        let (knowledge, biometry) = try attempt(
            .encryption, "the factors could not be locked",
            (
                knowledge: try record.with(knowledgeField, work),
                biometry: hasBiometry ? try record.with(biometryField, work) : nil
            ))
        var authenticators: [Authenticator] = []
        for authenticator in record.authenticators {
            let locked = try attempt(.encryption, "the factors could not be locked") { () throws(CryptoError) in
                try authenticator.locked.withBytes(work)
            }
            guard let rewrapped = Authenticator(name: authenticator.name, locked: locked) else { continue }
            authenticators.append(rewrapped)
        }
        record.store(knowledge, in: knowledgeField)
        if let biometry { record.store(biometry, in: biometryField) }
        record.authenticators = authenticators
        switch change {
        case .insert: record.flags.insert(.externalKey)
        case .remove: record.flags.remove(.externalKey)
        }
    }
}
