// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// An authenticator of the host's own, known by its name.
struct CustomAuthenticator {
    let name: String
    /// The biometry factor's key; nil: the authenticator keeps it and each answer brings it.
    let key: SecureBytes?
}

/// The state of mobile authentication. Guarded by the activation's lock.
final class MobileAuthState: ServiceState, @unchecked Sendable {
    /// The request that is being handled.
    var handling: MobileAuthHandling?
    /// The server has reported that it does not encrypt the detail of operations.
    var encryptedDetailRefused = false
    var authenticators: [CustomAuthenticator] = []

    override func forget(_: Activation) { authenticators = [] }

    override func close() { authenticators = [] }
}

/// Mobile authentication with push. May be used from any thread.
public struct MobileAuth: Sendable {
    /// How a host wants to handle a request.
    public struct Options: Sendable {
        /// The host itself uses the biometric sensor; otherwise the user enters the PIN.
        public var handlesBiometry = false
        /// The name of a custom authenticator, which is then preferred.
        public var authenticator: String?
        /// The text to show with the sensor; nil: the request's message.
        public var prompt: String?
        /// The host asks for the password of a proximity check; otherwise requests that require one are refused.
        public var handlesProximity = false
        /// Data sent with the answer, in addition to the operation's attachments.
        public var extras = ApprovalExtras()

        /// The defaults.
        public init() {}
    }

    /// Something that checks the user and releases a factor.
    public struct Authenticator: Sendable {
        /// Which one; never `none`.
        public let kind: MobileAuthOutcome.Authenticator
        /// It can answer a challenge.
        public let isRegistered: Bool
        /// A request that allows all authenticators asks for it first.
        public let isPreferred: Bool
    }

    let activation: Activation
    let state: MobileAuthState
    let operations: Operations

    /// The request that a push announces; nil: it is not for this client.
    public func request(of push: PushMessage) -> MobileAuthRequest? {
        guard let activationId = activation.lock.glance({ activation.session.activationId }) else { return nil }
        return MobileAuthRequest(push, profile: activation.options.id, activationId: activationId)
    }

    /// Fetches the requests that wait for the user, newest first.
    package func pending(task: CallTask) throws(Failure) {
        try requireEnrolment()
        let step = CallTask(stepOf: task)
        task.onCancel { [activation] task in
            step.cancel()
            activation.watch(task, cancelled: true)
        }
        try operations.list(task: step)
        activation.watch(task)
        step.whenCompleted { [self] step in
            if case .operations(let list)? = step.result {
                return activation.complete(task, .success(.mobileAuthRequests(pendingRequests(list))))
            }
            let failure = meaning(of: step.failure ?? .cancelled(), asked: false).told
            activation.complete(task, .failure(failure))
        }
    }

    private func pendingRequests(_ list: OperationList) -> [MobileAuthRequest] {
        var pending: [UserOperation] = []
        for operation in list.operations where operation.status == .pending {
            var place = pending.count
            while place > 0, pending[place - 1].created < operation.created { place -= 1 }
            pending.insert(operation, at: place)
        }
        return pending.map { MobileAuthRequest($0, profile: activation.options.id) }
    }

    /// The meaning of a call's failure for a request; the engine has fetched the status. Forgets an activation that the
    /// server has removed.
    ///
    /// - Parameter asked: the user had been asked already, so that the request was there before
    func meaning(of failure: Failure, asked: Bool) -> (error: MobileAuthError, told: Failure) {
        var error = MobileAuthError(failure, asked: asked)
        var told = failure
        if failure.code == .blocked || failure.code == .removed {
            told.remainingAttempts = 0
            let status = activation.lock.glance { activation.lastStatus }
            if let status, status.maxFailCount > 0, status.failCount >= status.maxFailCount {
                error = .userDeregistered
            }
        }
        if failure.code == .removed {
            told.message = "The server has removed the activation. It was removed here too."
            do throws(Failure) {
                try activation.removeLocally()
            } catch {
                activation.log(.error, words("could not remove the activation locally: ", error.reason))
            }
        }
        return (error, error.failure(from: told))
    }

    /// Handles a request: fetches it, asks the user by challenges, answers the server.
    ///
    /// - Parameter claims: whether to claim the request first, in case it belongs to no user yet
    @inline(never)
    package func handle(
        _ request: MobileAuthRequest, options: Options, claiming claims: Bool = false, task: CallTask
    ) throws(Failure) {
        guard activation.runtime.events.kinds.contains(.challenges) else {
            throw .state("The runtime does not deliver challenge events. Name them in its options.")
        }
        try Operations.check(options.extras)
        try requireEnrolment()
        let handling = try activation.lock.glance { () throws(Failure) in
            guard state.handling == nil else {
                throw MobileAuthError.alreadyInProgress.failure(
                    .busy, "The client is already handling a request.")
            }
            try requireAuthenticator(options)
            let handling = MobileAuthHandling(self, request: request, options: options, task: task)
            state.handling = handling
            return handling
        }
        activation.runtime.add(handling)
        do throws(Failure) {
            try handling.begin(claiming: claims)
        } catch {
            ended(handling)
            throw error
        }
    }

    /// A request of which only the id is known.
    public func request(transactionId: String) throws(Failure) -> MobileAuthRequest {
        let id = try Call.required(transactionId, "The transaction's id is empty.")
        return MobileAuthRequest(transactionId: id, profile: activation.options.id)
    }

    package func requireEnrolment() throws(Failure) {
        try activation.lock.glance { () throws(Failure) in try activation.requireEnrolment() }
    }

    func ended(_ handling: MobileAuthHandling) {
        let ended = activation.lock.glance {
            guard state.handling === handling else { return false }
            state.handling = nil
            return true
        }
        if ended { activation.runtime.remove(handling) }
    }

    // MARK: End-to-end encryption of the request

    var mayEncryptDetail: Bool { activation.lock.glance { !state.encryptedDetailRefused } }

    func avoidEncryptedDetail() { activation.lock.glance { state.encryptedDetailRefused = true } }

    // MARK: Custom authenticators

    /// Registers an authenticator, or replaces the one of that name.
    ///
    /// - Parameter key: the biometry factor's key; nil: each answer of the authenticator brings it
    public func registerAuthenticator(_ name: String, key: SecureBytes?) throws(Failure) {
        try NameLimits.check(authenticator: name)
        if let key { try activation.check(biometryKey: key) }
        try activation.lock.glance { () throws(Failure) in
            try activation.require(.activated)
            guard activation.session.hasBiometry || activation.session.hasBiometry(named: [UInt8](name.utf8)) else {
                throw Failure(.factor, Reason.factorNotConfigured, "The biometry factor is not set up.")
            }
            state.authenticators.removeAll { $0.name.byBytes == name.byBytes }
            state.authenticators.append(CustomAuthenticator(name: name, key: key))
        }
    }

    /// Forgets an authenticator of the host.
    public func unregisterAuthenticator(_ name: String) throws(Failure) {
        try activation.lock.glance { () throws(Failure) in
            guard authenticator(name) != nil else {
                throw Failure(.notFound, Reason.notFound, "No authenticator with this name is registered.")
            }
            state.authenticators.removeAll { $0.name.byBytes == name.byBytes }
        }
    }

    /// Under the lock.
    private func authenticator(_ name: String) -> CustomAuthenticator? {
        state.authenticators.first { $0.name.byBytes == name.byBytes }
    }

    /// The factors that sign a custom authenticator's answer.
    ///
    /// - Parameter key: what the authenticator has released; nil: the key that it was registered with
    func authentication(of name: String?, key: SecureBytes?) throws(Failure) -> Authentication {
        try activation.lock.glance { () throws(Failure) in
            guard let key = key ?? name.flatMap({ authenticator($0) })?.key else {
                throw .argument("This authenticator was registered without a key. Pass the key with the answer.")
            }
            // One that keeps a copy of its own is known by its name; the others stand for the unnamed one.
            let keeps = name.map { activation.session.hasBiometry(named: [UInt8]($0.utf8)) } ?? false
            return Authentication(biometryKey: key, authenticator: keeps ? name : nil)
        }
    }

    /// All authenticators: the PIN, the host's sensor, then its own by name.
    ///
    /// - Parameter options: decide which one is preferred: a request that allows all asks for it first
    public func authenticators(_ options: Options = Options()) throws(Failure) -> [Authenticator] {
        try activation.lock.glance { () throws(Failure) in
            try requireAuthenticator(options)
            let session = activation.session
            let isActive = session.phase == .activated
            let prefersSensor = options.authenticator == nil && options.handlesBiometry && session.hasBiometry
            let prefersPIN = options.authenticator == nil && !prefersSensor
            var names = session.authenticators.map { String(utf8: $0) }
            for own in state.authenticators where !names.contains(where: { $0.byBytes == own.name.byBytes }) {
                names.append(own.name)
            }
            return [
                Authenticator(kind: .pin, isRegistered: isActive, isPreferred: isActive && prefersPIN),
                Authenticator(kind: .biometric, isRegistered: session.hasBiometry, isPreferred: prefersSensor),
            ]
                + names.map {
                    Authenticator(
                        kind: .custom($0), isRegistered: true, isPreferred: options.authenticator?.byBytes == $0.byBytes
                    )
                }
        }
    }

    /// Under the lock.
    private func requireAuthenticator(_ options: Options) throws(Failure) {
        guard options.authenticator != nil, !setup(options).custom else { return }
        throw Failure(.notFound, Reason.notFound, "No authenticator with this name is registered.")
    }

    /// The available ways to answer a challenge. Under the lock.
    func setup(_ options: Options) -> (biometry: Bool, custom: Bool) {
        guard let name = options.authenticator else { return (activation.session.hasBiometry, false) }
        return (
            activation.session.hasBiometry,
            activation.session.hasBiometry(named: [UInt8](name.utf8))
                || (activation.session.hasBiometry && authenticator(name) != nil)
        )
    }
}
