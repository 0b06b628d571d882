import CJansson

@testable import MobileTokenJSON

/// Any text as JSON, read both ways (plainly, and as a secret), held against Jansson's own reader, walked, written, read again.
func fuzzJSON(_ input: UnsafeRawBufferPointer) {
    let plain = read(input, sensitive: false)
    compareWithJansson(input)
    let sensitive = read(input, sensitive: true)
    require((plain == nil) == (sensitive == nil), "plain and sensitive reading disagree")
    if let plain, let sensitive {
        require(plain.root.compact() == sensitive.root.compact(), "sensitive reading gives another value")
        compare(plain.root, plain.raw)
        let written = plain.root.compact()
        guard let again = try? JSONDocument(parsing: written) else {
            return require(false, "what was written cannot be read")
        }
        require(again.root.compact() == written, "what was written reads as another value")
    }
    // The scanner must be total on text that nobody validated.
    var budget = 2000
    walk(RawJSON(input), &budget)
    _ = JSONNumberLexeme(input)
    _ = UTF8Validity.firstInvalid(in: input)
}

private func read(_ input: UnsafeRawBufferPointer, sensitive: Bool) -> JSONDocument? {
    do throws(JSONError) {
        return try JSONDocument(parsing: input, sensitive: sensitive)
    } catch {
        require((0...input.count).contains(error.offset), "the error stands outside of the text")
        require(error.line >= 1 && error.column >= 0 && error.column <= input.count, "the error's place is impossible")
        return nil
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
        if let theirs { return require(json_equal(ours.tree, theirs) == 1, "Jansson reads another value") }
        require(json_error_code(&fault) == json_error_numeric_overflow, "Jansson refuses the text")
    } catch {
        require(theirs == nil || error.reason == .tooDeep, "Jansson takes the text")
    }
}

/// The tree and the slices of the text must tell the same.
private func compare(_ value: JSONValue, _ raw: RawJSON) {
    switch value.kind {
    case .object:
        require(raw.kind == .object, "an object has another slice")
        var elements = raw.elements
        for (name, member) in value.members {
            guard let slice = elements.next() else { return require(false, "a member has no slice") }
            compare(member, slice)
            require(value.member(name.string)?.kind == member.kind, "a member is not found by its name")
            require(raw.member(name.string)?.bytes.baseAddress == slice.bytes.baseAddress, "another slice has its name")
        }
        require(elements.next() == nil, "a slice has no member")
    case .array:
        require(raw.kind == .array, "an array has another slice")
        var elements = raw.elements
        for index in 0..<value.count {
            guard let element = value[index], let slice = elements.next() else {
                return require(false, "an element has no slice")
            }
            compare(element, slice)
        }
        require(elements.next() == nil, "a slice has no element")
    case .string:
        require(raw.kind == .string && value.textAllowingNUL != nil, "a string has another slice")
        if let text = value.text {
            require(text.base[text.count] == 0 && !text.bytes.contains(0), "a text ends elsewhere")
        }
    case .integer:
        require(raw.number?.isInteger == true && value.int64 != nil, "an integer has another slice")
        require(raw.string == value.int64.map { String($0) } || raw.string.hasPrefix("-0"), "an integer changed")
    case .real:
        require(raw.number != nil && value.double != nil, "a real has another slice")
    case .bool:
        require(raw.kind == .bool && value.bool != nil, "a boolean has another slice")
    case .null:
        require(raw.kind == .null || raw.number != nil, "null has another slice")
    }
}

private func walk(_ raw: RawJSON, _ budget: inout Int) {
    guard budget > 0 else { return }
    budget -= 1
    _ = raw.number
    _ = raw.member("status")
    _ = raw.value(at: "/0/id")
    for element in raw.elements {
        guard budget > 0 else { return }
        walk(element, &budget)
    }
}
