// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The fields of an activation of 4.0 (powerauth4.md §5, §16). The keys of factors are wrapped without integrity, on purpose;
/// the others are sealed.
extension ActivationRecord.Field {
    static let counterV4 = Self(offset: 0, count: V4.HashCounter.count)
    static let possessionV4 = Self(offset: 32, count: V4.KeyWrap.wrappedLength)
    static let knowledgeV4 = Self(offset: 80, count: V4.KeyWrap.wrappedLength)
    static let saltV4 = Self(offset: 128, count: V4.PasswordKDF.saltLength)
    /// The key and salt of the PIN before the last change, while the mark `newPIN` is set; else zero.
    static let formerKnowledgeV4 = Self(offset: 160, count: V4.KeyWrap.wrappedLength)
    static let formerSaltV4 = Self(offset: 208, count: V4.PasswordKDF.saltLength)
    static let biometryV4 = Self(offset: 240, count: V4.KeyWrap.wrappedLength)
    /// `KDK_UTILITY` and `KDK_ENCRYPTION`, sealed with `KEY_LOCAL_DATA`.
    static let utilityV4 = Self(offset: 288, count: V4.AEAD.overhead + 32)
    static let encryptionV4 = Self(offset: 364, count: V4.AEAD.overhead + 32)

    /// The device's private keys, sealed with `KEK_DEVICE_PRIVATE`.
    static func deviceKeysV4(_ suite: V4.Suite) -> Self {
        Self(offset: 440, count: V4.AEAD.overhead + suite.privateLength)
    }
    /// The device's and the server's public keys, raw: the point, then the key of ML-DSA.
    static func devicePublicV4(_ suite: V4.Suite) -> Self {
        let before = deviceKeysV4(suite)
        return Self(offset: before.offset + before.count, count: suite.publicLength)
    }
    static func serverPublicV4(_ suite: V4.Suite) -> Self {
        let before = devicePublicV4(suite)
        return Self(offset: before.offset + before.count, count: suite.publicLength)
    }
    /// How many bytes all of them have.
    static func fixedCountV4(_ suite: V4.Suite) -> Int {
        let last = serverPublicV4(suite)
        return last.offset + last.count
    }
}

extension V4.Suite {
    /// The private keys of a device: 48 bytes, in hybrid suites a seed of 32 more.
    fileprivate var privateLength: Int { isHybrid ? 80 : 48 }
    /// The public keys of one side.
    fileprivate var publicLength: Int { 97 + (mldsa?.publicKeyLength ?? 0) }
}

extension ActivationRecord {
    /// Everything that a new record of 4.0 is made of; all keys are locked.
    struct ContentsV4 {
        let suite: V4.Suite
        let identifier: [UInt8]
        let counter: SecureBytes
        let possession: [UInt8]
        let knowledge: [UInt8]
        let salt: [UInt8]
        /// Nil when there is no biometric factor.
        let biometry: [UInt8]?
        let utility: [UInt8]
        let encryption: [UInt8]
        let deviceKeys: [UInt8]
        let devicePublic: V4.PublicKeys
        let serverPublic: V4.PublicKeys
        let usesExternalKey: Bool
        let marks: Marks
    }

    /// Makes a record of 4.0; nil when a part has a wrong length or form.
    convenience init?(_ contents: ContentsV4) {
        let suite = contents.suite
        let start = Field.fixedCountV4(suite)
        var flags: Flags = [.counterByte, .deviceKey]
        if contents.usesExternalKey { flags.insert(.externalKey) }
        if contents.biometry != nil { flags.insert(.biometry) }
        let block = SecureBytes(count: start + contents.identifier.count)
        self.init(
            suite: suite, flags: flags, marks: contents.marks, counterByte: 0,
            identifierCount: contents.identifier.count, block: block, isComplete: false)
        let devicePublic = contents.devicePublic.raw
        let serverPublic = contents.serverPublic.raw
        let parts: [(Field, [UInt8])] = [
            (.possessionV4, contents.possession), (.knowledgeV4, contents.knowledge), (.saltV4, contents.salt),
            (.biometryV4, contents.biometry ?? [UInt8](repeating: 0, count: Field.biometryV4.count)),
            (.utilityV4, contents.utility), (.encryptionV4, contents.encryption),
            (.deviceKeysV4(suite), contents.deviceKeys), (.devicePublicV4(suite), devicePublic),
            (.serverPublicV4(suite), serverPublic),
            (Field(offset: start, count: contents.identifier.count), contents.identifier),
        ]
        for (field, bytes) in parts {
            guard bytes.count == field.count else { return nil }
            store(bytes, in: field)
        }
        guard contents.counter.count == Field.counterV4.count else { return nil }
        store(contents.counter, in: .counterV4)
        guard isWellFormedV4 else { return nil }
    }

    /// Takes a whole block of 4.0; nil when the parts do not fit together.
    convenience init?(
        suite: V4.Suite, flags: Flags, marks: Marks, counterByte: UInt8, identifierCount: Int, block: SecureBytes,
        isComplete: Bool = true
    ) {
        let start = Field.fixedCountV4(suite)
        self.init(
            unchecked: suite, flags: flags, counterByte: counterByte, iterations: 0, identifierStart: start,
            identifierCount: identifierCount, privateKeyCount: 0, recoveryCount: 0, block: block)
        self.marks = marks
        guard identifierCount > 0, block.count == start + identifierCount, flags.isSubset(of: .all),
            flags.isSuperset(of: [.counterByte, .deviceKey]), marks.isSubset(of: .all),
            !isComplete || isWellFormedV4
        else { return nil }
    }

    /// Every part with a prescribed form has it, and absent parts are zero.
    private var isWellFormedV4: Bool {
        guard let suite, withIdentifier({ isIdentifier($0) }),
            with(.devicePublicV4(suite), { $0.first == 4 }), with(.serverPublicV4(suite), { $0.first == 4 })
        else { return false }
        let zero = { (field: Field) in self.with(field) { bytes in bytes.allSatisfy { $0 == 0 } } }
        return (flags.contains(.biometry) || zero(.biometryV4))
            && marks.contains(.newPIN) != zero(.formerSaltV4)
    }

    /// The public keys of the device or the server.
    private func publicKeys(_ field: Field, _ suite: V4.Suite) throws(PowerAuthError) -> V4.PublicKeys {
        try with(field) { (bytes) throws(PowerAuthError) in try V4.PublicKeys(suite, raw: bytes) }
    }

    /// The device's public keys.
    func devicePublicV4(_ suite: V4.Suite) throws(PowerAuthError) -> V4.PublicKeys {
        try publicKeys(.devicePublicV4(suite), suite)
    }

    /// The server's public keys.
    func serverPublicV4(_ suite: V4.Suite) throws(PowerAuthError) -> V4.PublicKeys {
        try publicKeys(.serverPublicV4(suite), suite)
    }
}
