// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem

/// Calls whose client has to wait for a store or sealer of the host: their time limits continue to run.
extension Activation {
    private func limit(of task: CallTask) -> Int64 {
        Int64(task.options?.timeoutMilliseconds ?? options.timeoutMilliseconds)
    }

    /// Runs what begins a call under the lock, or refuses the call when the host keeps the lock for as long as the call may take.
    func locked<R>(for task: CallTask, _ body: () throws(Failure) -> R) throws(Failure) -> R {
        guard lock.enter(within: limit(of: task)) else { throw .storageTimeout(outcome: .notSent) }
        defer { lock.leave() }
        return try body()
    }

    /// Completes a task when its client has been kept waiting for as long as the call may take.
    ///
    /// - Parameters:
    ///   - milliseconds: how long that is; nil: as the options say
    ///   - cancelled: it is to end as cancelled, soon
    @inline(never)
    func watch(_ task: CallTask, milliseconds: Int64? = nil, cancelled: Bool = false) {
        guard let lane, !task.isStep else { return }
        let limit = cancelled ? HostWatch.patience : max(milliseconds ?? limit(of: task), HostWatch.patience)
        let watch = HostWatch(self, lane, task, limit, isCancelled: cancelled)
        runtime.loop.post { watch.look() }
    }
}

/// Looks after one task. On the runtime's thread only.
private final class HostWatch: @unchecked Sendable {
    private let activation: Activation
    private let lane: Lane
    private let task: CallTask
    private let limit: Int64
    private let isCancelled: Bool
    private let begunAt: Int64

    /// How long a cancelled task may wait, in milliseconds.
    static let patience: Int64 = 100
    /// Between two looks.
    private static let pause: Int64 = 1_000

    init(_ activation: Activation, _ lane: Lane, _ task: CallTask, _ limit: Int64, isCancelled: Bool) {
        self.activation = activation
        self.lane = lane
        self.task = task
        self.limit = limit
        self.isCancelled = isCancelled
        begunAt = activation.runtime.loop.time.monotonicMilliseconds()
    }

    func look() {
        guard task.state == .running else { return }
        let loop = activation.runtime.loop
        let waited = lane.busySince.map { loop.time.monotonicMilliseconds() &- max($0, begunAt) } ?? 0
        if waited >= limit {
            let outcome = task.giveUp()
            return activation.complete(
                task, .failure(isCancelled ? .cancelled(outcome: outcome) : .storageTimeout(outcome: outcome)))
        }
        loop.schedule(afterMilliseconds: min(limit &- waited, Self.pause)) { [self] in look() }
    }
}
