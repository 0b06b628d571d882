// SPDX-License-Identifier: Apache-2.0
/// The state of an activation on the server, as a status request found it (powerauth.md §12, client.md §5).
public struct ActivationStatus: Equatable, Sendable {
    /// The states; the numbers are those of the protocol.
    public enum State: UInt8, Sendable {
        case created = 1
        case pendingCommit = 2
        case active = 3
        case blocked = 4
        case removed = 5
        /// Found on the device: the counters are the server's look-ahead window or more apart. The server accepts no signature of
        /// this device, unless the bank widens its window for a while (released-servers.md §4).
        case deadlock = 128
    }

    /// The result of comparing the counters.
    public enum Counter: Sendable {
        case ok
        /// The client's counter was moved to the server's. Store the state.
        case updated
        /// The server should see a signature: when the activation is active, send a possession-only one to signature
        /// validation with the reason `COUNTER_SYNCHRONIZATION`.
        case calculateSignature
        case invalid
        /// The answer is from before a signature: it does not tell whether the counters meet. Ask again.
        case outdated
    }

    /// The events on the device between the request for a status and its answer, which does not show them.
    package struct Meanwhile: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A signature was made.
        package static let signature = Meanwhile(rawValue: 1)
        /// The server was seen to accept a signature or a token.
        package static let success = Meanwhile(rawValue: 2)
    }

    /// The state.
    public let state: State
    /// Failed attempts in a row.
    public let failCount: Int
    /// Failed attempts after which the activation is blocked.
    public let maxFailCount: Int
    /// A JSON value from the server's integration, as text; nil when there is none.
    public let customObject: [UInt8]?
    /// The result of comparing the counters.
    public let counter: Counter

    /// The session's state changed and must be stored: counter, window, marks, or how far the server may be behind.
    public let stateChanged: Bool

    /// How many steps the server's counter was ahead that this device did not make: another holder of its keys did, or the state
    /// is an older one.
    package let ahead: Int
    /// Further facts about an activation in 4.0.
    var flags: V4.StatusBlob.Flags = []
    /// An activation of 3.x may be upgraded to 4.0.
    public private(set) var offersUpgrade = false
    /// When a temporary block ends, milliseconds since the Unix epoch; nil: there is none, or it is unknown.
    public private(set) var blockExpires: Int64?

    /// The server has withdrawn the suite of the activation, which continues to work.
    public var suiteIsWithdrawn: Bool { flags.contains(.suiteWithdrawn) }
    /// The server accepts biometry; nil: 3.x does not tell.
    package var biometryIsOn: Bool { flags.contains(.biometryEnabled) }
    /// The server waits for the confirmation of the activation, or of its upgrade.
    package var awaitsConfirmation: Bool { flags.contains(.confirmationPending) }
    package var awaitsUpgrade: Bool { flags.contains(.upgradePending) }

    /// Attempts that are left; 0 unless the activation is active.
    public var remainingAttempts: Int { state == .active ? max(0, maxFailCount - failCount) : 0 }

    init(
        state: State, failCount: Int, maxFailCount: Int, customObject: [UInt8]?, counter: Counter, stateChanged: Bool,
        ahead: Int, flags: V4.StatusBlob.Flags = [], offersUpgrade: Bool = false, blockExpires: Int64? = nil
    ) {
        self.state = state
        self.failCount = failCount
        self.maxFailCount = maxFailCount
        self.customObject = customObject
        self.counter = counter
        self.stateChanged = stateChanged
        self.ahead = ahead
        self.flags = flags
        self.offersUpgrade = offersUpgrade
        self.blockExpires = blockExpires
    }
}
