import Foundation
import MobileTokenJSON
import MobileTokenModel
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// requests.json: what goes out for each call.
struct RequestVectorTests {
    private static func json(_ bytes: [UInt8]) throws -> NSObject {
        try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSObject)
    }

    private func call(_ input: [String: Any], client: Client) throws -> Call {
        let id = input["id"] as? String ?? ""
        let tokenData = try (input["mobileTokenData"] as? [String: Any]).map {
            [UInt8](try JSONSerialization.data(withJSONObject: $0))
        }
        switch input["call"] as? String {
        case "authorize":
            var extras = ApprovalExtras(mobileTokenData: tokenData)
            if let proximity = input["proximity"] as? [String: Any] {
                extras.proximity = ProximityCheck(
                    otp: try #require(proximity["totp"] as? String),
                    type: proximity["type"] as? String == "qrCode" ? .qrCode : .deeplink, received: client.deviceTime)
            }
            return .authorize(
                client.operations.state, id: id, data: try #require(input["data"] as? String), keys: .possession,
                extras: extras)
        case "reject":
            return .reject(
                client.operations.state, id: id, reason: try #require(input["reason"] as? String),
                mobileTokenData: tokenData)
        case "list": return .operationList(client.operations.state)
        case "detail": return .operationDetail(id: id)
        case "claim": return .operationClaim(client.operations.state, id: id)
        case "history": return .operationHistory(keys: .possession)
        case "inboxCount": return .inboxCount()
        case "inboxList":
            return .inboxPage(
                Int32(try #require(input["page"] as? Int)), size: Int32(try #require(input["size"] as? Int)),
                onlyUnread: try #require(input["onlyUnread"] as? Bool))
        case "inboxDetail": return .inboxDetail(id: id)
        case "inboxRead": return .inboxRead(id: id)
        case "inboxReadAll": return .inboxReadAll()
        case "pushRegister":
            #expect(input["service"] as? String == "fcm")
            return .registerPush(try PushRegistration(service: .fcm, token: try #require(input["token"] as? String)))
        case "oidcConfig": return .oidcConfiguration(providerId: try #require(input["providerId"] as? String))
        case let other: throw Unknown(call: other)
        }
    }

    private struct Unknown: Error { let call: String? }

    /// Starts the call as a user would; answers the failure's reason.
    private func refusal(of input: [String: Any], client: Client) -> String? {
        do throws(Failure) {
            let id = input["id"] as? String ?? ""
            if input["call"] as? String == "reject" {
                try client.operations.reject(
                    id: id, reason: input["reason"] as? String ?? "", mobileTokenData: nil, task: CallTask(options: nil)
                )
            } else {
                var authentication = Authentication.possession
                if input["factors"] as? String == "possession_biometry" {
                    authentication.factors = .possessionBiometry
                }
                let variants = (input["allowedSignatureType"] as? [String: Any])?["variants"] as? [String]
                var rule = ApprovalRule()
                rule.checksFactors = variants != nil
                try client.operations.authorize(
                    Approvable(
                        id: id, data: input["data"] as? String ?? "", hasKnownStatus: true, signature: .twoFactor,
                        variants: .possessionKnowledge, contradictions: []),
                    rule, authentication: authentication, extras: ApprovalExtras(), task: CallTask(options: nil))
            }
            return nil
        } catch {
            return error.reason.description
        }
    }

    @Test func requests() throws {
        let bench = try Bench()
        try eachCase(of: "requests") { input, expect, name in
            let client = try bench.client(id: "c", baseURL: input["baseUrl"] as? String ?? "https://example.com/server")
            defer { client.close() }
            if let error = expect["error"] as? String {
                #expect(refusal(of: input, client: client) == error, name)
                return
            }
            let call = try call(input, client: client)
            let body = try Self.json(try call.body(client.activation))
            if let expected = expect["body"] as? NSObject { #expect(body == expected, name) }
            let object = (body as? [String: Any])?["requestObject"] as? [String: Any]
            if let expected = expect["proximityCheck"] as? [String: String] {
                let check = try #require(object?["proximityCheck"] as? [String: String], name)
                for (key, value) in expected { #expect(check[key] == value, name) }
                for key in expect["present"] as? [String] ?? [] { #expect(check[key] != nil, name) }
            }
            if let path = expect["path"] as? String { #expect(call.path.description == path, name) }
            if let url = expect["url"] as? String {
                let request = client.activation.request(call, headers: [], body: [], atMostOnce: false, timeout: 1)
                #expect(request.url == url, name)
            }
            var seen: [String: String] = ["encryption": "none"]
            seen["auth"] = "none"
            if let token = call.token {
                seen["auth"] = "token"
                seen["tokenName"] = token.name
            }
            if let (uriId, keys) = call.signature {
                seen["auth"] = "signature"
                seen["uriId"] = uriId.description
                seen["factors"] = keys.factors.signatureType?.description
            }
            if case .layer(let id, _) = call.encryption {
                seen["encryption"] = id.scope == .application ? "application" : "activation"
            }
            for key in ["auth", "tokenName", "uriId", "factors", "encryption"] {
                if let expected = expect[key] as? String { #expect(seen[key] == expected, "\(name) \(key)") }
            }
        }
    }
}
