// SPDX-License-Identifier: Apache-2.0
import PowerAuth

/// The state of the activation at the server, as far as its answers have shown it (released-servers.md §1, §3).
enum ServerState {
    case unknown
    case active
    /// The server refused a call and could not say why: its back end may be down.
    case doubtful
    case pendingCommit
    case blocked
    case removed
    /// The counters are out of each other's reach.
    case deadlock

    init(_ state: ActivationStatus.State) {
        switch state {
        case .created, .pendingCommit: self = .pendingCommit
        case .active: self = .active
        case .blocked: self = .blocked
        case .removed: self = .removed
        case .deadlock: self = .deadlock
        }
    }

    /// Why calls that need an active activation fail; nil: no known reason.
    var failure: Failure? {
        switch self {
        case .unknown, .active, .doubtful: return nil
        case .pendingCommit:
            return Failure(
                .pendingCommit, Reason.activationPendingCommit,
                "The bank has not confirmed the activation yet. Wait with mtoken_client_wait_active.")
        case .blocked:
            return Failure(
                .blocked, Reason.activationBlocked,
                "The activation is blocked. Ask the bank to unblock it, then fetch the status.")
        case .removed:
            return Failure(
                .removed, Reason.activationRemoved,
                "The server has removed the activation. Remove it here too, then activate again.")
        case .deadlock:
            return Failure(
                .state, Reason.counterDeadlock,
                "Device and server are too far apart for a signature. Ask the bank to widen its look-ahead window (up to 64) "
                    + "until the status is ACTIVE. If it cannot, remove the activation.")
        }
    }

    /// Whether nothing but a status, or the end of a block, opens it again.
    var isClosed: Bool { self == .blocked || self == .removed || self == .deadlock }

    /// Whether the status comes before a signature that only the library requested.
    var asksFirst: Bool { self != .unknown && self != .active }
}

/// How much had happened to an activation when something was asked: an answer is about that moment, not about now.
struct Moment {
    /// How many signatures this device had made.
    var signatures: UInt64 = 0
    /// How many signed or token calls the server is known to have accepted.
    var successes: UInt32 = 0
    /// How many statuses had been asked for, this one included.
    var status: UInt32 = 0

    /// The events in between.
    func meanwhile(until now: Moment) -> ActivationStatus.Meanwhile {
        var meanwhile: ActivationStatus.Meanwhile = []
        if signatures != now.signatures { meanwhile.insert(.signature) }
        if successes != now.successes { meanwhile.insert(.success) }
        return meanwhile
    }

    /// Whether a status that was asked for at this moment says less than is known now: it is from before a signature, or before
    /// a success that it contradicts.
    func isBefore(_ now: Moment, for status: ActivationStatus) -> Bool {
        status.counter == .outdated || (status.state != .active && now.successes != successes)
    }
}

/// When the device's clock was compared with the server's, and with what.
struct ClockMeasurement {
    /// Wall clock minus boot clock, which differs later if the wall clock was set.
    let wallMinusBoot: Int64
    /// Milliseconds of the boot clock.
    let madeAt: Int64
}
