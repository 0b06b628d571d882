// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// How to log in at an OpenID Connect provider (oidc.md §2).
public struct OIDCConfiguration: Sendable {
    /// Key of the provider's configuration at the server.
    public let providerId: String
    /// The OAuth client.
    public let clientId: String
    /// Separated by spaces.
    public let scopes: String
    /// The provider's authorization endpoint.
    public let authorizeUri: String
    /// Where the provider sends its answer.
    public let redirectUri: String
    /// Whether the server demands PKCE.
    public let pkceEnabled: Bool
    /// The issuer that an answer must come from; nil: not known, so not checked.
    public let issuer: String?
    /// Whether an answer must name its issuer (RFC 9207).
    public let issuerRequired: Bool

    /// A configuration made by hand.
    public init(
        providerId: String, clientId: String, scopes: String, authorizeUri: String, redirectUri: String,
        pkceEnabled: Bool, issuer: String? = nil, issuerRequired: Bool = false
    ) {
        self.providerId = providerId
        self.clientId = clientId
        self.scopes = scopes
        self.authorizeUri = authorizeUri
        self.redirectUri = redirectUri
        self.pkceEnabled = pkceEnabled
        self.issuer = issuer
        self.issuerRequired = issuerRequired
    }

    /// The same with another place for the answer.
    package func redirected(to uri: String) -> OIDCConfiguration {
        OIDCConfiguration(
            providerId: providerId, clientId: clientId, scopes: scopes, authorizeUri: authorizeUri, redirectUri: uri,
            pkceEnabled: pkceEnabled, issuer: issuer, issuerRequired: issuerRequired)
    }

    /// The `responseObject` of the server's answer; nil if a member is missing or of another type.
    package init?(_ content: JSONValue?) {
        guard let content, let providerId = content["providerId"]?.text, let clientId = content["clientId"]?.text,
            let scopes = content["scopes"]?.text, let authorizeUri = content["authorizeUri"]?.text,
            let redirectUri = content["redirectUri"]?.text, let pkceEnabled = content["pkceEnabled"]?.bool
        else { return nil }
        self.init(
            providerId: providerId.string, clientId: clientId.string, scopes: scopes.string,
            authorizeUri: authorizeUri.string, redirectUri: redirectUri.string, pkceEnabled: pkceEnabled)
    }
}
