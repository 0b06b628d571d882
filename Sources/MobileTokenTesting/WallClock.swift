// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem

/// A stopped wall clock beside the device's monotonic clock: requests are repeatable, timers run. May be used
/// from any thread.
final class WallClock: TimeSource, @unchecked Sendable {
    private let lock = Lock()
    private var wall: Int64
    /// The sum of all `advance` calls: only `set` looks to a host like a changed clock.
    private var boot: Int64 = 0

    init(wall: Int64) { self.wall = wall }

    override func wallMilliseconds() -> Int64 { lock.withLock { wall } }

    func set(_ milliseconds: Int64) { lock.withLock { wall = milliseconds } }

    override func bootMilliseconds() -> Int64 { lock.withLock { boot } }

    func advance(_ milliseconds: Int64) {
        lock.withLock {
            wall = wall.addingClamped(milliseconds)
            boot = boot.addingClamped(milliseconds)
        }
    }
}

extension Int64 {
    /// The sum, or the largest number instead of one beyond it; `other` is not negative.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
