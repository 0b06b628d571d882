import Foundation
import MobileTokenJSON
import TestSupport
import Testing

/// The value as the document shows it.
private func model(_ value: JSONValue) -> RandomJSON.Value {
    switch value.kind {
    case .object: .object(value.members.map { ($0.name.string, model($0.value)) })
    case .array: .array((0..<value.count).compactMap { value[$0].map(model) })
    case .string: .text(value.textAllowingNUL?.string ?? "missing")
    case .integer: .integer(value.int64 ?? 0)
    case .real: .real(value.double ?? .nan)
    case .bool: .bool(value.bool ?? false)
    case .null: .null
    }
}

private func write(_ value: RandomJSON.Value, to writer: inout JSONWriter) {
    switch value {
    case .object(let members):
        writer.beginObject()
        for (name, member) in members {
            writer.key(name)
            write(member, to: &writer)
        }
        writer.endObject()
    case .array(let elements):
        writer.beginArray()
        for element in elements { write(element, to: &writer) }
        writer.endArray()
    case .text(let text): writer.value(text)
    case .integer(let number): writer.value(number)
    case .real(let number): writer.raw([UInt8](number.description.utf8))
    case .bool(let flag): writer.value(flag)
    case .null: writer.raw([UInt8]("null".utf8))
    }
}

/// Whether the text of a value says the same as the value, all the way down.
private func agree(_ value: JSONValue) -> Bool {
    let text = value.rawText
    switch value.kind {
    case .object:
        return text.hasPrefix("{") && text.hasSuffix("}")
            && value.members.allSatisfy { name, member in
                agree(member) && value.member(name.string)?.raw.baseAddress == member.raw.baseAddress
            }
    case .array:
        return text.hasPrefix("[") && text.hasSuffix("]")
            && (0..<value.count).allSatisfy { value[$0].map(agree) == true }
    case .integer: return Int64(text) == value.int64
    case .real: return Double(text) == value.double
    case .bool: return text == (value.bool == true ? "true" : "false")
    case .null: return text == "null"
    case .string:
        let alone = try? JSONDocument(parsing: value.raw, limits: JSONLimits(allowsAnyTopLevel: true))
        return alone?.root.textAllowingNUL?.bytes == value.textAllowingNUL?.bytes
    }
}

@Suite("JSON properties")
struct PropertyTests {
    @Test("what the writer writes reads back unchanged")
    func roundTrip() throws {
        for seed in 0..<2000 {
            var random = RandomJSON(seed: UInt64(seed))
            let value = random.container()
            for sensitive in [false, true] {
                var writer = JSONWriter(capacity: sensitive ? 0 : 256, sensitive: sensitive)
                write(value, to: &writer)
                let document = try JSONDocument(parsing: writer.bytes, sensitive: sensitive)
                #expect(Bool(model(document.root) == value), "seed \(seed)")
            }
        }
    }

    @Test("the text of each value says the same as the value, and so does a sensitive document")
    func texts() throws {
        for seed in 0..<2000 {
            var random = RandomJSON(seed: UInt64(seed) &+ 1_000_000)
            let value = random.container()
            let text = random.text(of: value)
            let document = try read(text)
            #expect(Bool(model(document.root) == value), "seed \(seed)")
            #expect(agree(document.root), "seed \(seed)")
            #expect(Bool(model(try read(text, sensitive: true).root) == value), "seed \(seed)")
        }
    }

    @Test("a name that is there twice is found among many", arguments: [2, 20, 64, 65, 66, 500])
    func names(count: Int) throws {
        var random = RandomJSON(seed: UInt64(count))
        for _ in 0..<50 {
            // Alike in length and at both ends, so that no mark keeps them apart.
            var names = (0..<count).map { "n\($0 + 1000)x" }
            let plain = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
            #expect(try read(plain).root.count == count)
            let (first, second) = (random.number(below: count), random.number(below: count))
            guard first != second else { continue }
            names[max(first, second)] = names[min(first, second)]
            let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
            #expect(failure(text)?.reason == .duplicateKey)
            // A member takes eleven bytes with its comma, its name eight.
            #expect(failure(text)?.offset == 1 + max(first, second) * 11 + 8)
        }
    }
}
