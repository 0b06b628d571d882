import MobileTokenSystem

/// Calls whose client has to wait for a store or sealer of the host: their time goes on nevertheless.
extension Activation {
    /// Whether it lives on the thread that waits for the host.
    var livesApart: Bool { loop !== runtime.loop }

    /// Completes a task when that thread has been kept waiting for as long as the call may take.
    ///
    /// - Parameter cancelled: it is to end as cancelled, soon
    @inline(never)
    func watch(_ task: CallTask, cancelled: Bool = false) {
        guard livesApart, !task.isStep else { return }
        let watch = HostWatch(self, task, isCancelled: cancelled)
        runtime.loop.post { watch.look() }
    }
}

/// Looks after one task. On the runtime's thread only.
private final class HostWatch: @unchecked Sendable {
    private let activation: Activation
    private let task: CallTask
    private let isCancelled: Bool
    /// Since when the thread has not answered; nil: it has.
    private var askedAt: Int64?

    /// How long a cancelled task may wait for that thread, and between two looks, in milliseconds.
    private static let patience: Int64 = 100
    private static let pause: Int64 = 1_000

    init(_ activation: Activation, _ task: CallTask, isCancelled: Bool) {
        self.activation = activation
        self.task = task
        self.isCancelled = isCancelled
    }

    func look() {
        guard task.state == .running else { return }
        let network = activation.runtime.loop
        let now = network.time.monotonicMilliseconds()
        let limit =
            isCancelled
            ? Self.patience : Int64(task.options?.timeoutMilliseconds ?? activation.options.timeoutMilliseconds)
        if let askedAt, now &- askedAt >= limit {
            let outcome = task.giveUp()
            return activation.complete(
                task, .failure(isCancelled ? .cancelled(outcome: outcome) : .storageTimeout(outcome: outcome)))
        }
        if askedAt == nil {
            askedAt = now
            activation.loop.post { [self] in network.post { [self] in askedAt = nil } }
        }
        network.schedule(afterMilliseconds: min(limit, Self.pause)) { [self] in look() }
    }
}
