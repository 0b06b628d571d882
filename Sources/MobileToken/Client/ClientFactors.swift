// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// The factors of the activation, and what the vault guards.
extension Client {
    /// Asks the server whether a PIN is right.
    package func validatePIN(_ pin: SecureBytes, task: CallTask) throws(Failure) {
        let keys = try activation.signingKeys(Authentication(pin: pin))
        let finishesChange = activation.lock.glance { activation.session.marks.newPIN }
        try activation.start(
            finishesChange ? .checkNewPIN(keys) : .validatePIN(keys: keys), task: task)
    }

    /// Changes the PIN: in 3.x here, after the server has found the old one right; in 4.0 with the server.
    package func changePIN(from old: SecureBytes, to new: SecureBytes, task: CallTask) throws(Failure) {
        let (oldKey, newKey) = try knowledgeKeys(old, new)
        let isV4 = try activation.lock.glance { () throws(Failure) in
            guard activation.session.version == .v40 else { return false }
            try activation.requireFinished(signingWith: .possessionKnowledge)
            return true
        }
        try activation.start(
            isV4 ? .changePINV4(from: oldKey, to: newKey) : .changePIN(from: oldKey, to: newKey), task: task)
    }

    /// Changes the PIN here without asking: a wrong old one destroys the knowledge factor.
    public func changePINUnsafely(from old: SecureBytes, to new: SecureBytes) throws(Failure) {
        try activation.requireLegacy("The server takes part in each change of the PIN: use mtoken_client_change_pin.")
        let (oldKey, newKey) = try knowledgeKeys(old, new)
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.activated)
            try activation.durably { (session) throws(PowerAuthError) in
                try session.changeKnowledge(from: oldKey, to: newKey)
            }
        }
    }

    /// The keys of the present and of a new PIN; takes milliseconds, outside of the lock.
    private func knowledgeKeys(
        _ old: SecureBytes, _ new: SecureBytes
    ) throws(Failure) -> (old: KnowledgeKey, new: KnowledgeKey) {
        try options.pinPolicy.check(new)
        let (present, fresh) = try activation.lock.glance { () throws(Failure) in
            try activation.require(.activated)
            guard let present = activation.session.knowledgeParameters else { throw .notActivated }
            let fresh = try Failure.converting { () throws(PowerAuthError) in
                try activation.session.newKnowledgeParameters()
            }
            return (present, fresh)
        }
        return try Failure.converting { () throws(PowerAuthError) in
            (
                try KnowledgeKey.derive(pin: old, parameters: present),
                try KnowledgeKey.derive(pin: new, parameters: fresh)
            )
        }
    }

    // MARK: Biometry

    /// Adds the biometric factor, or gives it or a named authenticator another unlock key.
    package func addBiometry(
        key: SecureBytes, authenticator: String?, authentication: Authentication, task: CallTask
    ) throws(Failure) {
        let isV4 = try activation.check(biometryKey: key) == .v40
        try NameLimits.check(authenticator: authenticator)
        let name = authenticator.map { [UInt8]($0.utf8) }
        if isV4 { return try addBiometryV4(key, name, authentication, task) }
        let call = Call.vault(.addBiometry, keys: try activation.signingKeys(authentication), for: .factor) {
            (activation, vault) throws(Failure) in
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.addBiometry(key: key, named: name, vault: vault)
            }
            return .none
        }
        try activation.start(call, task: task) { (activation) throws(Failure) in
            try activation.require(.activated)
            guard name == nil || activation.session.canAddAuthenticator(named: name ?? []) else {
                throw .argument("There are too many authenticators. Remove one first.")
            }
        }
    }

    /// In 4.0 the server and the device agree on another key. An authenticator that has the factor may share it instead.
    private func addBiometryV4(
        _ key: SecureBytes, _ name: [UInt8]?, _ authentication: Authentication, _ task: CallTask
    ) throws(Failure) {
        let keys = try activation.signingKeys(authentication)
        let call: Call
        if keys.factors == .possessionBiometry, let existing = authentication.biometryKey {
            call = .copyBiometryV4(
                from: keys, existing: existing, authentication.authenticator.map { [UInt8]($0.utf8) }, to: key,
                named: name)
        } else {
            guard keys.factors == .possessionKnowledge else {
                throw Failure(
                    .factor, Reason.factorNotAllowed,
                    "Adding biometry needs the PIN, or the key of an authenticator that has it.")
            }
            call = .addBiometryV4(key: key, named: name, keys: keys)
        }
        try activation.start(call, task: task) { (activation) throws(Failure) in
            try activation.require(.activated)
            guard keys.factors == .possessionKnowledge || activation.session.canAddAuthenticator(named: name ?? [])
            else { throw .argument("There are too many authenticators. Remove one first.") }
        }
    }

    /// Removes the biometric factor, or a named authenticator's copy of it. It does not inform servers of protocol 3;
    /// it informs those of 4.0 when no copy is left.
    package func removeBiometry(authenticator: String?, task: CallTask) throws(Failure) {
        try NameLimits.check(authenticator: authenticator)
        let name = authenticator.map { [UInt8]($0.utf8) }
        let isLastInV4 = activation.lock.glance {
            activation.session.version == .v40 && activation.session.hasBiometry(named: name)
                && activation.session.authenticators.count + (activation.session.hasBiometry ? 1 : 0) == 1
        }
        if isLastInV4 { return try activation.start(.removeBiometryV4 { .done(.none) }, task: task) }
        let call = Call.locally(
            "biometry removal",
            .local { (activation) throws(Failure) in
                try activation.requireBiometry(named: name)
                try activation.durably { (session) throws(PowerAuthError) in try session.removeBiometry(named: name) }
                return .none
            })
        try activation.start(call, task: task) { (activation) throws(Failure) in
            try activation.require(.activated)
            try activation.requireBiometry(named: name)
        }
    }

    // MARK: External encryption key

    /// The operations on the external encryption key (powerauth.md §14.1).
    public enum ExternalKeyChange: Sendable {
        /// In this process only.
        case set(SecureBytes)
        case add(SecureBytes)
        case remove
    }

    package func changeExternalKey(_ change: ExternalKeyChange) throws(Failure) {
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(nil)
            switch change {
            case .set(let key):
                try Failure.converting { () throws(PowerAuthError) in try activation.session.setExternalKey(key) }
            case .add(let key):
                try activation.durably { (session) throws(PowerAuthError) in try session.addExternalKey(key) }
            case .remove:
                try activation.durably { (session) throws(PowerAuthError) in try session.removeExternalKey() }
            }
        }
    }

    // MARK: Vault

    /// A key for the host's own data: the same for the same index as long as the activation lives.
    package func fetchEncryptionKey(index: UInt64, authentication: Authentication, task: CallTask) throws(Failure) {
        if activation.lock.glance({ activation.session.version == .v40 }) {
            return try fetchKey(.application2FA, index: index, count: 16, authentication: authentication, task: task)
        }
        try openVault(.fetchEncryptionKey, authentication, task) { (session, vault) throws(PowerAuthError) in
            .data(try session.applicationKey(index: index, vault: vault))
        }
    }

    /// A key for the host's own data of one of the two kinds of 4.0.
    ///
    /// - Parameter count: 16 to 64 bytes
    package func fetchKey(
        _ id: V4.VaultKeyIdentifier, index: UInt64, count: Int, authentication: Authentication, task: CallTask
    ) throws(Failure) {
        try activation.requireV4("the kinds of vault keys. Use mtoken_vault_fetch_key.")
        guard (16...64).contains(count) else { throw .argument("The size of a vault key is not 16 to 64.") }
        let keys = try activation.signingKeys(authentication)
        if case .applicationKnowledge = id, keys.factors != .possessionKnowledge {
            throw Failure(
                .factor, Reason.factorNotAllowed, "This vault key needs possession and the PIN, and nothing else.")
        }
        try activation.start(
            .vaultV4(id, keys: keys) { (session, vault) throws(PowerAuthError) in
                try session.applicationKeyV4(vault, id, index: index, count: count)
            }, task: task)
    }

    private func signV4(
        _ data: [UInt8], _ form: V4.DeviceSignatureForm, _ authentication: Authentication, _ task: CallTask
    ) throws(Failure) {
        try activation.start(
            .vaultV4(.devicePrivate, keys: try activation.signingKeys(authentication)) {
                (session, vault) throws(PowerAuthError) in
                SecureBytes(copying: try session.deviceSignatureV4(data, form, vault: vault))
            }, task: task)
    }

    /// Signs data with the device's private key.
    package func signWithDeviceKey(
        _ data: [UInt8], format: SignatureFormat, authentication: Authentication, task: CallTask
    ) throws(Failure) {
        if activation.lock.glance({ activation.session.version == .v40 }) {
            return try signV4(data, .ecdsa(format), authentication, task)
        }
        try openVault(.signWithDevicePrivateKey, authentication, task) { (session, vault) throws(PowerAuthError) in
            .data(SecureBytes(copying: try session.deviceSignature(data, format: format, vault: vault)))
        }
    }

    /// Signs data with the device's ML-DSA key, which an activation of a hybrid suite has.
    package func signWithDeviceKeyMLDSA(
        _ data: [UInt8], authentication: Authentication, task: CallTask
    ) throws(Failure) {
        guard activation.lock.glance({ activation.session.suite?.isHybrid ?? false }) else {
            throw .onlyInV4("ML-DSA keys, in hybrid suites.")
        }
        try signV4(data, .mldsa, authentication, task)
    }

    /// Makes a JSON Web Token of claims, signed with the device's private key; in 4.0 a JWS in its general JSON form.
    package func signToken(claims: [UInt8], authentication: Authentication, task: CallTask) throws(Failure) {
        guard Session.areClaims(claims) else { throw .argument("claims must be a JSON object.") }
        if activation.lock.glance({ activation.session.version == .v40 }) {
            return try signV4(claims, .jws, authentication, task)
        }
        try openVault(.signWithDevicePrivateKey, authentication, task) { (session, vault) throws(PowerAuthError) in
            .data(SecureBytes(copying: try session.deviceToken(claims: claims, vault: vault)))
        }
    }

    /// The device's public key: SubjectPublicKeyInfo in DER.
    public func publicKey() throws(Failure) -> [UInt8] {
        let key = try activation.devicePublicKey()
        guard let info = try? key.subjectPublicKeyInfo() else {
            throw Failure(.internal, Reason.internalError, "The public key could not be encoded.")
        }
        return info
    }

    /// Makes a request for a certificate (PKCS #10) and signs it with the device's private key.
    package func signRequest(
        subject: [CertificateRequest.Field], extensions: [CertificateRequest.Field], authentication: Authentication,
        task: CallTask
    ) throws(Failure) {
        let key = try activation.devicePublicKey()
        guard let request = try? CertificateRequest(subject: subject, extensions: extensions, key: key) else {
            throw .argument("A field of the subject or an extension cannot be encoded.")
        }
        if key.curve == .p384 { return try signV4([], .request(request), authentication, task) }
        try openVault(.signWithDevicePrivateKey, authentication, task) { (session, vault) throws(PowerAuthError) in
            .data(SecureBytes(copying: try session.sign(request, vault: vault)))
        }
    }

    /// The recovery code and PUK that came with the activation.
    package func fetchRecoveryData(authentication: Authentication, task: CallTask) throws(Failure) {
        try activation.requireLegacy("recovery codes.")
        let isThere = try activation.lock.glance { () throws(Failure) in
            try activation.require(.activated)
            return activation.session.hasRecoveryData
        }
        guard isThere else {
            throw Failure(.notFound, Reason.notFound, "The activation has no recovery data.")
        }
        try openVault(.recoveryCode, authentication, task) { (session, vault) throws(PowerAuthError) in
            .recovery(try session.recoveryData(vault: vault))
        }
    }

    private func openVault(
        _ reason: VaultReason, _ authentication: Authentication, _ task: CallTask,
        _ use: @escaping (Session, VaultKey) throws(PowerAuthError) -> CallResult
    ) throws(Failure) {
        let call = Call.vault(reason, keys: try activation.signingKeys(authentication)) {
            (activation, vault) throws(Failure) in
            try Failure.converting(answered: true) { () throws(PowerAuthError) in try use(activation.session, vault) }
        }
        try activation.start(call, task: task)
    }

    /// Confirms a recovery code that came on paper.
    package func confirmRecoveryCode(
        _ code: SecureBytes, authentication: Authentication, task: CallTask
    ) throws(Failure) {
        try activation.requireLegacy("recovery codes.")
        let payload = try Failure.converting { () throws(PowerAuthError) in
            try RecoveryCode.confirmationPayload(code: code)
        }
        try activation.start(
            .confirmRecoveryCode(payload, keys: try activation.signingKeys(authentication)), task: task)
    }
}

extension Activation {
    /// Refuses what only an activation of protocol 3 has. Takes the lock.
    fileprivate func requireLegacy(_ what: String) throws(Failure) {
        if lock.glance({ session.version == .v40 }) { throw .notInV4(what) }
    }

    /// Takes the lock.
    fileprivate func devicePublicKey() throws(Failure) -> PublicKey {
        try lock.glance { () throws(Failure) in
            try require(.activated)
            let key = try Failure.converting { () throws(PowerAuthError) in try session.devicePublicKey() }
            guard let key else {
                throw Failure(
                    .notFound, Reason.notFound, "The activation was imported without the device's public key.")
            }
            return key
        }
    }

    /// Refuses what only an activation of protocol 4.0 has. Takes the lock.
    func requireV4(_ what: String) throws(Failure) {
        try lock.glance { () throws(Failure) in
            try require(.activated)
            guard session.version == .v40 else { throw .onlyInV4(what) }
        }
    }

    /// Under the lock.
    fileprivate func requireBiometry(named name: [UInt8]?) throws(Failure) {
        guard session.hasBiometry(named: name) else {
            throw Failure(.notFound, Reason.factorNotConfigured, "The client has no such biometry factor.")
        }
    }
}
