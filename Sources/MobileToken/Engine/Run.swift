import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth
import Synchronization

/// One call on its way: prerequisites, its turn among the signed calls, build, store, send, read, complete.
///
/// Used where its client lives only (`Activation.post`). It lives as long as it runs, held by the runtime.
final class Run: @unchecked Sendable {
    typealias Ending = Result<CallResult, Failure>

    private enum Stage {
        case new, waitingForPrerequisite, waitingForStatus, waitingForTurn, sending, diagnosing, holdingTurn, finished
    }

    let activation: Activation
    private(set) var call: Call
    private let progress: ((Activation, Bool) -> Void)?
    private var hasBegun = false
    /// The call continues even if no task of it is left.
    private var isWanted: Bool
    /// The activation's epoch that the call belongs to.
    let epoch: Int
    /// The name by which others may join.
    private let shared: String?
    /// It was asked for as the status, whatever call has followed on that.
    private let isStatus: Bool
    private let timeout: Int32
    private let own: CallOptions?
    private var traced: TraceRecord.Request?
    private var tasks: [CallTask]
    /// Calls that wait for this one, because it fetches what they need.
    private var dependents: [Run] = []
    /// The call under way that took over this one's tasks.
    private var joined: Run?
    private var stage = Stage.new
    private var transfer: Transfer?
    private let exchange: Exchange
    /// The attempts of the call so far.
    private var tried: Tried = []
    /// The status that the call waits for brings the counter up.
    private var synchronizes = false
    /// The call follows at once on one that the server has acted on.
    private var isBound = false
    /// The server's refusal, while the status call looks for its cause.
    private var refusal: Failure?
    /// It looks for the cause of a refusal: its requests take what is left of the time.
    private var isExplaining = false
    /// The failed attempts that the server was known to have counted when it refused.
    private var failedBefore: UInt8?
    /// How far the request came that had to come first and failed: this call's own was not made.
    private var prerequisiteOutcome: Failure.Outcome?
    /// The boot clock and the number of temporary keys when the call began: what is newer is not to blame for a refusal.
    private let begunAt: Int64
    private let keysAtBegin: Int
    /// The correlation id of the last request.
    private var correlationID: String?

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
        self.isWanted = isWanted
        self.activation = activation
        self.epoch = epoch ?? activation.epoch
        self.own = own
        // Calls with options of their own are never shared.
        shared = own == nil ? call.sharedAs : nil
        isStatus = call.sharedAs?.byBytes == "status"
        self.timeout = own?.timeoutMilliseconds ?? timeout ?? activation.options.timeoutMilliseconds
        begunAt = activation.runtime.environment.time.bootMilliseconds()
        exchange = Exchange(activation)
        keysAtBegin = exchange.keyNumber
        tasks = []
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
                for task in tasks { same.join(task) }
                if isWanted { same.isWanted = true }
                tasks = []
                joined = same
                stage = .finished
                end()
                note(.debug, "joined the one in progress")
                return
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
        tasks.append(task)
        task.onCancel { [self] task in
            activation.post { self.drop(task) }
            activation.watch(task, cancelled: true)
        }
    }

    /// One of the callers no longer wants the answer: the call ends when it was the last one.
    private func drop(_ task: CallTask) {
        if let joined { return joined.drop(task) }
        guard stage != .finished, tasks.contains(where: { $0 === task }) else { return }
        guard tasks.count > 1 || !dependents.isEmpty || isWanted else { return cancel() }
        tasks.removeAll { $0 === task }
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
        if let transfer {
            transfer.cancel()  // which ends in `received`, soon
        } else if stage != .finished {
            finish(.failure(.cancelled(outcome: refusal?.outcome ?? .notSent)))
        }
    }

    /// All callers have cancelled, although the loop has not come to it yet: nothing more is signed or sent for them.
    private var isUnwanted: Bool {
        !isWanted && dependents.isEmpty && !tasks.isEmpty && tasks.allSatisfy { $0.isUnwanted }
    }

    /// Logs a line about the call. Not copied into each place that does.
    ///
    /// - Parameter detail: replaces a `%`
    @inline(never)
    private func note(_ level: LogLevel, _ text: StaticString, _ detail: String = "") {
        activation.log(level, words(call.name, ": ", filled(text, detail)))
    }

    // MARK: Prerequisites and turn

    /// Goes as far as possible: from the top each time, since what was there before a wait may be gone after it.
    private func advance() {
        guard stage != .finished else { return }
        guard !isUnwanted else { return finish(.failure(.cancelled())) }
        if let inV4 = call.inV4, activation.lock.withLock({ activation.session.version == .v40 }) { call = inV4() }
        do throws(Failure) {
            if try waitsForStatus() { return }
            if let need = try activation.lock.withLock({ () throws(Failure) in try need().prerequisite() }) {
                stage = .waitingForPrerequisite
                return wait(for: need)
            }
            guard takesTurn() else {
                stage = .waitingForTurn
                return
            }
            if try waitsForStatus() { return }
            if case .turn = call.kind { return holdTurn() }
            if let skips = call.skips, let conclusion = activation.lock.withLock({ skips(activation) }) {
                guard case .next(let other) = conclusion else { return go(on: conclusion) }
                call = other
                return advance()
            }
            if let work = call.work {
                return finish(
                    .success(
                        try activation.lock.withLock { () throws(Failure) in
                            try requireClient()
                            return try work(activation)
                        }))
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

    /// Waits for the status, if it must be known before a signature is made.
    private func waitsForStatus() throws(Failure) -> Bool {
        guard let status = try activation.lock.withLock({ () throws(Failure) in try need().status(&tried) }) else {
            return false
        }
        // A call that waits here does not block the turns of others: bringing the counter up needs one.
        giveTurnBack()
        stage = .waitingForStatus
        synchronizes = status.sharedAs != nil
        wait(for: status)
        return true
    }

    /// Under the activation's lock.
    @inline(never)
    private func need() throws(Failure) -> Need {
        try requireClient()
        let isOnTurn = !call.isSigned || activation.turns.isTurn(of: self)
        return Need(call: call, activation: activation, tried: tried, isOnTurn: isOnTurn)
    }

    /// The client must be in the phase that the call needs, with the activation that it had when the call began.
    private func requireClient() throws(Failure) {
        guard epoch == activation.epoch else { throw .cancelled() }
        try activation.require(call.requires)
    }

    private func wait(for need: Call) {
        note(.debug, "needs % first", need.name.description)
        let provider: Run
        if let shared = need.sharedAs, let same = activation.sharedRun(shared, epoch: epoch) {
            provider = same
            same.dependents.append(self)
        } else {
            provider = Run(need, activation, epoch: epoch, own: nil, timeout: requestTimeout)
            provider.isExplaining = isExplaining
            provider.dependents.append(self)
            provider.start()
        }
    }

    /// The prerequisite of this call has completed or failed.
    private func prerequisiteEnded(_ failure: Failure?) {
        switch stage {
        case .waitingForPrerequisite:
            guard let failure else { return advance() }
            if call.isDoubtful(failure) { return diagnose(failure) }
            finish(.failure(prerequisiteFailure(failure)))
        case .waitingForStatus:
            guard let failure else {
                tried.insert(.status)
                if synchronizes { tried.insert(.synchronization) }
                return advance()
            }
            finish(.failure(activation.lock.withLock { statusFailure(failure) }))
        case .diagnosing:
            diagnosed(failure)
        default: return
        }
    }

    /// The failure of what had to come first, as this call's own.
    private func prerequisiteFailure(_ failure: Failure) -> Failure {
        var failure = failure
        // A signed request was not made. The outcome of a read-only call is that of its parts.
        if call.isSigned {
            prerequisiteOutcome = failure.outcome
            failure.outcome = .notSent
        } else if failure.outcome == .unknown {
            failure.retriable = true
        }
        return failure
    }

    /// Nothing is signed because the status cannot be had. Under the activation's lock.
    private func statusFailure(_ failure: Failure) -> Failure {
        var failure = failure
        failure.outcome = .notSent
        failure.isDiagnosed = true
        if activation.session.window != nil, activation.counterIsAtRisk {
            failure.reason = Reason.counterAtRisk
            failure.message = filled(
                "Nothing was signed: % signatures are not acknowledged, and the server's counter cannot be fetched. %",
                String(activation.session.unacknowledged), failure.message)
        }
        return failure
    }

    /// Whether the call continues now: a signed one when its turn has come.
    private func takesTurn() -> Bool {
        guard call.takesTurn, !activation.turns.take(self) else { return true }
        note(.debug, "waiting for its turn")
        return false
    }

    /// Tells the callers that their turn has come. It ends when they have given it back.
    private func holdTurn() {
        stage = .holdingTurn
        for task in tasks {  // there is one: such calls are not shared
            task.onRelease { [self] in activation.post { self.finish(.success(.none)) } }
            activation.complete(task, .success(.none))
        }
        tasks = []
    }

    private func giveTurnBack() {
        guard activation.turns.giveBack(self) else { return }
        activation.lock.withLock { activation.session.forgetFormerFactor() }
        // Not from here: a long row of calls that all fail would become as deep a row of calls on the stack.
        if let next = activation.turns.pass() { activation.post { next.advance() } }
    }

    // MARK: Request

    private func send(_ request: HTTPRequest) {
        // A request that was meanwhile reported as not sent is not sent.
        var isAwaited = isWanted || !dependents.isEmpty || tasks.isEmpty
        for task in tasks where task.reaches(.unknown) { isAwaited = true }
        guard isAwaited else {
            endStep(isLost: false)
            giveCounterBack()
            return finish(.failure(.cancelled()))
        }
        stage = .sending
        exchange.sentAt = runtime.now
        correlationID = CorrelationID.of(request)
        note(.info, "sent")
        if runtime.events.kinds.contains(.trace) {
            let traced = TraceRecord.Request(request, number: runtime.nextRequestNumber(), call: call.name)
            self.traced = traced
            activation.emit(.trace(TraceRecord(.request, traced)))
        }
        runtime.requestCount.add(1, ordering: .relaxed)
        let transfer = Transfer(activation)
        self.transfer = transfer
        transfer.begin(request) { [self] result in received(result) }
    }

    // MARK: Answer

    private func received(_ result: Result<HTTPResponse, TransportError>) {
        transfer = nil
        runtime.requestCount.subtract(1, ordering: .relaxed)
        guard stage == .sending else { return }
        switch result.flatMap({ $0.readable(limit: Activation.maximumAnswerSize) }) {
        case .failure(let error):
            let failure = Failure(error, signed: call.isSigned)
            if let traced { activation.emit(.trace(TraceRecord(.failure, traced, failure: failure))) }
            endStep(isLost: error.sent != .notSent)
            if error.sent == .notSent { giveCounterBack() }
            if call.isUnsettled(failure) { return diagnose(failure) }
            finish(.failure(failure))
        case .success(let response):
            for task in tasks { _ = task.reaches(.answered) }
            if let traced { activation.emit(.trace(TraceRecord(.answer, traced, response: response))) }
            note(.info, "HTTP status %", String(response.status))
            do throws(Failure) {
                let conclusion = try activation.lock.withLock { () throws(Failure) in
                    let conclusion = try read(response)
                    if epoch == activation.epoch, activation.session.phase == .activated {
                        try exchange.acknowledge(call)
                    }
                    return conclusion
                }
                _ = activation.lock.withLock { noticeDate(response) }
                go(on: conclusion)
            } catch {
                endStep(isLost: !error.isRefusal)
                conclude(
                    call.completed(error, response), confirmsTime: activation.lock.withLock { noticeDate(response) })
            }
        }
    }

    @discardableResult
    private func noticeDate(_ response: HTTPResponse) -> Bool? {
        switch call.root {
        case .powerAuth: break
        case .operations where activation.options.operationsURL.byBytes == activation.options.baseURL.byBytes: break
        default: return nil
        }
        return activation.compare(date: response.headers.date)
    }

    /// The signature that was withdrawn before it was sent has failed.
    private func endStep(isLost: Bool) {
        guard exchange.isUncounted else { return }
        activation.lock.withLock { if epoch == activation.epoch { activation.session.endStep(isLost: isLost) } }
    }

    private func giveCounterBack() {
        activation.lock.withLock {
            guard !activation.isClosed, epoch == activation.epoch else { return }
            do throws(Failure) {
                try exchange.giveCounterBack(call)
            } catch {
                note(.warning, "could not store the unused counter")
            }
        }
    }

    /// Goes on as is decided under the activation's lock; false: nothing is.
    private func goesOn(_ decide: () throws(Failure) -> Call.Conclusion?) -> Bool {
        do throws(Failure) {
            let conclusion = try activation.lock.withLock { () throws(Failure) -> Call.Conclusion? in
                guard !activation.isClosed, epoch == activation.epoch else { return nil }
                return try decide()
            }
            guard let conclusion else { return false }
            go(on: conclusion)
        } catch {
            finish(.failure(error))
        }
        return true
    }

    private func go(on conclusion: Call.Conclusion) {
        switch conclusion {
        case .done(let result): finish(.success(result))
        case .next(let call):
            isBound = false
            startOver(with: call)
        case .atOnce(let call):
            isBound = true
            isWanted = true
            startOver(with: call)
        }
    }

    private func startOver(with call: Call) {
        if !isBound { giveTurnBack() }
        exchange.begin()
        self.call = call
        stage = .new
        advance()
    }

    // MARK: Refusals

    /// Ends a call that was answered with a failure, or tries what may help.
    ///
    /// - Parameter confirmsTime: the answer's date agrees with the time that is known
    private func conclude(_ failure: Failure, confirmsTime: Bool?) {
        if confirmsTime == true { tried.insert(.time) }
        if let whenRefused = call.whenRefused {
            isExplaining = true
            if goesOn({ () throws(Failure) in try whenRefused(activation, failure) }) { return }
        }
        // An envelope that was not opened has done nothing: with another key or the right time it may be.
        if !call.isSigned, call.isUnread(failure), renewKeyOrTime() {
            return startOver(with: call)
        }
        if call.isUnsettled(failure) || call.isDoubtful(failure) { return diagnose(failure) }
        finish(.failure(failure))
    }

    /// No answer shows that the server has seen the first code of a new factor, or found it wrong: the change stays
    /// open.
    ///
    /// - Returns: the failure to report
    private func leftOpen(_ failure: Failure) -> Failure {
        guard call.provesFactor else { return failure }
        if call.step == .newPIN {
            activation.lock.withLock {
                guard epoch == activation.epoch, !activation.isClosed else { return }
                do throws(Failure) {
                    try activation.durably { (session) throws(PowerAuthError) in session.keepFormerPIN() }
                } catch {
                    note(.warning, "could not store that the new PIN is not proven")
                }
            }
        }
        guard failure.outcome == .unknown else { return failure }
        return failure.mayApply(call.step == .newPIN ? Reason.newPINMayApply : Reason.newBiometryMayApply)
    }

    /// A request that was not sent, after one of the same call that the server has answered and acted on.
    private func ofWholeCall(_ failure: Failure) -> Failure {
        guard isBound, failure.outcome == .notSent, failure.code != .cancelled else { return failure }
        var failure = failure
        failure.outcome = .unknown
        failure.retriable = false
        return leftOpen(failure)
    }

    /// The time limit of a request, in milliseconds.
    private var requestTimeout: Int32 { isExplaining ? timeLeft : timeout }

    /// The time limit of the search for a cause, in milliseconds: the rest of the call's own, and at least a quarter of
    /// it.
    private var timeLeft: Int32 {
        let spent = runtime.environment.time.bootMilliseconds().subtractingReportingOverflow(begunAt).partialValue
        return Int32(clamping: min(max(Int64(timeout) - max(spent, 0), Int64(timeout) / 4, 1), Int64(timeout)))
    }

    /// Asks for the status, without a signature, and keeps the turn meanwhile: no other call of this client is signed into the
    /// same refusal.
    private func diagnose(_ failure: Failure) {
        refusal = failure
        stage = .diagnosing
        failedBefore = activation.lock.withLock { activation.failures }
        note(.info, "refused, fetching the status for the cause")
        let look = Run(
            .activationStatus(catchesUp: false), activation, epoch: epoch, own: nil, timeout: timeLeft)
        look.isExplaining = true
        look.dependents.append(self)
        look.start()
    }

    /// The status has come, or cannot be had.
    private func diagnosed(_ failure: Failure?) {
        guard var refusal else { return }
        self.refusal = nil
        refusal.isDiagnosed = true
        if let failure {
            guard failure.code != .cancelled else {
                return finish(.failure(.cancelled(outcome: refusal.outcome)))
            }
            refusal = leftOpen(refusal)
            if call.isLost(refusal) { return finish(.failure(refusal)) }
            guard !failure.isOfUnknownActivation || activation.lock.withLock({ activation.session.version == .v40 })
            else {
                return finish(.failure(prerequisiteOrOwn(refusal.ofUnknownActivation)))
            }
            activation.lock.withLock { if activation.standing.failure == nil { activation.standing = .doubtful } }
            let isKeyless = failure.isOfAnotherCause
            return finish(
                .failure(
                    prerequisiteOrOwn(isKeyless ? failure.answered(by: refusal) : refusal.unavailable(because: failure))
                ))
        }
        tried.insert(.status)
        let (reason, isClosed, status, cause) = activation.lock.withLock {
            (activation.standingFailure, activation.standing.isClosed, activation.lastStatus, verdict(on: refusal))
        }
        if call.provesFactor, goesOn({ () throws(Failure) in try judged(refusal, cause) }) { return }
        let isWrong = cause == .factor && refusal.isOfCode
        if !isWrong { refusal = leftOpen(refusal) }
        if call.isLost(refusal) {
            return finish(.failure(refusal.telling(attemptsOf: status)))
        }
        // A confirmation is asked for while the activation is pending: that is not why it was refused.
        if let reason, call.step != .confirmation || isClosed {
            // The callers of the status get their result.
            if isStatus, let status { return finish(.success(.status(status))) }
            return finish(.failure(prerequisiteOrOwn(reason.answered(by: refusal))))
        }
        if case .counterBehind(let steps)? = cause, refusal.code == .authentication {
            return finish(.failure(Failure.counterBehind(steps, status).answered(by: refusal)))
        }
        if startsOver(after: refusal, cause) { return startOver(with: call) }
        if isWrong, call.provesFactor, isBound {
            return finish(.failure(refusal.ofSecretsThatDiffer(status)))
        }
        finish(.failure(prerequisiteOrOwn(refusal.whileActive(status, cause, signedWith: factors))))
    }

    /// Why the request was refused that this call has signed; nil: it has signed none. Under the activation's lock.
    private func verdict(on refusal: Failure) -> RefusalCause? {
        guard let mark = exchange.mark, let status = activation.lastStatus else { return nil }
        let cause = RefusalCause(
            RefusalCause.Evidence(
                failedBefore: failedBefore.map { Int($0) }, failedAfter: status.failCount, ahead: status.ahead,
                isTaken: activation.session.isAcknowledged(mark), provesUser: factors.provesUser))
        // Where the server was ahead, the status itself has noticed.
        if case .counterBehind(let steps) = cause, status.ahead == 0 { activation.noticeOtherHolder(steps: steps) }
        return cause
    }

    /// The consequence for a factor that this code was to complete. Under the activation's lock.
    private func judged(
        _ refusal: Failure, _ cause: RefusalCause?
    ) throws(Failure) -> Call.Conclusion? {
        switch cause {
        case .accepted?:
            return try exchange.readAccepted(call)
        case .factor? where refusal.isOfCode:
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in session.returnToFormerFactor()
            }
        default: break
        }
        return nil
    }

    private func prerequisiteOrOwn(_ failure: Failure) -> Failure {
        exchange.mark == nil ? prerequisiteFailure(failure) : failure
    }

    /// The activation is active: whether something that may be renewed is to blame.
    private func startsOver(after failure: Failure, _ cause: RefusalCause?) -> Bool {
        let isUnread = call.isUnread(failure)
        guard failure.code == .authentication || isUnread else { return false }
        if let keys = call.signature?.keys {
            // An envelope that was not opened has done nothing, and no attempt was counted for its signature. Where the server looks
            // at the signature first, its answer is that to a signature.
            if call.isEncrypted, cause == .accepted || (isUnread && cause == .notFactor) { return renewKeyOrTime() }
            // Another signature, but no other attempt: only where the device alone is asked for.
            guard call.isOfLibrary, keys.factors == .possession else { return false }
            return renewKeyOrTime()
        }
        guard let name = call.token?.name else { return false }
        if renewTime() { return true }
        guard !isUnread, tried.insert(.token).inserted else { return false }
        note(.info, "token refused, requesting a new one")
        return activation.lock.withLock {
            (try? activation.durably({ (session) throws(PowerAuthError) in try session.removeToken(named: name) }))
                != nil
        }
    }

    private func renewKeyOrTime() -> Bool {
        // The key that was refused has been forgotten; one that came for this request is not to blame. In 4.0 the status, which is
        // asked for the cause, has brought another one since.
        if activation.session.version.usesTemporaryKeys {
            return exchange.keyNumber == keysAtBegin && tried.insert(.key).inserted
        }
        return activation.session.version.usesTimestamps && renewTime()
    }

    /// Forgets the server's time, if it was learned before this call began and nothing has confirmed it since.
    private func renewTime() -> Bool {
        guard tried.insert(.time).inserted else { return false }
        return activation.lock.withLock {
            // It has been corrected, or found wrong, since the request was made.
            guard activation.time.isSynchronized, activation.isAbout(exchange.usedAdjustment) else { return true }
            guard !activation.timeIsNewer(than: begunAt) else { return false }
            activation.resetClock()
            return true
        }
    }

    private var factors: Factors { call.factors }

    /// Reads the answer. Under the activation's lock.
    private func read(_ response: HTTPResponse) throws(Failure) -> Call.Conclusion {
        guard !activation.isClosed, epoch == activation.epoch else { throw .cancelled(outcome: .answered) }
        guard exchange.isOfSameProtocol || !call.isOfActivation else { throw .upgradedMeanwhile }
        if exchange.isUnopened(response, of: call), renewKeyOrTime() {
            activation.forgetTemporaryKey(Exchange.scope(of: call))
            return .next(call)
        }
        return try exchange.read(response, of: call)
    }

    // MARK: End

    /// Ends a call that never began, because the runtime has stopped. From any thread.
    func refuse(_ failure: Failure) {
        abandon(failure)
        end()
        for task in tasks { activation.complete(task, .failure(failure)) }
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
            error = ofWholeCall(error)
            if error.correlationID == nil, let correlationID { error.correlationID = correlationID }
            if call.isOfLibrary, error.code != .cancelled { error.upstreamReason = Reason.networkToken }
            failure = error
            // Only a status tells that a factor is wrong.
            if error.code == .authentication, !error.isDiagnosed { error.code = .server }
            ending = .failure(error)
            note(error.isGrave ? .error : .warning, "failed, reason %", error.reason.description)
            abandon(error)
            if call.step == .catchingUp, !error.isGrave, error.code != .cancelled,
                let status = activation.lock.withLock({ activation.lastStatus })
            {
                failure = nil
                ending = .success(.status(status))
            }
        }
        end()
        if let shared, activation.sharedRuns[shared.byBytes] === self { activation.sharedRuns[shared.byBytes] = nil }
        runtime.remove(self)
        let (tasks, dependents) = (self.tasks, self.dependents)
        self.tasks = []
        self.dependents = []
        giveTurnBack()
        for task in tasks { activation.complete(task, ending) }
        // A read-only call has then sent the requests before this one too.
        if let prerequisiteOutcome { failure?.outcome = prerequisiteOutcome }
        for dependent in dependents { dependent.prerequisiteEnded(failure) }
    }
}
