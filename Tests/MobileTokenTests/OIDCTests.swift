import MobileTokenCrypto
import MobileTokenHTTP
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel
@testable import MobileTokenSystem
@testable import PowerAuthDoubles

/// What oidc.json leaves out: each refusal of a callback, and what an authorization URL is made of.
struct OIDCTests {
    private static let state = "st-1_~"

    private func request(
        redirect: String = "mtoken://oidc", issuer: String? = nil, issuerRequired: Bool = false,
        time: TimeSource = ManualTime()
    ) throws -> OIDCAuthorizationRequest {
        var object: [String: Any] = [
            "providerId": "p", "nonce": "no", "state": Self.state, "redirectUri": redirect,
            "authorizeUrl": "https://idp.example.com/authorize", "issuerRequired": issuerRequired,
        ]
        if let issuer { object["expectedIssuer"] = issuer }
        return try OIDCVectorTests.request(object, time: time)
    }

    private func failure(_ callback: String, _ request: OIDCAuthorizationRequest) -> Failure? {
        do throws(Failure) {
            _ = try request.process(callback)
            return nil
        } catch {
            return error
        }
    }

    private func options(
        authorize: String = "https://idp.example.com/authorize", redirect: String = "mtoken://oidc", pkce: Bool = true,
        scopes: String = "openid", client: String = "c", provider: String = "p"
    ) -> OIDCOptions {
        OIDCOptions(
            OIDCConfiguration(
                providerId: provider, clientId: client, scopes: scopes, authorizeUri: authorize, redirectUri: redirect,
                pkceEnabled: pkce))
    }

    private func refusal(_ options: OIDCOptions) -> String? {
        do throws(Failure) {
            _ = try OIDCAuthorizationRequest.prepare(options)
            return nil
        } catch {
            return error.reason.description
        }
    }

    private static let good = "mtoken://oidc?code=abc&state=\(state)"

    @Test func theProofKeyOfRFC7636AppendixB() throws {
        let octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let pkce = try PKCE(byteCount: 32, random: LaidRandom(octets))
        #expect(pkce.verifier.array.text == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    /// Random bytes that are known beforehand.
    private final class LaidRandom: RandomSource, @unchecked Sendable {
        private let octets: [UInt8]

        init(_ octets: [UInt8]) { self.octets = octets }

        override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
            guard buffer.count == octets.count else { throw CryptoError(reason: .invalidLength) }
            buffer.copyBytes(from: octets)
        }
    }

    @Test func everyLengthOfAVerifier() throws {
        for count in 32...96 {
            let pkce = try PKCE(byteCount: count)
            #expect((43...128).contains(pkce.verifier.count))
            #expect(Base64URL.decode(pkce.verifier)?.count == count)
        }
        for count in [Int.min, -1, 0, 31, 97, Int.max] {
            #expect(throws: Failure.self) { try PKCE(byteCount: count) }
        }
    }

    @Test func randomnessThatFailsIsAnError() {
        let random = FailingRandom()
        random.fails = true
        #expect(throws: Failure.self) { try PKCE(byteCount: 32, random: random) }
        #expect(throws: Failure.self) { try RandomText.make(32, random: random) }
        #expect(throws: Failure.self) { try OIDCAuthorizationRequest.prepare(options(), random: random) }
    }

    @Test func aPreparedRequest() throws {
        let (first, second) = (
            try OIDCAuthorizationRequest.prepare(options()), try OIDCAuthorizationRequest.prepare(options())
        )
        for request in [first, second] {
            #expect(request.nonce.count == 43 && request.state.count == 43 && request.codeVerifier?.count == 43)
            let challenge = try PKCE.challenge(of: try #require(request.codeVerifier))
            let expected =
                "https://idp.example.com/authorize?client_id=c&redirect_uri=mtoken%3A%2F%2Foidc&scope=openid&state="
                + request.state.array.text + "&nonce=" + request.nonce.array.text
                + "&response_type=code&code_challenge=" + challenge + "&code_challenge_method=S256"
            #expect(request.authorizeURL.array.text == expected)
        }
        let texts = [first.nonce, first.state, second.nonce, second.state].map { $0.array.text }
        #expect(Set(texts).count == 4)
        #expect(try OIDCAuthorizationRequest.prepare(options(pkce: false)).codeVerifier == nil)
        var long = options()
        long.verifierByteCount = 96
        #expect(try OIDCAuthorizationRequest.prepare(long).codeVerifier?.count == 128)
    }

    @Test func scopesWithoutOpenID() throws {
        for (scopes, lacks) in [
            ("openid", false), ("profile openid", false), ("profile openidx", true), ("OPENID", true),
        ] {
            #expect(try OIDCAuthorizationRequest.prepare(options(scopes: scopes)).lacksOpenID == lacks)
        }
    }

    @Test func whatARequestMustHave() {
        #expect(refusal(options(scopes: "")) == "invalidArgument")
        #expect(refusal(options(client: "")) == "invalidArgument")
        #expect(refusal(options(provider: "")) == "invalidArgument")
        var short = options()
        for bytes in [0, 31, 97] {
            short.verifierByteCount = bytes
            #expect(refusal(short) == "invalidArgument")
        }
        var lasting = options()
        for milliseconds: Int64 in [0, -1, 86_400_001, .max] {
            lasting.lifetimeMilliseconds = milliseconds
            #expect(refusal(lasting) == "invalidArgument")
        }
    }

    @Test func redirectURIs() {
        for uri in [
            "mtoken://oidc", "com.example.app:/back", "https://app.example/back?x=1", "http://127.0.0.1/back",
            "http://127.0.0.1:8080/back", "http://[::1]:8080/back", "http://localhost/back",
        ] {
            #expect(refusal(options(redirect: uri)) == nil, Comment(rawValue: uri))
        }
        for uri in [
            "", "oidc", "/back", "mtoken://oidc#x", "http://app.example/back", "http://10.0.0.1/back",
            "https://user@app.example/", "https:///back", "mtoken://a b", "mtoken://ž", "1a://x", "http://127.0.0.2/",
            "http://127.0.0.1.evil.example/", "mtoken://oidc\r\nX: y",
        ] {
            #expect(refusal(options(redirect: uri)) == "invalidArgument", Comment(rawValue: uri))
        }
    }

    @Test func authorizationEndpoints() {
        for uri in ["https://idp.example/a?", "https://idp.example", "https://idp.example/a?x=1&", "https://[::1]/a"] {
            #expect(refusal(options(authorize: uri)) == nil, Comment(rawValue: uri))
        }
        for uri in [
            "", "idp.example", "ftp://idp.example/", "https://", "https://idp.example/a#", "https://u@idp.example/",
            "https://idp.example/a b", "https://idp.example/?x=%zz", "https://idp.example/?%73tate=1",
            "https://idp.example/?response_mode=fragment", "https://idp.example/?request=x",
            "https://idp.example/?request_uri=x", "https://idp.example/?nonce", "https://idp.example/\r\nHost: evil",
        ] {
            #expect(refusal(options(authorize: uri)) == "invalidAuthorizeUri", Comment(rawValue: uri))
        }
        for uri in ["http://idp.example/", "http://127.0.0.1/"] {
            #expect(refusal(options(authorize: uri)) == "insecureAuthorizeUri", Comment(rawValue: uri))
        }
        for (uri, expected): (String, String?) in [
            ("http://127.0.0.1:1/", nil), ("http://[::1]/", nil), ("http://localhost/", nil),
            ("http://idp.example/", "insecureAuthorizeUri"),
        ] {
            var tested = options(authorize: uri)
            tested.allowsLoopbackHTTP = true
            #expect(refusal(tested) == expected, Comment(rawValue: uri))
        }
    }

    @Test func addedParameters() throws {
        var added = options(authorize: "https://idp.example/a?tenant=1")
        added.parameters = [.init(name: "prompt", value: "login consent"), .init(name: "ui_locales", value: "cs&x=1")]
        let url = try OIDCAuthorizationRequest.prepare(added).authorizeURL.array.text
        #expect(url.hasPrefix("https://idp.example/a?tenant=1&client_id=c&"))
        #expect(url.hasSuffix("&code_challenge_method=S256&prompt=login%20consent&ui_locales=cs%26x%3D1"))
        for name in [
            "", "client_id", "redirect_uri", "scope", "state", "nonce", "response_type", "code_challenge",
            "code_challenge_method", "response_mode", "request", "request_uri",
        ] {
            added.parameters = [.init(name: name, value: "x")]
            #expect(refusal(added) == "invalidArgument", Comment(rawValue: name))
        }
        added.parameters = [.init(name: "prompt", value: "a"), .init(name: "prompt", value: "b")]
        #expect(refusal(added) == "invalidArgument")
        added.parameters = [.init(name: "tenant", value: "2")]
        #expect(refusal(added) == "invalidAuthorizeUri")
    }

    @Test func callbacksToOtherPlaces() throws {
        let cases: [(redirect: String, callback: String, expected: String?)] = [
            ("https://app.example/back", "https://app.example/back?", nil),
            ("https://app.example/back", "HTTPS://APP.example:443/back?", nil),
            ("http://127.0.0.1:80/back", "http://127.0.0.1/back?", nil),
            ("com.example:/back", "com.example:/back?", nil),
            ("https://app.example/back?a=1&b=%20", "https://app.example/back?b=+&a=1&", nil),
            ("https://app.example/back?a=1", "https://app.example/back?", "redirectMismatch"),
            ("https://app.example/back?a=1", "https://app.example/back?a=2&", "redirectMismatch"),
            ("https://app.example/back", "https://app.example/Back?", "redirectMismatch"),
            ("https://app.example/back", "https://app.example/back/?", "redirectMismatch"),
            ("https://app.example/back", "https://app.example/x/../back?", "redirectMismatch"),
            ("https://app.example/back", "https://app.example:444/back?", "redirectMismatch"),
            ("https://app.example/back", "https://app.example.evil/back?", "redirectMismatch"),
            ("https://app.example/back", "http://app.example/back?", "redirectMismatch"),
            ("http://127.0.0.1:8080/back", "http://127.0.0.1:8081/back?", "redirectMismatch"),
            ("http://127.0.0.1:8080/back", "http://localhost:8080/back?", "redirectMismatch"),
            ("com.example:/back", "com.example://back?", "redirectMismatch"),
            ("mtoken://oidc", "mtoken:oidc?", "redirectMismatch"),
            ("mtoken://oidc", "mtoken://u@oidc?", "invalidCallback"),
        ]
        for (redirect, callback, expected) in cases {
            let failure = failure(callback + "code=abc&state=\(Self.state)", try request(redirect: redirect))
            #expect(failure?.reason.description == expected, Comment(rawValue: callback))
        }
    }

    @Test func malformedCallbacks() throws {
        let cases: [(String, offset: Int)] = [
            ("", 0), ("mtoken", 0), ("://oidc", 0), ("mtoken://oidc?code=a b&state=st", 20),
            ("mtoken://oidc?code=a\r\nSet-Cookie:x", 20), ("mtoken://oidc?code=ž", 19),
            ("mtoken://oidc?code=%&state=st", 19), ("mtoken://oidc?x=%4&state=st", 16),
            ("mtoken://oidc?state=\(Self.state)&code=a#b", 33),
            ("mtoken://oidc?state=\(Self.state)&code=a%0D%0Ab", 14),
            ("mtoken://oidc?state=\(Self.state)&error=a%0Ab", 14),
            ("mtoken://oidc?state=\(Self.state)&code=%C5%BE", 14), ("mtoken://oidc?state=\(Self.state)&code=%00", 14),
        ]
        for (callback, offset) in cases {
            let tested = try request()
            let failure = failure(callback, tested)
            #expect(failure?.reason.description == "invalidCallback", Comment(rawValue: callback))
            #expect(failure?.code == .parse && failure?.byteOffset == offset, Comment(rawValue: callback))
            #expect(self.failure(Self.good, tested) == nil, "such an answer ends no request")
        }
    }

    @Test func parametersThatStandTwice() throws {
        for parameter in ["code", "state", "error", "iss"] {
            let doubled = "mtoken://oidc?\(parameter)=x&\(parameter)=x&code=abc&state=\(Self.state)"
            #expect(failure(doubled, try request())?.reason.description == "duplicateParameter")
            let hidden =
                "mtoken://oidc?\(parameter)=x&%\(String(parameter.utf8.first ?? 0, radix: 16))"
                + parameter.dropFirst() + "=x"
            #expect(failure(hidden, try request())?.reason.description == "duplicateParameter")
        }
        #expect(failure(Self.good + "&scope=a&scope=b", try request()) == nil, "others may stand twice")
    }

    @Test func statesThatAreNotOurs() throws {
        for state in ["", "&state=", "&state=st-1_", "&state=st-1_~x", "&state=ST-1_~", "&state=st-1_%257E"] {
            let tested = try request()
            for answer in ["code=abc", "error=access_denied"] {
                let failure = failure("mtoken://oidc?\(answer)\(state)", tested)
                #expect(failure?.reason.description == "stateMismatch", Comment(rawValue: state))
                #expect(failure?.serverCode == nil)
            }
            #expect(self.failure(Self.good, tested) == nil, "a forged answer ends no request")
        }
    }

    @Test func issuers() throws {
        let issuer = "https://idp.example.com"
        for (answer, required, expected): (String, Bool, String?) in [
            ("", false, nil), ("", true, "issuerMismatch"), ("&iss=https%3A%2F%2Fidp.example.com", true, nil),
            ("&iss=https%3A%2F%2Fidp.example.com%2F", false, "issuerMismatch"), ("&iss=", false, "issuerMismatch"),
        ] {
            let tested = try request(issuer: issuer, issuerRequired: required)
            #expect(failure(Self.good + answer, tested)?.reason.description == expected, Comment(rawValue: answer))
            let afterwards = failure(Self.good + "&iss=https%3A%2F%2Fidp.example.com", tested)?.reason.description
            #expect(afterwards == (expected == nil ? "alreadyProcessed" : nil))
        }
        var impossible = OIDCConfiguration(
            providerId: "p", clientId: "c", scopes: "openid", authorizeUri: "https://idp.example/",
            redirectUri: "a://b",
            pkceEnabled: true, issuerRequired: true)
        #expect(refusal(OIDCOptions(impossible)) == "invalidArgument")
        impossible = OIDCConfiguration(
            providerId: "p", clientId: "c", scopes: "openid", authorizeUri: "https://idp.example/",
            redirectUri: "a://b",
            pkceEnabled: true, issuer: issuer, issuerRequired: true)
        #expect(refusal(OIDCOptions(impossible)) == nil)
    }

    @Test func errorAnswersOfTheStandards() throws {
        let codes = [
            "invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type", "invalid_scope",
            "server_error", "temporarily_unavailable", "interaction_required", "login_required",
            "account_selection_required", "consent_required", "invalid_request_uri", "invalid_request_object",
            "request_not_supported", "request_uri_not_supported", "registration_not_supported",
            "own_code.of-a provider",
        ]
        for code in codes {
            let tested = try request()
            let encoded = code.replacing(" ", with: "%20")
            let failure = failure(
                "mtoken://oidc?error=\(encoded)&error_description=Not+now%21&error_uri=https%3A%2F%2Fidp%2Fe&state=\(Self.state)",
                tested)
            #expect(failure?.code == .server && failure?.reason.description == "authorizationError")
            #expect(failure?.serverCode == code)
            #expect(failure?.serverMessage == "Not now!")
            #expect(failure?.serverURI == "https://idp/e")
            #expect(
                self.failure(Self.good, tested)?.reason.description == "alreadyProcessed", "an error ends the request")
        }
        let failure = failure(
            "mtoken://oidc?error=x&error_description=a%0D%0Ab&error_uri=%FF&state=\(Self.state)", try request())
        #expect(failure?.serverCode == "x")
        #expect(failure?.serverMessage == nil && failure?.serverURI == nil, "what is no text is left out")
    }

    @Test func replays() throws {
        let tested = try request()
        #expect(failure(Self.good, tested) == nil)
        let again = failure(Self.good, tested)
        #expect(again?.code == .state && again?.reason.description == "alreadyProcessed")
        #expect(
            failure("mtoken://oidc?code=other&state=\(Self.state)", tested)?.reason.description == "alreadyProcessed")
    }

    @Test func lateAnswers() throws {
        let time = ManualTime()
        let (early, late) = (try request(time: time), try request(time: time))
        time.advance(milliseconds: 599_999)
        #expect(failure(Self.good, early) == nil)
        time.advance(milliseconds: 1)
        let failure = failure(Self.good, late)
        #expect(failure?.code == .timeout && failure?.reason.description == "requestExpired")
        #expect(self.failure(Self.good, late)?.reason.description == "alreadyProcessed")
        // The wall clock does not matter.
        let other = try request(time: time)
        time.setWall(milliseconds: 0)
        #expect(self.failure(Self.good, other) == nil)
    }

    @Test func manyAnswersAtOnceButOneSucceeds() async throws {
        let tested = try request()
        let successes = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { (try? tested.process(Self.good)) == nil ? 0 : 1 } }
            return await group.reduce(0, +)
        }
        #expect(successes == 1)
    }
}
