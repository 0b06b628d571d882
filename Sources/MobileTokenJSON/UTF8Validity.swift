/// Checks of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
public enum UTF8Validity {
    /// Offset of the first byte that does not belong to a whole, valid sequence; `nil` if all of it is UTF-8.
    public static func firstInvalid(in text: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < text.count {
            let lead = text[index]
            if lead < 0x80 {
                index &+= 1
                continue
            }
            // Length of the sequence and the allowed range of its second byte.
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return index
            }
            guard index &+ length <= text.count, second.contains(text[index &+ 1]) else { return index }
            for offset in 2..<max(2, length) where text[index &+ offset] & 0xC0 != 0x80 { return index }
            index &+= length
        }
        return nil
    }
}
