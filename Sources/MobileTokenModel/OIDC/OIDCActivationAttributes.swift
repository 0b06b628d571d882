// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The activation's values from a provider's response (oidc.md §5).
public struct OIDCActivationAttributes: Sendable {
    /// The provider's id at the bank.
    public let providerId: String
    /// The authorization code.
    public let code: SecureBytes
    /// The nonce of the request.
    public let nonce: SecureBytes
    /// The PKCE verifier, if the request had a challenge.
    public let codeVerifier: SecureBytes?

    /// The content of the provider's answer.
    public init(providerId: String, code: SecureBytes, nonce: SecureBytes, codeVerifier: SecureBytes?) {
        self.providerId = providerId
        self.code = code
        self.nonce = nonce
        self.codeVerifier = codeVerifier
    }
}
