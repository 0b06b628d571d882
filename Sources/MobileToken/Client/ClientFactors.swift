import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// The factors of the activation, and what the vault guards.
extension Client {
    /// Asks the server whether a PIN is right.
    package func validatePIN(_ pin: SecureBytes, task: CallTask) throws(Failure) {
        try activation.start(.validatePIN(keys: try activation.signingKeys(Authentication(pin: pin))), task: task)
    }

    /// Changes the PIN after the server has found the old one right.
    package func changePIN(from old: SecureBytes, to new: SecureBytes, task: CallTask) throws(Failure) {
        let (oldKey, newKey) = try knowledgeKeys(old, new)
        try activation.start(.changePIN(from: oldKey, to: newKey), task: task)
    }

    /// Changes the PIN here without asking: a wrong old one destroys the knowledge factor.
    public func changePINUnsafely(from old: SecureBytes, to new: SecureBytes) throws(Failure) {
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
        let (present, fresh) = try activation.lock.withLock { () throws(Failure) in
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
        guard key.count == 16, !key.isAllZero else {
            throw .argument("A biometry key must be 16 bytes, not all zero.")
        }
        try GivenName.check(authenticator: authenticator)
        let name = authenticator.map { [UInt8]($0.utf8) }
        let call = Call.vault(.addBiometry, keys: try activation.signingKeys(authentication)) {
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

    /// Removes the biometric factor, or a named authenticator's copy of it. The servers of protocol 3 are not told.
    package func removeBiometry(authenticator: String?, task: CallTask) throws(Failure) {
        try GivenName.check(authenticator: authenticator)
        let name = authenticator.map { [UInt8]($0.utf8) }
        let call = Call.locally("biometry removal") { (activation) throws(Failure) in
            try activation.requireBiometry(named: name)
            try activation.durably { (session) throws(PowerAuthError) in try session.removeBiometry(named: name) }
            return .none
        }
        try activation.start(call, task: task) { (activation) throws(Failure) in
            try activation.require(.activated)
            try activation.requireBiometry(named: name)
        }
    }

    // MARK: External encryption key

    /// What may be done with the external encryption key (powerauth.md §14.1).
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
        try openVault(.fetchEncryptionKey, authentication, task) { (session, vault) throws(PowerAuthError) in
            .data(try session.applicationKey(index: index, vault: vault))
        }
    }

    /// Signs data with the device's private key.
    package func signWithDeviceKey(
        _ data: [UInt8], format: SignatureFormat, authentication: Authentication, task: CallTask
    ) throws(Failure) {
        try openVault(.signWithDevicePrivateKey, authentication, task) { (session, vault) throws(PowerAuthError) in
            .data(SecureBytes(copying: try session.deviceSignature(data, format: format, vault: vault)))
        }
    }

    /// Makes a JSON Web Token of claims, signed with the device's private key.
    package func signToken(claims: [UInt8], authentication: Authentication, task: CallTask) throws(Failure) {
        guard Session.areClaims(claims) else { throw .argument("claims must be a JSON object.") }
        try openVault(.signWithDevicePrivateKey, authentication, task) { (session, vault) throws(PowerAuthError) in
            .data(SecureBytes(copying: try session.deviceToken(claims: claims, vault: vault)))
        }
    }

    /// The recovery code and PUK that came with the activation.
    package func fetchRecoveryData(authentication: Authentication, task: CallTask) throws(Failure) {
        let isThere = try activation.lock.withLock { () throws(Failure) in
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
        let payload = try Failure.converting { () throws(PowerAuthError) in
            try RecoveryCode.confirmationPayload(code: code)
        }
        try activation.start(
            .confirmRecoveryCode(payload, keys: try activation.signingKeys(authentication)), task: task)
    }
}

extension Activation {
    /// Under the lock.
    fileprivate func requireBiometry(named name: [UInt8]?) throws(Failure) {
        guard session.hasBiometry(named: name) else {
            throw Failure(.notFound, Reason.factorNotConfigured, "The client has no such biometry factor.")
        }
    }
}
