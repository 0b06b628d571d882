// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Reasons of the server's error codes for one kind of call.
enum ErrorTable {
    case general, approval, operation
    /// The unsigned status. Its refusal means that the server cannot look up the activation now.
    case status
    /// A question about one operation: "expired" is its state, not a failed rejection.
    case question

    /// The SDKs' reason for a code, where it differs.
    func upstreamReason(_ code: String) -> StaticString? {
        self == .question && code.byBytes == "OPERATION_EXPIRED" ? Reason.operationsRejectExpired : nil
    }

    /// The reason of a code (operations.md §8); nil: the general one.
    func reason(_ code: String) -> StaticString? {
        if self == .status { return Reason.serverUnavailable }
        guard self != .general else { return nil }
        switch code.byBytes {
        case "INVALID_ACTIVATION": return Reason.operationsInvalidActivation
        case "OPERATION_ALREADY_FAILED": return Reason.operationsAlreadyFailed
        case "OPERATION_ALREADY_FINISHED": return Reason.operationsAlreadyFinished
        case "OPERATION_ALREADY_CANCELED": return Reason.operationsAlreadyCanceled
        case "OPERATION_EXPIRED":
            if self == .question { return Reason.operationsExpired }
            return self == .approval ? Reason.operationsAuthExpired : Reason.operationsRejectExpired
        case "OPERATION_FAILED": return Reason.operationsFailed
        default: return nil
        }
    }
}
