// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The state of an operation (JSON `status`).
public enum OperationStatus: Sendable {
    /// `PENDING`: waits for the user. Also if the server sends no status, as older servers do.
    case pending
    /// `APPROVED`
    case approved
    /// `REJECTED`
    case rejected
    /// `CANCELED`
    case canceled
    /// `EXPIRED`
    case expired
    /// `FAILED`
    case failed
    /// Anything else: a state that this library does not know. Not to be approved.
    case unknown

    /// The state that a text names.
    init(_ text: JSONNode) {
        self =
            if text.equals("PENDING") {
                .pending
            } else if text.equals("APPROVED") {
                .approved
            } else if text.equals("REJECTED") {
                .rejected
            } else if text.equals("CANCELED") {
                .canceled
            } else if text.equals("EXPIRED") {
                .expired
            } else if text.equals("FAILED") {
                .failed
            } else {
                .unknown
            }
    }
}
