// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import PowerAuth

/// The meaning of a refusal, according to the activation's status.
extension Failure {
    /// The status cannot be had either: the server cannot check anything now.
    func unavailable(because other: Failure) -> Failure {
        var failure = self
        failure.code = .server
        failure.reason = Reason.serverUnavailable
        failure.message =
            "The server refused the request and cannot look up the activation: its back end may be down. The PIN may "
            + "still be right. Try again later."
        failure.retriable = true
        failure.retryAfter = other.retryAfter
        failure.cause = other.message
        failure.isDiagnosed = true
        return failure
    }

    /// A new factor was agreed on, and nothing tells whether the server has seen its first code.
    func mayApply(_ reason: StaticString) -> Failure {
        var failure = self
        failure.cause = message
        failure.reason = reason
        failure.message =
            isSame(reason, Reason.newPINMayApply)
            ? "No answer has come to the first code of the new PIN. The new PIN applies: call mtoken_client_validate_pin with it."
            : "No answer has come to the first code of the new biometry key. Use it, or add the factor again with the PIN."
        return failure
    }

    /// The status tells too whether the server has counted an attempt.
    func telling(attemptsOf status: ActivationStatus?) -> Failure {
        guard let status else { return self }
        var failure = self
        failure.remainingAttempts = Int32(clamping: status.remainingAttempts)
        failure.message = filled(
            "% Attempts left before the activation is blocked: %.", message, String(status.remainingAttempts))
        return failure
    }

    /// The server itself says that it has failed, and perhaps after it had acted: it has refused nothing.
    var isOutage: Bool { httpStatus == 401 && Self.isOutage(serverMessage ?? "") }

    static func isOutage(_ message: String) -> Bool {
        message.byBytes == "POWER_AUTH_CODE_ERROR" || message.byBytes == "POWER_AUTH_TOKEN_ERROR"
    }

    /// The server has looked at the code and found it wrong, or has not looked at it at all.
    var isOfCode: Bool { serverMessage?.byBytes == "POWER_AUTH_CODE_INVALID" }

    /// The server answers but cannot check anything, or its back end does not hear it.
    var isUnavailability: Bool {
        isSame(reason, Reason.serverUnavailable) || serverCode?.byBytes == "REMOTE_COMMUNICATION_ERROR"
    }

    /// The server refused the request, and not for its factor.
    var isOfAnotherCause: Bool { isSame(reason, Reason.notTheFactor) }

    /// The server accepted the signature and refused the request.
    var isOfAcceptedRequest: Bool { isSame(reason, Reason.acceptedThenRefused) }

    /// The status was answered as that of an activation that the server does not have.
    var isOfUnknownActivation: Bool {
        code == .protocol && outcome == .answered && isSame(reason, Reason.invalidActivationData)
    }

    /// The server does not have the activation: perhaps it is another server.
    var ofUnknownActivation: Failure {
        ofAnotherCause(
            "The server refused the request: it does not know this activation. Check base_url.", retriable: false)
    }

    /// The server gives no key, and its back end is not down, unless that was a moment ago.
    var ofRefusedKey: Failure {
        ofAnotherCause(
            "The server gives this device no key: the bank has withdrawn this version, or does not know "
                + "the activation. Update the program, and check base_url.",
            retriable: true)
    }

    private func ofAnotherCause(_ message: String, retriable: Bool) -> Failure {
        var failure = self
        failure.explain(Reason.notTheFactor)
        failure.retriable = retriable
        failure.message = message
        failure.isDiagnosed = true
        return failure
    }

    private func isSame(_ one: StaticString, _ other: StaticString) -> Bool { sameBytes(one, other) }

    /// This says why the server refused a request; the answer itself stays to be seen.
    func answered(by refusal: Failure) -> Failure {
        var failure = self
        failure.outcome = refusal.outcome
        failure.httpStatus = refusal.httpStatus
        failure.serverCode = refusal.serverCode
        failure.serverMessage = refusal.serverMessage
        failure.serverURI = refusal.serverURI
        failure.isRefusal = true
        failure.isDiagnosed = true
        return failure
    }

    /// No factor was refused: gives the failure a reason that says so. The SDKs have one for all.
    private mutating func explain(_ reason: StaticString) {
        code = .server
        upstreamReason = upstreamReason ?? self.reason
        self.reason = reason
    }

    /// The first code of a factor that was just agreed on is wrong: the change was reverted.
    func ofSecretsThatDiffer(_ status: ActivationStatus?) -> Failure {
        var failure = self
        failure.explain(Reason.secretsDiffer)
        failure.message =
            "The server and this device agreed on different keys, so the first code of the new factor was wrong and "
            + "counted as a failed attempt. The change was taken back: the former factor applies."
        failure.isDiagnosed = true
        failure.remainingAttempts = status.map { Int32(clamping: $0.remainingAttempts) }
        return failure
    }

    /// The activation is active nevertheless.
    ///
    /// - Parameters:
    ///   - cause: nil: the request was not signed
    ///   - factors: what the request was signed with
    func whileActive(_ status: ActivationStatus?, _ cause: RefusalCause?, signedWith factors: Factors) -> Failure {
        var failure = self
        failure.isDiagnosed = true
        guard let status else { return failure }
        failure.remainingAttempts = Int32(clamping: status.remainingAttempts)
        if serverCode?.byBytes == "REMOTE_COMMUNICATION_ERROR" { failure.retriable = true }
        guard code == .authentication else { return failure }
        switch cause {
        case .factor?:
            failure.message = filled(
                """
                The server refused the request and counted a failed attempt: % is wrong, unless the bank has withdrawn \
                this version of the application. Attempts left before the activation is blocked: %.
                """, factors.contains(.knowledge) ? "the PIN" : "the biometry key", String(status.remainingAttempts))
        case .accepted?:
            failure.explain(Reason.acceptedThenRefused)
            failure.message = filled(
                """
                The server accepted the signature and then refused the request (%): factors and keys are right. The \
                content of the request, or the bank's rules for it, may be the reason.
                """, serverCode ?? "401")
        case .notFactor?, .counterBehind?, nil:
            failure.explain(Reason.notTheFactor)
            failure.message = filled(
                """
                The server refused the request (%) although the activation is active, and counted no failed attempt: \
                the kind of factor, application version, key or operation may be the reason.
                """, serverCode ?? "401")
        }
        return failure
    }

    /// The server's counter has moved on without this device, which has caught up with it by now.
    static func counterBehind(_ steps: Int, _ status: ActivationStatus?) -> Failure {
        var failure = Failure(
            .state, Reason.counterBehind,
            filled(
                """
                The server's counter was % or more steps ahead: another copy of this activation has signed, or an old \
                state was restored. Device and server are in step again: try again. If nobody restored a state, have \
                the bank block the activation.
                """, String(steps)), retriable: true)
        failure.remainingAttempts = status.map { Int32(clamping: $0.remainingAttempts) }
        return failure
    }
}
