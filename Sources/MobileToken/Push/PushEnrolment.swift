// SPDX-License-Identifier: Apache-2.0
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
        task.onCancel { [self] task in
            cancel()
            activation.watch(task, cancelled: true)
        }
        guard activation.lane != nil else { return try proceed() }
        activation.watch(task)
        guard activation.post({ [self] in go { () throws(Failure) in try proceed() } }) else {
            throw .state("The runtime was freed.")
        }
    }

    private func proceed() throws(Failure) {
        try activation.lock.withLock { () throws(Failure) in try push.forgetOther(than: digests) }
        if registration.legacyServer { return try register(registration, mayTryLegacy: false) }
        guard let known = activation.lock.withLock({ activation.serverVersion }) else { return try ask() }
        try register(named(for: known), mayTryLegacy: false, isNew: false)
    }

    /// The names of the services that a server of this version knows.
    private func named(for version: ServerVersion?) -> PushRegistration {
        version.map { $0 < .namesPushServicesAnew } ?? false ? registration.forLegacyServer : registration
    }

    /// Registers after the server has reported its version.
    private func ask() throws(Failure) {
        activation.lock.withLock { activation.serverVersion = nil }
        try run({ [activation] (step) throws(Failure) in try activation.start(.serverTime(), task: step) }) {
            [self] step in
            // Without any answer the registration would get none either.
            if var failure = step.failure, failure.outcome != .answered {
                failure.outcome = .notSent  // of the registration
                return finish(failure)
            }
            let version = activation.lock.withLock { activation.serverVersion }
            go { () throws(Failure) in try register(named(for: version), mayTryLegacy: version == nil) }
        }
    }

    /// - Parameter isNew: the version was asked for now; one that was known before may be that of another server by now
    private func register(
        _ registration: PushRegistration, mayTryLegacy: Bool, isNew: Bool = true
    ) throws(Failure) {
        try run({ [activation] (step) throws(Failure) in
            try activation.start(.registerPush(registration), task: step)
        }) { [self] step in
            guard var failure = step.failure, failure.httpStatus == 500 || (!isNew && failure.httpStatus == 400) else {
                return finish(step.failure)
            }
            if !isNew { return go { () throws(Failure) in try ask() } }
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
            // Before the task completes: its waiter may register again at once.
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
