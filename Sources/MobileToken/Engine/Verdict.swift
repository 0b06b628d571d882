import MobileTokenHTTP

/// What a failure of a call may mean, as far as the call and the failure tell: functions of values. What the status tells besides is
/// `RefusalCause`.
extension Call {
    /// What is known of a failed answer besides what its reader said.
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
        (whenWrong != nil && failure.outcome != .notSent) || (isLost(failure) && failure.code != .cancelled)
    }

    /// Whether the answer is lost that would have told what has become of a factor. An outage says so itself.
    func isLost(_ failure: Failure) -> Bool {
        failure.outcome == .unknown && (whenWrong != nil || (changesFactor && !failure.isOutage))
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
        // So the server answers the wrong PIN that uses up the attempts of an operation, and perhaps of the activation.
        case "OPERATION_ALREADY_FAILED"?: return isSigned
        default: return false
        }
    }
}
