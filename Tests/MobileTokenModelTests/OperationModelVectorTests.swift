import Foundation
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileTokenModel

/// The cases of a vector file; read with the library's own reader, which keeps apart what Foundation does not.
func vectorCases(_ name: String) throws -> [(id: String, input: [UInt8], expect: JSONValue)] {
    let data = try Data(contentsOf: Vectors.directory.appendingPathComponent(name + ".json"))
    let cases = try #require(JSONDocument(parsing: [UInt8](data)).root["cases"])
    return try (0..<cases.count).map { index in
        let entry = try #require(cases[index])
        return (
            id: try #require(entry["id"]?.text?.string), input: try #require(entry["input"]?.text?.bytes),
            expect: try #require(entry["expect"])
        )
    }
}

func envelope(_ text: [UInt8], limits: JSONLimits = .default) throws(InvalidReply) -> ReplyEnvelope {
    let result: Result<ReplyEnvelope, InvalidReply> = text.withUnsafeBytes { bytes in
        do throws(InvalidReply) {
            return .success(try ReplyEnvelope(parsing: bytes, limits: limits))
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}

@Suite("Operation models: vectors")
struct OperationModelVectorTests {
    /// What a reply shows: a list, the error of the server, or that it is invalid.
    private func show(_ input: [UInt8]) -> Shown {
        do throws(InvalidReply) {
            let envelope = try envelope(input)
            if case .failure(let error) = envelope.outcome {
                // Which codes are known is a matter of the error layer.
                let known = Shown.flag(false)
                return .object([
                    "ok": .flag(false),
                    "restError": .object(["code": .text(error.code), "message": .text(error.message), "known": known]),
                ])
            }
            return try OperationList.decode(envelope).shown
        } catch {
            return .object(["ok": .flag(false), "error": .text("invalidResponse")])
        }
    }

    @Test("replies with operations")
    func operations() throws {
        let cases = try vectorCases("operations-list")
        for entry in cases {
            let differences = show(entry.input).differences(from: entry.expect)
            #expect(differences == [], "\(entry.id)")
        }
        Vectors.ran("operations-list", cases.count)
        #expect(cases.count == 46)
    }

    @Test("user interface")
    func userInterface() throws {
        let cases = try vectorCases("ui-data")
        for entry in cases {
            let text = OperationText([("ui", String(decoding: entry.input, as: UTF8.self))]).operation
            let list = try OperationList.decode(envelope(OperationText.reply([text])))
            let ui = try #require(list.operations.first?.ui)
            #expect(ui.shown.differences(from: entry.expect) == [], "\(entry.id)")
        }
        Vectors.ran("ui-data", cases.count)
        #expect(cases.count == 29)
    }

    @Test("every text of an operation stands in the original JSON of it")
    func rawText() throws {
        for entry in try vectorCases("operations-list") {
            guard let list = try? OperationList.decode(envelope(entry.input)) else { continue }
            for operation in list.operations {
                let again = try JSONDocument(parsing: operation.json.raw)
                #expect(again.root["id"]?.text?.bytes == operation.id.bytes)
                #expect(again.root.compact() == operation.json.compact())
                let alone = Array("{\"status\":\"OK\",\"responseObject\":".utf8) + operation.json.raw + [0x7D]
                let decoded = try UserOperation.decode(envelope(alone)).operation
                #expect(decoded.json.rawText == operation.json.rawText)
                #expect(decoded.formData.attributes.count == operation.formData.attributes.count)
            }
        }
    }
}
