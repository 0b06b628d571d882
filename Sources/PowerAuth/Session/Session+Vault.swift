// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension Session {
    /// Takes the vault key out of the decrypted `{"encryptedVaultEncryptionKey":"…"}` (powerauth.md §13).
    ///
    /// The key is proven before it is used for anything: it must decrypt the device's private key, from which, with the
    /// server's public key, the same vault key must follow again.
    ///
    /// - Throws: `missingActivation`, `activationPending`; `encryption` when the answer is malformed or the key is not the
    ///   vault key of this activation.
    package func openVault(_ plaintext: SecureBytes) throws(PowerAuthError) -> VaultKey {
        let record = try activated3()
        guard
            let encrypted = try JSONFields.parse(plaintext, .encryption).base64(
                "encryptedVaultEncryptionKey", count: 32)
        else { throw PowerAuthError(.encryption, "the response has no vault key") }
        let vault = try attempt(
            .encryption, "the vault key could not be decrypted",
            try VaultKey.decrypt(encrypted, transportKey: try transportKey(record)))
        _ = try activationKeys(of: record, vault: vault)
        return vault
    }

    /// A key for the application's own data: the same for the same index as long as the activation lives.
    ///
    /// - Returns: 16 bytes.
    /// - Throws: `missingActivation`, `activationPending`, `encryption`.
    package func applicationKey(index: UInt64, vault: VaultKey) throws(PowerAuthError) -> SecureBytes {
        _ = try activated3()
        return try attempt(.encryption, "the key could not be derived", try KDF.derive(vault.key, index: index))
    }

    /// Signs data with the device's private key: ECDSA with SHA-256.
    ///
    /// - Throws: `missingActivation`, `activationPending`, `encryption` for a vault key of another activation, `signature`.
    package func deviceSignature(
        _ data: some Bytes, format: SignatureFormat, vault: VaultKey
    ) throws(PowerAuthError) -> [UInt8] {
        let key = try deviceKey(of: activated3(), vault: vault)
        return try attempt(.signature, "the data could not be signed") { () throws(CryptoError) in
            switch format {
            case .der: try key.signDER(data)
            case .jose: try key.signJOSE(data)
            }
        }
    }

    /// Makes a JSON Web Token that is signed with the device's private key (ES256).
    ///
    /// - Parameter claims: a JSON object, which enters the token as it is.
    /// - Throws: as ``deviceSignature(_:format:vault:)``, and `wrongParameter` when the claims are not a JSON object.
    package func deviceToken(claims: some Bytes, vault: VaultKey) throws(PowerAuthError) -> String {
        _ = try activated3()
        _ = try JSONFields.parse(claims, .wrongParameter)
        let input = JSONWebToken.signingInput(header: JSONWebToken.headerES256, payload: claims)
        let signature = try deviceSignature(input, format: .jose, vault: vault)
        return String(utf8: JSONWebToken.token(signingInput: input, signature: signature))
    }

    /// The device's public key; nil: the activation was imported without it.
    package func devicePublicKey() throws(PowerAuthError) -> PublicKey? {
        guard let record else { return nil }
        if let suite = record.suite { return try record.devicePublicV4(suite).ecdsa }
        guard record.flags.contains(.deviceKey) else { return nil }
        return try attempt(
            .corruptedState, "a stored public key is damaged", try PublicKey(point: record.copy(.deviceKey)))
    }

    /// Signs a request for a certificate with the device's private key.
    package func sign(_ request: CertificateRequest, vault: VaultKey) throws(PowerAuthError) -> [UInt8] {
        let key = try deviceKey(of: activated3(), vault: vault)
        return try attempt(.signature, "the data could not be signed", try request.sign(key))
    }

    /// Whether a text is a JSON object, as the claims of a token must be.
    package static func areClaims(_ text: some Bytes) -> Bool {
        (try? JSONFields.parse(text, .wrongParameter)) != nil
    }

    /// The recovery code and PUK that came with the activation.
    ///
    /// - Throws: `missingActivation`, `activationPending`; `wrongState` when none are stored; `encryption`.
    package func recoveryData(vault: VaultKey) throws(PowerAuthError) -> RecoveryData {
        let record = try activated3()
        guard record.recoveryCount > 0 else {
            throw PowerAuthError(.wrongState, "the activation has no recovery data")
        }
        let stored = try attempt(
            .encryption, "the recovery data could not be decrypted",
            try record.withRecovery { (encrypted) throws(CryptoError) in try vault.open(encrypted) })
        guard let data = RecoveryData(stored: stored) else {
            throw PowerAuthError(.encryption, "the recovery data could not be decrypted")
        }
        return data
    }

    /// Adds the biometric factor, or gives it a new unlock key (powerauth.md §13). Store the state.
    ///
    /// - Parameters:
    ///   - key: the 16-byte biometric unlock key.
    ///   - name: of an authenticator that gets a copy of its own; nil: the unnamed one.
    /// - Throws: `missingActivation`, `activationPending`; `wrongParameter` for an unusable key or name;
    ///   `externalKeyMissing`; `encryption` when the vault key is not that of this activation.
    package func addBiometry(
        key: SecureBytes, named name: [UInt8]? = nil, vault: VaultKey
    ) throws(PowerAuthError) {
        let record = try activated3()
        try FactorLock.check(key)
        let externalKey = try externalKey(for: record)
        let keys = try activationKeys(of: record, vault: vault)
        let locked = try attempt(
            .encryption, "the biometric factor could not be locked",
            try FactorLock.lock(keys.biometry, with: key, externalKey: externalKey))
        try record.storeBiometry(locked, named: name)
    }

    /// Decrypts the device's private key; a vault key of another activation cannot pass.
    private func deviceKey(of record: ActivationRecord, vault: VaultKey) throws(PowerAuthError) -> PrivateKey {
        let key = try attempt(
            .encryption, "the device key could not be decrypted",
            try record.withPrivateKey { (encrypted) throws(CryptoError) in
                try PrivateKey(bigEndian: try vault.open(encrypted))
            })
        guard !record.flags.contains(.deviceKey) || record.with(.deviceKey, { sameBytes($0, key.publicKey.compressed) })
        else { throw PowerAuthError(.encryption, "the device key could not be decrypted") }
        return key
    }

    /// Derives all keys again from the device's private key and checks that the vault key is among them.
    private func activationKeys(of record: ActivationRecord, vault: VaultKey) throws(PowerAuthError) -> ActivationKeys {
        let deviceKey = try deviceKey(of: record, vault: vault)
        let serverKey = try serverKey(record)
        let keys = try attempt(
            .encryption, "the keys could not be derived", try ActivationKeys(deviceKey: deviceKey, serverKey: serverKey)
        )
        guard keys.vault.isEqual(to: vault.key) else {
            throw PowerAuthError(.encryption, "the vault key belongs to another activation")
        }
        return keys
    }
}
