import MobileTokenSystem

/// What is known of the handling of a request; kept with its task. May be used from any thread.
package final class MobileAuthProgress: @unchecked Sendable {
    /// How the user has proved, or was last asked to prove, who they are.
    package enum Authenticator: Sendable {
        case none
        case pin
        case biometric
        case custom(String)
    }

    package struct Snapshot: Sendable {
        package var request: MobileAuthRequest
        package var authenticator = Authenticator.none
        /// The user has rejected the request.
        package var isDenied = false
        /// What the custom authenticator said when it fell back to the PIN.
        package var customInfo: String?
        /// What the server said to the last answer, JSON.
        package var serverInfo: String?
        package var error: MobileAuthError?
    }

    private let lock = Lock()
    private var current: Snapshot

    init(_ request: MobileAuthRequest) { current = Snapshot(request: request) }

    package var snapshot: Snapshot { lock.withLock { current } }

    func update(_ change: (inout Snapshot) -> Void) { lock.withLock { change(&current) } }
}
