// SPDX-License-Identifier: Apache-2.0
/// Which of the calls to come fail.
struct FaultPlan {
    private var left = 0
    private var forever = false

    /// Lets the call number `nth` from now fail (1: the next), and with `forever` all after it. 0: none.
    mutating func fail(nth: Int, forever: Bool) {
        left = max(0, nth)
        self.forever = forever && nth > 0
    }

    /// Counts a call; true if it is to fail.
    mutating func strikes() -> Bool {
        guard left > 0 else { return false }
        guard left == 1 else {
            left -= 1
            return false
        }
        if !forever { left = 0 }
        return true
    }
}
