// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension V4 {
    /// An activation of 4.0 in progress, before the server's answer: kept in memory only.
    final class StartedActivation {
        let request: ActivationRequest
        let suite: Suite
        let deviceKeys: DeviceKeys
        let exchange: SharedSecretRequest

        // A designated initializer that throws leaves its object behind in Embedded Swift.
        convenience init(
            _ request: ActivationRequest, _ suite: Suite, _ random: RandomSource
        ) throws(PowerAuthError) {
            self.init(
                request, suite, try DeviceKeys(suite: suite, random: random),
                try SharedSecretRequest(suite: suite, random: random))
        }

        private init(
            _ request: ActivationRequest, _ suite: Suite, _ deviceKeys: DeviceKeys, _ exchange: SharedSecretRequest
        ) {
            self.request = request
            self.suite = suite
            self.deviceKeys = deviceKeys
            self.exchange = exchange
        }
    }

    /// The agreement from a server's answer to an activation or an upgrade (powerauth4.md §10).
    struct Agreement {
        let keys: ActivationKeys
        let serverKeys: PublicKeys
        /// `CTR_DATA`, which is the server's.
        let counter: SecureBytes
    }

    /// An activation of 4.0 whose answer was accepted, before it is persisted: kept in memory only.
    final class ValidatedActivation {
        let suite: Suite
        let identifier: [UInt8]
        let fingerprint: String
        let deviceKeys: DeviceKeys
        let agreement: Agreement

        convenience init(_ root: JSONValue, started: StartedActivation) throws(PowerAuthError) {
            guard let identifier = root.identifier("activationId") else {
                throw PowerAuthError(.invalidActivationData, "the server's response has no valid activation identifier")
            }
            let agreement = try Agreement(root, started.suite, started.exchange)
            let fingerprint = try attempt(
                .invalidActivationData, "the fingerprint could not be computed",
                try Fingerprint.compute(
                    device: started.deviceKeys.publicKeys, activationId: identifier,
                    server: agreement.serverKeys))
            self.init(identifier, fingerprint, agreement, started.deviceKeys)
        }

        init(
            _ identifier: [UInt8], _ fingerprint: String, _ agreement: Agreement, _ deviceKeys: DeviceKeys
        ) {
            self.identifier = identifier
            self.fingerprint = fingerprint
            self.agreement = agreement
            suite = deviceKeys.suite
            self.deviceKeys = deviceKeys
        }
    }
}

extension V4.Agreement {
    /// Checks and takes the answer.
    ///
    /// - Throws: `invalidActivationData`, `encryption`.
    init(_ root: JSONValue, _ suite: V4.Suite, _ exchange: V4.SharedSecretRequest) throws(PowerAuthError) {
        guard let response = root["sharedSecretResponse"], let publicKeys = root["serverPublicKeys"] else {
            throw PowerAuthError(.invalidActivationData, "the server's response has no keys")
        }
        guard let counter = root.secret("ctrData", count: V4.HashCounter.count) else {
            throw PowerAuthError(.invalidActivationData, "the server's response has no valid counter")
        }
        self.counter = counter
        serverKeys = try V4.PublicKeys(suite, json: publicKeys)
        let secret = try exchange.accept(response)
        keys = try attempt(.encryption, "the keys could not be derived", try V4.ActivationKeys(secret: secret))
    }
}

extension Session {
    /// Starts an activation of 4.0: makes the device's keys and the request for the shared secret (powerauth4.md §10).
    func startActivationV4(_ request: ActivationRequest, _ suite: V4.Suite) throws(PowerAuthError) {
        // The code's own signature is ignored: one short enough for a QR code proves nothing here.
        if case .recovery = request.kind {
            throw PowerAuthError(.unsupportedProtocol, "protocol 4.0 has no recovery codes")
        }
        try suite.require()
        state = .keysReadyV4(try V4.StartedActivation(request, suite, random))
    }

    /// Writes the request of the started activation, encrypted in two layers (powerauth4.md §10).
    func activationBodyV4(key: V4.TemporaryKey, now: Int64) throws(PowerAuthError) -> PendingActivation {
        guard case .keysReadyV4(let started) = state else {
            throw PowerAuthError(.wrongState, "no activation was started")
        }
        let layer2 = try encryptorV4(.activationLayer2, key: key)
        let layer1 = try encryptorV4(.applicationGeneric, key: key)
        let inner = try layer2.encrypt(started.request.layer2 { writer in started.write(to: &writer) }, now: now)
        let body = try layer1.encrypt(started.request.layer1(activationData: inner), now: now)
        return PendingActivation(body: body, layer1: .v4(layer1), layer2: .v4(layer2), startedV4: started)
    }

    /// Locks every key with its factor. The mark shows that the confirmation must still be sent to the server.
    func persist(
        _ activation: V4.ValidatedActivation, knowledge: KnowledgeKey, biometryKey: SecureBytes?,
        authenticator: [UInt8]?
    ) throws(PowerAuthError) {
        let record = try lockV4(
            activation.agreement, activation.suite, activation.identifier, activation.deviceKeys, knowledge: knowledge,
            biometryKey: biometryKey, authenticator: authenticator, mark: .confirm)
        state = .activated(record)
    }

    /// Locks the keys of an agreement.
    func lockV4(
        _ agreement: V4.Agreement, _ suite: V4.Suite, _ identifier: [UInt8], _ deviceKeys: V4.DeviceKeys,
        knowledge: KnowledgeKey, biometryKey: SecureBytes?, authenticator: [UInt8]?, mark: ActivationRecord.Marks
    ) throws(PowerAuthError) -> ActivationRecord {
        guard knowledge.parameters.iterations == 0 else {
            throw PowerAuthError(.staleKnowledgeKey, "the knowledge key was derived for another protocol")
        }
        let keys = agreement.keys
        let biometry = try biometryKey.map { (key) throws(PowerAuthError) in
            try lockFactorV4(keys.biometry, with: try V4.biometryKEK(key))
        }
        let possession = try deviceKEK4()
        let local = try attempt(.encryption, "the keys could not be locked", try deviceKeyV4()).localData
        let stored = try deviceKeys.stored()
        let contents = try attempt(.encryption, "the keys could not be locked") {
            () throws(CryptoError) -> ActivationRecord.ContentsV4? in
            ActivationRecord.ContentsV4(
                suite: suite, identifier: identifier, counter: agreement.counter,
                possession: try V4.KeyWrap.wrap(keys.possession, with: possession, random: random),
                knowledge: try wrapOuter(V4.KeyWrap.wrap(keys.knowledge, with: knowledge.key, random: random)),
                salt: knowledge.parameters.salt, biometry: authenticator == nil ? biometry : nil,
                utility: try V4.LocalKey.utility.seal(
                    keys.utility, with: local, activationId: identifier, random: random),
                encryption: try V4.LocalKey.encryption.seal(
                    keys.encryption, with: local, activationId: identifier, random: random),
                deviceKeys: try V4.LocalKey.devicePrivate.seal(
                    stored, with: try V4.VaultKeyIdentifier.devicePrivate.derive(from: keys.vault),
                    activationId: identifier, random: random),
                devicePublic: deviceKeys.publicKeys, serverPublic: agreement.serverKeys,
                usesExternalKey: externalKey != nil, marks: mark)
        }
        guard let contents, let record = ActivationRecord(contents) else {
            throw PowerAuthError(.encryption, "the keys could not be locked")
        }
        if let biometry, let authenticator { try record.storeBiometry(biometry, named: authenticator) }
        return record
    }

    /// `KEK_…_POSSESSION`.
    func deviceKEK4() throws(PowerAuthError) -> SecureBytes {
        try attempt(.encryption, "the device's key could not be derived", try deviceKeyV4()).possession
    }

    /// Wraps the key of a factor other than possession, with the outer layer of the external key where there is one.
    func lockFactorV4(_ key: SecureBytes, with kek: SecureBytes) throws(PowerAuthError) -> [UInt8] {
        try attempt(
            .randomFailed, "the factor could not be locked",
            try wrapOuter(V4.KeyWrap.wrap(key, with: kek, random: random)))
    }

    private func wrapOuter(_ wrapped: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let externalKey else { return wrapped }
        return try FactorLock.wrap(wrapped, externalKey: externalKey)
    }

    /// The fingerprint for the visual check.
    func fingerprintV4(_ record: ActivationRecord, _ suite: V4.Suite) throws(PowerAuthError) -> String {
        let (device, server) = (try record.devicePublicV4(suite), try record.serverPublicV4(suite))
        return try attempt(
            .encryption, "the fingerprint could not be computed",
            try V4.Fingerprint.compute(device: device, activationId: record.identifier, server: server))
    }
}

extension V4.StartedActivation {
    /// Writes the members of layer 2 that are of the exchange.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.key("sharedSecretRequest")
        writer.raw(exchange.json)
        writer.key("devicePublicKeys")
        writer.raw(deviceKeys.publicKeys.json)
    }
}

extension V4 {
    /// The key that unlocks the biometric factor: 32 bytes, or 16 that are expanded (powerauth4.md §5).
    ///
    /// - Throws: `wrongParameter` for another length or a key of zeros.
    static func biometryKEK(_ key: SecureBytes) throws(PowerAuthError) -> SecureBytes {
        guard key.count == 16 || key.count == 32, !key.isAllZero else {
            throw PowerAuthError(.wrongParameter, "a biometry key must be 16 or 32 bytes, not all zero")
        }
        guard key.count == 16 else { return key }
        return try attempt(.encryption, "the biometry key could not be expanded", try V4.expandBiometryKey(key))
    }
}
