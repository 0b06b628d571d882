// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// An operation to approve, with the data that decide whether it may be approved.
package struct Approvable: Sendable {
    package let id: String
    package let data: String
    package let hasKnownStatus: Bool
    package let signature: AllowedSignature.Kind
    package let variants: AllowedSignature.Variants
    package let contradictions: Contradictions
    package let wantsProximityCheck: Bool

    /// An operation as it was decoded.
    package init(_ operation: UserOperation) {
        self.init(
            id: operation.id.string, data: operation.data.string, hasKnownStatus: operation.status != .unknown,
            signature: operation.allowedSignature.kind, variants: operation.allowedSignature.variants,
            contradictions: operation.contradictions, wantsProximityCheck: operation.wantsProximityCheck)
    }

    /// An operation that a host made up.
    package init(
        id: String, data: String, hasKnownStatus: Bool, signature: AllowedSignature.Kind,
        variants: AllowedSignature.Variants, contradictions: Contradictions, wantsProximityCheck: Bool = false
    ) {
        self.id = id
        self.data = data
        self.hasKnownStatus = hasKnownStatus
        self.signature = signature
        self.variants = variants
        self.contradictions = contradictions
        self.wantsProximityCheck = wantsProximityCheck
    }
}
