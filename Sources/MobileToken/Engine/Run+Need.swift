// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Asks `Need` what comes before the request of a call, and waits for that.
extension Run {
    /// Starts what has to come first and waits for it, if there is such a call.
    func waits() throws(Failure) -> Bool {
        let (need, first) = try activation.lock.withLock { () throws(Failure) in
            try requireClient()
            let isOnTurn = !call.isSigned || activation.turns.isTurn(of: self)
            let need = Need(of: call, activation.facts(for: call, tried, isOnTurn: isOnTurn))
            return (need, try activation.call(for: need, of: call))
        }
        guard let first else { return false }
        if need == .finishing { tried.insert(.finishing) }
        // A call that waits for the status does not block the turns of others: bringing the counter up needs one.
        if need.isStatus { giveTurnBack() }
        stage = need.isStatus ? .waitingForStatus : .waitingForPrerequisite
        synchronizes = need == .finishing || need == .catchingUp
        note(.debug, "needs % first", first.name.description)
        if let shared = first.sharedAs, let same = activation.sharedRun(shared, epoch: epoch) {
            same.callers.dependents.append(self)
        } else {
            wait(for: Run(first, activation, epoch: epoch, own: nil, timeout: requestTimeout), isExplaining)
        }
        return true
    }

    func wait(for provider: Run, _ isExplaining: Bool) {
        provider.isExplaining = isExplaining
        provider.callers.dependents.append(self)
        provider.start()
    }

    /// The client must be in the phase that the call needs, with the activation that it had when the call began.
    func requireClient() throws(Failure) {
        guard epoch == activation.epoch else { throw .cancelled() }
        try activation.require(call.requires)
    }

    /// The prerequisite of this call has completed or failed.
    func prerequisiteEnded(_ failure: Failure?) {
        switch (stage, failure) {
        case (.waitingForPrerequisite, nil): advance()
        case (.waitingForStatus, nil):
            tried.insert(.status)
            if synchronizes { tried.insert(.synchronization) }
            advance()
        case (.waitingForPrerequisite, let failure?): follow(.prerequisite(failure, of: call))
        case (.waitingForStatus, let failure?):
            finish(.failure(.withoutStatus(failure, activation.lock.withLock { activation.counter })))
        case (.diagnosing, _): diagnosed(failure)
        default: return
        }
    }
}

extension Activation {
    /// The call that has to come first; nil: none. Under the lock.
    func call(for need: Need, of call: Call) throws(Failure) -> Call? {
        switch need {
        case .nothing: return nil
        case .finishing, .catchingUp: return .activationStatus()
        case .look: return .activationStatus(catchesUp: false)
        case .serverTime: return .serverTime()
        case .temporaryKey(let scope): return .temporaryKey(scope: scope)
        case .token, .otherToken:
            guard let (name, keys, _) = call.token else { return nil }
            if need == .otherToken {
                try durably { (session) throws(PowerAuthError) in try session.removeToken(named: name) }
            }
            return .createToken(name: name, keys: keys)
        case .refusal(let refusal): throw try failure(of: refusal, call)
        }
    }

    /// The facts for a call now. Under the lock.
    func facts(for call: Call, _ tried: Tried, isOnTurn: Bool) -> Need.Facts {
        checkClock()
        return Need.Facts(
            serverState: serverState, blockLeft: blockLeft, marks: session.marks, canConfirm: confirmation != nil,
            counter: counter, isUndecided: session.isUndecided, version: session.version,
            hasKey: call.encryption.scope.map { usableTemporaryKey($0) != nil } ?? true, knowsTime: time.isSynchronized,
            token: (call.token?.name).flatMap { session.token(named: $0)?.id }, tried: tried, isOnTurn: isOnTurn)
    }

    /// Why a call is not made. Under the lock.
    func failure(of refusal: Need.Refusal, _ call: Call) throws(Failure) -> Failure {
        switch refusal {
        case .serverState: if let failure = serverStateFailure { return failure }
        case .unfinished: try requireFinished(signingWith: call.step == .newPIN ? .possession : call.factors)
        case .counterAtRisk: break
        }
        return Failure(
            .state, Reason.counterAtRisk,
            "Too many signatures are unacknowledged. Fetch the status, then try again.",
            retriable: true)
    }
}
