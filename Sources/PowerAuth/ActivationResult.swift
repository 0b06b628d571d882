import MobileTokenCrypto

/// What an accepted activation tells the caller.
package struct ActivationResult: Sendable {
    /// The identifier of the activation.
    package let activationId: String
    /// Eight digits to compare with those on the server's side.
    package let fingerprint: String
    /// Recovery code and PUK, if the server gave them. They are stored too.
    package let recovery: RecoveryData?
    /// A JSON value from the server's integration, as it was received.
    package let customAttributes: [UInt8]?
    /// The claims about the user, a JSON value as it was received.
    package let userInfo: [UInt8]?
    /// The time in the answer, milliseconds since the Unix epoch; nil in 3.1.
    package let serverTimestamp: Int64?
}
