// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

extension Call {
    /// The configuration of a provider (oidc.md §2): encrypted in application scope, without an activation. The request has
    /// no `requestObject`; the decrypted answer is a plain envelope.
    static func oidcConfiguration(providerId: String) -> Call {
        Call(
            name: "OIDC configuration", root: .operations, path: "/api/config/oidc",
            encryption: .layer(.applicationGeneric), requires: nil
        ) { (_) throws(Failure) in
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("providerId")
            writer.value(providerId)
            writer.endObject()
            return writer.bytes
        } read: { (_, answer) throws(Failure) in
            guard let plaintext = answer.plaintext,
                let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) }),
                let envelope = try? ReplyEnvelope(document), case .success(let content) = envelope.outcome,
                let configuration = OIDCConfiguration(content)
            else { throw unreadable("The server's response has no provider configuration.") }
            return .done(.oidcConfiguration(configuration))
        }
    }

    /// Adds a provider's published metadata (OpenID Connect Discovery 1.0 §4) to a configuration made by hand.
    static func oidcDiscovery(_ options: OIDCOptions, issuer: String) -> Call {
        let server = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.utf8.dropLast()) ?? issuer : issuer
        return Call(
            name: "OIDC discovery", root: .document(of: server, allowsHTTP: options.allowsLoopbackHTTP),
            path: "/.well-known/openid-configuration", requires: nil, body: { (_) throws(Failure) in [] }
        ) { (_, answer) throws(Failure) in
            guard let root = answer.document?.root, let endpoint = root["authorization_endpoint"]?.text,
                let types = root["response_types_supported"]
            else { throw unreadable("The provider's document lacks a required member.") }
            // Byte by byte: nothing that merely looks like the issuer (OpenID Connect Discovery 1.0 §4.3).
            guard let name = root["issuer"]?.text, sameBytes(name.bytes, issuer) else {
                throw Failure(
                    .protocol, "issuerMismatch", "The provider's document belongs to another issuer.",
                    outcome: .answered)
            }
            guard holds(types, "code") else {
                throw Failure(
                    .unsupported, "unsupportedProvider", "The provider does not offer the authorization code flow.",
                    outcome: .answered)
            }
            let given = options.configuration
            // Many providers that have PKCE do not tell, and one without it ignores the challenge. One that tells of others only
            // would leave a login without the protection that was asked for.
            if given.pkceEnabled, let methods = root["code_challenge_methods_supported"], !holds(methods, "S256") {
                throw Failure(
                    .unsupported, "unsupportedProvider",
                    "The provider does not offer PKCE with S256. Ask it to, or set omits_pkce.",
                    outcome: .answered)
            }
            return .done(
                .oidcConfiguration(
                    OIDCConfiguration(
                        providerId: given.providerId, clientId: given.clientId, scopes: given.scopes,
                        authorizeUri: endpoint.string, redirectUri: given.redirectUri,
                        pkceEnabled: given.pkceEnabled, issuer: issuer,
                        issuerRequired: root["authorization_response_iss_parameter_supported"]?.bool ?? false)))
        }
    }

    private static func holds(_ list: JSONValue, _ text: StaticString) -> Bool {
        list.kind == .array && list.node.elements.contains { $0.equals(text) }
    }
}
