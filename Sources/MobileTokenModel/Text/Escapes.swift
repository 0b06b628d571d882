// SPDX-License-Identifier: Apache-2.0
/// The escapes of titles, messages and text fields: `\n`, `\\` and `\*`, replaced in one pass from left to right. A
/// backslash before another character, or at the end, stays.
package enum Escapes {
    private static let backslash = UInt8(ascii: "\\")

    /// The character of an escape; nil if a backslash before this byte stays.
    @inline(__always)
    package static func meaning(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case backslash, UInt8(ascii: "*"): byte
        default: nil
        }
    }

    /// Writes the text without escapes, which is never longer.
    ///
    /// - Returns: how many bytes were written
    package static func decode(_ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawPointer) -> Int {
        var count = 0
        var index = 0
        while index < text.count {
            var byte = text[index]
            index &+= 1
            if byte == backslash, index < text.count, let meaning = meaning(of: text[index]) {
                byte = meaning
                index &+= 1
            }
            output.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count &+= 1
        }
        return count
    }

    /// Lends the text without escapes.
    static func withDecoded<R>(_ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        guard text.contains(backslash) else { return body(text) }
        return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { memory in
            guard let base = memory.baseAddress else { return body(text) }
            return body(UnsafeRawBufferPointer(start: base, count: decode(text, into: base)))
        }
    }

    /// The text without escapes.
    package static func decoded(_ text: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: text.count) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return decode(text, into: UnsafeMutableRawPointer(base))
        }
    }
}
