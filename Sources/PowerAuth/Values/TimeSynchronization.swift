// SPDX-License-Identifier: Apache-2.0
/// The difference between the device's clock and the server's (client.md §11).
///
/// All times are milliseconds since the Unix epoch; local times come from the caller's clock.
package struct TimeSynchronization: Equatable, Sendable {
    /// An answer that took longer than this says too little about the server's clock.
    private static let longestExchange: Int64 = 16_000
    /// A smaller difference than this is not corrected.
    private static let acceptedDifference: Int64 = 2_000
    /// Two measurements that differ less than this agree.
    private static let stableDifference: Int64 = 10_000

    /// Whether the difference is known.
    package private(set) var isSynchronized = false
    /// Server time minus local time, in milliseconds.
    package private(set) var adjustment: Int64 = 0
    /// Half of the time that the measuring exchange took: the adjustment may be wrong by this much, in milliseconds.
    package private(set) var precision: Int64 = 0

    package init() {}

    /// Takes in the server's time from an exchange.
    ///
    /// - Parameters:
    ///   - start: local time when the request was sent.
    ///   - now: local time when the answer arrived.
    ///   - serverTime: the time in the answer.
    /// - Returns: whether time is synchronised by this exchange or was before it; false when the clock went backwards or
    ///   the exchange took too long for a first measurement.
    package mutating func complete(start: Int64, now: Int64, serverTime: Int64) -> Bool {
        let elapsed = now.subtractingReportingOverflow(start)
        guard !elapsed.overflow, elapsed.partialValue >= 0 else { return false }
        guard elapsed.partialValue <= TimeSynchronization.longestExchange else { return isSynchronized }
        let newPrecision = elapsed.partialValue / 2
        let middle = now.subtractingReportingOverflow(newPrecision)
        let difference = serverTime.subtractingReportingOverflow(middle.partialValue)
        let change = adjustment.subtractingReportingOverflow(difference.partialValue)
        guard !middle.overflow, !difference.overflow, !change.overflow else { return false }
        let isStable = change.partialValue.magnitude < UInt64(TimeSynchronization.stableDifference)
        if difference.partialValue.magnitude < UInt64(TimeSynchronization.acceptedDifference), isStable {
            precision = newPrecision
            isSynchronized = true
        } else if !(isSynchronized && isStable) {
            adjustment = difference.partialValue
            precision = newPrecision
            isSynchronized = true
        }
        return true
    }

    /// The server's time for a local time.
    package func now(_ local: Int64) -> Int64 {
        let sum = local.addingReportingOverflow(adjustment)
        return sum.overflow ? local : sum.partialValue
    }

    /// Forgets the measurement, e.g. because the system clock may have been changed.
    package mutating func reset() { self = TimeSynchronization() }
}
