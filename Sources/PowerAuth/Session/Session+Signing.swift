// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension Session {
    /// Signs a request and advances the counter (powerauth.md §9).
    ///
    /// The counter has moved when this returns, and not when it throws. Store the state before the header is used. The bytes
    /// that are signed must be the bytes that are sent.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - uriId: the constant agreed for the endpoint, not its path.
    ///   - body: the HTTP body; for a GET request the canonical query, see ``CanonicalQuery``.
    ///   - keys: the factors.
    /// - Returns: the value of `X-PowerAuth-Authorization`.
    /// - Throws: `missingActivation`, `activationPending`; `wrongParameter` for a combination of factors that is not allowed
    ///   or an unusable key; `biometryNotConfigured`, `externalKeyMissing`, `staleKnowledgeKey`; `randomFailed`; `signature`.
    package func sign(
        method: HTTPMethod, uriId: some Bytes, body: some Bytes, keys: SigningKeys
    ) throws(PowerAuthError) -> String {
        try uriId.withBytes { (uriId) throws(PowerAuthError) in
            try body.withBytes { (body) throws(PowerAuthError) in
                try sign(method, uriId: uriId, body: body, keys: keys)
            }
        }
    }

    private func sign(
        _ method: HTTPMethod, uriId: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, keys: SigningKeys
    ) throws(PowerAuthError) -> String {
        let record = try activated()
        guard let signatureType = keys.factors.signatureType else {
            throw PowerAuthError(.wrongParameter, "this combination of factors is not allowed")
        }
        let locks = try locks(of: keys, in: record)
        let version = version
        var nonce = (UInt64(0), UInt64(0))
        try attempt(.randomFailed, "OpenSSL could not provide random bytes") { () throws(CryptoError) in
            try withUnsafeMutableBytes(of: &nonce) { (nonce) throws(CryptoError) in try random.fillPublic(nonce) }
        }
        let data = withUnsafeBytes(of: &nonce) { nonce in
            SignatureData.compose(
                method: method.text, uriId: uriId, nonce: nonce, body: body, secret: configuration.applicationSecret)
        }
        let signature = try finish(data.text, keys, locks, record, as: version.onlineSignatureFormat)
        return data.text.withBytes { text in
            configuration.applicationKey.withBytes { applicationKey in
                signature.withBytes { signature in
                    record.withIdentifier { activationId in
                        SignatureHeader.value(
                            version, activationId: activationId, applicationKey: applicationKey,
                            nonce: UnsafeRawBufferPointer(rebasing: text[data.nonce]), signatureType: signatureType,
                            signature: signature)
                    }
                }
            }
        }
    }

    /// Makes an offline signature and advances the counter (powerauth.md §10.1). Store the state before it is shown.
    ///
    /// - Parameters:
    ///   - uriId: e.g. `/operation/authorize/offline`.
    ///   - body: what is signed, e.g. `operationId&operationData`.
    ///   - nonce: the 16 bytes of the offline payload.
    ///   - keys: the factors.
    ///   - componentLength: digits per factor, 4 to 8.
    /// - Returns: decimal components joined with `-`.
    /// - Throws: as ``sign(method:uriId:body:keys:)``, and `wrongParameter` for a wrong nonce or length.
    package func signOffline(
        uriId: some Bytes, body: some Bytes, nonce: some Bytes, keys: SigningKeys, componentLength: Int = 8
    ) throws(PowerAuthError) -> String {
        try uriId.withBytes { (uriId) throws(PowerAuthError) in
            try body.withBytes { (body) throws(PowerAuthError) in
                try nonce.withBytes { (nonce) throws(PowerAuthError) in
                    try signOffline(uriId, body, nonce, keys, componentLength)
                }
            }
        }
    }

    private func signOffline(
        _ uriId: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer, _ nonce: UnsafeRawBufferPointer,
        _ keys: SigningKeys, _ componentLength: Int
    ) throws(PowerAuthError) -> String {
        let record = try activated()
        guard keys.factors.signatureType != nil else {
            throw PowerAuthError(.wrongParameter, "this combination of factors is not allowed")
        }
        guard nonce.count == 16 else { throw PowerAuthError(.wrongParameter, "nonce must be 16 bytes") }
        guard (4...8).contains(componentLength) else {
            throw PowerAuthError(.wrongParameter, "a signature component must be 4 to 8 digits")
        }
        let locks = try locks(of: keys, in: record)
        let data = SignatureData.compose(
            method: HTTPMethod.post.text, uriId: uriId, nonce: nonce, body: body, secret: SignatureData.offlineSecret)
        let signature = try finish(data.text, keys, locks, record, as: .decimal(length: componentLength))
        return String(utf8: signature)
    }

    /// The data that the factors of a signature need in addition to their own keys.
    private struct Locks {
        var biometry: [UInt8] = []
        var externalKey: SecureBytes?
        /// The keys that unlock possession and biometry; nil: those of 3.x.
        var possessionV4: SecureBytes?
        var biometryV4: SecureBytes?
    }

    /// Refuses keys that cannot unlock the factors.
    private func locks(of keys: SigningKeys, in record: ActivationRecord) throws(PowerAuthError) -> Locks {
        var locks = Locks()
        if let knowledge = keys.knowledge { try check(knowledge, belongsTo: record) }
        if let biometry = keys.biometry {
            guard let locked = record.biometry(named: keys.authenticator) else {
                throw PowerAuthError(.biometryNotConfigured, "the activation has no biometric factor")
            }
            if record.suite == nil {
                try FactorLock.check(biometry)
            } else {
                locks.biometryV4 = try V4.biometryKEK(biometry)
            }
            locks.biometry = locked
        }
        if record.suite != nil {
            guard keys.factors.contains(.possession), keys.possession == nil else {
                throw PowerAuthError(.wrongParameter, "protocol 4.0 has no code without this device's own key")
            }
            locks.possessionV4 = try deviceKEK4()
        }
        if let possession = keys.possession { try FactorLock.check(possession) }
        if keys.knowledge != nil || keys.biometry != nil { locks.externalKey = try externalKey(for: record) }
        return locks
    }

    /// Refuses a knowledge key that was derived with other parameters than those of the present PIN.
    func check(_ knowledge: KnowledgeKey, belongsTo record: ActivationRecord) throws(PowerAuthError) {
        guard knowledge.parameters.iterations == record.iterations,
            record.with(record.suite == nil ? .salt : .saltV4, { sameBytes($0, knowledge.parameters.salt) })
        else {
            throw PowerAuthError(.staleKnowledgeKey, "the knowledge key was derived for another PIN or activation")
        }
    }

    /// Computes the signature and moves the counter.
    private func finish(
        _ data: [UInt8], _ keys: SigningKeys, _ locks: Locks, _ record: ActivationRecord, as text: SignatureText
    ) throws(PowerAuthError) -> [UInt8] {
        try attempt(.signature, "the signature could not be computed") { () throws(CryptoError) in
            let keyLength = record.suite == nil ? 16 : 32
            let signature = try FactorKeys.with(keyLength: keyLength) { (factorKeys) throws(CryptoError) in
                try unlock(keys, locks, record, into: &factorKeys)
                return try data.withBytes { (data) throws(CryptoError) in
                    try record.with(record.counter) { (counter) throws(CryptoError) in
                        record.suite == nil
                            ? try factorKeys.signature(of: data, counter: counter, as: text)
                            : try factorKeys.code(of: data, counter: counter, as: text)
                    }
                }
            }
            try record.advance()
            return signature
        }
    }

    /// Unlocks the keys of the factors.
    private func unlock(
        _ keys: SigningKeys, _ locks: Locks, _ record: ActivationRecord, into factorKeys: inout FactorKeys
    ) throws(CryptoError) {
        let isV4 = record.suite != nil
        func add(
            _ locked: UnsafeRawBufferPointer, _ key: SecureBytes, _ externalKey: SecureBytes?
        ) throws(CryptoError) {
            try key.withBytes { (key) throws(CryptoError) in
                let room = try factorKeys.next()
                guard isV4 else {
                    return try FactorLock.unlock(locked, with: key, externalKey: externalKey, into: room)
                }
                guard let externalKey else { return try V4.KeyWrap.unwrap(locked, with: key, into: room) }
                let inner = try FactorLock.unwrap(locked, externalKey: externalKey)
                try inner.withBytes { (inner) throws(CryptoError) in
                    try V4.KeyWrap.unwrap(inner, with: key, into: room)
                }
            }
        }
        if keys.factors.contains(.possession) {
            try record.with(isV4 ? .possessionV4 : .possession) { (locked) throws(CryptoError) in
                try add(locked, locks.possessionV4 ?? keys.possession ?? possessionKey, nil)
            }
        }
        if let knowledge = keys.knowledge {
            try record.with(isV4 ? .knowledgeV4 : .knowledge) { (locked) throws(CryptoError) in
                try add(locked, knowledge.key, locks.externalKey)
            }
        }
        if let biometry = keys.biometry {
            try locks.biometry.withBytes { (locked) throws(CryptoError) in
                try add(locked, locks.biometryV4 ?? biometry, locks.externalKey)
            }
        }
    }
}
