// SPDX-License-Identifier: Apache-2.0
import PowerAuth

/// Why a server refused a signed request, as the unsigned status tells that follows: a function of values. The refusal itself
/// proves nothing (errors.md §3).
enum RefusalCause: Equatable {
    /// The server found the PIN or the biometry key wrong, and counted a failed attempt.
    case factor
    /// It did not take the signature, and counted nothing against the user.
    case notFactor
    /// It took the signature, and refused what was asked for.
    case accepted
    /// Its counter has moved on without this device, by so many steps at least: the signature was one of the past.
    case counterBehind(steps: Int)

    /// The facts that the status shows after a refusal.
    struct Evidence {
        /// The failed attempts that the server was known to have counted before; nil: none.
        var failedBefore: Int?
        /// Those that it has counted now. A right PIN or biometry key makes them none, the device's key alone changes nothing.
        var failedAfter: Int
        /// The activation is blocked.
        var isBlocked = false
        /// How many steps the server was ahead that this device did not make.
        var ahead = 0
        /// The server's counter is directly after the refused signature.
        var isTaken: Bool
        /// The signature was made with the PIN or the biometry key too.
        var provesUser: Bool
    }

    init(_ evidence: Evidence) {
        if evidence.ahead > 0 {
            self = .counterBehind(steps: evidence.ahead)
        } else if evidence.isTaken {
            // Had it been this signature that moved the counter, there would be no failed attempt. Of one with the device's key
            // alone nothing tells that.
            self = evidence.provesUser && evidence.failedAfter > 0 ? .counterBehind(steps: 1) : .accepted
        } else {
            let before = evidence.failedBefore ?? 0
            // Attempts of somebody else have blocked the activation: it refuses what is right too.
            let wasBlocked = evidence.isBlocked && evidence.failedAfter > before + 1
            let isCounted = evidence.failedAfter > 0 && evidence.failedAfter != before && !wasBlocked
            self = evidence.provesUser && isCounted ? .factor : .notFactor
        }
    }
}

extension Factors {
    /// Whether they are more than the device: only then a server counts failed attempts, and forgets them.
    var provesUser: Bool { !isDisjoint(with: [.knowledge, .biometry]) }
}
