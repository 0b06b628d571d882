import MobileTokenCrypto

/// What a provider's answer gives for the activation (oidc.md §5).
package struct OIDCActivationAttributes: Sendable {
    package let providerId: String
    package let code: SecureBytes
    package let nonce: SecureBytes
    package let codeVerifier: SecureBytes?

    package init(providerId: String, code: SecureBytes, nonce: SecureBytes, codeVerifier: SecureBytes?) {
        self.providerId = providerId
        self.code = code
        self.nonce = nonce
        self.codeVerifier = codeVerifier
    }
}
