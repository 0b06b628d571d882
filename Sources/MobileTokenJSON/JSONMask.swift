internal import CJansson

/// Keeps the strings of a sensitive document out of Jansson's working memory.
///
/// While Jansson reads, it collects each string in buffers that it frees unwiped, and their allocator belongs to the host.
/// So it is given the text with every string value replaced by as many `x` as the value has bytes; afterwards the real
/// bytes are put where the `x` stand in the tree, which the document wipes before it is freed. Names are not replaced.
enum JSONMask {
    private static let filler: UInt8 = 0x78

    /// Replaces the string values of a text. Strings that are not valid are left, so that Jansson finds the fault.
    static func hideTexts(in text: UnsafeMutableRawBufferPointer) {
        let scanner = JSONScanner(UnsafeRawBufferPointer(text))
        var index = 0
        while let byte = scanner.byte(at: index) {
            guard byte == 0x22 else {
                index &+= 1
                continue
            }
            guard let quote = scanner.endOfString(index &+ 1) else { return }
            let isName = scanner.byte(at: scanner.skipSpace(quote &+ 1)) == 0x3A
            if !isName { hide(UnsafeMutableRawBufferPointer(rebasing: text[(index &+ 1)...quote])) }
            index = quote &+ 1
        }
    }

    /// `string` is the text between the quotes, and the closing quote.
    private static func hide(_ string: UnsafeMutableRawBufferPointer) {
        let content = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(string).dropLast())
        guard let length = decodedCount(of: content) else { return }
        for index in 0..<string.count {
            // A value with escapes is shorter than its text: the closing quote moves, blanks follow it.
            string[index] = index < length ? filler : index == length ? 0x22 : 0x20
        }
    }

    /// Length of a string in bytes when it is decoded; `nil` if it is no valid JSON string.
    private static func decodedCount(of content: UnsafeRawBufferPointer) -> Int? {
        guard UTF8Validity.firstInvalid(in: content) == nil else { return nil }
        var position = 0
        var length = 0
        while position < content.count {
            guard content[position] >= 0x20 else { return nil }
            var unit = JSONEscapes.Unit()
            guard JSONEscapes.next(content, &position, &unit) else { return nil }
            length &+= unit.count
        }
        return length
    }

    /// Puts the string values of `text` into the tree that Jansson made of the text without them.
    /// `false` if the two do not fit together.
    static func restoreTexts(_ tree: UnsafeMutablePointer<json_t>, from text: UnsafeRawBufferPointer) -> Bool {
        let scanner = JSONScanner(text)
        let start = scanner.skipSpace(0)
        guard let end = scanner.endOfValue(start) else { return false }
        return restore(JSONNode(tree), scanner, text, start..<end)
    }

    private static func restore(
        _ node: JSONNode, _ scanner: JSONScanner, _ text: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> Bool {
        switch node.kind {
        case .string:
            return fill(node, from: UnsafeRawBufferPointer(rebasing: text[range]))
        case .array:
            var index = range.lowerBound &+ 1
            for position in 0..<node.count {
                guard let item = scanner.item(at: index, named: false), let element = node.element(position),
                    restore(element, scanner, text, item.value)
                else { return false }
                index = item.value.upperBound
            }
            return true
        case .object:
            // Jansson keeps members in the order of the text.
            var index = range.lowerBound &+ 1
            var iterator = json_object_iter(node.pointer)
            while let current = iterator {
                guard let item = scanner.item(at: index, named: true), let name = json_object_iter_key(current),
                    let value = json_object_iter_value(current),
                    JSONEscapes.decoded(
                        UnsafeRawBufferPointer(rebasing: text[item.name]),
                        equals: UnsafeBufferPointer(
                            start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), count: strlen(name))),
                    restore(JSONNode(value), scanner, text, item.value)
                else { return false }
                index = item.value.upperBound
                iterator = json_object_iter_next(node.pointer, current)
            }
            return true
        default:
            return true
        }
    }

    /// Decodes a string with its quotes into Jansson's memory of it.
    private static func fill(_ node: JSONNode, from string: UnsafeRawBufferPointer) -> Bool {
        guard string.count >= 2, let start = mtoken_json_string_memory(node.pointer) else { return false }
        let content = UnsafeRawBufferPointer(rebasing: string.dropFirst().dropLast())
        let memory = UnsafeMutableRawBufferPointer(start: start, count: json_string_length(node.pointer))
        var position = 0
        var written = 0
        while position < content.count {
            var unit = JSONEscapes.Unit()
            guard JSONEscapes.next(content, &position, &unit), written &+ unit.count <= memory.count else {
                return false
            }
            for index in 0..<unit.count { memory[written &+ index] = unit[index] }
            written &+= unit.count
        }
        return written == memory.count
    }
}
