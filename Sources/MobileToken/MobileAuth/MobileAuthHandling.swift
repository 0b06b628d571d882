// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// One request on its way (mobile-auth.md §2): received → fetching → challenged → answering →
/// (challenged again | completed).
///
/// The steps run where the calls of the client complete, on the runtime's thread; answers and cancellation come from any
/// thread. The handling lives as long as a call or a challenge of it does, held by the client.
final class MobileAuthHandling: Resident, @unchecked Sendable {
    private enum State {
        case fetching
        case challenged(Challenge)
        case answering
        case completed
    }

    private let service: MobileAuth
    private let task: CallTask
    private let options: MobileAuth.Options
    private let progress: Locked<MobileAuthOutcome>

    /// Guards everything up to the next remark.
    private let lock = Lock()
    private var state = State.fetching
    /// The call under way.
    private var step: CallTask?
    /// The handling shall end; a call under way ends first, so that its outcome is known.
    private var isCancelled = false
    private var attempt: Int32 = 0
    private var proximity: ProximityCheck?

    /// Runs when the request expires; used where the client lives only.
    private var expiry: LoopTimer?

    init(_ service: MobileAuth, request: MobileAuthRequest, options: MobileAuth.Options, task: CallTask) {
        self.service = service
        self.task = task
        self.options = options
        proximity = options.extras.proximity
        progress = Locked(MobileAuthOutcome(request))
        super.init(of: service.activation)
        task.mobileAuth = progress
    }

    private var activation: Activation { service.activation }

    /// Starts with fetching the request.
    ///
    /// - Parameter claims: whether to claim the request first, in case it belongs to no user yet
    func begin(claiming claims: Bool) throws(Failure) {
        task.onCancel { [self] task in
            cancel()
            activation.watch(task, cancelled: true)
        }
        do throws(Failure) {
            if claims { try claim() } else { try fetch() }
            activation.watch(task)
        } catch {
            lock.withLock { state = .completed }
            throw error
        }
    }

    /// Ends the handling, in whatever state it is. From any thread.
    override func cancel() {
        let (step, ends) = lock.withLock { () -> (CallTask?, Bool) in
            isCancelled = true
            if case .challenged = state { return (nil, true) }
            return (self.step, false)
        }
        step?.cancel()
        if ends { completeAsCancelled() }
    }

    /// Runs a call of the client and continues when it has completed.
    private func run(
        _ start: (CallTask) throws(Failure) -> Void, then: @escaping @Sendable (CallTask) -> Void
    ) throws(Failure) {
        let step = CallTask(stepOf: task)
        lock.withLock { self.step = step }
        try start(step)
        if lock.withLock({ isCancelled }) { step.cancel() }
        step.whenCompleted { step in then(step) }
    }

    // MARK: Fetching

    private func claim() throws(Failure) {
        let id = progress.value.request.transactionId
        try run({ [self] (step) throws(Failure) in try service.operations.claim(id: id, task: step) }) { [self] step in
            guard step.result != nil else { return stepFailed(step.failure) }
            do throws(Failure) {
                try fetch()
            } catch {
                stepFailed(error)
            }
        }
    }

    private func fetch() throws(Failure) { try fetch(service.mayEncryptDetail ? .encrypted : .plain) }

    /// How the request is asked for: inside end-to-end encryption; so again, with a new key, when the server no longer knows
    /// the old one; without, when the server does not offer it.
    private enum Envelope { case encrypted, encryptedAgain, plain }

    /// - Parameter refusal: how the server refused the encrypted call. When it does not refuse the plain one in the same
    ///   way, it is the encryption that it does not offer, and is not asked for again.
    private func fetch(_ envelope: Envelope, after refusal: Failure? = nil) throws(Failure) {
        let id = progress.value.request.transactionId
        try run({ [self] (step) throws(Failure) in
            try activation.start(
                envelope == .plain ? .operationDetail(id: id) : .encryptedOperationDetail(id: id), task: step)
        }) { [self] step in
            if let refusal, step.failure?.leavesUnproved(refusal) != true { service.avoidEncryptedDetail() }
            if case .operation(let operation)? = step.result { return fetched(operation) }
            guard envelope != .plain, let failure = step.failure, failure.mayRefuseEncryption else {
                return stepFailed(step.failure)
            }
            do throws(Failure) {
                let again = envelope == .encrypted && failure.serverCode?.byBytes == "ERR_ENCRYPTION"
                try fetch(again ? .encryptedAgain : .plain, after: again ? nil : failure)
            } catch {
                stepFailed(error)
            }
        }
    }

    private func fetched(_ operation: UserOperation) {
        let setup = activation.lock.glance { service.setup(options) }
        let userInfo = progress.value.request.userInfo
        let request = MobileAuthRequest(
            operation, profile: activation.options.id, userInfo: userInfo)
        progress.update { $0.request = request }
        guard operation.status == .pending else {
            return complete(.notFound, MobileAuthError.notFound.failure(.notFound, "The request is no longer pending."))
        }
        do throws(Failure) {
            try ApprovalRule().check(Approvable(operation), activation.options)
        } catch {
            return complete(.notHandleable, MobileAuthError.notHandleable.failure(from: error))
        }
        guard let kind = firstChallenge(operation.allowedSignature, setup) else {
            let failure = MobileAuthError.notHandleable.failure(
                .unsupported, "No authenticator of this device can satisfy the request.")
            return complete(.notHandleable, failure)
        }
        guard operation.wantsProximityCheck, !hasProximity(operation) else { return ask(kind) }
        guard options.handlesProximity else { return complete(.proximityRequired, .proximityRequired) }
        ask(.proximity)
    }

    /// Whether there is a password of a proximity check already.
    private func hasProximity(_ operation: UserOperation) -> Bool {
        lock.withLock { proximity != nil } || service.operations.attached(to: operation.id.string).contains(.proximity)
    }

    /// Which challenge the operation calls for; nil: none that this device can put.
    private func firstChallenge(
        _ allowed: AllowedSignature, _ setup: (biometry: Bool, custom: Bool)
    ) -> Challenge.Kind? {
        if allowed.kind == .oneFactor { return .confirmation }
        if allowed.isBiometryAllowed {
            if setup.custom { return .custom }
            if setup.biometry, options.handlesBiometry { return .biometric }
        }
        return allowed.allows(.possessionKnowledge) ? .pin : nil
    }

    // MARK: Asking

    private func ask(_ kind: Challenge.Kind, after previous: Failure? = nil) {
        let known = progress.value
        let request = known.request
        let challenge = lock.withLock { () -> Challenge? in
            guard !isCancelled, !task.isUnwanted else { return nil }
            attempt += 1
            let challenge = Challenge(
                kind, client: activation.number, time: activation.runtime.environment.time, task: task,
                request: request, attempt: attempt, previous: previous,
                prompt: options.prompt ?? request.message ?? "",
                authenticator: kind == .custom ? options.authenticator : nil,
                customInfo: kind == .pin ? known.customInfo : nil, serverInfo: known.serverInfo
            ) { [self] (challenge, answer) throws(Failure) in try self.answer(challenge, answer) }
            state = .challenged(challenge)
            step = nil
            return challenge
        }
        guard let challenge else { return completeAsCancelled() }
        progress.update { snapshot in
            switch kind {
            case .confirmation: snapshot.authenticator = .none
            case .pin: snapshot.authenticator = .pin
            case .biometric: snapshot.authenticator = .biometric
            case .custom: snapshot.authenticator = .custom(options.authenticator ?? "")
            case .proximity: break
            }
        }
        watchExpiry(of: request)
        activation.emit(.challenge(challenge))
    }

    /// Ends the handling when its request expires while the user is asked.
    private func watchExpiry(of request: MobileAuthRequest) {
        guard let operation = request.operation else { return }
        activation.post { [self] in
            let left = operation.expires &- activation.lock.glance { activation.synchronizedNow }
            dropTimer()
            guard isChallenged else { return }
            expiry = activation.schedule(afterMilliseconds: max(0, left)) { [self] in expire() }
        }
    }

    private func dropTimer() {
        if let expiry { activation.cancel(expiry) }
        expiry = nil
    }

    private var isChallenged: Bool {
        lock.withLock {
            if case .challenged = state { return true }
            return false
        }
    }

    private func expire() {
        complete(
            .expired, MobileAuthError.expired.failure(.timeout, "The request expired before it was answered."),
            onlyChallenged: true)
    }

    // MARK: Answering

    /// Takes the answer to a challenge. A failure leaves the challenge open.
    func answer(_ challenge: Challenge, _ answer: Challenge.Answer) throws(Failure) {
        let taken = lock.withLock {
            guard case .challenged(let open) = state, open === challenge else { return false }
            state = .answering
            step = nil
            return true
        }
        guard taken else { throw .state("The challenge was already answered, or its request has ended.") }
        do throws(Failure) {
            try carryOut(answer, of: challenge)
        } catch {
            let ends = lock.withLock {
                state = .challenged(challenge)
                return isCancelled
            }
            if ends { completeAsCancelled() } else { watchExpiry(of: challenge.request) }
            throw error
        }
    }

    private func carryOut(_ answer: Challenge.Answer, of challenge: Challenge) throws(Failure) {
        switch answer {
        case .confirm: try approve(.possession, challenge)
        case .pin(let pin): try approve(Authentication(pin: pin), challenge)
        case .biometric(let key): try approve(Authentication(biometryKey: key), challenge)
        case .custom(let key, let data):
            try approve(try service.authentication(of: challenge.authenticator, key: key), challenge, data: data)
        case .proximity(let check):
            try Operations.check(ApprovalExtras(proximity: check))
            guard let operation = challenge.request.operation,
                let kind = firstChallenge(
                    operation.allowedSignature, activation.lock.glance { service.setup(options) })
            else { throw .state("No authenticator of this device can still satisfy the request.") }
            lock.withLock { proximity = check }
            ask(kind)
        case .deny(let reason): try reject(reason, challenge, denied: true)
        case .usePIN(let info):
            guard challenge.request.operation?.allowedSignature.allows(.possessionKnowledge) == true else {
                throw Failure(.factor, Reason.factorNotAllowed, "The request does not allow the PIN.")
            }
            progress.update { $0.customInfo = info }
            ask(.pin)
        case .cancel:
            if challenge.kind == .custom { return try reject(nil, challenge, denied: false) }
            completeAsCancelled()
        case .abandon: completeAsCancelled()
        }
    }

    /// - Parameter data: a custom authenticator's information for the server
    private func approve(
        _ authentication: Authentication, _ challenge: Challenge, data: String? = nil
    ) throws(Failure) {
        guard let operation = challenge.request.operation else {
            throw .state("This challenge has no operation to approve.")
        }
        if let key = authentication.biometryKey { try activation.check(biometryKey: key) }
        let extras = try extras(of: operation, challenge, data)
        let info = Handover<String>()
        try run({ [self] (step) throws(Failure) in
            try service.operations.authorize(
                Approvable(operation), ApprovalRule(), authentication: authentication, extras: extras, info: info,
                task: step)
        }) { [self] step in
            progress.update { $0.serverInfo = step.failure?.customInfo ?? info.value }
            guard let failure = step.failure else { return complete() }
            refused(failure, challenge)
        }
    }

    /// The data sent with an approval: the host's data for this handling, the operation's attachments, and a custom
    /// authenticator's information.
    private func extras(
        of operation: UserOperation, _ challenge: Challenge, _ data: String?
    ) throws(Failure) -> ApprovalExtras {
        let given = ApprovalExtras(
            proximity: lock.withLock { proximity }, mobileTokenData: options.extras.mobileTokenData)
        guard let data else { return given }
        var extras = service.operations.completed(given, for: operation.id.string)
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("name")
        writer.value(challenge.authenticator ?? "")
        writer.key("data")
        writer.value(data)
        writer.endObject()
        let members = try MobileTokenData(initial: extras.mobileTokenData ?? Call.emptyRequest)
        try members.put("customAuthenticator", json: writer.bytes)
        extras.mobileTokenData = members.build()
        return extras
    }

    private func reject(_ reason: String?, _ challenge: Challenge, denied: Bool) throws(Failure) {
        let info = Handover<String>()
        try run({ [self] (step) throws(Failure) in
            try service.operations.reject(
                id: challenge.request.transactionId, reason: reason, mobileTokenData: options.extras.mobileTokenData,
                info: info, task: step)
        }) { [self] step in
            progress.update { $0.serverInfo = step.failure?.customInfo ?? info.value }
            if let failure = step.failure { return stepFailed(failure, asked: true) }
            progress.update { $0.isDenied = true }
            if denied { complete() } else { completeAsCancelled(outcome: .answered) }
        }
    }

    /// The server refused an approval: if its factor was wrong, there is another attempt.
    private func refused(_ failure: Failure, _ challenge: Challenge) {
        let isWrong = failure.code == .authentication
        switch challenge.kind {
        case .confirmation: stepFailed(failure, asked: true)  // there is nothing that the user could do better
        case .pin, .proximity:  // a proximity challenge is never answered by a signature
            if isWrong { ask(.pin, after: failure) } else { stepFailed(failure, asked: true) }
        case .biometric, .custom:
            let mayUsePIN = challenge.request.operation?.allowedSignature.allows(.possessionKnowledge) == true
            // The bank may take the PIN where it does not take this factor.
            if mayUsePIN, isWrong || failure.isOfAnotherCause {
                ask(.pin, after: failure)
            } else if isWrong {
                ask(challenge.kind, after: failure)
            } else {
                stepFailed(failure, asked: true)
            }
        }
    }

    /// A call has failed, and no other answer can help. The engine has fetched the status to interpret refusals.
    private func stepFailed(_ failure: Failure?, asked: Bool = false) {
        guard let failure else { return completeAsCancelled() }
        if activation.runtime.isStopped || lock.withLock({ isCancelled }) {
            return completeAsCancelled(outcome: failure.outcome)
        }
        let (error, told) = service.meaning(of: failure, asked: asked)
        complete(error, told)
    }

    // MARK: The end

    private func completeAsCancelled(outcome: Failure.Outcome = .notSent) {
        var failure = MobileAuthError.actionCancelled.failure(.cancelled, "The handling of the request was cancelled.")
        failure.outcome = outcome
        complete(.actionCancelled, failure)
    }

    /// Completes once, in whatever way.
    ///
    /// - Parameter onlyChallenged: not if an answer has come meanwhile
    private func complete(_ error: MobileAuthError? = nil, _ failure: Failure? = nil, onlyChallenged: Bool = false) {
        let first = lock.withLock {
            if case .completed = state { return false }
            if onlyChallenged {
                guard case .challenged = state else { return false }
            }
            state = .completed
            step = nil
            return true
        }
        guard first else { return }
        progress.update { $0.error = error }
        service.ended(self)
        activation.post { [self] in dropTimer() }
        activation.complete(task, failure.map { .failure($0) } ?? .success(.none))
    }
}

extension Failure {
    /// Whether this refusal of an encrypted call may be that of a server that does not offer encryption here. One that says
    /// something of the operation has opened the request; one that is the matter of a moment says nothing.
    fileprivate var mayRefuseEncryption: Bool {
        guard outcome == .answered, httpStatus != 0, httpStatus != 200, !isMomentary else { return false }
        switch serverCode?.byBytes ?? "" {
        case "INVALID_OPERATION", "INVALID_ACTIVATION", "OPERATION_ALREADY_FAILED", "OPERATION_ALREADY_FINISHED",
            "OPERATION_ALREADY_CANCELED", "OPERATION_EXPIRED", "OPERATION_FAILED", "OPERATION_REQUIRES_ACTIVATION_FLAG",
            "ACTIVATION_NOT_CONFIGURED", "ACTIVATION_NOT_ACTIVE", "ERR_TEMPORARY_KEY":
            return false
        default: return true
        }
    }

    /// Whether this failure of the plain call leaves open what the refusal of the encrypted one meant: it is the same, or
    /// the server did not look at the request.
    fileprivate func leavesUnproved(_ refusal: Failure) -> Bool {
        guard outcome == .answered, !isMomentary else { return true }
        return httpStatus == refusal.httpStatus && serverCode?.byBytes == refusal.serverCode?.byBytes
    }

    /// A gateway's answers, and those of a server that has too much to do.
    private var isMomentary: Bool {
        switch httpStatus {
        case 408, 429, 502, 503, 504: true
        default: false
        }
    }
}
