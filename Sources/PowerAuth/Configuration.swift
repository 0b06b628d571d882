import MobileTokenCrypto

/// The SDK configuration of an application: application key, application secret and the server's master public key.
///
/// Immutable, and meant to be shared by all sessions of one application (powerauth.md §2).
package final class Configuration: Sendable {
    /// The application key, Base64 of 16 bytes: the text that enters headers and formulas.
    package let applicationKey: [UInt8]
    /// The application secret, Base64 of 16 bytes: the text that enters formulas (powerauth.md §0).
    let applicationSecret: [UInt8]
    /// The 16 bytes of the application secret: HS256 key material of temporary-key requests only (powerauth.md §6.1).
    let applicationSecretBytes: [UInt8]
    /// The master public key of the application's server.
    package let masterPublicKey: PublicKey
    /// `SH2_BASE` of application scope (powerauth.md §5.2).
    let applicationSharedInfo2: [UInt8]

    /// Decodes an SDK configuration string.
    ///
    /// - Parameter sdkConfiguration: the Base64 text.
    /// - Throws: `invalidConfiguration` for a wrong version, a key or secret that has not 16 bytes, truncated data, or
    ///   when there is no valid P-256 key.
    package convenience init(sdkConfiguration: some Bytes) throws(PowerAuthError) {
        guard let content = Base64.decode(sdkConfiguration) else {
            throw PowerAuthError(.invalidConfiguration, "the SDK configuration is not Base64")
        }
        guard let fields = content.withBytes({ Fields($0) }) else {
            throw PowerAuthError(.invalidConfiguration, "the SDK configuration is malformed")
        }
        try self.init(key: fields.key, secret: fields.secret, masterKey: fields.masterKey)
    }

    /// Makes a configuration from its parts: 16 bytes, 16 bytes, and a SEC1 point.
    ///
    /// - Throws: `invalidConfiguration`.
    package convenience init(key: [UInt8], secret: [UInt8], masterKey: [UInt8]) throws(PowerAuthError) {
        guard key.count == 16, secret.count == 16 else {
            throw PowerAuthError(.invalidConfiguration, "the application key and secret must be 16 bytes")
        }
        let secretText = Base64.encodedBytes(secret)
        let masterPublicKey = try attempt(
            .invalidConfiguration, "the master public key is not a P-256 point", try PublicKey(point: masterKey))
        let sharedInfo2 = try attempt(
            .invalidConfiguration, "OpenSSL failed", try SHA256.hash(secretText))
        self.init(
            applicationKey: Base64.encodedBytes(key), applicationSecret: secretText, applicationSecretBytes: secret,
            masterPublicKey: masterPublicKey, applicationSharedInfo2: sharedInfo2)
    }

    private init(
        applicationKey: [UInt8], applicationSecret: [UInt8], applicationSecretBytes: [UInt8],
        masterPublicKey: PublicKey, applicationSharedInfo2: [UInt8]
    ) {
        self.applicationKey = applicationKey
        self.applicationSecret = applicationSecret
        self.applicationSecretBytes = applicationSecretBytes
        self.masterPublicKey = masterPublicKey
        self.applicationSharedInfo2 = applicationSharedInfo2
    }

    /// The parts of a decoded configuration string, before anybody looks whether the key is a point of the curve.
    struct Fields {
        let key: [UInt8]
        let secret: [UInt8]
        let masterKey: [UInt8]

        /// Reads the parts; nil when malformed. Keys of unknown kinds are skipped, bytes after the last key ignored; two
        /// keys of the kind that is looked for are refused, since either could be meant.
        init?(_ content: UnsafeRawBufferPointer) {
            var reader = ByteReader(content)
            guard reader.byte() == 1, let key = reader.variableData(), key.count == 16,
                let secret = reader.variableData(), secret.count == 16, let keyCount = reader.variableCount()
            else { return nil }
            var masterKey: [UInt8]?
            var keysRead = 0
            while keysRead < keyCount {
                guard let kind = reader.byte(), let point = reader.variableData() else { return nil }
                if kind == 1 {
                    guard masterKey == nil else { return nil }
                    masterKey = [UInt8](point)
                }
                keysRead += 1
            }
            guard let masterKey else { return nil }
            self.key = [UInt8](key)
            self.secret = [UInt8](secret)
            self.masterKey = masterKey
        }
    }
}
