// SPDX-License-Identifier: Apache-2.0
/// The queue of the signed calls of one activation: they go one after another, in the order in which they came. Used where the
/// client lives only (`Activation.post`).
struct Turns<Caller: AnyObject> {
    private var holder: Caller?
    private var waiting: [Caller] = []

    func isTurn(of run: Caller) -> Bool { holder === run }

    /// - Returns: false: another call has its turn, and this one waits
    mutating func take(_ run: Caller) -> Bool {
        guard let holder else {
            self.holder = run
            return true
        }
        if holder === run { return true }
        waiting.append(run)
        return false
    }

    /// The call neither has nor wants a turn any more.
    ///
    /// - Returns: whether it had its turn; `pass` follows
    mutating func giveBack(_ run: Caller) -> Bool {
        waiting.removeAll { $0 === run }
        guard holder === run else { return false }
        holder = nil
        return true
    }

    /// - Returns: the call whose turn it is now; nil: none waits
    mutating func pass() -> Caller? {
        guard !waiting.isEmpty else { return nil }
        holder = waiting.removeFirst()
        return holder
    }
}
