// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// A login in progress at a provider: the request's values, which its answer must match. May be used from any thread.
public final class OIDCAuthorizationRequest: @unchecked Sendable {
    /// The URL to open in the browser.
    public let authorizeURL: SecureBytes
    /// The provider's id at the bank.
    public let providerId: String
    /// Binds the provider's answer to this request.
    public let nonce: SecureBytes
    /// Comes back in the redirect.
    public let state: SecureBytes
    /// The PKCE verifier; nil: the provider wants none.
    public let codeVerifier: SecureBytes?
    /// Where the provider sends the browser.
    public let redirectURI: String
    /// The scopes lack `openid`: the provider will hardly give an ID token.
    public let lacksOpenID: Bool

    /// Where the answer must come to: the redirect URI, or where the page there hands it on to.
    private let callback: RedirectURI
    private let redirect: RedirectURI
    private let issuer: String?
    private let issuerRequired: Bool
    private let time: TimeSource
    private let expires: Int64
    private let lock = Lock()
    private var isConsumed = false
    private var settle: (@Sendable () throws(Failure) -> Bool)?

    /// Makes nonce, state and verifier, and with them the URL (oidc.md §3).
    package static func prepare(
        _ options: OIDCOptions, random: RandomSource = RandomSource(), time: TimeSource = TimeSource()
    ) throws(Failure) -> OIDCAuthorizationRequest {
        guard (1...longestLifetime).contains(options.lifetimeMilliseconds) else {
            throw .argument("A request's lifetime must be 1 millisecond to 24 hours.")
        }
        let pkce =
            options.configuration.pkceEnabled
            ? try PKCE(byteCount: options.verifierByteCount, random: random) : nil
        let nonce = try RandomText.make(32, random: random)
        let state = try RandomText.make(32, random: random)
        let url = try AuthorizationURL.make(options, state: state, nonce: nonce, challenge: pkce?.challenge)
        return try OIDCAuthorizationRequest(
            options, authorizeURL: url, nonce: nonce, state: state, codeVerifier: pkce?.verifier, time: time)
    }

    /// A request whose parts are made already.
    package convenience init(
        _ options: OIDCOptions, authorizeURL: SecureBytes, nonce: SecureBytes, state: SecureBytes,
        codeVerifier: SecureBytes?, time: TimeSource
    ) throws(Failure) {
        guard let redirect = RedirectURI(options.configuration.redirectUri) else {
            throw .argument("The redirect URI is invalid.")
        }
        var callback = redirect
        if let uri = options.callbackURI {
            guard let given = RedirectURI(uri) else { throw .argument("The callback URI is invalid.") }
            callback = given
        }
        self.init(options, redirect, callback, authorizeURL, nonce, state, codeVerifier, time)
    }

    private init(
        _ options: OIDCOptions, _ redirect: RedirectURI, _ callback: RedirectURI, _ authorizeURL: SecureBytes,
        _ nonce: SecureBytes, _ state: SecureBytes, _ codeVerifier: SecureBytes?, _ time: TimeSource
    ) {
        self.redirect = redirect
        self.callback = callback
        self.authorizeURL = authorizeURL
        self.nonce = nonce
        self.state = state
        self.codeVerifier = codeVerifier
        self.time = time
        let configuration = options.configuration
        providerId = configuration.providerId
        redirectURI = configuration.redirectUri
        issuer = configuration.issuer
        issuerRequired = configuration.issuerRequired
        lacksOpenID = !configuration.scopes.utf8.split(separator: UInt8(ascii: " "))
            .contains { $0.elementsEqual("openid".utf8) }
        let (end, overflow) = time.monotonicMilliseconds().addingReportingOverflow(options.lifetimeMilliseconds)
        expires = overflow ? .max : end
    }

    /// Host and port of the redirect URI, in lower case, as a browser names them.
    var redirectAuthority: [UInt8] {
        redirect.parts.authority.map { range in redirect.text.withBytes { $0[range].map(ASCII.lowercased) } } ?? []
    }

    /// The URL of a path and query at the place of the redirect URI.
    func callback(_ target: SecureBytes) -> SecureBytes {
        let end = redirect.parts.path.lowerBound
        return SecureBytes(count: end + target.count) { url in
            redirect.text.withBytes { url.copyBytes(from: $0[..<end]) }
            target.withBytes { UnsafeMutableRawBufferPointer(rebasing: url[end...]).copyBytes(from: $0) }
        }
    }

    /// Checks the URL that the provider sent the browser to, in the order of oidc.md §4, and takes the code out of it.
    ///
    /// An answer with the right state and issuer ends the request, whatever it says; any other leaves it as it was.
    package func process(_ callback: some Bytes) throws(Failure) -> OIDCActivationAttributes {
        let answer = try callback.withBytes { (bytes) throws(Failure) in
            try OIDCCallback(bytes, redirect: self.callback)
        }
        guard let state = answer.state, state.isEqual(to: self.state) else {
            throw Failure(.protocol, "stateMismatch", "The response does not belong to this request: it may be forged.")
        }
        if let issuer {
            guard answer.issuer.map({ $0.isEqual(to: issuer) }) ?? !issuerRequired else {
                throw Failure(.protocol, "issuerMismatch", "The response comes from a different provider.")
            }
        }
        let (wasConsumed, settlement) = lock.withLock {
            defer { isConsumed = true }
            return (isConsumed, settle)
        }
        let isFirst = wasConsumed ? false : try settlement?() ?? true
        if let error = answer.error { throw Self.refusal(error, answer) }
        guard let code = answer.code, code.count > 0 else { throw OIDCCallback.missingCode }
        guard isFirst else {
            throw Failure(.state, "alreadyProcessed", "The request already has its response. Prepare a new request.")
        }
        guard time.monotonicMilliseconds() < expires else { throw Self.expired }
        return OIDCActivationAttributes(
            providerId: providerId, code: code, nonce: nonce, codeVerifier: codeVerifier)
    }

    // MARK: Beyond this process

    /// Ends the login for all processes, once: called when the answer has come.
    func settles(_ settle: @escaping @Sendable () throws(Failure) -> Bool) { lock.withLock { self.settle = settle } }

    /// All that another process needs, with the moment by the wall clock until which it is good.
    ///
    /// - Parameter now: milliseconds since the epoch
    func kept(now: Int64) -> [SecureBytes?] {
        let left = max(0, expires &- time.monotonicMilliseconds())
        let flags: [UInt8] = [issuerRequired ? 1 : 0, lacksOpenID ? 1 : 0, isConsumedNow ? 1 : 0]
        let deadline = (now &+ left).littleEndian
        return [
            withUnsafeBytes(of: deadline) { SecureBytes(copying: $0) }, SecureBytes(copying: flags),
            SecureBytes(copying: providerId), redirect.text, callback.text, authorizeURL, nonce, state, codeVerifier,
            issuer.map { SecureBytes(copying: $0) },
        ]
    }

    private var isConsumedNow: Bool { lock.withLock { isConsumed } }

    /// The request that `kept` tells of; nil: it tells of none.
    init?(kept: [SecureBytes?], now: Int64, time: TimeSource) {
        guard kept.count == 10, let deadline = kept[0], deadline.count == 8, let flags = kept[1], flags.count == 3,
            let provider = kept[2], let redirect = kept[3].flatMap({ RedirectURI($0.text) }),
            let callback = kept[4].flatMap({ RedirectURI($0.text) }), let url = kept[5], let nonce = kept[6],
            let state = kept[7]
        else { return nil }
        self.redirect = redirect
        self.callback = callback
        (authorizeURL, self.nonce, self.state, codeVerifier) = (url, nonce, state, kept[8])
        self.time = time
        providerId = provider.text
        redirectURI = redirect.text.text
        issuer = kept[9].map { $0.text }
        (issuerRequired, lacksOpenID, isConsumed) = flags.withBytes { ($0[0] == 1, $0[1] == 1, $0[2] == 1) }
        // A clock that was set back gives it no more time than any request may have.
        let left = deadline.withBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) } &- now
        expires = time.monotonicMilliseconds() &+ min(max(0, left), Self.longestLifetime)
    }

    /// 24 hours.
    private static let longestLifetime: Int64 = 86_400_000

    static var expired: Failure {
        Failure(.timeout, "requestExpired", "The provider's response came too late. Prepare a new request.")
    }

    private static func refusal(_ error: SecureBytes, _ answer: OIDCCallback) -> Failure {
        let code = ServerText.cleaned(error.text, limit: ServerText.codeLimit)
        var failure = Failure(
            .server, "authorizationError", "The provider returned an error.", outcome: .answered)
        failure.serverCode = code
        failure.serverMessage = answer.errorDescription.map { ServerText.cleaned($0.text) }
        failure.serverURI = answer.errorURI.map { ServerText.cleaned($0.text, limit: ServerText.addressLimit) }
        return failure
    }
}

extension SecureBytes {
    /// The bytes as a text that is not a secret.
    fileprivate var text: String { withBytes { String(utf8: $0) } }
}

extension OIDCActivationAttributes {
    /// The activation that these attributes are good for.
    package func activationRequest() throws(Failure) -> ActivationRequest {
        guard !providerId.isEmpty, code.count > 0, nonce.count > 0, codeVerifier.map({ $0.count > 0 }) ?? true else {
            throw .argument("oidc_provider, oidc_code, oidc_nonce and oidc_code_verifier must not be empty.")
        }
        return try Failure.converting { () throws(PowerAuthError) in
            try .oidc(providerId: providerId, code: code, nonce: nonce, codeVerifier: codeVerifier)
        }
    }
}
