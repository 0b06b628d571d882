// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// A value of a document, not retained: for reading many members quickly while the caller holds the document.
///
/// `JSONValue` is the same with the document beside it; use that wherever a value is kept.
package struct JSONNode: @unchecked Sendable {
    private let record: UnsafePointer<JSONRecord>

    @inline(__always)
    init(_ record: UnsafePointer<JSONRecord>) {
        self.record = record
    }

    var content: JSONRecord.Content { record.pointee.content }

    /// The kind of the value.
    package var kind: JSONValue.Kind {
        switch content {
        case .object: .object
        case .array: .array
        case .string: .string
        case .integer: .integer
        case .real: .real
        case .bool: .bool
        case .null: .null
        }
    }

    /// The value as it was received. Lives as long as the document.
    package var raw: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: record.pointee.raw, count: Int(record.pointee.rawCount))
    }

    /// The decoded name of a member, with a NUL after it; empty for other values.
    var name: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: record.pointee.name, count: Int(record.pointee.nameCount))
    }

    /// The member with a name; `nil` if there is none or if this is not an object.
    package subscript(_ name: StaticString) -> JSONNode? {
        guard name.hasPointerRepresentation else { return nil }
        return member(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// The member with a name that is not known when the library is built.
    package func member(_ name: UnsafeRawBufferPointer) -> JSONNode? {
        guard case .object = content else { return nil }
        return elements.first { $0.isNamed(name) }
    }

    @inline(__always)
    func isNamed(_ other: UnsafeRawBufferPointer) -> Bool {
        guard Int(record.pointee.nameCount) == other.count, let name = record.pointee.name else { return false }
        return other.baseAddress.map { memcmp(name, $0, other.count) == 0 } ?? true
    }

    /// The number of elements of an array or of members of an object, else 0.
    package var count: Int {
        switch content {
        case .object, .array: Int(record.pointee.count)
        default: 0
        }
    }

    /// The element of an array; `nil` outside its bounds or if this is not an array. To visit all, use `elements`: this
    /// steps over the ones before.
    package func element(_ index: Int) -> JSONNode? {
        guard case .array = content, index >= 0, index < count else { return nil }
        return elements.dropFirst(index).first { _ in true }
    }

    /// The elements of an array, or the values of the members of an object, in the order of the text.
    package var elements: Elements { Elements(first: record + 1, count: count) }

    /// The elements of an array, or the values of the members of an object, in the order of the text.
    package struct Elements: Sequence, IteratorProtocol {
        private var record: UnsafePointer<JSONRecord>
        private var remaining: Int

        init(first: UnsafePointer<JSONRecord>, count: Int) {
            (record, remaining) = (first, count)
        }

        /// The next value.
        @inline(__always)
        package mutating func next() -> JSONNode? {
            guard remaining > 0 else { return nil }
            remaining &-= 1
            defer { record += Int(record.pointee.extent) }
            return JSONNode(record)
        }
    }

    /// The bytes of a string, with a NUL after them; `nil` if this is not a string.
    package var stringBytes: UnsafeBufferPointer<UInt8>? {
        guard case .string(let start) = content else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(record.pointee.count))
    }

    /// Whether this is a string with exactly these bytes.
    package func equals(_ text: StaticString) -> Bool {
        guard case .string(let start) = content, text.hasPointerRepresentation,
            Int(record.pointee.count) == text.utf8CodeUnitCount
        else { return false }
        return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether null was written; a number beyond the range of `Double` is of that kind too.
    package var isNull: Bool { kind == .null && raw.first == UInt8(ascii: "n") }

    /// The number, if it was written as an integer in the range of `Int64`.
    package var int64: Int64? {
        guard case .integer(let number) = content else { return nil }
        return number
    }

    /// The number, integer or real.
    package var double: Double? {
        switch content {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// The number taken apart, each digit as it was written; `nil` if this is not a number.
    package var number: JSONNumberLexeme? { double == nil ? nil : JSONNumberLexeme(raw) }

    /// The boolean.
    package var bool: Bool? {
        guard case .bool(let flag) = content else { return nil }
        return flag
    }
}
