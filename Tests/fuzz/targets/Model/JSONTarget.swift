import CJansson
import FuzzSupport

@testable import MobileTokenJSON

/// Any text as JSON, read both ways (plainly, and as a secret), held against Jansson's own reader, written, read again.
func fuzzJSON(_ input: UnsafeRawBufferPointer) {
    let plain = readJSON(input)
    compareWithJansson(input)
    let sensitive = readJSON(input, sensitive: true)
    require((plain == nil) == (sensitive == nil), "plain and sensitive reading disagree")
    if let plain, let sensitive {
        require(plain.root.compact() == sensitive.root.compact(), "sensitive reading gives another value")
        check(plain.root)
        let compact = plain.root.compact()
        var writer = JSONWriter()
        write(plain.root, to: &writer)
        for written in [compact, writer.bytes] {
            let again = try? JSONDocument(parsing: written)
            require(again?.root.compact() == compact, "what was written reads as another value")
        }
    }
    do throws(JSONError) {
        _ = try JSONDocument(parsing: input, sparing: "list")
    } catch {
        check(error, in: input)
    }
    let invalid = UTF8Validity.firstInvalid(in: input)
    require(invalid.map { (0..<input.count).contains($0) } ?? true, "what is no UTF-8 stands outside of the text")
}

/// Reads a text; its error lies within it.
func readJSON(_ input: UnsafeRawBufferPointer, sensitive: Bool = false) -> JSONDocument? {
    do throws(JSONError) {
        return try JSONDocument(parsing: input, sensitive: sensitive)
    } catch {
        check(error, in: input)
        return nil
    }
}

/// An error lies within the text.
func check(_ error: JSONError, in text: UnsafeRawBufferPointer) {
    require((0...text.count).contains(error.offset), "the error stands outside of the text")
    require(error.line >= 1 && error.column >= 0 && error.column <= text.count, "the error's place is impossible")
}

/// Writes a value member by member.
private func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value.kind {
    case .object:
        writer.beginObject()
        for (name, member) in value.members {
            writer.key(name.string)
            write(member, to: &writer)
        }
        writer.endObject()
    case .array:
        writer.beginArray()
        for index in 0..<value.count {
            guard let element = value[index] else { return require(false, "an element is not found") }
            write(element, to: &writer)
        }
        writer.endArray()
    case .string:
        guard let text = value.textAllowingNUL else { return require(false, "a string is no text") }
        writer.value(text)
    case .integer:
        guard let number = value.int64 else { return writer.raw(value.raw) }
        writer.value(number)
    case .bool:
        writer.value(value.bool == true)
    case .real, .null:
        writer.raw(value.raw)
    }
}

/// Jansson's own reader takes and refuses the same texts, and gives the same values; but for numbers out of its range, which
/// it refuses, and NUL bytes, which it overlooks behind a number.
private func compareWithJansson(_ input: UnsafeRawBufferPointer) {
    guard !input.contains(0) else { return }
    var fault = json_error_t()
    // JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL: macros that Swift does not see.
    let theirs = json_loadb(
        input.assumingMemoryBound(to: CChar.self).baseAddress, input.count, 0x1 | 0x4 | 0x10, &fault)
    defer { if let theirs { mtoken_json_free(theirs) } }
    do throws(JSONError) {
        let ours = try JSONDocument(
            parsing: input, limits: JSONLimits(maximumSize: 1 << 30, maximumDepth: 1024, allowsAnyTopLevel: true))
        if let theirs {
            let tree = ours.root.node.tree
            require(json_equal(tree, theirs) == 1, "Jansson reads another value")
            return mtoken_json_free(tree)
        }
        require(json_error_code(&fault) == json_error_numeric_overflow, "Jansson refuses the text")
    } catch {
        require(theirs == nil || error.reason == .tooDeep, "Jansson takes the text")
    }
}

/// A value and its text must tell the same.
private func check(_ value: JSONValue) {
    let text = String(decoding: value.raw, as: UTF8.self)
    switch value.kind {
    case .object:
        require(text.hasPrefix("{") && text.hasSuffix("}"), "an object has another text")
        for (name, member) in value.members {
            check(member)
            require(
                value.member(name.bytes)?.raw.baseAddress == member.raw.baseAddress, "a member is not found by its name"
            )
            require(
                value.value(at: pointer(name))?.raw.baseAddress == member.raw.baseAddress,
                "a member is not found by a pointer")
        }
    case .array:
        require(text.hasPrefix("[") && text.hasSuffix("]"), "an array has another text")
        for element in value.node.elements { check(JSONValue(document: value.document, node: element)) }
    case .string:
        require(text.hasPrefix("\"") && text.hasSuffix("\""), "a string has another text")
        if let text = value.text {
            require(text.base[text.count] == 0 && !text.bytes.contains(0), "a text ends elsewhere")
        }
    case .integer:
        require(text == value.int64.map { String($0) } || text.hasPrefix("-0"), "an integer changed")
    case .real:
        require(value.node.number != nil && Double(text) == value.double, "a real has another text")
    case .bool:
        require(text == "true" || text == "false", "a boolean has another text")
    case .null:
        require(text == "null" || Double(text) != nil, "null has another text")
    }
}

/// The pointer (RFC 6901) to a member.
private func pointer(_ name: JSONText) -> String {
    var pointer: [UInt8] = [UInt8(ascii: "/")]
    for byte in name.bytes {
        switch byte {
        case UInt8(ascii: "~"): pointer += "~0".utf8
        case UInt8(ascii: "/"): pointer += "~1".utf8
        default: pointer.append(byte)
        }
    }
    return String(decoding: pointer, as: UTF8.self)
}
