// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth

/// The step after a failure: functions of values. `RefusalCause` finds why a server refused.
enum Verdict {
    /// The call ends with this failure.
    case finish(Failure)
    /// The call ends with the failure of what had to come first: its own request was not made.
    case unmade(Failure)
    /// The callers of the status get their result.
    case status(ActivationStatus)
    /// Another request, with what may be to blame renewed; where that fails, the call ends with this failure.
    case startOver(Renewal, Failure)
    /// The status is asked for the cause.
    case diagnose(Failure)
    /// The server took the code of a new factor: it is as good as answered.
    case accepted

    enum Renewal {
        /// Nothing: the key that was refused has been forgotten already.
        case nothing
        case time, token
    }

    /// The changes that the status of a refusal brings.
    struct Effects: OptionSet {
        let rawValue: UInt8
        /// No answer shows that the server has seen the first code of a new factor, or found it wrong: the change stays open.
        static let staysOpen = Effects(rawValue: 1)
        /// The first code of a new factor was wrong: the former one applies.
        static let formerFactor = Effects(rawValue: 2)
        /// Whether the activation is active is in doubt.
        static let doubt = Effects(rawValue: 4)
    }

    /// The causes of a refusal beside the factors: whatever is older than the call.
    struct Renewable {
        enum Clock {
            /// The time was corrected, or found wrong, since the request was made.
            case corrected
            case old, new
        }

        var version = ProtocolVersion.v33
        /// No temporary key has come since the call began.
        var keyIsOld = true
        var clock = Clock.old

        /// The key that was refused has been forgotten; one that came for this request is not to blame. In 4.0 the status, which is
        /// asked for the cause, has brought another one since.
        func keyOrTime(_ tried: inout Tried) -> Renewal? {
            if version.usesTemporaryKeys { return keyIsOld && tried.insert(.key).inserted ? .nothing : nil }
            return version.usesTimestamps ? time(&tried) : nil
        }

        /// The server's time, if it was learned before this call began and nothing has confirmed it since.
        func time(_ tried: inout Tried) -> Renewal? { tried.insert(.time).inserted && clock != .new ? .time : nil }
    }

    /// The facts that the status has shown after a refusal.
    final class Findings {
        /// Why it cannot be had; nil: it has come.
        var failure: Failure?
        var status: ActivationStatus?
        var serverState = ServerState.active
        /// Why calls fail that need an active activation.
        var serverStateFailure: Failure?
        var cause: RefusalCause?
        var renewable = Renewable()
        /// The activation is still that of the call.
        var isCurrent = true
        /// The call's own request was made and signed.
        var isMade = true
        /// The call follows at once on one that the server has acted on.
        var isBound = false
        /// The status itself was asked for.
        var isStatus = false

        init() {}
    }

    /// After a failed answer, or a lost one.
    @inline(never)
    static func answered(
        _ failure: Failure, of call: Call, _ renewable: Renewable, _ tried: inout Tried
    ) -> Verdict {
        // An envelope that was not opened has done nothing: with another key or the right time it may be.
        if !call.isSigned, call.isUnread(failure), let renewal = renewable.keyOrTime(&tried) {
            return .startOver(renewal, failure)
        }
        return call.isUnsettled(failure) || call.isDoubtful(failure) ? .diagnose(failure) : .finish(failure)
    }

    /// After the failure of what had to come first.
    static func prerequisite(_ failure: Failure, of call: Call) -> Verdict {
        call.isDoubtful(failure) ? .diagnose(failure) : .unmade(failure)
    }

    /// After a refusal, when the status has come or cannot be had.
    @inline(never)
    static func diagnosed(
        _ refusal: Failure, _ found: Findings, of call: Call, _ tried: inout Tried
    ) -> (Verdict, Effects) {
        var refusal = refusal
        refusal.isDiagnosed = true
        if found.failure?.code == .cancelled { return (.finish(.cancelled(outcome: refusal.outcome)), []) }
        let isWrong = found.cause == .factor && refusal.isOfCode
        var effects: Effects = []
        if call.provesFactor, found.failure == nil, found.isCurrent {
            if found.cause == .accepted { return (.accepted, []) }
            if isWrong { effects = .formerFactor }
        }
        if !isWrong {
            refusal = call.leftOpen(refusal)
            effects = .staysOpen
        }
        if call.isLost(refusal) { return (.finish(refusal.telling(attemptsOf: found.status)), effects) }
        if let failure = found.failure {
            let end: Failure
            if failure.isOfUnknownActivation, found.renewable.version != .v40 {
                end = refusal.ofUnknownActivation
            } else {
                effects.insert(.doubt)
                end = failure.isOfAnotherCause ? failure.answered(by: refusal) : refusal.unavailable(because: failure)
            }
            return (found.isMade ? .finish(end) : .unmade(end), effects)
        }
        return (known(refusal, found, of: call, isWrong: isWrong, &tried), effects)
    }

    private static func known(
        _ refusal: Failure, _ found: Findings, of call: Call, isWrong: Bool, _ tried: inout Tried
    ) -> Verdict {
        // A confirmation is asked for while the activation is pending: that is not why it was refused.
        if let reason = found.serverStateFailure, call.step != .confirmation || found.serverState.isClosed {
            if found.isStatus, let status = found.status { return .status(status) }
            let end = reason.answered(by: refusal)
            return found.isMade ? .finish(end) : .unmade(end)
        }
        if case .counterBehind(let steps)? = found.cause, refusal.code == .authentication {
            return .finish(Failure.counterBehind(steps, found.status).answered(by: refusal))
        }
        let end = refusal.whileActive(found.status, found.cause, signedWith: call.factors)
        if let renewal = renewal(after: refusal, found, of: call, &tried) { return .startOver(renewal, end) }
        if isWrong, call.provesFactor, found.isBound { return .finish(refusal.ofSecretsThatDiffer(found.status)) }
        return found.isMade ? .finish(end) : .unmade(end)
    }

    /// The activation is active: what may be to blame instead.
    private static func renewal(
        after failure: Failure, _ found: Findings, of call: Call, _ tried: inout Tried
    ) -> Renewal? {
        let isUnread = call.isUnread(failure)
        guard failure.code == .authentication || isUnread else { return nil }
        if call.isSigned {
            // An envelope that was not opened has done nothing, and no attempt was counted for its signature. Where the server looks
            // at the signature first, its answer is that to a signature.
            let isUnopened = call.isEncrypted && (found.cause == .accepted || (isUnread && found.cause == .notFactor))
            // Another signature, but no other attempt: only where the device alone is asked for.
            guard isUnopened || (call.isOfLibrary && call.factors == .possession) else { return nil }
            return found.renewable.keyOrTime(&tried)
        }
        guard call.token != nil else { return nil }
        if let renewal = found.renewable.time(&tried) { return renewal }
        return !isUnread && tried.insert(.token).inserted ? .token : nil
    }
}

extension Failure {
    /// Nothing is signed because the status cannot be had.
    static func withoutStatus(_ failure: Failure, _ counter: Need.Counter) -> Failure {
        var failure = failure
        failure.outcome = .notSent
        failure.isDiagnosed = true
        if counter.window != nil, counter.isAtRisk {
            failure.reason = Reason.counterAtRisk
            failure.message = filled(
                "Nothing was signed: % signatures are not acknowledged, and the server's counter cannot be fetched. %",
                String(counter.open), failure.message)
        }
        return failure
    }

    /// The failure of what had to come first, as the call's own. A signed request was not made. The outcome of a read-only call is
    /// that of its parts.
    func unmade(isSigned: Bool) -> Failure {
        var failure = self
        if isSigned {
            failure.outcome = .notSent
        } else if failure.outcome == .unknown {
            failure.retriable = true
        }
        return failure
    }
}

extension Call {
    /// The failure to report where the change of a factor stays open.
    func leftOpen(_ failure: Failure) -> Failure {
        guard provesFactor, failure.outcome == .unknown else { return failure }
        return failure.mayApply(step == .newPIN ? Reason.newPINMayApply : Reason.newBiometryMayApply)
    }

    /// A request that was not sent, after one of the same call that the server has answered and acted on.
    func bound(_ failure: Failure) -> Failure {
        var failure = failure
        failure.outcome = .unknown
        failure.retriable = false
        return leftOpen(failure)
    }

    /// The failure that ends the call.
    func named(_ failure: Failure, _ correlationID: String?) -> Failure {
        var failure = failure
        if failure.correlationID == nil, let correlationID { failure.correlationID = correlationID }
        if isOfLibrary, failure.code != .cancelled { failure.upstreamReason = Reason.networkToken }
        return failure
    }

    /// Whether the status before it, which has come, is the result nevertheless.
    func hides(_ failure: Failure) -> Bool {
        step == .catchingUp && !failure.isGrave && failure.code != .cancelled
    }

    /// Adds the known facts about a failed answer to its reader's error.
    func completed(_ failure: Failure, _ response: HTTPResponse) -> Failure {
        var failure = failure
        if failure.outcome == .answered { failure.httpStatus = Int32(truncatingIfNeeded: response.status) }
        // Anything but the server's own refusal may have come after it has acted.
        if isSigned, !failure.isRefusal {
            failure.outcome = .unknown
            failure.retriable = false
        }
        return failure
    }

    /// Whether the status may tell what has become of a factor: counter and attempts do.
    func isUnsettled(_ failure: Failure) -> Bool {
        (provesFactor && failure.outcome != .notSent) || (isLost(failure) && failure.code != .cancelled)
    }

    /// Whether the lost answer would have shown the outcome for a factor. An outage is its own explanation.
    func isLost(_ failure: Failure) -> Bool {
        failure.outcome == .unknown && (provesFactor || (purpose == .factor && !failure.isOutage))
    }

    /// Whether the status may tell what a failure of this call, or of what it needed first, is about: no code proves its cause
    /// (errors.md §3).
    func isDoubtful(_ failure: Failure) -> Bool {
        guard requires == .activated, errors != .status, !failure.isDiagnosed else { return false }
        if failure.isOutage { return true }
        guard failure.isRefusal else { return false }
        if failure.code == .authentication { return true }
        switch failure.serverCode?.byBytes {
        case "ERR_TEMPORARY_KEY"?, "ERR_ENCRYPTION"?, "ERR_SECURE_VAULT"?, "ERR_ACTIVATION"?, "INVALID_ACTIVATION"?,
            "ACTIVATION_NOT_ACTIVE"?, "REMOTE_COMMUNICATION_ERROR"?, "ERR_PASSWORD_CHANGE"?, "ERR_BIOMETRY"?,
            "ERR_UPGRADE"?:
            return true
        // The server's answer to the wrong PIN that uses up the attempts of an operation, and perhaps of the activation.
        case "OPERATION_ALREADY_FAILED"?: return isSigned
        default: return false
        }
    }

    /// Where the server answers an envelope that it could not open with 400 and another code than `ERR_ENCRYPTION`
    /// (powerauth4.md §12, released-servers.md §1).
    private static let unreadCodes: [(endpoint: StaticString, code: StaticString)] = [
        ("/activation/status", "ERR_ACTIVATION"), ("/vault/unlock", "ERR_SECURE_VAULT"),
        ("/password/change", "ERR_PASSWORD_CHANGE"), ("/biometry/add", "ERR_BIOMETRY"),
        ("/activation/rename", "ERR_ACTIVATION"),
    ]

    /// The body is under a temporary key of the server, where the protocol has such keys.
    var isEncrypted: Bool { encryption.layerScope != nil }

    /// Whether the server may have refused this call because it could not open its envelope, which has done nothing.
    func isUnread(_ failure: Failure) -> Bool {
        guard isEncrypted, failure.httpStatus == 400, let code = failure.serverCode else { return false }
        if sameBytes("ERR_ENCRYPTION", code) { return true }
        let end = [UInt8](path.description.utf8)
        return Self.unreadCodes.contains { row in
            sameBytes(row.code, code)
                && end.suffix(row.endpoint.utf8CodeUnitCount).elementsEqual(row.endpoint.description.utf8)
        }
    }
}
