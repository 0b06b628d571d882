// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The SDK configuration of an application: application key, application secret and the server's master public keys.
///
/// Immutable, and meant to be shared by all sessions of one application (powerauth.md §2, powerauth4.md §6).
package final class Configuration: Sendable {
    /// The intended use of an application: which of the master keys must exist and are checked.
    package enum Use: Sendable {
        /// Any use for which there are keys; all known keys must be valid.
        case automatic
        /// Protocol 3.
        case legacy
        /// One suite of protocol 4.
        case suite(V4.Suite)
    }

    /// The application key, Base64 of 16 bytes: the text that enters headers and formulas.
    package let applicationKey: [UInt8]
    /// The application secret, Base64 of 16 bytes: the text that enters formulas (powerauth.md §0).
    let applicationSecret: [UInt8]
    /// The 16 bytes of the application secret: in 3.3 HS256 key material of temporary-key requests only (powerauth.md §6.1), in
    /// 4.0 what enters formulas.
    let applicationSecretBytes: [UInt8]
    /// `SH2_BASE` of application scope (powerauth.md §5.2).
    let applicationSharedInfo2: [UInt8]
    /// The master public key on P-256, if the string has one.
    package let legacyMasterKey: PublicKey?
    /// The master public key on P-384, if the string has one.
    private let masterKey: PublicKey?
    /// The raw master keys of ML-DSA-65 and ML-DSA-87, if the string has them.
    private let postQuantumKeys: (level3: [UInt8]?, level5: [UInt8]?)

    /// Decodes an SDK configuration string.
    ///
    /// - Parameters:
    ///   - sdkConfiguration: the Base64 text; white space in it does not count.
    ///   - use: which keys must be there. Other keys are ignored.
    /// - Throws: `invalidConfiguration` for a wrong version, a key or secret of another length, truncated data, a known kind
    ///   of key twice, or when a key that is needed is missing or no valid key.
    package convenience init(sdkConfiguration: some Bytes, for use: Use = .automatic) throws(PowerAuthError) {
        // Mails and terminals break it into lines.
        let text = sdkConfiguration.withBytes { $0.filter { !(0x09...0x0D).contains($0) && $0 != 0x20 } }
        guard let content = Base64.decode(text) else {
            throw PowerAuthError(.invalidConfiguration, "the SDK configuration is not Base64")
        }
        guard let fields = content.withBytes({ Fields($0) }) else {
            throw PowerAuthError(.invalidConfiguration, "the SDK configuration is malformed")
        }
        try self.init(fields, for: use)
    }

    /// Makes a configuration of protocol 3 from its parts: 16 bytes, 16 bytes, and a SEC1 point.
    ///
    /// - Throws: `invalidConfiguration`.
    package convenience init(key: [UInt8], secret: [UInt8], masterKey: [UInt8]) throws(PowerAuthError) {
        guard key.count == 16, secret.count == 16 else {
            throw PowerAuthError(.invalidConfiguration, "the application key and secret must be 16 bytes")
        }
        try self.init(Fields(key: key, secret: secret, masterKeys: [masterKey, nil, nil, nil]), for: .legacy)
    }

    private convenience init(_ fields: Fields, for use: Use) throws(PowerAuthError) {
        let secretText = Base64.encodedBytes(fields.secret)
        let sharedInfo2 = try attempt(.invalidConfiguration, "OpenSSL failed", try SHA256.hash(secretText))
        let keys = try MasterKeys(fields.masterKeys, for: use)
        self.init(
            applicationKey: Base64.encodedBytes(fields.key), applicationSecret: secretText,
            applicationSecretBytes: fields.secret, applicationSharedInfo2: sharedInfo2, keys)
    }

    private init(
        applicationKey: [UInt8], applicationSecret: [UInt8], applicationSecretBytes: [UInt8],
        applicationSharedInfo2: [UInt8], _ keys: MasterKeys
    ) {
        self.applicationKey = applicationKey
        self.applicationSecret = applicationSecret
        self.applicationSecretBytes = applicationSecretBytes
        self.applicationSharedInfo2 = applicationSharedInfo2
        legacyMasterKey = keys.legacy
        masterKey = keys.p384
        postQuantumKeys = (keys.level3, keys.level5)
    }

    /// The master public key of protocol 3.
    ///
    /// - Throws: `invalidConfiguration` when the string has none.
    package var masterPublicKey: PublicKey {
        get throws(PowerAuthError) {
            guard let legacyMasterKey else {
                throw PowerAuthError(.invalidConfiguration, "the SDK configuration has no P-256 master key")
            }
            return legacyMasterKey
        }
    }

    /// The master public keys of a suite; nil when the string does not have them all.
    package func masterKeys(for suite: V4.Suite) -> V4.PublicKeys? {
        guard let masterKey else { return nil }
        switch suite {
        case .p384: return V4.PublicKeys(suite, masterKey, nil)
        case .p384ML3: return postQuantumKeys.level3.map { V4.PublicKeys(suite, masterKey, $0) }
        case .p384ML5: return postQuantumKeys.level5.map { V4.PublicKeys(suite, masterKey, $0) }
        }
    }

    /// The suites that the string has keys for, in the order of ``V4/Suite``.
    package var suites: [V4.Suite] { V4.Suite.allCases.filter { masterKeys(for: $0) != nil } }

    /// The keys that may sign an offline text for every activation: the text does not name its curve (powerauth4.md §17).
    package var offlineMasterKeys: [PublicKey] { [masterKey, legacyMasterKey].compactMap { $0 } }

    /// The master keys that are looked at, decoded.
    private struct MasterKeys {
        var legacy: PublicKey?
        var p384: PublicKey?
        var level3: [UInt8]?
        var level5: [UInt8]?

        init(_ keys: [[UInt8]?], for use: Use) throws(PowerAuthError) {
            func point(_ index: Int, on curve: Curve) throws(PowerAuthError) -> PublicKey? {
                guard let bytes = keys[index] else { return nil }
                return try attempt(
                    .invalidConfiguration, "a master public key is no point of its curve",
                    try PublicKey(point: bytes, on: curve))
            }
            func raw(_ index: Int, _ dsa: MLDSA) throws(PowerAuthError) -> [UInt8]? {
                guard let info = keys[index] else { return nil }
                guard let key = V4.SubjectPublicKeyInfo.dsa(dsa).decode(info) else {
                    throw PowerAuthError(.invalidConfiguration, "a master public key is no ML-DSA key")
                }
                return key
            }
            let isComplete: Bool
            switch use {
            case .automatic:
                legacy = try point(0, on: .p256)
                p384 = try point(1, on: .p384)
                level3 = try raw(2, .mldsa65)
                level5 = try raw(3, .mldsa87)
                isComplete = legacy != nil || p384 != nil
            case .legacy:
                legacy = try point(0, on: .p256)
                isComplete = legacy != nil
            case .suite(let suite):
                p384 = try point(1, on: .p384)
                if suite == .p384ML3 { level3 = try raw(2, .mldsa65) }
                if suite == .p384ML5 { level5 = try raw(3, .mldsa87) }
                isComplete = p384 != nil && (!suite.isHybrid || level3 != nil || level5 != nil)
            }
            guard isComplete else {
                throw PowerAuthError(
                    .invalidConfiguration, "the SDK configuration has not the master keys that it needs")
            }
        }
    }

    /// The parts of a decoded configuration string, before the keys are checked.
    struct Fields {
        let key: [UInt8]
        let secret: [UInt8]
        /// P-256, P-384, ML-DSA-65, ML-DSA-87: the order of their numbers, which begin with 1.
        let masterKeys: [[UInt8]?]

        init(key: [UInt8], secret: [UInt8], masterKeys: [[UInt8]?]) {
            self.key = key
            self.secret = secret
            self.masterKeys = masterKeys
        }

        /// Reads the parts; nil when malformed. Keys of unknown kinds are skipped, bytes after the last key ignored; two
        /// keys of a known kind are refused, since either could be meant.
        init?(_ content: UnsafeRawBufferPointer) {
            var reader = ByteReader(content)
            guard reader.byte() == 1, let key = reader.variableData(), key.count == 16,
                let secret = reader.variableData(), secret.count == 16, let keyCount = reader.variableCount()
            else { return nil }
            var masterKeys = [[UInt8]?](repeating: nil, count: 4)
            var keysRead = 0
            while keysRead < keyCount {
                guard let kind = reader.byte(), let bytes = reader.variableData() else { return nil }
                if (1...4).contains(kind) {
                    guard masterKeys[Int(kind) - 1] == nil else { return nil }
                    masterKeys[Int(kind) - 1] = [UInt8](bytes)
                }
                keysRead += 1
            }
            self.init(key: [UInt8](key), secret: [UInt8](secret), masterKeys: masterKeys)
        }
    }
}
