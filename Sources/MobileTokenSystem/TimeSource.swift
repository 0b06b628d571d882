// SPDX-License-Identifier: Apache-2.0
import CSystem

/// Where time comes from. The plain class reads the system's clocks; tests hand in a `ManualTime` or a subclass.
///
/// All functions may be called from any thread.
open class TimeSource: @unchecked Sendable {
    /// The system's clocks.
    public init() {}

    /// Milliseconds since the Unix epoch, UTC. Jumps when the user or NTP sets the clock.
    open func wallMilliseconds() -> Int64 {
        Self.read(CLOCK_REALTIME)
    }

    /// Milliseconds since an arbitrary point, never going back. Timers and timeouts use this one. It stops while the
    /// machine sleeps.
    open func monotonicMilliseconds() -> Int64 {
        Self.read(CLOCK_MONOTONIC)
    }

    /// Milliseconds since an arbitrary point, never going back, with the time that the machine slept. Only differences from the
    /// wall clock matter: they change when that is set.
    open func bootMilliseconds() -> Int64 {
        Self.read(CLOCK_BOOTTIME)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.milliseconds
    }
}

/// A clock that moves only when a test advances it. May be used from any thread.
public final class ManualTime: TimeSource, @unchecked Sendable {
    private let lock = Lock()
    private var wall: Int64
    private var monotonic: Int64
    /// How long the machine has slept.
    private var slept: Int64 = 0

    /// A clock that shows the given times, in milliseconds.
    public init(wallMilliseconds: Int64 = 1_700_000_000_000, monotonicMilliseconds: Int64 = 1_000_000) {
        wall = wallMilliseconds
        monotonic = monotonicMilliseconds
    }

    public override func wallMilliseconds() -> Int64 { lock.withLock { wall } }

    public override func monotonicMilliseconds() -> Int64 { lock.withLock { monotonic } }

    public override func bootMilliseconds() -> Int64 { lock.withLock { Self.sum(monotonic, slept) } }

    /// The machine sleeps: only timers stop.
    public func sleep(milliseconds: Int64) {
        lock.withLock {
            wall = Self.sum(wall, milliseconds)
            slept = Self.sum(slept, milliseconds)
        }
    }

    /// Lets time pass: both clocks move on, at most to the end of their range. Timers of a `ManualLoop` are run by its own
    /// `advance`, not by this.
    public func advance(milliseconds: Int64) {
        lock.withLock {
            wall = Self.sum(wall, milliseconds)
            monotonic = Self.sum(monotonic, milliseconds)
        }
    }

    private static func sum(_ time: Int64, _ span: Int64) -> Int64 {
        let (sum, overflow) = time.addingReportingOverflow(span)
        return overflow ? (span < 0 ? .min : .max) : sum
    }

    /// Sets the wall clock alone, as a user or NTP would.
    public func setWall(milliseconds: Int64) {
        lock.withLock { wall = milliseconds }
    }
}
