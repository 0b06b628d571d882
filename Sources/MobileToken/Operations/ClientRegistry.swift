import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// The list of operations that a client keeps, and what it tells of it (operations.md §9).
extension Client {
    /// What is known of the operations.
    package struct KnownOperations: Sendable {
        package let operations: [UserOperation]
        package let isLoading: Bool
        package let lastFetch: OperationRegistry.LastFetch?
        package let polling: PollingState
        /// Milliseconds between two fetches; 0: no polling.
        package let pollingInterval: Int64
    }

    /// Whether operations are polled.
    package enum PollingState: Int32, Sendable {
        case off = 0
        case on = 1
        case paused = 2
        /// The activation is not active: only its status is asked for, until it is.
        case waiting = 3
    }

    /// A snapshot. No network.
    package var knownOperations: KnownOperations {
        lock.withLock {
            KnownOperations(
                operations: registry.operations, isLoading: registry.fetches > 0, lastFetch: registry.lastFetch,
                polling: currentPolling, pollingInterval: polling?.interval ?? 0)
        }
    }

    package var isLoadingOperations: Bool { lock.withLock { registry.fetches > 0 } }

    package var pollingState: PollingState { lock.withLock { currentPolling } }

    private var currentPolling: PollingState {
        polling.map { $0.isPaused ? .paused : $0.isWaiting ? .waiting : .on } ?? .off
    }

    /// What is attached to an operation.
    package func attached(to id: String) -> Attached { lock.withLock { registry.attachedKinds(id) } }

    /// Fetches the list without a result; does nothing while a fetch is under way.
    package func refreshOperations() throws(Failure) {
        guard !runtime.isStopped else { throw .state("The runtime was freed.") }
        let run = try lock.withLock { () throws(Failure) -> Run? in
            try require(.activated)
            return registry.fetches > 0 ? nil : wantedFetch()
        }
        if let run { runtime.start(run) }
    }

    /// A fetch that nobody has a task of. Under the lock.
    func wantedFetch() -> Run {
        let run = Run(.operationList(), client: self, epoch: epoch, task: nil, isWanted: true)
        run.begin()
        return run
    }

    /// A look at the status that nobody has a task of. Under the lock.
    func wantedLook() -> Run {
        Run(.activationStatus(catchesUp: false), client: self, epoch: epoch, task: nil, isWanted: true)
    }

    /// Attaches what comes with the approval and rejection of a known operation, until it is no longer known.
    ///
    /// - Parameter extras: nil: takes back what is attached
    package func attach(_ extras: ApprovalExtras?, to id: String) throws(Failure) {
        let id = try Self.required(id, "The operation's id is empty.")
        if let extras { try Self.check(extras) }
        try lock.withLock { () throws(Failure) in
            try require(.activated)
            guard registry.attach(extras, to: id) else {
                throw Failure(
                    .notFound, Reason.notFound, "No operation of this id is known: fetch the list, or claim it.")
            }
        }
    }

    /// What is given with a call, completed by what is attached to the operation.
    func completed(_ extras: ApprovalExtras, for id: String) -> ApprovalExtras {
        guard let attached = lock.withLock({ registry.attached(to: id) }) else { return extras }
        return ApprovalExtras(
            proximity: extras.proximity ?? attached.proximity,
            mobileTokenData: extras.mobileTokenData ?? attached.mobileTokenData)
    }

    // MARK: What calls tell, under the lock

    /// A list has arrived. One that was asked for before the operations changed otherwise is stale and not published.
    func publish(_ list: OperationList, askedAt mutations: Int?) {
        guard mutations == registry.mutations else { return }
        let change = registry.replace(with: list.operations)
        registry.failures = 0
        registry.lastFetch = OperationRegistry.LastFetch(
            failure: nil, time: runtime.now, serverTime: list.currentTimestamp, skipped: list.skippedCount,
            mayBeCut: list.mayBeCut)
        runtime.emit(.operationsChanged(change), client: self)
    }

    /// A fetch has failed; one that all its callers have cancelled says nothing.
    func publish(_ failure: Failure, askedAt mutations: Int?) {
        guard failure.code != .cancelled, mutations == registry.mutations else { return }
        registry.failures += 1
        registry.lastFetch = OperationRegistry.LastFetch(
            failure: failure, time: runtime.now, serverTime: nil, skipped: 0, mayBeCut: false)
        if failure.retryAfter != nil { polling?.putOff() }
        runtime.emit(.operationsFailed(failure), client: self)
    }

    /// A fetch has begun, or ended.
    func publishLoading(_ isRunning: Bool) {
        registry.fetches += isRunning ? 1 : -1
        if registry.fetches == (isRunning ? 1 : 0) { runtime.emit(.operationsLoading(isRunning), client: self) }
    }

    func publishClaimed(_ operation: UserOperation) { publish(registry.add(operation)) }

    /// An operation was approved or rejected.
    func publishSettled(_ id: String) { publish(registry.remove(id)) }

    /// The activation is gone, and its operations with it.
    func forgetOperations() { publish(registry.clear()) }

    private func publish(_ change: OperationChange?) {
        if let change { runtime.emit(.operationsChanged(change), client: self) }
    }
}
