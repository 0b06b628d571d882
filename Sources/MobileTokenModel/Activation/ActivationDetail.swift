import MobileTokenJSON

/// What the bank tells of an activation.
package struct ActivationDetail: Sendable {
    package let activationId: String
    /// The name of the device that the bank shows; nil: none.
    package let name: String?

    /// Nil without the activation's id.
    package init?(_ content: JSONValue?) {
        guard let content, let id = content["activationId"]?.text else { return nil }
        activationId = id.string
        name = content["activationName"]?.text?.string
    }
}
