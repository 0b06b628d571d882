// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// One call under way, as its caller sees it: completes exactly once. May be used from any thread.
public final class CallTask: @unchecked Sendable {
    /// State of a task.
    public enum State: Int32, Sendable {
        case running = 0
        case succeeded = 1
        case failed = 2
        case cancelled = 3
    }

    private let lock = Lock()
    private let condition: Condition
    private var currentState = State.running
    private var currentResult = CallResult.none
    private var currentFailure: Failure?
    private var releaseAction: (@Sendable () -> Void)?
    private var cancelAction: (@Sendable (CallTask) -> Void)?
    private var cancelWasCalled = false
    /// How far its request has come, and whether the host has seen that.
    private var reached = Failure.Outcome.notSent
    private var isGivenUp = false
    private var step: CallTask?
    private var observers: [@Sendable (CallTask) -> Void] = []
    /// The tags of the events that the host requested before the task was reported as completed.
    private var tags: [UInt64] = []
    private var isTold = false

    /// The task's number in events; 0: none.
    package let number: UInt
    /// The number of the task's client; 0: it has none.
    let client: UInt
    private let board: TaskBoard?
    /// The caller's options, which override the client's.
    let options: CallOptions?
    /// One of several calls that make up the host's request; the host does not see it.
    let isStep: Bool
    /// The state of the handling of a mobile authentication request; set before the host gets the task.
    package internal(set) var mobileAuth: Locked<MobileAuthOutcome>?

    package init(number: UInt = 0, client: UInt = 0, board: TaskBoard? = nil, options: CallOptions?) {
        self.number = number
        self.client = client
        self.board = board
        self.options = options
        isStep = false
        condition = Condition(lock)
        board?.began()
    }

    /// A step of what the host asked for with a task, whose options it takes.
    ///
    /// - Parameter task: nil: the library asks on its own account
    init(stepOf task: CallTask?) {
        number = 0
        client = 0
        board = nil
        options = task?.options
        isStep = true
        condition = Condition(lock)
        isGivenUp = task?.takes(step: self) ?? false
    }

    deinit {
        if currentState == .running { board?.ended() }  // it was never started
    }

    /// The task's current state.
    public var state: State { lock.withLock { currentState } }

    /// The failure of a failed or cancelled task.
    public var failure: Failure? { lock.withLock { currentFailure } }

    /// The result of a task that succeeded.
    package var result: CallResult? { lock.withLock { currentState == .succeeded ? currentResult : nil } }

    /// Waits until the task has completed.
    ///
    /// - Parameter milliseconds: how long at most; nil: without limit; 0: only look
    /// - Returns: whether the task has completed
    public func wait(milliseconds: Int64?) -> Bool {
        lock.withLock {
            condition.wait(milliseconds: milliseconds) { currentState != .running }
        }
    }

    /// How a wait ended.
    package enum WaitEnding {
        case completed, timedOut
        /// By `Runtime.interrupt`.
        case interrupted
        /// Not begun: the calling thread is in a function of the host that the task's client waits for.
        case insideHostFunction
    }

    /// Waits until the task has completed, or the runtime's waits are ended.
    ///
    /// - Parameter milliseconds: how long at most; nil: without limit; 0: only look
    package func join(milliseconds: Int64?) -> WaitEnding {
        let isRunning = state == .running
        if isRunning, YieldingLock.isYieldedHere(client) { return .insideHostFunction }
        guard let board, milliseconds != 0, isRunning else {
            return wait(milliseconds: milliseconds) ? .completed : .timedOut
        }
        let begun = board.beginWait(for: self)
        defer { board.endWait(for: self) }
        return lock.withLock {
            var isInterrupted = false
            _ = condition.wait(milliseconds: milliseconds) {
                guard currentState == .running else { return true }
                isInterrupted = board.interruption != begun
                return isInterrupted
            }
            guard currentState == .running else { return .completed }
            return isInterrupted ? .interrupted : .timedOut
        }
    }

    /// Wakes the waiting threads to look again.
    func wake() { lock.withLock { condition.broadcast() } }

    /// Asks for an event with this tag when the task has completed, or at once if it has.
    package func notify(tag: UInt64) throws(Failure) {
        let isLate = lock.withLock {
            if !isTold { tags.append(tag) }
            return isTold
        }
        guard isLate else { return }
        guard board?.tell(self, tag: tag) == true else { throw .state("The runtime was freed.") }
    }

    /// Cancels the task; nothing happens when it has completed.
    public func cancel() {
        let action = lock.withLock { () -> (@Sendable (CallTask) -> Void)? in
            guard currentState == .running else { return nil }
            cancelWasCalled = true
            return cancelAction
        }
        action?(self)
    }

    /// No caller waits for it any longer: it was cancelled while it was running, although it may not have completed
    /// yet, or its time limit has expired.
    var isUnwanted: Bool { lock.withLock { cancelWasCalled || isGivenUp } }

    /// Its request has come this far.
    ///
    /// - Returns: false: the host has already seen that the request got no further
    func reaches(_ outcome: Failure.Outcome) -> Bool {
        lock.withLock {
            guard !isGivenUp else { return false }
            reached = outcome
            return true
        }
    }

    /// From now on the host sees that its request, or that of the step in progress, got this far and no further.
    func giveUp() -> Failure.Outcome {
        let (outcome, current) = lock.withLock { () -> (Failure.Outcome, CallTask?) in
            isGivenUp = true
            return (reached, step)
        }
        return current?.giveUp() ?? outcome
    }

    /// - Returns: whether no caller waits for it any longer
    private func takes(step: CallTask) -> Bool {
        lock.withLock {
            self.step = step
            return isGivenUp
        }
    }

    /// Calls back when the task has completed: on the runtime's thread, or at once if it has completed already.
    public func whenCompleted(_ observer: @escaping @Sendable (CallTask) -> Void) {
        let completed = lock.withLock {
            if currentState == .running { observers.append(observer) }
            return currentState != .running
        }
        if completed { observer(self) }
    }

    /// Sets what `cancel` does while the task is running.
    package func onCancel(_ action: @escaping @Sendable (CallTask) -> Void) {
        lock.withLock { cancelAction = action }
    }

    /// Sets what `release` does.
    package func onRelease(_ action: @escaping @Sendable () -> Void) {
        lock.withLock { releaseAction = action }
    }

    /// Gives back what the completed task holds. Nothing happens the second time.
    ///
    /// - Returns: whether it held something
    @discardableResult
    package func release() -> Bool {
        let action = lock.withLock {
            let action = releaseAction
            releaseAction = nil
            return action
        }
        action?()
        return action != nil
    }

    /// Completes the task; nothing happens the second time.
    ///
    /// - Parameter queue: queues its events, with the requested tags, before the completion becomes visible: a waiting
    ///   thread finds them. Called under the lock.
    func complete(_ result: Result<CallResult, Failure>, queue: ([UInt64]) -> Void) {
        let waiting: [@Sendable (CallTask) -> Void]? = lock.withLock {
            guard currentState == .running else { return nil }
            board?.ended()
            switch result {
            case .success(let result):
                currentState = .succeeded
                currentResult = result
            case .failure(let failure):
                currentState = failure.code == .cancelled ? .cancelled : .failed
                currentFailure = failure
            }
            cancelAction = nil
            step = nil
            if !isStep {
                queue(tags)
                isTold = true
                tags = []
            }
            let waiting = observers
            observers = []
            condition.broadcast()
            return waiting
        }
        for observer in waiting ?? [] { observer(self) }
    }
}
