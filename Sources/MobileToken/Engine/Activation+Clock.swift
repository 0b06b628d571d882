// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem
import PowerAuth

/// Noticing that the device's clock was set: by NTP after boot, by the user, after a suspend that no clock counted.
extension Activation {
    /// A wall clock that moves further than this against the boot clock was set.
    private static let toleratedStep: Int64 = 2_000
    /// `Date` counts whole seconds and is written before the answer travels.
    private static let toleratedDate: Int64 = 20_000

    private var wallMinusBoot: Int64 {
        let time = runtime.environment.time
        return time.wallMilliseconds().subtractingReportingOverflow(time.bootMilliseconds()).partialValue
    }

    /// Learns the server's time from an answer. Under the lock.
    @discardableResult
    func learnTime(_ serverTime: Int64, sentAt: Int64) -> Bool {
        // An answer that was on its way when the clock was set measures nothing: forget the known time rather than keep it as new.
        checkClock()
        guard time.complete(start: sentAt, now: runtime.now, serverTime: serverTime) else { return false }
        clock = ClockMeasurement(
            wallMinusBoot: wallMinusBoot, madeAt: runtime.environment.time.bootMilliseconds())
        return true
    }

    /// Forgets the server's time if the device's clock was set since it was learned. Under the lock.
    func checkClock() {
        guard time.isSynchronized, let clock else { return }
        let (step, overflow) = wallMinusBoot.subtractingReportingOverflow(clock.wallMinusBoot)
        guard overflow || step.magnitude > UInt64(Self.toleratedStep) else { return }
        log(.info, "the device's clock was changed: fetching the server's time again")
        resetClock()
    }

    /// Under the lock.
    func resetClock() {
        time.reset()
        clock = nil
    }

    /// Whether the server's time was learned at or after a moment of the boot clock. Under the lock.
    func timeIsNewer(than moment: Int64) -> Bool {
        guard time.isSynchronized, let clock else { return false }
        return clock.madeAt >= moment
    }

    /// Whether the difference of the clocks is still about what it was. Under the lock.
    func isAbout(_ adjustment: Int64) -> Bool {
        let (change, overflow) = time.adjustment.subtractingReportingOverflow(adjustment)
        return !overflow && change.magnitude <= UInt64(Self.toleratedStep)
    }

    /// Compares an answer's `Date` with the known server time, and forgets that time if they disagree. A front end whose clock is
    /// always off shows the same difference each time, which proves nothing. Under the lock.
    ///
    /// - Returns: whether the date confirms the known time; nil: there is no date, or no time to compare it with
    @discardableResult
    func compare(date: Int64?) -> Bool? {
        guard let date, time.isSynchronized else { return nil }
        let (difference, overflow) = date.subtractingReportingOverflow(synchronizedNow)
        guard !overflow else { return nil }
        let usual = usualDateDifference ?? 0
        guard difference.subtractingReportingOverflow(usual).partialValue.magnitude > UInt64(Self.toleratedDate) else {
            return true
        }
        usualDateDifference = difference
        resetClock()
        return false
    }
}
