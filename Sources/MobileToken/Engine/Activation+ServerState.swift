// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem
import PowerAuth

extension Activation {
    /// The counts so far. Under the lock.
    var moment: Moment { Moment(signatures: session.signatures, successes: successes, status: statusesAsked) }

    /// The moment at which a status is asked for. Under the lock.
    func askForStatus() -> Moment {
        statusesAsked &+= 1
        return moment
    }

    /// How often in a row the status may be outdated on arrival.
    private static let mostLooks = 3

    /// Whether a status is older than one that has come: it was asked for earlier, and was late. Under the lock.
    ///
    /// - Parameters:
    ///   - moment: when it was asked for
    ///   - looks: how many were outdated before it
    func isOvertaken(_ moment: Moment, _ looks: Int) throws(Failure) -> Bool {
        guard moment.status < newestStatus else { return false }
        try requireAnotherLook(looks)
        return true
    }

    /// Takes in a status, unless it is outdated.
    ///
    /// - Parameters:
    ///   - moment: when it was asked for
    ///   - looks: how many were outdated before it
    /// - Returns: false: ask for it again. Under the lock.
    func learn(_ status: ActivationStatus, askedAt moment: Moment, _ looks: Int) throws(Failure) -> Bool {
        guard moment.isBefore(self.moment, for: status) else {
            newestStatus = moment.status
            learn(status)
            return true
        }
        try requireAnotherLook(looks)
        return false
    }

    private func requireAnotherLook(_ looks: Int) throws(Failure) {
        log(.info, "the status is from before a signature or a newer status: asking again")
        guard looks + 1 < Self.mostLooks else {
            throw Failure(
                .state, Reason.counterAtRisk,
                "Each status that came was older than a signature or another status. Try again.",
                outcome: .answered, retriable: true)
        }
    }

    /// Why calls that need an active activation fail; nil: no known reason. Under the lock.
    var serverStateFailure: Failure? {
        guard var failure = serverState.failure else { return nil }
        if let left = blockLeft {
            failure.message = filled(
                "Too many wrong PINs: the activation is blocked for % more seconds. Then try again.",
                String(max(left, 0) / 1_000 + 1))
        }
        return failure
    }

    /// How many milliseconds of a temporary block are left; nil: there is none, or only the bank can end it.
    var blockLeft: Int64? {
        guard serverState == .blocked, let end = lastStatus?.blockExpires else { return nil }
        return end.subtractingReportingOverflow(synchronizedNow).partialValue
    }

    /// Whether the device refuses the user's own signature until a status says otherwise; not after a block has ended. Under
    /// the lock.
    var isShut: Bool { serverState.isClosed && blockLeft ?? 1 > 0 }

    /// Takes in a status. Under the lock.
    private func learn(_ status: ActivationStatus) {
        lastStatus = status
        failures = UInt8(clamping: status.failCount)
        if status.ahead > 0 { noticeOtherHolder(steps: status.ahead) }
        stand(ServerState(status.state))
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
        if serverState != .active { stand(.active) }
    }

    /// How far the server's counter may be behind. Under the lock.
    var counter: Need.Counter {
        Need.Counter(
            open: session.unacknowledged, window: session.window,
            knowsFailures: lastStatus != nil || !session.mayHaveFailures)
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
        if isShut, let failure = serverStateFailure { throw failure }
        // In the narrowest of windows there is room for nothing else.
        guard !session.hasRoomForSignature, !isSent || session.unacknowledged > 0 else { return }
        throw Failure(
            .state, reason,
            filled(
                "% signatures are not acknowledged by the server: it may not accept another one. %",
                String(session.unacknowledged), advice.description))
    }

    /// Asks for the status when the host's own signatures may have left the server far behind, so that the count is right again
    /// before the window ends. Signs nothing. Under the lock.
    func lookIfDue() {
        if counter.needsStatus { look() }
    }

    /// Asks for the status unprompted, one request at a time. Signs nothing. Under the lock.
    func look() {
        guard !isLooking, !runtime.isStopped, session.phase == .activated else { return }
        isLooking = true
        let task = CallTask(stepOf: nil)
        task.whenCompleted { [self] _ in lock.withLock { isLooking = false } }
        let run = Run(.activationStatus(catchesUp: false), self, task: task)
        post { run.start() }
    }
}
