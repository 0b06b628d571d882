import MobileTokenSystem
import PowerAuth

/// The state of the activation at the server, as far as its answers have shown it (released-servers.md §1, §3).
enum Standing {
    /// Not known yet.
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

    /// Why calls that need an active activation fail; nil: as far as is known they need not.
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
struct Moment: Equatable {
    /// How many signatures this device had made.
    var signatures: UInt64 = 0
    /// How many signed or token calls the server is known to have accepted.
    var successes: UInt32 = 0

    /// Whether a status that was asked for at this moment says less than is known now: it is from before a signature, or before
    /// a success that it contradicts.
    func isBefore(_ now: Moment, for status: ActivationStatus) -> Bool {
        status.counter == .outdated || (status.state != .active && now.successes != successes)
    }
}

extension Activation {
    /// The counts so far. Under the lock.
    var moment: Moment { Moment(signatures: session.signatures, successes: successes) }

    /// The most looks at the status in a row, each of which was outdated when it came.
    private static let mostLooks = 3

    /// Takes in a status, unless it is outdated.
    ///
    /// - Parameters:
    ///   - moment: when it was asked for
    ///   - looks: how many were outdated before it
    /// - Returns: false: it is to be asked for again. Under the lock.
    func learn(_ status: ActivationStatus, askedAt moment: Moment, _ looks: Int) throws(Failure) -> Bool {
        guard moment.isBefore(self.moment, for: status) else {
            learn(status)
            return true
        }
        log(.info, "the status is from before a signature: asking again")
        guard looks + 1 < Self.mostLooks else {
            throw Failure(
                .state, Reason.counterAtRisk,
                "Signatures were made each time while the status was on its way, so that it told nothing. Try again.",
                outcome: .answered, retriable: true)
        }
        return false
    }

    /// Why calls that need an active activation fail; nil: as far as is known they need not. Under the lock.
    var standingFailure: Failure? {
        guard var failure = standing.failure else { return nil }
        if let left = blockLeft {
            failure.message = filled(
                "Too many wrong PINs: the activation is blocked for % more seconds. Then try again.",
                String(max(left, 0) / 1_000 + 1))
        }
        return failure
    }

    /// How many milliseconds of a temporary block are left; nil: there is none, or only the bank can end it.
    private var blockLeft: Int64? {
        guard standing == .blocked, let end = lastStatus?.blockExpires else { return nil }
        return end.subtractingReportingOverflow(synchronizedNow).partialValue
    }

    /// Whether the user's own signature is refused here until a status says otherwise: not when a block is over. Under the
    /// lock.
    var isShut: Bool { standing.isClosed && blockLeft ?? 1 > 0 }

    /// Takes in a status. Under the lock.
    private func learn(_ status: ActivationStatus) {
        lastStatus = status
        failures = UInt8(clamping: status.failCount)
        if status.ahead > 0 { noticeOtherHolder(steps: status.ahead) }
        stand(Standing(status.state))
    }

    /// The server's counter has moved on without this device. Under the lock.
    func noticeOtherHolder(steps: Int) {
        timesBehind &+= 1
        log(
            .warning,
            filled(
                "the server's counter is % steps ahead: another copy of the state has signed, or an old one was restored",
                String(steps)))
        emit(.counterBehind(steps))
    }

    /// An authenticated call has succeeded: the activation is active. Under the lock.
    ///
    /// - Parameter factors: those of its signature; none: with a token, or unknown
    func learnActive(signedWith factors: Factors) {
        if factors.provesUser {
            failures = nil
            session.forgetFailures()
        }
        successes &+= 1
        if standing != .active { stand(.active) }
    }

    /// Whether the server must be asked for the status before another request is signed: for the counter's sake, or since the
    /// attempts that an earlier process has cost must be known to tell another one from them. Under the lock.
    var statusIsDue: Bool { counterIsAtRisk || (lastStatus == nil && session.mayHaveFailures) }

    /// Whether more than half of the server's window may be used up. Until a status has reported the window, it may be
    /// as narrow as one. Under the lock.
    var counterIsAtRisk: Bool {
        let open = session.unacknowledged
        guard open > 0 else { return false }
        guard let window = session.window else { return true }
        return open > window / 2 || open >= window - 1
    }

    /// Refuses a signature of the host's own that could put the activation out of the server's reach, and one that the server
    /// is known to refuse. Under the lock.
    ///
    /// - Parameters:
    ///   - isSent: the signature goes to the server at once
    ///   - factors: what it is made with
    func requireRoom(
        isSent: Bool, signingWith factors: Factors, _ reason: StaticString, _ advice: StaticString
    ) throws(Failure) {
        try require(.activated)
        try requireFinished(signingWith: factors)
        if isShut, let failure = standingFailure { throw failure }
        // In the narrowest of windows there is room for nothing else.
        guard !session.hasRoomForSignature, !isSent || session.unacknowledged > 0 else { return }
        throw Failure(
            .state, reason,
            filled(
                "% signatures are not acknowledged by the server: it may not accept another one. %",
                String(session.unacknowledged), advice.description))
    }

    /// The host has signed something itself, and the server may be far behind: asks for the status, so that the count is right
    /// again before the window ends. Nothing is signed for that. Under the lock.
    func lookIfDue() {
        if statusIsDue { look() }
    }

    /// Asks for the status on the library's own account, and signs nothing for it; once at a time. Under the lock.
    func look() {
        guard !isLooking, !runtime.isStopped, session.phase == .activated else { return }
        isLooking = true
        let task = CallTask(stepOf: nil)
        task.whenCompleted { [self] _ in lock.withLock { isLooking = false } }
        let run = Run(.activationStatus(catchesUp: false), self, task: task)
        post { run.start() }
    }
}
