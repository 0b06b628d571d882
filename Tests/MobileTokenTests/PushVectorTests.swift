import Foundation
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel

/// push-messages.json and push-registration.json.
struct PushVectorTests {
    private func parse(_ object: Any) throws -> PushMessage? {
        let text = try JSONSerialization.data(withJSONObject: object)
        return try PushMessage.parse([UInt8](text))
    }

    private func parse(text: String) throws -> PushMessage? {
        try PushMessage.parse([UInt8](text.utf8))
    }

    /// The members of a message by the names of the vectors.
    private func shown(_ message: PushMessage?) -> [String: Any] {
        guard let message else { return ["recognized": false] }
        var result: [String: Any] = ["recognized": true]
        switch message.kind {
        case .operationCreated: result["kind"] = "operationCreated"
        case .operationFinished: result["kind"] = "operationFinished"
        case .inboxMessage: result["kind"] = "inboxMessage"
        case .statusChange: result["kind"] = "statusChange"
        }
        result["operationId"] = message.operationId?.string
        result["operationName"] = message.operationName?.string
        result["inboxId"] = message.inboxId?.string
        result["activationId"] = message.activationId?.string
        result["title"] = message.title?.string
        result["message"] = message.body?.string
        result["silent"] = message.isSilent
        switch message.result {
        case .success: result["result"] = "success"
        case .fail: result["result"] = "fail"
        case .timeout: result["result"] = "timeout"
        case .canceled: result["result"] = "canceled"
        case .methodNotAvailable: result["result"] = "methodNotAvailable"
        case .unknown: result["result"] = "unknown"
        case nil: break
        }
        return result
    }

    @Test func messages() throws {
        let cases = try foundationCases("push-messages")
        for vector in cases {
            let name = vector["id"] as? String ?? ""
            let expected = try #require(vector["expect"] as? [String: Any])
            let seen = shown(try parse(try #require(vector["input"])))
            for (key, value) in expected {
                if value is NSNull {
                    #expect(seen[key] == nil, "\(name): \(key)")
                } else {
                    #expect(seen[key] as? NSObject == value as? NSObject, "\(name): \(key)")
                }
            }
        }
        Vectors.ran("push-messages", cases.count)
    }

    @Test func registrations() throws {
        try eachCase(of: "push-registration") { input, expected, name in
            let service: PushRegistration.Service =
                switch input["service"] as? String {
                case "apns": .apns
                case "fcm": .fcm
                default: .hms
                }
            let environment: PushRegistration.Environment? =
                switch input["environment"] as? String {
                case "development": .development
                case "production": .production
                default: nil
                }
            let token =
                (input["tokenBytesHex"] as? String).map { PushRegistration.text(ofToken: [UInt8](hex: $0)) }
                ?? input["token"] as? String ?? ""
            do throws(Failure) {
                let registration = try PushRegistration(
                    service: service, token: token, environment: environment,
                    legacyServer: input["legacyServer"] as? Bool ?? false)
                let body = Call.requestObject { writer in registration.write(&writer) }
                let seen = try? JSONSerialization.jsonObject(with: Data(body)) as? NSObject
                #expect(seen == expected as NSObject, "\(name)")
            } catch {
                #expect(expected["error"] as? String == error.reason.description, "\(name)")
            }
        }
    }

    @Test(
        arguments: [
            (
                #"{"aps":{"alert":{"title":"t","body":"b"}},"messageType":"mtoken.inboxMessage.new","inboxId":"1"}"#,
                false
            ),
            (#"{"aps":{"content-available":1},"messageType":"mtoken.inboxMessage.new","inboxId":"1"}"#, true),
            (
                #"{"aps":{"content-available":1,"alert":"a"},"messageType":"mtoken.inboxMessage.new","inboxId":"1"}"#,
                false
            ),
            (
                #"{"aps":{"content-available":1,"alert":{}},"messageType":"mtoken.inboxMessage.new","inboxId":"1"}"#,
                false
            ),
            (#"{"data":{"messageType":"mtoken.inboxMessage.new","inboxId":"1"}}"#, true),
            (#"{"data":{"messageType":"mtoken.inboxMessage.new","inboxId":"1"},"notification":{"body":"b"}}"#, false),
            (#"{"messageType":"mtoken.inboxMessage.new","inboxId":"1"}"#, nil),
        ] as [(String, Bool?)])
    func silence(payload: String, expected: Bool?) throws {
        let message = try #require(try parse(text: payload))
        #expect(message.isSilent == expected)
    }

    /// Whatever a stranger sends: another kind of value in every place, and never a fault.
    @Test func membersOfOtherKinds() throws {
        let good: [String: Any] = [
            "messageType": "mtoken.operationFinished", "operationId": "1", "operationName": "n",
            "mtokenOperationResult": "operation.timeout",
        ]
        for key in good.keys {
            for value in [1, 1.5, true, NSNull(), ["x"], ["y": "z"]] as [Any] {
                var broken = good
                broken[key] = value
                #expect(try parse(broken) == nil, "\(key)")
                #expect(try parse(["data": broken]) == nil, "data.\(key)")
            }
        }
        for value in [1, "text", NSNull(), [1]] as [Any] {
            var odd = good
            odd["aps"] = value
            odd["activationId"] = value
            #expect(try parse(odd) != nil)
            #expect(try parse(["data": value]) == nil)
        }
        #expect(try parse(text: #"[]"#) == nil)
        #expect(try parse(text: #"{"messageType":"mtoken.inboxMessage.new","inboxId":""}"#) == nil)
        #expect(try parse(text: #"{"messageType":"mtoken.inboxMessage.new","inboxId":"a\u0000b"}"#) == nil)
    }

    @Test func theWholePayloadIsKept() throws {
        let text = #"{ "data" : {"messageType":"mtoken.inboxMessage.new", "inboxId":"1", "x":1.50} }"#
        let message = try #require(try parse(text: text))
        #expect(String(decoding: message.json.raw, as: UTF8.self) == text)
    }

    @Test(arguments: ["", "x", #"{"a":1"#, #"{"a":1}x"#, "\u{FEFF}{}", "1"])
    func noJSON(text: String) {
        #expect(throws: JSONError.self) { _ = try parse(text: text) }
    }
}
