import MobileTokenSystem

/// Waits on the test's thread for something that happens on a loop.
package final class Promise<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private let condition: Condition
    private var values: [Value] = []

    /// Nothing came within five minutes.
    package struct NothingCame: Error {}

    package init() { condition = Condition(lock) }

    package func fulfil(_ value: Value) {
        lock.withLock {
            values.append(value)
            condition.broadcast()
        }
    }

    /// Waits for the value, at most five minutes: a test must not hang.
    package func wait() throws -> Value {
        let deadline = TimeSource().monotonicMilliseconds() + 300_000
        let value = lock.withLock {
            while values.isEmpty, condition.wait(untilMonotonicMilliseconds: deadline) {}
            return values.first
        }
        guard let value else { throw NothingCame() }
        return value
    }

    /// How often it was fulfilled.
    package var count: Int { lock.withLock { values.count } }
}

/// Collects values from any thread.
package final class Recorder<Value>: @unchecked Sendable {
    private let lock = Lock()
    private var values: [Value] = []

    package init() {}

    package func add(_ value: Value) { lock.withLock { values.append(value) } }

    package var all: [Value] { lock.withLock { values } }
}
