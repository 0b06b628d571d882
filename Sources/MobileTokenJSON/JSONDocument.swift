// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// A JSON text that was read: owner of the text and of the tree over it.
///
/// Everything that is read from it (`JSONValue`, `JSONText`) points into this memory and retains the document.
/// Immutable after `init`, so it may be read from any threads at once.
///
/// **Strict** (RFC 8259, and more): UTF-8 only, no byte order mark, no duplicate names; bounded size, depth and number of
/// values. U+0000 inside a string is accepted here, but `JSONValue.text` answers `nil` for such a string, since most readers would
/// see only the part before it.
///
/// **Numbers out of range.** A bank's 20-digit reference in an unused member must not make a whole list unreadable: an
/// integer outside `Int64` becomes a real that approximates it, a real beyond `Double` becomes null. `raw` still has
/// each as it was written. Ordinary integers stay integers.
public final class JSONDocument: @unchecked Sendable {
    private let memory: JSONMemory
    /// Whether one of its strings may hold U+0000; else no string has to be searched for it.
    let mayHoldNUL: Bool
    /// How many values were read: objects, arrays, strings, numbers, booleans and nulls together.
    package let valueCount: Int
    /// The positions of the elements that were spared, ascending. They read as null.
    package let unreadable: [Int]

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: UTF-8, copied.
    ///   - limits: bounds of what is read.
    ///   - sparing: the name of a member of the top object. If it is a list, an element that cannot be read (it has a name
    ///     twice, is nested too deep, is not UTF-8, …) does not take the others with it: see `unreadable`. Only what lies
    ///     within one element is forgiven; the rest of the text is read as strictly as any.
    ///   - sensitive: the strings of this text are secrets: none of them passes through memory that is freed unwiped.
    /// - Throws: `JSONError` with offset, line and column.
    package convenience init(
        parsing text: UnsafeRawBufferPointer, limits: JSONLimits = .default, sparing: StaticString? = nil,
        sensitive: Bool = false
    ) throws(JSONError) {
        self.init(try JSONReader.read(text, limits: limits, sparing: sparing, sensitive: sensitive))
    }

    /// Reads a text; see `init(parsing:limits:sparing:sensitive:)` with a buffer.
    package convenience init(
        parsing text: [UInt8], limits: JSONLimits = .default, sensitive: Bool = false
    ) throws(JSONError) {
        let result: Result<JSONReader, JSONError> = text.withUnsafeBytes { bytes in
            do throws(JSONError) {
                return .success(try JSONReader.read(bytes, limits: limits, sparing: nil, sensitive: sensitive))
            } catch {
                return .failure(error)
            }
        }
        self.init(try result.get())
    }

    // Embedded Swift loses the memory of an object whose designated initialiser fails: the ones that can fail are
    // `convenience`.
    private init(_ reader: JSONReader) {
        memory = reader.memory
        mayHoldNUL = reader.mayHoldNUL
        valueCount = reader.values
        unreadable = reader.unreadable
    }

    deinit { memory.release() }

    /// The range of the value of a member of the top object in the text; empty, at the start, if there is none.
    package func place(of name: StaticString) -> Range<Int> {
        root.node[name].map { place(of: $0.raw) } ?? 0..<0
    }

    /// The range of the text of a value.
    package func place(of raw: UnsafeRawBufferPointer) -> Range<Int> {
        guard let start = raw.baseAddress, let base = memory.text.baseAddress else { return 0..<0 }
        return (start - base)..<(start - base + raw.count)
    }

    /// The text as it was received. Lives as long as the document.
    package var text: UnsafeRawBufferPointer { memory.text }

    /// The top value.
    public var root: JSONValue { JSONValue(document: self, node: JSONNode(memory.records)) }
}
