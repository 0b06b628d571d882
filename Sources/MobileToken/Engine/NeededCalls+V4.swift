// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// The calls of protocol 4.0 that other calls need first, and what finishes what was begun (powerauth4.md §10 to §15).
extension Call {
    /// The most confirmations in a row.
    fileprivate static let mostConfirmations = 3

    /// The activation's status (powerauth4.md §11).
    ///
    /// - Parameters:
    ///   - catchesUp: continues unfinished steps; without it nothing is signed
    ///   - confirmations: how often this call has confirmed already
    ///   - looks: how often it was asked for in vain
    static func activationStatusV4(catchesUp: Bool, confirmations: Int = 0, looks: Int = 0) -> Call {
        let asked = Handover<Moment>()
        return Call(
            name: "activation status", root: .powerAuth, path: "/pa/v4/activation/status",
            encryption: .layer(.activationGeneric), sharedAs: catchesUp ? "status" : nil, errors: .status,
            body: { (activation) throws(Failure) in
                asked.value = activation.askForStatus()
                return emptyRequest
            }
        ) { (activation, answer) throws(Failure) in
            guard let plaintext = answer.plaintext, let moment = asked.value else {
                throw unreadable("The server's response has no status.")
            }
            if try activation.isOvertaken(moment, looks) {
                return .next(
                    activationStatusV4(catchesUp: catchesUp, confirmations: confirmations, looks: looks + 1))
            }
            let meanwhile = moment.meanwhile(until: activation.moment)
            let status = try activation.durablyIfChanged(answered: true) { (session) throws(PowerAuthError) in
                let status = try session.processStatusV4(plaintext, meanwhile: meanwhile)
                return (status, status.stateChanged)
            }
            guard try activation.learn(status, askedAt: moment, looks) else {
                return .next(
                    activationStatusV4(catchesUp: catchesUp, confirmations: confirmations, looks: looks + 1))
            }
            // A PIN that the server has counted as wrong cannot confirm, whatever it answered.
            if !activation.session.marks.confirm || status.failCount > Int(activation.failedBefore) {
                activation.confirmation = nil
            }
            guard catchesUp, let next = activation.next(after: status, confirmations) else {
                return .done(.status(status))
            }
            return .next(next)
        }
    }

    /// Tells the server that the activation is kept (powerauth4.md §10). Its answer proves nothing: the status does.
    fileprivate static func confirmActivation(_ keys: SigningKeys, _ confirmations: Int) -> Call {
        let call = Call(
            name: "confirmation", root: .powerAuth, path: "/pa/v4/activation/confirm",
            kind: .finishing(.confirmation, "/pa/activation/confirm", keys),
            body: { (activation) throws(Failure) in
                requestObject { writer in
                    writer.key("enableBiometry")
                    writer.value(activation.session.hasAnyBiometry)
                }
            },
            read: { (_, _) throws(Failure) in looksAgain(confirmations) })
        call.skips = { $0.session.marks.confirm ? nil : looksAgain(confirmations) }
        call.whenRefused = { (_, failure) throws(Failure) in
            // A refusal for another reason than the code counts as unanswered.
            let isUnread = failure.httpStatus == 401 && !failure.isOfCode
            return isUnread || failure.serverCode?.byBytes == "ERR_ACTIVATION" ? looksAgain(confirmations) : nil
        }
        return call
    }

    /// The status shows the outcome of a confirmation.
    private static func looksAgain(_ confirmations: Int) -> Conclusion {
        .next(activationStatusV4(catchesUp: true, confirmations: confirmations))
    }

    /// Tells the server that the activation was upgraded (powerauth4.md §15).
    fileprivate static func confirmUpgrade(_ confirmations: Int) -> Call {
        let call = Call(
            name: "confirmation of the upgrade", root: .powerAuth, path: "/pa/v4/upgrade/confirm",
            kind: .finishing(.confirmation, "/pa/upgrade/confirm", .possession),
            body: { (_) throws(Failure) in requestObject { _ in } },
            read: { (_, _) throws(Failure) in looksAgain(confirmations) })
        call.skips = { $0.session.marks.upgrade ? nil : looksAgain(confirmations) }
        call.whenRefused = { (_, failure) throws(Failure) in
            failure.serverCode?.byBytes == "ERR_UPGRADE" ? looksAgain(confirmations) : nil
        }
        return call
    }

    /// Removes the biometric factor, here first and then at the server (powerauth4.md §13).
    ///
    /// - Parameters:
    ///   - step: nil: the user has asked for it
    ///   - then: what follows
    static func removeBiometryV4(_ step: Step? = nil, then conclusion: @escaping () -> Conclusion) -> Call {
        let uriId: StaticString = "/pa/biometry/remove"
        let call = Call(
            name: "biometry removal", root: .powerAuth, path: "/pa/v4/biometry/remove",
            kind: step.map { .finishing($0, uriId, .possession) } ?? .signed(by: .user(uriId, .possession)),
            body: { (_) throws(Failure) in requestObject { _ in } },
            read: { (_, _) throws(Failure) in conclusion() })
        call.whenSigning = { session in session.removeAllBiometry() }
        return call
    }
}

extension Activation {
    /// Whether what is unfinished can be finished without the host. Under the lock.
    var canFinish: Bool {
        let marks = session.marks
        return marks.upgrade || (marks.confirm && confirmation != nil)
    }

    /// Confirms a new activation that was just stored, as soon as the server can be reached. Under the lock.
    func confirmSoon(with keys: SigningKeys) {
        guard session.marks.confirm else { return }
        confirm(with: keys, isRight: true)
        let run = Run(.activationStatus(), self, own: nil, isWanted: true)
        post { run.start() }
    }

    /// Keeps the keys that sign the confirmation of a new activation. Under the lock.
    ///
    /// - Parameter isRight: the activation was stored with the same PIN
    func confirm(with keys: SigningKeys, isRight: Bool) {
        confirmation = keys
        knowsPIN = isRight
        failedBefore = .max
    }

    /// Refuses a code that must not be made before something else is finished. Under the lock.
    func requireFinished(signingWith factors: Factors) throws(Failure) {
        let marks = session.marks
        let (reason, message): (StaticString, StaticString)
        if marks.confirm {
            reason = Reason.confirm
            message = "The activation is not confirmed. Call mtoken_client_wait_active with the PIN."
        } else if marks.upgrade {
            reason = Reason.confirmUpgrade
            message = "The upgrade of the activation is not confirmed: the status could not be fetched. Try again."
        } else if marks.precede(factors) {
            reason = Reason.confirmPIN
            message = "A change of the PIN was interrupted. Call mtoken_client_validate_pin with the new PIN."
        } else {
            return
        }
        // No PIN helps one that is blocked or removed.
        if isShut, let failure = serverStateFailure { throw failure }
        throw Failure(.state, reason, message.description, retriable: !marks.newPIN)
    }

    /// The next step according to a status; nil: none. Under the lock.
    fileprivate func next(after status: ActivationStatus, _ confirmations: Int) -> Call? {
        let marks = session.marks
        let isAlive = status.state == .active || status.state == .pendingCommit
        if marks.confirm || marks.upgrade {
            guard isAlive, confirmations < Call.mostConfirmations else { return nil }
            if marks.upgrade { return .confirmUpgrade(confirmations + 1) }
            guard let confirmation else { return nil }
            failedBefore = UInt8(clamping: status.failCount)
            return .confirmActivation(confirmation, confirmations + 1)
        }
        guard status.state == .active else { return nil }
        if status.counter == .calculateSignature {
            return .counterSynchronization(then: status)
        }
        // An answer was lost: the server has a biometric factor that this device has not. Where it fails it is not tried again
        // until the server has accepted another code.
        if status.biometryIsOn, !session.hasAnyBiometry, session.unacknowledged == 0 {
            let call = Call.removeBiometryV4(.catchingUp) { .done(.status(status)) }
            call.skips = {
                $0.session.hasAnyBiometry || $0.session.unacknowledged > 0 ? .done(.status(status)) : nil
            }
            return call
        }
        return nil
    }
}

extension Failure {
    /// The request was written in one protocol, and the activation has moved to another.
    static var upgradedMeanwhile: Failure {
        Failure(
            .state, Reason.confirmUpgrade, "The activation was upgraded during the call. Try again.",
            outcome: .answered, retriable: true)
    }
}
