import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Activation and what follows from it.
extension Client {
    /// Starts an activation; the client must be empty.
    ///
    /// What the bank shows of the device goes with it: a `deviceInfo` that is nil becomes the name of the operating system, an
    /// empty one is left out.
    package func activate(_ request: ActivationRequest, task: CallTask) throws(Failure) {
        var request = request
        if request.deviceInfo == nil { request.deviceInfo = DeviceInfo.system }
        if request.deviceInfo?.isEmpty ?? false { request.deviceInfo = nil }
        try Self.checkLength(request.name, "name", 255)
        try Self.checkLength(request.platform, "platform", 255)
        try Self.checkLength(request.deviceInfo, "device_info", 255)
        try Self.checkLength(request.extras, "extras", 4000)
        try start(.createActivation(), task: task) { (client) throws(Failure) in
            try client.require(.empty)
            try Failure.converting { () throws(PowerAuthError) in try client.session.startActivation(request) }
        }
    }

    /// Refuses a text that is longer than the server takes, which would answer as to a wrong code (powerauth.md §7.3).
    private static func checkLength(_ text: String?, _ name: StaticString, _ limit: Int) throws(Failure) {
        guard let count = text?.unicodeScalars.count, count > limit else { return }
        throw .argument("\(name) has \(count) characters; the server takes at most \(limit).")
    }

    /// The name of the device that the bank shows.
    ///
    /// - Parameter authentication: two factors, for the token that is made when there is none
    package func fetchDetail(_ authentication: Authentication, task: CallTask) throws(Failure) {
        let keys = try signingKeys(authentication)
        guard keys.factors == .possessionKnowledge || keys.factors == .possessionBiometry else {
            throw Failure(
                .factor, Reason.factorNotAllowed, "The detail of the activation needs the PIN or the biometry factor.")
        }
        try start(.activationDetail(keys: keys), task: task)
    }

    /// Completes a pending activation and stores it.
    ///
    /// - Parameters:
    ///   - biometryKey: 16 bytes to set up the biometry factor
    ///   - authenticator: the name of the authenticator that keeps the key; nil: the unnamed one
    package func persistActivation(
        pin: SecureBytes, biometryKey: SecureBytes?, authenticator: String? = nil
    ) throws(Failure) {
        let parameters = try lock.withLock { () throws(Failure) in
            try require(.responseValidated)
            return try Failure.converting { () throws(PowerAuthError) in try session.newKnowledgeParameters() }
        }
        let knowledge = try Failure.converting { () throws(PowerAuthError) in
            try KnowledgeKey.derive(pin: pin, parameters: parameters)
        }
        try lock.withLock { () throws(Failure) in
            try require(.responseValidated)
            try durably { (session) throws(PowerAuthError) in
                try session.persistActivation(
                    knowledge: knowledge, biometryKey: biometryKey,
                    authenticator: authenticator.map { [UInt8]($0.utf8) })
            }
        }
    }

    /// Drops a pending activation, or cancels one that is being made.
    package func cancelActivation() throws(Failure) {
        try lock.withLock { () throws(Failure) in
            guard session.phase == .keysReady || session.phase == .responseValidated else {
                throw .state("There is no activation in progress.")
            }
            dropActivation()
        }
        cancelRuns()
    }

    package func fetchStatus(task: CallTask) throws(Failure) { try start(.activationStatus(), task: task) }

    /// Removes the activation at the server, then here.
    package func remove(_ authentication: Authentication, task: CallTask) throws(Failure) {
        try start(.removeActivation(keys: try signingKeys(authentication)), task: task)
    }

    /// Removes the activation here only.
    package func removeLocally() throws(Failure) {
        try lock.withLock { () throws(Failure) in try forgetActivation() }
        cancelRuns()
    }

    package func synchronizeTime(task: CallTask) throws(Failure) { try start(.serverTime(), task: task) }

    /// The device's time, milliseconds since the epoch.
    package var deviceTime: Int64 { runtime.now }

    package func resetTime() { lock.withLock { resetClock() } }

    /// What is known of the client.
    package struct Information: Sendable {
        package let phase: Session.Phase
        package let version: ProtocolVersion
        package let activationId: String?
        package let fingerprint: String?
        package let hasBiometry: Bool
        package let hasRecoveryData: Bool
        package let timeIsSynchronized: Bool
        package let timeAdjustment: Int64
        /// Milliseconds; nil: not synchronised.
        package let timePrecision: Int64?
        package let now: Int64
        package let lastStatus: ActivationStatus?
        package let authenticators: [String]
        package let usesExternalKey: Bool
        package let hasExternalKey: Bool
        package let lastUserInfo: UserInfo?
        /// Signatures that no answer has acknowledged, and the server's window (nil: not known).
        package let unacknowledged: Int
        package let window: Int?
    }

    package var information: Information {
        lock.withLock {
            Information(
                phase: session.phase, version: session.version, activationId: session.activationId,
                fingerprint: (try? session.fingerprint()) ?? nil, hasBiometry: session.hasBiometry,
                hasRecoveryData: session.hasRecoveryData, timeIsSynchronized: time.isSynchronized,
                timeAdjustment: time.adjustment, timePrecision: time.isSynchronized ? time.precision : nil,
                now: synchronizedNow, lastStatus: lastStatus,
                authenticators: session.authenticators.map { String(decoding: $0, as: UTF8.self) },
                usesExternalKey: session.usesExternalKey, hasExternalKey: session.hasExternalKey,
                lastUserInfo: lastUserInfo, unacknowledged: session.unacknowledged, window: session.window)
        }
    }
}
