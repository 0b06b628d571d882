// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something of which every process has its own: after a `fork` the child gets a new one when it first asks, and the parent's
/// is left alone for good, with its locks and all that hangs on it. May be used from any thread.
package final class PerProcess<Value: AnyObject>: @unchecked Sendable {
    private final class Held {
        let epoch = Fork.epoch
        package let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let held = Atomic<OpaquePointer?>(nil)
    private let make: @Sendable () -> Value

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    package var value: Value { current(held.load(ordering: .acquiring)) ?? renewed() }

    private func current(_ pointer: OpaquePointer?) -> Value? {
        guard let pointer else { return nil }
        let held = Unmanaged<Held>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
        return held.epoch == Fork.epoch ? held.value : nil
    }

    @inline(never)
    private func renewed() -> Value {
        Fork.prepare()
        let made = Unmanaged.passRetained(Held(make()))
        var known = held.load(ordering: .acquiring)
        while true {
            if let value = current(known) {
                made.release()
                return value
            }
            let (exchanged, found) = held.compareExchange(
                expected: known, desired: OpaquePointer(made.toOpaque()), ordering: .acquiringAndReleasing)
            if exchanged { return made.takeUnretainedValue().value }
            known = found
        }
    }
}
