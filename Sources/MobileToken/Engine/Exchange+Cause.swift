// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// An exchange's facts about the cause of a refusal, and the changes that follow. Under the activation's lock.
extension Exchange {
    /// Causes that are older than the call.
    @inline(never)
    var renewable: Verdict.Renewable {
        let isKnown = activation.time.isSynchronized && activation.isAbout(usedAdjustment)
        return Verdict.Renewable(
            version: activation.session.version, keyIsOld: keyNumber == keysAtBegin,
            clock: !isKnown ? .corrected : activation.timeIsNewer(than: begunAt) ? .new : .old)
    }

    /// Forgets what may be to blame.
    func renew(_ renewal: Verdict.Renewal, of call: Call) -> Bool {
        switch renewal {
        case .nothing: return true
        case .time:
            if renewable.clock == .old { activation.resetClock() }
            return true
        case .token:
            guard let name = call.token?.name else { return false }
            activation.log(.info, words(call.name, ": token refused, requesting a new one"))
            return
                (try? activation.durably({ (session) throws(PowerAuthError) in
                    try session.removeToken(named: name)
                })) != nil
        }
    }

    func beginDiagnosis() { failedBefore = activation.failures }

    /// The facts after a refusal.
    ///
    /// - Parameter failure: why the status cannot be had; nil: it has come
    func findings(_ failure: Failure?, of call: Call, isBound: Bool, isStatus: Bool) -> Verdict.Findings {
        let found = Verdict.Findings()
        found.failure = failure
        found.renewable = renewable
        found.isCurrent = isCurrent
        found.isMade = mark != nil
        found.isBound = isBound
        found.isStatus = isStatus
        guard failure == nil else { return found }
        found.status = activation.lastStatus
        found.serverState = activation.serverState
        found.serverStateFailure = activation.serverStateFailure
        guard let mark, let status = activation.lastStatus else { return found }
        let cause = RefusalCause(
            RefusalCause.Evidence(
                failedBefore: failedBefore.map { Int($0) }, failedAfter: status.failCount,
                isBlocked: status.state == .blocked, ahead: status.ahead,
                isTaken: activation.session.isAcknowledged(mark), provesUser: call.factors.provesUser))
        // Where the server was ahead, the status itself has noticed.
        if case .counterBehind(let steps) = cause, status.ahead == 0 { activation.noticeOtherHolder(steps: steps) }
        found.cause = cause
        return found
    }

    /// Stores what the status of a refusal has changed.
    func apply(_ effects: Verdict.Effects, to call: Call) throws(Failure) {
        if effects.contains(.staysOpen) { keepFormerPIN(call) }
        if effects.contains(.doubt), activation.serverState.failure == nil { activation.serverState = .doubtful }
        guard effects.contains(.formerFactor) else { return }
        try activation.durably(answered: true) { (session) throws(PowerAuthError) in session.returnToFormerFactor() }
    }
}
