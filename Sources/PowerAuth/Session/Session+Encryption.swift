// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension Session {
    /// Makes an encryptor for one request and its response (powerauth.md §5).
    ///
    /// - Parameters:
    ///   - id: what the message is for.
    ///   - key: in 3.3 a temporary key of the scope; in 3.1 and 3.2 nil.
    /// - Throws: `missingActivation`, `activationPending` in activation scope; `invalidTemporaryKey` when the key is missing
    ///   or was issued for another scope, application or activation; `wrongParameter` for a key before 3.3; `encryption`.
    package func encryptor(_ id: EncryptorID, key: TemporaryKey?) throws(PowerAuthError) -> Encryptor {
        let record = id.scope == .activation ? try activated3() : nil
        let activationId = record?.identifier
        let publicKey: PublicKey
        if version.usesTemporaryKeys {
            guard let key, key.scope == id.scope, key.applicationKey == configuration.applicationKey,
                key.activationId == activationId
            else { throw PowerAuthError(.invalidTemporaryKey, "there is no temporary key for this message") }
            publicKey = key.publicKey
        } else {
            guard key == nil else {
                throw PowerAuthError(.wrongParameter, "temporary keys need protocol version 3.3")
            }
            if let record { publicKey = try serverKey(record) } else { publicKey = try configuration.masterPublicKey }
        }
        let sharedInfo2Base = try attempt(.encryption, "the shared data could not be derived") {
            () throws(CryptoError) -> SecureBytes in
            guard let record else { return SecureBytes(copying: configuration.applicationSharedInfo2) }
            return try HMACSHA256.authenticateSecure(configuration.applicationSecret, key: try transportKey(record))
        }
        return Encryptor(
            Encryptor.Recipient(
                version: version, id: id, publicKey: publicKey, sharedInfo2Base: sharedInfo2Base,
                applicationKey: configuration.applicationKey, activationId: activationId, temporaryKey: key),
            random: random)
    }

    /// Authenticates data with the key of requests for temporary keys (powerauth.md §6.1): HMAC-SHA-256 with the
    /// application's secret or, in activation scope, with a key that follows from it and the transport key.
    ///
    /// - Throws: `missingActivation`, `activationPending` in activation scope; `signature` when the crypto library fails.
    package func authenticate(_ data: some Bytes, scope: EncryptionScope) throws(PowerAuthError) -> [UInt8] {
        let record = scope == .activation ? try activated3() : nil
        return try attempt(.signature, "the data could not be authenticated") { () throws(CryptoError) in
            let key = try TemporaryKeyRequest.authenticationKey(
                configuration: configuration, transportKey: try record.map(transportKey))
            return try HMACSHA256.authenticate(data, key: key)
        }
    }

    /// Writes a request for a temporary key (powerauth.md §6.1). It is sent without any PowerAuth header.
    ///
    /// - Throws: `missingActivation`, `activationPending` in activation scope; `unsupportedProtocol` before 3.3;
    ///   `randomFailed`, `signature`.
    package func temporaryKeyRequest(scope: EncryptionScope) throws(PowerAuthError) -> TemporaryKeyRequest {
        guard version.usesTemporaryKeys else {
            throw PowerAuthError(.unsupportedProtocol, "temporary keys need protocol version 3.3")
        }
        let record = scope == .activation ? try activated3() : nil
        let challenge = try attempt(
            .randomFailed, "OpenSSL could not provide random bytes", Base64.encodedBytes(try random.bytes(18)))
        return try attempt(.signature, "the request could not be signed") { () throws(CryptoError) in
            guard let record else {
                return try TemporaryKeyRequest(configuration: configuration, activation: nil, challenge: challenge)
            }
            return try TemporaryKeyRequest(
                configuration: configuration, activation: (record.identifier, try transportKey(record)),
                challenge: challenge)
        }
    }

    /// Takes the temporary key out of the answer, after all checks of powerauth.md §6.3.
    ///
    /// - Parameters:
    ///   - responseObject: the member `responseObject` of the answer.
    ///   - request: the request that was answered.
    /// - Throws: `invalidTemporaryKey`; `missingActivation`, `activationPending` in activation scope.
    package func acceptTemporaryKey(
        _ responseObject: JSONValue, request: TemporaryKeyRequest
    ) throws(PowerAuthError) -> TemporaryKey {
        guard request.scope == .activation else {
            return try request.accept(responseObject, signer: configuration.masterPublicKey)
        }
        let record = try activated3()
        guard let activationId = request.activationId, record.withIdentifier({ sameBytes($0, activationId) }) else {
            throw PowerAuthError(.invalidTemporaryKey, "the response belongs to another activation")
        }
        return try request.accept(responseObject, signer: try serverKey(record))
    }

    /// Checks a signature made by the server (powerauth.md §15).
    ///
    /// - Parameters:
    ///   - data: what was signed.
    ///   - signature: a signature that is malformed is a wrong one.
    ///   - key: the master key, or that of the activation.
    /// - Throws: `wrongParameter` for an empty signature; `missingActivation` and `activationPending` with the key of the
    ///   activation; `encryption` when the crypto library fails.
    package func verifyServerSignature(
        _ data: some Bytes, signature: some Bytes, format: SignatureFormat = .der, key: ServerKey
    ) throws(PowerAuthError) -> Bool {
        guard signature.byteCount > 0 else { throw PowerAuthError(.wrongParameter, "the signature is empty") }
        if case .master = key {
            return try configuration.verifyMasterSignature(data, signature: signature, format: format)
        }
        let record = try activated()
        let publicKey: PublicKey
        if let suite = record.suite {
            publicKey = try record.serverPublicV4(suite).ecdsa
        } else {
            publicKey = try serverKey(record)
        }
        return try verifySignature(signature, format: format, of: data, by: publicKey)
    }

    /// Whether the server made this for the activation: a code of the key that both share (powerauth4.md §17).
    ///
    /// - Throws: `unsupportedProtocol` for an activation of 3.x, which has no such key.
    package func verifyPersonalizedCode(
        _ data: some Bytes, code: some Bytes
    ) throws(PowerAuthError) -> Bool {
        let (record, _) = try activatedV4()
        let key = try utilityKey(.personalizedData, of: record)
        return try attempt(
            .encryption, "the code could not be checked",
            try V4.PersonalizedSignature.isValid(code, data: data, key: key))
    }
}
