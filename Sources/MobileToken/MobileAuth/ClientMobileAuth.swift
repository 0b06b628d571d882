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

/// Mobile authentication with push.
extension Client {
    /// The request that a push hints at; nil: it is none of this client's.
    package func mobileAuthRequest(of push: PushMessage) -> MobileAuthRequest? {
        let (activationId, now) = lock.withLock { (session.activationId, synchronizedNow) }
        guard let activationId else { return nil }
        return MobileAuthRequest(push, profile: options.id, activationId: activationId, now: now)
    }

    /// Fetches the requests that wait for the user, newest first.
    package func pendingMobileAuthRequests(task: CallTask) throws(Failure) {
        try requireEnrolment()
        let step = CallTask(isStep: true)
        task.onCancel { _ in step.cancel() }
        try operationList(task: step)
        step.whenCompleted { [self] step in
            if case .operations(let list)? = step.result {
                return finish(task, with: pendingRequests(list))
            }
            fail(task, step.failure ?? .cancelled())
        }
    }

    private func pendingRequests(_ list: OperationList) -> [MobileAuthRequest] {
        let now = lock.withLock { synchronizedNow }
        var pending: [MobileAuthRequest] = []
        for operation in list.operations where operation.status == .pending {
            let request = MobileAuthRequest(operation, profile: options.id, now: now)
            var place = pending.count
            while place > 0, pending[place - 1].date < request.date { place -= 1 }
            pending.insert(request, at: place)
        }
        return pending
    }

    private func finish(_ task: CallTask, with requests: [MobileAuthRequest]) {
        task.succeed(.mobileAuthRequests(requests))
        runtime.emit(.task(task), client: self)
    }

    private func fail(_ task: CallTask, _ failure: Failure) {
        task.fail(meaning(of: failure, asked: false).told)
        runtime.emit(.task(task), client: self)
    }

    /// What the failure of a call means for a request; the engine has asked the status. Forgets an activation that the server has
    /// removed.
    ///
    /// - Parameter asked: the user had been asked already, so that the request was there before
    func meaning(of failure: Failure, asked: Bool) -> (error: MobileAuthError, told: Failure) {
        var error = MobileAuthError(failure, asked: asked)
        var told = failure
        if failure.code == .blocked || failure.code == .removed {
            told.remainingAttempts = 0
            let status = lock.withLock { lastStatus }
            if let status, status.maxFailCount > 0, status.failCount >= status.maxFailCount {
                error = .userDeregistered
            }
        }
        if failure.code == .removed {
            told.message = "The server has removed the activation. It was removed here too."
            do throws(Failure) {
                try removeLocally()
            } catch {
                runtime.log(.error, client: self, "the removed activation cannot be removed here: \(error.reason)")
            }
        }
        return (error, error.failure(from: told))
    }

    /// Handles a request: fetches it, asks the user by challenges, answers the server.
    package func handleMobileAuth(
        _ request: MobileAuthRequest, options: MobileAuthHandling.Options, task: CallTask
    ) throws(Failure) {
        guard runtime.events.kinds.contains(.challenges) else {
            throw .state("The runtime was made without events of challenges: name them in its options.")
        }
        try Self.check(options.extras)
        try requireEnrolment()
        let handling = try lock.withLock { () throws(Failure) in
            guard self.handling == nil else {
                throw MobileAuthError.alreadyInProgress.failure(
                    .busy, "Another request of this client is being handled.")
            }
            if options.authenticator != nil, !authenticators(options).custom {
                throw Failure(.notFound, Reason.notFound, "No authenticator of this name is registered.")
            }
            let handling = MobileAuthHandling(client: self, request: request, options: options, task: task)
            self.handling = handling
            return handling
        }
        runtime.add(handling: self)
        do throws(Failure) {
            try handling.begin()
        } catch {
            handlingEnded(handling)
            throw error
        }
    }

    /// A request of which only the id is known.
    package func mobileAuthRequest(transactionId: String) throws(Failure) -> MobileAuthRequest {
        let id = try Self.required(transactionId, "The transaction's id is empty.")
        return MobileAuthRequest(transactionId: id, profile: options.id, now: lock.withLock { synchronizedNow })
    }

    package func requireEnrolment() throws(Failure) {
        do throws(Failure) {
            try lock.withLock { () throws(Failure) in try require(.activated) }
        } catch {
            guard error.code == .notActivated || error.code == .pending else { throw error }
            throw MobileAuthError.notEnrolled.failure(from: error)
        }
    }

    func handlingEnded(_ handling: MobileAuthHandling) {
        let ended = lock.withLock {
            guard self.handling === handling else { return false }
            self.handling = nil
            return true
        }
        if ended { runtime.remove(handling: self) }
    }

    // MARK: End-to-end encryption of the request

    var mayEncryptDetail: Bool { lock.withLock { !encryptedDetailRefused } }

    func avoidEncryptedDetail() { lock.withLock { encryptedDetailRefused = true } }

    // MARK: Custom authenticators

    /// Registers an authenticator, or replaces the one of that name.
    ///
    /// - Parameter key: the biometry factor's key, 16 bytes; nil: each answer of the authenticator brings it
    package func registerAuthenticator(_ name: String, key: SecureBytes?) throws(Failure) {
        guard (1...64).contains(name.utf8.count) else {
            throw .argument("An authenticator's name must have 1 to 64 bytes.")
        }
        guard key == nil || key?.count == 16 else { throw .argument("The key must have 16 bytes.") }
        try lock.withLock { () throws(Failure) in
            try require(.activated)
            guard session.hasBiometry || session.hasBiometry(named: [UInt8](name.utf8)) else {
                throw Failure(.factor, Reason.factorNotConfigured, "The biometry factor is not set up.")
            }
            customAuthenticators.removeAll { $0.name.byBytes == name.byBytes }
            customAuthenticators.append(CustomAuthenticator(name: name, key: key))
        }
    }

    package func unregisterAuthenticator(_ name: String) throws(Failure) {
        try lock.withLock { () throws(Failure) in
            guard authenticator(name) != nil else {
                throw Failure(.notFound, Reason.notFound, "No authenticator of this name is registered.")
            }
            customAuthenticators.removeAll { $0.name.byBytes == name.byBytes }
        }
    }

    /// Under the lock.
    private func authenticator(_ name: String) -> CustomAuthenticator? {
        customAuthenticators.first { $0.name.byBytes == name.byBytes }
    }

    /// What the answer of a custom authenticator signs with.
    ///
    /// - Parameter key: what the authenticator has released; nil: the key that it was registered with
    func authentication(of name: String?, key: SecureBytes?) throws(Failure) -> Authentication {
        try lock.withLock { () throws(Failure) in
            guard let key = key ?? name.flatMap({ authenticator($0) })?.key else {
                throw .argument("This authenticator was registered without a key, so its answer must bring one.")
            }
            // One that keeps a copy of its own is known by its name; the others stand for the unnamed one.
            let keeps = name.map { session.hasBiometry(named: [UInt8]($0.utf8)) } ?? false
            return Authentication(biometryKey: key, authenticator: keeps ? name : nil)
        }
    }

    /// What there is to answer a challenge with. Under the lock.
    func authenticators(_ options: MobileAuthHandling.Options) -> (biometry: Bool, custom: Bool) {
        guard let name = options.authenticator else { return (session.hasBiometry, false) }
        return (
            session.hasBiometry,
            session.hasBiometry(named: [UInt8](name.utf8)) || (session.hasBiometry && authenticator(name) != nil)
        )
    }
}
