/// The state of an activation on the server, as a status request found it (powerauth.md §12, client.md §5).
package struct ActivationStatus: Equatable, Sendable {
    /// The states; the numbers are those of the protocol.
    package enum State: UInt8, Sendable {
        case created = 1
        case pendingCommit = 2
        case active = 3
        case blocked = 4
        case removed = 5
        /// Found on the device: the counters are the server's look-ahead window or more apart. The server accepts no signature of
        /// this device, unless the bank widens its window for a while (released-servers.md §4).
        case deadlock = 128
    }

    /// What the comparison of the counters came to.
    package enum Counter: Sendable {
        case ok
        /// The client's counter was moved to the server's. Store the state.
        case updated
        /// The server should see a signature: when the activation is active, send a possession-only one to signature
        /// validation with the reason `COUNTER_SYNCHRONIZATION`.
        case calculateSignature
        case invalid
    }

    /// The state.
    package let state: State
    /// Failed attempts in a row.
    package let failCount: Int
    /// Failed attempts after which the activation is blocked.
    package let maxFailCount: Int
    /// A JSON value from the server's integration, as text; nil when there is none.
    package let customObject: [UInt8]?
    /// What the comparison of the counters came to.
    package let counter: Counter

    /// The session's state changed and must be stored: counter, window, or how far the server may be behind.
    package let stateChanged: Bool

    /// Attempts that are left; 0 unless the activation is active.
    package var remainingAttempts: Int { state == .active ? max(0, maxFailCount - failCount) : 0 }

}
