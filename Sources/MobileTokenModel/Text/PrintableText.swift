// SPDX-License-Identifier: Apache-2.0
/// Texts of printable characters without white space.
enum PrintableText {
    /// The offset of the first control character, white space or invisible mark in valid UTF-8; nil: there is none.
    static func firstOther(in text: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                guard (0x21...0x7E).contains(byte) else { return index }
                index &+= 1
                continue
            }
            let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            guard index &+ length <= text.count else { return index }
            var scalar = UInt32(byte) & (0x7F &>> UInt32(length))
            for next in 1..<length { scalar = scalar &<< 6 | UInt32(text[index &+ next] & 0x3F) }
            if isOther(scalar) { return index }
            index &+= length
        }
        return nil
    }

    /// Whether all of a text is printable ASCII without spaces; looks at eight bytes at a time.
    static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index &+ 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // A byte below 0x21, 0x7F, or above it leaves its top bit set in one of the three.
            let marks = word | (word &- 0x2121_2121_2121_2121) | (word &+ 0x0101_0101_0101_0101)
            guard marks & 0x8080_8080_8080_8080 == 0 else { return false }
            index &+= 8
        }
        while index < text.count {
            guard (0x21...0x7E).contains(text[index]) else { return false }
            index &+= 1
        }
        return true
    }

    /// The number of characters (Unicode scalars) of valid UTF-8.
    package static func count(_ text: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for byte in text where byte & 0xC0 != 0x80 { count &+= 1 }
        return count
    }

    /// Control characters, white space, and the marks that no screen shows but that change how text is laid out.
    private static func isOther(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x80...0xA0, 0xAD, 0x1680, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000, 0xFEFF: true
        default: false
        }
    }
}
