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
        let factorKeys = try unlock(keys, of: record)
        let nonce = try attempt(.randomFailed, "OpenSSL could not provide random bytes", try random.bytes(16))
        let data = SignatureData.compose(
            method: method.text, uriId: uriId, nonce: nonce, body: body, secret: configuration.applicationSecret)
        let (signature, next) = try finish(data.text, factorKeys, record, as: version.onlineSignatureFormat)
        let header = SignatureHeader(
            version: version, applicationKey: configuration.applicationKey, signatureType: signatureType,
            nonce: data.text[data.nonce], signature: signature)
        record.advance(to: next)
        return record.withIdentifier { header.value(activationId: $0) }
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
        let record = try activated()
        guard keys.factors.signatureType != nil else {
            throw PowerAuthError(.wrongParameter, "this combination of factors is not allowed")
        }
        guard nonce.byteCount == 16 else { throw PowerAuthError(.wrongParameter, "nonce must be 16 bytes") }
        guard (4...8).contains(componentLength) else {
            throw PowerAuthError(.wrongParameter, "a signature component must be 4 to 8 digits")
        }
        let factorKeys = try unlock(keys, of: record)
        let data = SignatureData.compose(
            method: HTTPMethod.post.text, uriId: uriId, nonce: nonce, body: body, secret: SignatureData.offlineSecret)
        let (signature, next) = try finish(data.text, factorKeys, record, as: .decimal(length: componentLength))
        record.advance(to: next)
        return String(decoding: signature, as: UTF8.self)
    }

    /// Unlocks the keys of the factors.
    private func unlock(_ keys: SigningKeys, of record: ActivationRecord) throws(PowerAuthError) -> FactorKeys {
        if let knowledge = keys.knowledge { try check(knowledge, belongsTo: record) }
        var lockedBiometry: [UInt8] = []
        if let biometry = keys.biometry {
            guard let locked = record.biometry(named: keys.authenticator) else {
                throw PowerAuthError(.biometryNotConfigured, "the activation has no biometric factor")
            }
            try FactorLock.check(biometry)
            lockedBiometry = locked
        }
        if let possession = keys.possession { try FactorLock.check(possession) }
        let needsExternalKey = keys.knowledge != nil || keys.biometry != nil
        let externalKey = needsExternalKey ? try externalKey(for: record) : nil
        return try attempt(.signature, "the factor keys could not be unlocked") { () throws(CryptoError) in
            var factorKeys = FactorKeys()
            if keys.factors.contains(.possession) {
                try factorKeys.append(
                    record.with(.possession) { (locked) throws(CryptoError) in
                        try FactorLock.unlock(locked, with: keys.possession ?? possessionKey, externalKey: nil)
                    })
            }
            if let knowledge = keys.knowledge {
                try factorKeys.append(
                    record.with(.knowledge) { (locked) throws(CryptoError) in
                        try FactorLock.unlock(locked, with: knowledge.key, externalKey: externalKey)
                    })
            }
            if let biometry = keys.biometry {
                try factorKeys.append(FactorLock.unlock(lockedBiometry, with: biometry, externalKey: externalKey))
            }
            return factorKeys
        }
    }

    /// Refuses a knowledge key that was derived with other parameters than those of the present PIN.
    func check(_ knowledge: KnowledgeKey, belongsTo record: ActivationRecord) throws(PowerAuthError) {
        guard knowledge.parameters.iterations == record.iterations,
            record.with(.salt, { sameBytes($0, knowledge.parameters.salt) })
        else {
            throw PowerAuthError(.staleKnowledgeKey, "the knowledge key was derived for another PIN or activation")
        }
    }

    /// Computes the signature, and the counter that follows it.
    private func finish(
        _ data: [UInt8], _ factorKeys: FactorKeys, _ record: ActivationRecord, as text: SignatureText
    ) throws(PowerAuthError) -> (signature: [UInt8], next: SecureBytes) {
        try attempt(
            .signature, "the signature could not be computed",
            try record.with(.counter) { (counter) throws(CryptoError) in
                var signature: [UInt8] = []
                signature.reserveCapacity(64)
                try factorKeys.appendSignature(of: data, counter: counter, as: text, to: &signature)
                return (signature, try HashCounter.next(counter))
            })
    }
}
