import MobileTokenSystem

/// One registration for push messages on its way: which names the server knows, then the registration itself.
///
/// Servers before 1.10 know the services by other names, and answer the new ones with a 500. The version tells; where it does
/// not, the old name is tried once after such an answer. Such a 500 means the same tomorrow, so it is never called retriable.
final class PushEnrolment: @unchecked Sendable {
    private let activation: Activation
    private let state: PushState
    private let push: Push
    private let registration: PushRegistration
    private let digests: [UInt8]?
    private let task: CallTask
    private let epoch: Int
    private let lock = Lock()
    private var step: CallTask?
    private var isCancelled = false

    /// Under the activation's lock.
    init(_ registration: PushRegistration, _ push: Push, digests: [UInt8]?, task: CallTask) {
        self.push = push
        self.digests = digests
        activation = push.activation
        state = push.state
        self.registration = registration
        self.task = task
        epoch = activation.epoch
    }

    func begin() throws(Failure) {
        task.onCancel { [self] _ in cancel() }
        if registration.legacyServer { return try register(registration, mayTryLegacy: false) }
        activation.lock.withLock { activation.serverVersion = nil }
        try run({ [activation] (step) throws(Failure) in try activation.start(.serverTime(), task: step) }) {
            [self] step in
            // Without any answer the registration would get none either.
            if var failure = step.failure, failure.outcome != .answered {
                failure.outcome = .notSent  // of the registration
                return finish(failure)
            }
            let version = activation.lock.withLock { activation.serverVersion }
            let isOld = version.map { $0 < .namesPushServicesAnew } ?? false
            go { () throws(Failure) in
                try register(isOld ? registration.forLegacyServer : registration, mayTryLegacy: version == nil)
            }
        }
    }

    private func register(_ registration: PushRegistration, mayTryLegacy: Bool) throws(Failure) {
        try run({ [activation] (step) throws(Failure) in
            try activation.start(.registerPush(registration), task: step)
        }) { [self] step in
            guard var failure = step.failure, failure.httpStatus == 500 else { return finish(step.failure) }
            if mayTryLegacy {
                return go { () throws(Failure) in try register(registration.forLegacyServer, mayTryLegacy: false) }
            }
            failure.retriable = false
            finish(failure)
        }
    }

    private func go(_ body: () throws(Failure) -> Void) {
        do throws(Failure) {
            try body()
        } catch {
            finish(error)
        }
    }

    private func run(
        _ start: (CallTask) throws(Failure) -> Void, then: @escaping @Sendable (CallTask) -> Void
    ) throws(Failure) {
        let step = CallTask(stepOf: task)
        lock.withLock { self.step = step }
        try start(step)
        if lock.withLock({ isCancelled }) { step.cancel() }
        step.whenCompleted { step in then(step) }
    }

    private func cancel() {
        let step = lock.withLock {
            isCancelled = true
            return self.step
        }
        step?.cancel()
    }

    private func finish(_ failure: Failure?) {
        activation.lock.withLock {
            // Before the task completes: who waits for it may register again at once.
            guard epoch == activation.epoch else { return }
            state.isRegistering = false
            guard failure == nil else { return }
            do throws(Failure) {
                try push.keep(digests)
            } catch {
                activation.log(.warning, "push registration: could not be stored")
            }
            state.isRegistered = true
        }
        activation.complete(task, failure.map { .failure($0) } ?? .success(.none))
    }
}
