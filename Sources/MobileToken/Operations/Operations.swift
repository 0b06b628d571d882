// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// The operations of an activation: asked for, approved and rejected, known and watched. May be used from any thread.
public struct Operations: Sendable {
    let activation: Activation
    let state: OperationsState

    /// The host's options of an approval.
    static func check(_ extras: ApprovalExtras) throws(Failure) {
        if let proximity = extras.proximity, proximity.otp.isEmpty {
            throw .argument("The one-time password of the proximity check is empty.")
        }
        try checkObject(extras.mobileTokenData)
    }

    /// JSON from the host must be one object.
    static func checkObject(_ json: [UInt8]?) throws(Failure) {
        guard let json else { return }
        var failure = Failure(.parse, Reason.invalidArgument, "The mobile token data is not a JSON object.")
        do throws(JSONError) {
            let document = try JSONDocument(parsing: json)
            if document.root.kind == .object { return }
            failure.byteOffset = 0
        } catch {
            failure.byteOffset = error.offset
        }
        throw failure
    }
}

extension Failure {
    /// A strict client, or call, does not approve such an operation.
    package static var contradiction: Failure {
        Failure(
            .state, "contradiction",
            "The operation does not show what it signs. Show its contradictions, and reject it."
        )
    }
}

extension Failure {
    /// A strict client does not sign other data than those of the operation that it knows, and that was shown.
    static var otherData: Failure {
        Failure(
            .state, "contradiction",
            "The client has other data for the operation with this id. Fetch it and show it."
        )
    }
}
