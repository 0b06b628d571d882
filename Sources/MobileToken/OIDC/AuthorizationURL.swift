// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenModel

/// The URL at which the user logs in (oidc.md §3).
package enum AuthorizationURL {
    /// Names that the library sets itself, or that would change where or how the answer comes.
    private static let reserved: [StaticString] = [
        "client_id", "redirect_uri", "scope", "state", "nonce", "response_type", "code_challenge",
        "code_challenge_method", "response_mode", "request", "request_uri",
    ]

    /// Builds the URL.
    ///
    /// - Parameter challenge: of PKCE; nil: without PKCE
    package static func make(
        _ options: OIDCOptions, state: SecureBytes, nonce: SecureBytes, challenge: String?
    ) throws(Failure) -> SecureBytes {
        let configuration = options.configuration
        try check(configuration)
        guard state.count > 0, nonce.count > 0, challenge.map({ !$0.isEmpty }) ?? true else {
            throw .argument("State, nonce or challenge is empty.")
        }
        let given = try existingParameters(configuration.authorizeUri, options.allowsLoopbackHTTP)
        try checkNames(options.parameters, given)
        // With room for all, so that no copy of the state is left behind by a move.
        var room = configuration.authorizeUri.utf8.count + 256 + 3 * (state.count + nonce.count)
        for text in [configuration.clientId, configuration.redirectUri, configuration.scopes, challenge ?? ""] {
            room += 3 * text.utf8.count
        }
        for parameter in options.parameters {
            room += 3 * (parameter.name.utf8.count + parameter.value.utf8.count) + 2
        }
        var url: [UInt8] = []
        url.reserveCapacity(room)
        url.append(contentsOf: configuration.authorizeUri.utf8)
        var separator = UInt8(ascii: "?")
        if url.contains(separator) { separator = UInt8(ascii: "&") }
        if let last = url.last, last == UInt8(ascii: "?") || last == UInt8(ascii: "&") {
            url.removeLast(); separator = last
        }
        var all: [(name: String, value: SecureBytes)] = [
            ("client_id", SecureBytes(copying: configuration.clientId)),
            ("redirect_uri", SecureBytes(copying: configuration.redirectUri)),
            ("scope", SecureBytes(copying: configuration.scopes)), ("state", state), ("nonce", nonce),
            ("response_type", SecureBytes(copying: "code")),
        ]
        if let challenge {
            all.append(("code_challenge", SecureBytes(copying: challenge)))
            all.append(("code_challenge_method", SecureBytes(copying: "S256")))
        }
        for parameter in options.parameters { all.append((parameter.name, SecureBytes(copying: parameter.value))) }
        for (name, value) in all {
            url.append(separator)
            separator = UInt8(ascii: "&")
            FormText.appendEncoded(SecureBytes(copying: name), to: &url)
            url.append(UInt8(ascii: "="))
            FormText.appendEncoded(value, to: &url)
        }
        defer { wipe(&url) }
        return SecureBytes(copying: url)
    }

    private static func check(_ configuration: OIDCConfiguration) throws(Failure) {
        for text in [
            configuration.providerId, configuration.clientId, configuration.scopes, configuration.redirectUri,
        ] where text.isEmpty {
            throw .argument("A provider needs an id, a client, scopes and a redirect URI.")
        }
        let redirect = RedirectURI(configuration.redirectUri)
        guard redirect != nil else {
            throw .argument(
                "The redirect URI must be absolute ASCII, without fragment or user information: "
                    + "https, a private scheme, or http on 127.0.0.1, [::1] or localhost.")
        }
        guard !configuration.issuerRequired || configuration.issuer != nil else {
            throw .argument("The response must name an issuer, but no issuer is set.")
        }
    }

    /// Checks the provider's URI; answers the parameters that it brings along.
    private static func existingParameters(_ uri: String, _ allowsLoopbackHTTP: Bool) throws(Failure) -> FormText {
        guard let endpoint = Endpoint(url: uri) else { throw invalid("it is not an ASCII https URL with a host") }
        guard endpoint.isSecure || (allowsLoopbackHTTP && endpoint.isLoopback) else {
            throw Failure(
                .configuration, "insecureAuthorizeUri", "The provider's authorization endpoint must be https.")
        }
        var uri = uri
        let parameters = uri.withUTF8 { text -> FormText? in
            let bytes = UnsafeRawBufferPointer(text)
            guard let parts = try? URIParts(bytes), parts.fragment == nil else { return nil }
            return try? FormText(UnsafeRawBufferPointer(rebasing: bytes[parts.query ?? 0..<0]))
        }
        guard let parameters else { throw invalid("its query is malformed") }
        for name in reserved where parameters.count(name) > 0 { throw invalid("its query sets a reserved parameter") }
        return parameters
    }

    private static func checkNames(_ added: [OIDCOptions.Parameter], _ given: FormText) throws(Failure) {
        for (index, parameter) in added.enumerated() {
            let name = parameter.name
            let isReserved = reserved.contains { sameBytes($0, name) }
            let isRepeated = added[..<index].contains { sameBytes($0.name, name) }
            guard !name.isEmpty, !isReserved, !isRepeated else {
                throw .argument("An added parameter has an empty, reserved or repeated name.")
            }
            guard given.count(name) == 0 else { throw invalid("its query sets a parameter that was also added") }
        }
    }

    private static func invalid(_ why: StaticString) -> Failure {
        Failure(
            .configuration, "invalidAuthorizeUri",
            filled("The provider's authorization endpoint cannot be used: %.", why.description))
    }
}

/// Where a provider sends its answer (RFC 8252 §7).
struct RedirectURI {
    let text: SecureBytes
    let parts: URIParts

    /// nil: the text cannot be the redirect URI of a native program.
    init?(_ uri: String) {
        text = SecureBytes(copying: uri)
        guard let parts = try? text.withBytes({ (bytes) throws(URIParts.Malformed) in try URIParts(bytes) }),
            parts.fragment == nil
        else { return nil }
        if URIParts.equal(parts.scheme, "https") || URIParts.equal(parts.scheme, "http") {
            guard let endpoint = Endpoint(url: uri), endpoint.isSecure || endpoint.isLoopback else { return nil }
        }
        self.parts = parts
    }
}
