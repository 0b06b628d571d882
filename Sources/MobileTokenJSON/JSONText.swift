// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// A string of a document, decoded: valid UTF-8 with a NUL after the last byte.
///
/// Retains the document, so `base` may be handed out for as long as this value (or the document) lives.
public struct JSONText: @unchecked Sendable {
    /// The owner of the memory.
    public let document: JSONDocument
    /// First byte. `base[count]` is 0.
    public let base: UnsafePointer<UInt8>
    /// Length in bytes, without the final NUL.
    public let count: Int

    /// A string of the document, which may hold U+0000, or the name of a member.
    @inline(__always)
    package init(document: JSONDocument, bytes: UnsafeBufferPointer<UInt8>) {
        self.document = document
        base = bytes.baseAddress ?? StaticString("").utf8Start
        count = bytes.count
    }

    /// A text that is not a part of the document, to use in place of one. `text` must be a literal.
    package init(document: JSONDocument, constant text: StaticString) {
        self.document = document
        base = text.utf8Start
        count = text.utf8CodeUnitCount
    }

    /// Whether the text is empty.
    public var isEmpty: Bool { count == 0 }

    /// Whether the text contains U+0000.
    public var holdsNUL: Bool { document.mayHoldNUL && memchr(base, 0, count) != nil }

    /// A copy.
    public var string: String {
        @inline(never)
        get { String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self) }
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: base, count: count)) }

    /// Whether the text is exactly this one, byte by byte.
    public func equals(_ other: StaticString) -> Bool {
        guard other.hasPointerRepresentation, other.utf8CodeUnitCount == count else { return false }
        return memcmp(base, other.utf8Start, count) == 0
    }

    /// Whether two texts have the same bytes. Not in constant time.
    public func equals(_ other: JSONText) -> Bool {
        count == other.count && memcmp(base, other.base, count) == 0
    }

    /// The order of two texts by their bytes: negative if this one comes first, 0 if they are the same.
    package func compare(_ other: JSONText) -> Int32 {
        let order = memcmp(base, other.base, min(count, other.count))
        if order != 0 { return order }
        return count < other.count ? -1 : count == other.count ? 0 : 1
    }

    /// Whether the text has exactly these bytes. Not in constant time.
    public func equals(_ other: [UInt8]) -> Bool {
        count == other.count && other.withUnsafeBytes { $0.baseAddress.map { memcmp(base, $0, count) == 0 } ?? true }
    }

    /// The bytes, without the final NUL; the pointer is good until `body` returns.
    public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try withExtendedLifetime(document) { () throws(E) -> R in
            try body(UnsafeRawBufferPointer(start: base, count: count))
        }
    }
}
