import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel
@testable import MobileTokenSystem
@testable import PowerAuth
@testable import PowerAuthDoubles

/// oidc.json: PKCE, authorization URLs, callbacks, activation attributes.
struct OIDCVectorTests {
    typealias Object = [String: Any]

    @Test func vectors() throws {
        try eachCase(of: "oidc") { input, expect, name in
            do {
                try check(input, expect, name)
                #expect(expect["error"] == nil, name)
            } catch let failure as Failure {
                if expect["error"] as? Bool == true {
                    #expect(Int(failure.httpStatus) == expect["httpStatus"] as? Int, name)
                    return
                }
                #expect(failure.reason.description == expect["error"] as? String, name)
                #expect(failure.serverCode == expect["oauthError"] as? String, name)
                if let text = expect["oauthErrorDescription"] as? String {
                    #expect(failure.serverMessage == text, name)
                }
            }
        }
    }

    private func check(_ input: Object, _ expect: Object, _ name: Comment) throws {
        switch input["call"] as? String {
        case "getConfig": try checkConfiguration(input, expect, name)
        case "challenge":
            let verifier = SecureBytes(copying: try #require(input["verifier"] as? String))
            #expect(try PKCE.challenge(of: verifier) == expect["challenge"] as? String, name)
        case "createPKCE":
            let pkce = try PKCE(byteCount: try #require(input["bytes"] as? Int))
            #expect(pkce.verifier.count == expect["verifierLength"] as? Int, name)
            #expect(pkce.challenge.utf8.count == expect["challengeLength"] as? Int, name)
            #expect(Base64URL.decode(pkce.verifier)?.count == input["bytes"] as? Int, name)
            #expect(try PKCE.challenge(of: pkce.verifier) == pkce.challenge, name)
        case "randomBase64Url":
            let text = try RandomText.make(try #require(input["bytes"] as? Int))
            #expect(text.count == expect["length"] as? Int, name)
            #expect(Base64URL.decode(text)?.count == input["bytes"] as? Int, name)
        case "authorizationUrl":
            let url = try AuthorizationURL.make(
                OIDCOptions(try Self.configuration(input["config"])), state: Self.secret(input["state"]),
                nonce: Self.secret(input["nonce"]), challenge: input["challenge"] as? String)
            #expect(url.array.text == expect["url"] as? String, name)
        case "processCallback": try checkCallback(input, expect, name)
        case "activationAttributes": try checkAttributes(input, expect, name)
        case let other: Issue.record("unknown call \(other ?? "")")
        }
    }

    /// What the decrypted answer gives.
    private func checkConfiguration(_ input: Object, _ expect: Object, _ name: Comment) throws {
        let body = try JSONSerialization.data(withJSONObject: try #require(input["body"]))
        let response = HTTPResponse(status: try #require(input["http"] as? Int), body: [UInt8](body))
        let envelope = try Reply(response, errors: .general, now: 0).plain()
        guard case .success(let content) = envelope.outcome else { return }
        let configuration = try #require(OIDCConfiguration(content), name)
        for (key, value) in try #require(expect["config"] as? Object, name) {
            let seen: Any? =
                switch key {
                case "providerId": configuration.providerId
                case "clientId": configuration.clientId
                case "scopes": configuration.scopes
                case "authorizeUri": configuration.authorizeUri
                case "redirectUri": configuration.redirectUri
                case "pkceEnabled": configuration.pkceEnabled
                default: nil
                }
            #expect(seen as? NSObject == value as? NSObject, name)
        }
    }

    private func checkCallback(_ input: Object, _ expect: Object, _ name: Comment) throws {
        let object = try #require(input["request"] as? Object, name)
        let request = try Self.request(object)
        let callback = try #require(input["callback"] as? String, name)
        if object["consumed"] as? Bool == true { _ = try request.process(callback) }
        let attributes = try request.process(callback)
        let expected = try #require(expect["attributes"] as? Object, name)
        #expect(attributes.providerId == expected["providerId"] as? String, name)
        #expect(attributes.code.array.text == expected["code"] as? String, name)
        #expect(attributes.nonce.array.text == expected["nonce"] as? String, name)
        #expect(attributes.codeVerifier?.array.text == expected["codeVerifier"] as? String, name)
    }

    private func checkAttributes(_ input: Object, _ expect: Object, _ name: Comment) throws {
        let given = try #require(input["attributes"] as? Object, name)
        let attributes = OIDCActivationAttributes(
            providerId: try #require(given["providerId"] as? String), code: Self.secret(given["code"]),
            nonce: Self.secret(given["nonce"]),
            codeVerifier: given["codeVerifier"] is String ? Self.secret(given["codeVerifier"]) : nil)
        let request = try attributes.activationRequest()
        let identity = try JSONSerialization.jsonObject(with: Data(request.identity.array)) as? NSObject
        #expect(identity == expect["identityAttributes"] as? NSObject, name)
        #expect(request.kind.name.description == expect["activationType"] as? String, name)
    }

    // MARK: Out of the vectors

    static func secret(_ text: Any?) -> SecureBytes { SecureBytes(copying: text as? String ?? "") }

    static func configuration(_ value: Any?) throws -> OIDCConfiguration {
        let object = try #require(value as? Object)
        return OIDCConfiguration(
            providerId: object["providerId"] as? String ?? "", clientId: object["clientId"] as? String ?? "",
            scopes: object["scopes"] as? String ?? "", authorizeUri: object["authorizeUri"] as? String ?? "",
            redirectUri: object["redirectUri"] as? String ?? "", pkceEnabled: object["pkceEnabled"] as? Bool ?? true)
    }

    static func request(_ object: Object, time: TimeSource = ManualTime()) throws -> OIDCAuthorizationRequest {
        let configuration = OIDCConfiguration(
            providerId: object["providerId"] as? String ?? "", clientId: "c", scopes: "openid",
            authorizeUri: object["authorizeUrl"] as? String ?? "", redirectUri: object["redirectUri"] as? String ?? "",
            pkceEnabled: object["codeVerifier"] is String, issuer: object["expectedIssuer"] as? String,
            issuerRequired: object["issuerRequired"] as? Bool ?? false)
        return try OIDCAuthorizationRequest(
            OIDCOptions(configuration), authorizeURL: secret(object["authorizeUrl"]), nonce: secret(object["nonce"]),
            state: secret(object["state"]),
            codeVerifier: object["codeVerifier"] is String ? secret(object["codeVerifier"]) : nil, time: time)
    }
}
