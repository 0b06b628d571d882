// SPDX-License-Identifier: Apache-2.0
/// Checks of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
public enum UTF8Validity {
    /// Offset of the first byte that does not belong to a whole, valid sequence; `nil` if all of it is UTF-8.
    public static func firstInvalid(in text: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < text.count {
            // Eight at a time where all are ASCII.
            if index &+ 8 <= text.count,
                text.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index &+= 8
                continue
            }
            let length = text[index] < 0x80 ? 1 : lengthOfSequence(in: text, at: index)
            guard length > 0 else { return index }
            index &+= length
        }
        return nil
    }

    /// The length in bytes of the sequence whose first byte, not ASCII, is at an index; 0 if it is broken or cut.
    static func lengthOfSequence(in text: UnsafeRawBufferPointer, at index: Int) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch text[index] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard index &+ length <= text.count, second.contains(text[index &+ 1]) else { return 0 }
        for offset in 2..<max(2, length) where text[index &+ offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
