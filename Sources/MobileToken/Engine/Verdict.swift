import MobileTokenHTTP

/// The meaning of a call's failure, as far as the call and the failure show it: functions of values. The facts from the
/// status are `RefusalCause`.
extension Call {
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
        // So the server answers the wrong PIN that uses up the attempts of an operation, and perhaps of the activation.
        case "OPERATION_ALREADY_FAILED"?: return isSigned
        default: return false
        }
    }
}
