// SPDX-License-Identifier: Apache-2.0
import MobileTokenModel
import Synchronization

/// The tracked operations of an activation (operations.md §9), and the events about them. Guarded by the activation's
/// lock.
final class OperationsState: ServiceState, @unchecked Sendable {
    private let runtime: Runtime
    /// The operations known.
    var registry = OperationRegistry()
    /// The polling that was started.
    var polling: OperationPolling? {
        didSet {
            guard (oldValue == nil) != (polling == nil) else { return }
            runtime.pollerCount.add(polling == nil ? -1 : 1, ordering: .relaxed)
        }
    }

    /// The list that came last.
    var lastReply: RepeatedList?

    init(_ runtime: Runtime) { self.runtime = runtime }

    override func notice(_ serverState: ServerState) { polling?.noticed(serverState) }

    override func close() {
        polling = nil
        lastReply = nil
    }

    // MARK: Reports of calls

    /// A list has arrived. One that was asked for before the operations changed otherwise is stale and not published.
    func publish(_ list: OperationList, askedAt mutations: Int?, _ activation: Activation) {
        guard mutations == registry.mutations else { return }
        let change = registry.replace(with: list, of: lastReply)
        registry.failures = 0
        registry.lastFetch = Operations.LastFetch(
            failure: nil, time: activation.runtime.now, serverTime: list.currentTimestamp, skipped: list.skippedCount,
            mayBeCut: list.mayBeCut)
        polling?.fetched(change)
        activation.emit(.operationsChanged(change))
    }

    /// A fetch has failed; one that all its callers have cancelled says nothing.
    func publish(_ failure: Failure, askedAt mutations: Int?, _ activation: Activation) {
        guard failure.code != .cancelled, mutations == registry.mutations else { return }
        registry.failures &+= 1
        registry.lastFetch = Operations.LastFetch(
            failure: failure, time: activation.runtime.now, serverTime: nil, skipped: 0, mayBeCut: false)
        if failure.retryAfter != nil { polling?.putOff() }
        activation.emit(.operationsFailed(failure))
    }

    /// A fetch has begun, or ended.
    func publishLoading(_ isRunning: Bool, _ activation: Activation) {
        registry.fetches &+= isRunning ? 1 : -1
        if registry.fetches == (isRunning ? 1 : 0) { activation.emit(.operationsLoading(isRunning)) }
    }

    func publishClaimed(_ operation: UserOperation, _ activation: Activation) {
        publish(registry.add(operation), activation)
    }

    /// An operation was approved or rejected.
    func publishSettled(_ id: String, _ activation: Activation) { publish(registry.remove(id), activation) }

    /// The activation is gone, and its operations with it.
    override func forget(_ activation: Activation) {
        lastReply = nil
        publish(registry.clear(), activation)
    }

    private func publish(_ change: OperationChange?, _ activation: Activation) {
        polling?.stir()
        if let change { activation.emit(.operationsChanged(change)) }
    }
}
