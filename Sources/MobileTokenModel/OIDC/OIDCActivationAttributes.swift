import MobileTokenCrypto

/// The activation's values from a provider's response (oidc.md §5).
public struct OIDCActivationAttributes: Sendable {
    public let providerId: String
    public let code: SecureBytes
    public let nonce: SecureBytes
    public let codeVerifier: SecureBytes?

    public init(providerId: String, code: SecureBytes, nonce: SecureBytes, codeVerifier: SecureBytes?) {
        self.providerId = providerId
        self.code = code
        self.nonce = nonce
        self.codeVerifier = codeVerifier
    }
}
