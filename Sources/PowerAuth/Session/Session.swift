// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// One activation of the protocol, on the client's side: from an empty session through an activation in progress to signatures.
///
/// It has no sockets and no clock: requests leave as bytes, answers come in as values, time and randomness are handed in.
/// Only one thread at a time uses a session; its owner orders the calls.
///
/// A call that fails changes nothing, with one exception that the protocol wants: an answer to an activation that cannot
/// be accepted ends that activation. After a call that changes the state, store it, ``serialize()``, before you use the
/// call's result.
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
        /// An activation is to be started as soon as its protocol is decided.
        case undecided(ActivationRequest)
        case keysReady(StartedActivation)
        case responseValidated(ValidatedActivation)
        /// The same of an activation that is to be one of 4.0.
        case keysReadyV4(V4.StartedActivation)
        case responseValidatedV4(V4.ValidatedActivation)
        case activated(ActivationRecord)
    }

    /// Which protocol a new activation will have.
    package enum Choice: Equatable, Sendable {
        /// The server has not been asked yet.
        case undecided
        /// 3.x.
        case legacy
        /// 4.0 in this suite.
        case suite(V4.Suite)
    }

    /// The application.
    package let configuration: Configuration
    /// The protocol version of requests that are not of 4.0.
    private let legacyVersion: ProtocolVersion
    /// The protocol of a new activation; it does not affect an existing one.
    package private(set) var choice = Choice.legacy
    let random: RandomSource
    let possessionKey: SecureBytes
    /// The secret from which 4.0 derives the device's key.
    private let deviceSecret: SecureBytes
    private var deviceKEKs: DeviceKEKs?
    let publicKeys: PublicKeyCache?
    var state = State.empty
    /// The record of 3.x that an upgrade is replacing: what is stored until the keys of 4.0 are proven.
    var former: ActivationRecord?
    /// The activation before the change of a factor of 4.0, to go back to it until the new factor is proven.
    var formerFactor: ActivationRecord?
    var externalKey: SecureBytes?
    /// The iterations of a new PIN before 4.0.
    package var iterations = KnowledgeParameters.defaultIterations

    /// A session without an activation.
    ///
    /// - Parameters:
    ///   - configuration: the application.
    ///   - version: 3.1, 3.2 or 3.3: of what is not 4.0.
    ///   - random: where randomness comes from.
    ///   - possessionKey: the 16-byte unlock key of the device.
    ///   - deviceSecret: what 4.0 makes the device's key of; nil: the unlock key.
    ///   - publicKeys: a cache to share between the sessions of one owner, or nil.
    /// - Throws: `unsupportedProtocol` for another version, `wrongParameter` for an unusable unlock key.
    package convenience init(
        configuration: Configuration, version: ProtocolVersion = .default, random: RandomSource,
        possessionKey: SecureBytes, deviceSecret: SecureBytes? = nil, publicKeys: PublicKeyCache? = nil
    ) throws(PowerAuthError) {
        guard version.isSupportedBySession, version != .v40 else {
            throw PowerAuthError(.unsupportedProtocol, "the protocol version must be 3.1, 3.2 or 3.3")
        }
        try FactorLock.check(possessionKey)
        self.init(checked: configuration, version, random, possessionKey, deviceSecret ?? possessionKey, publicKeys)
    }

    private init(
        checked configuration: Configuration, _ version: ProtocolVersion, _ random: RandomSource,
        _ possessionKey: SecureBytes, _ deviceSecret: SecureBytes, _ publicKeys: PublicKeyCache?
    ) {
        self.configuration = configuration
        self.legacyVersion = version
        self.random = random
        self.possessionKey = possessionKey
        self.deviceSecret = deviceSecret
        self.publicKeys = publicKeys
    }

    /// Decides what a new activation will be, and starts the one that waits for it.
    ///
    /// - Throws: what ``startActivation(_:)`` throws; the session is empty then.
    package func decide(_ choice: Choice) throws(PowerAuthError) {
        self.choice = choice
        guard choice != .undecided, case .undecided(let request) = state else { return }
        state = .empty
        try startActivation(request)
    }

    // MARK: Looking at the state

    /// How far the activation is.
    package var phase: Phase {
        switch state {
        case .empty: .empty
        case .undecided, .keysReady, .keysReadyV4: .keysReady
        case .responseValidated, .responseValidatedV4: .responseValidated
        case .activated: .activated
        }
    }

    /// The suite of 4.0; nil: requests are those of 3.x.
    package var suite: V4.Suite? {
        switch state {
        case .empty, .undecided: if case .suite(let suite) = choice { suite } else { nil }
        case .keysReady, .responseValidated: nil
        case .keysReadyV4(let started): started.suite
        case .responseValidatedV4(let activation): activation.suite
        case .activated(let record): record.suite
        }
    }

    /// The protocol of a new activation is not known yet, and there is no activation.
    package var isUndecided: Bool {
        switch state {
        case .empty, .undecided: choice == .undecided
        default: false
        }
    }

    /// The protocol version of requests.
    package var version: ProtocolVersion { suite == nil ? legacyVersion : .v40 }

    /// The identifier of the activation; nil before the server's answer was accepted.
    package var activationId: String? {
        switch state {
        case .empty, .undecided, .keysReady, .keysReadyV4: nil
        case .responseValidated(let activation): String(utf8: activation.identifier)
        case .responseValidatedV4(let activation): String(utf8: activation.identifier)
        case .activated(let record): String(utf8: record.identifier)
        }
    }

    /// The fingerprint for the visual check, eight digits (powerauth.md §8).
    ///
    /// - Returns: nil before the server's answer was accepted, and for an imported state without the device's public key.
    /// - Throws: `encryption` when the crypto library fails.
    package func fingerprint() throws(PowerAuthError) -> String? {
        switch state {
        case .empty, .undecided, .keysReady, .keysReadyV4:
            return nil
        case .responseValidated(let activation):
            return activation.fingerprint
        case .responseValidatedV4(let activation):
            return activation.fingerprint
        case .activated(let record):
            if let suite = record.suite { return try fingerprintV4(record, suite) }
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

    /// Whether any authenticator has the biometric factor.
    package var hasAnyBiometry: Bool { record?.hasBiometry ?? false }

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
    package func reset() {
        state = .empty
        former = nil
        formerFactor = nil
    }

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
        case .undecided, .keysReady, .responseValidated, .keysReadyV4, .responseValidatedV4:
            throw PowerAuthError(.activationPending, "the activation has not been finished")
        }
    }

    /// The activation, for what only one of 3.x has.
    func activated3() throws(PowerAuthError) -> ActivationRecord {
        let record = try activated()
        guard record.suite == nil else {
            throw PowerAuthError(.unsupportedProtocol, "protocol 4.0 does not have this")
        }
        return record
    }

    /// The activation and its suite, for what only one of 4.0 has.
    func activatedV4() throws(PowerAuthError) -> (ActivationRecord, V4.Suite) {
        let record = try activated()
        guard let suite = record.suite else {
            throw PowerAuthError(.unsupportedProtocol, "this needs an activation of protocol 4.0")
        }
        return (record, suite)
    }

    /// The keys that 4.0 makes of the device's secret, derived once.
    func deviceKeyV4() throws(CryptoError) -> DeviceKEKs {
        if let deviceKEKs { return deviceKEKs }
        let key = try V4.DeviceKEK(deviceData: deviceSecret)
        let made = DeviceKEKs(possession: try key.possession(), localData: try key.localData())
        deviceKEKs = made
        return made
    }

    /// `KEK_…_POSSESSION` and `KEY_LOCAL_DATA`.
    struct DeviceKEKs {
        let possession: SecureBytes
        let localData: SecureBytes
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
