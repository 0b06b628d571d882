// SPDX-License-Identifier: Apache-2.0
/// The parts of an authorization request: the provider's configuration and the caller's additions.
public struct OIDCOptions: Sendable {
    /// One parameter of the request.
    public struct Parameter: Sendable {
        /// Not encoded.
        public let name: String
        /// Not encoded.
        public let value: String

        /// Name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The bank's configuration of the provider.
    public var configuration: OIDCConfiguration
    /// More parameters for the provider, e.g. `prompt` or `ui_locales`.
    public var parameters: [Parameter] = []
    /// Random bytes of the PKCE verifier.
    public var verifierByteCount = 32
    /// How long the provider's answer is waited for.
    public var lifetimeMilliseconds: Int64 = 600_000
    /// Where the answer comes to when the page at the redirect URI hands it on, e.g. a scheme of the program; nil: the redirect
    /// URI.
    public var callbackURI: String?
    /// The provider may be asked without TLS on the loopback interface: tests only.
    public var allowsLoopbackHTTP = false

    /// The defaults, for one provider.
    public init(_ configuration: OIDCConfiguration) { self.configuration = configuration }
}
