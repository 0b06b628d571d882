/// What an authorization request is made of: the provider's configuration and what the caller adds.
public struct OIDCOptions: Sendable {
    public struct Parameter: Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var configuration: OIDCConfiguration
    /// More parameters for the provider, e.g. `prompt` or `ui_locales`.
    package var parameters: [Parameter] = []
    /// Random bytes of the PKCE verifier.
    package var verifierByteCount = 32
    /// How long the provider's answer is waited for.
    package var lifetimeMilliseconds: Int64 = 600_000
    /// The provider may be asked without TLS on the loopback interface: tests only.
    package var allowsLoopbackHTTP = false

    package init(_ configuration: OIDCConfiguration) { self.configuration = configuration }
}
