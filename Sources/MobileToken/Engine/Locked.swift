// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem

/// A value that any thread may read and change.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var current: Value

    init(_ value: Value) { current = value }

    package var value: Value { lock.withLock { current } }

    func update(_ change: (inout Value) -> Void) { lock.withLock { change(&current) } }
}
