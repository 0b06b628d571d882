// SPDX-License-Identifier: Apache-2.0
/// A loop without a thread: its owner runs it, one step at a time, with a clock that stops in between. Every run of the
/// same test takes the same course. To be used from one thread at a time; that thread counts as the loop's.
///
/// It has no descriptors, so `CurlTransport` does not work on it: use a scripted `Transport`.
package final class ManualLoop: Loop, @unchecked Sendable {
    /// The clock that `advance` moves.
    package let manualTime: ManualTime

    /// A loop that shows the time of `time`.
    package init(time: ManualTime = ManualTime()) {
        manualTime = time
        super.init(manualTime: time)
    }

    /// Runs the next piece of posted work, or else the next timer that is due.
    ///
    /// - Returns: false when there was nothing to run.
    @discardableResult
    package func step() -> Bool {
        runOne()
    }

    /// Runs until nothing is posted and no timer is due; does not move time.
    ///
    /// - Parameter limit: the number of steps after which it gives up, so that work which posts itself ends a test.
    /// - Returns: the number of steps.
    @discardableResult
    package func runUntilIdle(limit: Int = 100_000) -> Int {
        var steps = 0
        while steps < limit, step() { steps += 1 }
        return steps
    }

    /// Runs all that is ready, then moves time on, stopping at each timer on the way to run it with the clock at its
    /// deadline, with all that it posts.
    package func advance(milliseconds: Int64) {
        runUntilIdle()
        let (sum, overflow) = time.monotonicMilliseconds().addingReportingOverflow(max(0, milliseconds))
        let end = overflow ? Int64.max : sum
        while let deadline = nextDeadline, deadline <= end {
            manualTime.advance(milliseconds: max(0, deadline - time.monotonicMilliseconds()))
            runUntilIdle()
        }
        manualTime.advance(milliseconds: max(0, end - time.monotonicMilliseconds()))
    }
}
