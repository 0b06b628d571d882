import Foundation
import MobileTokenJSON
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
    case .real(let number): writer.value(number)
    case .bool(let flag): writer.value(flag)
    case .null: writer.null()
    }
}

/// Whether the slice says the same as the value, all the way down.
private func agree(_ raw: RawJSON?, _ value: JSONValue) -> Bool {
    guard let raw, raw.kind == value.kind else { return false }
    switch value.kind {
    case .object:
        let slices = Array(raw.elements)
        let members = Array(value.members)
        return slices.count == members.count
            && zip(slices, members).allSatisfy { slice, member in
                agree(slice, member.value)
                    && raw.member(member.name.string)?.bytes.baseAddress == slice.bytes.baseAddress
            }
    case .array:
        let slices = Array(raw.elements)
        return slices.count == value.count
            && slices.indices.allSatisfy { index in value[index].map { agree(slices[index], $0) } == true }
    case .integer: return Int64(raw.string) == value.int64
    case .real: return Double(raw.string) == value.double
    case .bool: return raw.string == (value.bool == true ? "true" : "false")
    case .null: return raw.string == "null"
    case .string:
        let limits = JSONLimits(allowsAnyTopLevel: true)
        let alone = try? JSONDocument(parsing: raw.bytes, limits: limits)
        return alone?.root.textAllowingNUL?.bytes == value.textAllowingNUL?.bytes
    }
}

@Suite("JSON properties")
struct PropertyTests {
    @Test("what the writer writes, Jansson reads back unchanged")
    func roundTrip() throws {
        for seed in 0..<2000 {
            var random = RandomJSON(seed: UInt64(seed))
            let value = random.container()
            for sensitive in [false, true] {
                var writer = JSONWriter(capacity: sensitive ? 0 : 256, sensitive: sensitive)
                write(value, to: &writer)
                #expect(writer.isComplete)
                let document = try JSONDocument(parsing: writer.bytes, sensitive: sensitive)
                #expect(Bool(model(document.root) == value), "seed \(seed)")
            }
        }
    }

    @Test("the slices of a text say the same as Jansson's tree, and so does a sensitive document")
    func slices() throws {
        for seed in 0..<2000 {
            var random = RandomJSON(seed: UInt64(seed) &+ 1_000_000)
            let value = random.container()
            let text = random.text(of: value)
            let document = try read(text)
            #expect(Bool(model(document.root) == value), "seed \(seed)")
            #expect(agree(document.raw, document.root), "seed \(seed)")
            // The same without a document that knows where its containers end.
            Array(text.utf8).withUnsafeBytes { #expect(agree(RawJSON($0), document.root), "seed \(seed)") }
            #expect(Bool(model(try read(text, sensitive: true).root) == value), "seed \(seed)")
        }
    }
}
