// SPDX-License-Identifier: Apache-2.0
/// A call in progress and its result. Dropping it leaves the call running. Safe to use from any thread.
public struct Pending<Value: Sendable>: Sendable {
    /// The call that a `task` event names when it has completed.
    public let task: CallTask
    private let read: @Sendable (CallResult) -> Value?

    init(_ task: CallTask, _ read: @escaping @Sendable (CallResult) -> Value?) {
        self.task = task
        self.read = read
    }

    /// Blocks until the call has completed.
    ///
    /// - Parameter milliseconds: the longest wait; nil: no limit. The call continues after a timeout.
    /// - Throws: the call's failure, or a `timeout` whose reason is `waitTimeout`.
    public func wait(milliseconds: Int64? = nil) throws(Failure) -> Value {
        switch task.join(milliseconds: milliseconds) {
        case .completed: return try outcome()
        case .timedOut: throw .waitTimeout("The call is still under way.", outcome: .unknown)
        case .interrupted: throw .interrupted(outcome: .unknown)
        case .insideHostFunction: throw .insideHostFunction(outcome: .unknown)
        }
    }

    /// Calls back once, when the call has completed: on the runtime's thread, which must not block, or immediately.
    public func whenCompleted(_ observer: @escaping @Sendable (Result<Value, Failure>) -> Void) {
        task.whenCompleted { _ in
            do throws(Failure) {
                observer(.success(try outcome()))
            } catch {
                observer(.failure(error))
            }
        }
    }

    /// Cancels the call and its network transfer. The call completes as cancelled, unless it has already completed.
    public func cancel() { task.cancel() }

    private func outcome() throws(Failure) -> Value {
        if let failure = task.failure { throw failure }
        guard let result = task.result, let value = read(result) else {
            throw Failure(.internal, Reason.internalError, "The call completed with the result of another one.")
        }
        return value
    }
}

extension Activation {
    /// Starts a call that returns a value.
    func pending<Value>(
        _ options: CallOptions?, _ read: @escaping @Sendable (CallResult) -> Value?,
        _ start: (CallTask) throws(Failure) -> Void
    ) throws(Failure) -> Pending<Value> {
        let task = CallTask(client: number, board: runtime.board, options: options)
        try start(task)
        return Pending(task, read)
    }

    /// Starts a call without a value.
    func pending(
        _ options: CallOptions?, _ start: (CallTask) throws(Failure) -> Void
    ) throws(Failure) -> Pending<Void> {
        try pending(options, { _ in () }, start)
    }
}
