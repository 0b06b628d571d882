// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// An activation whose keys and counter are known in advance, as those of a published vector are. Only the library for
/// tests makes one: no product holds this file's code.
package struct KnownActivation {
    private let identifier: [UInt8]
    private let counter: SecureBytes
    fileprivate let counterByte: UInt8
    private let secret: SecureBytes
    /// Keys of 3.x in place of derived ones.
    package var possession: SecureBytes?
    package var knowledge: SecureBytes?
    package var biometry: SecureBytes?
    package var transport: SecureBytes?
    /// A point, and in a hybrid suite the SubjectPublicKeyInfo of ML-DSA; nil: the device's own.
    package var serverKey: [UInt8]?
    package var serverSecondKey: [UInt8]?

    /// - Parameters:
    ///   - secret: `KEY_MASTER_SECRET`; in 4.0 `KEY_ACTIVATION_SECRET`.
    ///   - counter: `CTR_DATA` of the next signature.
    ///   - counterByte: the low byte of the number of signatures before it.
    package init(identifier: [UInt8], secret: SecureBytes, counter: SecureBytes, counterByte: UInt8) {
        self.identifier = identifier
        self.secret = secret
        self.counter = counter
        self.counterByte = counterByte
    }
}

extension Session {
    /// Takes a known activation as if the server had just agreed on it, and locks its keys. Store the state.
    ///
    /// - Throws: `wrongState` unless there is no activation and its protocol is decided; `wrongParameter` for a part
    ///   of a wrong length or form.
    package func adopt(
        _ known: KnownActivation, pin: some Bytes, biometryKey: SecureBytes?
    ) throws(PowerAuthError) {
        guard case .empty = state, choice != .undecided else {
            throw PowerAuthError(.wrongState, "there already is an activation, or its protocol is undecided")
        }
        state = try known.agreed(self)
        do throws(PowerAuthError) {
            try persistActivation(pin: pin, biometryKey: biometryKey)
        } catch {
            state = .empty
            throw error
        }
        record?.marks.remove(.confirm)
        record?.counterByte = known.counterByte
    }

    /// A temporary key of 4.0 with a known secret.
    package func knownTemporaryKey(
        scope: EncryptionScope, id: [UInt8], secret: SecureBytes, expires: Int64
    ) throws(PowerAuthError) -> EncryptionKey {
        guard let suite, isIdentifier(id), secret.count == V4.keyLength else {
            throw PowerAuthError(
                .wrongParameter, "only protocol 4.0 has such a key, of 32 bytes and with an identifier")
        }
        return .v4(
            V4.TemporaryKey(
                scope: scope, suite: suite, id: id, secret: secret, issued: 0, expires: expires,
                applicationKey: configuration.applicationKey,
                activationId: scope == .activation ? record?.identifier : nil))
    }
}

extension KnownActivation {
    fileprivate func agreed(_ session: Session) throws(PowerAuthError) -> Session.State {
        guard isIdentifier(identifier), counter.count == (session.suite == nil ? 16 : V4.HashCounter.count),
            secret.count == (session.suite == nil ? 16 : V4.keyLength)
        else {
            throw PowerAuthError(.wrongParameter, "identifier, secret or counter has a wrong length or form")
        }
        guard let suite = session.suite else { return .responseValidated(try agreed3(session.random)) }
        return .responseValidatedV4(try agreedV4(suite, session.random))
    }

    private func agreed3(_ random: RandomSource) throws(PowerAuthError) -> ValidatedActivation {
        for key in [possession, knowledge, biometry, transport] {
            guard (key?.count ?? 16) == 16 else {
                throw PowerAuthError(.wrongParameter, "a key has not 16 bytes")
            }
        }
        return try attempt(.wrongParameter, "the server's key is no point") { () throws(CryptoError) in
            let deviceKey = try random.generateKeyPair()
            let derived = try ActivationKeys(masterSecret: secret)
            let serverKey = try serverKey.map { (point) throws(CryptoError) in try PublicKey(point: point) }
            return ValidatedActivation(
                ActivationAnswer(
                    identifier: identifier, serverKey: serverKey ?? deviceKey.publicKey, counter: counter,
                    recovery: nil),
                deviceKey: deviceKey,
                keys: ActivationKeys(
                    possession: possession ?? derived.possession, knowledge: knowledge ?? derived.knowledge,
                    biometry: biometry ?? derived.biometry, transport: transport ?? derived.transport,
                    vault: derived.vault),
                fingerprint: "")
        }
    }

    private func agreedV4(_ suite: V4.Suite, _ random: RandomSource) throws(PowerAuthError) -> V4.ValidatedActivation {
        guard possession == nil, knowledge == nil, biometry == nil, transport == nil else {
            throw PowerAuthError(.wrongParameter, "the keys of protocol 4.0 are derived")
        }
        let deviceKeys = try V4.DeviceKeys(suite: suite, random: random)
        let serverKeys =
            try serverKey.map { (point) throws(PowerAuthError) in
                try V4.PublicKeys(suite, ecdsa: point, mldsa: serverSecondKey)
            } ?? deviceKeys.publicKeys
        let keys = try attempt(
            .encryption, "the keys could not be derived", try V4.ActivationKeys(secret: secret))
        return V4.ValidatedActivation(
            identifier, "", V4.Agreement(keys: keys, serverKeys: serverKeys, counter: counter), deviceKeys)
    }
}
