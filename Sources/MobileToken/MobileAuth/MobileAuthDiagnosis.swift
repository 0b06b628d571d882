import PowerAuth

/// What the server says of the activation after it has refused a call.
indirect enum MobileAuthDiagnosis {
    /// The activation is in order; attempts left.
    case active(Int)
    case failed(MobileAuthError, Failure)
    /// The status could not be had.
    case unknown(Failure)
}

extension Client {
    /// Asks for the activation's status to learn what a refusal means. Forgets an activation that the server has removed.
    ///
    /// - Parameters:
    ///   - failure: the refusal
    ///   - step: starts a call and hands over what came of it
    func diagnose(
        _ failure: Failure,
        step: ((CallTask) throws(Failure) -> Void, @escaping @Sendable (CallTask) -> Void) throws(Failure) -> Void,
        then: @escaping @Sendable (MobileAuthDiagnosis) -> Void
    ) {
        do throws(Failure) {
            try step({ [self] (task) throws(Failure) in try fetchStatus(task: task) }) { [self] task in
                guard case .status(let status)? = task.result else {
                    return then(.unknown(task.failure ?? failure))
                }
                then(diagnosis(failure, status))
            }
        } catch {
            then(.unknown(error))
        }
    }

    private func diagnosis(_ failure: Failure, _ status: ActivationStatus) -> MobileAuthDiagnosis {
        var refusal = failure
        refusal.code = .authentication
        refusal.remainingAttempts = 0
        switch status.state {
        case .active: return .active(status.remainingAttempts)
        case .blocked:
            refusal.message = "The activation is blocked at the server: too many attempts have failed."
            return .failed(.userDeregistered, MobileAuthError.userDeregistered.failure(from: refusal))
        default:
            let tooMany = status.maxFailCount > 0 && status.failCount >= status.maxFailCount
            refusal.message =
                tooMany
                ? "The server has removed the activation: too many attempts have failed. It was removed here too."
                : "The server has removed the activation. It was removed here too."
            do throws(Failure) {
                try removeLocally()
            } catch {
                runtime.log(.error, client: self, "the removed activation cannot be removed here: \(error.reason)")
            }
            let error: MobileAuthError = tooMany ? .userDeregistered : .deviceDeregistered
            return .failed(error, error.failure(from: refusal))
        }
    }
}
