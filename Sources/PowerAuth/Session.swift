import MobileTokenCrypto

/// One activation of the protocol, on the client's side: from nothing over an activation in progress to signatures.
///
/// It has no sockets and no clock: requests leave as bytes, answers come in as values, time and randomness are handed in.
/// A session is used by one thread at a time; whoever owns it orders the calls.
///
/// A call that fails changes nothing, with one exception that the protocol wants: an answer to an activation that cannot
/// be accepted ends that activation. What changes the state must be stored, ``serialize()``, before its result is used.
///
/// Randomness is drawn from the source in this order and for nothing else: `startActivation` a key pair;
/// `activationBody` for layer 2 and then for layer 1 a key pair and 16 bytes; `newKnowledgeParameters`,
/// `persistActivation(pin:…)` and `changePIN` 16 bytes; `sign` and `tokenHeader` 16 bytes; `Encryptor.encrypt` a key pair
/// and (3.1 and later) 16 bytes; `statusRequest` 16 bytes; `temporaryKeyRequest` 18 bytes.
package final class Session {
    /// How far an activation is (client.md §1).
    package enum Phase: Sendable {
        /// There is no activation.
        case empty
        /// An activation was started: the device key pair exists, in memory only.
        case keysReady
        /// The server's answer was accepted: the fingerprint is known, in memory only.
        case responseValidated
        /// There is an activation.
        case activated
    }

    enum State {
        case empty
        case keysReady(StartedActivation)
        case responseValidated(ValidatedActivation)
        case activated(ActivationRecord)
    }

    /// The application.
    package let configuration: Configuration
    /// The protocol version of requests.
    package let version: ProtocolVersion
    let random: RandomSource
    let possessionKey: SecureBytes
    let publicKeys: PublicKeyCache?
    var state = State.empty
    var externalKey: SecureBytes?

    /// A session without an activation.
    ///
    /// - Parameters:
    ///   - configuration: the application.
    ///   - version: 3.1, 3.2 or 3.3.
    ///   - random: where randomness comes from.
    ///   - possessionKey: the 16-byte unlock key of the device.
    ///   - publicKeys: a cache to share between the sessions of one owner, or nil.
    /// - Throws: `unsupportedProtocol` for another version, `wrongParameter` for an unusable unlock key.
    package convenience init(
        configuration: Configuration, version: ProtocolVersion = .default, random: RandomSource,
        possessionKey: SecureBytes, publicKeys: PublicKeyCache? = nil
    ) throws(PowerAuthError) {
        guard version.isSupportedBySession else {
            throw PowerAuthError(.unsupportedProtocol, "the protocol version must be 3.1, 3.2 or 3.3")
        }
        try FactorLock.check(possessionKey)
        self.init(checked: configuration, version, random, possessionKey, publicKeys)
    }

    private init(
        checked configuration: Configuration, _ version: ProtocolVersion, _ random: RandomSource,
        _ possessionKey: SecureBytes, _ publicKeys: PublicKeyCache?
    ) {
        self.configuration = configuration
        self.version = version
        self.random = random
        self.possessionKey = possessionKey
        self.publicKeys = publicKeys
    }

    // MARK: Looking at the state

    /// How far the activation is.
    package var phase: Phase {
        switch state {
        case .empty: .empty
        case .keysReady: .keysReady
        case .responseValidated: .responseValidated
        case .activated: .activated
        }
    }

    /// The identifier of the activation; nil before the server's answer was accepted.
    package var activationId: String? {
        switch state {
        case .empty, .keysReady: nil
        case .responseValidated(let activation): String(decoding: activation.identifier, as: UTF8.self)
        case .activated(let record): String(decoding: record.identifier, as: UTF8.self)
        }
    }

    /// The fingerprint for the visual check, eight digits (powerauth.md §8).
    ///
    /// - Returns: nil before the server's answer was accepted, and for an imported state without the device's public key.
    /// - Throws: `encryption` when the crypto library fails.
    package func fingerprint() throws(PowerAuthError) -> String? {
        switch state {
        case .empty, .keysReady:
            return nil
        case .responseValidated(let activation):
            return activation.fingerprint
        case .activated(let record):
            guard record.flags.contains(.deviceKey) else { return nil }
            return try attempt(
                .encryption, "the fingerprint could not be computed",
                try ActivationFingerprint.compute(
                    deviceKey: record.copy(.deviceKey), activationId: record.identifier,
                    serverKey: record.copy(.serverKey)))
        }
    }

    /// Whether the activation has a biometric factor.
    package var hasBiometry: Bool { record?.flags.contains(.biometry) ?? false }

    /// Whether the biometric factor can be unlocked by an authenticator; nil: the unnamed one.
    package func hasBiometry(named name: [UInt8]?) -> Bool { record?.biometry(named: name) != nil }

    /// The names of the authenticators with a copy of the biometric factor.
    package var authenticators: [[UInt8]] { record?.authenticators.map { $0.name } ?? [] }

    /// Whether there is room for an authenticator of this name, or it exists.
    package func canAddAuthenticator(named name: [UInt8]) -> Bool {
        guard let record else { return false }
        return record.biometry(named: name) != nil || record.authenticators.count < Authenticator.maximumCount
    }

    /// Whether recovery data came with the activation and is stored.
    package var hasRecoveryData: Bool { (record?.recoveryCount ?? 0) > 0 }

    /// The low byte of the signature counter; nil without an activation, and until the first status in a very old import.
    package var counterByte: UInt8? {
        guard let record, record.flags.contains(.counterByte) else { return nil }
        return record.counterByte
    }

    /// How the present PIN is turned into a key; nil without an activation.
    package var knowledgeParameters: KnowledgeParameters? { record?.knowledgeParameters }

    /// Whether the activation uses an external encryption key.
    package var usesExternalKey: Bool { record?.flags.contains(.externalKey) ?? false }

    /// Whether an external encryption key is set in this process.
    package var hasExternalKey: Bool { externalKey != nil }

    /// Forgets the activation, whatever its phase, and all tokens. An external encryption key stays set.
    package func reset() { state = .empty }

    // MARK: For the other parts of the session

    var record: ActivationRecord? {
        guard case .activated(let record) = state else { return nil }
        return record
    }

    /// The activation, or why there is none.
    func activated() throws(PowerAuthError) -> ActivationRecord {
        switch state {
        case .activated(let record): return record
        case .empty: throw PowerAuthError(.missingActivation, "there is no activation")
        case .keysReady, .responseValidated:
            throw PowerAuthError(.activationPending, "the activation has not been finished")
        }
    }

    /// `KEY_TRANSPORT`.
    func transportKey(_ record: ActivationRecord) throws(CryptoError) -> SecureBytes {
        try record.with(.transport) { (locked) throws(CryptoError) in
            try FactorLock.unlock(locked, with: possessionKey, externalKey: nil)
        }
    }

    /// The server's public key of the activation.
    func serverKey(_ record: ActivationRecord) throws(PowerAuthError) -> PublicKey {
        try attempt(.corruptedState, "the stored server key is not a P-256 point") {
            () throws(CryptoError) in
            try record.with(.serverKey) { (point) throws(CryptoError) in
                guard let publicKeys else { return try PublicKey(point: point) }
                return try publicKeys.key(for: point)
            }
        }
    }

    /// The external key for knowledge and biometry: nil when the activation does not use one.
    func externalKey(for record: ActivationRecord) throws(PowerAuthError) -> SecureBytes? {
        guard record.flags.contains(.externalKey) else { return nil }
        guard let externalKey else {
            throw PowerAuthError(.externalKeyMissing, "the activation needs its external encryption key")
        }
        return externalKey
    }
}
