/// How the handling of a request stands, or has ended.
package struct MobileAuthOutcome: Sendable {
    /// How the user has proved, or was last asked to prove, who they are.
    package enum Authenticator: Sendable {
        case none
        case pin
        case biometric
        case custom(String)
    }

    package var request: MobileAuthRequest
    package var authenticator = Authenticator.none
    /// The user has rejected the request.
    package var isDenied = false
    /// What the custom authenticator said when it fell back to the PIN.
    package var customInfo: String?
    /// What the server said to the last answer, JSON.
    package var serverInfo: String?
    package var error: MobileAuthError?

    package init(_ request: MobileAuthRequest) { self.request = request }
}
