// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem
import PowerAuth

/// Waits until the bank has confirmed the activation: asks for the status with growing pauses, and signs nothing meanwhile.
///
/// Used on the loop thread. It lives as long as its timer or call does.
final class ActivationWait: Resident, @unchecked Sendable {
    private static let firstPause: Int64 = 1_000
    private static let longestPause: Int64 = 15_000

    private let activation: Activation
    private let task: CallTask
    /// Milliseconds of the monotonic clock; nil: without limit.
    private let deadline: Int64?
    private var pause = ActivationWait.firstPause
    private var timer: LoopTimer?
    private var step: CallTask?
    private var isOver = false
    /// Why the last status could not be had.
    private var lastFailure: Failure?

    init(_ activation: Activation, milliseconds: Int64?, task: CallTask) {
        self.activation = activation
        self.task = task
        let now = activation.runtime.environment.time.monotonicMilliseconds()
        deadline = milliseconds.map { span in
            let (sum, overflow) = now.addingReportingOverflow(span)
            return overflow ? .max : sum
        }
        super.init(of: activation)
    }

    /// From any thread.
    ///
    /// - Returns: false: the runtime has stopped
    func begin(milliseconds: Int64?) -> Bool {
        task.onCancel { [self] task in
            activation.post { self.cancel() }
            activation.watch(task, cancelled: true)
        }
        activation.watch(task, milliseconds: milliseconds ?? .max)
        return activation.post { [self] in
            activation.runtime.add(self)
            ask()
        }
    }

    override func cancel() { end(.cancelled()) }

    private func ask() {
        guard !isOver else { return }
        guard !task.isUnwanted else { return cancel() }
        let step = CallTask(stepOf: task)
        self.step = step
        step.whenCompleted { [self] step in activation.post { self.answered(step) } }
        do throws(Failure) {
            try activation.start(.activationStatus(), task: step)
        } catch {
            end(error)
        }
    }

    private func answered(_ step: CallTask) {
        guard !isOver else { return }
        if case .status(let status)? = step.result {
            switch status.state {
            case .active, .created, .pendingCommit:
                // Whatever the server says of it: without the confirmation it lets the activation lapse.
                let (unfinished, canFinish) = activation.lock.withLock {
                    (failure(of: activation), activation.canFinish)
                }
                if let unfinished, !canFinish { return end(unfinished) }
                lastFailure = unfinished
                if status.state == .active, unfinished == nil { return end(nil, status) }
            case .blocked, .removed, .deadlock:
                var failure = activation.lock.withLock { activation.serverStateFailure } ?? .cancelled()
                failure.outcome = .answered
                return end(failure)
            }
        } else if let failure = step.failure {
            guard failure.retriable || isLostConfirmation(failure) else { return end(failure) }
            lastFailure = failure
        }
        let left = deadline.map { $0 - activation.runtime.environment.time.monotonicMilliseconds() } ?? .max
        let wait = max(pause, lastFailure?.retryAfter ?? 0)
        guard left > 0 else { return timeOut() }
        pause = min(pause + pause / 2, Self.longestPause)
        timer = activation.schedule(afterMilliseconds: min(wait, left)) { [self] in
            timer = nil
            if wait < left { ask() } else { timeOut() }
        }
    }

    /// A confirmation whose answer was lost is repeated: the next status tells whether it must be.
    private func isLostConfirmation(_ failure: Failure) -> Bool {
        guard failure.outcome == .unknown else { return false }
        return activation.lock.withLock { activation.canFinish }
    }

    /// The unfinished step; nil: none. Under the lock.
    private func failure(of activation: Activation) -> Failure? {
        do throws(Failure) {
            try activation.requireFinished(signingWith: .possession)
            return nil
        } catch {
            return error
        }
    }

    private func timeOut() {
        var failure = Failure(
            .timeout, Reason.activationPendingCommit,
            "The bank did not confirm the activation before the timeout. Wait again.", retriable: true)
        if let lastFailure {
            failure.reason = lastFailure.reason
            failure.message = "The status of the activation could not be fetched before the timeout. Wait again."
            failure.cause = lastFailure.message
        }
        end(failure)
    }

    private func end(_ failure: Failure?, _ status: ActivationStatus? = nil) {
        guard !isOver else { return }
        isOver = true
        if let timer { activation.cancel(timer) }
        timer = nil
        step?.cancel()
        step = nil
        activation.runtime.remove(self)
        if let failure {
            activation.complete(task, .failure(failure))
        } else if let status {
            activation.complete(task, .success(.status(status)))
        }
    }
}
