// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// The activation's life.
extension Client {
    /// Starts an activation; the client must be empty.
    ///
    /// It sends the description of the device that the bank shows: a nil `platform` becomes `linux`, a nil `deviceInfo`
    /// becomes the name of the operating system, and an empty one is left out.
    package func activate(_ request: ActivationRequest, task: CallTask) throws(Failure) {
        if request.platform == nil { request.platform = "linux" }
        if request.deviceInfo == nil { request.deviceInfo = DeviceInfo.system }
        if request.deviceInfo?.isEmpty ?? false { request.deviceInfo = nil }
        try Self.checkLength(request.name, "name", 255)
        try Self.checkLength(request.platform, "platform", 255)
        try Self.checkLength(request.deviceInfo, "device_info", 255)
        try Self.checkLength(request.extras, "extras", 4000)
        try activation.start(.createActivation(), task: task) { (activation) throws(Failure) in
            try activation.require(.empty)
            try Failure.converting { () throws(PowerAuthError) in try activation.session.startActivation(request) }
        }
    }

    /// Refuses a text that is longer than the server takes, which would answer as to a wrong code (powerauth.md §7.3).
    private static func checkLength(_ text: String?, _ name: StaticString, _ limit: Int) throws(Failure) {
        guard let count = text?.unicodeScalars.count, count > limit else { return }
        throw .argument(
            filled("% has % characters; the server accepts at most %.", name.description, String(count), String(limit)))
    }

    /// The name of the device that the bank shows.
    ///
    /// - Parameter authentication: two factors, for the token that is made when there is none
    package func fetchDetail(_ authentication: Authentication, task: CallTask) throws(Failure) {
        let keys = try activation.signingKeys(authentication)
        guard keys.factors == .possessionKnowledge || keys.factors == .possessionBiometry else {
            throw Failure(
                .factor, Reason.factorNotAllowed, "The activation's details need the PIN or the biometry factor.")
        }
        try activation.start(.activationDetail(keys: keys), task: task)
    }

    /// Gives the device another name at the bank.
    ///
    /// - Parameter order: what the signature covers
    package func rename(
        to name: String, order: RequestSignature.Order, _ authentication: Authentication, task: CallTask
    ) throws(Failure) {
        try Self.checkLength(name, "name", 255)
        guard name.utf8.contains(where: { $0 > 0x20 }) else { throw .argument("name is blank.") }
        let keys = try activation.signingKeys(authentication)
        guard keys.factors != .possession else {
            throw Failure(.factor, Reason.factorNotAllowed, "Renaming needs the PIN or the biometry factor.")
        }
        try activation.start(
            .renameActivation(name, isSignedBefore: order == .signThenEncrypt, keys: keys), task: task)
    }

    /// The configuration that the bank keeps for its application.
    package func fetchConfiguration(_ scope: EncryptionScope, task: CallTask) throws(Failure) {
        if scope == .activation {
            try activation.requireV4("the configuration.")
        } else if activation.lock.glance({ activation.session.version != .v40 && !activation.session.isUndecided }) {
            throw .onlyInV4("the configuration.")
        }
        try activation.start(.remoteConfiguration(scope), task: task)
    }

    /// Completes a pending activation and stores it.
    ///
    /// - Parameters:
    ///   - biometryKey: 16 bytes to set up the biometry factor
    ///   - authenticator: the name of the authenticator that keeps the key; nil: the unnamed one
    public func persistActivation(
        pin: SecureBytes, biometryKey: SecureBytes?, authenticator: String? = nil
    ) throws(Failure) {
        try NameLimits.check(authenticator: authenticator)
        try options.pinPolicy.check(pin)
        let parameters = try activation.lock.withLock { () throws(Failure) in
            try activation.require(.responseValidated)
            return try Failure.converting { () throws(PowerAuthError) in try activation.session.newKnowledgeParameters()
            }
        }
        let knowledge = try Failure.converting { () throws(PowerAuthError) in
            try KnowledgeKey.derive(pin: pin, parameters: parameters)
        }
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.responseValidated)
            try activation.durably { (session) throws(PowerAuthError) in
                try session.persistActivation(
                    knowledge: knowledge, biometryKey: biometryKey,
                    authenticator: authenticator.map { [UInt8]($0.utf8) })
            }
            activation.confirmSoon(with: .possession(with: knowledge))
        }
    }

    /// Drops a pending activation, or cancels one that is being made.
    public func cancelActivation() throws(Failure) {
        try activation.lock.withLock { () throws(Failure) in
            guard activation.session.phase == .keysReady || activation.session.phase == .responseValidated else {
                throw .state("There is no activation in progress.")
            }
            activation.dropActivation()
        }
        activation.cancelCalls()
    }

    package func fetchStatus(task: CallTask) throws(Failure) { try activation.start(.activationStatus(), task: task) }

    /// Removes the activation at the server, then here.
    package func remove(_ authentication: Authentication, task: CallTask) throws(Failure) {
        try activation.start(.removeActivation(keys: try activation.signingKeys(authentication)), task: task)
    }

    /// Removes the activation here only.
    public func removeLocally() throws(Failure) { try activation.removeLocally() }

    /// Waits until the activation is active, and confirms it before.
    ///
    /// - Parameters:
    ///   - milliseconds: how long at most; nil: without limit
    ///   - pin: confirms an activation of 4.0 that another process has stored; nil: this one knows it, or there is no need
    ///   - task: completes with the status; it must be new
    package func waitActive(milliseconds: Int64?, pin: SecureBytes? = nil, task: CallTask) throws(Failure) {
        guard !activation.runtime.isStopped else { throw .state("The runtime was freed.") }
        if let pin {
            let keys = try activation.signingKeys(Authentication(pin: pin))
            try activation.locked(for: task) { () throws(Failure) in try activation.confirm(givenPIN: keys) }
        } else {
            try activation.lock.glance { () throws(Failure) in try activation.require(.activated) }
        }
        let wait = ActivationWait(activation, milliseconds: milliseconds, task: task)
        guard wait.begin(milliseconds: milliseconds) else { throw .state("The runtime was freed.") }
    }

    /// The claims about the user.
    package func fetchUserInfo(task: CallTask) throws(Failure) { try activation.start(.userInfo(), task: task) }
}

extension Activation {
    /// Confirms an activation of 4.0 with a PIN that the host gives, unless it is the one that it was stored with. Under the lock.
    fileprivate func confirm(givenPIN keys: SigningKeys) throws(Failure) {
        try require(.activated)
        guard session.version == .v40 else {
            throw .argument("auth must be NULL: protocol 3 confirms an activation without the PIN.")
        }
        // The PIN that the activation was stored with is right.
        guard session.marks.confirm, confirmation == nil || !knowsPIN else { return }
        confirm(with: keys, isRight: false)
    }
}
