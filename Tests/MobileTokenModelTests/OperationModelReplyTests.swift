import Foundation
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileTokenModel

@Suite("Operation models: replies")
struct OperationModelReplyTests {
    @Test("an envelope needs a status")
    func status() throws {
        for text in [
            "{}", "[]", #"{"status":null}"#, #"{"status":5}"#, #"{"status":"ok"}"#, #"{"status":"ERROR"}"#,
            #"{"status":"ERROR","responseObject":[]}"#, #"{"status":"ERROR","responseObject":{"message":"m"}}"#,
            #"{"status":"ERROR","responseObject":{"code":5,"message":"m"}}"#, #"{"status":"OK\u0000"}"#,
        ] {
            #expect(throws: InvalidReply.self, "\(text)") { try envelope(Array(text.utf8)) }
        }
        #expect(throws: InvalidReply.json(JSONError(.syntax, offset: 0, line: 1, column: 0))) {
            try envelope(Array("<html>".utf8))
        }
        #expect(throws: InvalidReply.json(JSONError(.tooLarge, offset: 5, line: 1, column: 0))) {
            try envelope(Array(#"{"status":"OK"}"#.utf8), limits: JSONLimits(maximumSize: 5))
        }
    }

    @Test("an answer without content is a success, but no list")
    func withoutContent() throws {
        for text in [#"{"status":"OK"}"#, #"{"responseObject":null,"status":"OK"}"#] {
            let envelope = try envelope(Array(text.utf8))
            guard case .success(nil) = envelope.outcome else {
                Issue.record("not empty")
                continue
            }
            #expect(throws: InvalidReply.self) { try OperationList.decode(envelope) }
            #expect(throws: InvalidReply.self) { try UserOperation.decode(envelope) }
        }
        let other = try envelope(Array(#"{"status":"OK","responseObject":{"a":1}}"#.utf8))
        guard case .success(let content?) = other.outcome else { return }
        #expect(content["a"]?.int64 == 1)
        #expect(throws: InvalidReply.self) { try OperationList.decode(other) }
        #expect(throws: InvalidReply.self) { try UserOperation.decode(other) }
    }

    @Test("the error of a server is kept as it is; its message may be missing")
    func serverError() throws {
        let reply = try envelope(Array(#"{"status":"ERROR","responseObject":{"code":"NEW","message":"m"}}"#.utf8))
        guard case .failure(let error) = reply.outcome else { return }
        #expect(error.code.string == "NEW" && error.message.string == "m")
        let short = try envelope(Array(#"{"status":"ERROR","responseObject":{"code":"NEW"}}"#.utf8))
        guard case .failure(let other) = short.outcome else { return }
        #expect(other.code.string == "NEW" && other.message.isEmpty)
        #expect(throws: InvalidReply.self) { try OperationList.decode(reply) }
    }

    @Test("a detail or claim reply")
    func detail() throws {
        let operation = OperationText([("ui", "5")]).operation
        let reply = try envelope(
            Array(#"{"status":"OK","responseObject":\#(operation),"currentTimestamp":"2023-04-25T13:09:52+0000"}"#.utf8)
        )
        let (decoded, issues) = try UserOperation.decode(reply)
        #expect(decoded.id.string == "op1")
        #expect(decoded.json.rawText == operation)
        #expect(issues.map(\.description) == ["operation 0: ui: wrong type"])
        #expect(reply.currentTimestamp == 1_682_428_192_000)
        let broken = Array(#"{"status":"OK","responseObject":\#(OperationText([("data", nil)]).operation)}"#.utf8)
        #expect(throws: InvalidReply.self) { try UserOperation.decode(envelope(broken)) }
    }

    @Test("lists of any length", arguments: [0, 1, 100, 5_000])
    func lengths(count: Int) throws {
        let operations = (0..<count).map { index in
            index % 7 == 3 ? "{\"id\":\(index)}" : OperationText([("id", "\"\(index)\"")]).operation
        }
        let list = try OperationList.decode(envelope(OperationText.reply(operations)))
        let good = (0..<count).filter { $0 % 7 != 3 }
        #expect(list.operations.map(\.id.string) == good.map { "\($0)" })
        #expect(list.skippedCount == count - good.count)
        let broken = (0..<count).filter { $0 % 7 == 3 }
        #expect(list.issues.map(\.operation) == Array(broken.prefix(100)))
        #expect(list.furtherIssues == max(0, broken.count - 100))
        #expect(list.operations.map(\.json.rawText) == good.map { operations[$0] })
    }

    @Test("models outlive the reply that they came from")
    func lifetime() throws {
        var list: OperationList? = try OperationText.decode(
            OperationText.attributes(#"{"type":"NOTE","id":"n","label":"L","note":"x"}"#))
        let note = try #require(list?.operations.first?.formData.attributes.first)
        list = nil
        guard case .note(let text) = note.content else { return }
        #expect(text.string == "x" && note.json["label"]?.text?.string == "L")
    }

    @Test("vectors cut off or changed at any byte are decoded or refused, never a crash")
    func hostile() throws {
        var random = SystemRandomNumberGenerator()
        let bytes: [UInt8] = [0x22, 0x5B, 0x5D, 0x7B, 0x7D, 0x2C, 0x3A, 0x30, 0x39, 0x2E, 0x65, 0x2D, 0x5C, 0x00, 0xFF]
        for entry in try vectorCases("operations-list") {
            for _ in 0..<200 {
                var text = entry.input
                text[Int.random(in: text.indices, using: &random)] = bytes.randomElement(using: &random) ?? 0
                if Bool.random(using: &random) {
                    text = Array(text.prefix(Int.random(in: 0...text.count, using: &random)))
                }
                guard let list = try? OperationList.decode(envelope(text)) else { continue }
                for operation in list.operations { _ = operation.shown }
            }
        }
    }
}
