// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// An activation as the bank knows it.
public struct ActivationDetail: Sendable {
    /// The id that the server gave.
    public let activationId: String
    /// The name of the device that the bank shows; nil: none.
    public let name: String?

    /// Nil without the activation's id.
    public init?(_ content: JSONValue?) {
        guard let content, let id = content["activationId"]?.text else { return nil }
        activationId = id.string
        name = content["activationName"]?.text?.string
    }
}
