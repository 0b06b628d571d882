// SPDX-License-Identifier: Apache-2.0
/// The state or the outcome of the handling of a request.
public struct MobileAuthOutcome: Sendable {
    /// The authenticator that was used or last asked for.
    public enum Authenticator: Sendable {
        case none
        case pin
        case biometric
        case custom(String)
    }

    /// The request.
    public var request: MobileAuthRequest
    /// How the user was authenticated.
    public var authenticator = Authenticator.none
    /// The user has rejected the request.
    public var isDenied = false
    /// Information from a custom authenticator that fell back to the PIN.
    public var customInfo: String?
    /// The server's reply to the last answer, JSON.
    public var serverInfo: String?
    /// Why it failed.
    public var error: MobileAuthError?

    package init(_ request: MobileAuthRequest) { self.request = request }
}
