// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The result of an accepted activation.
public struct ActivationResult: Sendable {
    /// The identifier of the activation.
    public let activationId: String
    /// Eight digits to compare with those on the server's side.
    public let fingerprint: String
    /// Recovery code and PUK, if the server gave them. They are stored too.
    public let recovery: RecoveryData?
    /// A JSON value from the server's integration, as it was received.
    public let customAttributes: [UInt8]?
    /// The claims about the user, a JSON value as it was received.
    public let userInfo: [UInt8]?
    /// The time in the answer, milliseconds since the Unix epoch; nil in 3.1.
    public let serverTimestamp: Int64?
    /// The protocol that was agreed.
    public let version: ProtocolVersion
    /// The suite of 4.0; nil: protocol 3.
    package let agreedSuite: V4.Suite?
}
