import Foundation
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileTokenModel

/// One value of each JSON kind, and unpleasant ones.
private let values: [String] = [
    "null", "true", "false", "0", "-1", "1.5", "99999999999999999999", "1e400", #""""#, #""text""#, #""\u0000""#,
    #""a\u0000b""#,
    #""\ud83d\ude00""#, "[]", "[1]", "[[]]", "[null]", #"["x"]"#, "[{}]", "{}", #"{"a":1}"#, #"{"type":5}"#,
    "\"" + String(repeating: "x", count: 100_000) + "\"",
    "[" + Array(repeating: "{}", count: 5000).joined(separator: ",") + "]",
    String(repeating: "[", count: 50) + String(repeating: "]", count: 50),
]

private func isText(_ value: String) -> Bool { value.hasPrefix("\"") && !value.contains("\\u0000") }

/// A number beyond the range of `Double` reads as null.
private func isNull(_ value: String) -> Bool { value == "null" || value == "1e400" }

@Suite("Operation models: members")
struct OperationModelMemberTests {
    @Test("a required text is a text, or the operation is skipped", arguments: ["id", "name", "data"])
    func requiredText(name: String) throws {
        for value in values {
            let list = try OperationText.decode(OperationText([(name, value)]).operation)
            #expect(list.operations.count == (isText(value) ? 1 : 0))
            #expect(list.skippedCount == 1 - list.operations.count)
            #expect(list.issues.allSatisfy { $0.description.hasPrefix("operation 0: \(name): ") })
        }
        let missing = try OperationText.decode(OperationText([(name, nil)]).operation)
        #expect(missing.issues.map(\.description) == ["operation 0: \(name): missing"])
        #expect(missing.skippedCount == 1)
    }

    @Test("any value anywhere leaves a usable list")
    func anyValue() throws {
        let good = OperationText().operation
        let names = OperationText.plain.map(\.0) + ["statusReason", "ui", "unknown"]
        for name in names {
            for value in values + [nil as String?] {
                let list = try OperationText.reply([good, OperationText([(name, value)]).operation, good])
                    .withEnvelope { try OperationList.decode($0) }
                #expect(list.operations.count + list.skippedCount == 3)
                #expect(list.operations.first?.json.rawText == good)
                #expect(list.operations.last?.json.rawText == good)
                for issue in list.issues {
                    #expect(issue.operation == 1)
                    #expect(issue.description.utf8.count < 100)
                }
            }
        }
    }

    @Test("what is no object is no operation")
    func notAnObject() throws {
        for value in values {
            let list = try OperationText.decode(value)
            #expect(list.operations.isEmpty)
            #expect(list.skippedCount == 1)
            #expect(list.issues.count == 1)
            #expect(list.issues.first?.subject == .operation)
        }
    }

    @Test("an operation with a duplicate member, wherever it is, is skipped, and no other")
    func duplicates() throws {
        var broken = (OperationText.plain.map(\.0) + ["ui", "x"]).map { name in
            String(OperationText([("x", "1"), ("ui", "{}")]).operation.dropLast() + ",\"\(name)\":null}")
        }
        broken.append(String(OperationText().operation.dropLast() + #","\u0064ata":"A1"}"#))
        broken.append(OperationText.attributes(#"{"type":"NOTE","id":"n","label":"L","note":"x","note":"y"}"#))
        let good = OperationText().operation
        for operation in broken {
            let list = try OperationList.decode(envelope(OperationText.reply([good, operation, good])))
            #expect(list.operations.map(\.json.rawText) == [good, good])
            #expect(list.skippedCount == 1)
            #expect(list.issues.map(\.description) == ["operation 1: value: unreadable"])
            // Alone it is nothing.
            let alone = Array(#"{"status":"OK","responseObject":\#(operation)}"#.utf8)
            #expect(throws: InvalidReply.self) { try UserOperation.decode(envelope(alone)) }
        }
        let list = try OperationList.decode(envelope(OperationText.reply(broken)))
        #expect(list.operations.isEmpty && list.skippedCount == broken.count)
    }

    @Test("status is lenient, but only a missing one is pending")
    func status() throws {
        for value in values {
            let operation = try #require(
                try OperationText.decode(OperationText([("status", value)]).operation).operations.first)
            #expect(operation.status == (isNull(value) ? .pending : .unknown))
            #expect((operation.rawStatus != nil) == isText(value))
        }
        let lower = try OperationText.decode(OperationText([("status", #""pending""#)]).operation)
        #expect(lower.operations.first?.status == .unknown)
        #expect(
            try OperationText.decode(OperationText([("status", nil)]).operation).operations.first?.status == .pending)
    }

    @Test("statusReason is a text or absent")
    func statusReason() throws {
        for value in values {
            let list = try OperationText.decode(OperationText([("statusReason", value)]).operation)
            #expect((list.operations.first?.statusReason != nil) == isText(value))
        }
    }

    @Test("allowedSignatureType needs an object with a type")
    func allowedSignature() throws {
        for value in values {
            let whole = try OperationText.decode(OperationText([("allowedSignatureType", value)]).operation)
            #expect(whole.operations.isEmpty)
            let type = try OperationText.decode(
                OperationText([("allowedSignatureType", #"{"type":\#(value),"variants":["possession_knowledge"]}"#)])
                    .operation)
            #expect(type.operations.count == (isText(value) ? 1 : 0))
            #expect(type.operations.allSatisfy { $0.allowedSignature.kind == .unknown })
            let variants = try OperationText.decode(
                OperationText([("allowedSignatureType", #"{"type":"2FA","variants":\#(value)}"#)]).operation)
            let signature = try #require(variants.operations.first?.allowedSignature)
            #expect(signature.variants.isEmpty)
            #expect(!signature.allows(.possessionKnowledge))
            #expect(signature.unknownVariants.map(\.string) == (value == #"["x"]"# ? ["x"] : []))
        }
    }

    @Test("which factors may approve")
    func allows() throws {
        func signature(_ json: String) throws -> AllowedSignature {
            try #require(
                try OperationText.decode(OperationText([("allowedSignatureType", json)]).operation).operations.first?
                    .allowedSignature)
        }
        let two = try signature(#"{"type":"2FA","variants":["possession_biometry","possession_knowledge"]}"#)
        #expect(two.allows(.possessionKnowledge) && two.allows(.possessionBiometry) && !two.allows(.possession))
        #expect(two.isBiometryAllowed && !two.allows([]))
        let pin = try signature(#"{"type":"2FA","variants":["possession_knowledge"]}"#)
        #expect(pin.allows(.possessionKnowledge) && !pin.allows(.possessionBiometry) && !pin.isBiometryAllowed)
        let one = try signature(#"{"type":"1FA"}"#)
        #expect(one.allows(.possession) && !one.allows(.possessionKnowledge) && !one.isBiometryAllowed)
        let odd = try signature(#"{"type":"1FA","variants":["possession_biometry"]}"#)
        #expect(odd.allows(.possession) && odd.allows(.possessionBiometry) && !odd.isBiometryAllowed)
        for type in ["ECDSA", "3FA"] {
            let none = try signature(#"{"type":"\#(type)","variants":["possession","possession_knowledge"]}"#)
            #expect(!none.allows(.possession) && !none.allows(.possessionKnowledge) && !none.isBiometryAllowed)
        }
    }

    @Test("formData needs a title; the message may be missing; the rest is lenient")
    func formData() throws {
        func decode(_ json: String) throws -> OperationList {
            try OperationText.decode(OperationText([("formData", json)]).operation)
        }
        for value in values {
            #expect(try decode(value).operations.isEmpty)
            #expect(try decode(#"{"title":\#(value)}"#).operations.count == (isText(value) ? 1 : 0))
            let message = try decode(#"{"title":"T","message":\#(value)}"#)
            #expect(message.operations.count == (isText(value) || isNull(value) ? 1 : 0))
            if isNull(value) { #expect(message.operations.first?.formData.message.isEmpty == true) }
            let attributes = try decode(#"{"title":"T","attributes":\#(value)}"#)
            #expect(attributes.operations.first?.formData.attributes.isEmpty == true)
            let texts = try decode(#"{"title":"T","resultTexts":\#(value)}"#)
            #expect((texts.operations.first?.formData.resultTexts != nil) == value.hasPrefix("{"))
            let success = try decode(#"{"title":"T","resultTexts":{"success":\#(value),"failure":"F","reject":"R"}}"#)
            let results = try #require(success.operations.first?.formData.resultTexts)
            #expect((results.success != nil) == isText(value))
            #expect(results.failure?.string == "F" && results.reject?.string == "R")
        }
        let missing = try decode(#"{"title":"T"}"#)
        #expect(missing.operations.first?.formData.message.string == "")
        #expect(missing.issues == [])
        #expect(
            try decode(#"{"title":"T","attributes":5}"#).issues.map(\.description) == [
                "operation 0: formData.attributes: wrong type"
            ])
    }

    @Test("an attribute needs type, id, label and what its type needs; others are skipped and reported")
    func attributes() throws {
        let kinds: [(type: String, members: [(String, String)], required: [String])] = [
            ("NOTE", [("note", #""n""#)], ["note"]), ("KEY_VALUE", [("value", #""v""#)], ["value"]),
            ("HEADING", [("level", "1")], []),
            ("ALERT", [("alertType", #""ERROR""#), ("title", #""t""#), ("message", #""m""#)], []),
            ("IMAGE", [("thumbnailUrl", #""t""#), ("originalUrl", #""o""#)], ["thumbnailUrl"]),
            ("FUTURE", [("x", "1")], []),
        ]
        for kind in kinds {
            let all = [("type", "\"\(kind.type)\""), ("id", #""i""#), ("label", #""l""#)] + kind.members
            for (changed, _) in all {
                for value in values + [nil as String?] {
                    let json =
                        "{"
                        + all.compactMap { name, text in
                            name == changed ? value.map { "\"\(name)\":\($0)" } : "\"\(name)\":\(text)"
                        }.joined(separator: ",") + "}"
                    let list = try OperationText.decode(OperationText.attributes(json))
                    let needed = (["type", "id", "label"] + kind.required).contains(changed)
                    let usable = !needed || value.map(isText) == true
                    #expect(list.operations.count == 1)
                    let attributes = try #require(list.operations.first?.formData.attributes)
                    #expect(attributes.count == (usable ? 1 : 0), "\(kind.type) \(changed)")
                    let isOdd = changed == "level" && value.map { $0 != "null" && Int($0) == nil } == true
                    #expect(list.issues.count == (isOdd ? 1 : 1 - attributes.count), "\(kind.type) \(changed)")
                    #expect(list.issues.allSatisfy { $0.subject == .attribute && $0.index == 0 })
                    if changed == "type", let attribute = attributes.first {
                        guard case .unknown = attribute.content else {
                            Issue.record("not unknown")
                            continue
                        }
                        #expect(attribute.json.rawText == json)
                    }
                    #expect(attributes.allSatisfy { $0.json.value(at: "/id")?.text?.equals($0.id) == true })
                }
            }
        }
    }

    @Test("partyInfo may be missing, dynamic may not")
    func partyAndConversion() throws {
        for value in values {
            let party = try OperationText.decode(
                OperationText.attributes(#"{"type":"PARTY_INFO","id":"p","label":"L","partyInfo":\#(value)}"#))
            let usable = isNull(value) || value.hasPrefix("{")
            #expect(party.operations.first?.formData.attributes.count == (usable ? 1 : 0))
            let logo = try OperationText.decode(
                OperationText.attributes(
                    #"{"type":"PARTY_INFO","id":"p","label":"L","partyInfo":{"name":"N","logoUrl":\#(value)}}"#))
            guard case .partyInfo(let info)? = logo.operations.first?.formData.attributes.first?.content else {
                Issue.record("no party")
                continue
            }
            #expect((info.logoURL != nil) == isText(value))
            #expect(info.name?.string == "N")
            let conversion = try OperationText.decode(
                OperationText.attributes(
                    #"{"type":"AMOUNT_CONVERSION","id":"p","label":"L","dynamic":\#(value),"sourceAmount":1,"sourceCurrency":"A","targetAmount":2,"targetCurrency":"B"}"#
                ))
            let isFlag = value == "true" || value == "false"
            #expect(conversion.operations.first?.formData.attributes.count == (isFlag ? 1 : 0))
        }
    }

    @Test("one bad attribute among good ones", arguments: [0, 1, 2])
    func badAttributeAmongGood(position: Int) throws {
        var attributes = (0..<3).map { #"{"type":"NOTE","id":"\#($0)","label":"L","note":"secret"}"# }
        attributes[position] = #"{"type":"NOTE","id":"\#(position)","label":"L","note":{"secret":1}}"#
        let list = try OperationText.decode(
            OperationText([("formData", #"{"title":"T","attributes":[\#(attributes.joined(separator: ","))]}"#)])
                .operation)
        #expect(
            list.operations.first?.formData.attributes.map(\.id.string)
                == ["0", "1", "2"].filter { $0 != "\(position)" })
        #expect(list.issues.map(\.description) == ["operation 0: attribute \(position): note: wrong type"])
    }

    @Test("members that a bank added")
    func addedMembers() throws {
        let operation = try #require(
            try OperationText.decode(
                OperationText([("playSound", "true"), ("x", #"{"y":[1,{"z/~":"deep"}]}"#)]).operation
            ).operations
                .first)
        #expect(operation.member(path: "/playSound")?.bool == true)
        #expect(operation.member(path: "/x/y/0")?.int64 == 1)
        #expect(operation.member(path: "/x/y/1/z~1~0")?.text?.string == "deep")
        #expect(operation.member(path: "")?.kind == .object)
        #expect(operation.json.value(at: "/x/y")?.rawText == #"[1,{"z/~":"deep"}]"#)
        for path in [
            "playSound", "/none", "/x/y/2", "/x/y/-", "/x/y/00", "/x/y/01", "/x/y/-1", "/playSound/a", "/x/y/1/z~2",
            "/~", "/",
        ] {
            #expect(operation.member(path: path) == nil, "\(path)")
        }
    }
}

extension [UInt8] {
    func withEnvelope<R>(_ body: (ReplyEnvelope) throws -> R) throws -> R { try body(envelope(self)) }
}
