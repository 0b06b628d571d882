// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension Session {
    /// Starts an activation: checks the request and generates the device's key pair (powerauth.md §7.1). While the protocol is
    /// undecided, that waits for ``decide(_:)``.
    ///
    /// - Throws: `wrongState` unless there is no activation; `serverSignature` when the code has a wrong signature;
    ///   `invalidActivationData` when an option does not fit; `wrongParameter`; `randomFailed`.
    package func startActivation(_ request: ActivationRequest) throws(PowerAuthError) {
        guard case .empty = state else { throw PowerAuthError(.wrongState, "there already is an activation") }
        try request.validate()
        switch choice {
        case .undecided:
            state = .undecided(request)
            return
        case .legacy: break
        case .suite(let suite): return try startActivationV4(request, suite)
        }
        if case .code(let code) = request.kind, try !code.verify(with: configuration) {
            throw PowerAuthError(.serverSignature, "the signature of the activation code is wrong")
        }
        let deviceKey = try attempt(.randomFailed, "OpenSSL could not generate a key", try random.generateKeyPair())
        state = .keysReady(StartedActivation(request: request, deviceKey: deviceKey))
    }

    /// Writes the request of the started activation, encrypted in two layers.
    ///
    /// - Parameters:
    ///   - key: in 3.3 a temporary key of application scope.
    ///   - now: synchronised time, milliseconds since the Unix epoch.
    /// - Throws: `wrongState` unless an activation was started; `invalidTemporaryKey`; `randomFailed`; `encryption`.
    package func activationBody(key: TemporaryKey?, now: Int64) throws(PowerAuthError) -> PendingActivation {
        guard case .keysReady(let started) = state else {
            throw PowerAuthError(.wrongState, "no activation was started")
        }
        let layer2 = try encryptor(.activationLayer2, key: key)
        let layer1 = try encryptor(.applicationGeneric, key: key)
        let inner = try layer2.encrypt(
            started.request.layer2(devicePublicKey: started.deviceKey.publicKey.compressed), now: now)
        let body = try layer1.encrypt(started.request.layer1(activationData: inner), now: now)
        return PendingActivation(body: body, layer1: .v3(layer1), layer2: .v3(layer2), started: started)
    }

    /// Takes the answer to an activation: decrypts both layers, checks it and derives the keys (powerauth.md §7.4).
    ///
    /// An answer that cannot be accepted ends the activation: the session is empty then.
    ///
    /// - Parameters:
    ///   - root: the HTTP body.
    ///   - pending: the request that was answered.
    /// - Throws: `wrongState`, `wrongParameter` when this is not the request of the started activation (nothing changes
    ///   then); `encryption`, `invalidActivationData`.
    package func receiveActivation(
        _ root: JSONValue, pending: PendingActivation, now: Int64 = 0
    ) throws(PowerAuthError) -> ActivationResult {
        let isOurs: Bool
        switch state {
        case .keysReady(let started): isOurs = pending.started === started
        case .keysReadyV4(let started): isOurs = pending.startedV4 === started
        default: throw PowerAuthError(.wrongState, "no activation was started")
        }
        guard isOurs else { throw PowerAuthError(.wrongParameter, "the response belongs to another activation") }
        do throws(PowerAuthError) {
            let outer = try JSONFields.parse(pending.layer1.decrypt(root, now: now), .invalidActivationData)
            guard let activationData = outer["activationData"] else {
                throw PowerAuthError(.invalidActivationData, "the response has no activation data")
            }
            let inner = try JSONFields.parse(pending.layer2.decrypt(activationData, now: now), .invalidActivationData)
            let (identifier, fingerprint, recovery) = try accept(inner, pending)
            return ActivationResult(
                activationId: String(utf8: identifier), fingerprint: fingerprint,
                recovery: recovery, customAttributes: outer.original("customAttributes"),
                userInfo: outer.original("userInfo"), serverTimestamp: pending.layer1.responseTimestamp,
                version: version, agreedSuite: suite)
        } catch {
            pending.layer1.cancel()
            pending.layer2.cancel()
            state = .empty
            throw error
        }
    }

    /// Takes the content of layer 2.
    private func accept(
        _ inner: JSONValue, _ pending: PendingActivation
    ) throws(PowerAuthError) -> (identifier: [UInt8], fingerprint: String, recovery: RecoveryData?) {
        if let started = pending.startedV4 {
            let activation = try V4.ValidatedActivation(inner, started: started)
            state = .responseValidatedV4(activation)
            return (activation.identifier, activation.fingerprint, nil)
        }
        guard let started = pending.started else {
            throw PowerAuthError(.wrongState, "no activation was started")
        }
        let answer = try ActivationAnswer(inner)
        let activation = try attempt(
            .invalidActivationData, "the keys could not be agreed",
            try ValidatedActivation(answer, deviceKey: started.deviceKey))
        state = .responseValidated(activation)
        return (activation.identifier, activation.fingerprint, activation.recovery)
    }

    /// Fresh parameters for a new PIN.
    ///
    /// - Throws: `randomFailed`.
    package func newKnowledgeParameters() throws(PowerAuthError) -> KnowledgeParameters {
        let isLegacy = suite == nil
        let salt = try attempt(
            .randomFailed, "OpenSSL could not provide random bytes",
            try random.bytes(isLegacy ? KnowledgeParameters.saltCount : V4.PasswordKDF.saltLength))
        return KnowledgeParameters(salt: salt, iterations: isLegacy ? iterations : 0)
    }

    /// Finishes the activation: locks every key with its factor (powerauth.md §14). All tokens are dropped.
    ///
    /// - Parameters:
    ///   - knowledge: the key of the chosen PIN, derived with ``newKnowledgeParameters()``.
    ///   - biometryKey: the 16-byte biometric unlock key, or nil for no biometric factor.
    ///   - authenticator: the name of the authenticator that keeps the key; nil: the unnamed one.
    /// - Throws: `wrongState` unless an answer was accepted; `wrongParameter` for an unusable key or name; `encryption`.
    package func persistActivation(
        knowledge: KnowledgeKey, biometryKey: SecureBytes?, authenticator: [UInt8]? = nil
    ) throws(PowerAuthError) {
        if case .responseValidatedV4(let activation) = state {
            return try persist(activation, knowledge: knowledge, biometryKey: biometryKey, authenticator: authenticator)
        }
        guard case .responseValidated(let activation) = state else {
            throw PowerAuthError(.wrongState, "there is no activation to persist")
        }
        if let biometryKey { try FactorLock.check(biometryKey) }
        let contents = try attempt(
            .encryption, "the keys could not be locked",
            try contents(
                of: activation, knowledge: knowledge, biometryKey: authenticator == nil ? biometryKey : nil))
        guard let record = ActivationRecord(contents) else {
            throw PowerAuthError(.encryption, "the keys could not be locked")
        }
        if let biometryKey, let authenticator {
            let locked = try attempt(
                .encryption, "the keys could not be locked",
                try FactorLock.lock(activation.keys.biometry, with: biometryKey, externalKey: externalKey))
            try record.storeBiometry(locked, named: authenticator)
        }
        state = .activated(record)
    }

    /// Finishes the activation with a PIN; see ``persistActivation(knowledge:biometryKey:)``. Derives the knowledge key,
    /// which takes milliseconds.
    ///
    /// - Throws: also `wrongParameter` for a PIN of fewer than 4 bytes, and `randomFailed`.
    package func persistActivation(pin: some Bytes, biometryKey: SecureBytes?) throws(PowerAuthError) {
        guard phase == .responseValidated else {
            throw PowerAuthError(.wrongState, "there is no activation to persist")
        }
        guard pin.byteCount >= KnowledgeKey.minimumPINLength else {
            throw PowerAuthError(.wrongParameter, "the PIN is too short")
        }
        let knowledge = try KnowledgeKey.derive(pin: pin, parameters: newKnowledgeParameters())
        try persistActivation(knowledge: knowledge, biometryKey: biometryKey)
    }

    private func contents(
        of activation: ValidatedActivation, knowledge: KnowledgeKey, biometryKey: SecureBytes?
    ) throws(CryptoError) -> ActivationRecord.Contents {
        let keys = activation.keys
        var biometry: [UInt8]?
        if let biometryKey {
            biometry = try FactorLock.lock(keys.biometry, with: biometryKey, externalKey: externalKey)
        }
        var recovery: [UInt8] = []
        if let data = activation.recovery { recovery = try VaultKey(keys.vault).seal(data.stored()) }
        return ActivationRecord.Contents(
            counter: activation.counter, counterByte: 0,
            possession: try FactorLock.lock(keys.possession, with: possessionKey, externalKey: nil),
            knowledge: try FactorLock.lock(keys.knowledge, with: knowledge.key, externalKey: externalKey),
            biometry: biometry,
            transport: try FactorLock.lock(keys.transport, with: possessionKey, externalKey: nil),
            salt: knowledge.parameters.salt, iterations: knowledge.parameters.iterations,
            serverKey: activation.serverKey.compressed, deviceKey: activation.deviceKey.publicKey.compressed,
            identifier: activation.identifier, privateKey: try VaultKey(keys.vault).seal(activation.deviceKey.bytes()),
            recovery: recovery, usesExternalKey: externalKey != nil)
    }
}
