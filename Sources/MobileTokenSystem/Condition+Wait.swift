// SPDX-License-Identifier: Apache-2.0
extension Condition {
    /// Waits until something is true, for a time at most. With the condition's lock held.
    ///
    /// - Parameters:
    ///   - milliseconds: how long at most; nil: without limit; 0 or less: only look
    ///   - isTrue: what is waited for; looked at after each signal
    /// - Returns: whether it is true
    package func wait(milliseconds: Int64?, until isTrue: () -> Bool) -> Bool {
        guard let milliseconds else {
            while !isTrue() { wait() }
            return true
        }
        let (deadline, overflow) = TimeSource().monotonicMilliseconds().addingReportingOverflow(max(0, milliseconds))
        while !isTrue() {
            guard milliseconds > 0, wait(untilMonotonicMilliseconds: overflow ? .max : deadline) else {
                return isTrue()
            }
        }
        return true
    }
}
