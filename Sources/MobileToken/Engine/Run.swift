// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenSystem
import PowerAuth

/// One call on its way: its stages, and those who wait for it. `Need` says what comes first, `Turns` when it is signed, `Exchange`
/// makes its request, `Verdict` says what follows on a failure.
///
/// Used where its client lives only (`Activation.post`). It lives as long as it runs, held by the runtime.
final class Run: @unchecked Sendable {
    typealias Ending = Result<CallResult, Failure>

    enum Stage {
        case new, waitingForPrerequisite, waitingForStatus, waitingForTurn, sending, diagnosing, holdingTurn, finished
    }

    let activation: Activation
    var call: Call
    private let progress: ((Activation, Bool) -> Void)?
    private var hasBegun = false
    /// The activation's epoch that the call belongs to.
    let epoch: Int
    /// The name by which others may join.
    private let shared: String?
    /// The caller asked for the status, whatever call has followed.
    let isStatus: Bool
    let timeout: Int32
    let own: CallOptions?
    var callers: Callers<Run>
    /// The call under way that took over this one's tasks.
    private var joined: Run?
    var stage = Stage.new
    let exchange: Exchange
    /// The attempts of the call so far.
    var tried: Tried = []
    /// The status that the call waits for brings the counter up.
    var synchronizes = false
    /// The call follows at once on one that the server has acted on.
    var isBound = false
    /// The server's refusal, while the status call looks for its cause.
    var refusal: Failure?
    /// It looks for the cause of a refusal: its requests take what is left of the time.
    var isExplaining = false
    /// How far the request of a failed prerequisite came; this call's own was not made.
    var prerequisiteOutcome: Failure.Outcome?

    private var runtime: Runtime { activation.runtime }

    /// Under the activation's lock.
    ///
    /// - Parameters:
    ///   - epoch: nil: that of now
    ///   - own: the caller's options; nil: the client's
    ///   - isWanted: the call continues even when all its callers have cancelled
    init(
        _ call: Call, _ activation: Activation, epoch: Int? = nil, own: CallOptions?, timeout: Int32? = nil,
        isWanted: Bool = false
    ) {
        self.call = call
        progress = call.progress
        callers = Callers<Run>(isWanted: isWanted)
        self.activation = activation
        self.epoch = epoch ?? activation.epoch
        self.own = own
        // Calls with options of their own are never shared.
        shared = own == nil ? call.sharedAs : nil
        isStatus = call.sharedAs?.byBytes == "status"
        self.timeout = own?.timeoutMilliseconds ?? timeout ?? activation.options.timeoutMilliseconds
        exchange = Exchange(activation, epoch: self.epoch)
    }

    /// A call that completes a task. Under the activation's lock.
    convenience init(_ call: Call, _ activation: Activation, task: CallTask) {
        self.init(call, activation, own: task.options)
        join(task)
    }

    /// Tells that the call has begun, as soon as it was asked for. Under the activation's lock.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        progress?(activation, true)
    }

    /// Reports the end, if the beginning was reported.
    private func end() {
        guard let progress else { return }
        activation.lock.withLock { if hasBegun { progress(activation, false) } }
    }

    /// Begins, or hands its tasks over to a call under way that asks for the same.
    func start() {
        if let shared {
            if let same = activation.sharedRun(shared, epoch: epoch) {
                for task in callers.tasks { same.join(task) }
                if callers.isWanted { same.callers.isWanted = true }
                callers.tasks = []
                joined = same
                stage = .finished
                end()
                return note(.debug, "joined the one in progress")
            }
            activation.sharedRuns[shared.byBytes] = self
        }
        runtime.add(self)
        activation.lock.withLock { begin() }
        if let isDone = call.isDone, activation.lock.withLock({ epoch == activation.epoch && isDone(activation) }) {
            return finish(.success(.none))  // another call has done it meanwhile
        }
        advance()
    }

    private func join(_ task: CallTask) {
        callers.tasks.append(task)
        task.onCancel { [self] task in
            activation.post { self.drop(task) }
            activation.watch(task, cancelled: true)
        }
    }

    /// One of the callers no longer wants the answer: the call ends when it was the last one.
    private func drop(_ task: CallTask) {
        if let joined { return joined.drop(task) }
        guard stage != .finished, callers.has(task) else { return }
        guard callers.hasOthers else { return cancel() }
        callers.remove(task)
        let outcome: Failure.Outcome =
            switch stage {
            case .sending: .unknown
            case .diagnosing: refusal?.outcome ?? .answered
            default: .notSent
            }
        activation.complete(task, .failure(.cancelled(outcome: outcome)))
    }

    /// Stops the call: ends its transfer and completes all waiting tasks.
    func cancel() {
        if !exchange.cancel(), stage != .finished {
            finish(.failure(.cancelled(outcome: refusal?.outcome ?? .notSent)))
        }
    }

    /// Logs a line about the call. One function, not a copy in each caller.
    ///
    /// - Parameter detail: replaces a `%`
    @inline(never)
    func note(_ level: LogLevel, _ text: StaticString, _ detail: String = "") {
        activation.log(level, words(call.name, ": ", filled(text, detail)))
    }

    // MARK: Prerequisites and turn

    /// Goes as far as possible: from the top each time, since what was there before a wait may be gone after it.
    func advance() {
        guard stage != .finished else { return }
        guard !callers.haveCancelled else { return finish(.failure(.cancelled())) }
        if let inV4 = call.inV4, activation.lock.withLock({ activation.session.version == .v40 }) { call = inV4() }
        do throws(Failure) {
            if try waits() { return }
            if call.takesTurn {
                guard activation.turns.take(self) else {
                    note(.debug, "waiting for its turn")
                    stage = .waitingForTurn
                    return
                }
                if try waits() { return }
            }
            if case .turn = call.kind { return holdTurn() }
            if let conclusion = activation.lock.withLock({ replacement }) {
                guard case .next(let other) = conclusion else { return go(on: conclusion) }
                call = other
                return advance()
            }
            if let work = call.work {
                let result = try activation.lock.withLock { () throws(Failure) in
                    try requireClient()
                    return try work(activation)
                }
                return finish(.success(result))
            }
            send(
                try activation.lock.withLock { () throws(Failure) in
                    try requireClient()
                    return try exchange.request(of: call, timeout: requestTimeout, own: own)
                })
        } catch {
            finish(.failure(error))
        }
    }

    /// The conclusion that replaces the call when its turn has come; nil: none. Under the lock.
    private var replacement: Call.Conclusion? {
        if call.repeatsLastStep, activation.session.stepIsLost { return .next(.activationStatus()) }
        return call.skips?(activation)
    }

    /// Tells the callers that their turn has come. It ends when they have given it back.
    private func holdTurn() {
        stage = .holdingTurn
        for task in callers.tasks {  // there is one: such calls are not shared
            task.onRelease { [self] in activation.post { self.finish(.success(.none)) } }
            activation.complete(task, .success(.none))
        }
        callers.tasks = []
    }

    func giveTurnBack() {
        guard activation.turns.giveBack(self) else { return }
        activation.lock.withLock { activation.session.forgetFormerFactor() }
        // Not directly: a long queue of failing calls would nest as deep on the stack.
        if let next = activation.turns.pass() { activation.post { next.advance() } }
    }

    /// The time limit of a request, in milliseconds.
    var requestTimeout: Int32 { isExplaining ? exchange.timeLeft(of: timeout) : timeout }

    // MARK: Request

    func send(_ request: HTTPRequest) {
        guard callers.awaitRequest() else {
            activation.lock.withLock {
                exchange.endStep(isLost: false)
                exchange.giveCounterBack(call)
            }
            return finish(.failure(.cancelled()))
        }
        stage = .sending
        note(.info, "sent")
        exchange.send(request, of: call) { [self] result in received(result) }
    }

    // MARK: End

    /// Ends a call that never began, because the runtime has stopped. From any thread.
    func refuse(_ failure: Failure) {
        abandon(failure)
        end()
        for task in callers.tasks { activation.complete(task, .failure(failure)) }
    }

    private func abandon(_ failure: Failure) {
        guard let abandon = call.abandon else { return }
        activation.lock.withLock { if epoch == activation.epoch { abandon(activation, failure) } }
    }

    /// Ends the call in whatever way, once: tells its callers and those who waited for it.
    func finish(_ ending: Ending) {
        guard stage != .finished else { return }
        stage = .finished
        var ending = ending
        var failure: Failure?
        if case .failure(var error) = ending {
            if isBound, error.outcome == .notSent, error.code != .cancelled {
                activation.lock.withLock { exchange.keepFormerPIN(call) }
                error = call.bound(error)
            }
            error = call.named(error, exchange.correlationID)
            failure = error
            // Only a status tells that a factor is wrong.
            if error.code == .authentication, !error.isDiagnosed { error.code = .server }
            ending = .failure(error)
            note(error.isGrave ? .error : .warning, "failed, reason %", error.reason.description)
            abandon(error)
            if call.hides(error), let status = activation.lock.withLock({ activation.lastStatus }) {
                failure = nil
                ending = .success(.status(status))
            }
        }
        end()
        if let shared, activation.sharedRuns[shared.byBytes] === self { activation.sharedRuns[shared.byBytes] = nil }
        runtime.remove(self)
        let (tasks, dependents) = callers.leave()
        giveTurnBack()
        for task in tasks { activation.complete(task, ending) }
        // For a read-only call, the requests before this one count as its own.
        if let prerequisiteOutcome { failure?.outcome = prerequisiteOutcome }
        for dependent in dependents { dependent.prerequisiteEnded(failure) }
    }
}
