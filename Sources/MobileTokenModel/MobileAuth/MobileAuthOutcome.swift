/// How the handling of a request stands, or has ended.
public struct MobileAuthOutcome: Sendable {
    /// How the user has proved, or was last asked to prove, who they are.
    public enum Authenticator: Sendable {
        case none
        case pin
        case biometric
        case custom(String)
    }

    /// What was asked for.
    public var request: MobileAuthRequest
    /// How the user was authenticated.
    public var authenticator = Authenticator.none
    /// The user has rejected the request.
    public var isDenied = false
    /// What the custom authenticator said when it fell back to the PIN.
    public var customInfo: String?
    /// What the server said to the last answer, JSON.
    public var serverInfo: String?
    /// Why it failed.
    public var error: MobileAuthError?

    package init(_ request: MobileAuthRequest) { self.request = request }
}
