// SPDX-License-Identifier: Apache-2.0
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// The list of operations that a client keeps, and its events (operations.md §9).
extension Operations {
    /// A snapshot of the operations.
    public struct Known: Sendable {
        /// The list, as last fetched.
        public let operations: [UserOperation]
        /// A fetch is on its way.
        public let isLoading: Bool
        /// How the last fetch ended; nil: none has.
        public let lastFetch: Operations.LastFetch?
        /// Whether operations are polled.
        public let polling: PollingState
        /// Milliseconds between two fetches; 0: no polling.
        public let pollingInterval: Int64
    }

    /// Whether operations are polled.
    public enum PollingState: Int32, Sendable {
        case off = 0
        case on = 1
        case paused = 2
        /// The activation is not active: only its status is asked for, until it is.
        case waiting = 3
    }

    /// A snapshot. No network.
    public var known: Known {
        activation.lock.glance {
            Known(
                operations: state.registry.operations, isLoading: state.registry.fetches > 0,
                lastFetch: state.registry.lastFetch, polling: currentPolling,
                pollingInterval: state.polling?.interval ?? 0)
        }
    }

    /// Returns the known operation with this id for an approval, if its text is `json`.
    package func approvable(id: String, json: UnsafeRawBufferPointer) -> Approvable? {
        activation.lock.glance { state.registry.approvable(id: id, json: json) }
    }

    /// A fetch is on its way.
    public var isLoading: Bool { activation.lock.glance { state.registry.fetches > 0 } }

    /// Whether operations are polled.
    public var pollingState: PollingState { activation.lock.glance { currentPolling } }

    private var currentPolling: PollingState {
        state.polling.map { $0.isPaused ? .paused : $0.isWaiting ? .waiting : .on } ?? .off
    }

    /// The attachments of an operation.
    package func attached(to id: String) -> Attached { activation.lock.glance { state.registry.attachedKinds(id) } }

    /// Fetches the list without a result; does nothing while a fetch is under way.
    public func refresh(options: CallOptions? = nil) throws(Failure) {
        guard !activation.runtime.isStopped else { throw .state("The runtime was freed.") }
        let run = try activation.lock.glance { () throws(Failure) -> Run? in
            try activation.require(.activated)
            state.polling?.stir()
            return state.registry.fetches > 0 ? nil : wantedFetch(options)
        }
        if let run { activation.runtime.start(run) }
    }

    /// A fetch without a task. Under the lock.
    func wantedFetch(_ options: CallOptions?) -> Run {
        let run = Run(.operationList(state), activation, own: options, isWanted: true)
        run.begin()
        return run
    }

    /// A status call without a task. Under the lock.
    func wantedLook(_ options: CallOptions?) -> Run {
        Run(.activationStatus(catchesUp: false), activation, own: options, isWanted: true)
    }

    /// Attaches data for the approval and rejection of a known operation, until it is no longer known.
    ///
    /// - Parameter extras: nil: removes the attachments
    public func attach(_ extras: ApprovalExtras?, to id: String) throws(Failure) {
        let id = try Call.required(id, "The operation's id is empty.")
        if let extras { try Self.check(extras) }
        try activation.lock.withLock { () throws(Failure) in
            try activation.require(.activated)
            guard state.registry.attach(extras, to: id) else {
                throw Failure(
                    .notFound, Reason.notFound, "The client knows no such operation. Fetch the list, or claim it.")
            }
        }
    }

    /// The data given with a call, completed by the operation's attachments.
    func completed(_ extras: ApprovalExtras, for id: String) -> ApprovalExtras {
        guard let attached = activation.lock.glance({ state.registry.attached(to: id) }) else { return extras }
        return ApprovalExtras(
            proximity: extras.proximity ?? attached.proximity,
            mobileTokenData: extras.mobileTokenData ?? attached.mobileTokenData)
    }
}
