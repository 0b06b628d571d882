// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

extension Activation {
    /// Refuses what an active activation must come before. Under the lock.
    func requireEnrolment() throws(Failure) {
        do throws(Failure) {
            try require(.activated)
        } catch {
            guard error.code == .notActivated || error.code == .pending else { throw error }
            throw MobileAuthError.notEnrolled.failure(from: error)
        }
    }
}

extension Failure {
    /// Nothing is signed without the password that the server will ask for.
    static var proximityRequired: Failure {
        MobileAuthError.proximityRequired.failure(
            .argument, "The operation requires a proximity check. Pass its one-time password.")
    }
}

extension MobileAuthError {
    /// A failure of this kind that nothing else has caused.
    func failure(_ code: Failure.Code, _ message: String) -> Failure { Failure(code, reason, message) }

    /// The failure of a call as one of this kind: with its own reason, and all else that is known of it.
    func failure(from cause: Failure) -> Failure {
        guard self != .other else { return cause }
        var failure = cause
        failure.reason = reason
        return failure
    }

    /// The meaning of a call's failure.
    ///
    /// - Parameter asked: the user had been asked already, so that the request was there before
    init(_ failure: Failure, asked: Bool) {
        switch failure.code {
        case .cancelled: self = .actionCancelled
        case .network:
            // 6: the name of the server cannot be resolved, which is mostly for want of a network.
            self =
                failure.networkFault == .notConnected || failure.transportCode == 6
                ? .networkConnectivity : .serverNotReachable
        case .timeout, .tls, .pinMismatch, .http: self = .serverNotReachable
        case .notActivated, .pending, .pendingCommit: self = .notEnrolled
        case .blocked: self = .userDeregistered
        case .removed: self = .deviceDeregistered
        case .configuration: self = .configurationInvalid
        case .authentication: self = .configurationInvalid
        case .server: self = Self.meaning(of: failure, asked: asked)
        default: self = .other
        }
    }

    private static func meaning(of failure: Failure, asked: Bool) -> MobileAuthError {
        // The server cannot check anything now: the request stays as it is.
        if failure.isUnavailability { return .serverNotReachable }
        if failure.isOfAnotherCause { return .configurationInvalid }
        if failure.isOfAcceptedRequest { return .notHandleable }
        switch failure.serverCode?.byBytes ?? "" {
        case "INVALID_OPERATION", "INVALID_REQUEST", "OPERATION_ALREADY_FAILED", "OPERATION_ALREADY_FINISHED",
            "OPERATION_ALREADY_CANCELED", "ERROR_NOT_FOUND":
            return .notFound
        case "OPERATION_EXPIRED": return asked ? .expired : .notFound
        case "ACTIVATION_NOT_CONFIGURED": return .userDisenrolled
        case "OPERATION_FAILED", "OPERATION_REQUIRES_ACTIVATION_FLAG": return .notHandleable
        case "INVALID_APPLICATION", "INVALID_ACTIVATION", "ERR_ACTIVATION", "ERR_TEMPORARY_KEY", "ERR_ENCRYPTION":
            return .configurationInvalid
        default: return failure.httpStatus >= 500 ? .serverNotReachable : .other
        }
    }
}
